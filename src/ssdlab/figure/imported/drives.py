"""Drives that another program measured: their names in a figure, and one or two numbers each (METHODS C9)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.infer.fill_level import DIFFERENCE_MAX, FillLevel, differ, fill_level
from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.figure.kit.direction import apart, plain
from ssdlab.figure.kit.readings import MetricReading, readings_of
from ssdlab.figure.kit.say import listed, say
from ssdlab.message import Message, message, number, semicolons
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """One drive by one program: a result, or that of the empty drive and that of the drive three quarters full."""

    label: str
    """Unique in the figure."""
    slot: int
    """Place of its colour, from 1."""
    runs: tuple[ImportedRun, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ImportedValues:
    """Numbers of one drive that stand under one name."""

    label: str
    slot: int
    numbers: Mapping[MetricKey, MetricReading]
    """By metric."""


def import_name(run: ImportedRun) -> str:
    """The drive's model; where nobody said it, the file's name."""
    model = run.info.drive.model
    named = "" if isinstance(model, Unknown) else " ".join(plain(model).split())
    return apart(named) if named else say(message("figure-unknown-drive", file=run.info.originals[0].name))


def tested(runs: Sequence[ImportedRun]) -> tuple[Tested, ...]:
    """The drives of one program's results, in the order given; names that would be shared get what tells them apart."""
    groups = _pairs(runs)
    names = [_unpaired_name(group) for group in groups]
    found: list[Tested] = []
    shared: list[str] = []
    for slot, (group, name) in enumerate(zip(groups, names, strict=True), 1):
        label = name if names.count(name) == 1 else listed((name, _day(group[0])))
        copies = shared.count(label)
        shared.append(label)
        numbered = say(message("figure-drive-result", drive=label, result=copies + 1)) if copies else label
        found.append(Tested(numbered, slot, group))
    return tuple(found)


def _pairs(runs: Sequence[ImportedRun]) -> list[tuple[ImportedRun, ...]]:
    """Results of one drive by one method at both fill levels are one; all others stand alone."""
    groups: list[tuple[ImportedRun, ...]] = []
    for run in runs:
        at = next((at for at, group in enumerate(groups) if len(group) == 1 and _complete(group[0], run)), None)
        if at is None:
            groups.append((run,))
        else:
            empty_first = _level(run) is FillLevel.THREE_QUARTERS
            groups[at] = (groups[at][0], run) if empty_first else (run, groups[at][0])
    return groups


def _complete(one: ImportedRun, other: ImportedRun) -> bool:
    ours, theirs = one.info, other.info
    same = (ours.drive.model, ours.drive.serial, ours.drive.firmware, ours.program_version, ours.method) == (
        theirs.drive.model, theirs.drive.serial, theirs.drive.firmware, theirs.program_version, theirs.method,
    )  # fmt: skip
    known = isinstance(ours.drive.model, str)
    return same and known and {_level(one), _level(other)} == set(FillLevel)


def _level(run: ImportedRun) -> FillLevel | Unknown:
    return fill_level(run.info.drive.fill_percent)


def _unpaired_name(group: tuple[ImportedRun, ...]) -> str:
    """A result alone says how full its drive was, where it is known not to be empty."""
    name, fill = import_name(group[0]), group[0].info.drive.fill_percent
    alone = len(group) == 1 and not isinstance(fill, Unknown) and _level(group[0]) is not FillLevel.EMPTY
    if alone and not isinstance(fill, Unknown):
        return say(message("figure-drive-full", drive=name, percent=number(fill, "g")))
    return name


def _day(run: ImportedRun) -> str:
    day = run.info.measured_at
    return day[:10] if isinstance(day, str) else say(message("figure-day-unknown"))


def shown(one: Tested, together: Iterable[Sequence[MetricKey]]) -> list[ImportedValues]:
    """Its numbers by what they stand under: the drive, or the drive at both fill levels where these differ.

    Args:
        one: The drive.
        together: Metrics that are shown both or once together, such as the read and the write of a profile.
    """
    every = [readings_of(run.metrics) for run in one.runs]
    labels = (one.label, *(listed((one.label, say(_level_message(level)))) for level in FillLevel))
    found: dict[str, dict[MetricKey, MetricReading]] = {label: {} for label in labels}
    for names in together:
        kept = [{name: known[name] for name in names if name in known} for known in every]
        if len(kept) == 1:
            found[one.label] |= kept[0]
        elif _agree(*kept):
            found[one.label] |= {
                name: max((half[name] for half in kept), key=lambda reading: reading.value) for name in kept[0]
            }
        else:
            for label, half in zip(labels[1:], kept, strict=True):
                found[label] |= half
    return [ImportedValues(label, one.slot, numbers) for label, numbers in found.items() if numbers]


def _level_message(level: FillLevel) -> Message:
    match level:
        case FillLevel.EMPTY:
            return message("figure-level-empty")
        case FillLevel.THREE_QUARTERS:
            return message("figure-level-three-quarters")


def _agree(empty: Mapping[MetricKey, MetricReading], three_quarters: Mapping[MetricKey, MetricReading]) -> bool:
    return empty.keys() == three_quarters.keys() and not any(
        differ(empty[name].value, three_quarters[name].value) for name in empty
    )


def fill_words(drives: Sequence[Tested]) -> str:
    """What a caption says of drives measured at both fill levels; empty where there is none."""
    if all(len(one.runs) == 1 for one in drives):
        return ""
    return say(message("figure-only-larger-shown", percent=number(100 * DIFFERENCE_MAX, "g")))


def import_subtitle(drives: Sequence[Tested], fio_count: int = 0) -> tuple[str, ...]:
    """Program, versions and methods; on a line of its own that methods differ, where they do.

    Args:
        drives: As the program measured them.
        fio_count: Drives that ssdlab measured through fio, drawn beside them.
    """
    runs = [run for one in drives for run in one.runs]
    program = runs[0].info.program
    versions = list(dict.fromkeys(_text(run.info.program_version) for run in runs))
    methods = list(dict.fromkeys(run.info.method for run in runs))
    count = len(drives) + fio_count
    who = drives[0].label if count == 1 else say(message("figure-drives", count=count))
    more = (say(message("figure-some-through-fio", count=fio_count)),) if fio_count else ()
    first = " · ".join((who, f"{program} {', '.join(versions)}", *methods[: 1 if len(methods) == 1 else 0], *more))
    if len(methods) == 1:
        return (first,)
    return (first, say(message("figure-not-measured-alike", methods=semicolons(*methods))))


def _text(version: str | Unknown) -> str:
    return say(message("figure-unknown-version")) if isinstance(version, Unknown) else version
