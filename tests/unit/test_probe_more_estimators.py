"""Estimators of noise, read-ahead, read units, stripe, write buffer and flush on made-up response times."""

import numpy as np
import pytest

from ssdlab.engine.commands import Forced
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.flush import FlushTimes, Trial, flush
from ssdlab.probe.noise import NoiseTimes, noise
from ssdlab.probe.read_ahead import read_ahead
from ssdlab.probe.stripe import BatchTimes, stripe
from ssdlab.probe.units import read_units
from ssdlab.probe.write_buffer import Burst, write_buffer
from ssdlab.units import KIB, MIB, NS_PER_S, NS_PER_US
from ssdlab.unknown import Unknown

Floats = np.typing.NDArray[np.float64]


def log_normal(level_ns: float, sigma: float, shape: tuple[int, ...], seed: int = 1) -> Floats:
    return np.asarray(level_ns * np.exp(sigma * np.random.default_rng(seed).standard_normal(shape)))


def by_name(answers: tuple[Answer, ...]) -> dict[str, Answer]:
    return {one.name: one for one in answers}


@pytest.mark.parametrize("sigma", [0.02, 0.1, 0.25])
def test_the_spread_of_like_reads_is_found_within_a_tenth(sigma: float) -> None:
    found = by_name(noise(NoiseTimes(log_normal(8e4, sigma, (8000,)), None, None)))["noise.sigma"]
    assert isinstance(found.value, float)
    assert abs(found.value / sigma - 1) < 0.1
    assert found.interval is not None
    assert found.interval.low < sigma < found.interval.high


def test_trimmed_blocks_that_answer_at_once_are_seen() -> None:
    times = NoiseTimes(log_normal(8e4, 0.1, (1000,)), log_normal(8e4, 0.1, (1000,)), log_normal(1e4, 0.1, (1000,)))
    assert by_name(noise(times))["noise.unmapped_reads"].value == "fast"


@pytest.mark.parametrize(("ratio", "said"), [(0.2, "yes"), (1.0, "no")])
def test_sequential_reads_that_are_faster_are_read_ahead(ratio: float, said: str) -> None:
    answer = read_ahead(log_normal(8e4, 0.25, (40, 64)), log_normal(ratio * 8e4, 0.25, (40, 32), seed=2))[0]
    assert (answer.value, answer.grade) == (said, Grade.A)


def test_reads_that_may_be_faster_or_not_are_no_answer() -> None:
    answer = read_ahead(log_normal(8e4, 0.25, (40, 64)), log_normal(0.7 * 8e4, 0.25, (40, 32), seed=2))[0]
    assert answer.grade in {Grade.NONE, Grade.C}


def pairs(count: int | None, sigma: float) -> tuple[Floats, Floats]:
    """Pairs of reads on a drive of so many units, or on one that never waits."""
    random = np.random.default_rng(3)
    page_ns = random.choice([5e4, 6e4, 7e4], (6000, 2))
    waits = np.zeros(6000, dtype=bool) if count is None else random.integers(0, count, 6000) == 0
    together = page_ns.max(axis=1) + waits * page_ns.min(axis=1)
    noisy = np.exp(sigma * random.standard_normal((7, 6000, 2)))
    return page_ns * noisy, together * np.exp(sigma * random.standard_normal((7, 6000)))


@pytest.mark.parametrize("count", [8, 32, 64])
def test_one_pair_in_as_many_as_there_are_units_waits(count: int) -> None:
    answer = read_units(*pairs(count, 0.05))
    assert answer.grade is Grade.A
    assert answer.interval is not None
    assert answer.interval.low < count < answer.interval.high


@pytest.mark.parametrize("sigma", [0.0, 0.05, 0.25])
def test_where_no_pair_waits_there_is_no_count(sigma: float) -> None:
    assert read_units(*pairs(None, sigma)).grade is Grade.NONE


def test_slow_moments_of_a_busy_host_that_meet_in_one_pair_are_no_units() -> None:
    """One read in eight takes eight times as long: by chance four of seven reads of one pair in 200 do."""
    alone_ns, slower_ns = pairs(None, 0.05)
    random = np.random.default_rng(5)
    answer = read_units(alone_ns, slower_ns * np.where(random.random(slower_ns.shape) < 0.125, 8.0, 1.0))
    assert isinstance(answer.value, Unknown)
    assert answer.value.unknown == "noisy: 0.6% of the pairs take longer each time, and by chance alone 0.7% would"


OF_THE_HOST = (
    "noisy: 5.0% of the pairs take longer, those of some moments or of pages that were read fast alone: not by place"
)


def test_pairs_that_wait_all_in_one_stretch_of_the_probe_are_no_units() -> None:
    alone_ns, slower_ns = pairs(None, 0.05)
    slower_ns[:, 2100:2400] *= 2
    assert read_units(alone_ns, slower_ns).value == Unknown(OF_THE_HOST)


def test_pairs_whose_pages_were_once_read_fast_alone_are_no_units() -> None:
    """A processor that was awake answers a loop device in a quarter of the time."""
    alone_ns, slower_ns = pairs(None, 0.05)
    alone_ns[:, ::20] /= 4
    assert read_units(alone_ns, slower_ns).value == Unknown(OF_THE_HOST)


@pytest.mark.parametrize("count", [4, 16])
def test_units_are_counted_beside_slow_moments_of_the_host(count: int) -> None:
    alone_ns, slower_ns = pairs(count, 0.05)
    slow = np.random.default_rng(5).random(slower_ns.shape) < 0.02
    answer = read_units(alone_ns, slower_ns * np.where(slow, 8.0, 1.0))
    assert answer.interval is not None
    assert answer.interval.low < count < answer.interval.high


DISTANCES = np.arange(1, 257, dtype=np.int64) * 16 * KIB


def batches(width_bytes: int | None, sigma: float) -> BatchTimes:
    """Eight reads at each distance: all in one unit at multiples of the width, in two at odd halves of it."""
    level = np.full(len(DISTANCES), 6e4)
    if width_bytes is not None:
        level[DISTANCES % (width_bytes // 2) == 0] = 25e4
        level[DISTANCES % width_bytes == 0] = 48e4
    noisy = np.exp(sigma * np.random.default_rng(4).standard_normal((31, len(DISTANCES))))
    return BatchTimes(DISTANCES, level * noisy)


@pytest.mark.parametrize("sigma", [0.02, 0.25])
@pytest.mark.parametrize("width_bytes", [128 * KIB, MIB, 2 * MIB])
def test_the_stripe_is_the_distance_whose_multiples_all_wait(width_bytes: int, sigma: float) -> None:
    answer = stripe(batches(width_bytes, sigma))
    assert (answer.value, answer.grade) == (width_bytes, Grade.A)


@pytest.mark.parametrize("sigma", [0.0, 0.1, 0.25])
def test_without_a_stripe_there_is_none(sigma: float) -> None:
    assert stripe(batches(None, sigma)).grade is Grade.NONE


def burst(buffer_bytes: float, drain_bytes_per_s: float, link_bytes_per_s: float, later: float = 1.0) -> Burst:
    """256 MiB in writes of 16 KiB; from half of it on the drain is slower by a factor."""
    done = np.arange(1, 16_385) * 16.0 * KIB
    taken = done / link_bytes_per_s
    drained = np.maximum(0.0, done - buffer_bytes) / drain_bytes_per_s
    slower = np.maximum(0.0, done - done[-1] / 2) / drain_bytes_per_s * (1 / later - 1)
    return Burst(np.maximum.accumulate(np.maximum(taken, drained + slower)) * NS_PER_S)


@pytest.mark.parametrize(
    ("buffer_bytes", "later"), [(4 * MIB, 1.0), (4 * MIB, 0.4), (16 * MIB, 1.0), (16 * MIB, 0.4), (48 * MIB, 1.0)]
)
def test_the_buffer_is_what_a_burst_gets_beside_the_drain(buffer_bytes: int, later: float) -> None:
    size = write_buffer([burst(buffer_bytes, 200e6, 3e9, later)] * 9, 15e3, 80e3)[0]
    assert size.interval is not None
    assert size.interval.low < buffer_bytes < size.interval.high
    assert size.grade in {Grade.A, Grade.B}


def test_a_drive_that_keeps_up_shows_no_buffer() -> None:
    assert write_buffer([burst(64 * MIB, 3e9, 3e9)] * 9, 15e3, 80e3)[0].grade is Grade.NONE


def test_a_drive_that_writes_through_and_slows_down_later_has_no_buffer() -> None:
    assert write_buffer([burst(16 * MIB, 200e6, 3e9)] * 9, 500e3, 600e3)[0].grade is Grade.NONE


def test_a_cache_of_faster_cells_that_comes_back_each_time_is_no_buffer() -> None:
    """Its writes take about as long as reads of their size."""
    assert write_buffer([burst(16 * MIB, 200e6, 3e9)] * 9, 100e3, 130e3)[0].grade is Grade.NONE


def flush_times(write_us: float, flush_us: float, empty_us: float, forced_us: float, forced: Forced) -> FlushTimes:
    def times(level_us: float) -> Floats:
        return log_normal(level_us * NS_PER_US, 0.1, (200,), seed=round(level_us))

    writes = {trial: times(forced_us if trial is Trial.FORCED_WRITE else write_us) for trial in Trial}
    flushes = {trial: times(empty_us if trial is Trial.FLUSH else flush_us) for trial in Trial}
    return FlushTimes(writes, flushes, forced)


def test_a_flush_of_a_millisecond_writes_what_is_buffered() -> None:
    found = by_name(flush(flush_times(15, 1000, 12, 1015, Forced.YES)))
    assert found["flush.behaviour"].value == "a flush writes what is buffered: no sign of protection"
    assert found["flush.behaviour"].grade is Grade.A
    assert found["flush.cost"].value == pytest.approx(1e6, rel=0.05)


def test_a_cheap_flush_is_never_called_protection() -> None:
    answer = by_name(flush(flush_times(15, 12, 12, 16, Forced.YES)))["flush.behaviour"]
    assert answer.value == "flushes are cheap: nothing to write, protected, or not honoured"


def test_a_forced_write_that_could_not_be_asked_for_costs_nothing_known() -> None:
    found = by_name(flush(flush_times(15, 12, 12, 15, Forced.CANNOT)))
    assert found["flush.cost_forced_write"].grade is Grade.NONE
    assert found["flush.behaviour"].grade is Grade.B


def test_between_cheap_and_costly_nothing_is_said() -> None:
    assert by_name(flush(flush_times(15, 150, 12, 160, Forced.YES)))["flush.behaviour"].grade is Grade.NONE
