"""Spare: how much flash a drive has beyond its capacity, as its garbage collection lets it be seen (P14).

The drive is written in order, then over and over at random with independent offsets. Once collecting is steady, the flash is written
so many times as much as the host asks, and by how much follows from the spare: with x the share of valid data in what is collected,
amplification is 1 / (1 - x) and flash over capacity ln(1 / x) / (1 - x) (Desnoyers 2012, uniform writes, oldest block first).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.interval import Interval
from ssdlab.engine.result import Direction, RawResult
from ssdlab.job import Pattern, Region
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.script import (
    Act,
    Design,
    Estimator,
    Evidence,
    Load,
    Need,
    Probe,
    Subject,
    sequential_fill,
)
from ssdlab.probe.shift_write import SIZE as BLOCK_SIZE
from ssdlab.units import KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

AMPLIFICATION = "spare.amplification"
SHARE = "spare.share"
SLOWDOWN = "spare.slowdown"

_PASSES = 3
_BEGINNING_SHARE = 50
"""A fiftieth of the drive is less than any spare, so that nothing has to be collected for it."""
_WHOLE_MAX = 1.8
"""More amplification than this without any collecting: writes are smaller than what the drive writes at least. Moving data out of a
cache gives less."""
_DEPTH = 32
_BLOCK_BYTES_MIN = 4 * KIB
_BLOCK_BYTES_MAX = MIB
_STEADY = 0.05
"""Share by which two passes of a steady drive may differ."""
_LAW = 0.06
"""Share by which the amplification of a drive that picks the emptiest block differs from that of the law."""
_COLLECTS_MIN = 1.05
"""Less amplification than this is none."""


@dataclass(frozen=True, slots=True)
class WrittenPass:
    """As much as the drive holds, written at random.

    Attributes:
        amplification: Bytes written to the flash over bytes written by the host, where the drive counts both.
    """

    bytes_per_s: float
    amplification: float | Unknown


def _design(subject: Subject) -> Design:
    block_bytes = _block_bytes(subject)
    region = Region(0, subject.capacity_bytes // MIB * MIB)
    fill = sequential_fill("in order", region, subject.seed)
    at_random = replace(
        fill.job,
        pattern=Pattern.RANDOM,
        block_bytes=block_bytes,
        queue_depth=_DEPTH,
        amount_bytes=region.length_bytes // block_bytes * block_bytes,
    )
    # The same order in every pass would leave whole blocks to be erased, and nothing to be copied.
    passes = [
        Load(f"pass {number}", replace(at_random, name=f"pass {number}", seed=subject.seed + number))
        for number in range(1, _PASSES + 1)
    ]
    beginning = replace(at_random, name="beginning", amount_bytes=region.length_bytes // _BEGINNING_SHARE)
    acts: tuple[Act, ...] = (fill, Load("beginning", beginning), *passes)

    def estimate(evidence: Evidence, _: Estimator) -> tuple[Answer, ...]:
        return spare(_pass(evidence.loaded["beginning"]), written_passes(evidence))

    return Design(need=Need.FRESH, region=region, acts=acts, estimate=estimate)


def _block_bytes(subject: Subject) -> int:
    """No write shall be smaller than what the drive writes anyway."""
    found = [answer.value for answer in subject.claims if answer.name == "declared.indirection_unit"]
    if (block := subject.answers.get(BLOCK_SIZE)) is not None:
        found.append(block.value)
    known = [one for one in found if isinstance(one, int) and one <= _BLOCK_BYTES_MAX]
    return max([_BLOCK_BYTES_MIN, *known])


def written_passes(evidence: Evidence) -> list[WrittenPass]:
    """Speed and amplification of each pass over the drive."""
    return [_pass(evidence.loaded[f"pass {number}"]) for number in range(1, _PASSES + 1)]


def _pass(result: RawResult) -> WrittenPass:
    write = result.directions[Direction.WRITE]
    return WrittenPass(write.io_bytes * NS_PER_S / max(1, write.runtime_ns), _amplification(result))


def _amplification(result: RawResult) -> float | Unknown:
    if result.sensed is None:
        return Unknown("its sensors were not read")
    before, after = result.sensed.before, result.sensed.after
    counted = (
        before.host_written_bytes,
        after.host_written_bytes,
        before.media_written_bytes,
        after.media_written_bytes,
    )
    host_before, host_after, media_before, media_after = counted
    if (
        isinstance(host_before, Unknown)
        or isinstance(host_after, Unknown)
        or isinstance(media_before, Unknown)
        or isinstance(media_after, Unknown)
    ):
        return Unknown("the drive does not count what it writes to its flash")
    if host_after <= host_before:
        return Unknown("its counter of host writes did not move")
    return (media_after - media_before) / (host_after - host_before)


def spare(beginning: WrittenPass, passes: Sequence[WrittenPass]) -> tuple[Answer, ...]:
    """Amplification, the spare it follows from, and how much slower steady writes are than the first ones.

    Args:
        beginning: The first random writes over the full drive, before it has to collect anything.
        passes: At least three, one after the other.
    """
    slowdown = _slowdown(passes)
    counted = [one.amplification for one in passes if not isinstance(one.amplification, Unknown)]
    if len(counted) < len(passes):
        words = next(one.amplification.unknown for one in passes if isinstance(one.amplification, Unknown))
        return (
            not_identifiable(SHARE, Reason.NOT_SUPPORTED, words),
            not_identifiable(AMPLIFICATION, Reason.NOT_SUPPORTED, words),
            slowdown,
        )
    before, last = counted[-2:]
    apart = abs(last / before - 1)
    if apart > _STEADY:
        words = f"amplification still went from {before:.2f} to {last:.2f} from one pass to the next"
        return (
            not_identifiable(SHARE, Reason.NOISY, words),
            not_identifiable(AMPLIFICATION, Reason.NOISY, words),
            slowdown,
        )
    low, high = last * (1 - max(apart, 0.01)), last * (1 + max(apart, 0.01))
    amplification = Answer(
        name=AMPLIFICATION,
        value=last,
        interval=Interval(low, high),
        replicated=Replicated.YES,
        grade=Grade.A,
        note=f"by the drive's own counters, in the last of {len(passes)} passes of random writes",
    )
    if isinstance(beginning.amplification, Unknown) or beginning.amplification > _WHOLE_MAX:
        words = "more than the host asks is written before anything is collected: each write fills up a larger one"
        return (not_identifiable(SHARE, Reason.OTHER_LAW, words), amplification, slowdown)
    return (_share(last, low * (1 - _LAW), high * (1 + _LAW)), amplification, slowdown)


def _share(amplification: float, low: float, high: float) -> Answer:
    if amplification < _COLLECTS_MIN:
        words = "nothing was copied: writes are done in place, or there is more spare than one pass fills"
        return not_identifiable(SHARE, Reason.FLAT, words)
    ends = [spare_share(max(one, 1.001)) for one in (high, low)]
    return Answer(
        name=SHARE,
        value=spare_share(amplification),
        interval=Interval(ends[0], ends[1]),
        replicated=Replicated.YES,
        grade=Grade.B,
        note="of the capacity, as far as collecting can use it; what is kept for bad blocks and faster cells is not in it",
    )


def spare_share(amplification: float) -> float:
    """Flash beyond the capacity, in share of it, from the amplification of uniform random writes (Desnoyers 2012)."""
    valid = 1 - 1 / amplification
    return float(np.log(1 / valid) / (1 - valid)) - 1


def _slowdown(passes: Sequence[WrittenPass]) -> Answer:
    speeds = [one.bytes_per_s for one in passes]
    before, last = speeds[-2:]
    same = abs(last / before - 1) <= _STEADY
    return Answer(
        name=SLOWDOWN,
        value=speeds[0] / last,
        replicated=Replicated.YES if same else Replicated.NO,
        grade=Grade.B if same else Grade.C,
        note="speed of random writes of the first pass over the full drive, over that of the last",
    )


SPARE = Probe(
    name="spare",
    question="How much flash has the drive beyond its capacity, as its collection of garbage shows?",
    limits="it takes counters of what is written to the flash, which few drives show; compression and deduplication mislead it",
    design=_design,
    after=("shift-write",),
)
