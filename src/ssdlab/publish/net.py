"""The second net: nothing that was found to be private may stand in what was written, however it is spelt."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from ssdlab.bundle.publication import PrivateKind
from ssdlab.errors import SsdlabError
from ssdlab.message import message
from ssdlab.publish.files import TABLES
from ssdlab.publish.found import GUESSABLE, Findings, Sought
from ssdlab.publish.kind_names import KIND_NAMES

_SEPARATORS = re.compile(r"[-:._\s]")
_SPELT_MIN = 8
"""Letters from which on another spelling is no chance."""


class RemainsError(SsdlabError):
    """A private value would have been published."""


def require_nothing_left(directory: Path, found: Findings) -> None:
    """Look through all files of a copy and their names.

    Raises:
        RemainsError: A private value is in one.
    """
    sought = [(one, list(_spellings(one))) for one in found.looked_for()]
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory)
        # Of a table only known columns of numbers and words of ssdlab's were written.
        text = path.read_bytes().decode(errors="replace") if path.is_file() and path.name not in TABLES else ""
        haystack = f"{name}\n{text}".casefold()
        squeezed = _SEPARATORS.sub("", haystack)
        for one, spellings in sought:
            if _stands_in(one, spellings, haystack, squeezed):
                raise RemainsError(
                    message("publish-remains", value=one.value, kind=KIND_NAMES[one.kind], file=str(name)),
                    message("publish-remains-remedy"),
                )


def _stands_in(one: Sought, spellings: list[str], haystack: str, squeezed: str) -> bool:
    plain = one.value.casefold()
    if plain in haystack and (one.kind not in GUESSABLE or re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", haystack)):
        return True
    if any(spelling in haystack for spelling in spellings):
        return True
    bare = _SEPARATORS.sub("", plain)
    return len(bare) >= _SPELT_MIN and not bare.isdigit() and one.kind is not PrivateKind.KERNEL and bare in squeezed


def _spellings(one: Sought) -> Iterator[str]:
    """Reversed, as the digits of its bytes, and as URIs and JSON escape it."""
    if len(one.value) < _SPELT_MIN or one.kind is PrivateKind.KERNEL:
        return
    plain = one.value.casefold()
    yield plain[::-1]
    for spelt in (one.value, one.value.lower(), one.value.upper()):
        yield spelt.encode().hex()
    escaped = (quote(one.value, safe=""), json.dumps(one.value)[1:-1])
    yield from {spelt.casefold() for spelt in escaped if spelt != one.value}
