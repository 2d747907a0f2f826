"""One look for all who watch the same: it is read and encoded once, and each is sent what they have not got yet.

What a viewer more costs is the sending. So whoever watches a run from another desk takes next to nothing from the host that measures.
"""

import asyncio
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from starlette.concurrency import run_in_threadpool

from ssdlab.bundle.live import LivePart, is_being_written, read_live
from ssdlab.errors import SsdlabError
from ssdlab.web.stream import AGAIN, BEGIN, STILL_THERE, ReadingPlace, event, rows_of
from ssdlab.words import Language

LOOK_EVERY_S = 0.7
"""A point is seen within a second of its writing, and what is looked at more often costs more: here, and in each browser."""
_STILL_THERE_S = 15.0
"""After so long without news a line of nothing keeps the connection, and finds out whether the browser still listens."""
_BLOCKS_KEPT = 64
"""Of points, for those who were sent less than others; whoever is further behind is read to from the file."""
_SENT_AT_ONCE_BYTES = 1 << 16
_ANEW = event("anew", None, BEGIN)
_OVER = event("over", None)


class LookOutcome(Protocol):
    """What a look found; never changed, so that threads may share it."""

    @property
    def is_all(self) -> bool:
        """Whether there was no more to find."""
        ...


Found = TypeVar("Found", bound=LookOutcome)


class Watchers(ABC, Generic[Found]):
    """All who watch one thing, of which there is one look at a time. Of one event loop."""

    every_s = LOOK_EVERY_S

    def __init__(self, first: Found) -> None:
        """Begin to look.

        Args:
            first: What is known before that.
        """
        self.found = first
        self.count = 0
        self._news = asyncio.Event()
        self._looking = asyncio.create_task(self._look_on())

    @abstractmethod
    def look(self, before: Found) -> Found:
        """What is there now, in a thread; the same object as before where nothing is new."""

    async def _look_on(self) -> None:
        try:
            while True:
                found = await run_in_threadpool(self.look, self.found)
                if found is not self.found:
                    self.found = found
                    self._wake()
                if found.is_all:
                    await asyncio.sleep(self.every_s)
        finally:
            self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def news(self, known: Found | None) -> Found:
        """What was found last, as soon as it is not what is known; that again where nothing is new for a while.

        Raises:
            Exception: Whatever a look failed with.
        """
        if self.found is known and not self._looking.done():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _STILL_THERE_S)
        if self._looking.done():
            self._looking.result()
        return self.found

    def end(self) -> None:
        """Look no more."""
        self._looking.cancel()


Watched = TypeVar("Watched", bound=Watchers[Any])


class Together:
    """Who watches what. Of one event loop."""

    def __init__(self) -> None:
        self._watchers: dict[Hashable, Watchers[Any]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nobody watches anything."""
        return not self._watchers

    @contextmanager
    def watching(self, key: Hashable, make: Callable[[], Watched]) -> Iterator[Watched]:
        """Be one of those who watch that; the first of them begins the look, and the last ends it."""
        if key not in self._watchers:
            self._watchers[key] = make()
        watchers: Watched = self._watchers[key]  # type: ignore[assignment]
        watchers.count += 1
        try:
            yield watchers
        finally:
            watchers.count -= 1
            if not watchers.count:
                del self._watchers[key]
                watchers.end()


Look = Callable[[], Mapping[str, object]]
"""Parts of a page by name, as they are now."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """What a part is, as an event, and the number of the change that made it so."""

    content: object
    sent: bytes
    number: int


@dataclass(frozen=True, slots=True)
class Parts:
    """A page by the names of its parts, after so many changes."""

    number: int = 0
    by_name: Mapping[str, PagePart] = field(default_factory=dict)

    @property
    def is_all(self) -> bool:
        """Always: a page is looked at whole."""
        return True

    def changed_to(self, contents: Mapping[str, object]) -> "Parts":
        """The same object where none of them is new."""
        new = {
            name: PagePart(content, event(name, content), self.number + 1)
            for name, content in contents.items()
            if name not in self.by_name or self.by_name[name].content != content
        }
        return Parts(self.number + 1, {**self.by_name, **new}) if new else self

    def looked_at(self, look: Look) -> "Parts":
        """Nothing new of what cannot be read at the moment, such as a bundle that is being moved."""
        try:
            return self.changed_to(look())
        except (SsdlabError, OSError):
            return self

    def since(self, number: int) -> bytes:
        """The events of all that has changed after that change."""
        return b"".join(part.sent for part in self.by_name.values() if part.number > number)


class PageWatchers(Watchers[Parts]):
    """Those who watch a page in one language."""

    def __init__(self, page: Look) -> None:
        """Begin to look at it."""
        self._page = page
        super().__init__(Parts())

    def look(self, before: Parts) -> Parts:
        """See above."""
        return before.looked_at(self._page)


async def page_events(together: Together, key: Hashable, page: Look) -> AsyncIterator[bytes]:
    """Parts of a page whenever they change, without an end.

    Args:
        together: Who watches what.
        key: The same for all who are shown the same.
        page: As it is now, called in a thread.
    """
    yield AGAIN
    with together.watching(key, lambda: PageWatchers(page)) as watchers:
        known: Parts | None = None
        while True:
            now = await watchers.news(known)
            new = STILL_THERE if now is known else now.since(0 if known is None else known.number)
            if new:
                yield new
            known = now


@dataclass(frozen=True, slots=True)
class PointsEvent:
    """Points in a row as an event, from one place to another; of no bytes where no point is between them."""

    begin: ReadingPlace
    end: ReadingPlace
    sent: bytes


def _block(part: LivePart, begin: ReadingPlace, end: int) -> PointsEvent:
    """What a part has before a place in bytes."""
    place = ReadingPlace(begin.since_ms, min(part.end, end))
    points = part.points[: bisect_right(part.places, place.end)]
    return PointsEvent(begin, place, event("points", rows_of(points), place) if points else b"")


def block_between(path: Path, begin: ReadingPlace, end: ReadingPlace) -> PointsEvent | None:
    """Points of a run that somebody missed, up to a place at most; None where they are there no more, as another file is in the place of theirs."""
    part = read_live(path, begin.end)
    if part is None or part.since_ms != begin.since_ms:
        return None
    block = _block(part, begin, end.end)
    return block if block.end.end > begin.end else None


@dataclass(frozen=True, slots=True)
class RunSeen:
    """What is known of a run that goes on.

    Attributes:
        place: Behind all points that were read.
        blocks: The last of them, each beginning where the one before ends.
        parts: The rest of its page, in each language that somebody asked for.
        goes_on: Whether some process writes it.
        is_all: Whether all points that were there have been read.
    """

    place: ReadingPlace
    blocks: Sequence[PointsEvent] = ()
    parts: Mapping[Language, Parts] = field(default_factory=dict)
    goes_on: bool = True
    is_all: bool = True

    def with_points(self, part: LivePart | None) -> "RunSeen":
        """With what was read from the place on; the same where that is nothing."""
        if part is None or part.end == self.place.end:
            return self if self.is_all else replace(self, is_all=True)
        block = _block(part, self.place, part.end)
        return replace(self, place=block.end, blocks=(*self.blocks, block)[-_BLOCKS_KEPT:], is_all=part.is_all)

    def with_parts(self, parts: Mapping[Language, Parts]) -> "RunSeen":
        """With the rest of the page; the same where nothing of it is new."""
        same = parts.keys() == self.parts.keys() and all(parts[one] is self.parts[one] for one in parts)
        return self if same else replace(self, parts=parts)

    def block_at(self, place: ReadingPlace) -> PointsEvent | None:
        """The one that begins there, of those that were kept."""
        return next((one for one in reversed(self.blocks) if one.begin == place), None)


PageOfRun = Callable[[Language], Mapping[str, object]]
"""All of the page of a run but its points, in a language."""


class RunWatchers(Watchers[RunSeen]):
    """Those who watch a run. What is read of it begins where the first of them goes on."""

    def __init__(self, path: Path, page: PageOfRun, place: ReadingPlace) -> None:
        """Begin to look at it.

        Args:
            path: Its bundle.
            page: As it is now.
            place: Behind the points that nobody here needs.
        """
        self._path, self._page = path, page
        self.languages: frozenset[Language] = frozenset()
        super().__init__(RunSeen(place))

    def look(self, before: RunSeen) -> RunSeen:
        """See above."""
        # Asked before the points are read, so that the last of them is never missed.
        goes_on = is_being_written(self._path)
        seen = self._points_behind(before)
        seen = seen.with_parts({one: self._parts_in(one, seen) for one in self.languages})
        return seen if seen.goes_on == goes_on else replace(seen, goes_on=goes_on)

    def _points_behind(self, before: RunSeen) -> RunSeen:
        part = read_live(self._path, before.place.end)
        if part is not None and (part.since_ms != before.place.since_ms or part.end < before.place.end):
            # Another file, as after a stop, or a place that no file has: what was read so far is no beginning of this one.
            part = read_live(self._path)
            before = replace(before, place=ReadingPlace(0 if part is None else part.since_ms), blocks=())
        return before.with_points(part)

    def _parts_in(self, language: Language, seen: RunSeen) -> Parts:
        return seen.parts.get(language, Parts()).looked_at(lambda: self._page(language))


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who watches a run: in which language, and how far they have got."""

    language: Language
    place: ReadingPlace = BEGIN


async def run_events(together: Together, path: Path, page: PageOfRun, viewer: Viewer) -> AsyncIterator[bytes]:
    """All points behind the place of a viewer, and what goes on until the run is over."""
    yield AGAIN
    with together.watching(path, lambda: RunWatchers(path, page, viewer.place)) as watchers:
        watchers.languages |= {viewer.language}
        place, number, known = viewer.place, 0, None
        while True:
            now = await watchers.news(known)
            if now is known:
                yield STILL_THERE
            known = now
            new = b""
            async for block in _points(path, place, now):
                # Of one look all but very much is sent at once, as each sending has its price at both ends.
                if len(new) > _SENT_AT_ONCE_BYTES:
                    yield new
                    new = b""
                place, new = block.end, new + block.sent
            parts = now.parts.get(viewer.language, Parts())
            if new := new + parts.since(number):
                yield new
            number = parts.number
            if now.is_all and not now.goes_on:
                yield _OVER
                return


async def _points(path: Path, place: ReadingPlace, now: RunSeen) -> AsyncIterator[PointsEvent]:
    """What leads from a place to where the reading is, as far as it is there."""
    if place.since_ms != now.place.since_ms:
        begin = ReadingPlace(now.place.since_ms)
        yield PointsEvent(place, begin, _ANEW)
        place = begin
    while place.end < now.place.end:
        block = now.block_at(place) or await run_in_threadpool(block_between, path, place, now.place)
        if block is None:
            return
        yield block
        place = block.end
