"""Traces replayed on models: what is done, when, and what is told of it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.kit.load_drives import FILLED, constant_drive, metrics_of, number, run_on
from tests.kit.processes import OVER, ssdlab

from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import Outcome, RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.lab.step import telling_numbers
from ssdlab.report.method_words import method_words
from ssdlab.report.suite_numbers import NumberKind, suite_numbers
from ssdlab.units import GIB, KIB

GAP_US = 500
IOS = 2000


def imported(lines: Sequence[str], directory: Path, *words: str) -> Path:
    """A trace of what is recorded in lines of Alibaba's kind: device, operation, offset, length, microsecond."""
    source, trace = directory / "recorded.csv", directory / "work.ssdtrace"
    source.write_text("".join(f"{line}\n" for line in lines))
    done = ssdlab("trace", "import", source, "-o", trace, *words)
    assert done.status in OVER, done.stderr
    return trace


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three reads and a write of twice their length, again and again, one each half millisecond."""
    kinds = [("R", 4 * KIB), ("R", 4 * KIB), ("R", 4 * KIB), ("W", 8 * KIB)]
    lines = [f"0,{kinds[at % 4][0]},{at * 7919 % 4096 * 8 * KIB},{kinds[at % 4][1]},{at * GAP_US}" for at in range(IOS)]
    return imported(lines, tmp_path_factory.mktemp("trace"))


def suite(trace: Path, *keys: str, name: str = "replay") -> str:
    lines = [f'kind = "replay"\nname = "{name}"\ntrace = "{trace}"', *keys]
    return "\n".join([FILLED, "[[step]]", *lines, ""])


@pytest.fixture(scope="module")
def timed(trace: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(4), suite(trace), tmp_path_factory.mktemp("timed"))


def test_each_io_is_done_once_and_counted_with_its_length(timed: Bundle) -> None:
    result = timed.result(next(step for step in timed.finished() if step.name == "replay"))
    read, write = result.directions[Direction.READ], result.directions[Direction.WRITE]
    assert (read.io_count, read.io_bytes) == (IOS * 3 // 4, IOS * 3 // 4 * 4 * KIB)
    assert (write.io_count, write.io_bytes) == (IOS // 4, IOS // 4 * 8 * KIB)


def test_it_takes_as_long_as_it_was_recorded(timed: Bundle) -> None:
    recorded_s = (IOS - 1) * GAP_US / 1e6
    assert number(metrics_of(timed), "replay.duration") == pytest.approx(recorded_s, rel=0.01)


def test_no_check_fails_a_load_whose_times_are_its_own(timed: Bundle) -> None:
    found = {check.name: check.outcome for check in timed.audit if check.step == "replay"}
    assert found["queue.littles_law"] is Outcome.NOT_APPLICABLE
    assert Outcome.FAIL not in found.values()


def test_as_fast_as_it_goes_is_faster(timed: Bundle, trace: Path, tmp_path: Path) -> None:
    fast = run_on(constant_drive(4), suite(trace, 'pace = "as_fast"', "qd = 4"), tmp_path)
    assert number(metrics_of(fast), "replay.duration") < 0.5 * number(metrics_of(timed), "replay.duration")
    (told,) = [one for one in suite_numbers([fast]) if one.kind is NumberKind.REPLAY_TIME]
    assert told.metric.name == "replay.duration"


def test_pauses_are_cut_to_what_is_said(trace: Path, tmp_path: Path) -> None:
    idle = run_on(constant_drive(4), suite(trace, 'pace = "idle"', 'longest_pause = "200us"'), tmp_path)
    assert number(metrics_of(idle), "replay.duration") == pytest.approx(IOS * 200e-6, rel=0.02)


def test_what_lay_beyond_the_drive_is_done_on_it_and_told(tmp_path: Path) -> None:
    lines = [f"0,R,{at % 2 * 1024 * GIB + at * 4 * KIB},4096,{at * GAP_US}" for at in range(400)]
    bundle = run_on(constant_drive(4), suite(imported(lines, tmp_path)), tmp_path)
    assert number(metrics_of(bundle), "replay.moved") == pytest.approx(50)


def test_a_replay_of_which_an_io_failed_has_no_result(trace: Path, tmp_path: Path) -> None:
    bad = '[[fault]]\nkind = "error"\non = "read"\nafter = 500\n'
    with pytest.raises(RunFailed) as failed:
        run_on(constant_drive(4) + bad, suite(trace), tmp_path)
    assert failed.value.message.id == "engine-io-failed"
    assert open_bundle(newest_run(tmp_path / "lab")).status is RunStatus.FAILED


def discarding(directory: Path, discards: int) -> Path:
    """A read and a flush, and discards of 100 GiB."""
    lines = ["8,0 0 1 0.000000000 100 D R 0 + 8 [x]", "8,0 0 2 0.000080000 100 C R 0 + 8 [0]"]
    for at in range(discards):
        which = f"{at + 1}.0 100"
        lines += [f"8,0 0 3 {which} D D 0 + 209715200 [x]", f"8,0 0 4 {which} C D 0 + 209715200 [0]"]
    lines += ["8,0 0 5 9.0 100 D FN [x]", "8,0 0 6 9.1 100 C FN [0]"]
    source, trace = directory / "recorded.txt", directory / "work.ssdtrace"
    source.write_text("".join(f"{line}\n" for line in lines))
    assert ssdlab("trace", "import", source, "-o", trace).status in OVER
    return trace


def test_discards_are_none_of_the_amount_nor_of_the_speed(tmp_path: Path) -> None:
    bundle = run_on(constant_drive(4), suite(discarding(tmp_path, discards=3)), tmp_path)
    replay = next(step for step in bundle.finished() if step.name == "replay")
    found = {check.name: check.outcome for check in bundle.audit if check.step == "replay"}
    assert found["load.duration"] is Outcome.PASS
    assert Outcome.FAIL not in found.values()
    assert "4.00 KiB" in str(telling_numbers(bundle.result(replay)))


def test_the_method_names_the_trace_and_its_pace(timed: Bundle, trace: Path) -> None:
    said = " ".join(str(one.text) for one in method_words(timed))
    assert f"`{trace.name}`" in said
    assert "at its recorded time" in said
    assert str(trace.parent) not in said
