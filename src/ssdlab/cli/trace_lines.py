"""Traces as lines of text."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ssdlab.cli.table import Alignment, table_lines
from ssdlab.message import Message, duration, message, number, size
from ssdlab.trace.words import (
    ABSENT,
    OPERATION_COLUMNS,
    flight_words,
    head_words,
    operation_rows,
    place_words,
    remarks,
    told,
)

if TYPE_CHECKING:
    from ssdlab.trace.look import TraceMeta, TraceProfile, TraceWindow

_NS_PER_S = 1e9
_IOS_MIN = 10
"""Of a whole trace that is shorter than half a window, for its rate to be told."""


def made_lines(ios: int, meta: "TraceMeta", file_bytes: int) -> Iterator[Message]:
    """What was written, and what of the source is not in it."""
    yield message(
        "trace-made",
        count=ios,
        ios=number(ios),
        format=meta.format,
        size=size(file_bytes),
        each=number(file_bytes / ios, ",.2f") if ios else ABSENT,
    )
    yield from remarks(meta, ios)


def profile_lines(path: Path, meta: "TraceMeta", profile: "TraceProfile") -> Iterator[Message | str]:
    """What a trace is like; what is not known is said with its reason."""
    yield from head_words(str(path), meta, profile)
    if not profile.ios:
        return
    yield ""
    sides = [Alignment.LEFT, *[Alignment.RIGHT] * 3, Alignment.LEFT, *[Alignment.RIGHT] * 5]
    yield from table_lines(OPERATION_COLUMNS, operation_rows(profile), sides)
    yield ""
    yield from place_words(profile)
    yield from flight_words(profile)
    if profile.windows:
        yield ""
        yield from _over_time(profile)


def _over_time(profile: "TraceProfile") -> Iterator[str]:
    width_ns = profile.window_ns or 1
    knows_flight = profile.in_flight_mean is not None
    heads: list[Message | str] = [message("trace-column-from"), "IOPS", "MB/s"]
    heads += [message("trace-column-in-flight")] if knows_flight else []
    rows: list[list[Message | str]] = []
    for index, window in enumerate(profile.windows):
        # The last one ends with the last arrival.
        covered_ns = min(width_ns, (profile.arrivals_ns or 0) - index * width_ns) or width_ns
        # A moment after its beginning, a window has the rate of that moment.
        has_rate = 2 * covered_ns >= width_ns or (index == 0 and window.ios >= _IOS_MIN)
        begin: Message | str = told(duration(index * width_ns)) if index else "0 s"
        cells = _rates(window, covered_ns) if has_rate else [ABSENT] * 3
        rows.append([begin, *cells[: len(heads) - 1]])
    yield from table_lines(heads, rows, [Alignment.RIGHT] * len(heads))


def _rates(window: "TraceWindow", covered_ns: int) -> list[str]:
    """IOPS, MB/s, and I/Os in flight on average."""
    seconds = covered_ns / _NS_PER_S
    return [
        f"{window.ios / seconds:,.0f}",
        f"{window.bytes / seconds / 1e6:,.1f}",
        f"{window.latency_ns / covered_ns:,.2f}",
    ]
