"""Fills of several drives: a plot a pass, over bytes and over time (METHODS C2)."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, layer_names, panel_titles, rows, scale
from tests.kit.sample_bundle import FLAT, PASS_1, PASS_2, Plateau, run_info, write_whole

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.figure.client.fill_compared import fill_over_bytes, fill_over_time
from ssdlab.figure.kit.model import Figure
from ssdlab.units import GIB

SLOW = (Plateau(500e9, 200),)
LIKE_FLAT = (Plateau(64e9, 400),)


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    place = tmp_path_factory.mktemp("runs")
    passes = {"Fast": (PASS_1, PASS_2), "Slow": (SLOW, SLOW)}
    return [open_bundle(write_whole(place / name, run_info(10**12, name), one)) for name, one in passes.items()]


@pytest.fixture(scope="module")
def over_bytes(bundles: list[Bundle]) -> Figure:
    (figure,) = fill_over_bytes(bundles)
    return figure


@pytest.fixture(scope="module")
def over_time(bundles: list[Bundle]) -> Figure:
    (figure,) = fill_over_time(bundles)
    return figure


def line(figure: Figure, name: str, label: str) -> list[tuple[float, float]]:
    return [(row["x"], row["y"]) for row in rows(figure, name) if row["label"] == label]


def test_each_pass_has_a_plot_and_each_drive_a_line_in_it(over_bytes: Figure, over_time: Figure) -> None:
    for figure in (over_bytes, over_time):
        assert panel_titles(figure) == snapshot(["pass 1, FOB", "pass 2, filled once"])
        assert layer_names(figure) == snapshot(
            ["pass1-compared", "pass1-under-test", "pass2-compared", "pass2-under-test"]
        )
        assert {row["label"] for row in rows(figure, "pass1-under-test")} == {"Fast"}


def test_axes_name_their_units(over_bytes: Figure, over_time: Figure) -> None:
    assert axes(over_bytes)[0] == snapshot(("written in the pass (GiB)", "write bandwidth (MiB/s, log scale)"))
    assert axes(over_time)[0] == snapshot(
        ("time since the pass began (log scale)", "write bandwidth (MiB/s, log scale)")
    )


def test_lines_follow_the_plateaus(over_bytes: Figure) -> None:
    fast = line(over_bytes, "pass1-under-test", "Fast")

    inside = [speed for at, speed in fast if 10 < at < 220]
    after = [speed for at, speed in fast if 240 < at < 500]
    assert sum(inside) / len(inside) == pytest.approx(12_200, rel=0.03)
    assert sum(after) / len(after) == pytest.approx(1_200, rel=0.03)
    assert fast[-1][0] == pytest.approx(1e12 / GIB, rel=0.02)


def test_a_line_ends_where_the_pass_ended(over_bytes: Figure, over_time: Figure) -> None:
    assert line(over_bytes, "pass1-compared", "Slow")[-1][0] == pytest.approx(500e9 / GIB, rel=0.02)
    assert line(over_time, "pass1-compared", "Slow")[-1][0] == pytest.approx(500e9 / (200 * 2**20) / 1, rel=0.05)


def test_drives_of_like_duration_share_a_linear_axis_of_time(tmp_path: Path) -> None:
    runs = [
        open_bundle(write_whole(tmp_path / name, run_info(64 * 10**9, name), (one, one)))
        for name, one in {"A": FLAT, "B": LIKE_FLAT}.items()
    ]

    (figure,) = fill_over_time(runs)

    assert axes(figure)[0] == snapshot(("time since the pass began (s)", "write bandwidth (MiB/s)"))
    assert scale(figure.spec, "x")["domain"][0] == 0


def test_the_table_sums_the_windows_up(over_bytes: Figure) -> None:
    assert [f"{one.title} {one.unit}".strip() for one in over_bytes.table.columns] == snapshot(
        ["drive", "pass", "written, middle GiB", "mean MiB/s"]
    )
    assert len(over_bytes.table.rows) == 4 * 20


def test_the_pictures_are_whole(over_bytes: Figure, over_time: Figure) -> None:
    for figure in (over_bytes, over_time):
        assert_inside_axes(figure)
        assert_whole(figure)
