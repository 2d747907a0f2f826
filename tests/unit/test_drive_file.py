"""A file as the drive under test: always of our own making, never somebody's."""

import os
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from ssdlab.drive.access import DriveError, IoPath
from ssdlab.drive.identity import Freshness
from ssdlab.drive.kinds.file import TEST_FILE, FileDrive
from ssdlab.drive.target import FileTarget
from ssdlab.units import GIB, MIB


def made(path: Path, size_bytes: int | None = 2 * MIB) -> FileDrive:
    return FileDrive(f"file:{path}", FileTarget(path, size_bytes))


def refusal_of(path: Path, size_bytes: int | None, here: Path) -> str:
    with pytest.raises(DriveError) as error:
        made(path, size_bytes)
    return str(error.value).replace(str(here), "HERE")


def test_a_directory_gets_a_file_that_takes_its_room_at_once(tmp_path: Path) -> None:
    drive = made(tmp_path)
    status = (tmp_path / TEST_FILE).stat()
    assert status.st_size == drive.identity.capacity_bytes == 2 * MIB
    assert status.st_blocks * 512 >= 2 * MIB
    assert (drive.address.io_path, drive.address.location) == (IoPath.FILE, str(tmp_path / TEST_FILE))
    drive.close()
    assert not list(tmp_path.iterdir())


def test_a_size_is_rounded_down_to_whole_mebibytes(tmp_path: Path) -> None:
    assert made(tmp_path, 3 * MIB - 1).identity.capacity_bytes == 2 * MIB


def test_looking_ahead_makes_nothing(tmp_path: Path) -> None:
    identity = FileDrive.foreseen("file:x", FileTarget(tmp_path, 4 * MIB))
    assert identity.capacity_bytes == 4 * MIB
    assert identity.logical_block_bytes == os.statvfs(tmp_path).f_frsize
    assert not list(tmp_path.iterdir())


def test_without_a_size_the_file_system_keeps_a_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=GIB))
    assert FileDrive.foreseen("file:x", FileTarget(tmp_path, None)).capacity_bytes == GIB - 256 * MIB


def test_a_purge_takes_new_blocks_and_proves_nothing(tmp_path: Path) -> None:
    drive = made(tmp_path)
    (tmp_path / TEST_FILE).write_bytes(b"x" * 2 * MIB)
    assert drive.purge().freshness is Freshness.UNPROVEN
    assert (tmp_path / TEST_FILE).read_bytes() == bytes(2 * MIB)
    drive.check()


def test_a_file_that_has_changed_its_size_is_another_drive(tmp_path: Path) -> None:
    drive = made(tmp_path)
    os.truncate(tmp_path / TEST_FILE, MIB)
    with pytest.raises(DriveError, match="is gone, or its size has changed"):
        drive.check()
    drive.close()
    with pytest.raises(DriveError, match="is gone, or its size has changed"):
        drive.check()


def test_somebodys_file_is_never_touched(tmp_path: Path) -> None:
    precious = tmp_path / TEST_FILE
    precious.write_text("data")
    assert (
        refusal_of(tmp_path, MIB, tmp_path)
        == refusal_of(precious, MIB, tmp_path)
        == snapshot("`HERE/ssdlab-test-file.bin` exists, and ssdlab does not overwrite files")
    )
    assert precious.read_text() == "data"


def test_a_link_to_nowhere_names_the_file_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    drive = made(tmp_path / "link")
    assert (tmp_path / "elsewhere").stat().st_size == 2 * MIB
    drive.close()
    assert not (tmp_path / "elsewhere").exists()


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path / "none" / "file", MIB, tmp_path) == snapshot("`HERE/none` is no directory")
    assert refusal_of(tmp_path, 1024, tmp_path) == snapshot("`HERE/ssdlab-test-file.bin` would be only 1.00 KiB")
    assert "were asked for and 256 MiB must stay free" in refusal_of(tmp_path, 10**17, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_put_in_its_place_is_neither_measured_nor_removed(tmp_path: Path) -> None:
    drive = made(tmp_path)
    path = tmp_path / TEST_FILE
    path.unlink()
    path.write_bytes(b"x" * 2 * MIB)
    with pytest.raises(DriveError, match="is gone"):
        drive.check()
    with pytest.raises(DriveError, match="cannot be made: it exists already"):
        drive.purge()
    drive.close()
    assert path.read_bytes() == b"x" * 2 * MIB


def test_the_engine_is_given_the_file_itself(tmp_path: Path) -> None:
    drive = made(tmp_path)
    for _ in range(2):
        descriptor = drive.address.descriptor
        assert descriptor is not None
        assert os.path.samestat(os.fstat(descriptor), (tmp_path / TEST_FILE).stat())
        drive.purge()
    drive.close()
