"""Every command with its help."""

from collections.abc import Iterator
from typing import Any

import typer

from sources.markdown import listing
from ssdlab.cli import app

_WIDTH = 100


def page() -> str:
    """`cli.md`."""
    parts = [
        (
            "# Command line\n\nData goes to stdout, everything else to stderr. What the exit status says: "
            "[exit-status.md](exit-status.md). The forms of a target: [virtual drives](../guide/virtual-drives.md) and "
            "[safety](../concepts/safety.md).\n"
        ),
        *_sections(typer.main.get_command(app), "ssdlab", None),
    ]
    return "\n".join(parts)


def _sections(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.context_class(
        command, info_name=name, parent=parent, terminal_width=_WIDTH, max_content_width=_WIDTH
    )
    yield f"## {context.command_path}\n\n{listing('text', command.get_help(context))}"
    for child in getattr(command, "commands", {}).values():
        yield from _sections(child, child.name, context)
