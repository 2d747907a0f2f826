"""A Job that no engine could run cannot be made."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from ssdlab.job import Action, Job, Pattern, Region, Stream, StreamKind
from ssdlab.units import KIB, MIB


def job(**changes: Any) -> Job:
    fields: dict[str, Any] = {
        "name": "one",
        "pattern": Pattern.RANDOM,
        "read_percent": 70,
        "block_bytes": 4 * KIB,
        "queue_depth": 4,
        "region": Region(0, MIB),
        "amount_bytes": MIB,
        "duration_ns": None,
        "seed": 1,
    }
    return Job(**{**fields, **changes})


def test_something_must_end_a_job() -> None:
    with pytest.raises(ValueError, match="job one: neither amount nor duration ends it"):
        job(amount_bytes=None)
    assert job(amount_bytes=None, duration_ns=1).duration_ns == 1


@pytest.mark.parametrize("read_percent", [-1, 101])
def test_a_read_share_is_a_percentage(read_percent: int) -> None:
    with pytest.raises(ValueError, match=rf"read_percent is {read_percent}, allowed is 0\.\.100"):
        job(read_percent=read_percent)


@pytest.mark.parametrize("field", ["block_bytes", "queue_depth", "jobs"])
def test_counts_start_at_one(field: str) -> None:
    with pytest.raises(ValueError, match="block size, queue depth and jobs must be at least 1"):
        job(**{field: 0})


def test_a_region_holds_a_whole_block() -> None:
    with pytest.raises(ValueError, match="the region of 4095 bytes holds no whole block"):
        job(region=Region(0, 4 * KIB - 1))
    assert job(region=Region(7, 4 * KIB)).region.end_bytes == 4 * KIB + 7


def test_only_pure_reads_leave_the_drive_as_it_is() -> None:
    assert not job(read_percent=100).writes
    assert job(read_percent=99).writes
    assert job(read_percent=100, action=Action.TRIM).writes


def test_a_job_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        job().seed = 2  # type: ignore[misc]


READS = {"read_percent": 100, "amount_bytes": None, "duration_ns": 1}
WRITES = Stream(kind=StreamKind.WRITE, block_bytes=128 * KIB, rate_bytes_per_s=MIB)
TRIMS = Stream(kind=StreamKind.TRIM, block_bytes=128 * KIB, rate_bytes_per_s=MIB)


@pytest.mark.parametrize("changes", [{"read_percent": 99}, {"amount_bytes": MIB}, {"rate_iops": 1}])
def test_streams_go_only_beside_reads_that_end_by_time(changes: dict[str, Any]) -> None:
    assert job(**READS, beside=(WRITES, TRIMS)).writes
    with pytest.raises(ValueError, match="streams go only beside a closed loop of reads that ends by time"):
        job(**{**READS, **changes}, beside=(WRITES,))


def test_a_direction_tells_whose_ios_they_are() -> None:
    with pytest.raises(ValueError, match="two streams beside it are of one kind"):
        job(**READS, beside=(WRITES, WRITES))


def test_a_region_holds_a_whole_block_of_each_stream() -> None:
    with pytest.raises(ValueError, match="no whole block of a stream"):
        job(**READS, beside=(WRITES,), region=Region(0, 64 * KIB))


def test_a_stream_is_a_job_of_its_own_with_another_seed() -> None:
    reads = job(**READS, jobs=8, beside=(WRITES, TRIMS))
    writes, trims = (reads.of_stream(stream) for stream in reads.beside)
    assert (writes.name, writes.block_bytes, writes.queue_depth, writes.jobs) == ("one.write", 128 * KIB, 1, 1)
    assert (trims.action, trims.beside) == (Action.TRIM, ())
    assert len({reads.seed, writes.seed, trims.seed}) == 3
