"""A run that lets go of its terminal, and whoever follows it by its bundle alone."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.processes import COMMAND, Ended, descendants, is_gone, ssdlab, wait_until
from tests.kit.sample_bundle import fill_plan, run_info
from tests.kit.small_bundle import small_result, write_small

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.journal import Event
from ssdlab.bundle.live import LINE_BYTES_MAX, LivePoint, LiveWriter, is_being_written, last_point, read_live, thinned
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.errors import ExitStatus
from ssdlab.job import DriveState
from ssdlab.method.probes import NAME as PROBE
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.units import GIB, NS_PER_S

MINUTES_OF_WORK = ("enterprise", "model:pm9e1-1tb")


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[tuple[Ended, Path, int]]:
    """What the command said, the bundle, and the process that goes on."""
    said = ssdlab("run", *MINUTES_OF_WORK, "--detach", "--lab", tmp_path / "lab")
    bundle = newest_run(tmp_path / "lab")
    point = last_point(bundle)
    assert point is not None, said
    yield said, bundle, point.process_id
    with suppress(ProcessLookupError):
        os.kill(point.process_id, signal.SIGKILL)


def test_a_detached_run_has_nothing_of_the_terminal_and_ends_in_good_order(begun: tuple[Ended, Path, int]) -> None:
    said, bundle, process_id = begun
    assert (said.status, said.stdout) == (ExitStatus.DONE, f"{bundle}\n")
    assert is_being_written(bundle)
    assert os.getsid(process_id) == process_id
    assert {str(Path(f"/proc/{process_id}/fd/{number}").readlink()) for number in range(3)} == {os.devnull}

    os.kill(process_id, signal.SIGHUP)
    os.kill(process_id, signal.SIGTERM)
    wait_until(lambda: is_gone(process_id), "the run is over")

    found = open_bundle(bundle)
    assert (found.status, found.faults) == (RunStatus.INTERRUPTED, ())
    assert not (bundle / layout.LIVE).exists()
    followed = ssdlab("attach", bundle)
    assert followed.status == ExitStatus.INTERRUPTED
    assert f"ssdlab resume {bundle}" in followed.stderr


def test_a_run_is_resumed_without_a_terminal_as_well(begun: tuple[Ended, Path, int]) -> None:
    _, bundle, process_id = begun
    os.kill(process_id, signal.SIGTERM)
    wait_until(lambda: is_gone(process_id), "the run is over")

    said = ssdlab("resume", bundle, "--detach")
    assert (said.status, said.stdout) == (ExitStatus.DONE, f"{bundle}\n"), said.stderr
    point = last_point(bundle)
    assert point is not None
    assert point.process_id != process_id
    os.kill(point.process_id, signal.SIGTERM)
    wait_until(lambda: is_gone(point.process_id), "the resumed run is over")
    assert open_bundle(bundle).status is RunStatus.INTERRUPTED


@pytest.mark.parametrize("ends", [signal.SIGHUP, signal.SIGKILL])
def test_a_terminal_that_closes_before_it_is_let_go_of_ends_nothing(tmp_path: Path, ends: signal.Signals) -> None:
    terminal, inside = pty.openpty()
    words: list[str | Path] = [*COMMAND, "run", *MINUTES_OF_WORK, "--detach", "--lab", tmp_path / "lab"]
    first = subprocess.Popen(words, stdin=inside, stdout=inside, stderr=inside, start_new_session=True)
    os.close(inside)
    wait_until(lambda: bool(descendants(first.pid)), "the second process is there")
    (process_id,) = descendants(first.pid)
    first.send_signal(ends)
    os.close(terminal)
    first.wait(60)

    def has_begun() -> bool:
        return any("step_started" in one.read_text() for one in tmp_path.glob(f"lab/runs/*/{layout.JOURNAL}"))

    wait_until(lambda: has_begun() or is_gone(process_id), "the run begins")
    os.kill(process_id, signal.SIGTERM)
    wait_until(lambda: is_gone(process_id), "the run is over")
    assert open_bundle(newest_run(tmp_path / "lab")).status is RunStatus.INTERRUPTED


ALONE = """
import sys, time, typer
from ssdlab.cli.let_go import go_on_alone
from ssdlab.cli.outlive import first_ctrl_c_ends
try:
    with first_ctrl_c_ends():
        go_on_alone()
        print("alone", flush=True)
        time.sleep(1000)
except typer.Exit as error:
    sys.exit(error.exit_code)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM])
def test_whoever_ends_the_process_that_waits_ends_the_one_that_would_go_on(ends: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", ALONE], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "alone\n"
        (process_id,) = descendants(first.pid)
        first.send_signal(ends)
        wait_until(lambda: is_gone(process_id), "the other has ended")
        assert first.wait(60) == ExitStatus.INTERRUPTED


def test_a_run_with_nothing_left_is_said_to_have_nothing_left(tmp_path: Path) -> None:
    said = ssdlab("resume", write_small(tmp_path / "run"), "--detach")
    assert (said.status, said.stdout) == (ExitStatus.DONE, f"{tmp_path / 'run'}\n")


def test_what_is_refused_is_refused_before_the_terminal_is_let_go_of(tmp_path: Path) -> None:
    said = ssdlab("run", "fill", "model:none", "--detach", "--lab", tmp_path / "lab")
    assert said.status == ExitStatus.REFUSED
    assert "there is no virtual drive called `none`" in said.stderr
    assert not (tmp_path / "lab").exists()


def test_whoever_follows_sees_the_steps_and_ends_as_the_run_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two looks at a run that this process does itself, and one when it is over."""
    from ssdlab.cli import attach

    path = tmp_path / "run"
    writer, live = BundleWriter(path, run_info(GIB), fill_plan(GIB, NS_PER_S)), LiveWriter(path)
    writer.step_started(1, 0, DriveState.UNKNOWN)
    writer.step_finished(1, 10, None)
    writer.step_started(3, 20, DriveState.UNKNOWN)
    looks = iter(["one", "two"])

    def between_looks(_seconds: float) -> None:
        if next(looks) == "one":
            live.append(
                LivePoint(at_ms=0, clock_ns=30, process_id=1, step=3, share_done=0.5, bandwidth_bytes_per_s=2e9)
            )
            return
        writer.step_finished(3, 40, small_result(3))
        writer.run_ended(50, Event.RUN_FINISHED, None)
        live.close()
        writer.close()

    monkeypatch.setattr(time, "sleep", between_looks)
    attach.attach(path)

    shown = capsys.readouterr()
    assert shown.out == f"{path}\n"
    assert [line.split("  ")[0] for line in shown.err.splitlines()[1:]] == ["3/5 fill.pass1 ...", "3/5 fill.pass1"]


def test_a_run_that_was_killed_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with closing(BundleWriter(path, run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        writer.step_started(1, 0, DriveState.UNKNOWN)
        assert is_being_written(path)
    assert not is_being_written(path)
    said = ssdlab("attach", path)
    assert said.status == ExitStatus.REFUSED
    assert f"ssdlab resume {path}" in said.stderr


@pytest.mark.parametrize(("kind", "instead"), [(PROBE, "ssdlab probe"), (SUSTAIN, "ssdlab sustain /dev/nvme0n1")])
@pytest.mark.parametrize("end", [None, Event.RUN_INTERRUPTED, Event.RUN_FAILED])
def test_of_what_cannot_be_resumed_it_is_said_what_to_begin_instead(
    tmp_path: Path, kind: str, instead: str, end: Event | None
) -> None:
    path, run = tmp_path / "run", run_info(GIB)
    with closing(BundleWriter(path, replace(run, suite=replace(run.suite, name=kind)), ())) as writer:
        if end is not None:
            writer.run_ended(1, end, None)
    said = ssdlab("attach", path).stderr
    assert "cannot be resumed" in said
    assert f"`{instead}`" in said
    assert "ssdlab resume" not in said


def point(number: int) -> LivePoint:
    return LivePoint(at_ms=number, clock_ns=number, process_id=1, step=1, bandwidth_bytes_per_s=float(number))


def test_points_are_read_on_from_any_place_without_gap_or_double(tmp_path: Path) -> None:
    live = LiveWriter(tmp_path)
    place = 0
    seen: list[LivePoint] = []
    for number in range(50):
        live.append(point(number))
        if number % 7 == 0:
            part = read_live(tmp_path, place)
            assert part is not None
            seen += part.points
            place = part.places[-1]
    rest = read_live(tmp_path, place)
    assert rest is not None
    assert [*seen, *rest.points] == [point(number) for number in range(50)]


def test_what_is_no_point_is_passed_over_and_a_torn_line_is_waited_for(tmp_path: Path) -> None:
    good = layout.one_line_json({"at_ms": 1, "clock_ns": 2, "process_id": 3})
    bad = [
        b"\n",
        b"{}\n",
        b"\xff\xfe\n",
        b"[" * 500 + b"\n",
        b'{"at_ms": ' + b"9" * 50 + b"}\n",
        b"x" * LINE_BYTES_MAX + b"x\n",
    ]
    (tmp_path / layout.LIVE).write_bytes(good + b"".join(bad) + good + good[:-3])
    part = read_live(tmp_path)
    assert part is not None
    assert [one.clock_ns for one in part.points] == [2, 2]
    assert part.end == (tmp_path / layout.LIVE).stat().st_size - len(good) + 3
    assert last_point(tmp_path) == part.points[-1]


@pytest.mark.parametrize("count", [1, 99, 1000, 5000])
def test_the_file_is_of_bounded_length_and_tells_of_all_of_the_run(tmp_path: Path, count: int) -> None:
    live = LiveWriter(tmp_path, size_bytes_max=20_000)
    for number in range(count):
        live.append(point(number))
    part = read_live(tmp_path)
    assert part is not None
    assert part.is_all
    assert (tmp_path / layout.LIVE).stat().st_size <= 20_000
    assert part.points[-1].clock_ns == count - 1
    gaps = [later.clock_ns - one.clock_ns for one, later in pairwise([point(0), *part.points])]
    assert max(gaps) <= max(1, count / 20)
    speeds = [one.bandwidth_bytes_per_s for one in part.points]
    assert speeds == sorted(speeds, key=lambda speed: speed or 0)
    assert [one.name for one in tmp_path.iterdir()] == [layout.LIVE]


@given(st.lists(st.tuples(st.integers(0, 10**15), st.none() | st.floats(0, 1e11)), max_size=60))
def test_thinned_points_are_half_as_many_and_keep_their_order_and_their_range(
    rows: list[tuple[int, float | None]],
) -> None:
    points = [
        LivePoint(at_ms=0, clock_ns=clock_ns, process_id=1, bandwidth_bytes_per_s=speed)
        for clock_ns, speed in sorted(rows, key=lambda row: row[0])
    ]
    found = thinned(points)
    assert len(found) <= max(1, len(points) // 2)
    assert [one.clock_ns for one in found] == sorted(one.clock_ns for one in found)
    assert [one.clock_ns for one in found[-1:]] == [one.clock_ns for one in points[-1:]]
    speeds = [speed for _, speed in rows if speed is not None]
    for one in found:
        if one.bandwidth_bytes_per_s is not None:
            assert min(speeds) * 0.999 <= one.bandwidth_bytes_per_s <= max(speeds) * 1.001


def test_a_link_in_the_place_of_the_points_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"")
    (tmp_path / layout.LIVE).symlink_to(tmp_path / "elsewhere")
    live = LiveWriter(tmp_path)
    live.append(point(1))
    live.close()
    assert (tmp_path / "elsewhere").read_bytes() == b""
    assert read_live(tmp_path) is None


def test_a_finished_run_has_no_points(tmp_path: Path) -> None:
    path = write_small(tmp_path / "run")
    assert read_live(path) is None
    assert last_point(path) is None
