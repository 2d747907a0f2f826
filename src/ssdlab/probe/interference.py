"""Interference: how long reads wait while the drive is busy with writes, and whether they overtake them (P15).

Reads of one page are asked alone, then one among four writes of 128 KiB, eight commands in flight. Reads that wait for a program to end
wait for any part of it, 0.2 to 2 ms; a drive that suspends programs answers after the some 100 us that takes (METHODS B). The upper
quartile tells them apart and is not moved by outliers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.probe.answer import (
    STRONG,
    VISIBLE,
    Answer,
    Grade,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    Evidence,
    Need,
    Probe,
    Subject,
    working_region,
)
from ssdlab.probe.statistics import Floats
from ssdlab.units import KIB, NS_PER_US

DELAY = "interference.delay"
TAIL = "interference.read_p99"
ORDER = "interference.order"
OVERTAKE = "reads hardly wait for writes"
WAIT = "reads wait behind writes"

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
_QUARTILE = 75.0
_DEVIATIONS = 1.96
"""Of a normal distribution at the ends of its middle 95 %."""
_AGREE = 0.2
"""Share by which the delays of two turns may differ and still say the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """Response times of reads of one page: alone, and beside writes."""

    alone_ns: Floats
    beside_ns: Floats


def _design(subject: Subject) -> Design:
    region = working_region(subject, READ_REGION_BYTES)
    random = np.random.default_rng(subject.seed)

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

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
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
    same = max(each) - min(each) <= max(_AGREE * abs(value), VISIBLE * np.sqrt(2 * len(turns)) * error)
    return Answer(
        name=DELAY,
        value=value,
        unit="ns",
        interval=Interval(value - 1.96 * error, value + 1.96 * error),
        separation=abs(value) / error,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if same else Grade.C,
        note="median of 4 KiB reads among four times as many writes of 128 KiB, eight in flight, over reads alone",
    )


def _tail(beside: Floats) -> Answer:
    low, value, high = _percentile(beside, 99.0)
    return Answer(
        name=TAIL,
        value=value,
        unit="ns",
        interval=Interval(low, high),
        grade=Grade.B,
        note="response time of reads beside writes; outliers count",
    )


def _order(turns: Sequence[Turn], alone: Floats, beside: Floats) -> Answer:
    value, error = _waiting(alone, beside, _QUARTILE)
    each = [_side(_waiting(one.alone_ns, one.beside_ns, _QUARTILE)[0]) for one in turns]
    said = _side(value)
    if said is None:
        words = f"the slower quarter of reads waits {value / NS_PER_US:.0f} µs and more: for a suspension or for a short program"
        return not_identifiable(ORDER, Reason.AMBIGUOUS, words)
    distance = (_SHORT_NS - value if said == OVERTAKE else value - _LONG_NS) / error
    same = set(each) == {said}
    if distance < VISIBLE:
        return not_identifiable(ORDER, Reason.NOISY, f"the wait is known to {error / NS_PER_US:.0f} µs only")
    # Programs of one bit a cell can be as short as a suspension, so not waiting is never proof.
    strong = same and distance >= STRONG and said == WAIT
    return Answer(
        name=ORDER,
        value=said,
        separation=distance,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.A if strong else Grade.B if same else Grade.C,
        note=f"the slower quarter of reads waits {value / NS_PER_US:.0f} µs and more; as long as a program only where it cannot be suspended",
    )


def _side(waiting_ns: float) -> str | None:
    if waiting_ns < _SHORT_NS:
        return OVERTAKE
    return WAIT if waiting_ns > _LONG_NS else None


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
    question="Do reads wait for writes?",
    limits="programs of one bit a cell can be as short as what it takes to suspend one; what a busy controller costs looks like waiting",
    design=_design,
)
