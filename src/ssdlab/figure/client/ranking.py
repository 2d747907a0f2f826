"""How drives rank by the numbers the method ranks by (METHODS C2, C5, C6): bars, the best on top."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ssdlab.bundle import quantities
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.read import Bundle
from ssdlab.figure.client.read_percent import measured_job, read_percent_sweep, swept_jobs, unsettled
from ssdlab.figure.client.weighted import weights_words
from ssdlab.figure.kit.axis import axis_title
from ssdlab.figure.kit.bars import Bar, bar_spec
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.passes import fill_group
from ssdlab.figure.kit.readings import IOPS, MIB_PER_S, MetricReading, SpeedUnit, readings, speed_reading, speed_unit
from ssdlab.figure.kit.say import column, listed, say, sentences
from ssdlab.figure.kit.stated import DriveClass, stated_of
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape
from ssdlab.figure.kit.subject import block_words, pattern_of_blocks, pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import measure_steps, points_of_any, suite_steps
from ssdlab.figure.kit.words import missing_note
from ssdlab.job import Job, Pattern, Sync
from ssdlab.message import Message, commas, message, number
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.measure import MeasureStep, RankOver
from ssdlab.method.kinds.search import SearchStep
from ssdlab.point import Aggregate, CoordinateAxis, Point, job_point


@dataclass(frozen=True, slots=True)
class RankingOrder:
    """What drives are ranked by."""

    name: str
    """Names its files."""
    title: Message
    metric: MetricKey
    axis: Message
    """Title of the axis, without its unit."""
    unit: SpeedUnit
    caption: Message
    job: Job | None = None
    """Whose pattern decides the unit, where the metric is one of I/Os a second."""
    remarks: Mapping[int, str] = field(default_factory=dict)
    """By the place of a drive what stands beside its value."""
    remark: Message | None = None
    """What these are."""


def fill_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Mean speed over all passes, and the slowest 1 % of the first."""
    for step in suite_steps(bundles[0]):
        if isinstance(step, FillStep) and step.name == fill_group(bundles[0]):
            yield from _ranked(bundles, _fill_mean(step))
            yield from _ranked(bundles, _fill_slowest(step))


def sync_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Writes that must be durable before the next.

    Beside a consumer drive enterprise drives are no comparison (METHODS C5): their cache outlives a power cut, so they need not write at all.
    """
    left_out = _of_another_class(bundles)
    for step in measure_steps(bundles[0]):
        for point, job in points_of_any(bundles, step.name).items():
            if job.sync is not Sync.NONE:
                yield from _ranked(bundles, _sync(point, job), left_out)


def _of_another_class(bundles: Sequence[Bundle]) -> frozenset[int]:
    """The places of the enterprise drives that stand beside a drive of another class, as the operator states them."""
    first, *others = (drive.drive_class if (drive := stated_of(one).drive) else None for one in bundles)
    if first is DriveClass.ENTERPRISE:
        return frozenset()
    return frozenset(slot for slot, one in enumerate(others, start=2) if one is DriveClass.ENTERPRISE)


def read_percent_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The mean of the weighted curve over the read/write ratio."""
    for step, label in swept_jobs(bundles):
        job = measured_job(bundles, step.name, label)
        if step.weighted is None or job is None:
            continue
        is_mixed = step.weighted.rank_over is RankOver.MIXED
        over = message("figure-ratios-mixed") if is_mixed else message("figure-ratios-all")
        of_job, limit = job_point(step.name, label), step.repeat.until_rse_percent
        yield from _ranked(
            bundles,
            RankingOrder(
                name=f"ranking-{_file_name(of_job.name)}",
                title=message("figure-ranking-share-title", work=pattern_of_blocks_title(job.pattern, job.block_bytes)),
                metric=MetricKey(of_job.at(CoordinateAxis.AGGREGATE, Aggregate.RANK), quantities.IOPS),
                axis=message("figure-ranking-share-axis", work=pattern_of_blocks(job.pattern, job.block_bytes)),
                unit=speed_unit(job),
                caption=message("figure-ranking-share-caption", over=over, weights=weights_words(step.weighted)),
                job=job,
                remarks=_differing(bundles, step, label),
                remark=None if limit is None else message("figure-ranking-share-unsettled", limit=number(limit, "g")),
            ),
        )


def _differing(bundles: Sequence[Bundle], step: MeasureStep, label: str) -> dict[int, str]:
    """The largest error of the points that count, of drives of which one differs more than the suite allows."""
    shares = step.sweep.read_percent or ()
    if step.weighted is not None and step.weighted.rank_over is RankOver.MIXED:
        shares = tuple(share for share in shares if 0 < share < 100)
    found = {}
    for drive in drives_of(bundles):
        sweep = read_percent_sweep(drive, step.name, label)
        if sweep is not None:
            found[drive.slot] = unsettled(sweep, *(point for point in sweep.points if point.read_percent in shares))
    return {slot: remark for slot, remark in found.items() if remark}


def boot_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Reads a second with as many readers as a boot drive serves in time (METHODS E5)."""
    for step in suite_steps(bundles[0]):
        if isinstance(step, SearchStep):
            yield from _ranked(bundles, _boot(step))


def _boot(step: SearchStep) -> RankingOrder:
    return RankingOrder(
        name=f"ranking-{_file_name(step.name)}",
        title=message("figure-ranking-boot-title"),
        metric=MetricKey(Point(step.name), quantities.IOPS),
        axis=message("figure-ranking-boot-axis", block=block_words(step.reads.block_bytes)),
        unit=IOPS,
        caption=message("figure-ranking-boot-caption", iops=number(step.limits.iops)),
    )


def _fill_mean(step: FillStep) -> RankingOrder:
    return RankingOrder(
        name=f"ranking-{_file_name(step.name)}-mean",
        title=message("figure-ranking-fill-title"),
        metric=MetricKey(Point(step.name), quantities.BANDWIDTH_MEAN),
        axis=message("figure-ranking-fill-axis", passes=step.passes),
        unit=MIB_PER_S,
        caption=message("figure-ranking-fill-caption", passes=step.passes),
    )


def _fill_slowest(step: FillStep) -> RankingOrder:
    return RankingOrder(
        name=f"ranking-{_file_name(step.name)}-slowest",
        title=message("figure-ranking-slowest-title"),
        metric=MetricKey(Point(step.name).at(CoordinateAxis.PASS, 1), quantities.BANDWIDTH_P1),
        axis=message("figure-ranking-slowest-axis"),
        unit=MIB_PER_S,
        caption=message("figure-ranking-slowest-caption"),
    )


def _sync(point: Point, job: Job) -> RankingOrder:
    random = job.pattern is Pattern.RANDOM
    work = pattern_of_blocks(job.pattern, job.block_bytes)
    return RankingOrder(
        name=f"ranking-{_file_name(point.name)}",
        title=message("figure-ranking-sync-title", work=work),
        metric=MetricKey(point, quantities.IOPS if random else quantities.BANDWIDTH),
        axis=message("figure-ranking-sync-axis", work=work, depth=job.in_flight),
        unit=IOPS if random else MIB_PER_S,
        caption=message("figure-ranking-sync-caption"),
    )


def _file_name(name: str) -> str:
    return name.replace("_", "-").replace(".", "-")


def _ranked(
    bundles: Sequence[Bundle], ranking: RankingOrder, left_out: frozenset[int] = frozenset()
) -> Iterator[Figure]:
    """The figure; none when no drive has the number."""
    drives = [drive for drive in drives_of(bundles) if drive.slot not in left_out]
    found = [(drive, value) for drive in drives if (value := _value(drive, ranking)) is not None]
    if not found:
        return
    found.sort(key=lambda one: -one[1].value)
    without = [drive.label for drive in drives if drive.slot not in {one.slot for one, _ in found}]
    enterprise = [drive.label for drive in drives_of(bundles) if drive.slot in left_out]
    bars = [_bar(drive, value, ranking) for drive, value in found]
    subtitle = subtitle_of([drive.bundle for drive, _ in found], [value.state for _, value in found])
    build = _builder(bars, ranking, subtitle)
    has_intervals = any(bar.low is not None for bar in bars)
    yield Figure(
        name=ranking.name,
        title=say(ranking.title),
        subtitle=subtitle,
        caption=sentences(
            say(ranking.caption),
            say(message("figure-bar-intervals")) if has_intervals else "",
            say(ranking.remark) if ranking.remark is not None and ranking.remarks else "",
            say(message("figure-enterprise-left-out", drives=commas(*enterprise))) if enterprise else "",
            missing_note(without),
        ),
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(found, ranking),
    )


def _value(drive: DrawnRun, ranking: RankingOrder) -> MetricReading | None:
    value = readings(drive.bundle).get(ranking.metric)
    return value if value is None or ranking.job is None else speed_reading(value, ranking.job)


def _builder(
    bars: Sequence[Bar], ranking: RankingOrder, subtitle: tuple[str, ...]
) -> Callable[[PlotShape], dict[str, object]]:
    axis = axis_title(ranking.axis, ranking.unit.label)
    description = say(message("figure-ranking-described", axis=axis, drives=len(bars)))
    return lambda shape: bar_spec(bars, axis, shape, say(ranking.title), subtitle, description)


def _bar(drive: DrawnRun, value: MetricReading, ranking: RankingOrder) -> Bar:
    unit, remark = ranking.unit, ranking.remarks.get(drive.slot, "")
    return Bar(
        label=drive.label,
        slot=drive.slot,
        rank=drive.rank,
        value=value.value / unit.factor,
        text=listed((value.marked_text, remark)) if remark else value.marked_text,
        words=f"{drive.label}: {listed((value.words, remark)) if remark else value.words}",
        low=None if value.low is None else value.low / unit.factor,
        high=None if value.high is None else value.high / unit.factor,
    )


def _table(found: Sequence[tuple[DrawnRun, MetricReading]], ranking: RankingOrder) -> FigureTable:
    rows: list[tuple[Cell, ...]] = []
    for drive, value in found:
        factor = ranking.unit.factor
        ends = (value.low, value.high)
        rows.append(
            (
                drive.label,
                f"{value.value / factor:,.1f}",
                *("" if end is None else f"{end / factor:,.1f}" for end in ends),
            )
        )
    unit = ranking.unit.label
    columns = (
        column(message("figure-drive")),
        column(message("figure-column-value"), unit),
        column(message("figure-column-interval-from"), unit),
        column(message("figure-column-to"), unit),
    )
    return FigureTable(say(message("figure-table-best-first", metric=ranking.metric.name)), columns, tuple(rows))
