"""A sustained write: passes one after the other, each a step of a bundle, each record durable before the next (METHODS U)."""

import hashlib
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.bundle.journal import Event
from ssdlab.bundle.layout import Moment
from ssdlab.bundle.model import Step, StepStatus, SuiteText
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.sense import Reading
from ssdlab.durable import write_durably
from ssdlab.engine.bad_data import BAD_ADAPTER, BAD_FILE, Verified
from ssdlab.engine.result import Direction, RawResult
from ssdlab.engine.sustain import Done, Heard
from ssdlab.errors import Interrupted, SsdlabError
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.lab.begin import Asked, Subject, bundle_path, info_of
from ssdlab.lab.host_notes import Notes, host_noted
from ssdlab.lab.run import RunFailed, conclude_again, explained, note_drive
from ssdlab.lab.sustain_ground import Ground
from ssdlab.lab.sustain_live import Outlook, Watcher
from ssdlab.lab.sustain_records import RECORDS, Phase, Record, Recorder, RecordFile, perhaps
from ssdlab.lab.sustain_retention import day_of_writing
from ssdlab.lab.sustain_thinning import Thinning, totals_of_pass, totals_of_rest
from ssdlab.lab.told import ENDINGS, ctrl_c_calls
from ssdlab.method.sustain import (
    NAME,
    VERSION,
    Keeping,
    Verify,
    Wish,
    Work,
    host_bytes_max,
    keeping,
    pass_job,
)
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown

_BY_OPERATOR = "stopped by the operator"
AGAIN = "a sustained write cannot be gone on with, as the drive has rested: begin again with the same command"


class Stopped(Exception):  # noqa: N818 - no error: the operator has seen enough
    """The operator ended the run in a pass that is kept."""


def sustain(wish: Wish, ground: Ground, lab: Path, watcher: Watcher, csv: Path | None) -> Bundle:
    """Do it, and return the bundle.

    Raises:
        RunFailed: The drive refused, or the host's disk is full; the bundle holds what was done.
        Interrupted: The operator stopped a run of so many passes; likewise. An endless run ends well so.
    """
    _check_space(wish, ground, lab)
    text = _settings(wish, lab)
    suite = SuiteText(name=NAME, version=VERSION, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())
    asked = Asked(suite=suite, profile="standard", comparable=True, seed=ground.seed)
    subject = Subject(drive=ground.identity, spec_text=ground.spec_text, engine=ground.passes.name)
    path = bundle_path(lab, NAME, ground.identity)
    with (
        explained(path, AGAIN),
        perhaps(csv) as lines,
        closing(BundleWriter(path, info_of(asked, subject), ())) as writer,
    ):
        watcher.begins(path, ground.length_bytes)
        notes = Notes(writer, ground.now_ns, watcher.note)
        if ground.found is not None:
            notes.warn(ground.found)
        with host_noted(None if ground.bench is None else ground.bench.host, notes):
            return _Session(wish, ground, writer, watcher, lines).run()


def _check_space(wish: Wish, ground: Ground, lab: Path) -> None:
    """Refuse to begin what the host's disk cannot hold, the more so where the files are on it too."""
    place = next(path for path in (lab, *lab.absolute().parents) if path.exists())
    shared = ground.place is not None and ground.place.stat().st_dev == place.stat().st_dev
    taken_bytes = ground.length_bytes if shared and wish.work is not Work.READ_AGAIN else 0
    free_bytes = shutil.disk_usage(place).free - taken_bytes
    needed_bytes = host_bytes_max(wish, ground.length_bytes)
    if free_bytes < needed_bytes:
        left = " once the passes fill it" if taken_bytes else ""
        raise RunFailed(
            f"`{place}` has {format_bytes(max(0, free_bytes))} free{left}, this run may need {format_bytes(needed_bytes)} for its bundle",
            "put the bundle elsewhere with `--lab DIR`, or leave more with `--leave`",
        )


def _settings(wish: Wish, lab: Path) -> str:
    """What was asked, and of data read again how fast it was once: both are needed to say what the run means."""
    if wish.work is not Work.READ_AGAIN:
        return wish.text
    once = day_of_writing(lab, wish)
    return wish.text if once is None else f"{wish.text}\n{once.text}"


@dataclass(frozen=True, slots=True)
class _Pass:
    """One going over the range."""

    name: str
    kind: StepKind
    phase: Phase
    number: int
    job: Job


Outcome = tuple[RawResult, Verified | Unknown | None]


class _Session:
    """One run of passes."""

    def __init__(
        self, wish: Wish, ground: Ground, writer: BundleWriter, watcher: Watcher, csv: RecordFile | None
    ) -> None:
        self._wish = wish
        self._ground = ground
        self._writer = writer
        self._watcher = watcher
        self._csv = csv
        self._state = ground.state
        self._written_bytes = ground.length_bytes
        self._outlook = Outlook(wish, ground.length_bytes)
        self._thinning = Thinning(writer)
        self._number = 0
        """Of the pass."""
        self._heard = Heard.GO_ON

    def run(self) -> Bundle:
        try:
            # Wherever it comes, the first Ctrl-C is a wish to end, and the second interrupts.
            with ctrl_c_calls(self._stop, ENDINGS):
                self._note_drive(Moment.START)
                self._passes()
        except Stopped:
            return self._end_by_operator()
        except BaseException as error:
            reason = _BY_OPERATOR if isinstance(error, KeyboardInterrupt) else str(error)
            event = Event.RUN_INTERRUPTED if isinstance(error, KeyboardInterrupt) else Event.RUN_FAILED
            with suppress(OSError):
                self._writer.run_ended(self._ground.now_ns(), event, reason)
                self._note_drive(Moment.END)
            with suppress(OSError, SsdlabError):
                conclude_again(self._writer.path)
            raise
        return self._end(Event.RUN_FINISHED, None)

    def _stop(self) -> None:
        self._heard = Heard.STOP

    def _require_going_on(self) -> None:
        if self._heard is Heard.STOP:
            raise Stopped

    def _note_drive(self, moment: Moment) -> None:
        """What the drive says of itself; a directory does not say which that is."""
        bench = self._ground.bench
        if bench is None:
            return
        note_drive(self._writer, bench, moment)
        if moment is Moment.END:
            for finding in bench.drive.findings():
                self._writer.warning(self._ground.now_ns(), finding)

    def _end(self, event: Event, reason: str | None) -> Bundle:
        self._note_drive(Moment.END)
        self._thinning.thin_out(self._ground.now_ns(), self._number)
        self._writer.run_ended(self._ground.now_ns(), event, reason)
        return conclude_again(self._writer.path)

    def _end_by_operator(self) -> Bundle:
        if self._wish.passes is None:
            return self._end(Event.RUN_FINISHED, None)
        bundle = self._end(Event.RUN_INTERRUPTED, _BY_OPERATOR)
        raise Interrupted(
            f"{_BY_OPERATOR}; all that was written is in `{bundle.path}`",
            f"look at it: `ssdlab show {bundle.path}`",
            AGAIN,
        )

    def _passes(self) -> None:
        wish = self._wish
        self._prepare()
        if wish.work is Work.READ_AGAIN:
            self._verify(1)
            return
        while wish.passes is None or self._number < wish.passes:
            self._number += 1
            self._write(self._number)
            last = self._number == wish.passes
            if wish.verify is Verify.EACH_PASS or (last and wish.verify is Verify.AFTER):
                self._verify(self._number)
            if not last and wish.rest_ns:
                self._rest(f"{NAME}.rest{self._number}")
            self._thinning.pass_over(self._ground.now_ns(), self._number)

    def _prepare(self) -> None:
        if self._ground.trim is not None:
            step = self._begin(f"{NAME}.trim", StepKind.PURGE, None)
            self._writer.step_finished(step.index, self._ground.now_ns(), None, self._ground.trim())
        if self._wish.rest_ns:
            self._rest(f"{NAME}.rest")

    def _begin(self, name: str, kind: StepKind, job: Job | None, rest_ns: int = 0) -> Step:
        self._require_going_on()
        self._ground.check()
        step = Step(
            index=self._writer.next_index,
            name=name,
            group=NAME,
            point=name,
            kind=kind,
            status=StepStatus.PLANNED,
            state=self._state,
            job=job,
            rest_ns=rest_ns,
            started_ns=None,
            ended_ns=None,
            reason=None,
        )
        self._writer.steps_added(self._ground.now_ns(), [step])
        self._writer.step_started(step.index, self._ground.now_ns(), self._state)
        return step

    def _rest(self, name: str) -> None:
        rest_ns = self._wish.rest_ns
        step = self._begin(name, StepKind.REST, None, rest_ns)
        self._watcher.rests(rest_ns)
        try:
            # A sleep goes on after a signal that is only noted.
            with ctrl_c_calls(_interrupt, ENDINGS):
                self._require_going_on()
                self._ground.rest(rest_ns)
        except (KeyboardInterrupt, Stopped):
            self._end_early(step, Event.STEP_INTERRUPTED, _BY_OPERATOR)
            raise Stopped from None
        self._outlook.rested(rest_ns)
        totals = totals_of_rest(step)
        self._writer.step_finished(step.index, self._ground.now_ns(), None, totals=totals)
        self._thinning.may_go(step, self._number, totals)

    def _end_early(self, step: Step, event: Event, reason: str) -> None:
        self._writer.step_ended_early(step.index, self._ground.now_ns(), event, reason)

    def _write(self, number: int) -> None:
        self._ground.anew()
        name, passes = f"{NAME}.pass{number}", self._ground.passes
        job = passes.shape(pass_job(name, self._wish, self._ground.length_bytes, self._ground.seed, 0))
        one = _Pass(name, StepKind.FILL, Phase.WRITE, number, job)
        result = self._do(one, lambda place, listener: (passes.write(job, number, place, listener), None))
        self._written_bytes = result.directions[Direction.WRITE].io_bytes
        self._state = _state_after(self._state)

    def _verify(self, number: int) -> None:
        name, passes = f"{NAME}.verify{number}", self._ground.passes
        job = passes.shape(pass_job(name, self._wish, self._written_bytes, self._ground.seed, 100))
        one = _Pass(name, StepKind.MEASURE, Phase.READ, number, job)
        self._do(one, lambda place, listener: passes.read(job, number, place, listener))

    def _do(self, one: _Pass, work: "Callable[[Path, _Listener], Outcome]") -> RawResult:
        """One pass, as a step.

        Raises:
            Stopped: The operator wants no more; what was done is kept.
        """
        step = self._begin(one.name, one.kind, one.job if keeping(one.number, one.number) is Keeping.WHOLE else None)
        place = self._writer.step_directory(step.index)
        self._outlook.pass_begins(one.job.region.length_bytes)
        with RecordFile(place / RECORDS) as own:
            recorder = Recorder(one.phase, one.number, self._wish.record_bytes)
            listener = _Listener(recorder, lambda record: self._tell(own, record), self._outlook, lambda: self._heard)
            try:
                result, verified = work(place, listener)
                if isinstance(verified, Verified) and verified.unreadable:
                    # A drive that went away is not one with bytes that cannot be read.
                    self._ground.check()
            except BaseException as error:
                interrupted = isinstance(error, KeyboardInterrupt)
                event = Event.STEP_INTERRUPTED if interrupted else Event.STEP_FAILED
                self._end_early(step, event, _BY_OPERATOR if interrupted else str(error))
                raise
            part = next(iter(result.directions.values()))
            listener.finish(Done(part.io_bytes, part.runtime_ns))
        self._finish(step, one.number, result, verified)
        self._require_going_on()
        return result

    def _finish(self, step: Step, number: int, result: RawResult, verified: Verified | Unknown | None) -> None:
        place, note = self._writer.step_directory(step.index), _outcome(verified)
        totals = totals_of_pass(step, result, verified, self._wish)
        files = {RECORDS: (place / RECORDS).read_bytes()}
        if isinstance(verified, Verified):
            files[BAD_FILE] = BAD_ADAPTER.dump_json(verified.bad, indent=2) + b"\n"
        may_go = self._thinning.may_go(step, number, totals)
        if step.job is not None:
            whole = replace(result, files={**result.files, **files})
            self._writer.step_finished(step.index, self._ground.now_ns(), whole, note, totals=totals)
            return
        if not may_go:
            # What the line of the journal says must be there before it.
            write_durably(place / BAD_FILE, files[BAD_FILE])
        line = "; ".join(text for text in (totals.text, note) if text)
        self._writer.step_finished(
            step.index, self._ground.now_ns(), None, line, written_bytes=totals.written_bytes, totals=totals
        )
        if may_go:
            shutil.rmtree(place)

    def _tell(self, own: RecordFile, record: Record) -> None:
        own.add(record)
        if self._csv is not None:
            self._csv.add(record)
        self._watcher.record(self._outlook.take(record))


def _outcome(verified: Verified | Unknown | None) -> str:
    if isinstance(verified, Verified):
        return f"{verified.bad_bytes} bytes are not what was written"
    return "" if verified is None else verified.unknown


def _state_after(state: DriveState) -> DriveState:
    after = {DriveState.FOB: DriveState.FILLED_ONCE, DriveState.FILLED_ONCE: DriveState.FILLED_TWICE}
    return after.get(state, state)


def _interrupt() -> None:
    raise KeyboardInterrupt


class _Listener:
    """Keeps the records of a pass, and ends it where the operator wants no more."""

    def __init__(
        self, recorder: Recorder, tell: Callable[[Record], None], outlook: Outlook, heard: Callable[[], Heard]
    ) -> None:
        self._recorder = recorder
        self._tell = tell
        self._outlook = outlook
        self._heard = heard

    def done(self, done: Done) -> Heard:
        """See `ssdlab.engine.sustain.Listener`."""
        if (record := self._recorder.take(done)) is not None:
            self._tell(record)
        return self._heard()

    def felt(self, time_ns: int, reading: Reading) -> None:
        """Likewise."""
        del time_ns
        if not isinstance(reading.temperature_c, Unknown) or isinstance(self._outlook.temperature_c, Unknown):
            self._outlook.temperature_c = reading.temperature_c

    def finish(self, done: Done) -> None:
        """The pass is over."""
        if (record := self._recorder.finish(done)) is not None:
            self._tell(record)
