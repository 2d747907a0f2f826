"""Finding the drive of a stopped run, and whether it is still as the run left it."""

from dataclasses import dataclass

from ssdlab.bundle import layout
from ssdlab.bundle.journal import read_journal
from ssdlab.bundle.read import Bundle
from ssdlab.drive.block import Stakes, stakes
from ssdlab.drive.block_drives import BlockDrive
from ssdlab.drive.block_find import find_again, path_of
from ssdlab.drive.target import BlockTarget, device_path_of, moved
from ssdlab.lab.errors import CannotResume
from ssdlab.lab.writes import Disagreed, written_meanwhile
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Again:
    """Where a stopped run goes on.

    Attributes:
        target: Of the drive, as it is called now.
        erase: What agrees that it is written to.
        notes: What was found out on the way.
        doubt: Why the drive is not as the run left it; None where nothing speaks against it.
    """

    target: str
    erase: str | None
    notes: tuple[str, ...] = ()
    doubt: str | None = None


def find_drive(begun: Bundle, erase: str | None) -> Again:
    """The drive a run goes on with.

    Whoever began the run agreed to lose what was on the drive. That still holds while only the run has written to it; else it
    takes `--erase` again, and everything since the last purge is done again.

    Raises:
        DriveError: The drive is not here, or something uses it.
        CannotResume: Somebody else has written to it, and it was not named to be erased.
    """
    drive = begun.run.drive
    if isinstance(drive.block, Unknown):
        return Again(drive.target, erase)
    found = find_again(drive, drive.block)
    path = path_of(drive, found)
    at_stake = stakes(BlockTarget(path), found)
    target = moved(drive.target, path)
    doubt, notes = _doubt(begun, found)
    if target != drive.target:
        notes = (f"the drive that was `{device_path_of(drive.target)}` is now `{path}`", *notes)
    return Again(target, erase or _still_agreed(at_stake, doubt), notes, doubt)


def _doubt(begun: Bundle, found: BlockDrive) -> tuple[str | None, tuple[str, ...]]:
    happenings, _ = read_journal(begun.path / layout.JOURNAL)
    health = found.details.health
    seen = written_meanwhile(happenings, health if isinstance(health, Unknown) else health.host_bytes_written)
    if isinstance(seen, Unknown):
        return None, (f"whether anybody else wrote to the drive meanwhile cannot be told: {seen.unknown}",)
    return (seen.words, ()) if isinstance(seen, Disagreed) else (None, (seen.words,))


def _still_agreed(found: Stakes, doubt: str | None) -> str:
    """The name of the drive, which the run was begun with.

    Raises:
        CannotResume: What is on it now may be somebody else's.
    """
    whose = [*([doubt] if doubt else []), *found.losses]
    if whose:
        raise CannotResume(
            f"what is on {found.what} may not be the run's own: {'; '.join(whose)}",
            f"if it may be lost: `--erase {found.name.text}`",
        )
    return found.name.text
