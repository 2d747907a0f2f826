"""What a sustained write comes to in three sentences (METHODS U)."""

from collections.abc import Iterator

from ssdlab.analysis.metrics.sustain import ALL_READINGS, NOT_ALL_READ
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BAD_BYTES, BANDWIDTH_MEAN, BANDWIDTH_MIN, CACHE_BYTES, FLAT
from ssdlab.bundle.state_words import STATE_WORDS
from ssdlab.job import DriveState
from ssdlab.message import Message, message
from ssdlab.point import CoordinateAxis, Point
from ssdlab.report.first_screen.quoted import Metrics, quoted, reason


def pass_points(metrics: Metrics) -> tuple[Point, ...]:
    """The passes of writing that are kept whole, in order."""
    numbers = {
        key.point: number
        for key in metrics
        if key.quantity == BANDWIDTH_MEAN and isinstance(number := key.point.value(CoordinateAxis.PASS), int)
    }
    return tuple(sorted(numbers, key=lambda point: numbers[point]))


def sustain_sentences(metrics: Metrics) -> Iterator[Message]:
    """The first pass and the last, then whether all that was read back is what was written."""
    points = pass_points(metrics)
    for point in dict.fromkeys((*points[:1], *points[-1:])):
        yield from _pass(metrics, point)
    yield from _read_back(metrics)


def _pass(metrics: Metrics, point: Point) -> Iterator[Message]:
    mean = quoted(metrics, MetricKey(point, BANDWIDTH_MEAN))
    number = point.value(CoordinateAxis.PASS)
    if mean is None or not isinstance(number, int):
        return
    begun = _begun(number, mean.state)
    worst, flat = (quoted(metrics, MetricKey(point, quantity)) for quantity in (BANDWIDTH_MIN, FLAT))
    if worst is None or flat is None:
        why = reason(metrics, MetricKey(point, FLAT))
        if why is None:
            yield message("verdict-sustained-mean", begun=begun, mean=mean.inline)
        else:
            yield message("verdict-sustained-short", begun=begun, mean=mean.inline, why=why)
        return
    speeds = message("verdict-sustained", begun=begun, mean=mean.inline, worst=worst.inline)
    fell = quoted(metrics, MetricKey(point, CACHE_BYTES))
    if flat.value is True:
        yield message("verdict-sustained-flat", speeds=speeds)
    elif fell is None:
        yield message("verdict-sustained-uneven", speeds=speeds)
    else:
        yield message("verdict-sustained-fell", speeds=speeds, fell=fell.inline)


def _begun(number: int, state: DriveState) -> Message:
    """Which pass, and the state it found the drive in where that is known."""
    if state is DriveState.UNKNOWN:
        return message("verdict-pass-number", number=number)
    return message("verdict-pass-in-state", number=number, state=STATE_WORDS[state])


def _read_back(metrics: Metrics) -> Iterator[Message]:
    key = MetricKey(ALL_READINGS, BAD_BYTES)
    bad, why = quoted(metrics, key), reason(metrics, key)
    if why is not None:
        yield message("verdict-read-back-unknown", why=why)
    elif bad is not None and bad.value:
        yield message("verdict-bad-bytes", count=bad.inline)
    elif bad is not None:
        is_whole = metrics[key].note != NOT_ALL_READ
        yield message("verdict-all-as-written") if is_whole else message("verdict-as-written-so-far")
