"""Batches of drives with given numbers: as values in memory, and as small bundles on disk."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.kit.library_runs import Made, write_run

from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.model import Metric
from ssdlab.bundle.write import write_conclusions
from ssdlab.job import DriveState
from ssdlab.library.entry import Comparability, DriveKey, Entry, MethodKey, Nature
from ssdlab.library.groups import Group, Value
from ssdlab.qualify.measured import MeasuredDrive, MeasuredMethod, MeasuredNumber
from ssdlab.unknown import Unknown

METHOD = MethodKey("fill", "2025.12", "one", "standard", "fio")


def numbers_of_drives(numbers: Mapping[str, Sequence[float]]) -> list[MeasuredDrive]:
    """Drives of one model, with a value each of every metric."""
    count = len(next(iter(numbers.values())))
    return [_drive(place, {name: values[place] for name, values in numbers.items()}) for place in range(count)]


def _drive(place: int, numbers: Mapping[str, float]) -> MeasuredDrive:
    entry = Entry(
        name=f"run-{place}",
        started_at="2026-01-05T09:00:00+00:00",
        drive=DriveKey("Lab PM1 1TB", f"S{place}", 10**12),
        firmware="F1",
        nature=Nature.REAL,
        host="bench",
        method=METHOD,
        scale=Comparability.COMPARABLE,
        status="finished",
        checks=1,
        checks_failed=0,
        damage="",
    )
    measured = {name: _number(entry, name, value) for name, value in numbers.items()}
    return MeasuredDrive((entry,), {(METHOD.suite, METHOD.profile): MeasuredMethod(METHOD, (entry,), measured)})


def _number(entry: Entry, name: str, value: float) -> MeasuredNumber:
    key = key_of_name(name, "fill")
    return MeasuredNumber(key, "B/s", Group((Value(entry, key, value, "B/s", "FOB", None, None, ()),)))


def write_drive(lab: Path, made: Made, numbers: Mapping[str, tuple[float | Unknown, str]], name: str = "") -> Path:
    """A finished run with these metrics, each a value and its unit."""
    path = write_run(lab, name or f"run-{len(list((lab / 'runs').glob('*')))}", made)
    metrics = [
        Metric(
            key=key_of_name(metric, "fill"),
            value=value,
            unit=unit,
            state=DriveState.FOB,
            step="fill",
            low=made.low,
            high=made.high,
            failed_checks=made.failed_checks,
        )
        for metric, (value, unit) in numbers.items()
    ]
    write_conclusions(path, tuple(metrics), ())
    return path
