"""The NBD server inside a Python process: it starts, says so, and ends when it is told to."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVE = "import sys; from ssdlab import _core; sys.exit(_core.serve_main(sys.argv[1:]))"


@contextmanager
def server(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_cleanly(number: signal.Signals, tmp_path: Path) -> None:
    socket = tmp_path / "nbd"
    with server("--socket", str(socket), "demo?capacity=64MiB") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"ready nbd+unix:///?socket={socket}\n"
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert not socket.exists()


def test_the_end_of_the_lifeline_ends_the_server(tmp_path: Path) -> None:
    with server("--socket", str(tmp_path / "nbd"), "--lifeline", "demo?capacity=64MiB") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready ")
        process.communicate(timeout=20)
    assert process.returncode == 0


def test_arguments_that_make_no_sense_are_a_usage_error() -> None:
    with server("--nonsense") as process:
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert errors.startswith("error: ")
