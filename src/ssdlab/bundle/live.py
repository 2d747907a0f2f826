"""What a run that goes on is doing now, for whoever follows it: `live.jsonl`, a line every half second, gone when the run is over.

No part of the results: it is not forced to the disk, nothing is concluded from it, and a run goes on without it where it cannot be
written. It only ever grows, so that a place in it, in bytes, is where to go on reading.
"""

import fcntl
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import open_inside

LINE_BYTES_MAX = 1000
READ_BYTES_MAX = 1 << 20
"""Of one look at it; a day of a run is fifteen times as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePoint:
    """One line: what was seen in about half a second.

    Attributes:
        at_ms: When it was written, since 1970.
        clock_ns: The same on the run's clock (virtual for the model engine).
        process_id: Of the ssdlab that writes it.
        step: Index of the step that goes on; None before the first.
        share_done: Of the step, 0..1; None while unknown.
        bandwidth_bytes_per_s: Mean of what the engine said meanwhile; None where it said nothing.
        temperature_c: What the drive's sensor last said; None while unknown.
    """

    at_ms: int
    clock_ns: int
    process_id: int
    step: int | None = None
    share_done: float | None = None
    bandwidth_bytes_per_s: float | None = None
    temperature_c: float | None = None


_POINT = TypeAdapter(LivePoint)


class LiveWriter:
    """Appends points; whatever goes wrong with that ends it and nothing else."""

    def __init__(self, bundle: Path) -> None:
        self._path = bundle / layout.LIVE
        self._descriptor: int | None = None
        with suppress(OSError):
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._descriptor = os.open(self._path, flags, 0o666)
            self._end_torn_line()

    def _end_torn_line(self) -> None:
        """A run that was killed may have left a part of a line, and the next must not be glued to it."""
        if self._descriptor is not None and os.fstat(self._descriptor).st_size:
            os.write(self._descriptor, b"\n")

    def append(self, point: LivePoint) -> None:
        """Write one line."""
        if self._descriptor is None:
            return
        try:
            os.write(self._descriptor, _POINT.dump_json(point, exclude_none=True) + b"\n")
        except OSError:
            # Such as a full disk, whose last bytes belong to results.
            self.close()

    def close(self) -> None:
        """Nobody follows it any more: the run is over."""
        if self._descriptor is None:
            return
        os.close(self._descriptor)
        self._descriptor = None
        with suppress(OSError):
            self._path.unlink()


@dataclass(frozen=True, slots=True)
class LivePart:
    """Some points in a row."""

    points: Sequence[LivePoint]
    places: Sequence[int]
    """Behind each of them, in bytes from the beginning: where to go on if it was the last one seen."""
    end: int
    """Behind all that was looked at."""
    is_all: bool
    """Whether nothing more was there."""
    since_ms: int = 0
    """When the file was begun: what tells it from another of the same run, as after a stop."""


def read_live(bundle: Path, place: int = 0) -> LivePart | None:
    """The points from a place on; a line that is not whole yet is left for the next time.

    Args:
        bundle: Whose.
        place: In bytes; one behind the end, as of another run's file, counts as the beginning.

    Returns:
        None where there is no such file: the run is over, or was made by an ssdlab that wrote none.
    """
    try:
        descriptor = open_inside(bundle, layout.LIVE)
    except (OSError, DamagedFile):
        return None
    try:
        size = os.fstat(descriptor).st_size
        begin = place if 0 <= place <= size else 0
        content = os.pread(descriptor, READ_BYTES_MAX, begin)
        first = _point(os.pread(descriptor, LINE_BYTES_MAX, 0).partition(b"\n")[0])
    except OSError:
        return None
    finally:
        os.close(descriptor)
    points, places = [], []
    *lines, torn = content.split(b"\n")
    end = begin
    for line in lines:
        end += len(line) + 1
        if (point := _point(line)) is not None:
            points.append(point)
            places.append(end)
    if not lines and len(content) == READ_BYTES_MAX:
        # A line without an end is none of ours.
        end += len(content)
    is_all = begin + len(content) >= size or not (lines or torn)
    return LivePart(points, places, end, is_all, 0 if first is None else first.at_ms)


def _point(line: bytes) -> LivePoint | None:
    if not line or len(line) > LINE_BYTES_MAX:
        return None
    try:
        return layout.parsed(_POINT, line)
    except (ValidationError, ValueError):
        return None


def last_point(bundle: Path) -> LivePoint | None:
    """What was written last."""
    try:
        descriptor = open_inside(bundle, layout.LIVE)
    except (OSError, DamagedFile):
        return None
    try:
        size = os.fstat(descriptor).st_size
        content = os.pread(descriptor, 2 * LINE_BYTES_MAX, max(0, size - 2 * LINE_BYTES_MAX))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    found = (_point(line) for line in reversed(content.split(b"\n")[:-1]))
    return next((point for point in found if point is not None), None)


def is_being_written(bundle: Path) -> bool:
    """Whether some process has the journal to itself: the run goes on, or is just ending."""
    try:
        descriptor = open_inside(bundle, layout.JOURNAL)
    except (OSError, DamagedFile):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
