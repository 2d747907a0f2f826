"""Logs over time: windows of any length, rates, averages, histogram logs, and what the figures of them show."""

import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.log_command import piped, printed

from ssdlab import _core
from ssdlab.analysis.log.file import LogError, identify
from ssdlab.analysis.log.heat import heat_of
from ssdlab.analysis.log.series import WINDOWS_MAX, DirectionSeries, LogSeries, series_of
from ssdlab.engine.result import LatencyWindows
from ssdlab.figure.kit.heat_map import HeatPart, HeatWords, count_classes, heat_map_figure
from ssdlab.figure.log_figures import log_heat_figure, log_series_figure
from ssdlab.message import message
from ssdlab.report.render import render_svg
from ssdlab.report.theme import for_page

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.33"
IOS = st.lists(st.tuples(st.integers(0, 3000), st.integers(1, 10**8)), min_size=1, max_size=200)


def texts(svg: str) -> list[str]:
    return re.findall(r"<t(?:ext|span)[^>]*>([^<]+)</t", svg)


def lines(path: Path, rows: list[tuple[int, ...]]) -> Path:
    path.write_text("".join(", ".join(map(str, (*row, 0))) + "\n" for row in rows))
    return path


def hist_line(time_ms: int, counts: dict[int, int], direction: int = 0, merged: int = 1) -> str:
    bins = np.zeros(_core.BIN_COUNT // merged, dtype=np.int64)
    for latency_ns, count in counts.items():
        bins[_core.bin_index(latency_ns) // merged] += count
    return f"{time_ms}, {direction}, 4096, {', '.join(map(str, bins))}\n"


def only(series: tuple[LogSeries, ...]) -> tuple[LogSeries, DirectionSeries]:
    (one,) = series
    (direction,) = one.directions
    return one, direction


@settings(max_examples=30)
@given(ios=IOS, window_ms=st.integers(1, 700))
def test_a_window_has_the_ios_that_completed_in_it(tmp_path: Path, ios: list[tuple[int, int]], window_ms: int) -> None:
    log = lines(tmp_path / "a_clat.log", [(time, latency, 0, 4096) for time, latency in ios])
    series, direction = only(series_of([identify(log, None)], window_ms))
    assert series.window_ms == window_ms
    assert direction.iops is not None
    assert direction.latency_ns_mean is not None
    assert direction.latency_ns_max is not None
    for number in range(len(direction.iops)):
        inside = [latency for time, latency in ios if time // window_ms == number]
        assert np.isnan(direction.latency_ns_mean[number]) == (not inside)
        if inside:
            assert direction.latency_ns_mean[number] == pytest.approx(sum(inside) / len(inside))
            assert direction.latency_ns_max[number] == max(inside)
        if number < len(direction.iops) - 1:
            assert direction.iops[number] == pytest.approx(len(inside) * 1000 / window_ms)
    assert np.isnan(direction.iops[-1])


def test_bandwidth_comes_from_the_block_sizes(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_clat.log", [(time, 5, 1, 131_072) for time in range(250)])
    _, direction = only(series_of([identify(log, None)], None))
    assert direction.bandwidth_bytes_per_s is not None
    assert direction.bandwidth_bytes_per_s[:2].tolist() == [131_072_000.0, 131_072_000.0]


def test_rates_of_several_averaged_logs_add_up(tmp_path: Path) -> None:
    one = lines(tmp_path / "a_bw.1.log", [(100, 1000, 0, 0), (200, 3000, 0, 0)])
    other = lines(tmp_path / "a_bw.2.log", [(100, 500, 0, 0)])
    series, direction = only(series_of([identify(one, None), identify(other, None)], None))
    assert series.window_ms == 100
    assert direction.bandwidth_bytes_per_s is not None
    assert direction.bandwidth_bytes_per_s.tolist() == [1500 * 1024, 3000 * 1024]


def test_mean_and_largest_of_an_averaged_log_are_kept_apart(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_lat.log", [(100, 50, 900, 0, 0, 0), (200, 70, 80, 0, 0, 0)])
    _, direction = only(series_of([identify(log, None)], 200))
    assert direction.latency_ns_mean is not None
    assert direction.latency_ns_max is not None
    assert (direction.latency_ns_mean.tolist(), direction.latency_ns_max.tolist()) == ([60.0], [900.0])
    (summary,) = json.loads(printed("--json", log).stdout)
    assert (summary["directions"]["read"]["mean"], summary["directions"]["read"]["largest"]) == (60.0, 900)


def test_a_histogram_log_says_how_many_ios_there_were_when(tmp_path: Path) -> None:
    log = tmp_path / "a_clat_hist.log"
    log.write_text(hist_line(100, {5000: 30}) + hist_line(200, {5000: 10}) + hist_line(300, {7000: 20}))
    series, direction = only(series_of([identify(log, None)], None))
    assert series.window_ms == 100
    assert direction.iops is not None
    assert direction.iops.tolist() == pytest.approx([300.0, 100.0, 200.0])


def test_too_many_windows_are_refused_with_a_length_that_would_do(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_lat.log", [(0, 5, 0, 512), (WINDOWS_MAX * 3, 5, 0, 512)])
    ended = printed(log, "--window", "1ms")
    assert ended.returncode == 1
    assert b"error: these logs have more than 131,072 windows of 1 ms\n" in ended.stderr
    assert b"hint: try `--window 4ms`" in ended.stderr
    assert printed(log, "--window", "4ms").returncode == 0


def test_the_table_has_a_row_a_window_and_says_what_is_not_known(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_lat.log", [(time, 1000 * time + 500, 0, 4096) for time in range(0, 250, 50)])
    table = printed(log, "--window", "100ms").stdout.decode().partition("\n\n")[2]
    assert table == snapshot("""\
lat in windows of 100 ms
from ms  read IOPS  read MiB/s  read mean µs  read largest µs
      0         20         0.1        25.500           50.500
    100         20         0.1       125.500          150.500
    200          -           -       200.500          200.500
""")


def test_json_has_null_where_a_window_is_not_known(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_lat.log", [(0, 500, 0, 4096), (110, 700, 0, 4096)])
    (entry,) = json.loads(printed(log, "--json", "--window", "50ms").stdout)
    assert entry["windows"] == snapshot(
        {
            "window_ms": 50,
            "read": {
                "iops": [20.0, 0.0, None],
                "bandwidth_bytes_per_s": [81920.0, 0.0, None],
                "latency_ns_mean": [500.0, None, 700.0],
                "latency_ns_max": [500.0, None, 700.0],
            },
        }
    )


def test_a_pipe_gives_the_windows_that_the_file_gives() -> None:
    log = DATA / "every_io" / "log_lat.1.log"
    ended = piped("-", "--kind", "lat", "--unit", "ns", "--window", "20ms", stdin=log.read_bytes())
    assert ended.stdout.splitlines()[1:] == printed(log, "--window", "20ms").stdout.splitlines()[1:]


@settings(max_examples=30)
@given(ios=IOS)
def test_a_heat_map_has_every_io_in_its_bin(tmp_path: Path, ios: list[tuple[int, int]]) -> None:
    log = lines(tmp_path / "a_clat.log", [(time, latency, 0, 4096) for time, latency in ios])
    (heat,) = heat_of([identify(log, None)], None)
    expected: dict[tuple[int, int], int] = {}
    for time, latency in ios:
        place = (time // 10 + 1) * 10_000_000, _core.bin_index(latency) // 4 * 4
        expected[place] = expected.get(place, 0) + 1
    windows = heat.windows
    found = zip(windows.time_ns.tolist(), windows.bin_index.tolist(), windows.count.tolist(), strict=True)
    assert {(time, first_bin): count for time, first_bin, count in found} == expected


def test_a_heat_map_of_a_histogram_log_that_is_cut_off_says_so(tmp_path: Path) -> None:
    log = tmp_path / "a_clat_hist.log"
    log.write_text(hist_line(100, {5000: 30}) + hist_line(200, {5000: 10})[:50])
    (heat,) = heat_of([identify(log, None)], None)
    assert int(heat.windows.count.sum()) == 30
    assert list(map(str, heat.notes)) == [f"`{log}` is cut off inside line 2, which is not counted"]
    ended = printed(log)
    assert ended.returncode == 0
    assert b"is cut off inside line 2, which is not counted" in ended.stdout


@pytest.mark.parametrize(
    ("content", "name", "complaint"),
    [
        ("100, 5, 0, 0, 0\n", "a_lat.log", "holds averages, which have no distribution"),
        ("100, 5, 0, 4096\n", "a_bw.log", "holds rates and no latencies"),
        ('{"jobs": []}', "a.json", "is JSON, which says nothing over time"),
    ],
)
def test_what_has_no_distribution_over_time_is_refused(tmp_path: Path, content: str, name: str, complaint: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(LogError, match=complaint):
        heat_of([identify(tmp_path / name, None)], None)


def test_a_heat_map_of_a_time_beyond_any_clock_is_refused(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_clat.log", [(10, 5, 0, 4096), (2**64 - 1, 5, 0, 4096)])
    with pytest.raises(LogError, match="more than any clock tells"):
        heat_of([identify(log, None)], None)


def test_averages_and_single_ios_are_not_mixed_over_time(tmp_path: Path) -> None:
    files = [
        lines(tmp_path / "a_lat.log", [(100, 5, 0, 0)]),
        lines(tmp_path / "b_lat.log", [(100, 5, 0, 512)]),
    ]
    with pytest.raises(LogError, match="holds averages, other logs every I/O"):
        series_of([identify(path, None) for path in files], None)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mixed") / "mixed_clat.log"
    rows = [(time, 60_000 + 300 * time + time % 7 * 10_000, time % 3 % 2, 4096) for time in range(2000)]
    return lines(path, [*rows, (1999, 40_000_000, 0, 4096)])


def test_the_series_figure_has_a_plot_for_each_quantity(mixed: Path) -> None:
    figure = log_series_figure(series_of([identify(mixed, None)], 50))
    svg = render_svg(figure.spec)
    shown = texts(svg)
    assert figure.title == "IOPS, bandwidth and completion latency over time"
    assert {"IOPS", "bandwidth (MiB/s)", "completion latency (log scale)", "read", "write"} <= set(shown)
    assert "time since the log began (s)" in shown or "time since the log began (ms)" in shown
    assert {"100 µs", "10 ms"} <= set(shown)
    assert [plot["title"]["text"] for plot in figure.spec["vconcat"]] == ["IOPS", "bandwidth", "completion latency"]
    values = [row for layer in figure.spec["vconcat"][0]["layer"] for row in layer["data"]["values"]]
    assert {row["label"] for row in values} == {"read", "write"}
    assert max(row["y"] for row in values) == pytest.approx(680, abs=20)


def test_an_averaged_log_has_one_plot(tmp_path: Path) -> None:
    log = lines(tmp_path / "a_bw.log", [(100 * number, 200_000 + number, 1, 0) for number in range(1, 40)])
    figure = log_series_figure(series_of([identify(log, None)], None))
    assert (figure.title, "layer" in figure.spec) == ("Bandwidth over time", True)
    assert "bandwidth (MiB/s)" in texts(render_svg(figure.spec))


def test_the_heat_map_says_what_a_colour_and_a_cell_are(mixed: Path) -> None:
    figure = log_heat_figure(heat_of([identify(mixed, None)], None))
    shown = texts(render_svg(figure.spec))
    assert {"read", "write", "latency (log scale)", "I/Os in a cell", "1 to 2", "3 to 9"} <= set(shown)
    assert any(re.fullmatch(r"\d+ ms by \d+ %", text) for text in shown)
    rows = [row for plot in figure.spec["vconcat"] for layer in plot["layer"] for row in layer["data"]["values"]]
    assert {"x", "x2", "y", "y2", "count"} == set(rows[0])
    assert max(row["y2"] for row in rows) >= 40_000


def test_a_heat_map_in_a_page_follows_its_colours(mixed: Path) -> None:
    figure = log_heat_figure(heat_of([identify(mixed, None)], None))
    for spec in (figure.spec, figure.narrow_spec):
        themed = for_page(render_svg(spec), "a", "label")
        assert re.findall(r'(?:fill|stroke)="(?!none|transparent|var\()[^"]+"', themed) == []


@pytest.mark.parametrize(
    ("largest", "classes"),
    [
        (1, ((1, 1),)),
        (12, ((1, 2), (3, 9), (10, 12))),
        (2500, ((1, 2), (3, 9), (10, 29), (30, 99), (100, 299), (300, 999), (1000, 2500))),
        (50_000, ((1, 9), (10, 99), (100, 999), (1000, 9999), (10_000, 50_000))),
    ],
)
def test_every_count_has_a_colour_whose_ends_are_named(largest: int, classes: tuple[tuple[int, int], ...]) -> None:
    assert count_classes(largest) == classes


@given(st.integers(1, 2**62))
def test_the_colours_cover_every_count_once(largest: int) -> None:
    classes = count_classes(largest)
    assert len(classes) <= 7
    assert (classes[0][0], classes[-1][1]) == (1, largest)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(classes))


def test_no_io_of_a_long_log_is_lost_in_the_picture() -> None:
    windows = 4000
    heat = LatencyWindows(
        window_ns=100_000_000,
        time_ns=np.repeat(np.arange(1, windows + 1) * 100_000_000, 2),
        bin_index=np.tile(np.array([_core.bin_index(70_000), _core.bin_index(9_000_000)]) // 4 * 4, windows),
        count=np.tile(np.array([900, 1]), windows),
    )
    words = HeatWords(
        "heat", "title", ("subtitle",), "caption", message("figure-latency"), message("figure-time-since-log")
    )
    figure = heat_map_figure([HeatPart(message("figure-read"), heat)], words)
    rows = figure.spec["layer"][0]["data"]["values"]
    assert 2 * 60 <= len(rows) <= 2 * 160
    assert sum(int(str(row[2]).replace(",", "")) for row in figure.table.rows) == 901 * windows


def test_a_heat_map_without_ios_is_refused() -> None:
    nothing = np.empty(0, dtype=np.int64)
    words = HeatWords(
        "heat", "title", ("subtitle",), "caption", message("figure-latency"), message("figure-time-since-log")
    )
    with pytest.raises(ValueError, match="no I/Os"):
        heat_map_figure([HeatPart(message("figure-read"), LatencyWindows(100, nothing, nothing, nothing))], words)
