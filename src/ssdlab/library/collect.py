"""Opening the bundles that are new or changed, and writing what is known of all of them down as two Parquet files."""

import errno
import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from ssdlab import durable, parquet
from ssdlab.analysis.audit.run import applicable, failed
from ssdlab.bundle.damage import BundleError, made_sense_of
from ssdlab.bundle.imported import ImportedRun, is_imported, open_imported
from ssdlab.bundle.metric_key import key_as_text
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.library.catalogue import (
    CACHE,
    DIGEST,
    METRIC_COLUMNS,
    RUN_COLUMNS,
    CachedRow,
    Problem,
    cache_file,
    digest_of_cache,
    legible,
    typed,
)
from ssdlab.library.entry import Comparability, DriveKey, Entry, MethodKey, Nature
from ssdlab.scratch import scratch
from ssdlab.unknown import Unknown

_CAPACITY_MAX = 1 << 63


def collect(
    lab: Path, rows: Mapping[str, CachedRow], signatures: Mapping[str, str]
) -> tuple[dict[str, CachedRow], Mapping[str, Any]]:
    """Open the directories there is no row of, write the cache anew, and return their rows.

    A cache that cannot be written prevents nothing: its tables are returned too then, of all runs.

    Args:
        lab: Whose runs.
        rows: What is known already and still true, by directory.
        signatures: Of all directories.
    """
    opened = {name: _conclusions(lab, name) for name in signatures if name not in rows}
    new = _rows(opened, signatures)
    try:
        _write_cache(lab, {**rows, **new}, {name: metrics for name, (_, metrics) in opened.items()})
    except (OSError, duckdb.IOException):
        opened |= {name: _conclusions(lab, name) for name in rows}
        return new, _tables(_rows(opened, signatures), opened)
    return new, {}


_Opened = Mapping[str, tuple[Entry | Problem, tuple[Metric, ...]]]


def _rows(opened: _Opened, signatures: Mapping[str, str]) -> dict[str, CachedRow]:
    return {name: CachedRow(signatures[name], found) for name, (found, _) in opened.items()}


def _tables(rows: Mapping[str, CachedRow], opened: _Opened) -> Mapping[str, Any]:
    metrics = [metric_values(run, metric) for run, (_, found) in opened.items() for metric in found]
    return {
        "runs": columns_of(RUN_COLUMNS, [run_values(name, row) for name, row in rows.items()]),
        "metrics": columns_of(METRIC_COLUMNS, metrics),
    }


@dataclass(frozen=True, slots=True, eq=False)
class OpenedRun:
    """A directory among the runs as it was opened.

    Attributes:
        bundle: None for results of other programs, and where it cannot be opened.
    """

    found: Entry | Problem
    metrics: tuple[Metric, ...] = ()
    bundle: Bundle | None = None


def opened_run(lab: Path, name: str) -> OpenedRun:
    """Open a directory among the runs; what cannot be opened is a problem."""
    path = lab / "runs" / name
    try:
        with made_sense_of(path):
            if is_imported(path):
                imported = open_imported(path)
                return OpenedRun(*_storable(entry_of_import(name, imported), imported.metrics))
            bundle = open_bundle(path)
            return OpenedRun(*_storable(entry_of(name, bundle), bundle.metrics), bundle)
    except (BundleError, OSError) as error:
        return OpenedRun(Problem(name, legible(str(error))))


def _conclusions(lab: Path, name: str) -> tuple[Entry | Problem, tuple[Metric, ...]]:
    """Without the bundle: of thousands, they would not go into memory."""
    opened = opened_run(lab, name)
    return opened.found, opened.metrics


def _storable(entry: Entry, metrics: tuple[Metric, ...]) -> tuple[Entry, tuple[Metric, ...]]:
    """What the tables can hold, so that one run never keeps the others out of them; raises ValueError."""
    capacity = entry.drive.capacity_bytes
    if isinstance(capacity, int) and not 0 <= capacity < _CAPACITY_MAX:
        raise ValueError(f"no drive has {capacity} bytes")
    _ = entry.moment.timestamp()
    values = [
        *run_values(entry.name, CachedRow("", entry)),
        *(one for metric in metrics for one in metric_values("", metric)),
    ]
    for text in (one for one in values if isinstance(one, str)):
        if text != text.encode(errors="replace").decode():
            raise ValueError(f"`{text!r}` is no text")
    return entry, metrics


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
        method=MethodKey(
            suite=info.program,
            version=info.program_version if isinstance(info.program_version, str) else "unknown",
            sha256=hashlib.sha256(info.method.encode()).hexdigest(),
            profile=info.method,
            engine="imported",
        ),
        scale=Comparability.COMPARABLE,
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
        method=MethodKey(
            suite=run.suite.name,
            version=run.suite.version,
            sha256=run.suite.sha256,
            profile=run.profile,
            engine=run.engine.partition("-")[0],
        ),
        scale=Comparability.COMPARABLE if run.comparable else Comparability.SCALED,
        status=bundle.status.value,
        checks=len(applicable(bundle.audit)),
        checks_failed=len(failed(bundle.audit)),
        damage="; ".join(map(str, bundle.faults)),
    )


def _write_cache(lab: Path, rows: Mapping[str, CachedRow], new: Mapping[str, Sequence[Metric]]) -> None:
    """Write both tables whole; a reader sees the old ones or the new ones."""
    (lab / CACHE).mkdir(exist_ok=True)
    if (lab / CACHE).is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(lab / CACHE))
    old = cache_file(lab, "metrics")
    with parquet.database() as connection, parquet.ctrl_c_as_such(), ExitStack() as stack:
        # Under a name that nobody foresees: in a lab that others may write to, a link by a name of ours would lead anywhere.
        directory = stack.enter_context(scratch(lab / CACHE, ".making-"))
        current = directory / old.name
        fresh = [metric_values(run, metric) for run, metrics in new.items() for metric in metrics]
        connection.register("fresh", columns_of(METRIC_COLUMNS, fresh))
        sources = [f"select {typed(METRIC_COLUMNS)} from fresh"]  # noqa: S608 - columns of this module
        if kept := sorted(set(rows) - set(new)):
            connection.register("kept", columns_of(("run",), [(run,) for run in kept]))
            before = stack.enter_context(parquet.reading(old))
            sources.append(f"select * from read_parquet('{before}') where run in (select run from kept)")  # noqa: S608 - a descriptor
        copy = " union all ".join(sources)
        place = stack.enter_context(parquet.writable(current))
        connection.execute(f"copy ({copy}) to '{place}' (format parquet, compression zstd)")
        _write_runs(connection, directory, lab, rows)
        durable.make_durable(current, old)
    durable.write_durably(lab / CACHE / DIGEST, digest_of_cache(lab).encode())


def _write_runs(
    connection: duckdb.DuckDBPyConnection, directory: Path, lab: Path, rows: Mapping[str, CachedRow]
) -> None:
    path = cache_file(lab, "runs")
    current = directory / path.name
    connection.register("runs", columns_of(RUN_COLUMNS, [run_values(name, row) for name, row in rows.items()]))
    query = f"select {typed(RUN_COLUMNS)} from runs"  # noqa: S608 - columns of this module
    with parquet.writable(current) as place:
        connection.execute(f"copy ({query}) to '{place}' (format parquet, compression zstd)")
    durable.make_durable(current, path)


def columns_of(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> dict[str, Any]:
    """Rows as DuckDB reads them: an array a column."""
    return {name: np.array([row[place] for row in rows], dtype=object) for place, name in enumerate(names)}


def run_values(name: str, row: CachedRow) -> tuple[object, ...]:
    """As `RUN_COLUMNS`."""
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


def metric_values(run: str, metric: Metric) -> tuple[object, ...]:
    """As `METRIC_COLUMNS`."""
    value = metric.value
    number = float(value) if isinstance(value, int | float) else None
    word = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else None
    return (
        run, metric.name, number, word, metric.unit, metric.low, metric.high, metric.state.value, metric.step,
        ", ".join(metric.failed_checks), str(value.reason) if isinstance(value, Unknown) else None,
        key_as_text(metric.key),
    )  # fmt: skip
