"""Finding the drive of a stopped run, and whether it is still as the run left it."""

from dataclasses import dataclass
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.journal import read_journal
from ssdlab.bundle.read import Bundle
from ssdlab.drive.block.content import content_of
from ssdlab.drive.block.find import find_again, path_of
from ssdlab.drive.block.inventory import BlockDrive
from ssdlab.drive.kinds.block import Stakes, stakes
from ssdlab.drive.target import BlockTarget, device_path_of, moved, require_plain
from ssdlab.lab.errors import CannotResume
from ssdlab.lab.foreign_writes import Agreed, Disagreed, changed_meanwhile, written_meanwhile
from ssdlab.message import Message, message, semicolons
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """Where a stopped run goes on.

    Attributes:
        target: Of the drive, as it is called now.
        erase: What agrees that it is written to.
        notes: What was found out on the way.
        doubt: Why the drive is not as the run left it; None where nothing speaks against it.
    """

    target: str
    erase: str | None
    notes: tuple[Message, ...] = ()
    doubt: Message | None = None


def find_drive(begun: Bundle, erase: str | None) -> ResumePoint:
    """The drive a run goes on with.

    Whoever began the run agreed to lose what was on the drive. That still holds while it is seen that only the run has written to
    it; else it takes `--erase` again. Where others are seen to have written, everything since the last purge is done again.

    Raises:
        DriveError: The drive is not here, something uses it, or the bundle names it as no user can.
        CannotResume: Somebody else has or may have written to it, and it was not named to be erased.
    """
    drive = begun.run.drive
    require_plain(drive.target)
    if isinstance(drive.block, Unknown):
        return ResumePoint(drive.target, erase)
    found = find_again(drive, drive.block)
    path = path_of(drive, found)
    at_stake = stakes(BlockTarget(path), found)
    evidence = _evidence(begun, found)
    target = moved(drive.target, path)
    notes = (
        ()
        if target == drive.target
        else (message("lab-drive-moved", before=str(device_path_of(drive.target)), now=str(path)),)
    )
    return ResumePoint(
        target, erase or _still_agreed(at_stake, evidence), (*notes, *evidence.in_favour), evidence.doubt
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Whether others wrote to the drive, by its counter and by what is on it."""

    counted: Agreed | Disagreed | Unknown
    content: Agreed | Disagreed | Unknown

    @property
    def in_favour(self) -> tuple[Message, ...]:
        """Of the drive being as the run left it."""
        return tuple(evidence.words for evidence in (self.counted, self.content) if isinstance(evidence, Agreed))

    @property
    def against(self) -> tuple[Message, ...]:
        """That others wrote to it, or that nobody can tell."""
        if isinstance(self.counted, Unknown) and isinstance(self.content, Unknown):
            why = semicolons(self.counted.reason, self.content.reason)
            return (message("lab-meanwhile-unknown", why=why),)
        return tuple(evidence.words for evidence in (self.counted, self.content) if isinstance(evidence, Disagreed))

    @property
    def doubt(self) -> Message | None:
        """Why its state is not what the run left; the few megabytes that a counter lets pass do not change that."""
        decides = self.content if isinstance(self.counted, Unknown) else self.counted
        return decides.words if isinstance(decides, Disagreed) else None


def _evidence(begun: Bundle, found: BlockDrive) -> _Evidence:
    happenings, _ = read_journal(begun.path / layout.JOURNAL)
    health, drive = found.details.health, begun.run.drive
    now_bytes = health if isinstance(health, Unknown) else health.host_bytes_written
    now = content_of(Path(found.path), drive.capacity_bytes, drive.logical_block_bytes)
    return _Evidence(written_meanwhile(happenings, now_bytes), changed_meanwhile(happenings, now))


def _still_agreed(found: Stakes, evidence: _Evidence) -> str:
    """The name of the drive, which the run was begun with.

    Raises:
        CannotResume: What is on it now may be somebody else's.
    """
    whose: tuple[Message, ...] = (*evidence.against, *found.losses)
    if whose:
        raise CannotResume(
            message("lab-not-own-content", what=found.what, why=semicolons(*whose)),
            message("lab-hint-erase", name=found.name.text),
        )
    return found.name.text
