"""`ssdlab web`."""

from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli.language import spoken
from ssdlab.cli.terminal import say, tell
from ssdlab.errors import SsdlabError
from ssdlab.message import message, verbatim


class WebMissing(SsdlabError):  # noqa: N818 - the error is the state
    """What serves pages is not installed."""


def web(
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help=message("help-web-port").id)] = 8417,
) -> None:
    """See `help-web`."""
    try:
        from ssdlab.web.serve import WebServer
    except ModuleNotFoundError as error:
        if error.name not in {"starlette", "uvicorn"}:
            raise
        raise WebMissing(message("web-not-installed"), verbatim("`pip install 'ssdlab[web]'`")) from error

    server = WebServer(lab, port, spoken())
    say(server.address)
    tell(message("web-serves", lab=str(lab)))
    server.serve()
