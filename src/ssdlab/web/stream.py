"""What a browser is sent while it looks: server-sent events, which it asks for again by itself where a connection breaks."""

import asyncio
import json
import math
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from starlette.concurrency import run_in_threadpool

from ssdlab.bundle.live import LivePoint, is_being_written, read_live
from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.decimate import extremes
from ssdlab.units import MIB, NS_PER_S

LOOK_EVERY_S = 0.25
POINTS_MAX = 4000
"""Of what a browser is sent at once: more than its pixels."""
_STILL_THERE_S = 15.0
"""After so long without news a line of nothing keeps the connection, and finds out whether the browser still listens."""


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """How far a browser has got: in the file of points that was begun then, so many bytes."""

    since_ms: int = 0
    end: int = 0

    def __str__(self) -> str:
        return f"{self.since_ms}.{self.end}"


BEGIN = ReadingPlace()
_PLACE = re.compile(r"([0-9]{1,15})\.([0-9]{1,15})")


def place_in(header: str) -> ReadingPlace:
    """The place that a browser asks to go on from; the beginning for whatever is none."""
    found = _PLACE.fullmatch(header)
    return BEGIN if found is None else ReadingPlace(int(found[1]), int(found[2]))


def event(kind: str, content: object, place: ReadingPlace | None = None) -> bytes:
    """One event.

    Args:
        kind: That the page listens for.
        content: As JSON, which has no ends of lines.
        place: What the browser says when it asks again, if this was the last it got.
    """
    head = "" if place is None else f"id: {place}\n"
    return f"{head}event: {kind}\ndata: {json.dumps(content, separators=(',', ':'), allow_nan=False)}\n\n".encode()


Row = tuple[float, float | None]
"""Seconds on the run's clock, and MiB/s; None where nothing moved, or nobody can tell how fast."""


def rows_of(points: Sequence[LivePoint]) -> list[Row]:
    """Points as the chart takes them; of very many the smallest and the largest of each slice."""
    time_s = np.array([one.clock_ns / NS_PER_S for one in points])
    speed = np.array(
        [math.nan if one.bandwidth_bytes_per_s is None else one.bandwidth_bytes_per_s / MIB for one in points]
    )
    if len(points) > POINTS_MAX:
        time_s, speed = extremes(time_s, speed, POINTS_MAX)
    return [
        (round(float(at), 3), round(float(mib), 3) if math.isfinite(mib) else None)
        for at, mib in zip(time_s, speed, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class RunWatch:
    """What is told of one run, beside its points.

    Attributes:
        path: Its bundle.
        looks: Parts of the page by name, made anew whenever it is time to look; only those that changed are sent.
    """

    path: Path
    looks: Callable[[], dict[str, object]]


_AGAIN = b"retry: 1000\n\n"
"""After how many ms a browser asks again that lost its connection."""


async def run_events(watch: RunWatch, place: ReadingPlace) -> AsyncIterator[bytes]:
    """All points behind a place, and what goes on until the run is over."""
    yield _AGAIN
    changes = Changes()
    while True:
        # Asked before the points are read, so that the last of them is never missed.
        goes_on = await run_in_threadpool(is_being_written, watch.path)
        part = await run_in_threadpool(read_live, watch.path, place.end)
        if part is not None and part.since_ms != place.since_ms:
            # What is drawn, if anything, is of another file, as before a stop.
            yield event("anew", None, BEGIN)
            place, part = ReadingPlace(part.since_ms), await run_in_threadpool(read_live, watch.path)
        if part is not None and part.points:
            place = ReadingPlace(place.since_ms, part.places[-1])
            yield event("points", rows_of(part.points), place)
        for one in changes.of(await run_in_threadpool(_looked, watch.looks)):
            yield one
        if not goes_on:
            yield event("over", None)
            return
        if part is None or part.is_all:
            await asyncio.sleep(LOOK_EVERY_S)


async def page_events(looks: Callable[[], dict[str, object]]) -> AsyncIterator[bytes]:
    """Parts of a page whenever they change, without an end."""
    yield _AGAIN
    changes = Changes()
    while True:
        for one in changes.of(await run_in_threadpool(_looked, looks)):
            yield one
        await asyncio.sleep(2 * LOOK_EVERY_S)


def _looked(looks: Callable[[], dict[str, object]]) -> dict[str, object]:
    """Nothing new of what cannot be read at the moment, such as a bundle that is being moved."""
    try:
        return looks()
    except (SsdlabError, OSError):
        return {}


class Changes:
    """Knows what was sent, and passes on what is new."""

    def __init__(self) -> None:
        self._sent: dict[str, object] = {}
        self._quiet_s = 0.0

    def of(self, parts: dict[str, object]) -> Iterable[bytes]:
        """The events for what has changed; now and then one of nothing."""
        new = {name: part for name, part in parts.items() if self._sent.get(name) != part}
        self._sent |= new
        if new:
            self._quiet_s = 0.0
            return [event(name, part) for name, part in new.items()]
        self._quiet_s += LOOK_EVERY_S
        if self._quiet_s < _STILL_THERE_S:
            return []
        self._quiet_s = 0.0
        return [b": still there\n\n"]
