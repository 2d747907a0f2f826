"""The server's life: it starts once, ends with its parent and leaves nothing behind."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.nbd_peer import READ, Server

pytestmark = pytest.mark.fio

Start = Callable[..., "subprocess.Popen[str]"]
PATIENCE_S = 20
PARENT = "import subprocess, sys, time; server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE); time.sleep(600)"


def assert_gone(server: Server) -> None:
    assert not server.socket.exists()
    assert not server.control.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_status_0_and_removes_its_sockets(
    nbd_server: Callable[[str], Server], number: signal.Signals
) -> None:
    server = nbd_server("zero?capacity=64MiB")
    server.process.send_signal(number)
    assert server.process.wait(PATIENCE_S) == 0
    assert_gone(server)


def test_the_end_of_its_lifeline_ends_it(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("zero?capacity=64MiB")
    server.process.communicate(timeout=PATIENCE_S)
    assert server.process.returncode == 0
    assert_gone(server)


def test_it_dies_with_a_parent_that_is_killed(vdrive_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("nbd") / "nbd"
    server: list[str | Path] = [vdrive_binary, "--socket", path, "--lifeline", "zero?capacity=64MiB"]
    with subprocess.Popen([sys.executable, "-c", PARENT, *server], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().startswith("ready ")
        parent.kill()
        # The server holds the other end of this pipe for as long as it lives.
        assert parent.stdout.read() == ""
    assert not path.exists()


def test_it_ends_while_clients_are_connected_and_waiting(nbd_server: Callable[[str], Server]) -> None:
    server = nbd_server("demo?capacity=256MiB")
    with server.connect() as idle, server.connect() as busy:
        for _ in range(200):
            busy.send(READ, 0, 1 << 20)
        server.process.terminate()
        assert server.process.wait(PATIENCE_S) == 0
        assert idle.is_closed_by_server()
    assert_gone(server)


def test_a_live_socket_is_not_taken_over(nbd_server: Callable[[str], Server], start_vdrive: Start) -> None:
    server = nbd_server("zero?capacity=64MiB")
    second = start_vdrive("--socket", server.socket, "zero?capacity=64MiB")
    _, errors = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 1
    assert errors.startswith(f"error: another server listens on {server.socket}\nhint: ")
    with server.connect() as client:
        assert client.read(0, 512) == bytes(512)


def test_a_stale_socket_is_replaced(nbd_server: Callable[[str], Server], start_vdrive: Start) -> None:
    server = nbd_server("zero?capacity=64MiB")
    server.process.kill()
    server.process.wait()
    assert server.socket.exists()
    second = start_vdrive("--socket", server.socket, "zero?capacity=64MiB")
    assert second.stdout is not None
    assert second.stdout.readline() == f"ready {server.uri}\n"


@pytest.mark.parametrize(
    ("spec_query", "error", "hint"),
    [
        ("zero?capacity=15TiB", "payload needs up to", "?capacity="),
        ("no-such-drive", "no built-in specification", "demo"),
        ("zero?capacity=much", "is no size", "capacity=8GiB"),
        ("zero?colour=red", "is no option", "seed"),
    ],
)
def test_what_cannot_be_served_is_refused_with_a_hint(
    start_vdrive: Start, tmp_path: Path, spec_query: str, error: str, hint: str
) -> None:
    process = start_vdrive("--socket", tmp_path / "nbd", spec_query)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    error_line, hint_line = errors.splitlines()
    assert error_line.startswith("error: ")
    assert error in error_line
    assert hint_line.startswith("hint: ")
    assert hint in hint_line
    assert not (tmp_path / "nbd").exists()


def test_a_faulty_spec_lists_its_faults_with_lines(start_vdrive: Start, tmp_path: Path) -> None:
    spec = tmp_path / "faulty.toml"
    spec.write_text('name = "faulty"\ncolour = "red"\n')
    process = start_vdrive("--socket", tmp_path / "nbd", spec)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert "colour" in errors


def test_a_command_line_that_makes_no_sense_has_status_2(start_vdrive: Start) -> None:
    process = start_vdrive("--fast", "zero")
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert errors == 'error: unknown option "--fast"\nhint: see --help\n'
