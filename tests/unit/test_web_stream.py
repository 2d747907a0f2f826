"""What a browser is sent while it looks at a run: all points once, whenever it asks again."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.web_lab import GoingRun

from ssdlab.bundle.live import LivePoint, LiveWriter
from ssdlab.units import MIB, NS_PER_S
from ssdlab.web.phases import CELLS_MAX, LEVELS_NS, RunStates
from ssdlab.web.stream import BEGIN, POINTS_MAX, ReadingPlace, place_in, rows_of
from ssdlab.web.together import Together, Viewer, run_events
from ssdlab.words import Language

LIMIT_S = 60


@pytest.fixture
def going(tmp_path: Path) -> Iterator[GoingRun]:
    run = GoingRun(tmp_path / "run")
    yield run
    run.close()


def sent(path: Path, place: ReadingPlace, count: int) -> tuple[list[float], ReadingPlace, list[str]]:
    """Speeds, the last place and all kinds of so many events that are more than a comment."""

    async def take() -> list[bytes]:
        found: list[bytes] = []
        events = run_events(Together(), path, lambda _: {}, Viewer(Language.ENGLISH, place))
        async with asyncio.timeout(LIMIT_S):
            while len(found) < count:
                found += [one for one in (await anext(events)).split(b"\n\n") if b"event: " in one]
        await events.aclose()  # type: ignore[attr-defined]
        return found

    speeds: list[float] = []
    kinds = []
    for one in asyncio.run(take()):
        fields = dict(line.split(": ", 1) for line in one.decode().splitlines() if line)
        kinds.append(fields["event"])
        place = place_in(fields["id"]) if "id" in fields else place
        speeds += [speed for _, speed in json.loads(fields["data"]) or ()] if fields["event"] == "points" else []
    return speeds, place, kinds


def test_whoever_asks_again_is_sent_what_is_new_and_nothing_else(going: GoingRun) -> None:
    going.point()
    going.point()
    speeds, place, kinds = sent(going.path, BEGIN, 2)
    assert (speeds, kinds) == ([1, 2], ["anew", "points"])

    going.point()
    assert sent(going.path, place, 1)[0] == [3]


def test_a_place_in_another_file_of_points_begins_anew(going: GoingRun) -> None:
    going.point()
    _, place, _ = sent(going.path, BEGIN, 2)
    going.live.close()
    going.live = LiveWriter(going.path)
    going.count = 10
    going.point()
    speeds, _, kinds = sent(going.path, place, 2)
    assert (speeds, kinds) == ([11], ["anew", "points"])


def test_the_end_is_told_behind_the_last_point(going: GoingRun) -> None:
    going.point()
    going.writer.close()
    speeds, _, kinds = sent(going.path, BEGIN, 3)
    assert (speeds, kinds) == ([1], ["anew", "points", "over"])


@given(st.text(max_size=40))
def test_no_header_of_a_stranger_is_more_than_a_place(header: str) -> None:
    place = place_in(header)
    assert place == BEGIN or set(header) <= set("0123456789.")


@given(st.integers(0, 10**14), st.integers(0, 10**14))
def test_a_place_comes_back_as_it_was_told(since_ms: int, end: int) -> None:
    assert place_in(str(ReadingPlace(since_ms, end))) == ReadingPlace(since_ms, end)


def test_of_very_many_points_the_extremes_are_sent() -> None:
    speeds = np.random.default_rng(1).uniform(400, 500, 50_000)
    speeds[[17_000, 33_000]] = 1, 900
    points = [
        LivePoint(at_ms=0, clock_ns=place * NS_PER_S, process_id=1, bandwidth_bytes_per_s=float(speed * MIB))
        for place, speed in enumerate(speeds)
    ]
    rows = rows_of(points)
    assert len(rows) <= POINTS_MAX
    assert {(17_000, 1), (33_000, 900)} <= {(at, speed) for at, speed in rows}


def test_finished_steps_have_their_audit_and_a_strip_of_their_slowest_ios(going: GoingRun) -> None:
    states = RunStates()
    assert [one.cells for one in states.of(going.path).phases] == [(), ()]
    going.pass_over()
    state = states.of(going.path)
    phase = next(one for one in state.phases if one.step.index == 3)
    assert phase.checks
    assert phase.slowest_ns is not None
    assert 0 < len(phase.cells) <= CELLS_MAX
    worst = max(cell.level for cell in phase.cells)
    assert worst == sum(phase.slowest_ns >= border for border in LEVELS_NS)
    assert all(one.end_ns == other.begin_ns for one, other in zip(phase.cells, phase.cells[1:], strict=False))
    assert state.current is not None
    assert state.current.index == 5
    assert states.of(going.path) is state
