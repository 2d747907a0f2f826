"""`ssdlab purge`."""

from contextlib import closing
from typing import Annotated

import typer

from ssdlab.cli.arguments import Erase
from ssdlab.cli.terminal import say, tell
from ssdlab.message import message


def purge(
    target: Annotated[
        str,
        typer.Argument(metavar="TARGET", help=message("help-purge-target").id),
    ],
    erase: Erase = None,
    block_size: Annotated[
        str | None,
        typer.Option("--block-size", metavar="4KiB", help=message("help-purge-block-size").id),
    ] = None,
) -> None:
    """See `help-purge`."""
    from ssdlab.cli.outlive import outlive_terminal
    from ssdlab.cli.quantities import typed_or_none
    from ssdlab.drive.access import DriveError
    from ssdlab.drive.identity import Freshness
    from ssdlab.drive.kinds.block import BlockDevice
    from ssdlab.drive.target import BlockTarget, parse_target
    from ssdlab.units import parse_bytes

    block_bytes = typed_or_none(parse_bytes, block_size)
    outlive_terminal()
    named = parse_target(target)
    if not isinstance(named, BlockTarget):
        raise DriveError(message("cli-no-block-device", target=target), message("cli-others-purge-themselves"))
    with closing(BlockDevice(target, named, erase)) as drive:
        purged = drive.purge() if block_bytes is None else drive.reformat(block_bytes)
    say(purged.method)
    if purged.freshness is Freshness.UNPROVEN:
        tell(message("cli-purge-unproven"))
