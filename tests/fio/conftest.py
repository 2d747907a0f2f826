"""Fixtures for tests that need fio and virtual drives."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.kit.nbd_peer import Server
from tests.kit.processes import memory_export

from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.target import NbdTarget

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def vdrive_binary() -> Path:
    """The server: what SSDLAB_VDRIVE names, or built here."""
    if named := os.environ.get("SSDLAB_VDRIVE"):
        return Path(named)
    # Of the whole workspace, as `./dev` builds it: alone it would be compiled again, with other features of what it needs.
    build = ["cargo", "build", "--quiet", "--workspace", "--bin", "ssdlab-vdrive", "--message-format=json"]
    messages = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    executables = [message.get("executable") for message in map(json.loads, messages)]
    return next(Path(executable) for executable in executables if executable)


@pytest.fixture
def start_vdrive(vdrive_binary: Path) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Starts the server with any arguments; what still runs at the end of the test is killed."""
    processes: list[subprocess.Popen[str]] = []

    def start(*arguments: str | Path) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [vdrive_binary, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def nbd_server(
    start_vdrive: Callable[..., "subprocess.Popen[str]"], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Server]:
    """Serves `SPEC?capacity=...`, with a control socket and a lifeline held by the test."""

    def serve(spec_query: str, *options: str | Path) -> Server:
        # The name of the test would make the path too long for a socket.
        directory = tmp_path_factory.mktemp("nbd")
        path, control = directory / "nbd", directory / "control"
        process = start_vdrive("--socket", path, "--control", control, "--lifeline", *options, spec_query)
        assert process.stdout is not None
        word, _, uri = process.stdout.readline().strip().partition(" ")
        assert word == "ready", process.communicate()[1]
        return Server(uri, path, control, process)

    return serve


@pytest.fixture
def export(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, "subprocess.Popen[bytes]"]]:
    """64 MiB of memory: the socket, and who serves it."""
    with memory_export(tmp_path_factory.mktemp("nbd"), "64M") as served:
        yield served


@pytest.fixture
def drive(export: tuple[Path, "subprocess.Popen[bytes]"]) -> NbdDrive:
    """The same as a drive."""
    socket, _ = export
    return NbdDrive(f"nbd+unix:///?socket={socket}", NbdTarget(socket, ""), erase=socket.name)
