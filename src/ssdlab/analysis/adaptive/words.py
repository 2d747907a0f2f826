"""How a point ended, for a reader."""

from collections.abc import Iterator

from ssdlab.analysis.adaptive.rule import PERIODS, RAMPS
from ssdlab.engine.result import PointEnd, PointEnding
from ssdlab.message import Message, duration, listed, message, number, semicolons


def end_words(end: PointEnd) -> Message:
    """After what time, because of what, how well its mean is known, and what was seen of ramp, rhythm and drift."""
    return listed(semicolons(*_parts(end)))


def _parts(end: PointEnd) -> Iterator[Message]:
    yield _how_it_ended(end)
    if end.ramp_ns:
        yield message("metric-point-ramp", ramp=duration(end.ramp_ns))
    if end.rhythm_ns is not None:
        known = "longer" if end.is_shorter_than_rhythm else "shorter"
        yield message("metric-point-rhythm", rhythm=duration(end.rhythm_ns), known=known)
    if end.drift is not None:
        yield message("metric-point-drift", drift=number(end.drift, "+.1%"))
    if end.past_drift is not None:
        yield message("metric-point-past-drift", drift=number(end.past_drift, "+.1%"))


def _how_it_ended(end: PointEnd) -> Message:
    seen, within = duration(end.seen_ns), number(end.within, ".2%")
    if end.reach is None:
        return message("metric-point-drifts", seen=seen, within=within)
    reach = number(end.reach, ".2%")
    match end.because:
        case PointEnding.ENOUGH:
            return message("metric-point-enough", seen=seen, reach=reach, within=within)
        case PointEnding.NOT_REACHED if end.reach <= end.within:
            return message("metric-point-not-enough", seen=seen, reach=reach, within=within, why=_why_not_enough(end))
        case PointEnding.NOT_REACHED:
            return message("metric-point-not-reached", seen=seen, reach=reach, within=within)
        case PointEnding.NO_NARROWER:
            return message("metric-point-no-narrower", seen=seen, reach=reach, within=within)
        case PointEnding.WHOLE:
            return message("metric-point-whole", seen=seen, reach=reach, within=within)


def _why_not_enough(end: PointEnd) -> str:
    """Of a mean that was known well enough when the limit came, the first reason of the rule to go on."""
    if end.rhythm_ns is not None and end.seen_ns < PERIODS * end.rhythm_ns:
        return "rhythm"
    return "ramp" if end.seen_ns < (1 + RAMPS) * end.ramp_ns else "once"
