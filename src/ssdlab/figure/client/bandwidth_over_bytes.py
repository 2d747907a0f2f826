"""Bandwidth over bytes written, one line a pass: shows the SLC cache and what comes after it (METHODS C2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import CACHE_BANDWIDTH, CACHE_BYTES, DIRECT_BANDWIDTH, FOLDING_BANDWIDTH
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, linear_axis, size_unit
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.pass_speed import PassSpeed, speed_axis, speed_chart, speed_table
from ssdlab.figure.kit.passes import FillPass, fill_passes, is_sustained, workload
from ssdlab.figure.kit.place import Box, Lines, Outline, Placed, Wanted, after_end, along, is_cut_off, place
from ssdlab.figure.kit.readings import MetricReading, readings_of
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import subtitle
from ssdlab.figure.kit.words import band_note
from ssdlab.message import message
from ssdlab.units import MIB, format_size

TITLE = message("figure-over-bytes-title")


class PassLevel(Enum):
    """What holds the speed of a pass at one level."""

    CACHE = "cache"
    FOLDING = "folding"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Level:
    """A plateau of one pass as the analysis found it, in the units of the axes."""

    level: float
    left: float
    right: float
    number: int
    """Of the pass."""
    plateau: PassLevel
    speed: str
    size: str | None
    """Of a cache; None for other plateaus."""


def bandwidth_over_bytes(bundle: Bundle) -> Figure | None:
    """The figure; None when no pass was finished, or where the passes of a sustained write have one of their own."""
    passes = fill_passes(bundle)
    if not passes or is_sustained(bundle):
        return None
    caption = sentences(
        say(message("figure-sentence", what=workload(bundle, passes))),
        band_note(passes, WIDE),
        say(message("figure-plateaus")),
    )
    about = subtitle(bundle, [one.step.state for one in passes])
    return passes_figure(passes, bundle.metrics, bundle.run.drive.capacity_bytes, about, caption)


def passes_figure(
    passes: tuple[FillPass, ...],
    metrics: Sequence[Metric],
    capacity_bytes: int,
    about: tuple[str, ...],
    caption: str,
) -> Figure:
    """The figure of passes, whoever recorded them."""
    unit = size_unit(capacity_bytes)
    return Figure(
        name="bandwidth-over-bytes",
        title=say(TITLE),
        subtitle=about,
        caption=caption,
        spec=_spec(metrics, passes, unit, about, WIDE),
        narrow_spec=_spec(metrics, passes, unit, about, NARROW),
        table=speed_table(_speeds(passes, unit), column(message("figure-column-written-middle"), unit.label)),
        long_chart=speed_chart(_speeds(passes, unit), _x_title(unit)),
    )


def _spec(
    metrics: Sequence[Metric], passes: tuple[FillPass, ...], unit: AxisUnit, about: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    length = max(_length(one, unit) for one in passes)
    x = linear_axis(_x_title(unit), length, shape.width_px, shape.x_ticks, round_up=False)
    y = speed_axis(passes, shape)
    traces = [
        layers.Trace(speed.of.label, speed.of.number, speed.columns(length, shape.columns))
        for speed in _speeds(passes, unit)
    ]
    curves = layers.outlines(traces, x, y)
    legend = layers.legend_for([trace.label for trace in traces], curves, [], shape)
    known = readings_of(metrics)
    levels = [level for one in passes for level in _levels(known, one, unit)]
    wanted = [
        _wanted(level, x, y, [curve for curve, one in zip(curves, passes, strict=True) if one.number != level.number])
        for level in levels
    ]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    drawn = [_key_level(level) for level in levels]
    taken = [*layers.level_boxes(drawn, x, y), *legend.boxes]
    placed = place(wanted, curves, taken, bounds, shape.font_px)
    return figure_spec(
        shape,
        say(TITLE),
        about,
        say(message("figure-over-bytes-described", passes=len(passes))),
        [
            *layers.trace_layers(traces, x, y, legend),
            *layers.level_layers(drawn, x, y),
            *layers.point_layers([_cache_end(level) for level in levels if level.size], x, y),
            *layers.text_layers(placed, x, y, shape),
        ],
    )


def _x_title(unit: AxisUnit) -> str:
    return axis_title(message("figure-written-in-pass"), unit.label)


def _length(one: FillPass, unit: AxisUnit) -> float:
    """What the pass wrote; a drive that accepted nothing still has an axis to be drawn on."""
    return max(1.0, float(one.series.bytes_done[-1])) / unit.factor


def _speeds(passes: Sequence[FillPass], unit: AxisUnit) -> list[PassSpeed]:
    placed = [(one, one.written_bytes / unit.factor) for one in passes]
    return [PassSpeed(one, at, 0.0, at, _length(one, unit)) for one, at in placed]


def _levels(known: Mapping[MetricKey, MetricReading], one: FillPass, unit: AxisUnit) -> list[Level]:
    """The plateaus of a pass, each over the stretch where the windows are near its level."""
    point = one.step.point
    size = known.get(MetricKey(point, CACHE_BYTES))
    cache = known.get(MetricKey(point, CACHE_BANDWIDTH))
    levels = []
    if cache and size and size.value > 0:
        end = size.value / unit.factor
        # The table also gives the decimal size; a label has no room for both.
        shown = format_size(size.value, size.low, size.high)
        levels.append(Level(cache.value / MIB, 0.0, end, one.number, PassLevel.CACHE, cache.text, shown))
    for plateau, quantity in ((PassLevel.FOLDING, FOLDING_BANDWIDTH), (PassLevel.DIRECT, DIRECT_BANDWIDTH)):
        level = known.get(MetricKey(point, quantity))
        stretch = level and _stretch_near(one, level.value, size.value if size else 0.0)
        if level and stretch:
            left, right = stretch[0] / unit.factor, stretch[1] / unit.factor
            levels.append(Level(level.value / MIB, left, right, one.number, plateau, level.text, None))
    return levels


def _stretch_near(one: FillPass, level: float, after_bytes: float) -> tuple[float, float] | None:
    """The longest stretch of a pass whose smoothed bandwidth stays within 12 % of a level.

    The metrics say how fast a plateau is, not where it lies; this finds where to draw it.
    """
    slices = np.array_split(np.arange(len(one.written_bytes)), min(200, len(one.written_bytes)))
    bandwidth = _running_median(np.array([np.median(one.series.bandwidth_bytes_per_s[part]) for part in slices]))
    begins = np.array([one.written_bytes[part[0]] for part in slices])
    ends = np.array([one.written_bytes[part[-1]] for part in slices])
    near = (np.abs(bandwidth / level - 1) < 0.12) & (ends > after_bytes)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], near.astype(np.int8), [0]))))
    runs = list(zip(edges[::2], edges[1::2] - 1, strict=True))
    if not runs:
        return None
    first, last = max(runs, key=lambda run: float(ends[run[1]] - begins[run[0]]))
    return max(float(begins[first]), after_bytes), float(ends[last])


def _running_median(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Median of each value and its three neighbours on either side, so that ripple does not cut a plateau."""
    padded = np.pad(values, 3, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, 7), axis=1), dtype=np.float64)


def _forms(level: Level) -> tuple[Lines, ...]:
    """Text of a label: on one line, or on two where there is little room."""
    number, speed = level.number, level.speed
    if level.size:
        cache = say(message("figure-level-cache-size", number=number, size=level.size))
        whole = say(message("figure-level-cache", number=number, size=level.size, speed=speed))
        return (whole,), (cache, say(message("figure-level-cache-speed", speed=speed)))
    if level.plateau is PassLevel.FOLDING:
        return ((say(message("figure-level-folding", number=number, speed=speed)),),)
    return ((say(message("figure-level-direct", number=number, speed=speed)),),)


def _words(level: Level) -> str:
    return _forms(level)[0][0]


def _wanted(level: Level, x: PlotAxis, y: PlotAxis, others: list[Outline]) -> Wanted:
    left, right = float(x.px(level.left)), float(x.px(level.right))
    level_px = y.length_px - float(y.px(level.level))
    # A label with another pass between it and its level would be taken for that of the other.
    over = sorted(along(left, right, level_px), key=lambda spot: is_cut_off(spot, level_px, others))
    beside = after_end(right, level_px)
    order = (beside, over) if level.size else (over, beside)
    return tuple(Placed(lines, spot) for spots in order for lines in _forms(level) for spot in spots)


def _key_level(level: Level) -> layers.KeyLevel:
    return layers.KeyLevel(level.left, level.right, level.level, _words(level))


def _cache_end(level: Level) -> layers.KeyPoint:
    words = say(message("figure-cache-ends", number=level.number, size=level.size or ""))
    return layers.KeyPoint(level.right, level.level, level.number, words)
