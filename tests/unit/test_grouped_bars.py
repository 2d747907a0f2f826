"""Bars in groups: a plot of which there is no bar, and plots of one scale."""

import pytest

from ssdlab.figure.kit.grouped_bars import BarLine, BarPlot, GroupedBar, grouped_spec
from ssdlab.figure.kit.model import layers_of
from ssdlab.figure.kit.style import WIDE
from ssdlab.report.render import render_svg

LINES = [BarLine(name="one", bold=False, bars={"left": GroupedBar(10.0, "10", "ten")})]


@pytest.mark.parametrize("least", [1.0, 40.0])
def test_a_plot_without_bars_is_empty_and_an_axis_reaches_as_far_as_it_is_told_to(least: float) -> None:
    plots = [BarPlot(name, name, "MB/s", least) for name in ("left", "right")]
    spec = grouped_spec(LINES, plots, WIDE, "title", (), "words")
    assert render_svg(spec).startswith("<svg")
    keys = [one for one in layers_of(spec) if one["name"].startswith("key-")]
    assert [one["data"]["values"] == [] for one in keys] == [False, True]
    assert all(one["encoding"]["x"]["scale"]["domain"][1] >= least for one in keys)
