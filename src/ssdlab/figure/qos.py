"""How long the slow I/Os take at each queue depth, by percentile (METHODS E.fig, QoS)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.analysis.latency import PERCENTS
from ssdlab.analysis.percentile import SAMPLES_ABOVE_MIN
from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis
from ssdlab.figure.curves import Curve, CurvePoint, Trust, curve_layers
from ssdlab.figure.depth_sweep import DepthSweep, Measured, by_group, depth_axis, depth_sweeps, in_rows, states_of
from ssdlab.figure.drives import Rank, subtitle_of
from ssdlab.figure.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.style import NARROW, WIDE, Panel, Shape, panel_width_px, panels_spec
from ssdlab.units import NS_PER_US

_COMPARED_AT = ("99", "99.99", "99.9999")
"""Of several drives: a plot each, two nines apart."""
_HINT = "So many of all I/Os took at most that long"
_Y_TITLE = "completion latency (log scale)"


@dataclass(frozen=True, slots=True, eq=False)
class _Plot:
    """One plot of a figure."""

    title: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    name: str
    title: str
    subtitle: tuple[str, ...]
    caption: str


def qos(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a plot a workload, a line a percentile. Several: a figure a workload, a plot a percentile, a line a drive."""
    measured = [one for one in depth_sweeps(bundles) if any(point.percentiles for point in one.sweeps[0].points)]
    if len(bundles) > 1:
        for one in measured:
            yield _compared(bundles, one)
        return
    for group in by_group(measured):
        for number, part in enumerate(in_rows(group), start=1):
            yield _alone(bundles, part, number)


def _alone(bundles: Sequence[Bundle], measured: Sequence[Measured], number: int) -> Figure:
    workload = measured[0].workload
    sweeps = [one.sweeps[0] for one in measured]
    words = _Words(
        f"qos-{workload.group.replace('_', '-')}-{number}",
        f"{workload.pattern.value.capitalize()} I/O: latency by queue depth",
        (*subtitle_of(bundles, states_of(sweeps)), _HINT),
        f"A line a percentile of the completion latency of all I/Os, in fio's bins (0.8 %). {_ENDS}",
    )
    plots = [
        _Plot(one.workload.short, tuple(_by_percentile(sweep))) for one, sweep in zip(measured, sweeps, strict=True)
    ]
    return _figure(words, plots, sweeps, [f"{percent} %" for percent in PERCENTS if _has(plots, f"{percent} %")])


def _has(plots: Sequence[_Plot], label: str) -> bool:
    return any(curve.label == label for plot in plots for curve in plot.curves)


def _compared(bundles: Sequence[Bundle], measured: Measured) -> Figure:
    words = _Words(
        f"qos-{measured.workload.slug}",
        f"{measured.workload.words}: latency by queue depth",
        (*subtitle_of(bundles, states_of(measured.sweeps)), _HINT),
        f"A plot a percentile of the completion latency of all I/Os, in fio's bins (0.8 %). {_ENDS}",
    )
    every = [_Plot(f"{percent} % of I/Os", tuple(_by_drive(measured, percent))) for percent in _COMPARED_AT]
    plots = [plot for plot in every if plot.curves] or [_Plot("50 % of I/Os", tuple(_by_drive(measured, "50")))]
    return _figure(words, plots, measured.sweeps, [sweep.drive.label for sweep in measured.sweeps])


_ENDS = f"A percentile with fewer than {SAMPLES_ABOVE_MIN} I/Os above it is not drawn."


def _by_percentile(sweep: DepthSweep) -> Iterator[Curve]:
    for slot, percent in enumerate(PERCENTS, start=1):
        curve = _curve(f"{percent} %", slot, Rank.COMPARED, sweep, percent)
        if curve.points:
            yield curve


def _by_drive(measured: Measured, percent: str) -> Iterator[Curve]:
    for sweep in measured.sweeps:
        curve = _curve(sweep.drive.label, sweep.drive.slot, sweep.drive.rank, sweep, percent)
        if curve.points:
            yield curve


def _curve(label: str, slot: int, rank: Rank, sweep: DepthSweep, percent: str) -> Curve:
    made = []
    for point in sweep.points:
        value = point.percentiles.get(percent)
        if value is not None:
            words = f"{sweep.drive.label}, {sweep.workload.words}, QD{point.depth}: {percent} % of I/Os within "
            trust = Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED
            made.append(
                CurvePoint(point.depth, value.value / NS_PER_US, words + latency_text(value.value), trust=trust)
            )
    return Curve(label, slot, rank, tuple(made))


def _figure(words: _Words, plots: Sequence[_Plot], sweeps: Sequence[DepthSweep], labels: Sequence[str]) -> Figure:
    return Figure(
        name=words.name,
        title=words.title,
        subtitle=words.subtitle,
        caption=words.caption,
        spec=_spec(words, plots, labels, WIDE),
        narrow_spec=_spec(words, plots, labels, NARROW),
        table=_table(sweeps),
    )


def _spec(words: _Words, plots: Sequence[_Plot], labels: Sequence[str], shape: Shape) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(plots)), shape.height_px
    points = [point for plot in plots for curve in plot.curves for point in curve.points]
    x = depth_axis((int(point.x) for point in points), width_px)
    y = _axis([point.y * NS_PER_US for point in points], height_px)
    legend = layers.legend_above(labels, shape)
    panels = []
    for number, plot in enumerate(plots):
        drawn = curve_layers(plot.curves, x, y, shape, legend, f"plot{number}")
        panels.append(Panel(plot.title, width_px, height_px, [in_latency(one, y) for one in drawn]))
    described = f"Line charts: completion latency against queue depth, {len(labels)} lines"
    return panels_spec(shape, words.title, words.subtitle, described, panels)


def _axis(latencies_ns: Sequence[float], length_px: int) -> Axis:
    return latency_axis(_Y_TITLE, min(latencies_ns), max(latencies_ns), length_px, label_room_px=20)


def _table(sweeps: Sequence[DepthSweep]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for sweep in sweeps:
        for point in sweep.points:
            found = [point.percentiles.get(percent) for percent in PERCENTS]
            cells = ["too few I/Os above" if one is None else f"{one.value / NS_PER_US:,.1f}" for one in found]
            rows.append((sweep.drive.label, sweep.workload.words, f"QD{point.depth}", *cells))
    titles = (Column("drive", ""), Column("workload", ""), Column("queue depth", ""))
    return Table("every queue depth", (*titles, *(Column(f"{one} %", "µs") for one in PERCENTS)), tuple(rows))
