"""What tells whether a file still is what was written: its length and its SHA-256."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ssdlab.message import message
from ssdlab.unknown import Unknown

NOT_CHECKED = Unknown(message("unknown-before-checksums"))


@dataclass(frozen=True, slots=True)
class FileMark:
    """Of one file."""

    size_bytes: int
    sha256: str | Unknown
    """In hexadecimal; unknown for what was written up to schema 3."""


NO_MARKS: Mapping[str, FileMark] = MappingProxyType({})


def mark_of(content: bytes) -> FileMark:
    """Of what is to be written."""
    return FileMark(len(content), hashlib.sha256(content).hexdigest())


def mark_of_file(path: Path) -> FileMark:
    """Of what was written just now.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileMark(file.tell(), digest)


def as_json(marks: Mapping[str, FileMark]) -> dict[str, object]:
    """As the journal and `checksums.json` have them; a mark without a digest is the length alone, as it was found."""
    return {name: _fields(mark) for name, mark in marks.items()}


def _fields(mark: FileMark) -> object:
    return mark.size_bytes if isinstance(mark.sha256, Unknown) else {"bytes": mark.size_bytes, "sha256": mark.sha256}


def from_json(fields: Mapping[str, object]) -> Mapping[str, FileMark]:
    """Read back; up to schema 3 a file had its length alone.

    Raises:
        TypeError: It is neither.
    """
    # Most lines of a journal tell of no file, and a run without an end has many.
    return {name: _mark(found) for name, found in fields.items()} if fields else NO_MARKS


def _mark(found: object) -> FileMark:
    match found:
        case int(size_bytes):
            return FileMark(size_bytes, NOT_CHECKED)
        case {"bytes": int(size_bytes), "sha256": str(digest)}:
            return FileMark(size_bytes, digest)
        case _:
            raise TypeError("neither a length nor a length and a digest")
