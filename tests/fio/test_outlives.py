"""Nothing ends a run but its operator: not a terminal that goes away, not a reader that has seen enough."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.kit.processes import COMMAND, OVER, descendants, fio_below, is_gone, ssdlab_started, wait_until
from tests.kit.suites import write_short

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.standstill import Cause, Vigil
from ssdlab.errors import ExitStatus
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio

SMALL = "virtual:demo?capacity=64MiB"


def words_of(kind: str, directory: Path) -> list[str]:
    """Each of the three ways to measure."""
    match kind:
        case "run":
            return ["run", str(write_short(directory)), SMALL]
        case "sustain":
            return ["sustain", SMALL, "--passes", "3", "--chunk", "1MiB", "--record", "8MiB"]
        case _:
            return ["probe", "quick", "model:demo?capacity=1GiB"]


KINDS = ("run", "sustain", "probe")


def lines_of(bundle: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (bundle / layout.JOURNAL).read_text().splitlines()]


def losses(lab: Path) -> list[str]:
    return [line["how"] for line in lines_of(newest_run(lab)) if line["event"] == "display_lost"]


def whole(lab: Path) -> Bundle:
    bundle = open_bundle(newest_run(lab))
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert bundle.metrics or bundle.run.suite.name == "probe"
    return bundle


def piped(words: list[str], lab: Path, reader: str) -> int:
    """Status of a command whose output goes into another, as a shell sees it."""
    command = " ".join(f"'{word}'" for word in (*COMMAND, *words, "--lab", str(lab)))
    script = f"{command} {reader}; echo ${{PIPESTATUS[0]}} > {lab}.status"
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    subprocess.run(["bash", "-c", script], check=False, capture_output=True, timeout=200, env=buffered)
    return int(Path(f"{lab}.status").read_text())


@pytest.mark.parametrize("kind", KINDS)
def test_a_reader_that_has_seen_enough_ends_nothing(kind: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    assert piped(words_of(kind, tmp_path), lab, "2>&1 | head -1") in OVER
    whole(lab)
    # What probes say at their end alone has no reader to lose before it.
    assert losses(lab) == ([] if kind == "probe" else ["broken pipe"])


@pytest.mark.parametrize(
    ("where", "lost"),
    [(">&-", []), ("</dev/null >/dev/full", []), ("2>/dev/full", ["cannot be written"]), ("2>&- <&-", [])],
)
def test_output_that_goes_nowhere_ends_nothing(where: str, lost: list[str], tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    assert piped(words_of("run", tmp_path), lab, where) in OVER
    whole(lab)
    assert losses(lab) == lost


@contextmanager
def on_a_terminal(words: list[str], lab: Path) -> Iterator[tuple[int, int]]:
    """A command on a terminal of its own: its process and the terminal's other end."""
    process_id, terminal = pty.fork()
    if not process_id:
        os.execv(COMMAND[0], [*COMMAND, *words, "--lab", str(lab)])  # noqa: S606 - a terminal has no other way
    try:
        yield process_id, terminal
    finally:
        if not is_gone(process_id):
            os.kill(process_id, signal.SIGKILL)
            os.waitpid(process_id, 0)


def long_words_of(kind: str, directory: Path) -> list[str]:
    """A run, or passes, of ten seconds: it still goes on when a busy host lets somebody act who saw it begin."""
    if kind == "sustain":
        return ["sustain", SMALL, "--passes", "12", "--chunk", "1MiB", "--record", "8MiB"]
    suite = directory / "long.toml"
    suite.write_text(POINTS.replace('limit = "4s"', 'limit = "10s"'))
    return ["run", str(suite), SMALL]


def begun(lab: Path) -> bool:
    return any('"step_started"' in journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}"))


@pytest.mark.parametrize("kind", ["run", "sustain"])
def test_a_terminal_that_is_closed_ends_nothing(kind: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    with on_a_terminal(long_words_of(kind, tmp_path), lab) as (process_id, terminal):
        wait_until(lambda: begun(lab), "the first step has begun")
        os.close(terminal)
        _, status = os.waitpid(process_id, 0)
    assert os.waitstatus_to_exitcode(status) in OVER
    whole(lab)
    assert len(losses(lab)) == 1
    assert losses(lab)[0] in {"hung up", "terminal gone"}


def test_a_hang_up_ends_nothing_and_is_noted(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    with ssdlab_started(*long_words_of("run", tmp_path), "--lab", lab) as process:
        wait_until(lambda: begun(lab), "the first step has begun")
        process.send_signal(signal.SIGHUP)
        stdout, stderr = process.communicate(timeout=240)
    assert process.returncode in OVER, stderr
    assert stdout == f"{whole(lab).path}\n"
    assert losses(lab) == ["hung up"]


def test_who_asked_to_be_deaf_to_a_hang_up_is(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    command = ["nohup", *COMMAND, *words_of("run", tmp_path), "--lab", str(lab)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: begun(lab), "the first step has begun")
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=240)
    assert process.returncode in OVER
    assert losses(lab) == []


PRESSES = 5
MOMENTS = [(kind, seed) for seed in range(4) for kind in KINDS]


@pytest.mark.parametrize(("kind", "seed"), MOMENTS)
def test_ctrl_c_five_times_ends_with_status_130_and_everything_put_in_order(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, lab, temporary = np.random.default_rng(seed), tmp_path / "lab", tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    words = words_of(kind, tmp_path)
    # It must not be over before the keys are pressed.
    words = [word.replace("64MiB", "2GiB").replace("model:", "virtual:") for word in words]
    with ssdlab_started(*words, "--lab", lab) as process:
        wait_until(lambda: any(lab.glob(f"runs/*/{layout.JOURNAL}")), "the bundle has begun")
        time.sleep(random.uniform(0, 2.5))
        below = descendants(process.pid)
        for _ in range(PRESSES):
            process.send_signal(signal.SIGINT)
            below |= descendants(process.pid)
            time.sleep(random.uniform(0.001, 0.05))
        _, stderr = process.communicate(timeout=240)
    assert process.returncode == ExitStatus.INTERRUPTED, stderr
    assert "Traceback" not in stderr
    events = [line["event"] for line in lines_of(newest_run(lab))]
    assert [event for event in events if event.startswith("run_")] == ["run_interrupted"]
    wait_until(lambda: all(is_gone(one) for one in below), "fio and the drive's server have ended")
    assert list(temporary.iterdir()) == []


def test_runs_that_are_started_at_once_have_a_bundle_each(tmp_path: Path) -> None:
    lab, suite = tmp_path / "lab", write_short(tmp_path)
    command = [*COMMAND, "run", str(suite), "model:demo?capacity=64MiB", "--lab", str(lab)]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(4)
    ]
    said = [process.communicate(timeout=200)[0].strip() for process in started]
    assert [process.returncode for process in started] == [ExitStatus.DONE] * 4
    assert len(set(said)) == 4
    assert {open_bundle(Path(path)).status for path in said} == {RunStatus.FINISHED}


POINTS = """\
[suite]
name = "points"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
amount = "100%"
[[step]]
kind = "measure"
name = "reads"
job = { pattern = "random", read = "100%", bs = "4KiB", qd = 1, limit = "4s" }
"""


def found(process: Callable[[], int | None], what: str) -> int:
    """Wait for a process."""
    numbers: list[int] = []

    def is_there() -> bool:
        numbers.extend(one for one in (process(),) if one is not None)
        return bool(numbers)

    wait_until(is_there, what)
    return numbers[-1]


def stop_fio(process: "subprocess.Popen[str]", lab: Path, step: str, times: int) -> None:
    """Stop fio for a moment once it works for that step, each time that it does."""

    def starts() -> int:
        journals = [journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}")]
        indices = [told[1] for text in journals for told in re.finditer(rf'"index":(\d+),"name":"{step}"', text)]
        return sum(len(re.findall(rf'"step_started".*"index":{indices[0]},', text)) for text in journals if indices)

    def fio_of(start: int) -> int | None:
        return fio_below(process.pid) if starts() >= start else None

    for number in range(1, times + 1):
        fio = found(partial(fio_of, number), f"fio works for {step}")
        # It has begun its I/O by then, and is not done.
        time.sleep(1)
        os.kill(fio, signal.SIGSTOP)
        time.sleep(1)
        os.kill(fio, signal.SIGCONT)
        wait_until(partial(is_gone, fio), "fio has ended")


def repeated(bundle: Bundle, step: str) -> list[dict[str, Any]]:
    """What the journal says of each time that it was done again."""
    index = bundle.step(step).index
    return [line for line in lines_of(bundle.path) if (line["event"], line.get("index")) == ("step_repeated", index)]


def uninterrupted(bundle: Bundle, step: str) -> tuple[str, str]:
    (check,) = [one for one in bundle.audit if one.step == step and one.name == "host.uninterrupted"]
    return check.outcome.value, re.sub(r"\d.* m?s", "N", str(check.finding))


def causes_in(bundle: Bundle, step: str) -> set[Cause]:
    """Why measuring stood still in what counts of it, which the audit says, too."""
    standstills = bundle.result(bundle.step(step)).standstills
    assert not isinstance(standstills, Unknown)
    assert uninterrupted(bundle, step)[0] == ("fail" if standstills else "pass")
    return {one.cause for one in standstills}


def run_points(tmp_path: Path, act: Callable[["subprocess.Popen[str]", Path], None], target: str) -> Bundle:
    suite, lab = tmp_path / "points.toml", tmp_path / "lab"
    suite.write_text(POINTS)
    with ssdlab_started("run", suite, target, "--lab", lab) as process:
        act(process, lab)
        _, stderr = process.communicate(timeout=240)
    assert process.returncode in OVER, stderr
    return whole(lab)


def test_a_point_in_which_fio_was_stopped_is_measured_again(tmp_path: Path) -> None:
    bundle = run_points(tmp_path, lambda process, lab: stop_fio(process, lab, "reads", 1), SMALL)
    assert Cause.ENGINE_STOPPED not in causes_in(bundle, "reads")
    (again,) = repeated(bundle, "reads")
    assert Cause.ENGINE_STOPPED.value in {one["cause"] for one in again["standstills"]}
    assert any(text.startswith("`reads` is done again, because measuring stood still") for text in bundle.warnings)
    # What was measured first is kept, and nothing reads it.
    (first,) = (bundle.path / layout.attempt_directory(1)).iterdir()
    assert (first / layout.RESULT).exists()
    assert bundle.directory(bundle.step("reads")).name == first.name


def test_a_point_that_is_disturbed_again_is_kept_and_marked(tmp_path: Path) -> None:
    bundle = run_points(tmp_path, lambda process, lab: stop_fio(process, lab, "reads", 2), SMALL)
    assert uninterrupted(bundle, "reads") == ("fail", "fio was stopped for N")
    assert {"host.uninterrupted" in one.failed_checks for one in bundle.metrics if one.step == "reads"} == {True}


def test_a_fill_in_which_fio_was_stopped_is_marked_and_not_done_again(tmp_path: Path) -> None:
    target = "virtual:demo?capacity=1GiB"
    bundle = run_points(tmp_path, lambda process, lab: stop_fio(process, lab, "fill.pass1", 1), target)
    assert uninterrupted(bundle, "fill.pass1") == ("fail", "fio was stopped for N")
    assert repeated(bundle, "fill.pass1") == []


def test_a_drive_that_stalls_is_not_taken_for_a_host_that_stood_still(tmp_path: Path) -> None:
    from ssdlab.drive.target import VirtualTarget, parse_target

    target = parse_target("virtual:demo")
    assert isinstance(target, VirtualTarget)
    spec = tmp_path / "stalls.toml"
    # After the 512 writes of the fill and some reads, and over long before the reads are: at the end of a job no window would tell it.
    spec.write_text(f'{target.spec.text}\n[[fault]]\nkind = "stall"\nafter = 600\nduration = "2 s"\n')
    # If the host stood still meanwhile, that is seen from here, too.
    with Vigil() as vigil:
        bundle = run_points(tmp_path, lambda _process, _lab: None, f"virtual:{spec}?capacity=64MiB")
    irregular = [one for one in bundle.audit if one.name == "series.regular" and one.outcome.value in {"warn", "fail"}]
    assert irregular, "the stall is in the series"
    told = causes_in(bundle, "fill.pass1") | causes_in(bundle, "reads")
    assert told <= {one.cause for one in vigil.standstills}


LOST_IN_A_CALLBACK = """
import os, signal, time, weakref
from ssdlab.cli.outlive import first_ctrl_c_ends
class Thing: pass
thing = Thing()
def gone(_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
reference = weakref.ref(thing, gone)
with first_ctrl_c_ends():
    try:
        del thing
        time.sleep(60)
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_a_ctrl_c_is_not_lost_where_python_ignores_errors() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST_IN_A_CALLBACK], capture_output=True, text=True, timeout=50, check=True
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
