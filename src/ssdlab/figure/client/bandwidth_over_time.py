"""Bandwidth over time, the passes one after the other with the rest between them (METHODS C2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH_MEAN
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.pass_speed import PassSpeed, speed_axis, speed_chart, speed_table
from ssdlab.figure.kit.passes import PASSES_NAMED_MAX, FillPass, fill_passes, workload
from ssdlab.figure.kit.place import Box, Lines, Placed, Wanted, along, place
from ssdlab.figure.kit.readings import reading
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.stack import StackedPlot, stacked_spec
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import subtitle
from ssdlab.figure.kit.temperature import Warmth, note_of, temperature_panel, warmth_of
from ssdlab.figure.kit.timeline import rest_note, timeline, title, unit_of
from ssdlab.figure.kit.words import band_note
from ssdlab.message import message
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

TITLE = message("figure-bandwidth-over-time-title")


@dataclass(frozen=True, slots=True)
class _Mean:
    """Mean of a pass, over the whole of it."""

    level: layers.KeyLevel
    lines: Lines
    """The words of its label where there is no room for one line."""


def bandwidth_over_time(bundle: Bundle) -> Figure | None:
    """The figure; None when no pass was finished."""
    passes = fill_passes(bundle)
    if not passes:
        return None
    unit = unit_of(passes)
    return Figure(
        name="bandwidth-over-time",
        title=say(TITLE),
        subtitle=subtitle(bundle, [one.step.state for one in passes]),
        caption=sentences(
            say(message("figure-sentence", what=workload(bundle, passes))),
            band_note(passes, WIDE),
            say(message("figure-means") if len(passes) <= PASSES_NAMED_MAX else message("figure-passes-unnamed")),
            rest_note(bundle, passes),
            note_of(_warmth(bundle, passes, unit)),
        ),
        spec=_spec(bundle, passes, WIDE),
        narrow_spec=_spec(bundle, passes, NARROW),
        table=speed_table(_speeds(passes, unit), column(message("figure-column-time-middle"), unit.label)),
        long_chart=speed_chart(_speeds(passes, unit), title(unit)),
    )


def _spec(bundle: Bundle, passes: tuple[FillPass, ...], shape: PlotShape) -> dict[str, object]:
    time = timeline(bundle, passes, shape)
    x, unit = time.x, time.unit
    y = speed_axis(passes, shape)
    is_named = len(passes) <= PASSES_NAMED_MAX
    traces = [
        layers.Trace(speed.of.label, speed.of.number if is_named else 1, speed.columns(x.high, shape.columns))
        for speed in _speeds(passes, unit)
    ]
    curves = layers.outlines(traces, x, y)
    taken = time.boxes()
    labels = [trace.label for trace in traces]
    legend = layers.legend_for(labels, curves, taken, shape) if is_named else layers.NO_LEGEND
    means = [mean for one in passes if is_named for mean in _means(bundle, one, unit)]
    levels = [mean.level for mean in means]
    taken += [*layers.level_boxes(levels, x, y), *legend.boxes]
    wanted = [_wanted(mean, x, y) for mean in means]
    bounds = Box(0, 0, shape.width_px, shape.height_px)
    placed = place(wanted, curves, taken, bounds, shape.font_px)
    said = subtitle(bundle, [one.step.state for one in passes])
    described = message("figure-bandwidth-over-time-described", passes=len(passes))
    drawn = [
        *time.layers(y),
        *layers.trace_layers(traces, x, y, legend),
        *layers.level_layers(levels, x, y),
        *layers.text_layers(placed, x, y, shape),
    ]
    warmth = _warmth(bundle, passes, unit)
    if not warmth:
        return figure_spec(shape, say(TITLE), said, say(described), drawn)
    below = temperature_panel(warmth, x, shape)
    panels = [
        StackedPlot(message("figure-bandwidth"), drawn),
        replace(below, layers=[*time.shades(), *below.layers]),
    ]
    with_warmth = say(message("figure-with-temperature", described=described))
    return stacked_spec(shape, say(TITLE), said, with_warmth, panels)


def _warmth(bundle: Bundle, passes: tuple[FillPass, ...], unit: AxisUnit) -> list[Warmth]:
    """Of each pass that has a temperature, on the figure's time axis."""
    found = []
    for one in passes:
        series = bundle.sensors(one.step)
        at = np.array([]) if isinstance(series, Unknown) else (one.begin_ns + series.time_ns) / unit.factor
        warmth = warmth_of(one.label, one.number if len(passes) <= PASSES_NAMED_MAX else 1, series, at)
        found += [] if warmth is None else [warmth]
    return found


def _means(bundle: Bundle, one: FillPass, unit: AxisUnit) -> list[_Mean]:
    mean = reading(bundle, MetricKey(one.step.point, BANDWIDTH_MEAN))
    if mean is None:
        return []
    words = say(message("figure-pass-mean-of", number=one.number, mean=mean.text))
    level = layers.KeyLevel(one.begin_ns / unit.factor, one.end_ns / unit.factor, mean.value / MIB, words)
    return [_Mean(level, (say(message("figure-pass-mean", number=one.number)), mean.text))]


def _wanted(mean: _Mean, x: PlotAxis, y: PlotAxis) -> Wanted:
    level = mean.level
    forms = ((level.description,), mean.lines)
    spots = along(float(x.px(level.left)), float(x.px(level.right)), y.length_px - float(y.px(level.level)))
    return tuple(Placed(lines, spot) for lines in forms for spot in spots)


def _speeds(passes: Sequence[FillPass], unit: AxisUnit) -> list[PassSpeed]:
    return [
        PassSpeed(
            of=one,
            x=one.clock_ns / unit.factor,
            begin=one.begin_ns / unit.factor,
            since_begin=(one.clock_ns - one.begin_ns) / unit.factor,
            length=(one.end_ns - one.begin_ns) / unit.factor,
        )
        for one in passes
    ]
