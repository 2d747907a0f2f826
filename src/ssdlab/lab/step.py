"""One step of a plan, done and written down."""

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from ssdlab.analysis.preconditioning import ground_of
from ssdlab.analysis.steady import SteadyJudge
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import Limits
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.identity import Freshness
from ssdlab.engine.base import Progress
from ssdlab.engine.block_counters import kernel_written
from ssdlab.engine.result import EarlyStop, RawResult
from ssdlab.job import DriveState, Job, StepKind
from ssdlab.lab.display import Display, Ending
from ssdlab.lab.limits import LimitReached, Watchdog, unkept_between
from ssdlab.lab.open import Bench
from ssdlab.lab.planned import as_step
from ssdlab.lab.runs import Runs
from ssdlab.lab.search import Search
from ssdlab.lab.told import UntilTold, ctrl_c_calls
from ssdlab.method.plan import PlannedStep
from ssdlab.method.schema import CtrlC
from ssdlab.units import NS_PER_S, format_bandwidth, format_bytes, format_duration
from ssdlab.unknown import Unknown

CHECKPOINT_S = 10
"""How often a long step notes in the journal how far it is."""


class RawLogs(Enum):
    """What becomes of fio's text logs once they are converted."""

    DROP = "drop"
    KEEP = "keep"


class Steadiness(Enum):
    """How a step ended that writes until the drive is steady."""

    STEADY = "steady"
    NOT_STEADY = "not steady"


def steadiness_of(stopped: EarlyStop | None) -> Steadiness:
    """What it means how its job ended."""
    return Steadiness.STEADY if stopped is not None and stopped.is_verdict else Steadiness.NOT_STEADY


@dataclass(frozen=True, slots=True)
class Past:
    """What the steps before have shown that those to come depend on."""

    purged: Freshness = Freshness.FRESH
    """What the last purge achieved."""
    runs: Runs = field(default_factory=Runs)
    steadiness: Steadiness = Steadiness.STEADY
    """What the last step that writes until the drive is steady achieved."""


class StepRunner:
    """Does the steps of one run, in order."""

    def __init__(
        self,
        bench: Bench,
        writer: BundleWriter,
        display: Display,
        raw_logs: RawLogs,
        past: Past | None = None,
        watchdog: Watchdog | None = None,
    ) -> None:
        self._bench = bench
        self._writer = writer
        self._display = display
        self._raw_logs = raw_logs
        past = past or Past()
        self._state_is_proven = past.purged is Freshness.FRESH
        self._runs = past.runs
        self._steadiness = past.steadiness
        self._watchdog = watchdog or Watchdog(Limits())
        self._share_done = 0.0
        self._latest: RawResult | None = None

    def note_limits(self) -> None:
        """Write down where a limit is kept less well than its words promise."""
        if (text := unkept_between(self._watchdog.limits, self._bench.sensor.cadence)) is not None:
            self._writer.warning(self._now_ns(), text)
            self._display.warning(text)

    def run(self, step: PlannedStep) -> None:
        """Do one step, or skip it; how it ended is in the journal before this returns or raises.

        Raises:
            SsdlabError: The drive or the engine failed.
            OSError: The bundle cannot be written.
            KeyboardInterrupt: The operator stopped it.
        """
        self._bench.drive.check()
        if (reason := self._runs.reason_to_skip(step)) is not None:
            self._writer.step_ended_early(step.index, self._now_ns(), Event.STEP_SKIPPED, reason)
            self._display.step_ends(step, Ending.SKIPPED, reason)
            return
        self._writer.step_started(step.index, self._now_ns(), self._state_before(step))
        self._display.step_starts(step)
        self._share_done = 0.0
        self._watchdog.begin()
        try:
            words = self._do(step)
        except KeyboardInterrupt:
            self._note_early_end(step, Event.STEP_INTERRUPTED, "stopped by the operator")
            raise
        except LimitReached as error:
            self._note_early_end(step, Event.STEP_INTERRUPTED, error.message)
            raise
        except Exception as error:
            self._note_early_end(step, Event.STEP_FAILED, str(error))
            raise
        self._hear_kernel(step)
        self._display.step_ends(step, Ending.DONE, words)

    def _hear_kernel(self, step: PlannedStep) -> None:
        """What the kernel said of the drive while no finished job listened; a job keeps it among what it sensed."""
        said = self._bench.sensor.messages()
        for line in () if isinstance(said, Unknown) else said:
            self._writer.warning(self._now_ns(), f"kernel, during `{step.name}`: {line}")

    def _note_early_end(self, step: PlannedStep, event: Event, reason: str) -> None:
        done = None if step.job is None else _bytes_done(step.job, self._share_done)
        if done is not None and step.job is not None and step.job.read_percent == 0:
            # Where the drive counts what it is given, that is newer than the engine's word.
            done = max(done, self._watchdog.job_bytes)
        self._hear_kernel(step)
        self._writer.step_ended_early(step.index, self._now_ns(), event, reason, done, self._watchdog.job_bytes)

    def _do(self, step: PlannedStep) -> str:
        match step.kind:
            case StepKind.PURGE:
                return self._purge(step)
            case StepKind.REST:
                return self._rest(step)
            case StepKind.SEARCH:
                return self._search(step)
            case StepKind.FILL | StepKind.RAMP | StepKind.MEASURE | StepKind.TRIM | StepKind.PRECONDITION:
                return self._run_job(step)

    def _purge(self, step: PlannedStep) -> str:
        purged = self._bench.drive.purge()
        self._watchdog.purged(purged)
        if purged.freshness is Freshness.UNPROVEN:
            self._state_is_proven = False
            text = f"the drive's state is unknown from here on, its purge proves nothing: {purged.method}"
            self._writer.warning(self._now_ns(), text)
            self._display.warning(text)
        self._writer.step_finished(step.index, self._now_ns(), None, purged.method, purged.written_bytes)
        return purged.method

    def _rest(self, step: PlannedStep) -> str:
        self._bench.engine.rest(step.rest_ns, self._watch(step))
        self._writer.step_finished(step.index, self._now_ns(), None)
        return format_duration(step.rest_ns)

    def _search(self, step: PlannedStep) -> str:
        """Run one candidate after the other, each a step of its own, until there is an answer."""
        if step.search is None:
            raise ValueError(f"step {step.name} is no search")
        search = Search(step, step.search)
        while (asked := search.next_step(self._writer.next_index)) is not None:
            self._writer.steps_added(self._now_ns(), [as_step(asked, step.index)])
            self.run(asked)
            if self._latest is not None:
                search.take(self._latest)
        self._writer.step_finished(step.index, self._now_ns(), None, search.words)
        return search.words

    def _run_job(self, step: PlannedStep) -> str:
        job = step.job
        if job is None:
            raise ValueError(f"step {step.name} has no job")
        directory = self._writer.step_directory(step.index)
        result = self._done(step, job, directory)
        self._writer.step_finished(step.index, self._now_ns(), result, written_bytes=self._watchdog.done(result))
        self._latest = result
        if step.until is not None:
            self._note_steadiness(step, result)
        self._runs.take(step, result.directions.values())
        if self._raw_logs is RawLogs.DROP:
            # Converted, checked and durable by now, so fio's text is not needed any more.
            shutil.rmtree(directory / "raw", ignore_errors=True)
        return _telling_numbers(result)

    def _done(self, step: PlannedStep, job: Job, directory: Path) -> RawResult:
        engine, watch = self._bench.engine, self._watch(step)
        heed = self._watchdog.heed
        if step.until is None:
            return engine.run(job, directory, watch, heed=heed)
        judge = SteadyJudge(ground_of(step.until, job, self._bench.drive.identity.capacity_bytes))
        if step.until.ctrl_c is CtrlC.RUN:
            return engine.run(job, directory, watch, judge, heed)
        patient = UntilTold(judge)
        with ctrl_c_calls(patient.tell):
            return engine.run(job, directory, watch, patient, heed)

    def _note_steadiness(self, step: PlannedStep, result: RawResult) -> None:
        self._steadiness = steadiness_of(result.stopped)
        if self._steadiness is Steadiness.NOT_STEADY:
            told = f"the operator stopped `{step.name}` before the drive was steady"
            enough = f"not steady after `{step.name}` has written all that the suite allows"
            text = f"{enough if result.stopped is None else told}: what follows is marked so"
            self._writer.warning(self._now_ns(), text)
            self._display.warning(text)

    def _state_before(self, step: PlannedStep) -> DriveState:
        """The planned state, unless what happened so far speaks against it."""
        if not self._state_is_proven:
            return DriveState.UNKNOWN
        if step.state is DriveState.STEADY and self._steadiness is Steadiness.NOT_STEADY:
            return DriveState.NOT_STEADY
        return step.state

    def _watch(self, step: PlannedStep) -> Callable[[Progress], None]:
        next_checkpoint_s = time.monotonic() + CHECKPOINT_S

        def watch(progress: Progress) -> None:
            nonlocal next_checkpoint_s
            self._display.progress(step, progress)
            self._share_done = self._share_done if progress.share_done is None else progress.share_done
            self._watchdog.watch(progress)
            if step.job is not None and time.monotonic() >= next_checkpoint_s:
                done, written = _bytes_done(step.job, self._share_done), self._watchdog.job_bytes
                self._writer.checkpoint(step.index, self._now_ns(), done, written, self._kernel_written())
                next_checkpoint_s = time.monotonic() + CHECKPOINT_S

        return watch

    def _kernel_written(self) -> int | Unknown:
        drive = self._bench.drive
        return drive.identity.block if isinstance(drive.identity.block, Unknown) else kernel_written(drive.address)

    def _now_ns(self) -> int:
        return self._bench.engine.now_ns()


def _bytes_done(job: Job, share_done: float) -> int | None:
    """None for a job that ends by time: how much it has moved is known only at its end."""
    return None if job.amount_bytes is None else round(job.amount_bytes * share_done)


def _telling_numbers(result: RawResult) -> str:
    """Amount, time and mean bandwidth of what was done."""
    total_bytes = sum(one.io_bytes for one in result.directions.values())
    longest_ns = max((one.runtime_ns for one in result.directions.values()), default=0)
    if not longest_ns:
        return "no I/O"
    bandwidth = format_bandwidth(total_bytes * NS_PER_S / longest_ns)
    return f"{format_bytes(total_bytes)} in {format_duration(longest_ns)}, mean {bandwidth}"
