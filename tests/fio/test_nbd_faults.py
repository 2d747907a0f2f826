"""A drive that is not well, as a client sees it: errors on the wire, spoilt data, and what a power cut leaves."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import FLUSH, FUA, READ, TRIM, WRITE, Server, run_fio

from ssdlab import _core

pytestmark = pytest.mark.fio

Serve = Callable[..., Server]
CAPACITY = 8 << 20
BLOCK = 4096
EPERM, EIO = 1, 5


@pytest.fixture
def ill(nbd_server: Serve, tmp_path: Path) -> Serve:
    """Serves `zero` with 8 MiB and these tables; sizes in them are meant for its 1 GiB."""

    def serve(faults: str, *options: str | Path) -> Server:
        spec = tmp_path / "ill.toml"
        spec.write_text(f"{_core.spec_text('zero')}\n{faults}")
        return nbd_server(f"{spec}?capacity=8MiB", *options)

    return serve


def numbered(tag: int) -> bytes:
    """A drive full of blocks that say where they belong."""
    return b"".join((tag << 32 | block).to_bytes(8, "big") * (BLOCK // 8) for block in range(CAPACITY // BLOCK))


def wrong_ranges(found: bytes, expected: bytes) -> list[list[int]]:
    """Runs of blocks that differ, as `[offset, length]`."""
    ranges: list[list[int]] = []
    for offset in range(0, CAPACITY, BLOCK):
        if found[offset : offset + BLOCK] != expected[offset : offset + BLOCK]:
            if ranges and sum(ranges[-1]) == offset:
                ranges[-1][1] += BLOCK
            else:
                ranges.append([offset, BLOCK])
    return ranges


def test_a_medium_error_is_eio_and_leaves_the_data(ill: Serve) -> None:
    server = ill('[[fault]]\nkind = "error"\non = "write"\noffset = "128 MiB"\nlength = "512 KiB"\nafter = 1\n')
    with server.connect() as client:
        assert client.call(WRITE, 1 << 20, BLOCK, b"\x01" * BLOCK) == 0
        assert client.call(WRITE, 1 << 20, BLOCK, b"\x02" * BLOCK) == EIO
        assert client.read(1 << 20, BLOCK) == b"\x01" * BLOCK
    assert server.ask('{"do":"faults"}')["commands"] == [{"kind": "error", "acted": 1}]


def test_a_read_error_is_eio_for_structured_replies_too(ill: Serve) -> None:
    server = ill('[[fault]]\nkind = "error"\non = "read"\noffset = "128 MiB"\nlength = "512 KiB"\n')
    with server.connect() as client:
        assert client.call(READ, 1 << 20, BLOCK) == EIO
    # fio's engine speaks through libnbd, which asks for structured replies.
    with pytest.raises(AssertionError, match="Input/output error"):
        run_fio(server.uri, "--name=read", "--rw=read", "--bs=64k", "--size=8m")


def test_a_worn_out_drive_refuses_writes(ill: Serve) -> None:
    server = ill('[[fault]]\nkind = "read_only"\nafter = 2\n')
    with server.connect() as client:
        answers = [client.call(WRITE, 0, 512, bytes([n]) * 512) for n in range(4)]
        assert answers == [0, 0, EPERM, EPERM]
        assert client.call(TRIM, 0, 512) == EPERM
        assert client.read(0, 512) == b"\x01" * 512


@pytest.mark.parametrize(("kind", "count"), [("flip", 4), ("swap", 8)])
def test_spoilt_blocks_are_those_that_the_server_reports(ill: Serve, kind: str, count: int) -> None:
    server = ill(f'[[fault]]\nkind = "{kind}"\nevery = 512\n')
    with server.connect() as client:
        assert client.call(WRITE, 0, CAPACITY, numbered(0)) == 0
        wrong = wrong_ranges(client.read(0, CAPACITY), numbered(0))
    (report,) = server.ask('{"do":"faults"}')["data"]
    assert report == {"kind": kind, "acted": count, "ranges": wrong}
    assert sum(length for _, length in wrong) == count * BLOCK


def test_which_blocks_are_spoilt_does_not_depend_on_who_writes_how(ill: Serve) -> None:
    faults = '[[fault]]\nkind = "flip"\nevery = 64\n[[fault]]\nkind = "swap"\nevery = 64\n'
    one, other = ill(faults), ill(faults)
    with one.connect() as client:
        assert client.call(WRITE, 0, CAPACITY, b"\xff" * CAPACITY) == 0
    run_fio(other.uri, "--name=w", "--rw=randwrite", "--bs=4k", "--iodepth=16", "--size=8m", "--randseed=1")
    assert one.ask('{"do":"faults"}') == other.ask('{"do":"faults"}')


def test_a_fake_capacity_wraps_around(ill: Serve) -> None:
    server = ill('[[fault]]\nkind = "wrap"\nreal = "768 MiB"\n')
    with server.connect() as client:
        assert client.call(WRITE, 0, CAPACITY, numbered(0)) == 0
        found = client.read(0, CAPACITY)
    assert wrong_ranges(found, numbered(0)) == [[0, 2 << 20]]
    assert found[: 2 << 20] == numbered(0)[6 << 20 :]


def test_data_from_before_the_trim_is_read_back(ill: Serve) -> None:
    server = ill('[[fault]]\nkind = "stale_after_trim"\nevery = 512\n')
    with server.connect() as client:
        assert client.call(WRITE, 0, CAPACITY, numbered(1)) == 0
        assert client.call(TRIM, 0, CAPACITY) == 0
        assert client.call(WRITE, 0, CAPACITY, numbered(2)) == 0
        found = client.read(0, CAPACITY)
    stale = wrong_ranges(found, numbered(2))
    assert len(stale) == 4
    assert all(found[at : at + size] == numbered(1)[at : at + size] for at, size in stale)
    assert server.ask('{"do":"faults"}')["data"][0]["ranges"] == stale


MIB = 1 << 20


@pytest.mark.parametrize(
    ("flush", "lost", "wrong"),
    [
        ("obeyed", [[0, BLOCK]], []),
        # The last MiB was still in the cache, but for its first block, which the last write pushed out.
        ("ignored", [[0, BLOCK], [7 * MIB + BLOCK, MIB - BLOCK]], [[7 * MIB + BLOCK, MIB - BLOCK]]),
    ],
)
def test_a_power_cut_ends_connections_and_takes_what_was_not_flushed(
    ill: Serve, flush: str, lost: list[list[int]], wrong: list[list[int]]
) -> None:
    server = ill(f'[[fault]]\nkind = "lost_cache"\ncache = "1 MiB"\nflush = "{flush}"\n')
    with server.connect() as client:
        assert client.call(WRITE, 0, CAPACITY, numbered(0)) == 0
        assert client.call(FLUSH) == 0
        assert client.call(WRITE, 0, BLOCK, b"\xee" * BLOCK) == 0
        assert server.ask('{"do":"power_cut"}') == {"lost_bytes": sum(length for _, length in lost), "lost": lost}
        assert client.is_closed_by_server()
    with server.connect() as client:
        assert wrong_ranges(client.read(0, CAPACITY), numbered(0)) == wrong


def test_a_killed_server_has_lost_its_cache_and_kept_its_store(ill: Serve, tmp_path: Path) -> None:
    fault, store = '[[fault]]\nkind = "lost_cache"\ncache = "1 MiB"\n', tmp_path / "store"
    server = ill(fault, "--store", store)
    with server.connect() as client:
        assert client.call(WRITE, 0, CAPACITY // 2, numbered(0)[: CAPACITY // 2]) == 0
        assert client.call(FLUSH) == 0
        assert client.call(WRITE, CAPACITY // 2, BLOCK, b"\x01" * BLOCK) == 0
        assert client.call(WRITE, CAPACITY // 2 + BLOCK, BLOCK, b"\x02" * BLOCK, FUA) == 0
        assert client.call(WRITE, CAPACITY // 2 + 2 * BLOCK, BLOCK, b"\x03" * BLOCK) == 0
        server.process.kill()
        server.process.wait()
    again = ill(fault, "--store", store)
    with again.connect() as client:
        assert client.read(0, CAPACITY // 2) == numbered(0)[: CAPACITY // 2]
        # Force unit access saves what came before it too, as this cache is written back in order.
        assert client.read(CAPACITY // 2, 3 * BLOCK) == b"\x01" * BLOCK + b"\x02" * BLOCK + bytes(BLOCK)


def test_an_ended_server_has_kept_everything(ill: Serve, tmp_path: Path) -> None:
    fault, store = '[[fault]]\nkind = "lost_cache"\ncache = "1 MiB"\nflush = "ignored"\n', tmp_path / "store"
    server = ill(fault, "--store", store)
    with server.connect() as client:
        assert client.call(WRITE, 0, CAPACITY, numbered(0)) == 0
    server.process.terminate()
    assert server.process.wait(20) == 0
    with ill(fault, "--store", store).connect() as client:
        assert client.read(0, CAPACITY) == numbered(0)


def test_a_store_in_use_is_refused(
    ill: Serve, start_vdrive: Callable[..., "subprocess.Popen[str]"], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    ill("", "--store", store)
    other = start_vdrive("--socket", tmp_path / "other", "--store", store, "zero?capacity=8MiB")
    assert "another server keeps its drive in" in other.communicate(timeout=240)[1]
    assert other.returncode == 1


def test_a_store_of_another_size_is_refused_with_the_capacity_that_would_do(
    start_vdrive: Callable[..., "subprocess.Popen[str]"], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    store.write_bytes(bytes(4 << 20))
    server = start_vdrive("--socket", tmp_path / "other", "--store", store, "zero?capacity=8MiB")
    assert "?capacity=4194304B" in server.communicate(timeout=240)[1]
    assert server.returncode == 1
