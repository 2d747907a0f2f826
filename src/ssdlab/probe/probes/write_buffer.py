"""Write buffer: how many bytes a drive takes before it has to wait for its flash (P9).

After a silence a burst is written at once. While the buffer fills the drive takes what it gets; from then on only as much as it
drains: bytes(t) = B + r t, whose intercept is the buffer.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb
from ssdlab.message import Message, message, number
from ssdlab.probe.answer import NOISE_MAX, Answer, Grade, Reason, Replicated, not_identifiable
from ssdlab.probe.probes.statistics import Floats, spread
from ssdlab.probe.script import (
    Act,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeEvidence,
    Rest,
    working_region,
)
from ssdlab.units import GIB, KIB, MIB, NS_PER_S

SIZE = "write_buffer.size"
DRAIN = "write_buffer.drain_rate"

WRITE_BYTES = 16 * KIB
_DEPTH = 8
_BURSTS = 9
_BURST_BYTES_MAX = 256 * MIB
_REGION_BYTES_MAX = 2 * GIB
_QUIET_NS = 5 * NS_PER_S
_QUIET_NS_MIN = NS_PER_S
"""A drive with less room has a smaller buffer to write out."""
_LOST_MAX = 3
"""Bursts that the host's other work may spoil."""
_POINTS = 160
_SINGLES = 40
_BUFFERED_MIN = 4.0
"""Least ratio of the time of a write that waits for the drain, eight in flight, to that of one that a buffer takes at once."""
_TAKEN_MAX = 0.5
"""Time of a write that a buffer takes, over that of a read of its size: cells of one bit are programmed in the time others are read."""
_THROTTLED = 1.5
"""Least factor between the speed of the start and that of the rest."""
_ALIKE_MAX = 0.15
"""Share of the size within which four bursts of five have to agree."""
_SIZE_MIN = MIB
_SIZE_SHARE_MAX = 0.4
"""Of the burst: a larger buffer leaves too little of it to see the drain."""
_CURVED_MAX = 0.15
"""Residuals of the line, in share of the buffer."""
_IN_FLIGHT_BYTES = WRITE_BYTES * _DEPTH
_FIRST_PROGRAM_NS = 6_000_000
"""Until the first program of a burst has ended nothing drains: no longer than to move half a MiB over a channel of today, of which each
waits for another one's, and to program four bits a cell."""
_HALF_A_LUMP = 2.0
"""In residuals. Room that comes in lumps, as whole programs end, is there from a lump late to not at all, evenly, about a line that
begins half a lump low; and half of what is spread evenly lies within a quarter of it."""
_LEFT_OVER = 3.0
"""In residuals, too. What fills no program up stays in the buffer through a silence, and a burst finds so much less room: of programs of
four bits a cell, which make up a lump, up to three quarters."""
_SHARP = 1.25
"""Ratio of the ends of an interval up to which a size can have grade A."""
_KNOWN = 1.6
"""The same of the room that was found, up to which a size can have grade B: what drains as fast as most of the buffer within a program leaves
open how large it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Burst:
    """When each write of a burst completed, ascending, since its first was submitted."""

    completed_ns: Floats


def _design(drive: KnownDrive) -> Design:
    region = working_region(drive, _REGION_BYTES_MAX)
    quiet_ns = max(_QUIET_NS_MIN, _QUIET_NS * region.length_bytes // _REGION_BYTES_MAX)
    writes = min(_BURST_BYTES_MAX, region.length_bytes // 2) // WRITE_BYTES
    random = np.random.default_rng(drive.seed)
    alone = random.integers(0, region.length_bytes // WRITE_BYTES, _SINGLES) * WRITE_BYTES
    reads = Commands.one_by_one(Verb.READ, alone, WRITE_BYTES)
    acts: list[Act] = [
        Ask("reads", reads),
        Rest(quiet_ns),
        Ask("alone", Commands.one_by_one(Verb.WRITE, alone, WRITE_BYTES)),
    ]
    for burst in range(1, _BURSTS + 1):
        # In order: parts of a larger unit would take the room of a whole one, and scattered ones wait for their mappings.
        places = (np.arange(writes, dtype=np.int64) + burst * writes) % (region.length_bytes // WRITE_BYTES)
        commands = Commands.one_by_one(Verb.WRITE, places * WRITE_BYTES, WRITE_BYTES)
        acts += [Rest(quiet_ns), Ask(_burst_name(burst), replace(commands, queue_depth=_DEPTH))]

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        alone_ns, read_ns = (float(np.median(evidence.asked[name].latency_ns)) for name in ("alone", "reads"))
        return write_buffer(bursts_of(evidence), alone_ns, read_ns)

    return Design(need=Need.MAPPED, region=region, acts=tuple(acts), estimate=estimate)


def _burst_name(burst: int) -> str:
    return f"burst {burst}"


def bursts_of(evidence: ProbeEvidence) -> list[Burst]:
    """The bursts, in the order in which they were done."""
    return [
        Burst(np.sort(samples.completed_ns - samples.submitted_ns[0]).astype(np.float64))
        for burst in range(1, _BURSTS + 1)
        if (samples := evidence.asked.get(_burst_name(burst))) is not None
    ]


@dataclass(frozen=True, slots=True)
class _Line:
    intercept_bytes: float
    bytes_per_s: float
    residual_bytes: float


def write_buffer(bursts: list[Burst], alone_ns: float, read_ns: float) -> tuple[Answer, ...]:
    """Size from the intercepts of all bursts, and the rate at which it drains.

    Args:
        bursts: Each after a silence.
        alone_ns: Response time of a write after a silence, one in flight.
        read_ns: Of a read of that size. What takes about as long may be no buffer.
    """
    lines = [line for one in bursts if (line := _line(one)) is not None]
    if (obstacle := _obstacle(bursts, lines, alone_ns, read_ns)) is not None:
        return (not_identifiable(SIZE, *obstacle, "B"),)
    sizes = np.array([one.intercept_bytes for one in lines])
    rates = np.array([one.bytes_per_s for one in lines])
    size = float(np.median(sizes))
    residual = float(np.median([one.residual_bytes for one in lines]))
    error = max(spread(sizes) / np.sqrt(len(sizes)), residual / np.sqrt(_POINTS))
    halves = [float(np.median(sizes[start::2])) for start in (0, 1)]
    same = abs(halves[0] - halves[1]) < 0.1 * size
    noise = spread(np.log(np.maximum(sizes, 1.0)))
    undrained = float(np.median(rates)) * _FIRST_PROGRAM_NS / NS_PER_S
    less = 2 * error + _IN_FLIGHT_BYTES
    room = Interval(size - less, size + less + undrained + _HALF_A_LUMP * residual)
    interval = Interval(room.low, room.high + _LEFT_OVER * residual)
    replicated = Replicated.YES if same else Replicated.NO
    sharp = interval.high < _SHARP * interval.low
    known = same and room.high < _KNOWN * room.low
    strong = same and sharp and noise <= NOISE_MAX / 3
    return (
        Answer(
            name=SIZE,
            value=round(size),
            unit="B",
            interval=interval,
            separation=size / max(error, 1.0),
            replicated=replicated,
            grade=Grade.A if strong else Grade.B if known else Grade.C,
            note=message("probe-write-buffer-note"),
        ),
        Answer(
            name=DRAIN,
            value=float(np.median(rates)),
            unit="B/s",
            interval=Interval(float(rates.min()), float(rates.max())),
            replicated=replicated,
            grade=Grade.B if same else Grade.C,
        ),
    )


def _obstacle(
    bursts: list[Burst], lines: list[_Line], alone_ns: float, read_ns: float
) -> tuple[Reason, Message] | None:
    """Why the lines are not those of a buffer; None where they are."""
    if len(lines) < len(bursts) - _LOST_MAX:
        return (Reason.FLAT, message("probe-write-buffer-no-slowdown"))
    sizes = np.array([one.intercept_bytes for one in lines])
    size, burst_bytes = float(np.median(sizes)), len(bursts[0].completed_ns) * WRITE_BYTES
    waiting_ns = _IN_FLIGHT_BYTES / float(np.median([one.bytes_per_s for one in lines])) * NS_PER_S
    low, high = np.percentile(sizes, [10, 90])
    residual = float(np.median([one.residual_bytes for one in lines]))
    obstacles = (
        (
            alone_ns > _TAKEN_MAX * read_ns,
            Reason.FLAT,
            message("probe-write-buffer-slow-write"),
        ),
        (
            waiting_ns < _BUFFERED_MIN * alone_ns,
            Reason.FLAT,
            message("probe-write-buffer-write-through"),
        ),
        (
            high - low > _ALIKE_MAX * size,
            Reason.OTHER_LAW,
            message("probe-write-buffer-bursts-differ"),
        ),
        (size < _SIZE_MIN, Reason.FLAT, message("probe-write-buffer-small", least=number(_SIZE_MIN // MIB))),
        (
            size > _SIZE_SHARE_MAX * burst_bytes,
            Reason.BUFFERED,
            message("probe-write-buffer-large"),
        ),
        (
            residual > _CURVED_MAX * size,
            Reason.OTHER_LAW,
            message("probe-write-buffer-curved"),
        ),
    )
    return next(((reason, why) for met, reason, why in obstacles if met), None)


def _line(burst: Burst) -> _Line | None:
    """Theil and Sen's line just after the buffer has ended; None where no stretch of the burst goes on like the one before.

    Stretches each twice as far out are looked at from the start on, because collecting garbage may slow the drain down later: the
    first after a slowdown whose line begins at the same byte as one before, and is a line: writes that came late bend both.
    """
    count = len(burst.completed_ns)
    early = max(1, count // _FIRST_SHARE // 2)
    first = early * WRITE_BYTES / (max(burst.completed_ns[early - 1], 1.0) / NS_PER_S)
    ends = [count >> power for power in range(_FIRST_SHARE.bit_length() - 1, -1, -1)]
    before: list[_Line] = []
    for end in ends:
        if burst.completed_ns[end - 1] - burst.completed_ns[end // 2] < _LONG_NS:
            before = []
            continue
        slope, intercept, residual = _drain(burst, end // 2, end)
        line = _Line(intercept, slope, residual)
        straight = residual < _CURVED_MAX * intercept
        agreed = next((one for one in before if straight and _goes_on(one, line)), None)
        if agreed is not None:
            size = (agreed.intercept_bytes + intercept) / 2
            found = _Line(size, slope, max(residual, agreed.residual_bytes))
            return None if _took_more(burst, end // 2, found) else found
        if first > _THROTTLED * slope and straight:
            before.append(line)
    return None


_FIRST_SHARE = 64
"""The first stretch ends after this part of the burst."""
_LONG_NS = 5e6
"""Shorter stretches are not told apart where completions are known to the millisecond."""
_CATCHING_UP = 4
"""Fits of one stretch."""
_AS_FAST = 0.75
"""Least factor between their rates: a stretch in which the buffer ends has a rate of both."""
_GOES_ON = 0.1
"""Lines of the same drain begin at bytes that differ by no more than this share."""


def _goes_on(before: _Line, line: _Line) -> bool:
    apart = abs(before.intercept_bytes - line.intercept_bytes)
    slow, fast = sorted((before.bytes_per_s, line.bytes_per_s))
    return apart < _GOES_ON * max(before.intercept_bytes, line.intercept_bytes) and slow > _AS_FAST * fast


def _took_more(burst: Burst, end: int, line: _Line) -> bool:
    """Whether the drive had by then taken more than the line has room for: it stood still in between, and the line lies low."""
    done = (np.arange(end) + 1.0) * WRITE_BYTES
    above = done - line.bytes_per_s * burst.completed_ns[:end] / NS_PER_S - line.intercept_bytes
    lump = 2 * _HALF_A_LUMP * line.residual_bytes
    return float(above.max()) > _CURVED_MAX * line.intercept_bytes + lump


def _drain(burst: Burst, begin: int, end: int) -> tuple[float, float, float]:
    """Bytes a second, intercept and median residual in bytes, of the writes from `begin` to `end`.

    While the host does other work nothing is asked of the drive, which goes on draining and then catches up with its line: what lies
    below it is left out, as long as half remains.
    """
    at = np.linspace(begin, end - 1, _POINTS).astype(np.int64)
    time_s, done = burst.completed_ns[at] / NS_PER_S, (at + 1.0) * WRITE_BYTES
    kept = np.ones(_POINTS, dtype=np.bool_)
    for _ in range(_CATCHING_UP):
        slope, intercept, residual = _theil_sen(time_s[kept], done[kept])
        above = done - intercept - slope * time_s > -max(3 * residual, _IN_FLIGHT_BYTES)
        if above.sum() < _POINTS // 2 or np.array_equal(above, kept):
            break
        kept = above
    return slope, intercept, residual


def _theil_sen(time_s: NDArray[np.floating], done: NDArray[np.floating]) -> tuple[float, float, float]:
    """Slope, intercept and median residual."""
    first, second = np.triu_indices(len(time_s), 1)
    apart = time_s[second] > time_s[first]
    slope = float(np.median((done[second] - done[first])[apart] / (time_s[second] - time_s[first])[apart]))
    intercept = float(np.median(done - slope * time_s))
    return slope, intercept, float(np.median(np.abs(done - intercept - slope * time_s)))


WRITE_BUFFER = Probe(
    name="write-buffer",
    question=message("probe-write-buffer-question"),
    limits=message("probe-write-buffer-limits"),
    design=_design,
)
