"""Profiles of desktop benchmarks, reads beside writes, whoever measured them (METHODS C9)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.engine.result import Direction
from ssdlab.figure.drives import Rank
from ssdlab.figure.grouped_bars import Bar, Line, Plot, grouped_spec
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.readings import Reading
from ssdlab.figure.style import NARROW, WIDE, Shape
from ssdlab.figure.subject import block_words
from ssdlab.job import Pattern
from ssdlab.units import KIB, MIB

DIRECTIONS = (Direction.READ, Direction.WRITE)


@dataclass(frozen=True, slots=True)
class Profile:
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
    values: Mapping[tuple[Profile, Direction], Reading]

    @property
    def rank(self) -> Rank:
        """The first drive is the one under test."""
        return Rank.UNDER_TEST if self.slot == 1 else Rank.COMPARED


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What stands around the bars."""

    name: str
    title: str
    subtitle: tuple[str, ...]
    how: str
    """Whole sentences on how it was measured, before what is said of the order."""
    table: str


def profile_figures(scores: Sequence[Scores], heading: Heading) -> Iterator[Figure]:
    """All profiles but the shallow one, then that; drives by their sequential read, and by their shallow read."""
    for name, shallow in ((heading.name, False), (f"{heading.name}-qd1", True)):
        shown = [one for one in _profiles(scores) if one.shallow is shallow and not one.listed_only]
        if shown:
            yield _figure(name, scores, shown, heading)


def _profiles(scores: Sequence[Scores]) -> list[Profile]:
    """In the order of the tools: sequential first, large blocks and deep queues first."""
    found = {profile for one in scores for profile, _ in one.values}
    return sorted(found, key=lambda one: (one.pattern is Pattern.RANDOM, -one.block_bytes, -one.queue_depth * one.jobs))


def _figure(name: str, scores: Sequence[Scores], shown: Sequence[Profile], heading: Heading) -> Figure:
    first = (shown[0], Direction.READ)
    ordered = _ordered(scores, first)
    title = heading.title if len(shown) > 1 else f"{heading.title}: {shown[0].label}"
    build = _builder(ordered, shown, title, heading.subtitle)
    listed = ", ".join(one.label for one in _profiles(scores) if one.listed_only)
    more = f" {listed} is in the table only." if listed and len(shown) > 1 else ""
    by = f" Sorted by {first[0].label} read." if len(scores) > 1 else ""
    columns = shown if len(shown) == 1 else [one for one in _profiles(scores) if not one.shallow]
    return Figure(
        name=name,
        title=title,
        subtitle=heading.subtitle,
        caption=f"{heading.how}{by}{more}",
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(ordered, columns, heading.table),
    )


def _ordered(scores: Sequence[Scores], first: tuple[Profile, Direction]) -> list[Scores]:
    """The fastest drive first; what belongs to one drive stays together."""
    best: dict[int, float] = {}
    for one in scores:
        value = one.values[first].value if first in one.values else 0.0
        best[one.slot] = max(best.get(one.slot, 0.0), value)
    return sorted(scores, key=lambda one: -best[one.slot])


def _builder(
    scores: Sequence[Scores], shown: Sequence[Profile], title: str, subtitle: tuple[str, ...]
) -> Callable[[Shape], dict[str, Any]]:
    lines = _lines(scores, shown)
    plots = [Plot(one.value, f"{one.value} bandwidth (MiB/s)", 1.0) for one in DIRECTIONS]
    count = len({one.slot for one in scores})
    description = f"Bar charts: read and write bandwidth of {len(shown)} profiles, {count} drives"

    def build(shape: Shape) -> dict[str, Any]:
        return grouped_spec(lines, plots, shape, title, subtitle, description)

    return build


def _lines(scores: Sequence[Scores], shown: Sequence[Profile]) -> list[Line]:
    if len(scores) == 1:
        return [_line(scores[0], profile, profile.label) for profile in shown]
    lines: list[Line] = []
    for profile in shown:
        if len(shown) > 1:
            lines.append(Line(name=profile.label, bold=True, bars={}))
        measured = [one for one in scores if any((profile, direction) in one.values for direction in DIRECTIONS)]
        lines += [_line(one, profile, one.label) for one in measured]
    return lines


def _line(one: Scores, profile: Profile, name: str) -> Line:
    return Line(
        name=name,
        bold=one.rank is Rank.UNDER_TEST,
        slot=one.slot,
        opacity=1.0 if one.rank is Rank.UNDER_TEST else 0.62,
        bars={
            direction.value: Bar(
                value.value / MIB, _text(value), f"{one.label}, {profile.label} {direction.value}: {value.words}"
            )
            for direction in DIRECTIONS
            if (value := one.values.get((profile, direction))) is not None
        },
    )


def _text(value: Reading) -> str:
    return value.marked_text.replace(" MiB/s", "")


def _table(scores: Sequence[Scores], shown: Sequence[Profile], caption: str) -> Table:
    keys = [(profile, direction) for profile in shown for direction in DIRECTIONS]
    rows: list[tuple[Cell, ...]] = []
    for one in scores:
        cells = [one.values.get(key) for key in keys]
        if any(cells):
            rows.append((one.label, *("not measured" if cell is None else _text(cell) for cell in cells)))
    columns = (
        Column("drive", ""),
        *(Column(f"{profile.label} {direction.value}", "MiB/s") for profile, direction in keys),
    )
    return Table(caption, columns, tuple(rows))
