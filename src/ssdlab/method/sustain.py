"""What a sustained write is asked to do (METHODS U), as a value and as the text a bundle keeps."""

import hashlib
import re
from dataclasses import dataclass
from enum import Enum

from ssdlab.errors import UsageError
from ssdlab.job import SUSTAIN_SECTOR_BYTES as SECTOR_BYTES
from ssdlab.job import Job, Pattern, Region
from ssdlab.message import message, size
from ssdlab.units import GIB, MIB, format_bytes
from ssdlab.unknown import Unknown

NAME = "sustain"
VERSION = "2025.12"


_TAG = re.compile(r"\w[\w.-]{0,63}")


class Verify(Enum):
    """When what was written is read back."""

    NONE = "none"
    AFTER = "after"
    EACH_PASS = "each-pass"  # noqa: S105 - no password


class Work(Enum):
    """What is done to the range."""

    WRITE = "write"
    WRITE_AND_LEAVE = "write and leave"
    """Written once and read once, and left where it is for a later reading."""
    READ_AGAIN = "read again"
    """Only read: data that an earlier run left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SustainSettings:
    """All settings.

    Attributes:
        chunk_bytes: Of one call; the drive is waited for after each.
        record_bytes: Of one line of the record.
        total_bytes: To write in a pass; None for all there is.
        leave_bytes: To leave free on a file system, or at the end of a drive.
        passes: None for as many as there is time for.
        need_bytes_per_s: What a workload needs; None where nobody asked.
        rest_ns: Before the first pass.
        rest_between_ns: Between two passes, which follow each other without a break if it is 0.
        tag: Names data that is left, and is all its seed is made of.
    """

    chunk_bytes: int = 64 * MIB
    record_bytes: int = GIB
    total_bytes: int | None = None
    leave_bytes: int = 0
    passes: int | None = 1
    verify: Verify = Verify.NONE
    rest_ns: int = 0
    rest_between_ns: int = 0
    need_bytes_per_s: int | None = None
    work: Work = Work.WRITE
    tag: str | None = None

    def __post_init__(self) -> None:
        """Check what cannot be done.

        Raises:
            UsageError: Two settings contradict each other, or one is out of bounds.
        """
        if not SECTOR_BYTES <= self.chunk_bytes <= GIB or self.chunk_bytes % SECTOR_BYTES:
            raise UsageError(
                message("sustain-chunk-odd", size=size(self.chunk_bytes)),
                message("sustain-hint-chunk"),
            )
        if self.record_bytes < self.chunk_bytes:
            raise UsageError(
                message("sustain-record-small", record=size(self.record_bytes), chunk=size(self.chunk_bytes)),
                message("sustain-hint-record"),
            )
        if self.passes is not None and self.passes < 1:
            raise UsageError(message("sustain-no-passes", passes=str(self.passes)), message("sustain-hint-passes"))
        if self.tag is not None and not _TAG.fullmatch(self.tag):
            raise UsageError(
                message("sustain-tag-odd", tag=self.tag),
                message("sustain-hint-tag"),
            )

    @property
    def seed(self) -> int | None:
        """Of data with a tag: made of the tag alone, so that any host can read it again; None for a new one each time."""
        if self.tag is None:
            return None
        return int.from_bytes(hashlib.sha256(f"{NAME} {self.tag}".encode()).digest()[:6])

    @property
    def text(self) -> str:
        """The settings as TOML, as the bundle keeps them."""
        passes = "'forever'" if self.passes is None else self.passes
        total = "all there is" if self.total_bytes is None else format_bytes(self.total_bytes)
        need = "" if self.need_bytes_per_s is None else f"need_bytes_per_s = {self.need_bytes_per_s}\n"
        tag = "" if self.tag is None else f'tag = "{self.tag}"\n'
        return (
            f'[sustain]\nversion = "{VERSION}"\nwork = "{self.work.value}"\nchunk_bytes = {self.chunk_bytes}\n'
            f'record_bytes = {self.record_bytes}\ntotal = "{total}"\nleave_bytes = {self.leave_bytes}\n'
            f'passes = {passes}\nverify = "{self.verify.value}"\n'
            f"rest_ns = {self.rest_ns}\nrest_between_ns = {self.rest_between_ns}\n{need}{tag}"
        )


@dataclass(frozen=True, slots=True)
class DayOfWriting:
    """How fast data with a tag was read right after it was written.

    Attributes:
        date: When that run began, ISO 8601.
    """

    date: str
    bandwidth_bytes_per_s: int

    @property
    def text(self) -> str:
        """As TOML, which the bundle of a later reading keeps beside its settings."""
        return f'[day_of_writing]\ndate = "{self.date}"\nbandwidth_bytes_per_s = {self.bandwidth_bytes_per_s}\n'


def length_of(settings: SustainSettings, capacity_bytes: int) -> int:
    """Bytes of a pass over so much room.

    Raises:
        UsageError: Nothing is left to write, or more is asked than there is.
    """
    room_bytes = (capacity_bytes - settings.leave_bytes) // SECTOR_BYTES * SECTOR_BYTES
    asked_bytes = room_bytes if settings.total_bytes is None else settings.total_bytes // SECTOR_BYTES * SECTOR_BYTES
    if asked_bytes > room_bytes or asked_bytes < SECTOR_BYTES:
        raise UsageError(
            message("sustain-no-room", asked=size(asked_bytes), room=size(max(room_bytes, 0))),
            message("sustain-hint-room"),
        )
    return asked_bytes


@dataclass(frozen=True, slots=True)
class WorkAmount:
    """All that a run will do; Unknown where it has no end."""

    write_bytes: int | Unknown
    read_bytes: int | Unknown
    rest_ns: int | Unknown

    @property
    def bytes(self) -> int | Unknown:
        """Written and read together."""
        if isinstance(self.write_bytes, Unknown) or isinstance(self.read_bytes, Unknown):
            return ENDLESS
        return self.write_bytes + self.read_bytes


ENDLESS = Unknown(message("unknown-until-ctrl-c"))


def amount_of(settings: SustainSettings, length_bytes: int) -> WorkAmount:
    """What a run with passes of that length will do."""
    if settings.passes is None:
        rest_ns = ENDLESS if settings.rest_between_ns else settings.rest_ns
        return WorkAmount(ENDLESS, 0 if settings.verify is Verify.NONE else ENDLESS, rest_ns)
    writes = 0 if settings.work is Work.READ_AGAIN else settings.passes
    reads = {Verify.NONE: 0, Verify.AFTER: 1, Verify.EACH_PASS: settings.passes}[settings.verify]
    rest_ns = settings.rest_ns + (settings.passes - 1) * settings.rest_between_ns
    return WorkAmount(writes * length_bytes, reads * length_bytes, rest_ns)


class Keeping(Enum):
    """What of a pass stays in the bundle."""

    WHOLE = "whole"
    TOTALS = "totals"
    """How much, how fast, how flat, and whether it came back: as a line of the journal, which is then added to those before."""


WHOLE_FIRST = 128
_WHOLE_LATER_BITS = 7
THIN_EVERY = 128
"""Passes after which those that are not kept whole are added up, and those that were kept too closely with them."""


def keeping(number: int, last: int) -> Keeping:
    """Of the pass of that number, from 1, once so many were begun: the first 128 are kept whole, and of all at most 128 later ones.

    They are evenly spread, each second, then each fourth and so on: a run without an end keeps no more, however long it goes on.
    """
    every = 1 << max(0, (last - 1).bit_length() - _WHOLE_LATER_BITS)
    return Keeping.WHOLE if number <= WHOLE_FIRST or number % every == 0 else Keeping.TOTALS


WRONG_KEPT_MAX = 32
"""Readings that found wrong data and are kept beyond those that are kept anyway."""
_BYTES_PER_PASS = 2 * MIB
"""Series of at most 20,000 windows, histogram, result, sensors, and its lines of the journal."""
_BYTES_PER_RECORD = 80
_PASSES_WHOLE_MAX = WHOLE_FIRST + (1 << _WHOLE_LATER_BITS) + WRONG_KEPT_MAX


def host_bytes_max(settings: SustainSettings, length_bytes: int) -> int:
    """Space that the bundle needs at most."""
    passes = _PASSES_WHOLE_MAX if settings.passes is None else min(settings.passes, _PASSES_WHOLE_MAX)
    readings = {Verify.NONE: 0, Verify.AFTER: 1, Verify.EACH_PASS: passes}[settings.verify]
    records = -(-length_bytes // settings.record_bytes) * _BYTES_PER_RECORD
    return (passes + readings) * (_BYTES_PER_PASS + records)


def pass_job(name: str, settings: SustainSettings, length_bytes: int, seed: int, read_percent: int) -> Job:
    """A pass as a Job: chunks in order, one at a time."""
    return Job(
        name=name,
        pattern=Pattern.SEQUENTIAL,
        read_percent=read_percent,
        block_bytes=min(settings.chunk_bytes, length_bytes),
        queue_depth=1,
        region=Region(0, length_bytes),
        amount_bytes=length_bytes,
        duration_ns=None,
        seed=seed,
    )
