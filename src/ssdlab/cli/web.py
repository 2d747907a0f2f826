"""`ssdlab web`."""

from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli.extra import require_extra
from ssdlab.cli.language import spoken
from ssdlab.cli.terminal import say, tell
from ssdlab.message import message


def web(
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help=message("help-web-port").id)] = 8417,
    control: Annotated[bool, typer.Option("--control", help=message("help-web-control").id)] = False,
) -> None:
    """See `help-web`."""
    for package in ("starlette", "uvicorn"):
        require_extra("web", package)

    from ssdlab.web.app import WebRights
    from ssdlab.web.serve import WebServer

    rights = WebRights.CONTROL if control else WebRights.LOOK
    server = WebServer(lab, port, spoken(), rights)
    say(server.address)
    tell(message("web-serves", lab=str(lab), access=rights.value))
    server.serve()
