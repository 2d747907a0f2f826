"""One step of a plan, done and written down."""

import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from ssdlab.analysis.adaptive.past import FLAT_CAPACITIES, NO_PAST, DrivePast, last_written
from ssdlab.analysis.adaptive.rule import PointAim, PointJudge
from ssdlab.analysis.infer.steady import SteadyJudge
from ssdlab.analysis.metrics.preconditioning import criterion_of, ground_of, short_way_led
from ssdlab.analysis.statistics.consistency import speed_samples
from ssdlab.bundle import layout
from ssdlab.bundle.model import StepResult, as_step
from ssdlab.bundle.warning import WarningKind
from ssdlab.bundle.write import logs_left
from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.engine.base import Progress
from ssdlab.engine.block_counters import kernel_written
from ssdlab.engine.result import EarlyStop, PointEnd, PointEnding, RawResult, Series, moved_bytes
from ssdlab.engine.standstill import Standstill, standstill_words, stood_still
from ssdlab.job import DriveState, Job, Resume, StepKind
from ssdlab.lab.again import FirstPoints
from ssdlab.lab.bench import Bench
from ssdlab.lab.chains import RunningAhead, chained, chains_of
from ssdlab.lab.display import Display, Ending
from ssdlab.lab.lifecycle import Progressed, Run
from ssdlab.lab.point_tail import TailJudge
from ssdlab.lab.repeats import Runs
from ssdlab.lab.search import asking
from ssdlab.lab.short_way import PassPace, ShortThenLong
from ssdlab.lab.stop_signal import StopOnSignal, ctrl_c_calls
from ssdlab.message import Message, bandwidth, commas, duration, listed, message, number, size
from ssdlab.method.draft import CtrlC, EnoughRule, PassNeed, SteadyRule, TailRule
from ssdlab.method.kinds.demand import DemandRule
from ssdlab.method.kinds.rounds import RoundsRule
from ssdlab.method.kinds.steady_state import SHORT_WAY_COLLECTS, SHORT_WAY_UNPROVEN
from ssdlab.method.plan import PlannedStep
from ssdlab.method.short_way import STRETCH_SHARE, unit_share
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

CHECKPOINT_S = 10
"""How often a long step notes in the journal how far it is."""
_READ_PERCENT_MAX = 50
"""Of a point that tells how the drive writes."""


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
    writes: DrivePast = NO_PAST
    """How it wrote."""
    points: FirstPoints = field(default_factory=FirstPoints)
    passed: PassPace | None = None
    """How fast the pass of the short way was so far, where one was begun since the last purge."""


class StepRunner:
    """Does the steps of one run, in order."""

    def __init__(
        self,
        bench: Bench,
        run: Run,
        display: Display,
        raw_logs: RawLogs,
        past: Past | None = None,
    ) -> None:
        self._run = run
        self._writer = run.writer
        self._display = display
        self._bench = bench
        self._raw_logs = raw_logs
        past = past or Past()
        self._state_is_proven = past.purged is Freshness.FRESH
        self._runs = past.runs
        self._steadiness = past.steadiness
        self._writes = past.writes
        self._points = past.points
        self._pace = past.passed or pass_pace(bench.drive.identity)
        self._watchdog = run.watchdog
        self._share_done = 0.0
        self._latest: RawResult | None = None

    def run_all(self, steps: Sequence[PlannedStep]) -> None:
        """Do steps one after the other."""
        for chain in chains_of(steps):
            ahead = RunningAhead(chain, self._bench.drive, self._run, self._state_before)
            with chained(self._bench.engine, chain, ahead):
                for step in chain:
                    self.run(step)

    def run(self, step: PlannedStep) -> None:
        """Do one step, or skip it; how it ended is in the journal before this returns or raises.

        Raises:
            SsdlabError: The drive or the engine failed.
            OSError: The bundle cannot be written.
            KeyboardInterrupt: The operator stopped it.
        """
        self._bench.drive.check()
        if (reason := self._reason_to_skip(step)) is not None:
            self._run.skip(step.index, reason)
            self._display.step_ends(step, Ending.SKIPPED, reason)
            return
        self._share_done = 0.0
        self._watchdog.begin()
        with self._run.step(step.index, step.name, self._state_before(step), lambda: self._progressed(step.job)):
            self._display.step_starts(step)
            words = self._do(step)
        self._display.step_ends(step, Ending.DONE, words)
        self._run.look_at_display()

    def _reason_to_skip(self, step: PlannedStep) -> Message | None:
        if step.needs is not None and not self._state_is_proven:
            return SHORT_WAY_UNPROVEN
        if step.needs is PassNeed.FRESH_SPACE and self._pace.collects:
            return SHORT_WAY_COLLECTS
        return self._runs.reason_to_skip(step)

    def _progressed(self, job: Job | None) -> Progressed:
        done = None if job is None else _bytes_done(job, self._share_done)
        if done is not None and job is not None and job.read_percent == 0:
            # Where the drive counts what it is given, that is newer than the engine's word.
            done = max(done, self._watchdog.job_bytes)
        return Progressed(done, self._watchdog.job_bytes)

    def _do(self, step: PlannedStep) -> Message:
        match step.kind:
            case StepKind.PURGE:
                return self._purge(step)
            case StepKind.REST:
                return self._rest(step)
            case StepKind.SEARCH:
                return self._search(step)
            case StepKind.FILL | StepKind.RAMP | StepKind.MEASURE | StepKind.TRIM | StepKind.PRECONDITION:
                return self._run_job(step)

    def _purge(self, step: PlannedStep) -> Message:
        purged = self._bench.drive.purge()
        self._watchdog.purged(purged)
        self._writes = NO_PAST
        self._pace = pass_pace(self._bench.drive.identity)
        if purged.freshness is Freshness.UNPROVEN:
            self._state_is_proven = False
            text = message("lab-purge-proves-nothing", how=purged.method)
            self._run.warn(WarningKind.PURGE, text, step.name)
        self._writer.step_finished(step.index, self._run.now_ns(), None, purged.method, purged.written_bytes)
        return purged.method

    def _rest(self, step: PlannedStep) -> Message:
        self._bench.engine.rest(step.rest_ns, self._watch(step))
        self._writer.step_finished(step.index, self._run.now_ns(), None)
        return listed(commas(duration(step.rest_ns)))

    def _search(self, step: PlannedStep) -> Message:
        """Do what it asks for one by one, each a step of its own, until there is an answer."""
        search = asking(step)
        while asked := search.next_steps(self._writer.next_index):
            for one in asked:
                self._run.add(as_step(one, step.index))
            self.run_all(asked)
            if self._latest is not None:
                search.take(self._latest)
        if isinstance(step.search, RoundsRule | DemandRule):
            self._steadiness = Steadiness.STEADY if search.is_steady else Steadiness.NOT_STEADY
            if self._steadiness is Steadiness.NOT_STEADY:
                self._run.warn(WarningKind.NOT_STEADY, message("lab-not-steady", step=step.name), step.name)
        self._writer.step_finished(step.index, self._run.now_ns(), None, search.words)
        return search.words

    def _run_job(self, step: PlannedStep) -> Message:
        job = step.job
        if job is None:
            raise ValueError(f"step {step.name} has no job")
        directory = self._writer.step_directory(step.index)
        result = self._done(step, job)
        if (stood := stood_still(result.standstills)) and may_repeat(step, job):
            result = self._repeated(step, job, result, stood)
        left = logs_left(directory) if self._raw_logs is RawLogs.KEEP else {}
        written_bytes = self._watchdog.done(result)
        self._writer.step_finished(step.index, self._run.now_ns(), result, written_bytes=written_bytes, left=left)
        self._latest = result
        if (drifts := self._points.take(step, result.point_end)) is not None:
            self._run.warn(WarningKind.METHOD, drifts, step.name)
        if step.needs is not None:
            for one in result.directions.values():
                self._pace.take(step.kind, job, one.io_bytes, one.runtime_ns)
        if step.until is not None:
            self._note_steadiness(step, result)
            flat_bytes = flat_capacities(step.until, result.stopped) * self._bench.drive.identity.capacity_bytes
            self._writes = past_writes((one.series for one in result.directions.values()), flat_bytes)
        self._writes = with_writes(
            self._writes, job, result.point_end, [one.series for one in result.directions.values()]
        )
        self._runs.take(step, result.directions.values())
        self._drop_raw_logs(directory)
        return telling_numbers(result)

    def _repeated(self, step: PlannedStep, job: Job, first: RawResult, stood: tuple[Standstill, ...]) -> RawResult:
        """Once more, and only once: what stands still again is kept, and fails the audit."""
        text = message("lab-done-again", step=step.name, why=standstill_words(stood))
        self._run.warn(WarningKind.STANDSTILL, text, step.name)
        self._drop_raw_logs(self._writer.step_directory(step.index))
        self._writer.step_repeated(step.index, self._run.now_ns(), first, self._watchdog.done(first))
        self._bench.drive.check()
        self._run.start(step.index, self._state_before(step))
        self._watchdog.begin()
        return self._done(step, job)

    def _drop_raw_logs(self, directory: Path) -> None:
        """What they say is converted and checked by now."""
        if self._raw_logs is RawLogs.DROP:
            shutil.rmtree(directory / layout.RAW, ignore_errors=True)

    def _done(self, step: PlannedStep, job: Job) -> RawResult:
        engine, watch, directory = self._bench.engine, self._watch(step), self._writer.step_directory(step.index)
        heed = self._heed
        if step.enough is not None:
            return self._until_known(step.enough, step, job)
        if step.until is None:
            return engine.run(job, directory, watch, heed=heed)
        drive = self._bench.drive.identity
        ground = ground_of(step.until, job, drive.capacity_bytes)
        judge = (
            ShortThenLong(ground, self._pace.seen, unit_share(job, drive.indirection_unit_bytes))
            if step.until.short is not None and self._state_is_proven
            else SteadyJudge(ground, criterion_of(step.until.by))
        )
        if step.until.ctrl_c is CtrlC.RUN:
            return engine.run(job, directory, watch, judge, heed)
        patient = StopOnSignal(judge)
        with ctrl_c_calls(patient.tell):
            return engine.run(job, directory, watch, patient, heed)

    def _until_known(self, rule: EnoughRule, step: PlannedStep, job: Job) -> RawResult:
        if job.duration_ns is None:
            raise ValueError(f"step {step.name} has no limit")
        limit_ns = job.duration_ns if rule.tail is None else rule.tail.mean_limit_ns
        aim = PointAim(
            within=rule.within_percent / 100,
            limit_ns=limit_ns,
            write_share=1 - job.read_percent / 100,
            past=telling_past(self._writes, limit_ns),
        )
        mean, directory = PointJudge(aim), self._writer.step_directory(step.index)
        tail = None if rule.tail is None else TailJudge(mean, rule.tail, job)
        result = self._bench.engine.run(job, directory, self._watch(step), tail or mean, self._heed)
        if rule.tail is not None and tail is not None and not tail.is_told:
            self._warn_untold(step, rule.tail, tail.ios)
        return replace(result, point_end=mean.end())

    def _warn_untold(self, step: PlannedStep, rule: TailRule, ios: int) -> None:
        """The budget was over before the percentile could be told."""
        percent = number(rule.percent, "g")
        text = message("lab-tail-untold", step=step.name, percent=percent, ios=number(ios), needed=number(rule.ios))
        self._run.warn(WarningKind.METHOD, text, step.name)

    def _note_steadiness(self, step: PlannedStep, result: RawResult) -> None:
        self._note_route(step, result)
        self._steadiness = steadiness_of(result.stopped)
        if self._steadiness is Steadiness.NOT_STEADY:
            text = (
                message("lab-not-steady", step=step.name)
                if result.stopped is None
                else message("lab-stopped-before-steady", step=step.name)
            )
            self._run.warn(WarningKind.NOT_STEADY, text, step.name)

    def _note_route(self, step: PlannedStep, result: RawResult) -> None:
        """That it came to the long way where the short one was asked for."""
        if step.until is None or step.until.short is None:
            return
        if not self._state_is_proven:
            self._run.warn(WarningKind.METHOD, message("lab-short-way-unproven", step=step.name), step.name)
        elif not short_way_led(result.stopped):
            self._run.warn(WarningKind.METHOD, message("lab-short-way-left", step=step.name), step.name)

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
            self._run.live.watch(step.index, progress)
            self._run.look_at_display()
            self._share_done = self._share_done if progress.share_done is None else progress.share_done
            self._watchdog.watch(progress)
            if step.job is not None and time.monotonic() >= next_checkpoint_s:
                done, written = _bytes_done(step.job, self._share_done), self._watchdog.job_bytes
                self._writer.checkpoint(step.index, self._run.now_ns(), done, written, self._kernel_written())
                next_checkpoint_s = time.monotonic() + CHECKPOINT_S

        return watch

    def _heed(self, time_ns: int, reading: SensorReading) -> None:
        self._run.live.heed(reading.temperature_c)
        self._watchdog.heed(time_ns, reading)

    def _kernel_written(self) -> int | Unknown:
        drive = self._bench.drive
        return drive.identity.block if isinstance(drive.identity.block, Unknown) else kernel_written(drive.address)


def pass_pace(drive: DriveIdentity) -> PassPace:
    """Of a pass of which nothing was done yet."""
    return PassPace(drive.capacity_bytes, drive.indirection_unit_bytes)


def flat_capacities(rule: SteadyRule, stopped: EarlyStop | None) -> float:
    """How much of the end of a job is flat that wrote until the drive was steady: what its criterion asks it of."""
    return STRETCH_SHARE if rule.short is not None and short_way_led(stopped) else FLAT_CAPACITIES


def past_writes(series: Iterable[Series], flat_bytes: float) -> DrivePast:
    """What a job that wrote until the drive was steady tells of it: by its end, which is flat."""
    found = tuple(series)
    if not found:
        return NO_PAST
    speeds, window_ns = speed_samples(*found), max(one.window_ns for one in found)
    return DrivePast(last_written(speeds, flat_bytes * NS_PER_S / window_ns), window_ns)


def with_writes(past: DrivePast, job: Job, end: PointEnd | None, series: Sequence[Series]) -> DrivePast:
    """What is known of a drive's writes after a point that took all of its limit, as too little was known before.

    Of points that write half of their bytes or more: what others show of the drive's rhythms is slower than those.
    """
    if end is None or end.because is not PointEnding.WHOLE or job.read_percent > _READ_PERCENT_MAX or not series:
        return past
    if max(one.window_ns for one in series) != past.window_ns:
        return past
    return past.with_point(speed_samples(*series)[end.ramp_ns // past.window_ns :])


def telling_past(past: DrivePast, limit_ns: int) -> DrivePast:
    """The past of a point that lasts so long; none where it is shorter, as the point itself then shows more, and goes on to its limit."""
    return past if len(past.bytes_per_s) * past.window_ns >= limit_ns else NO_PAST


def may_repeat(step: PlannedStep, job: Job) -> bool:
    """Whether a job may be done again on the spot.

    Only a measurement that finds the drive as it was before: one that may be done again alone after a stop, too, and none that writes
    to a steady drive, which has rested meanwhile. A fill, a preconditioning or a trim done twice leaves another state behind.
    """
    rested = step.state is DriveState.STEADY and job.writes
    return step.kind is StepKind.MEASURE and step.resume is Resume.REDO and not rested


def _bytes_done(job: Job, share_done: float) -> int | None:
    """None for a job that ends by time: how much it has moved is known only at its end."""
    return None if job.amount_bytes is None else round(job.amount_bytes * share_done)


def telling_numbers(result: RawResult | StepResult) -> Message:
    """Amount, time and mean bandwidth of what was done."""
    total_bytes = moved_bytes(result.directions)
    longest_ns = max((one.runtime_ns for one in result.directions.values()), default=0)
    if not longest_ns:
        return message("lab-no-io")
    mean = bandwidth(total_bytes * NS_PER_S / longest_ns)
    return message("lab-moved", amount=size(total_bytes), time=duration(longest_ns), mean=mean)
