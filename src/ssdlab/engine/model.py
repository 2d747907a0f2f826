"""The model engine: runs a Job on a drive model in virtual time; hours pass in seconds, and the same seed gives the same bytes."""

import json
from pathlib import Path

import numpy as np

from ssdlab import _core, version
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.kinds.virtual_sensor import NEVER_LATE, ModelSensor, read_virtual
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.engine.base import EngineError, Judge, Progress, Watch
from ssdlab.engine.commands import Commands, TimedCommands
from ssdlab.engine.failed_io import core_failure
from ssdlab.engine.punctuality import Punctuality, virtual_punctuality
from ssdlab.engine.result import EarlyStop, JobSensors, RawResult
from ssdlab.engine.sensing import Heed, Sample, series_of
from ssdlab.engine.traced import require_its_trace
from ssdlab.engine.workload import (
    WORKLOAD_FILE,
    directions_of,
    integers,
    issued_of,
    replayed_of,
    timed_by,
    workload_fields,
)
from ssdlab.job import WINDOW_NS, Action, Job
from ssdlab.message import message
from ssdlab.unknown import Unknown


class ModelEngine:
    """No fio, no clock on the wall."""

    def __init__(self, drive: ModelDrive) -> None:
        self._drive = drive
        self._sensor = ModelSensor(drive)

    @property
    def name(self) -> str:
        """Such as `model-0.1.0`."""
        return f"model-{version()}"

    def now_ns(self) -> int:
        """Virtual time since the drive was made."""
        return self._drive.clock_ns

    def rest(self, duration_ns: int, watch: Watch) -> None:
        """Let virtual time pass; what the drive does meanwhile is accounted for at its next I/O."""
        self._drive.clock_ns += duration_ns
        watch(Progress(1.0, None))

    def replay(self, commands: Commands, directory: Path, watch: Watch) -> TimedCommands:  # noqa: ARG002 - fio needs a place for files
        """Give the drive commands one by one. See `Replays.replay`."""
        started_ns = self._drive.clock_ns
        try:
            done = self._drive.core.replay(
                commands.verb.tobytes(),
                commands.offset_bytes.astype("<u8").tobytes(),
                commands.length_bytes.astype("<u8").tobytes(),
                commands.pause_ns.astype("<u8").tobytes(),
                commands.issue.tobytes(),
                commands.queue_depth,
                started_ns,
                lambda share: watch(Progress(share, None)),
            )
        except _core.WorkloadError as error:
            raise EngineError(message("engine-command-refused", error=str(error))) from error
        self._drive.clock_ns = done.end_ns
        return TimedCommands(
            commands, integers(done.submitted_ns) - started_ns, integers(done.completed_ns) - started_ns
        )

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """Run the job. See `Engine.run`; the workload as the model got it is kept in the bundle.

        A judge is fed ten windows at a time and the sensors are read as often, so that the same job ends with the same I/O
        whatever the host does.
        """
        require_its_trace(job)
        workload = json.dumps(workload_fields(job), indent=2)
        (directory / WORKLOAD_FILE).write_text(workload + "\n")
        started_ns = self._drive.clock_ns
        bench = None if judge is None else _Bench(judge, job)
        sensed = _SensedModel(self._sensor.read(), heed)
        try:
            result = self._drive.core.run(
                workload,
                started_ns,
                lambda share: watch(Progress(share, None)),
                None if bench is None else bench.judge,
                sensed.take,
            )
        except _core.WorkloadError as error:
            raise EngineError(message("engine-model-cannot", job=job.name, error=str(error))) from error
        if result.failed is not None:
            failure = core_failure(self._drive.identity.target, result.failed)
            raise EngineError(failure.message, *failure.hints, message("engine-nothing-counts"))
        if result.first_error is not None:
            raise EngineError(message("engine-io-refused", job=job.name, error=str(result.first_error)))
        end_ns = _end_ns(job, started_ns, result.end_ns)
        self._drive.clock_ns = end_ns
        directions = directions_of(job, result)
        return RawResult(
            job=job,
            engine=self.name,
            elapsed_ns=end_ns - started_ns,
            directions=directions,
            error_count=sum(part.errors for part in (result.read, result.write, result.trim)),
            dropped=(),
            cpu=None,
            stopped=None if bench is None else bench.stopped,
            timed=timed_by(job),
            punctuality=_punctuality(job, result),
            sensed=sensed.until(max((part.runtime_ns for part in directions.values()), default=0), self._sensor),
            issued=issued_of(result),
            replayed=replayed_of(result),
            files={WORKLOAD_FILE: workload.encode() + b"\n"},
        )


def _end_ns(job: Job, started_ns: int, done_ns: int) -> int:
    """When the job is over, whose last I/O was done at `done_ns`."""
    if done_ns != started_ns or job.action is Action.TRIM:
        return done_ns
    if job.rate_iops is not None and job.duration_ns is not None:
        # By chance nothing fell due in it.
        return started_ns + job.duration_ns
    raise EngineError(message("engine-no-time", job=job.name), message("engine-hint-virtual"))


def _punctuality(job: Job, result: _core.WorkloadResult) -> Punctuality | Unknown:
    """Of open loops only: a closed one has no times of its own that it could keep."""
    if not job.keeps_times:
        return Unknown(message("unknown-punctuality"))
    return virtual_punctuality(result.unsubmitted)


class _SensedModel:
    """Keeps what the sensors say at the end of every tenth window."""

    def __init__(self, before: SensorReading, heed: Heed | None) -> None:
        self._heed = heed
        self._samples: list[Sample] = []
        self._keep(0, before)

    def take(self, windows: int, said: str) -> None:
        """The model has finished so many windows."""
        self._keep(windows * WINDOW_NS, read_virtual(said))

    def _keep(self, time_ns: int, reading: SensorReading) -> None:
        self._samples.append(Sample(time_ns, reading))
        if self._heed is not None:
            self._heed(time_ns, reading)

    def until(self, end_ns: int, sensor: ModelSensor) -> JobSensors:
        """All of it, with the job's end."""
        after = Sample(end_ns, sensor.read())
        samples = [*(one for one in self._samples if one.time_ns < end_ns), after]
        return JobSensors(self._samples[0].reading, after.reading, series_of(samples), sensor.messages(), NEVER_LATE)


class _Bench:
    """Puts the model's windows before a judge and keeps the verdict."""

    def __init__(self, judge: Judge, job: Job) -> None:
        self._judge = judge
        self._block_bytes = job.block_bytes
        self._windows = 0
        self.stopped: EarlyStop | None = None

    def judge(self, ios_of_windows: bytes) -> bool:
        ios = integers(ios_of_windows)
        time_ns = (self._windows + 1 + np.arange(len(ios))) * WINDOW_NS
        self._windows += len(ios)
        self.stopped = self._judge.feed(time_ns, ios.astype(np.float64) * self._block_bytes)
        return self.stopped is not None
