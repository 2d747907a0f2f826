"""What many like steps come to, so that a run without an end need not keep each of them for ever."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from pydantic import TypeAdapter

from ssdlab.message import Message, message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Extreme:
    """The slowest or fastest of many, and the step that it was in."""

    step: str
    bytes_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTotals:
    """Of one finished step, or of any number of them: counts, sums and extremes are exact however often they are added up."""

    name: str
    """Of the steps, without their number: `sustain.pass`."""
    count: int
    cut_short: int
    """Steps that the operator stopped before their end."""
    moved_bytes: int
    """Written or read; 0 for rests."""
    written_bytes: int
    duration_ns: int
    """Of the I/O, or of the rests."""
    slowest: Extreme | Unknown
    """Step with the lowest mean."""
    fastest: Extreme | Unknown
    slowest_second: Extreme | Unknown
    judged: int
    """Steps long enough to be called flat or not."""
    flat: int
    need_met_percent_min: float | Unknown
    """Least of all: per cent of the time of a step at a speed that was asked for."""
    bad_bytes: int | Unknown
    """Not what was written, of readings."""

    @property
    def found_wrong(self) -> bool:
        """Whether anything is known to be wrong."""
        return not isinstance(self.bad_bytes, Unknown) and self.bad_bytes > 0

    @property
    def told(self) -> Message:
        """How much and how fast."""
        rate = number(self.moved_bytes * NS_PER_S / max(self.duration_ns, 1) / 1e6, ".1f")
        return message("lab-moved-at", count=number(self.moved_bytes, "d"), rate=rate)


TOTALS_ADAPTER = TypeAdapter(tuple[StepTotals, ...])


def added_up(all_totals: Iterable[StepTotals]) -> tuple[StepTotals, ...]:
    """One for each name, in the order in which the names come first."""
    by_name: dict[str, list[StepTotals]] = {}
    for one in all_totals:
        by_name.setdefault(one.name, []).append(one)
    return tuple(reduce(_sum, ones) for ones in by_name.values())


def _sum(one: StepTotals, other: StepTotals) -> StepTotals:
    return StepTotals(
        name=one.name,
        count=one.count + other.count,
        cut_short=one.cut_short + other.cut_short,
        moved_bytes=one.moved_bytes + other.moved_bytes,
        written_bytes=one.written_bytes + other.written_bytes,
        duration_ns=one.duration_ns + other.duration_ns,
        slowest=_slower(one.slowest, other.slowest),
        fastest=_faster(one.fastest, other.fastest),
        slowest_second=_slower(one.slowest_second, other.slowest_second),
        judged=one.judged + other.judged,
        flat=one.flat + other.flat,
        need_met_percent_min=_less(one.need_met_percent_min, other.need_met_percent_min),
        bad_bytes=_both(one.bad_bytes, other.bad_bytes),
    )


def _slower(one: Extreme | Unknown, other: Extreme | Unknown) -> Extreme | Unknown:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return other if isinstance(one, Unknown) else one
    return other if other.bytes_per_s < one.bytes_per_s else one


def _faster(one: Extreme | Unknown, other: Extreme | Unknown) -> Extreme | Unknown:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return other if isinstance(one, Unknown) else one
    return other if other.bytes_per_s > one.bytes_per_s else one


def _less(one: float | Unknown, other: float | Unknown) -> float | Unknown:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return other if isinstance(one, Unknown) else one
    return min(one, other)


def _both(one: int | Unknown, other: int | Unknown) -> int | Unknown:
    """A sum with a part that is not known is not known."""
    if isinstance(one, Unknown):
        return one
    return other if isinstance(other, Unknown) else one + other
