"""The load engine: ssdlab's own (`crates/load`), in real time, with every I/O counted and open loops that do not wait for the drive."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from ssdlab import _core, version
from ssdlab.drive.access import Drive, DriveError, IoPath
from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.drive.nbd_uri import read_nbd_uri
from ssdlab.drive.sense.reading import Sensor
from ssdlab.engine.base import EngineError, Following, Judge, Progress, Watch
from ssdlab.engine.block_counters import counters_in, counters_place, traffic_between
from ssdlab.engine.failed_io import core_failure
from ssdlab.engine.load_chain import Alone, ChainPart, RunningChain, alike, workload_text
from ssdlab.engine.punctuality import punctuality_of
from ssdlab.engine.real_time import GOING_S, LOOK_AFTER_NS, RealTimeEngine, StallLimit
from ssdlab.engine.result import CpuUse, DeviceTraffic, Dropped, EarlyStop, RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.engine.sensor_log import SensorLog
from ssdlab.engine.traced import require_its_trace
from ssdlab.engine.workload import WORKLOAD_FILE, directions_of, issued_of, replayed_of, timed_by
from ssdlab.job import WINDOW_NS, Action, Interface, Job, Sync
from ssdlab.message import Message, duration, listed, message, semicolons, size
from ssdlab.units import MIB, NS_PER_S
from ssdlab.unknown import Unknown

_UNUSED = ("hipri", "sqthread_poll", "fixedbufs")
"""What the method asks of io_uring and this engine has not."""
_NEAR_END = 0.9
"""Share of a job after which its sensors are asked once more."""
_BLOCK_BYTES_MAX = MIB
"""Of `load::LENGTH_BYTES_MAX`."""


class LoadFailed(EngineError):  # noqa: N818 - the error is the state
    """A job ended with an error."""


class LoadCannot(EngineError):  # noqa: N818
    """A job asks for what this engine has not."""


class LoadHung(EngineError):  # noqa: N818
    """Nothing completed for too long."""


class LoadEngine(RealTimeEngine):
    """NBD exports, files and block devices on a real clock."""

    def __init__(self, drive: Drive, stall_limit: StallLimit | None = None, sensor: Sensor | None = None) -> None:
        """See `RealTimeEngine`."""
        super().__init__(drive, stall_limit, sensor)
        self._announced: tuple[Job, ...] = ()
        self._following: Following = Alone()
        self._chain: RunningChain | None = None
        self._ended_ns: int | None = None

    @property
    def name(self) -> str:
        """Such as `load-0.1.0`."""
        return self.own_name

    @property
    def own_name(self) -> str:
        """Its own, whatever works beside it."""
        return f"load-{version()}"

    def require(self, jobs: Iterable[Job]) -> None:
        """Make sure that it can do them all. See `Selective.require`; raises LoadCannot."""
        for job in jobs:
            reasons = list(self._hindrances(job))
            if reasons:
                cannot = message("engine-load-cannot", job=job.name, why=semicolons(*reasons))
                replays, others = message("engine-hint-load-replay"), message("engine-hint-load-cannot")
                raise LoadCannot(cannot, others if job.replay is None else replays)

    @contextmanager
    def chained(self, jobs: Sequence[Job], following: Following) -> Iterator[None]:
        """Let them follow each other on one connection. See `Chaining.chained`."""
        self._announced, self._following = tuple(jobs), following
        try:
            yield
        finally:
            self._announced, self._following = (), Alone()
            self._end_chain()

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """Run the job. See `Engine.run`; raises LoadCannot, LoadFailed or LoadHung.

        A judge is fed each window within a tenth of a second after its end.
        """
        self.require([job])
        require_its_trace(job)
        workload = workload_text(job) + "\n"
        (directory / WORKLOAD_FILE).write_text(workload)
        with self._faults(job), self._chain_with(job) as chain:
            told = _Told(job, watch, judge, lambda: chain.tell(heed), chain.hasten, self._drive)
            chain.begin(heed)
            done = chain.next(told.window)
            if done.failed is not None:
                raise self._failure(done.failed)
            directions = directions_of(job, done.result)
            sensed = chain.sensed(done, max((one.runtime_ns for one in directions.values()), default=0))
            standstills = chain.standstills(done)
        began_ns, elapsed_ns = done.began_ns, done.result.end_ns - done.result.start_ns
        return RawResult(
            job=job,
            engine=self.own_name,
            elapsed_ns=elapsed_ns,
            directions=directions,
            error_count=0,
            dropped=self._dropped(job),
            cpu=_cpu_use(done, elapsed_ns),
            stopped=told.stopped,
            device=self._traffic(done),
            sensed=sensed,
            standstills=standstills,
            began_ns=began_ns - self._made_ns,
            timed=timed_by(job),
            punctuality=punctuality_of(done),
            gap_ns=self._gap_ns(done, began_ns, began_ns + elapsed_ns),
            issued=issued_of(done.result),
            replayed=replayed_of(done.result),
            files={WORKLOAD_FILE: workload.encode()},
        )

    def _hindrances(self, job: Job) -> Iterator[Message]:
        address = self._drive.address
        if job.beside:
            yield message("engine-load-streams")
        if job.interface is not Interface.IO_URING:
            yield message("engine-load-interface", interface=job.interface.value)
        if _gives_back(job) and address.io_path is not IoPath.NBD:
            yield message("engine-load-trim")
        if job.sync is Sync.SYNC and address.io_path is IoPath.NBD and address.forced_location is None:
            yield message("engine-load-force")
        # What is longer in a trace is done in parts.
        if job.replay is None and job.block_bytes > _BLOCK_BYTES_MAX:
            yield message("engine-load-block", block=size(job.block_bytes), most=size(_BLOCK_BYTES_MAX))

    @contextmanager
    def _chain_with(self, job: Job) -> Iterator[RunningChain]:
        """The chain that has the job next; it ends with its last job, and with an error."""
        chain, self._chain = self._chain, None
        with ExitStack() as ends:
            if chain is not None:
                ends.callback(chain.close)
            if chain is None or chain.left[0] != job:
                ends.close()
                chain = self._begun(job)
                ends.callback(chain.close)
            yield chain
            if chain.left:
                ends.pop_all()
                self._chain = chain

    def _end_chain(self) -> None:
        chain, self._chain = self._chain, None
        if chain is not None:
            chain.close()

    def _begun(self, job: Job) -> RunningChain:
        part = self._part_from(job)
        workloads = [workload_text(one) for one in part.jobs]
        address, silence_ns_max = self._drive.address, self._stall_limit.duration_ns
        left_bytes = part.following.left_bytes
        sensors = SensorLog(self._sensor)
        if address.io_path is IoPath.NBD:
            forced = address.forced_location if job.sync is Sync.SYNC else None
            socket, export = read_nbd_uri(forced or address.location)
            core = _core.LoadChain.export(socket, export, workloads, silence_ns_max, left_bytes)
            return RunningChain(core, part, sensors)
        # By what is held open, whatever its path leads to by now.
        drive = self._drive
        descriptor = drive.descriptor if isinstance(drive, BlockDevice) else address.descriptor
        if descriptor is None:
            raise ValueError(f"nothing holds {address.location} open")
        place = counters_place(address)
        counters = None if isinstance(place, Unknown) else place
        capacity_bytes, is_forced = drive.identity.capacity_bytes, job.sync is Sync.SYNC
        core = _core.LoadChain.descriptor(
            descriptor, capacity_bytes, is_forced, workloads, silence_ns_max, left_bytes, counters
        )
        return RunningChain(core, part, sensors)

    def _part_from(self, job: Job) -> ChainPart:
        """The job with what may follow it; one that was not announced is alone."""
        announced = self._announced
        if job not in announced:
            return ChainPart((job,), 0, Alone())
        place = announced.index(job)
        return ChainPart(alike(announced[place:]), place, self._following)

    def _gap_ns(self, done: _core.LoadResult, began_ns: int, ended_ns: int) -> int | Unknown:
        """As the thread that does the I/O counted it; between two chains from the end of one to the beginning of the other."""
        before_ns, self._ended_ns = self._ended_ns, ended_ns
        if done.gap_ns is not None:
            return done.gap_ns
        return Unknown(message("unknown-first-job")) if before_ns is None else max(0, began_ns - before_ns)

    def _traffic(self, done: _core.LoadResult) -> DeviceTraffic | Unknown:
        place = counters_place(self._drive.address)
        if isinstance(place, Unknown):
            return place
        return traffic_between(counters_in(place, done.counted_before), counters_in(place, done.counted_after))

    def _dropped(self, job: Job) -> tuple[Dropped, ...]:
        if self._drive.address.io_path is IoPath.NBD:
            why = message("engine-drop-nbd", interface=job.interface.value)
            return tuple(Dropped(option, why) for option in ("ioengine=io_uring", "registerfiles", *_UNUSED))
        return tuple(Dropped(option, message("engine-drop-load")) for option in _UNUSED)

    @contextmanager
    def _faults(self, job: Job) -> Iterator[None]:
        """Says what went wrong, in the user's words."""
        try:
            yield
        except _core.WorkloadError as error:
            refused = message("engine-load-field", field=error.field)
            raise LoadCannot(message("engine-load-cannot", job=job.name, why=refused)) from error
        except _core.LoadSilentError as error:
            hangs = message("engine-load-hangs", time=duration(error.waited_ns), count=error.in_flight)
            raise LoadHung(hangs, message("engine-hint-load-hangs")) from error
        except _core.LoadGoneError as error:
            gone = self._gone(0)
            told = message("engine-load-gone", reason=error.reason) if gone is None else gone.message
            hints = () if gone is None else gone.hints
            raise LoadFailed(told, *hints, message("engine-nothing-counts")) from error
        except OSError as error:
            raise LoadFailed(message("engine-load-not-opened", error=str(error))) from error

    def _failure(self, failed: _core.LoadFailure) -> LoadFailed:
        """What an I/O failed of, and that the drive is gone if it is."""
        failure = core_failure(self._device, failed)
        gone = self._gone(0) or self._gone(GOING_S)
        nothing_counts = message("engine-nothing-counts")
        if gone is None:
            return LoadFailed(failure.message, *failure.hints, nothing_counts)
        return LoadFailed(listed(semicolons(failure.message, gone.message)), *gone.hints, nothing_counts)


def _gives_back(job: Job) -> bool:
    return job.action is Action.TRIM or (job.replay is not None and job.replay.discards > 0)


class _Told:
    """Hears of every window that closes, and tells display, judge and sensors."""

    def __init__(
        self,
        job: Job,
        watch: Watch,
        judge: Judge | None,
        tell_sensors: Callable[[], None],
        hasten_sensors: Callable[[], None],
        drive: Drive,
    ) -> None:
        self._job = job
        self._watch = watch
        self._judge = judge
        self._tell_sensors = tell_sensors
        self._hasten_sensors = hasten_sensors
        self._is_near_end = False
        self._drive = drive
        self._done_bytes = 0
        self._written_bytes = 0
        self._moved_ns = 0
        self.stopped: EarlyStop | None = None

    def window(self, end_ns: int, done_bytes: int, written_bytes: int) -> bool:
        """Whether nothing more is to be issued.

        Raises:
            Whatever heeds the sensors raises.
            LoadFailed: Nothing moves because the drive is gone.
        """
        self._done_bytes += done_bytes
        self._written_bytes += written_bytes
        self._tell_sensors()
        bandwidth = done_bytes * NS_PER_S / WINDOW_NS
        share = self._share(end_ns)
        self._watch(Progress(share, bandwidth, self._written_bytes))
        self._look_near_end(share)
        self._look(end_ns, done_bytes)
        if self._judge is not None and self.stopped is None:
            self.stopped = self._judge.feed(np.array([end_ns]), np.array([float(done_bytes)]))
        return self.stopped is not None

    def _look_near_end(self, share: float) -> None:
        """What is asked after the end may belong to the next job."""
        if share >= _NEAR_END and not self._is_near_end:
            self._is_near_end = True
            self._hasten_sensors()

    def _share(self, end_ns: int) -> float:
        # A trace may give back alone, which is no amount.
        amount = self._done_bytes / self._job.amount_bytes if self._job.amount_bytes else 0.0
        time_share = 0.0 if self._job.duration_ns is None else end_ns / self._job.duration_ns
        return min(1.0, max(amount, time_share))

    def _look(self, end_ns: int, done_bytes: int) -> None:
        if done_bytes:
            self._moved_ns = end_ns
        if end_ns - self._moved_ns < LOOK_AFTER_NS:
            return
        self._moved_ns = end_ns
        try:
            self._drive.check()
        except DriveError as error:
            stuck = message("engine-load-stuck", why=error.message)
            raise LoadFailed(stuck, *error.hints, message("engine-nothing-counts")) from error


def _cpu_use(done: _core.LoadResult, elapsed_ns: int) -> CpuUse | None:
    """Of the thread that does the I/O; none where by chance nothing fell due, which takes no time to have a share of."""
    if not elapsed_ns:
        return None
    share = 100 / elapsed_ns
    return CpuUse(user_percent=done.user_ns * share, system_percent=done.system_ns * share)
