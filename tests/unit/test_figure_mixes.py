"""Mixes of I/O as a figure, of one drive and of two."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.figure_content import (
    assert_inside_axes,
    assert_whole,
    axes,
    layer,
    layer_names,
    panel_titles,
    rows,
    texts,
)
from tests.kit.load_drives import FILLED, constant_drive, run_on

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, CLAT
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.mixes import mixes
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.readings import readings
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.point import CoordinateAxis, job_point
from ssdlab.report.first_screen.screen import first_screen
from ssdlab.units import MB
from ssdlab.words import Language


def suite(depths: str) -> str:
    return f"""{FILLED}
[[step]]
kind = "mixes"
mix = ["snia-oltp", "ours-vdi"]
qd = {depths}
job = {{ limit = "200ms" }}
"""


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(), suite("[1, 2, 4, 8, 16]"), tmp_path_factory.mktemp("narrow"))


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    spec = constant_drive(dies=4).replace('name = "constant"', 'name = "wide"')
    return run_on(spec, suite("[1, 2, 4, 8, 16]"), tmp_path_factory.mktemp("wide"))


def bandwidth_of(*bundles: Bundle) -> Figure:
    return next(figure for figure in mixes(bundles) if figure.name == "mixes-bandwidth")


def test_one_drive_has_a_bar_a_mix_for_the_lowest_the_middle_and_the_deepest_queue(narrow: Bundle) -> None:
    figure = bandwidth_of(narrow)
    assert panel_titles(figure) == ["QD1", "QD4", "QD16"]
    assert len(axes(figure)) == 3
    known = readings(narrow)
    for depth in (1, 4, 16):
        drawn = [row["x"] for row in rows(figure, f"key-q{depth}")]
        points = [job_point("mixes", mix).at(CoordinateAxis.QUEUE_DEPTH, depth) for mix in ("snia_oltp", "ours_vdi")]
        assert drawn == pytest.approx([known[MetricKey(one, BANDWIDTH)].value / MB for one in points], rel=1e-3)


def test_depths_that_are_not_drawn_are_in_the_table_and_the_caption_says_so(narrow: Bundle) -> None:
    figure = bandwidth_of(narrow)
    assert [one.title for one in figure.table.columns[2:]] == ["QD1", "QD2", "QD4", "QD8", "QD16"]
    assert "In the table alone: QD2, QD8." in figure.caption


def test_all_plots_have_one_scale(narrow: Bundle) -> None:
    figure = bandwidth_of(narrow)
    domains = [layer(figure, f"key-q{depth}")["encoding"]["x"]["scale"]["domain"] for depth in (1, 4, 16)]
    highest = max(row["x"] for depth in (1, 4, 16) for row in rows(figure, f"key-q{depth}"))
    assert all(end >= highest for _, end in domains)


def test_latencies_are_those_of_99_percent_of_the_ios(narrow: Bundle) -> None:
    figure = next(one for one in mixes([narrow]) if one.name == "mixes-latency")
    known = readings(narrow)
    point = job_point("mixes", "snia_oltp").at(CoordinateAxis.QUEUE_DEPTH, 16)
    row = figure.table.rows[0]
    assert float(str(row[-1])) == pytest.approx(known[MetricKey(point, CLAT, "99")].value / 1e6, abs=0.001)


def test_several_drives_stand_below_the_name_of_each_mix(narrow: Bundle, wide: Bundle) -> None:
    figure = bandwidth_of(narrow, wide)
    assert [row["row"] for row in rows(figure, "key-q16")] == ["1", "2", "4", "5"]
    assert [(row[0], row[1]) for row in figure.table.rows] == [
        (mix, drive) for mix in ("SNIA OLTP", "Virtual desktops (ours)") for drive in ("ssdlab constant", "ssdlab wide")
    ]


def test_a_drive_that_was_not_measured_has_no_bar_and_a_word_in_the_table(narrow: Bundle, tmp_path: Path) -> None:
    shallow = run_on(constant_drive(2).replace('"constant"', '"shallow"'), suite("[1]"), tmp_path)
    figure = bandwidth_of(narrow, shallow)
    assert figure.table.rows[1][2] != "not measured"
    assert figure.table.rows[1][3:] == ("not measured",) * 4


def test_depths_at_which_nothing_was_measured_have_no_plot(tmp_path: Path) -> None:
    """As of a run that was stopped between two depths."""
    whole = run_on(constant_drive(), suite("[1, 8]"), tmp_path)
    left = [step for step in whole.steps if not step.name.endswith(".q8")]
    kept = [metric for metric in whole.metrics if ".q8" not in metric.key.point.name]
    (figure, _) = mixes([replace(whole, steps=tuple(left), metrics=tuple(kept))])
    assert "key-q8" not in layer_names(figure)
    assert [row["x"] for row in rows(figure, "key-q1")]
    assert "In the table alone" not in figure.caption


def test_it_is_a_whole_figure_of_the_registry_in_both_languages(narrow: Bundle, wide: Bundle) -> None:
    for language in Language:
        alone = [one for one in figures_for(narrow, language) if one.name.startswith("mixes-")]
        beside = [one for one in figures_comparing([narrow, wide], language) if one.name.startswith("mixes-")]
        assert [one.name for one in alone] == [one.name for one in beside] == ["mixes-bandwidth", "mixes-latency"]
        for figure in (*alone, *beside):
            assert_whole(figure)
            assert_inside_axes(figure)
            assert texts(figure)


def test_the_first_screen_tells_the_rates_of_the_mixes_by_their_titles(narrow: Bundle) -> None:
    screen = first_screen([narrow])
    said = " ".join(map(str, screen.verdict))
    assert "SNIA OLTP" in said
    assert [str(tile.label) for tile in screen.tiles][-2:] == ["SNIA OLTP at QD16", "Virtual desktops (ours) at QD16"]
