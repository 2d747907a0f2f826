"""Plots over what was written: speed above, latency below, with places marked and stretches shaded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ssdlab.figure import layers
from ssdlab.figure.axis import Axis
from ssdlab.figure.decimate import into_columns
from ssdlab.figure.latency_axis import in_latency, latency_axis
from ssdlab.figure.layers import KEY_PREFIX, Layer
from ssdlab.figure.place import Align, Box, Outline, Placed, Spot, Wanted, box_of, line_height_px, place
from ssdlab.figure.stack import Panel, stacked_spec
from ssdlab.figure.steady_series import SteadyRun, multiple_axis, speed_axis_of, speed_title
from ssdlab.figure.style import Ink, Shape
from ssdlab.figure.temperature import Warmth, temperature_panel, warmth_of
from ssdlab.units import NS_PER_US
from ssdlab.unknown import Unknown

_HEIGHT_SHARE = 0.72
"""Of one of the two plots, of the height of a single one."""
_LATENCY_TITLE = "latency (log scale)"
_SLOWEST = "slowest I/O of each window"
_SLOTS = {"mean": 1, _SLOWEST: 2}


@dataclass(frozen=True, slots=True)
class Mark:
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
    run: SteadyRun,
    words: WrittenWords,
    marks: Sequence[Mark],
    stretches: Sequence[Stretch],
    levels: Sequence[layers.KeyLevel],
    shape: Shape,
) -> dict[str, Any]:
    """The specification of one run; without latencies, where the engine knows none, only the speed."""
    flat = replace(shape, height_px=round(shape.height_px * _HEIGHT_SHARE), y_ticks=5)
    x = multiple_axis([run], shape.width_px, shape.x_ticks)
    panels = [Panel(speed_title(run).partition(" (")[0], _speed_layers(run, x, marks, stretches, levels, flat))]
    below = _latency_layers(run, x, marks, flat)
    if below:
        panels.append(Panel("latency", below))
    if (warmth := warmth_of_run(run)) is not None:
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
    return warmth_of("mean", 1, series, np.asarray(at, dtype=np.float64))


def _speed_layers(
    run: SteadyRun,
    x: Axis,
    marks: Sequence[Mark],
    stretches: Sequence[Stretch],
    levels: Sequence[layers.KeyLevel],
    shape: Shape,
) -> list[Layer]:
    y = speed_axis_of(run, shape.height_px, shape.y_ticks)
    trace = layers.Trace("mean", 1, into_columns(run.written, run.speed, x.high, shape.columns))
    curves = layers.outlines([trace], x, y)
    names = [_within(one, x, shape) for one in stretches]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    named = place([one for one in names if one], [], _lines(marks, x, shape), bounds, shape.font_px)
    taken = [*layers.level_boxes(levels, x, y), *(_room(one, shape) for one in named)]
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
    marks: Sequence[Mark], x: Axis, curves: Sequence[Outline], taken: Sequence[Box], shape: Shape
) -> list[Placed]:
    """The words of each mark clear of the lines of all marks; over one of another where marks are too close to each other."""
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    placed: list[Placed] = []
    for one in marks:
        room = [*taken, *(_room(label, shape) for label in placed)]
        wide_first = _beside(one, x, shape)
        narrow_first = tuple(label for lines in (one.words, one.brief) for label in wide_first if label.lines == lines)
        placed += place([wide_first], curves, [*room, *_lines(marks, x, shape)], bounds, shape.font_px) or place(
            [narrow_first], curves, room, bounds, shape.font_px
        )
    return placed


def _latency_layers(run: SteadyRun, x: Axis, marks: Sequence[Mark], shape: Shape) -> list[Layer]:
    traces = []
    for label, values in (("mean", run.series.latency_ns_mean), (_SLOWEST, run.series.latency_ns_max)):
        known = np.where(values > 0, values, np.nan) / NS_PER_US
        columns = into_columns(run.written, known, x.high, shape.columns)
        if len(columns.x):
            traces.append(layers.Trace(label, _SLOTS[label], columns))
    if not traces:
        return []
    low = min(float(one.columns.low.min()) for one in traces) * NS_PER_US
    high = max(float(one.columns.high.max()) for one in traces) * NS_PER_US
    y = latency_axis(_LATENCY_TITLE, low, high, shape.height_px, label_room_px=22)
    legend = layers.legend_for(
        [one.label for one in traces], layers.outlines(traces, x, y), _lines(marks, x, shape), shape
    )
    drawn = layers.trace_layers(traces, x, y, legend, "latencies")
    return [*[in_latency(one, y) for one in drawn], *_mark_layers(marks, x, "below")]


def _shades(stretches: Sequence[Stretch], x: Axis) -> list[Layer]:
    """Every other stretch shaded, so that each ends where its neighbour begins."""
    rows = [{"x": layers.short(one.begin), "x2": layers.short(one.end)} for one in stretches[1::2]]
    if not rows:
        return []
    mark = {"type": "rect", "color": Ink.SHADE.value, "aria": False}
    encoding = {"x": x.encoding("x"), "x2": {"field": "x2"}}
    return [{"name": "stretches", "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _mark_layers(marks: Sequence[Mark], x: Axis, name: str = "marks") -> list[Layer]:
    if not marks:
        return []
    rows = [{"x": layers.short(one.at), "words": one.said} for one in marks]
    mark = {"type": "rule", "color": Ink.TEXT.value, "strokeWidth": 1.2, "strokeDash": [5, 4]}
    encoding = {"x": x.encoding("x"), "description": {"field": "words"}}
    layer_name = f"{KEY_PREFIX}{name}" if name == "marks" else name
    return [{"name": layer_name, "data": {"values": rows}, "mark": mark, "encoding": encoding}]


def _within(one: Stretch, x: Axis, shape: Shape) -> Wanted:
    """At the foot of the plot, in the middle of the stretch if nothing is there; nowhere if it is too narrow for its name."""
    left, right = float(x.px(one.begin)), float(x.px(one.end))
    places = [
        Placed((one.words,), Spot(left + share * (right - left), shape.height_px - 14, Align.CENTRE))
        for share in (0.5, 0.35, 0.65, 0.2, 0.8)
    ]
    rooms = [_room(one_place, shape) for one_place in places]
    return tuple(spot for spot, room in zip(places, rooms, strict=True) if room.left >= left and room.right <= right)


def _room(one: Placed, shape: Shape) -> Box:
    return box_of(one.lines, one.spot, shape.font_px)


def _lines(marks: Sequence[Mark], x: Axis, shape: Shape) -> list[Box]:
    """Where the lines of the marks are: no label is laid over one."""
    return [Box(float(x.px(one.at)) - 1, 0, float(x.px(one.at)) + 1, shape.height_px) for one in marks]


def _beside(one: Mark, x: Axis, shape: Shape) -> Wanted:
    """On either side of its line, from the top down."""
    at, step = float(x.px(one.at)), line_height_px(shape.font_px)
    forms = ((", ".join(one.words),), one.words, (", ".join(one.brief),), one.brief)
    return tuple(
        Placed(lines, Spot(at + side * 7, height + (len(lines) - 1) * step / 2, align))
        for lines in forms
        for height in range(12, shape.height_px - 30, step)
        for side, align in ((1, Align.LEFT), (-1, Align.RIGHT))
    )
