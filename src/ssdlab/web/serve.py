"""The server: on this host alone, until Ctrl-C."""

import asyncio
import logging
import os
import socket
from contextlib import suppress

import uvicorn

from ssdlab.errors import SsdlabError
from ssdlab.message import message
from ssdlab.web.app import Lab, application
from ssdlab.web.gate import PARAMETER, Secrets
from ssdlab.web.pages import static_files

ADDRESS = "127.0.0.1"
_TENTHS_A_TICK = 5
_NICENESS = 10
"""What is measured here goes first."""


class PortTaken(SsdlabError):  # noqa: N818 - the error is the state
    """Something else listens on the port."""


class QuietServer(uvicorn.Server):
    """Wakes twice a second rather than ten times while nobody asks: what is measured here is measured meanwhile."""

    async def main_loop(self) -> None:
        """See uvicorn, which counts tenths of seconds."""
        tenths = 0
        while not await self.on_tick(tenths):
            await asyncio.sleep(_TENTHS_A_TICK / 10)
            tenths = (tenths + _TENTHS_A_TICK) % 864_000


class WebServer:
    """Listens from its making on."""

    def __init__(self, lab: Lab, port: int) -> None:
        """Take the port; 0 takes any that is free.

        Raises:
            PortTaken: Another program has it.
            SsdlabError: What is given as the database of a fleet is no address.
            VendorMissingError: The chart library was not fetched.
        """
        static_files()
        self._secrets = Secrets()
        self._app = application(lab, self._secrets)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((ADDRESS, port))
            # Whoever is told the address may ask at once, and is answered when the server is up.
            self._socket.listen()
        except OSError as error:
            self._socket.close()
            raise PortTaken(
                message("web-port-taken", port=str(port), why=error.strerror or str(error)), message("web-other-port")
            ) from error

    @property
    def address(self) -> str:
        """What to open in a browser of this host; whoever has it may look."""
        return f"http://{ADDRESS}:{self._socket.getsockname()[1]}/?{PARAMETER}={self._secrets.told}"

    def serve(self) -> None:
        """Answer until Ctrl-C."""
        with suppress(OSError):
            os.nice(_NICENESS)
        config = uvicorn.Config(
            self._app,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        server = QuietServer(config)
        # Streams of open pages have no end of their own: that they are cut off then is no fault to tell of.
        logging.getLogger("uvicorn.error").addFilter(lambda _record: not server.should_exit)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[self._socket])
