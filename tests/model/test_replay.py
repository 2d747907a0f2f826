"""Commands one by one: what the model does with them, and how they are said to fio and read back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inline_snapshot import snapshot

from ssdlab import _core
from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.base import EngineError
from ssdlab.engine.commands import Commands, Forced, Issue, Verb, joined
from ssdlab.engine.fio.binary import SQPOLL_SINCE, FioBinary, FioVersion
from ssdlab.engine.fio.replay import CannotReplay, ReplayLogError, replay_files, samples_of
from ssdlab.engine.model import ModelEngine
from ssdlab.lab.bench import open_bench
from ssdlab.units import KIB, NS_PER_MS

EVERYTHING = frozenset(
    [
        "ioengine",
        "uri",
        "read_iolog",
        "iodepth",
        "iodepth_batch",
        "iodepth_batch_complete_min",
        "iodepth_batch_complete_max",
        "thinktime",
        "sync",
        "thread",
        "refill_buffers",
        "write_lat_log",
        "log_offset",
        "disable_slat",
        "log_avg_msec",
        "log_entries",
        "filename",
        "direct",
        "fixedbufs",
        "hipri",
        "registerfiles",
        "sqthread_poll",
        "allow_file_create",
    ]
)
FIO = FioBinary(Path("fio"), FioVersion(3, 33), EVERYTHING, frozenset({"nbd", "io_uring"}))
DEVICE = FioAddress(IoPath.BLOCK, "/dev/nvme9n1")
NBD = FioAddress(IoPath.NBD, "nbd+unix:///?socket=drive")


def places(*blocks: int) -> np.typing.NDArray[np.int64]:
    return np.array(blocks, dtype=np.int64) * 4 * KIB


def test_the_model_says_when_it_did_each(tmp_path: Path) -> None:
    commands = Commands.one_by_one(Verb.WRITE, places(1, 2, 3), 4 * KIB, pause_ns=NS_PER_MS)
    with open_bench("model:demo") as bench:
        engine = bench.engine
        assert isinstance(engine, ModelEngine)
        samples = engine.replay(commands, tmp_path, lambda _: None)
        assert engine.now_ns() == samples.completed_ns[-1]
    assert (samples.latency_ns > 0).all()
    assert (np.diff(samples.submitted_ns) > NS_PER_MS).all()


def test_what_the_model_refuses_is_an_error(tmp_path: Path) -> None:
    with open_bench("model:demo") as bench:
        assert isinstance(bench.engine, ModelEngine)
        with pytest.raises(EngineError, match="the drive refused a command: commands: 4096 bytes at"):
            bench.engine.replay(Commands.one_by_one(Verb.READ, places(1 << 30), 4 * KIB), tmp_path, lambda _: None)


def test_columns_of_different_length_are_refused() -> None:
    drive = _core.ModelDrive(_core.spec_text("demo"))
    with pytest.raises(ValueError, match="different lengths"):
        drive.replay(b"\0\0", b"\0" * 8, b"\0" * 16, b"\0" * 16, b"\0\0", 1, 0)


@pytest.mark.parametrize(("verb", "polls"), [(Verb.READ, True), (Verb.WRITE_THROUGH, False), (Verb.FLUSH, False)])
def test_a_device_is_polled_for_all_but_durable_commands(verb: Verb, polls: bool) -> None:  # noqa: FBT001 - what is expected
    files = replay_files(Commands.one_by_one(verb, places(1), 4 * KIB), DEVICE, FIO)
    assert ("hipri=1" in files.job_file.text.splitlines()) is polls


@pytest.mark.parametrize("version", [FioVersion(3, 33), SQPOLL_SINCE, FioVersion(3, 41)], ids=str)
def test_no_fio_is_asked_to_register_the_files_of_a_log(version: FioVersion) -> None:
    """Polling by a thread of the kernel takes registered files, too."""
    files = replay_files(Commands.one_by_one(Verb.READ, places(1), 4 * KIB), DEVICE, replace(FIO, version=version))
    options = {"registerfiles", "sqthread_poll"}
    assert not any(line.partition("=")[0] in options for line in files.job_file.text.splitlines())
    assert options <= {dropped.option for dropped in files.job_file.dropped}


def test_commands_become_fios_own_log() -> None:
    commands = joined(
        [Commands.one_by_one(Verb.WRITE, places(2), 8 * KIB), Commands.one_by_one(Verb.FLUSH, places(0), 0)]
    )
    assert replay_files(commands, NBD, FIO).commands == snapshot(
        """\
fio version 2 iolog
nbd add
nbd open
nbd write 8192 8192
nbd sync 0 0
nbd close
"""
    )


def test_batches_are_submitted_and_awaited_together() -> None:
    commands = replace(
        Commands.one_by_one(Verb.READ, places(1, 2, 3, 4), 4 * KIB),
        issue=np.array([Issue.ALONE, Issue.WHEN_ROOM] * 2, dtype=np.uint8),
        queue_depth=2,
    )
    text = replay_files(commands, NBD, FIO).job_file.text
    assert "iodepth=2\niodepth_batch=2\niodepth_batch_complete_min=2\niodepth_batch_complete_max=2\n" in text


def test_batches_of_different_size_cannot_be_said() -> None:
    commands = replace(
        Commands.one_by_one(Verb.READ, places(1, 2, 3), 4 * KIB),
        issue=np.array([Issue.ALONE, Issue.ALONE, Issue.WHEN_ROOM], dtype=np.uint8),
        queue_depth=2,
    )
    with pytest.raises(CannotReplay):
        replay_files(commands, NBD, FIO)


def test_a_forced_write_over_nbd_is_a_plain_one_and_says_so() -> None:
    files = replay_files(Commands.one_by_one(Verb.WRITE_THROUGH, places(1), 4 * KIB), NBD, FIO)
    assert files.forced is Forced.CANNOT
    assert "sync=1" not in files.job_file.text
    assert any(one.option == "sync=1" for one in files.job_file.dropped)


def test_rows_of_several_in_flight_are_found_by_their_place() -> None:
    commands = replace(Commands.one_by_one(Verb.WRITE, places(5, 6), 4 * KIB), queue_depth=2)
    log = b"3, 1000000, 1, 4096, 24576, 0\n4, 2000000, 1, 4096, 20480, 0\n"
    samples = samples_of(commands, Forced.YES, log, np.empty(0))
    assert samples.latency_ns.tolist() == [2e6, 1e6]
    assert samples.completed_ns.tolist() == [4 * NS_PER_MS, 3 * NS_PER_MS]


def test_flushes_get_the_latencies_fio_counted() -> None:
    commands = joined(
        [Commands.one_by_one(Verb.WRITE, places(1), 4 * KIB), Commands.one_by_one(Verb.FLUSH, places(0), 0)]
    )
    samples = samples_of(commands, Forced.YES, b"3, 1000000, 1, 4096, 4096, 0\n", np.array([5e5]))
    assert samples.latency_ns.tolist() == [1e6, 5e5]


def test_a_log_of_other_commands_is_refused() -> None:
    commands = Commands.one_by_one(Verb.WRITE, places(1), 4 * KIB)
    with pytest.raises(ReplayLogError, match="fio logged 0 of 1 commands"):
        samples_of(commands, Forced.YES, b"", np.empty(0))
    with pytest.raises(ReplayLogError, match="other offsets"):
        samples_of(commands, Forced.YES, b"3, 1000000, 1, 4096, 8192, 0\n", np.empty(0))
