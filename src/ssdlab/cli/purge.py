"""`ssdlab purge`."""

import sys
from contextlib import closing
from typing import Annotated

import typer

from ssdlab.cli.arguments import Erase


def purge(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET", help="/dev/..., with `?purge=METHOD` for another way than the best it offers."
        ),
    ],
    erase: Erase = None,
    block_size: Annotated[
        str | None,
        typer.Option("--block-size", metavar="4KiB", help="Format an NVMe drive to logical blocks of this size."),
    ] = None,
) -> None:
    """Erase a drive, and prove that it is.

    Runs purge by themselves and keep the size of logical blocks; this is for changing it before a run, or for trying whether a
    drive erases itself at all. How it was done is printed.
    """
    from ssdlab.cli.run import stop_like_ctrl_c
    from ssdlab.drive.access import DriveError
    from ssdlab.drive.block import BlockDevice
    from ssdlab.drive.identity import Freshness
    from ssdlab.drive.target import BlockTarget, parse_target
    from ssdlab.units import parse_bytes

    stop_like_ctrl_c()
    named = parse_target(target)
    if not isinstance(named, BlockTarget):
        raise DriveError(f"`{target}` is no block device", "other targets are made anew, or purged by the run itself")
    block_bytes = None if block_size is None else parse_bytes(block_size)
    with closing(BlockDevice(target, named, erase)) as drive:
        purged = drive.purge() if block_bytes is None else drive.reformat(block_bytes)
    print(purged.method)
    if purged.freshness is Freshness.UNPROVEN:
        print("this does not prove that the drive is fresh out of the box", file=sys.stderr)
