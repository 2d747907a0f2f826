"""The catalogue of a store in the database of the fleet: what the library keeps of each run, for SQL over all of them.

It is made from the bundles alone, and can be made anew from them at any time.
"""

from pathlib import Path

from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import open_bundle
from ssdlab.fleet.records import Database
from ssdlab.fleet.store.base import Store
from ssdlab.library.collect import entry_of
from ssdlab.library.entry import Entry
from ssdlab.unknown import Unknown


def note(connection: Database, path: Path, name: str) -> None:
    """Put a run of the store into the catalogue, in place of what was said of it.

    Args:
        connection: To the fleet.
        path: Its bundle, there or a copy.
        name: What it is called there.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be read.
    """
    bundle = open_bundle(path)
    entry = entry_of(name, bundle)
    connection.execute("DELETE FROM stored_run WHERE name = %s", (name,))
    values = _values(entry)
    marks = ", ".join(["%s"] * len(values))
    connection.execute(f"INSERT INTO stored_run VALUES ({marks})".encode(), values)  # noqa: S608 - marks alone
    with connection.cursor().copy("COPY stored_metric FROM STDIN") as copy:
        for metric in bundle.metrics:
            copy.write_row(_metric_values(name, metric))


def rebuild(connection: Database, store: Store) -> int:
    """Make the catalogue anew from the store, each of whose bundles is held against its manifest; how many there are.

    Raises:
        ManifestError: A bundle is not what its manifest says; the catalogue is as it was.
        BundleError: One cannot be opened; likewise.
        OSError: The store cannot be read; likewise.
    """
    connection.execute("DELETE FROM stored_run")
    found = store.names()
    for name in found:
        with store.opened(name) as path:
            note(connection, path, name)
    return len(found)


def _values(entry: Entry) -> tuple[object, ...]:
    """As the columns of `stored_run` stand."""
    drive, method = entry.drive, entry.method
    return (
        entry.name, entry.started_at, drive.model, _known(drive.serial), _known(entry.firmware), _known(drive.capacity_bytes),
        entry.nature.value, _known(entry.host), method.suite, method.version, method.sha256, method.profile, method.engine,
        entry.scale.value, entry.status, entry.checks, entry.checks_failed, entry.damage,
    )  # fmt: skip


def _metric_values(run: str, metric: Metric) -> tuple[object, ...]:
    """As the columns of `stored_metric` stand."""
    value = metric.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        run, metric.name, float(value) if is_number and not isinstance(value, Unknown | str) else None,
        None if is_number or isinstance(value, Unknown) else str(value), metric.unit, metric.low, metric.high, metric.state.value,
        ", ".join(metric.failed_checks), str(value.reason) if isinstance(value, Unknown) else None,
    )  # fmt: skip


def _known(value: object) -> object:
    return None if isinstance(value, Unknown) else value
