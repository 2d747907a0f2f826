"""What stands behind a key of a suite: sizes, times, shares and series of values, read from their text."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BeforeValidator

from ssdlab.message import Message, message, number
from ssdlab.units import Share, UnitError, clipped, format_bytes, parse_bytes, parse_duration_ns, parse_share

WHOLE = Share(1, 1)
DEPTH_MAX = 65_536
"""More I/Os in flight than any drive has places for."""
INDIRECTION_UNIT = 0
"""A block size written `IU`: no block is empty, so this stands for the size that only the drive knows (`unit.py`)."""
PERCENTILE_IOS_MAX = 1_000_000
"""One I/O in so many lies above the highest percentile that is told, 99.9999 %."""
_POINTS_MAX = 1000
"""A series longer than this is a slip of the pen."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NamedReadPercent:
    """A word for a share of reads, which is also the word in the names of metrics: `read`, `write`, `r70w30`."""

    word: str
    read_percent: int


@dataclass(frozen=True, slots=True)
class Doubling:
    """Sizes that double from the first to the last; the last counts also where no doubling meets it."""

    first: "int | Share"
    last: "int | Share"


def _text_only(parse: Callable[[str], T], example: str) -> Callable[[object], T]:
    """A parser that also says what to write where somebody gave a bare number."""

    def parsed(value: object) -> T:
        if not isinstance(value, str):
            raise UnitError(
                message("unit-has-none", text=clipped(str(value))), message("unit-write-in-quotes", example=example)
            )
        return parse(value)

    return parsed


def _positive_bytes(text: str) -> int:
    size_bytes = parse_bytes(text)
    if size_bytes == 0:
        raise UnitError(message("unit-nothing", text=clipped(text)), message("unit-write-size"))
    return size_bytes


def _block_bytes(text: str) -> int:
    return INDIRECTION_UNIT if text == "IU" else _positive_bytes(text)


def _positive_duration_ns(text: str) -> int:
    duration_ns = parse_duration_ns(text)
    if duration_ns == 0:
        raise UnitError(message("unit-nothing", text=clipped(text)), message("unit-write-duration"))
    return duration_ns


def _proper_share(text: str) -> Share:
    share = parse_share(text)
    if not 0 < share.numerator <= share.denominator:
        raise UnitError(message("unit-out-of-range", text=clipped(text)), message("unit-share-range"))
    return share


def _amount(text: str) -> int | Share:
    return _proper_share(text) if "%" in text or "/" in text else _positive_bytes(text)


def _multiple(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,2}x", text):
        raise UnitError(message("unit-no-multiple", text=clipped(text)), message("unit-write-multiple"))
    return int(text[:-1])


def _rate(text: str) -> int:
    if not text.endswith("/s"):
        raise UnitError(message("unit-no-rate", text=clipped(text)), message("unit-write-rate"))
    return _positive_bytes(text.removesuffix("/s"))


def _percent(text: str) -> float:
    share = _proper_share(text)
    return 100 * share.numerator / share.denominator


def _read_percent(text: str) -> int:
    share = parse_share(text)
    percent, rest = divmod(100 * share.numerator, share.denominator)
    if rest or not 0 <= percent <= 100:
        raise UnitError(message("unit-no-read-share", text=clipped(text)), message("unit-write-read-share"))
    return percent


def _percentile(text: str) -> Share:
    share = parse_share(text)
    above = share.denominator - share.numerator
    if not (2 * above <= share.denominator <= PERCENTILE_IOS_MAX * above):
        raise UnitError(message("unit-no-percentile", text=clipped(text)), message("unit-write-percentile"))
    return share


def _offered_load(text: str) -> int:
    """In hundredths of a per cent."""
    share = parse_share(text)
    load, rest = divmod(10_000 * share.numerator, share.denominator)
    if rest or not 50 <= load <= 20_000:
        raise UnitError(message("unit-no-load", text=clipped(text)), message("unit-write-load"))
    return load


def _named_read_percent(text: str) -> NamedReadPercent:
    if match := re.fullmatch(r"r([1-9][0-9]?)w([1-9][0-9]?)", text):
        if int(match[1]) + int(match[2]) == 100:
            return NamedReadPercent(text, int(match[1]))
    elif text in {"read", "write"}:
        return NamedReadPercent(text, 100 if text == "read" else 0)
    raise UnitError(message("unit-no-mix", text=clipped(text)), message("unit-write-mix"))


def _depth(text: str) -> int:
    return _proper_depth(int(text)) if re.fullmatch(r"[0-9]{1,6}", text) else _proper_depth(text)


def _proper_depth(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= DEPTH_MAX:
        raise UnitError(
            message("unit-no-depth", text=clipped(str(value))), message("unit-write-depth", most=number(DEPTH_MAX))
        )
    return value


def _listed(value: list[object], parse: Callable[[object], T]) -> tuple[T, ...]:
    found = tuple(parse(one) for one in value)
    if not found or len(set(found)) < len(found):
        raise UnitError(message("unit-list-repeats"), message("unit-name-once"))
    return found


_SERIES = re.compile(r"(?P<first>\S+?)\.\.(?P<last>\S+) (?:doubling|step (?P<step>\S+))")


def _series(
    parse: Callable[[str], int], listed: Callable[[object], int], example: str, written: Callable[[int], str]
) -> Callable[[object], object]:
    """A list of values, or their first and last with what lies between; `written` is the other way of `parse`."""

    def parsed(value: object) -> tuple[int, ...]:
        if isinstance(value, list):
            return _listed(value, listed)
        match = _SERIES.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise UnitError(
                message("unit-no-series", text=clipped(str(value))), message("unit-write-list-or", example=example)
            )
        first, last = parse(match["first"]), parse(match["last"])
        step = parse(match["step"]) if match["step"] else None
        found = tuple(itertools.islice(_between(first, last, step), _POINTS_MAX + 1))
        if not found or len(found) > _POINTS_MAX:
            raise UnitError(
                message("unit-series-length", text=clipped(str(value)), most=_POINTS_MAX),
                message("unit-write-like", example=example),
            )
        if found[-1] != last:
            raise UnitError(
                message("unit-series-short", text=clipped(match.string), end=written(found[-1]), last=match["last"]),
                message(
                    "unit-series-write",
                    series=f"{match['first']}..{written(found[-1])}{match.string[match.end('last') :]}",
                ),
                *_step_hints(first, last, step, written),
            )
        return found

    return parsed


def _step_hints(first: int, last: int, step: int | None, written: Callable[[int], str]) -> Iterator[Message]:
    """The next smaller step that meets the last value, where there is one."""
    if step is None:
        return
    distance = last - first
    for count in range(-(-distance // step), _POINTS_MAX):
        if distance % count == 0:
            yield message("unit-step-meets", step=written(distance // count), last=written(last))
            return


def _size_text(size_bytes: int) -> str:
    text = format_bytes(size_bytes).replace(" ", "")
    return text if parse_bytes(text) == size_bytes else f"{size_bytes}B"


def _between(first: int, last: int, step: int | None) -> Iterator[int]:
    """From the first to at most the last, doubling where there is no step; nothing where that would never end."""
    value = first
    while value <= last and (step or (step is None and value)):
        yield value
        value += value if step is None else step


def _ranges(value: object) -> tuple[int | Share, ...] | Doubling:
    if isinstance(value, list):
        return _listed(value, _text_only(_amount, "1GiB"))
    match = _SERIES.fullmatch(value) if isinstance(value, str) else None
    if match is None or match["step"]:
        raise UnitError(
            message("unit-no-ranges", text=clipped(str(value))),
            message("unit-write-list-or", example="1GiB..100% doubling"),
        )
    return Doubling(_amount(match["first"]), _amount(match["last"]))


Size = Annotated[int, BeforeValidator(_text_only(_positive_bytes, "128KiB"))]
BlockSize = Annotated[int, BeforeValidator(_text_only(_block_bytes, "128KiB"))]
Duration = Annotated[int, BeforeValidator(_text_only(parse_duration_ns, "15min"))]
RunTime = Annotated[int, BeforeValidator(_text_only(_positive_duration_ns, "30s"))]
ProperShare = Annotated[Share, BeforeValidator(_text_only(_proper_share, "1/60"))]
Amount = Annotated[int | Share, BeforeValidator(_text_only(_amount, "100%"))]
Multiple = Annotated[int, BeforeValidator(_text_only(_multiple, "2x"))]
Rate = Annotated[int, BeforeValidator(_text_only(_rate, "15MiB/s"))]
Percent = Annotated[float, BeforeValidator(_text_only(_percent, "5%"))]
Percentile = Annotated[Share, BeforeValidator(_text_only(_percentile, "99.9%"))]
ReadPercent = Annotated[int, BeforeValidator(_text_only(_read_percent, "70%"))]

Depths = Annotated[tuple[int, ...], BeforeValidator(_series(_depth, _proper_depth, "1..256 doubling", str))]
Sizes = Annotated[
    tuple[int, ...],
    BeforeValidator(_series(_positive_bytes, _text_only(_positive_bytes, "4KiB"), "4KiB..1MiB doubling", _size_text)),
]
ReadPercents = Annotated[
    tuple[int, ...],
    BeforeValidator(_series(_read_percent, _text_only(_read_percent, "70%"), "0%..100% step 10%", "{}%".format)),
]
NamedReadPercents = Annotated[
    tuple[NamedReadPercent, ...],
    BeforeValidator(lambda value: _listed(_as_list(value), _text_only(_named_read_percent, "r70w30"))),
]
Ranges = Annotated[tuple[int | Share, ...] | Doubling, BeforeValidator(_ranges)]
OfferedLoads = Annotated[
    tuple[int, ...], BeforeValidator(lambda value: _listed(_as_list(value), _text_only(_offered_load, "87.5%")))
]
Durations = Annotated[
    tuple[int, ...], BeforeValidator(lambda value: _listed(_as_list(value), _text_only(_positive_duration_ns, "30s")))
]


def _as_list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise UnitError(message("unit-no-list", text=clipped(str(value))), message("unit-write-list"))
    return value
