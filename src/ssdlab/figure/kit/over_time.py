"""Rates and latencies over time, one plot each above the other.

Pure: series in, a figure out, whether they come from a bundle or from anyone's log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, clock_unit, linear_axis
from ssdlab.figure.kit.decimate import Columns, into_columns
from ssdlab.figure.kit.latency_axis import latency_axis, latency_encoding, latency_text
from ssdlab.figure.kit.model import AxisScale, Cell, Figure, FigureTable
from ssdlab.figure.kit.say import column, listed, say
from ssdlab.figure.kit.stack import StackedPlot, stacked_spec
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape
from ssdlab.figure.kit.words import TABLE_ROWS, three_digits
from ssdlab.message import Message, commas, message
from ssdlab.units import NS_PER_US

_TICK_ROOM_PX = 24
_STACKED_SHARE = 0.52
"""Height of one of several plots, of the height of a single one."""


@dataclass(frozen=True, slots=True, eq=False)
class OverTimeLine:
    """One line of a plot; arrays of one length.

    Attributes:
        label: `read`.
        slot: Place of its colour in the palette, from 1.
        time_ns: float64, middle of the window.
        value: float64, in the unit of its plot, ns on a plot of latencies; NaN where unknown.
        largest: float64, the largest of each window; None where only a mean is known.
    """

    label: str
    slot: int
    time_ns: NDArray[np.float64]
    value: NDArray[np.float64]
    largest: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class OverTimePlot:
    """One plot.

    Attributes:
        title: `completion latency`; stands above it where there are several.
        axis_title: With the unit; of latencies without one, whose ticks have units of their own.
        scale: Linear from 0, or logarithmic, which is for latencies.
    """

    title: Message
    axis_title: str
    scale: AxisScale
    lines: tuple[OverTimeLine, ...]


@dataclass(frozen=True, slots=True)
class OverTimeWords:
    """What the figure says in words; `time` is that of the axis, with what it is counted from."""

    name: str
    title: str
    subtitle: tuple[str, ...]
    caption: str
    time: Message


def over_time_figure(plots: Sequence[OverTimePlot], words: OverTimeWords, end_ns: float) -> Figure:
    """The figure, from time 0 to `end_ns`.

    Raises:
        ValueError: No line of any plot has a known value.
    """
    drawn = [known for known in map(_known, plots) if known.lines]
    if not drawn:
        raise ValueError("no value is known: a figure over time shows at least one")
    return Figure(
        name=words.name,
        title=words.title,
        subtitle=words.subtitle,
        caption=words.caption,
        spec=_spec(drawn, words, end_ns, WIDE),
        narrow_spec=_spec(drawn, words, end_ns, NARROW),
        table=_table(drawn, end_ns),
    )


def _known(plot: OverTimePlot) -> OverTimePlot:
    return replace(plot, lines=tuple(line for line in plot.lines if np.isfinite(_values(line, plot)).any()))


def _values(line: OverTimeLine, plot: OverTimePlot) -> NDArray[np.float64]:
    # A logarithmic axis has no place for 0.
    return np.where(line.value > 0, line.value, np.nan) if plot.scale is AxisScale.LOG else line.value


def _spec(plots: Sequence[OverTimePlot], words: OverTimeWords, end_ns: float, shape: PlotShape) -> dict[str, Any]:
    if len(plots) > 1:
        shape = replace(shape, height_px=round(shape.height_px * _STACKED_SHARE), y_ticks=4)
    unit = clock_unit(end_ns)
    time = axis_title(words.time, unit.label)
    x = linear_axis(time, end_ns / unit.factor, shape.width_px, shape.x_ticks, round_up=False)
    panels = [StackedPlot(plot.title, _layers(plot, x, unit, shape)) for plot in plots]
    said = [line.label for line in plots[0].lines]
    panels[1:] = [
        StackedPlot(panel.title, [_without_legend(layer) for layer in panel.layers])
        if [line.label for line in plot.lines] == said
        else panel
        for panel, plot in zip(panels[1:], plots[1:], strict=True)
    ]
    description = say(message("figure-against-time", what=commas(*(plot.title for plot in plots))))
    return stacked_spec(shape, words.title, words.subtitle, description, panels)


def _layers(plot: OverTimePlot, x: PlotAxis, unit: AxisUnit, shape: PlotShape) -> list[layers.Layer]:
    factor = NS_PER_US if plot.scale is AxisScale.LOG else 1.0

    def trace(line: OverTimeLine, value: NDArray[np.float64]) -> layers.Trace:
        return layers.Trace(
            line.label, line.slot, into_columns(line.time_ns / unit.factor, value / factor, x.high, shape.columns)
        )

    means = [trace(line, _values(line, plot)) for line in plot.lines]
    peaks = [trace(line, line.largest) for line in plot.lines if line.largest is not None]
    y = _value_axis(plot, [*means, *peaks], shape)
    curves = layers.outlines([*means, *peaks], x, y)
    legend = layers.legend_for([trace.label for trace in means], curves, [], shape)
    made = [*layers.peak_layers(peaks, x, y), *layers.trace_layers(means, x, y, legend)]
    return [_with_units(layer, y) for layer in made] if plot.scale is AxisScale.LOG else made


def _without_legend(layer: layers.Layer) -> layers.Layer:
    """The same for a plot whose lines the first plot has named."""
    encoding = layer["encoding"]
    if "color" not in encoding:
        return layer
    return {**layer, "encoding": {**encoding, "color": {**encoding["color"], "legend": None}}}


def _with_units(layer: layers.Layer, y: PlotAxis) -> layers.Layer:
    """The same with units on the ticks of the vertical axis."""
    encoding = layer["encoding"]
    return {**layer, "encoding": {**encoding, "y": latency_encoding(y, encoding["y"]["field"])}}


def _value_axis(plot: OverTimePlot, traces: Sequence[layers.Trace], shape: PlotShape) -> PlotAxis:
    low = min(float(one.columns.low.min()) for one in traces)
    high = max(float(one.columns.high.max()) for one in traces)
    if plot.scale is AxisScale.LOG:
        return latency_axis(
            plot.axis_title, low * NS_PER_US, high * NS_PER_US, shape.height_px, label_room_px=_TICK_ROOM_PX
        )
    return linear_axis(plot.axis_title, high, shape.height_px, shape.y_ticks, round_up=True)


def _table(plots: Sequence[OverTimePlot], end_ns: float) -> FigureTable:
    unit = clock_unit(end_ns)
    rows: list[tuple[Cell, ...]] = []
    for plot in plots:
        for line in plot.lines:
            columns = into_columns(line.time_ns / unit.factor, _values(line, plot), end_ns / unit.factor, TABLE_ROWS)
            rows += [
                (listed((say(plot.title), line.label)), f"{columns.x[at]:,.1f}", *_cells(plot, columns, at))
                for at in range(len(columns.x))
            ]
    return FigureTable(
        say(message("figure-table-rows-a-line", rows=TABLE_ROWS)),
        (
            column(message("figure-column-line")),
            column(message("figure-column-time-middle"), unit.label),
            column(message("figure-column-mean")),
            column(message("figure-column-smallest-window")),
            column(message("figure-column-largest-window")),
        ),
        tuple(rows),
    )


def _cells(plot: OverTimePlot, columns: Columns, at: int) -> tuple[str, str, str]:
    text = latency_text if plot.scale is AxisScale.LOG else three_digits
    return text(columns.mean[at]), text(columns.low[at]), text(columns.high[at])
