"""Whether a place can take what is to be written there, asked before the work and not after it."""

import os
from pathlib import Path

from ssdlab.errors import SsdlabError, UsageError
from ssdlab.message import message
from ssdlab.os_errors import ELSEWHERE

_BUNDLE_MARKS = ("run.json", "journal.jsonl", "import.json")
"""One of them is in the directory of every run and of every imported result."""
_GIVEN = "original"
"""Directory of an imported result: files as they were given, whatever their names end in."""
_PAGES = frozenset({".html", ".md", ".png", ".svg"})
"""What ssdlab writes for readers; no evidence of a run ends so."""
_PICTURES = _PAGES | {".csv"}
_NAME_BYTES_MAX = 255
"""Of the file systems of Linux."""


def is_file_name(name: str) -> bool:
    """Whether a name that somebody else wrote is that of one file or directory right in the directory that it is looked for in."""
    encoded = name.encode(errors="replace")
    is_text = encoded.decode() == name and not {"/", "\0"} & set(name)
    return is_text and name not in {"", ".", ".."} and len(encoded) <= _NAME_BYTES_MAX


def require_directory(path: Path) -> Path:
    """The nearest directory above `path`, or itself, that is there; what is missing below it can be made.

    Raises:
        SsdlabError: Nothing can be made there.
        OSError: The name cannot even be looked at.
    """
    place = next(one for one in (path, *path.absolute().parents) if os.path.lexists(one))
    if not place.is_dir():
        found = message("place-no-directory", place=str(place))
        raise SsdlabError(
            found if place == path else message("place-cannot-make", path=str(path), reason=found), ELSEWHERE
        )
    if os.statvfs(place).f_blocks == 0:
        raise SsdlabError(message("place-made-up-by-kernel", place=str(place)), ELSEWHERE)
    if os.statvfs(place).f_flag & os.ST_RDONLY:
        raise SsdlabError(message("place-read-only", path=str(path)), ELSEWHERE)
    if not os.access(place, os.W_OK | os.X_OK):
        raise SsdlabError(message("place-permission-denied", path=str(path), place=str(place)), ELSEWHERE)
    return place


def require_file(path: Path) -> None:
    """That a file can be written there, in place of one that is there already.

    Raises:
        SsdlabError: It cannot, or it is evidence of a run.
        OSError: The name cannot even be looked at.
    """
    require_no_evidence(path)
    if path.is_dir():
        raise SsdlabError(message("place-is-directory", path=str(path)), message("place-name-file-in-it"))
    if path.exists() and not path.is_file():
        raise SsdlabError(message("place-no-ordinary-file", path=str(path)), message("place-name-another-file"))
    if not path.parent.is_dir():
        raise SsdlabError(
            message("place-no-parent", parent=str(path.parent)), message("place-make-parent", parent=str(path.parent))
        )
    require_directory(path.parent)


def require_nothing_there(path: Path) -> None:
    """That nothing would be replaced by what is written there.

    Raises:
        SsdlabError: Something would, be it a link that leads nowhere.
        OSError: The name cannot even be looked at.
    """
    if os.path.lexists(path):
        raise SsdlabError(message("place-exists", path=str(path)), message("place-name-another-or-remove"))


def require_new_file(path: Path) -> None:
    """That a file can be written there, and nothing is there yet; raises like `require_file` and `require_nothing_there`."""
    require_file(path)
    require_nothing_there(path)


def require_picture_directory(path: Path) -> None:
    """That pictures and sheets can be written into a directory, in place of earlier ones and of no evidence of a run.

    Raises:
        SsdlabError: They cannot.
        OSError: The name cannot even be looked at.
    """
    place = path.resolve()
    bundle = _bundle_of(place)
    if bundle is not None and (_GIVEN in place.relative_to(bundle).parts or _holds_evidence(place)):
        raise UsageError(
            message("place-evidence", path=str(path), run=str(bundle)), message("place-name-another-directory")
        )
    require_directory(path)


def require_no_evidence(path: Path) -> None:
    """That no file of a run is replaced; links are judged by where they are and by where they lead.

    Raises:
        UsageError: It is one, and no page or picture made of the run.
        OSError: The name cannot even be looked at.
    """
    if not path.is_file():
        return
    for place in dict.fromkeys((path.parent.resolve() / path.name, path.resolve())):
        bundle = _bundle_of(place.parent)
        if bundle is None:
            continue
        if place.suffix.lower() not in _PAGES or _GIVEN in place.relative_to(bundle).parts:
            raise UsageError(
                message("place-evidence", path=str(path), run=str(bundle)), message("place-name-another-file")
            )


def _bundle_of(directory: Path) -> Path | None:
    """The run or imported result that a resolved directory is or lies in; None where it is outside of any."""
    for place in (directory, *directory.parents):
        if any(os.path.lexists(place / name) for name in _BUNDLE_MARKS):
            return place
    return None


def _holds_evidence(directory: Path) -> bool:
    """Whether a directory below the run's own has files that are neither pictures nor sheets."""
    if not directory.is_dir() or _bundle_of(directory) == directory:
        return False
    return any(file.is_file() and file.suffix.lower() not in _PICTURES for file in directory.iterdir())
