"""Profiles of desktop benchmarks, reads beside writes, whoever measured them (METHODS C9)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ssdlab.engine.result import Direction
from ssdlab.figure.kit.axis import axis_title
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.grouped_bars import BarLine, BarPlot, GroupedBar, grouped_spec
from ssdlab.figure.kit.model import Cell, Column, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape
from ssdlab.figure.kit.subject import block_words, direction_message
from ssdlab.job import Pattern
from ssdlab.message import Message, commas, message
from ssdlab.units import KIB, MB, MIB, format_mb_per_s, format_mib_per_s

DIRECTIONS = (Direction.READ, Direction.WRITE)


class BandwidthUnit(Enum):
    """What bandwidths are shown in: the unit of the program that says them, so that a figure and its screenshot agree."""

    BINARY = "MiB/s"
    DECIMAL = "MB/s"

    @property
    def in_bytes_per_s(self) -> int:
        """Bytes a second in one of it."""
        return MB if self is BandwidthUnit.DECIMAL else MIB


@dataclass(frozen=True, slots=True)
class LoadProfile:
    """What is done, apart from reading or writing."""

    pattern: Pattern
    block_bytes: int
    queue_depth: int
    jobs: int

    @property
    def label(self) -> str:
        """As the tool calls it: `SEQ 1 MiB Q8T1`."""
        pattern = "SEQ" if self.pattern is Pattern.SEQUENTIAL else "RND"
        return f"{pattern} {block_words(self.block_bytes)} Q{self.queue_depth}T{self.jobs}"

    @property
    def shallow(self) -> bool:
        """One random I/O at a time: so much slower than the rest that it has a figure of its own."""
        return self.pattern is Pattern.RANDOM and self.queue_depth * self.jobs == 1

    @property
    def listed_only(self) -> bool:
        """Sequential in 128 KiB blocks: in the table, but not among the bars (METHODS C9 after the source)."""
        return self.pattern is Pattern.SEQUENTIAL and self.block_bytes == 128 * KIB


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The bandwidths of one drive, or of one at a time when it was so full."""

    label: str
    slot: int
    """Of the drive: place of its colour, from 1."""
    values: Mapping[tuple[LoadProfile, Direction], MetricReading]

    @property
    def rank(self) -> Rank:
        """The first drive is the one under test."""
        return Rank.UNDER_TEST if self.slot == 1 else Rank.COMPARED


@dataclass(frozen=True, slots=True, kw_only=True)
class BarsHeading:
    """What stands around the bars."""

    name: str
    title: str
    subtitle: tuple[str, ...]
    how: str
    """Whole sentences on how it was measured, before what is said of the order."""
    table: Message
    unit: BandwidthUnit


def profile_figures(scores: Sequence[Scores], heading: BarsHeading) -> Iterator[Figure]:
    """All profiles but the shallow one, then that; drives by their sequential read, and by their shallow read."""
    for name, shallow in ((heading.name, False), (f"{heading.name}-qd1", True)):
        shown = [one for one in _profiles(scores) if one.shallow is shallow and not one.listed_only]
        if shown:
            yield _figure(name, scores, shown, heading)


def _profiles(scores: Sequence[Scores]) -> list[LoadProfile]:
    """In the order of the tools: sequential first, large blocks and deep queues first."""
    found = {profile for one in scores for profile, _ in one.values}
    return sorted(found, key=lambda one: (one.pattern is Pattern.RANDOM, -one.block_bytes, -one.queue_depth * one.jobs))


def _figure(name: str, scores: Sequence[Scores], shown: Sequence[LoadProfile], heading: BarsHeading) -> Figure:
    first = (shown[0], Direction.READ)
    ordered = _ordered(scores, first)
    title = heading.title if len(shown) > 1 else f"{heading.title}: {shown[0].label}"
    build = _builder(ordered, shown, title, heading)
    unseen = [one.label for one in _profiles(scores) if one.listed_only] if len(shown) > 1 else []
    more = say(message("figure-in-table-only", profiles=commas(*unseen))) if unseen else ""
    by = say(message("figure-sorted-by-read", profile=first[0].label)) if len(scores) > 1 else ""
    columns = shown if len(shown) == 1 else [one for one in _profiles(scores) if not one.shallow]
    return Figure(
        name=name,
        title=title,
        subtitle=heading.subtitle,
        caption=sentences(heading.how, by, more),
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(ordered, columns, heading),
    )


def _ordered(scores: Sequence[Scores], first: tuple[LoadProfile, Direction]) -> list[Scores]:
    """The fastest drive first; what belongs to one drive stays together."""
    best: dict[int, float] = {}
    for one in scores:
        value = one.values[first].value if first in one.values else 0.0
        best[one.slot] = max(best.get(one.slot, 0.0), value)
    return sorted(scores, key=lambda one: -best[one.slot])


def _builder(
    scores: Sequence[Scores], shown: Sequence[LoadProfile], title: str, heading: BarsHeading
) -> Callable[[PlotShape], dict[str, Any]]:
    lines = _lines(scores, shown, heading.unit)
    axes = {Direction.READ: message("figure-read-bandwidth"), Direction.WRITE: message("figure-write-bandwidth")}
    unit = heading.unit.value
    plots = [BarPlot(one.value, say(direction_message(one)), axis_title(axes[one], unit), 1.0) for one in DIRECTIONS]
    count = len({one.slot for one in scores})
    description = say(message("figure-profiles-described", profiles=len(shown), drives=count))

    def build(shape: PlotShape) -> dict[str, Any]:
        return grouped_spec(lines, plots, shape, title, heading.subtitle, description)

    return build


def _lines(scores: Sequence[Scores], shown: Sequence[LoadProfile], unit: BandwidthUnit) -> list[BarLine]:
    if len(scores) == 1:
        return [_line(scores[0], profile, profile.label, unit) for profile in shown]
    lines: list[BarLine] = []
    for profile in shown:
        if len(shown) > 1:
            lines.append(BarLine(name=profile.label, bold=True, bars={}))
        measured = [one for one in scores if any((profile, direction) in one.values for direction in DIRECTIONS)]
        lines += [_line(one, profile, one.label, unit) for one in measured]
    return lines


def _line(one: Scores, profile: LoadProfile, name: str, unit: BandwidthUnit) -> BarLine:
    return BarLine(
        name=name,
        bold=one.rank is Rank.UNDER_TEST,
        slot=one.slot,
        opacity=one.rank.opacity,
        bars={
            direction.value: GroupedBar(
                value.value / unit.in_bytes_per_s,
                value.marked(_digits(value, unit)),
                f"{one.label}, {_named(profile, direction)}: {value.words_of(f'{_digits(value, unit)} {unit.value}')}",
            )
            for direction in DIRECTIONS
            if (value := one.values.get((profile, direction))) is not None
        },
    )


def _named(profile: LoadProfile, direction: Direction) -> str:
    """`SEQ 1 MiB Q8T1 read`."""
    return say(message("figure-profile-of", profile=profile.label, direction=direction_message(direction)))


def _digits(value: MetricReading, unit: BandwidthUnit) -> str:
    shown = format_mb_per_s if unit is BandwidthUnit.DECIMAL else format_mib_per_s
    return shown(value.value, value.low, value.high)


def _table(scores: Sequence[Scores], shown: Sequence[LoadProfile], heading: BarsHeading) -> FigureTable:
    keys = [(profile, direction) for profile in shown for direction in DIRECTIONS]
    rows: list[tuple[Cell, ...]] = []
    for one in scores:
        cells = [one.values.get(key) for key in keys]
        if any(cells):
            missing = say(message("figure-not-measured"))
            rows.append(
                (one.label, *(missing if cell is None else cell.marked(_digits(cell, heading.unit)) for cell in cells))
            )
    columns = (
        column(message("figure-drive")),
        *(Column(_named(profile, direction), heading.unit.value) for profile, direction in keys),
    )
    return FigureTable(say(heading.table), columns, tuple(rows))
