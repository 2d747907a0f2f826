"""Whether a page, a post, a picture or a sheet may be written to a place: one of ssdlab is written anew, a file of anybody else is not."""

import re
from pathlib import Path

from ssdlab.errors import SsdlabError
from ssdlab.message import message
from ssdlab.place import require_file
from ssdlab.report.picture_mark import digest_of, is_marked, sheets_of
from ssdlab.report.post_mark import is_marked_post

_PAGE = re.compile(rb'<meta name="generator" content="ssdlab [^"]*">')
_HEAD_BYTES = 64 * 1024
"""The mark of a page stands in its head."""
_TAIL_BYTES = 4096
_ENDINGS_OF_OTHERS = frozenset({".csv", ".json", ".md", ".pdf", ".png", ".svg", ".txt"})
"""A browser takes a page for what its name ends in."""


def require_place_of_page(path: Path) -> None:
    """That an HTML page can be written there, in place of nothing but an earlier page or an empty file.

    Raises:
        SsdlabError: It cannot, or somebody else's file is there, or evidence of a run, or it is called like what no page is.
        OSError: What is there cannot be read.
    """
    if path.suffix.lower() in _ENDINGS_OF_OTHERS:
        page = path.with_suffix(".html").name
        raise SsdlabError(message("place-no-page", path=str(path)), message("place-call-it", name=page))
    require_file(path)
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head and _PAGE.search(head) is None:
            raise _of_others(path)


def require_place_of_post(path: Path) -> None:
    """That a Markdown post can be written there, in place of nothing but an earlier post or an empty file; raises like `require_place_of_page`."""
    require_file(path)
    if path.is_file():
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            tail = file.read()
        if tail and not is_marked_post(tail):
            raise _of_others(path)


def require_place_of_picture(path: Path) -> None:
    """That a PNG or an SVG can be written there, in place of nothing but an earlier one or an empty file; raises like `require_place_of_page`."""
    require_file(path)
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head and not is_marked(head):
            raise _of_others(path)


def require_place_of_sheet(path: Path, sheet: bytes, svg: Path) -> None:
    """That data of a figure can be written there, in place of nothing but what was written with its picture; raises like `require_place_of_page`.

    A sheet can bear no mark, so that of its picture has its digest.

    Args:
        path: The sheet.
        sheet: What is to be written: where the file holds just that, nothing is lost.
        svg: The picture of the same figure, there or not.
    """
    require_file(path)
    held = path.read_bytes() if path.is_file() else b""
    if held in {b"", sheet}:
        return
    with_picture = sheets_of(svg.read_bytes()) if svg.is_file() else {}
    if with_picture.get(path.name) != digest_of(held):
        raise _of_others(path)


def require_place_of_table(path: Path, columns: bytes) -> None:
    """That rows under these columns can be written there, in place of nothing but earlier ones; raises like `require_place_of_page`.

    Args:
        path: The CSV file.
        columns: Its first line, which only ssdlab writes.
    """
    require_file(path)
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(len(columns))
        if head and head != columns:
            raise _of_others(path)


def _of_others(path: Path) -> SsdlabError:
    return SsdlabError(message("place-of-others", path=str(path)), message("place-name-another-or-remove"))
