"""A sustained write: passes one after the other, each a step of a bundle, each record durable before the next (METHODS U)."""

import hashlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from pydantic import TypeAdapter

from ssdlab import version
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import SCHEMA_VERSION, RunInfo, Step, StepStatus, SuiteText
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.identity import DriveIdentity
from ssdlab.engine.result import Direction, RawResult
from ssdlab.engine.sustain import BadRange, Done, Heard, Passes, Verified
from ssdlab.errors import Interrupted, SsdlabError
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.lab.host import look_at_host
from ssdlab.lab.run import conclude_again, explained
from ssdlab.lab.sustain_retention import day_of_writing
from ssdlab.method.sustain import NAME, VERSION, Verify, Wish, Work, pass_job
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

RECORDS = "records.csv"
BAD = "bad.json"
CSV_HEAD = "interval,phase,total_bytes,interval_ms,MB_per_s\n"
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_STEPS_MAX = 1000
"""Passes that are kept with series and histograms; later ones of an endless run leave a line each."""
_BAD_ADAPTER = TypeAdapter(tuple[BadRange, ...])


class Phase(Enum):
    """What a record is of."""

    WRITE = "write"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Record:
    """One line: so many bytes since the record before it.

    Attributes:
        interval: Number in the pass, from 1.
        total_bytes: Since the pass began.
    """

    interval: int
    phase: Phase
    number: int
    total_bytes: int
    interval_ns: int
    bytes_per_s: float

    @property
    def line(self) -> str:
        """As CSV; MB are millions of bytes."""
        return f"{self.interval},{self.phase.value}{self.number},{self.total_bytes},{self.interval_ns / NS_PER_MS:.3f},{self.bytes_per_s / 1e6:.3f}\n"


class Watcher(Protocol):
    """Somebody watching."""

    def begins(self, bundle: Path, length_bytes: int) -> None:
        """The bundle exists."""

    def record(self, record: Record, length_bytes: int) -> None:
        """A record is durable."""

    def note(self, text: str) -> None:
        """Something the reader must know."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What is written to, and what can be asked of it.

    Attributes:
        length_bytes: Of a pass.
        anew: Makes room for the next pass; called before each.
        trim: Gives all blocks back before the first pass, and says how; None if nobody asked.
        rest: Lets the drive idle for so many nanoseconds.
        check: Makes sure that it is still the same drive.
    """

    identity: DriveIdentity
    spec_text: str | None
    passes: Passes
    length_bytes: int
    seed: int
    state: DriveState
    now_ns: Callable[[], int]
    anew: Callable[[], None]
    trim: Callable[[], str] | None
    rest: Callable[[int], None]
    check: Callable[[], None]
    found: str | None
    """What was done away with when it was opened; None where there was nothing."""


class _Csv:
    """A file of records, every line on the medium before the next interval begins."""

    def __init__(self, path: Path) -> None:
        new = not path.exists() or not path.stat().st_size
        self._file = path.open("a", encoding="utf-8")
        if new:
            self.add(CSV_HEAD)

    def add(self, line: str) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class _Recorder:
    """Cuts a pass into records."""

    def __init__(self, wish: Wish, phase: Phase, number: int, tell: Callable[[Record], None]) -> None:
        self._record_bytes = wish.record_bytes
        self._phase = phase
        self._number = number
        self._tell = tell
        self._interval = 0
        self._last = Done(0, 0)

    def take(self, done: Done) -> Heard:
        if done.bytes - self._last.bytes >= self._record_bytes:
            self._close(done)
        return Heard.GO_ON

    def finish(self, done: Done) -> None:
        if done.bytes > self._last.bytes:
            self._close(done)

    def _close(self, done: Done) -> None:
        self._interval += 1
        took_ns = max(done.time_ns - self._last.time_ns, 1)
        speed = (done.bytes - self._last.bytes) * NS_PER_S / took_ns
        self._last = done
        self._tell(Record(self._interval, self._phase, self._number, done.bytes, took_ns, speed))


class Stopped(Exception):  # noqa: N818 - no error: the operator has seen enough
    """The operator ended the run in a pass that is kept."""


def sustain(wish: Wish, ground: Ground, lab: Path, watcher: Watcher, csv: Path | None) -> Bundle:
    """Do it, and return the bundle.

    Raises:
        RunFailed: The drive refused, or the host's disk is full; the bundle holds what was done.
        Interrupted: The operator stopped a run of so many passes; likewise. An endless run ends well so.
    """
    path = _new_path(lab, ground.identity)
    writer = BundleWriter(path, _run_info(ground, _settings(wish, lab)), ())
    try:
        with explained(path), _records(csv) as lines:
            watcher.begins(path, ground.length_bytes)
            if ground.found is not None:
                writer.warning(ground.now_ns(), ground.found)
                watcher.note(ground.found)
            return _Session(wish, ground, writer, watcher, lines).run()
    finally:
        writer.close()


@contextmanager
def _records(csv: Path | None) -> Iterator[_Csv | None]:
    if csv is None:
        yield None
        return
    with _Csv(csv) as lines:
        yield lines


class _Session:
    """One run of passes."""

    def __init__(self, wish: Wish, ground: Ground, writer: BundleWriter, watcher: Watcher, csv: _Csv | None) -> None:
        self._wish = wish
        self._ground = ground
        self._writer = writer
        self._watcher = watcher
        self._csv = csv
        self._state = ground.state
        self._written_bytes = ground.length_bytes

    def run(self) -> Bundle:
        try:
            self._passes()
        except Stopped:
            return self._end_by_operator()
        except BaseException as error:
            reason = "stopped by the operator" if isinstance(error, KeyboardInterrupt) else str(error)
            event = Event.RUN_INTERRUPTED if isinstance(error, KeyboardInterrupt) else Event.RUN_FAILED
            with suppress(OSError):
                self._writer.run_ended(self._ground.now_ns(), event, reason)
            with suppress(OSError, SsdlabError):
                conclude_again(self._writer.path)
            raise
        self._writer.run_ended(self._ground.now_ns(), Event.RUN_FINISHED, None)
        return conclude_again(self._writer.path)

    def _end_by_operator(self) -> Bundle:
        endless = self._wish.passes is None
        reason = None if endless else "stopped by the operator"
        event = Event.RUN_FINISHED if endless else Event.RUN_INTERRUPTED
        self._writer.run_ended(self._ground.now_ns(), event, reason)
        bundle = conclude_again(self._writer.path)
        if endless:
            return bundle
        raise Interrupted(
            f"stopped by the operator; all that was written is in `{bundle.path}`",
            f"look at it: `ssdlab show {bundle.path}`",
        )

    def _passes(self) -> None:
        wish = self._wish
        self._prepare()
        if wish.work is Work.READ_AGAIN:
            self._verify(1, 1)
            return
        number = 0
        while wish.passes is None or number < wish.passes:
            number += 1
            self._write(number)
            last = number == wish.passes
            if wish.verify is Verify.EACH_PASS or (last and wish.verify is Verify.AFTER):
                self._verify(number, number)
            if not last and wish.rest_ns:
                self._rest(f"{NAME}.rest{number}")

    def _prepare(self) -> None:
        if self._ground.trim is not None:
            step = self._begin(f"{NAME}.trim", StepKind.PURGE, None)
            self._writer.step_finished(step.index, self._ground.now_ns(), None, self._ground.trim())
        if self._wish.rest_ns:
            self._rest(f"{NAME}.rest")

    def _begin(self, name: str, kind: StepKind, job: Job | None, rest_ns: int = 0) -> Step:
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
        step = self._begin(name, StepKind.REST, None, self._wish.rest_ns)
        try:
            self._ground.rest(self._wish.rest_ns)
        except KeyboardInterrupt:
            self._end_early(step, Event.STEP_INTERRUPTED, "stopped by the operator")
            raise Stopped from None
        self._writer.step_finished(step.index, self._ground.now_ns(), None)

    def _end_early(self, step: Step, event: Event, reason: str) -> None:
        self._writer.step_ended_early(step.index, self._ground.now_ns(), event, reason)

    def _write(self, number: int) -> None:
        self._ground.anew()
        name = f"{NAME}.pass{number}"
        passes = self._ground.passes
        job = passes.shape(pass_job(name, self._wish, self._ground.length_bytes, self._ground.seed, 0))
        result, _ = self._pass(
            name,
            StepKind.FILL,
            job,
            Phase.WRITE,
            number,
            lambda where, told: (passes.write(job, number, where, told), None),
        )
        self._written_bytes = result.directions[Direction.WRITE].io_bytes
        self._state = DriveState.FILLED_ONCE if self._state is DriveState.FOB else self._after_write()
        if result.stopped is not None:
            raise Stopped

    def _after_write(self) -> DriveState:
        return DriveState.FILLED_TWICE if self._state is DriveState.FILLED_ONCE else self._state

    def _verify(self, number: int, generation: int) -> None:
        name = f"{NAME}.verify{number}"
        wish, ground = self._wish, self._ground
        job = ground.passes.shape(pass_job(name, wish, self._written_bytes, ground.seed, 100))
        result, _ = self._pass(
            name,
            StepKind.MEASURE,
            job,
            Phase.READ,
            number,
            lambda where, told: ground.passes.read(job, generation, where, told),
        )
        if result.stopped is not None:
            raise Stopped

    def _pass(
        self,
        name: str,
        kind: StepKind,
        job: Job,
        phase: Phase,
        number: int,
        do: "Callable[[Path, Callable[[Done], Heard]], tuple[RawResult, Verified | Unknown | None]]",
    ) -> tuple[RawResult, Verified | Unknown | None]:
        whole = number <= _STEPS_MAX
        step = self._begin(name, kind, job if whole else None)
        directory = self._writer.step_directory(step.index)
        stop = _StopOnce()
        with _Csv(directory / RECORDS) as own:
            recorder = _Recorder(self._wish, phase, number, lambda record: self._tell(own, record))
            try:
                with stop.watching():
                    result, verified = do(directory, lambda done: stop.heard() or recorder.take(done))
            except BaseException as error:
                interrupted = isinstance(error, KeyboardInterrupt)
                reason = "stopped by the operator" if interrupted else str(error)
                self._end_early(step, Event.STEP_INTERRUPTED if interrupted else Event.STEP_FAILED, reason)
                raise
            part = next(iter(result.directions.values()))
            recorder.finish(Done(part.io_bytes, part.runtime_ns))
        self._finish(step, directory, result, verified, whole)
        return result, verified

    def _finish(
        self,
        step: Step,
        directory: Path,
        result: RawResult,
        verified: Verified | Unknown | None,
        whole: bool,  # noqa: FBT001 - a fact about the step
    ) -> None:
        files = {RECORDS: (directory / RECORDS).read_bytes()}
        note = ""
        if isinstance(verified, Verified):
            files[BAD] = _BAD_ADAPTER.dump_json(verified.bad, indent=2) + b"\n"
            note = f"{verified.bad_bytes} bytes are not what was written"
        elif isinstance(verified, Unknown):
            note = verified.unknown
        part = next(iter(result.directions.values()))
        if not whole:
            speed = part.io_bytes * NS_PER_S / max(part.runtime_ns, 1) / 1e6
            (directory / RECORDS).unlink()
            note = "; ".join(text for text in (f"{part.io_bytes} bytes at {speed:.1f} MB/s", note) if text)
            self._writer.step_finished(step.index, self._ground.now_ns(), None, note)
            return
        kept = replace(result, files={**result.files, **files})
        self._writer.step_finished(step.index, self._ground.now_ns(), kept, note)

    def _tell(self, own: _Csv, record: Record) -> None:
        own.add(record.line)
        if self._csv is not None:
            self._csv.add(record.line)
        self._watcher.record(record, self._ground.length_bytes)


class _StopOnce:
    """Turns the first Ctrl-C of a pass into a clean end of it; the second interrupts."""

    def __init__(self) -> None:
        self._asked = False

    def heard(self) -> Heard | None:
        """`STOP` once the operator asked for it."""
        return Heard.STOP if self._asked else None

    @contextmanager
    def watching(self) -> Iterator[None]:
        before = {number: signal.getsignal(number) for number in _ENDING}

        def ask(number: int, frame: object) -> None:
            del number, frame
            self._asked = True
            restore()

        def restore() -> None:
            for one, handler in before.items():
                signal.signal(one, handler)

        for number in _ENDING:
            signal.signal(number, ask)
        try:
            yield
        finally:
            restore()


def _new_path(lab: Path, identity: DriveIdentity) -> Path:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    drive = identity.model if isinstance(identity.model, str) else identity.target
    words = "".join(letter if letter.isalnum() else "-" for letter in drive).strip("-").lower()
    name = f"{moment}-{NAME}-{words}"[:120]
    paths = (lab / "runs" / (name if number == 1 else f"{name}-{number}") for number in range(1, 1000))
    return next(path for path in paths if not path.exists())


def _settings(wish: Wish, lab: Path) -> str:
    """What was asked, and of data read again how fast it was once: both are needed to say what the run means."""
    if wish.work is not Work.READ_AGAIN:
        return wish.text
    once = day_of_writing(lab, wish)
    return wish.text if once is None else f"{wish.text}\n{once.text}"


def _run_info(ground: Ground, text: str) -> RunInfo:
    return RunInfo(
        schema=SCHEMA_VERSION,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        drive=ground.identity,
        host=look_at_host(),
        suite=SuiteText(name=NAME, version=VERSION, text=text, sha256=hashlib.sha256(text.encode()).hexdigest()),
        profile="standard",
        comparable=True,
        seed=ground.seed,
        engine=ground.passes.name,
        ssdlab_version=version(),
        spec_text=ground.spec_text,
    )
