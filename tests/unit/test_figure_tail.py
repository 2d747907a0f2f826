"""The tail figure: where points stand, what it refuses, and what its picture shows."""

import re
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab import _core
from ssdlab.figure.kit.latency_axis import latency_axis, latency_text
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.tail import (
    TailCurve,
    TailWords,
    curve_of_bins,
    curve_of_percentiles,
    height_in_nines,
    latency_at,
    percent_grid,
    tail_figure,
)
from ssdlab.message import message, verbatim
from ssdlab.report.render import render_svg
from ssdlab.unknown import Unknown

WORDS = TailWords("tail", "Latency by percentile", ("two logs",), "caption", message("figure-completion-latency"))


def binned(latencies_ns: list[int], label: str = "drive") -> TailCurve:
    index, count = np.unique([_core.bin_index(one) for one in latencies_ns], return_counts=True)
    return curve_of_bins(label, 1234.0, index, count)


def svg_of(*curves: TailCurve) -> str:
    return render_svg(tail_figure(curves, WORDS).spec)


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]+)</text>", svg)


def test_equal_steps_per_nine_and_linear_below_ninety_percent() -> None:
    below = np.array([0.0, 0.45, 0.9, 0.99, 0.999, 0.999999])
    above = np.array([1.0, 0.55, 0.1, 0.01, 0.001, 0.000001])
    assert height_in_nines(below, above).tolist() == pytest.approx([0, 0.5, 1, 2, 3, 6])


@given(st.lists(st.integers(128, 10**9), min_size=12, max_size=400))
def test_a_curve_of_bins_has_the_percentiles_of_its_histogram(latencies_ns: list[int]) -> None:
    curve = binned(latencies_ns)
    ordered = sorted(latencies_ns)
    for percent, share in (("50", 0.5), ("90", 0.9), ("99", 0.99)):
        rank = ceil(round(share * len(ordered), 9))
        found = latency_at(curve, percent)
        if len(ordered) - rank >= 10:
            assert found == _core.bin_mid(_core.bin_index(ordered[rank - 1]))


def test_a_curve_ends_where_fewer_than_ten_ios_lie_above() -> None:
    latencies = [1000 * one for one in range(1, 1001)]
    curve = binned(latencies)
    assert curve.nines[-1] == pytest.approx(2.0)
    assert latency_at(curve, "99") is not None
    assert latency_at(curve, "99.9") is None


def test_the_last_bin_has_no_upper_end_and_is_not_drawn() -> None:
    curve = curve_of_bins("slow", 1.0, np.array([700, _core.BIN_COUNT - 1]), np.array([100, 100]))
    assert curve.latency_ns.max() == _core.bin_mid(700)


def test_exact_percentiles_become_a_curve_without_the_unknown_ones() -> None:
    percent = np.array([0.0, 50.0, 90.0, 99.0, 99.9])
    curve = curve_of_percentiles("log", 5.0, percent, np.array([10.0, 20.0, 30.0, 40.0, np.nan]))
    assert [latency_at(curve, one) for one in ("50", "90", "99", "99.9")] == [20.0, 30.0, 40.0, None]


def test_the_grid_of_percentiles_holds_every_nine() -> None:
    grid = percent_grid()
    assert {0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999} <= set(grid)
    assert list(grid) == sorted(set(grid))
    assert max(grid) == 99.9999


@pytest.fixture(scope="module")
def figure() -> Figure:
    fast = [50_000 + 17 * one for one in range(9_000)] + [700_000 + 1_000 * one for one in range(200)]
    slow = [90_000 + 23 * one for one in range(9_000)] + [40_000_000] * 50
    return tail_figure([binned(fast, "a.log"), binned(slow, "b.log")], WORDS)


@pytest.fixture(scope="module")
def svg(figure: Figure) -> str:
    return render_svg(figure.spec)


def test_the_picture_names_its_axes_with_ticks_in_units(svg: str) -> None:
    shown = texts(svg)
    assert {"percentile of I/Os", "completion latency (log scale)"} <= set(shown)
    assert [one for one in shown if re.fullmatch(r"[\d.]+", one)] == snapshot(["0", "90", "99", "99.9"])
    assert [one for one in shown if one.endswith((" µs", " ms"))] == snapshot(
        [
            "1 µs",
            "2 µs",
            "5 µs",
            "10 µs",
            "20 µs",
            "50 µs",
            "100 µs",
            "200 µs",
            "500 µs",
            "1 ms",
            "2 ms",
            "5 ms",
            "10 ms",
            "20 ms",
            "50 ms",
        ]
    )


def test_the_legend_has_the_iops_of_every_line(svg: str) -> None:
    assert {"a.log: 1,234 IOPS", "b.log: 1,234 IOPS"} <= set(texts(svg))


def test_each_line_has_its_symbols_described(svg: str) -> None:
    described = re.findall(r'aria-label="([^"]*latency at[^"]*)"', svg)
    assert described == snapshot(
        [
            "a.log: completion latency at 90 %: 191 µs",
            "a.log: completion latency at 99 %: 807 µs",
            "b.log: completion latency at 90 %: 276 µs",
            "b.log: completion latency at 99 %: 297 µs",
        ]
    )


def test_no_slope_is_drawn_where_no_io_was(figure: Figure) -> None:
    lines = next(layer for layer in figure.spec["layer"] if layer["name"] == "tails")
    assert lines["mark"]["interpolate"] == "step-after"


def test_the_table_has_what_the_picture_shows(figure: Figure) -> None:
    assert [column.title for column in figure.table.columns][:4] == ["line", "IOPS", "50 %", "90 %"]
    assert figure.table.rows[0][:2] == ("a.log", "1,234")
    assert figure.table.rows[0][-1] == "too few I/Os above"


def test_it_renders_as_narrow_as_a_phone(figure: Figure) -> None:
    assert {"100 µs", "1 ms"} <= set(texts(render_svg(figure.narrow_spec)))


def test_the_axis_reaches_from_1_us_to_10_ms_and_grows_to_the_data() -> None:
    shown = texts(svg_of(binned([50_000] * 200)))
    assert ("1 µs" in shown, "10 ms" in shown, "20 ms" in shown) == (True, True, False)
    assert "500 ns" in texts(svg_of(binned([600] * 200)))


def test_eight_lines_are_told_apart_and_nine_refused() -> None:
    curves = [binned([20_000 * (one + 1)] * 200, f"log {one}") for one in range(9)]
    assert len({one for one in texts(svg_of(*curves[:8])) if one.startswith("log ")}) == 8
    with pytest.raises(ValueError, match="9 curves"):
        tail_figure(curves, WORDS)


def test_a_line_without_known_iops_says_none() -> None:
    curve = curve_of_bins("log", Unknown(verbatim("too short")), np.array([700]), np.array([100]))
    assert "log" in texts(svg_of(curve))


def test_lines_that_all_have_too_few_ios_are_refused() -> None:
    with pytest.raises(ValueError, match="0 curves"):
        tail_figure([binned([5_000] * 9)], WORDS)


@pytest.mark.parametrize(
    ("latency_ns", "text"),
    [(850, "850 ns"), (8_460, "8.46 µs"), (84_600, "84.6 µs"), (8_460_000, "8.46 ms"), (2_500_000_000, "2.50 s")],
)
def test_a_latency_is_written_with_three_digits(latency_ns: float, text: str) -> None:
    assert latency_text(latency_ns) == text


def test_a_latency_axis_of_one_value_still_has_two_ends() -> None:
    axis = latency_axis("x", 50_000, 50_000, 400)
    assert axis.low <= 50 < axis.high
    assert len(axis.ticks) >= 2
