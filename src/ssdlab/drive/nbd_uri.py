"""URIs of NBD exports on unix sockets, as https://github.com/NetworkBlockDevice/nbd/blob/master/doc/uri.md has them.

What the user typed is read into its parts, and fio gets a URI written from those: so it reaches the same export that was identified.
"""

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote

_FORM = re.compile(r"nbd\+unix://(?:/(?P<export>[^?#]*))?\?socket=(?P<socket>[^?#&;]+)")
_PLAIN = "/-._~"
"""Beside letters and digits; all else is percent-encoded."""


def read_nbd_uri(text: str) -> tuple[Path, str]:
    """Socket and export of a URI. As libnbd does, `+` is taken as it stands.

    Raises:
        ValueError: It has not exactly the form that leads to a socket of this host.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError("no NBD URI on a unix socket")
    return Path(_decoded(found["socket"])), _decoded(found["export"] or "")


def nbd_uri(socket: Path, export: str = "") -> str:
    """The URI of an export."""
    return f"nbd+unix:///{_encoded(export)}?socket={_encoded(os.fspath(socket))}"


def _encoded(text: str) -> str:
    return quote(os.fsencode(text), safe=_PLAIN)


def _decoded(text: str) -> str:
    return unquote(text, errors="surrogateescape")
