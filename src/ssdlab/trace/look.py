"""What a trace is and what it is like, as values."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from ssdlab import _core
from ssdlab.trace.damage import in_words


@dataclass(frozen=True, slots=True)
class TraceSource:
    """A file that a trace was made of."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TraceMeta:
    """What is to be known of a trace beside its I/Os; `None` is what the source does not tell.

    Attributes:
        format: Of the source.
        captured_at: Where in the system the I/Os were seen.
        time_resolution_ns: The finest difference of time that the source tells; `None` without times.
        started_unix_ns: When the first I/O arrived.
        lost: Events that are missing at the least, where the source tells that some are.
        left_out: What stands in the source and not in the trace, by its kind.
        anonymised: How, if it was.
    """

    version: int
    format: str
    files: tuple[TraceSource, ...]
    device: str | None
    device_bytes: int | None
    captured_at: Literal["application", "queue", "issue", "device", "unknown"]
    time_resolution_ns: int | None
    started_unix_ns: int | None
    lost: int | None
    left_out: dict[str, int]
    licence: str | None
    anonymised: str | None


@dataclass(frozen=True, slots=True)
class TraceOp:
    """What one operation did; latencies are `None` unless all of its I/Os have one.

    Attributes:
        lengths: The commonest lengths in bytes, each with its I/Os.
        sequential_ios: I/Os that begin where one of the last 32 runs of this operation ended; `None` of what moves no data.
    """

    op: str
    ios: int
    bytes: int
    lengths: tuple[tuple[int, int], ...]
    sequential_ios: int | None
    latency_ns_mean: int | None
    latency_ns_p50: int | None
    latency_ns_p99: int | None
    latency_ns_max: int | None


@dataclass(frozen=True, slots=True)
class TraceWindow:
    """A stretch of time: I/Os that arrived, bytes read and written by them, the sum of their latencies."""

    ios: int
    bytes: int
    latency_ns: int


@dataclass(frozen=True, slots=True)
class TraceProfile:
    """What a trace is like. What needs times, or latencies of all I/Os, is `None` without them.

    Attributes:
        arrivals_ns: From the first arrival to the last.
        aligned_bytes: Largest power of two of which all places and lengths are multiples; `None` without any.
        read_bytes_distinct: Bytes of the different blocks of 4 KiB that were read; `None` of more than can be remembered.
        run_lengths: How many sequential runs have so many I/Os.
        reused_share: Touches of a block touched before, over all touches of blocks; `None` of more than can be followed.
        reuse_sampled_share: Share of the blocks that reuse distances are known of.
        reuse_bytes_p50: Median of the bytes of other blocks between two touches of one.
        reuse_bytes: Distances by the upper end of their bin, each with its touches.
        in_flight_mean: From the first arrival to the last completion.
        idle_share: Time with nothing in flight, over the same time.
        thinks: Arrivals with nothing in flight.
        think_ns_mean: Mean time from the last completion to such an arrival.
        streams: That occur; `None` if the source knows none.
    """

    ios: int
    arrivals_ns: int | None
    ops: tuple[TraceOp, ...]
    aligned_bytes: int | None
    read_bytes_distinct: int | None
    written_bytes_distinct: int | None
    working_set_bytes: int | None
    run_lengths: dict[int, int]
    reused_share: float | None
    reuse_sampled_share: float | None
    reuse_bytes_p50: int | None
    reuse_bytes_p90: int | None
    reuse_bytes: tuple[tuple[int, int], ...]
    in_flight_mean: float | None
    in_flight_max: int | None
    idle_share: float | None
    thinks: int | None
    think_ns_mean: int | None
    window_ns: int | None
    windows: tuple[TraceWindow, ...]
    streams: int | None


@dataclass(frozen=True, slots=True)
class TraceCell:
    """I/Os that touch a row of places in a column of time; both count from 0."""

    column: int
    row: int
    ios: int


@dataclass(frozen=True, slots=True)
class TraceColumn:
    """What arrived in a column of time.

    Attributes:
        in_flight_ns: Sum over all I/Os of how long each was in flight in it.
    """

    read_ios: int
    write_ios: int
    read_bytes: int
    write_bytes: int
    in_flight_ns: int


@dataclass(frozen=True, slots=True)
class TracePicture:
    """A trace in numbers that can be drawn.

    Attributes:
        column_ns: Width of a column; `None` without times.
        column_ios: Width of a column of a trace without times, by the number of I/Os.
        row_bytes: Height of a row.
        begin_bytes: Where the first row begins.
        read: Cells of the reads that are not empty.
        knows_latencies: Whether the time in flight is known of every I/O.
    """

    column_ns: int | None
    column_ios: int | None
    row_bytes: int
    begin_bytes: int
    read: tuple[TraceCell, ...]
    write: tuple[TraceCell, ...]
    columns: tuple[TraceColumn, ...]
    knows_latencies: bool


META_ADAPTER: TypeAdapter[TraceMeta] = TypeAdapter(TraceMeta)
PROFILE_ADAPTER: TypeAdapter[TraceProfile] = TypeAdapter(TraceProfile)
_PICTURE_ADAPTER: TypeAdapter[TracePicture] = TypeAdapter(TracePicture)


def require_readable(path: Path) -> None:
    """That a file can be opened: what is told of that here has the number by which it is put into words.

    Raises:
        OSError: It cannot.
    """
    with path.open("rb"):
        pass


def meta_of(path: Path) -> tuple[int, TraceMeta]:
    """How many I/Os a trace has, and what is to be known of it.

    Raises:
        TraceFileError: It is none.
        OSError: It cannot be read.
    """
    require_readable(path)
    with in_words():
        ios, told = _core.trace_meta(path)
    return ios, META_ADAPTER.validate_json(told)


def profile_of(path: Path) -> TraceProfile:
    """What a trace is like, from one pass over it.

    Raises:
        TraceFileError: It is none, or damaged.
        OSError: It cannot be read.
    """
    require_readable(path)
    with in_words():
        return PROFILE_ADAPTER.validate_json(_core.trace_profile(path))


def picture_of(path: Path) -> TracePicture:
    """What a trace looks like, from two passes over it; raises as `profile_of`."""
    require_readable(path)
    with in_words():
        return _PICTURE_ADAPTER.validate_json(_core.trace_picture(path))
