"""Estimators of noise, read-ahead, read units, stripe, write buffer and flush on made-up response times."""

from dataclasses import replace

import numpy as np
import pytest

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Forced
from ssdlab.probe.answer import Answer, Grade, Presence
from ssdlab.probe.probes.flush import FlushBehaviour, FlushTimes, Trial, flush
from ssdlab.probe.probes.noise import NoiseTimes, UnmappedReads, noise
from ssdlab.probe.probes.read_ahead import read_ahead
from ssdlab.probe.probes.read_buffer import READ_BUFFER
from ssdlab.probe.probes.stripe import BatchTimes, stripe
from ssdlab.probe.probes.units import PairTimes, as_sure_as, read_units
from ssdlab.probe.probes.write_buffer import Burst, write_buffer
from ssdlab.probe.script import Ask, KnownDrive
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


def written_out_after(reads: int, longer: float) -> NoiseTimes:
    """The first so many reads wait behind programs, by so many times as long as a read takes, and no two alike."""
    times_ns = log_normal(8e4, 0.05, (8000,))
    times_ns[:reads] *= 1 + longer * np.random.default_rng(2).random(reads)
    return NoiseTimes(times_ns, None, None)


@pytest.mark.parametrize("reads", [100, 700, 2100])
def test_reads_that_wait_for_the_buffer_to_be_written_out_are_no_scatter(reads: int) -> None:
    found = by_name(noise(written_out_after(reads, 3.0)))
    assert found["noise.sigma"].value == pytest.approx(0.05, rel=0.05)
    assert found["noise.outlier_share"].value == pytest.approx(0, abs=0.015)


def test_quiet_reads_that_drift_by_less_than_one_per_cent_have_settled() -> None:
    """By as much as a read of a drive that warms up, and many times what its medians scatter by."""
    times_ns = log_normal(8e4, 0.0005, (8000,)) * np.linspace(1.008, 1.0, 8000)
    found = by_name(noise(NoiseTimes(times_ns, None, None)))
    assert found["noise.sigma"].grade is not Grade.NONE


def test_times_that_settle_after_half_of_the_reads_have_no_spread_of_their_own() -> None:
    found = by_name(noise(written_out_after(5000, 3.0)))
    assert [found[name].grade for name in ("noise.sigma", "noise.correlation", "noise.outlier_share")] == [
        Grade.NONE
    ] * 3


def test_a_nanosecond_more_or_less_on_a_drive_without_noise_is_no_outlier() -> None:
    """A clock in whole nanoseconds makes two reads in five one longer."""
    times_ns = 62_011 + (np.random.default_rng(2).random(8000) < 0.4)
    found = by_name(noise(NoiseTimes(times_ns.astype(np.float64), None, None)))
    assert (found["noise.sigma"].value, found["noise.outlier_share"].value) == (0.0, 0.0)


def test_trimmed_blocks_that_answer_at_once_are_seen() -> None:
    times = NoiseTimes(log_normal(8e4, 0.1, (1000,)), log_normal(8e4, 0.1, (1000,)), log_normal(1e4, 0.1, (1000,)))
    assert by_name(noise(times))["noise.unmapped_reads"].value == UnmappedReads.FAST.value


@pytest.mark.parametrize(("share", "grade"), [(0.69, Grade.NONE), (0.62, Grade.A)])
def test_trimmed_blocks_near_the_border_of_fast_ones_are_judged_by_its_distance(share: float, grade: Grade) -> None:
    """A tenth of noise in a thousand reads leaves half of one per cent of doubt."""
    written = log_normal(8e4, 0.1, (1000,), seed=2)
    times = NoiseTimes(log_normal(8e4, 0.1, (1000,)), written, log_normal(share * 8e4, 0.1, (1000,), seed=3))
    assert by_name(noise(times))["noise.unmapped_reads"].grade is grade


@pytest.mark.parametrize(("ratio", "said"), [(0.2, Presence.YES), (1.0, Presence.NO)])
def test_sequential_reads_that_are_faster_are_read_ahead(ratio: float, said: Presence) -> None:
    answer = read_ahead(log_normal(8e4, 0.25, (40, 64)), log_normal(ratio * 8e4, 0.25, (40, 32), seed=2))[0]
    assert (answer.value, answer.grade) == (said.value, Grade.A)


def test_reads_that_may_be_faster_or_not_are_no_answer() -> None:
    answer = read_ahead(log_normal(8e4, 0.25, (40, 64)), log_normal(0.7 * 8e4, 0.25, (40, 32), seed=2))[0]
    assert answer.grade in {Grade.NONE, Grade.C}


def pairs(count: int | None, sigma: float) -> PairTimes:
    """Pairs of reads on a drive of so many units, or on one that never waits."""
    random = np.random.default_rng(3)
    apart_bytes = np.random.default_rng(7).integers(1, 64 * MIB, 6000)
    page_ns = random.choice(np.array([5e4, 6e4, 7e4]), (6000, 2))
    waits = np.zeros(6000, dtype=bool) if count is None else random.integers(0, count, 6000) == 0
    together = page_ns.max(axis=1) + waits * page_ns.min(axis=1)
    noisy = np.exp(sigma * random.standard_normal((7, 6000, 2)))
    slower_ns = together * np.exp(sigma * random.standard_normal((7, 6000)))
    return PairTimes(apart_bytes, page_ns * noisy, slower_ns, np.minimum(page_ns.min(axis=1), slower_ns))


@pytest.mark.parametrize("count", [8, 32, 64])
def test_one_pair_in_as_many_as_there_are_units_waits(count: int) -> None:
    answer = read_units(pairs(count, 0.05))
    assert answer.grade is (Grade.A if count < 64 else Grade.B)
    assert answer.interval is not None
    assert answer.interval.low < count < answer.interval.high


@pytest.mark.parametrize("stripes", [0.5, 1.0, 1.33])
def test_units_that_a_region_does_not_hold_as_often_as_others_are_not_counted(stripes: float) -> None:
    """Of 16 units a region of less than two stripes holds some not at all, or half as often."""
    random = np.random.default_rng(6)
    places = random.integers(0, 64 * MIB, (6000, 2))
    units = (places / (64 * MIB / stripes / 16)).astype(np.int64) % 16
    together_ns = 6e4 * (1 + (units[:, 0] == units[:, 1]))
    noise = np.exp(0.05 * random.standard_normal((7, 6000)))
    apart_bytes, alone_ns = np.abs(places[:, 1] - places[:, 0]), np.full((7, 6000, 2), 6e4)
    times = PairTimes(apart_bytes, alone_ns, together_ns * noise, np.full((7, 6000), 6e4))
    value = read_units(times).value
    assert isinstance(value, Unknown)
    assert "pairs near each other wait more often than others" in str(value.reason)


@pytest.mark.parametrize("sigma", [0.0, 0.05, 0.25])
def test_where_no_pair_waits_there_is_no_count(sigma: float) -> None:
    assert read_units(pairs(None, sigma)).grade is Grade.NONE


def test_slow_moments_of_a_busy_host_that_meet_in_one_pair_are_no_units() -> None:
    """One read in two takes eight times as long: by chance at least six of seven reads of one pair in 16 do."""
    times = pairs(None, 0.05)
    slow = np.random.default_rng(5).random(times.slower_ns.shape) < 0.5
    answer = read_units(replace(times, slower_ns=times.slower_ns * np.where(slow, 8.0, 1.0)))
    assert isinstance(answer.value, Unknown)
    assert str(answer.value.reason) == "noisy: 6.7% of the pairs take longer each time, and by chance alone 6.4% would"


OF_THE_HOST = (
    "noisy: 5.0% of the pairs take longer, those of some moments or of pages that were read fast alone: not by place"
)


def test_pairs_that_wait_all_in_one_stretch_of_the_probe_are_no_units() -> None:
    times = pairs(None, 0.05)
    times.slower_ns[:, 2100:2400] *= 2
    value = read_units(times).value
    assert isinstance(value, Unknown)
    assert str(value.reason) == OF_THE_HOST


def test_pairs_whose_pages_were_once_read_fast_alone_are_no_units() -> None:
    """A processor that was awake answers a loop device in a quarter of the time."""
    times = pairs(None, 0.05)
    times.alone_ns[:, ::20] /= 4
    value = read_units(times).value
    assert isinstance(value, Unknown)
    assert str(value.reason) == OF_THE_HOST


@pytest.mark.parametrize("count", [8, 16])
def test_units_are_counted_where_reads_are_often_repeated(count: int) -> None:
    """Two pairs in five have a read that is repeated, and of some pairs all but one of seven reads are."""
    times = pairs(count, 0.05)
    again = np.random.default_rng(5).random(times.slower_ns.shape) < 0.4
    answer = read_units(replace(times, slower_ns=times.slower_ns * np.where(again, 4.0, 1.0)))
    assert isinstance(answer.value, float)
    assert abs(answer.value / count - 1) < 0.1
    assert answer.interval is not None
    assert answer.interval.low < count < answer.interval.high


@pytest.mark.parametrize("count", [4, 16])
def test_units_are_counted_beside_slow_moments_of_the_host(count: int) -> None:
    times = pairs(count, 0.05)
    slow = np.random.default_rng(5).random(times.slower_ns.shape) < 0.02
    answer = read_units(replace(times, slower_ns=times.slower_ns * np.where(slow, 8.0, 1.0)))
    assert answer.interval is not None
    assert answer.interval.low < count < answer.interval.high


DISTANCES = np.concatenate([np.arange(256) * 4 * KIB, np.arange(MIB, 4 * MIB + 1, 16 * KIB)])


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


@pytest.mark.parametrize("width_bytes", [12 * KIB, 24 * KIB, 56 * KIB, 84 * KIB, 520 * KIB])
def test_a_stripe_of_no_power_of_two_is_not_taken_for_a_multiple_of_it(width_bytes: int) -> None:
    answer = stripe(batches(width_bytes, 0.1))
    assert (answer.value, answer.grade) == (width_bytes, Grade.A)


def test_a_distance_at_which_reads_wait_longer_still_leaves_the_width_open() -> None:
    """Reads of two units behind one slow channel wait nearly as long as reads of one unit."""
    times = batches(128 * KIB, 0.05)
    times.slowest_ns[:, (DISTANCES % (64 * KIB) == 0) & (DISTANCES % (128 * KIB) != 0)] = 38e4
    value = stripe(times).value
    assert isinstance(value, Unknown)
    assert "every 64.0 KiB, and longer every 128 KiB" in str(value.reason)


def test_a_stripe_that_noise_hides_at_one_multiple_is_not_called_a_multiple_of_it() -> None:
    times = batches(128 * KIB, 0.05)
    times.slowest_ns[:, DISTANCES == 256 * KIB] = 20e4
    value = stripe(times).value
    assert isinstance(value, Unknown)
    assert "every 384 KiB, and at most multiples of 128 KiB, too" in str(value.reason)


def test_a_distance_that_stands_out_less_than_others_beside_its_multiples_is_no_width() -> None:
    """Of 756 KiB only the fourth multiple is on the coarse grid; the stripe is 1920 KiB."""
    times = batches(1920 * KIB, 0.05)
    times.slowest_ns[:, np.isin(DISTANCES, [756 * KIB, 4 * 756 * KIB])] = 40e4
    assert stripe(times).value == 1920 * KIB


def test_reads_that_wait_for_a_channel_do_not_tell_the_stripe() -> None:
    """Every eighth unit lies on the same channel; no distance that is tried puts all reads into one unit but that of one page."""
    times = batches(None, 0.05)
    times.slowest_ns[:, DISTANCES % (512 * KIB) == 0] *= 2
    times.slowest_ns[:, 0] *= 4
    assert stripe(times).grade is Grade.NONE


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


@pytest.mark.parametrize("at_bytes", [56 * MIB, 100 * MIB])
def test_a_buffer_is_not_made_smaller_by_a_stall_of_the_drain(at_bytes: int) -> None:
    """Right or unknown: of two lines with a stall between them the later one lies low."""
    one = burst(48 * MIB, 120e6, 4e9)
    stalled = Burst(one.completed_ns + np.where(np.arange(1, 16_385) * 16 * KIB > at_bytes, 9e7, 0.0))
    size = write_buffer([stalled] * 9, 15e3, 80e3)[0]
    assert size.interval is None or size.interval.low < 48 * MIB < size.interval.high


def test_a_buffer_may_be_larger_than_the_room_that_bursts_find_in_it() -> None:
    """8 MiB, of which programs free 2 at a time and three of four bits a cell wait before each burst for the fourth."""
    buffer_bytes, lump_bytes, drain_bytes_per_s = 8 * MIB, 2 * MIB, 120e6
    room_bytes = buffer_bytes - 3 / 4 * lump_bytes
    done = np.arange(1, 16_385) * 16.0 * KIB
    lumps = np.maximum(0.0, np.ceil((done - room_bytes) / lump_bytes))
    completed_ns = np.maximum(done / 11e9, lumps * lump_bytes / drain_bytes_per_s) * NS_PER_S
    size = write_buffer([Burst(completed_ns)] * 9, 10e3, 80e3)[0]
    assert size.interval is not None
    assert size.interval.low < buffer_bytes < size.interval.high
    assert size.grade is not Grade.A


def test_a_buffer_that_drains_as_fast_as_most_of_it_in_one_program_is_a_hint() -> None:
    size = write_buffer([burst(24 * MIB, 4e9, 6.3e9)] * 9, 5e3, 80e3)[0]
    assert size.grade is Grade.C


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
    assert found["flush.behaviour"].value == FlushBehaviour.WRITES_BUFFER.value
    assert found["flush.behaviour"].grade is Grade.A
    assert found["flush.cost"].value == pytest.approx(1e6, rel=0.05)


def test_a_cheap_flush_is_never_called_protection() -> None:
    answer = by_name(flush(flush_times(15, 12, 12, 16, Forced.YES)))["flush.behaviour"]
    assert answer.value == FlushBehaviour.CHEAP.value


def test_a_forced_write_that_could_not_be_asked_for_costs_nothing_known() -> None:
    found = by_name(flush(flush_times(15, 12, 12, 15, Forced.CANNOT)))
    assert found["flush.cost_forced_write"].grade is Grade.NONE
    assert found["flush.behaviour"].grade is Grade.B


def test_a_forced_write_that_is_slower_in_four_turns_by_chance_costs_nothing_known() -> None:
    """The four differences are 3.5 standard errors from zero, as one in 25 such are by chance."""
    writes = {trial: np.full(200, 15_000.0) for trial in Trial}
    writes[Trial.FORCED_WRITE] = 15_000.0 + np.repeat([300.0, 900.0, 1200.0, 500.0], 50)
    flushes = {trial: np.full(200, 12_000.0) for trial in Trial}
    assert by_name(flush(FlushTimes(writes, flushes, Forced.YES)))["flush.cost_forced_write"].grade is Grade.NONE


@pytest.mark.parametrize(("turns_us", "grade"), [((12, 12.1, 11.9, 12), Grade.A), ((12, 12, 1000, 1000), Grade.NONE)])
def test_flushes_of_nothing_are_known_as_well_as_their_turns_agree(turns_us: tuple[float, ...], grade: Grade) -> None:
    times = flush_times(15, 1000, 12, 1015, Forced.YES)
    empty = {Trial.FLUSH: np.repeat(np.array(turns_us) * NS_PER_US, 50)}
    found = by_name(flush(replace(times, flushes_ns=times.flushes_ns | empty)))
    assert found["flush.cost_nothing_written"].grade is grade


def test_between_cheap_and_costly_nothing_is_said() -> None:
    assert by_name(flush(flush_times(15, 150, 12, 160, Forced.YES)))["flush.behaviour"].grade is Grade.NONE


@pytest.mark.parametrize("cost_us", [60, 350, 1000])
def test_a_flush_that_costs_the_same_with_nothing_written_does_not_write_the_buffer(cost_us: float) -> None:
    """A protected buffer: neither flushes of something nor forced writes cost more."""
    answer = by_name(flush(flush_times(15, cost_us, cost_us + 1, 15, Forced.YES)))["flush.behaviour"]
    assert answer.value == FlushBehaviour.FIXED.value
    assert answer.grade in {Grade.A, Grade.B}


def test_a_flush_of_127_us_is_not_cheap_because_writes_take_milliseconds() -> None:
    """A drive that writes through, as adverse drive 23 of family 61."""
    answer = by_name(flush(flush_times(2750, 127, 127, 2750, Forced.YES)))["flush.behaviour"]
    assert answer.value == FlushBehaviour.FIXED.value
    assert answer.grade is Grade.A


@pytest.mark.parametrize(
    ("flush_us", "empty_us", "forced_us"), [(10_500, 10_000, 1215), (500, 1000, 15)], ids=["forced", "empty"]
)
def test_a_flush_is_not_fixed_against_its_own_evidence(flush_us: float, empty_us: float, forced_us: float) -> None:
    """Forced writes cost a millisecond, so what is buffered is not safe; or a flush of nothing takes twice as long."""
    answer = by_name(flush(flush_times(15, flush_us, empty_us, forced_us, Forced.YES)))["flush.behaviour"]
    assert answer.value != FlushBehaviour.FIXED.value
    assert answer.grade is Grade.NONE


def test_a_forced_write_that_takes_as_long_as_a_buffered_one_has_no_cost() -> None:
    """Not even where the medians of a quiet drive differ by a few nanoseconds."""
    writes = {trial: np.full(200, 15_000.0) for trial in Trial}
    writes[Trial.FORCED_WRITE] = writes[Trial.FORCED_WRITE] + 4.5
    flushes = {trial: np.full(200, 12_000.0) for trial in Trial}
    answer = by_name(flush(FlushTimes(writes, flushes, Forced.YES)))["flush.cost_forced_write"]
    assert answer.grade is Grade.NONE


def test_a_count_of_units_from_few_pairs_that_wait_is_a_hint_alone() -> None:
    """Of 300 units one pair in 300 waits: 20 of 6000, and chance makes 30 or 12 of it."""
    answer = read_units(pairs(300, 0.05))
    assert answer.grade is Grade.C


def test_a_count_of_units_is_a_hint_alone_in_a_small_region_or_between_whole_numbers() -> None:
    answer = read_units(pairs(8, 0.05))
    between = replace(answer, interval=Interval(5.05, 5.4))
    grades = {region: as_sure_as(answer, region * MIB).grade for region in (3, 32, 63, 64)}
    assert grades == {3: Grade.C, 32: Grade.C, 63: Grade.C, 64: Grade.A}
    assert as_sure_as(between, 64 * MIB).grade is Grade.C


@pytest.mark.parametrize("capacity_mib", [300, 301])
def test_the_read_buffer_is_looked_for_inside_the_drive(capacity_mib: int) -> None:
    """Pages near the last one of an odd number of MiB would lie after its end."""
    for seed in range(10):
        known = KnownDrive(capacity_bytes=capacity_mib * MIB, logical_block_bytes=512, seed=seed)
        for act in READ_BUFFER.design_for(known).acts:
            if isinstance(act, Ask):
                ends = act.commands.offset_bytes + act.commands.length_bytes
                assert int(ends.max()) <= known.capacity_bytes
