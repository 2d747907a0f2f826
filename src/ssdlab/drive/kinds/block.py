"""A block device of this host as the drive under test: opened only if nothing uses it and the user named it, held until the end."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.block.details import said_of
from ssdlab.drive.block.guard import Fact, GuardFinding, GuardVerdict, Weight, remedies, telling, uses
from ssdlab.drive.block.inventory import BlockDrive, look
from ssdlab.drive.block.node import LIST_HINT, DriveMarks, marks_of
from ssdlab.drive.block.snapshot import take_snapshot_while_held
from ssdlab.drive.block.sysfs import SYSFS, device_path
from ssdlab.drive.identity import BlockDetails, DriveIdentity, DriveName, Memory, NameKind
from ssdlab.drive.named import not_named
from ssdlab.drive.purge.choice import foreseen
from ssdlab.drive.purge.device import purge_device
from ssdlab.drive.purge.purge import purge, reformat
from ssdlab.drive.target import BlockTarget
from ssdlab.host.kernel import Kernel
from ssdlab.host.settings import POLL_QUEUES_REMEDY
from ssdlab.message import Message, commas, message, semicolons, size, verbatim
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

_KERNEL = Kernel(SYSFS)
_MOMENT_S = 3


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a run would destroy.

    Attributes:
        what: The drive in words.
        name: What the user must type to agree.
        losses: What was seen on it.
    """

    what: Message
    name: DriveName
    losses: tuple[Message, ...]


class BlockDevice:
    """The drive behind a path; while it is held the kernel mounts it for nobody and gives its number to no other drive."""

    def __init__(self, text: str, target: BlockTarget, erase: str | None) -> None:
        """Open it for ourselves alone.

        Raises:
            DriveError: There is no such drive, something uses it, or it was not named to be erased.
        """
        self._path, self._purge = target.path, target.purge
        self._marks = marks_of(target.path)
        found = _found(self._marks.name)
        _require_named(stakes(target, found), erase)
        self.identity = _identity(text, target, found)
        self.spec_text: str | None = None
        self._descriptor = _claimed(target.path)
        try:
            self.check()
        except DriveError:
            self.close()
            raise

    @staticmethod
    def foreseen(text: str, target: BlockTarget) -> DriveIdentity:
        """What the drive says it is, whoever uses it.

        Raises:
            DriveError: There is no such drive.
        """
        return _identity(text, target, _found(marks_of(target.path).name))

    @property
    def address(self) -> FioAddress:
        """By the kernel's own name, not by a link that may be set anew; polling is decided by how the host is tuned now."""
        name = self._marks.name
        return FioAddress(IoPath.BLOCK, str(device_path(name)), _cannot_poll(name))

    @property
    def name(self) -> str:
        """In /sys/block; it stays while the drive is held."""
        return self._marks.name

    @property
    def descriptor(self) -> int:
        """Open for reading, exclusively, until `close`."""
        return self._descriptor

    def check(self) -> None:
        """See `Drive.check`; besides, nobody may have begun to use it. No command goes to the drive."""
        self._check_descriptor()
        for path in (self._path, device_path(self._marks.name)):
            _require_same(self._path, self._marks, _marks_now(path))
        try:
            found = _lasting_uses(self._marks.name)
        except OSError as error:
            gone = message("drive-gone-at", path=str(self._path), error=reason_of(error))
            raise DriveError(gone, _LOOK_AT_IT) from error
        if found:
            uses_now = semicolons(*(finding.message for finding in found))
            raise DriveError(message("drive-now-used", path=str(self._path), uses=uses_now), *remedies(found))

    def _check_descriptor(self) -> None:
        number = os.fstat(self._descriptor).st_rdev
        if f"{os.major(number)}:{os.minor(number)}" != self._marks.number:
            raise DriveError(message("drive-became-another", path=str(self._path)), LIST_HINT)

    def purge(self) -> Purged:
        """Erase everything in the best way the drive offers now, and see to it that it did."""
        return purge(purge_device(_found(self._marks.name), self._descriptor), self._purge)

    def reformat(self, block_bytes: int) -> Purged:
        """Erase everything by a format that gives its blocks another size; the drive must be opened anew after it.

        Raises:
            DriveError: It refused, or has no such format.
        """
        return reformat(purge_device(_found(self._marks.name), self._descriptor), block_bytes)

    def said(self) -> Mapping[str, str]:
        """See `Drive.said`; what is not installed or does not answer is left out, and why stands in the identity."""
        answers = said_of(self._marks.name)
        return {name: answer for name, answer in answers.items() if not isinstance(answer, Unknown)}

    def findings(self) -> tuple[Message, ...]:
        """A block device has nothing to add."""
        return ()

    def close(self) -> None:
        """Let others use it again."""
        os.close(self._descriptor)


def stakes(target: BlockTarget, found: BlockDrive | None = None) -> Stakes:
    """What a run on the drive would destroy, if nothing forbids it.

    Raises:
        DriveError: Something does; every fact is named, with what to do about it.
    """
    drive = found or _found(marks_of(target.path).name)
    if drive.verdict is GuardVerdict.REFUSED:
        against = telling(drive.findings)
        forbidding = semicolons(*(one.message for one in against if one.weight is Weight.FORBIDS))
        raise DriveError(message("drive-forbidden", path=str(target.path), why=forbidding), *remedies(against))
    if isinstance(drive.called, Unknown):
        raise DriveError(
            message("drive-forbidden", path=str(target.path), why=drive.called.reason), message("drive-without-name")
        )
    capacity = size(drive.capacity_bytes)
    known = (capacity,) if isinstance(drive.model, Unknown) else (drive.model, capacity)
    what = message("drive-at-stake", path=str(target.path), known=commas(*known))
    return Stakes(what, drive.called, tuple(finding.message for finding in drive.findings))


def _require_named(stakes: Stakes, erase: str | None) -> None:
    if erase == stakes.name.text:
        return
    raise DriveError(
        not_named(stakes.what, erase),
        *(message("drive-on-it", loss=loss) for loss in stakes.losses),
        _erase_by(stakes.name),
    )


def _erase_by(name: DriveName) -> Message:
    by = message("drive-erase-by", name=name.text)
    if name.kind is NameKind.SERIAL:
        return by
    return message("drive-erase-by-stand-in", erase=by, kind=name.kind.words)


def _found(name: str) -> BlockDrive:
    try:
        return look(name)
    except OSError as error:
        gone = message("drive-gone", path=str(device_path(name)), error=reason_of(error))
        raise DriveError(gone, LIST_HINT) from error


def _lasting_uses(name: str) -> tuple[GuardFinding, ...]:
    """What somebody does with the drive that we hold, but for programs that opened it for a moment, as smartd and udev's do."""
    end_s = time.monotonic() + _MOMENT_S
    while True:
        found = uses(take_snapshot_while_held(name))
        if {one.fact for one in found} != {Fact.WRITER} or time.monotonic() > end_s:
            return found
        time.sleep(0.1)


def _claimed(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_EXCL | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        taken = message("drive-not-exclusive", path=str(path), error=reason_of(error))
        raise DriveError(taken, LIST_HINT) from error


_LOOK_AT_IT = message("drive-look-at-it")


def _marks_now(path: Path) -> DriveMarks:
    try:
        return marks_of(path)
    except DriveError as error:
        raise DriveError(message("drive-went-away", why=error.message), _LOOK_AT_IT) from error


def _require_same(path: Path, before: DriveMarks, now: DriveMarks) -> None:
    different = [
        message("drive-differs", what=what, new=_plain(new), old=_plain(old))
        for what, (old, new) in _compared(before, now).items()
        if _plain(old) != _plain(new)
    ]
    if different:
        raise DriveError(
            message("drive-not-the-same", path=str(path), different=commas(*different)),
            message("drive-other-untouched"),
        )


def _compared(before: DriveMarks, now: DriveMarks) -> dict[str, tuple[str | int | Unknown, str | int | Unknown]]:
    return {
        "name": (before.name, now.name),
        "number": (before.number, now.number),
        "appearance": (before.diskseq, now.diskseq),
        "serial": (before.serial, now.serial),
        "wwid": (before.wwid, now.wwid),
        "file": (before.backing_file, now.backing_file),
        "size": (before.size_bytes, now.size_bytes),
    }


def _plain(value: str | int | Unknown) -> Message:
    """Of marks that are both unknown none differs, whatever the reasons."""
    return message("drive-mark-unknown") if isinstance(value, Unknown) else verbatim(str(value))


def _cannot_poll(name: str) -> Message | None:
    polls = _KERNEL.says(SYSFS / "block" / name / "queue/io_poll")
    return None if polls == "1" else message("drive-no-poll-queues", remedy=POLL_QUEUES_REMEDY)


def _identity(text: str, target: BlockTarget, found: BlockDrive) -> DriveIdentity:
    namespace = found.details.namespace
    logical = found.logical_block_bytes
    discard = _KERNEL.number(SYSFS / "block" / found.name / "queue/discard_max_bytes")
    return DriveIdentity(
        target=text,
        model=found.model,
        serial=found.serial,
        firmware=found.firmware,
        capacity_bytes=found.capacity_bytes,
        logical_block_bytes=512 if isinstance(logical, Unknown) else logical,
        indirection_unit_bytes=namespace if isinstance(namespace, Unknown) else namespace.write_granularity_bytes,
        description=message("drive-described-block", path=str(found.path)),
        purge_leaves=foreseen(purge_device(found, None), target.purge).leaves,
        memory=Memory.KEEPS,
        cannot_trim=message("drive-no-discard") if discard == 0 else None,
        block=BlockDetails(
            called=found.called,
            wwid=found.wwid,
            medium=found.medium,
            physical_block_bytes=found.physical_block_bytes,
            link=found.link,
            details=found.details,
        ),
    )
