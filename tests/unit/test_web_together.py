"""Many who watch the same: it is read and encoded once, and each is sent all of it once, wherever they begin."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.web_lab import GoingRun

from ssdlab.bundle.live import LivePart, LivePoint, LiveWriter, read_live
from ssdlab.units import MIB
from ssdlab.web import together
from ssdlab.web.stream import BEGIN, ReadingPlace, Row, place_in, rows_of
from ssdlab.web.together import Parts, Together, Viewer, page_events, run_events
from ssdlab.words import Language

VIEWERS = 5
LIMIT_S = 60


@pytest.fixture
def going(tmp_path: Path) -> Iterator[GoingRun]:
    run = GoingRun(tmp_path / "run")
    yield run
    run.close()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Places that points were read from."""
    found: list[int] = []

    def noted(bundle: Path, place: int = 0) -> LivePart | None:
        found.append(place)
        return read_live(bundle, place)

    monkeypatch.setattr(together, "read_live", noted)
    return found


@dataclass
class Watcher:
    """A page that draws what it is sent, and can lose its connection."""

    path: Path
    speeds: list[float] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    place: ReadingPlace = BEGIN
    language: Language = Language.ENGLISH

    def take(self, sent: bytes) -> None:
        for one in sent.split(b"\n\n"):
            self.take_one(one)

    def take_one(self, one: bytes) -> None:
        fields = dict(line.split(": ", 1) for line in one.decode().splitlines() if ": " in line)
        if "event" not in fields:
            return
        self.kinds.append(fields["event"])
        self.place = place_in(fields["id"]) if "id" in fields else self.place
        if fields["event"] == "anew":
            self.speeds.clear()
        if fields["event"] == "points":
            self.speeds += [speed for _, speed in json.loads(fields["data"])]

    async def watch(self, shared: Together, until: Callable[[], bool]) -> None:
        """Take events until it is so, and hang up."""
        events = run_events(shared, self.path, lambda _: {}, Viewer(self.language, self.place))
        await taken(events, self, until)


async def so(true: Callable[[], bool]) -> None:
    """Until it is so."""
    async with asyncio.timeout(LIMIT_S):
        while not true():  # noqa: ASYNC110 - it is a fact of others, who tell nobody
            await asyncio.sleep(0.01)


async def taken(events: AsyncIterator[bytes], watcher: Watcher, until: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not until():
            watcher.take(await anext(events))
    await events.aclose()  # type: ignore[attr-defined]


def all_at_once(watchers: Sequence[Watcher], until: Callable[[Watcher], bool], act: Callable[[], None]) -> None:
    """All watch the same server; something happens as soon as each has the points so far."""
    shared = Together()

    async def watched() -> None:
        tasks = [asyncio.create_task(one.watch(shared, lambda one=one: until(one))) for one in watchers]  # type: ignore[misc]
        await so(lambda: all(one.speeds for one in watchers))
        act()
        await asyncio.gather(*tasks)

    asyncio.run(watched())
    assert shared.is_empty


def test_points_are_read_and_encoded_once_for_all(
    going: GoingRun, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []

    def noted(points: Sequence[LivePoint]) -> list[Row]:
        encoded.append(len(points))
        return rows_of(points)

    monkeypatch.setattr(together, "rows_of", noted)
    going.point()
    watchers = [Watcher(going.path) for _ in range(VIEWERS)]
    all_at_once(watchers, lambda one: len(one.speeds) == 2, going.point)
    assert [one.speeds for one in watchers] == [[1, 2]] * VIEWERS
    assert encoded == [1, 1]
    # Once more than the looks, as the first look finds that the file is another.
    assert reads.count(0) <= 2


def test_the_looks_are_as_many_for_five_as_for_one(going: GoingRun, reads: list[int]) -> None:
    going.point()

    def looks(count: int) -> int:
        reads.clear()
        watchers = [Watcher(going.path) for _ in range(count)]

        async def watched() -> None:
            shared = Together()
            tasks = [asyncio.create_task(one.watch(shared, lambda: False)) for one in watchers]
            await asyncio.sleep(1.2)
            await hung_up(*tasks)

        asyncio.run(watched())
        return len(reads)

    assert looks(VIEWERS) <= 1.2 / together.LOOK_EVERY_S + 3


def test_whoever_comes_later_is_sent_what_was_before_and_then_what_all_are(going: GoingRun) -> None:
    shared = Together()
    early, late = Watcher(going.path), Watcher(going.path, language=Language.KOREAN)

    async def watched() -> None:
        going.point()
        going.point()
        first = asyncio.create_task(early.watch(shared, lambda: len(early.speeds) == 4))
        await so(lambda: early.speeds != [])
        going.point()
        second = asyncio.create_task(late.watch(shared, lambda: len(late.speeds) == 4))
        await so(lambda: len(late.speeds) == 3)
        going.point()
        await asyncio.gather(first, second)

    asyncio.run(watched())
    assert early.speeds == late.speeds == [1, 2, 3, 4]


ACTS = st.tuples(
    st.sampled_from(["point", "another file", "away", "again"]),
    st.integers(0, 2),
    st.sampled_from([0.0, 0.02]),
)
"""What happens, to which of three watchers if to one, and for how many seconds nothing else does."""


@settings(max_examples=15, deadline=None)
@given(st.lists(ACTS, min_size=1, max_size=12))
def test_no_order_of_losses_leaves_a_gap_or_anything_double(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int, float]]
) -> None:
    with closing(GoingRun(tmp_path_factory.mktemp("lost") / "run")) as going, pytest.MonkeyPatch.context() as patch:
        patch.setattr(together.Watchers, "every_s", 0.02)
        watchers = [Watcher(going.path) for _ in range(3)]
        asyncio.run(lost_and_found(going, watchers, acts))
        part = read_live(going.path)
    assert part is not None
    there = [(one.bandwidth_bytes_per_s or 0) / MIB for one in part.points]
    assert [one.speeds for one in watchers] == [there] * len(watchers)


async def lost_and_found(going: GoingRun, watchers: Sequence[Watcher], acts: list[tuple[str, int, float]]) -> None:
    """Do all that; at the end all watch until they know the last point."""
    shared, tasks = Together(), dict[int, asyncio.Task[None]]()
    for act, number, pause_s in [*acts, ("point", 0, 0.0), *(("again", one, 0.0) for one in range(len(watchers)))]:
        if act == "point":
            going.point()
        elif act == "another file":
            # As when a run has so many points that half of them have to do.
            going.live.close()
            going.live, going.count = LiveWriter(going.path), going.count + 10
            going.point()
        elif act == "away":
            await hung_up(tasks.pop(number, None))
        elif number not in tasks:
            tasks[number] = asyncio.create_task(watchers[number].watch(shared, lambda: False))
        await asyncio.sleep(pause_s)
    await so(lambda: all(one.speeds[-1:] == [going.count] for one in watchers))
    await hung_up(*tasks.values())


async def hung_up(*tasks: "asyncio.Task[None] | None") -> None:
    found = [one for one in tasks if one is not None]
    for one in found:
        one.cancel()
    await asyncio.gather(*found, return_exceptions=True)


def test_a_place_that_no_file_has_does_not_lead_others_astray(going: GoingRun) -> None:
    going.point()
    part = read_live(going.path)
    assert part is not None
    liar = Watcher(going.path, place=ReadingPlace(part.since_ms, 10**9))
    honest = Watcher(going.path)
    shared = Together()

    async def watched() -> None:
        first = asyncio.create_task(liar.watch(shared, lambda: False))
        await asyncio.sleep(0.3)
        await honest.watch(shared, lambda: honest.speeds == [1])
        await hung_up(first)

    asyncio.run(watched())
    assert honest.kinds == ["anew", "points"]


def test_a_page_is_made_once_for_all_and_each_is_sent_what_changed() -> None:
    made: list[int] = []
    watchers = [Watcher(Path()) for _ in range(VIEWERS)]
    shared = Together()

    def page() -> dict[str, object]:
        made.append(1)
        return {"part-a": "the same", "part-b": len(made)}

    async def watched() -> None:
        events = [page_events(shared, "page", page) for _ in watchers]
        await asyncio.gather(
            *(
                taken(one, watcher, lambda watcher=watcher: len(watcher.kinds) == 4)  # type: ignore[misc]
                for one, watcher in zip(events, watchers, strict=True)
            )
        )

    asyncio.run(watched())
    assert all(one.kinds == ["part-a", "part-b", "part-b", "part-b"] for one in watchers)
    assert len(made) <= 4


def test_what_a_look_fails_with_ends_whoever_watches_and_does_not_leave_them_waiting() -> None:
    def page() -> dict[str, object]:
        raise ZeroDivisionError

    async def watched() -> None:
        async with asyncio.timeout(LIMIT_S):
            async for _ in page_events(Together(), "page", page):
                pass

    with pytest.raises(ZeroDivisionError):
        asyncio.run(watched())


def test_a_part_is_sent_when_it_has_changed() -> None:
    first = Parts().changed_to({"a": "1", "b": "2"})
    assert first.since(0) == b'event: a\ndata: "1"\n\nevent: b\ndata: "2"\n\n'
    assert first.changed_to({"a": "1", "b": "2"}) is first
    second = first.changed_to({"a": "1", "b": "3"})
    assert second.since(first.number) == b'event: b\ndata: "3"\n\n'
