"""How fast a twin takes random writes for good, and how much flash that writes: turned until both are as a probe saw them.

The probe of spare flash writes a drive in order and then, at random, as much as it holds three times over. No suite that a twin is fitted to need have
done so, and what is asked of a drive in use depends on it: on how much flash lies beyond the capacity, and on how long a program takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab import _core
from ssdlab.bundle.read import Bundle
from ssdlab.drive.access import DriveError
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.kinds.virtual_sensor import ModelSensor
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction
from ssdlab.job import Draw, IoLog, Job, Pattern, Region
from ssdlab.probe.probes.spare import SPARE, NotCounted, written_passes
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.store.reader import findings_of, is_probed
from ssdlab.twin.dips import dips_in
from ssdlab.twin.draft import Draft, as_size, as_time
from ssdlab.twin.drift import Clock, clock_of, in_own_time
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


@dataclass(frozen=True, slots=True)
class LastingWrites:
    """What a pass of random writes comes to in the long run.

    Attributes:
        bytes_per_s: Of the host.
        amplification: Bytes written to flash over those of the host; None where it is not counted.
        block_bytes: Of its writes.
        when_ns: The end of it, since its run began.
    """

    bytes_per_s: float
    amplification: float | None
    block_bytes: int = 4 * KIB
    when_ns: float = 0.0

    def in_own_time(self, clock: Clock, dipped: float) -> "LastingWrites":
        """As if the drive had kept its first speed, and had not been in dips for that share of the time."""
        return replace(self, bytes_per_s=self.bytes_per_s / clock.speed(self.when_ns) / clock.pace(dipped))


def steady_of(bundles: Sequence[Bundle]) -> LastingWrites | None:
    """What the last probe of spare flash saw; None where there was none, or its drive was not steady in the end."""
    found: LastingWrites | None = None
    for bundle in filter(is_probed, bundles):
        for one in findings_of(bundle):
            if one.probe.name != SPARE.name or one.evidence is None:
                continue
            *_, before, last = written_passes(one.evidence)
            if abs(last.bytes_per_s / before.bytes_per_s - 1) <= _STEADY:
                counted = None if isinstance(last.amplification, NotCounted) else last.amplification
                when_ns = float(bundle.step(one.probe.name).ended_ns or 0)
                found = LastingWrites(last.bytes_per_s, counted, _block_bytes(one.evidence), when_ns)
    return found


def _block_bytes(evidence: ProbeEvidence) -> int:
    """Of the last job."""
    *_, last = (one.directions[Direction.WRITE] for one in evidence.loaded.values())
    return max(1, last.io_bytes // max(1, last.io_count))


def with_steady(draft: Draft, wanted: LastingWrites, scratch: Path) -> tuple[Draft, int]:
    """The draft with as much spare flash, and programs as long, as it takes to be as steady; and how often that was tried.

    Where a trial is no possible drive, the last that was one is returned.
    """
    wanted = wanted.in_own_time(clock_of(draft), dips_in(draft).share)
    possible = draft
    for trial in range(_TRIALS):
        try:
            seen = steady_on(draft, scratch, wanted.block_bytes)
        except DriveError:
            return possible, trial
        possible, draft = draft, _turned(draft, seen, wanted)
    return (possible if _core.spec_check(draft.text) else draft), _TRIALS


def _turned(draft: Draft, seen: LastingWrites, wanted: LastingWrites) -> Draft:
    """What is copied for each byte of the host is nearly as one over the spare; what is written to flash takes its time in proportion."""
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


def steady_on(draft: Draft, scratch: Path, block_bytes: int = 4 * KIB) -> LastingWrites:
    """What writes of that size come to on the drive of a draft, which keeps its first speed.

    Raises:
        DriveError: The draft is no possible drive.
    """
    drive = ModelDrive("model:twin", SpecChoice(draft.name, in_own_time(draft).text, None, None))
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
    return LastingWrites(moved.io_bytes * 1e9 / max(1, moved.runtime_ns), media / max(1, host), block_bytes)


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
