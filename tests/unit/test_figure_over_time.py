"""Preconditioning and write saturation over seconds, with a crop of the beginning (METHODS E.fig)."""

import csv

import numpy as np
import pytest
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, ticks
from tests.kit.sample_enterprise import Made, enterprise_bundle, with_series, written_series

from ssdlab.figure.enterprise.over_time import over_time
from ssdlab.figure.kit.model import Figure
from ssdlab.report.figure_csv import sheets

SPEEDS = [4e9] * 400 + [1e9] * 1600
CRITERIA: dict[str, tuple[float | str, str]] = {
    f"precondition.{pattern}.criterion": ("window", "") for pattern in ("seq", "rnd")
}


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Figure]:
    bundle = with_series(enterprise_bundle(Made()), tmp_path_factory.mktemp("a"), written_series(SPEEDS), {**CRITERIA})
    return {figure.name: figure for figure in over_time([bundle])}


def test_each_conditioning_is_drawn_whole_and_from_its_beginning(figures: dict[str, Figure]) -> None:
    assert list(figures) == [
        "over-time-seq-conditioning",
        "over-time-seq-conditioning-beginning",
        "over-time-rnd-conditioning",
        "over-time-rnd-conditioning-beginning",
    ]
    whole, beginning = figures["over-time-rnd-conditioning"], figures["over-time-rnd-conditioning-beginning"]
    assert axes(whole)[1] == ("time since the writing began (s)", "completion latency (log scale)")
    assert axes(beginning)[0][1] == "random writes (IOPS)"
    assert ticks(beginning, "x")[-1] == 2000 < ticks(whole, "x")[-1]


def test_the_sheet_has_seconds_multiples_speed_and_latency(figures: dict[str, Figure]) -> None:
    figure = figures["over-time-rnd-conditioning"]
    head, *rows = csv.reader(dict(sheets(figure))[f"{figure.name}-curves"].splitlines())
    assert head[0] == "time, middle (s)"
    assert head[-1].endswith("(µs)")
    seconds, written, speed = (np.array([float(row[place]) for row in rows]) for place in (0, 1, 2))
    assert (np.diff(seconds) > 0).all()
    assert seconds[0] < np.diff(seconds)[0]  # the middle of the first slice, not its end
    assert written[-1] == pytest.approx(10, rel=0.02)
    assert speed[0] == pytest.approx(4e9 / 4096, rel=1e-3)


def test_everything_is_drawn_wide_and_narrow(figures: dict[str, Figure]) -> None:
    for figure in figures.values():
        assert_inside_axes(figure)
        assert_whole(figure)
