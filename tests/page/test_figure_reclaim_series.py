"""Speed over time after each rest of a reclaim (METHODS C8): what each bar of the figure of the reclaim is the sum of."""

from dataclasses import replace

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, rows

from ssdlab.bundle.read import Bundle
from ssdlab.figure.client.reclaim import reclaim
from ssdlab.figure.client.reclaim_series import reclaim_series
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_comparing, figures_only_alone
from ssdlab.units import GIB, MIB


@pytest.fixture(scope="module")
def figure(five: list[Bundle]) -> Figure:
    (found,) = reclaim_series(five[:1])
    return found


def test_each_rest_is_a_line_from_its_end_on(figure: Figure) -> None:
    assert axes(figure) == snapshot([("time since the rest (ms)", "write bandwidth (MiB/s)")])
    assert list(dict.fromkeys(row["label"] for row in rows(figure, "windows-mean-write-bandwidth"))) == snapshot(
        ["0.0833 s of rest", "0.25 s of rest", "0.5 s of rest", "1 s of rest", "2 s of rest", "4 s of rest"]
    )
    assert figure.caption == snapshot(
        "The writes of the reclaim one by one, from the end of their rests on. Where a line falls, what the rest had won of the cache is used up. Not drawn, as there are as many lines as colours: 0.167 s of rest."
    )
    assert_whole(figure)
    assert_inside_axes(figure)


def test_its_area_is_what_the_bars_of_the_reclaim_say_was_written(five: list[Bundle], figure: Figure) -> None:
    (bars,) = reclaim(five[:1])
    unit = {"GiB": GIB, "MiB": MIB}[bars.table.columns[1].unit]
    written = float(str(bars.table.rows[0][-1]).replace(",", "")) * unit
    longest = rows(figure, "windows-mean-write-bandwidth")[-1]["label"]
    line = [row for row in rows(figure, "windows-mean-write-bandwidth") if row["label"] == longest]
    window_s = np.diff([row["x"] for row in line]).min() / 1000
    assert sum(row["y"] for row in line) * window_s * MIB == pytest.approx(written, rel=0.1)


def test_it_is_a_figure_of_a_run_and_not_of_the_comparison(five: list[Bundle]) -> None:
    assert "reclaim-series" in {one.name for one in figures_only_alone(five[0])}
    assert "reclaim-series" not in {one.name for one in figures_comparing(five[:2])}


def test_a_run_without_those_writes_has_none(five: list[Bundle]) -> None:
    others = tuple(one for one in five[0].steps if one.group != "reclaim")
    assert list(reclaim_series([replace(five[0], steps=others)])) == []
