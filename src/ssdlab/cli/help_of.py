"""`ssdlab help`."""

from typing import Annotated

import typer
from typer._click import Context
from typer.core import TyperGroup

from ssdlab.cli.terminal import say_text
from ssdlab.message import message


def show_help(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help=message("help-help-command").id)
    ] = None,
) -> None:
    """See `help-help-of`."""
    place: Context = context.find_root()
    for name in command or ():
        if not isinstance(place.command, TyperGroup):
            break
        found_name, found, _ = place.command.resolve_command(place, [name])
        if found is not None:
            place = Context(found, info_name=found_name, parent=place)
    say_text(place.get_help())
