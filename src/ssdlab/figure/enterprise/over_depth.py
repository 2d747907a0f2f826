"""Speed over queue depth beside latency over queue depth: the older form of speed against latency, with all points (METHODS E.fig)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, speed_axis
from ssdlab.figure.kit.depth_sweep import DepthPoint, DepthSweep, by_group, depth_axis, depth_sweeps, states_of
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import IOPS, MetricReading, SpeedUnit, speed_unit
from ssdlab.figure.kit.say import column, first_upper, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import pattern_title
from ssdlab.message import Message, duration, message
from ssdlab.units import NS_PER_US

_LATENCY = message("figure-mean-completion-latency")
_PLOTS = 2


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A drive, or a workload of the only drive."""

    label: str
    slot: int
    rank: Rank
    sweep: DepthSweep

    @property
    def unit(self) -> SpeedUnit:
        """Of its speeds."""
        return speed_unit(self.sweep.job)


def over_depth(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a figure a step of the suite, lines are workloads. Several: a figure a workload, lines are drives."""
    measured = depth_sweeps(bundles)
    if len(bundles) == 1:
        for group in by_group(measured):
            own = [_Line(one.workload.short, slot, Rank.COMPARED, one.sweeps[0]) for slot, one in enumerate(group, 1)]
            work = message("figure-pattern-io", pattern=pattern_title(group[0].workload.pattern))
            yield _figure(
                bundles, own, group[0].workload.group.replace("_", "-"), message("figure-over-depth", work=work)
            )
        return
    for one in measured:
        beside = [_Line(sweep.drive.label, sweep.drive.slot, sweep.drive.rank, sweep) for sweep in one.sweeps]
        yield _figure(bundles, beside, one.workload.slug, message("figure-over-depth", work=one.workload.words))


def _figure(bundles: Sequence[Bundle], lines: Sequence[_Line], name: str, told: Message) -> Figure:
    title, subtitle = say(told), subtitle_of(bundles, states_of(one.sweep for one in lines))
    length_ns = lines[0].sweep.job.duration_ns
    return Figure(
        name=f"over-depth-{name}",
        title=title,
        subtitle=subtitle,
        caption=sentences(
            say(message("figure-over-depth-caption")),
            "" if length_ns is None else say(message("figure-point-measured-for", length=duration(length_ns))),
        ),
        spec=_spec(lines, title, subtitle, WIDE),
        narrow_spec=_spec(lines, title, subtitle, NARROW),
        table=_table(lines),
    )


def _spec(lines: Sequence[_Line], title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, _PLOTS), shape.height_px * 9 // 10
    x = depth_axis((point.depth for line in lines for point in line.sweep.points), width_px)
    legend = layers.legend_above([one.label for one in lines], shape)
    speeds = [_speeds(one) for one in lines]
    what = _speed_words(lines[0].unit)
    y = speed_axis(what, lines[0].unit, speeds, shape, height_px)
    panels = [Panel(first_upper(say(what)), width_px, height_px, curve_layers(speeds, x, y, shape, legend, "speed"))]
    if latencies := [curve for one in lines if (curve := _latencies(one)).points]:
        below = _latency_axis(latencies, height_px)
        drawn = [in_latency(one, below) for one in curve_layers(latencies, x, below, shape, legend, "latency")]
        panels.append(Panel(first_upper(say(_LATENCY)), width_px, height_px, drawn))
    described = say(message("figure-over-depth-described", lines=len(lines)))
    return panels_spec(shape, title, subtitle, described, panels)


def _speed_words(unit: SpeedUnit) -> Message:
    return message("figure-rate") if unit is IOPS else message("figure-bandwidth")


def _latency_axis(curves: Sequence[Curve], length_px: int) -> PlotAxis:
    every = [point.y * NS_PER_US for curve in curves for point in curve.points]
    return latency_axis(log_title(_LATENCY), min(every), max(every), length_px, label_room_px=20)


def _speeds(line: _Line) -> Curve:
    points = [_point(line, point, point.speed, line.unit.factor, point.speed.words) for point in line.sweep.points]
    return Curve(line.label, line.slot, line.rank, tuple(points))


def _latencies(line: _Line) -> Curve:
    known = [(point, point.clat) for point in line.sweep.points if point.clat is not None]
    points = [_point(line, point, clat, NS_PER_US, clat.words_of(latency_text(clat.value))) for point, clat in known]
    return Curve(line.label, line.slot, line.rank, tuple(points))


def _point(line: _Line, point: DepthPoint, value: MetricReading, factor: float, words: str) -> CurvePoint:
    return CurvePoint(
        x=point.depth,
        y=value.value / factor,
        words=f"{line.label}, QD{point.depth}: {words}",
        low=None if value.low is None else value.low / factor,
        high=None if value.high is None else value.high / factor,
        trust=Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED,
    )


def _table(lines: Sequence[_Line]) -> FigureTable:
    unknown = say(message("figure-unknown"))
    rows: list[tuple[Cell, ...]] = [
        (
            line.label,
            str(point.depth),
            f"{point.speed.value / line.unit.factor:,.0f}",
            unknown if point.clat is None else f"{point.clat.value / NS_PER_US:,.1f}",
        )
        for line in lines
        for point in line.sweep.points
    ]
    columns = (
        column(message("figure-column-line")),
        column(message("figure-column-queue-depth"), "QD"),
        column(message("figure-speed"), lines[0].unit.label),
        column(_LATENCY, "µs"),
    )
    return FigureTable(say(message("figure-table-depths")), columns, tuple(rows))
