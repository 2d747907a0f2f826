"""Performance by read/write ratio (METHODS C6): one drive with a line for each queue depth, several with a plot for each."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis
from ssdlab.figure.curves import (
    Curve,
    CurvePoint,
    Trust,
    curve_layers,
    curve_outline,
    legend_beside,
    speed_axis,
)
from ssdlab.figure.drives import Drive, Rank, drives_of, subtitle_of
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.readings import Reading, readings, speed_reading, speed_unit
from ssdlab.figure.style import NARROW, WIDE, Panel, Shape, figure_spec, is_wide, panel_width_px, panels_spec
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import measure_steps, measured_points, points_of_any, prefix
from ssdlab.job import Job
from ssdlab.method.schema import MeasureStep, Take

X_TITLE = "share of reads (%)"
_TAKEN = {Take.MEDIAN: "median", Take.TRIMMED_MEAN: "mean without the largest and the smallest", Take.BEST: "best"}


@dataclass(frozen=True, slots=True)
class SharePoint:
    """One measured share of reads."""

    queue_depth: int
    read_percent: int
    speed: Reading
    rse: Reading | None
    """Relative standard error of the last runs, percent."""


@dataclass(frozen=True, slots=True, eq=False)
class ShareSweep:
    """What one drive did over queue depths and shares of reads."""

    drive: Drive
    job: Job
    """Of any of the points."""
    rse_limit_percent: float | None
    take: Take
    points: tuple[SharePoint, ...]


def read_share(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each job that was swept over the share of reads."""
    drives = drives_of(bundles)
    for step, label in share_jobs(bundles):
        sweeps = [sweep for drive in drives if (sweep := share_sweep(drive, step.name, label)) is not None]
        if sweeps:
            yield share_figure(sweeps, prefix(step.name, label))


def share_jobs(bundles: Sequence[Bundle]) -> list[tuple[MeasureStep, str]]:
    """Steps that vary the share of reads, each with the names of its jobs; as the device under test's suite has them."""
    swept = [step for step in measure_steps(bundles[0]) if step.sweep.read_percent and len(step.sweep.read_percent) > 1]
    return [(step, label) for step in swept for label in step.jobs]


def measured_job(bundles: Sequence[Bundle], group: str, label: str) -> Job | None:
    """The job of any measured point of that job of that step."""
    begin = f"{prefix(group, label)}."
    jobs = (job for name, job in points_of_any(bundles, group).items() if name.startswith(begin))
    return next(jobs, None)


def share_sweep(drive: Drive, group: str, label: str) -> ShareSweep | None:
    """The points of one drive that have a number; None when there is none."""
    known = readings(drive.bundle)
    begin = f"{prefix(group, label)}."
    points, jobs = [], []
    for name, job in measured_points(drive.bundle, group).items():
        iops = known.get(f"{name}.iops")
        if iops is not None and name.startswith(begin):
            points.append(
                SharePoint(job.queue_depth, job.read_percent, speed_reading(iops, job), known.get(f"{name}.rse"))
            )
            jobs.append(job)
    step = next((one for one in measure_steps(drive.bundle) if one.name == group), None)
    if not points or step is None:
        return None
    return ShareSweep(drive, jobs[0], step.repeat.until_rse_percent, step.take, tuple(points))


def share_figure(sweeps: Sequence[ShareSweep], name: str) -> Figure:
    """One drive: lines are queue depths. Several: a plot for each queue depth, lines are drives."""
    bundles = [one.drive.bundle for one in sweeps]
    job = sweeps[0].job
    workload = f"{job.pattern.value.capitalize()} {block_words(job.block_bytes)}"
    title = f"{workload} by read/write ratio"
    states = [point.speed.state for one in sweeps for point in one.points]
    subtitle = subtitle_of(bundles, states)
    build = _alone if len(sweeps) == 1 else _beside
    return Figure(
        name=f"read-share-{name.replace('_', '-').replace('.', '-')}",
        title=title,
        subtitle=subtitle,
        caption=_caption(sweeps, workload),
        spec=build(sweeps, title, subtitle, WIDE),
        narrow_spec=build(sweeps, title, subtitle, NARROW),
        table=_table(sweeps),
    )


def share_axis(length_px: int, shape: Shape) -> Axis:
    """From pure writes to pure reads."""
    step = 10 if length_px >= WIDE.width_px // 2 else 20 if is_wide(shape) else 25
    # The outermost symbols keep clear of the frame.
    return Axis(X_TITLE, -2.0, 102.0, tuple(float(one) for one in range(0, 101, step)), length_px)


def _y_title(sweeps: Sequence[ShareSweep]) -> str:
    job = sweeps[0].job
    return f"{job.pattern.value} {block_words(job.block_bytes)} I/O"


def _alone(sweeps: Sequence[ShareSweep], title: str, subtitle: tuple[str, ...], shape: Shape) -> dict[str, object]:
    (sweep,) = sweeps
    depths = sorted({point.queue_depth for point in sweep.points})
    curves = [
        Curve(f"QD{depth}", number, Rank.COMPARED, _points(sweep, depth)) for number, depth in enumerate(depths, 1)
    ]
    x = share_axis(shape.width_px, shape)
    y = speed_axis(_y_title(sweeps), speed_unit(sweeps[0].job), curves, shape, shape.height_px)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    return figure_spec(
        shape,
        title,
        subtitle,
        f"Line chart: speed against the share of reads, {len(curves)} queue depths",
        curve_layers(curves, x, y, shape, legend, "shares", legend.boxes if legend else ()),
    )


def _beside(sweeps: Sequence[ShareSweep], title: str, subtitle: tuple[str, ...], shape: Shape) -> dict[str, object]:
    depths = sorted({point.queue_depth for sweep in sweeps for point in sweep.points})
    width_px = panel_width_px(shape, len(depths))
    height_px = shape.height_px * 4 // 5
    x = share_axis(width_px, shape)
    plots = {depth: _curves(sweeps, depth) for depth in depths}
    y = speed_axis(_y_title(sweeps), speed_unit(sweeps[0].job), itertools.chain(*plots.values()), shape, height_px)
    legend = layers.legend_above([sweep.drive.label for sweep in sweeps], shape)
    panels = [
        Panel(f"QD{depth}", width_px, height_px, curve_layers(curves, x, y, shape, legend, f"q{depth}"))
        for depth, curves in plots.items()
    ]
    return panels_spec(
        shape, title, subtitle, f"Line charts: speed against the share of reads, {len(sweeps)} drives", panels
    )


def _curves(sweeps: Sequence[ShareSweep], depth: int) -> list[Curve]:
    every = [Curve(one.drive.label, one.drive.slot, one.drive.rank, _points(one, depth)) for one in sweeps]
    return [one for one in every if one.points]


def _points(sweep: ShareSweep, depth: int) -> tuple[CurvePoint, ...]:
    made, factor = [], speed_unit(sweep.job).factor
    for point in sorted(sweep.points, key=lambda one: one.read_percent):
        if point.queue_depth != depth:
            continue
        unsettled = _unsettled(sweep, point)
        words = f"{sweep.drive.label}, QD{depth}, {point.read_percent} % reads: {point.speed.words}"
        made.append(
            CurvePoint(
                x=point.read_percent,
                y=point.speed.value / factor,
                words=f"{words}, {unsettled}" if unsettled else words,
                low=None if point.speed.low is None else point.speed.low / factor,
                high=None if point.speed.high is None else point.speed.high / factor,
                trust=Trust.DOUBTFUL if unsettled or point.speed.failed_checks else Trust.SETTLED,
                remark=unsettled,
            )
        )
    return tuple(made)


def _unsettled(sweep: ShareSweep, point: SharePoint) -> str:
    """`RSE 7.2 %` where the runs still differ more than the suite allows."""
    limit = sweep.rse_limit_percent
    if limit is None or point.rse is None or point.rse.value < limit:
        return ""
    return f"RSE {point.rse.value:.1f} %"


def _caption(sweeps: Sequence[ShareSweep], workload: str) -> str:
    sweep = sweeps[0]
    limit = sweep.rse_limit_percent
    hollow = any(_unsettled(one, point) for one in sweeps for point in one.points)
    if limit is None:
        scatter = ""
    elif hollow:
        scatter = f" Hollow: the last three runs still had a relative standard error (RSE) of {limit:g} % or more."
    else:
        scatter = f" The last three runs of every point have a relative standard error under {limit:g} %."
    return f"{workload}, {_TAKEN[sweep.take]} of the runs of each point.{scatter}"


def _table(sweeps: Sequence[ShareSweep]) -> Table:
    """A row for each drive and queue depth, a column for each share."""
    shares = sorted({point.read_percent for sweep in sweeps for point in sweep.points})
    unit = speed_unit(sweeps[0].job)
    rows: list[tuple[Cell, ...]] = []
    for sweep in sweeps:
        found = {(point.queue_depth, point.read_percent): point for point in sweep.points}
        for depth in sorted({point.queue_depth for point in sweep.points}):
            cells = [found.get((depth, share)) for share in shares]
            texts = ["not measured" if one is None else f"{one.speed.value / unit.factor:,.0f}" for one in cells]
            rows.append((sweep.drive.label, f"QD{depth}", *texts))
    columns = (
        Column("drive", ""),
        Column("queue depth", ""),
        *(Column(f"{share} % reads", unit.label) for share in shares),
    )
    return Table("the value of each point", columns, tuple(rows))
