"""One run under one agent: what it is begun with, gone on with and ended by, with a process that only pretends."""

import asyncio
import errno
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.kit.sample_bundle import fill_plan, run_info
from tests.kit.sample_fleet import RUN, SERIAL, SUITE
from tests.kit.small_bundle import write_small

from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import Limits
from ssdlab.bundle.write import BundleWriter
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.fleet import process, work
from ssdlab.fleet.place import HeldDrive, HostPlace, RunPlace
from ssdlab.fleet.records import FleetRun
from ssdlab.fleet.rules import AllowedDrive, HostRules, Manner
from ssdlab.fleet.store.directory import DirectoryStore
from ssdlab.fleet.work import RunCancelled, RunEnded, RunInStore, RunOver, carry_out
from ssdlab.job import DriveState
from ssdlab.message import Message, verbatim
from ssdlab.units import GIB, MIB, NS_PER_S

INFO = replace(run_info(GIB), limits=Limits(write_bytes_max=20 * MIB))
PLAN = fill_plan(GIB, NS_PER_S)


@dataclass(slots=True)
class Ended:
    """A process that is over."""

    status: int

    def poll(self) -> int:
        return self.status


Act = Callable[[RunPlace], int]
"""What a command does to the run, and its exit status."""


def ends(event: Event, status: int, written_bytes: int = 5 * MIB) -> Act:
    """Begins the bundle or goes on with it, does two steps, and ends so."""

    def act(place: RunPlace) -> int:
        path = place.bundle
        writer = (
            BundleWriter(place.path / "runs" / "one", INFO, PLAN)
            if path is None
            else BundleWriter.reopen(path, INFO, PLAN)
        )
        with closing(writer):
            if path is not None:
                writer.resumed([], [], verbatim("it goes on"))
            steps = PLAN if event is Event.RUN_FINISHED else PLAN[:2]
            for step in steps:
                writer.step_started(step.index, 10, DriveState.UNKNOWN)
                writer.step_finished(step.index, 20, None, written_bytes=written_bytes if step.index == 1 else 0)
            writer.run_ended(30, event, None if event is Event.RUN_FINISHED else verbatim("so it was"))
        return status

    return act


FINISHES = ends(Event.RUN_FINISHED, ExitStatus.DONE)


@dataclass
class Bench:
    """A host, what its commands do one after the other, and what was asked of it."""

    host: HostPlace
    acts: list[Act]
    manner: Manner = Manner.SHARED
    store: Path = Path("/nowhere")
    max_write_bytes: int | None = None
    words: list[Sequence[str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def rules(self) -> HostRules:
        drive = AllowedDrive(SERIAL, "nbd:x", self.max_write_bytes)
        return HostRules(name="bench", database="", store=self.store, state=Path(), manner=self.manner, drives=(drive,))

    def tell(self, told: Message) -> None:
        self.told.append(told.id)

    def start(self, words: Sequence[str], place: RunPlace, _drive: HeldDrive) -> Any:
        self.words.append(words)
        return Ended(self.acts.pop(0)(place))

    def carry_out(self, run: FleetRun = RUN) -> work.End:
        return asyncio.run(carry_out(run, self.host, self.rules, self.tell, asyncio.Event()))

    def written_bytes(self) -> int:
        with self.host.held(SERIAL) as drive:
            assert drive is not None
            return drive.written_bytes(without=UUID(int=0))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    host = HostPlace(tmp_path / "state")
    made = Bench(host, [])
    monkeypatch.setattr(process, "start", made.start)
    monkeypatch.setattr(work, "target_of", lambda allowed: allowed.target)
    monkeypatch.setattr(work, "_AGAIN_S", 0)
    monkeypatch.setattr(work, "_LOOK_S", 0)
    # The bundles of the kit are of a drive elsewhere.
    monkeypatch.setattr(work, "_require_left_as_it_was", lambda *_: None)
    yield made
    host.close()


def test_a_run_that_was_interrupted_goes_on_under_the_same_agent_and_under_the_next(bench: Bench) -> None:
    interrupted = ends(Event.RUN_INTERRUPTED, ExitStatus.INTERRUPTED)
    interrupted(bench.host.run(RUN.id))
    bench.host.run(RUN.id).note_attempt(RUN.attempt)
    bench.acts = [interrupted, FINISHES]
    assert isinstance(bench.carry_out(), RunOver)
    assert [words[0] for words in bench.words] == ["resume", "resume"]


@pytest.mark.parametrize("event", [Event.RUN_FAILED, Event.RUN_STOPPED])
def test_a_run_that_failed_or_came_to_a_limit_goes_on_only_when_asked_for_again(bench: Bench, event: Event) -> None:
    bench.acts = [ends(event, ExitStatus.REFUSED)]
    assert bench.carry_out() == RunEnded(verbatim("so it was"))
    assert bench.carry_out() == RunEnded(verbatim("so it was"))
    bench.acts = [FINISHES]
    assert isinstance(bench.carry_out(replace(RUN, attempt=2)), RunOver)


def test_a_command_that_is_interrupted_again_and_again_ends_the_run(bench: Bench) -> None:
    bench.acts = [ends(Event.RUN_INTERRUPTED, ExitStatus.INTERRUPTED)] * 3
    end = bench.carry_out()
    assert isinstance(end, RunEnded)
    assert end.why.id == "fleet-keeps-dying"


@pytest.mark.parametrize(
    ("event", "status"),
    [(Event.RUN_FAILED, ExitStatus.REFUSED), (Event.RUN_FINISHED, ExitStatus.AUDIT_FAILED)],
)
def test_what_a_run_wrote_is_charged_however_it_ended(bench: Bench, event: Event, status: ExitStatus) -> None:
    bench.acts = [ends(event, status)]
    bench.carry_out()
    assert bench.written_bytes() == 5 * MIB


def test_until_somebody_looks_a_run_is_charged_with_what_it_may_write(bench: Bench) -> None:
    bench.max_write_bytes = 12 * MIB
    charged = []

    def looks(place: RunPlace) -> int:
        charged.append((place.path.parents[1] / "drives" / f"{SERIAL}.written.json").read_text())
        return FINISHES(place)

    bench.acts = [looks]
    bench.carry_out()
    assert str(12 * MIB) in charged[0]
    assert bench.written_bytes() == 5 * MIB


@pytest.mark.parametrize(("allowed_bytes", "passed_bytes"), [(None, 20), (100, 20), (12, 9)])
def test_a_run_goes_on_within_what_is_left_of_the_budget(
    bench: Bench, allowed_bytes: int | None, passed_bytes: int
) -> None:
    ends(Event.RUN_INTERRUPTED, ExitStatus.INTERRUPTED)(bench.host.run(RUN.id))
    with bench.host.held(SERIAL) as drive:
        assert drive is not None
        drive.note_written(UUID(int=9), 3 * MIB)
    bench.max_write_bytes = None if allowed_bytes is None else allowed_bytes * MIB
    bench.acts = [FINISHES]
    bench.carry_out()
    ((*_, option, limit, _erase, _serial),) = bench.words
    assert (option, limit) == ("--max-write", f"{passed_bytes * MIB}B")


def test_while_the_rules_cannot_be_read_a_run_waits(bench: Bench) -> None:
    tries = iter([SsdlabError(verbatim("line 9: drvie")), SsdlabError(verbatim("line 9: drvie")), None])

    def rules() -> HostRules:
        if (error := next(tries)) is not None:
            raise error
        return bench.rules()

    bench.acts = [FINISHES]
    end = asyncio.run(carry_out(RUN, bench.host, rules, bench.tell, asyncio.Event()))
    assert isinstance(end, RunOver)
    assert bench.told == ["fleet-waits", "fleet-begun"]


def test_while_the_disk_of_the_host_is_full_a_run_waits(bench: Bench) -> None:
    def full(_place: RunPlace) -> int:
        raise OSError(errno.ENOSPC, "full")

    bench.acts = [full, full, FINISHES]
    assert isinstance(bench.carry_out(), RunOver)
    assert bench.told == ["fleet-waits", "fleet-begun"]


def test_a_cancellation_waits_for_a_start_that_holds_the_drive(bench: Bench) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(place: RunPlace) -> int:
        begun.set()
        go_on.wait()
        return FINISHES(place)

    async def scene() -> None:
        carrying = asyncio.create_task(carry_out(RUN, bench.host, bench.rules, bench.tell, asyncio.Event()))
        await asyncio.to_thread(begun.wait)
        carrying.cancel()
        await asyncio.sleep(0)
        with bench.host.held(SERIAL) as drive:
            assert (drive, carrying.done()) == (None, False)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await carrying
        assert bench.host.run(RUN.id).bundle is not None

    bench.acts = [slow]
    asyncio.run(scene())


def test_a_run_is_cancelled_only_once_nothing_is_at_its_drive(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has been started by an agent that is gone, and hears only the third time."""
    asked: list[RunPlace] = []
    monkeypatch.setattr(process, "end", asked.append)
    monkeypatch.setattr(work, "_ASK_AGAIN_S", 0)
    stop = asyncio.Event()
    stop.set()

    async def scene() -> None:
        carrying = asyncio.create_task(carry_out(RUN, bench.host, bench.rules, bench.tell, stop))
        with bench.host.held(SERIAL):
            while len(asked) < 3:  # noqa: ASYNC110 - what is looked at knows no events
                await asyncio.sleep(0)
            assert not carrying.done()
        assert await carrying == RunCancelled()

    asyncio.run(scene())
    assert bench.words == []


@pytest.mark.parametrize(("manner", "told"), [(Manner.SHARED, []), (Manner.QUIET, ["fleet-waits"])])
def test_a_quiet_host_begins_nothing_while_a_run_is_at_another_drive(
    bench: Bench, manner: Manner, told: list[str]
) -> None:
    """Such as one that outlived its agent."""
    bench.manner, bench.acts = manner, [FINISHES]

    async def scene() -> None:
        with bench.host.held("S2"):
            carrying = asyncio.create_task(carry_out(RUN, bench.host, bench.rules, bench.tell, asyncio.Event()))
            while not bench.told:  # noqa: ASYNC110 - what is looked at knows no events
                await asyncio.sleep(0)
        assert isinstance(await carrying, RunOver)

    asyncio.run(scene())
    assert bench.told == [*told, "fleet-begun"]


def test_a_run_whose_bundle_is_in_the_store_is_not_begun_again(bench: Bench, tmp_path: Path) -> None:
    """As where the database was brought back from a copy of days ago."""
    (tmp_path / "store" / "runs").mkdir(parents=True)
    bundle, bench.store = write_small(tmp_path / "small"), tmp_path / "store"
    bench.acts = [FINISHES, FINISHES]
    assert isinstance(bench.carry_out(), RunOver)
    bench.host.run(RUN.id).remove()
    store = DirectoryStore(bench.store)
    store.put(bundle, UUID(int=7 << 96))
    assert isinstance(bench.carry_out(), RunOver)
    bench.host.run(RUN.id).remove()
    name = store.put(bundle, RUN.id)
    assert bench.carry_out() == RunInStore(name)


def test_a_suite_that_reads_files_of_the_host_is_never_begun(bench: Bench) -> None:
    """Though the database has it."""
    fill = '[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 8 }\n'
    reads = (
        SUITE.replace("[[step]]", f'engine = "load"\n{fill}[[step]]')
        + '[[step]]\nkind = "replay"\ntrace = "/etc/hostname"\n'
    )
    end = bench.carry_out(replace(RUN, suite_text=reads.replace('[[step]]\nkind = "purge"\n', "")))
    assert isinstance(end, RunEnded)
    assert (end.why.id, bench.words) == ("fleet-suite-reads", [])
