"""Below a fill and a write saturation stands the drive's temperature, on the same horizontal axis."""

from pathlib import Path

import numpy as np
import pytest
from tests.kit.figure_content import panel_titles, rows, texts
from tests.kit.limited_run import run
from tests.kit.plans import HEADER

from ssdlab.bundle.model import Limits
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import SensorSeries
from ssdlab.figure.kit.model import Figure, layers_of
from ssdlab.figure.kit.temperature import throttled_rows
from ssdlab.figure.registry import figures_for
from ssdlab.report.render import render_svg

FILL = f"""{HEADER}
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "128KiB", qd = 32 }}
passes = 2
rest = "20s"
"""
SATURATION = f"""{HEADER}
[[step]]
kind = "purge"
[[step]]
kind = "steady"
name = "wsat"
measured = "10s"
job = {{ pattern = "random", bs = "4KiB", qd = 256 }}
at_least = "1x"
at_most = "2x"
"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run("model:chaos?capacity=8GiB", tmp_path_factory.mktemp("filled"), Limits(), FILL)


def figure_of(bundle: Bundle, name: str) -> Figure:
    return next(one for one in figures_for(bundle) if one.name == name)


def horizontal(figure: Figure) -> set[tuple[float, float]]:
    """The ends of every horizontal axis."""
    encodings = [one["encoding"]["x"] for one in layers_of(figure.spec) if "x" in one["encoding"]]
    return {tuple(one["scale"]["domain"]) for one in encodings}


def test_the_temperature_of_each_pass_stands_below_its_bandwidth(filled: Bundle) -> None:
    figure = figure_of(filled, "bandwidth-over-time")
    assert panel_titles(figure) == ["bandwidth", "temperature of the drive"]
    assert len(horizontal(figure)) == 1
    drawn = rows(figure, "temperatures-mean-temperature-of-the-drive")
    sensors = [filled.sensors(filled.step(name)) for name in ("fill.pass1", "fill.pass2")]
    assert all(isinstance(one, SensorSeries) for one in sensors)
    hottest = max(float(one.temperature_c.max()) for one in sensors if isinstance(one, SensorSeries))
    assert max(row["y"] for row in drawn) == pytest.approx(hottest, abs=0.01)
    assert {row["label"] for row in drawn} == {"pass 1, FOB", "pass 2, filled once"}
    rest = filled.step("fill.rest")
    assert rest.started_ns is not None
    began_ns = filled.step("fill.pass1").started_ns or 0
    begin_s, end_s = ((at - began_ns) / 1e9 for at in (rest.started_ns, rest.ended_ns or 0))
    assert not [row for row in drawn if begin_s + 0.01 < row["x"] < end_s - 0.01], "nobody asks a drive that rests"


def test_where_the_drive_throttled_itself_is_marked_and_said(filled: Bundle) -> None:
    figure = figure_of(filled, "bandwidth-over-time")
    (first, *_) = rows(figure, "key-throttled-temperature-of-the-drive")
    drawn = rows(figure, "temperatures-mean-temperature-of-the-drive")
    at_begin = min(drawn, key=lambda row: abs(row["x"] - first["x"]))
    assert at_begin["y"] == pytest.approx(72, abs=2), "the spec throttles from 72 °C on"
    assert "throttled" in texts(figure)
    assert figure.caption.endswith("Below: the drive's temperature; on amber the drive throttled itself.")


def test_it_can_be_drawn_also_on_a_narrow_screen(filled: Bundle) -> None:
    figure = figure_of(filled, "bandwidth-over-time")
    for spec in (figure.spec, figure.narrow_spec):
        assert "temperature of the drive" in render_svg(spec)


def test_below_a_write_saturation_it_is_drawn_over_what_was_written(tmp_path: Path) -> None:
    bundle = run("model:chaos?capacity=1GiB", tmp_path, Limits(), SATURATION)
    figure = next(one for one in figures_for(bundle) if "temperature of the drive" in panel_titles(one))
    assert len(horizontal(figure)) == 1
    drawn = rows(figure, "temperatures-mean-temperature-of-the-drive")
    assert drawn[-1]["x"] == pytest.approx(2.0, abs=0.02)


def test_a_drive_without_a_sensor_has_the_figure_as_ever(tmp_path: Path) -> None:
    bundle = run("model:demo?capacity=512MiB", tmp_path, Limits(), FILL)
    figure = figure_of(bundle, "bandwidth-over-time")
    assert "vconcat" not in figure.spec
    assert "temperature" not in figure.caption


def test_throttled_stretches_are_those_in_which_its_time_grew() -> None:
    throttled_s = np.array([0, np.nan, 0, 2, 5, 5, 5, np.nan, 6])
    nothing = np.full(len(throttled_s), np.nan)
    series = SensorSeries(np.arange(len(throttled_s)), nothing, nothing, throttled_s, nothing, nothing, nothing)
    assert list(throttled_rows(series)) == [(2, 4), (6, 8)]
