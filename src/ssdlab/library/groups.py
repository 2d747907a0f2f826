"""Values of one metric by drive, and how several runs of one drive are told apart or taken together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from math import sqrt
from statistics import mean, median, stdev

from ssdlab.library.catalogue import Catalogue
from ssdlab.library.entry import Entry
from ssdlab.unknown import Unknown

REPEATS_WITHIN = timedelta(days=7)
"""Runs of one drive that follow each other within a week are repetitions; what comes later shows how the drive ages."""


class Better(Enum):
    """Which end of a metric is good."""

    HIGHER = "higher is better"
    LOWER = "lower is better"


def better(name: str, unit: str) -> Better:
    """Which end of it is good: times, errors of the mean and bad bytes are better low, all else high."""
    last = name.rpartition(".")[2]
    low = unit in {"ns", "s"} or last in {"rse", "bad_bytes", "write_amplification"}
    return Better.LOWER if low else Better.HIGHER


_DETAIL = re.compile(r"\.(clat|lat)_p[\d_]+$|\.rse$|\.(first_at_bytes|steady_at_bytes|steady_after)\.")


def is_detail(name: str) -> bool:
    """Whether it is left out unless asked for: there are dozens of percentiles a point."""
    return _DETAIL.search(name) is not None


@dataclass(frozen=True, slots=True)
class Value:
    """A metric of one run that has a number."""

    entry: Entry
    number: float
    unit: str
    state: str
    low: float | None
    high: float | None
    failed_checks: str
    """Names of the checks that failed, with commas; empty where none did."""


@dataclass(frozen=True, slots=True)
class Group:
    """The same drive with the same firmware in the same host, measured by one method, all within some days of each other."""

    values: tuple[Value, ...]
    """The oldest first; never empty."""

    @property
    def first(self) -> Value:
        """The oldest."""
        return self.values[0]

    @property
    def median(self) -> float:
        """What the group ranks by."""
        return median(value.number for value in self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """Smallest and largest."""
        numbers = [value.number for value in self.values]
        return min(numbers), max(numbers)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval: of one run what it says itself, of several by Student's t over the runs; None where there is none."""
        if len(self.values) == 1:
            low, high = self.first.low, self.first.high
            return None if low is None or high is None else (low, high)
        from ssdlab.analysis.interval import student_t

        numbers = [value.number for value in self.values]
        reach = student_t(len(numbers) - 1) * stdev(numbers) / sqrt(len(numbers))
        return mean(numbers) - reach, mean(numbers) + reach

    @property
    def days(self) -> str:
        """When it was measured."""
        first, last = self.values[0].entry.day, self.values[-1].entry.day
        return first if first == last else f"{first} to {last}"

    @property
    def failed_checks(self) -> str:
        """Checks that failed in any of its runs."""
        names = [name for value in self.values for name in value.failed_checks.split(", ") if name]
        return ", ".join(dict.fromkeys(names))


def values_of(catalogue: Catalogue, metric: str) -> tuple[Value, ...]:
    """The metric of every run that has a number for it, the oldest run first."""
    query = "select run, value, unit, state, low, high, failed_checks from metrics where name = ? and value is not null"
    with catalogue.database() as database:
        rows = {row[0]: row[1:] for row in database.execute(query, [metric]).fetchall()}
    return tuple(Value(entry, *rows[entry.name]) for entry in catalogue.entries if entry.name in rows)


def values_of_runs(catalogue: Catalogue, entries: Sequence[Entry]) -> dict[str, list[Value]]:
    """Every metric of some runs that has a number, by name; the oldest run first."""
    by_name = {entry.name: entry for entry in entries}
    query = (
        "select name, run, value, unit, state, low, high, failed_checks from metrics "
        "where value is not null and list_contains(?, run) order by name"
    )
    found: dict[str, list[Value]] = {}
    with catalogue.database() as database:
        for name, run, *rest in database.execute(query, [list(by_name)]).fetchall():
            found.setdefault(name, []).append(Value(by_name[run], *rest))
    for values in found.values():
        values.sort(key=lambda value: value.entry.moment)
    return found


def groups_of(values: Sequence[Value]) -> Iterator[Group]:
    """Take together what repeats one measurement; values in the order of time."""
    open_groups: dict[object, list[Value]] = {}
    for value in values:
        entry = value.entry
        key = (entry.drive, entry.firmware, entry.host, entry.method, value.state, _apart(entry))
        group = open_groups.setdefault(key, [])
        if group and entry.moment - group[-1].entry.moment > REPEATS_WITHIN:
            yield Group(tuple(group))
            open_groups[key] = group = []
        group.append(value)
    yield from (Group(tuple(group)) for group in open_groups.values())


def _apart(entry: Entry) -> str:
    """Two drives of one model without serials may be two drives, so their runs are never taken together."""
    return entry.name if isinstance(entry.drive.serial, Unknown) else ""
