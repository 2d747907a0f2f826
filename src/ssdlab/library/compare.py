"""Runs beside each other, number by number: faster, slower, or not to be told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.errors import SsdlabError
from ssdlab.library.collect import entry_of, entry_of_import
from ssdlab.library.entry import Entry, Scale
from ssdlab.library.groups import Better, Group, Value, better, is_detail
from ssdlab.unknown import Unknown

Result = Bundle | ImportedRun


class Word(Enum):
    """Outcome for one number."""

    FASTER = "faster"
    SLOWER = "slower"
    LARGER = "larger"
    SMALLER = "smaller"
    CANNOT_TELL = "cannot tell"
    """The intervals overlap."""
    NO_INTERVAL = "no interval"
    """The numbers differ, and nothing says by how much a repetition would."""
    EQUAL = "equal"


@dataclass(frozen=True, slots=True)
class Cell:
    """One drive's number against that of the first."""

    group: Group
    ratio: float | None
    """To the first drive's; None where that is 0."""
    word: Word


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of all drives."""

    metric: str
    unit: str
    reference: Group
    others: tuple[Cell | None, ...]
    """In the order of the drives; None where one has no such number."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that several drives have in common with the first."""

    drives: tuple[tuple[Entry, ...], ...]
    """The runs of each drive, the first drive's first."""
    rows: tuple[Row, ...]
    cautions: tuple[str, ...]
    """Why the numbers may not be comparable."""


def compare(results: Sequence[Result], pattern: str | None = None) -> Comparison:
    """Compare the metrics of runs with those of the first; several runs of one drive by one method are taken together.

    Args:
        results: At least two, also of other programs: these repeat each other only if they tell their serial.
        pattern: Which metrics, as a shell would match names; without it all but percentiles and errors of means.

    Raises:
        SsdlabError: All runs are of one drive and one host, or nothing is common to them.
    """
    drives = _drives(results)
    if len(drives) < 2:
        raise SsdlabError(
            "all these runs are repetitions on one drive in one host",
            "name a run of another drive, or of another firmware, host or month",
        )
    values = [_values(runs) for runs in drives]
    rows = [row for name in values[0] if _wanted(name, pattern) and (row := _row(name, values)) is not None]
    if not rows:
        which = "metric" if pattern is None else f"metric like `{pattern}`"
        raise SsdlabError(f"the runs have no {which} in common", "`ssdlab show RUN` lists what a run measured")
    entries = tuple(tuple(_entry(result) for result in runs) for runs in drives)
    return Comparison(entries, tuple(rows), tuple(_cautions(entries)))


def _drives(results: Sequence[Result]) -> list[list[Result]]:
    found: dict[object, list[Result]] = {}
    for result in results:
        entry = _entry(result)
        key = (entry.drive, entry.firmware, entry.host, entry.moment.strftime("%Y-%m"), _apart(result))
        found.setdefault(key, []).append(result)
    return list(found.values())


def _entry(result: Result) -> Entry:
    """The run or the result; how full the drive of a result was belongs to its name here."""
    if isinstance(result, Bundle):
        return entry_of(result.path.name, result)
    entry, fill = entry_of_import(result.path.name, result), result.info.drive.fill_percent
    if isinstance(fill, Unknown):
        return entry
    return replace(entry, drive=replace(entry.drive, model=f"{entry.drive.model}, {fill:g} % full"))


def _apart(result: Result) -> str:
    """Keeps results of other programs apart that tell no serial."""
    told = isinstance(result, Bundle) or isinstance(result.info.drive.serial, str)
    return "" if told else result.path.name


def _values(runs: Sequence[Result]) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for result in runs:
        entry = _entry(result)
        for metric in result.metrics:
            if (value := _value(entry, metric)) is not None:
                found.setdefault(metric.name, []).append(value)
    return found


def _value(entry: Entry, metric: Metric) -> Value | None:
    if not isinstance(metric.value, int | float) or isinstance(metric.value, bool):
        return None
    checks = ", ".join(metric.failed_checks)
    return Value(entry, float(metric.value), metric.unit, metric.state.value, metric.low, metric.high, checks)


def _wanted(name: str, pattern: str | None) -> bool:
    return not is_detail(name) if pattern is None else fnmatchcase(name, pattern)


def _row(name: str, values: Sequence[dict[str, list[Value]]]) -> Row | None:
    if not any(name in one for one in values[1:]):
        return None
    reference = Group(tuple(values[0][name]))
    others = tuple(_cell(name, reference, Group(tuple(one[name]))) if name in one else None for one in values[1:])
    return Row(name, reference.first.unit, reference, others)


def _cell(name: str, reference: Group, group: Group) -> Cell:
    ratio = group.median / reference.median if reference.median else None
    return Cell(group, ratio, _word(name, reference, group))


def _word(name: str, reference: Group, group: Group) -> Word:
    ours, theirs = reference.interval, group.interval
    if reference.median == group.median and ours == theirs:
        return Word.EQUAL
    if ours is None or theirs is None:
        return Word.NO_INTERVAL
    if theirs[0] <= ours[1] and ours[0] <= theirs[1]:
        return Word.CANNOT_TELL
    more = group.median > reference.median
    unit = reference.first.unit
    if unit == "B":
        return Word.LARGER if more else Word.SMALLER
    return Word.FASTER if more == (better(name, unit) is Better.HIGHER) else Word.SLOWER


def _cautions(drives: Sequence[Sequence[Entry]]) -> Iterator[str]:
    first = drives[0][0]
    for runs in drives:
        for entry in runs:
            if entry.method != first.method:
                yield (
                    f"{entry.drive.model} was measured with {_method(entry)}, {first.drive.model} with {_method(first)}: "
                    "not the same method"
                )
            if entry.nature is not first.nature:
                yield f"{entry.drive.model} is {entry.nature.value}, {first.drive.model} is {first.nature.value}"
            if entry.checks_failed:
                yield f"{entry.drive.model}: {entry.checks_failed} failed checks in {entry.name}"
    profiles = sorted({entry.method.profile for runs in drives for entry in runs if entry.scale is Scale.SCALED})
    if profiles:
        yield f"{', '.join(profiles)} profile: not comparable with published numbers"


def _method(entry: Entry) -> str:
    method = entry.method
    return f"{method.suite} {method.version} ({method.sha256[:8]}), profile {method.profile}, {method.engine}"
