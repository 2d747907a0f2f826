"""How a browser is told what goes on: server-sent events, which it asks for again by itself where a connection breaks."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ssdlab.bundle.live import LivePoint
from ssdlab.figure.kit.decimate import extremes
from ssdlab.units import MIB, NS_PER_S

POINTS_MAX = 4000
"""Of what a browser is sent at once: more than its pixels."""
AGAIN = b"retry: 1000\n\n"
"""After how many ms a browser asks again that lost its connection."""
STILL_THERE = b": still there\n\n"
"""Nothing, for whoever has not been sent anything for long."""


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
