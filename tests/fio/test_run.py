"""`ssdlab run` from end to end: real fio, a virtual drive in real time, a bundle, a report."""

import errno
import json
import os
import pty
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from tests.kit.processes import COMMAND, Ended, memory_export, ssdlab
from tests.kit.suites import write_short

from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState
from ssdlab.units import MIB

pytestmark = pytest.mark.fio

CAPACITY_BYTES = 256 * MIB
STEPS = ["purge", "purge.rest", "fill.pass1", "fill.rest", "fill.pass2"]


@dataclass(frozen=True, slots=True)
class Run:
    ended: Ended
    lab: Path
    bundle: Bundle


def run_of(lab: Path, *arguments: str | Path) -> Run:
    ended = ssdlab("run", *arguments, "--lab", lab)
    assert ended.status in {0, 3}, ended.stderr
    return Run(ended, lab, open_bundle(Path(ended.stdout.strip())))


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The built-in suite as the demo runs it, on a smaller drive."""
    return run_of(tmp_path_factory.mktemp("lab"), "fill", "virtual:demo?capacity=256MiB", "--profile", "quick")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_short(tmp_path_factory.mktemp("suite"))


def masked(text: str) -> str:
    """Without what differs from run to run."""
    text = re.sub(r"-> \S+", "-> BUNDLE", text)
    text = re.sub(r"\d[\d.,]* [KMG]iB/s", "N B/s", text)
    text = re.sub(r"\d[\d.,]* (s|ms|µs|min)\b", "N s", text)
    return re.sub(r"\d[\d.,]* (GiB|MiB)\b", r"N \1", text)


def test_every_step_of_the_suite_is_finished(quick: Run) -> None:
    assert (quick.bundle.status, quick.bundle.faults) == (RunStatus.FINISHED, ())
    assert [(step.name, step.status) for step in quick.bundle.steps] == [(name, StepStatus.FINISHED) for name in STEPS]
    assert [step.state for step in quick.bundle.steps[2::2]] == [DriveState.FOB, DriveState.FILLED_ONCE]


def test_stdout_is_the_path_of_the_bundle_and_nothing_else(quick: Run) -> None:
    assert quick.ended.stdout == f"{quick.bundle.path}\n"
    assert quick.bundle.path.parent == quick.lab / "runs"


def test_without_a_terminal_stderr_has_a_line_for_each_begin_and_end(quick: Run) -> None:
    lines = [line for line in masked(quick.ended.stderr).splitlines() if not line.startswith("audit:")]
    assert "\x1b" not in quick.ended.stderr
    assert lines == snapshot(
        [
            "fill 2025.12 (profile quick, not comparable) -> BUNDLE",
            "1/5 purge ...",
            "1/5 purge  the model's format command",
            "2/5 purge.rest ...",
            "2/5 purge.rest  N s",
            "3/5 fill.pass1 ...",
            "3/5 fill.pass1  N MiB in N s, mean N B/s",
            "4/5 fill.rest ...",
            "4/5 fill.rest  N s",
            "5/5 fill.pass2 ...",
            "5/5 fill.pass2  N MiB in N s, mean N B/s",
        ]
    )


def test_each_pass_has_written_the_whole_drive(quick: Run) -> None:
    for name in ("fill.pass1", "fill.pass2"):
        step = quick.bundle.step(name)
        totals = quick.bundle.result(step).directions[Direction.WRITE]
        assert totals.io_bytes == CAPACITY_BYTES
        assert quick.bundle.series(step, Direction.WRITE).bytes_done[-1] == pytest.approx(CAPACITY_BYTES)


def test_the_bundle_says_what_ran_on_what(quick: Run) -> None:
    run = quick.bundle.run
    assert (run.suite.name, run.profile, run.comparable) == ("fill", "quick", False)
    assert run.drive.capacity_bytes == CAPACITY_BYTES
    assert run.engine.startswith("fio-")
    assert run.spec_text is not None
    assert [step.job.seed for step in quick.bundle.steps if step.job is not None] != [run.seed] * 2


def test_how_late_the_virtual_drive_was_is_a_warning(quick: Run) -> None:
    assert any(warning.startswith("virtual drive: ") for warning in quick.bundle.warnings)


def test_fios_text_logs_are_dropped_once_they_are_converted(quick: Run) -> None:
    assert not list(quick.bundle.path.rglob("raw"))
    names = {path.name for path in (quick.bundle.path / "003-fill.pass1").iterdir()}
    tables = {"series.parquet", "latency_windows.parquet", "histogram.parquet", "sensors.parquet"}
    assert names == {"job.fio", "fio.json", *tables, "result.json"}


def test_the_exit_status_is_that_of_the_audit(quick: Run) -> None:
    failed = any(check.outcome.value == "fail" for check in quick.bundle.audit)
    assert quick.bundle.audit
    assert quick.ended.status == (3 if failed else 0)
    assert failed == ("audit: " in quick.ended.stderr)


def test_show_prints_the_run_as_json(quick: Run) -> None:
    shown = ssdlab("show", quick.bundle.path, "--json")
    fields: dict[str, Any] = json.loads(shown.stdout)
    assert shown.status == quick.ended.status
    assert (fields["status"], [step["name"] for step in fields["steps"]]) == ("finished", STEPS)
    assert "fill.pass1.direct_bandwidth" in {metric["name"] for metric in fields["metrics"]}
    assert fields["audit"]


def test_show_without_a_run_takes_the_newest(quick: Run) -> None:
    shown = ssdlab("show", "--lab", quick.lab)
    assert shown.stdout.startswith("fill 2025.12 (profile quick, not comparable) on virtual:demo?capacity=256MiB\n")
    assert shown.stderr == ""


def test_a_reader_who_has_seen_enough_ends_show_quietly(quick: Run) -> None:
    command: list[str | Path] = [*COMMAND, "show", quick.bundle.path, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


def test_report_writes_one_page(quick: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    reported = ssdlab("report", quick.bundle.path, "--output", page)
    assert (reported.status, reported.stdout) == (0, f"{page}\n"), reported.stderr
    assert page.read_text().startswith("<!doctype html>")


def test_raw_logs_are_kept_if_that_is_wanted(suite: Path, tmp_path: Path) -> None:
    run = run_of(tmp_path, suite, "virtual:zero?capacity=64MiB", "--keep-raw")
    kept = {path.name for path in (run.bundle.path / "002-fill.pass1" / "raw").iterdir()}
    assert {"log_clat_hist.1.log", "log_lat.1.log"} <= kept


def test_a_seed_makes_the_jobs_of_two_runs_the_same(suite: Path, tmp_path: Path) -> None:
    seeds = [
        [
            step.job.seed
            for step in run_of(tmp_path, suite, "virtual:zero?capacity=64MiB", *chosen).bundle.steps
            if step.job
        ]
        for chosen in (["--seed", "5"], ["--seed", "5"], ["--seed", "6"])
    ]
    assert seeds[0] == seeds[1] != seeds[2]


def test_in_a_terminal_one_line_is_redrawn(suite: Path, tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    command: list[str | Path] = [*COMMAND, "run", suite, "virtual:demo?capacity=256MiB", "--lab", tmp_path]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=follower, text=True, env={**os.environ, "TERM": "xterm-256color"}
    ) as process:
        os.close(follower)
        seen = b"".join(iter(lambda: _read_terminal(leader), b""))
        assert process.stdout is not None
        assert Path(process.stdout.read().strip()).is_dir()
    os.close(leader)
    drawn = seen.decode()
    assert "\x1b[2K" in drawn
    assert re.search(r"fill\.pass1.*\d+%, .* of 256 MiB, .*MiB/s", drawn)
    assert re.search("[▁▂▃▄▅▆▇█]", drawn)


def _read_terminal(leader: int) -> bytes:
    try:
        return os.read(leader, 65536)
    except OSError as error:
        # Linux says so when the last process has closed the other end.
        if error.errno == errno.EIO:
            return b""
        raise


def test_an_export_of_somebody_else_is_filled_when_it_is_named_twice(suite: Path, tmp_path: Path) -> None:
    with memory_export(tmp_path, "64M") as (socket, _):
        run = run_of(tmp_path / "lab", suite, f"nbd+unix:///?socket={socket}", "--erase", "nbd")
    assert run.bundle.status is RunStatus.FINISHED
    # Trimming somebody's export proves nothing of what is below it.
    assert run.bundle.step("fill.pass1").state is DriveState.UNKNOWN
    assert any("state is unknown" in warning for warning in run.bundle.warnings)


def test_a_file_is_made_for_the_run_and_removed_after_it(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    run = run_of(tmp_path / "lab", suite, f"file:{tmp_path / 'disk'}?size=64MiB")
    assert run.bundle.result(run.bundle.step("fill.pass2")).directions[Direction.WRITE].io_bytes == 64 * MIB
    assert not list((tmp_path / "disk").iterdir())


def test_a_model_gives_the_same_bundle_for_the_same_seed(suite: Path, tmp_path: Path) -> None:
    first, second = (run_of(tmp_path, suite, "model:demo?capacity=256MiB&seed=3").bundle for _ in range(2))
    for name in ("fill.pass1", "fill.pass2"):
        parts = [one.series(one.step(name), Direction.WRITE) for one in (first, second)]
        assert parts[0].bandwidth_bytes_per_s.tolist() == parts[1].bandwidth_bytes_per_s.tolist()
    assert first.metrics == second.metrics
    assert first.path != second.path
