"""A block device of this host as the drive under test: opened only if nothing uses it and the user named it, held until the end."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.block_details import said_of
from ssdlab.drive.block_drives import BlockDrive, look
from ssdlab.drive.block_node import LIST_HINT, Marks, marks_of
from ssdlab.drive.block_snapshot import SYSFS, device_path, take_snapshot_while_held
from ssdlab.drive.guard import Verdict, Weight, mends, uses
from ssdlab.drive.host_settings import POLL_QUEUES_MEND
from ssdlab.drive.identity import BlockDetails, DriveIdentity, DriveName, Memory, NameKind
from ssdlab.drive.kernel import Kernel
from ssdlab.drive.purge import purge, reformat
from ssdlab.drive.purge_choice import foreseen
from ssdlab.drive.purge_device import purge_device
from ssdlab.drive.target import BlockTarget
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown

_KERNEL = Kernel(SYSFS)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a run would destroy.

    Attributes:
        what: The drive in words.
        name: What the user must type to agree.
        losses: What was seen on it.
    """

    what: str
    name: DriveName
    losses: tuple[str, ...]


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
            found = uses(take_snapshot_while_held(self._marks.name))
        except OSError as error:
            raise DriveError(f"`{self._path}` went away: {error.strerror}") from error
        if found:
            raise DriveError(
                f"somebody began to use `{self._path}`: {'; '.join(one.text for one in found)}", *mends(found)
            )

    def _check_descriptor(self) -> None:
        number = os.fstat(self._descriptor).st_rdev
        if f"{os.major(number)}:{os.minor(number)}" != self._marks.number:
            raise DriveError(f"`{self._path}` became another device while it was opened", LIST_HINT)

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

    def findings(self) -> tuple[str, ...]:
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
    forbidding = [one.text for one in drive.findings if one.weight is Weight.FORBIDS]
    if drive.verdict is Verdict.REFUSED:
        raise DriveError(f"`{target.path}` may not be tested: {'; '.join(forbidding)}", *mends(drive.findings))
    if isinstance(drive.called, Unknown):
        raise DriveError(
            f"`{target.path}` may not be tested: {drive.called.unknown}",
            "test it through a file on it (`file:PATH`), or give it a serial number where it is made (QEMU: `serial=`)",
        )
    model = "" if isinstance(drive.model, Unknown) else f"{drive.model}, "
    what = f"`{target.path}` ({model}{format_bytes(drive.capacity_bytes)})"
    return Stakes(what, drive.called, tuple(one.text for one in drive.findings))


def _require_named(stakes: Stakes, erase: str | None) -> None:
    if erase == stakes.name.text:
        return
    wrong = "was not named to be erased" if erase is None else f"is not the `{erase}` that was named to be erased"
    stand_in = (
        ""
        if stakes.name.kind is NameKind.SERIAL
        else f" (it tells no serial number; this is the {stakes.name.kind.value})"
    )
    raise DriveError(
        f"everything on {stakes.what} would be lost, and it {wrong}",
        *(f"on it: {loss}" for loss in stakes.losses),
        f"if that is meant: `--erase {stakes.name.text}`{stand_in}",
    )


def _found(name: str) -> BlockDrive:
    try:
        return look(name)
    except OSError as error:
        raise DriveError(f"`{device_path(name)}` went away: {error.strerror}", LIST_HINT) from error


def _claimed(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_EXCL | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise DriveError(f"`{path}` cannot be opened exclusively: {error.strerror}", LIST_HINT) from error


def _marks_now(path: Path) -> Marks:
    try:
        return marks_of(path)
    except DriveError as error:
        raise DriveError(
            f"the drive went away: {error.message}", "look at `dmesg`, at its seat and its power"
        ) from error


def _require_same(path: Path, before: Marks, now: Marks) -> None:
    different = [
        f"{what} `{new}` instead of `{old}`" for what, (old, new) in _compared(before, now).items() if old != new
    ]
    if different:
        raise DriveError(
            f"`{path}` is no longer the drive it was: {', '.join(different)}", "nothing was written to the other one"
        )


def _compared(before: Marks, now: Marks) -> dict[str, tuple[object, object]]:
    return {
        "name": (before.name, now.name),
        "number": (before.number, now.number),
        "appearance": (_plain(before.diskseq), _plain(now.diskseq)),
        "serial number": (_plain(before.serial), _plain(now.serial)),
        "world-wide identifier": (_plain(before.wwid), _plain(now.wwid)),
        "file": (_plain(before.backing_file), _plain(now.backing_file)),
        "size": (before.size_bytes, now.size_bytes),
    }


def _plain(value: str | Unknown) -> str:
    return "unknown" if isinstance(value, Unknown) else value


def _cannot_poll(name: str) -> str | None:
    polls = _KERNEL.says(SYSFS / "block" / name / "queue/io_poll")
    if polls == "1":
        return None
    return f"the device has no queues to poll (`queue/io_poll` is 0); NVMe: {POLL_QUEUES_MEND}"


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
        description=f"the block device `{found.path}`",
        purge_leaves=foreseen(purge_device(found, None), target.purge).leaves,
        memory=Memory.KEEPS,
        cannot_trim="the kernel offers no discard on it" if discard == 0 else None,
        block=BlockDetails(
            called=found.called,
            wwid=found.wwid,
            medium=found.medium,
            physical_block_bytes=found.physical_block_bytes,
            link=found.link,
            details=found.details,
        ),
    )
