"""Where fio's documents stand in a file of any size, and the entries in them: no more than one entry is decoded at a time.

The structure of JSON is ASCII. So a part of the file is looked at as Latin-1, in which places of letters are those of bytes, and decoded
as UTF-8 only where it has other letters.
"""

import codecs
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from ssdlab.engine.fio.document import DocumentError
from ssdlab.engine.fio.stored import StoredBytes, StoredEntries

VERSION_KEY = "fio version"
VERSION = f'"{VERSION_KEY}"'
Fields = dict[str, Any]

DIRECTIONS = ("read", "write", "trim", "mixed")
_OF_HEAD = ("jobname", "groupid", "hostname", "port", "job_start", "elapsed")
_LISTS = {"jobs", "client_stats"}
_PART_BYTES = 1 << 20
ENTRY_BYTES_MAX = 16 << 20
"""Of one entry: that of a job with all its bins has half a megabyte."""
ENTRIES_MAX = 1_000_000
"""Of one document: what tells of each whose it is stays in memory."""
BESIDE_BYTES_MAX = 32 << 20
"""Of all that stands in a document beside its jobs, which stays in memory: fio writes some kilobytes, and the states of drives."""
_BEFORE_BYTES_MAX = 16 << 20
"""In which the beginning of a document is looked for from its version."""
_NO_NUMBER = re.compile(r"(?<=[:,\[])(\s*)-?(?:nan|inf)\b")
_STRINGS_AND_BRACES_REVERSED = re.compile(r'"[^"]*(?:"(?=\\)[^"]*)*"|[{}]')
"""Of JSON that is read from its end: a quotation mark with a backslash before it ends no string."""
_BLANKS = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def without_nan(text: str) -> str:
    """JSON in which what fio could not compute is null."""
    return _NO_NUMBER.sub(r"\1null", text)


def start_of_document(text: str, begin: int, at: int) -> int:
    """The brace that opens the object in which the version stands at `at`, before which other fields of it may stand.

    What stands before the document is never looked at, whatever it is: it is looked for from the version back to its
    beginning, once.

    Raises:
        DocumentError: There is none.
    """
    depth = 0
    for found in _STRINGS_AND_BRACES_REVERSED.finditer(text[begin:at][::-1]):
        if found[0] == "}":
            depth += 1
        elif found[0] == "{":
            if not depth:
                return at - found.end()
            depth -= 1
    raise DocumentError("the document: it does not begin with `{`")


class Entries(StoredEntries[Fields]):
    """The entries of one document, with what of each is kept in memory: enough to tell whose it is."""

    def __init__(self, source: StoredBytes) -> None:
        """None yet.

        Args:
            source: The file.
        """
        super().__init__(source, fields_in)
        self.heads: list[Fields] = []

    def add_read(self, begin: int, end: int, fields: Fields) -> None:
        """One more, which stands there."""
        self.add(begin, end)
        self.heads.append(_head(fields))


def _head(fields: Fields) -> Fields:
    """What tells of which job an entry is, when it began and how much it did."""
    made = {name: fields[name] for name in _OF_HEAD if name in fields}
    if (options := fields.get("job options")) is not None:
        made["job options"] = sys.intern(json.dumps(options, sort_keys=True))
    for name in DIRECTIONS:
        if isinstance(part := fields.get(name), dict):
            made[name] = {key: part[key] for key in ("total_ios", "runtime") if key in part}
    return made


def fields_in(text: bytes) -> Fields:
    """An entry by itself."""
    found = json.loads(without_nan(text.decode(errors="replace")))
    if not isinstance(found, dict):
        raise DocumentError("jobs: Field required")
    return found


def documents_in(source: StoredBytes) -> Iterator[Fields]:
    """Every document in a file, whatever stands around them; their jobs are read whenever they are asked for.

    Raises:
        DocumentError: One is cut off, or has no beginning.
        FioOutputError: The file has been changed since it was looked at first.
        OSError: It cannot be read.
    """
    with source.open() as file:
        view = _View(file, source.size_bytes)
        end = len(codecs.BOM_UTF8) if view.starts_with(codecs.BOM_UTF8) else 0
        while True:
            found = _next_document(source, view, end)
            if found is None:
                return
            fields, end = found
            yield fields


def _next_document(source: StoredBytes, view: "_View", end: int) -> tuple[Fields, int] | None:
    letter, begin = view.letter(end)
    if letter == "{":
        # Where nothing stands before it the fields may be in any order.
        with suppress(DocumentError):
            fields, after = _document(source, view, begin)
            if VERSION_KEY in fields:
                return fields, after
    at = view.find(VERSION.encode(), end)
    if at is None:
        return None
    before = max(end, at - _BEFORE_BYTES_MAX)
    begin = before + start_of_document(view.text(before, at), 0, at - before)
    fields, after = _document(source, view, begin)
    if VERSION_KEY not in fields or after < at:
        raise DocumentError("the document: the braces around the version are those of no document")
    return fields, after


def _document(source: StoredBytes, view: "_View", begin: int) -> tuple[Fields, int]:
    fields: Fields = {}
    beside_bytes = 0
    letter, at = view.letter(begin + 1)
    while letter != "}":
        key, at = view.value(at)
        if not isinstance(key, str):
            raise _invalid("Expecting property name enclosed in double quotes", at)
        letter, at = view.letter(at)
        if letter != ":":
            raise _invalid("Expecting ':' delimiter", at)
        letter, at = view.letter(at + 1)
        if key in _LISTS and letter == "[":
            fields[key], at = _entries(source, view, at)
        else:
            first = at
            fields[key], at = view.value(first)
            beside_bytes += at - first
            if beside_bytes > BESIDE_BYTES_MAX:
                raise DocumentError(f"the document: more than {BESIDE_BYTES_MAX >> 20} MiB beside its jobs")
        letter, at = view.letter(at)
        if letter == ",":
            letter, at = view.letter(at + 1)
            if letter != '"':
                raise _invalid("Expecting property name enclosed in double quotes", at)
        elif letter != "}":
            raise _invalid("Expecting ',' delimiter", at)
    return fields, at + 1


def _entries(source: StoredBytes, view: "_View", begin: int) -> tuple[Entries, int]:
    entries = Entries(source)
    letter, at = view.letter(begin + 1)
    while letter != "]":
        first = at
        found, at = view.value(first)
        if not isinstance(found, dict):
            raise DocumentError("jobs: Field required")
        if len(entries.heads) == ENTRIES_MAX:
            raise DocumentError(f"jobs: more than {ENTRIES_MAX:,}")
        entries.add_read(first, at, found)
        letter, at = view.letter(at)
        if letter == ",":
            letter, at = view.letter(at + 1)
            if letter == "]":
                raise _invalid("Expecting value", at)
        elif letter != "]":
            raise _invalid("Expecting ',' delimiter", at)
    return entries, at + 1


def _invalid(what: str, at: int) -> DocumentError:
    return DocumentError(f"the document: Invalid JSON: {what}: byte {at}")


class _View:
    """A part of a file in memory, which moves on."""

    def __init__(self, file: BinaryIO, size_bytes: int) -> None:
        self._file, self._size_bytes = file, size_bytes
        self._begin, self._raw, self._text = 0, b"", ""

    def starts_with(self, mark: bytes) -> bool:
        """Whether the file begins so."""
        self._load(0, _PART_BYTES)
        return self._raw.startswith(mark)

    def text(self, begin: int, end: int) -> str:
        """What stands between two places, as Latin-1."""
        self._file.seek(begin)
        return self._file.read(end - begin).decode("latin-1")

    def letter(self, at: int) -> tuple[str, int]:
        """The next that is no blank and where it stands; empty at the end of the file."""
        while True:
            self._show(at)
            at = self._begin + _BLANKS.match(self._text, at - self._begin).end()  # type: ignore[union-attr]
            if at < self._end:
                return self._text[at - self._begin], at
            if self._is_last:
                return "", at

    def find(self, wanted: bytes, at: int) -> int | None:
        """Where something stands next."""
        while True:
            self._show(at)
            found = self._raw.find(wanted, at - self._begin)
            if found >= 0:
                return self._begin + found
            if self._is_last:
                return None
            self._load(max(at, self._end - len(wanted)), _PART_BYTES)
            at = self._begin

    def value(self, begin: int) -> tuple[Any, int]:
        """The value that begins somewhere, and where it ends.

        Raises:
            DocumentError: There is none.
        """
        self._show(begin)
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, begin - self._begin)
            except RecursionError as error:
                raise DocumentError("the document: Invalid JSON: it is nested too deep") from error
            except ValueError as error:
                if not self._mend():
                    self._grow(begin, error)
                continue
            if end == len(self._text) and not self._is_last and not isinstance(found, dict | list | str):
                self._grow(begin, None)
                continue
            raw, text = self._raw[begin - self._begin : end], self._text[begin - self._begin : end]
            if text.isascii() and text.encode() == raw:
                return found, self._begin + end
            return json.loads(without_nan(raw.decode(errors="replace"))), self._begin + end

    @property
    def _end(self) -> int:
        return self._begin + len(self._raw)

    @property
    def _is_last(self) -> bool:
        return self._end >= self._size_bytes

    def _show(self, at: int) -> None:
        if not self._begin <= at < self._end:
            self._load(at, _PART_BYTES)

    def _load(self, begin: int, length: int) -> None:
        self._file.seek(begin)
        self._begin, self._raw = begin, self._file.read(length)
        self._text = self._raw.decode("latin-1")

    def _mend(self) -> bool:
        """Whether there are words in place of numbers, which then are some of as many letters that can be decoded."""
        if "nan" not in self._text and "inf" not in self._text:
            # The end of each part is damage until more is shown, and the expression takes longer than the rest of the reading.
            return False
        mended = _NO_NUMBER.sub(lambda found: found[0][:-3].replace("-", " ") + "NaN", self._text)
        was, self._text = self._text, mended
        return mended != was

    def _grow(self, begin: int, error: ValueError | None) -> None:
        """Show more of what begins there.

        Raises:
            DocumentError: That is all, or more than an entry can be.
        """
        if self._is_last:
            raise DocumentError(f"the document: Invalid JSON: {str(error)[:160]}") from error
        length = _PART_BYTES if begin > self._begin else 4 * len(self._raw)
        if length > ENTRY_BYTES_MAX:
            raise DocumentError(
                f"the document: Invalid JSON within {ENTRY_BYTES_MAX >> 20} MiB from byte {begin}"
            ) from error
        self._load(begin, length)
