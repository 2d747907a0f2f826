"""Random reads inside a growing part of the drive: where its mapping cache stops covering it (METHODS C3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle import quantities
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, curve_outline, legend_beside, speed_axis
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import AxisScale, Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.place import Align, Box, Placed, Spot, place
from ssdlab.figure.kit.readings import IOPS, MetricReading, readings
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec, series_ink
from ssdlab.figure.kit.subject import block_words, pattern_word, range_words
from ssdlab.figure.kit.suite_steps import measure_steps, measured_points
from ssdlab.job import Job
from ssdlab.message import commas, message
from ssdlab.point import Point
from ssdlab.units import format_size

TITLE = message("figure-active-range-title")
_RANGE = message("figure-active-range")
_SIZES = (
    "datum.value < 1048576 ? format(datum.value / 1024, ',~r') + ' KiB' : "
    "datum.value < 1073741824 ? format(datum.value / 1048576, ',~r') + ' MiB' : "
    "format(datum.value / 1073741824, ',~r') + ' GiB'"
)


@dataclass(frozen=True, slots=True)
class DrawnRange:
    """Reads inside the first bytes of the drive."""

    range_bytes: int
    iops: MetricReading


@dataclass(frozen=True, slots=True, eq=False)
class RangeSweep:
    """All ranges of one drive, the smallest first."""

    drive: DrawnRun
    job: Job
    points: tuple[DrawnRange, ...]
    reach: MetricReading | None
    """Where the mapping cache ends; None where nothing falls."""


def active_range(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The figure, if the performance of any of the drives falls (METHODS C3)."""
    for step in measure_steps(bundles[0]):
        if step.sweep.active_range is None:
            continue
        found = [sweep for drive in drives_of(bundles) if (sweep := _sweep(drive, step.name)) is not None]
        if any(sweep.reach is not None for sweep in found):
            yield range_figure(found)


def _sweep(drive: DrawnRun, group: str) -> RangeSweep | None:
    known = readings(drive.bundle)
    jobs = measured_points(drive.bundle, group)
    points = [
        DrawnRange(job.region.length_bytes, known[key])
        for point, job in jobs.items()
        if (key := MetricKey(point, quantities.IOPS)) in known
    ]
    if not points:
        return None
    points.sort(key=lambda one: one.range_bytes)
    return RangeSweep(
        drive, next(iter(jobs.values())), tuple(points), known.get(MetricKey(Point(group), quantities.REACH_BYTES))
    )


def range_figure(sweeps: Sequence[RangeSweep]) -> Figure:
    """A line a drive; where the reach of a mapping cache is known it is marked with its interval."""
    bundles = [one.drive.bundle for one in sweeps]
    subtitle = subtitle_of(bundles, [point.iops.state for one in sweeps for point in one.points])
    job = sweeps[0].job
    flat = [one.drive.label for one in sweeps if one.reach is None]
    without = say(message("figure-active-range-flat", drives=commas(*flat))) if flat else ""
    read = message("figure-active-range-caption", block=block_words(job.block_bytes), depth=job.in_flight)
    return Figure(
        name="active-range",
        title=say(TITLE),
        subtitle=subtitle,
        caption=sentences(say(read), without),
        spec=_spec(sweeps, subtitle, WIDE),
        narrow_spec=_spec(sweeps, subtitle, NARROW),
        table=_table(sweeps),
    )


def _spec(sweeps: Sequence[RangeSweep], subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    curves = [Curve(one.drive.label, one.drive.slot, one.drive.rank, _points(one)) for one in sweeps]
    x = _range_axis(sweeps, shape)
    job = sweeps[0].job
    reads = message("figure-reads", pattern=pattern_word(job.pattern), block=block_words(job.block_bytes))
    y = speed_axis(reads, IOPS, curves, shape, shape.height_px)
    outlines = [curve_outline(one, x, y) for one in curves]
    legend = legend_beside(curves, outlines, shape)
    taken = list(legend.boxes) if legend else []
    reached = [one for one in sweeps if one.reach is not None]
    wanted = [_reach_label(one, one.reach, len(sweeps), x, y) for one in reached if one.reach is not None]
    placed = place(wanted, outlines, taken, Box(0, 0, x.length_px, y.length_px), shape.font_px)
    return figure_spec(
        shape,
        say(TITLE),
        subtitle,
        say(message("figure-active-range-described", drives=len(sweeps))),
        [
            *_reach_layers(reached, x),
            *curve_layers(curves, x, y, shape, legend, "ranges", taken),
            *layers.text_layers(placed, x, y, shape),
        ],
    )


def _points(sweep: RangeSweep) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(
            x=point.range_bytes,
            y=point.iops.value,
            words=say(
                message(
                    "figure-inside-range",
                    drive=sweep.drive.label,
                    range=range_words(point.range_bytes),
                    value=point.iops.words,
                )
            ),
            low=point.iops.low,
            high=point.iops.high,
            trust=Trust.DOUBTFUL if point.iops.failed_checks else Trust.SETTLED,
        )
        for point in sweep.points
    )


def _range_axis(sweeps: Sequence[RangeSweep], shape: PlotShape) -> PlotAxis:
    """Doublings, of which as many are labelled as there is room for."""
    sizes = [point.range_bytes for one in sweeps for point in one.points]
    low, high = min(sizes), max(sizes)
    ticks = []
    size = float(low)
    while size <= high * 1.0001:
        ticks.append(size)
        size *= 2
    every = max(1, round(len(ticks) * 62 / shape.width_px + 0.4))
    return PlotAxis(
        log_title(_RANGE), low * 0.93, high * 1.07, tuple(ticks[::every]), shape.width_px, AxisScale.LOG, _SIZES
    )


def _reach_layers(sweeps: Sequence[RangeSweep], x: PlotAxis) -> list[Layer]:
    rows = [
        {
            "x": layers.short(one.reach.value),
            "low": layers.short(max(x.low, one.reach.low or one.reach.value)),
            "high": layers.short(min(x.high, one.reach.high or one.reach.value)),
            "ink": series_ink(one.drive.slot).value,
            "words": say(message("figure-cache-reaches", drive=one.drive.label, reach=one.reach.words)),
        }
        for one in sweeps
        if one.reach is not None
    ]
    ink = {"field": "ink", "type": "nominal", "scale": None}
    band = {"x": x.encoding("low"), "x2": {"field": "high"}, "fill": ink}
    line = {"x": x.encoding("x"), "stroke": ink, "description": {"field": "words"}}
    shade = {"type": "rect", "opacity": 0.14, "aria": False}
    dashes = {"type": "rule", "strokeWidth": 1.6, "strokeDash": [6, 4]}
    return [
        {"name": "reach-intervals", "data": {"values": rows}, "mark": shade, "encoding": band},
        {"name": f"{layers.KEY_PREFIX}reach", "data": {"values": rows}, "mark": dashes, "encoding": line},
    ]


def _reach_label(sweep: RangeSweep, reach: MetricReading, count: int, x: PlotAxis, y: PlotAxis) -> tuple[Placed, ...]:
    """Beside the dashed line, wherever along it there is room."""
    at = float(x.px(reach.value))
    short = say(message("figure-reach", size=format_size(reach.value, reach.low, reach.high)))
    forms = [(short,)] if count == 1 else [(f"{sweep.drive.label}: {short}",), (sweep.drive.label, short)]
    return tuple(
        Placed(lines, Spot(at + sign * 8, height, align))
        for lines in forms
        for height in range(24, y.length_px, 12)
        for sign, align in ((1, Align.LEFT), (-1, Align.RIGHT))
    )


def _table(sweeps: Sequence[RangeSweep]) -> FigureTable:
    sizes = sorted({point.range_bytes for one in sweeps for point in one.points})
    rows: list[tuple[Cell, ...]] = []
    for size in sizes:
        cells = []
        for sweep in sweeps:
            found = [point.iops.value for point in sweep.points if point.range_bytes == size]
            cells.append(f"{found[0]:,.0f}" if found else say(message("figure-not-measured")))
        rows.append((range_words(size), *cells))
    columns = (column(_RANGE), *(Column(one.drive.label, "IOPS") for one in sweeps))
    return FigureTable(say(message("figure-table-ranges")), columns, tuple(rows))
