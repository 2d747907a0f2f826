"""How drives rank by the numbers the method ranks by (METHODS C2, C5, C6): bars, the best on top."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure.bars import Bar, bar_spec
from ssdlab.figure.drives import Drive, drives_of, subtitle_of
from ssdlab.figure.fill import fill_group
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.read_share import measured_job, share_jobs
from ssdlab.figure.readings import IOPS, MIB_PER_S, Reading, SpeedUnit, readings, speed_reading, speed_unit
from ssdlab.figure.style import NARROW, WIDE, Shape
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import measure_steps, points_of_any, prefix, suite_steps
from ssdlab.figure.weighted import weights_words
from ssdlab.job import Job, Pattern, Sync
from ssdlab.method.schema import FillStep, RankOver, SearchStep


@dataclass(frozen=True, slots=True)
class Ranking:
    """What drives are ranked by."""

    name: str
    """Names its files."""
    title: str
    metric: str
    axis: str
    """Title of the axis, without its unit."""
    unit: SpeedUnit
    caption: str
    job: Job | None = None
    """Whose pattern decides the unit, where the metric is one of I/Os a second."""


def fill_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Mean speed over all passes, and the slowest 1 % of the first."""
    for step in suite_steps(bundles[0]):
        if isinstance(step, FillStep) and step.name == fill_group(bundles[0]):
            yield from _ranked(bundles, _fill_mean(step))
            yield from _ranked(bundles, _fill_slowest(step))


def sync_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Writes that must be durable before the next."""
    for step in measure_steps(bundles[0]):
        for point, job in points_of_any(bundles, step.name).items():
            if job.sync is not Sync.NONE:
                yield from _ranked(bundles, _sync(point, job))


def share_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The mean of the weighted curve over the read/write ratio."""
    for step, label in share_jobs(bundles):
        job = measured_job(bundles, step.name, label)
        if step.weighted is None or job is None:
            continue
        over = "the mixed ratios" if step.weighted.rank_over is RankOver.MIXED else "all ratios"
        name = prefix(step.name, label)
        words = _job_words(job)
        yield from _ranked(
            bundles,
            Ranking(
                name=f"ranking-{_file_name(name)}",
                title=f"{words[0].upper()}{words[1:]} by read/write ratio: weighted mean",
                metric=f"{name}.rank.iops",
                axis=f"weighted mean of {words} I/O",
                unit=speed_unit(job),
                caption=f"Mean of the weighted curve over {over}; weights {weights_words(step.weighted)}.",
                job=job,
            ),
        )


def boot_rankings(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Reads a second with as many readers as a boot drive serves in time (METHODS E5)."""
    for step in suite_steps(bundles[0]):
        if isinstance(step, SearchStep):
            yield from _ranked(bundles, _boot(step))


def _boot(step: SearchStep) -> Ranking:
    block = block_words(step.reads.block_bytes)
    return Ranking(
        name=f"ranking-{_file_name(step.name)}",
        title="Boot drive: reads a second within all limits",
        metric=f"{step.name}.iops",
        axis=f"random {block} reads beside writes and trims",
        unit=IOPS,
        caption=f"With the most readers that keep the limits of latency and the floors. {step.limits.iops:,} pass. "
        "A drive that keeps them with no number of readers has no value.",
    )


def _fill_mean(step: FillStep) -> Ranking:
    passes = "both passes" if step.passes == 2 else f"{step.passes} passes" if step.passes > 2 else "the pass"
    return Ranking(
        name=f"ranking-{_file_name(step.name)}-mean",
        title="Filling the drive: mean speed",
        metric=f"{step.name}.bandwidth_mean",
        axis=f"mean write bandwidth over {passes}",
        unit=MIB_PER_S,
        caption=f"All bytes of {passes} over their time, rests left out.",
    )


def _fill_slowest(step: FillStep) -> Ranking:
    return Ranking(
        name=f"ranking-{_file_name(step.name)}-slowest",
        title="Filling the drive: slowest 1 %",
        metric=f"{step.name}.pass1.bandwidth_p1",
        axis="write bandwidth in the slowest 1 % of pass 1",
        unit=MIB_PER_S,
        caption="99 % of the 100 ms windows of the first pass were at least as fast.",
    )


def _sync(point: str, job: Job) -> Ranking:
    random = job.pattern is Pattern.RANDOM
    return Ranking(
        name=f"ranking-{_file_name(point)}",
        title=f"Sync write: {_job_words(job)}",
        metric=f"{point}.{'iops' if random else 'bandwidth'}",
        axis=f"{_job_words(job)} sync writes at QD{job.queue_depth * job.jobs}",
        unit=IOPS if random else MIB_PER_S,
        caption="Each write is durable before it counts as done. A burst on a used consumer drive, no steady state.",
    )


def _job_words(job: Job) -> str:
    return f"{job.pattern.value} {block_words(job.block_bytes)}"


def _file_name(name: str) -> str:
    return name.replace("_", "-").replace(".", "-")


def _ranked(bundles: Sequence[Bundle], ranking: Ranking) -> Iterator[Figure]:
    """The figure; none when no drive has the number."""
    found = [(drive, value) for drive in drives_of(bundles) if (value := _value(drive, ranking)) is not None]
    if not found:
        return
    found.sort(key=lambda one: -one[1].value)
    without = [drive.label for drive in drives_of(bundles) if drive.slot not in {one.slot for one, _ in found}]
    bars = [_bar(drive, value, ranking.unit) for drive, value in found]
    subtitle = subtitle_of([drive.bundle for drive, _ in found], [value.state for _, value in found])
    build = _builder(bars, ranking, subtitle)
    missing = f" No value: {', '.join(without)}." if without else ""
    yield Figure(
        name=ranking.name,
        title=ranking.title,
        subtitle=subtitle,
        caption=f"{ranking.caption} Line at the end of a bar: 95 % interval, where it is wide enough to see.{missing}"
        if any(one.low is not None for one in bars)
        else f"{ranking.caption}{missing}",
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(found, ranking),
    )


def _value(drive: Drive, ranking: Ranking) -> Reading | None:
    value = readings(drive.bundle).get(ranking.metric)
    return value if value is None or ranking.job is None else speed_reading(value, ranking.job)


def _builder(bars: Sequence[Bar], ranking: Ranking, subtitle: tuple[str, ...]) -> Callable[[Shape], dict[str, object]]:
    axis = f"{ranking.axis} ({ranking.unit.label})"
    description = f"Bar chart: {axis}, {len(bars)} drives"
    return lambda shape: bar_spec(bars, axis, shape, ranking.title, subtitle, description)


def _bar(drive: Drive, value: Reading, unit: SpeedUnit) -> Bar:
    return Bar(
        label=drive.label,
        slot=drive.slot,
        rank=drive.rank,
        value=value.value / unit.factor,
        text=value.marked_text,
        words=f"{drive.label}: {value.words}",
        low=None if value.low is None else value.low / unit.factor,
        high=None if value.high is None else value.high / unit.factor,
    )


def _table(found: Sequence[tuple[Drive, Reading]], ranking: Ranking) -> Table:
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
    columns = (Column("drive", ""), Column("value", unit), Column("95 % from", unit), Column("to", unit))
    return Table(f"{ranking.metric}, best first", columns, tuple(rows))
