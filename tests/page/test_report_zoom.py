"""Points of zoomable charts: packed without loss but for digits nobody sees, and thinned as far as a page of several runs must be."""

import base64
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.figure.kit.model import AxisScale, LongChart, LongSeries
from ssdlab.report.zoom import LEVELS, Room, ZoomChart, packed


def unpacked(data: bytes, counts: list[int]) -> list[list[float]]:
    """As the script of the page does it: line by line positions, then values."""
    raw, found = zlib.decompress(data), []
    for count in np.repeat(counts, 2).tolist():
        part, raw = raw[: 4 * count], raw[4 * count :]
        found.append([struct.unpack("<f", bytes(part[at::count]))[0] for at in range(count)])
    assert raw == b""
    return found


def chart(lines: int, points: int, seed: int = 1) -> LongChart:
    """Noise: the least that can be packed."""
    random = np.random.default_rng(seed)
    series = [
        LongSeries(str(slot), slot, np.sort(random.uniform(0, 1e5, points)), random.uniform(1, 9e3, points))
        for slot in range(1, lines + 1)
    ]
    return LongChart("time (s)", "speed (MB/s)", AxisScale.LINEAR, "every window", tuple(series))


@given(st.lists(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20), min_size=1, max_size=3))
def test_what_is_packed_is_there_to_five_digits(lines: list[list[float]]) -> None:
    pairs = [(np.arange(len(line), dtype=np.float64) / 10, np.array(line)) for line in lines]

    found = unpacked(packed(pairs), [len(line) for line in lines])

    for (x, y), positions, values in zip(pairs, found[::2], found[1::2], strict=True):
        assert positions == pytest.approx(x.tolist(), rel=1e-7)
        # The script reads five digits.
        assert [float(f"{one:.5g}") for one in values] == pytest.approx(y.tolist(), rel=5.1e-5, abs=1e-30)


@pytest.mark.parametrize("power", range(-9, 10))
def test_numbers_of_five_digits_come_back_as_they_were(power: int) -> None:
    wanted = [float(f"{digits}e{power}") for digits in range(10_000, 100_000, 7)]
    (_, values) = unpacked(packed([(np.zeros(len(wanted)), np.array(wanted))]), [len(wanted)])

    assert [float(f"{one:.5g}") for one in values] == wanted


def test_values_are_rounded_as_a_file_with_five_digits_has_them() -> None:
    measured = [1290.25, 9999.96, 12_207.03125, 58.125, 0.12345678]
    (_, values) = unpacked(packed([(np.zeros(len(measured)), np.array(measured))]), [len(measured)])

    assert [f"{one:.5g}" for one in values] == [f"{one:.5g}" for one in measured]


def test_what_is_no_number_stays_none() -> None:
    (_, values) = unpacked(packed([(np.zeros(3), np.array([1.0, np.nan, 3.0]))]), [3])

    assert [np.isnan(one) for one in values] == [False, True, False]


def test_one_run_has_every_point_of_its_figures() -> None:
    room = Room(None)
    shown = [room.add(chart(4, 40_000)) for _ in range(3)]

    assert {one["count"] for each in shown for one in each.data["series"]} == {40_000}
    assert shown[0].note == "every window"


def weight(charts: list[ZoomChart]) -> int:
    return sum(len(one.data["points"]) for one in charts)


def test_charts_of_several_runs_are_thinned_until_they_fit() -> None:
    room = Room(500_000)
    shown = [room.add(chart(5, 40_000, seed)) for seed in range(2)]

    kept = shown[0].data["series"][0]["count"]
    assert 5_000 <= kept < 40_000
    assert kept in LEVELS
    assert weight(shown) <= 500_000
    assert str(shown[0].note) == f"slowest and fastest of each of {kept // 2:,} slices of a line"


def test_few_windows_stay_whole_among_many_runs() -> None:
    room = Room(500_000)
    shown = [room.add(chart(1, 700, seed)) for seed in range(40)]

    assert {one.data["series"][0]["count"] for one in shown} == {700}


def test_a_line_keeps_more_points_than_a_screen_has_whatever_the_room() -> None:
    room = Room(1)

    assert room.add(chart(2, 40_000)).data["series"][0]["count"] == LEVELS[-1]


def test_the_speed_of_a_drive_takes_a_third_of_what_noise_does() -> None:
    time = np.arange(10_000) / 10
    speed = np.where(time < 300, 6_000.0, 1_500.0) + np.random.default_rng(1).normal(0, 10, len(time)).round()
    text = base64.b64encode(packed([(time, speed)]))

    assert len(text) < 10_000 * 8 * 4 / 3 / 3
