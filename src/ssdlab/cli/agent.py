"""`ssdlab agent`."""

from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli.terminal import tell
from ssdlab.message import message

RULES = Path("/etc/ssdlab/agent.toml")


def agent(
    rules: Annotated[Path, typer.Argument(metavar="FILE", help=message("help-agent-file").id)] = RULES,
) -> None:
    """See `help-agent`."""
    from ssdlab.cli.extra import require_extra

    require_extra("fleet", "procrastinate")

    from ssdlab.fleet.agent import Agent

    Agent(rules, tell).serve()
