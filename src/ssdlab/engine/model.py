"""The model engine: runs a Job on a drive model in virtual time; hours pass in seconds, and the same seed gives the same bytes."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab import _core, version
from ssdlab.drive.model import ModelDrive
from ssdlab.drive.sense import Reading
from ssdlab.drive.sense_virtual import NEVER_LATE, ModelSensor, read_virtual
from ssdlab.engine.base import EngineError, Judge, Progress, Watch
from ssdlab.engine.commands import Commands, Samples
from ssdlab.engine.over_time import latency_windows
from ssdlab.engine.result import (
    Direction,
    DirectionResult,
    EarlyStop,
    EveryIo,
    Histogram,
    LatencyKind,
    RawResult,
    Sensed,
    Series,
    job_of,
)
from ssdlab.engine.sensing import Heed, Sample, series_of
from ssdlab.job import WINDOW_NS, Action, IoLog, Job, Stream
from ssdlab.units import NS_PER_S

WORKLOAD_FILE = "workload.json"


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

    def replay(self, commands: Commands, directory: Path, watch: Watch) -> Samples:  # noqa: ARG002 - fio needs a place for files
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
            raise EngineError(f"the drive refused a command: {error}") from error
        self._drive.clock_ns = done.end_ns
        return Samples(commands, _integers(done.submitted_ns) - started_ns, _integers(done.completed_ns) - started_ns)

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """Run the job. See `Engine.run`; the workload as the model got it is kept in the bundle.

        A judge is fed ten windows at a time and the sensors are read as often, so that the same job ends with the same I/O
        whatever the host does.
        """
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
            raise EngineError(f"the model cannot run job `{job.name}`: {error}") from error
        if result.first_error is not None:
            raise EngineError(f"the drive refused an I/O of job `{job.name}`: {result.first_error}")
        if result.end_ns == started_ns and job.action is not Action.TRIM:
            raise EngineError(
                f"job `{job.name}` took no time: this drive has no latency at all, so there is nothing to measure in virtual time",
                "use `virtual:` to measure the host with it",
            )
        self._drive.clock_ns = result.end_ns
        parts = {Direction.READ: result.read, Direction.WRITE: result.write, Direction.TRIM: result.trim}
        return RawResult(
            job=job,
            engine=self.name,
            elapsed_ns=result.end_ns - started_ns,
            directions={
                direction: _direction_result(job_of(job, direction), direction, part, result.every_io)
                for direction, part in parts.items()
                if part.ios
            },
            error_count=sum(part.errors for part in parts.values()),
            dropped=(),
            cpu=None,
            stopped=None if bench is None else bench.stopped,
            sensed=sensed.until(max((part.runtime_ns for part in parts.values()), default=0), self._sensor),
            files={WORKLOAD_FILE: workload.encode() + b"\n"},
        )


class _SensedModel:
    """Keeps what the sensors say at the end of every tenth window."""

    def __init__(self, before: Reading, heed: Heed | None) -> None:
        self._heed = heed
        self._samples: list[Sample] = []
        self._keep(0, before)

    def take(self, windows: int, said: str) -> None:
        """The model has finished so many windows."""
        self._keep(windows * WINDOW_NS, read_virtual(said))

    def _keep(self, time_ns: int, reading: Reading) -> None:
        self._samples.append(Sample(time_ns, reading))
        if self._heed is not None:
            self._heed(time_ns, reading)

    def until(self, end_ns: int, sensor: ModelSensor) -> Sensed:
        """All of it, with the job's end."""
        after = Sample(end_ns, sensor.read())
        samples = [*(one for one in self._samples if one.time_ns < end_ns), after]
        return Sensed(self._samples[0].reading, after.reading, series_of(samples), sensor.messages(), NEVER_LATE)


class _Bench:
    """Puts the model's windows before a judge and keeps the verdict."""

    def __init__(self, judge: Judge, job: Job) -> None:
        self._judge = judge
        self._block_bytes = job.block_bytes
        self._windows = 0
        self.stopped: EarlyStop | None = None

    def judge(self, ios_of_windows: bytes) -> bool:
        ios = _integers(ios_of_windows)
        time_ns = (self._windows + 1 + np.arange(len(ios))) * WINDOW_NS
        self._windows += len(ios)
        self.stopped = self._judge.feed(time_ns, ios.astype(np.float64) * self._block_bytes)
        return self.stopped is not None


def workload_fields(job: Job) -> dict[str, object]:
    """A Job in the words of the model's driver (`vdrive::workload::Workload`)."""
    beside = [_beside_fields(stream) for stream in job.beside]
    return _fields_alone(job) | ({"beside": beside} if beside else {})


def _beside_fields(stream: Stream) -> dict[str, object]:
    return {
        "kind": stream.kind.value,
        "block_bytes": stream.block_bytes,
        "rate_bytes_per_s": stream.rate_bytes_per_s,
        "flush_every": stream.flush_every,
        "memory": stream.caching.value,
    }


def _fields_alone(job: Job) -> dict[str, object]:
    return {
        "pattern": job.pattern.value,
        "draw": job.draw.value,
        "action": job.action.value,
        "read_percent": job.read_percent,
        "block_bytes": job.block_bytes,
        "queue_depth": job.queue_depth,
        "jobs": job.jobs,
        "region_offset_bytes": job.region.offset_bytes,
        "region_length_bytes": job.region.length_bytes,
        "amount_bytes": job.amount_bytes,
        "duration_ns": job.duration_ns,
        "rate_iops": job.rate_iops,
        "sync": job.sync.value,
        "seed": job.seed,
        "window_ns": WINDOW_NS,
        "log_every_io": "yes" if job.io_log is IoLog.EVERY_IO else "no",
        "latency_over_time": "yes" if job.io_log is IoLog.DISTRIBUTION_OVER_TIME else "no",
    }


_CODES = {Direction.READ: 0, Direction.WRITE: 1, Direction.TRIM: 2}


def _direction_result(
    job: Job, direction: Direction, part: _core.WorkloadDirection, every_io: _core.WorkloadIos | None
) -> DirectionResult:
    return DirectionResult(
        io_count=part.ios,
        io_bytes=part.bytes,
        short_ios=0,
        runtime_ns=part.runtime_ns,
        logged_bytes=part.bytes,
        latency={LatencyKind.CLAT: _histogram(part.clat), LatencyKind.LAT: _histogram(part.lat)},
        series=_series(job, part.windows),
        every_io=None if every_io is None else _every_io(every_io, _CODES[direction]),
        latency_windows=None
        if part.clat_over_time is None
        else latency_windows(part.clat_over_time, WINDOW_NS, part.runtime_ns),
    )


def _integers(column: bytes) -> NDArray[np.int64]:
    return np.frombuffer(column, dtype=np.int64)


def _histogram(latency: _core.WorkloadLatency) -> Histogram:
    return Histogram(
        bin_index=_integers(latency.bin_index),
        count=_integers(latency.count),
        mean_ns=latency.mean_ns or 0.0,
        min_ns=latency.min_ns or 0,
        max_ns=latency.max_ns or 0,
        stddev_ns=latency.stddev_ns or 0.0,
    )


def _series(job: Job, windows: _core.WorkloadWindows) -> Series:
    time_ns = _integers(windows.end_ns)
    ios = _integers(windows.ios).astype(np.float64)
    seconds = np.diff(time_ns, prepend=np.int64(0)) / NS_PER_S
    rate = np.divide(ios, seconds, out=np.zeros_like(ios), where=seconds > 0)
    return Series(
        window_ns=WINDOW_NS,
        time_ns=time_ns,
        bandwidth_bytes_per_s=rate * job.block_bytes,
        iops=rate,
        latency_ns_mean=np.frombuffer(windows.lat_mean_ns, dtype=np.float64),
        latency_ns_max=np.frombuffer(windows.lat_max_ns, dtype=np.float64),
    )


def _every_io(ios: _core.WorkloadIos, code: int) -> EveryIo:
    chosen = np.frombuffer(ios.direction, dtype=np.uint8) == code
    # All of one direction, as of most jobs, need no second copy of perhaps 30 million.
    which = slice(None) if chosen.all() else chosen
    return EveryIo(
        time_ns=_integers(ios.time_ns)[which],
        latency_ns=_integers(ios.latency_ns)[which],
        offset_bytes=_integers(ios.offset_bytes)[which],
    )
