"""Measured values are printed with the digits that mean something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.units import MIB, format_interval, format_quantity


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (12_200 * MIB, "B/s", "12,200 MiB/s"),
        (520.04 * MIB, "B/s", "520.0 MiB/s"),
        (0.0, "B/s", "0 MiB/s"),
        (250e9, "B", "232.8 GiB (250.0 GB)"),
        (64 * MIB, "B", "64 MiB"),
        (512, "B", "512 B"),
        (541.26, "s", "541.3 s"),
        (701.3, "s", "11 min 41 s"),
        (7199.9, "s", "2 h 0 min"),
        (12_345, "s", "3 h 26 min"),
        (21.1e6, "ns", "21.10 ms"),
        (80_000, "ns", "80.00 µs"),
        (290_773.4, "1/s", "290,800 IOPS"),
        (98.51, "%", "98.51 %"),
        (3.2, "", "3.200"),
        (7, "GiB/W", "7.000 GiB/W"),
    ],
)
def test_a_value_without_an_interval_has_four_digits(value: float, unit: str, text: str) -> None:
    assert format_quantity(value, unit) == text


@pytest.mark.parametrize(
    ("half_width", "text", "interval"),
    [
        (20, "12,200 MiB/s", "12,180 to 12,220 MiB/s"),
        (300, "12,200 MiB/s", "11,900 to 12,500 MiB/s"),
        (3000, "12,000 MiB/s", "9,000 to 15,000 MiB/s"),
        (0.02, "12,200 MiB/s", "12,200 to 12,200 MiB/s"),
    ],
)
def test_an_interval_decides_how_many_digits_are_shown(half_width: float, text: str, interval: str) -> None:
    low, high = (12_200 - half_width) * MIB, (12_200 + half_width) * MIB

    assert format_quantity(12_200 * MIB, "B/s", low, high) == text
    assert format_interval(12_200 * MIB, "B/s", low, high) == interval


@given(st.floats(1e-3, 1e15), st.sampled_from(["B", "B/s", "1/s", "%", "ns"]))
def test_what_is_printed_is_near_what_was_measured(value: float, unit: str) -> None:
    printed = format_quantity(value, unit).partition(" (")[0]

    number, _, shown_unit = printed.partition(" ")
    factors = {"TiB": 2**40, "GiB": 2**30, "MiB": 2**20, "KiB": 2**10, "MiB/s": 2**20, "s": 1e9, "ms": 1e6, "µs": 1e3}
    read_back = float(number.replace(",", "")) * factors.get(shown_unit, 1)
    tolerance = 0.5 if shown_unit == "B" else value * 6e-4
    assert abs(read_back - value) <= tolerance
