"""Jobs of the load engine with nothing between them: one connection, a gap that is told, and nothing done that was not announced."""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.kit.cutting_relay import Cut, CuttingRelay
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import OVER, memory_export, ssdlab, ssdlab_started, wait_until
from tests.kit.sample_fio import RANDOM, sequential_fill
from tests.kit.watches import once_it_moves, unwatched

from ssdlab import _core
from ssdlab.analysis.audit.rules.silence import GAP_NS_MAX
from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.sense.reading import Cadence, SensorReading, nothing_known
from ssdlab.drive.target import NbdTarget
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.load_chain import AHEAD_MAX
from ssdlab.engine.result import Direction, RawResult
from ssdlab.job import Job, Region
from ssdlab.message import verbatim
from ssdlab.units import KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio

PART_BYTES = 8 * MIB


def part(number: int) -> Job:
    """Writes a part of the drive from its beginning to its end."""
    region = Region(number * PART_BYTES, PART_BYTES)
    return sequential_fill(name=f"part{number}", region=region, amount_bytes=PART_BYTES)


def endless(number: int) -> Job:
    """Goes on writing there for long."""
    return replace(part(number), amount_bytes=None, duration_ns=120 * NS_PER_S)


@pytest.fixture
def engine(drive: NbdDrive) -> LoadEngine:
    return LoadEngine(drive)


@pytest.fixture
def is_written(export: tuple[Path, "subprocess.Popen[bytes]"]) -> Callable[[int], bool]:
    """Whether the end of a part holds anything but zeros, by a connection of the test's own."""
    looking = _core.NbdExport(export[0], "", 60)

    def look(number: int) -> bool:
        return any(looking.read((number + 1) * PART_BYTES - 4 * KIB, 4 * KIB))

    return look


@dataclass
class Follows:
    """Lets so many begin before they are asked for, and remembers."""

    lets: int
    left_bytes: int | None = None
    is_written: Callable[[int], bool] | None = None
    announced: list[int] = field(default_factory=list)
    withdrawn_bytes: dict[int, int] = field(default_factory=dict)

    def may_begin(self, place: int) -> bool:
        if len(self.announced) == self.lets:
            return False
        assert self.is_written is None or not self.is_written(place)
        self.announced.append(place)
        return True

    def withdrawn(self, place: int, written_bytes: int) -> None:
        self.withdrawn_bytes[place] = written_bytes


class SilentSensor:
    """A sensor that may be asked beside the I/O, and answers only what it was asked before the first job.

    Its turn comes so seldom that nobody asks it beside the I/O unless hastened, however long the first job is in coming.
    """

    cadence = Cadence(None, 3600 * NS_PER_S)

    def __init__(self) -> None:
        self.answers = threading.Event()
        self._asked = 0

    def read(self) -> SensorReading:
        self._asked += 1
        assert self._asked == 1 or self.answers.wait(600)
        return nothing_known(Unknown(verbatim("not told")))

    def glance(self) -> SensorReading:
        return self.read()

    def messages(self) -> tuple[str, ...] | Unknown:
        return ()

    def lateness(self) -> Lateness | Unknown:
        return Unknown(verbatim("not told"))


def threads() -> int:
    """Of this process, whoever made them."""
    return sum(1 for _ in Path("/proc/self/task").iterdir())


def thread_names() -> set[str]:
    """What does the I/O of a chain is called `load`."""
    names = set()
    for task in Path("/proc/self/task").iterdir():
        # It may end meanwhile.
        with suppress(OSError):
            names.add((task / "comm").read_text().strip())
    return names


def known(value: int | Unknown) -> int:
    assert not isinstance(value, Unknown), value
    return value


def test_no_job_that_may_not_begins_before_it_is_asked_for(
    engine: LoadEngine, is_written: Callable[[int], bool], tmp_path: Path
) -> None:
    with engine.chained([part(0), part(1)], Follows(0)):
        engine.run(part(0), tmp_path, unwatched)
        # Had it been begun it would be done in a fraction of this time.
        time.sleep(1)
        assert not is_written(1)
        assert _written(engine.run(part(1), tmp_path, unwatched)) == PART_BYTES


def test_a_job_that_may_begins_whatever_the_one_before_still_waits_for(
    drive: NbdDrive, is_written: Callable[[int], bool], tmp_path: Path
) -> None:
    """Its first write does not wait for the sensors, nor for anybody who would write down what was before."""
    sensor = SilentSensor()
    engine, follows = LoadEngine(drive, None, sensor), Follows(1, is_written=is_written)
    with engine.chained([part(0), part(1)], follows):
        first = engine.run(part(0), tmp_path, unwatched)
        wait_until(lambda: is_written(1), "the second is done although no sensor has answered and nobody asked for it")
        sensor.answers.set()
        second = engine.run(part(1), tmp_path, unwatched)
    assert [_written(first), _written(second)] == [PART_BYTES] * 2
    assert known(second.began_ns) >= known(first.began_ns) + first.elapsed_ns
    assert (follows.announced, follows.withdrawn_bytes) == ([1], {})


def test_what_was_done_in_vain_is_told_with_what_it_wrote(
    engine: LoadEngine, is_written: Callable[[int], bool], tmp_path: Path
) -> None:
    follows = Follows(2)
    with engine.chained([part(0), part(1), endless(2)], follows):
        engine.run(part(0), tmp_path, unwatched)
        wait_until(lambda: is_written(2), "the third has begun")
    assert follows.withdrawn_bytes[1] == PART_BYTES
    assert follows.withdrawn_bytes[2] >= PART_BYTES


def test_what_began_before_it_was_asked_for_ends_when_all_have_written_too_much(
    engine: LoadEngine, is_written: Callable[[int], bool], tmp_path: Path
) -> None:
    """Although nobody listens: else one that writes by time would go on until it is asked for."""
    most_bytes = 3 * PART_BYTES // 2
    follows = Follows(2, most_bytes)
    with engine.chained([part(0), endless(1), part(2)], follows):
        engine.run(part(0), tmp_path, unwatched)
        wait_until(lambda: "load" not in thread_names(), "it has ended by itself")
        assert not is_written(2)
    assert follows.withdrawn_bytes[1] > most_bytes - PART_BYTES
    assert follows.withdrawn_bytes[2] == 0


def test_all_of_a_chain_go_through_one_connection(tmp_path: Path) -> None:
    with memory_export(tmp_path, "64M") as (server, _), CuttingRelay(tmp_path / "link", server, Cut.CLOSED) as link:
        engine = LoadEngine(NbdDrive(f"nbd+unix:///?socket={link.path}", NbdTarget(link.path, ""), link.path.name))
        before = link.connections
        with engine.chained([part(0), part(1), part(2)], Follows(9)):
            for number in range(3):
                engine.run(part(number), tmp_path, unwatched)
        assert link.connections == before + 1


def gap_of_two(engine: LoadEngine, directory: Path, lets: int) -> int:
    """From the first to the second, as the engine tells, and not at odds with when it says that each was done."""
    jobs = [replace(RANDOM, name=name, amount_bytes=None, duration_ns=NS_PER_S // 2) for name in ("one", "two")]
    with engine.chained(jobs, Follows(lets)):
        first, second = (engine.run(job, directory, unwatched) for job in jobs)
    gap_ns = known(second.gap_ns)
    # A result begins when its first I/O could be submitted, which is made after that.
    assert 0 <= known(second.began_ns) - (known(first.began_ns) + first.elapsed_ns) <= gap_ns
    assert gap_ns < known(second.began_ns) + second.elapsed_ns
    return gap_ns


@pytest.mark.parametrize("lets", [0, 1])
def test_the_gap_between_two_jobs_is_told(engine: LoadEngine, tmp_path: Path, lets: int) -> None:
    assert gap_of_two(engine, tmp_path, lets) > 0


def test_the_gap_between_jobs_of_which_nothing_was_announced_is_told_too(engine: LoadEngine, tmp_path: Path) -> None:
    first, second = (engine.run(part(number), tmp_path, unwatched) for number in range(2))
    assert isinstance(first.gap_ns, Unknown)
    assert known(second.gap_ns) > 0


def test_a_job_can_be_done_again_before_the_chain_goes_on(engine: LoadEngine, tmp_path: Path) -> None:
    jobs, follows = [part(0), part(1), part(2)], Follows(9)
    with engine.chained(jobs, follows):
        done = [engine.run(job, tmp_path, unwatched) for job in (jobs[0], jobs[0], jobs[1], jobs[2])]
    assert [_written(one) for one in done] == [PART_BYTES] * 4
    # What followed the first attempt was announced again.
    assert follows.announced == [1, 2, 1, 2]
    assert list(follows.withdrawn_bytes) == [1, 2]


def _written(result: RawResult) -> int:
    return result.directions[Direction.WRITE].io_bytes


def test_ctrl_c_ends_all(engine: LoadEngine, tmp_path: Path) -> None:
    before, follows = threads(), Follows(9)
    with engine.chained([part(0), endless(1), part(2)], follows):
        engine.run(part(0), tmp_path, unwatched)
        with pytest.raises(KeyboardInterrupt):
            engine.run(endless(1), tmp_path, once_it_moves(lambda: os.kill(os.getpid(), signal.SIGINT)))
        # The kernel takes a thread that has ended off its list a moment after it was waited for.
        wait_until(lambda: threads() <= before, "no thread is left")
    assert follows.withdrawn_bytes[1] > 0
    assert follows.withdrawn_bytes[2] == 0


SUITE = load_suite(
    "points",
    random_ios("points", 'ramp = "300ms", limit = "1s"', 'mix = ["read", "write"], qd = [1, 4]'),
)
POINTS = [f"points.{mix}.q{depth}{part}" for mix in ("read", "write") for depth in (1, 4) for part in (".ramp", "")]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "points.toml"
    path.write_text(SUITE)
    return path


def gaps(bundle: Bundle) -> dict[str, int]:
    """By step, as the audit has judged them."""
    judged = [one for one in bundle.audit if one.name == "points.gap" and one.numbers]
    for one in judged:
        (gap,) = one.numbers
        assert (one.outcome is Outcome.PASS) == (isinstance(gap.value, int | float) and gap.value < GAP_NS_MAX)
    return {one.step: known(bundle.result(bundle.step(one.step)).gap_ns) for one in judged}


def test_each_gap_of_a_sweep_is_in_the_bundle_and_audited(suite: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    ended = ssdlab("run", suite, "virtual:demo?capacity=64MiB", "--lab", lab)
    bundle = open_bundle(newest_run(lab))
    assert (ended.status in OVER, bundle.status, bundle.faults) == (True, RunStatus.FINISHED, ()), ended.stderr
    found = gaps(bundle)
    # Nothing that was measured comes before the first ramp.
    assert list(found) == POINTS[1:]
    (silence,) = (one for one in bundle.metrics if one.name == "points.silence")
    assert silence.value == pytest.approx(sum(found.values()) / len(found) / NS_PER_S)


def results(bundle: Bundle) -> dict[str, bytes]:
    """Of the points that are finished, as they are on disk."""
    return {step.name: bundle.file(step, "result.json") for step in bundle.finished() if step.name in POINTS}


def test_a_run_killed_within_a_chain_keeps_what_was_finished_and_goes_on_with_the_rest(
    suite: Path, tmp_path: Path
) -> None:
    lab = tmp_path / "lab"

    def begun() -> int:
        # A step that is done again because the host stood still has begun twice.
        texts = [journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}")]
        return len({index for text in texts for index in re.findall(r'"step_started".*?"index":(\d+)', text)})

    with memory_export(tmp_path, "64M") as (socket, _):
        target = f"nbd+unix:///?socket={socket}"
        with ssdlab_started("run", suite, target, "--erase", socket.name, "--lab", lab) as process:
            wait_until(lambda: begun() >= 6 or process.poll() is not None, "the second point is measured")
            assert process.poll() is None, process.communicate()
            process.kill()
            process.wait(timeout=240)
        killed = open_bundle(newest_run(lab))
        before = results(killed)
        assert set(POINTS[:2]) <= set(before) < set(POINTS)
        # The one that was measured, and those that may have begun beside it.
        assert 1 <= sum(step.status is StepStatus.STARTED for step in killed.steps) <= 1 + AHEAD_MAX
        done = ssdlab("resume", killed.path, "--erase", socket.name)
    bundle = open_bundle(killed.path)
    assert (done.status in OVER, bundle.status, bundle.faults) == (True, RunStatus.FINISHED, ()), done.stderr
    (resumption,) = bundle.resumptions
    # A measurement goes with its ramp.
    kept = {name: one for name, one in before.items() if name not in resumption.redone}
    assert set(before) - set(kept) <= {f"{name}.ramp" for name in POINTS}
    after = results(bundle)
    assert set(after) == set(POINTS)
    assert {name: after[name] for name in kept} == kept


def test_a_limit_is_kept_in_a_chain(tmp_path: Path) -> None:
    suite, lab = tmp_path / "points.toml", tmp_path / "lab"
    suite.write_text(SUITE.replace('"read", "write"', '"write"').replace('"1s"', '"100s"').replace("4KiB", "128KiB"))
    ended = ssdlab("run", suite, "virtual:demo?capacity=64MiB", "--lab", lab, "--max-write", "120MB")
    bundle = open_bundle(newest_run(lab))
    assert (ended.status, bundle.status, bundle.faults) == (1, RunStatus.STOPPED, ()), ended.stderr
    assert known(bundle.written_bytes) > 120_000_000
    ends = [step.status for step in bundle.steps]
    assert ends.count(StepStatus.INTERRUPTED) == 1
    assert ends[ends.index(StepStatus.INTERRUPTED) + 1 :] == [StepStatus.PLANNED] * ends.count(StepStatus.PLANNED)
