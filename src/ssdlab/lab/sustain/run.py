"""A sustained write: passes one after the other, each a step of a bundle, each record durable before the next (METHODS U)."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.bundle.mark import mark_of
from ssdlab.bundle.model import Limits, Step, as_step
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.durable import write_durably
from ssdlab.engine.base import Progress
from ssdlab.engine.result import Direction, RawResult
from ssdlab.engine.standstill import standstill_words, stood_still
from ssdlab.engine.sustain.bad_data import BAD_ADAPTER, BAD_FILE, Verified
from ssdlab.engine.sustain.writer import Decision, Done
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.lab.begin import Asked, RunSubject, info_of, suite_text
from ssdlab.lab.lifecycle import Run, RunSetup, Space, begin
from ssdlab.lab.limits import LimitReached, Watchdog, require_limits
from ssdlab.lab.run import conclude_again
from ssdlab.lab.stop_signal import ENDINGS, ctrl_c_calls
from ssdlab.lab.sustain.ground import NO_SENSOR, SustainTarget
from ssdlab.lab.sustain.live import Outlook, Watcher
from ssdlab.lab.sustain.records import RECORDS, Phase, Recorder, RecordFile, SustainRecord
from ssdlab.lab.sustain.retention import day_of_writing
from ssdlab.lab.sustain.thinning import Thinning, totals_of_pass, totals_of_rest
from ssdlab.message import Message, listed, message, number, semicolons
from ssdlab.method.sustain import (
    NAME,
    VERSION,
    Keeping,
    SustainSettings,
    Verify,
    Work,
    amount_of,
    host_bytes_max,
    keeping,
    pass_job,
)
from ssdlab.point import CoordinateAxis, Point, labelled
from ssdlab.step_spec import StepSpec
from ssdlab.unknown import Unknown


class Stopped(Exception):  # noqa: N818 - no error: the operator has seen enough
    """The operator or a limit ended the run in a pass that is kept."""


def sustain(
    settings: SustainSettings,
    ground: SustainTarget,
    lab: Path,
    watcher: Watcher,
    csv: Path | None,
    limits: Limits | None = None,
) -> Bundle:
    """Do it, and return the bundle.

    Raises:
        LimitRefused: The passes must break a limit, or the limit cannot be kept; nothing is begun.
        RunStopped: A limit was reached; the bundle holds what was done, the present pass up to there.
        RunFailed: The drive refused, or the host's disk is full; the bundle holds what was done.
        Interrupted: The operator stopped a run of so many passes; likewise. An endless run ends well so.
    """
    limits = limits or Limits()
    writes = amount_of(settings, ground.length_bytes).write_bytes
    sensor = NO_SENSOR if ground.bench is None else ground.bench.sensor
    require_limits(limits, sensor, 0 if isinstance(writes, Unknown) else writes)
    text = _settings(settings, lab)
    asked = Asked(suite=suite_text(NAME, VERSION, text), seed=ground.seed, limits=limits)
    subject = RunSubject(drive=ground.identity, spec_text=ground.spec_text, engine=ground.passes.name)

    def perform(run: Run) -> None:
        # Wherever it comes, the first Ctrl-C is a settings to end, and the second interrupts.
        with nullcontext() if csv is None else RecordFile(csv) as records:
            session = _Session(settings, ground, run, watcher, records)
            with ctrl_c_calls(session.stop, ENDINGS):
                session.do_passes()

    setup = RunSetup(
        bench=ground.bench,
        now_ns=ground.now_ns,
        begins=lambda path: watcher.begins(path, ground.length_bytes),
        tell=watcher.note,
        watching=watcher,
        watchdog=Watchdog(limits),
        resuming=lambda _path: message("lab-sustain-again"),
        perform=perform,
        conclude=conclude_again,
    )
    return begin(setup, lab, info_of(asked, subject), (), _space(settings, ground))


def _space(settings: SustainSettings, ground: SustainTarget) -> Space:
    """The files of a directory may be on the same disk."""
    filled = None if settings.work is Work.READ_AGAIN else ground.place
    return Space(
        bundle_bytes=host_bytes_max(settings, ground.length_bytes), beside=filled, beside_bytes=ground.length_bytes
    )


def _settings(settings: SustainSettings, lab: Path) -> str:
    """What was asked, and of data read again how fast it was once: both are needed to say what the run means."""
    if settings.work is not Work.READ_AGAIN:
        return settings.text
    once = day_of_writing(lab, settings)
    return settings.text if once is None else f"{settings.text}\n{once.text}"


@dataclass(frozen=True, slots=True)
class _Pass:
    """One going over the range."""

    point: Point
    kind: StepKind
    phase: Phase
    number: int
    job: Job


Outcome = tuple[RawResult, Verified | Unknown | None]


class _Session:
    """One run of passes."""

    def __init__(
        self, settings: SustainSettings, ground: SustainTarget, run: Run, watcher: Watcher, csv: RecordFile | None
    ) -> None:
        """Each record is also added to that file, if there is one."""
        self._settings = settings
        self._ground = ground
        self._run = run
        self._writer = run.writer
        self._watcher = watcher
        self._csv = csv
        self._state = ground.state
        self._written_bytes = ground.length_bytes
        self._outlook = Outlook(settings, ground.length_bytes)
        self._thinning = Thinning(run.writer)
        self._number = 0
        """Of the pass."""
        self._heard = Decision.GO_ON
        self._limits = _LimitGuard(run.watchdog, self.stop)

    def stop(self) -> None:
        """End with what is being done now."""
        self._heard = Decision.STOP

    def do_passes(self) -> None:
        """All of them.

        Raises:
            LimitReached: The run came to a limit.
            KeyboardInterrupt: The operator wanted no more than were done; of a run without an end that is the end.
        """
        if self._ground.found is not None:
            self._run.warn(WarningKind.LEFT_FILES, self._ground.found)
        stopped = False
        try:
            self._passes()
        except Stopped:
            stopped = self._settings.passes is not None
        self._thinning.thin_out(self._run.now_ns(), self._number)
        if self._limits.reached is not None:
            raise self._limits.reached
        if stopped:
            raise KeyboardInterrupt

    def _require_going_on(self) -> None:
        if self._heard is Decision.STOP:
            raise Stopped

    def _passes(self) -> None:
        settings = self._settings
        self._prepare()
        if settings.work is Work.READ_AGAIN:
            self._verify(1)
            return
        while settings.passes is None or self._number < settings.passes:
            self._number += 1
            self._write(self._number)
            last = self._number == settings.passes
            if settings.verify is Verify.EACH_PASS or (last and settings.verify is Verify.AFTER):
                self._verify(self._number)
            if not last and settings.rest_between_ns:
                self._rest(labelled(NAME, f"rest{self._number}"), settings.rest_between_ns)
            self._thinning.pass_over(self._run.now_ns(), self._number)

    def _prepare(self) -> None:
        if self._ground.trim is not None:
            with self._step(labelled(NAME, "trim"), StepKind.PURGE, None) as step:
                self._writer.step_finished(step.index, self._run.now_ns(), None, self._ground.trim())
        if self._settings.rest_ns:
            self._rest(labelled(NAME, "rest"), self._settings.rest_ns)

    @contextmanager
    def _step(self, point: Point, kind: StepKind, job: Job | None, rest_ns: int = 0) -> Iterator[Step]:
        self._require_going_on()
        self._ground.check()
        step = self._run.add(
            as_step(
                StepSpec(
                    index=self._writer.next_index,
                    name=point.name,
                    group=NAME,
                    point=point,
                    kind=kind,
                    state=self._state,
                    job=job,
                    rest_ns=rest_ns,
                )
            )
        )
        with self._run.step(step.index, point.name, self._state):
            yield step

    def _rest(self, point: Point, rest_ns: int) -> None:
        try:
            with self._step(point, StepKind.REST, None, rest_ns) as step:
                self._watcher.rests(rest_ns)
                # A sleep goes on after a signal that is only noted.
                with ctrl_c_calls(_interrupt, ENDINGS):
                    if self._heard is Decision.STOP:
                        _interrupt()
                    self._ground.rest(rest_ns)
                totals = totals_of_rest(step)
                self._writer.step_finished(step.index, self._run.now_ns(), None, totals=totals)
        except KeyboardInterrupt:
            raise Stopped from None
        self._outlook.rested(rest_ns)
        self._thinning.may_go(step, self._number, totals)

    def _write(self, number: int) -> None:
        self._ground.anew()
        point, passes = Point(NAME).at(CoordinateAxis.PASS, number), self._ground.passes
        job = passes.shape(pass_job(point.name, self._settings, self._ground.length_bytes, self._ground.seed, 0))
        one = _Pass(point, StepKind.FILL, Phase.WRITE, number, job)
        result = self._do(one, lambda place, listener: (passes.write(job, number, place, listener), None))
        self._written_bytes = result.directions[Direction.WRITE].io_bytes
        self._state = _state_after(self._state)

    def _verify(self, number: int) -> None:
        point, passes = Point(NAME).at(CoordinateAxis.READING, number), self._ground.passes
        job = passes.shape(pass_job(point.name, self._settings, self._written_bytes, self._ground.seed, 100))
        one = _Pass(point, StepKind.MEASURE, Phase.READ, number, job)
        self._do(one, lambda place, listener: passes.read(job, number, place, listener))

    def _do(self, one: _Pass, work: "Callable[[Path, _Listener], Outcome]") -> RawResult:
        """One pass, as a step.

        Raises:
            Stopped: The operator wants no more; what was done is kept.
        """
        whole = keeping(one.number, one.number) is Keeping.WHOLE
        with self._step(one.point, one.kind, one.job if whole else None) as step:
            result, verified = self._done(one, step, work)
            self._finish(step, one.number, result, verified)
        self._require_going_on()
        return result

    def _done(self, one: _Pass, step: Step, work: "Callable[[Path, _Listener], Outcome]") -> Outcome:
        place = self._writer.step_directory(step.index)
        self._outlook.pass_begins(one.job.region.length_bytes)
        self._limits.pass_begins()
        with RecordFile(place / RECORDS) as own:
            recorder = Recorder(one.phase, one.number, self._settings.record_bytes)
            watch = _Watch(
                lambda record: self._tell(step, own, record), self._outlook, self._limits, lambda: self._heard
            )
            listener = _Listener(recorder, watch)
            result, verified = work(place, listener)
            if isinstance(verified, Verified) and verified.unreadable:
                # A drive that went away is not one with bytes that cannot be read.
                self._ground.check()
            part = next(iter(result.directions.values()))
            listener.finish(Done(part.io_bytes, part.runtime_ns))
        return result, verified

    def _finish(self, step: Step, number: int, result: RawResult, verified: Verified | Unknown | None) -> None:
        if stood := stood_still(result.standstills):
            # A pass cannot be done again: the drive is not as it was before it.
            text = message("lab-stood-still", step=step.name, why=standstill_words(stood))
            self._run.warn(WarningKind.STANDSTILL, text, step.name)
        place, note = self._writer.step_directory(step.index), _outcome(verified)
        totals = totals_of_pass(step, result, verified, self._settings)
        files = {RECORDS: (place / RECORDS).read_bytes()}
        if isinstance(verified, Verified):
            files[BAD_FILE] = BAD_ADAPTER.dump_json(verified.bad, indent=2) + b"\n"
        may_go = self._thinning.may_go(step, number, totals)
        if step.job is not None:
            whole = replace(result, files={**result.files, **files})
            self._writer.step_finished(step.index, self._run.now_ns(), whole, note, totals=totals)
            return
        if not may_go:
            # What the line of the journal says must be there before it.
            for name, content in files.items():
                write_durably(place / name, content)
        left = {} if may_go else {name: mark_of(content) for name, content in files.items()}
        line = listed(semicolons(totals.told, *([] if note is None else [note])))
        self._writer.step_finished(step.index, self._run.now_ns(), None, line, totals.written_bytes, left, totals)
        if may_go:
            shutil.rmtree(place)

    def _tell(self, step: Step, own: RecordFile, record: SustainRecord) -> None:
        own.add(record)
        if self._csv is not None:
            self._csv.add(record)
        live = self._outlook.take(record)
        self._watcher.record(live)
        self._run.live.heed(live.temperature_c)
        self._run.live.watch(step.index, Progress(record.total_bytes / live.length_bytes, record.bytes_per_s))
        self._run.look_at_display()


def _outcome(verified: Verified | Unknown | None) -> Message | None:
    if isinstance(verified, Verified):
        return message("lab-bad-bytes", count=number(verified.bad_bytes, "d"))
    return None if verified is None else verified.reason


def _state_after(state: DriveState) -> DriveState:
    after = {DriveState.FOB: DriveState.FILLED_ONCE, DriveState.FILLED_ONCE: DriveState.FILLED_TWICE}
    return after.get(state, state)


def _interrupt() -> None:
    raise KeyboardInterrupt


class _LimitGuard:
    """Holds passes to the limits of their run: one that is reached ends a pass as Ctrl-C does, so that it is kept as far as it came."""

    def __init__(self, watchdog: Watchdog, stop: Callable[[], None]) -> None:
        self._watchdog = watchdog
        self._stop = stop
        self.reached: LimitReached | None = None

    def pass_begins(self) -> None:
        """Of writing, or of reading."""
        self._watchdog.begin()

    def wrote(self, length_bytes: int) -> None:
        """The pass has written so much."""
        with self._held():
            self._watchdog.watch(Progress(None, None, written_bytes=length_bytes))

    def felt(self, time_ns: int, reading: SensorReading) -> None:
        """What the drive's sensors said so long after the pass began."""
        with self._held():
            self._watchdog.heed(time_ns, reading)

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            yield
        except LimitReached as reached:
            self.reached = reached
            self._stop()


@dataclass(frozen=True, slots=True)
class _Watch:
    """What a pass is watched by, and whether it goes on."""

    tell: Callable[[SustainRecord], None]
    outlook: Outlook
    limits: _LimitGuard
    heard: Callable[[], Decision]


class _Listener:
    """Keeps the records of a pass, and ends it where the operator or a limit wants no more."""

    def __init__(self, recorder: Recorder, watch: _Watch) -> None:
        self._recorder = recorder
        self._watch = watch

    def done(self, done: Done) -> Decision:
        """See `ssdlab.engine.sustain.writer.Listener`."""
        if (record := self._recorder.take(done)) is not None:
            self._watch.tell(record)
        if self._recorder.phase is Phase.WRITE:
            self._watch.limits.wrote(done.bytes)
        return self._watch.heard()

    def felt(self, time_ns: int, reading: SensorReading) -> None:
        """Likewise."""
        outlook = self._watch.outlook
        if not isinstance(reading.temperature_c, Unknown) or isinstance(outlook.temperature_c, Unknown):
            outlook.temperature_c = reading.temperature_c
        self._watch.limits.felt(time_ns, reading)

    def finish(self, done: Done) -> None:
        """The pass is over."""
        if (record := self._recorder.finish(done)) is not None:
            self._watch.tell(record)
