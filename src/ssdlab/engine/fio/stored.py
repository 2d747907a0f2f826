"""Files of any size that are gone through again and again, and the jobs in them, of which one is in memory at a time."""

import io
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar, overload

from ssdlab.engine.fio.document import FioDirection, FioJob, FioLatency, KnownJobs
from ssdlab.engine.fio.series import FioOutputError
from ssdlab.engine.result import Direction
from ssdlab.message import message

_PART_BYTES = 1 << 20
_AHEAD_BYTES = 64 << 10
"""Jobs stand after each other, so that one look reads many of them."""
_PARTS = (*(direction.value for direction in Direction), "mixed")
_LATENCIES = ("slat_ns", "clat_ns", "lat_ns")
_BinsOfCopies = dict[tuple[str, str, bool], dict[int, int]]
"""By direction, kind of latency, and whether there were any I/Os."""

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class StoredBytes:
    """What is in a file, where it lies, or what was read of a pipe or unpacked.

    Attributes:
        content: The file, or its bytes.
        mark: By which a change of the file is noticed.
    """

    content: Path | bytes
    mark: tuple[int, ...] = ()

    @classmethod
    def of_file(cls, path: Path) -> "StoredBytes":
        """A plain file as it is now.

        Raises:
            OSError: It cannot be read.
        """
        with path.open("rb") as file:
            return cls(path, _mark(os.fstat(file.fileno())))

    @property
    def size_bytes(self) -> int:
        """How much there is."""
        return len(self.content) if isinstance(self.content, bytes) else self.mark[0]

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes as a file.

        Raises:
            FioOutputError: The file has been changed since it was looked at first.
            OSError: It cannot be read.
        """
        if isinstance(self.content, bytes):
            yield io.BytesIO(self.content)
            return
        with self.content.open("rb") as file:
            self._require_same(file)
            yield file
            self._require_same(file)

    def require_same(self) -> None:
        """Look whether the file is still what it was.

        Raises:
            FioOutputError: It has been changed since it was looked at first.
            OSError: It is gone.
        """
        if isinstance(self.content, Path):
            self._require_mark(_mark(os.stat(self.content)))  # noqa: PTH116 - the method takes twice as long

    def _require_same(self, file: BinaryIO) -> None:
        self._require_mark(_mark(os.fstat(file.fileno())))

    def _require_mark(self, mark: tuple[int, ...]) -> None:
        if mark != self.mark:
            raise FioOutputError(
                message("engine-file-changed", path=str(self.content)), message("engine-hint-no-writer")
            )

    def parts(self) -> Iterator[bytes]:
        """All of it, part by part.

        Raises:
            FioOutputError: The file has been changed since it was looked at first.
            OSError: It cannot be read.
        """
        with self.open() as file:
            while part := file.read(_PART_BYTES):
                yield part

    def whole(self) -> bytes:
        """All of it at once.

        Raises:
            FioOutputError: The file has been changed since it was looked at first.
            OSError: It cannot be read.
        """
        if isinstance(self.content, bytes):
            return self.content
        with self.open() as file:
            return file.read(self.size_bytes)


def _mark(state: os.stat_result) -> tuple[int, ...]:
    return state.st_size, state.st_mtime_ns, state.st_ino, state.st_dev


@dataclass(slots=True, eq=False)
class _Places:
    """Where the entries of a list stand in a file, and which of the readers is for each."""

    begins: "array[int]" = field(default_factory=lambda: array("q"))
    ends: "array[int]" = field(default_factory=lambda: array("q"))
    readers: "array[int]" = field(default_factory=lambda: array("i"))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of a file.

    Attributes:
        begin: Where it stands in the file.
    """

    source: StoredBytes
    begin: int
    text: bytes

    def holds(self, first: int, last: int) -> bool:
        return self.begin <= first <= last <= self.begin + len(self.text)


_read_last: list[_Part] = []
"""One at most: of thousands of files that of each would not fit into memory."""


class StoredEntries(Sequence[T], Generic[T]):
    """The entries of a list in a file, each read whenever it is asked for."""

    def __init__(self, source: StoredBytes, *readers: Callable[[bytes], T]) -> None:
        """None yet.

        Args:
            source: The file.
            readers: What an entry says; of several each entry has one.
        """
        self.source, self.readers = source, readers
        self.places, self.range = _Places(), range(0)

    def add(self, begin: int, end: int, reader: int = 0) -> None:
        """One more, by where it stands and the place of its reader."""
        self.places.begins.append(begin)
        self.places.ends.append(end)
        self.places.readers.append(reader)
        self.range = range(self.range.start, self.range.stop + 1)

    def add_all(self, entries: "StoredEntries[S]", places: Sequence[int], reader: int = 0) -> None:
        """Those of another list at some places of it."""
        for place in places:
            at = entries.range[place]
            self.add(entries.places.begins[at], entries.places.ends[at], reader)

    def texts(self) -> Iterator[bytes]:
        """Each as it stands in the file.

        Raises:
            FioOutputError: The file has been changed since it was looked at first.
            OSError: It cannot be read.
        """
        places = self.places
        if len(self.range) == 1 and (text := self._read_before()) is not None:
            # To open the file for each of thousands of jobs takes longer than to read them.
            self.source.require_same()
            yield text
            return
        part = _Part(self.source, 0, b"")
        with self.source.open() as file:
            for place in self.range:
                first, last = places.begins[place], places.ends[place]
                if not part.holds(first, last):
                    file.seek(first)
                    ahead = min(_AHEAD_BYTES, places.ends[-1] - first)
                    part = _Part(self.source, first, file.read(max(last - first, ahead)))
                    _read_last[:] = [part] if self._is_worth_keeping(part) else []
                yield part.text[first - part.begin : last - part.begin]

    def _is_worth_keeping(self, part: _Part) -> bool:
        return isinstance(self.source.content, Path) and len(part.text) <= _AHEAD_BYTES

    def _read_before(self) -> bytes | None:
        """The first entry, where it stands in what was read of the file last."""
        first, last = self.places.begins[self.range[0]], self.places.ends[self.range[0]]
        for part in tuple(_read_last):
            if part.source is self.source and part.holds(first, last):
                return part.text[first - part.begin : last - part.begin]
        return None

    def __len__(self) -> int:
        return len(self.range)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "StoredEntries[T]": ...
    def __getitem__(self, place: int | slice) -> "T | StoredEntries[T]":
        if isinstance(place, int):
            at = self.range[place]
            return next(iter(self._part(range(at, at + 1))))
        return self._part(self.range[place])

    def _part(self, places: range) -> "StoredEntries[T]":
        part = StoredEntries(self.source, *self.readers)
        part.places, part.range = self.places, places
        return part

    def __iter__(self) -> Iterator[T]:
        for place, text in zip(self.range, self.texts(), strict=True):
            yield self.readers[self.places.readers[place]](text)


@dataclass(frozen=True, slots=True, eq=False)
class StoredJobs(KnownJobs):
    """The jobs of a document, each read from its file whenever they are gone through.

    Attributes:
        entries: What is read.
        did_io: Whether any of them did.
    """

    entries: StoredEntries[FioJob]
    keys: Sequence[tuple[int, str]]
    did_io: bool

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, place: int) -> FioJob: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[FioJob]: ...
    def __getitem__(self, place: int | slice) -> FioJob | Sequence[FioJob]:
        return self.entries[place]

    def __iter__(self) -> Iterator[FioJob]:
        return iter(self.entries)


def in_memory(entries: Sequence[FioJob]) -> tuple[FioJob, ...]:
    """The entries of one job.

    Of copies that are read from a file the first has the bins of all of them, for those of each would not fit into memory; whatever is
    computed of the copies adds their bins up.
    """
    if not isinstance(entries, StoredEntries) or len(entries) == 1:
        return tuple(entries)
    bins: _BinsOfCopies = {}
    return tuple(_with_bins_in(bins, entry) for entry in entries)


def _with_bins_in(bins: _BinsOfCopies, entry: FioJob) -> FioJob:
    """The entry with its bins added to those of the first that has any of that latency; a bin without I/Os tells that it had some.

    Copies that did nothing have some of their own, for not everything that is computed counts them.
    """
    parts = {}
    for name in _PARTS:
        part: FioDirection | None = getattr(entry, name)
        if part is None:
            continue
        changed = {}
        for kind in _LATENCIES:
            latency: FioLatency = getattr(part, kind)
            if not latency.bins:
                continue
            if not latency.samples(part.total_ios):
                changed[kind] = latency.model_copy(update={"bins": {}})
                continue
            which = name, kind, bool(part.total_ios)
            if which not in bins:
                bins[which] = dict(latency.bins)
                changed[kind] = latency.model_copy(update={"bins": bins[which]})
                continue
            of_all = bins[which]
            for value, count in latency.bins.items():
                of_all[value] = of_all.get(value, 0) + count
            nothing: dict[str, object] = {"bins": {next(iter(latency.bins)): 0}, "percentile": {}}
            changed[kind] = latency.model_copy(update=nothing)
        parts[name] = part.model_copy(update=changed)
    return entry.model_copy(update=parts)
