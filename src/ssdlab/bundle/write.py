"""Writing a bundle while the run goes on: every step is durable before the next begins."""

from collections.abc import Sequence
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.journal import Event, Journal
from ssdlab.bundle.model import (
    Check,
    DirectionTotals,
    LatencyStats,
    Metric,
    RunInfo,
    Step,
    StepResult,
)
from ssdlab.engine.result import DirectionResult, RawResult
from ssdlab.job import DriveState


class BundleWriter:
    """The one writer of a bundle.

    Every method raises OSError when the host's file system refuses, e.g. because it is full; what was written before stays valid.
    """

    def __init__(self, path: Path, run: RunInfo, plan: Sequence[Step]) -> None:
        path.mkdir(parents=True)
        self.path = path
        self._plan = {step.index: step for step in plan}
        layout.write_durably(path / layout.RUN, layout.pretty_json(layout.RUN_ADAPTER, run))
        self._journal = Journal(path / layout.JOURNAL)
        # The journal alone must be enough to open the bundle, so its first line repeats run.json.
        self._journal.append(
            Event.PLAN,
            0,
            run=layout.RUN_ADAPTER.dump_python(run, mode="json"),
            steps=layout.STEPS_ADAPTER.dump_python(tuple(plan), mode="json"),
        )
        layout.sync_directory(path.parent)

    def step_directory(self, index: int) -> Path:
        """Directory for the files of a step, made when first asked for."""
        directory = self.path / layout.step_directory(index, self._plan[index].name)
        directory.mkdir(exist_ok=True)
        return directory

    def step_started(self, index: int, clock_ns: int, state: DriveState) -> None:
        """Note that a step begins, and the state the drive is in."""
        self._journal.append(Event.STEP_STARTED, clock_ns, index=index, state=state.value)

    def checkpoint(self, index: int, clock_ns: int, bytes_done: int | None) -> None:
        """Note how far a long step is, so that a killed run can say where it ended."""
        self._journal.append(Event.CHECKPOINT, clock_ns, index=index, bytes_done=bytes_done)

    def step_finished(self, index: int, clock_ns: int, result: RawResult | None, note: str = "") -> None:
        """Write all files of a step, then the line that makes them count."""
        files = {} if result is None else self._write_result(self.step_directory(index), result)
        self._journal.append(Event.STEP_FINISHED, clock_ns, index=index, files=files, note=note)

    def step_ended_early(
        self, index: int, clock_ns: int, event: Event, reason: str, bytes_done: int | None = None
    ) -> None:
        """Note that a step failed, was interrupted or skipped (`event` says which), why, and how far it was."""
        self._journal.append(event, clock_ns, index=index, reason=reason, bytes_done=bytes_done)

    def warning(self, clock_ns: int, text: str) -> None:
        """Note something the reader of the results must know."""
        self._journal.append(Event.WARNING, clock_ns, text=text)

    def run_ended(self, clock_ns: int, event: Event, reason: str | None) -> None:
        """Note how the run ended."""
        self._journal.append(event, clock_ns, reason=reason)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def _write_result(self, directory: Path, result: RawResult) -> dict[str, int]:
        from ssdlab.bundle import tables

        for name, content in result.files.items():
            layout.write_durably(directory / name, content)
        tables.write_series(result, _partial(directory / layout.SERIES))
        tables.write_histogram(result, _partial(directory / layout.HISTOGRAM))
        written = [layout.SERIES, layout.HISTOGRAM]
        if any(one.every_io is not None for one in result.directions.values()):
            tables.write_every_io(result, _partial(directory / layout.EVERY_IO))
            written.append(layout.EVERY_IO)
        for name in written:
            layout.make_durable(_partial(directory / name), directory / name)
        summary = layout.pretty_json(layout.RESULT_ADAPTER, _step_result(result))
        layout.write_durably(directory / layout.RESULT, summary)
        names = [*result.files, *written, layout.RESULT]
        return {name: (directory / name).stat().st_size for name in names}


def write_conclusions(path: Path, metrics: Sequence[Metric], audit: Sequence[Check]) -> None:
    """Write what was computed from the bundle; it can be computed again at any time."""
    layout.write_durably(path / layout.METRICS, layout.pretty_json(layout.METRICS_ADAPTER, tuple(metrics)))
    layout.write_durably(path / layout.AUDIT, layout.pretty_json(layout.AUDIT_ADAPTER, tuple(audit)))


def _partial(path: Path) -> Path:
    return path.with_name(path.name + ".partial")


def _step_result(result: RawResult) -> StepResult:
    return StepResult(
        engine=result.engine,
        elapsed_ns=result.elapsed_ns,
        error_count=result.error_count,
        directions={direction: _totals(one) for direction, one in result.directions.items()},
        dropped=result.dropped,
        notes=result.notes,
        cpu_user_percent=None if result.cpu is None else result.cpu.user_percent,
        cpu_system_percent=None if result.cpu is None else result.cpu.system_percent,
    )


def _totals(one: DirectionResult) -> DirectionTotals:
    return DirectionTotals(
        io_count=one.io_count,
        io_bytes=one.io_bytes,
        short_ios=one.short_ios,
        runtime_ns=one.runtime_ns,
        logged_bytes=one.logged_bytes,
        latency={
            kind: LatencyStats(
                mean_ns=histogram.mean_ns,
                min_ns=histogram.min_ns,
                max_ns=histogram.max_ns,
                stddev_ns=histogram.stddev_ns,
            )
            for kind, histogram in one.latency.items()
        },
    )
