"""The mark of ssdlab in a picture, which no viewer shows: by it a later picture knows what it may replace, and an SVG which sheets are its figure's."""

import json
import re
import zlib
from collections.abc import Mapping
from hashlib import sha256
from typing import TypeGuard

from ssdlab import version
from ssdlab.report.png import SIGNATURE

_PROGRAM = "ssdlab"
_SVG_TAG = re.compile(r"<svg [^>]*>")
_SVG_MARK = re.compile(rb"<metadata>(\{[^<]*\})</metadata>")
_HEAD_BYTES = 64 * 1024
"""The mark stands right behind the begin of a file."""
_PNG_HEAD_BYTES = len(SIGNATURE) + 25
"""Signature and header: length, name, 13 bytes and checksum."""
_SOFTWARE = b"tEXtSoftware\0"


def digest_of(sheet: bytes) -> str:
    """Of a sheet, as the mark of its picture has it."""
    return sha256(sheet).hexdigest()


def marked_svg(svg: str, sheets: Mapping[str, str]) -> str:
    """An SVG with the mark.

    Args:
        svg: As it is drawn.
        sheets: Names of the files that hold its figure's data, and their digests.
    """
    mark = json.dumps({"program": _PROGRAM, "version": version(), "sheets": dict(sheets)}).replace("<", "\\u003c")
    return _SVG_TAG.sub(lambda tag: f"{tag[0]}<metadata>{mark}</metadata>", svg, count=1)


def marked_png(png: bytes) -> bytes:
    """A PNG with the mark: the keyword that its specification has for the program that made it (PNG, 11.3.3.2)."""
    named = _SOFTWARE + f"{_PROGRAM} {version()}".encode("latin-1")
    chunk = (len(named) - 4).to_bytes(4) + named + zlib.crc32(named).to_bytes(4)
    return png[:_PNG_HEAD_BYTES] + chunk + png[_PNG_HEAD_BYTES:]


def is_marked(picture: bytes) -> bool:
    """Whether a PNG or SVG, or at least its begin, bears the mark."""
    if picture.startswith(SIGNATURE):
        return picture[_PNG_HEAD_BYTES + 4 :].startswith(_SOFTWARE + f"{_PROGRAM} ".encode())
    return _mark_of(picture) is not None


def sheets_of(svg: bytes) -> Mapping[str, str]:
    """Names and digests of the sheets that were written with a picture; none where it bears no mark."""
    sheets = (_mark_of(svg) or {}).get("sheets")
    return sheets if _is_of_texts(sheets) else {}


def _mark_of(svg: bytes) -> dict[str, object] | None:
    match = _SVG_MARK.search(svg[:_HEAD_BYTES])
    try:
        mark = None if match is None else json.loads(match[1])
    except ValueError:
        return None
    return mark if isinstance(mark, dict) and mark.get("program") == _PROGRAM else None


def _is_of_texts(sheets: object) -> TypeGuard[dict[str, str]]:
    return isinstance(sheets, dict) and all(isinstance(one, str) for one in sheets.values())
