"""Runs beside each other, number by number: faster, slower, or level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase
from math import isfinite

from ssdlab.analysis.statistics.standing import RankOrder, differ_in_practice, from_best, order
from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import Better
from ssdlab.bundle.read import Bundle
from ssdlab.errors import SsdlabError
from ssdlab.library.collect import entry_of, entry_of_import
from ssdlab.library.entry import Comparability, Entry
from ssdlab.library.groups import Group, Value, runs_together
from ssdlab.message import Message, commas, message
from ssdlab.unknown import Unknown

Result = Bundle | ImportedRun


class Word(Enum):
    """Outcome for one number."""

    FASTER = "faster"
    SLOWER = "slower"
    BETTER = "better"
    WORSE = "worse"
    LARGER = "larger"
    SMALLER = "smaller"
    LEVEL = "level"
    """The numbers differ too little to matter, and they have no intervals or these overlap."""
    ALIKE = "alike"
    """The intervals do not overlap, but the numbers differ too little to matter."""
    UNTOLD = "untold"
    """The numbers differ by more than that, but their intervals overlap: neither a difference nor none."""
    EXCLUDED = "excluded"
    """Measuring stood still while one of the numbers was taken: as in rankings, it says nothing of the drives."""

    @property
    def is_difference(self) -> bool:
        """Whether the drives differ, and so much that it matters."""
        return self not in {Word.LEVEL, Word.ALIKE, Word.UNTOLD, Word.EXCLUDED}


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One drive's number against that of the first."""

    group: Group
    ratio: float | None
    """To the first drive's; None where that is 0."""
    word: Word


@dataclass(frozen=True, slots=True)
class ComparedMetric:
    """One metric of all drives."""

    metric: str
    unit: str
    reference: Group
    others: tuple[ComparedValue | None, ...]
    """In the order of the drives; None where one has no such number."""

    @property
    def words(self) -> tuple[Word, ...]:
        """Of the drives that have such a number."""
        return tuple(cell.word for cell in self.others if cell is not None)

    @property
    def differs(self) -> bool:
        """Whether any drive differs from the first."""
        return any(word.is_difference for word in self.words)

    @property
    def farthest(self) -> float:
        """How many times as large or as small as the first drive's the most different number is, of those that differ; 1 where none does.

        A number that is 0 is no multiple of another.
        """
        ratios = [cell.ratio for cell in self.others if cell is not None and cell.word.is_difference]
        return max((max(abs(ratio), 1 / abs(ratio)) for ratio in ratios if ratio), default=1.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that several drives have in common with the first."""

    drives: tuple[tuple[Entry, ...], ...]
    """The runs of each drive, the first drive's first."""
    rows: tuple[ComparedMetric, ...]
    """Those that differ most first."""
    unmatched: int
    """How many numbers the first drive has alone, or lacks."""
    cautions: tuple[Message, ...]
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
            message("library-compare-repetitions"),
            message("library-compare-other"),
        )
    values = [_values(runs) for runs in drives]
    wanted = list(dict.fromkeys(name for drive in values for name in drive if _wanted(drive[name], pattern)))
    rows = [row for name in wanted if (row := _row(name, values)) is not None]
    if not rows:
        found = (
            message("library-compare-nothing")
            if pattern is None
            else message("library-compare-nothing-like", pattern=pattern)
        )
        raise SsdlabError(found, message("library-show-lists"))
    entries = tuple(tuple(_entry(result) for result in runs) for runs in drives)
    rows.sort(key=lambda row: (not row.differs, -row.farthest))
    return Comparison(entries, tuple(rows), len(wanted) - len(rows), tuple(_cautions(entries)))


def _drives(results: Sequence[Result]) -> list[list[Result]]:
    """What repeats one measurement, by the rule of rankings; in the order in which they were named."""
    in_time = sorted(results, key=lambda result: _entry(result).moment)
    # Directories of two labs may have one name, which here keeps drives without a serial apart.
    groups = runs_together([(replace(_entry(result), name=str(result.path)), result) for result in in_time])
    return sorted(groups, key=lambda group: min(map(results.index, group)))


def _entry(result: Result) -> Entry:
    """The run or the result; how full the drive of a result was belongs to its name here."""
    if isinstance(result, Bundle):
        return entry_of(result.path.name, result)
    entry, fill = entry_of_import(result.path.name, result), result.info.drive.fill_percent
    if isinstance(fill, Unknown):
        return entry
    return replace(entry, drive=replace(entry.drive, model=f"{entry.drive.model}, {fill:g} % full"))


def _values(runs: Sequence[Result]) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for result in runs:
        entry = _entry(result)
        for metric in result.metrics:
            if (value := value_of(entry, metric)) is not None:
                found.setdefault(metric.name, []).append(value)
    return found


def value_of(entry: Entry, metric: Metric) -> Value | None:
    """A metric of a run; None where it is no finite number."""
    if not isinstance(metric.value, int | float) or isinstance(metric.value, bool):
        return None
    number = float(metric.value)
    if not isfinite(number):
        return None
    return Value(
        entry, metric.key, number, metric.unit, metric.state.value, metric.low, metric.high, metric.failed_checks
    )


def _wanted(values: Sequence[Value], pattern: str | None) -> bool:
    key = values[0].key
    return not key.is_detail if pattern is None else fnmatchcase(key.name, pattern)


def _row(name: str, values: Sequence[dict[str, list[Value]]]) -> ComparedMetric | None:
    if name not in values[0] or not any(name in drive for drive in values[1:]):
        return None
    reference = _group(values[0][name])
    others = tuple(_cell(reference, _group(drive[name])) if name in drive else None for drive in values[1:])
    return ComparedMetric(name, reference.first.unit, reference, others)


def _group(values: Sequence[Value]) -> Group:
    """Without what rankings leave out, unless nothing else was measured."""
    return Group(tuple(value for value in values if value.is_ranked) or tuple(values))


def _cell(reference: Group, group: Group) -> ComparedValue:
    ratio = group.median / reference.median if reference.median else None
    return ComparedValue(group, ratio, _word(reference, group))


_OF_SPEED = {"B/s", "1/s", "ns", "s"}
"""Units of what is fast or slow."""


def _word(reference: Group, group: Group) -> Word:
    if not (reference.first.is_ranked and group.first.is_ranked):
        return Word.EXCLUDED
    unit, key = reference.first.unit, reference.first.key
    better = key.better(unit)
    is_tied = order(group.estimate, reference.estimate, better) is RankOrder.LEVEL
    if not differ_in_practice(group.median, reference.median):
        return Word.LEVEL if is_tied else Word.ALIKE
    if is_tied:
        return Word.UNTOLD
    return _difference(group.median, reference.median, unit, better)


def _difference(own: float, first: float, unit: str, better: Better) -> Word:
    if unit == "B":
        return Word.LARGER if own > first else Word.SMALLER
    is_ahead = from_best(own, better) < from_best(first, better)
    if unit in _OF_SPEED and better is not Better.NEAR_ZERO:
        return Word.FASTER if is_ahead else Word.SLOWER
    return Word.BETTER if is_ahead else Word.WORSE


def _cautions(drives: Sequence[Sequence[Entry]]) -> Iterator[Message]:
    first = drives[0][0]
    for runs in drives:
        for entry in runs:
            if entry.method != first.method:
                yield message(
                    "library-other-method",
                    model=entry.drive.model,
                    method=_method(entry),
                    first=first.drive.model,
                    other=_method(first),
                )
            if entry.nature is not first.nature:
                yield message(
                    "library-other-nature", model=entry.drive.model, nature=entry.nature.value, first=first.drive.model
                )
            if entry.checks_failed:
                yield message(
                    "library-failed-checks", model=entry.drive.model, count=entry.checks_failed, run=entry.name
                )
    profiles = sorted(
        {entry.method.profile for runs in drives for entry in runs if entry.scale is Comparability.SCALED}
    )
    if profiles:
        yield message("library-scaled-profile", profiles=commas(*profiles))


def _method(entry: Entry) -> str:
    method = entry.method
    return f"{method.suite} {method.version} ({method.sha256[:8]}), profile {method.profile}, {method.engine}"
