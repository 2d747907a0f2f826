"""Spare and heat: estimators on made-up passes and temperatures, with and without what they look for."""

import numpy as np
import pytest

from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.probes.spare import NotCounted, WrittenPass, spare, spare_share
from ssdlab.probe.probes.thermal import HeatTimes, thermal


def by_name(answers: tuple[Answer, ...]) -> dict[str, Answer]:
    return {one.name: one for one in answers}


@pytest.mark.parametrize(("amplification", "share"), [(6.24, 0.09), (2.38, 0.30)])
def test_spare_follows_from_amplification_as_published(amplification: float, share: float) -> None:
    """Two drives of an early model of the lab, of 9 % and 30 %."""
    assert spare_share(amplification) == pytest.approx(share, rel=0.03)


def passes(*amplifications: float) -> list[WrittenPass]:
    return [WrittenPass(1e9 / one, one) for one in amplifications]


def test_a_steady_drive_shows_its_spare_with_an_interval() -> None:
    answer = by_name(spare(passes(1.0)[0], passes(4.6, 4.94, 4.95)))["spare.share"]
    assert answer.interval is not None
    assert answer.interval.low < 0.117 < answer.interval.high
    assert answer.grade is Grade.B


def test_a_drive_that_is_not_steady_shows_nothing() -> None:
    assert by_name(spare(passes(1.0)[0], passes(2.0, 3.0, 4.0)))["spare.share"].grade is Grade.NONE


def test_writes_that_are_padded_tell_nothing_of_spare() -> None:
    found = by_name(spare(passes(17.0)[0], passes(20.5, 20.7, 20.7)))
    assert found["spare.share"].grade is Grade.NONE
    assert found["spare.amplification"].value == 20.7


def test_without_counters_there_is_only_how_much_slower_it_got() -> None:
    uncounted = [WrittenPass(speed, NotCounted.NO_COUNTER) for speed in (4e8, 1e8, 1e8)]
    found = by_name(spare(uncounted[0], uncounted))
    assert (found["spare.share"].grade, found["spare.slowdown"].value) == (Grade.NONE, 4.0)


def read_for(seconds: int, start_c: float, limit: tuple[float, float] | None, sigma: float, seed: int = 1) -> HeatTimes:
    """A drive that strives for 95 degrees while whole and for 50 while slowed down, with a minute's lag."""
    random = np.random.default_rng(seed)
    temperature, speed, now_c, slow = [], [], start_c, False
    for _ in range(seconds * 10):
        now_c += ((50.0 if slow else 95.0) - now_c) * 0.1 / 60
        if limit is not None:
            slow = now_c >= limit[0] or (slow and now_c >= limit[1])
        temperature.append(now_c)
        speed.append((2e9 if slow else 5e9) * np.exp(sigma * random.standard_normal()))
    return HeatTimes(np.arange(1, len(speed) + 1) / 10, np.array(speed), np.array(temperature))


@pytest.mark.parametrize("sigma", [0.01, 0.05])
def test_a_drive_slows_down_at_one_temperature_and_goes_on_at_a_lower_one(sigma: float) -> None:
    stretches = [read_for(5, 35, (75, 68), sigma), read_for(300, 38, (75, 68), sigma), read_for(5, 40, (75, 68), sigma)]
    found = by_name(thermal(*stretches))
    for name, truth in (("thermal.onset", 75.0), ("thermal.recovery", 68.0)):
        interval = found[name].interval
        assert interval is not None
        assert interval.low < truth < interval.high
        assert found[name].grade is Grade.A
    assert found["thermal.speed_share"].value == pytest.approx(0.4, rel=0.02)


def test_a_drive_that_is_as_fast_when_hot_has_no_limit() -> None:
    stretches = [read_for(5, 35, None, 0.05), read_for(300, 38, None, 0.05), read_for(5, 40, None, 0.05)]
    assert by_name(thermal(*stretches))["thermal.onset"].grade is Grade.NONE


def test_reads_that_stay_slow_on_a_cool_drive_are_not_slowed_down_by_heat() -> None:
    after = read_for(5, 40, (0, 0), 0.01)
    assert (
        by_name(thermal(read_for(5, 35, None, 0.01), read_for(300, 38, (75, 68), 0.01), after))["thermal.onset"].grade
        is Grade.NONE
    )


def test_without_a_sensor_there_is_no_answer() -> None:
    blind = HeatTimes(np.arange(50) / 10, np.full(50, 1e9), np.full(50, np.nan))
    assert by_name(thermal(blind, blind, blind))["thermal.onset"].grade is Grade.NONE
