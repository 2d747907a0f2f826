"""Spare: how much flash a drive has beyond its capacity, as its garbage collection lets it be seen (P14).

The drive is written in order, then over and over at random with independent offsets. Once collecting is steady, the flash is written
so many times as much as the host asks, and by how much follows from the spare: with x the share of valid data in what is collected,
amplification is 1 / (1 - x) and flash over capacity ln(1 / x) / (1 - x) (Desnoyers 2012, uniform writes, oldest block first).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.result import Direction, RawResult
from ssdlab.job import Pattern
from ssdlab.message import message, number
from ssdlab.probe.answer import Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.shift_write import SIZE as BLOCK_SIZE
from ssdlab.probe.script import (
    COLLECTED_BYTES_MIN,
    Act,
    BulkLoad,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    sequential_fill,
    too_small,
    whole_drive,
)
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


class NotCounted(Enum):
    """Why the amplification of a pass is not known."""

    NO_SENSORS = message("probe-spare-no-sensors")
    NO_COUNTER = message("probe-spare-no-counter")
    STUCK = message("probe-spare-counter-stuck")


@dataclass(frozen=True, slots=True)
class WrittenPass:
    """As much as the drive holds, written at random.

    Attributes:
        amplification: Bytes written to the flash over bytes written by the host, where the drive counts both.
    """

    bytes_per_s: float
    amplification: float | NotCounted


def _design(drive: KnownDrive) -> Design:
    block_bytes = _block_bytes(drive)
    if drive.capacity_bytes < COLLECTED_BYTES_MIN:
        raise too_small(COLLECTED_BYTES_MIN)
    region = whole_drive(drive)
    fill = sequential_fill("in order", region, drive.seed)
    at_random = replace(
        fill.job,
        pattern=Pattern.RANDOM,
        block_bytes=block_bytes,
        queue_depth=_DEPTH,
        amount_bytes=region.length_bytes // block_bytes * block_bytes,
    )
    # The same order in every pass would leave whole blocks to be erased, and nothing to be copied.
    passes = [
        BulkLoad(f"pass {number}", replace(at_random, name=f"pass {number}", seed=drive.seed + number))
        for number in range(1, _PASSES + 1)
    ]
    beginning = replace(at_random, name="beginning", amount_bytes=region.length_bytes // _BEGINNING_SHARE)
    acts: tuple[Act, ...] = (fill, BulkLoad("beginning", beginning), *passes)

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return spare(_pass(evidence.loaded["beginning"]), written_passes(evidence))

    return Design(need=Need.FRESH, region=region, acts=acts, estimate=estimate)


def _block_bytes(drive: KnownDrive) -> int:
    """No write shall be smaller than what the drive writes anyway."""
    found = [answer.value for answer in drive.claims if answer.name == "declared.indirection_unit"]
    if (block := drive.answers.get(BLOCK_SIZE)) is not None:
        found.append(block.value)
    known = [one for one in found if isinstance(one, int) and one <= _BLOCK_BYTES_MAX]
    return max([_BLOCK_BYTES_MIN, *known])


def written_passes(evidence: ProbeEvidence) -> list[WrittenPass]:
    """Speed and amplification of each pass over the drive."""
    return [_pass(evidence.loaded[f"pass {number}"]) for number in range(1, _PASSES + 1)]


def _pass(result: RawResult) -> WrittenPass:
    write = result.directions[Direction.WRITE]
    return WrittenPass(write.io_bytes * NS_PER_S / max(1, write.runtime_ns), _amplification(result))


def _amplification(result: RawResult) -> float | NotCounted:
    if result.sensed is None:
        return NotCounted.NO_SENSORS
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
        return NotCounted.NO_COUNTER
    if host_after <= host_before:
        return NotCounted.STUCK
    return (media_after - media_before) / (host_after - host_before)


def spare(beginning: WrittenPass, passes: Sequence[WrittenPass]) -> tuple[Answer, ...]:
    """Amplification, the spare it follows from, and how much slower steady writes are than the first ones.

    Args:
        beginning: The first random writes over the full drive, before it has to collect anything.
        passes: At least three, one after the other.
    """
    slowdown = _slowdown(passes)
    counted = [one.amplification for one in passes if not isinstance(one.amplification, NotCounted)]
    missing = [one.amplification for one in passes if isinstance(one.amplification, NotCounted)]
    if missing:
        return (
            not_identifiable(SHARE, Reason.NOT_SUPPORTED, missing[0].value),
            not_identifiable(AMPLIFICATION, Reason.NOT_SUPPORTED, missing[0].value),
            slowdown,
        )
    before, last = counted[-2:]
    apart = abs(last / before - 1)
    if apart > _STEADY:
        why = message("probe-spare-unsteady", before=number(before, ".2f"), last=number(last, ".2f"))
        return (
            not_identifiable(SHARE, Reason.NOISY, why),
            not_identifiable(AMPLIFICATION, Reason.NOISY, why),
            slowdown,
        )
    low, high = last * (1 - max(apart, 0.01)), last * (1 + max(apart, 0.01))
    amplification = Answer(
        name=AMPLIFICATION,
        value=last,
        interval=Interval(low, high),
        replicated=Replicated.YES,
        grade=Grade.A,
        note=message("probe-spare-amplification-note", passes=len(passes)),
    )
    if isinstance(beginning.amplification, NotCounted) or beginning.amplification > _WHOLE_MAX:
        return (not_identifiable(SHARE, Reason.OTHER_LAW, message("probe-spare-padded")), amplification, slowdown)
    return (_share(last, low * (1 - _LAW), high * (1 + _LAW)), amplification, slowdown)


def _share(amplification: float, low: float, high: float) -> Answer:
    if amplification < _COLLECTS_MIN:
        return not_identifiable(SHARE, Reason.FLAT, message("probe-spare-nothing-copied"))
    ends = [spare_share(max(one, 1.001)) for one in (high, low)]
    return Answer(
        name=SHARE,
        value=spare_share(amplification),
        interval=Interval(ends[0], ends[1]),
        replicated=Replicated.YES,
        grade=Grade.B,
        note=message("probe-spare-share-note"),
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
        note=message("probe-spare-slowdown-note"),
    )


SPARE = Probe(
    name="spare",
    question=message("probe-spare-question"),
    limits=message("probe-spare-limits"),
    design=_design,
    after=("shift-write",),
)
