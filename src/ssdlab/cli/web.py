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
    database: Annotated[
        str | None,
        typer.Option("--database", metavar="URL", envvar="SSDLAB_DATABASE", help=message("help-web-database").id),
    ] = None,
    control: Annotated[bool, typer.Option("--control", help=message("help-web-control").id)] = False,
) -> None:
    """See `help-web`."""
    for package in ("starlette", "uvicorn"):
        require_extra("web", package)

    if database is not None:
        require_extra("fleet", "procrastinate")

    from ssdlab.web.app import Lab
    from ssdlab.web.serve import WebServer
    from ssdlab.web.site import Power

    power = Power.CONTROL if control else Power.LOOK
    server = WebServer(Lab(lab, spoken(), database, power), port)
    say(server.address)
    tell(message("web-serves-control", lab=str(lab)) if control else message("web-serves", lab=str(lab)))
    server.serve()
