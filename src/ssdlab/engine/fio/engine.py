"""The fio engine: runs one Job with the real fio and hands over what fio measured."""

import errno
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ssdlab.drive.access import Drive, DriveError
from ssdlab.drive.sense.reading import NoSensor, Sensor
from ssdlab.engine.base import EngineError, Judge, Watch
from ssdlab.engine.block_counters import counters_of, traffic_between
from ssdlab.engine.commands import Commands, TimedCommands
from ssdlab.engine.fio import output as fio_output
from ssdlab.engine.fio.binary import INSTALL_HINT, SETPRIV_HINT, FioBinary, FioMissing
from ssdlab.engine.fio.document import split_output
from ssdlab.engine.fio.io_errors import io_failure
from ssdlab.engine.fio.job_file import (
    JSON_FILE,
    ended_for_memory,
    histogram_ns_for,
    kept_ios_max_for,
    require_access,
    write_job_file,
)
from ssdlab.engine.fio.replay import COMMANDS_FILE, LATENCY_LOG, replay_files, samples_of
from ssdlab.engine.fio.status import STATUS_OPTIONS, StatusLines
from ssdlab.engine.fio.text import JOB_FILE
from ssdlab.engine.real_time import GOING_S, LOOK_AFTER_NS, RealTimeEngine, StallLimit
from ssdlab.engine.result import NO_BEGINNING, Direction, DirectionResult, EarlyStop, RawResult
from ssdlab.engine.sensing import Heed, Sampling
from ssdlab.engine.standstill import Vigil
from ssdlab.host.locked_memory import locked_bytes_max
from ssdlab.job import Job
from ssdlab.message import Message, duration, listed, message, number, semicolons
from ssdlab.units import KIB, NS_PER_S

RAW_DIRECTORY = "raw"
_STATUS_WHEN_STOPPED = 128
_SAID_WHEN_STOPPED = "fio: terminating on signal 2"
"""Exit status and words of a fio that was asked to end by SIGINT and did."""
_NOTHING_COUNTS = message("engine-nothing-counts")


class FioFailed(EngineError):  # noqa: N818 - the error is the state
    """fio ended with an error."""


class FioKilled(EngineError):  # noqa: N818
    """fio was killed from outside."""


class FioHung(EngineError):  # noqa: N818
    """fio moved no data for too long."""


class FioEngine(RealTimeEngine):
    """Real fio on a real clock."""

    def __init__(
        self, fio: FioBinary, drive: Drive, stall_limit: StallLimit | None = None, sensor: Sensor | None = None
    ) -> None:
        """Take a fio, the drive it is to reach, and what tells of the drive's health meanwhile.

        Raises:
            FioTooOld: This fio cannot reach the drive.
        """
        require_access(drive.address, fio)
        super().__init__(drive, stall_limit, sensor)
        self._fio = fio

    @property
    def name(self) -> str:
        """Such as `fio-3.33`."""
        return self._fio.name

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        """Run fio once. See `Engine.run`; raises FioFailed, FioKilled, FioHung, FioMissing or FioTooOld.

        A judge is fed fio's status lines, and at its verdict fio is asked to end as by Ctrl-C: it completes what is in flight
        and writes its JSON and its logs.
        """
        memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        histogram_ns, kept_ios_max = histogram_ns_for(job, memory_bytes), kept_ios_max_for(memory_bytes)
        job_file = write_job_file(job, self._drive.address, self._fio, histogram_ns, kept_ios_max, locked_bytes_max())
        (directory / JOB_FILE).write_text(job_file.text)
        raw = directory / RAW_DIRECTORY
        raw.mkdir(exist_ok=True)
        before = counters_of(self._drive.address)
        with Sampling(self._sensor, heed) as sampling, Vigil() as vigil:
            started_ns, started_at = time.monotonic_ns(), time.time_ns()
            ended = self._execute(raw, StatusLines(watch, judge), sampling, vigil)
            elapsed_ns = time.monotonic_ns() - started_ns
        after = counters_of(self._drive.address)
        output, json_text, said = self._told(ended, raw)
        directions = fio_output.directions(job, output, raw, histogram_ns)
        windows_after_ns = output.windows_after_ns(job, started_at)
        return RawResult(
            job=job,
            engine=output.version,
            elapsed_ns=elapsed_ns,
            directions=directions,
            error_count=output.job.error,
            dropped=(*job_file.dropped, *ended_for_memory(job, output.job.runtime_ns, output.job.io_count)),
            cpu=output.cpu,
            stopped=None if ended.stopped is None else _as_counted(ended.stopped, directions),
            notes=said,
            device=traffic_between(before, after),
            sensed=sampling.sensed(output.job.runtime_ns, windows_after_ns or 0),
            began_ns=NO_BEGINNING if windows_after_ns is None else started_ns - self._made_ns + windows_after_ns,
            standstills=vigil.standstills,
            files={JOB_FILE: job_file.text.encode(), JSON_FILE: json_text},
        )

    def _failure(self, status: int, said: tuple[str, ...]) -> EngineError:
        """Why fio failed: the drive, if it has gone or failed an I/O; else what fio says."""
        fault = _failure(status, said)
        if any(words in line for words in _LOST for line in said):
            return fault
        failed = io_failure(self._device, said)
        gone = self._gone(0) or (None if failed is None else self._gone(GOING_S))
        if gone is not None:
            both = (gone.message, fault.message) if failed is None else (failed.message, gone.message)
            return FioFailed(listed(semicolons(*both)), *gone.hints, _NOTHING_COUNTS)
        return fault if failed is None else FioFailed(failed.message, *failed.hints, _NOTHING_COUNTS)

    def replay(self, commands: Commands, directory: Path, watch: Watch) -> TimedCommands:
        """Give the drive commands one by one. See `Replays.replay`; raises what `run` does, CannotReplay and ReplayLogError."""
        files = replay_files(commands, self._drive.address, self._fio)
        raw = directory / RAW_DIRECTORY
        shutil.rmtree(raw, ignore_errors=True)
        raw.mkdir()
        (directory / JOB_FILE).write_text(files.job_file.text)
        (directory / COMMANDS_FILE).write_text(files.commands)
        with Sampling(NoSensor(message("unknown-replay-short")), None) as sampling, Vigil() as vigil:
            ended = self._execute(raw, StatusLines(watch, None), sampling, vigil)
        output, _, _ = self._told(ended, raw)
        samples = samples_of(
            commands, files.forced, _read_or_empty(raw / LATENCY_LOG), fio_output.flush_latencies_ns(output)
        )
        return replace(samples, standstills=vigil.standstills)

    def _told(self, ended: "_Ended", raw: Path) -> tuple[fio_output.FioOutput, bytes, tuple[str, ...]]:
        """What fio wrote: its JSON read, as it is, and the rest of what it said.

        Raises:
            EngineError: It did not end well.
            OSError: The host's disk is full.
        """
        json_text, said_in_output = split_output(_read_or_empty(raw / JSON_FILE))
        said = (*said_in_output, *_lines(ended.stderr))
        if ended.stopped is not None:
            said = tuple(line for line in said if line != _SAID_WHEN_STOPPED)
        if not json_text:
            _require_space(raw)
        if not ended.is_well or not json_text:
            raise self._failure(ended.status, said)
        output = fio_output.parse_output(json_text)
        if output.job.error:
            raise self._failure(output.job.error, said)
        return output, json_text, said

    def _execute(self, raw: Path, status: StatusLines, sampling: Sampling, vigil: Vigil) -> "_Ended":
        with _fio_process(self._fio, raw, self._drive.address.descriptor) as process:
            vigil.watch_over(process.pid)
            stderr = _follow(process, status, sampling, self._stall_limit, self._drive)
            return _Ended(process.wait(), stderr, status.stopped)


@dataclass(frozen=True, slots=True)
class _Ended:
    status: int
    """Exit status, or minus the number of the signal that ended it."""
    stderr: bytes
    stopped: EarlyStop | None

    @property
    def is_well(self) -> bool:
        """Whether it ended by itself, or as it was asked to."""
        return self.status == 0 or (self.stopped is not None and self.status == _STATUS_WHEN_STOPPED)


def _as_counted(stopped: EarlyStop, directions: Mapping[Direction, DirectionResult]) -> EarlyStop:
    """A verdict by fio's own count: status lines tell the judge a little less.

    fio is asked to end at once and then completes what is in flight, which takes no longer than its slowest I/Os do.
    """
    at_ns = max((one.runtime_ns - _drained_ns(one) for one in directions.values()), default=0)
    done = [
        np.interp(at_ns, np.append(0, one.series.time_ns), np.append(0.0, one.series.bytes_done))
        for one in directions.values()
    ]
    return EarlyStop(stopped.criterion, max(stopped.at_bytes, round(float(sum(done)))), at_ns)


def _drained_ns(one: DirectionResult) -> int:
    """Slowest I/O of the last second."""
    last = one.series.latency_ns_max[one.series.time_ns > one.runtime_ns - NS_PER_S]
    return min(one.runtime_ns // 2, int(np.nanmax(np.append(last, 0.0))))


@contextmanager
def _fio_process(fio: FioBinary, raw: Path, given: int | None) -> Iterator[subprocess.Popen[bytes]]:
    """fio in a session of its own, so that Ctrl-C reaches it only through us; it dies with us, even after SIGKILL.

    A file is given to it as standard input (`fio_text.file_name`).
    """
    command = [
        *("setpriv", "--pdeathsig", "KILL", "--"),
        *(str(fio.path), "--output-format=json+", f"--output={JSON_FILE}"),
        *(*STATUS_OPTIONS, str(Path("..") / JOB_FILE)),
    ]
    try:
        process = subprocess.Popen(
            command,
            cwd=raw,
            stdin=subprocess.DEVNULL if given is None else given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise FioMissing(
            message("engine-not-installed", program=str(error.filename)), INSTALL_HINT, SETPRIV_HINT
        ) from error
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask fio to stop; insist if it does not."""
    process.send_signal(signal.SIGINT)
    # A stopped process hears nothing else until it is let go on.
    process.send_signal(signal.SIGCONT)
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _follow(
    process: subprocess.Popen[bytes], status: StatusLines, sampling: Sampling, limit: StallLimit, drive: Drive
) -> bytes:
    """Read fio's streams until it closes them, end it at the judge's verdict, and return what it said on stderr.

    Raises:
        Whatever heeds the sensors raises.
        FioHung: No byte moved for longer than the limit.
        FioFailed: No byte moves because the drive is gone.
    """
    look_at_ns, stderr = 0, b""
    asked_to_end = False
    assert process.stdout is not None  # noqa: S101 - both are pipes
    assert process.stderr is not None  # noqa: S101
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, "status")
        selector.register(process.stderr, selectors.EVENT_READ, "stderr")
        while selector.get_map():
            for key, _ in selector.select(timeout=0.5):
                content = key.fileobj.read1(65536)  # type: ignore[union-attr]
                if not content:
                    selector.unregister(key.fileobj)
                elif key.data == "status":
                    status.read(content)
                else:
                    stderr += content
            sampling.tell()
            if status.stopped is not None and not asked_to_end:
                process.send_signal(signal.SIGINT)
                asked_to_end = True
            still_ns = time.monotonic_ns() - status.moved_at_ns
            if still_ns > limit.duration_ns:
                raise FioHung(message("engine-fio-hangs", time=duration(still_ns)), message("engine-hint-hangs"))
            if time.monotonic_ns() > max(look_at_ns, status.moved_at_ns + LOOK_AFTER_NS):
                _look_at(drive)
                look_at_ns = time.monotonic_ns() + LOOK_AFTER_NS
    return stderr


def _look_at(drive: Drive) -> None:
    """fio's nbd engine does not always notice that its server is gone, so the drive itself is asked."""
    try:
        drive.check()
    except DriveError as error:
        stuck = message("engine-fio-stuck", why=error.message)
        raise FioFailed(stuck, *error.hints, _NOTHING_COUNTS) from error


_JSON_BYTES_MIN = 256 * KIB
"""fio's JSON with the bins of both directions."""


def _require_space(directory: Path) -> None:
    """fio ends well and says nothing when its JSON does not fit on the host's disk.

    Raises:
        OSError: There is no space for it.
    """
    if shutil.disk_usage(directory).free < _JSON_BYTES_MIN:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(directory))


def _failure(status: int, said: tuple[str, ...]) -> EngineError:
    if status < 0:
        name = signal.Signals(-status).name
        return FioKilled(message("engine-fio-killed", signal=name), message("engine-hint-killed"))
    words = [line.removeprefix("fio: ") for line in said if "connected to NBD server" not in line]
    text = "; ".join(dict.fromkeys(words))
    told = text or message("engine-fio-no-reason")
    return FioFailed(message("engine-fio-ended", status=number(status, "d"), said=told), *_hints(text))


_LOST = ("nbd_", "Transport endpoint is not connected", "Connection reset by peer", "Broken pipe")
"""What fio and libnbd say when the server has gone."""


def _hints(text: str) -> tuple[Message, ...]:
    """What fio's most frequent complaints mean."""
    if any(words in text for words in _LOST):
        # Whatever error follows from a lost connection says nothing about a file system.
        return (message("engine-hint-nbd-gone"),)
    known = {
        "No space left on device": message("engine-hint-free-space"),
        "Operation not supported": message("engine-hint-no-o-direct"),
        "Invalid argument": message("engine-hint-block-size"),
        "Permission denied": message("engine-hint-permission"),
        "Operation not permitted": message("engine-hint-io-uring-not-permitted"),
        "Cannot allocate memory": message("engine-hint-locked-memory"),
    }
    return tuple(hint for words, hint in known.items() if words in text)


def _lines(content: bytes) -> tuple[str, ...]:
    return tuple(line for line in content.decode(errors="replace").splitlines() if line.strip())


def _read_or_empty(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
