"""Speed against latency in one figure, a point for each queue depth (METHODS E.fig, 2-in-1)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import SHORT_NUMBERS, PlotAxis, axis_title, linear_axis, log_axis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers
from ssdlab.figure.kit.depth_sweep import DepthPoint, DepthSweep, MeasuredWorkload, by_group, depth_sweeps, states_of
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.kit.model import Cell, Figure, FigureTable, Variant
from ssdlab.figure.kit.point_labels import path_outline, point_labels
from ssdlab.figure.kit.readings import IOPS, speed_unit
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import pattern_title
from ssdlab.message import Message, message, semicolons, verbatim
from ssdlab.units import NS_PER_MS, NS_PER_US

LEFT_OUT_FROM_NS = NS_PER_MS
"""A drive that takes that long has mostly no more speed to give (METHODS E.fig)."""

_LATENCY = message("figure-mean-completion-latency")
_TICKS_MIN = 3
_LINEAR_STEPS = {WIDE: 10, NARROW: 4}


class _Axes(Enum):
    LOG = "log"
    LINEAR = "linear"


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """One line of a figure: a drive, or a workload of the only drive."""

    label: str
    slot: int
    rank: Rank
    sweep: DepthSweep
    shown: tuple[DepthPoint, ...]
    left_out: tuple[DepthPoint, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    name: str
    title: str
    subtitle: tuple[str, ...]
    speed: Message
    unit: str


def two_in_one(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a figure a step of the suite, lines are workloads. Several: a figure a workload, lines are drives."""
    measured = depth_sweeps(bundles)
    if len(bundles) == 1:
        for group in by_group(measured):
            job = group[0].sweeps[0].job
            work = message("figure-pattern-io", pattern=pattern_title(job.pattern))
            title = say(message("figure-speed-against-latency", work=work))
            yield from _figure(bundles, _by_workload(group), group[0].workload.group.replace("_", "-"), title)
        return
    for one in measured:
        title = say(message("figure-speed-against-latency", work=one.workload.words))
        yield from _figure(bundles, _by_drive(one), one.workload.slug, title)


def _by_workload(group: Sequence[MeasuredWorkload]) -> list[_Line]:
    return [_line(one.workload.short, slot, Rank.COMPARED, one.sweeps[0]) for slot, one in enumerate(group, start=1)]


def _by_drive(measured: MeasuredWorkload) -> list[_Line]:
    return [_line(one.drive.label, one.drive.slot, one.drive.rank, one) for one in measured.sweeps]


def _line(label: str, slot: int, rank: Rank, sweep: DepthSweep) -> _Line:
    known = [point for point in sweep.points if point.clat is not None]
    shown = tuple(point for point in known if point.clat is not None and point.clat.value < LEFT_OUT_FROM_NS)
    return _Line(label, slot, rank, sweep, shown, tuple(point for point in known if point not in shown))


def _figure(bundles: Sequence[Bundle], lines: Sequence[_Line], name: str, title: str) -> Iterator[Figure]:
    lines = [one for one in lines if one.shown or one.left_out]
    if not lines:
        return
    if not any(one.shown for one in lines):
        lines = [replace(one, shown=one.left_out, left_out=()) for one in lines]
    job = lines[0].sweep.job
    is_rate = speed_unit(job) is IOPS
    speed = verbatim("IOPS") if is_rate else message("figure-bandwidth")
    subtitle = subtitle_of(bundles, states_of(one.sweep for one in lines))
    unit = "" if is_rate else speed_unit(job).label
    words = _Words(f"two-in-one-{name}", title, (*subtitle, _hint(lines)), speed, unit)
    yield Figure(
        name=words.name,
        title=title,
        subtitle=words.subtitle,
        caption=_caption(lines),
        spec=_spec(lines, words, _Axes.LOG, WIDE),
        narrow_spec=_spec(lines, words, _Axes.LOG, NARROW),
        table=_table(lines),
        variant=Variant(
            f"{words.name}-linear",
            say(message("figure-on-linear-axes")),
            _spec(lines, words, _Axes.LINEAR, WIDE),
            _spec(lines, words, _Axes.LINEAR, NARROW),
        ),
    )


def _hint(lines: Sequence[_Line]) -> str:
    count = sum(len(one.left_out) for one in lines)
    return say(message("figure-two-in-one-hint-left-out", count=count) if count else message("figure-two-in-one-hint"))


def _caption(lines: Sequence[_Line]) -> str:
    left_out = [
        f"{one.label} {', '.join(f'QD{point.depth}' for point in one.left_out)}" for one in lines if one.left_out
    ]
    count = sum(len(one.left_out) for one in lines)
    total = count + sum(len(one.shown) for one in lines)
    if left_out:
        shown = message("figure-two-in-one-left-out", count=count, total=total, points=semicolons(*left_out))
    elif any(_clat_ns(point) >= LEFT_OUT_FROM_NS for one in lines for point in one.shown):
        shown = message("figure-two-in-one-all-slow", total=total)
    else:
        shown = message("figure-two-in-one-none-left-out", total=total)
    return sentences(say(message("figure-two-in-one-caption")), say(shown))


def _clat_ns(point: DepthPoint) -> float:
    return point.clat.value if point.clat is not None else float("nan")


def _spec(lines: Sequence[_Line], words: _Words, kind: _Axes, shape: PlotShape) -> dict[str, object]:
    curves = [_curve(one) for one in lines if one.shown]
    x, y = _axes(curves, lines, words, kind, shape)
    outlines = [path_outline(one, x, y) for one in curves]
    legend = layers.legend_for([one.label for one in curves], outlines, [], shape)
    ordered = sorted(curves, key=lambda one: one.slot)
    labels = point_labels(ordered, x, y, shape, legend.boxes)
    drawn = curve_layers([_unlabelled(one) for one in curves], x, y, shape, legend, "depths", legend.boxes)
    if kind is _Axes.LOG:
        drawn = [in_latency(one, y) for one in drawn]
    texts = [in_latency(one, y) if kind is _Axes.LOG else one for one in layers.text_layers(labels, x, y, shape)]
    described = say(message("figure-two-in-one-described", latency=_LATENCY, speed=_x_title(words), lines=len(curves)))
    return figure_spec(shape, words.title, words.subtitle, described, [*drawn, *texts])


def _curve(line: _Line) -> Curve:
    factor = speed_unit(line.sweep.job).factor
    points = [
        CurvePoint(
            x=point.speed.value / factor,
            y=_clat_ns(point) / NS_PER_US,
            words=_described(line, point),
            trust=Trust.DOUBTFUL if point.speed.failed_checks else Trust.SETTLED,
            remark=f"QD{point.depth}" if index in {0, len(line.shown) - 1} else str(point.depth),
            depth=point.depth,
        )
        for index, point in enumerate(line.shown)
    ]
    return Curve(line.label, line.slot, line.rank, tuple(points), tuple((one.x, one.y) for one in points))


def _described(line: _Line, point: DepthPoint) -> str:
    return say(
        message(
            "figure-two-in-one-point",
            line=line.label,
            depth=point.depth,
            speed=point.speed.words,
            latency=_LATENCY,
            value=latency_text(_clat_ns(point)),
        )
    )


def _x_title(words: _Words) -> str:
    return axis_title(words.speed, words.unit) if words.unit else say(words.speed)


def _unlabelled(curve: Curve) -> Curve:
    return replace(curve, points=tuple(replace(one, remark="") for one in curve.points))


def _axes(
    curves: Sequence[Curve], lines: Sequence[_Line], words: _Words, kind: _Axes, shape: PlotShape
) -> tuple[PlotAxis, PlotAxis]:
    speeds = [point.x for curve in curves for point in curve.points]
    latencies = [point.y for curve in curves for point in curve.points]
    if kind is _Axes.LINEAR:
        x = linear_axis(_x_title(words), max(speeds) * 1.03, shape.width_px, _LINEAR_STEPS[shape], round_up=True)
        y = linear_axis(
            axis_title(_LATENCY, "µs"), max(latencies) * 1.03, shape.height_px, shape.y_ticks, round_up=True
        )
    else:
        x = _speed_axis(say(message("figure-log-scale", what=_x_title(words))), min(speeds), max(speeds), shape)
        y = latency_axis(
            log_title(_LATENCY),
            min(latencies) * 0.95 * NS_PER_US,
            _highest_ns(max(latencies) * NS_PER_US),
            shape.height_px,
            label_room_px=20,
        )
    if speed_unit(lines[0].sweep.job) is IOPS:
        x = replace(x, label_expression=SHORT_NUMBERS)
    return x, y


def _speed_axis(title: str, slowest: float, fastest: float, shape: PlotShape) -> PlotAxis:
    """Logarithmic; with ticks at equal distances where 1, 2 and 5 would be too few."""
    axis = log_axis(title, slowest * 0.95, fastest * 1.05, shape.width_px)
    if len(axis.ticks) > _TICKS_MIN:
        return axis
    span = max(fastest - slowest, fastest * 0.05)
    step = linear_axis(title, span, shape.width_px, _LINEAR_STEPS[shape] // 2, round_up=True).ticks[1]
    first, last = math.floor((slowest - 0.1 * span) / step), math.ceil((fastest + 0.1 * span) / step)
    ticks = tuple(round(number * step, 9) for number in range(max(first, 1), last + 1))
    return replace(axis, low=min(ticks[0], slowest * 0.95), high=ticks[-1], ticks=ticks)


def _highest_ns(latency_ns: float) -> float:
    """The end of the axis: at what is left out, where nothing shown is beyond it."""
    return min(latency_ns * 1.05, LEFT_OUT_FROM_NS) if latency_ns < LEFT_OUT_FROM_NS else latency_ns * 1.05


def _table(lines: Sequence[_Line]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    unit = speed_unit(lines[0].sweep.job)
    for line in lines:
        for point in sorted((*line.shown, *line.left_out), key=lambda one: one.depth):
            place = say(message("figure-shown") if point in line.shown else message("figure-left-out"))
            speed = f"{point.speed.value / unit.factor:,.0f}"
            rows.append((line.label, str(point.depth), speed, f"{_clat_ns(point) / NS_PER_US:,.1f}", place))
    columns = (
        column(message("figure-column-line")),
        column(message("figure-column-queue-depth"), "QD"),
        column(message("figure-speed"), unit.label),
        column(_LATENCY, "µs"),
        column(message("figure-column-in-figure")),
    )
    return FigureTable(say(message("figure-table-depths")), columns, tuple(rows))
