"""One curve a drive over the read/write ratio: its queue depths, weighted as consumers use them (METHODS C6)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.figure.client.read_percent import (
    measured_job,
    read_percent_axis,
    read_percent_sweep,
    swept_jobs,
    unsettled,
)
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers, curve_outline, legend_beside, speed_axis
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading, readings, speed_reading, speed_unit
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import pattern_of_blocks, pattern_of_blocks_title
from ssdlab.job import Job
from ssdlab.message import message, number
from ssdlab.method.kinds.measure import MeasureStep, Weighted
from ssdlab.point import Point, job_point, weighted_point


def weighted(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each job the suite weights."""
    for step, label in swept_jobs(bundles):
        job = measured_job(bundles, step.name, label)
        if job is None or step.weighted is None:
            continue
        curves = [curve for drive in drives_of(bundles) if (curve := _curve(drive, step, label, job)).points]
        if curves:
            limit = step.repeat.until_rse_percent
            yield _figure(bundles, curves, job_point(step.name, label), job, step.weighted, limit)


def weights_words(weights: Weighted) -> str:
    """`80 % QD1 + 15 % QD2 + 5 % QD4`."""
    shares = sorted(weights.share_of_depth.items())
    return " + ".join(f"{100 * one.numerator / one.denominator:g} % QD{depth}" for depth, one in shares)


def _curve(drive: DrawnRun, step: MeasureStep, label: str, job: Job) -> Curve:
    known = readings(drive.bundle)
    of_job = job_point(step.name, label)
    keys = {
        read_percent: MetricKey(weighted_point(of_job, read_percent), IOPS)
        for read_percent in step.sweep.read_percent or ()
    }
    differing = _differing(drive, step, label)
    points = tuple(
        _point(drive, read_percent, known[key], job, differing.get(read_percent, ""))
        for read_percent, key in sorted(keys.items())
        if key in known
    )
    return Curve(drive.label, drive.slot, drive.rank, points)


def _differing(drive: DrawnRun, step: MeasureStep, label: str) -> dict[int, str]:
    """By the share of reads the error of those points whose runs differ more than the suite allows."""
    sweep = read_percent_sweep(drive, step.name, label)
    if sweep is None or step.weighted is None:
        return {}
    weighed = [point for point in sweep.points if point.queue_depth in step.weighted.share_of_depth]
    return {
        share: unsettled(sweep, *(point for point in weighed if point.read_percent == share))
        for share in {point.read_percent for point in weighed}
    }


def _point(drive: DrawnRun, read_percent: int, iops: MetricReading, job: Job, differing: str) -> CurvePoint:
    value = speed_reading(iops, job)
    words = say(message("figure-weighted-point", drive=drive.label, percent=read_percent, value=value.words))
    return CurvePoint(
        x=read_percent,
        y=value.value / speed_unit(job).factor,
        words=listed((words, differing)) if differing else words,
        trust=Trust.DOUBTFUL if differing or value.failed_checks else Trust.SETTLED,
        remark=differing,
    )


def _figure(
    bundles: Sequence[Bundle], curves: Sequence[Curve], of_job: Point, job: Job, weights: Weighted, limit: float | None
) -> Figure:
    workload = pattern_of_blocks_title(job.pattern, job.block_bytes)
    states = [metric.state for bundle in bundles for metric in bundle.metrics if of_job.holds(metric.key.point)]
    title, subtitle = say(message("figure-weighted-title", work=workload)), subtitle_of(bundles, states)
    differ = any(point.remark for curve in curves for point in curve.points)
    return Figure(
        name=f"weighted-{of_job.name.replace('_', '-').replace('.', '-')}",
        title=title,
        subtitle=subtitle,
        caption=sentences(
            say(message("figure-weighted-caption", work=workload, weights=weights_words(weights))),
            say(message("figure-weighted-hollow", limit=number(limit, "g"))) if limit is not None and differ else "",
        ),
        spec=_spec(curves, job, title, subtitle, WIDE),
        narrow_spec=_spec(curves, job, title, subtitle, NARROW),
        table=_table(curves, job),
    )


def _spec(
    curves: Sequence[Curve], job: Job, title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    x = read_percent_axis(shape.width_px, shape)
    weighted_io = message("figure-weighted-io", work=pattern_of_blocks(job.pattern, job.block_bytes))
    y = speed_axis(weighted_io, speed_unit(job), curves, shape, shape.height_px)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    return figure_spec(
        shape,
        title,
        subtitle,
        say(message("figure-weighted-described", drives=len(curves))),
        curve_layers(curves, x, y, shape, legend, "weighted", legend.boxes if legend else ()),
    )


def _table(curves: Sequence[Curve], job: Job) -> FigureTable:
    read_percents = sorted({point.x for curve in curves for point in curve.points})
    rows: list[tuple[Cell, ...]] = []
    for curve in curves:
        found = {point.x: point.y for point in curve.points}
        missing = say(message("figure-not-measured"))
        rows.append((curve.label, *(f"{found[one]:,.0f}" if one in found else missing for one in read_percents)))
    unit = speed_unit(job).label
    columns = (
        column(message("figure-drive")),
        *(
            column(message("figure-column-reads", percent=number(read_percent, ".0f")), unit)
            for read_percent in read_percents
        ),
    )
    return FigureTable(say(message("figure-table-weighted")), columns, tuple(rows))
