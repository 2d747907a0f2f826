"""How fast a twin takes random writes for good, and how much flash that writes: turned until both are as a probe saw them.

The probe of spare flash writes a drive in order and then, at random, as much as it holds three times over. No suite that a twin is fitted to need have
done so, and what is asked of a drive in use depends on it: on how much flash lies beyond the capacity, and on how long a program takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt
from pathlib import Path

from ssdlab.bundle.read import Bundle
from ssdlab.drive.access import DriveError
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.kinds.virtual_sensor import ModelSensor
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction, LatencyKind, RawResult
from ssdlab.job import Draw, IoLog, Job, Pattern, Region
from ssdlab.probe.probes.spare import SPARE, NotCounted, written_passes
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.store.reader import findings_of, is_probed
from ssdlab.twin.dips import dipped, dips_in
from ssdlab.twin.draft import Draft, as_size, as_time
from ssdlab.twin.drift import HOUR_NS, Clock, clock_of
from ssdlab.twin.possible import is_possible
from ssdlab.twin.waits import waits_of
from ssdlab.twin.wander import STEADY, Wander, wandering
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

_TRIALS = 3
_PASSES = 3
_COARSE_BYTES = 64 * KIB
"""Of the first passes of a rehearsal: larger blocks leave as much to be collected, in a fraction of the processor's time."""
_PARTS = (0.5, 0.25)
"""Of a pass, in blocks of the probe's: the first scatters what is valid as those do, which takes more reads to collect, the second is looked at."""
_FILL_BYTES = 1 * MIB
_IN_FLIGHT, _IN_FLIGHT_OF_SMALL = 8, 32
_CHANGE_MAX = 1.3
"""Times what it was that a quantity may be after one trial."""
_SPARE_MIN = 0.01
_STEADY = 0.1
"""Share by which the last two passes of a drive may differ."""


_APART_MAX = 0.1
"""By which two passes may wait differently, in logarithms: where operations of the flash scatter, no two are alike."""


@dataclass(frozen=True, slots=True)
class LastingWrites:
    """What a pass of random writes comes to in the long run.

    Attributes:
        bytes_per_s: Of the host.
        amplification: Bytes written to flash over those of the host; None where it is not counted.
        block_bytes: Of its writes.
        when_ns: The end of it, since its run began.
        waits: How its writes waited (`waits_of`); nothing where that is not known.
        apart: By how much the pass before differed from it in that, at most.
        wander: Of the speed of the drive.
    """

    bytes_per_s: float
    amplification: float | None
    block_bytes: int = 4 * KIB
    when_ns: float = 0.0
    waits: tuple[float, ...] = ()
    apart: float = 0.0
    wander: Wander = STEADY

    def in_own_time(self, clock: Clock, dipped: float) -> "LastingWrites":
        """As if the drive had kept its first speed, and had not been in dips for that share of the time."""
        return replace(self, bytes_per_s=self.bytes_per_s / clock.speed(self.when_ns) / clock.pace(dipped))


def steady_of(bundles: Sequence[Bundle], wander: Wander) -> LastingWrites | None:
    """What the last probe of spare flash saw; None where there was none, or its drive was not steady in the end.

    Args:
        bundles: Of the drive.
        wander: Of its speed.
    """
    found: LastingWrites | None = None
    for bundle in filter(is_probed, bundles):
        for one in findings_of(bundle):
            if one.probe.name != SPARE.name or one.evidence is None:
                continue
            *_, before, last = written_passes(one.evidence)
            if abs(last.bytes_per_s / before.bytes_per_s - 1) <= _STEADY:
                counted = None if isinstance(last.amplification, NotCounted) else last.amplification
                when_ns = float(bundle.step(one.probe.name).ended_ns or 0)
                waits, apart = _waits_seen(one.evidence)
                found = LastingWrites(
                    last.bytes_per_s, counted, _block_bytes(one.evidence), when_ns, waits, apart, wander
                )
    return found


def _waits_seen(evidence: ProbeEvidence) -> tuple[tuple[float, ...], float]:
    """Of the last pass, and by how much the one before differs at most; nothing where that is too much to tell anything."""
    before, last = (_waits(one) for one in tuple(evidence.loaded.values())[-2:])
    if not before or not last:
        return (), 0.0
    apart = max(abs(one - other) for one, other in zip(before, last, strict=True))
    return (last, apart) if apart <= _APART_MAX else ((), apart)


def _waits(result: RawResult) -> tuple[float, ...]:
    latency = result.directions[Direction.WRITE].latency
    return waits_of(latency[LatencyKind.CLAT]) if LatencyKind.CLAT in latency else ()


def _block_bytes(evidence: ProbeEvidence) -> int:
    """Of the last job."""
    *_, last = (one.directions[Direction.WRITE] for one in evidence.loaded.values())
    return max(1, last.io_bytes // max(1, last.io_count))


def with_steady(draft: Draft, wanted: LastingWrites, scratch: Path) -> tuple[Draft, int]:
    """The draft with as much spare flash, and programs as long, as it takes to be as steady; and how often that was tried.

    Where a trial is no possible drive, the last that was one is returned.
    """
    possible = draft
    for trial in range(_TRIALS):
        try:
            seen = steady_on(draft, scratch, wanted.block_bytes, wanted.wander)
        except DriveError:
            return possible, trial
        possible, draft = draft, turned_for(draft, seen, wanted)
    return (draft if is_possible(draft) else possible), _TRIALS


def turned_for(draft: Draft, seen: LastingWrites, wanted: LastingWrites) -> Draft:
    """What is copied for each byte of the host is nearly as one over the spare; what is written to flash takes its time in proportion."""
    wanted = wanted.in_own_time(clock_of(draft), dips_in(draft).share)
    slower = seen.bytes_per_s / wanted.bytes_per_s
    if wanted.amplification is not None and seen.amplification is not None:
        capacity, raw = draft.number("geometry", "capacity"), draft.number("geometry", "raw")
        superblock = draft.number("geometry", "superblock")
        copied = max(seen.amplification - 0.5, 0.1) / max(wanted.amplification - 0.5, 0.1)
        spare = max((raw / capacity - 1) * _clipped(copied), _SPARE_MIN)
        draft = draft.having("geometry", raw=as_size(round(capacity * (1 + spare) / superblock) * superblock))
        slower *= seen.amplification / wanted.amplification
    return draft.having("timing", program=as_time(draft.number("timing", "program") * _clipped(slower)))


def _clipped(factor: float) -> float:
    return min(max(factor, 1 / _CHANGE_MAX), _CHANGE_MAX)


def steady_on(draft: Draft, scratch: Path, block_bytes: int = 4 * KIB, wander: Wander = STEADY) -> LastingWrites:
    """What writes of that size come to on the drive of a draft, which keeps its first speed; they wait as if it did not.

    Raises:
        DriveError: The draft is no possible drive.
    """
    drive = ModelDrive("model:twin", SpecChoice(draft.name, _calm(draft, wander).text, None, None))
    engine, sensor = ModelEngine(drive), ModelSensor(drive)
    capacity = drive.identity.capacity_bytes
    engine.run(_pass(capacity, _FILL_BYTES, 0), scratch, _unwatched)
    for number in range(1, _PASSES):
        engine.run(_pass(capacity, max(block_bytes, _COARSE_BYTES), number), scratch, _unwatched)
    scattering, looked_at = (_pass(capacity, block_bytes, _PASSES + place, part) for place, part in enumerate(_PARTS))
    engine.run(scattering, scratch, _unwatched)
    before = sensor.read()
    result = engine.run(looked_at, scratch, _unwatched)
    after = sensor.read()
    moved = result.directions[Direction.WRITE]
    host = _counted(after.host_written_bytes) - _counted(before.host_written_bytes)
    media = _counted(after.media_written_bytes) - _counted(before.media_written_bytes)
    bytes_per_s = moved.io_bytes * 1e9 / max(1, moved.runtime_ns)
    hours = capacity / bytes_per_s * 1e9 / HOUR_NS
    dips = dips_in(draft)
    waits = waits_of(
        dipped(moved.latency[LatencyKind.CLAT], dips.share, dips.speed),
        hypot(wander.sigma, clock_of(draft).lost * hours / sqrt(12)),
    )
    return LastingWrites(bytes_per_s, media / max(1, host), block_bytes, waits=waits, wander=wander)


def _calm(draft: Draft, wander: Wander) -> Draft:
    """One whose speed is always the same."""
    return wandering(draft, wander).without("pace")


def _pass(capacity_bytes: int, block_bytes: int, number: int, part: float = 1.0) -> Job:
    """As much as the drive holds, or a part of it: in order, or at random the so-manieth time."""
    return Job(
        name=f"pass {number}",
        pattern=Pattern.RANDOM if number else Pattern.SEQUENTIAL,
        read_percent=0,
        block_bytes=block_bytes,
        queue_depth=_IN_FLIGHT if block_bytes >= _COARSE_BYTES else _IN_FLIGHT_OF_SMALL,
        region=Region(0, capacity_bytes),
        amount_bytes=max(1, round(part * capacity_bytes) // block_bytes) * block_bytes,
        duration_ns=None,
        seed=number,
        draw=Draw.INDEPENDENT,
        io_log=IoLog.WINDOWS,
    )


def _counted(value: int | Unknown) -> int:
    """A drive model counts both."""
    assert not isinstance(value, Unknown)  # noqa: S101 - see above
    return value


def _unwatched(_: Progress) -> None:
    """Nobody waits for a rehearsal to be told how far it is."""
