"""Lays the log of a power meter on the time of a run, and keeps what it says in the bundle of the run."""

import hashlib
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ssdlab import version
from ssdlab.analysis.power.align import fit_clock
from ssdlab.analysis.power.samples import PowerLogError
from ssdlab.analysis.power.step_power import PowerWindows, RunPower, StepTime, run_power
from ssdlab.bundle import layout, tables
from ssdlab.bundle.checksums import write_checked
from ssdlab.bundle.damage import made_sense_of
from ssdlab.bundle.imported import is_imported
from ssdlab.bundle.power import POWER, POWER_ADAPTER, POWER_SERIES, ClockFit, MeterLog, PowerRecord, Timed
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.lab.run import conclude_again
from ssdlab.library.meter.readers import OpenedLog, open_power_log
from ssdlab.message import message
from ssdlab.method.probes import NAME as PROBE
from ssdlab.unknown import Unknown


def add_power(run: Path, log: Path, period_s: float | None = None) -> Bundle:
    """Fit the clock of a meter to a run, and write power and what follows from it into the bundle, in place of what was there.

    Args:
        run: Directory of the bundle.
        log: As the program of the meter saved it; it stays where it is, and its SHA-256 goes into the bundle.
        period_s: Time from one sample to the next, for logs that lack it.

    Raises:
        PowerLogError: The log cannot be read or is not of this run beyond doubt, or the run made no marks; nothing is written.
        BundleError: The bundle cannot be opened.
        OSError: The log cannot be read, or the bundle not be written to.
    """
    if is_imported(run):
        raise PowerLogError(message("power-imported", path=str(run)), message("power-hint-marks"))
    bundle = open_bundle(run)
    if bundle.run.suite.name == PROBE:
        raise PowerLogError(message("power-probes", path=str(run)), message("power-hint-marks"))
    if bundle.resumptions:
        raise PowerLogError(message("power-resumed"), message("power-hint-marks"))
    opened = open_power_log(log, period_s)
    fit = fit_clock(opened.log, bundle.power_marks)
    with made_sense_of(run):
        times = list(_times(bundle))
    end_ns = max(burst.end_ns for marks in bundle.power_marks for burst in marks.bursts)
    found = run_power(opened.log, fit, times, 0, end_ns)
    (run / POWER).parent.mkdir(exist_ok=True)
    record = layout.pretty_json(POWER_ADAPTER, _record(log, opened, fit, found))
    write_checked(run, {POWER: record, POWER_SERIES: _as_parquet(found.windows)})
    return conclude_again(run)


def _times(bundle: Bundle) -> Iterator[StepTime]:
    for step in bundle.finished():
        result = None if step.job is None else bundle.result(step)
        longest_ns = 0 if result is None else max((one.runtime_ns for one in result.directions.values()), default=0)
        if result is not None and longest_ns and not isinstance(result.began_ns, Unknown):
            yield StepTime(step.name, Timed.IO, result.began_ns, result.began_ns + longest_ns)
        elif step.started_ns is not None and step.ended_ns is not None and step.ended_ns > step.started_ns:
            length_ns = step.ended_ns - step.started_ns
            beside_ns = max(0, length_ns - longest_ns) if longest_ns else 0
            yield StepTime(step.name, Timed.STEP, step.started_ns, step.ended_ns, beside_ns)


def _record(path: Path, opened: OpenedLog, fit: ClockFit, found: RunPower) -> PowerRecord:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size_bytes = file.tell()
    log = MeterLog(
        name=path.name,
        sha256=digest,
        size_bytes=size_bytes,
        meter=opened.meter,
        period_s=opened.log.period_s,
        sample_count=found.sample_count,
        missing_share=found.missing_share,
    )
    added_at = datetime.now(UTC).isoformat(timespec="seconds")
    return PowerRecord(log=log, added_at=added_at, ssdlab_version=version(), fit=fit, steps=found.steps)


def _as_parquet(windows: PowerWindows) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "series.parquet"
        columns = {"time_ns": windows.time_ns, "power_w_mean": windows.power_w_mean, "power_w_max": windows.power_w_max}
        tables.write_columns(columns, path)
        return path.read_bytes()
