"""What of a draft is turned until it behaves as was measured: each knob is one quantity, turned by factors."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp, log

from ssdlab.twin.draft import Draft, Quantity, as_rate, as_size, as_time
from ssdlab.twin.drift import clock_of, drifting


class Block(Enum):
    """Knobs that are turned together, because the same steps tell them."""

    WRITING = "writing"
    """Passes over the drive."""
    POINTS = "points"
    """Speeds and latencies of points."""
    TOGETHER = "together"
    """All of it: what a pass says little of, such as how long a program of the cache takes where the link is slower, points may tell."""


@dataclass(frozen=True, slots=True)
class FittedKey:
    """One quantity.

    Attributes:
        name: Section and key.
        start: Where it stands, in nanoseconds, bytes, bytes a second, or as a share.
        low: Least value.
        high: Largest value.
        turned: The draft with another value.
    """

    name: str
    start: float
    low: float
    high: float
    turned: Callable[[Draft, float], Draft]


def knobs_of(draft: Draft, block: Block) -> tuple[FittedKey, ...]:
    """Those of a block that a drive of this structure has, where the draft has them."""
    match block:
        case Block.WRITING:
            return tuple(_writing(draft))
        case Block.POINTS:
            return tuple(_points(draft))
        case Block.TOGETHER:
            return (*_writing(draft), *_points(draft))


def turned(draft: Draft, knobs: Sequence[FittedKey], values: Sequence[float]) -> Draft:
    """A draft with all knobs at those values."""
    for knob, value in zip(knobs, values, strict=True):
        draft = knob.turned(draft, value)
    return draft


def with_points_of(draft: Draft, other: Draft) -> Draft:
    """A draft with what was turned for points in another one of the same drive."""
    found = {knob.name: knob.start for knob in knobs_of(other, Block.POINTS)}
    knobs = [knob for knob in knobs_of(draft, Block.POINTS) if knob.name in found]
    return turned(draft, knobs, [found[knob.name] for knob in knobs])


_ONE_SIZE = 0.999
_WIDE, _NARROW = 10.0, 1.6
_Form = Callable[[float], Quantity]


def _share(value: float) -> Quantity:
    return value


_WRITING: dict[str, tuple[_Form, float]] = {
    "timing.program": (as_time, _WIDE),
    "timing.program_slc": (as_time, _WIDE),
    "timing.link_write": (as_rate, _WIDE),
    "slc.max": (as_size, _NARROW),
    "slc.static": (as_size, _NARROW),
    "slc.reserve": (as_size, _WIDE),
    "slc.fold": (_share, 3.0),
    "slc.refill_below": (as_size, _NARROW),
    "slc.fold_when_short": (_share, _WIDE),
}
_POINTS: dict[str, tuple[_Form, float]] = {
    "timing.command": (as_time, _WIDE),
    "timing.read_overhead": (as_time, _WIDE),
    "timing.write_overhead": (as_time, _WIDE),
    "timing.suspend": (as_time, _WIDE),
    "timing.link_read": (as_rate, _WIDE),
    "timing.channel": (as_rate, _WIDE),
    "buffer.flush_metadata": (as_time, _WIDE),
    "map.hit": (as_time, _WIDE),
    "map.reach": (as_size, _NARROW),
    "noise.sigma": (_share, 20.0),
    "spread.flash": (_share, 20.0),
    "spread.controller": (_share, 20.0),
}


def _writing(draft: Draft) -> Iterator[FittedKey]:
    for name, (form, factor) in _WRITING.items():
        yield from _plain(draft, name, form, factor)


def _points(draft: Draft) -> Iterator[FittedKey]:
    yield _sense(draft)
    if len(draft.times("timing", "sense")) > 1:
        yield _sense_slope(draft)
    for name, (form, factor) in _POINTS.items():
        yield from _plain(draft, name, form, factor)
    if clock_of(draft).lost:
        yield _drift(clock_of(draft).lost)


def _plain(draft: Draft, name: str, form: _Form, factor: float) -> Iterator[FittedKey]:
    section, key = name.split(".")
    start = draft.number(section, key)
    if start <= 0 or (name == "slc.static" and _is_of_one_size(draft)):
        return
    if name == "slc.fold" and draft.writes_through_cache:
        # The host waits for as much to be folded as it takes, whatever the share.
        return

    def turn(draft: Draft, value: float) -> Draft:
        draft = draft.having(section, **{key: form(value)})
        return _with_part(draft, least) if section == "slc" else draft

    # Where the cache is of one size, it stays so.
    least = float(_is_of_one_size(draft))
    low, high = start / factor, start * factor
    if section in {"noise", "spread"}:
        high = min(high, 1.0)
    yield FittedKey(name, start, low, high, turn)


def _is_of_one_size(draft: Draft) -> bool:
    return draft.number("slc", "static") >= _ONE_SIZE * draft.number("slc", "max")


def _with_part(draft: Draft, least: float) -> Draft:
    """The part of the cache that exists always is so large at least, and no larger than the whole."""
    largest, static = draft.number("slc", "max"), draft.number("slc", "static")
    return draft.having("slc", static=as_size(min(max(static, least * largest), largest)))


def _sense(draft: Draft) -> FittedKey:
    """All pages alike; those of the cache keep their share."""
    times = draft.times("timing", "sense")
    start = sum(times) / len(times)
    cached = draft.number("timing", "sense_slc")

    def turn(draft: Draft, value: float) -> Draft:
        now = draft.times("timing", "sense")
        factor = value * len(now) / sum(now)
        return draft.having(
            "timing",
            sense=tuple(as_time(one * factor) for one in now),
            sense_slc=as_time(cached * value / start),
        )

    return FittedKey("timing.sense", start, start / _WIDE, start * _WIDE, turn)


def _sense_slope(draft: Draft) -> FittedKey:
    """How much longer the slowest page takes than the fastest; the mean stays."""
    times = draft.times("timing", "sense")
    start = times[-1] / times[0]

    def turn(draft: Draft, value: float) -> Draft:
        now = draft.times("timing", "sense")
        steps = [1 + (value - 1) * place / (len(now) - 1) for place in range(len(now))]
        factor = sum(now) / sum(steps)
        return draft.having("timing", sense=tuple(as_time(one * factor) for one in steps))

    return FittedKey("timing.sense.slope", start, 1.001, 2.5, turn)


DRIFT = "pace.drift_per_hour"
_DRIFT_APART = 1.0


def _drift(lost: float) -> FittedKey:
    """A drift may be of either sign, so its exponential is turned."""

    def turn(draft: Draft, value: float) -> Draft:
        return drifting(draft, log(value))

    low, high = max(-1.0, lost - _DRIFT_APART), min(1.0, lost + _DRIFT_APART)
    return FittedKey(DRIFT, exp(lost), exp(low), exp(high), turn)
