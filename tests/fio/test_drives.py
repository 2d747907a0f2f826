"""Drives behind NBD: somebody else's export, and a virtual drive with a server of its own."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.processes import is_gone, memory_export, nbdkit_export, wait_until

from ssdlab.drive.access import DriveError
from ssdlab.drive.identity import Freshness
from ssdlab.drive.kinds.nbd import NbdDrive, connected
from ssdlab.drive.kinds.virtual import VirtualDrive
from ssdlab.drive.target import NbdTarget, spec_choice
from ssdlab.units import MIB

pytestmark = pytest.mark.fio


@pytest.fixture
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # The name of a test would make the path too long for a socket.
    return tmp_path_factory.mktemp("nbd")


@pytest.fixture
def export(directory: Path) -> Iterator[Path]:
    with memory_export(directory, "64M") as (path, _):
        yield path


def drive_at(path: Path) -> NbdDrive:
    return NbdDrive(f"nbd+unix:///?socket={path}", NbdTarget(path, ""), erase=path.name)


def first_bytes(path: Path, count: int) -> bytes:
    return subprocess.run(["nbdcopy", f"nbd+unix:///?socket={path}", "-"], check=True, capture_output=True).stdout[
        :count
    ]


def fill(path: Path, content: bytes) -> None:
    subprocess.run(["nbdcopy", "-", f"nbd+unix:///?socket={path}"], input=content, check=True)


def test_an_export_says_how_large_it_is(export: Path) -> None:
    drive = drive_at(export)
    assert (drive.identity.capacity_bytes, drive.identity.serial) == (64 * MIB, "nbd")
    drive.check()


def test_a_purge_trims_the_whole_export(export: Path) -> None:
    fill(export, b"\xaa" * 64 * MIB)
    assert first_bytes(export, 4) == b"\xaa" * 4
    purged = drive_at(export).purge()
    assert (purged.freshness, str(purged.method)) == (
        Freshness.UNPROVEN,
        "the whole export was trimmed; of 64 sampled blocks all read as zeros",
    )
    assert first_bytes(export, 64 * MIB) == bytes(64 * MIB)


def test_a_purge_says_how_much_is_left_where_a_server_trims_nothing(directory: Path) -> None:
    """A drive may take a trim for advice; here all but the first 32 MiB hold data whatever is asked."""
    full = 'if [ "$4" -lt 33554432 ]; then head -c "$3" /dev/zero; else head -c "$3" /dev/zero | tr "\\000" x; fi'
    script = ("get_size=echo 64M", f"pread={full}", "pwrite=cat >/dev/null", "trim=exit 0")
    allowed = ("can_write=exit 0", "can_trim=exit 0")
    with nbdkit_export(directory, "eval", *script, *allowed) as (path, _):
        words = drive_at(path).purge().method
    assert str(words) == snapshot("the whole export was trimmed; of 64 sampled blocks 32 still hold data")


def test_looking_at_an_export_changes_nothing(export: Path) -> None:
    fill(export, b"\xaa" * 64 * MIB)
    NbdDrive.foreseen("x", NbdTarget(export, ""))
    with pytest.raises(DriveError, match="would be lost"):
        NbdDrive("x", NbdTarget(export, ""), erase=None)
    assert first_bytes(export, 4) == b"\xaa" * 4


def test_an_export_of_another_size_is_another_drive(directory: Path) -> None:
    with memory_export(directory, "64M") as (path, _):
        drive = drive_at(path)
    for left in (path, path.with_name("pid")):
        left.unlink(missing_ok=True)
    with memory_export(directory, "32M"), pytest.raises(DriveError) as error:
        drive.check()
    assert str(error.value) == snapshot("the export now has 33554432 bytes instead of 67108864")


def test_a_server_that_has_gone_is_told(directory: Path) -> None:
    with memory_export(directory, "64M") as (path, _):
        drive = drive_at(path)
    with pytest.raises(DriveError, match="no NBD export at"):
        drive.check()


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH\r\n", b"NBDMAGIC", b"\0" * 18])
def test_what_does_not_speak_nbd_is_told(directory: Path, greeting: bytes) -> None:
    path = directory / "other"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        with pytest.raises(DriveError) as error, _answered(server, greeting):
            connected(NbdTarget(path, ""))
    assert "is the server running?" in hints_of(error.value)


class _answered:  # noqa: N801 - reads as a statement where it is used
    """A process that greets whoever connects, and hangs up."""

    def __init__(self, server: socket.socket, greeting: bytes) -> None:
        self._server, self._greeting = server, greeting

    def __enter__(self) -> None:
        self._child = os.fork()
        if self._child == 0:
            connection, _ = self._server.accept()
            connection.sendall(self._greeting)
            os._exit(0)

    def __exit__(self, *_: object) -> None:
        os.waitpid(self._child, 0)


@pytest.fixture
def virtual() -> Iterator[VirtualDrive]:
    with closing(VirtualDrive("virtual:demo", spec_choice("demo?capacity=64MiB&seed=5"))) as drive:
        yield drive


def test_a_virtual_drive_is_what_its_spec_says(virtual: VirtualDrive) -> None:
    assert (virtual.identity.capacity_bytes, virtual.identity.serial) == (64 * MIB, "VIRTUAL-demo-5")
    virtual.check()


def test_a_virtual_drive_can_be_purged_to_fresh(virtual: VirtualDrive) -> None:
    before = virtual.truth()
    path = Path(virtual.address.location.partition("socket=")[2])
    fill(path, b"\xaa" * 8 * MIB)
    assert virtual.truth() != before
    assert virtual.purge().freshness is Freshness.FRESH
    assert first_bytes(path, 4096) == bytes(4096)


def test_a_virtual_drive_is_gone_when_it_is_closed() -> None:
    drive = VirtualDrive("virtual:zero", spec_choice("zero?capacity=64MiB"))
    socket_path = Path(drive.address.location.partition("socket=")[2])
    drive.close()
    assert is_gone(drive.process_id)
    assert not socket_path.parent.exists()


def test_a_virtual_drive_whose_server_was_killed_is_told(virtual: VirtualDrive) -> None:
    os.kill(virtual.process_id, signal.SIGKILL)
    wait_until(lambda: is_gone(virtual.process_id), "the server has ended")
    with pytest.raises(DriveError) as error:
        virtual.check()
    assert str(error.value) == snapshot("the virtual drive's server has ended with status -9")


def test_a_faulty_spec_lists_its_faults_with_lines(tmp_path: Path) -> None:
    spec = tmp_path / "mine.toml"
    spec.write_text('name = "mine"\nspeed = 3\n')
    with pytest.raises(DriveError) as error:
        VirtualDrive("virtual:mine", spec_choice(str(spec)))
    lines = str(error.value).replace(str(spec), "SPEC").splitlines()
    assert lines[0].startswith("the spec `SPEC` has ")
    assert any(line.startswith("SPEC:2: speed: ") for line in lines[1:])
