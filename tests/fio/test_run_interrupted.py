"""A run that is stopped, killed, or robbed of its disk or drive: its bundle opens, and nothing is left running."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.processes import (
    COMMAND,
    OVER,
    descendants,
    fio_below,
    is_gone,
    memory_export,
    ssdlab,
    ssdlab_started,
    wait_until,
)
from tests.kit.suites import write_short

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.engine.result import Direction
from ssdlab.message import message
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio

SLOW = "virtual:demo?capacity=2GiB"
"""A drive that takes long enough to fill that every test here ends earlier."""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_short(tmp_path)


@contextmanager
def filling(suite: Path, target: str, lab: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """A run that is in its first pass; fio works."""

    def works() -> bool:
        # fio is also asked for its version, long before.
        begun = any('"index":2,"state"' in journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}"))
        return begun and fio_below(process.pid) is not None

    with ssdlab_started("run", suite, target, "--lab", lab, *options) as process:
        wait_until(lambda: works() or process.poll() is not None, "fio works")
        assert process.poll() is None
        yield process


def steps_of(lab: Path) -> dict[str, StepStatus]:
    return {step.name: step.status for step in open_bundle(newest_run(lab)).steps}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_keeps_what_was_finished_and_says_where_it_ended(
    suite: Path, tmp_path: Path, number: signal.Signals
) -> None:
    lab = tmp_path / "lab"
    with filling(suite, SLOW, lab) as process:
        below = descendants(process.pid)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=240)
    assert (process.returncode, stdout) == (130, "")
    bundle = open_bundle(newest_run(lab))
    assert (bundle.status, str(bundle.reason), bundle.faults) == (RunStatus.INTERRUPTED, "stopped by the operator", ())
    assert steps_of(lab) == {
        "purge": StepStatus.FINISHED,
        "fill.pass1": StepStatus.INTERRUPTED,
        "fill.rest": StepStatus.PLANNED,
        "fill.pass2": StepStatus.PLANNED,
    }
    assert (
        "error: the run was interrupted; what was finished is in the bundle\n\n"
        f"hint: go on with it: `ssdlab resume {bundle.path}`\nhint: look at it: `ssdlab show {bundle.path}`\n" in stderr
    )
    assert "Traceback" not in stderr
    assert "fio" in below.values()
    wait_until(lambda: all(is_gone(one) for one in below), "fio and the drive's server have ended")


def test_ctrl_c_reaches_fio_and_the_drive_only_through_the_run(suite: Path, tmp_path: Path) -> None:
    with filling(suite, SLOW, tmp_path / "lab") as process:
        # A terminal sends its signal to every process of the group in the foreground.
        groups = {os.getpgid(one) for one in descendants(process.pid)}
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=240)
    assert process.pid not in groups
    assert process.returncode == 130
    assert steps_of(tmp_path / "lab")["fill.pass1"] is StepStatus.INTERRUPTED


def test_a_key_pressed_twice_stops_it_just_the_same(suite: Path, tmp_path: Path) -> None:
    with filling(suite, SLOW, tmp_path / "lab") as process:
        below = descendants(process.pid)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=240)
    assert process.returncode == 130
    assert open_bundle(newest_run(tmp_path / "lab")).faults == ()
    wait_until(lambda: all(is_gone(one) for one in below), "fio and the drive's server have ended")


@contextmanager
def saturating(lab: Path) -> Iterator["subprocess.Popen[str]"]:
    """A run of `wsat` whose fio writes."""
    with ssdlab_started("run", "wsat", SLOW, "--profile", "quick", "--lab", lab) as process:
        wait_until(lambda: fio_writes(process.pid, lab) or process.poll() is not None, "fio writes")
        assert process.poll() is None
        yield process


def fio_writes(process_id: int, lab: Path) -> bool:
    begun = any("precondition.rnd/job.fio" in str(path) for path in lab.glob("runs/*/*/job.fio"))
    return begun and fio_below(process_id) is not None


def test_ctrl_c_ends_a_step_that_writes_until_told_to_stop_and_the_run_finishes(tmp_path: Path) -> None:
    with saturating(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=240)
    assert process.returncode in OVER, stderr
    bundle = open_bundle(Path(stdout.strip()))
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    step = bundle.step("precondition.rnd")
    result = bundle.result(step)
    assert result.stopped is not None
    assert result.stopped.criterion == "stopped by the operator"
    # fio tells nothing before it has worked for two seconds, and completes what is in flight.
    written = result.directions[Direction.WRITE]
    assert 0 < result.stopped.at_bytes <= written.io_bytes
    assert written.runtime_ns // 2 <= result.stopped.at_ns <= written.runtime_ns
    assert bundle.series(step, Direction.WRITE).bytes_done[-1] == pytest.approx(written.io_bytes)
    values = {metric.name: metric.value for metric in bundle.metrics}
    assert isinstance(values["wsat.fob_iops"], float)
    assert values["wsat.steady_iops"] == Unknown(message("unknown-ended-before-steady"))


def kill_moments() -> list[float]:
    """Ten moments within a run of about three seconds, the same each time."""
    return [round(float(moment), 2) for moment in np.random.default_rng(2025).uniform(0.2, 3.5, 10)]


@pytest.mark.parametrize("after_s", kill_moments())
def test_a_run_that_is_killed_loses_nothing_that_was_finished(suite: Path, tmp_path: Path, after_s: float) -> None:
    lab = tmp_path / "lab"
    with ssdlab_started("run", suite, "virtual:demo?capacity=64MiB", "--lab", lab) as process:
        end_s = time.monotonic() + after_s
        below: dict[int, str] = {}
        while time.monotonic() < end_s and process.poll() is None:
            below |= descendants(process.pid)
        process.kill()
        process.wait()
    wait_until(lambda: all(is_gone(one) for one in below), "fio and the drive's server have died with the run")
    try:
        path = newest_run(lab)
    except BundleError:
        return
    promised = [line for line in (path / layout.JOURNAL).read_text().splitlines() if '"event":"step_finished"' in line]
    bundle = open_bundle(path)
    assert len(bundle.finished()) == len(promised)
    for step in bundle.finished():
        if step.job is not None:
            assert bundle.result(step).directions[Direction.WRITE].io_bytes == step.job.amount_bytes


def test_fio_dies_with_a_run_that_is_killed_whatever_it_is_doing(suite: Path, tmp_path: Path) -> None:
    with filling(suite, SLOW, tmp_path / "lab") as process:
        fio = fio_below(process.pid)
        assert fio is not None
        # A stopped process notices neither a closed pipe nor a server that has gone.
        os.kill(fio, signal.SIGSTOP)
        process.kill()
        process.wait()
        try:
            wait_until(lambda: is_gone(fio), "fio has been killed")
        finally:
            if not is_gone(fio):
                os.kill(fio, signal.SIGKILL)


def test_a_drive_that_goes_away_fails_the_run_with_a_hint(suite: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    with memory_export(tmp_path, "64M") as (socket, server):
        target = f"nbd+unix:///?socket={socket}"
        endless = suite.with_name("endless.toml")
        endless.write_text(suite.read_text().replace('amount = "100%"\npasses = 2', 'amount = "100%"\npasses = 99'))
        with filling(endless, target, lab, "--erase", "nbd") as process:
            server.kill()
            stdout, stderr = process.communicate(timeout=240)
    assert (process.returncode, stdout) == (1, "")
    bundle = open_bundle(newest_run(lab))
    assert (bundle.status, bundle.faults) == (RunStatus.FAILED, ())
    assert bundle.reason is not None
    assert f"error: {bundle.reason}\n" in stderr
    assert f"hint: what was finished is in `{bundle.path}`\n" in stderr


def on_small_disk(size: str, lab: Path, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a shell script that sees a small file system at `lab`, which nobody else sees."""
    lab.mkdir()
    mounted = f"mount -t tmpfs -o size={size} tmpfs '{lab}' && {script}"
    namespace = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    if os.geteuid() != 0 and subprocess.run([*namespace, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting takes root, for users may make no namespaces here")
    return subprocess.run([*namespace, "sh", "-c", mounted], check=False, capture_output=True, text=True, timeout=200)


def test_a_host_disk_that_is_too_small_is_found_before_the_drive_is_touched(suite: Path, tmp_path: Path) -> None:
    run = " ".join(COMMAND)
    ended = on_small_disk(
        "1m", tmp_path / "lab", f"{run} run '{suite}' '{SLOW}' --lab '{tmp_path}/lab'; echo $?; ls '{tmp_path}/lab'"
    )
    assert ended.stdout == "1\n", ended.stderr
    assert re.sub(r"\d+\.\d+ MiB|\d+ KiB", "N", ended.stderr.replace(str(tmp_path), "HERE")) == snapshot("""\
error: `HERE/lab` has N free, this run may need N for its bundle

hint: free space, or put the bundle elsewhere with `--lab DIR`
""")


@pytest.mark.parametrize("engine", ["fio", "load"])
def test_a_host_disk_that_fills_up_fails_the_run_and_keeps_what_was_finished(
    engine: str, suite: Path, tmp_path: Path
) -> None:
    lab = tmp_path / "lab"
    suite.write_text(suite.read_text().replace("[suite]", f'[suite]\nengine = "{engine}"'))
    # Somebody else takes the space once the first pass is under way.
    begun = f"while kill -0 $$ && ! ls '{lab}'/runs/*/002-fill.pass1; do sleep 0.05; done"
    hog = f"({begun}; head -c 64m /dev/zero > '{lab}/hog') >/dev/null 2>&1 &"
    run = f"{' '.join(COMMAND)} run '{suite}' 'virtual:demo?capacity=256MiB' --lab '{lab}'; echo $?; rm -f '{lab}/hog'; cp -r '{lab}/runs' '{tmp_path}/kept'"
    ended = on_small_disk("16m", lab, f"{hog} {run}")
    assert ended.stdout == "1\n", ended.stderr
    assert "Traceback" not in ended.stderr
    bundle = open_bundle(newest_run(_lab_with(tmp_path / "kept", tmp_path)))
    assert bundle.step("purge").status is StepStatus.FINISHED
    assert bundle.status in {RunStatus.FAILED, RunStatus.UNFINISHED}
    said = ended.stderr.replace(str(bundle.path.name), "RUN").replace(str(tmp_path), "HERE").splitlines()
    # How far the run comes before the space is taken is up to the host.
    assert re.fullmatch(r"[234]/4 fill\.(pass1|rest|pass2) \.\.\.", said[-4])
    assert said[-3:] == snapshot(
        [
            "error: the bundle cannot be written: the disk is full; what was finished is in `HERE/lab/runs/RUN`",
            "",
            "hint: free space, or put the bundle elsewhere with `--lab DIR`",
        ]
    )


def _lab_with(runs: Path, directory: Path) -> Path:
    copied = directory / "copied"
    copied.mkdir()
    runs.rename(copied / "runs")
    return copied


def test_a_bundle_cut_short_can_be_shown(suite: Path, tmp_path: Path) -> None:
    with filling(suite, SLOW, tmp_path / "lab") as process:
        process.kill()
    shown = ssdlab("show", "--lab", tmp_path / "lab")
    assert shown.status == 0, shown.stderr
    assert "\nunfinished: still running, or ended without a word (killed, power lost)\n" in shown.stdout
