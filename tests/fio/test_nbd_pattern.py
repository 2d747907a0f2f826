"""Each fault of data is told apart by the data itself, and exactly where the server says that it acted."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import FLUSH, TRIM, WRITE, Client, Server

from ssdlab import _core

pytestmark = pytest.mark.fio

Serve = Callable[[str], Server]
CAPACITY = 8 << 20
BLOCK = 4096
SEED = 11


@pytest.fixture
def ill(nbd_server: Callable[..., Server], tmp_path: Path) -> Serve:
    """Serves `zero` with 8 MiB and one fault; sizes in it are meant for its 1 GiB."""

    def serve(fault: str) -> Server:
        spec = tmp_path / "ill.toml"
        spec.write_text(f"{_core.spec_text('zero')}\n[[fault]]\n{fault}")
        return nbd_server(f"{spec}?capacity=8MiB")

    return serve


def write(client: Client, generation: int) -> None:
    data = bytearray(CAPACITY)
    _core.pattern_fill(data, SEED, generation, 0)
    assert client.call(WRITE, 0, CAPACITY, bytes(data)) == 0


def found(client: Client, generation: int) -> list[_core.PatternFinding]:
    return _core.pattern_check(client.read(0, CAPACITY), SEED, generation, 0)


def ranges(findings: Iterable[_core.PatternFinding]) -> list[list[int]]:
    """Findings that touch are one range, as the server has it."""
    joined: list[list[int]] = []
    for one in findings:
        if joined and sum(joined[-1]) == one.offset_bytes:
            joined[-1][1] += one.length_bytes
        else:
            joined.append([one.offset_bytes, one.length_bytes])
    return joined


def reported(server: Server) -> list[list[int]]:
    (report,) = server.ask('{"do":"faults"}')["data"]
    of_server: list[list[int]] = report["ranges"]
    return of_server


def test_a_healthy_drive_is_never_accused(nbd_server: Serve) -> None:
    with nbd_server("zero?capacity=8MiB").connect() as client:
        for generation in range(1, 6):
            write(client, generation)
            assert found(client, generation) == []


def test_flipped_bits_are_corruption_in_one_sector_each(ill: Serve) -> None:
    server = ill('kind = "flip"\nevery = 512\n')
    with server.connect() as client:
        write(client, 1)
        findings = found(client, 1)
    assert [(one.kind, one.length_bytes, one.wrong_bits) for one in findings] == [("corrupted", 512, 1)] * 4
    assert [[one.offset_bytes // BLOCK * BLOCK, BLOCK] for one in findings] == reported(server)


def test_swapped_blocks_name_each_other(ill: Serve) -> None:
    server = ill('kind = "swap"\nevery = 512\n')
    with server.connect() as client:
        write(client, 1)
        findings = found(client, 1)
    assert ranges(findings) == reported(server)
    origin = {one.offset_bytes: one.origin_offset_bytes for one in findings}
    assert {one.kind for one in findings} == {"elsewhere"}
    assert all(there is not None and origin[there] == here for here, there in origin.items())


def test_a_fake_capacity_is_seen_where_it_begins_again(ill: Serve) -> None:
    server = ill('kind = "wrap"\nreal = "768 MiB"\n')
    with server.connect() as client:
        write(client, 1)
        (one,) = found(client, 1)
    assert (one.kind, one.offset_bytes, one.length_bytes) == ("elsewhere", 0, 2 << 20)
    assert one.origin_offset_bytes == 6 << 20
    assert reported(server) == [[6 << 20, 2 << 20]]


def test_data_that_outlived_a_trim_is_stale(ill: Serve) -> None:
    server = ill('kind = "stale_after_trim"\nevery = 512\n')
    with server.connect() as client:
        write(client, 1)
        assert client.call(TRIM, 0, CAPACITY) == 0
        write(client, 2)
        findings = found(client, 2)
    assert {(one.kind, one.generation) for one in findings} == {("stale", 1)}
    assert ranges(findings) == reported(server)


@pytest.mark.parametrize(("passes", "kind"), [(1, "zero"), (2, "stale")])
def test_what_a_power_cut_took_is_what_was_there_before(ill: Serve, passes: int, kind: str) -> None:
    server = ill('kind = "lost_cache"\ncache = "1 MiB"\nflush = "ignored"\n')
    with server.connect() as client:
        for generation in range(1, passes + 1):
            write(client, generation)
            assert client.call(FLUSH) == 0
        lost = server.ask('{"do":"power_cut"}')["lost"]
    with server.connect() as client:
        findings = found(client, passes)
    assert {one.kind for one in findings} == {kind}
    assert ranges(findings) == lost == reported(server)
