"""SLC cache: its largest and smallest size, and what follows it (P12, METHODS C2).

The drive is purged and written twice over in order; then purged and written once more, for the end of a cache is believed only if it
comes again at the same byte. The estimators are those of the consumer suite. Nothing here has grade A: a drive that pads each write and has used up
its flash falls at the same byte again, too.
"""

from collections.abc import Iterable

from ssdlab.analysis.infer.phases import Cache, PassPhases, phases_of
from ssdlab.analysis.infer.policy import MEANING, policy_of
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Direction, RawResult, Series
from ssdlab.job import Region
from ssdlab.message import Message, message
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.script import (
    Act,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    Purge,
    Rest,
    sequential_fill,
    too_small,
)
from ssdlab.units import KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

LARGEST = "slc.largest"
SMALLEST = "slc.smallest"
CLASS = "slc.after"

_BLOCK_BYTES = 128 * KIB
_DEPTH = 256
_REST_NS = 900 * NS_PER_S
_AGAIN = 0.05
"""Share by which the end of a cache may move from one pass to the next."""


def _design(drive: KnownDrive) -> Design:
    region = Region(0, drive.capacity_bytes // _BLOCK_BYTES * _BLOCK_BYTES)
    if not region.length_bytes:
        raise too_small(MIB)

    def fill(name: str) -> Act:
        return sequential_fill(name, region, drive.seed, _BLOCK_BYTES, _DEPTH)

    acts: tuple[Act, ...] = (
        *(Rest(_REST_NS), fill("first"), Rest(_REST_NS), fill("second")),
        *(Purge(), Rest(_REST_NS), fill("again")),
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        first, second, again = (_series(evidence.loaded[name]) for name in ("first", "second", "again"))
        return slc(first, second, again, region.length_bytes)

    return Design(need=Need.FRESH, region=region, acts=acts, estimate=estimate)


def _series(result: RawResult) -> Series:
    return result.directions[Direction.WRITE].series


def slc(first: Series, second: Series, again: Series, capacity_bytes: int) -> tuple[Answer, ...]:
    """Sizes and class from two passes after a purge, and one more after another."""
    fresh, full, repeated = (phases_of(one, capacity_bytes) for one in (first, second, again))
    largest = _size(LARGEST, fresh, (repeated,), message("probe-slc-fresh-note"))
    # A full drive is full after either purge, but only one such pass is made.
    smallest = _size(SMALLEST, full, (), message("probe-slc-full-note"))
    policies = [
        policy_of(series, phases, capacity_bytes, None) for series, phases in ((first, fresh), (again, repeated))
    ]
    one, other = policies
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return (largest, smallest, not_identifiable(CLASS, Reason.FLAT, _first_unknown(policies).reason))
    if one.after is not other.after:
        return (largest, smallest, not_identifiable(CLASS, Reason.AMBIGUOUS, message("probe-slc-passes-differ")))
    kind = Answer(
        name=CLASS,
        value=MEANING[one.after],
        replicated=Replicated.YES,
        grade=Grade.B,
        note=message("probe-slc-class-note", letter=one.after.value, finding=one.finding),
    )
    return (largest, smallest, kind)


def _first_unknown(found: Iterable[object]) -> Unknown:
    return next(one for one in found if isinstance(one, Unknown))


def _size(name: str, phases: PassPhases, repeats: tuple[PassPhases, ...], note: Message) -> Answer:
    cache = phases.cache
    if isinstance(cache, Unknown):
        return not_identifiable(name, Reason.FLAT, cache.reason, "B")
    interval = cache.interval
    again = [one.cache for one in repeats]
    same = all(isinstance(one, Cache) and _is_near(one, cache, interval) for one in again)
    if again and not same:
        return not_identifiable(name, Reason.AMBIGUOUS, message("probe-slc-end-differs"), "B")
    return Answer(
        name=name,
        value=round(cache.size_bytes),
        unit="B",
        interval=interval,
        replicated=Replicated.YES if again else Replicated.NOT_TRIED,
        grade=Grade.B,
        note=note,
    )


def _is_near(one: Cache, other: Cache, interval: Interval) -> bool:
    inside = interval.low <= one.size_bytes <= interval.high
    return inside or abs(one.size_bytes / other.size_bytes - 1) < _AGAIN


SLC = Probe(
    name="slc",
    question=message("probe-slc-question"),
    limits=message("probe-slc-limits"),
    design=_design,
)
