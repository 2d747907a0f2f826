"""Several runs of one suite beside each other: which belong together, and the numbers that tell the drives apart."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.bundle.read import Bundle
from ssdlab.figure.drives import Drive, drives_of
from ssdlab.figure.fill import fill_group
from ssdlab.figure.readings import Reading, readings, speed_reading
from ssdlab.figure.subject import block_words, caveat, is_virtual
from ssdlab.figure.suite_steps import points_of_any, prefix, suite_steps
from ssdlab.job import Job, Pattern, Sync
from ssdlab.method.schema import FillStep, MeasureStep, ReclaimStep, SearchStep, SteadyStep, Take
from ssdlab.units import NS_PER_S, format_bytes_decimal, format_interval


@dataclass(frozen=True, slots=True)
class SummaryCell:
    """A number of one drive."""

    name: str
    """Of the metric; empty where there is none."""
    text: str
    """The number; or in short why there is none, of which the tip says all."""
    exact: str
    standing: "Standing"
    tip: str
    interval: str = ""
    """95 %, where the data gives one."""


class Standing(Enum):
    """Of a number among those of its row."""

    BEST = "best"
    LEVEL = "level with the best"
    """The intervals overlap: it cannot be told which is better."""
    BEHIND = ""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One number of all drives."""

    label: str
    cells: tuple[SummaryCell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The drives and their numbers."""

    drives: tuple[Drive, ...]
    """The device under test, then the others as they rank."""
    facts: tuple[SummaryRow, ...]
    rows: tuple[SummaryRow, ...]
    warnings: tuple[str, ...]
    """What a reader must know before comparing."""


class _Better(Enum):
    MORE = "more"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class _Number:
    """A number all drives have."""

    label: str
    metric: str
    job: Job | None = None
    """Whose pattern decides the unit, where it is one of I/Os a second."""
    better: _Better = _Better.MORE


def comparable_groups(bundles: Sequence[Bundle]) -> list[tuple[Bundle, ...]]:
    """Runs of one suite, version and profile; single ones are no group."""
    groups: dict[tuple[str, str, str], list[Bundle]] = {}
    for bundle in bundles:
        groups.setdefault(method_of(bundle), []).append(bundle)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def method_of(bundle: Bundle) -> tuple[str, str, str]:
    """What runs have in common that stand beside each other: suite, version, profile."""
    run = bundle.run
    return run.suite.name, run.suite.version, run.profile


def summary(bundles: Sequence[Bundle]) -> Summary:
    """The table of the drives; the first is the device under test."""
    numbers = list(_numbers(bundles))
    drives = drives_of(bundles)
    ranking = _ranking(numbers)
    ranked = sorted(drives[1:], key=lambda drive: -(_value(drive, ranking) or 0.0))
    ordered = (drives[0], *ranked)
    rows = [_row(number, ordered) for number in numbers]
    return Summary(
        drives=ordered,
        facts=tuple(_facts(ordered)),
        rows=tuple(row for row in rows if any(cell.name for cell in row.cells)),
        warnings=tuple(_warnings(bundles)),
    )


def _warnings(bundles: Sequence[Bundle]) -> Iterator[str]:
    if warning := caveat(bundles[0].run):
        yield warning
    if len({bundle.run.suite.sha256 for bundle in bundles}) > 1:
        yield "the texts of the suites differ, though their name and version are the same"
    if len({bundle.run.engine for bundle in bundles}) > 1:
        yield f"the engines differ: {', '.join(dict.fromkeys(bundle.run.engine for bundle in bundles))}"
    if len({is_virtual(bundle.run) for bundle in bundles}) > 1:
        yield "some drives are real and some are models"


def _facts(drives: Sequence[Drive]) -> Iterator[SummaryRow]:
    yield _texts("user capacity", [format_bytes_decimal(drive.bundle.run.drive.capacity_bytes) for drive in drives])
    kinds = ["model" if is_virtual(drive.bundle.run) else "real drive" for drive in drives]
    if "model" in kinds:
        yield _texts("kind", kinds)
    yield _texts("measured", [drive.bundle.run.started_at[:10] for drive in drives])


def _texts(label: str, texts: Sequence[str]) -> SummaryRow:
    return SummaryRow(label, tuple(SummaryCell("", text, "", Standing.BEHIND, tip="") for text in texts))


def _numbers(bundles: Sequence[Bundle]) -> Iterator[_Number]:
    """What the suite's steps are about, in their order."""
    for step in suite_steps(bundles[0]):
        match step:
            case FillStep() if step.name == fill_group(bundles[0]):
                yield from _fill_numbers(step)
            case MeasureStep():
                yield from _measured_numbers(bundles, step)
            case SteadyStep():
                yield from _steady_numbers(step)
            case SearchStep():
                yield _Number("readers within latency limits (BootBench)", f"{step.name}.iops")
            case ReclaimStep():
                yield from _reclaim_numbers(bundles[0], step)
            case _:
                pass


def _fill_numbers(step: FillStep) -> Iterator[_Number]:
    yield _Number("fill: mean speed", f"{step.name}.bandwidth_mean")
    yield _Number("fill: slowest 1 %, pass 1", f"{step.name}.pass1.bandwidth_p1")
    for number in range(1, step.passes + 1):
        yield _Number(f"SLC cache, pass {number}", f"{step.name}.pass{number}.cache_bytes")
    yield _Number("speed within the cache, pass 1", f"{step.name}.pass1.cache_bandwidth")
    yield _Number("speed past the cache, pass 1", f"{step.name}.pass1.direct_bandwidth")


def _steady_numbers(step: SteadyStep) -> Iterator[_Number]:
    if step.job.pattern is Pattern.SEQUENTIAL:
        yield _Number("steady sequential writes", "precondition.seq.steady_bandwidth")
    else:
        yield _Number("steady random writes", "precondition.rnd.steady_iops")


def _depth_numbers(points: dict[str, Job], step: MeasureStep) -> Iterator[_Number]:
    """Of each workload the speed with the deepest queue; of pure ones how even that is, and random latency with one in flight."""
    for label in step.jobs:
        own = {name: job for name, job in points.items() if name.startswith(f"{prefix(step.name, label)}.")}
        if not own:
            continue
        by_depth = sorted(own, key=lambda name: own[name].queue_depth)
        first, last = by_depth[0], by_depth[-1]
        job = own[last]
        random = job.pattern is Pattern.RANDOM
        words = f"{'RND' if random else 'SEQ'} {block_words(job.block_bytes)} {_direction(job)}"
        yield _Number(f"{words}, QD{job.queue_depth}", f"{last}.{'iops' if random else 'bandwidth'}")
        if job.read_percent in {0, 100}:
            if random:
                yield _Number(
                    f"{words}, QD{own[first].queue_depth}: latency", f"{first}.clat_mean", better=_Better.LESS
                )
            yield _Number(f"{words}, QD{job.queue_depth}: consistency", f"{last}.consistency")


def _direction(job: Job) -> str:
    if job.read_percent in {0, 100}:
        return "read" if job.read_percent else "write"
    return f"{job.read_percent}/{100 - job.read_percent}"


def _reclaim_numbers(bundle: Bundle, step: ReclaimStep) -> Iterator[_Number]:
    """After the shortest and the longest rest, as the profile scaled them."""
    rests = {
        one.point: one.rest_ns for one in bundle.steps if one.group == step.name and one.name == f"{one.point}.rest"
    }
    ordered = sorted(rests, key=lambda point: rests[point])
    for point in dict.fromkeys((*ordered[:1], *ordered[-1:])):
        yield _Number(f"written after {rests[point] / NS_PER_S:.3g} s of rest", f"{point}.bytes")


def _measured_numbers(bundles: Sequence[Bundle], step: MeasureStep) -> Iterator[_Number]:
    points = points_of_any(bundles, step.name)
    if step.sweep.active_range is not None:
        yield _Number("reach of the mapping cache", f"{step.name}.reach_bytes")
    if step.sweep.queue_depth is not None and step.sweep.read_percent is None and step.sweep.block_bytes is None:
        yield from _depth_numbers(points, step)
    for name, job in points.items():
        words = f"{'SEQ' if job.pattern is Pattern.SEQUENTIAL else 'RND'} {block_words(job.block_bytes)}"
        if job.sync is not Sync.NONE:
            yield _Number(f"sync write, {words}", f"{name}.iops", job)
        elif step.take is Take.BEST:
            direction = "read" if job.read_percent else "write"
            yield _Number(f"{words} Q{job.queue_depth}T{job.jobs} {direction}", f"{name}.bandwidth")
    for label in step.jobs if step.weighted is not None else ():
        begin = prefix(step.name, label)
        job_of = next((job for name, job in points.items() if name.startswith(f"{begin}.")), None)
        if job_of is not None:
            words = f"{job_of.pattern.value} {block_words(job_of.block_bytes)}"
            yield _Number(f"read/write ratio, weighted mean, {words}", f"{begin}.rank.iops", job_of)


def _ranking(numbers: Sequence[_Number]) -> _Number | None:
    """What orders the drives: the weighted mean, or else the first number."""
    weighted = [number for number in numbers if number.metric.endswith(".rank.iops")]
    return next(iter([*reversed(weighted), *numbers]), None)


def _value(drive: Drive, number: _Number | None) -> float | None:
    found = None if number is None else _reading(drive, number)
    return None if found is None else found.value


def _reading(drive: Drive, number: _Number) -> Reading | None:
    found = readings(drive.bundle).get(number.metric)
    return found if found is None or number.job is None else speed_reading(found, number.job)


def _row(number: _Number, drives: Sequence[Drive]) -> SummaryRow:
    found = [_reading(drive, number) for drive in drives]
    known = [one for one in found if one is not None]
    # Beside drives that have no such number the largest of the others is no merit.
    best = _best(number, known) if len(known) == len(drives) > 1 else None
    return SummaryRow(
        number.label,
        tuple(_cell(drive, number, one, best) for drive, one in zip(drives, found, strict=True)),
    )


def _best(number: _Number, known: Sequence[Reading]) -> Reading:
    pick = min if number.better is _Better.LESS else max
    return pick(known, key=lambda one: one.value)


def _standing(one: Reading, best: Reading | None) -> Standing:
    if best is None:
        return Standing.BEHIND
    if one.value == best.value:
        return Standing.BEST
    ends = [one.low, one.high, best.low, best.high]
    overlap = None not in ends and max(one.low or 0.0, best.low or 0.0) <= min(one.high or 0.0, best.high or 0.0)
    return Standing.LEVEL if overlap else Standing.BEHIND


def _cell(drive: Drive, number: _Number, found: Reading | None, best: Reading | None) -> SummaryCell:
    if found is None:
        why = _reason(drive, number)
        return SummaryCell("", re.split("[:;]", why)[0], "", Standing.BEHIND, tip=why)
    text = found.text.partition(" (")[0]
    metric = next(metric for metric in drive.bundle.metrics if metric.name == number.metric)
    mark = " ✗" if found.failed_checks else ""
    unit = metric.unit if number.job is None or number.job.pattern is Pattern.RANDOM else "B/s"
    return SummaryCell(
        name=number.metric,
        text=f"{text}{mark}",
        exact=repr(metric.value),
        standing=_standing(found, best),
        tip=found.words,
        interval=_interval(found, unit),
    )


def _interval(found: Reading, unit: str) -> str:
    if found.low is None or found.high is None:
        return ""
    return format_interval(found.value, unit, found.low, found.high)


def _reason(drive: Drive, number: _Number) -> str:
    """Why a drive has no such number."""
    for metric in drive.bundle.metrics:
        if metric.name == number.metric and not isinstance(metric.value, int | float | bool | str):
            return metric.value.unknown
    return "not measured"
