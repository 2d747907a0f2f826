"""Taking off the passwords that interrupted erases left on SATA drives, wherever those drives are now."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.sysfs import device_path, drive_names
from ssdlab.drive.purge.ata_password import PasswordNote, PasswordNotes, by_hand, take_off
from ssdlab.drive.tool import ask
from ssdlab.message import message
from ssdlab.message_json import MessageField
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Freed:
    """What became of one drive.

    Attributes:
        device: Where the drive is now, or why that is not known.
        left: Why it may still have the password; absent if it was seen without one.
        remedies: What to do about that.
    """

    note: PasswordNote
    device: Path | Unknown
    left: MessageField | None
    remedies: tuple[MessageField, ...]


def free_all(state: Path, drives: Iterable[Path] | None = None) -> tuple[Freed, ...]:
    """Find each drive that there is a note of by its serial number, and take the password off.

    Args:
        state: The state directory the notes are in.
        drives: Where to look; if not given all SATA drives of this host.
    """
    notes = PasswordNotes(state)
    left = notes.all()
    places = _by_serial(_sata_drives() if drives is None else drives) if left else {}
    return tuple(_free(notes, note, places) for note in left)


def _free(notes: PasswordNotes, note: PasswordNote, places: dict[str, Path]) -> Freed:
    device = places.get(note.serial)
    if device is None:
        gone = message("drive-password-gone")
        return Freed(note, Unknown(gone), gone, (message("drive-connect-to-sata"),))
    try:
        take_off(device)
        notes.forget(note.serial)
    except DriveError as error:
        return Freed(note, device, error.message, error.hints or by_hand(device))
    return Freed(note, device, None, ())


def _sata_drives() -> tuple[Path, ...]:
    return tuple(device_path(name) for name in drive_names() if re.fullmatch(r"sd[a-z]+", name))


def _by_serial(drives: Iterable[Path]) -> dict[str, Path]:
    found = {}
    for drive in drives:
        answer = ask("hdparm", "-I", str(drive))
        serial = (
            None
            if isinstance(answer, Unknown)
            else re.search(r"^\s*Serial Number:\s*(\S.*?)\s*$", answer.text, re.MULTILINE)
        )
        if serial is not None:
            found[serial[1]] = drive
    return found
