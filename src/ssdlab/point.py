"""Points: where in a run something is measured, as a step and its coordinates; the words for them in names are made here alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ssdlab.job import Pattern
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS, NS_PER_S, NS_PER_US

_WHOLE_GIB_FROM = 64 * GIB


class CoordinateAxis(Enum):
    """What a coordinate says; the values are those in the JSON of bundles."""

    LABEL = "label"
    """Name of a job of the suite's step, or a word of another program."""
    NAMED_READ_PERCENT = "mix"
    """Per cent of reads where reads, writes and mixtures are named: `read`, `r70w30`."""
    BLOCK = "block_bytes"
    QUEUE_DEPTH = "queue_depth"
    READ_PERCENT = "read_percent"
    RANGE = "range_bytes"
    """Size of an active range; of large ones only the whole GiB."""
    REST = "rest_ns"
    """How long the drive was left alone before."""
    PASS = "pass"  # noqa: S105 - no password
    """Number of a pass of writing, from 1."""
    READING = "reading"
    """Number of a reading back, from 1."""
    STAGE = "stage"
    """What a candidate of a search is asked for."""
    JOBS = "jobs"
    RUN = "run"
    """Number of a run of one candidate, from 1."""
    AGGREGATE = "aggregate"
    """What several points say together."""
    PROFILE = "profile"
    """A load of a desktop benchmark."""
    OFFERED = "offered_load"
    """Rate at which I/Os come, in hundredths of a per cent of what the drive does at most."""
    LIMIT = "limit_ns"
    """Of a latency."""
    ROUND = "round"
    """Number of a round of measurements, from 1."""


class Aggregate(Enum):
    """What several points say together."""

    WEIGHTED = "weighted"
    RANK = "rank"
    READINGS = "verify"
    """All readings back."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a desktop benchmark does, apart from reading or writing."""

    pattern: Pattern
    block_bytes: int
    queue_depth: int
    jobs: int


@dataclass(frozen=True, slots=True, eq=False)
class Coordinate:
    """Where a point lies on one axis.

    Two with one word are the same: a bundle up to schema 4 does not tell whether `read` is a mix or the name of a job.
    """

    axis: CoordinateAxis
    value: int | str | Aggregate | Load

    def __post_init__(self) -> None:
        """JSON has an aggregate as text."""
        if self.axis is CoordinateAxis.AGGREGATE:
            object.__setattr__(self, "value", Aggregate(self.value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coordinate) and self.word == other.word

    def __hash__(self) -> int:
        return hash(self.word)

    @property
    def word(self) -> str:
        """In names: `q4`, `r30`, `4KiB`."""
        return _WORDS[self.axis](self.value)


@dataclass(frozen=True, slots=True)
class Point:
    """Where something is measured: a step and, in the order of the name, the coordinates in it."""

    step: str
    """First word of the name: that of the suite's step."""
    coordinates: tuple[Coordinate, ...] = ()

    @property
    def name(self) -> str:
        """`rw_ratio.rnd.q4.r30`."""
        return ".".join((self.step, *(coordinate.word for coordinate in self.coordinates)))

    @property
    def words(self) -> str:
        """The name without that of the step."""
        return ".".join(coordinate.word for coordinate in self.coordinates)

    def value(self, axis: CoordinateAxis) -> int | str | Aggregate | Load | None:
        """Its first coordinate on that axis; None where it has none."""
        return next((one.value for one in self.coordinates if one.axis is axis), None)

    def holds(self, other: "Point") -> bool:
        """Whether another point has all its coordinates and perhaps more, in the same order."""
        return self.step == other.step and self.coordinates == other.coordinates[: len(self.coordinates)]

    def at(self, axis: CoordinateAxis, value: int | str | Aggregate | Load) -> "Point":
        """The point with one coordinate more."""
        return Point(self.step, (*self.coordinates, Coordinate(axis, value)))


def job_point(step: str, label: str) -> Point:
    """What all points of one job of a step have in common: a step's only job has no name."""
    return Point(step).at(CoordinateAxis.LABEL, label) if label else Point(step)


def weighted_point(of_job: Point, read_percent: int) -> Point:
    """Of all queue depths of a job at a share of reads."""
    return of_job.at(CoordinateAxis.AGGREGATE, Aggregate.WEIGHTED).at(CoordinateAxis.READ_PERCENT, read_percent)


def labelled(step: str, *labels: str) -> Point:
    """A point of another program, in its own words."""
    return Point(step, tuple(Coordinate(CoordinateAxis.LABEL, label) for label in labels))


def named_range_bytes(size_bytes: int) -> int:
    """The size an active range is called by: a drive of 931.5 GiB gives `931GiB`."""
    return size_bytes // GIB * GIB if size_bytes >= _WHOLE_GIB_FROM else size_bytes


def _named_read_percent_word(percent: int) -> str:
    return {100: "read", 0: "write"}.get(percent, f"r{percent}w{100 - percent}")


def _size_word(size_bytes: int) -> str:
    """In the largest unit that says it exactly: `4KiB`, `512B`."""
    for unit, factor in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size_bytes and size_bytes % factor == 0:
            return f"{size_bytes // factor}{unit}"
    return f"{size_bytes}B"


def _rest_word(rest_ns: int) -> str:
    seconds, rest = divmod(rest_ns, NS_PER_S)
    return f"t{rest_ns // NS_PER_MS}ms" if rest else f"t{seconds}"


def _offered_word(load: int) -> str:
    return f"load{load / 100:g}".replace(".", "_")


def _limit_word(limit_ns: int) -> str:
    """In the largest unit that says it exactly: `limit200us`."""
    for unit, factor in (("s", NS_PER_S), ("ms", NS_PER_MS), ("us", NS_PER_US)):
        if limit_ns and limit_ns % factor == 0:
            return f"limit{limit_ns // factor}{unit}"
    return f"limit{limit_ns}ns"


def _load_word(load: Load) -> str:
    pattern = "seq" if load.pattern is Pattern.SEQUENTIAL else "rnd"
    size = f"{load.block_bytes // MIB}m" if load.block_bytes % MIB == 0 else f"{load.block_bytes // KIB}k"
    return f"{pattern}{size}_q{load.queue_depth}t{load.jobs}"


_WORDS: Mapping[CoordinateAxis, Callable[[Any], str]] = {
    CoordinateAxis.LABEL: str,
    CoordinateAxis.NAMED_READ_PERCENT: _named_read_percent_word,
    CoordinateAxis.BLOCK: lambda size_bytes: f"b{_size_word(size_bytes)}",
    CoordinateAxis.QUEUE_DEPTH: lambda depth: f"q{depth}",
    CoordinateAxis.READ_PERCENT: lambda percent: f"r{percent}",
    CoordinateAxis.RANGE: _size_word,
    CoordinateAxis.REST: _rest_word,
    CoordinateAxis.PASS: lambda number: f"pass{number}",
    CoordinateAxis.READING: lambda number: f"verify{number}",
    CoordinateAxis.STAGE: str,
    CoordinateAxis.JOBS: lambda jobs: f"n{jobs}",
    CoordinateAxis.RUN: lambda number: f"run{number}",
    CoordinateAxis.AGGREGATE: lambda aggregate: aggregate.value,
    CoordinateAxis.PROFILE: _load_word,
    CoordinateAxis.OFFERED: _offered_word,
    CoordinateAxis.LIMIT: _limit_word,
    CoordinateAxis.ROUND: lambda number: f"round{number}",
}
