"""The drive a run was begun on, under whatever name it has now: names are given anew at each start."""

from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.block_drives import BlockDrive, look
from ssdlab.drive.block_node import LIST_HINT
from ssdlab.drive.block_snapshot import drive_names
from ssdlab.drive.identity import BlockDetails, DriveIdentity
from ssdlab.drive.target import device_path_of
from ssdlab.unknown import Unknown


def find_again(begun: DriveIdentity, block: BlockDetails) -> Path:
    """Path of the one drive that is what the run was begun on; its own path if that still leads to it.

    Raises:
        DriveError: It is not here, or several drives claim to be it.
    """
    found = [drive for name in drive_names() if (drive := _seen(name)) is not None and is_same(begun, block, drive)]
    if len(found) == 1:
        return _kept(device_path_of(begun.target), Path(found[0].path))
    words = (
        "it"
        if isinstance(block.called, Unknown)
        else f"the one with the {block.called.kind.value} `{block.called.text}`"
    )
    if found:
        names = ", ".join(f"`{one.path}`" for one in found)
        raise DriveError(
            f"{names} all say that they are the drive the run was begun on: {words}",
            "leave only the right one connected",
        )
    raise DriveError(
        f"the drive the run was begun on is not here: {words}, then `{begun.target}`", "connect it", LIST_HINT
    )


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


def _kept(then: Path, now: Path) -> Path:
    try:
        return then if then.samefile(now) else now
    except OSError:
        return now
