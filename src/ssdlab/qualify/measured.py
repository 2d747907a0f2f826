"""Drives by what was measured of them: the numbers of each by suite and profile, several runs taken together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.bundle.find import require_each_once
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.read import Bundle
from ssdlab.errors import SsdlabError
from ssdlab.library.collect import entry_of
from ssdlab.library.compare import value_of
from ssdlab.library.entry import Entry, MethodKey
from ssdlab.library.groups import Group, Value, runs_together
from ssdlab.message import Message, message
from ssdlab.unknown import Unknown

STOOD_STILL = Unknown(message("qualify-stood-still"))
"""Of a number that rankings leave out, too."""


@dataclass(frozen=True, slots=True)
class MeasuredNumber:
    """A metric of a drive by one suite and profile."""

    key: MetricKey
    unit: str
    group: Group | Unknown
    """The number over all runs; or why there is none."""


@dataclass(frozen=True, slots=True)
class MeasuredMethod:
    """All of a drive by one suite and profile."""

    method: MethodKey
    entries: tuple[Entry, ...]
    """The oldest first."""
    numbers: Mapping[str, MeasuredNumber]
    """By the names of the metrics."""


@dataclass(frozen=True, slots=True)
class MeasuredDrive:
    """A drive by all its runs."""

    entries: tuple[Entry, ...]
    methods: Mapping[tuple[str, str], MeasuredMethod]
    """By suite and profile."""

    @property
    def first(self) -> Entry:
        """What names the drive."""
        return self.entries[0]


def measured_drives(bundles: Sequence[Bundle]) -> tuple[MeasuredDrive, ...]:
    """The drives in the order in which they were named; one without a serial number is another in each run.

    Raises:
        SsdlabError: A run is named twice, or runs of one drive by one suite and profile do not repeat each other.
    """
    require_each_once([bundle.path for bundle in bundles])
    found: dict[object, list[Bundle]] = {}
    for bundle in bundles:
        drive = _entry(bundle).drive
        is_told = not isinstance(drive.serial, Unknown)
        found.setdefault(drive if is_told else bundle.path.resolve(), []).append(bundle)
    return tuple(_drive(of_drive) for of_drive in found.values())


def _entry(bundle: Bundle) -> Entry:
    return entry_of(bundle.path.name, bundle)


def _drive(bundles: Sequence[Bundle]) -> MeasuredDrive:
    by_method: dict[tuple[str, str], list[Bundle]] = {}
    for bundle in sorted(bundles, key=lambda one: _entry(one).moment):
        method = _entry(bundle).method
        by_method.setdefault((method.suite, method.profile), []).append(bundle)
    methods = {name: _method(runs) for name, runs in by_method.items()}
    return MeasuredDrive(tuple(map(_entry, bundles)), methods)


def _method(runs: Sequence[Bundle]) -> MeasuredMethod:
    entries = tuple(map(_entry, runs))
    if len(list(runs_together([(entry, entry) for entry in entries]))) > 1:
        first, last = entries[0], entries[-1]
        raise SsdlabError(
            message(
                "qualify-no-repetition",
                serial=str(first.drive.serial),
                suite=first.method.suite,
                profile=first.method.profile,
                first=first.name,
                last=last.name,
            ),
            message("qualify-name-what-counts"),
        )
    return MeasuredMethod(entries[0].method, entries, dict(_numbers(runs)))


def _numbers(runs: Sequence[Bundle]) -> Iterator[tuple[str, MeasuredNumber]]:
    values: dict[str, list[Value]] = {}
    reasons: dict[str, Message] = {}
    metrics = {}
    for run in runs:
        for metric in run.metrics:
            value = value_of(_entry(run), metric)
            if value is not None:
                values.setdefault(metric.name, []).append(value)
            elif isinstance(metric.value, Unknown):
                reasons[metric.name] = metric.value.reason
            else:
                continue
            metrics[metric.name] = metric
    for name, metric in metrics.items():
        yield name, MeasuredNumber(metric.key, metric.unit, _group(values.get(name, []), reasons.get(name)))


def _group(values: Sequence[Value], reason: Message | None) -> Group | Unknown:
    """Without what rankings leave out."""
    ranked = tuple(value for value in values if value.is_ranked)
    if ranked:
        return Group(ranked)
    return STOOD_STILL if reason is None else Unknown(reason)
