"""Writing a bundle while the run goes on: every step is durable before the next begins."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import remove_checked, write_checked
from ssdlab.bundle.files import require_no_link
from ssdlab.bundle.journal import Event, Journal, JournalEntry, read_journal
from ssdlab.bundle.mark import NO_MARKS, FileMark, as_json, mark_of, mark_of_file
from ssdlab.bundle.model import (
    NOT_RECORDED,
    Check,
    DirectionTotals,
    LatencyStats,
    Metric,
    RunInfo,
    SensedStep,
    Step,
    StepResult,
)
from ssdlab.bundle.power import PowerMarks, marks_as_json
from ssdlab.bundle.totals import TOTALS_ADAPTER, StepTotals, added_up
from ssdlab.bundle.warning import Warned
from ssdlab.durable import make_durable, sync_directory, write_durably
from ssdlab.engine.result import NO_DEVICE, Direction, DirectionResult, JobSensors, RawResult
from ssdlab.host.restore import Restoration
from ssdlab.host.tune import Tuning
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.job import DriveState
from ssdlab.message import Message
from ssdlab.message_json import message_as_json, remark_as_json
from ssdlab.unknown import Unknown


class BundleWriter:
    """The one writer of a bundle.

    Every method raises OSError when the host's file system refuses, e.g. because it is full; what was written before stays valid.
    """

    def __init__(self, path: Path, run: RunInfo, plan: Sequence[Step]) -> None:
        path.mkdir(parents=True)
        content = layout.pretty_json(layout.RUN_ADAPTER, run)
        write_durably(path / layout.RUN, content)
        self._open(path, run, plan, {layout.RUN: mark_of(content)})
        sync_directory(path.parent)

    @classmethod
    def reopen(cls, path: Path, run: RunInfo, plan: Sequence[Step]) -> Self:
        """Go on writing a bundle that stands on disk; nobody else can until it is closed.

        Raises:
            RunBusyError: Another process is writing it.
            BundleError: Something in it is a link.
        """
        require_no_link(path)
        writer = cls.__new__(cls)
        writer._open(path, run, plan, NO_MARKS)  # noqa: SLF001 - this is a constructor
        return writer

    def _open(self, path: Path, run: RunInfo, plan: Sequence[Step], files: Mapping[str, FileMark]) -> None:
        self.path = path
        self._run = run
        self._plan = {step.index: step for step in plan}
        self.next_index = max(self._plan, default=0) + 1
        """Of a step that is still to be added."""
        self._journal = Journal(path / layout.JOURNAL)
        happenings, _ = read_journal(path / layout.JOURNAL)
        self._clock_began_ns = max((one.clock_ns for one in happenings), default=0)
        if not any(one.event is Event.PLAN for one in happenings):
            # The journal alone must be enough to open the bundle, so the plan's line repeats run.json.
            self._append(
                Event.PLAN,
                0,
                files=as_json(files),
                run=layout.RUN_ADAPTER.dump_python(run, mode="json"),
                steps=layout.STEPS_ADAPTER.dump_python(tuple(plan), mode="json"),
            )

    def _append(self, event: Event, clock_ns: int, /, **data: object) -> None:
        """A line of the journal; the clock of an engine starts at 0 again when a run is resumed, the run's goes on."""
        self._journal.append(event, self.run_clock_ns(clock_ns), **data)

    def run_clock_ns(self, clock_ns: int) -> int:
        """An engine's time on the run's clock."""
        return self._clock_began_ns + clock_ns

    def resumed(self, left: Sequence[Step], again: Sequence[Step], reason: Message) -> None:
        """Note that the run goes on, set aside what there is of the steps left to do, and drop what was concluded without them.

        Args:
            left: Steps to be done.
            again: Those of them that the journal says were begun.
            reason: Why they are done again.
        """
        # Before anything is done: a run that is killed after its last step has no conclusions then, instead of those of a part.
        remove_checked(self.path, (layout.METRICS, layout.AUDIT))
        self._append(Event.RUN_RESUMED, 0, redo=[step.index for step in again], reason=message_as_json(reason))
        self._set_aside(left)

    def step_repeated(self, index: int, clock_ns: int, result: RawResult, written_bytes: int) -> None:
        """Note that a step is done again because measuring stood still, and set aside what it came to.

        Args:
            index: Of the step.
            clock_ns: When it was over.
            result: Of its job; it is kept, and does not count.
            written_bytes: What it wrote, if that is more than the result counts.
        """
        write_result(self.step_directory(index), result)
        stood_still = layout.STANDSTILLS_ADAPTER.dump_python(result.standstills, mode="json")
        self._append(
            Event.STEP_REPEATED,
            clock_ns,
            index=index,
            standstills=stood_still,
            written_bytes=_written(result, written_bytes),
        )
        self._set_aside([self._plan[index]])

    def _set_aside(self, steps: Sequence[Step]) -> None:
        """Move the directories of steps that are done again out of the way, to where those of no other attempt are."""
        happenings, _ = read_journal(self.path / layout.JOURNAL)
        number = sum(one.event in {Event.RUN_RESUMED, Event.STEP_REPEATED} for one in happenings)
        for step in steps:
            directory = self.path / layout.step_directory(self._run, step)
            if directory.exists():
                aside = self.path / layout.attempt_directory(number)
                aside.mkdir(parents=True, exist_ok=True)
                directory.rename(aside / directory.name)
        sync_directory(self.path)

    def steps_added(self, clock_ns: int, steps: Sequence[Step]) -> None:
        """Note steps that a search asks for; each says which one that is."""
        # Ctrl-C comes after both, here and below: what the journal says is what this writer knows.
        with uninterrupted():
            self._append(Event.STEPS_ADDED, clock_ns, steps=layout.STEPS_ADAPTER.dump_python(tuple(steps), mode="json"))
            self._plan |= {step.index: step for step in steps}
            self.next_index = max(self._plan) + 1

    def step_directory(self, index: int) -> Path:
        """Directory for the files of a step, made when first asked for."""
        directory = self.path / layout.step_directory(self._run, self._plan[index])
        directory.mkdir(exist_ok=True)
        return directory

    def step_started(self, index: int, clock_ns: int, state: DriveState) -> None:
        """Note that a step begins, and the state the drive is in."""
        self._append(Event.STEP_STARTED, clock_ns, index=index, state=state.value)

    def step_announced(self, index: int, clock_ns: int, state: DriveState, written_bytes_max: int | None) -> None:
        """Note that a step may begin as soon as those before it are over.

        Args:
            index: Of the step.
            clock_ns: On the engine's clock.
            state: In which the drive will be.
            written_bytes_max: What it writes at most; None where only its time is limited.
        """
        said = {"state": state.value, "written_bytes_max": written_bytes_max}
        self._append(Event.STEP_ANNOUNCED, clock_ns, index=index, **said)

    def step_withdrawn(self, index: int, clock_ns: int, written_bytes: int) -> None:
        """Note that an announced step counts as not yet done, and what it wrote."""
        self._append(Event.STEP_WITHDRAWN, clock_ns, index=index, written_bytes=written_bytes)

    def checkpoint(
        self,
        index: int,
        clock_ns: int,
        bytes_done: int | None,
        written_bytes: int = 0,
        kernel_bytes: int | Unknown = NO_DEVICE,
    ) -> None:
        """Note how far a long step is, so that a killed run can say where it ended.

        Args:
            index: Of the step.
            clock_ns: On the engine's clock.
            bytes_done: Of its amount; None for a job that ends by time.
            written_bytes: What it wrote so far.
            kernel_bytes: What the kernel has counted to be written to the device; left out where it is not known.
        """
        counted = {} if isinstance(kernel_bytes, Unknown) else {"kernel_bytes": kernel_bytes}
        self._append(
            Event.CHECKPOINT, clock_ns, index=index, bytes_done=bytes_done, written_bytes=written_bytes, **counted
        )

    def counted(
        self, clock_ns: int, drive_bytes: int | Unknown, kernel_bytes: int | Unknown, content: str | Unknown
    ) -> None:
        """Note how many bytes the drive says that hosts have written, the kernel's count of the device, and a digest of samples."""
        counters = {"drive_bytes": _plain(drive_bytes), "kernel_bytes": _plain(kernel_bytes)}
        self._append(Event.COUNTED, clock_ns, **counters, content=_plain(content))

    def step_finished(
        self,
        index: int,
        clock_ns: int,
        result: RawResult | None,
        note: Message | None = None,
        written_bytes: int = 0,
        left: Mapping[str, FileMark] = NO_MARKS,
        totals: StepTotals | None = None,
    ) -> None:
        """Write all files of a step, then the line that makes them count.

        Args:
            index: Of the step.
            clock_ns: When it was over.
            result: Of its job.
            note: What was done, where the plan leaves it open.
            written_bytes: What it wrote, if that is more than the result counts.
            left: Marks of files that stand in the step's directory already, by their names there.
            totals: What stays of a step that may be thinned out.
        """
        files = (
            dict(left) if result is None else write_result(self.step_directory(index), self._timed(result)) | dict(left)
        )
        most = _written(result, written_bytes)
        said = {} if totals is None else {"totals": TOTALS_ADAPTER.dump_python((totals,), mode="json")}
        marks = as_json(files)
        with uninterrupted():
            self._append(
                Event.STEP_FINISHED,
                clock_ns,
                index=index,
                files=marks,
                note=remark_as_json(note),
                written_bytes=most,
                **said,
            )
            # A run without an end would otherwise fill the memory with steps that are over.
            del self._plan[index]

    def _timed(self, result: RawResult) -> RawResult:
        """With its beginning on the clock of the run."""
        if isinstance(result.began_ns, Unknown):
            return result
        return replace(result, began_ns=self._clock_began_ns + result.began_ns)

    def is_finished(self, index: int) -> bool:
        """Whether the line that makes a step count is written."""
        return index not in self._plan

    def thin_out(self, clock_ns: int, indices: Collection[int]) -> None:
        """Keep of these finished steps no more than their totals, added to those of all that were thinned out before.

        The journal is replaced by a shorter one, and only then are their directories removed: a cut at any moment leaves each
        step either as it was or in the totals, and never in both.
        """
        gone = frozenset(indices)
        happenings, _ = read_journal(self.path / layout.JOURNAL)
        directories = [
            layout.step_directory(self._run, step) for one in happenings for step in _added(one) if step.index in gone
        ]
        totals = added_up(own for one in happenings if _is_of(one, gone) for own in one.totals)
        self._journal.rewrite(
            lambda one: not _is_of(one, gone),
            Event.STEPS_THINNED,
            self._clock_began_ns + clock_ns,
            totals=TOTALS_ADAPTER.dump_python(totals, mode="json"),
        )
        for directory in directories:
            if (self.path / directory).exists():
                shutil.rmtree(self.path / directory)

    def step_ended_early(
        self,
        index: int,
        clock_ns: int,
        event: Event,
        reason: Message,
        bytes_done: int | None = None,
        written_bytes: int = 0,
    ) -> None:
        """Note that a step failed, was interrupted or skipped (`event` says which), why, how far it was, and what it wrote."""
        why = message_as_json(reason)
        self._append(event, clock_ns, index=index, reason=why, bytes_done=bytes_done, written_bytes=written_bytes)

    def drive_said(self, clock_ns: int, moment: layout.Moment, answers: Mapping[str, str]) -> None:
        """Keep what the programs that know drives say at the start or end of this session."""
        if not answers:
            return
        happenings, _ = read_journal(self.path / layout.JOURNAL)
        session = 1 + sum(one.event is Event.RUN_RESUMED for one in happenings)
        place = layout.drive_directory(moment, session)
        contents = {f"{place}/{name}": text.encode() for name, text in answers.items()}
        (self.path / place).mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            write_durably(self.path / name, content)
        marks = {name: mark_of(content) for name, content in contents.items()}
        self._append(Event.DRIVE_SAID, clock_ns, files=as_json(marks))

    def display_lost(self, clock_ns: int, how: str) -> None:
        """Note that nobody sees the run any more."""
        self._append(Event.DISPLAY_LOST, clock_ns, how=how)

    def warning(self, clock_ns: int, warned: Warned) -> None:
        """Note something the reader of the results must know."""
        self._append(Event.WARNING, clock_ns, **warned.fields)

    def host(self, clock_ns: int, tuning: Tuning) -> None:
        """Note how the host was found, and what of it was set."""
        self._append(Event.HOST, clock_ns, tuning=layout.TUNING_ADAPTER.dump_python(tuning, mode="json"))

    def host_restored(self, clock_ns: int, restoration: Restoration) -> None:
        """Note what of the host was put back."""
        fields = layout.RESTORATION_ADAPTER.dump_python(restoration, mode="json")
        self._append(Event.HOST_RESTORED, clock_ns, restoration=fields)

    def power_marks(self, clock_ns: int, marks: PowerMarks) -> None:
        """Note bursts that were made for a power meter; their times are on the clock of the engine, as `clock_ns` is."""
        self._append(Event.POWER_MARKS, clock_ns, power_marks=marks_as_json(marks.later(self._clock_began_ns)))

    def run_ended(self, clock_ns: int, event: Event, reason: Message | None) -> None:
        """Note how the run ended."""
        self._append(event, clock_ns, reason=None if reason is None else message_as_json(reason))

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()


def write_result(directory: Path, result: RawResult) -> dict[str, FileMark]:
    """Write all files of a job into a directory, and return their marks by their names.

    Raises:
        OSError: The host's file system refused.
    """
    from ssdlab.bundle import tables

    for name, content in result.files.items():
        write_durably(directory / name, content)
    tables.write_series(result, _partial(directory / layout.SERIES))
    tables.write_histogram(result, _partial(directory / layout.HISTOGRAM))
    written = [layout.SERIES, layout.HISTOGRAM]
    if any(one.latency_windows is not None for one in result.directions.values()):
        tables.write_latency_windows(result, _partial(directory / layout.LATENCY_WINDOWS))
        written.append(layout.LATENCY_WINDOWS)
    if any(one.every_io is not None for one in result.directions.values()):
        tables.write_every_io(result, _partial(directory / layout.EVERY_IO))
        written.append(layout.EVERY_IO)
    if result.sensed is not None and result.sensed.series.says_anything:
        tables.write_sensors(result.sensed.series, _partial(directory / layout.SENSORS))
        written.append(layout.SENSORS)
    for name in written:
        make_durable(_partial(directory / name), directory / name)
    summary = layout.pretty_json(layout.RESULT_ADAPTER, _step_result(result))
    write_durably(directory / layout.RESULT, summary)
    marks = {name: mark_of(content) for name, content in {**result.files, layout.RESULT: summary}.items()}
    return marks | {name: mark_of_file(directory / name) for name in written}


def logs_left(directory: Path) -> dict[str, FileMark]:
    """Marks of the logs that fio left in the directory of a step, by their names there."""
    files = sorted(path for path in (directory / layout.RAW).glob("*") if path.is_file())
    return {f"{layout.RAW}/{path.name}": mark_of_file(path) for path in files}


def write_conclusions(path: Path, metrics: Sequence[Metric], audit: Sequence[Check]) -> None:
    """Write what was computed from the bundle; it can be computed again at any time. Raises like `write_checked`."""
    write_checked(path, conclusions(metrics, audit))


def conclusions(metrics: Sequence[Metric], audit: Sequence[Check]) -> dict[str, bytes]:
    """The files of what was computed from the bundle."""
    return {
        layout.METRICS: layout.pretty_json(layout.METRICS_ADAPTER, tuple(metrics)),
        layout.AUDIT: layout.pretty_json(layout.AUDIT_ADAPTER, tuple(audit)),
    }


def _is_of(one: JournalEntry, indices: Collection[int]) -> bool:
    """Whether a line says nothing but what the totals of these steps, or those before, say in their place."""
    if one.event is Event.STEPS_ADDED:
        return all(step.index in indices for step in _added(one))
    return one.event is Event.STEPS_THINNED or one.data.get("index") in indices


def _added(one: JournalEntry) -> tuple[Step, ...]:
    return layout.STEPS_ADAPTER.validate_python(one.data["steps"]) if one.event is Event.STEPS_ADDED else ()


def _written(result: RawResult | None, written_bytes: int) -> int:
    """What a step wrote: as its result counts, or more."""
    counted = None if result is None else result.directions.get(Direction.WRITE)
    return max(written_bytes, 0 if counted is None else counted.io_bytes)


def _plain(value: int | str | Unknown) -> int | str | dict[str, Any]:
    return {"unknown": message_as_json(value.reason)} if isinstance(value, Unknown) else value


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
        device=result.device,
        sensed=NOT_RECORDED if result.sensed is None else _sensed(result.sensed),
        stopped=result.stopped,
        point_end=result.point_end,
        standstills=result.standstills,
        timed=result.timed,
        punctuality=result.punctuality,
        issued=result.issued,
        replayed=result.replayed,
        gap_ns=result.gap_ns,
        began_ns=result.began_ns,
    )


def _sensed(sensed: JobSensors) -> SensedStep:
    return SensedStep(before=sensed.before, after=sensed.after, messages=sensed.messages, late=sensed.late)


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
