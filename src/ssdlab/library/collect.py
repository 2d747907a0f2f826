"""Opening the bundles that are new or changed, and writing what is known of all of them down as two Parquet files."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from ssdlab import durable
from ssdlab.analysis.audit import applicable, failed
from ssdlab.bundle.imported import ImportedRun, is_imported, open_imported
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle, BundleError, open_bundle
from ssdlab.library.catalogue import CACHE, METRIC_COLUMNS, NUMBERS, RUN_COLUMNS, Problem, Row, cache_file, quoted
from ssdlab.library.entry import DriveKey, Entry, Method, Nature, Scale
from ssdlab.unknown import Unknown


def collect(lab: Path, rows: Mapping[str, Row], signatures: Mapping[str, str]) -> dict[str, Row]:
    """Open the directories there is no row of, write the cache anew, and return their rows.

    Args:
        lab: Whose runs.
        rows: What is known already and still true, by directory.
        signatures: Of all directories.

    Raises:
        OSError: The cache cannot be written.
    """
    opened = {name: _open(lab, name) for name in signatures if name not in rows}
    new = {name: Row(signatures[name], found) for name, (found, _) in opened.items()}
    _write_cache(lab, {**rows, **new}, {name: metrics for name, (_, metrics) in opened.items()})
    return new


def _open(lab: Path, name: str) -> tuple[Entry | Problem, tuple[Metric, ...]]:
    path = lab / "runs" / name
    try:
        if is_imported(path):
            imported = open_imported(path)
            return entry_of_import(name, imported), imported.metrics
        bundle = open_bundle(path)
    except (BundleError, OSError) as error:
        return Problem(name, error.message if isinstance(error, BundleError) else str(error)), ()
    return entry_of(name, bundle), bundle.metrics


def entry_of_import(name: str, imported: ImportedRun) -> Entry:
    """What the library keeps of a result of another program."""
    info = imported.info
    drive = info.drive
    known = info.measured_at if isinstance(info.measured_at, str) else info.imported_at
    return Entry(
        name=name,
        started_at=known,
        drive=DriveKey(
            model=drive.model if isinstance(drive.model, str) else f"unknown drive of {info.originals[0].name}",
            serial=drive.serial,
            capacity_bytes=drive.capacity_bytes,
        ),
        firmware=drive.firmware,
        nature=Nature.REAL,
        host=info.host,
        method=Method(
            suite=info.program,
            version=info.program_version if isinstance(info.program_version, str) else "unknown",
            sha256=hashlib.sha256(info.method.encode()).hexdigest(),
            profile=info.method,
            engine="imported",
        ),
        scale=Scale.COMPARABLE,
        status="imported",
        checks=len(applicable(imported.audit)),
        checks_failed=len(failed(imported.audit)),
        damage="",
    )


def entry_of(name: str, bundle: Bundle) -> Entry:
    """What the library keeps of a bundle."""
    run = bundle.run
    named = isinstance(run.drive.model, str) and run.drive.model.strip()
    return Entry(
        name=name,
        started_at=run.started_at,
        drive=DriveKey(
            model=" ".join(run.drive.model.split()) if named and isinstance(run.drive.model, str) else run.drive.target,
            serial=run.drive.serial,
            capacity_bytes=run.drive.capacity_bytes,
        ),
        firmware=run.drive.firmware,
        nature=Nature.REAL if run.spec_text is None else Nature.VIRTUAL,
        host=run.host.hostname,
        method=Method(
            suite=run.suite.name,
            version=run.suite.version,
            sha256=run.suite.sha256,
            profile=run.profile,
            engine=run.engine.partition("-")[0],
        ),
        scale=Scale.COMPARABLE if run.comparable else Scale.SCALED,
        status=bundle.status.value,
        checks=len(applicable(bundle.audit)),
        checks_failed=len(failed(bundle.audit)),
        damage="; ".join(bundle.faults),
    )


def _write_cache(lab: Path, rows: Mapping[str, Row], new: Mapping[str, Sequence[Metric]]) -> None:
    """Write both tables whole; a reader sees the old ones or the new ones."""
    (lab / CACHE).mkdir(exist_ok=True)
    old, current = cache_file(lab, "metrics"), cache_file(lab, "metrics").with_suffix(f".{os.getpid()}")
    with duckdb.connect() as connection:
        fresh = [_metric_values(run, metric) for run, metrics in new.items() for metric in metrics]
        connection.register("fresh", _columns(METRIC_COLUMNS, fresh))
        sources = [f"select {_typed(METRIC_COLUMNS)} from fresh"]  # noqa: S608 - columns of this module
        if kept := sorted(set(rows) - set(new)):
            connection.register("kept", _columns(("run",), [(run,) for run in kept]))
            sources.append(f"select * from '{quoted(old)}' where run in (select run from kept)")  # noqa: S608 - a quoted path
        copy = " union all ".join(sources)
        connection.execute(f"copy ({copy}) to '{quoted(current)}' (format parquet, compression zstd)")
        _write_runs(connection, lab, rows)
    durable.make_durable(current, old)


def _write_runs(connection: duckdb.DuckDBPyConnection, lab: Path, rows: Mapping[str, Row]) -> None:
    path = cache_file(lab, "runs")
    current = path.with_suffix(f".{os.getpid()}")
    connection.register("runs", _columns(RUN_COLUMNS, [_run_values(name, row) for name, row in rows.items()]))
    query = f"select {_typed(RUN_COLUMNS)} from runs"  # noqa: S608 - columns of this module
    connection.execute(f"copy ({query}) to '{quoted(current)}' (format parquet, compression zstd)")
    durable.make_durable(current, path)


def _typed(columns: Sequence[str]) -> str:
    return ", ".join(f"{name}::{NUMBERS.get(name, 'varchar')} as {name}" for name in columns)


def _columns(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> dict[str, Any]:
    """Rows as DuckDB reads them: an array a column."""
    return {name: np.array([row[place] for row in rows], dtype=object) for place, name in enumerate(names)}


def _run_values(name: str, row: Row) -> tuple[object, ...]:
    if isinstance(row.found, Problem):
        return (name, row.signature, row.found.what, *(None,) * (len(RUN_COLUMNS) - 3))
    entry, method = row.found, row.found.method
    return (
        name, row.signature, None, entry.started_at, entry.drive.model, _text(entry.drive.serial),
        _known(entry.drive.capacity_bytes), _text(entry.firmware), entry.nature.value, _text(entry.host), method.suite, method.version,
        method.sha256, method.profile, method.engine, entry.scale.value, entry.status, entry.checks, entry.checks_failed, entry.damage,
    )  # fmt: skip


def _known(value: int | Unknown) -> int | None:
    return None if isinstance(value, Unknown) else value


def _text(value: str | Unknown) -> str | None:
    return value if isinstance(value, str) else None


def _metric_values(run: str, metric: Metric) -> tuple[object, ...]:
    value = metric.value
    number = float(value) if isinstance(value, int | float) else None
    word = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else None
    return (
        run, metric.name, number, word, metric.unit, metric.low, metric.high, metric.state.value, metric.step,
        ", ".join(metric.failed_checks), value.unknown if isinstance(value, Unknown) else None,
    )  # fmt: skip
