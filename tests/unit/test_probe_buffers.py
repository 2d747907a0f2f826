"""Read page, read buffer and flush window: estimators on made-up response times, with and without what they look for."""

import numpy as np
import pytest

from ssdlab.probe.answer import Answer, Grade, Presence
from ssdlab.probe.probes.flush_window import SilenceTimes, flush_window
from ssdlab.probe.probes.read_buffer import RereadTimes, read_buffer
from ssdlab.probe.probes.read_page import ShiftTimes, read_page
from ssdlab.units import KIB, MIB, NS_PER_MS

Floats = np.typing.NDArray[np.float64]


def noisy(level_ns: Floats, sigma: float, seed: int = 1) -> Floats:
    return np.asarray(level_ns * np.exp(sigma * np.random.default_rng(seed).standard_normal(level_ns.shape)))


def by_name(answers: tuple[Answer, ...]) -> dict[str, Answer]:
    return {one.name: one for one in answers}


def shifts(page_bytes: int, longer: float, sigma: float, phase: int = 0) -> ShiftTimes:
    """Reads of 1 KiB at every 512 bytes of 256 KiB: one that straddles an end of a page takes longer."""
    straddles = (np.arange(512) - phase + 1) % (page_bytes // 512) == 0
    return ShiftTimes(512, noisy(np.tile(np.where(straddles, 6e4 * longer, 6e4), (61, 1)), sigma))


@pytest.mark.parametrize("page_bytes", [2 * KIB, 4 * KIB, 12 * KIB, 16 * KIB, 64 * KIB])
@pytest.mark.parametrize(("longer", "sigma"), [(1.1, 0.02), (1.3, 0.1), (1.9, 0.25)])
def test_reads_that_straddle_give_the_page(page_bytes: int, longer: float, sigma: float) -> None:
    answer = read_page(shifts(page_bytes, longer, sigma))
    assert (answer.value, answer.grade) == (page_bytes, Grade.A)


def test_pages_may_begin_anywhere() -> None:
    assert read_page(shifts(16 * KIB, 1.5, 0.1, phase=7)).value == 16 * KIB


@pytest.mark.parametrize("sigma", [0.02, 0.25])
def test_where_straddling_costs_nothing_there_is_no_page(sigma: float) -> None:
    assert read_page(shifts(16 * KIB, 1.0, sigma)).grade is Grade.NONE


def test_ends_of_units_that_stand_out_more_than_those_of_pages_are_no_answer() -> None:
    """A further channel costs more here than a further page, and noise hides the pages."""
    at = np.arange(512)
    level = 6e4 * (1 + 0.1 * ((at + 1) % 8 == 0) + 0.4 * ((at + 1) % 32 == 0))
    answer = read_page(ShiftTimes(512, noisy(np.tile(level, (61, 1)), 0.25)))
    assert answer.grade is Grade.NONE


@pytest.mark.parametrize("unit_end", [0.0, 0.08])
def test_pages_two_to_a_unit_are_not_taken_for_pages_of_twice_the_size(unit_end: float) -> None:
    """Of 4 KiB: where a unit ends, both pages are read side by side, which noise hides."""
    at = np.arange(512)
    level = 6e4 * (1 + 0.5 * ((at + 1) % 16 == 8) + unit_end * ((at + 1) % 16 == 0))
    answer = read_page(ShiftTimes(512, noisy(np.tile(level, (61, 1)), 0.25)))
    assert answer.grade is Grade.NONE


BETWEEN = (0, *(64 * KIB << power for power in range(11)))


def rereads(held_bytes: int, hit: float, sigma: float) -> RereadTimes:
    """Pages of 80 us; what is in the buffer takes that share of it."""
    again = np.where(np.array(BETWEEN)[:, None] < held_bytes, 8e4 * hit, 8e4) * np.ones(15)
    at_once = np.full(200, 8e4 * hit if held_bytes else 8e4)
    return RereadTimes(noisy(np.full(200, 8e4), sigma), noisy(at_once, sigma, 2), BETWEEN, noisy(again, sigma, 3))


@pytest.mark.parametrize("sigma", [0.02, 0.25])
@pytest.mark.parametrize("held_bytes", [256 * KIB, MIB, 32 * MIB])
def test_a_read_buffer_is_as_large_as_what_may_be_read_in_between(held_bytes: int, sigma: float) -> None:
    found = by_name(read_buffer(rereads(held_bytes, 0.2, sigma)))
    assert (found["read_buffer.present"].value, found["read_buffer.present"].grade) == (Presence.YES.value, Grade.A)
    size = found["read_buffer.size"]
    assert size.interval is not None
    assert size.interval.low < held_bytes <= size.interval.high
    assert size.grade in {Grade.A, Grade.B}


def test_without_a_read_buffer_reading_again_takes_as_long() -> None:
    found = by_name(read_buffer(rereads(0, 1.0, 0.25)))
    assert (found["read_buffer.present"].value, found["read_buffer.size"].grade) == (Presence.NO.value, Grade.NONE)


def test_mappings_that_are_kept_one_by_one_are_not_taken_for_a_read_buffer() -> None:
    # The first reading has to fetch the mapping with a read of flash, and the second one reads flash all the same.
    found = by_name(read_buffer(rereads(1 << 40, 0.54, 0.1)))
    assert (found["read_buffer.present"].grade, found["read_buffer.size"].grade) == (Grade.NONE, Grade.NONE)


def test_a_buffer_far_faster_than_flash_is_one_however_large_it_is() -> None:
    present = by_name(read_buffer(rereads(1 << 40, 0.2, 0.1)))["read_buffer.present"]
    assert (present.value, present.grade) == (Presence.YES.value, Grade.A)


def test_a_read_buffer_larger_than_what_was_read_has_no_size() -> None:
    found = by_name(read_buffer(rereads(1 << 40, 0.2, 0.1)))
    assert found["read_buffer.size"].grade is Grade.NONE


SILENCES_NS = tuple(16 * NS_PER_MS << power for power in range(10))


def silences(window_s: float | None, sigma: float, seed: int = 1) -> SilenceTimes:
    """Flushes of 2 ms that cost half of it once the drive has written by itself."""
    left = np.array([window_s is None or one / 1e9 < window_s for one in SILENCES_NS])
    return SilenceTimes(SILENCES_NS, noisy(np.where(left, 2e6, 1e6)[:, None, None] * np.ones((4, 2)), sigma, seed))


@pytest.mark.parametrize("sigma", [0.02, 0.1, 0.25])
@pytest.mark.parametrize("window_s", [0.1, 5.0])
def test_flushes_cost_less_after_the_window(window_s: float, sigma: float) -> None:
    answer = flush_window(silences(window_s, sigma))
    assert answer.interval is not None
    assert answer.interval.low < window_s < answer.interval.high
    assert answer.grade in {Grade.A, Grade.B}


@pytest.mark.parametrize("sigma", [0.02, 0.25])
def test_flushes_that_always_cost_the_same_tell_of_no_window(sigma: float) -> None:
    assert flush_window(silences(None, sigma)).grade is Grade.NONE


def test_cheap_flushes_that_get_cheaper_write_out_nothing() -> None:
    """They never cost as much as a program of the flash, so what they save is none."""
    times = silences(5.0, 0.02)
    assert flush_window(SilenceTimes(times.silence_ns, times.flush_ns / 100)).grade is Grade.NONE


def test_of_many_silences_one_that_is_lower_by_chance_is_no_window() -> None:
    found = [flush_window(silences(None, 0.25, seed)) for seed in range(200)]
    assert sum(one.grade is not Grade.NONE for one in found) <= 1
    assert not any(one.grade is Grade.A for one in found)


@pytest.mark.parametrize("seed", [227, 258, 342, 358, 2146])
def test_flushes_half_of_which_cost_nearly_the_same_by_chance_are_no_less_noisy(seed: int) -> None:
    """In 8 of 2,500 such sets of flushes a window was seen, in these with grade B."""
    assert flush_window(silences(None, 0.25, seed)).grade is Grade.NONE


def weak_falls(window_s: float) -> list[Answer]:
    """Flushes that cost only a fifth less after it, under as much noise as on the worst of known drives."""
    left = np.array([one / 1e9 < window_s for one in SILENCES_NS])
    level_ns = np.where(left, 2e6, 1.6e6)[:, None, None] * np.ones((4, 2))
    return [flush_window(SilenceTimes(SILENCES_NS, noisy(level_ns, 0.25, seed))) for seed in range(200)]


def test_an_interval_of_a_weak_fall_holds_the_window_and_a_wide_one_is_a_hint() -> None:
    """With 95 % of the likelihood ratio each of these windows was missed by some 6 of 100 such intervals."""
    said = [
        (window_s, one.interval, one.grade)
        for window_s in (0.1, 0.3, 2.5)
        for one in weak_falls(window_s)
        if one.interval is not None
    ]
    held = [interval for window_s, interval, _ in said if interval.low < window_s < interval.high]
    assert len(said) > 100
    assert len(held) > 0.97 * len(said)
    assert all((grade is Grade.C) == (interval.high > 10 * interval.low) for _, interval, grade in said)


def test_flushes_that_grow_cheaper_as_time_goes_by_tell_of_no_window() -> None:
    """A cache comes back in the second round; what came before and after it was asked in another order each time."""
    times = silences(None, 0.02)
    falls = np.ones((10, 4, 2))
    falls[[0, 3, 5, 8], 1] = falls[:, 2:] = 0.3
    assert flush_window(SilenceTimes(times.silence_ns, times.flush_ns * falls)).grade is Grade.NONE
