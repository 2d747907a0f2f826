"""Purging real block devices: loop devices take discards by punching holes into their files."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.hints import hints_of
from tests.kit.purge_devices import NVME, SATA
from tests.kit.scripted import ScriptedDrive, scripted_drive
from tests.loop.conftest import Attach, Loop, tool

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.inventory import block_drives
from ssdlab.drive.identity import Freshness
from ssdlab.drive.purge.ata_password import PasswordNotes
from ssdlab.drive.purge.choice import foreseen
from ssdlab.drive.purge.device import PurgeDevice, purge_device
from ssdlab.drive.purge.purge import purge
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.drive.samples import direct, look, sampled, write_marks

pytestmark = pytest.mark.loop

MIB = 1 << 20


def device(loop: Loop, held: int | None = None) -> PurgeDevice:
    return purge_device(next(one for one in block_drives() if one.name == loop.name), held)


def fill(loop: Loop) -> None:
    """Write something everywhere."""
    with loop.path.open("r+b") as drive:
        for _ in range(loop.file.stat().st_size // MIB):
            drive.write(os.urandom(MIB))
        drive.flush()
        os.fsync(drive.fileno())


def used_bytes(loop: Loop) -> int:
    return loop.file.stat().st_blocks * 512


def test_a_discard_empties_the_whole_drive_and_is_seen_to(loop: Loop) -> None:
    fill(loop)
    purged = purge(device(loop))
    assert str(purged.method) == (
        "discard of the whole drive; of 4,096 sampled blocks that were written before, all read as zeros; "
        "what the drive below made of it cannot be seen"
    )
    assert (used_bytes(loop), not any(loop.path.read_bytes())) == (0, True)


def test_what_is_below_a_loop_device_is_not_proven_to_be_fresh(loop: Loop) -> None:
    assert foreseen(device(loop)).leaves is Freshness.UNPROVEN
    assert purge(device(loop)).freshness is Freshness.UNPROVEN


def test_a_drive_is_purged_through_the_descriptor_that_holds_it_exclusively(loop: Loop) -> None:
    fill(loop)
    held = os.open(loop.path, os.O_RDONLY | os.O_EXCL)
    try:
        purge(replace(device(loop, held), path=Path("/dev/another-name-by-now")))
    finally:
        os.close(held)
    assert used_bytes(loop) == 0


def test_blocks_of_four_kibibytes_are_purged_as_well(attach: Attach, tmp_path: Path) -> None:
    loop = attach(tmp_path / "drive.img", "--sector-size", "4096")
    fill(loop)
    assert "all read as zeros" in str(purge(device(loop)).method)
    assert used_bytes(loop) == 0


def test_a_drive_that_takes_no_discards_is_left_alone_and_nothing_is_claimed(loop: Loop) -> None:
    fill(loop)
    refusing = replace(device(loop), discard_bytes_max=0)
    purged = purge(refusing)
    assert str(purged.method) == "nothing, the drive offers no purge (no `discard`: it takes no discards)"
    assert purged.freshness is Freshness.UNPROVEN
    assert used_bytes(loop) >= 64 * MIB


def test_a_method_of_other_drives_is_refused(loop: Loop) -> None:
    fill(loop)
    with pytest.raises(DriveError) as refused:
        purge(device(loop), PurgeMethod.ATA_ERASE)
    assert str(refused.value) == f"`{loop.path}` cannot be purged by `ata-erase`: it is no SATA or SAS drive"
    assert hints_of(refused.value) == (f"what it offers: `{loop.path}?purge=discard`",)
    assert used_bytes(loop) >= 64 * MIB


def test_marks_are_found_again_until_they_are_erased(loop: Loop) -> None:
    samples = sampled(64 * MIB, 512, seed=1)
    with direct(loop.path) as descriptor:
        write_marks(descriptor, samples)
        assert str(look(descriptor, samples).words) == "all still hold what was written before"
        tool("blkdiscard", "--offset", "0", "--length", str(16 * MIB), loop.path)
        assert str(look(descriptor, samples).words) == "3,072 still hold what was written before, 1,024 read as zeros"


def test_a_drive_that_cannot_be_written_to_is_not_purged(loop: Loop, undo: ExitStack) -> None:
    tool("blockdev", "--setro", loop.path)
    # The kernel keeps it for whoever gets this loop device next.
    undo.callback(tool, "blockdev", "--setrw", loop.path)
    with pytest.raises(
        DriveError, match=r"^the drive .*: (permission denied|the host does not permit it|the file system is read-only)"
    ):
        purge(device(loop))


def test_a_drive_that_is_smaller_than_it_says_is_found_out(loop: Loop) -> None:
    with pytest.raises(DriveError, match=r"^the drive takes no writes before its purge: the disk is full$"):
        purge(replace(device(loop), capacity_bytes=128 * MIB))


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[ScriptedDrive]:
    with scripted_drive(tmp_path / "scripted") as drive:
        yield drive


def sata(loop: Loop) -> PurgeDevice:
    """The loop device as the medium of a SATA drive whose commands are scripted."""
    return replace(SATA, path=loop.path, capacity_bytes=64 * MIB)


def nvme(loop: Loop) -> PurgeDevice:
    return replace(NVME, path=loop.path, capacity_bytes=64 * MIB)


def test_a_secure_erase_that_erases_leaves_a_fresh_drive(loop: Loop, scripted: ScriptedDrive, tmp_path: Path) -> None:
    fill(loop)
    scripted.becomes("erases")
    purged = purge(sata(loop), state=tmp_path / "state")
    assert (purged.freshness, str(purged.method), purged.written_bytes) == (
        Freshness.FRESH,
        "ATA SECURITY ERASE UNIT; of 4,096 sampled blocks that were written before, all read as zeros",
        16 * MIB,
    )


def test_a_secure_erase_that_erased_nothing_is_caught(loop: Loop, scripted: ScriptedDrive, tmp_path: Path) -> None:
    fill(loop)
    with pytest.raises(DriveError) as caught:
        purge(sata(loop), state=tmp_path / "state")
    assert (str(caught.value), *hints_of(caught.value)) == (
        f"the purge erased nothing: `{loop.path}` reported success of its ATA SECURITY ERASE UNIT, and of 4,096 sampled blocks that were written before, all still hold what was written before",
        f"what it offers: `{loop.path}?purge=ata-erase-enhanced`, `{loop.path}?purge=discard`",
    )
    assert not scripted.has("enabled")


def test_a_format_that_erased_nothing_is_caught_on_an_empty_drive_too(loop: Loop, scripted: ScriptedDrive) -> None:
    with pytest.raises(DriveError, match=r"^the purge erased nothing: .* of its NVMe format with user-data erase"):
        purge(nvme(loop))


def test_a_format_that_erases_is_verified(loop: Loop, scripted: ScriptedDrive) -> None:
    (scripted.directory / "erases").write_text(str(loop.path))
    purged = purge(nvme(loop))
    assert (purged.freshness, str(purged.method).partition(";")[0]) == (
        Freshness.FRESH,
        "NVMe format with user-data erase",
    )


def test_a_password_left_by_a_killed_purge_is_taken_off_before_the_next(
    loop: Loop, scripted: ScriptedDrive, tmp_path: Path
) -> None:
    scripted.becomes("erases", "locked")
    scripted.has_password("ssdlab")
    with PasswordNotes(tmp_path / "state").kept("SCRIPTED SSD", "SATA0001", loop.path):
        pass
    purged = purge(sata(loop), state=tmp_path / "state")
    assert purged.freshness is Freshness.FRESH
    assert [call.split()[3] for call in scripted.calls()] == [
        "--security-unlock",
        "--security-disable",
        "--security-set-pass",
        "--security-erase",
    ]
