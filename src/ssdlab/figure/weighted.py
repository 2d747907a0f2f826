"""One curve a drive over the read/write ratio: its queue depths, weighted as consumers use them (METHODS C6)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.figure.curves import Curve, CurvePoint, Trust, curve_layers, curve_outline, legend_beside, speed_axis
from ssdlab.figure.drives import Drive, drives_of, subtitle_of
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.read_share import measured_job, share_axis, share_jobs
from ssdlab.figure.readings import Reading, readings, speed_reading, speed_unit
from ssdlab.figure.style import NARROW, WIDE, Shape, figure_spec
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import prefix
from ssdlab.job import Job
from ssdlab.method.schema import MeasureStep, Weighted


def weighted(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A figure for each job the suite weights."""
    for step, label in share_jobs(bundles):
        job = measured_job(bundles, step.name, label)
        if job is None or step.weighted is None:
            continue
        curves = [curve for drive in drives_of(bundles) if (curve := _curve(drive, step, label, job)).points]
        if curves:
            yield _figure(bundles, curves, prefix(step.name, label), job, step.weighted)


def weights_words(weights: Weighted) -> str:
    """`80 % QD1 + 15 % QD2 + 5 % QD4`."""
    shares = sorted(weights.share_of_depth.items())
    return " + ".join(f"{100 * one.numerator / one.denominator:g} % QD{depth}" for depth, one in shares)


def _curve(drive: Drive, step: MeasureStep, label: str, job: Job) -> Curve:
    known = readings(drive.bundle)
    names = {share: f"{prefix(step.name, label)}.weighted.r{share}.iops" for share in step.sweep.read_percent or ()}
    points = tuple(_point(drive, share, known[name], job) for share, name in sorted(names.items()) if name in known)
    return Curve(drive.label, drive.slot, drive.rank, points)


def _point(drive: Drive, share: int, iops: Reading, job: Job) -> CurvePoint:
    value = speed_reading(iops, job)
    return CurvePoint(
        x=share,
        y=value.value / speed_unit(job).factor,
        words=f"{drive.label}, {share} % reads: {value.words}",
        trust=Trust.DOUBTFUL if value.failed_checks else Trust.SETTLED,
    )


def _figure(bundles: Sequence[Bundle], curves: Sequence[Curve], name: str, job: Job, weights: Weighted) -> Figure:
    workload = f"{job.pattern.value.capitalize()} {block_words(job.block_bytes)}"
    states = [metric.state.value for bundle in bundles for metric in bundle.metrics if metric.name.startswith(name)]
    title, subtitle = f"{workload} by read/write ratio, weighted", subtitle_of(bundles, states)
    return Figure(
        name=f"weighted-{name.replace('_', '-').replace('.', '-')}",
        title=title,
        subtitle=subtitle,
        caption=f"{workload}, each point {weights_words(weights)}.",
        spec=_spec(curves, job, title, subtitle, WIDE),
        narrow_spec=_spec(curves, job, title, subtitle, NARROW),
        table=_table(curves, job),
    )


def _spec(curves: Sequence[Curve], job: Job, title: str, subtitle: tuple[str, ...], shape: Shape) -> dict[str, object]:
    x = share_axis(shape.width_px, shape)
    words = f"weighted {job.pattern.value} {block_words(job.block_bytes)} I/O"
    y = speed_axis(words, speed_unit(job), curves, shape, shape.height_px)
    legend = legend_beside(curves, [curve_outline(one, x, y) for one in curves], shape)
    return figure_spec(
        shape,
        title,
        subtitle,
        f"Line chart: weighted speed against the share of reads, {len(curves)} drives",
        curve_layers(curves, x, y, shape, legend, "weighted", legend.boxes if legend else ()),
    )


def _table(curves: Sequence[Curve], job: Job) -> Table:
    shares = sorted({point.x for curve in curves for point in curve.points})
    rows: list[tuple[Cell, ...]] = []
    for curve in curves:
        found = {point.x: point.y for point in curve.points}
        rows.append((curve.label, *(f"{found[one]:,.0f}" if one in found else "not measured" for one in shares)))
    columns = (Column("drive", ""), *(Column(f"{share:.0f} % reads", speed_unit(job).label) for share in shares))
    return Table("the weighted value at each share", columns, tuple(rows))
