"""The analysis of consumer runs against random drives whose inside is known: `uv run python -m tests.study.validation`.

Writes `docs/client-validation.md`; some minutes. The unit tests do the first few drives and hold their rows against that page.
"""

import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.study.random_drives import Evenness, RandomDrive, random_drive

from ssdlab.analysis.infer.phases import Cache, PassPhases, phases_of
from ssdlab.analysis.infer.policy import Policy, policy_of
from ssdlab.analysis.infer.reach import MappingCacheReach, RangePoint, reach_of
from ssdlab.analysis.infer.reclaim import ReclaimAfterRest, reclaim_of
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction, LatencyKind, RawResult, Series
from ssdlab.job import Job, Pattern, Region
from ssdlab.units import GIB, KIB, MIB, NS_PER_S, format_bytes_decimal
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "client-validation.md"
NUMBERS = range(200, 240)
"""The analysis was made looking at drives of lower numbers; these it had not seen."""
UNEVEN_NUMBERS = range(400, 440)
"""Likewise, of drives that are uneven."""
SIZE_TOLERANCE = 0.05
REACH_TOLERANCE = 0.15
CLASSES_RIGHT_MIN = 36
PROCESSES = 2

_USUAL_BYTES = 10**12
"""The rests and minutes of the method are those of a drive of this size; the random ones are smaller, and their times shorter."""
_RESTS_S = (5, 10, 15, 30, 60, 120, 240)
_FIRST_RANGE_BYTES = 64 * MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the analysis says of a drive."""

    drive: RandomDrive
    first: PassPhases
    second: PassPhases
    policy: Policy | Unknown
    reach: MappingCacheReach | Unknown


class _Rig:
    """A drive and the clock it lives by."""

    def __init__(self, drive: RandomDrive, directory: Path) -> None:
        self._capacity_bytes = drive.capacity_bytes
        self._drive = ModelDrive("model:random", SpecChoice("random", drive.text, None, None))
        self._engine = ModelEngine(self._drive)
        self._directory = directory

    def scaled_ns(self, seconds: float) -> int:
        """A time of the method for a drive of this size."""
        return round(seconds * NS_PER_S * self._capacity_bytes / _USUAL_BYTES)

    def purge(self) -> None:
        """To fresh out of the box, and rest."""
        self._drive.purge()
        self.rest(900 * NS_PER_S)

    def rest(self, duration_ns: int) -> None:
        """No I/O for that long."""
        self._engine.rest(duration_ns, _ignore)

    def write(self, amount_bytes: int | None, duration_ns: int | None = None) -> Series:
        """From the first byte on, as METHODS C2 and C8 write."""
        job = self._job(Pattern.SEQUENTIAL, 128 * KIB, 0, self._capacity_bytes, amount_bytes, duration_ns)
        return self._run(job).directions[Direction.WRITE].series

    def read(self, range_bytes: int) -> RangePoint | None:
        """1 GiB of random reads inside the first bytes, as METHODS C3."""
        job = self._job(Pattern.RANDOM, 4 * KIB, 100, range_bytes, GIB, None)
        read = self._run(job).directions[Direction.READ]
        rate, latency = total_iops([read]), read.latency[LatencyKind.LAT]
        return None if isinstance(rate, Unknown) else RangePoint(range_bytes, rate, latency.stddev_ns / latency.mean_ns)

    def _job(
        self,
        pattern: Pattern,
        block_bytes: int,
        read_percent: int,
        region_bytes: int,
        amount_bytes: int | None,
        duration_ns: int | None,
    ) -> Job:
        return Job(
            name="validation",
            pattern=pattern,
            read_percent=read_percent,
            block_bytes=block_bytes,
            queue_depth=256,
            region=Region(0, region_bytes // block_bytes * block_bytes),
            amount_bytes=None if amount_bytes is None else amount_bytes // block_bytes * block_bytes,
            duration_ns=duration_ns,
            seed=1,
        )

    def _run(self, job: Job) -> RawResult:
        return self._engine.run(job, self._directory, _ignore)


def _ignore(_: Progress) -> None:
    """Nobody watches."""


def examine(drive: RandomDrive) -> Finding:
    """Measure a drive as METHODS C2, C3 and C8 do, and analyse it."""
    with tempfile.TemporaryDirectory() as directory:
        rig = _Rig(drive, Path(directory))
        rig.purge()
        first = rig.write(drive.capacity_bytes)
        rig.rest(300 * NS_PER_S)
        second = rig.write(drive.capacity_bytes)
        rig.rest(300 * NS_PER_S)
        points = [point for size in _ranges(drive.capacity_bytes) if (point := rig.read(size)) is not None]
        reclaim = reclaim_of([_rung(rig, drive, seconds) for seconds in _RESTS_S])
    phases = phases_of(first, drive.capacity_bytes)
    return Finding(
        drive=drive,
        first=phases,
        second=phases_of(second, drive.capacity_bytes),
        policy=policy_of(first, phases, drive.capacity_bytes, reclaim.rate),
        reach=reach_of(points),
    )


def _ranges(capacity_bytes: int) -> list[int]:
    sizes = [_FIRST_RANGE_BYTES << step for step in range(20)]
    return [size for size in sizes if size < capacity_bytes] + [capacity_bytes // MIB * MIB]


def _rung(rig: _Rig, drive: RandomDrive, seconds: int) -> ReclaimAfterRest:
    rig.purge()
    rig.write(drive.capacity_bytes // 2)
    rest_ns = rig.scaled_ns(seconds)
    rig.rest(rest_ns)
    return ReclaimAfterRest(rest_ns, rig.write(None, rig.scaled_ns(60)))


class Outcome(Enum):
    """How a finding stands to the truth."""

    NEAR = "within"
    """As close as is asked."""
    INSIDE = "inside its interval"
    RIGHT = "none, right"
    """There is none, and none is reported."""
    MISSED = "MISSED"
    INVENTED = "INVENTED"
    """There is none, and one is reported."""


GOOD = {Outcome.NEAR, Outcome.INSIDE, Outcome.RIGHT}


@dataclass(frozen=True, slots=True)
class Compared:
    """A size that was found beside the true one."""

    truth_bytes: float | None
    found_bytes: float | None
    interval: Interval | None
    outcome: Outcome

    @property
    def words(self) -> str:
        """Truth and finding, for the page."""
        truth = "none" if self.truth_bytes is None else format_bytes_decimal(self.truth_bytes)
        if self.found_bytes is None or self.interval is None:
            return f"{truth} | none: {self.outcome.value}"
        apart = "" if self.truth_bytes is None else f", {self.found_bytes / self.truth_bytes - 1:+.1%}"
        low, high = (format_bytes_decimal(end) for end in (self.interval.low, self.interval.high))
        return f"{truth} | {format_bytes_decimal(self.found_bytes)} [{low} to {high}]{apart}: {self.outcome.value}"


def largest(finding: Finding) -> Compared:
    """The largest cache: first pass."""
    return _cache(finding.drive.largest_cache_bytes, finding.first)


def smallest(finding: Finding) -> Compared:
    """The smallest cache: second pass."""
    return _cache(finding.drive.smallest_cache_bytes, finding.second)


def _cache(truth_bytes: int, phases: PassPhases) -> Compared:
    truth = truth_bytes or None
    if not isinstance(phases.cache, Cache):
        return _compared(truth, None, None, SIZE_TOLERANCE)
    return _compared(truth, phases.cache.size_bytes, phases.cache.interval, SIZE_TOLERANCE)


def reach(finding: Finding) -> Compared:
    """The reach of the mapping cache."""
    found = finding.reach
    if isinstance(found, Unknown):
        return _compared(finding.drive.reach_bytes, None, None, REACH_TOLERANCE)
    return _compared(finding.drive.reach_bytes, found.bytes, found.interval, REACH_TOLERANCE)


def _compared(truth: int | None, found: float | None, interval: Interval | None, tolerance: float) -> Compared:
    if truth is None:
        outcome = Outcome.RIGHT if found is None else Outcome.INVENTED
    elif found is None or interval is None:
        outcome = Outcome.MISSED
    elif abs(found / truth - 1) <= tolerance:
        outcome = Outcome.NEAR
    else:
        outcome = Outcome.INSIDE if interval.low <= truth <= interval.high else Outcome.MISSED
    return Compared(truth, found, interval, outcome)


def found_class(finding: Finding) -> str:
    """The letter, that it is unknown, or that there is no cache to have one."""
    if isinstance(finding.policy, Policy):
        return finding.policy.after.value
    return "unknown" if isinstance(finding.first.cache, Cache) else "no cache"


def true_class(drive: RandomDrive) -> str:
    """Likewise of the truth."""
    return "no cache" if drive.after is None else drive.after.value


def row(finding: Finding) -> str:
    """The drive's line of the page."""
    drive = finding.drive
    right = "" if found_class(finding) == true_class(drive) else " **MISSED**"
    cells = (
        str(drive.number),
        ", ".join((*_drive_words(drive), *drive.unevenness)),
        true_class(drive),
        found_class(finding) + right,
        largest(finding).words,
        smallest(finding).words,
        reach(finding).words,
    )
    return f"| {' | '.join(cells)} |"


def _drive_words(drive: RandomDrive) -> tuple[str, ...]:
    return f"{drive.capacity_bytes / 1e9:.1f} GB", f"{drive.bits_per_cell} bits", f"noise {drive.noise_sigma:g}"


def page(findings: Sequence[Finding], uneven: Sequence[Finding]) -> str:
    """`client-validation.md`."""
    return f"{_even(findings)}\n{_uneven(uneven)}"


def _even(findings: Sequence[Finding]) -> str:
    classes = sum(found_class(one) == true_class(one.drive) for one in findings)
    sizes = [compared(one).outcome for one in findings for compared in (largest, smallest)]
    reaches = [reach(one).outcome for one in findings]
    invented = sum(outcome is Outcome.INVENTED for outcome in (*sizes, *reaches))
    rows = "\n".join(row(one) for one in findings)
    return f"""<!-- Written by `uv run python -m tests.study.validation`; do not edit. -->

# The consumer analysis against known drives

{len(findings)} virtual drives are drawn at random (`tests/study/random_drives.py`): capacity, dies, cells, speeds, SLC cache and what
follows it, mapping cache, noise. They are measured in virtual time as [METHODS](concepts/methods.md) C2, C3 and C8 say, with rests
and minutes shortened as the drives are smaller than a terabyte. The truth comes from the specification and from the model's own
rules, never from a measured series. The analysis was made looking at drives of numbers below {NUMBERS.start}; those here it had not seen.

| question | asked for | found |
| --- | --- | --- |
| class of what follows the cache (letters: [metrics](reference/metrics.md), `fill.after_cache`) | right on {CLASSES_RIGHT_MIN} of {len(NUMBERS)} | {classes} of {len(findings)} |
| largest and smallest cache | within {SIZE_TOLERANCE:.0%}, or inside the stated interval | {_good(sizes)} of {len(sizes)}, {_within(sizes)} of them within {SIZE_TOLERANCE:.0%} or rightly none |
| reach of the mapping cache | within {REACH_TOLERANCE:.0%} | {_within(reaches)} of {len(reaches)} within it or rightly none, {_good(reaches) - _within(reaches)} more inside the stated interval |
| caches and knees reported on drives that have none | 0 | {invented} |

What it cannot see: a cache that lasts for less than three windows of 100 ms. Where link or controller, not flash, limit the reads
inside the reach, the first misses cost nothing and the knee appears later than the reach; such drives are told by latencies that
hardly differ, and the interval then begins at the least the reach may be. On a full drive collecting garbage can begin before the last
of the cache is used: the model's rule counts it, the speed no longer shows it. {_missed(findings)}

| no. | drive | class | found | largest cache | found | smallest cache | found | reach | found |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def _uneven(findings: Sequence[Finding]) -> str:
    classes = sum(found_class(one) == true_class(one.drive) for one in findings)
    sizes = [compared(one).outcome for one in findings for compared in (largest, smallest)]
    reaches = [reach(one).outcome for one in findings]
    invented = sum(outcome is Outcome.INVENTED for outcome in (*sizes, *reaches))
    rows = "\n".join(row(one) for one in findings)
    return f"""## Uneven drives

{len(findings)} more of the same kind, of which most do what real drives do besides: windows of 100 ms differ by up to 12 %, each by itself or
like those before; the speed drifts; it dips for a moment every few seconds; operations of one kind do not all take equally long; old
data is rewritten; folds take longer where the host waits for them. Right are {classes} of {len(findings)} classes, {_good(sizes)} of {len(sizes)} sizes of caches, and
{_good(reaches)} of {len(reaches)} reaches; {invented} caches and knees are reported on drives that have none. {_missed(findings)}

| no. | drive | class | found | largest cache | found | smallest cache | found | reach | found |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def _good(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome in GOOD for outcome in outcomes)


def _within(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome in {Outcome.NEAR, Outcome.RIGHT} for outcome in outcomes)


def _missed(findings: Sequence[Finding]) -> str:
    numbers = [
        str(one.drive.number)
        for one in findings
        if Outcome.MISSED in {largest(one).outcome, smallest(one).outcome, reach(one).outcome}
        or found_class(one) != true_class(one.drive)
    ]
    return f"Missed in something: {', '.join(numbers)}." if numbers else "Nothing is missed."


def main() -> int:
    """Examine all drives and write the page."""
    tasks = [
        *((number, Evenness.EVEN) for number in NUMBERS),
        *((number, Evenness.UNEVEN) for number in UNEVEN_NUMBERS),
    ]
    findings = []
    with ProcessPoolExecutor(PROCESSES) as pool:
        for found in pool.map(_examined, tasks):
            findings.append(found)
            print(row(found), flush=True)
    PAGE.write_text(page(findings[: len(NUMBERS)], findings[len(NUMBERS) :]), encoding="utf-8")
    return 0


def _examined(task: tuple[int, Evenness]) -> Finding:
    return examine(random_drive(*task))


if __name__ == "__main__":
    sys.exit(main())
