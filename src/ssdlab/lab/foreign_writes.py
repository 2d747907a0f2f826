"""Whether anybody but the run wrote to its drive while it was stopped: the drive's own counter, and its content, against the journal."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ssdlab.bundle.journal import Event, JournalEntry
from ssdlab.message import Message, message, size_decimal
from ssdlab.unknown import Unknown

UNREPORTED_S = 20
"""Two checkpoints' time: what a run that was cut off may have gone on for after its last word."""
_FASTEST_BYTES_PER_S = 16 * 10**9
"""A PCIe 5.0 link of four lanes, for a run that was cut off before it could tell how fast it writes."""
_SLACK_BYTES = 8 * 10**6
"""Counters count in units of 512,000 bytes, and some are brought up to date only now and then."""

_ENDINGS = (Event.RUN_FINISHED, Event.RUN_INTERRUPTED, Event.RUN_STOPPED, Event.RUN_FAILED)


@dataclass(frozen=True, slots=True)
class Agreed:
    """The counter stands where the run left it."""

    words: Message


@dataclass(frozen=True, slots=True)
class Disagreed:
    """More was written than the run can have."""

    words: Message


@dataclass(slots=True)
class _Record:
    """What the journal knows of the counters."""

    drive_bytes: int | None = None
    """The drive's own counter when it was last asked."""
    kernel_then: int | None = None
    """The kernel's counter at that moment."""
    kernel_last: int | None = None
    """The kernel's counter when last heard of."""
    moments: list[tuple[int, int]] = field(default_factory=list)
    """Clock and kernel's counter, in the last session."""
    was_ended: bool = False
    content: str | None = None
    """Digest of what the last session left on the drive; None where it could not say."""


def written_meanwhile(happenings: Sequence[JournalEntry], now_bytes: int | Unknown) -> Agreed | Disagreed | Unknown:
    """Hold the drive's counter of bytes that hosts have written against the journal of the run.

    The run was last heard of when the kernel had counted so much since the drive's counter was read. A run that was cut off may
    have written on for `UNREPORTED_S`, at most at the fastest speed between two of its words (or at that of the fastest link).
    """
    record = _record_of(happenings)
    if isinstance(now_bytes, Unknown):
        return now_bytes
    if record.drive_bytes is None:
        return Unknown(message("unknown-counter-unread"))
    known = (record.kernel_last or 0) - (record.kernel_then or 0)
    unreported = 0 if record.was_ended else round(_fastest(record.moments) * UNREPORTED_S)
    high = record.drive_bytes + known + unreported + _SLACK_BYTES
    if now_bytes < record.drive_bytes:
        return Unknown(message("unknown-counter-lower"))
    grown, allowed = (size_decimal(counted - record.drive_bytes) for counted in (now_bytes, high))
    if now_bytes > high:
        return Disagreed(message("lab-counter-more", grown=grown, allowed=allowed))
    return Agreed(message("lab-counter-agrees", grown=grown, allowed=allowed))


def changed_meanwhile(happenings: Sequence[JournalEntry], now: str | Unknown) -> Agreed | Disagreed | Unknown:
    """Hold the digest of sampled blocks against that of the moment when the run let go of its drive."""
    then = _record_of(happenings).content
    if then is None:
        return Unknown(message("unknown-cut-off"))
    if isinstance(now, Unknown):
        return now
    if now != then:
        return Disagreed(message("lab-content-changed"))
    return Agreed(message("lab-content-same"))


def _record_of(happenings: Sequence[JournalEntry]) -> _Record:
    record = _Record()
    for one in happenings:
        if one.event is Event.RUN_RESUMED:
            record.was_ended = False
            record.content = None
            record.moments.clear()
        elif one.event is Event.COUNTED:
            _take(record, one)
        elif one.event is Event.CHECKPOINT and isinstance(kernel := one.data.get("kernel_bytes"), int):
            record.kernel_last = kernel
            record.moments.append((one.clock_ns, kernel))
        elif one.event in _ENDINGS:
            record.was_ended = True
    return record


def _take(record: _Record, one: JournalEntry) -> None:
    kernel, drive = one.data["kernel_bytes"], one.data["drive_bytes"]
    content = one.data.get("content")
    record.content = content if isinstance(content, str) else None
    if isinstance(kernel, int):
        record.kernel_last = kernel
        record.moments.append((one.clock_ns, kernel))
    if isinstance(drive, int):
        record.drive_bytes = drive
        record.kernel_then = record.kernel_last = kernel if isinstance(kernel, int) else None
    if not isinstance(kernel, int) and not isinstance(drive, int):
        # A drive that went away ended the run, and could not be asked what had come to it until then.
        record.was_ended = False


def _fastest(moments: Sequence[tuple[int, int]]) -> float:
    """Bytes a second, doubled: a checkpoint's mean hides how fast it was at best."""
    rates = [
        (later - earlier) / (end_ns - begin_ns) * 1e9
        for (begin_ns, earlier), (end_ns, later) in pairwise(moments)
        if end_ns > begin_ns
    ]
    return 2 * max(rates) if rates and max(rates) > 0 else _FASTEST_BYTES_PER_S
