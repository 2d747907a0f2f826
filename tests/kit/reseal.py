"""A bundle whose files were changed on purpose: the same bundle with the marks of its files as they now are."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ssdlab.bundle import layout, seal
from ssdlab.bundle.checksums import read_checksums, write_checksums
from ssdlab.bundle.files import require_no_link
from ssdlab.bundle.journal import Event
from ssdlab.bundle.mark import FileMark, as_json, mark_of_file
from ssdlab.bundle.model import INDEX_DIGITS
from ssdlab.bundle.seal import SealedLine
from ssdlab.durable import write_durably

Fields = dict[str, Any]


def reseal(path: Path, change: Callable[[Fields], Fields] = dict) -> None:
    """Write the digests of a bundle's files, and of the lines of its journal, anew; nobody else may be writing it.

    A file that is not there any more loses its mark. Lines without a digest stay without one, and damaged lines stay damaged.

    Args:
        path: The bundle.
        change: What becomes of each line of the journal, as a JSON object without its digest.

    Raises:
        BundleError: Something in it is a link.
        OSError: It cannot be read or written.
    """
    require_no_link(path)
    journal = path / layout.JOURNAL
    if journal.exists():
        *lines, _ = journal.read_bytes().split(b"\n")
        changed = list(_changed(path, [*seal.opened(lines)], change))
        write_durably(journal, b"".join(line + b"\n" for line in seal.sealed_again(changed)))
    if marks := read_checksums(path, []):
        write_checksums(path, _marks_now(path, "", marks))


def _changed(path: Path, lines: list[SealedLine], change: Callable[[Fields], Fields]) -> Iterator[SealedLine]:
    directories: dict[int, str] = {}
    for line in lines:
        fields = change(layout.read_json(line.body))
        for step in fields.get("steps", ()):
            directories[step["index"]] = f"{step['index']:0{_digits(lines)}d}-{step['name']}"
        if "files" in fields:
            below = directories[fields["index"]] + "/" if fields["event"] == Event.STEP_FINISHED.value else ""
            fields["files"] = as_json(_marks_now(path, below, fields["files"]))
        yield replace(line, text=(body := layout.one_line_json(fields).removesuffix(b"\n")), body=body)


def _digits(lines: list[SealedLine]) -> int:
    run = layout.read_json(lines[0].body)["run"]
    return int(run.get("index_digits", INDEX_DIGITS if run["schema"] > 2 else 2))


def _marks_now(path: Path, below: str, names: Mapping[str, object]) -> dict[str, FileMark]:
    return {name: mark_of_file(path / below / name) for name in names if (path / below / name).is_file()}
