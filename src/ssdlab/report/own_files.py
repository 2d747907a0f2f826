"""Whether a page or a post may be written to a place: one of ssdlab is written anew, a file of anybody else is not."""

import re
from pathlib import Path

from ssdlab.errors import SsdlabError
from ssdlab.message import message
from ssdlab.place import require_file
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


def _of_others(path: Path) -> SsdlabError:
    return SsdlabError(message("place-of-others", path=str(path)), message("place-name-another-or-remove"))
