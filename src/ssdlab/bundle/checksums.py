"""`checksums.json`: marks of what is not in the journal, because it may be written anew: conclusions, answers of probes, imports."""

from collections.abc import Collection, Mapping
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import BundleFiles, Unlisted, require_no_link
from ssdlab.bundle.mark import NO_MARKS, FileMark, as_json, from_json, mark_of
from ssdlab.durable import sync_directory, write_durably
from ssdlab.message import Message, message


def write_checked(path: Path, contents: Mapping[str, bytes]) -> None:
    """Write files of a bundle that may be written anew; a cut at any moment leaves each as it was or as it is to be.

    Raises:
        BundleError: Something in the bundle is a link.
        OSError: The host's file system refused.
    """
    require_no_link(path)
    before = read_checksums(path, [])
    after = {name: mark_of(content) for name, content in contents.items()}
    _write(path, before, after)
    for name, content in contents.items():
        write_durably(path / name, content)
    write_checksums(path, before | after)


def remove_checked(path: Path, names: Collection[str]) -> None:
    """Remove files of a bundle that may be written anew; a cut at any moment leaves each as it was, or known to be missing.

    Raises:
        BundleError: Something in the bundle is a link.
        OSError: The host's file system refused.
    """
    require_no_link(path)
    marks = read_checksums(path, [])
    for name in names:
        (path / name).unlink(missing_ok=True)
    sync_directory(path)
    if marks.keys() & set(names):
        write_checksums(path, {name: mark for name, mark in marks.items() if name not in names})


def write_checksums(path: Path, marks: Mapping[str, FileMark]) -> None:
    """Write `checksums.json`; raises OSError."""
    _write(path, marks, {})


def _write(path: Path, marks: Mapping[str, FileMark], coming: Mapping[str, FileMark]) -> None:
    write_durably(path / layout.CHECKSUMS, checksums_json(marks, coming))


def checksums_json(marks: Mapping[str, FileMark], coming: Mapping[str, FileMark] = NO_MARKS) -> bytes:
    """What `checksums.json` says of files, and of those that are about to be written anew."""
    fields = {"files": as_json(dict(sorted(marks.items())))} | ({"coming": as_json(coming)} if coming else {})
    return layout.plain_json(fields)


def read_checksums(path: Path, faults: list[Message]) -> dict[str, FileMark]:
    """Marks by names inside the bundle; none where there are none yet, or where they cannot be read."""
    files = BundleFiles(path, {}, Unlisted.READ)
    if not files.holds(layout.CHECKSUMS):
        return {}
    try:
        fields = layout.read_json(files.read(layout.CHECKSUMS))
        coming = from_json(fields.get("coming", {}))
        return {**from_json(fields["files"])} | {
            name: mark for name, mark in coming.items() if _has_come(path, name, mark)
        }
    except DamagedFile as error:
        faults.append(error.fault)
    except (ValueError, KeyError, TypeError, AttributeError):
        faults.append(message("damage-of-file", file=layout.CHECKSUMS, what=message("damage-damaged")))
    return {}


def _has_come(path: Path, name: str, mark: FileMark) -> bool:
    try:
        BundleFiles(path, {name: mark}, Unlisted.REFUSED).check(name)
    except DamagedFile:
        return False
    return True
