"""Flush: what durability costs (P10). It never says that a drive is safe against power loss, only what its flushes cost."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Forced, Verb
from ssdlab.job import Region
from ssdlab.message import Message, duration, message, number
from ssdlab.probe.answer import STRONG, VISIBLE, Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.statistics import Floats
from ssdlab.probe.script import Ask, Design, Estimator, KnownDrive, Medium, Need, Probe, ProbeEvidence, working_region
from ssdlab.units import KIB, MIB, NS_PER_US

COST = "flush.cost"
EMPTY = "flush.cost_nothing_written"
FORCED = "flush.cost_forced_write"
BULK = "flush.cost_256KiB"
BEHAVIOUR = "flush.behaviour"

_PAGE_BYTES = 4 * KIB
_BULK_BYTES = 256 * KIB
_EACH = 50
_TURNS = 4
CHEAP_NS = 30 * NS_PER_US
_COSTLY_NS = 300 * NS_PER_US
_REGION_BYTES = 256 * MIB
_ALIKE_MAX = 0.1
"""Share by which flushes of something and of nothing may differ and still take the same time."""
_MORE_MIN = 0.25
"""Least share of a flush that must be due to what was written before it, if it is to be that of writing."""
_FEW_TURNS = 3.07
"""So many times three standard errors of a mean of four are exceeded by chance as seldom as three of many (Student, 3 degrees of freedom)."""
_ERROR_FLOOR = 0.003
"""Two medians of like commands never agree better, in share of them."""


class FlushBehaviour(Enum):
    """What a flush makes the drive do."""

    CHEAP = message("probe-flush-cheap")
    FIXED = message("probe-flush-fixed")
    """Its time, whatever was written."""
    WRITES_BUFFER = message("probe-flush-writes-buffer")


class Trial(Enum):
    """What is done again and again, in turns of each."""

    WRITE = "write"
    WRITE_AND_FLUSH = "write and flush"
    FLUSH = "read and flush"
    FORCED_WRITE = "forced write"
    BULK_AND_FLUSH = "256 KiB and flush"


_VERBS = {
    Trial.WRITE: ((Verb.WRITE, _PAGE_BYTES),),
    Trial.WRITE_AND_FLUSH: ((Verb.WRITE, _PAGE_BYTES), (Verb.FLUSH, 0)),
    Trial.FLUSH: ((Verb.READ, _PAGE_BYTES), (Verb.FLUSH, 0)),
    Trial.FORCED_WRITE: ((Verb.WRITE_THROUGH, _PAGE_BYTES),),
    Trial.BULK_AND_FLUSH: ((Verb.WRITE, _BULK_BYTES), (Verb.FLUSH, 0)),
}


@dataclass(frozen=True, slots=True, eq=False)
class FlushTimes:
    """Response times by kind of trial: of its writes and of its flushes, empty where it has none."""

    writes_ns: dict[Trial, Floats]
    flushes_ns: dict[Trial, Floats]
    forced: Forced


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, _REGION_BYTES)
    random = np.random.default_rng(drive.seed)
    turns = [(trial, turn) for turn in range(_TURNS) for trial in Trial]
    acts = tuple(Ask(f"{trial.value} {turn}", _commands(random, region, trial)) for trial, turn in turns)

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        def times(trial: Trial, verbs: set[Verb]) -> Floats:
            parts = [evidence.asked[f"{trial.value} {turn}"] for turn in range(_TURNS)]
            # The first of a turn may still have to do with the turn before.
            return np.concatenate([one.latency_ns[2:][np.isin(one.commands.verb[2:], list(verbs))] for one in parts])

        writes = {trial: times(trial, {Verb.WRITE, Verb.WRITE_THROUGH}) for trial in Trial}
        flushes = {trial: times(trial, {Verb.FLUSH}) for trial in Trial}
        return flush(FlushTimes(writes, flushes, evidence.asked[f"{Trial.FORCED_WRITE.value} 0"].forced))

    return Design(need=Need.MAPPED, region=region, acts=acts, estimate=estimate)


def _commands(random: np.random.Generator, region: Region, trial: Trial) -> Commands:
    kinds = _VERBS[trial]
    places = random.integers(0, region.length_bytes // _BULK_BYTES, _EACH) * _BULK_BYTES
    lengths = np.tile(np.array([length for _, length in kinds], dtype=np.int64), _EACH)
    return replace(
        Commands.one_by_one(Verb.FLUSH, np.where(lengths > 0, np.repeat(places, len(kinds)), 0), lengths),
        verb=np.tile(np.array([verb for verb, _ in kinds], dtype=np.uint8), _EACH),
    )


def flush(times: FlushTimes) -> tuple[Answer, ...]:
    """Costs of durability as differences of medians, and which of three behaviours they are."""
    alone = times.writes_ns[Trial.WRITE]
    flushed, empty_ns = times.flushes_ns[Trial.WRITE_AND_FLUSH], times.flushes_ns[Trial.FLUSH]
    bulk_ns = times.flushes_ns[Trial.BULK_AND_FLUSH]
    cost, empty, bulk = (_difference(one, _NOTHING_NS) for one in (flushed, empty_ns, bulk_ns))
    forced = not_identifiable(FORCED, Reason.NOT_SUPPORTED, message("probe-cannot-force"), "ns")
    more: _Difference | None = None
    if times.forced is Forced.YES:
        more = _difference(times.writes_ns[Trial.FORCED_WRITE], alone)
        forced = _cost(FORCED, more, message("probe-flush-forced-note"))
    evidence = _Evidence(
        cost,
        (_difference(flushed, empty_ns), _difference(bulk_ns, empty_ns)),
        more,
        float(np.median(alone)),
    )
    return (
        _behaviour(evidence),
        _cost(COST, cost, message("probe-flush-cost-note")),
        _cost(EMPTY, empty, message("probe-flush-empty-note")),
        forced,
        _cost(BULK, bulk, message("probe-flush-bulk-note")),
    )


_NOTHING_NS = np.zeros(_TURNS)


@dataclass(frozen=True, slots=True)
class _Difference:
    """Of two medians.

    Attributes:
        error: Standard error.
        replicated: Whether both halves of the data say the same.
    """

    value: float
    interval: Interval
    error: float
    replicated: Replicated


def _difference(longer_ns: Floats, shorter_ns: Floats) -> _Difference:
    """With the percentile bootstrap's interval. Its error is no less than what the differences of the turns scatter."""
    random = np.random.default_rng(1)
    drawn = [
        np.median(values[random.integers(0, len(values), (1000, len(values)))], axis=1)
        for values in (longer_ns, shorter_ns)
    ]
    low, high = np.percentile(drawn[0] - drawn[1], [2.5, 97.5])
    value = float(np.median(longer_ns) - np.median(shorter_ns))
    floor = _ERROR_FLOOR * float(np.median(longer_ns))
    turns = [
        np.median(longer) - np.median(shorter)
        for longer, shorter in zip(*(np.array_split(values, _TURNS) for values in (longer_ns, shorter_ns)), strict=True)
    ]
    wander = _FEW_TURNS * float(np.std(turns, ddof=1)) / np.sqrt(_TURNS)
    error = max(float(np.std(drawn[0] - drawn[1])), wander, floor, 1.0)
    halves = [float(np.median(longer_ns[start::2]) - np.median(shorter_ns[start::2])) for start in (0, 1)]
    same = abs(halves[0] - halves[1]) < 6 * error + 0.02 * abs(value)
    return _Difference(value, Interval(float(low), float(high)), error, Replicated.YES if same else Replicated.NO)


def _cost(name: str, found: _Difference, note: Message) -> Answer:
    separation = found.value / found.error
    if separation < VISIBLE:
        why = message(
            "probe-flush-no-difference",
            low=duration(found.interval.low),
            high=duration(found.interval.high),
        )
        return not_identifiable(name, Reason.FLAT, why, "ns")
    same = found.replicated is Replicated.YES
    return Answer(
        name=name,
        value=found.value,
        unit="ns",
        interval=found.interval,
        separation=separation,
        replicated=found.replicated,
        grade=(Grade.A if separation >= STRONG else Grade.B) if same else Grade.C,
        note=note,
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the behaviour follows from.

    Attributes:
        cost: Of a flush after a write.
        over_empty: Of flushes after writes over those with nothing written: 4 KiB and 256 KiB.
        forced: Cost of a forced write over a buffered one; None where it could not be forced.
        write_ns: Median of a buffered write.
    """

    cost: _Difference
    over_empty: tuple[_Difference, _Difference]
    forced: _Difference | None
    write_ns: float

    def is_safe(self) -> bool:
        """A forced write that costs more than a buffered one waits for the cells: what is buffered is not safe there."""
        return self.forced is None or self.forced.interval.high < max(CHEAP_NS, min(_COSTLY_NS, 0.1 * self.write_ns))


def _behaviour(found: _Evidence) -> Answer:
    """`cheap` below 30 us; above, what it costs beyond a flush of nothing tells the other two.

    `fixed` where flushes of something, of 256 KiB too, and of nothing differ by less than a tenth of it. Neither is said where a forced
    write costs more than a buffered one, by 30 us or a tenth of it; `writes what is buffered` where the flush takes over 300 us and a quarter of it or more is due to what was
    written. In between nothing is said.
    """
    cost = found.cost
    decided = _decided(found)
    if decided is None:
        why = message(
            "probe-flush-between",
            low=number(cost.interval.low / NS_PER_US, ".0f"),
            high=number(cost.interval.high / NS_PER_US, ".0f"),
            cheap=number(CHEAP_NS // NS_PER_US, ""),
            costly=number(_COSTLY_NS // NS_PER_US, ""),
            empty=number((cost.value - found.over_empty[0].value) / NS_PER_US, ".0f"),
        )
        return not_identifiable(BEHAVIOUR, Reason.AMBIGUOUS, why)
    behaviour, distance = decided
    strong = distance >= STRONG and cost.replicated is Replicated.YES and found.forced is not None
    return Answer(
        name=BEHAVIOUR,
        value=behaviour.value,
        separation=float(distance),
        replicated=cost.replicated,
        grade=Grade.A if strong else Grade.B,
    )


def _decided(found: _Evidence) -> tuple[FlushBehaviour, float] | None:
    """The behaviour, and how far it is from the border of its kind in standard errors; None in between."""
    cost, is_safe, more = found.cost, found.is_safe(), found.over_empty[0]
    if is_safe and cost.interval.high < CHEAP_NS:
        return FlushBehaviour.CHEAP, (CHEAP_NS - cost.value) / cost.error
    alike_ns = _ALIKE_MAX * cost.value
    is_alike = all(-alike_ns < one.interval.low and one.interval.high < alike_ns for one in found.over_empty)
    if is_safe and is_alike and cost.interval.low > CHEAP_NS:
        return FlushBehaviour.FIXED, min((alike_ns - abs(one.value)) / one.error for one in found.over_empty)
    if cost.interval.low > _COSTLY_NS and more.interval.low > _MORE_MIN * cost.value:
        beyond = (cost.value - _COSTLY_NS) / cost.error, (more.value - _MORE_MIN * cost.value) / more.error
        return FlushBehaviour.WRITES_BUFFER, min(beyond)
    return None


FLUSH = Probe(
    name="flush",
    question=message("probe-flush-question"),
    limits=message("probe-flush-limits"),
    design=_design,
    medium=Medium.FILE,
)
