"""The life of a run of any kind: its bundle is begun, the drive and the host are noted, steps are done, the end and why are written.

Limits hold every run. Only suites note how far a long step is, and go on after a stop: what a sustained write has done is durable record
by record, and neither it nor probes can find the drive again as it was.

What differs is handed in: what is done in between (`Setup.perform` is given the run), what is concluded from it, and how it goes on.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ssdlab import os_errors
from ssdlab.bundle.journal import Event
from ssdlab.bundle.layout import Moment
from ssdlab.bundle.model import RunInfo, Step
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.stop_asked import forget_stop_asked
from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.block.content import content_of
from ssdlab.drive.block.details import host_bytes_written
from ssdlab.engine.block_counters import kernel_written
from ssdlab.errors import Interrupted, SsdlabError
from ssdlab.job import DriveState
from ssdlab.lab.begin import BY_OPERATOR, asked_to_stop, new_bundle
from ssdlab.lab.bench import Bench
from ssdlab.lab.host_notes import host_noted
from ssdlab.lab.limits import LimitReached, Watchdog, unkept_between
from ssdlab.lab.live import LiveFeed
from ssdlab.lab.lost import Audience
from ssdlab.message import Message, message, size, verbatim
from ssdlab.place import require_directory
from ssdlab.unknown import Unknown


class RunStopped(SsdlabError):  # noqa: N818 - the error is the state
    """The run came to a limit it was given; everything finished so far is in the bundle."""


class RunFailed(SsdlabError):  # noqa: N818 - the error is the state
    """The run could not go on; everything finished so far is in the bundle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What a run takes of the host's disk.

    Attributes:
        bundle_bytes: At most, of its bundle.
        beside: A directory that is filled, too.
        beside_bytes: How far.
    """

    bundle_bytes: int
    beside: Path | None = None
    beside_bytes: int = 0

    def require(self, lab: Path) -> None:
        """Refuse to begin what the host's disk cannot hold.

        Raises:
            RunFailed: The file system of the lab has too little room.
            SsdlabError: The lab is no directory.
        """
        place = require_directory(lab)
        shared = self.beside is not None and self.beside.stat().st_dev == place.stat().st_dev
        taken_bytes = self.beside_bytes if shared else 0
        free_bytes = shutil.disk_usage(place).free - taken_bytes
        if free_bytes < self.bundle_bytes:
            free, needed = size(max(0, free_bytes)), size(self.bundle_bytes)
            if taken_bytes:
                little = message("lab-little-space-beside", place=str(place), free=free, needed=needed)
                raise RunFailed(little, message("lab-hint-leave-more"))
            little = message("lab-little-space", place=str(place), free=free, needed=needed)
            raise RunFailed(little, message("lab-hint-space"))


@dataclass(frozen=True, slots=True)
class Progressed:
    """How far a step is; None of what ends by time."""

    bytes_done: int | None = None
    written_bytes: int = 0


NOT_COUNTED = Progressed()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSetup:
    """What is handed in.

    Attributes:
        bench: The drive, with its host and sensors; None where what is written to does not tell which drive it is on.
        now_ns: The clock of the engine.
        begins: Told of the bundle before anything is done.
        tell: Shows what a reader of the results must know to whoever watches.
        watching: They, who may be lost.
        watchdog: Holds the run to its limits.
        resuming: How the run goes on if it stops, or why it cannot, given its bundle.
        perform: Does the steps; KeyboardInterrupt and LimitReached end the run, any other error fails it.
        conclude: Writes what follows from the bundle into it.
    """

    bench: Bench | None
    now_ns: Callable[[], int]
    begins: Callable[[Path], None]
    tell: Callable[[Message], None]
    watching: object
    watchdog: Watchdog
    resuming: Callable[[Path], Message]
    perform: Callable[["Run"], None]
    conclude: Callable[[Path], Bundle]


def begin(setup: RunSetup, lab: Path, info: RunInfo, steps: Sequence[Step], space: Space) -> Bundle:
    """A new run, from its first word to its conclusions.

    Raises:
        CannotBegin: The lab cannot be written to.
        RunFailed: A step failed or the host's disk is full; the bundle holds what was finished.
        RunStopped: It came to a limit; likewise.
        Interrupted: The operator stopped it; likewise.
    """
    space.require(lab)
    with new_bundle(lab, info, steps) as writer, _explained(writer.path, setup.resuming):
        return go(setup, writer)


@contextmanager
def reopened(
    path: Path, info: RunInfo, steps: Sequence[Step], resuming: Callable[[Path], Message]
) -> Iterator[BundleWriter]:
    """A bundle that stands on disk, to note in it what is done again, and then to `go` on.

    Raises:
        RunBusyError: Another process is writing it.
        RunFailed, RunStopped, Interrupted: As `begin`.
    """
    with closing(BundleWriter.reopen(path, info, steps)) as writer, _explained(path, resuming):
        yield writer


def go(setup: RunSetup, writer: BundleWriter) -> Bundle:
    """Do what is to be done, write down how it ended, and draw the conclusions.

    Raises:
        Whatever ended it; `begin` and `reopened` make it an error for the operator.
    """
    with closing(LiveFeed(writer.path, lambda: writer.run_clock_ns(setup.now_ns()))) as live:
        try:
            return _done(setup, Run(setup, writer, live))
        finally:
            forget_stop_asked(writer.path)


def _done(setup: RunSetup, run: "Run") -> Bundle:
    writer = run.writer
    try:
        setup.begins(writer.path)
        with host_noted(None if setup.bench is None else setup.bench.host, run):
            run.note_drive(Moment.START)
            run.note_limits()
            setup.perform(run)
            run.note_findings()
            run.note_drive(Moment.END)
        run.look_at_display()
        # Work without an end comes to a good one when it is asked to.
        writer.run_ended(setup.now_ns(), Event.RUN_FINISHED, asked_to_stop(writer.path))
    except BaseException as error:
        run.note_ending(error)
        with suppress(OSError, SsdlabError):
            # What ended the run is reported; conclusions can be computed again at any time.
            setup.conclude(writer.path)
        raise
    return setup.conclude(writer.path)


class Run:
    """What a run that goes on writes into its bundle, whatever kind it is."""

    def __init__(self, setup: RunSetup, writer: BundleWriter, live: LiveFeed) -> None:
        self.writer = writer
        self.live = live
        """For whoever follows the run."""
        self.now_ns = setup.now_ns
        self._bench = setup.bench
        self.tell = setup.tell
        self.watchdog = setup.watchdog
        self.announced: set[int] = set()
        """Steps that may have begun before they were asked for."""
        self._audience = setup.watching if isinstance(setup.watching, Audience) else None

    def warn(self, kind: WarningKind, text: Message, step: str | None = None) -> None:
        """Write down what a reader of the results must know, and tell whoever watches."""
        self.writer.warning(self.now_ns(), Warned(kind, text, step))
        self.tell(text)

    def look_at_display(self) -> None:
        """Write down, once, that nobody sees the run any more; to be called now and then."""
        if self._audience is not None and (lost := self._audience.lost) is not None:
            self._audience = None
            self.writer.display_lost(self.now_ns(), lost.value)

    def add(self, step: Step) -> Step:
        """A step that the plan could not know."""
        self.writer.steps_added(self.now_ns(), [step])
        return step

    def announce(self, index: int, state: DriveState, written_bytes_max: int | None) -> None:
        """A step may begin as soon as those before it are over; see `BundleWriter.step_announced`."""
        self.writer.step_announced(index, self.now_ns(), state, written_bytes_max)
        self.announced.add(index)

    def withdraw(self, index: int, written_bytes: int) -> None:
        """A step that was announced is not done yet."""
        self.announced.discard(index)
        self.writer.step_withdrawn(index, self.now_ns(), written_bytes)

    def start(self, index: int, state: DriveState) -> None:
        """A step begins, or begins again, with the drive in that state; one that was announced is asked for."""
        self.announced.discard(index)
        self.writer.step_started(index, self.now_ns(), state)

    def skip(self, index: int, reason: Message) -> None:
        """A step is not needed."""
        self.writer.step_ended_early(index, self.now_ns(), Event.STEP_SKIPPED, reason)

    @contextmanager
    def step(
        self, index: int, name: str, state: DriveState, progressed: Callable[[], Progressed] = lambda: NOT_COUNTED
    ) -> Iterator[None]:
        """A step, which whoever does it says is finished; what ends it before is written down, and how far it had progressed."""
        self.start(index, state)
        try:
            yield
        except BaseException as error:
            self._hear_kernel(name)
            if not self.writer.is_finished(index):
                ending, so_far, now_ns = _ending_of(error, self.writer.path), progressed(), self.now_ns()
                self.writer.step_ended_early(
                    index, now_ns, ending.step, ending.reason, so_far.bytes_done, so_far.written_bytes
                )
            raise
        if not self.announced:
            # Else the next one has begun, and hears what is said meanwhile.
            self._hear_kernel(name)

    def _hear_kernel(self, name: str) -> None:
        """What the kernel said of the drive while no finished job listened; a job keeps it among what it sensed."""
        said = Unknown(message("unknown-no-drive")) if self._bench is None else self._bench.sensor.messages()
        for line in () if isinstance(said, Unknown) else said:
            self.writer.warning(self.now_ns(), Warned(WarningKind.KERNEL, verbatim(line), name))

    def note_drive(self, moment: Moment) -> None:
        """Keep what a drive that others could write to says of itself now, and the counters that would give them away."""
        if self._bench is None:
            return
        drive = self._bench.drive
        said = drive.said()
        self.writer.drive_said(self.now_ns(), moment, said)
        if not isinstance(drive.identity.block, Unknown):
            counters = (host_bytes_written(said), kernel_written(drive.address))
            self.writer.counted(self.now_ns(), *counters, _content(self._bench, moment))

    def note_limits(self) -> None:
        """Where a limit is kept less well than its words promise, write it down before anything is done."""
        if self._bench is None:
            return
        if (text := unkept_between(self.watchdog.limits, self._bench.sensor.cadence)) is not None:
            self.warn(WarningKind.LIMIT, text)

    def note_findings(self) -> None:
        """What the drive itself has to say of how trustworthy the run was."""
        for finding in () if self._bench is None else self._bench.drive.findings():
            self.writer.warning(self.now_ns(), Warned(WarningKind.DRIVE, finding))

    def note_ending(self, error: BaseException) -> None:
        """Write down why the run ends here; if the disk is too full even for that, opening the bundle reports that it has no end."""
        with suppress(OSError, SsdlabError):
            ending = _ending_of(error, self.writer.path)
            self.writer.run_ended(self.now_ns(), ending.run, ending.reason)
            self.note_drive(Moment.END)
            self.note_findings()


@dataclass(frozen=True, slots=True)
class _Ending:
    """How the journal says what ended a run and its step before their end."""

    run: Event
    step: Event
    reason: Message


def _ending_of(error: BaseException, bundle: Path) -> _Ending:
    match error:
        case KeyboardInterrupt():
            return _Ending(Event.RUN_INTERRUPTED, Event.STEP_INTERRUPTED, asked_to_stop(bundle) or BY_OPERATOR)
        case LimitReached():
            return _Ending(Event.RUN_STOPPED, Event.STEP_INTERRUPTED, error.message)
        case SsdlabError():
            return _Ending(Event.RUN_FAILED, Event.STEP_FAILED, error.message)
        case OSError():
            return _Ending(Event.RUN_FAILED, Event.STEP_FAILED, os_errors.in_words(error).message)
        case _:
            return _Ending(Event.RUN_FAILED, Event.STEP_FAILED, verbatim(str(error) or type(error).__name__))


def _content(bench: Bench, moment: Moment) -> str | Unknown:
    """What is left on the drive: while a run writes nobody can know it."""
    if moment is Moment.START:
        return Unknown(message("unknown-run-began"))
    identity = bench.drive.identity
    return content_of(Path(bench.drive.address.location), identity.capacity_bytes, identity.logical_block_bytes)


@contextmanager
def _explained(path: Path, resuming: Callable[[Path], Message]) -> Iterator[None]:
    """Turn what ended a run into what the operator needs to know."""
    kept = message("lab-kept", path=str(path))
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted(
            message("lab-interrupted"), resuming(path), message("lab-hint-show", path=str(path))
        ) from error
    except Interrupted:
        raise
    except LimitReached as error:
        raise RunStopped(message("lab-stopped", why=error.message), *error.hints, resuming(path), kept) from error
    except OSError as error:
        if not path.exists():
            raise os_errors.in_words(error) from error
        raise RunFailed(
            message("lab-not-written", why=os_errors.reason_of(error), kept=kept), message("lab-hint-space")
        ) from error
    except SsdlabError as error:
        raise RunFailed(error.message, *error.hints, kept) from error
