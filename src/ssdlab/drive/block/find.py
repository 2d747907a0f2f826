"""The drive a run was begun on, under whatever name it has now: names are given anew at each start."""

from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.inventory import BlockDrive, look
from ssdlab.drive.block.node import LIST_HINT, marks_in
from ssdlab.drive.block.sysfs import SYSFS, drive_names
from ssdlab.drive.identity import BlockDetails, DriveIdentity
from ssdlab.drive.target import device_path_of
from ssdlab.message import commas, message
from ssdlab.unknown import Unknown


def find_again(begun: DriveIdentity, block: BlockDetails) -> BlockDrive:
    """The one drive that is what the run was begun on; drives that cannot be it by what the kernel knows are asked nothing.

    Raises:
        DriveError: It is not here, or several drives claim to be it.
    """
    likely = [name for name in drive_names() if _may_be(begun, block, name)]
    found = [drive for name in likely if (drive := _seen(name)) is not None and is_same(begun, block, drive)]
    if len(found) == 1:
        return found[0]
    which = (
        message("drive-begun-it")
        if isinstance(block.called, Unknown)
        else message("drive-begun-named", kind=block.called.kind.words, name=block.called.text)
    )
    if found:
        paths = commas(*(message("guard-device", name=one.path) for one in found))
        raise DriveError(message("drive-several-are-it", paths=paths, which=which), message("drive-leave-one"))
    raise DriveError(
        message("drive-not-here", which=which, target=begun.target), message("drive-connect-it"), LIST_HINT
    )


def path_of(begun: DriveIdentity, found: BlockDrive) -> Path:
    """Path the run was begun with if that still leads to the drive, else its present one."""
    then, now = device_path_of(begun.target), Path(found.path)
    try:
        return then if then.samefile(now) else now
    except OSError:
        return now


def _may_be(begun: DriveIdentity, block: BlockDetails, name: str) -> bool:
    try:
        marks = marks_in((SYSFS / "block" / name).resolve())
    except OSError:
        return False
    return marks.size_bytes == begun.capacity_bytes and (isinstance(block.wwid, Unknown) or block.wwid == marks.wwid)


def is_same(begun: DriveIdentity, block: BlockDetails, now: BlockDrive) -> bool:
    """Whether a drive is that drive: by all that the two tell of themselves, and by neither name nor number."""
    compared = [
        (block.called, now.called),
        (block.wwid, now.wwid),
        (begun.model, now.model),
        (begun.capacity_bytes, now.capacity_bytes),
        (begun.logical_block_bytes, now.logical_block_bytes),
    ]
    return not isinstance(now.called, Unknown) and all(
        then == seen for then, seen in compared if not isinstance(then, Unknown)
    )


def _seen(name: str) -> BlockDrive | None:
    try:
        return look(name)
    except OSError:
        return None
