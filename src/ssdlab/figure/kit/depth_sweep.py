"""What was measured over queue depths (METHODS E2, E4): one workload, a point for each depth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import CLAT, CLAT_MEAN, CONSISTENCY, IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.drives import DrawnRun, drives_of
from ssdlab.figure.kit.model import AxisScale
from ssdlab.figure.kit.readings import MetricReading, readings, speed_reading
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.subject import block_words, mix_slug, mix_title, pattern_title
from ssdlab.figure.kit.suite_steps import measure_steps, measured_points
from ssdlab.job import DriveState, Job, Pattern
from ssdlab.message import Message, message
from ssdlab.method.kinds.measure import MeasureStep
from ssdlab.point import Point
from ssdlab.units import KIB

_PLOTS_MAX = 3
_NAMES = {
    (Pattern.SEQUENTIAL, 128 * KIB, 95): message("figure-load-read-intensive"),
    (Pattern.RANDOM, 4 * KIB, 70): message("figure-load-mainstream"),
    (Pattern.RANDOM, 4 * KIB, 50): message("figure-load-write-intensive"),
    (Pattern.RANDOM, 512, 100): message("figure-load-ai"),
}
"""What readers of reviews know these loads by (METHODS E3, E4)."""


@dataclass(frozen=True, slots=True)
class Workload:
    """What was done, whatever the queue depth."""

    group: str
    """Step of the suite."""
    pattern: Pattern
    block_bytes: int
    read_percent: int
    jobs: int

    @property
    def title(self) -> Message:
        """Without the pattern: `4 KiB read`, or `4 KiB 70/30 mix (mainstream)`, where the load has a name."""
        done = message("figure-blocks-of", block=block_words(self.block_bytes), mix=mix_title(self.read_percent))
        done = done if self.jobs == 1 else message("figure-blocks-of-jobs", done=done, jobs=self.jobs)
        name = _NAMES.get((self.pattern, self.block_bytes, self.read_percent))
        return done if name is None else message("figure-load-called", load=done, name=name)

    @property
    def short(self) -> str:
        """The title as words."""
        return say(self.title)

    @property
    def words(self) -> str:
        """`Random 4 KiB read`."""
        return say(message("figure-patterned", pattern=pattern_title(self.pattern), what=self.title))

    @property
    def slug(self) -> str:
        """Part of the name of a figure: `rnd-4-kib-read`."""
        jobs = f"-{self.jobs}-jobs" if self.jobs > 1 else ""
        block = block_words(self.block_bytes).lower().replace(" ", "-")
        return f"{self.group.replace('_', '-')}-{block}-{mix_slug(self.read_percent)}{jobs}"

    @property
    def is_pure(self) -> bool:
        """Whether it is pure reads or pure writes."""
        return self.read_percent in {0, 100}


@dataclass(frozen=True, slots=True)
class DepthPoint:
    """One queue depth of one drive."""

    depth: int
    job: Job
    point: Point
    speed: MetricReading
    iops: float
    clat: MetricReading | None
    """Mean completion latency, ns."""
    consistency: MetricReading | None
    """Percent."""
    percentiles: Mapping[str, MetricReading]
    """Completion latency at those of `PERCENTS` that are known, ns."""


@dataclass(frozen=True, slots=True, eq=False)
class DepthSweep:
    """One workload of one drive, by ascending queue depth."""

    drive: DrawnRun
    workload: Workload
    points: tuple[DepthPoint, ...]

    @property
    def job(self) -> Job:
        """Of any of the points."""
        return self.points[0].job


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredWorkload:
    """One workload of all the drives that did it, the device under test first."""

    workload: Workload
    sweeps: tuple[DepthSweep, ...]


def depth_sweeps(bundles: Sequence[Bundle]) -> tuple[MeasuredWorkload, ...]:
    """Every workload of the device under test that was measured at several depths, with what the other drives did of it."""
    drives = drives_of(bundles)
    known = {drive.slot: readings(drive.bundle) for drive in drives}
    measured = []
    for step in measure_steps(bundles[0]):
        if is_over_depths(step):
            by_drive = [_sweeps(drive, step.name, known[drive.slot]) for drive in drives]
            measured += [
                MeasuredWorkload(
                    workload, tuple(found for one in by_drive if (found := _counterpart(workload, one, by_drive[0])))
                )
                for workload in by_drive[0]
            ]
    return tuple(measured)


def is_over_depths(step: MeasureStep) -> bool:
    """Depths are what varies: steps that also vary the share of reads, range or block size have figures of their own."""
    sweep = step.sweep
    others = (sweep.read_percent, sweep.block_bytes)
    return (
        len(sweep.queue_depth or ()) > 1
        and sweep.active_range is None
        and not any(len(one or ()) > 1 for one in others)
    )


def by_group(measured: Iterable[MeasuredWorkload]) -> Iterator[tuple[MeasuredWorkload, ...]]:
    """Those of one step of the suite and one pattern, whose speeds have one unit."""
    groups: dict[tuple[str, Pattern], list[MeasuredWorkload]] = {}
    for one in measured:
        groups.setdefault((one.workload.group, one.workload.pattern), []).append(one)
    return (tuple(group) for group in groups.values())


def in_rows(group: Sequence[MeasuredWorkload]) -> Iterator[Sequence[MeasuredWorkload]]:
    """As many plots beside each other as a reader can still read."""
    return (group[begin : begin + _PLOTS_MAX] for begin in range(0, len(group), _PLOTS_MAX))


def states_of(sweeps: Iterable[DepthSweep]) -> list[DriveState]:
    """The states of the drives in all points."""
    return [point.speed.state for sweep in sweeps for point in sweep.points]


def depth_axis(depths: Iterable[int], length_px: int) -> PlotAxis:
    """Equal steps for each doubling; the outermost symbols keep clear of the frame."""
    ticks = sorted(set(depths))
    return PlotAxis(
        say(message("figure-queue-depth")),
        ticks[0] * 0.85,
        ticks[-1] * 1.18,
        tuple(float(one) for one in ticks),
        length_px,
        AxisScale.LOG,
    )


def _counterpart(
    workload: Workload, sweeps: Mapping[Workload, DepthSweep], own: Mapping[Workload, DepthSweep]
) -> DepthSweep | None:
    """What a drive did of a workload: where blocks are as large as the drive's indirection unit, with its own, which its name then says."""
    if workload in sweeps:
        return sweeps[workload]
    others = [one for one in sweeps if one not in own and replace(one, block_bytes=workload.block_bytes) == workload]
    if len(others) != 1:
        return None
    sweep = sweeps[others[0]]
    label = f"{sweep.drive.label}, {block_words(others[0].block_bytes)}"
    return replace(sweep, drive=replace(sweep.drive, label=label))


def _sweeps(drive: DrawnRun, group: str, known: Mapping[MetricKey, MetricReading]) -> dict[Workload, DepthSweep]:
    points: dict[Workload, list[DepthPoint]] = {}
    for point, job in measured_points(drive.bundle, group).items():
        iops = known.get(MetricKey(point, IOPS))
        if iops is not None:
            workload = Workload(group, job.pattern, job.block_bytes, job.read_percent, job.jobs)
            points.setdefault(workload, []).append(_point(point, job, iops, known))
    return {
        workload: DepthSweep(drive, workload, tuple(sorted(ones, key=lambda one: one.depth)))
        for workload, ones in points.items()
    }


def _point(point: Point, job: Job, iops: MetricReading, known: Mapping[MetricKey, MetricReading]) -> DepthPoint:
    percentiles = {percent: known.get(MetricKey(point, CLAT, percent)) for percent in PERCENTS}
    return DepthPoint(
        depth=job.queue_depth,
        job=job,
        point=point,
        speed=speed_reading(iops, job),
        iops=iops.value,
        clat=known.get(MetricKey(point, CLAT_MEAN)),
        consistency=known.get(MetricKey(point, CONSISTENCY)),
        percentiles={percent: one for percent, one in percentiles.items() if one is not None},
    )
