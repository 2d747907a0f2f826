"""The drive's temperature below a figure, on its horizontal axis, with the stretches in which the drive throttled itself."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.result import SensorSeries
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.decimate import into_columns
from ssdlab.figure.kit.place import Align, Placed, Spot, text_width_px
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.stack import StackedPlot
from ssdlab.figure.kit.style import Ink, PlotShape
from ssdlab.message import message, number
from ssdlab.unknown import Unknown

PANEL_TITLE = message("figure-temperature")
_HEIGHT_SHARE = 0.3
_TICK_CELSIUS = 10
_SPAN_CELSIUS_MIN = 20
_LABEL_PX = 12


@dataclass(frozen=True, slots=True, eq=False)
class Warmth:
    """Temperature of one line of the figure above; arrays of one length.

    Attributes:
        label: Of that line.
        slot: Of its colour.
        x: float64, positions on the figure's horizontal axis.
        celsius: float64, NaN where it is not known.
        throttled: From where to where on that axis the drive throttled itself.
    """

    label: str
    slot: int
    x: NDArray[np.float64]
    celsius: NDArray[np.float64]
    throttled: tuple[tuple[float, float], ...]


def warmth_of(label: str, slot: int, series: SensorSeries | Unknown, x: NDArray[np.float64]) -> Warmth | None:
    """What sensors said, at those positions; None where they told no temperature."""
    if isinstance(series, Unknown) or not np.isfinite(series.temperature_c).any():
        return None
    stretches = tuple((float(x[begin]), float(x[end])) for begin, end in throttled_rows(series))
    return Warmth(label, slot, x, series.temperature_c, stretches)


def throttled_rows(series: SensorSeries) -> Iterator[tuple[int, int]]:
    """First and last row of each stretch during which the time spent throttled grew, neighbours joined."""
    known = np.flatnonzero(np.isfinite(series.throttled_s))
    grew = np.flatnonzero(np.diff(series.throttled_s[known]) > 0)
    for part in np.split(grew, np.flatnonzero(np.diff(grew) > 1) + 1):
        if len(part):
            yield int(known[part[0]]), int(known[part[-1] + 1])


def note_of(found: Sequence[Warmth]) -> str:
    """What the plot shows, for the caption; empty where there is none."""
    if not found:
        return ""
    is_throttled = any(warmth.throttled for warmth in found)
    return say(message("figure-temperature-throttled") if is_throttled else message("figure-temperature-below"))


def temperature_panel(found: Sequence[Warmth], x: PlotAxis, shape: PlotShape) -> StackedPlot:
    """The plot, flatter than those above it."""
    height_px = round(shape.height_px * _HEIGHT_SHARE)
    y = _axis(found, height_px)
    traces = [
        layers.Trace(one.label, one.slot, into_columns(one.x, one.celsius, x.high, shape.columns)) for one in found
    ]
    drawn = layers.trace_layers(traces, x, y, layers.Legend({"disable": True}, ()), "temperatures")
    return StackedPlot(PANEL_TITLE, [*_throttled_layers(found, x, y, shape), *map(_without_legend, drawn)], height_px)


def _axis(found: Sequence[Warmth], length_px: int) -> PlotAxis:
    """Around what was measured, in steps of ten degrees."""
    every = np.concatenate([one.celsius for one in found])
    low = math.floor(float(np.nanmin(every)) / _TICK_CELSIUS) * _TICK_CELSIUS
    high = max(math.ceil(float(np.nanmax(every)) / _TICK_CELSIUS) * _TICK_CELSIUS, low + _SPAN_CELSIUS_MIN)
    ticks = tuple(float(tick) for tick in range(low, high + 1, _TICK_CELSIUS))
    return PlotAxis("°C", low, high, ticks, length_px)


def _throttled_layers(found: Sequence[Warmth], x: PlotAxis, y: PlotAxis, shape: PlotShape) -> list[layers.Layer]:
    stretches = [stretch for one in found for stretch in one.throttled]
    if not stretches:
        return []
    rows = [
        {
            "x": layers.short(begin),
            "x2": layers.short(end),
            "words": say(message("figure-throttled-from", begin=number(begin, ".4g"), end=number(end, ".4g"))),
        }
        for begin, end in stretches
    ]
    mark = {"type": "rect", "color": Ink.HEAT_1.value, "opacity": 0.45}
    encoding = {"x": x.encoding("x"), "x2": {"field": "x2"}, "description": {"field": "words"}}
    shade = {"name": f"{layers.KEY_PREFIX}throttled", "data": {"values": rows}, "mark": mark, "encoding": encoding}
    begin, end = max(stretches, key=lambda one: one[1] - one[0])
    left_px, right_px = float(x.px(begin)), float(x.px(end))
    label = say(message("figure-throttled"))
    if right_px - left_px < text_width_px(label, shape.font_px) + _LABEL_PX:
        return [shade]
    spot = Spot((left_px + right_px) / 2, y.length_px - _LABEL_PX, Align.CENTRE)
    flat = PlotShape(
        shape.width_px, y.length_px, shape.columns, shape.x_ticks, shape.y_ticks, shape.font_px, shape.title_px
    )
    labels = layers.text_layers([Placed((label,), spot)], x, y, flat, layers.Halo.NONE, name="throttled")
    return [shade, *labels]


def _without_legend(layer: layers.Layer) -> layers.Layer:
    """The lines are named in the plot above."""
    encoding = layer["encoding"]
    return {**layer, "encoding": {**encoding, "color": {**encoding["color"], "legend": None}}}
