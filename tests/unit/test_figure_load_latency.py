"""Latency at offered rates as a figure, of one drive and of several."""

import re
from dataclasses import dataclass, replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, layer, panel_titles, rows, texts
from tests.kit.load_drives import constant_drive, loads, metrics_of, number, run_on

from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.load_latency import load_latency
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.message import duration, message
from ssdlab.report.first_screen.hero import hero_of
from ssdlab.report.first_screen.screen import first_screen
from ssdlab.report.suite_numbers import suite_numbers

SUITE = loads(ios=20_000, mix=("read", "r70w30"))


@dataclass(frozen=True, slots=True)
class OnPage:
    """A figure on a page."""

    figure: Figure


@pytest.fixture(scope="module")
def constant(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(), SUITE, tmp_path_factory.mktemp("constant"))


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    spec = constant_drive(dies=4).replace('name = "constant"', 'name = "wide"')
    return run_on(spec, SUITE, tmp_path_factory.mktemp("wide"))


@pytest.fixture(scope="module")
def alone(constant: Bundle) -> Figure:
    (figure,) = load_latency([constant])
    return figure


@pytest.fixture(scope="module")
def beside(constant: Bundle, wide: Bundle) -> Figure:
    (figure,) = load_latency([constant, wide])
    return figure


def test_one_drive_has_a_plot_a_mix_and_a_line_a_percentile(alone: Figure) -> None:
    assert panel_titles(alone) == ["read", "70/30 mix"]
    assert axes(alone) == snapshot([("offered rate (IOPS)", "response latency (log scale)")] * 2)
    assert {row["label"] for row in rows(alone, "key-plot0")} == {"50 %", "99 %", "99.9 %"}


def test_every_known_latency_up_to_three_times_the_largest_limit_is_a_point(alone: Figure, constant: Bundle) -> None:
    known = metrics_of(constant)
    expected = sorted(
        (number(known, f"{step.name}.offered_iops"), found / 1000)
        for step in constant.steps
        if step.name.startswith("load_latency.read.load")
        and isinstance(found := known[f"{step.name}.response_p99_9"].value, int | float)
        and found <= 30_000_000
    )
    drawn = sorted((row["x"], row["y"]) for row in rows(alone, "key-plot0") if row["label"] == "99.9 %")
    assert len(drawn) > 10
    assert drawn == [(pytest.approx(x, rel=1e-4), pytest.approx(y, rel=1e-4)) for x, y in expected]


def test_the_limits_are_dashed_lines_with_their_values(alone: Figure) -> None:
    for plot in ("key-limits0", "key-limits1"):
        assert [row["y"] for row in rows(alone, plot)] == [200, 1000, 10_000]
        assert layer(alone, plot)["mark"]["strokeDash"]
    assert {"200 µs", "1 ms", "10 ms"} <= set(texts(alone))


def test_the_subtitle_tells_the_rate_within_the_middle_limit(alone: Figure, constant: Bundle) -> None:
    assert "99.9 % within 1 ms: read 4" in alone.subtitle[0]


def test_the_table_tells_at_each_rate_how_late_the_host_was_and_what_it_never_submitted(constant: Bundle) -> None:
    told = {"load50.late_p99": 12_500, "load90.unsubmitted": 1234}
    changed = [
        replace(metric, value=told.get(metric.name.removeprefix("load_latency.read."), metric.value))
        for metric in constant.metrics
    ]
    (figure,) = load_latency([replace(constant, metrics=tuple(changed))])
    assert figure.table is not None
    assert [str(one.title) for one in figure.table.columns[-2:]] == ["submitted late at 99 %", "never submitted"]
    found = {row[2]: row[-2:] for row in figure.table.rows if row[1] == "read"}
    known = metrics_of(constant)
    rates = [f"{number(known, f'load_latency.read.load{load}.offered_iops'):,.0f}" for load in (10, 50, 90)]
    assert [found[rate] for rate in rates] == [("0.0", "0"), ("12.5", "0"), ("0.0", "1,234")]


def test_a_bar_that_spans_the_plot_is_a_stump_with_arrows_whose_ends_are_in_the_tip(constant: Bundle) -> None:
    """Overloaded, a latency may be anything from the fastest to the longest."""
    changed = [
        replace(metric, low=metric.value / 50, high=metric.value * 50)
        if metric.name.endswith(".response_p99_9") and isinstance(metric.value, int | float)
        else metric
        for metric in constant.metrics
    ]
    (figure,) = load_latency([replace(constant, metrics=tuple(changed))])
    bars = rows(figure, "plot0-intervals")
    assert bars
    assert max(bar["high"] / bar["low"] for bar in bars) < 4
    for end in ("low", "high"):
        assert rows(figure, f"plot0-arrows-{end}")
    tips = [row["words"] for row in rows(figure, "key-plot0") if row["label"] == "99.9 %"]
    assert tips
    assert all(re.search(r", 95 % interval [\d.,]+ .?s to [\d.,]+ m?s", tip) for tip in tips)


def test_several_drives_have_a_line_each(beside: Figure) -> None:
    assert {row["label"] for row in rows(beside, "key-plot0")} == {"ssdlab constant", "ssdlab wide"}


def test_every_mark_is_inside_its_plot(alone: Figure, beside: Figure) -> None:
    for figure in (alone, beside):
        assert_whole(figure)
        assert_inside_axes(figure)


def test_a_run_and_a_comparison_have_it(constant: Bundle, wide: Bundle) -> None:
    assert "load-latency" in [one.name for one in figures_for(constant)]
    assert "load-latency" in [one.name for one in figures_comparing([constant, wide])]


def test_drives_are_told_apart_by_the_rates_within_the_limits_and_the_latency_at_half_load(constant: Bundle) -> None:
    assert [str(one.label) for one in suite_numbers([constant]) if "load_latency" in one.metric.name][:4] == snapshot(
        [
            "read IOPS at p99.9 ≤ 200 µs",
            "read IOPS at p99.9 ≤ 1 ms",
            "read IOPS at p99.9 ≤ 10 ms",
            "read: response latency at half of the saturation, 99.9 %",
        ]
    )


def test_a_page_says_first_at_how_many_rates_the_host_was_the_slower_one(constant: Bundle) -> None:
    late = message("metric-generator-late", late=duration(73_900_000))
    named = ("load_latency.read.load50.response_mean", "load_latency.r70w30.load90.response_mean")
    metrics = tuple(replace(one, note=late) if one.name in named else one for one in constant.metrics)
    published = replace(constant.run, suite=replace(constant.run.suite, name="load-latency"))
    found = [
        str(first_screen([replace(constant, run=published, metrics=kept)]).verdict[0])
        for kept in (metrics, constant.metrics)
    ]
    offered = sum(".offered_iops" in one.name for one in metrics)
    assert f"At 2 of {offered} offered rates the host itself submitted late" in found[0]
    assert "submitted late" not in found[1]


def test_a_page_of_the_suite_begins_with_its_figure_and_the_rates_within_the_middle_limit(constant: Bundle) -> None:
    published = replace(constant.run, suite=replace(constant.run.suite, name="load-latency"))
    screen = first_screen([replace(constant, run=published)])
    assert [str(tile.label) for tile in screen.tiles] == snapshot(
        [
            "read IOPS at p99.9 ≤ 1 ms",
            "70/30 mix IOPS at p99.9 ≤ 1 ms",
            "read: response latency at half of the saturation, 99.9 %",
            "70/30 mix: response latency at half of the saturation, 99.9 %",
        ]
    )
    verdict = " ".join(str(sentence) for sentence in screen.verdict)
    assert [str(tile.metric.inline) in verdict for tile in screen.tiles[:2]] == [True, True]
    drawn = [OnPage(figure) for figure in figures_for(constant)]
    shown = hero_of(drawn, "load-latency")
    assert shown is not None
    assert (drawn[0].figure.name, shown.figure.name) == ("bandwidth-over-bytes", "load-latency")
