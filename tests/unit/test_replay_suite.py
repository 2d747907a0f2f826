"""Replays as they are read and planned, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.plans import drive
from tests.kit.processes import OVER, ssdlab

from ssdlab.drive.identity import DriveIdentity
from ssdlab.engine.base import EngineError
from ssdlab.engine.traced import require_its_trace
from ssdlab.job import Job, ReplayPace
from ssdlab.message import Message, verbatim
from ssdlab.method.cost import FAST, Cost
from ssdlab.method.draft import PlanError, PlannedStep
from ssdlab.method.faults import SuiteError
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US

HEAD = """\
[suite]
name = "own"
version = "1"
engine = "load"
"""
FILL = """\
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "1MiB", qd = 8 }
"""
READS = [f"0,R,{at * 4 * KIB},4096,{at * 100}" for at in range(8)]
WRITE = "0,W,0,16384,900"


LONG_WRITE = f"0,W,0,{MIB},900"


def block_trace_of(ios: list[tuple[str, int, int]], directory: Path) -> Path:
    """Of kinds as blkparse has them, places and lengths in sectors of 512 B; one each millisecond."""
    lines = []
    for at, (kind, place, sectors) in enumerate(ios):
        which = f"{kind} {place} + {sectors} [x]"
        lines += [f"8,0 0 {2 * at + 1} {at / 1000:.9f} 100 D {which}"]
        lines += [f"8,0 0 {2 * at + 2} {at / 1000 + 0.0001:.9f} 100 C {which.replace('x', '0')}"]
    return trace_of(lines, directory, "recorded.txt")


def trace_of(lines: list[str], directory: Path, name: str = "recorded.csv") -> Path:
    source, trace = directory / name, directory / "work.ssdtrace"
    source.write_text("".join(f"{line}\n" for line in lines))
    done = ssdlab("trace", "import", source, "-o", trace)
    assert done.status in OVER, done.stderr
    return trace


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return trace_of([*READS, WRITE], tmp_path)


def step(trace: Path, *keys: str) -> str:
    return "\n".join(["[[step]]", 'kind = "replay"', f'trace = "{trace}"', *keys, ""])


def replay_step(text: str, on: DriveIdentity | None = None) -> PlannedStep:
    return expand(parse_suite(text, "a test"), "standard", on or drive(), seed=1).steps[-1]


def planned(text: str, on: DriveIdentity | None = None) -> Job:
    job = replay_step(text, on).job
    assert job is not None
    return job


def why(text: str, on: DriveIdentity | None = None) -> str:
    with pytest.raises((SuiteError, PlanError)) as refused:
        planned(text, on)
    return " ".join(map(str, (refused.value.message, *refused.value.hints)))


def test_a_replay_moves_what_the_trace_does(trace: Path) -> None:
    job = planned(HEAD + FILL + step(trace, 'pace = "idle"', 'longest_pause = "5ms"', "qd = 12"))
    assert job.amount_bytes == 8 * 4 * KIB + 16 * KIB
    assert (job.read_percent, job.block_bytes, job.queue_depth) == (89, 5120, 12)
    assert job.replay is not None
    assert (job.replay.pace, job.replay.pause_ns_max) == (ReplayPace.IDLE, 5 * NS_PER_MS)
    assert job.replay.path == str(trace)


def test_a_trace_that_only_reads_writes_nothing(tmp_path: Path) -> None:
    assert not planned(HEAD + FILL + step(trace_of(READS, tmp_path))).writes


def test_what_is_planned_to_be_written_is_what_the_trace_writes(tmp_path: Path) -> None:
    text = HEAD + FILL + step(trace_of([*READS, *[LONG_WRITE] * 2], tmp_path))
    cost = Cost(group="", steps=(replay_step(text),))
    assert cost.bytes_to_write == cost.bytes_to_write_min == 2 * MIB


def test_a_discard_is_neither_written_nor_an_amount(tmp_path: Path) -> None:
    reads = [("R", 8 * at, 8) for at in range(10)]
    text = HEAD + FILL + step(block_trace_of([*reads, ("D", 0, 100 * GIB // 512)], tmp_path))
    job, cost = planned(text), Cost(group="", steps=(replay_step(text),))
    assert (job.amount_bytes, job.block_bytes, cost.bytes_to_write) == (10 * 4 * KIB, 4 * KIB, 0)
    assert job.writes
    assert FAST.duration_ns(job) < NS_PER_S


def test_a_trace_that_only_discards_is_planned(tmp_path: Path) -> None:
    job = planned(HEAD + FILL + step(block_trace_of([("D", 0, 8)] * 2, tmp_path)))
    assert (job.amount_bytes, job.block_bytes) == (0, 512)


def test_ios_longer_than_the_drive_are_planned(tmp_path: Path) -> None:
    trace = trace_of([f"0,W,0,{128 * MIB},900"], tmp_path)
    job = planned(HEAD + FILL + step(trace), drive(capacity_bytes=64 * MIB))
    assert job.block_bytes == 64 * MIB


def test_places_that_are_no_sectors_of_any_drive_are_refused(tmp_path: Path) -> None:
    said = why(HEAD + FILL + step(trace_of([*READS, "0,R,1000,4096,900"], tmp_path)))
    assert "multiples of 8 B only" in said


def test_a_trace_of_small_sectors_is_refused_on_a_drive_of_large_ones(tmp_path: Path) -> None:
    text = HEAD + FILL + step(block_trace_of([("R", 8, 8), ("W", 17, 8)], tmp_path))
    assert "sectors of 4.00 KiB" in why(text, drive(logical_block_bytes=4096))
    assert planned(text).replay is not None


def test_discards_are_refused_on_a_drive_that_takes_none(tmp_path: Path) -> None:
    text = HEAD + FILL + step(block_trace_of([("R", 0, 8), ("D", 8, 8)], tmp_path))
    assert "not even one" in why(text, replace(drive(), cannot_trim=verbatim("not even one")))


def test_one_write_among_many_reads_still_writes(tmp_path: Path) -> None:
    reads = [f"0,R,0,4096,{at}" for at in range(1000)]
    assert planned(HEAD + FILL + step(trace_of([*reads, WRITE], tmp_path))).writes


def test_what_nobody_wrote_is_not_read(trace: Path) -> None:
    assert "put a `fill` before this step" in why(HEAD + step(trace))


def test_a_pause_belongs_to_the_pace_that_has_one(trace: Path) -> None:
    assert "`longest_pause` belongs to the pace `idle`" in why(HEAD + FILL + step(trace, 'pace = "idle"'))
    assert "`longest_pause` belongs to the pace `idle`" in why(HEAD + FILL + step(trace, 'longest_pause = "1s"'))


def test_dependencies_need_latencies(trace: Path) -> None:
    assert "does not tell how long each I/O took" in why(HEAD + FILL + step(trace, 'pace = "dependent"'))


def test_a_file_that_is_not_there_or_no_trace_is_refused_by_name(tmp_path: Path) -> None:
    gone = tmp_path / "gone.ssdtrace"
    assert str(gone) in why(HEAD + FILL + step(gone))
    other = tmp_path / "other.ssdtrace"
    other.write_bytes(b"no trace at all")
    assert str(other) in why(HEAD + FILL + step(other))


def test_fio_does_no_replays(trace: Path) -> None:
    assert "engine" in why((HEAD + FILL + step(trace)).replace('"load"', '"fio"'))


def refused(job: Job) -> Message:
    with pytest.raises(EngineError) as error:
        require_its_trace(job)
    return error.value.message


def test_another_trace_than_the_planned_one_is_not_replayed(trace: Path, tmp_path: Path) -> None:
    job = planned(HEAD + FILL + step(trace))
    require_its_trace(job)
    trace.write_bytes(b"another")
    assert str(trace) in str(refused(job))
    assert job.replay is not None
    assert "gone" in str(refused(replace(job, replay=replace(job.replay, path=str(tmp_path / "gone")))))


def test_a_trace_at_its_times_is_planned_to_last_as_long_as_it_was_recorded(trace: Path) -> None:
    timed, fast = (planned(HEAD + FILL + step(trace, f'pace = "{pace}"')) for pace in ("timed", "as_fast"))
    assert FAST.duration_ns(timed) == 900 * NS_PER_US
    assert FAST.duration_ns(fast) < 900 * NS_PER_US
