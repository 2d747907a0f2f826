"""Drives that another program measured: their names in a figure, and one or two numbers each (METHODS C9)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.fill_level import DIFFERENCE_MAX, FillLevel, differ, fill_level
from ssdlab.bundle.imported import ImportedRun
from ssdlab.figure.readings import Reading, readings_of
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
class Shown:
    """Numbers of one drive that stand under one name."""

    label: str
    slot: int
    numbers: Mapping[str, Reading]
    """By metric."""


def import_name(run: ImportedRun) -> str:
    """The drive's model; where nobody said it, the file's name."""
    model = run.info.drive.model
    return f"unknown drive of {run.info.originals[0].name}" if isinstance(model, Unknown) else " ".join(model.split())


def tested(runs: Sequence[ImportedRun]) -> tuple[Tested, ...]:
    """The drives of one program's results, in the order given; names that would be shared get what tells them apart."""
    groups = _pairs(runs)
    names = [_unpaired_name(group) for group in groups]
    found: list[Tested] = []
    for slot, (group, name) in enumerate(zip(groups, names, strict=True), 1):
        label = name if names.count(name) == 1 else f"{name}, {_day(group[0])}"
        copies = sum(one.label == label or one.label.startswith(f"{label}, result ") for one in found)
        found.append(Tested(f"{label}, result {copies + 1}" if copies else label, slot, group))
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
    return f"{name}, {fill:g} % full" if alone else name


def _day(run: ImportedRun) -> str:
    return run.info.measured_at[:10] if isinstance(run.info.measured_at, str) else "day unknown"


def shown(one: Tested, together: Iterable[Sequence[str]]) -> list[Shown]:
    """Its numbers by what they stand under: the drive, or the drive at both fill levels where these differ.

    Args:
        one: The drive.
        together: Metrics that are shown both or once together, such as the read and the write of a profile.
    """
    every = [readings_of(run.metrics) for run in one.runs]
    labels = (one.label, *(f"{one.label}, {level.value}" for level in FillLevel))
    found: dict[str, dict[str, Reading]] = {label: {} for label in labels}
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
    return [Shown(label, one.slot, numbers) for label, numbers in found.items() if numbers]


def _agree(empty: Mapping[str, Reading], three_quarters: Mapping[str, Reading]) -> bool:
    return empty.keys() == three_quarters.keys() and not any(
        differ(empty[name].value, three_quarters[name].value) for name in empty
    )


def fill_words(drives: Sequence[Tested]) -> str:
    """What a caption says of drives measured at both fill levels; empty where there is none."""
    if all(len(one.runs) == 1 for one in drives):
        return ""
    return (
        f" Where the results at 0 % and at 75 % full differ by no more than {100 * DIFFERENCE_MAX:g} %, "
        "only the larger is shown."
    )


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
    who = drives[0].label if count == 1 else f"{count} drives"
    more = (f"{fio_count} of them through fio",) if fio_count else ()
    first = " · ".join((who, f"{program} {', '.join(versions)}", *methods[: 1 if len(methods) == 1 else 0], *more))
    if len(methods) == 1:
        return (first,)
    return (first, f"not measured alike: {'; '.join(methods)}")


def _text(version: str | Unknown) -> str:
    return "of unknown version" if isinstance(version, Unknown) else version
