"""The three figures of a fill (METHODS C2)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.sample_bundle import (
    FLAT,
    PASS_1,
    PASS_2,
    run_info,
    series_of,
    windows_of,
    write_interrupted,
    write_killed,
    write_one_pass,
    write_whole,
)

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.figure.kit.model import AxisScale, Figure
from ssdlab.figure.kit.passes import fill_passes
from ssdlab.figure.registry import figures_for

CAPACITY_BYTES = 10**12


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return open_bundle(write_whole(tmp_path_factory.mktemp("whole") / "run"))


@pytest.fixture(scope="module")
def figures(whole: Bundle) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures_for(whole)}


def layer(figure: Figure, name: str) -> dict[str, Any]:
    (found,) = [one for one in figure.spec["layer"] if one["name"] == name]
    return dict(found)


def rows(figure: Figure, name: str) -> list[dict[str, Any]]:
    return list(layer(figure, name)["data"]["values"])


def texts(figure: Figure) -> list[str]:
    """All labels, lines of one joined."""
    found = [
        row["text"] for one in figure.spec["layer"] if one["mark"]["type"] == "text" for row in one["data"]["values"]
    ]
    return sorted({text if isinstance(text, str) else " ".join(text) for text in found})


def titles(figure: Figure) -> list[str]:
    encoding = layer(figure, "windows-mean")["encoding"]
    return [encoding[channel]["axis"]["title"] for channel in ("x", "y")]


def test_a_finished_run_has_three_figures(figures: dict[str, Figure]) -> None:
    assert list(figures) == snapshot(["bandwidth-over-bytes", "bandwidth-over-time", "latency-over-time"])


def test_every_axis_names_its_unit(figures: dict[str, Figure]) -> None:
    assert {name: titles(figure) for name, figure in figures.items()} == snapshot(
        {
            "bandwidth-over-bytes": ["written in the pass (GiB)", "write bandwidth (MiB/s)"],
            "bandwidth-over-time": ["time since the first pass began (s)", "write bandwidth (MiB/s)"],
            "latency-over-time": ["time since the first pass began (s)", "write completion latency (ms, log scale)"],
        }
    )


def test_every_figure_names_the_drive_and_its_state(figures: dict[str, Figure]) -> None:
    assert {figure.subtitle for figure in figures.values()} == snapshot(
        {("Lab PM1 1TB · 1.00 TB · drive state: FOB, then filled once",)}
    )


def test_a_quick_profile_is_marked_on_every_figure(tmp_path: Path) -> None:
    info = replace(run_info(CAPACITY_BYTES), profile="quick", comparable=False)

    figures = figures_for(open_bundle(write_whole(tmp_path / "run", info)))

    for figure in figures:
        assert "quick profile: not comparable" in figure.subtitle
        assert "quick profile: not comparable" in figure.spec["title"]["subtitle"]
        assert "not comparable" in " ".join(figure.narrow_spec["title"]["subtitle"])


def test_plateaus_and_cache_are_labelled_from_the_metrics(figures: dict[str, Figure]) -> None:
    assert texts(figures["bandwidth-over-bytes"]) == snapshot(
        [
            "pass 1: cache 233 GiB at 12,200 MiB/s",
            "pass 1: direct 1,500 MiB/s",
            "pass 1: folding 1,200 MiB/s",
            "pass 2: cache 41.0 GiB at 11,600 MiB/s",
            "pass 2: direct 1,480 MiB/s",
            "pass 2: folding 1,190 MiB/s",
        ]
    )


def test_the_end_of_each_cache_is_marked_where_the_metric_says(figures: dict[str, Figure]) -> None:
    points = rows(figures["bandwidth-over-bytes"], "key-points")

    assert [point["x"] for point in points] == pytest.approx([250e9 / 1024**3, 44e9 / 1024**3], rel=1e-5)
    assert [point["words"] for point in points] == snapshot(
        ["pass 1: the cache ends after 233 GiB", "pass 2: the cache ends after 41.0 GiB"]
    )


def test_a_plateau_is_drawn_over_the_stretch_it_was_measured_on(figures: dict[str, Figure]) -> None:
    levels = {row["words"]: row for row in rows(figures["bandwidth-over-bytes"], "key-levels")}

    folding = levels["pass 1: folding 1,200 MiB/s"]
    assert folding["x"] == pytest.approx(250e9 / 1024**3, rel=0.03)
    assert folding["x2"] == pytest.approx(550e9 / 1024**3, rel=0.03)


def test_both_passes_begin_at_no_byte_written(figures: dict[str, Figure]) -> None:
    begins: dict[str, float] = {}
    for row in rows(figures["bandwidth-over-bytes"], "windows-mean"):
        begins.setdefault(row["label"], row["x"])

    assert list(begins) == snapshot(["pass 1, FOB", "pass 2, filled once"])
    assert max(begins.values()) < 2


def test_over_time_the_second_pass_begins_after_the_rest(figures: dict[str, Figure]) -> None:
    over_time = figures["bandwidth-over-time"]

    (rest,) = rows(over_time, "rest-line")
    second = [row["x"] for row in rows(over_time, "windows-mean") if row["label"].startswith("pass 2")]
    assert rest["x2"] - rest["x"] == pytest.approx(300)
    assert rest["y"] == 0
    assert min(second) > rest["x2"]
    assert "rest 300 s" in texts(over_time)


def test_latency_shows_the_rest_as_a_grey_line_too(figures: dict[str, Figure]) -> None:
    latency = figures["latency-over-time"]

    assert len(rows(latency, "rest-line")) == 1
    assert layer(latency, "windows-mean")["encoding"]["y"]["scale"]["type"] == "log"


def test_the_slowest_io_is_drawn_where_the_engine_knows_it(figures: dict[str, Figure], tmp_path: Path) -> None:
    assert rows(figures["latency-over-time"], "peaks")
    series = windows_of(FLAT, seed=1)
    unknown = np.full(len(series.time_ns), np.nan)
    silent = series_of(series.bandwidth_bytes_per_s, series.latency_ns_mean, unknown)

    *_, latency = figures_for(open_bundle(write_one_pass(tmp_path / "run", silent)))

    assert "peaks" not in [one["name"] for one in latency.spec["layer"]]
    assert {row[-1] for row in latency.table.rows} == {"unknown"}


def test_a_stalled_window_without_any_io_is_no_reason_to_fail(tmp_path: Path) -> None:
    series = windows_of(FLAT, seed=1)
    for column in (series.bandwidth_bytes_per_s, series.latency_ns_mean, series.latency_ns_max):
        column[500:510] = 0 if column is series.bandwidth_bytes_per_s else np.nan

    over_bytes, over_time, latency = figures_for(open_bundle(write_one_pass(tmp_path / "run", series)))

    assert min(row["y"] for row in rows(over_time, "windows-mean")) == 0
    assert min(row["y"] for row in rows(latency, "windows-mean")) > 0
    assert over_bytes.long_chart is not None


@pytest.mark.parametrize("name", ["bandwidth-over-bytes", "bandwidth-over-time"])
def test_every_dip_is_in_the_picture(figures: dict[str, Figure], whole: Bundle, name: str) -> None:
    drawn = [row["low"] for row in rows(figures[name], "windows-band")]

    # Three windows of each pass were made to stand almost still.
    assert sum(low < 200 for low in drawn) >= 5


@pytest.mark.parametrize("windows", [1, 2, 5])
def test_a_pass_of_few_windows_is_drawn_whole(tmp_path: Path, windows: int) -> None:
    latency = np.full(windows, 4e6)
    series = series_of(np.full(windows, 5e6), latency, latency)

    figures = figures_for(open_bundle(write_one_pass(tmp_path / "run", series)))

    assert [len(rows(figure, "windows-mean")) for figure in figures] == [windows] * 3


def test_a_drive_that_accepts_nothing_has_bandwidth_but_no_latency(tmp_path: Path) -> None:
    unknown = np.full(20, np.nan)
    series = series_of(np.zeros(20), unknown, unknown)

    figures = figures_for(open_bundle(write_one_pass(tmp_path / "run", series, run_info(10**9))))

    assert [figure.name for figure in figures] == snapshot(["bandwidth-over-bytes", "bandwidth-over-time"])


def test_a_drive_without_a_cache_has_one_plateau_a_pass(tmp_path: Path) -> None:
    over_bytes, *_ = figures_for(open_bundle(write_whole(tmp_path / "run", passes=(FLAT, FLAT))))

    assert [row["words"] for row in rows(over_bytes, "key-levels")] == snapshot(
        ["pass 1: direct 520.0 MiB/s", "pass 2: direct 520.0 MiB/s"]
    )
    assert "key-points" not in [one["name"] for one in over_bytes.spec["layer"]]


def test_a_level_drive_ends_level_though_its_last_window_is_a_sliver(tmp_path: Path) -> None:
    speeds = np.append(np.full(2000, 170e6), 553e6)
    whole = series_of(speeds, np.full(2001, 4e6), np.full(2001, 9e6))
    sliver = replace(whole, time_ns=np.append(whole.time_ns[:-1], whole.time_ns[-2] + 3_000_000))
    bundle = open_bundle(write_one_pass(tmp_path / "run", sliver, run_info(10**11)))

    over_bytes = {figure.name: figure for figure in figures_for(bundle)}["bandwidth-over-bytes"]
    assert over_bytes.long_chart is not None
    (drawn,) = over_bytes.long_chart.series
    assert drawn.y.max() < 1.1 * drawn.y.min()
    assert max(row["y"] for row in rows(over_bytes, "windows-mean")) < 1.1 * 170e6 / 2**20
    (one,) = fill_passes(bundle)
    assert one.series.bytes_done[-1] == pytest.approx(sliver.bytes_done[-1])
    assert one.series.time_ns[-1] == sliver.time_ns[-1]


def test_an_interrupted_run_shows_the_pass_that_was_finished(tmp_path: Path) -> None:
    figures = figures_for(open_bundle(write_interrupted(tmp_path / "run")))

    assert len(figures) == 3
    for figure in figures:
        assert {row["label"] for row in rows(figure, "windows-mean")} == {"pass 1, FOB"}
        assert "rest-line" not in [one["name"] for one in figure.spec["layer"]]


def test_a_run_without_a_finished_pass_has_no_figure(tmp_path: Path) -> None:
    assert figures_for(open_bundle(write_killed(tmp_path / "run"))) == ()


def test_tables_sum_up_all_windows(figures: dict[str, Figure]) -> None:
    table = figures["bandwidth-over-bytes"].table

    assert table.caption == snapshot("12,265 windows of 100 ms summed up in at most 40 rows a pass")
    assert [f"{column.title} {column.unit}".strip() for column in table.columns] == snapshot(
        ["pass", "written, middle GiB", "mean MiB/s", "slowest window MiB/s", "fastest window MiB/s"]
    )
    assert 70 <= len(table.rows) <= 80


def test_the_zoomable_chart_has_every_window(figures: dict[str, Figure], whole: Bundle) -> None:
    for figure in figures.values():
        assert figure.long_chart is not None
        assert [len(one.x) for one in figure.long_chart.series] == [
            len(windows_of(PASS_1, seed=1).time_ns),
            len(windows_of(PASS_2, seed=2).time_ns),
        ]
    latency = figures["latency-over-time"].long_chart
    assert latency is not None
    assert latency.y_scale is AxisScale.LOG


@pytest.fixture(params=["spec", "narrow_spec"])
def every_spec(request: pytest.FixtureRequest, figures: dict[str, Figure]) -> list[Any]:
    return [getattr(figure, request.param) for figure in figures.values()]


def test_no_mark_lies_outside_its_axes(every_spec: list[Any]) -> None:
    for spec in every_spec:
        for one in spec["layer"]:
            for channel, fields in (("x", ("x", "x2")), ("y", ("y", "low", "high"))):
                if channel not in one["encoding"]:
                    continue
                low, high = one["encoding"][channel]["scale"]["domain"]
                values = [row[field] for row in one["data"]["values"] for field in fields if field in row]
                assert min(values) >= low * (1 - 1e-5)
                assert max(values) <= high * (1 + 1e-5)
