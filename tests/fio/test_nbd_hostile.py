"""A client can break its own connection and nothing else."""

import os
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import BLOCK_STATUS, DISCONNECT, EINVAL, ENOSPC, FLUSH, READ, TRIM, WRITE, WRITE_ZEROES, Server

pytestmark = pytest.mark.fio

CAPACITY = 64 << 20
CONNECTIONS_MAX = 288


@pytest.fixture
def server(nbd_server: Callable[[str], Server]) -> Server:
    return nbd_server("zero?capacity=64MiB")


def memory_bytes(process_id: int) -> int:
    status = Path(f"/proc/{process_id}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) * 1024


def assert_serves(server: Server) -> None:
    with server.connect() as client:
        assert client.read(0, 512) == bytes(512)


@pytest.mark.parametrize(
    ("command", "length", "data", "error"),
    [
        (READ, 1024, b"", EINVAL),
        (TRIM, 1024, b"", EINVAL),
        (WRITE, 1024, b"\x01" * 1024, ENOSPC),
        (WRITE_ZEROES, 1024, b"", ENOSPC),
    ],
)
def test_past_the_end_is_refused_and_changes_nothing(
    server: Server, command: int, length: int, data: bytes, error: int
) -> None:
    with server.connect() as client:
        assert client.call(WRITE, CAPACITY - 512, 512, b"\x02" * 512) == 0
        assert client.call(command, CAPACITY - 512, length, data) == error
        assert client.read(CAPACITY - 512, 512) == b"\x02" * 512


def test_what_the_protocol_does_not_know_is_refused_and_the_connection_lives(server: Server) -> None:
    with server.connect() as client:
        assert client.call(5, 0, 512) == EINVAL
        assert client.call(1000, 0, 512) == EINVAL
        assert client.call(READ, 0, 512, flags=1 << 9) == EINVAL
        assert client.call(READ, 1, 512) == EINVAL
        assert client.call(WRITE, 0, 100, bytes(100)) == EINVAL
        assert client.call(BLOCK_STATUS, 0, 512) == EINVAL
        assert client.call(FLUSH) == 0


def test_requests_of_no_length_do_nothing(server: Server) -> None:
    with server.connect() as client:
        for command in (READ, WRITE, TRIM, WRITE_ZEROES):
            assert client.call(command, 0, 0) == 0


def test_a_client_that_leaves_in_the_middle_of_a_write_has_written_nothing(server: Server) -> None:
    with server.connect() as client:
        client.send(WRITE, 0, 1 << 20, b"\x01" * (1 << 19))
    with server.connect() as client:
        assert client.read(0, 512) == bytes(512)
    assert server.ask('{"do":"info"}')["stored_bytes"] == 0


def test_a_client_that_leaves_without_reading_its_replies_harms_nobody(server: Server) -> None:
    for _ in range(20):
        with server.connect() as client:
            for _ in range(50):
                client.send(READ, 0, 1 << 16)
    assert_serves(server)


@pytest.mark.parametrize("garbage", [b"GET / HTTP/1.1\r\n\r\n" * 4, os.urandom(4096), b"\x00" * 4096, b"\xff" * 4096])
def test_garbage_closes_that_connection_only(server: Server, garbage: bytes) -> None:
    with server.connect() as neighbour:
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(str(server.socket))
            stranger.settimeout(20)
            stranger.sendall(garbage)
            while stranger.recv(4096, socket.MSG_WAITALL):
                pass
        with server.connect() as client:
            client.socket.sendall(garbage)
            assert client.is_closed_by_server()
        assert neighbour.read(0, 512) == bytes(512)


def test_an_announced_length_takes_no_memory(server: Server) -> None:
    before = memory_bytes(server.process.pid)
    clients = [server.connect() for _ in range(CONNECTIONS_MAX)]
    for client in clients:
        client.send(WRITE, 0, 32 << 20)
    time.sleep(0.2)
    # Each connection has 256 KiB to begin with; 32 MiB each would be 9 GiB.
    assert memory_bytes(server.process.pid) - before < 160 << 20
    for client in clients:
        client.close()


def test_an_oversized_write_is_skipped_and_refused(server: Server) -> None:
    too_long = (32 << 20) + 512
    with server.connect() as client:
        assert client.call(WRITE, 0, too_long, bytes(too_long)) == EINVAL
        assert client.read(0, 512) == bytes(512)


def test_requests_without_end_are_not_taken_while_no_reply_is(server: Server) -> None:
    with server.connect() as client:
        client.socket.settimeout(2)
        request = struct.pack(">IHHQQI", 0x25609513, 0, READ, 1, 0, 1 << 16)
        with pytest.raises(TimeoutError):
            client.socket.sendall(request * 1_000_000)
        assert memory_bytes(server.process.pid) < 128 << 20
        assert_serves(server)


def test_more_clients_than_places_are_turned_away_and_places_come_back(server: Server) -> None:
    clients = [server.connect() for _ in range(CONNECTIONS_MAX)]
    with socket.socket(socket.AF_UNIX) as surplus:
        surplus.settimeout(20)
        surplus.connect(str(server.socket))
        assert surplus.recv(1) == b""
    for client in clients:
        client.send(DISCONNECT)
        assert client.is_closed_by_server()
        client.close()
    wait_for_connections(server, 0)
    assert_serves(server)


def wait_for_connections(server: Server, count: int) -> None:
    deadline = time.monotonic() + 20
    while server.ask('{"do":"info"}')["connections"] != count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("request_line", ["", "{}", '{"do":"dance"}', "[1,", "\x00", '"truth"'])
def test_the_control_socket_refuses_with_a_hint(server: Server, request_line: str) -> None:
    assert set(server.ask(request_line)) == {"error", "hint"}
    assert server.ask('{"do":"info"}')["spec"] == "zero"


def test_an_endless_line_on_the_control_socket_is_cut_off(server: Server) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(server.control))
        connection.sendall(b"x" * 4096)
        assert b"end of line" in connection.makefile("rb").readline()
    assert server.ask('{"do":"info"}')["spec"] == "zero"
