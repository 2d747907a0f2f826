"""Several runs of one suite beside each other: which belong together, and the numbers that tell the drives apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf

from ssdlab.analysis.statistics.standing import Estimate, RankOrder, from_best, order
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH_MEAN
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.drives import DrawnRun, drives_of
from ssdlab.figure.kit.readings import MetricReading, readings, speed_reading
from ssdlab.figure.kit.subject import is_virtual
from ssdlab.job import Pattern
from ssdlab.message import Message, commas, listed, message
from ssdlab.point import Aggregate, CoordinateAxis
from ssdlab.report.drive_facts import Shown, told
from ssdlab.report.metric_tables import interval_words, marked
from ssdlab.report.stated.rows import stated_drive_rows
from ssdlab.report.subjects import caveat_words
from ssdlab.report.suite_numbers import SuiteNumber, suite_numbers
from ssdlab.units import MB, format_bytes_decimal, format_quantity_short
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class SummaryCell:
    """A number of one drive."""

    name: str
    """Of the metric; empty where there is none."""
    text: Shown
    """The number; or why there is none."""
    exact: str
    standing: "RowStanding"
    tip: Shown | None = None
    interval: Message | None = None
    """95 %, where the data gives one."""
    decimal: "DecimalSpeed | None" = None
    """Of a speed the same in decimal units; None of everything else."""

    @property
    def standing_words(self) -> Message | None:
        """None of a number that is just behind the best."""
        return _STANDINGS.get(self.standing)


@dataclass(frozen=True, slots=True)
class DecimalSpeed:
    """A speed in millions of bytes a second, of its own value and not of the text in binary units."""

    text: Shown
    interval: Message | None = None


class RowStanding(Enum):
    """Of a number among those of its row."""

    BEST = "best"
    LEVEL = "tied"
    """The best, like others of the row: it cannot be told which of them is better."""
    BEHIND = ""


_STANDINGS = {RowStanding.BEST: message("report-standing-best"), RowStanding.LEVEL: message("report-standing-tied")}


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One number of all drives."""

    label: Message
    cells: tuple[SummaryCell, ...]


@dataclass(frozen=True, slots=True)
class SummaryDrive:
    """A drive as the head of its column."""

    label: Message
    slot: int
    """Place of its colour, from 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The drives and their numbers."""

    drives: tuple[SummaryDrive, ...]
    """The device under test, then the others as they rank."""
    facts: tuple[SummaryRow, ...]
    rows: tuple[SummaryRow, ...]
    warnings: tuple[Message, ...]
    """What a reader must know before comparing."""


def comparable_groups(bundles: Sequence[Bundle]) -> list[tuple[Bundle, ...]]:
    """Runs of one suite, version and profile; single ones are no group."""
    groups: dict[tuple[str, str, str], list[Bundle]] = {}
    for bundle in bundles:
        groups.setdefault(method_of(bundle), []).append(bundle)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def method_of(bundle: Bundle) -> tuple[str, str, str]:
    """What runs have in common that stand beside each other: suite, version, profile."""
    run = bundle.run
    return run.suite.name, run.suite.version, run.profile


def summary(bundles: Sequence[Bundle]) -> Summary:
    """The table of the drives; the first is the device under test."""
    numbers = list(suite_numbers(bundles))
    drives = drives_of(bundles)
    ranking = _ranking(numbers)
    ranked = sorted(drives[1:], key=lambda drive: _from_best(drive, ranking))
    ordered = (drives[0], *ranked)
    rows = [_row(_named(number, ordered), ordered) for number in numbers]
    return Summary(
        drives=tuple(SummaryDrive(told(drive.label), drive.slot) for drive in ordered),
        facts=tuple(_facts(ordered)),
        rows=tuple(row for row in rows if any(cell.name for cell in row.cells)),
        warnings=tuple(_warnings(bundles)),
    )


def _warnings(bundles: Sequence[Bundle]) -> Iterator[Message]:
    if (warning := caveat_words(bundles[0].run)) is not None:
        yield warning
    if len({bundle.run.suite.sha256 for bundle in bundles}) > 1:
        yield message("report-suites-differ")
    if len(engines := dict.fromkeys(bundle.run.engine for bundle in bundles)) > 1:
        yield message("report-engines-differ", engines=commas(*engines))
    if len({is_virtual(bundle.run) for bundle in bundles}) > 1:
        yield message("report-some-are-models")


def _facts(drives: Sequence[DrawnRun]) -> Iterator[SummaryRow]:
    capacities = [format_bytes_decimal(drive.bundle.run.drive.capacity_bytes) for drive in drives]
    yield _texts(message("report-number-capacity"), capacities)
    virtual = [is_virtual(drive.bundle.run) for drive in drives]
    if any(virtual):
        model, real = message("report-kind-model"), message("report-kind-real")
        yield _texts(message("report-number-kind"), [model if is_model else real for is_model in virtual])
    yield from _stated([drive.bundle for drive in drives])
    yield _texts(message("report-number-measured"), [drive.bundle.run.started_at[:10] for drive in drives])


def _stated(bundles: Sequence[Bundle]) -> Iterator[SummaryRow]:
    """What the operator says of any of the drives."""
    by_drive = [dict(stated_drive_rows(bundle)) for bundle in bundles]
    for name in dict.fromkeys(name for rows in by_drive for name in rows):
        yield _texts(name, [rows.get(name, "") for rows in by_drive])


def _texts(label: Message, texts: Sequence[Shown]) -> SummaryRow:
    return SummaryRow(label, tuple(SummaryCell("", text, "", RowStanding.BEHIND) for text in texts))


def _ranking(numbers: Sequence[SuiteNumber]) -> SuiteNumber | None:
    """What orders the drives: the weighted mean, or else the first number."""
    weighted = [number for number in numbers if number.metric.point.value(CoordinateAxis.AGGREGATE) is Aggregate.RANK]
    return next(iter([*reversed(weighted), *numbers]), None)


def _from_best(drive: DrawnRun, number: SuiteNumber | None) -> float:
    """Ascending from the best; drives without the number come last."""
    found = None if number is None else _reading(drive, number)
    return inf if found is None or number is None else from_best(found.value, number.better)


def _reading(drive: DrawnRun, number: SuiteNumber) -> MetricReading | None:
    """None also of a speed past a cache that was not found."""
    if _is_past_no_cache(drive, number):
        return None
    found = readings(drive.bundle).get(number.metric)
    return found if found is None or number.job is None else speed_reading(found, number.job)


def _row(number: SuiteNumber, drives: Sequence[DrawnRun]) -> SummaryRow:
    found = [_reading(drive, number) for drive in drives]
    standings = _standings(number, found)
    return SummaryRow(
        number.label,
        tuple(_cell(*parts) for parts in zip(drives, [number] * len(drives), found, standings, strict=True)),
    )


def _standings(number: SuiteNumber, found: Sequence[MetricReading | None]) -> list[RowStanding]:
    """Of each drive; beside drives that have no such number the largest of the others is no merit."""
    known = [Estimate(one.value, one.low, one.high) for one in found if one is not None]
    if not len(known) == len(found) > 1:
        return [RowStanding.BEHIND] * len(found)
    best = min(known, key=lambda one: from_best(one.value, number.better))
    level = [order(one, best, number.better) is RankOrder.LEVEL for one in known]
    if level.count(True) == 1:
        return [RowStanding.BEST if one else RowStanding.BEHIND for one in level]
    return [RowStanding.LEVEL if one else RowStanding.BEHIND for one in level]


def _named(number: SuiteNumber, drives: Sequence[DrawnRun]) -> SuiteNumber:
    """Of drives none of which has a cache, the mean speed of the pass in place of one past the cache."""
    if not all(_is_past_no_cache(drive, number) for drive in drives):
        return number
    return replace(number, label=message("verdict-speed-of-pass"), metric=_mean_of_pass(number), past=None)


def _mean_of_pass(number: SuiteNumber) -> MetricKey:
    """What stands for a speed past a cache that is not known: the level of most of a pass may be far from its mean."""
    return MetricKey(number.metric.point, BANDWIDTH_MEAN)


def _is_past_no_cache(drive: DrawnRun, number: SuiteNumber) -> bool:
    """Whether no cache was found that the speed could be past."""
    return number.past is not None and readings(drive.bundle).get(number.past) is None


def _cell(drive: DrawnRun, wanted: SuiteNumber, found: MetricReading | None, standing: RowStanding) -> SummaryCell:
    if found is None:
        return _cell_without(drive, wanted)
    metric = next(metric for metric in drive.bundle.metrics if metric.key == wanted.metric)
    unit = metric.unit if wanted.job is None or wanted.job.pattern is Pattern.RANDOM else "B/s"
    return SummaryCell(
        name=wanted.metric.name,
        text=marked(format_quantity_short(found.value, unit, found.low, found.high), found.failed_checks),
        exact=repr(metric.value),
        standing=standing,
        tip=_tip(found, unit),
        interval=_interval(found, unit),
        decimal=_decimal(found) if unit == "B/s" else None,
    )


def _decimal(found: MetricReading) -> DecimalSpeed:
    low, high = (None if end is None else end / MB for end in (found.low, found.high))
    speed = replace(found, value=found.value / MB, low=low, high=high)
    text = format_quantity_short(speed.value, "MB/s", low, high)
    return DecimalSpeed(marked(text, found.failed_checks), _interval(speed, "MB/s"))


def _cell_without(drive: DrawnRun, wanted: SuiteNumber) -> SummaryCell:
    """Why a drive has no such number; where no cache is known, with the mean speed of the pass."""
    speed = readings(drive.bundle).get(_mean_of_pass(wanted))
    if not _is_past_no_cache(drive, wanted) or speed is None:
        return SummaryCell("", _reason(drive, wanted), "", RowStanding.BEHIND)
    # In the same sentence as the other cells, so that both units have their digits from the value.
    decimal = DecimalSpeed(message("report-not-past-cache", speed=_decimal(speed).text))
    return SummaryCell("", message("report-not-past-cache", speed=speed.text), "", RowStanding.BEHIND, decimal=decimal)


def _tip(found: MetricReading, unit: str) -> Message | None:
    """What the cell does not say itself: a size in decimal units, too, and which checks failed."""
    parts: list[Shown] = [found.text] if unit == "B" else []
    if found.failed_checks:
        parts.append(message("report-failed-checks", names=commas(*found.failed_checks)))
    return listed(commas(*parts)) if parts else None


def _interval(found: MetricReading, unit: str) -> Message | None:
    if found.low is None or found.high is None:
        return None
    return interval_words(found.value, unit, found.low, found.high)


def _reason(drive: DrawnRun, wanted: SuiteNumber) -> Message:
    """Why a drive has no such number."""
    for metric in drive.bundle.metrics:
        if metric.key == wanted.metric and isinstance(metric.value, Unknown):
            return metric.value.reason
    return message("report-not-measured")
