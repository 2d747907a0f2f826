"""One drive over time: its runs, and whether its numbers moved."""

from collections.abc import Iterator
from dataclasses import dataclass

from ssdlab.library.catalogue import Catalogue, LibraryError
from ssdlab.library.entry import DriveKey, Entry
from ssdlab.library.groups import Group, groups_of, values_of_runs
from ssdlab.message import commas, message


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric that one method measured more than once, from its first group of repetitions to its last."""

    metric: str
    groups: tuple[Group, ...]

    @property
    def percent(self) -> float | None:
        """By how much the last differs from the first; None where the first is 0."""
        first, last = self.groups[0].median, self.groups[-1].median
        return (last / first - 1) * 100 if first else None


@dataclass(frozen=True, slots=True)
class History:
    """What is known of one drive."""

    drive: DriveKey
    entries: tuple[Entry, ...]
    changes: tuple[MetricChange, ...]


def histories(catalogue: Catalogue, text: str, metric: str | None = None) -> tuple[History, ...]:
    """The drives whose model or serial contains the text.

    Without a metric it looks at all but percentiles and errors of means.

    Raises:
        LibraryError: There is no such drive.
    """
    wanted = text.casefold()
    drives: dict[DriveKey, list[Entry]] = {}
    for entry in catalogue.entries:
        if wanted in entry.drive.model.casefold() or wanted in str(entry.drive.serial).casefold():
            drives.setdefault(entry.drive, []).append(entry)
    if not drives:
        models = sorted({entry.drive.model for entry in catalogue.entries})
        raise LibraryError(
            message("library-no-drive", text=text), message("library-drives-there", models=commas(*models[:20]))
        )
    return tuple(
        History(drive, tuple(entries), tuple(_changes(catalogue, entries, metric))) for drive, entries in drives.items()
    )


def _changes(catalogue: Catalogue, entries: list[Entry], metric: str | None) -> Iterator[MetricChange]:
    """Every metric that one method measured in one host at several times."""
    chains: dict[tuple[object, ...], list[Group]] = {}
    for name, values in values_of_runs(catalogue, entries).items():
        if name != metric and (metric is not None or values[0].key.is_detail):
            continue
        for group in groups_of(values):
            first = group.first
            chains.setdefault((name, first.entry.method, first.entry.host, first.state), []).append(group)
    for (measured, *_), chain in chains.items():
        if len(chain) > 1 or metric is not None:
            yield MetricChange(str(measured), tuple(sorted(chain, key=lambda group: group.first.entry.moment)))
