"""The fio engine, with real fio on an NBD export in memory."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.processes import fio_below
from tests.kit.sample_fio import LONG, RANDOM, sequential_fill
from tests.kit.watches import once_it_moves, unwatched

from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.engine.base import Progress
from ssdlab.engine.fio.binary import find_fio
from ssdlab.engine.fio.engine import FioEngine, FioFailed, FioHung, FioKilled
from ssdlab.engine.real_time import StallLimit
from ssdlab.engine.result import Direction
from ssdlab.job import Action, Draw, IoLog, Job, Sync
from ssdlab.units import KIB, MIB, NS_PER_MS, NS_PER_S

pytestmark = pytest.mark.fio


@pytest.fixture
def engine(drive: NbdDrive) -> FioEngine:
    # fio reports for the first time after two seconds or so, and later on a busy machine.
    return FioEngine(find_fio(), drive, StallLimit(10 * NS_PER_S))


def signal_fio(number: signal.Signals) -> Callable[[Progress], None]:
    def act() -> None:
        fio = fio_below(os.getpid())
        assert fio is not None
        os.kill(fio, number)

    return once_it_moves(act)


def no_fio_is_left() -> bool:
    return fio_below(os.getpid()) is None


def by_hand(job_file: Path, directory: Path) -> dict[str, Any]:
    """What fio itself says when somebody repeats the job file of a bundle."""
    command: list[str | Path] = ["fio", "--output-format=json+", "--output=by-hand.json", job_file]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)
    text = (directory / "by-hand.json").read_text()
    job: dict[str, Any] = json.loads(text[text.index("{\n") :])["jobs"][0]
    return job


@pytest.mark.parametrize(
    "job",
    [
        pytest.param(sequential_fill(), id="fill"),
        pytest.param(replace(RANDOM, read_percent=70), id="mixed"),
        pytest.param(replace(RANDOM, draw=Draw.PERMUTATION), id="permutation"),
        pytest.param(replace(RANDOM, jobs=2, read_percent=100), id="two jobs read"),
        pytest.param(replace(RANDOM, io_log=IoLog.EVERY_IO, amount_bytes=MIB), id="every io"),
        pytest.param(sequential_fill(jobs=2), id="two jobs fill"),
        pytest.param(sequential_fill(action=Action.TRIM, block_bytes=MIB, queue_depth=1), id="trim"),
    ],
)
def test_results_agree_with_fio_run_by_hand_on_the_same_job_file(engine: FioEngine, job: Job, tmp_path: Path) -> None:
    result = engine.run(job, tmp_path, unwatched)
    said = by_hand(tmp_path / "job.fio", tmp_path)
    expected = {name: (said[name]["io_bytes"], said[name]["total_ios"]) for name in ("read", "write", "trim")}
    found = {direction.value: (one.io_bytes, one.io_count) for direction, one in result.directions.items()}
    assert found == {name: done for name, done in expected.items() if done[1]}
    assert sum(io_bytes for io_bytes, _ in found.values()) == job.amount_bytes


def test_a_fill_accounts_for_every_byte_and_every_io(engine: FioEngine, tmp_path: Path) -> None:
    one = engine.run(sequential_fill(), tmp_path, unwatched).directions[Direction.WRITE]
    assert (one.io_bytes, one.io_count, one.short_ios) == (64 * MIB, 512, 0)
    assert one.series.bytes_done[-1] == pytest.approx(64 * MIB)
    assert [histogram.total for histogram in one.latency.values()] == [512, 512]


def test_several_jobs_fill_every_block_once(engine: FioEngine, drive: NbdDrive, tmp_path: Path) -> None:
    engine.run(sequential_fill(jobs=4, queue_depth=8), tmp_path, unwatched)
    copied = subprocess.run(["nbdcopy", drive.address.location, "-"], check=True, capture_output=True).stdout
    # What fio writes is random, and the memory was empty: a block nobody wrote would be all zeroes.
    blocks = [copied[offset : offset + 128 * KIB] for offset in range(0, 64 * MIB, 128 * KIB)]
    assert len(blocks) == len(set(blocks))
    assert bytes(128 * KIB) not in blocks


def test_a_log_of_every_io_has_every_io(engine: FioEngine, tmp_path: Path) -> None:
    job = replace(RANDOM, io_log=IoLog.EVERY_IO, amount_bytes=MIB)
    every = engine.run(job, tmp_path, unwatched).directions[Direction.WRITE].every_io
    assert every is not None
    assert len(every.latency_ns) == 256
    assert int(every.offset_bytes.max()) < 64 * MIB


def test_a_timed_job_lasts_its_time(engine: FioEngine, tmp_path: Path) -> None:
    job = replace(RANDOM, amount_bytes=None, duration_ns=700 * NS_PER_MS, rate_iops=2000)
    one = engine.run(job, tmp_path, unwatched).directions[Direction.WRITE]
    assert one.runtime_ns >= 690 * NS_PER_MS
    assert one.series.window_ns == 100 * NS_PER_MS
    assert one.series.bytes_done[-1] == pytest.approx(one.io_bytes)
    # On a busy host windows are longer, but not each of them.
    assert int(np.diff(one.series.time_ns, prepend=0).min()) < 300 * NS_PER_MS


def test_what_ran_and_what_fio_said_is_kept(engine: FioEngine, tmp_path: Path) -> None:
    result = engine.run(sequential_fill(), tmp_path, unwatched)
    assert set(result.files) == {"job.fio", "fio.json"}
    assert json.loads(result.files["fio.json"])["fio version"] == result.engine == engine.name
    assert result.files["job.fio"] == (tmp_path / "job.fio").read_bytes()
    assert result.cpu is not None
    assert "registerfiles" in {one.option for one in result.dropped}


class EnoughSeen(Exception):  # noqa: N818 - it ends a test, nothing is wrong
    """Raised by a watch that need not look any longer."""


def test_progress_is_reported_while_fio_works(engine: FioEngine, tmp_path: Path) -> None:
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if progress.share_done and progress.bandwidth_bytes_per_s:
            raise EnoughSeen

    with pytest.raises(EnoughSeen):
        engine.run(LONG, tmp_path, watch)
    share_done = seen[-1].share_done
    assert share_done is not None
    assert 0 < share_done < 1
    assert no_fio_is_left()


def test_a_fio_that_is_killed_is_told_from_one_that_failed(engine: FioEngine, tmp_path: Path) -> None:
    with pytest.raises(FioKilled) as error:
        engine.run(LONG, tmp_path, signal_fio(signal.SIGKILL))
    assert (str(error.value), hints_of(error.value)) == snapshot(
        ("fio was killed by SIGKILL", ("out of memory? `dmesg` tells; nothing of this step counts",))
    )


def test_a_fio_that_moves_no_data_for_too_long_is_ended(drive: NbdDrive, tmp_path: Path) -> None:
    engine = FioEngine(find_fio(), drive, StallLimit(4 * NS_PER_S))
    with pytest.raises(FioHung, match=r"fio has moved no data for \S+ s and was ended") as error:
        engine.run(LONG, tmp_path, signal_fio(signal.SIGSTOP))
    assert hints_of(error.value) == snapshot(
        ("the drive no longer answers, or fio is stopped: look at `dmesg` and at the process list",)
    )
    assert no_fio_is_left()


def test_a_server_that_goes_away_fails_the_job_with_fios_own_words(
    engine: FioEngine, export: tuple[Path, "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    _, server = export
    with pytest.raises(FioFailed) as error:
        engine.run(LONG, tmp_path, once_it_moves(server.kill))
    # Either libnbd tells fio, in one of several ways, or fio waits for ever and the drive is found to be gone.
    noticed = r"fio ended with status \d+: .*(nbd_|not connected)|fio moves no data any more: no NBD export"
    assert re.match(noticed, str(error.value))
    assert "nothing of this step counts" in hints_of(error.value)[-1]
    assert no_fio_is_left()


def test_a_server_that_is_not_there_fails_the_job_with_fios_own_words(drive: NbdDrive, tmp_path: Path) -> None:
    drive.address = FioAddress(IoPath.NBD, "nbd+unix:///?socket=/nowhere")
    with pytest.raises(FioFailed) as error:
        FioEngine(find_fio(), drive).run(sequential_fill(), tmp_path, unwatched)
    assert (str(error.value), hints_of(error.value)) == snapshot(
        (
            "fio ended with status 1: nbd_connect_uri: nbd_connect_uri: connect: No such file or directory",
            ("the NBD server is gone or refused; nothing of this step counts",),
        )
    )


def test_an_operator_who_stops_a_job_leaves_no_fio_behind(engine: FioEngine, tmp_path: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.run(LONG, tmp_path, once_it_moves(stop))
    assert no_fio_is_left()


def test_a_rest_lasts_its_time_and_reports_itself(engine: FioEngine) -> None:
    seen: list[Progress] = []
    before_ns = engine.now_ns()
    engine.rest(300 * NS_PER_MS, seen.append)
    assert engine.now_ns() - before_ns >= 300 * NS_PER_MS
    assert all(one.bandwidth_bytes_per_s is None for one in seen)
    assert seen


def test_each_durable_write_to_a_foreign_export_is_flushed(engine: FioEngine, tmp_path: Path) -> None:
    durable = replace(RANDOM, sync=Sync.SYNC, queue_depth=1, io_log=IoLog.EVERY_IO, amount_bytes=MIB)
    result = engine.run(durable, tmp_path, unwatched)
    said = by_hand(tmp_path / "job.fio", tmp_path)
    # After the last write fio sends none.
    assert said["sync"]["total_ios"] + 1 == said["write"]["total_ios"] == MIB // (4 * KIB)
    writes = result.directions[Direction.WRITE]
    assert writes.io_bytes == MIB
    # fio times writes and flushes apart, and the writes alone are not what was asked for.
    assert (writes.latency, writes.every_io) == ({}, None)
    assert np.isnan(writes.series.latency_ns_mean).all()
    assert any(one.option == "sync=1" for one in result.dropped)
