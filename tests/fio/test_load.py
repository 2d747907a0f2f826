"""The load engine in real time: on an NBD export in memory, on a file by io_uring, on virtual drives, and when a drive is ill."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot
from numpy.typing import NDArray
from tests.kit.processes import ssdlab
from tests.kit.sample_fio import LONG, RANDOM, sequential_fill
from tests.kit.up_to_the_host import failed_whatever_the_host, status_of
from tests.kit.watches import once_it_moves, unwatched

from ssdlab import _core
from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import write_result
from ssdlab.drive.kinds.file import FileDrive
from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.target import FileTarget
from ssdlab.engine.load import LoadCannot, LoadEngine, LoadFailed, LoadHung
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.real_time import StallLimit
from ssdlab.engine.result import Direction, EarlyStop, LatencyKind
from ssdlab.errors import ExitStatus
from ssdlab.job import Action, Draw, Interface, IoLog, Job, Region, Replay, ReplayPace, Sync
from ssdlab.units import MIB, NS_PER_S

pytestmark = pytest.mark.fio


@pytest.fixture
def engine(drive: NbdDrive) -> LoadEngine:
    return LoadEngine(drive)


@pytest.fixture
def file_drive(tmp_path: Path) -> Iterator[FileDrive]:
    drive = FileDrive(f"file:{tmp_path}/drive.bin", FileTarget(tmp_path / "drive.bin", 64 * MIB))
    yield drive
    drive.close()


JOBS = [
    pytest.param(sequential_fill(), id="fill"),
    pytest.param(replace(RANDOM, read_percent=70), id="mixed"),
    pytest.param(replace(RANDOM, draw=Draw.PERMUTATION), id="permutation"),
    pytest.param(replace(RANDOM, jobs=2, read_percent=100), id="two jobs read"),
    pytest.param(replace(RANDOM, io_log=IoLog.EVERY_IO, amount_bytes=MIB), id="every io"),
    pytest.param(replace(RANDOM, io_log=IoLog.DISTRIBUTION_OVER_TIME), id="over time"),
]


REPLAY = Replay("/x.ssdtrace", "", ReplayPace.TIMED, pause_ns_max=None, arrivals_ns=0, write_bytes=0, discards=0)


def moved(engine: LoadEngine, job: Job, directory: Path) -> int:
    """Bytes of all directions, each counted in the same way by series, histograms and log."""
    total = 0
    for one in engine.run(job, directory, unwatched).directions.values():
        assert one.series.bytes_done[-1] == pytest.approx(one.io_bytes)
        assert {histogram.total for histogram in one.latency.values()} == {one.io_count}
        assert one.io_bytes == one.io_count * job.block_bytes
        assert (one.every_io is not None) == (job.io_log is IoLog.EVERY_IO)
        if one.every_io is not None:
            assert len(one.every_io.latency_ns) == one.io_count
        total += one.io_bytes
    return total


@pytest.mark.parametrize("job", [*JOBS, pytest.param(sequential_fill(action=Action.TRIM), id="trim")])
def test_every_byte_of_a_job_is_counted_behind_nbd(engine: LoadEngine, job: Job, tmp_path: Path) -> None:
    assert moved(engine, job, tmp_path) == job.amount_bytes


@pytest.mark.parametrize("job", [*JOBS, pytest.param(replace(RANDOM, sync=Sync.SYNC, amount_bytes=MIB), id="forced")])
def test_every_byte_of_a_job_is_counted_on_a_file(file_drive: FileDrive, job: Job, tmp_path: Path) -> None:
    assert moved(LoadEngine(file_drive), job, tmp_path) == job.amount_bytes


def test_a_file_that_was_replaced_is_not_written(file_drive: FileDrive, tmp_path: Path) -> None:
    path = tmp_path / "drive.bin"
    path.rename(tmp_path / "moved.bin")
    path.write_bytes(bytes(MIB))
    LoadEngine(file_drive).run(replace(RANDOM, amount_bytes=MIB), tmp_path, unwatched)
    assert not any(path.read_bytes())
    assert any((tmp_path / "moved.bin").read_bytes())


def test_the_result_says_what_did_it(engine: LoadEngine, tmp_path: Path) -> None:
    result = engine.run(RANDOM, tmp_path, unwatched)
    assert result.engine == engine.name
    assert result.engine.startswith("load-")
    assert set(result.files) == {"workload.json"}
    assert result.cpu is not None
    assert "ioengine=io_uring" in {one.option for one in result.dropped}


def test_an_open_loop_counts_from_when_an_io_was_due(engine: LoadEngine, tmp_path: Path) -> None:
    job = replace(RANDOM, read_percent=100, amount_bytes=None, duration_ns=2 * NS_PER_S, rate_iops=2000, queue_depth=64)
    result = engine.run(job, tmp_path, unwatched)
    reads = result.directions[Direction.READ]
    assert result.timed is LatencyKind.LAT
    assert isinstance(result.punctuality, Punctuality)
    # Six standard deviations of a Poisson count of 4000; a busy host may have no room for all of them.
    assert abs(reads.io_count + result.punctuality.unsubmitted - 4000) < 380
    assert reads.latency[LatencyKind.LAT].mean_ns >= reads.latency[LatencyKind.CLAT].mean_ns
    assert 0 < result.punctuality.late_mean_ns <= result.punctuality.late_max_ns


def test_the_rate_of_an_open_loop_is_that_of_its_schedule_however_busy_the_host_is(
    engine: LoadEngine, tmp_path: Path
) -> None:
    job = replace(RANDOM, read_percent=100, amount_bytes=None, duration_ns=NS_PER_S, rate_iops=20_000, queue_depth=256)
    due = []
    for _ in range(2):
        result = engine.run(job, tmp_path, unwatched)
        assert isinstance(result.punctuality, Punctuality)
        due.append(result.directions[Direction.READ].io_count + result.punctuality.unsubmitted)
    # Late I/Os are submitted late, and none is left out: the seed alone says how many there are.
    assert due[0] == due[1]
    # Four standard deviations of a Poisson count.
    assert abs(due[0] - 20_000) < 4 * 20_000**0.5


def test_an_open_loop_in_which_by_chance_nothing_falls_due_did_nothing_and_took_no_processor_time(
    engine: LoadEngine, tmp_path: Path
) -> None:
    job = replace(RANDOM, read_percent=100, amount_bytes=None, duration_ns=1000, rate_iops=1)
    result = engine.run(job, tmp_path, unwatched)
    assert (result.directions, result.cpu) == ({}, None)
    written = write_result(tmp_path, result)
    assert {layout.SERIES, layout.HISTOGRAM} <= written.keys()


def test_what_an_overloaded_drive_never_got_is_counted_and_the_job_ends_in_time(
    engine: LoadEngine, tmp_path: Path
) -> None:
    # No server answers ten million reads a second.
    job = replace(RANDOM, read_percent=100, amount_bytes=None, duration_ns=NS_PER_S, rate_iops=10_000_000)
    result = engine.run(job, tmp_path, unwatched)
    assert isinstance(result.punctuality, Punctuality)
    due = result.directions[Direction.READ].io_count + result.punctuality.unsubmitted
    # Four standard deviations of a Poisson count.
    assert abs(due - 10_000_000) < 4 * 10_000_000**0.5
    assert result.punctuality.unsubmitted > 1_000_000
    assert result.directions[Direction.READ].runtime_ns < 10 * NS_PER_S


class AfterHalf:
    """Has seen enough after half a second."""

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        if time_ns[-1] < NS_PER_S // 2:
            return None
        return EarlyStop("half a second", int(done_bytes.sum()), int(time_ns[-1]))


def test_a_judge_ends_a_job(engine: LoadEngine, tmp_path: Path) -> None:
    result = engine.run(LONG, tmp_path, unwatched, AfterHalf())
    assert result.stopped is not None
    assert result.stopped.criterion == "half a second"
    assert result.stopped.at_ns >= NS_PER_S // 2
    # The time of a direction ends with its last I/O, which may be before the verdict.
    assert result.directions[Direction.WRITE].runtime_ns < 20 * NS_PER_S


def test_an_operator_stops_a_job(engine: LoadEngine, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        engine.run(LONG, tmp_path, once_it_moves(lambda: os.kill(os.getpid(), signal.SIGINT)))
    assert threading.active_count() < 5


STOPPED_S = 10
"""A second or two, and what a busy host adds; servers may be silent for minutes."""


class Stopper:
    """An operator who presses Ctrl-C after a second, and who looks at a clock."""

    def __init__(self) -> None:
        self._pressed_s = 0.0

    def press(self) -> None:
        """In a second."""
        threading.Timer(1, self._press).start()

    def _press(self) -> None:
        self._pressed_s = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    @property
    def waited_s(self) -> float:
        """Since then."""
        return time.monotonic() - self._pressed_s


@pytest.mark.parametrize("job", [pytest.param(LONG, id="in flight"), pytest.param(sequential_fill(), id="full socket")])
def test_an_operator_stops_a_job_on_a_drive_that_says_nothing(
    engine: LoadEngine, export: tuple[Path, "subprocess.Popen[bytes]"], job: Job, tmp_path: Path
) -> None:
    _, server = export
    job, stopper = replace(job, amount_bytes=None, duration_ns=120 * NS_PER_S), Stopper()

    def hold_and_stop() -> None:
        server.send_signal(signal.SIGSTOP)
        stopper.press()

    try:
        with pytest.raises(KeyboardInterrupt):
            engine.run(job, tmp_path, once_it_moves(hold_and_stop))
        assert stopper.waited_s < STOPPED_S
    finally:
        server.send_signal(signal.SIGCONT)


def test_an_operator_stops_a_job_on_a_server_that_does_not_even_greet(
    engine: LoadEngine, export: tuple[Path, "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    _, server = export
    server.send_signal(signal.SIGSTOP)
    stopper = Stopper()
    stopper.press()
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.run(LONG, tmp_path, unwatched)
        assert stopper.waited_s < STOPPED_S
    finally:
        server.send_signal(signal.SIGCONT)


def test_a_server_that_stalls_for_too_long_is_given_up(
    drive: NbdDrive, export: tuple[Path, "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    _, server = export
    try:
        with pytest.raises(LoadHung, match=r"nothing has completed for \S+ s, with \d I/Os? in flight"):
            LoadEngine(drive, StallLimit(2 * NS_PER_S)).run(
                LONG, tmp_path, once_it_moves(lambda: server.send_signal(signal.SIGSTOP))
            )
    finally:
        server.send_signal(signal.SIGCONT)


def test_a_server_that_goes_away_fails_the_job(
    engine: LoadEngine, export: tuple[Path, "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    _, server = export
    with pytest.raises(LoadFailed, match=r"no NBD export|connection to the drive was lost"):
        engine.run(LONG, tmp_path, once_it_moves(server.kill))


@pytest.mark.parametrize(
    ("job", "why"),
    [
        pytest.param(replace(RANDOM, interface=Interface.LIBAIO), "it has no libaio", id="interface"),
        pytest.param(replace(RANDOM, sync=Sync.SYNC), "the server has no export that forces writes", id="forced"),
        pytest.param(
            replace(RANDOM, block_bytes=2 * MIB), "it has I/Os of up to 1.00 MiB, not of 2.00 MiB", id="block"
        ),
    ],
)
def test_what_it_cannot_do_is_said_before_anything_is_done(
    engine: LoadEngine, job: Job, why: str, tmp_path: Path
) -> None:
    with pytest.raises(LoadCannot) as error:
        engine.run(job, tmp_path, unwatched)
    assert str(error.value) == f"the load engine cannot do job `random`: {why}"
    assert not list(tmp_path.iterdir())


def short_suite(directory: Path, engine: str, block: str = "4KiB", interface: str = "io_uring") -> Path:
    """A fill of a small drive, and some reads."""
    path = directory / "short.toml"
    path.write_text(f"""
[suite]
name = "short"
version = "1"
engine = "{engine}"
interface = "{interface}"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "128KiB", qd = 16 }}

[[step]]
kind = "measure"
name = "reads"
job = {{ region = "fill", pattern = "random", bs = "{block}", qd = 4, limit = "1s" }}
sweep = {{ mix = ["read"] }}
""")
    return path


@pytest.mark.parametrize(
    ("block", "interface", "why"),
    [
        pytest.param("2MiB", "io_uring", "it has I/Os of up to 1.00 MiB, not of 2.00 MiB", id="block"),
        pytest.param("4KiB", "libaio", "it has no libaio", id="interface"),
    ],
)
def test_what_a_plan_asks_and_the_engine_has_not_is_said_before_the_drive_is_touched(
    export: tuple[Path, "subprocess.Popen[bytes]"], block: str, interface: str, why: str, tmp_path: Path
) -> None:
    socket, _ = export
    data, lab, target = b"data" * (16 * MIB), tmp_path / "lab", f"nbd+unix:///?socket={socket}"
    subprocess.run(["nbdcopy", "-", target], input=data, check=True)
    suite = short_suite(tmp_path, "any", block, interface)
    ended = ssdlab("run", suite, target, "--erase", socket.name, "--engine", "load", "--lab", lab)
    assert (ended.status, why in ended.stderr) == (1, True), ended.stderr
    assert subprocess.run(["nbdcopy", target, "-"], check=True, capture_output=True).stdout == data
    assert not lab.exists()


def test_a_run_by_the_load_engine_is_audited_like_any_other(tmp_path: Path) -> None:
    suite, lab = short_suite(tmp_path, "any"), tmp_path / "lab"
    target = "virtual:demo?capacity=64MiB"
    ended = ssdlab("run", suite, target, "--engine", "load", "--lab", lab)
    bundle = open_bundle(newest_run(lab))
    assert (ended.status, bundle.status, bundle.faults) == (status_of(bundle), RunStatus.FINISHED, ()), ended.stderr
    assert ("audit: " in ended.stderr) == (ended.status == ExitStatus.AUDIT_FAILED)
    assert {one.step for one in bundle.audit} >= {"fill.pass1", "reads.read"}
    assert failed_whatever_the_host(bundle) == []
    assert bundle.run.engine.startswith("load-")


def test_a_suite_that_names_no_other_engine_keeps_to_fio(tmp_path: Path) -> None:
    suite, lab = short_suite(tmp_path, "fio"), tmp_path / "lab"
    ended = ssdlab("run", suite, "virtual:zero?capacity=64MiB", "--engine", "load", "--lab", lab)
    assert "suite `short` is measured by fio, not by load" in ended.stderr
    assert not lab.exists()


def test_a_drive_model_has_an_engine_of_its_own(tmp_path: Path) -> None:
    suite, lab = short_suite(tmp_path, "load"), tmp_path / "lab"
    target = "model:demo?capacity=64MiB"
    ended = ssdlab("run", suite, target, "--engine", "load", "--lab", lab)
    assert "drive models are measured in virtual time" in ended.stderr
    assert ssdlab("run", suite, target, "--lab", lab).status == 0
    assert open_bundle(newest_run(lab)).run.engine.startswith("model-")


def test_a_failed_io_ends_the_run_and_is_named(tmp_path: Path) -> None:
    spec = tmp_path / "ill.toml"
    fault = 'kind = "error"\non = "write"\noffset = "256 MiB"\nlength = "1 MiB"'
    spec.write_text(f"{_core.spec_text('demo')}\n[[fault]]\n{fault}\n")
    suite, lab = short_suite(tmp_path, "load"), tmp_path / "lab"
    assert ssdlab("run", suite, f"virtual:{spec}?capacity=64MiB", "--lab", lab).status == 1
    reason = open_bundle(newest_run(lab)).reason
    assert reason is not None
    assert str(reason).replace(str(spec), "ill.toml") == snapshot(
        "`virtual:ill.toml?capacity=64MiB` failed a write of 128 KiB at byte 8,388,608: Input/output error (EIO)"
    )


def test_long_ios_of_a_trace_are_no_hindrance(engine: LoadEngine) -> None:
    long = replace(RANDOM, block_bytes=4 * MIB)
    with pytest.raises(LoadCannot):
        engine.require([long])
    engine.require([replace(long, replay=REPLAY)])


def test_discards_of_a_trace_are_refused_where_the_engine_has_none(engine: LoadEngine, file_drive: FileDrive) -> None:
    discards = replace(RANDOM, replay=replace(REPLAY, discards=1))
    engine.require([discards])
    LoadEngine(file_drive).require([replace(RANDOM, replay=REPLAY)])
    with pytest.raises(LoadCannot) as refused:
        LoadEngine(file_drive).require([discards])
    assert "trims only behind NBD" in str(refused.value)
    assert "fio" not in " ".join(map(str, refused.value.hints))


def test_a_job_that_does_not_fit_the_drive_names_the_field(engine: LoadEngine, tmp_path: Path) -> None:
    with pytest.raises(LoadCannot) as error:
        engine.run(replace(RANDOM, region=Region(0, 1 << 40)), tmp_path, unwatched)
    assert str(error.value) == (
        "the load engine cannot do job `random`: the job's `region_length_bytes` does not fit the drive or the engine"
    )
