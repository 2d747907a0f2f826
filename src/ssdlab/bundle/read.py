"""Opening a bundle: whatever was finished is there, and what is damaged is said."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.journal import Event, Happening, read_journal
from ssdlab.bundle.model import (
    SCHEMA_VERSION,
    Check,
    HostRecord,
    Metric,
    Resumption,
    RunInfo,
    RunStatus,
    Step,
    StepResult,
    StepStatus,
)
from ssdlab.bundle.totals import Totals, added_up
from ssdlab.bundle.upgrade import NewerSchema, upgraded_run, upgraded_steps
from ssdlab.drive.tune import Tuning
from ssdlab.engine.result import Direction, EveryIo, Histogram, LatencyKind, LatencyWindows, SensorSeries, Series
from ssdlab.errors import SsdlabError
from ssdlab.unknown import Unknown

T = TypeVar("T")


class BundleError(SsdlabError):
    """The path holds no bundle, or one that cannot be opened."""


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """A run as it stands on disk."""

    path: Path
    run: RunInfo
    steps: tuple[Step, ...]
    status: RunStatus
    reason: str | None
    """Why the run did not finish, where it could still say so."""
    warnings: tuple[str, ...]
    """What the run itself warned of, in order."""
    faults: tuple[str, ...]
    """What of the bundle is damaged or missing."""
    resumptions: tuple[Resumption, ...]
    """How often the run was stopped and went on, and what was redone each time."""
    written_bytes: int | Unknown
    """Written to the drive by all steps, also by those that did not finish or were done again."""
    metrics: tuple[Metric, ...]
    audit: tuple[Check, ...]
    hosts: tuple[HostRecord, ...] = ()
    """One each time the run began or went on; empty where the engine needs no host, and in bundles that do not say."""
    thinned: tuple[Totals, ...] = ()
    """Finished steps that are not among `steps` any more, because there were too many: one for each of their names."""
    not_whole: tuple[Totals, ...] = ()
    """These and the finished ones among `steps` of which as little is kept."""

    def step(self, name: str) -> Step:
        """The step of that name.

        Raises:
            KeyError: The plan has no such step.
        """
        for step in self.steps:
            if step.name == name:
                return step
        raise KeyError(name)

    def drive_said(self, moment: layout.Moment, name: str) -> str | Unknown:
        """An answer of the programs that know drives: the first one at the start, the last one at the end."""
        sessions = range(1, len(self.resumptions) + 2)
        for session in sessions if moment is layout.Moment.START else reversed(sessions):
            path = self.path / layout.drive_directory(moment, session) / name
            if path.exists():
                return path.read_text(errors="replace")
        return Unknown(f"the bundle holds no `{name}` of the {moment.value}")

    def finished(self) -> tuple[Step, ...]:
        """Steps that are complete, in order."""
        return tuple(step for step in self.steps if step.status is StepStatus.FINISHED)

    def directory(self, step: Step) -> Path:
        """Where the files of a step are."""
        return self.path / layout.step_directory(self.run, step)

    def host(self, step: Step) -> Tuning | Unknown:
        """The host as it was when the step began."""
        before = [one for one in self.hosts if step.started_ns is not None and one.since_ns <= step.started_ns]
        return before[-1].tuning if before else Unknown("the run does not say how the host was set up")

    def result(self, step: Step) -> StepResult:
        """Scalars of a finished step that did I/O."""
        return layout.RESULT_ADAPTER.validate_json((self.directory(step) / layout.RESULT).read_bytes())

    def series(self, step: Step, direction: Direction) -> Series:
        """Windows of one direction of a finished step."""
        from ssdlab.bundle import tables

        return tables.read_series(self.directory(step) / layout.SERIES, direction)

    def histogram(self, step: Step, direction: Direction, kind: LatencyKind) -> Histogram:
        """Latency distribution of one direction of a finished step."""
        from ssdlab.bundle import tables

        return tables.read_histogram(self.directory(step) / layout.HISTOGRAM, direction, kind, self.result(step))

    def histograms(self, step: Step) -> Mapping[Direction, Mapping[LatencyKind, Histogram]]:
        """All latency distributions of a finished step."""
        from ssdlab.bundle import tables

        return tables.read_histograms(self.directory(step) / layout.HISTOGRAM, self.result(step))

    def latency_windows(self, step: Step, direction: Direction) -> LatencyWindows | Unknown:
        """Latency distribution of each window of one direction of a finished step; Unknown where it was not asked for."""
        from ssdlab.bundle import tables

        return tables.read_latency_windows(self.directory(step) / layout.LATENCY_WINDOWS, direction)

    def sensors(self, step: Step) -> SensorSeries | Unknown:
        """What the drive's sensors said during a finished step; Unknown where nobody asked them."""
        from ssdlab.bundle import tables

        return tables.read_sensors(self.directory(step) / layout.SENSORS)

    def every_io(self, step: Step, direction: Direction) -> EveryIo:
        """Every single I/O of one direction of a finished step, where it was asked for."""
        from ssdlab.bundle import tables

        return tables.read_every_io(self.directory(step) / layout.EVERY_IO, direction)


def open_bundle(path: Path) -> Bundle:
    """Open a bundle, also one that was cut off anywhere.

    Raises:
        BundleError: Neither `run.json` nor the first line of the journal can be read, or the schema is newer than this ssdlab.
    """
    if not path.is_dir():
        raise BundleError(
            f"`{path}` is no bundle: there is no such directory", "`ssdlab run` prints the path of its bundle"
        )
    happenings, faults = read_journal(path / layout.JOURNAL)
    run = _run_info(path, happenings, faults)
    steps = tuple(_checked(path, run, step, happenings, faults) for step in _steps_after(happenings, faults))
    status, reason = _ending(happenings)
    metrics = _optional(path / layout.METRICS, layout.METRICS_ADAPTER, faults) or ()
    audit = _optional(path / layout.AUDIT, layout.AUDIT_ADAPTER, faults) or ()
    return Bundle(
        path=path,
        run=run,
        steps=steps,
        status=status,
        reason=reason,
        warnings=tuple(str(one.data["text"]) for one in happenings if one.event is Event.WARNING),
        faults=tuple(faults),
        resumptions=_resumptions(happenings, steps),
        hosts=_hosts(happenings, faults),
        written_bytes=_written_bytes(happenings),
        metrics=metrics,
        audit=audit,
        thinned=_totals_in(happenings, {Event.STEPS_THINNED}),
        not_whole=_totals_in(happenings, {Event.STEPS_THINNED, Event.STEP_FINISHED}),
    )


def _run_info(path: Path, happenings: list[Happening], faults: list[str]) -> RunInfo:
    """`run.json`, or its copy in the first line of the journal when the file was lost."""
    sources = [(layout.RUN, _read_or_none(path / layout.RUN))]
    sources += [(layout.JOURNAL, layout.one_line_json(one.data["run"])) for one in happenings[:1] if "run" in one.data]
    for name, content in sources:
        if content is None:
            faults.append(f"{name} is missing")
            continue
        try:
            return layout.RUN_ADAPTER.validate_json(upgraded_run(content))
        except NewerSchema as error:
            raise BundleError(
                f"`{path}` has bundle schema {error.schema}, this ssdlab reads up to {SCHEMA_VERSION}", "update ssdlab"
            ) from error
        except ValueError:
            faults.append(f"{name} is damaged")
    raise BundleError(
        f"`{path}` is no bundle: {'; '.join(faults)}", "give the directory that holds run.json and journal.jsonl"
    )


def _read_or_none(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _steps_after(happenings: list[Happening], faults: list[str]) -> tuple[Step, ...]:
    """The plan, brought up to date event by event."""
    steps: dict[int, Step] = {}
    for one in happenings:
        try:
            if one.event is Event.PLAN:
                planned = layout.STEPS_ADAPTER.validate_python(upgraded_steps(one.data["steps"]))
                steps = {step.index: step for step in planned}
            elif one.event is Event.STEPS_ADDED:
                added = layout.STEPS_ADAPTER.validate_python(one.data["steps"])
                steps |= {step.index: step for step in added}
            elif one.event is Event.CHECKPOINT:
                index = one.data["index"]
                steps[index] = replace(steps[index], bytes_done=one.data["bytes_done"])
            elif one.event is Event.RUN_RESUMED:
                # A search that is done again asks anew.
                steps = {index: step for index, step in steps.items() if step.asked_by not in one.data["redo"]}
                steps |= {index: _not_done(steps[index]) for index in one.data["redo"]}
            elif one.event in _STATUS_AFTER:
                index = one.data["index"]
                steps[index] = _after_event(steps[index], one)
        except (KeyError, TypeError, ValueError):
            faults.append(f"{layout.JOURNAL}: {one.event.value} of {one.at} does not fit what can be read of the plan")
    # What a search asked for comes right after it, whatever the plan has in store.
    return tuple(sorted(steps.values(), key=lambda step: (step.asked_by or step.index, step.index)))


def _not_done(step: Step) -> Step:
    return replace(
        step, status=StepStatus.PLANNED, started_ns=None, ended_ns=None, reason=None, note="", bytes_done=None
    )


_STATUS_AFTER: Mapping[Event, StepStatus] = {
    Event.STEP_STARTED: StepStatus.STARTED,
    Event.STEP_FINISHED: StepStatus.FINISHED,
    Event.STEP_INTERRUPTED: StepStatus.INTERRUPTED,
    Event.STEP_FAILED: StepStatus.FAILED,
    Event.STEP_SKIPPED: StepStatus.SKIPPED,
}


def _after_event(step: Step, one: Happening) -> Step:
    status = _STATUS_AFTER[one.event]
    reason = one.data.get("reason")
    if status is StepStatus.STARTED:
        state = layout.STATE_ADAPTER.validate_python(one.data["state"])
        return replace(step, status=status, state=state, started_ns=one.clock_ns, ended_ns=None, reason=None)
    note, bytes_done = one.data.get("note", ""), one.data.get("bytes_done")
    return replace(step, status=status, ended_ns=one.clock_ns, reason=reason, note=note, bytes_done=bytes_done)


def _checked(path: Path, run: RunInfo, step: Step, happenings: list[Happening], faults: list[str]) -> Step:
    """A finished step whose files are not as the journal left them is not finished."""
    if step.status is not StepStatus.FINISHED:
        return step
    directory = path / layout.step_directory(run, step)
    for name, size_bytes in _files_left(step, happenings).items():
        file = directory / name
        found = file.stat().st_size if file.exists() else None
        if found != size_bytes:
            seen = "missing" if found is None else f"{found} bytes long instead of {size_bytes}"
            reason = f"{directory.name}/{name} is {seen}"
            faults.append(reason)
            return replace(step, status=StepStatus.FAILED, reason=reason)
    return step


def _files_left(step: Step, happenings: list[Happening]) -> dict[str, int]:
    """Files and their sizes as they were when the step was finished for the last time."""
    for one in reversed(happenings):
        if one.event is Event.STEP_FINISHED and one.data["index"] == step.index:
            files: dict[str, int] = one.data["files"]
            return files
    return {}


def _ending(happenings: list[Happening]) -> tuple[RunStatus, str | None]:
    endings = {
        Event.RUN_FINISHED: RunStatus.FINISHED,
        Event.RUN_INTERRUPTED: RunStatus.INTERRUPTED,
        Event.RUN_FAILED: RunStatus.FAILED,
        Event.RUN_STOPPED: RunStatus.STOPPED,
    }
    for one in reversed(happenings):
        if one.event is Event.RUN_RESUMED:
            break
        if one.event in endings:
            return endings[one.event], one.data.get("reason")
    return RunStatus.UNFINISHED, None


def _resumptions(happenings: list[Happening], steps: Sequence[Step]) -> tuple[Resumption, ...]:
    names = {step.index: step.name for step in steps}
    return tuple(
        Resumption(
            at=one.at,
            reason=str(one.data.get("reason", "")),
            redone=tuple(names[index] for index in one.data["redo"] if index in names),
        )
        for one in happenings
        if one.event is Event.RUN_RESUMED
    )


def _hosts(happenings: list[Happening], faults: list[str]) -> tuple[HostRecord, ...]:
    records: list[HostRecord] = []
    for one in happenings:
        try:
            if one.event is Event.HOST:
                tuning = layout.TUNING_ADAPTER.validate_python(one.data["tuning"])
                nothing = Unknown("the run does not say that anything was put back")
                records.append(HostRecord(since_ns=one.clock_ns, tuning=tuning, restoration=nothing))
            elif one.event is Event.HOST_RESTORED and records:
                restoration = layout.RESTORATION_ADAPTER.validate_python(one.data["restoration"])
                records[-1] = replace(records[-1], restoration=restoration)
        except ValidationError:
            faults.append(f"{layout.JOURNAL}: {one.event.value} of {one.at} is damaged")
    return tuple(records)


_TELLS_WRITTEN = (Event.CHECKPOINT, Event.STEP_FINISHED, Event.STEP_INTERRUPTED, Event.STEP_FAILED)


def _written_bytes(happenings: list[Happening]) -> int | Unknown:
    """The latest word of each attempt at each step, added up."""
    thinned = _totals_in(happenings, {Event.STEPS_THINNED})
    total, latest = sum(one.written_bytes for one in thinned), dict[int, int]()
    for one in happenings:
        if one.event is Event.STEP_STARTED:
            total += latest.pop(one.data["index"], 0)
        elif one.event in _TELLS_WRITTEN:
            if not isinstance(one.data.get("written_bytes"), int):
                return Unknown("the bundle was written before this was recorded")
            latest[one.data["index"]] = one.data["written_bytes"]
    return total + sum(latest.values())


def _totals_in(happenings: list[Happening], events: Collection[Event]) -> tuple[Totals, ...]:
    return added_up(
        totals for one in happenings if one.event in events and not one.data.get("files") for totals in one.totals
    )


def _optional(path: Path, adapter: TypeAdapter[T], faults: list[str]) -> T | None:
    content = _read_or_none(path)
    if content is None:
        return None
    try:
        return adapter.validate_json(content)
    except ValidationError:
        faults.append(f"{path.name} is damaged (it can be computed again: `ssdlab show --again`)")
        return None
