"""What was measured over queue depths (METHODS E2, E4): one workload, a point for each depth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.analysis.latency import PERCENTS
from ssdlab.bundle.read import Bundle
from ssdlab.figure.axis import Axis
from ssdlab.figure.drives import Drive, drives_of
from ssdlab.figure.model import Scale
from ssdlab.figure.readings import Reading, readings, speed_reading
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import measure_steps, measured_points
from ssdlab.job import Job, Pattern
from ssdlab.method.schema import MeasureStep

_PLOTS_MAX = 3


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
    def mix(self) -> str:
        """`read`, `write` or `70/30 mix`, the reads first."""
        pure = {100: "read", 0: "write"}
        return pure.get(self.read_percent, f"{self.read_percent}/{100 - self.read_percent} mix")

    @property
    def short(self) -> str:
        """Without the pattern: `4 KiB read`."""
        jobs = f", {self.jobs} jobs" if self.jobs > 1 else ""
        return f"{block_words(self.block_bytes)} {self.mix}{jobs}"

    @property
    def words(self) -> str:
        """`Random 4 KiB read`."""
        return f"{self.pattern.value.capitalize()} {self.short}"

    @property
    def slug(self) -> str:
        """Part of the name of a figure: `rnd-4-kib-read`."""
        letters = self.short.lower().replace("/", "-")
        kept = "".join(one for one in letters if one.isalnum() or one in " -")
        return f"{self.group.replace('_', '-')}-{kept.replace(' ', '-')}"

    @property
    def is_pure(self) -> bool:
        """Whether it is pure reads or pure writes."""
        return self.read_percent in {0, 100}


@dataclass(frozen=True, slots=True)
class DepthPoint:
    """One queue depth of one drive."""

    depth: int
    job: Job
    name: str
    """What its metrics begin with."""
    speed: Reading
    iops: float
    clat: Reading | None
    """Mean completion latency, ns."""
    consistency: Reading | None
    """Percent."""
    percentiles: Mapping[str, Reading]
    """Completion latency at those of `analysis.latency.PERCENTS` that are known, ns."""


@dataclass(frozen=True, slots=True, eq=False)
class DepthSweep:
    """One workload of one drive, by ascending queue depth."""

    drive: Drive
    workload: Workload
    points: tuple[DepthPoint, ...]

    @property
    def job(self) -> Job:
        """Of any of the points."""
        return self.points[0].job


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One workload of all the drives that did it, the device under test first."""

    workload: Workload
    sweeps: tuple[DepthSweep, ...]


def depth_sweeps(bundles: Sequence[Bundle]) -> tuple[Measured, ...]:
    """Every workload of the device under test that was measured at several depths, with what the other drives did of it."""
    drives = drives_of(bundles)
    known = {drive.slot: readings(drive.bundle) for drive in drives}
    measured = []
    for step in measure_steps(bundles[0]):
        if is_over_depths(step):
            by_drive = [_sweeps(drive, step.name, known[drive.slot]) for drive in drives]
            measured += [
                Measured(
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


def by_group(measured: Iterable[Measured]) -> Iterator[tuple[Measured, ...]]:
    """Those of one step of the suite and one pattern, whose speeds have one unit."""
    groups: dict[tuple[str, Pattern], list[Measured]] = {}
    for one in measured:
        groups.setdefault((one.workload.group, one.workload.pattern), []).append(one)
    return (tuple(group) for group in groups.values())


def in_rows(group: Sequence[Measured]) -> Iterator[Sequence[Measured]]:
    """As many plots beside each other as a reader can still read."""
    return (group[begin : begin + _PLOTS_MAX] for begin in range(0, len(group), _PLOTS_MAX))


def states_of(sweeps: Iterable[DepthSweep]) -> list[str]:
    """The states of the drives in all points."""
    return [point.speed.state for sweep in sweeps for point in sweep.points]


def depth_axis(depths: Iterable[int], length_px: int) -> Axis:
    """Equal steps for each doubling; the outermost symbols keep clear of the frame."""
    ticks = sorted(set(depths))
    return Axis(
        "queue depth", ticks[0] * 0.85, ticks[-1] * 1.18, tuple(float(one) for one in ticks), length_px, Scale.LOG
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


def _sweeps(drive: Drive, group: str, known: Mapping[str, Reading]) -> dict[Workload, DepthSweep]:
    points: dict[Workload, list[DepthPoint]] = {}
    for name, job in measured_points(drive.bundle, group).items():
        iops = known.get(f"{name}.iops")
        if iops is not None:
            workload = Workload(group, job.pattern, job.block_bytes, job.read_percent, job.jobs)
            points.setdefault(workload, []).append(_point(name, job, iops, known))
    return {
        workload: DepthSweep(drive, workload, tuple(sorted(ones, key=lambda one: one.depth)))
        for workload, ones in points.items()
    }


def _point(name: str, job: Job, iops: Reading, known: Mapping[str, Reading]) -> DepthPoint:
    percentiles = {percent: known.get(f"{name}.clat_p{percent.replace('.', '_')}") for percent in PERCENTS}
    return DepthPoint(
        depth=job.queue_depth,
        job=job,
        name=name,
        speed=speed_reading(iops, job),
        iops=iops.value,
        clat=known.get(f"{name}.clat_mean"),
        consistency=known.get(f"{name}.consistency"),
        percentiles={percent: one for percent, one in percentiles.items() if one is not None},
    )
