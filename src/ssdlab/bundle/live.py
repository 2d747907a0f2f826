"""What a run that goes on is doing now, for whoever follows it: `live.jsonl`, a line every half second, gone when the run is over.

No part of the results: it is not forced to the disk, nothing is concluded from it, and a run goes on without it where it cannot be
written. It grows to two megabytes, which takes some hours; then another takes its place that has half as many points, so that a run without an end
has one of bounded length that tells of all of it. Until then a place in it, in bytes, is where to go on reading; the time of its first line
tells it from others.
"""

import fcntl
import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from statistics import fmean

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import open_inside

LINE_BYTES_MAX = 1000
READ_BYTES_MAX = 1 << 20
"""Of one look at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePoint:
    """One line: what was seen in about half a second.

    Attributes:
        at_ms: When it was written, since 1970.
        clock_ns: The same on the run's clock (virtual for the model engine).
        process_id: Of the ssdlab that writes it.
        step: Index of the step that goes on; None before the first.
        share_done: Of the step, 0..1; None while unknown.
        bandwidth_bytes_per_s: Mean of what the engine said since the point before; None where it said nothing.
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

    def __init__(self, bundle: Path, size_bytes_max: int = 2 << 20) -> None:
        """Begin, or go on with what a run left that was killed.

        Args:
            bundle: Whose.
            size_bytes_max: Length beyond which half of the points have to do.
        """
        self._bundle = bundle
        self._path = bundle / layout.LIVE
        self._size_bytes_max = size_bytes_max
        self._descriptor: int | None = None
        with suppress(OSError):
            self._descriptor = _opened(self._path, os.O_APPEND)
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
            os.write(self._descriptor, _line_of(point))
            if os.fstat(self._descriptor).st_size > self._size_bytes_max:
                self._thin_out(point.at_ms)
        except OSError:
            # Such as a full disk, whose last bytes belong to results.
            self.close()

    def _thin_out(self, now_ms: int) -> None:
        """Put a file in its place that has half as many; who reads tells it by the time of its first line."""
        kept = thinned(_all_points(self._bundle))
        partial = self._path.with_name(self._path.name + ".partial")
        partial.unlink(missing_ok=True)
        new = _opened(partial, os.O_APPEND | os.O_EXCL)
        old, self._descriptor = self._descriptor, new
        if old is not None:
            os.close(old)
        os.write(new, b"".join(map(_line_of, [replace(one, at_ms=now_ms) for one in kept[:1]] + kept[1:])))
        partial.replace(self._path)

    def close(self) -> None:
        """Nobody follows it any more: the run is over."""
        if self._descriptor is None:
            return
        os.close(self._descriptor)
        self._descriptor = None
        with suppress(OSError):
            self._path.unlink()


def _opened(path: Path, flags: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o666)


def _line_of(point: LivePoint) -> bytes:
    return _POINT.dump_json(point, exclude_none=True) + b"\n"


def thinned(points: Sequence[LivePoint]) -> list[LivePoint]:
    """Half as many at most: those that fall into one of so many equal spans of the run's clock as one, the last with the mean of their speeds."""
    spans = max(1, len(points) // 2)
    first_ns = points[0].clock_ns if points else 0
    length_ns = points[-1].clock_ns - first_ns + 1 if points else 1
    together = groupby(points, lambda one: (one.clock_ns - first_ns) * spans // max(1, length_ns))
    return [_as_one(list(span)) for _, span in together]


def _as_one(points: Sequence[LivePoint]) -> LivePoint:
    speeds = [one.bandwidth_bytes_per_s for one in points if one.bandwidth_bytes_per_s is not None]
    return replace(points[-1], bandwidth_bytes_per_s=fmean(speeds) if speeds else None)


def _all_points(bundle: Path) -> list[LivePoint]:
    points: list[LivePoint] = []
    place = 0
    while (part := read_live(bundle, place)) is not None:
        points += part.points
        place = part.end
        if part.is_all:
            break
    return points


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
        point = layout.parsed(_POINT, line)
    except (ValidationError, ValueError):
        return None
    told = (point.share_done, point.bandwidth_bytes_per_s, point.temperature_c)
    return point if all(one is None or math.isfinite(one) for one in told) else None


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
