"""The pass of the short way, and when the stretch after it is even."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.adaptive.short_way import PassSeen, ShortWayJudge
from ssdlab.analysis.infer.steady import SteadyContext
from ssdlab.job import Draw, Job, Pattern, Region, StepKind
from ssdlab.lab.short_way import PassPace, ShortThenLong
from ssdlab.message import message
from ssdlab.method.short_way import (
    AGAIN_SHARE,
    ASSUMED_SPARE,
    LIMIT_SHARE,
    PIECE_SHARE,
    SPARE_MAX,
    STRETCH_SHARE,
    amplification,
    short_pass,
    spare_at,
    stretch_bytes,
    unit_share,
)
from ssdlab.units import GIB, KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

UNTOLD = Unknown(message("unknown-no-block-device"))
WINDOW_S = 0.1
FRESH = 1e9
SEEN = PassSeen(written_bytes=13 * 10**8, used_bytes=1.3e9, fresh_bytes_per_s=FRESH)


def job_of(length_bytes: int, block_bytes: int = 4 * KIB, jobs: int = 1) -> Job:
    region = Region(0, length_bytes // block_bytes * block_bytes)
    return Job(
        name="rnd",
        pattern=Pattern.RANDOM,
        read_percent=0,
        block_bytes=block_bytes,
        queue_depth=32,
        region=region,
        amount_bytes=10 * length_bytes,
        duration_ns=None,
        seed=1,
        jobs=jobs,
    )


@given(
    length_bytes=st.integers(64 * MIB, 8 * GIB),
    block_bytes=st.sampled_from([512, 4 * KIB, 16 * KIB, 48 * KIB, 256 * KIB]),
    jobs=st.sampled_from([1, 4]),
)
def test_the_fills_are_the_whole_region_once_and_no_overwrite_goes_beyond_them(
    length_bytes: int, block_bytes: int, jobs: int
) -> None:
    job, filled = job_of(length_bytes, block_bytes, jobs), 0
    for kind, one in short_pass(job, UNTOLD):
        assert one.amount_bytes
        if kind is StepKind.FILL:
            assert (one.region.offset_bytes, one.amount_bytes) == (filled, one.region.length_bytes)
            assert one.region.length_bytes % one.block_bytes == 0
            filled = one.region.end_bytes
        else:
            assert one.region.offset_bytes == 0
            assert one.region.end_bytes <= filled
            assert filled in {one.region.end_bytes, job.region.length_bytes}
            assert one.draw is Draw.INDEPENDENT
            assert one.amount_bytes % (one.block_bytes * one.jobs) == 0
    assert filled == job.region.length_bytes


@given(st.floats(0.02, 1.0))
def test_amplification_makes_the_shares_fall_to_what_the_spare_space_allows(spare: float) -> None:
    factor = amplification(spare)
    ages = np.linspace(0, 1 + spare, 10_001)
    assert float(np.exp(-ages / factor).mean()) == pytest.approx(1 / (1 + spare), rel=1e-3)
    # What the oldest has left is moved, and the rest of it is all that the host can write: 1 - 1 / factor.
    assert exp(-(1 + spare) / factor) == pytest.approx(1 - 1 / factor, rel=1e-6)


def written_bytes(jobs: Sequence[tuple[StepKind, Job]]) -> int:
    return sum(one.amount_bytes or 0 for _, one in jobs)


def split(
    job: Job, unit_bytes: int | Unknown = UNTOLD
) -> tuple[list[tuple[StepKind, Job]], list[tuple[StepKind, Job]]]:
    """Until the drive is filled and overwritten, and the pieces after that."""
    jobs = list(short_pass(job, unit_bytes))
    filled = 2 + max(number for number, (kind, _) in enumerate(jobs) if kind is StepKind.FILL)
    return jobs[:filled], jobs[filled:]


def test_it_overwrites_as_much_as_the_spare_space_it_takes_the_drive_to_have() -> None:
    filling, pieces = split(job_of(4 * GIB))
    assert written_bytes(filling) == pytest.approx((1 + ASSUMED_SPARE) * 4 * GIB, rel=0.003)
    assert written_bytes([*filling, *pieces]) == pytest.approx((1 + SPARE_MAX) * 4 * GIB, rel=0.003)


def test_where_a_unit_is_four_blocks_a_quarter_of_it_makes_as_much_invalid() -> None:
    job = job_of(4 * GIB)
    assert written_bytes(list(short_pass(job, 16 * KIB))) == pytest.approx((1 + SPARE_MAX / 4) * 4 * GIB, rel=0.003)
    assert list(short_pass(job, 4 * KIB)) == list(short_pass(job, UNTOLD))


def test_a_piece_overwrites_the_older_parts_more() -> None:
    job = job_of(4 * GIB)
    _, pieces = split(job)
    piece = pieces[:4]
    assert written_bytes(piece) == pytest.approx(PIECE_SHARE * 4 * GIB, rel=0.01)
    quarters = [Region(GIB * quarter, GIB) for quarter in range(4)]
    shares = [
        sum(
            (one.amount_bytes or 0) * GIB / one.region.length_bytes
            for _, one in piece
            if one.region.end_bytes >= quarter.end_bytes
        )
        for quarter in quarters
    ]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(written_bytes(piece))
    assert len({one.name for _, one in pieces}) == len(pieces)


JOB = job_of(64 * MIB)


def fed(judge: ShortWayJudge, speeds: list[float]) -> tuple[int, int] | None:
    """A window of a tenth of a second at each speed, one by one, until there is a verdict."""
    for number, speed in enumerate(speeds, start=1):
        found = judge.feed(np.array([round(number * WINDOW_S * NS_PER_S)]), np.array([speed * WINDOW_S]))
        if found is not None:
            return found
    return None


def judge(seen: PassSeen = SEEN, unit_share: float = 1.0) -> ShortWayJudge:
    return ShortWayJudge(10**9, seen, unit_share)


def test_an_even_speed_is_steady_as_soon_as_the_stretch_is_written_and_a_little_more() -> None:
    found = fed(judge(), [0.25 * FRESH] * 40)
    assert found is not None
    assert found[0] == pytest.approx((STRETCH_SHARE + AGAIN_SHARE) * 10**9, abs=10**7)
    assert stretch_bytes(10**9, 1) <= found[0]


def test_an_even_speed_of_a_drive_that_has_fresh_space_left_means_nothing() -> None:
    assert fed(judge(), [0.9 * FRESH] * 20) is None


def test_a_small_fall_means_nothing_before_the_spare_space_that_it_tells_of_is_full() -> None:
    # At seven tenths of the fresh speed 1.43 times as much is written to flash, as by a drive with 0.72 of its size to spare.
    found = fed(judge(), [0.7 * FRESH] * 40)
    assert found is not None
    assert 1.3 + found[0] / 10**9 - STRETCH_SHARE - AGAIN_SHARE == pytest.approx(1 + 1.2 * spare_at(1 / 0.7), abs=0.02)


def test_blocks_that_take_a_whole_unit_each_fill_the_spare_space_as_much_faster() -> None:
    found = fed(judge(unit_share=0.25), [0.8 * FRESH] * 40)
    assert found is not None
    assert 1.3 + 4 * (found[0] / 10**9 - STRETCH_SHARE - AGAIN_SHARE) == pytest.approx(
        1 + 1.2 * spare_at(1.25), abs=0.05
    )


@given(st.floats(0.02, 1.0))
def test_the_spare_space_is_told_back_by_the_amplification(spare: float) -> None:
    assert spare_at(amplification(spare)) == pytest.approx(spare, rel=1e-6, abs=1e-9)


def test_where_the_fresh_speed_was_not_seen_nothing_is_said() -> None:
    assert fed(judge(PassPace(10**9, UNTOLD).seen), [0.5 * FRESH] * 40) is None


@pytest.mark.parametrize("last", [0.3, 0.6])
def test_a_speed_that_falls_or_rises_by_more_is_not(last: float) -> None:
    assert fed(judge(), list(np.linspace(0.45, last, 200) * FRESH)[:20]) is not None
    steep = list(np.linspace(0.45, last, 12) * FRESH)
    assert fed(judge(), steep) is None


def test_what_is_even_later_than_the_limit_goes_the_long_way() -> None:
    rough, smooth = [0.3 * FRESH, 0.6 * FRESH] * 12, [0.4 * FRESH] * 200
    blocky = [speed for speed in rough for _ in range(2)]
    assert sum(blocky) * WINDOW_S > LIMIT_SHARE * 10**9
    assert fed(judge(), blocky + smooth) is None


def test_the_pace_of_the_pass_is_taken_of_overwrites_before_a_capacity_is_written() -> None:
    pace = PassPace(1000, UNTOLD)
    for kind, written, lasted_ns in (
        (StepKind.FILL, 500, 1),
        (StepKind.RAMP, 50, 10),  # a cache may still be empty
        (StepKind.FILL, 100, 1),
        (StepKind.RAMP, 50, NS_PER_S),
        (StepKind.FILL, 400, 1),
        (StepKind.RAMP, 50, 10 * NS_PER_S),  # something has to be collected by now
    ):
        pace.take(kind, JOB, written, lasted_ns)
    assert pace.seen.fresh_bytes_per_s == 50
    assert pace.seen.written_bytes == 1150


def pace_after(speeds: list[float], unit_bytes: int | Unknown = UNTOLD) -> PassPace:
    """Filled, and overwritten at a fresh speed of 100 B/s until a capacity is used; then 20 B at each speed."""
    pace = PassPace(1000, unit_bytes)
    pace.take(StepKind.FILL, JOB, 900, 1)
    for _ in range(5):
        pace.take(StepKind.RAMP, JOB, round(20 * unit_share(JOB, unit_bytes)), NS_PER_S // 5)
    for speed in speeds:
        pace.take(StepKind.RAMP, JOB, 20, round(20 * NS_PER_S / speed))
    return pace


def test_a_drive_collects_once_two_overwrites_in_a_row_are_slow_enough_for_the_space_used() -> None:
    # At half the speed theory has 0.386 of the capacity to spare: after 19 overwrites so much is used.
    assert spare_at(2.0) == pytest.approx(0.386, abs=0.001)
    assert not pace_after([50.0] * 20).collects
    assert pace_after([50.0] * 21).collects


def test_one_slow_overwrite_is_chance() -> None:
    assert not pace_after([*[100.0] * 25, 30.0, 100.0, 30.0]).collects
    assert pace_after([*[100.0] * 25, 30.0, 30.0]).collects


def test_a_drive_that_is_as_fast_as_before_does_not_collect() -> None:
    assert not pace_after([90.0] * 100).collects


def test_once_it_collects_that_stays() -> None:
    assert pace_after([*[50.0] * 21, *[100.0] * 5]).collects


def test_a_drive_whose_fresh_speed_was_not_seen_is_not_said_to_collect() -> None:
    pace = PassPace(1000, UNTOLD)
    for _ in range(100):
        pace.take(StepKind.RAMP, JOB, 200, NS_PER_S)
    assert not pace.collects


def test_blocks_smaller_than_the_unit_use_as_much_space_as_the_unit() -> None:
    assert pace_after([100.0] * 5, unit_bytes=16 * KIB).seen.used_bytes == pytest.approx(900 + 5 * 20 + 5 * 80)


def test_the_long_way_counts_what_the_pass_has_written() -> None:
    capacity_bytes = 10**9
    ground = SteadyContext(capacity_bytes, 4 * KIB, 3 * capacity_bytes, 10 * NS_PER_S)
    ends = {}
    for passed in (0, capacity_bytes):
        # No speed is slower than none, so that only the long way has an end.
        judge = ShortThenLong(ground, PassSeen(passed, passed, fresh_bytes_per_s=0.0), unit_share=1.0)
        time_ns = np.arange(1, 1001) * NS_PER_S
        stopped = judge.feed(time_ns, np.full(1000, capacity_bytes / 100))
        assert stopped is not None
        assert stopped.criterion == "held"
        ends[passed] = stopped.at_bytes
    assert ends == pytest.approx({0: 3 * capacity_bytes, capacity_bytes: 2 * capacity_bytes}, rel=0.02)


def test_a_job_by_time_is_none_of_the_pass() -> None:
    timed = replace(job_of(64 * MIB), duration_ns=NS_PER_S)
    assert {one.duration_ns for _, one in short_pass(timed, UNTOLD)} == {None}
