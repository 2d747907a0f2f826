"""Flush: what durability costs (P10). It never says that a drive is safe against power loss, only what its flushes cost."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Forced, Verb
from ssdlab.job import Region
from ssdlab.probe.answer import STRONG, Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.script import Ask, Design, Estimator, Evidence, Medium, Need, Probe, Subject, working_region
from ssdlab.probe.statistics import Floats, median_interval
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


def _design(subject: Subject) -> Design:
    region = working_region(subject, _REGION_BYTES)
    random = np.random.default_rng(subject.seed)
    turns = [(trial, turn) for turn in range(_TURNS) for trial in Trial]
    acts = tuple(Ask(f"{trial.value} {turn}", _commands(random, region, trial)) for trial, turn in turns)

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
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
    """Costs of durability as differences of medians, and which of two behaviours they are."""
    alone = times.writes_ns[Trial.WRITE]
    flushed, empty_ns = times.flushes_ns[Trial.WRITE_AND_FLUSH], times.flushes_ns[Trial.FLUSH]
    interval = median_interval(empty_ns)
    empty = Answer(
        name=EMPTY,
        value=float(np.median(empty_ns)),
        unit="ns",
        interval=interval,
        replicated=Replicated.YES,
        grade=Grade.A,
        note="a flush with nothing written before it",
    )
    cost = _difference(COST, flushed, np.zeros(2), "a flush after a write of 4 KiB")
    forced = not_identifiable(FORCED, Reason.NOT_SUPPORTED, times.forced.value, "ns")
    if times.forced is Forced.YES:
        forced = _difference(
            FORCED, times.writes_ns[Trial.FORCED_WRITE], alone, "forced 4 KiB write, over a buffered one"
        )
    bulk = _difference(BULK, times.flushes_ns[Trial.BULK_AND_FLUSH], np.zeros(2), "a flush after a write of 256 KiB")
    return (_behaviour(cost, forced, float(np.median(alone))), cost, empty, forced, bulk)


def _difference(name: str, longer_ns: Floats, shorter_ns: Floats, note: str) -> Answer:
    """Difference of two medians with its bootstrap interval."""
    random = np.random.default_rng(1)
    drawn = [
        np.median(values[random.integers(0, len(values), (1000, len(values)))], axis=1)
        for values in (longer_ns, shorter_ns)
    ]
    low, high = np.percentile(drawn[0] - drawn[1], [2.5, 97.5])
    value = float(np.median(longer_ns) - np.median(shorter_ns))
    error = max(float(np.std(drawn[0] - drawn[1])), 1.0)
    halves = [float(np.median(longer_ns[start::2]) - np.median(shorter_ns[start::2])) for start in (0, 1)]
    same = abs(halves[0] - halves[1]) < 6 * error + 0.02 * abs(value)
    return Answer(
        name=name,
        value=value,
        unit="ns",
        interval=Interval(float(low), float(high)),
        separation=abs(value) / error,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if same else Grade.C,
        note=note,
    )


def _behaviour(cost: Answer, forced: Answer, write_ns: float) -> Answer:
    """`cheap` below 30 us or a tenth of a write, `writes what is buffered` above 300 us; in between nothing is said."""
    if cost.interval is None:
        return not_identifiable(BEHAVIOUR, Reason.NOISY, "the cost has no interval")
    forced_high = cost.interval.high if forced.interval is None else forced.interval.high
    cheap_ns = max(CHEAP_NS, min(_COSTLY_NS, 0.1 * write_ns))
    error = max((cost.interval.high - cost.interval.low) / 3.92, 1.0)
    value = float(cost.value) if isinstance(cost.value, float) else 0.0
    if max(cost.interval.high, forced_high) < cheap_ns:
        words, distance = "flushes are cheap: nothing to write, protected, or not honoured", (cheap_ns - value) / error
    elif cost.interval.low > _COSTLY_NS:
        words, distance = "a flush writes what is buffered: no sign of protection", (value - _COSTLY_NS) / error
    else:
        low, high = cost.interval.low / NS_PER_US, cost.interval.high / NS_PER_US
        why = f"a flush costs {low:.0f} to {high:.0f} µs: neither under {cheap_ns / NS_PER_US:.0f}, nor over 300 µs"
        return not_identifiable(BEHAVIOUR, Reason.AMBIGUOUS, why)
    strong = distance >= STRONG and cost.replicated is Replicated.YES and forced.interval is not None
    return Answer(
        name=BEHAVIOUR,
        value=words,
        separation=float(distance),
        replicated=cost.replicated,
        grade=Grade.A if strong else Grade.B,
    )


FLUSH = Probe(
    name="flush",
    question="What does a flush cost?",
    limits="a drive may say that it has flushed when it has not; only losing power tells",
    design=_design,
    medium=Medium.FILE,
)
