"""How even the speed is over time, against queue depth (METHODS E.fig, consistency)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, axis_title
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, curve_outline, legend_beside
from ssdlab.figure.kit.depth_sweep import (
    DepthPoint,
    DepthSweep,
    MeasuredWorkload,
    by_group,
    depth_axis,
    depth_sweeps,
    in_rows,
    states_of,
)
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.limit_lines import LimitLine, limit_layers
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.promised import promised
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.stated import StatedQuantity
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, figure_spec, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import pattern_title
from ssdlab.job import Pattern
from ssdlab.message import Message, Value, commas, duration, message, number


def consistency(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: a figure of pure reads and writes, a line a workload. Several: a plot a workload, a line a drive."""
    measured = [one for one in depth_sweeps(bundles) if any(_points(sweep) for sweep in one.sweeps)]
    if not measured:
        return
    if len(bundles) == 1:
        yield _alone(bundles, _corners(measured))
        return
    for group in by_group(measured):
        for row, part in enumerate(in_rows(group), start=1):
            yield _beside(bundles, part, row)


def _corners(measured: Sequence[MeasuredWorkload]) -> Sequence[MeasuredWorkload]:
    """Pure reads and pure writes of one block size; all workloads where the suite has no such four."""
    written = {(one.workload.group, one.workload.block_bytes) for one in measured if one.workload.read_percent == 0}
    pure = [one for one in measured if one.workload.is_pure]
    return [one for one in pure if (one.workload.group, one.workload.block_bytes) in written] or measured


def _points(sweep: DepthSweep) -> list[DepthPoint]:
    """Those that are drawn."""
    random = sweep.workload.pattern is Pattern.RANDOM
    return [one for one in sweep.points if one.consistency is not None and not (random and one.depth == 1)]


def _curve(label: str, slot: int, rank: Rank, sweep: DepthSweep) -> Curve:
    made = []
    for point in _points(sweep):
        value = point.consistency
        if value is not None:
            words = f"{label}, QD{point.depth}: {value.words}"
            trust = Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED
            made.append(CurvePoint(point.depth, value.value, words, trust=trust))
    return Curve(label, slot, rank, tuple(made))


def _alone(bundles: Sequence[Bundle], measured: Sequence[MeasuredWorkload]) -> Figure:
    named = [(one.workload.words, one.sweeps[0]) for one in measured]
    curves = [
        _curve(words, slot, Rank.COMPARED, sweep)
        for slot, (words, sweep) in enumerate(named, start=1)
        if _points(sweep)
    ]
    title = say(message("figure-consistency-title"))
    subtitle = subtitle_of(bundles, states_of(sweep for _, sweep in named))
    return Figure(
        name="consistency",
        title=title,
        subtitle=subtitle,
        caption=_caption(measured),
        spec=_alone_spec(curves, _promises(named), title, subtitle, WIDE),
        narrow_spec=_alone_spec(curves, _promises(named), title, subtitle, NARROW),
        table=_table(named, message("figure-column-workload")),
    )


def _promises(named: Sequence[tuple[str, DepthSweep]]) -> list[LimitLine]:
    """What the datasheet of the drive states of these workloads: a line a value, with the names of all that share it."""
    loads: dict[float, list[str]] = {}
    for words, sweep in named:
        for value in promised(sweep.drive.bundle, StatedQuantity.CONSISTENCY, sweep.job):
            loads.setdefault(value.value, []).append(words)
    return [_promise(percent, commas(*words)) for percent, words in loads.items()]


def _promise(percent: float, of: Value) -> LimitLine:
    stated = say(message("figure-consistency-stated", percent=number(percent, "g"), of=of))
    return LimitLine(percent, stated, stated)


def _alone_spec(
    curves: Sequence[Curve], promises: Sequence[LimitLine], title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    x = depth_axis((int(point.x) for curve in curves for point in curve.points), shape.width_px)
    y = _percent_axis(shape.height_px)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    described = say(message("figure-consistency-described-workloads", workloads=len(curves)))
    drawn = curve_layers(curves, x, y, shape, legend, "workloads", legend.boxes if legend else ())
    if promises:
        drawn = [*drawn, *limit_layers(promises, curves, x, y, shape, "stated")]
    return figure_spec(shape, title, subtitle, described, drawn)


def _beside(bundles: Sequence[Bundle], measured: Sequence[MeasuredWorkload], row: int) -> Figure:
    first = measured[0].workload
    title = say(message("figure-consistency-of-pattern", pattern=pattern_title(first.pattern)))
    subtitle = subtitle_of(bundles, states_of(sweep for one in measured for sweep in one.sweeps))
    named = [(listed((sweep.drive.label, one.workload.short)), sweep) for one in measured for sweep in one.sweeps]
    return Figure(
        name=f"consistency-{first.group.replace('_', '-')}-{row}",
        title=title,
        subtitle=subtitle,
        caption=_caption(measured),
        spec=_beside_spec(measured, title, subtitle, WIDE),
        narrow_spec=_beside_spec(measured, title, subtitle, NARROW),
        table=_table(named, message("figure-column-drive-and-workload")),
    )


def _beside_spec(
    measured: Sequence[MeasuredWorkload], title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(measured)), shape.height_px * 4 // 5
    x = depth_axis((point.depth for one in measured for sweep in one.sweeps for point in _points(sweep)), width_px)
    y = _percent_axis(height_px)
    drives = {sweep.drive.slot: sweep.drive.label for one in measured for sweep in one.sweeps}
    legend = layers.legend_above([drives[slot] for slot in sorted(drives)], shape)
    panels = []
    for place, one in enumerate(measured):
        every = [_curve(sweep.drive.label, sweep.drive.slot, sweep.drive.rank, sweep) for sweep in one.sweeps]
        curves = [curve for curve in every if curve.points]
        drawn = curve_layers(curves, x, y, shape, legend, f"workload{place}")
        if promises := _promises([(sweep.drive.label, sweep) for sweep in one.sweeps]):
            drawn = [*drawn, *limit_layers(promises, curves, x, y, shape, f"stated{place}")]
        panels.append(Panel(one.workload.short, width_px, height_px, drawn))
    described = say(message("figure-consistency-described-drives", drives=len(drives)))
    return panels_spec(shape, title, subtitle, described, panels)


def _percent_axis(length_px: int) -> PlotAxis:
    """Always from 0 to 110 %, so that figures can be compared and lines near 100 % keep clear of the frame."""
    title = axis_title(message("figure-consistency"), "%")
    return PlotAxis(title, 0.0, 110.0, tuple(float(one) for one in range(0, 101, 20)), length_px)


def _caption(measured: Sequence[MeasuredWorkload]) -> str:
    random = any(one.workload.pattern is Pattern.RANDOM for one in measured)
    job = measured[0].sweeps[0].job
    length = job.duration_ns
    return sentences(
        say(message("figure-consistency-meaning")),
        "" if length is None else say(message("figure-point-measured-for", length=duration(length))),
        say(message("figure-consistency-random-one")) if random else "",
    )


def _table(named: Sequence[tuple[str, DepthSweep]], title: Message) -> FigureTable:
    depths = sorted({point.depth for _, sweep in named for point in _points(sweep)})
    rows: list[tuple[Cell, ...]] = []
    for words, sweep in named:
        found = {point.depth: point.consistency for point in _points(sweep)}
        missing = say(message("figure-not-drawn"))
        texts = [f"{value.value:.1f}" if (value := found.get(depth)) else missing for depth in depths]
        rows.append((words, *texts))
    columns = (column(title), *(Column(f"QD{depth}", "%") for depth in depths))
    return FigureTable(say(message("figure-table-points")), columns, tuple(rows))
