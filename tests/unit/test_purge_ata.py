"""ATA secure erase: the order of its commands, and that no drive keeps the password. The drive is scripted."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.purge_devices import SATA
from tests.kit.scripted import ScriptedDrive, scripted_drive

from ssdlab.drive.access import DriveError
from ssdlab.drive.purge.ata import erase, free_of_our_password
from ssdlab.drive.purge.ata_leftover import free_all
from ssdlab.drive.purge.ata_password import PasswordNote, PasswordNotes
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.message import message, verbatim
from ssdlab.unknown import Unknown

SET = "hdparm --user-master u --security-set-pass ssdlab /dev/sdb"
ERASE = "hdparm --user-master u --security-erase ssdlab /dev/sdb"
UNLOCK = "hdparm --user-master u --security-unlock ssdlab /dev/sdb"
DISABLE = "hdparm --user-master u --security-disable ssdlab /dev/sdb"


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[ScriptedDrive]:
    with scripted_drive(tmp_path / "drive") as scripted:
        yield scripted


@pytest.fixture
def notes(tmp_path: Path) -> PasswordNotes:
    return PasswordNotes(tmp_path / "state")


def refusal(notes: PasswordNotes) -> DriveError:
    with pytest.raises(DriveError) as refused:
        erase(SATA, PurgeMethod.ATA_ERASE, notes)
    return refused.value


def test_the_drive_gets_a_password_erases_itself_and_has_none_any_more(
    drive: ScriptedDrive, notes: PasswordNotes
) -> None:
    erase(SATA, PurgeMethod.ATA_ERASE, notes)
    assert drive.calls() == [SET, ERASE]
    assert not drive.has("enabled")
    assert notes.all() == ()


def test_an_enhanced_erase_is_another_command(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    erase(SATA, PurgeMethod.ATA_ERASE_ENHANCED, notes)
    assert drive.calls()[1] == "hdparm --user-master u --security-erase-enhanced ssdlab /dev/sdb"


def test_a_failed_erase_leaves_no_password(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.becomes("fails/--security-erase")
    error = refusal(notes)
    assert (str(error), hints_of(error)) == (
        "`hdparm` failed: SECURITY_ERASE: Input/output error",
        ("the command was `hdparm --user-master u --security-erase ssdlab /dev/sdb`",),
    )
    assert drive.calls() == [SET, ERASE, DISABLE]
    assert (drive.has("enabled"), notes.all()) == (False, ())


def test_a_drive_that_locks_itself_meanwhile_is_unlocked_first(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.becomes("fails/--security-erase", "locks-on-failure")
    refusal(notes)
    assert drive.calls() == [SET, ERASE, UNLOCK, DISABLE]
    assert (drive.has("enabled"), drive.has("locked"), notes.all()) == (False, False, ())


def test_a_drive_that_takes_no_password_is_not_erased(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.becomes("ignores-set-pass")
    assert str(refusal(notes)) == "`/dev/sdb` took no password, without which it does not erase itself"
    assert (drive.calls(), notes.all()) == ([SET], ())


def test_a_drive_that_froze_since_it_was_looked_at_gets_no_password(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.becomes("frozen")
    assert str(refusal(notes)).startswith("`/dev/sdb` cannot erase itself: its security is frozen")
    assert (drive.calls(), notes.all()) == ([], ())


def test_a_foreign_password_is_left_alone(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.has_password("theirs")
    assert str(refusal(notes)) == "`/dev/sdb` cannot erase itself: it has a password"
    assert drive.calls() == []
    assert drive.has("enabled")


def test_a_password_that_cannot_be_taken_off_is_said_and_stays_noted(
    drive: ScriptedDrive, notes: PasswordNotes
) -> None:
    drive.becomes("fails/--security-erase", "fails/--security-disable")
    error = refusal(notes)
    assert (str(error), *hints_of(error)) == snapshot(
        (
            "`/dev/sdb` has the password `ssdlab`, and it cannot be taken off: `hdparm` failed: SECURITY_DISABLE: Input/output error",
            "`hdparm --user-master u --security-unlock ssdlab /dev/sdb`, if `hdparm -I /dev/sdb` says that it is locked",
            "then `hdparm --user-master u --security-disable ssdlab /dev/sdb`",
            "if it is frozen: suspend the machine to memory and wake it, or plug the drive out and in, and try again",
        )
    )
    assert [(note.serial, note.model, note.device) for note in notes.all()] == [
        ("SATA0001", "SCRIPTED SSD", "/dev/sdb")
    ]


def test_the_password_is_taken_off_as_soon_as_that_is_possible(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.becomes("fails/--security-erase", "fails/--security-disable")
    refusal(notes)
    drive.becomes("locked")
    drive.no_longer("fails/--security-disable")
    drive.calls()
    assert free_of_our_password(SATA, notes)
    assert drive.calls() == [UNLOCK, DISABLE]
    assert (drive.has("enabled"), drive.has("locked"), notes.all()) == (False, False, ())


def test_a_drive_without_a_note_is_not_touched(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.has_password("ssdlab")
    assert not free_of_our_password(SATA, notes)
    assert not free_of_our_password(replace(SATA, serial=Unknown(verbatim("nobody knows"))), notes)
    assert drive.calls() == []


def test_what_cannot_be_noted_is_not_done(drive: ScriptedDrive, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a directory is wanted")
    with pytest.raises(DriveError, match=r"cannot be noted in .*, so it gets none and is not erased$"):
        erase(SATA, PurgeMethod.ATA_ERASE, PasswordNotes(tmp_path / "state"))
    assert drive.calls() == []


def test_notes_of_odd_serial_numbers_are_found_again(notes: PasswordNotes) -> None:
    for serial in ("a/../b", "S N", ".", "Ö"):
        with notes.kept("model", serial, Path("/dev/sdc")):
            pass
        note = notes.of(serial)
        assert isinstance(note, PasswordNote)
        assert note.serial == serial
        notes.forget(serial)
    assert notes.all() == ()


def test_a_drive_that_is_being_erased_is_not_reported_as_left_behind(notes: PasswordNotes) -> None:
    with notes.kept("model", "SATA0001", Path("/dev/sdb")):
        assert notes.all() == ()
    assert [note.serial for note in notes.all()] == ["SATA0001"]


def left_behind(drive: ScriptedDrive, notes: PasswordNotes) -> None:
    drive.becomes("fails/--security-erase", "fails/--security-disable")
    refusal(notes)
    drive.becomes("locked")
    drive.calls()


def test_a_drive_left_with_a_password_is_found_by_its_serial_number(
    drive: ScriptedDrive, notes: PasswordNotes, tmp_path: Path
) -> None:
    left_behind(drive, notes)
    drive.no_longer("fails/--security-disable")
    freed = free_all(tmp_path / "state", [Path("/dev/sdx")])
    assert [(one.note.serial, one.device, one.left) for one in freed] == [("SATA0001", Path("/dev/sdx"), None)]
    assert drive.calls() == [UNLOCK.replace("sdb", "sdx"), DISABLE.replace("sdb", "sdx")]
    assert (drive.has("enabled"), notes.all()) == (False, ())


def test_a_drive_that_still_keeps_its_password_stays_noted(
    drive: ScriptedDrive, notes: PasswordNotes, tmp_path: Path
) -> None:
    left_behind(drive, notes)
    freed = free_all(tmp_path / "state", [Path("/dev/sdx")])
    assert str(freed[0].left) == snapshot(
        "`/dev/sdx` has the password `ssdlab`, and it cannot be taken off: `hdparm` failed: SECURITY_DISABLE: Input/output error"
    )
    assert len(notes.all()) == 1


def test_a_drive_that_is_not_here_stays_noted(drive: ScriptedDrive, notes: PasswordNotes, tmp_path: Path) -> None:
    left_behind(drive, notes)
    freed = free_all(tmp_path / "state", [])
    assert freed[0].device == Unknown(message("drive-password-gone"))
    assert (len(notes.all()), drive.calls()) == (1, [])


ERASING = """
import sys
from pathlib import Path
from tests.kit.purge_devices import SATA
from ssdlab.drive.purge.ata_leftover import free_all
from ssdlab.drive.purge.ata_password import PasswordNotes
from ssdlab.drive.purge.ata import erase
from ssdlab.drive.purge_method import PurgeMethod

erase(SATA, PurgeMethod.ATA_ERASE, PasswordNotes(Path(sys.argv[1])))
"""


def stopped_while_erasing(drive: ScriptedDrive, state: Path, number: signal.Signals) -> None:
    drive.becomes("hangs")
    with subprocess.Popen(
        [sys.executable, "-c", ERASING, str(state)], cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL
    ) as process:
        while not drive.has("erasing") and process.poll() is None:
            os.sched_yield()
        process.send_signal(number)
    drive.ends_erasing()
    assert process.returncode != 0


def test_ctrl_c_while_erasing_leaves_no_password(drive: ScriptedDrive, notes: PasswordNotes, tmp_path: Path) -> None:
    stopped_while_erasing(drive, tmp_path / "state", signal.SIGINT)
    assert drive.calls() == [SET, ERASE, DISABLE]
    assert (drive.has("enabled"), notes.all()) == (False, ())


def test_after_a_kill_the_next_purge_takes_the_password_off(
    drive: ScriptedDrive, notes: PasswordNotes, tmp_path: Path
) -> None:
    stopped_while_erasing(drive, tmp_path / "state", signal.SIGKILL)
    assert drive.has("enabled")
    assert [note.serial for note in notes.all()] == ["SATA0001"]
    drive.calls()
    assert free_of_our_password(SATA, notes)
    assert (drive.calls(), drive.has("enabled"), notes.all()) == ([DISABLE], False, ())
