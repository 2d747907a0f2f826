"""Performance by read/write ratio (METHODS C6): one drive with a line for each queue depth, several with a plot for each."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS, RSE
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, axis_title
from ssdlab.figure.kit.curves import (
    Curve,
    CurvePoint,
    Trust,
    curve_layers,
    curve_outline,
    legend_beside,
    speed_axis,
)
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading, readings, speed_reading, speed_unit
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, figure_spec, is_wide, panel_width_px, panels_spec
from ssdlab.figure.kit.subject import pattern_of_blocks, pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import measure_steps, measured_points, points_of_any, points_of_job
from ssdlab.job import Job, Pattern
from ssdlab.message import Message, message, number
from ssdlab.method.kinds.measure import MeasureStep, Take
from ssdlab.point import Point, job_point
from ssdlab.units import MIB

_SHARE = message("figure-share-of-reads")


@dataclass(frozen=True, slots=True)
class ReadPercentPoint:
    """One measured share of reads."""

    queue_depth: int
    read_percent: int
    speed: MetricReading
    rse: MetricReading | None
    """Relative standard error of the last runs, percent."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPercentSweep:
    """What one drive did over queue depths and shares of reads."""

    drive: DrawnRun
    job: Job
    """Of any of the points."""
    rse_limit_percent: float | None
    take: Take
    points: tuple[ReadPercentPoint, ...]


def by_read_percent(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each job that was swept over the share of reads."""
    yield from _by_read_percent(bundles, swept_jobs(bundles))


def by_read_percent_if_unweighted(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of several drives only what has no weighted curve, in which they stand beside each other with a line each (METHODS C6)."""
    yield from _by_read_percent(bundles, [one for one in swept_jobs(bundles) if one[0].weighted is None])


def _by_read_percent(bundles: Sequence[Bundle], swept: Sequence[tuple[MeasureStep, str]]) -> Iterator[Figure]:
    drives = drives_of(bundles)
    for step, label in swept:
        sweeps = [sweep for drive in drives if (sweep := read_percent_sweep(drive, step.name, label)) is not None]
        if sweeps:
            yield read_percent_figure(sweeps, job_point(step.name, label))


def swept_jobs(bundles: Sequence[Bundle]) -> list[tuple[MeasureStep, str]]:
    """Steps that vary the share of reads, each with the names of its jobs; as the device under test's suite has them."""
    swept = [step for step in measure_steps(bundles[0]) if step.sweep.read_percent and len(step.sweep.read_percent) > 1]
    return [(step, label) for step in swept for label in step.jobs]


def measured_job(bundles: Sequence[Bundle], group: str, label: str) -> Job | None:
    """The job of any measured point of that job of that step."""
    return next(iter(points_of_job(points_of_any(bundles, group), job_point(group, label)).values()), None)


def read_percent_sweep(drive: DrawnRun, group: str, label: str) -> ReadPercentSweep | None:
    """The points of one drive that have a number; None when there is none."""
    known = readings(drive.bundle)
    points, jobs = [], []
    for point, job in points_of_job(measured_points(drive.bundle, group), job_point(group, label)).items():
        iops = known.get(MetricKey(point, IOPS))
        if iops is not None:
            rse = known.get(MetricKey(point, RSE))
            points.append(ReadPercentPoint(job.queue_depth, job.read_percent, speed_reading(iops, job), rse))
            jobs.append(job)
    step = next((one for one in measure_steps(drive.bundle) if one.name == group), None)
    if not points or step is None:
        return None
    return ReadPercentSweep(drive, jobs[0], step.repeat.until_rse_percent, step.take, tuple(points))


def read_percent_figure(sweeps: Sequence[ReadPercentSweep], of_job: Point) -> Figure:
    """One drive: lines are queue depths. Several: a plot for each queue depth, lines are drives."""
    bundles = [one.drive.bundle for one in sweeps]
    job = sweeps[0].job
    workload = pattern_of_blocks_title(job.pattern, job.block_bytes)
    title = say(message("figure-by-ratio", work=workload))
    states = [point.speed.state for one in sweeps for point in one.points]
    subtitle = subtitle_of(bundles, states)
    build = _alone if len(sweeps) == 1 else _beside
    return Figure(
        name=f"read-share-{of_job.name.replace('_', '-').replace('.', '-')}",
        title=title,
        subtitle=subtitle,
        caption=_caption(sweeps, workload),
        spec=build(sweeps, title, subtitle, WIDE),
        narrow_spec=build(sweeps, title, subtitle, NARROW),
        table=_table(sweeps),
    )


def read_percent_axis(length_px: int, shape: PlotShape) -> PlotAxis:
    """From pure writes to pure reads."""
    step = 10 if length_px >= WIDE.width_px // 2 else 20 if is_wide(shape) else 25
    # The outermost symbols keep clear of the frame.
    return PlotAxis(axis_title(_SHARE, "%"), -2.0, 102.0, tuple(float(one) for one in range(0, 101, step)), length_px)


def _y_title(sweeps: Sequence[ReadPercentSweep]) -> Message:
    job = sweeps[0].job
    return message("figure-io", work=pattern_of_blocks(job.pattern, job.block_bytes))


def _alone(
    sweeps: Sequence[ReadPercentSweep], title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    (sweep,) = sweeps
    depths = sorted({point.queue_depth for point in sweep.points})
    curves = [
        Curve(f"QD{depth}", number, Rank.COMPARED, _points(sweep, depth)) for number, depth in enumerate(depths, 1)
    ]
    x = read_percent_axis(shape.width_px, shape)
    y = speed_axis(_y_title(sweeps), speed_unit(sweeps[0].job), curves, shape, shape.height_px)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    return figure_spec(
        shape,
        title,
        subtitle,
        say(message("figure-share-described-depths", depths=len(curves))),
        curve_layers(curves, x, y, shape, legend, "shares", legend.boxes if legend else ()),
    )


def _beside(
    sweeps: Sequence[ReadPercentSweep], title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    depths = sorted({point.queue_depth for sweep in sweeps for point in sweep.points})
    width_px = panel_width_px(shape, len(depths))
    height_px = shape.height_px * 4 // 5
    x = read_percent_axis(width_px, shape)
    plots = {depth: _curves(sweeps, depth) for depth in depths}
    y = speed_axis(_y_title(sweeps), speed_unit(sweeps[0].job), itertools.chain(*plots.values()), shape, height_px)
    legend = layers.legend_above([sweep.drive.label for sweep in sweeps], shape)
    panels = [
        Panel(f"QD{depth}", width_px, height_px, curve_layers(curves, x, y, shape, legend, f"q{depth}"))
        for depth, curves in plots.items()
    ]
    described = say(message("figure-share-described-drives", drives=len(sweeps)))
    return panels_spec(shape, title, subtitle, described, panels)


def _curves(sweeps: Sequence[ReadPercentSweep], depth: int) -> list[Curve]:
    every = [Curve(one.drive.label, one.drive.slot, one.drive.rank, _points(one, depth)) for one in sweeps]
    return [one for one in every if one.points]


def _points(sweep: ReadPercentSweep, depth: int) -> tuple[CurvePoint, ...]:
    made, factor = [], speed_unit(sweep.job).factor
    for point in sorted(sweep.points, key=lambda one: one.read_percent):
        if point.queue_depth != depth:
            continue
        differing = unsettled(sweep, point)
        words = say(
            message(
                "figure-share-point",
                drive=sweep.drive.label,
                depth=depth,
                percent=point.read_percent,
                value=point.speed.words,
            )
        )
        made.append(
            CurvePoint(
                x=point.read_percent,
                y=point.speed.value / factor,
                words=listed((words, differing)) if differing else words,
                low=None if point.speed.low is None else point.speed.low / factor,
                high=None if point.speed.high is None else point.speed.high / factor,
                trust=Trust.DOUBTFUL if differing or point.speed.failed_checks else Trust.SETTLED,
                remark=differing,
            )
        )
    return tuple(made)


def unsettled(sweep: ReadPercentSweep, *points: ReadPercentPoint) -> str:
    """`RSE 7.2 %`, of the worst point, where runs still differ more than the suite allows."""
    limit = sweep.rse_limit_percent
    errors = [point.rse.value for point in points if point.rse is not None]
    if limit is None or not errors or max(errors) < limit:
        return ""
    return f"RSE {max(errors):.1f} %"


def _caption(sweeps: Sequence[ReadPercentSweep], workload: Message) -> str:
    sweep = sweeps[0]
    taken = sentences(say(_taken(sweep.take, workload)), _in_mib(sweep.job))
    if sweep.rse_limit_percent is None:
        return taken
    limit = number(sweep.rse_limit_percent, "g")
    if any(unsettled(one, point) for one in sweeps for point in one.points):
        return sentences(taken, say(message("figure-share-hollow", limit=limit)))
    return sentences(taken, say(message("figure-share-settled", limit=limit)))


def _in_mib(job: Job) -> str:
    """How many I/Os a second are a MiB/s, in which the earlier article has its random results."""
    if job.pattern is Pattern.SEQUENTIAL:
        return ""
    return say(message("figure-share-in-mib", iops=number(MIB / job.block_bytes, ",.4g")))


def _taken(take: Take, workload: Message) -> Message:
    match take:
        case Take.MEDIAN:
            return message("figure-share-median", work=workload)
        case Take.TRIMMED_MEAN:
            return message("figure-share-trimmed-mean", work=workload)
        case Take.BEST:
            return message("figure-share-best", work=workload)


def _table(sweeps: Sequence[ReadPercentSweep]) -> FigureTable:
    """A row for each drive and queue depth, a column for each share of reads."""
    read_percents = sorted({point.read_percent for sweep in sweeps for point in sweep.points})
    unit = speed_unit(sweeps[0].job)
    rows: list[tuple[Cell, ...]] = []
    for sweep in sweeps:
        found = {(point.queue_depth, point.read_percent): point for point in sweep.points}
        for depth in sorted({point.queue_depth for point in sweep.points}):
            cells = [found.get((depth, read_percent)) for read_percent in read_percents]
            missing = say(message("figure-not-measured"))
            texts = [missing if one is None else f"{one.speed.value / unit.factor:,.0f}" for one in cells]
            rows.append((sweep.drive.label, f"QD{depth}", *texts))
    columns = (
        column(message("figure-drive")),
        column(message("figure-queue-depth")),
        *(column(message("figure-column-reads", percent=read_percent), unit.label) for read_percent in read_percents),
    )
    return FigureTable(say(message("figure-table-points")), columns, tuple(rows))
