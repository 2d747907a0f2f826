"""How long the slow I/Os take at each queue depth, by percentile (METHODS E.fig, QoS)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.analysis.statistics.percentile import PERCENTS, SAMPLES_ABOVE_MIN
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, log_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers
from ssdlab.figure.kit.depth_sweep import (
    DepthSweep,
    MeasuredWorkload,
    by_group,
    depth_axis,
    depth_sweeps,
    in_rows,
    states_of,
)
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.latency_axis import in_latency, latency_axis, latency_text
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import pattern_title
from ssdlab.message import message
from ssdlab.units import NS_PER_US

_COMPARED_AT = ("99", "99.99", "99.9999")
"""Of several drives: a plot each, two nines apart."""
_HINT = message("figure-qos-hint")


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


def _alone(bundles: Sequence[Bundle], measured: Sequence[MeasuredWorkload], number: int) -> Figure:
    workload = measured[0].workload
    sweeps = [one.sweeps[0] for one in measured]
    words = _Words(
        f"qos-{workload.group.replace('_', '-')}-{number}",
        say(message("figure-qos-title", work=message("figure-pattern-io", pattern=pattern_title(workload.pattern)))),
        (*subtitle_of(bundles, states_of(sweeps)), say(_HINT)),
        sentences(say(message("figure-qos-line-a-percentile")), _ends()),
    )
    plots = [
        _Plot(one.workload.short, tuple(_by_percentile(sweep))) for one, sweep in zip(measured, sweeps, strict=True)
    ]
    return _figure(words, plots, sweeps, [f"{percent} %" for percent in PERCENTS if _has(plots, f"{percent} %")])


def _has(plots: Sequence[_Plot], label: str) -> bool:
    return any(curve.label == label for plot in plots for curve in plot.curves)


def _compared(bundles: Sequence[Bundle], measured: MeasuredWorkload) -> Figure:
    words = _Words(
        f"qos-{measured.workload.slug}",
        say(message("figure-qos-title", work=measured.workload.words)),
        (*subtitle_of(bundles, states_of(measured.sweeps)), say(_HINT)),
        sentences(say(message("figure-qos-plot-a-percentile")), _ends()),
    )
    every = [_plot_at(measured, percent) for percent in _COMPARED_AT]
    plots = [plot for plot in every if plot.curves] or [_plot_at(measured, "50")]
    return _figure(words, plots, measured.sweeps, [sweep.drive.label for sweep in measured.sweeps])


def _plot_at(measured: MeasuredWorkload, percent: str) -> _Plot:
    return _Plot(say(message("figure-percent-of-ios", percent=percent)), tuple(_by_drive(measured, percent)))


def _ends() -> str:
    return say(message("figure-too-few-not-drawn", count=SAMPLES_ABOVE_MIN))


def _by_percentile(sweep: DepthSweep) -> Iterator[Curve]:
    for slot, percent in enumerate(PERCENTS, start=1):
        curve = _curve(f"{percent} %", slot, Rank.COMPARED, sweep, percent)
        if curve.points:
            yield curve


def _by_drive(measured: MeasuredWorkload, percent: str) -> Iterator[Curve]:
    for sweep in measured.sweeps:
        curve = _curve(sweep.drive.label, sweep.drive.slot, sweep.drive.rank, sweep, percent)
        if curve.points:
            yield curve


def _curve(label: str, slot: int, rank: Rank, sweep: DepthSweep, percent: str) -> Curve:
    made = []
    for point in sweep.points:
        value = point.percentiles.get(percent)
        if value is not None:
            told = message(
                "figure-qos-point",
                drive=sweep.drive.label,
                work=sweep.workload.words,
                depth=point.depth,
                percent=percent,
                value=latency_text(value.value),
            )
            trust = Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED
            made.append(CurvePoint(point.depth, value.value / NS_PER_US, say(told), trust=trust))
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


def _spec(words: _Words, plots: Sequence[_Plot], labels: Sequence[str], shape: PlotShape) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(plots)), shape.height_px
    points = [point for plot in plots for curve in plot.curves for point in curve.points]
    x = depth_axis((int(point.x) for point in points), width_px)
    y = _axis([point.y * NS_PER_US for point in points], height_px)
    legend = layers.legend_above(labels, shape)
    panels = []
    for number, plot in enumerate(plots):
        drawn = curve_layers(plot.curves, x, y, shape, legend, f"plot{number}")
        panels.append(Panel(plot.title, width_px, height_px, [in_latency(one, y) for one in drawn]))
    described = say(message("figure-qos-described", lines=len(labels)))
    return panels_spec(shape, words.title, words.subtitle, described, panels)


def _axis(latencies_ns: Sequence[float], length_px: int) -> PlotAxis:
    return latency_axis(
        log_title(message("figure-completion-latency")),
        min(latencies_ns),
        max(latencies_ns),
        length_px,
        label_room_px=20,
    )


def _table(sweeps: Sequence[DepthSweep]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for sweep in sweeps:
        for point in sweep.points:
            found = [point.percentiles.get(percent) for percent in PERCENTS]
            too_few = say(message("figure-too-few-above"))
            cells = [too_few if one is None else f"{one.value / NS_PER_US:,.1f}" for one in found]
            rows.append((sweep.drive.label, sweep.workload.words, f"QD{point.depth}", *cells))
    columns = (
        column(message("figure-drive")),
        column(message("figure-column-workload")),
        column(message("figure-queue-depth")),
        *(Column(f"{percent} %", "µs") for percent in PERCENTS),
    )
    return FigureTable(say(message("figure-table-depths")), columns, tuple(rows))
