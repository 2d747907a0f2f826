"""Opening a bundle: whatever was finished is there, and what is damaged is said."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import read_checksums
from ssdlab.bundle.damage import BundleError, DamagedFile, computable_again, made_sense_of
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.find import runs_below
from ssdlab.bundle.journal import Event, JournalEntry, read_journal
from ssdlab.bundle.mark import FileMark
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
from ssdlab.bundle.power import POWER, POWER_ADAPTER, PowerMarks, PowerRecord, marks_from_json
from ssdlab.bundle.seal import LineState
from ssdlab.bundle.totals import StepTotals, added_up
from ssdlab.bundle.upgrade import NewerSchema, upgraded_run, upgraded_steps
from ssdlab.bundle.upgrade_notes import bad_bytes_of, warned_in
from ssdlab.bundle.warning import Warned
from ssdlab.engine.result import Direction, EveryIo, Histogram, LatencyKind, LatencyWindows, SensorSeries, Series
from ssdlab.host.tune import Tuning
from ssdlab.message import Message, message, semicolons
from ssdlab.place import is_file_name
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.bundle.tables import LatencyCounts

T = TypeVar("T")
_NAME_SHOWN = 80
"""Letters of a name that no step has."""


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """A run as it stands on disk."""

    path: Path
    run: RunInfo
    steps: tuple[Step, ...]
    status: RunStatus
    reason: Message | None
    """Why the run did not finish, where it could still say so."""
    warned: tuple[Warned, ...]
    """What the run itself warned of, in order."""
    faults: tuple[Message, ...]
    """What of the bundle is damaged or missing."""
    resumptions: tuple[Resumption, ...]
    """How often the run was stopped and went on, and what was redone each time."""
    written_bytes: int | Unknown
    """Written to the drive by all steps, also by those that did not finish or were done again."""
    metrics: tuple[Metric, ...]
    audit: tuple[Check, ...]
    files: BundleFiles
    hosts: tuple[HostRecord, ...] = ()
    """One each time the run began or went on; empty where the engine needs no host, and in bundles that do not say."""
    thinned: tuple[StepTotals, ...] = ()
    """Finished steps that are not among `steps` any more, because there were too many: one for each of their names."""
    not_whole: tuple[StepTotals, ...] = ()
    """These and the finished ones among `steps` of which as little is kept."""
    bad_bytes: Mapping[int, int | Unknown] = field(default_factory=dict)
    """What each finished step of a sustained write, by its index, found that is not what was written; Unknown where it read nothing back."""

    power_marks: tuple[PowerMarks, ...] = ()
    """Bursts that the run made for a power meter."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The same as English sentences."""
        return tuple(str(warned.sentence) for warned in self.warned)

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
            path = f"{layout.drive_directory(moment, session)}/{name}"
            if self.files.holds(path):
                return self._answer(path)
        return Unknown(message("unknown-no-drive-answer", name=name, moment=moment.value))

    def _answer(self, path: str) -> str | Unknown:
        try:
            return self.files.read(path).decode(errors="replace")
        except DamagedFile as error:
            return Unknown(error.fault)

    @property
    def power(self) -> PowerRecord | Unknown:
        """What a power meter said, where its log was laid on the run's time."""
        if not self.files.holds(POWER):
            return Unknown(message("unknown-no-power-log"))
        try:
            return self.files.parsed(POWER, POWER_ADAPTER)
        except DamagedFile as error:
            return Unknown(error.fault)

    def finished(self) -> tuple[Step, ...]:
        """Steps that are complete, in order."""
        return tuple(step for step in self.steps if step.status is StepStatus.FINISHED)

    def directory(self, step: Step) -> Path:
        """Where the files of a step are."""
        return self.path / layout.step_directory(self.run, step)

    def host(self, step: Step) -> Tuning | Unknown:
        """The host as it was when the step began."""
        before = [one for one in self.hosts if step.started_ns is not None and one.since_ns <= step.started_ns]
        return before[-1].tuning if before else Unknown(message("unknown-host-settings"))

    def name(self, step: Step, file: str) -> str:
        """Of a file of a step, inside the bundle."""
        return f"{layout.step_directory(self.run, step)}/{file}"

    def holds(self, step: Step, file: str) -> bool:
        """Whether a step left that file."""
        return self.files.holds(self.name(step, file))

    def file(self, step: Step, file: str) -> bytes:
        """A file of a finished step; this and all that follow raise DamagedFile where it is not what was written."""
        return self.files.read(self.name(step, file))

    def result(self, step: Step) -> StepResult:
        """Scalars of a finished step that did I/O."""
        return self.files.parsed(self.name(step, layout.RESULT), layout.RESULT_ADAPTER)

    def series(self, step: Step, direction: Direction) -> Series:
        """Windows of one direction of a finished step."""
        from ssdlab.bundle import tables

        return tables.read_series(self.files, self.name(step, layout.SERIES), direction)

    def histogram(self, step: Step, direction: Direction, kind: LatencyKind) -> Histogram:
        """Latency distribution of one direction of a finished step."""
        from ssdlab.bundle import tables

        return tables.read_histogram(self.files, self.name(step, layout.HISTOGRAM), direction, kind, self.result(step))

    def histograms(self, step: Step) -> Mapping[Direction, Mapping[LatencyKind, Histogram]]:
        """All latency distributions of a finished step."""
        from ssdlab.bundle import tables

        return tables.read_histograms(self.files, self.name(step, layout.HISTOGRAM), self.result(step))

    def latency_windows(self, step: Step, direction: Direction) -> LatencyWindows | Unknown:
        """Latency distribution of each window of one direction of a finished step; Unknown where it was not asked for."""
        from ssdlab.bundle import tables

        return tables.read_latency_windows(self.files, self.name(step, layout.LATENCY_WINDOWS), direction)

    def sensors(self, step: Step) -> SensorSeries | Unknown:
        """What the drive's sensors said during a finished step; Unknown where nobody asked them."""
        from ssdlab.bundle import tables

        return tables.read_sensors(self.files, self.name(step, layout.SENSORS))

    def every_io(self, step: Step, direction: Direction) -> EveryIo:
        """Every single I/O of one direction of a finished step, where it was asked for."""
        from ssdlab.bundle import tables

        return tables.read_every_io(self.files, self.name(step, layout.EVERY_IO), direction)

    def latency_counts(self, step: Step, directions: Iterable[Direction] = Direction) -> "LatencyCounts":
        """The latencies of every single I/O of those directions, counted, where they were asked for."""
        from ssdlab.bundle import tables

        return tables.read_latency_counts(self.files, self.name(step, layout.EVERY_IO), directions)


def open_bundle(path: Path) -> Bundle:
    """Open a bundle, also one that was cut off anywhere.

    Raises:
        BundleError: Neither `run.json` nor the first line of the journal can be read, or the schema is newer than this ssdlab.
    """
    with made_sense_of(path):
        return _opened(path)


def _opened(path: Path) -> Bundle:
    if not path.is_dir():
        if path.exists():
            raise BundleError(message("bundle-is-file", path=str(path)), message("bundle-give-directory"))
        raise BundleError(message("bundle-no-such-directory", path=str(path)), message("bundle-run-prints"))
    if runs := runs_below(path):
        raise BundleError(
            message("bundle-holds-runs", path=str(path), count=len(runs)),
            message("bundle-name-such-as", newest=str(runs[-1])),
        )
    happenings, faults = read_journal(path / layout.JOURNAL)
    run = _run_info(path, happenings, faults)
    planned = _steps_after(path, happenings, faults)
    marks = _marks(run, planned, happenings) | read_checksums(path, faults)
    files = BundleFiles(path, marks, _unlisted(happenings))
    steps = tuple(_checked(files, run, step, faults) for step in planned)
    _check_others(files, [layout.step_directory(run, step) for step in planned], faults)
    status, reason = _ending(happenings)
    return Bundle(
        path=path,
        run=run,
        steps=steps,
        status=status,
        reason=reason,
        warned=tuple(warned_in(one.data) for one in happenings if one.event is Event.WARNING),
        metrics=_conclusions(files, layout.METRICS, layout.METRICS_ADAPTER, faults),
        audit=_conclusions(files, layout.AUDIT, layout.AUDIT_ADAPTER, faults),
        files=files,
        resumptions=_resumptions(happenings, steps),
        hosts=_hosts(happenings, faults),
        written_bytes=_written_bytes(happenings),
        thinned=_totals_in(happenings, {Event.STEPS_THINNED}),
        not_whole=_totals_in(happenings, {Event.STEPS_THINNED, Event.STEP_FINISHED}),
        bad_bytes={one.data["index"]: _bad_bytes(one) for one in happenings if one.event is Event.STEP_FINISHED},
        power_marks=_power_marks(happenings, faults),
        faults=tuple(faults),
    )


def _power_marks(happenings: Sequence[JournalEntry], faults: list[Message]) -> tuple[PowerMarks, ...]:
    found = []
    for one in happenings:
        if one.event is Event.POWER_MARKS:
            try:
                found.append(marks_from_json(one.data["power_marks"]))
            except ValidationError:
                faults.append(message("damage-event", file=layout.JOURNAL, event=one.event.value, at=one.at))
    return tuple(found)


def _unlisted(happenings: Sequence[JournalEntry]) -> Unlisted:
    """Up to schema 3 nothing told what answers of the drive and what conclusions there are."""
    begun = [one.standing for one in happenings[:1]]
    return Unlisted.REFUSED if begun == [LineState.SOUND] else Unlisted.READ


def _run_info(path: Path, happenings: list[JournalEntry], faults: list[Message]) -> RunInfo:
    """`run.json`, or its copy in the first line of the journal when the file was lost."""
    copies = [one for one in happenings[:1] if one.event is Event.PLAN]
    files = BundleFiles(path, {name: mark for one in copies for name, mark in one.files.items()}, Unlisted.READ)
    try:
        content = files.read(layout.RUN)
        run = _upgraded(path, content)
    except DamagedFile as error:
        faults.append(error.fault)
    except ValueError:
        faults.append(message("damage-of-file", file=layout.RUN, what=message("damage-damaged")))
    else:
        if any(one.data["run"] != layout.read_json(content) for one in copies):
            faults.append(message("damage-two-plans", file=layout.RUN, journal=layout.JOURNAL))
        return run
    for one in copies:
        try:
            return _upgraded(path, layout.one_line_json(one.data["run"]))
        except ValueError:
            faults.append(message("damage-of-file", file=layout.JOURNAL, what=message("damage-damaged")))
    raise BundleError(
        message("bundle-none", path=str(path), faults=semicolons(*faults)), message("bundle-give-directory")
    )


def _upgraded(path: Path, content: bytes) -> RunInfo:
    """Raises ValueError where it is no `run.json`."""
    try:
        return layout.parsed(layout.RUN_ADAPTER, upgraded_run(content))
    except NewerSchema as error:
        raise BundleError(
            message("bundle-newer", path=str(path), schema=error.schema, newest=SCHEMA_VERSION),
            message("bundle-update"),
        ) from error


def _steps_after(path: Path, happenings: list[JournalEntry], faults: list[Message]) -> tuple[Step, ...]:
    """The plan, brought up to date event by event."""
    steps: dict[int, Step] = {}
    for one in happenings:
        try:
            if one.event is Event.PLAN:
                steps = {step.index: step for step in _steps_of(path, one)}
            elif one.event is Event.STEPS_ADDED:
                steps |= _added(path, one, steps)
            elif one.event is Event.CHECKPOINT:
                index = one.data["index"]
                steps[index] = replace(steps[index], bytes_done=one.data["bytes_done"])
            elif one.event is Event.RUN_RESUMED:
                # A search that is done again asks anew.
                steps = {index: step for index, step in steps.items() if step.asked_by not in one.data["redo"]}
                steps |= {index: _not_done(steps[index]) for index in one.data["redo"]}
            elif one.event is Event.STEP_WITHDRAWN:
                index = one.data["index"]
                steps[index] = _not_done(steps[index])
            elif one.event in _STATUS_AFTER:
                index = one.data["index"]
                steps[index] = _after_event(steps[index], one)
        except (KeyError, TypeError, ValueError):
            faults.append(message("damage-event-unfit", file=layout.JOURNAL, event=one.event.value, at=one.at))
    # What a search asked for comes right after it, whatever the plan has in store.
    return tuple(sorted(steps.values(), key=lambda step: (step.asked_by or step.index, step.index)))


def _added(path: Path, one: JournalEntry, steps: Mapping[int, Step]) -> dict[int, Step]:
    """The steps that a search asked for; raises like `_steps_of`, and ValueError where one of them would replace another."""
    added = {step.index: step for step in _steps_of(path, one)}
    if added.keys() & steps.keys():
        raise ValueError("it is there already")
    return added


def _steps_of(path: Path, one: JournalEntry) -> tuple[Step, ...]:
    """The steps that a line has.

    Raises:
        BundleError: The files of one of them would not be in the bundle. No run calls a step so, and a line that damage changed is not read.
        ValueError: They are none.
    """
    steps = layout.STEPS_ADAPTER.validate_python(upgraded_steps(one.data["steps"]))
    for step in steps:
        if not is_file_name(step.name):
            raise BundleError(
                message("bundle-step-leads-out", path=str(path), name=repr(step.name[:_NAME_SHOWN])),
                message("library-no-trust"),
            )
    return steps


def _not_done(step: Step) -> Step:
    return replace(
        step, status=StepStatus.PLANNED, started_ns=None, ended_ns=None, reason=None, note=None, bytes_done=None
    )


_STATUS_AFTER: Mapping[Event, StepStatus] = {
    # Nobody can say that it has not.
    Event.STEP_ANNOUNCED: StepStatus.STARTED,
    Event.STEP_STARTED: StepStatus.STARTED,
    Event.STEP_FINISHED: StepStatus.FINISHED,
    Event.STEP_INTERRUPTED: StepStatus.INTERRUPTED,
    Event.STEP_FAILED: StepStatus.FAILED,
    Event.STEP_SKIPPED: StepStatus.SKIPPED,
}


def _after_event(step: Step, one: JournalEntry) -> Step:
    status = _STATUS_AFTER[one.event]
    reason = one.data.get("reason")
    if status is StepStatus.STARTED:
        state = layout.STATE_ADAPTER.validate_python(one.data["state"])
        return replace(step, status=status, state=state, started_ns=one.clock_ns, ended_ns=None, reason=None)
    note, bytes_done = one.data.get("note"), one.data.get("bytes_done")
    return replace(step, status=status, ended_ns=one.clock_ns, reason=reason, note=note, bytes_done=bytes_done)


def _marks(run: RunInfo, steps: Sequence[Step], happenings: Sequence[JournalEntry]) -> dict[str, FileMark]:
    """Of all files that the journal tells of, by their names inside the bundle; what was said last counts."""
    directories = {step.index: layout.step_directory(run, step) for step in steps}
    marks: dict[str, FileMark] = {}
    finished: dict[int, JournalEntry] = {}
    for one in happenings:
        match one.event:
            case Event.STEP_FINISHED:
                finished[one.data["index"]] = one
            case Event.STEP_STARTED:
                finished.pop(one.data["index"], None)
            case Event.RUN_RESUMED:
                finished = {index: line for index, line in finished.items() if index not in one.data["redo"]}
            case _:
                marks |= one.files
    for index, one in finished.items():
        if index in directories:
            marks |= {f"{directories[index]}/{name}": mark for name, mark in one.files.items()}
    return marks


def _checked(files: BundleFiles, run: RunInfo, step: Step, faults: list[Message]) -> Step:
    """A finished step whose files are not as the journal left them is not finished."""
    if step.status is not StepStatus.FINISHED:
        return step
    for name in files.of_step(layout.step_directory(run, step)):
        if (damage := files.size_fault(name)) is not None:
            faults.append(damage.fault)
            return replace(step, status=StepStatus.FAILED, reason=damage.fault)
    return step


def _check_others(files: BundleFiles, of_steps: Collection[str], faults: list[Message]) -> None:
    """What belongs to no step: the answers of the drive."""
    others = [name for name in files.marks if "/" in name and name.partition("/")[0] not in of_steps]
    faults += [damage.fault for name in others if (damage := files.size_fault(name)) is not None]


def _ending(happenings: list[JournalEntry]) -> tuple[RunStatus, Message | None]:
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


def _resumptions(happenings: list[JournalEntry], steps: Sequence[Step]) -> tuple[Resumption, ...]:
    names = {step.index: step.name for step in steps}
    return tuple(
        Resumption(
            at=one.at,
            reason=one.data.get("reason") or message("unknown-not-recorded"),
            redone=tuple(names[index] for index in one.data["redo"] if index in names),
        )
        for one in happenings
        if one.event is Event.RUN_RESUMED
    )


def _hosts(happenings: list[JournalEntry], faults: list[Message]) -> tuple[HostRecord, ...]:
    records: list[HostRecord] = []
    for one in happenings:
        try:
            if one.event is Event.HOST:
                tuning = layout.TUNING_ADAPTER.validate_python(one.data["tuning"])
                nothing = Unknown(message("unknown-restoration"))
                records.append(HostRecord(since_ns=one.clock_ns, tuning=tuning, restoration=nothing))
            elif one.event is Event.HOST_RESTORED and records:
                restoration = layout.RESTORATION_ADAPTER.validate_python(one.data["restoration"])
                records[-1] = replace(records[-1], restoration=restoration)
        except ValidationError:
            faults.append(message("damage-event", file=layout.JOURNAL, event=one.event.value, at=one.at))
    return tuple(records)


_TELLS_WRITTEN = (
    Event.CHECKPOINT,
    Event.STEP_FINISHED,
    Event.STEP_WITHDRAWN,
    Event.STEP_INTERRUPTED,
    Event.STEP_FAILED,
    Event.STEP_REPEATED,
)


def _written_bytes(happenings: list[JournalEntry]) -> int | Unknown:
    """The latest word of each attempt at each step, added up; of what was announced and not heard of again, what it may have written."""
    thinned = _totals_in(happenings, {Event.STEPS_THINNED})
    total, latest = sum(one.written_bytes for one in thinned), dict[int, int]()
    announced = dict[int, int]()
    for one in happenings:
        index = one.data.get("index", -1)
        if one.event is Event.STEP_ANNOUNCED:
            total += latest.pop(index, 0)
            announced[index] = one.data["written_bytes_max"] or 0
        elif one.event is Event.STEP_STARTED and index not in announced:
            total += latest.pop(index, 0)
        elif one.event in _TELLS_WRITTEN:
            if not isinstance(one.data.get("written_bytes"), int):
                return Unknown(message("unknown-before-recorded"))
            latest[index] = one.data["written_bytes"]
            announced.pop(index, None)
    return total + sum(latest.values()) + sum(announced.values())


def _totals_in(happenings: list[JournalEntry], events: Collection[Event]) -> tuple[StepTotals, ...]:
    return added_up(
        totals for one in happenings if one.event in events and layout.RESULT not in one.files for totals in one.totals
    )


def _bad_bytes(finished: JournalEntry) -> int | Unknown:
    """Totals hold it since there are any; before, only the note of the step did."""
    if finished.totals:
        return finished.totals[0].bad_bytes
    return bad_bytes_of(finished.data.get("note"))


def _conclusions(
    files: BundleFiles, name: str, adapter: TypeAdapter[tuple[T, ...]], faults: list[Message]
) -> tuple[T, ...]:
    if files.holds(name):
        try:
            return files.parsed(name, adapter)
        except DamagedFile as error:
            faults.append(computable_again(error.fault))
    elif os.path.lexists(files.root / name):
        fault = message("damage-of-file", file=name, what=message("damage-no-checksum"))
        faults.append(computable_again(fault))
    return ()
