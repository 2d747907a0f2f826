"""A trace as something that can be done again: how much it is, and what of it is known."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ssdlab.message import message
from ssdlab.trace.damage import TraceFileError
from ssdlab.trace.look import profile_of


@dataclass(frozen=True, slots=True)
class TraceLoad:
    """What a replay needs to know of a trace beforehand.

    Attributes:
        sha256: Of its file.
        ios: That move data or give it back; flushes are not among them.
        read_ios: Those of them that read.
        moving_ios: Those of them that read or write.
        bytes: Of these.
        write_bytes: Of the writes alone.
        aligned_bytes: Largest power of two of which all places and lengths are multiples; `None` without any.
        arrivals_ns: From the first arrival to the last; `None` where they are not known.
        has_latencies: Whether it is known of every I/O, flushes too, how long it took.
    """

    sha256: str
    ios: int
    read_ios: int
    moving_ios: int
    bytes: int
    write_bytes: int
    aligned_bytes: int | None
    arrivals_ns: int | None
    has_latencies: bool

    @property
    def discards(self) -> int:
        """Those of `ios` that give back, writes of zeros too."""
        return self.ios - self.moving_ios


def trace_load(path: Path) -> TraceLoad:
    """Look through a trace.

    Raises:
        TraceFileError: It is none, or damaged.
        OSError: It cannot be read.
    """
    # A suite may name what has no end, or what waits for somebody to write.
    if path.exists() and not path.is_file():
        raise TraceFileError(message("trace-no-plain-file", path=str(path)))
    sha256, profile = trace_sha256(path), profile_of(path)
    placed = [one for one in profile.ops if one.op != "flush"]
    moving = [one for one in placed if one.op in {"read", "write"}]
    return TraceLoad(
        sha256=sha256,
        ios=sum(one.ios for one in placed),
        read_ios=sum(one.ios for one in moving if one.op == "read"),
        moving_ios=sum(one.ios for one in moving),
        bytes=sum(one.bytes for one in moving),
        write_bytes=sum(one.bytes for one in moving if one.op == "write"),
        aligned_bytes=profile.aligned_bytes,
        arrivals_ns=profile.arrivals_ns,
        has_latencies=all(one.latency_ns_mean is not None for one in profile.ops if one.ios),
    )


def trace_sha256(path: Path) -> str:
    """Of its file.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
