"""How long each point took that ended by itself, why it did, and how well its mean is known then."""

from collections.abc import Iterator
from dataclasses import dataclass

from ssdlab.bundle.model import StepResult
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import PointEnd, PointEnding
from ssdlab.message import Message, duration, listed, message, semicolons
from ssdlab.units import format_duration

_BECAUSE = {
    PointEnding.ENOUGH: message("report-ended-enough"),
    PointEnding.NOT_REACHED: message("report-ended-limit"),
    PointEnding.NO_NARROWER: message("report-ended-no-narrower"),
    PointEnding.WHOLE: message("report-ended-whole"),
}
_REACH_MIN = 0.0001
"""What is less is told as that."""
_FOR_THE_MEAN = "interval"
"""Criterion of an end for no other reason."""


@dataclass(frozen=True, slots=True)
class EndedPoint:
    """A point, readable."""

    name: str
    took: str
    because: Message
    known: str
    """Half of the 95 % interval of its mean rate; empty where it drifts, and has none."""
    rhythm: str
    """The longest that was seen; empty where there was none."""
    drift: str
    """Of the point, and of the drive's writes before it."""


@dataclass(frozen=True, slots=True)
class EndedPoints:
    """All of a run."""

    told: Message
    rows: tuple[EndedPoint, ...]


def ended_points(bundle: Bundle) -> EndedPoints | None:
    """None where every point has a fixed length."""
    rows: list[EndedPoint] = []
    took_ns = most_ns = 0
    for step in bundle.finished():
        result = None if step.job is None else bundle.result(step)
        if step.job is None or result is None or result.point_end is None:
            continue
        took_ns += result.elapsed_ns
        most_ns += step.job.duration_ns or result.elapsed_ns
        rows.append(_row(step.name, result, result.point_end))
    if not rows:
        return None
    told = message("report-points-took", count=len(rows), took=duration(took_ns), most=duration(most_ns))
    return EndedPoints(told, tuple(rows))


def _row(name: str, result: StepResult, end: PointEnd) -> EndedPoint:
    return EndedPoint(
        name=name,
        took=format_duration(result.elapsed_ns),
        because=listed(semicolons(*_because(result, end))),
        known=_known(end),
        rhythm="" if end.rhythm_ns is None else format_duration(end.rhythm_ns),
        drift=", ".join(f"{one:+.1%}" for one in (end.drift, end.past_drift) if one is not None),
    )


def _known(end: PointEnd) -> str:
    if end.reach is None:
        return ""
    return f"± {end.reach:.2%}" if end.reach >= _REACH_MIN else f"< {_REACH_MIN:.2%}"


def _because(result: StepResult, end: PointEnd) -> Iterator[Message]:
    yield _BECAUSE[end.because]
    if result.stopped is not None and result.stopped.is_verdict and result.stopped.criterion != _FOR_THE_MEAN:
        yield message("report-ended-percentile")
    if end.drifts:
        yield message("report-ended-drift")
    if end.is_shorter_than_rhythm:
        yield message("report-ended-rhythm")
