"""The estimators of the paper's three questions on made-up response times: what they find, and when they say that they cannot."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.probe.answer import Answer, Grade, Replicated, Support, grade_of
from ssdlab.probe.probes.allocation import Allocation, WindowTimes, allocation, spread_ratio
from ssdlab.probe.probes.equations import Layout, PartialStripe, response_time
from ssdlab.probe.probes.placement import placement
from ssdlab.probe.probes.placement_law import ReadTimes
from ssdlab.probe.probes.shift_write import WHOLE, Arm, ArmTimes, arms_for, management_block
from ssdlab.probe.probes.shift_write_paper import PaperArm, management_block_by_paper
from ssdlab.probe.probes.statistics import Floats
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

STRONG = Support(separation=6.0, margin=20.0, replicated=Replicated.YES, noise=0.1)


@pytest.mark.parametrize(
    ("support", "grade"),
    [
        (STRONG, Grade.A),
        (Support(separation=4.0, margin=20.0, replicated=Replicated.YES, noise=0.1), Grade.B),
        (Support(separation=6.0, margin=9.0, replicated=Replicated.YES, noise=0.1), Grade.B),
        (Support(separation=6.0, margin=20.0, replicated=Replicated.YES, noise=0.5), Grade.B),
        (Support(separation=6.0, margin=20.0, replicated=Replicated.NO, noise=0.1), Grade.C),
        (Support(separation=2.9, margin=20.0, replicated=Replicated.YES, noise=0.1), Grade.NONE),
    ],
)
def test_a_grade_asks_for_effect_halves_margin_and_quiet(support: Support, grade: Grade) -> None:
    assert grade_of(support) is grade


def copies(arm: Arm, block_bytes: int, begin_bytes: int) -> np.typing.NDArray[np.float64]:
    """Blocks that the write at each shift covers in part, counted one by one."""
    found = []
    for shift in arm.shifts.tolist():
        first, end = shift - begin_bytes, shift - begin_bytes + arm.write_bytes
        blocks = range(first // block_bytes, (end - 1) // block_bytes + 1)
        whole = [first <= one * block_bytes and (one + 1) * block_bytes <= end for one in blocks]
        found.append(whole.count(False))
    return np.array(found, dtype=np.float64)


def shifted_writes(
    block_bytes: int,
    begin_bytes: int,
    sigma: float,
    copy_ns: float,
    seed: int,
    arms: tuple[Arm, ...] = (*arms_for(512), WHOLE),
) -> list[ArmTimes]:
    random = np.random.default_rng(seed)
    times = []
    for arm in arms:
        clean = 1e6 + copy_ns * copies(arm, block_bytes, begin_bytes)
        noisy = clean * np.exp(sigma * random.standard_normal((12, len(clean))))
        noisy += np.where(random.random(noisy.shape) < 0.005, 5e7, 0.0)
        times.append(ArmTimes(arm, np.log(noisy)))
    return times


BLOCKS = [
    (4 * KIB, 0, 0.25),
    (12 * KIB, 4 * KIB, 0.02),
    (16 * KIB, 0, 0.25),
    (48 * KIB, 0, 0.1),
    (64 * KIB, 20 * KIB, 0.25),
    (1 * MIB, 0, 0.25),
    (1 * MIB, 384 * KIB, 0.1),
    (1536 * KIB, 0, 0.02),
    (2 * MIB, 0, 0.1),
]


@pytest.mark.parametrize(("block_bytes", "begin_bytes", "sigma"), BLOCKS)
def test_a_management_block_is_found_wherever_it_begins(block_bytes: int, begin_bytes: int, sigma: float) -> None:
    size, offset = management_block(shifted_writes(block_bytes, begin_bytes, sigma, 5e5, seed=1))
    assert (size.value, offset.value) == (block_bytes, begin_bytes)
    assert size.grade is (Grade.A if block_bytes <= WHOLE.write_bytes else Grade.B)


@pytest.mark.parametrize(("block_bytes", "grade"), [(64 * KIB, Grade.A), (128 * KIB, Grade.B), (1 * MIB, Grade.B)])
def test_a_block_that_no_recorded_write_covers_is_not_certain(block_bytes: int, grade: Grade) -> None:
    """As in bundles recorded before there were writes of 1 MiB."""
    size, offset = management_block(shifted_writes(block_bytes, 0, 0.02, 5e5, seed=1, arms=arms_for(512)))
    assert (size.value, size.grade, offset.grade) == (block_bytes, grade, grade)


@pytest.mark.parametrize("sigma", [0.0, 0.02, 0.1, 0.25])
def test_no_block_is_found_where_there_is_none(sigma: float) -> None:
    answers = management_block(shifted_writes(64 * KIB, 0, sigma, 0.0, seed=2))
    assert [one.grade for one in answers] == [Grade.NONE]


@pytest.mark.parametrize("block_bytes", [3 * MIB, 4 * MIB, 6 * MIB])
def test_a_block_larger_than_can_be_seen_twice_is_not_named(block_bytes: int) -> None:
    answers = management_block(shifted_writes(block_bytes, 0, 0.02, 5e5, seed=3))
    assert [one.grade for one in answers] == [Grade.NONE]


def test_an_outlier_at_one_shift_is_no_boundary() -> None:
    times = shifted_writes(64 * KIB, 0, 0.0, 0.0, seed=1)
    times[2].log_ns[:, 7] += 1.0
    assert [one.grade for one in management_block(times)] == [Grade.NONE]


def test_straddling_writes_have_no_common_divisor_but_one() -> None:
    """Figure 6 with writes of two shifts: they straddle at one shift before each boundary, 3, 7, 11, whose divisor is 1."""
    response = np.ones((4, 16))
    response[:, 3::4] = 2.0
    assert management_block_by_paper(PaperArm(4 * KIB, response)) == 4 * KIB


def test_writes_of_a_whole_block_dip_at_its_multiples() -> None:
    response = np.full((4, 16), 2.0)
    response[:, ::4] = 1.0
    assert management_block_by_paper(PaperArm(4 * KIB, response)) == 16 * KIB


SIZES = np.arange(1, 129, dtype=np.int64) * 2 * KIB


def read_times(layout: Layout, page_bytes: int, sigma: float, seed: int = 1) -> ReadTimes:
    pages = -(-SIZES // page_bytes)
    clean = 50e3 + response_time(pages, layout, 100e3, 20e3, PartialStripe.CEIL)
    noise = np.random.default_rng(seed).standard_normal((31, len(SIZES)))
    return ReadTimes(SIZES, clean * np.exp(sigma * noise))


def by_name(answers: tuple[Answer, ...]) -> dict[str, object]:
    return {one.name: one.value for one in answers}


@pytest.mark.parametrize("sigma", [0.0, 0.02, 0.1])
@pytest.mark.parametrize(("unit_pages", "channels"), [(1, 4), (2, 3), (4, 4), (8, 2), (1, 10)])
def test_unit_page_and_channels_are_those_of_the_law(unit_pages: int, channels: int, sigma: float) -> None:
    found = by_name(placement(read_times(Layout(unit_pages, channels), 4 * KIB, sigma), 2.0, {}))
    assert found["placement.unit"] == unit_pages * 4 * KIB
    assert found["placement.page"] == 4 * KIB
    assert found["placement.channels"] == channels


@pytest.mark.parametrize(("waits", "names"), [(2.0, {"placement.page_time", "placement.channel_time"}), (1.0, set())])
def test_what_a_page_and_a_channel_take_is_told_where_the_law_holds(waits: float, names: set[str]) -> None:
    """100 and 20 us."""
    found = by_name(placement(read_times(Layout(2, 3), 4 * KIB, 0.02), waits, {}))
    times = {name: value for name, value in found.items() if name.endswith("_time")}
    assert set(times) == names
    assert times.get("placement.page_time", 100e3) == pytest.approx(100e3, rel=0.05)
    assert times.get("placement.channel_time", 20e3) == pytest.approx(20e3, rel=0.1)


def of_stripe(width_bytes: int, count: float) -> dict[str, Answer]:
    """What `stripe` and `units` say."""
    return {
        "stripe.width": Answer(name="stripe.width", value=width_bytes, unit="B", grade=Grade.A),
        "units.count": Answer(
            name="units.count", value=count, interval=Interval(count - 0.3, count + 0.3), grade=Grade.A
        ),
    }


@pytest.mark.parametrize(
    ("known", "said"),
    [({}, Grade.C), (of_stripe(16 * KIB, 4.1), Grade.B), (of_stripe(16 * KIB, 8.2), Grade.NONE)],
)
def test_a_unit_of_a_drive_that_reads_in_parallel_has_to_agree_with_its_stripe(
    known: dict[str, Answer], said: Grade
) -> None:
    """Pages that data lies across take two reads of a die, as a unit of twice their size does."""
    unit = placement(read_times(Layout(1, 4), 4 * KIB, 0.02), 1.0, known)[0]
    assert unit.grade is said


@pytest.mark.parametrize(("sigma", "said"), [(0.02, Grade.B), (0.07, Grade.NONE), (0.2, Grade.NONE)])
def test_of_a_drive_that_reads_in_parallel_a_unit_is_told_only_far_ahead_of_all_others(
    sigma: float, said: Grade
) -> None:
    """The law is not that of such a drive: a serial one gives the same unit grade A under the noise of 7 %, too."""
    times = read_times(Layout(1, 4), 4 * KIB, sigma)
    assert placement(times, 1.0, of_stripe(16 * KIB, 4.0))[0].grade is said
    assert placement(times, 2.0, {})[0].grade is (Grade.A if sigma < 0.1 else Grade.NONE)


def test_a_straight_line_has_no_placement() -> None:
    times = ReadTimes(SIZES, np.broadcast_to(50e3 + 3.0 * SIZES, (31, len(SIZES))).copy())
    unit = by_name(placement(times, 2.0, {}))["placement.unit"]
    assert isinstance(unit, Unknown)
    assert str(unit.reason).startswith("flat")


@pytest.mark.parametrize(("straddled_bytes", "said"), [(4 * KIB, 4 * KIB), (8 * KIB, None)])
def test_a_page_is_one_only_where_reads_that_straddle_its_end_take_longer(
    straddled_bytes: int, said: int | None
) -> None:
    """Memory that hands out 4 KiB at a time is a staircase, too."""
    straddled = Answer(name="read_page.size", value=straddled_bytes, unit="B", grade=Grade.A)
    times = read_times(Layout(4, 4), 4 * KIB, 0.02)
    page = placement(times, 2.0, {"read_page.size": straddled})[1]
    assert (page.value if isinstance(page.value, int) else None) == said
    assert page.grade is (Grade.A if said else Grade.NONE)


def test_without_the_management_block_the_kind_of_placement_stays_open() -> None:
    kind = placement(read_times(Layout(4, 4), 4 * KIB, 0.02), 2.0, {})[-1]
    assert isinstance(kind.value, Unknown)
    assert (
        str(kind.value.reason)
        == "ambiguous: reads look the same in both kinds; it takes the management block, from `shift-write`"
    )


def windows(ratio: float, sigma: float = 0.1, waiting: float = 0.4) -> WindowTimes:
    """A share of the reads takes longer, or shorter, by so much that all together do by the ratio: the same ones in both turns."""
    random = np.random.default_rng(5)

    def noisy(level: Floats) -> Floats:
        return np.asarray(level * np.exp(sigma * random.standard_normal((2, 64, 128))))

    spread = np.where(random.random((64, 128)) < waiting, 1 + (ratio - 1) / waiting, 1.0)
    return WindowTimes(noisy(1e5 * spread), noisy(np.full((2, 64, 128), 1e5)))


@pytest.mark.parametrize(
    ("ratio", "value"), [(1.15, Allocation.BY_ORDER), (0.85, Allocation.BY_ORDER), (1.0, Allocation.BY_ADDRESS)]
)
def test_reads_that_random_writes_change_mean_order(ratio: float, value: Allocation) -> None:
    kind = allocation(windows(ratio), math.inf)[0]
    assert (kind.value, kind.grade) == (value.value, Grade.A)


@pytest.mark.parametrize("ratio", [0.7, 1.15, 3.0])
def test_reads_that_all_take_as_much_longer_do_not_lie_in_the_order_of_writing(ratio: float) -> None:
    """Spread by chance, some of four pages wait for each other and others do not."""
    assert allocation(windows(ratio, waiting=1.0), math.inf)[0].grade is Grade.NONE


@pytest.mark.parametrize("ratio", [1.15, 1.5])
def test_reads_that_are_slow_by_chance_each_time_do_not_lie_in_the_order_of_writing(ratio: float) -> None:
    """A drive that repeats reads does so the more often the more senses a read takes."""
    times = windows(ratio)
    others = np.random.default_rng(6).permuted(times.after_random_ns[1], axis=1)
    by_chance = replace(times, after_random_ns=np.stack([times.after_random_ns[0], others]))
    assert allocation(by_chance, math.inf)[0].grade is Grade.NONE


@pytest.mark.parametrize("percent_between_turns", [-8, -3, 3, 8])
def test_a_drive_that_becomes_slower_or_faster_meanwhile_does_not_seem_to_be_in_the_order_of_writing(
    percent_between_turns: float,
) -> None:
    """Read in order, at random twice, in order; writing at random takes twice as long."""
    times, step = windows(1.0), 1 + percent_between_turns / 100
    drifting = WindowTimes(
        times.after_random_ns * np.array([step**2, step**2])[:, None, None],
        times.after_sequential_ns * np.array([1.0, step**3])[:, None, None],
        midway=2 / 3,
    )
    kind, ratio = allocation(drifting, math.inf)
    assert ratio.value == pytest.approx(1.0, abs=0.01)
    assert kind.value != Allocation.BY_ORDER.value


def test_the_ratio_holds_the_waits_of_the_slowest_reads() -> None:
    """The paper compares mean times; other work beyond five medians is no part of them."""
    times = windows(1.15, sigma=0.02, waiting=0.1)
    busy = np.random.default_rng(1).random(times.after_random_ns.shape) < 0.01
    disturbed = WindowTimes(times.after_random_ns + busy * 20e6, times.after_sequential_ns + busy * 20e6)
    assert allocation(disturbed, math.inf)[1].value == pytest.approx(1.15, abs=0.01)


@pytest.mark.parametrize(
    ("ratio", "if_spread", "said"),
    [(1.0, None, Grade.NONE), (1.0, 1.03, Grade.A), (1.02, 1.03, Grade.NONE), (1.02, 1.2, Grade.A)],
)
def test_pages_lie_by_address_only_where_spread_ones_would_surely_cost_more(
    ratio: float, if_spread: float | None, said: Grade
) -> None:
    assert allocation(windows(ratio), if_spread)[0].grade is said


def law(block_bytes: int | None, page_ns: float, channel_ns: float) -> dict[str, Answer]:
    """Pages of 8 KiB on 6 channels."""
    values = {"unit": 8 * KIB, "page": 8 * KIB, "channels": 6, "page_time": page_ns, "channel_time": channel_ns}
    known = {f"placement.{name}": value for name, value in values.items()}
    if block_bytes is not None:
        known["management_block.size"] = block_bytes
    return {name: Answer(name=name, value=value, grade=Grade.B) for name, value in known.items()}


@pytest.mark.parametrize("block_bytes", [8 * KIB, None])
def test_two_blocks_that_meet_once_in_six_times_wait_for_a_page_then_and_for_no_channel(
    block_bytes: int | None,
) -> None:
    assert spread_ratio(law(block_bytes, 90e3, 30e3), 200e3) == pytest.approx(1.05, abs=0.005)


def test_pages_that_take_as_long_as_channels_do_not_show_where_they_lie() -> None:
    assert spread_ratio(law(8 * KIB, 36e3, 32e3), 150e3) is None


def test_blocks_as_large_as_a_read_keep_its_pages_together() -> None:
    assert spread_ratio(law(16 * KIB, 36e3, 32e3), 150e3) == math.inf


def test_without_a_law_nothing_is_known_of_spread_pages() -> None:
    known = law(8 * KIB, 90e3, 30e3)
    assert spread_ratio({name: answer for name, answer in known.items() if "time" not in name}, 200e3) is None


def test_a_gap_that_may_be_five_per_cent_or_not_is_no_answer() -> None:
    assert allocation(windows(1.05), math.inf)[0].grade is Grade.NONE
