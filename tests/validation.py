"""The analysis of consumer runs against random drives whose inside is known: `uv run python -m tests.validation`.

Writes `docs/client-validation.md`; some minutes. The unit tests do the first few drives and hold their rows against that page.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.random_drives import RandomDrive, random_drive

from ssdlab.analysis.interval import Interval
from ssdlab.analysis.phases import Cache, Phases, phases_of
from ssdlab.analysis.policy import Policy, policy_of
from ssdlab.analysis.rate import total_iops
from ssdlab.analysis.reach import RangePoint, Reach, reach_of
from ssdlab.analysis.reclaim import Rung, reclaim_of
from ssdlab.drive.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction, LatencyKind, RawResult, Series
from ssdlab.job import Job, Pattern, Region
from ssdlab.units import GIB, KIB, MIB, NS_PER_S, format_bytes_decimal
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parent.parent / "docs" / "client-validation.md"
NUMBERS = range(200, 240)
"""The analysis was made looking at drives of lower numbers; these it had not seen."""
SIZE_TOLERANCE = 0.05
REACH_TOLERANCE = 0.15
CLASSES_RIGHT_MIN = 36

_USUAL_BYTES = 10**12
"""The rests and minutes of the method are those of a drive of this size; the random ones are smaller, and their times shorter."""
_RESTS_S = (5, 10, 15, 30, 60, 120, 240)
_FIRST_RANGE_BYTES = 64 * MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the analysis says of a drive."""

    drive: RandomDrive
    first: Phases
    second: Phases
    policy: Policy | Unknown
    reach: Reach | Unknown


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
    phases = phases_of(first)
    return Finding(
        drive=drive,
        first=phases,
        second=phases_of(second),
        policy=policy_of(first, phases, drive.capacity_bytes, reclaim.rate),
        reach=reach_of(points),
    )


def _ranges(capacity_bytes: int) -> list[int]:
    sizes = [_FIRST_RANGE_BYTES << step for step in range(20)]
    return [size for size in sizes if size < capacity_bytes] + [capacity_bytes // MIB * MIB]


def _rung(rig: _Rig, drive: RandomDrive, seconds: int) -> Rung:
    rig.purge()
    rig.write(drive.capacity_bytes // 2)
    rest_ns = rig.scaled_ns(seconds)
    rig.rest(rest_ns)
    return Rung(rest_ns, rig.write(None, rig.scaled_ns(60)))


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


def _cache(truth_bytes: int, phases: Phases) -> Compared:
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
    """The letter, or that there is no cache to have one."""
    return finding.policy.after.value if isinstance(finding.policy, Policy) else "no cache"


def true_class(drive: RandomDrive) -> str:
    """Likewise of the truth."""
    return "no cache" if drive.after is None else drive.after.value


def row(finding: Finding) -> str:
    """The drive's line of the page."""
    drive = finding.drive
    right = "" if found_class(finding) == true_class(drive) else " **MISSED**"
    cells = (
        str(drive.number),
        f"{drive.capacity_bytes / 1e9:.1f} GB, {drive.bits_per_cell} bits, noise {drive.noise_sigma:g}",
        true_class(drive),
        found_class(finding) + right,
        largest(finding).words,
        smallest(finding).words,
        reach(finding).words,
    )
    return f"| {' | '.join(cells)} |"


def page(findings: Sequence[Finding]) -> str:
    """`client-validation.md`."""
    classes = sum(found_class(one) == true_class(one.drive) for one in findings)
    sizes = [compared(one).outcome for one in findings for compared in (largest, smallest)]
    reaches = [reach(one).outcome for one in findings]
    invented = sum(outcome is Outcome.INVENTED for outcome in (*sizes, *reaches))
    rows = "\n".join(row(one) for one in findings)
    return f"""<!-- Written by `uv run python -m tests.validation`; do not edit. -->

# The consumer analysis against known drives

{len(findings)} virtual drives are drawn at random (`tests/random_drives.py`): capacity, dies, cells, speeds, SLC cache and what
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
    findings = []
    for number in NUMBERS:
        findings.append(examine(random_drive(number)))
        print(row(findings[-1]), flush=True)
    PAGE.write_text(page(findings), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
