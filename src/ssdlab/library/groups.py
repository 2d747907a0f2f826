"""Values of one metric by drive, and how several runs of one drive are told apart or taken together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.analysis.statistics.standing import REPEATS_WITHIN, Estimate, over_runs
from ssdlab.bundle.metric_key import MetricKey, key_from_text
from ssdlab.library.catalogue import Catalogue, Table
from ssdlab.library.entry import Entry
from ssdlab.unknown import Unknown

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Value:
    """A metric of one run that has a number."""

    entry: Entry
    key: MetricKey
    number: float
    unit: str
    state: str
    low: float | None
    high: float | None
    failed_checks: tuple[str, ...]

    @property
    def is_ranked(self) -> bool:
        """Not where measuring stood still: such a number is not the drive's."""
        return UNINTERRUPTED not in self.failed_checks


@dataclass(frozen=True)
class Group:
    """The same drive with the same firmware in the same host, measured by one method, all within some days of each other."""

    values: tuple[Value, ...]
    """The oldest first; never empty."""

    @property
    def first(self) -> Value:
        """The oldest."""
        return self.values[0]

    @cached_property
    def estimate(self) -> Estimate:
        """What the group says; a ranking has it of all its groups at once."""
        runs = [Estimate(value.number, value.low, value.high) for value in self.values]
        return runs[0] if len(runs) == 1 else over_runs(runs)

    @property
    def median(self) -> float:
        """Of the runs."""
        return self.estimate.value

    @property
    def spread(self) -> tuple[float, float]:
        """Smallest and largest."""
        numbers = [value.number for value in self.values]
        return min(numbers), max(numbers)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval: of one run what it says itself, of several by Student's t over the runs; None where there is none.

        It ends where the values of the metric do: no rate is negative, and no share more than the whole.
        """
        low, high = self.estimate.low, self.estimate.high
        least, most = self.first.key.range
        return None if low is None or high is None else (max(least, low), min(most, high))

    @property
    def days(self) -> str:
        """When it was measured."""
        first, last = self.values[0].entry.day, self.values[-1].entry.day
        return first if first == last else f"{first} to {last}"

    @property
    def failed_checks(self) -> tuple[str, ...]:
        """Checks that failed in any of its runs."""
        return tuple(dict.fromkeys(name for value in self.values for name in value.failed_checks))


def values_of(catalogue: Catalogue, metric: str) -> tuple[Value, ...]:
    """The metric of every run that has a number for it, the oldest run first."""
    query = f"select run, {_NUMBER} from metrics where name = ? and value is not null"  # noqa: S608 - columns of this module
    with catalogue.database(Table.METRICS) as database:
        rows = {row[0]: row[1:] for row in database.execute(query, [metric]).fetchall()}
    return tuple(_value(entry, rows[entry.name]) for entry in catalogue.entries if entry.name in rows)


def interrupted(catalogue: Catalogue, metric: str) -> tuple[Entry, ...]:
    """Runs with a number for the metric that was taken while measuring stood still, the oldest first."""
    query = "select run, failed_checks from metrics where name = ? and value is not null and failed_checks <> ''"
    with catalogue.database(Table.METRICS) as database:
        rows = dict(database.execute(query, [metric]).fetchall())
    return tuple(entry for entry in catalogue.entries if UNINTERRUPTED in _names(rows.get(entry.name, "")))


def values_of_runs(catalogue: Catalogue, entries: Sequence[Entry]) -> dict[str, list[Value]]:
    """Every metric of some runs that has a number, by name; the oldest run first."""
    by_name = {entry.name: entry for entry in entries}
    query = (
        f"select name, run, {_NUMBER} from metrics "  # noqa: S608 - columns of this module
        "where value is not null and list_contains(?, run) order by name"
    )
    found: dict[str, list[Value]] = {}
    with catalogue.database(Table.METRICS) as database:
        for name, run, *rest in database.execute(query, [list(by_name)]).fetchall():
            found.setdefault(name, []).append(_value(by_name[run], rest))
    for values in found.values():
        values.sort(key=lambda value: value.entry.moment)
    return found


_NUMBER = "key, value, unit, state, low, high, failed_checks"


def _value(entry: Entry, row: Sequence[Any]) -> Value:
    key, number, unit, state, low, high, failed_checks = row
    return Value(entry, _key(key), number, unit, state, low, high, _names(failed_checks))


@lru_cache(maxsize=4096)
def _key(text: str) -> MetricKey:
    """Of all runs of a suite it is the same."""
    return key_from_text(text)


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(", ")))


def groups_of(values: Sequence[Value]) -> Iterator[Group]:
    """Take together what repeats one measurement; values in the order of time."""
    by_state: dict[str, list[tuple[Entry, Value]]] = {}
    for value in values:
        by_state.setdefault(value.state, []).append((value.entry, value))
    for of_state in by_state.values():
        yield from (Group(tuple(group)) for group in runs_together(of_state))


def runs_together(runs: Sequence[tuple[Entry, _T]]) -> Iterator[list[_T]]:
    """What repeats one measurement: of one drive, firmware, host and method, each no more than some days after the one before.

    Args:
        runs: In the order of time, and what is to be taken together of them.
    """
    open_groups: dict[object, list[tuple[datetime, _T]]] = {}
    for entry, what in runs:
        key = (entry.drive, entry.firmware, entry.host, entry.method, _apart(entry))
        group, moment = open_groups.setdefault(key, []), entry.moment
        if group and moment - group[-1][0] > REPEATS_WITHIN:
            yield [one for _, one in group]
            group.clear()
        group.append((moment, what))
    yield from ([one for _, one in group] for group in open_groups.values())


def _apart(entry: Entry) -> str:
    """Two drives of one model without serials may be two drives, so their runs are never taken together."""
    return entry.name if isinstance(entry.drive.serial, Unknown) else ""
