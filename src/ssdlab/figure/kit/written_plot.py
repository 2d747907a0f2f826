"""Plots over what was written: speed above, latency below, with places marked and stretches shaded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.decimate import into_columns
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis
from ssdlab.figure.kit.layers import KEY_PREFIX, Layer
from ssdlab.figure.kit.place import Align, Box, Outline, Placed, Spot, Wanted, box_of, line_height_px, place
from ssdlab.figure.kit.say import listed, say
from ssdlab.figure.kit.stack import StackedPlot, stacked_spec
from ssdlab.figure.kit.steady_series import SteadyRun, WrittenRun, multiple_axis, speed_axis_of, speed_title
from ssdlab.figure.kit.style import Ink, PlotShape
from ssdlab.figure.kit.temperature import Warmth, temperature_panel, warmth_of
from ssdlab.message import message
from ssdlab.units import NS_PER_US
from ssdlab.unknown import Unknown

_HEIGHT_SHARE = 0.72
"""Of one of the two plots, of the height of a single one."""
_LATENCY = message("figure-latency")
_MEAN = message("figure-column-mean")
_SLOWEST = message("figure-slowest-io-of-window")


@dataclass(frozen=True, slots=True)
class LineMark:
    """A place, with a line through the plot and words at its upper end."""

    at: float
    words: tuple[str, ...]
    """On one line where there is room for it."""
    brief: tuple[str, ...]
    """In their place where other marks are too close."""
    said: str
    """What a screen reader says."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the horizontal axis that has a name."""

    begin: float
    end: float
    words: str


@dataclass(frozen=True, slots=True)
class WrittenWords:
    """Title and subtitle of the figure."""

    title: str
    subtitle: tuple[str, ...]
    description: str


def written_spec(
    run: WrittenRun,
    words: WrittenWords,
    marks: Sequence[LineMark],
    stretches: Sequence[Stretch],
    levels: Sequence[layers.KeyLevel],
    shape: PlotShape,
    warmth: Warmth | None = None,
) -> dict[str, Any]:
    """The specification of one run; without latencies, where the engine knows none, only the speed."""
    flat = replace(shape, height_px=round(shape.height_px * _HEIGHT_SHARE), y_ticks=5)
    x = multiple_axis([run], shape.width_px, shape.x_ticks)
    panels = [StackedPlot(speed_title(run), _speed_layers(run, x, marks, stretches, levels, flat))]
    below = _latency_layers(run, x, marks, flat)
    if below:
        panels.append(StackedPlot(_LATENCY, below))
    if warmth is not None:
        panels.append(temperature_panel([warmth], x, shape))
    return stacked_spec(flat, words.title, words.subtitle, words.description, panels)


def warmth_of_run(run: SteadyRun) -> Warmth | None:
    """Its temperature over what was written."""
    series = run.drive.bundle.sensors(run.step)
    if isinstance(series, Unknown):
        return None
    ends = np.append(0, run.series.time_ns)
    written = np.append(0.0, run.series.bytes_done) / run.capacity_bytes
    at = np.minimum(np.interp(series.time_ns, ends, written), run.written_end)
    return warmth_of(say(_MEAN), 1, series, np.asarray(at, dtype=np.float64))


def _speed_layers(
    run: WrittenRun,
    x: PlotAxis,
    marks: Sequence[LineMark],
    stretches: Sequence[Stretch],
    levels: Sequence[layers.KeyLevel],
    shape: PlotShape,
) -> list[Layer]:
    y = speed_axis_of(run, shape.height_px, shape.y_ticks)
    trace = layers.Trace(say(_MEAN), 1, into_columns(run.written, run.speed, x.high, shape.columns))
    curves = layers.outlines([trace], x, y)
    level_boxes = layers.level_boxes(levels, x, y)
    names = [spots for one in stretches if (spots := _within(one, x, shape))]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    named = place(names, curves, [*level_boxes, *_lines(marks, x, shape)], bounds, shape.font_px)
    taken = [*level_boxes, *(_room(one, shape) for one in named)]
    labels = _mark_labels(marks, x, curves, taken, shape)
    shaded = [Box(float(x.px(one.begin)), 0, float(x.px(one.end)), shape.height_px) for one in stretches[1::2]]
    on_shade = [one for one in labels if any(_room(one, shape).overlaps(box) for box in shaded)]
    on_paper = [one for one in labels if one not in on_shade]
    return [
        *_shades(stretches, x),
        *layers.trace_layers([trace], x, y, layers.Legend({"disable": True}, ())),
        *layers.level_layers(levels, x, y),
        *_mark_layers(marks, x),
        *layers.text_layers(named, x, y, shape, layers.Halo.NONE, name="stretches"),
        *layers.text_layers(on_shade, x, y, shape, layers.Halo.NONE, name="shaded"),
        *layers.text_layers(on_paper, x, y, shape),
    ]


def _mark_labels(
    marks: Sequence[LineMark], x: PlotAxis, curves: Sequence[Outline], taken: Sequence[Box], shape: PlotShape
) -> list[Placed]:
    """The words of each mark clear of the lines of all marks; where marks are too close to each other, in few words over one of another."""
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    placed: list[Placed] = []
    for one in marks:
        room = [*taken, *(_room(label, shape) for label in placed)]
        wide_first = _beside(one, x, shape)
        narrow_first = tuple(label for lines in (one.brief, one.words) for label in wide_first if label.lines == lines)
        placed += place([wide_first], curves, [*room, *_lines(marks, x, shape)], bounds, shape.font_px) or place(
            [narrow_first], curves, room, bounds, shape.font_px
        )
    return placed


def _latency_layers(run: WrittenRun, x: PlotAxis, marks: Sequence[LineMark], shape: PlotShape) -> list[Layer]:
    traces = []
    for slot, (label, values) in enumerate(
        ((_MEAN, run.series.latency_ns_mean), (_SLOWEST, run.series.latency_ns_max)), start=1
    ):
        known = np.where(values > 0, values, np.nan) / NS_PER_US
        columns = into_columns(run.written, known, x.high, shape.columns)
        if len(columns.x):
            traces.append(layers.Trace(say(label), slot, columns))
    if not traces:
        return []
    low = min(float(one.columns.low.min()) for one in traces) * NS_PER_US
    high = max(float(one.columns.high.max()) for one in traces) * NS_PER_US
    y = latency_axis(log_title(_LATENCY), low, high, shape.height_px, label_room_px=22)
    legend = layers.legend_for(
        [one.label for one in traces], layers.outlines(traces, x, y), _lines(marks, x, shape), shape
    )
    drawn = layers.trace_layers(traces, x, y, legend, "latencies")
    return [*[in_latency(one, y) for one in drawn], *_mark_layers(marks, x, "below")]


def _shades(stretches: Sequence[Stretch], x: PlotAxis) -> list[Layer]:
    """Every other stretch shaded, so that each ends where its neighbour begins."""
    rows = [{"x": layers.short(one.begin), "x2": layers.short(one.end)} for one in stretches[1::2]]
    if not rows:
        return []
    mark = {"type": "rect", "color": Ink.SHADE.value, "aria": False}
    encoding = {"x": x.encoding("x"), "x2": {"field": "x2"}}
    return [{"name": "stretches", "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _mark_layers(marks: Sequence[LineMark], x: PlotAxis, name: str = "marks") -> list[Layer]:
    if not marks:
        return []
    rows = [{"x": layers.short(one.at), "words": one.said} for one in marks]
    mark = {"type": "rule", "color": Ink.TEXT.value, "strokeWidth": 1.2, "strokeDash": [5, 4]}
    encoding = {"x": x.encoding("x"), "description": {"field": "words"}}
    layer_name = f"{KEY_PREFIX}{name}" if name == "marks" else name
    return [{"name": layer_name, "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _within(one: Stretch, x: PlotAxis, shape: PlotShape) -> Wanted:
    """At the foot of the plot or above it, in the middle of the stretch first; nowhere if it is too narrow for its name."""
    left, right = float(x.px(one.begin)), float(x.px(one.end))
    places = [
        Placed((one.words,), Spot(left + share * (right - left), shape.height_px - up, Align.CENTRE))
        for up in range(14, shape.height_px // 2, 12)
        for share in (0.5, 0.35, 0.65, 0.2, 0.8)
    ]
    rooms = [_room(one_place, shape) for one_place in places]
    return tuple(spot for spot, room in zip(places, rooms, strict=True) if room.left >= left and room.right <= right)


def _room(one: Placed, shape: PlotShape) -> Box:
    return box_of(one.lines, one.spot, shape.font_px)


def _lines(marks: Sequence[LineMark], x: PlotAxis, shape: PlotShape) -> list[Box]:
    """Where the lines of the marks are: no label is laid over one."""
    return [Box(float(x.px(one.at)) - 1, 0, float(x.px(one.at)) + 1, shape.height_px) for one in marks]


def _beside(one: LineMark, x: PlotAxis, shape: PlotShape) -> Wanted:
    """On either side of its line, from the top down."""
    at, step = float(x.px(one.at)), line_height_px(shape.font_px)
    forms = ((listed(one.words),), one.words, (listed(one.brief),), one.brief)
    return tuple(
        Placed(lines, Spot(at + side * 7, height + (len(lines) - 1) * step / 2, align))
        for lines in forms
        for height in range(12, shape.height_px - 30, step)
        for side, align in ((1, Align.LEFT), (-1, Align.RIGHT))
    )
