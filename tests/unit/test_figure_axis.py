"""Axes: ticks a reader expects, and positions that agree with the picture."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab.figure.kit.axis import clock_unit, latency_unit, linear_axis, log_axis, size_unit
from ssdlab.units import GIB, MIB, NS_PER_MS, NS_PER_S


def test_a_drive_of_one_terabyte_has_a_tick_every_100_gib() -> None:
    axis = linear_axis("written (GiB)", 931.5, 860, 10, round_up=False)

    assert axis.ticks == snapshot((0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0, 900.0))
    assert axis.high == 931.5


def test_an_axis_of_bandwidth_ends_above_the_fastest_window() -> None:
    axis = linear_axis("bandwidth (MiB/s)", 13_301.0, 400, 7, round_up=True)

    assert axis.high == snapshot(14000.0)
    assert axis.ticks[-1] == axis.high


def test_a_log_axis_has_ticks_at_1_2_5() -> None:
    axis = log_axis("latency (ms)", 2.4, 190.0, 400)

    assert axis.ticks == snapshot((2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0))


def test_a_log_axis_over_many_decades_has_one_tick_a_decade() -> None:
    assert log_axis("latency (ms)", 0.02, 9000.0, 400).ticks == snapshot((0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0))


@given(st.floats(1e-3, 1e9), st.floats(1, 1e4))
def test_a_log_axis_holds_all_its_values(low: float, ratio: float) -> None:
    axis = log_axis("x", low, low * ratio, 400)

    assert axis.low <= low * (1 + 1e-12)
    assert axis.high >= low * ratio * (1 - 1e-12)
    assert len(axis.ticks) >= 2


@given(st.floats(1e-15, 1e15), st.integers(3, 12))
def test_a_linear_axis_holds_all_its_values(high: float, ticks: int) -> None:
    axis = linear_axis("x", high, 400, ticks, round_up=True)

    assert axis.high >= high * (1 - 1e-9)
    assert 2 <= len(axis.ticks) <= ticks + 2


@given(st.floats(1e-15, 1e15), st.integers(2, 12))
def test_each_tick_of_a_linear_axis_is_another_one_and_printed_in_a_few_digits(high: float, count: int) -> None:
    ticks = linear_axis("x", high, 400, count, round_up=True).ticks

    assert all(low < high for low, high in pairwise(ticks))
    assert all(len(f"{tick:e}".partition("e")[0].rstrip("0")) <= 5 for tick in ticks)


def test_an_axis_of_nothing_but_zeros_goes_to_one() -> None:
    axis = linear_axis("bandwidth (MiB/s)", 0.0, 400, 4, round_up=False)

    assert axis.high == 1
    assert axis.ticks == snapshot((0.0, 0.25, 0.5, 0.75, 1.0))


@given(st.floats(0, 400))
def test_pixel_and_value_are_inverse(px: float) -> None:
    for axis in (linear_axis("x", 931.5, 400, 10, round_up=False), log_axis("x", 2.0, 5000.0, 400)):
        assert float(axis.px(axis.value(px))) == pytest.approx(px, abs=1e-6)


def test_units_follow_the_size_of_what_is_shown() -> None:
    assert size_unit(1e12).label == "GiB"
    assert size_unit(64 * MIB).label == "MiB"
    assert size_unit(4 * GIB).label == "GiB"
    assert [clock_unit(seconds * NS_PER_S).label for seconds in (0.5, 900, 7200, 90_000)] == ["ms", "s", "min", "h"]
    assert [latency_unit(ns).label for ns in (80_000, 20 * NS_PER_MS)] == ["µs", "ms"]
