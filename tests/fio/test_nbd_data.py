"""What is written through the server is what is read back, however it is written."""

from collections.abc import Callable

import pytest
from tests.kit.nbd_peer import FUA, NO_HOLE, TRIM, WRITE, WRITE_ZEROES, Server, run_fio

pytestmark = pytest.mark.fio


def test_random_writes_at_depth_32_verify(nbd_server: Callable[[str], Server]) -> None:
    (job,) = run_fio(
        nbd_server("zero?capacity=64MiB").uri,
        *("--name=verify", "--rw=randwrite", "--bsrange=4k-128k", "--iodepth=32", "--size=64m"),
        *("--verify=crc32c", "--do_verify=1", "--verify_fatal=1", "--randseed=1"),
    )
    assert job["read"]["io_bytes"] == job["write"]["io_bytes"] > 0


def test_regions_verify_while_others_are_trimmed_and_overwritten(nbd_server: Callable[[str], Server]) -> None:
    verified = ("--rw=randwrite", "--fsync=64", "--verify=crc32c", "--do_verify=1", "--verify_fatal=1")
    *written, trimmed, mixed = run_fio(
        nbd_server("demo?capacity=128MiB").uri,
        *("--bs=4k", "--iodepth=32", "--size=16m", "--randseed=2"),
        *("--name=written", "--numjobs=4", "--offset=32m", "--offset_increment=16m", *verified),
        *("--name=trimmed", "--rw=randtrim", "--offset=96m"),
        *("--name=mixed", "--rw=randtrimwrite"),
    )
    assert len(written) == 4
    assert all(job["read"]["io_bytes"] == job["write"]["io_bytes"] == 16 << 20 for job in written)
    assert all(job["sync"]["total_ios"] > 0 for job in written)
    assert trimmed["trim"]["io_bytes"] == 16 << 20
    assert mixed["trim"]["io_bytes"] == mixed["write"]["io_bytes"] > 0


def test_all_connections_see_one_drive(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("zero?capacity=64MiB")
    with server.connect() as writer, server.connect() as reader:
        assert writer.call(WRITE, 512, 1024, b"\xa5" * 1024) == 0
        assert reader.read(0, 2048) == bytes(512) + b"\xa5" * 1024 + bytes(512)


@pytest.mark.parametrize(
    ("command", "flags"), [(TRIM, 0), (TRIM, FUA), (WRITE_ZEROES, 0), (WRITE_ZEROES, NO_HOLE | FUA)]
)
def test_trimmed_and_zeroed_ranges_read_as_zeros_and_take_no_memory(
    nbd_server: Callable[[str], Server], command: int, flags: int
) -> None:
    server = nbd_server("zero?capacity=64MiB")
    with server.connect() as client:
        assert client.call(WRITE, 0, 1 << 20, b"\xff" * (1 << 20)) == 0
        assert server.ask('{"do":"info"}')["stored_bytes"] == 1 << 20
        assert client.call(command, 4096, (1 << 20) - 4096, flags=flags) == 0
        assert client.read(0, 8192) == b"\xff" * 4096 + bytes(4096)
        assert server.ask('{"do":"info"}')["stored_bytes"] == 64 * 1024


def test_a_purge_takes_the_data_away(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("zero?capacity=64MiB")
    with server.connect() as client:
        assert client.call(WRITE, 0, 4096, b"\x01" * 4096) == 0
        assert server.ask('{"do":"purge"}')["purged"] is True
        assert client.read(0, 4096) == bytes(4096)
    assert server.ask('{"do":"info"}')["stored_bytes"] == 0
