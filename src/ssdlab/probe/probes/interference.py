"""Interference: how long reads wait while the drive is busy with writes, and whether they overtake them (P15).

Reads of one page are asked alone, then one among four writes of 128 KiB, eight commands in flight. Reads that wait for a program to end
wait for any part of it, 0.2 to 2 ms; a drive that suspends programs answers after the some 100 us that takes (METHODS B). The upper
quartile tells them apart and is not moved by outliers. Of a drive with many dies few reads meet a program, and short programs of one bit a
cell are waited for, too: reads overtake only where the slowest of twenty does not wait as long as a program, either, and of a drive whose
slower quarter does not even wait for a suspension, the slowest of a hundred.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.message import duration, message, number
from ssdlab.probe.answer import (
    STRONG,
    VISIBLE,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.probes.statistics import Floats
from ssdlab.probe.script import (
    COLLECTED_BYTES_MIN,
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    too_small,
    working_region,
)
from ssdlab.units import KIB, NS_PER_US

DELAY = "interference.delay"
TAIL = "interference.read_p99"
ORDER = "interference.order"

_PAGE_BYTES = 4 * KIB
_WRITE_BYTES = 128 * KIB
_DEPTH = 8
_READS = 5000
_WRITES_A_READ = 4
_TURNS = 2
_SHORT_NS = 150 * NS_PER_US
"""Suspending a program takes less."""
_LONG_NS = 300 * NS_PER_US
"""Three quarters of a program of more than one bit a cell take more."""
_READS_LONG = 4.0
"""The same in times of a read: a drive that has become slow takes longer to suspend, too."""
_READS_SHORT = 4.0
"""A wait of more reads may be a program of a drive that has become fast."""
_QUARTILE = 75.0
_SLOWEST = 95.0
"""Outliers are rarer."""
_SLOWEST_OF_FEW = 99.0
"""Where few reads meet a program, these do."""
_MET_NS = 25 * NS_PER_US
"""A slower quarter that waits less has met no program: to suspend one takes as long."""
_SUSPENDED_NS = 225 * NS_PER_US
"""Where programs are suspended, slow reads wait for that, too, and with the noise half as long again."""
_DEVIATIONS = 1.96
"""Of a normal distribution at the ends of its middle 95 %."""
_AGREE = 0.2
"""Share by which the delays of two turns may differ and still say the same."""


class ReadOrder(Enum):
    """Whether a read is served before a write that came earlier."""

    OVERTAKES = message("probe-interference-overtakes")
    WAITS = message("probe-interference-waits")


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """Response times of reads of one page: alone, and beside writes."""

    alone_ns: Floats
    beside_ns: Floats


def _design(drive: KnownDrive) -> Design:
    if drive.capacity_bytes < COLLECTED_BYTES_MIN:
        raise too_small(COLLECTED_BYTES_MIN)
    region = working_region(drive, READ_REGION_BYTES)
    random = np.random.default_rng(drive.seed)

    def places(count: int) -> np.typing.NDArray[np.int64]:
        return random.integers(0, region.length_bytes // _WRITE_BYTES, count) * _WRITE_BYTES

    def mixture() -> Commands:
        verbs = np.full(_READS * (1 + _WRITES_A_READ), Verb.WRITE, dtype=np.uint8)
        verbs[:_READS] = Verb.READ
        random.shuffle(verbs)
        lengths = np.where(verbs == Verb.READ, _PAGE_BYTES, _WRITE_BYTES)
        return replace(Commands.one_by_one(Verb.WRITE, places(len(verbs)), lengths), verb=verbs, queue_depth=_DEPTH)

    acts = []
    for turn in range(_TURNS):
        acts.append(Ask(f"alone {turn}", Commands.one_by_one(Verb.READ, places(_READS), _PAGE_BYTES)))
        acts.append(Ask(f"beside {turn}", mixture()))

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        turns = []
        for turn in range(_TURNS):
            both = evidence.asked[f"beside {turn}"]
            reads = both.latency_ns[both.commands.verb == Verb.READ]
            turns.append(Turn(evidence.asked[f"alone {turn}"].latency_ns, reads))
        return interference(turns)

    return Design(need=Need.MAPPED, region=region, acts=tuple(acts), estimate=estimate)


def interference(turns: Sequence[Turn]) -> tuple[Answer, ...]:
    """What reads wait beside writes, their 99th percentile there, and whether they overtake.

    Args:
        turns: At least two, done at different times.
    """
    alone = np.concatenate([one.alone_ns for one in turns])
    beside = np.concatenate([one.beside_ns for one in turns])
    return (_order(turns, alone, beside), _delay(turns, alone, beside), _tail(beside))


def _delay(turns: Sequence[Turn], alone: Floats, beside: Floats) -> Answer:
    value, error = _waiting(alone, beside, 50.0)
    each = [_waiting(one.alone_ns, one.beside_ns, 50.0)[0] for one in turns]
    interval, separation = Interval(value - 1.96 * error, value + 1.96 * error), value / error
    if separation < VISIBLE:
        why = message("probe-interference-no-delay", low=duration(interval.low), high=duration(interval.high))
        return not_identifiable(DELAY, Reason.FLAT, why, "ns")
    same = max(each) - min(each) <= max(_AGREE * value, VISIBLE * np.sqrt(2 * len(turns)) * error)
    return Answer(
        name=DELAY,
        value=value,
        unit="ns",
        interval=interval,
        separation=separation,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=(Grade.A if separation >= STRONG else Grade.B) if same else Grade.C,
        note=message("probe-interference-delay-note"),
    )


def _tail(beside: Floats) -> Answer:
    low, value, high = _percentile(beside, 99.0)
    return Answer(
        name=TAIL,
        value=value,
        unit="ns",
        interval=Interval(low, high),
        grade=Grade.B,
        note=message("probe-interference-tail-note"),
    )


def _order(turns: Sequence[Turn], alone: Floats, beside: Floats) -> Answer:
    value, error = _waiting(alone, beside, _QUARTILE)
    each = [_side(_waiting(one.alone_ns, one.beside_ns, _QUARTILE)[0], float(np.median(one.alone_ns))) for one in turns]
    order = _side(value, float(np.median(alone)))
    if order is None:
        why = message("probe-interference-between", wait=number(value / NS_PER_US, ".0f"))
        return not_identifiable(ORDER, Reason.AMBIGUOUS, why)
    slowest_ns, _ = _waiting(alone, beside, _SLOWEST)
    if order is ReadOrder.OVERTAKES and slowest_ns > _SUSPENDED_NS:
        why = message(
            "probe-interference-some-wait",
            wait=number(value / NS_PER_US, ".0f"),
            slowest=number(slowest_ns / NS_PER_US, ".0f"),
        )
        return not_identifiable(ORDER, Reason.AMBIGUOUS, why)
    if order is ReadOrder.OVERTAKES and value < _MET_NS:
        few_ns, _ = _waiting(alone, beside, _SLOWEST_OF_FEW)
        if few_ns > _SUSPENDED_NS:
            slowest = number(few_ns / NS_PER_US, ".0f")
            return not_identifiable(ORDER, Reason.AMBIGUOUS, message("probe-interference-few-met", slowest=slowest))
    short_ns, long_ns = _borders(float(np.median(alone)))
    distance = (short_ns - value if order is ReadOrder.OVERTAKES else value - long_ns) / error
    same = set(each) == {order}
    if distance < VISIBLE:
        why = message("probe-interference-imprecise", error=number(error / NS_PER_US, ".0f"))
        return not_identifiable(ORDER, Reason.NOISY, why)
    # Programs of one bit a cell can be as short as a suspension, so not waiting is never proof.
    strong = same and distance >= STRONG and order is ReadOrder.WAITS
    return Answer(
        name=ORDER,
        value=order.value,
        separation=distance,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if strong else Grade.B if same else Grade.C,
        note=message("probe-interference-order-note", wait=number(value / NS_PER_US, ".0f")),
    )


def _side(waiting_ns: float, read_ns: float) -> ReadOrder | None:
    short_ns, long_ns = _borders(read_ns)
    if waiting_ns < short_ns:
        return ReadOrder.OVERTAKES
    return ReadOrder.WAITS if waiting_ns > long_ns else None


def _borders(read_ns: float) -> tuple[float, float]:
    """Below the first a read overtakes, above the second it waits; nothing is said in between."""
    return min(_SHORT_NS, _READS_SHORT * read_ns), max(_LONG_NS, _READS_LONG * read_ns)


def _waiting(alone: Floats, beside: Floats, percent: float) -> tuple[float, float]:
    """Percentile beside writes over the same one alone, and its standard error; both ns."""
    ends = [_percentile(values, percent) for values in (alone, beside)]
    errors = [(high - low) / (2 * _DEVIATIONS) for low, _, high in ends]
    return ends[1][1] - ends[0][1], max(float(np.hypot(errors[0], errors[1])), 1.0)


def _percentile(values: Floats, percent: float) -> tuple[float, float, float]:
    """A percentile between the ends of its 95 % interval: ranks by the normal approximation of the binomial (Conover 1999)."""
    share, count = percent / 100, len(values)
    reach = _DEVIATIONS * np.sqrt(count * share * (1 - share))
    ranks = [min(count - 1, max(0, round(count * share + at))) for at in (-reach, 0.0, reach)]
    low, value, high = np.partition(values, ranks)[ranks]
    return float(low), float(value), float(high)


INTERFERENCE = Probe(
    name="interference",
    question=message("probe-interference-question"),
    limits=message("probe-interference-limits"),
    design=_design,
)
