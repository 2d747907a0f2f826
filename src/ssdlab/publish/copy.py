"""A copy of a bundle for others, and an account of what is not in it."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import read_checksums, write_checksums
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.imported import IMPORT, INFO_ADAPTER, ImportedRun, ImportInfo, is_imported, open_imported
from ssdlab.bundle.mark import FileMark, mark_of, mark_of_file
from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.publication import PrivateKind, Publication
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.tables import copy_columns
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message
from ssdlab.publish.files import (
    TABLES,
    LeftOut,
    Unpublishable,
    is_head,
    is_published,
    is_table,
    rewriter_of,
    why_left_out,
)
from ssdlab.publish.found import WITHHELD, Findings
from ssdlab.publish.journal import PublishedJournal
from ssdlab.publish.net import require_nothing_left
from ssdlab.publish.owner import Owner
from ssdlab.publish.values import DriveOwner, Look, Redactor

_NAME_LETTERS_MAX = 100


class PublishError(SsdlabError):
    """The run cannot be published."""


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a bundle in its copy.

    Attributes:
        head: What was fixed before the first step, as it is published.
        found: Private values, with what stands for them.
        kept: Files of the copy.
        left_out: Files that are not in it, with the reason.
    """

    head: RunInfo | ImportInfo
    found: Findings
    kept: tuple[PurePosixPath, ...]
    left_out: Mapping[PurePosixPath, LeftOut]


def published_copy(source: Path, directory: Path, owner: Owner) -> tuple[Path, Account]:
    """Write a copy of a bundle without what is private into a directory below `directory`.

    Raises:
        PublishError: It is a published copy already.
        BundleError: It cannot be opened.
        RemainsError: Something private would have been left in it.
        OSError: It cannot be read, or the copy not be written.
    """
    copier = _Copier(source, owner)
    return copier.write(directory)


def is_copy(source: Path) -> bool:
    """Whether a bundle is a published copy.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be read.
    """
    return _head_of(source).published is not None


def _head_of(source: Path) -> RunInfo | ImportInfo:
    return open_imported(source).info if is_imported(source) else open_bundle(source).run


class _Copier:
    """Looks at a bundle twice: once to learn what is private in it, once to write it without."""

    def __init__(self, source: Path, owner: Owner) -> None:
        self._source = source
        opened = open_imported(source) if is_imported(source) else open_bundle(source)
        self._head = opened.info if isinstance(opened, ImportedRun) else opened.run
        if self._head.published is not None:
            raise PublishError(message("publish-copy-already", source=str(source)), message("publish-pass-on"))
        self._files = opened.files
        self._found = Findings(owner)
        self._paths = sorted(_files_in(source))
        self._left_out: dict[PurePosixPath, LeftOut] = {}

    def write(self, directory: Path) -> tuple[Path, Account]:
        survey = self._redactor(Look.SURVEY)
        self._heads(survey, {})
        for path in self._paths:
            self._content(path, survey)
        writer = self._redactor(Look.WRITE)
        head = writer.of(self._head)
        target = directory / _name_of(head)
        target.mkdir()
        self._left_out.clear()
        for path in self._paths:
            self._write_file(path, target, writer)
        self._write_heads(target, writer)
        require_nothing_left(target, self._found)
        return target, Account(head, self._found, tuple(sorted(_files_in(target))), dict(self._left_out))

    def _redactor(self, look: Look) -> Redactor:
        virtual = isinstance(self._head, RunInfo) and self._head.spec_text is not None
        return Redactor(self._found, look, DriveOwner.VIRTUAL if virtual else DriveOwner.REAL)

    def _write_file(self, path: PurePosixPath, target: Path, writer: Redactor) -> None:
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if is_table(path):
            try:
                copy_columns(self._files, str(path), place, TABLES[path.name])
            except DamagedFile:
                place.unlink(missing_ok=True)
                self._left_out[path] = LeftOut.UNREAD
        elif (content := self._content(path, writer)) is not None:
            place.write_bytes(content)

    def _content(self, path: PurePosixPath, redactor: Redactor) -> bytes | None:
        """What a file is in the copy; None where it is left out, a table or a head."""
        if is_head(path) or is_table(path):
            return None
        if (rewrite := rewriter_of(path)) is None:
            self._left_out[path] = why_left_out(path)
            return None
        try:
            return rewrite(self._files.read(str(path)), redactor)
        except (DamagedFile, Unpublishable):
            self._left_out[path] = LeftOut.UNREAD
            return None

    def _heads(self, redactor: Redactor, marks: Mapping[str, FileMark]) -> dict[str, bytes]:
        """`run.json` and the journal, or `import.json`."""
        head = replace(redactor.of(self._head), published=self._publication())
        if isinstance(head, ImportInfo):
            return {IMPORT: layout.pretty_json(INFO_ADAPTER, head)}
        content = layout.pretty_json(layout.RUN_ADAPTER, head)
        journal = PublishedJournal(head, {**marks, layout.RUN: mark_of(content)}, redactor)
        said = journal.written((self._source / layout.JOURNAL).read_bytes()) if self._has(layout.JOURNAL) else None
        return ({layout.RUN: content} if self._is_sound(layout.RUN) else {}) | (
            {} if said is None else {layout.JOURNAL: said}
        )

    def _has(self, name: str) -> bool:
        return PurePosixPath(name) in self._paths

    def _is_sound(self, name: str) -> bool:
        try:
            self._files.check(name)
        except DamagedFile:
            return False
        return self._has(name)

    def _write_heads(self, target: Path, writer: Redactor) -> None:
        """Last of all, for they have the checksums of all others."""
        written = {str(path): mark_of_file(target / path) for path in _files_in(target)}
        for name, content in self._heads(writer, written).items():
            (target / name).write_bytes(content)
        # What was damaged keeps the mark it should have had, and so stays damaged.
        faults: list[Message] = []
        before = {
            name: mark
            for name, mark in read_checksums(self._source, faults).items()
            if is_published(PurePosixPath(name))
        }
        now = written | ({IMPORT: mark_of_file(target / IMPORT)} if (target / IMPORT).exists() else {})
        write_checksums(target, before | now)

    def _publication(self) -> Publication:
        hashed: Counter[PrivateKind] = Counter()
        left_out: Counter[PrivateKind] = Counter()
        for kind, stand_in in self._found.values.values():
            (left_out if stand_in == WITHHELD else hashed)[kind] += 1
        return Publication(hashed=dict(hashed), left_out=dict(left_out), files_left_out=len(self._left_out))


def _files_in(directory: Path) -> Iterator[PurePosixPath]:
    """Regular files by their paths in it; what a link leads to is no part of it."""
    for where, _, names in os.walk(directory):
        for name in names:
            path = Path(where) / name
            if path.is_file() and not path.is_symlink():
                yield PurePosixPath(path.relative_to(directory))


def _name_of(head: RunInfo | ImportInfo) -> str:
    """As directories of runs are called, by what is public of it."""
    if isinstance(head, ImportInfo):
        moment = head.measured_at if isinstance(head.measured_at, str) else head.imported_at
        words = (head.program, head.drive.model if isinstance(head.drive.model, str) else "drive")
    else:
        moment = head.started_at
        words = (head.suite.name, head.drive.model if isinstance(head.drive.model, str) else "drive")
    stamp = re.sub(r"[^\dT]", "", moment[:19])
    return "-".join([stamp, *(re.sub(r"\W+", "-", word).strip("-").lower() for word in words)])[:_NAME_LETTERS_MAX]
