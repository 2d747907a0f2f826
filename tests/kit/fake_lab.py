"""A lab without hardware: a drive, an engine and a display that do as a test says and note what was asked of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.kit.sample_bundle import Plateau as Level
from tests.kit.sample_bundle import fill_result, series_of, windows_of

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.sense.reading import SensorReading, nothing_known
from ssdlab.engine.base import Judge, Progress, Watch
from ssdlab.engine.result import RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.job import Job
from ssdlab.lab.bench import Bench
from ssdlab.lab.display import Ending
from ssdlab.lab.run import execute
from ssdlab.lab.step import RawLogs
from ssdlab.message import Message, verbatim
from ssdlab.method.plan import Plan, PlannedStep, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

SUITE = """\
[suite]
name = "short"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 2
rest = "100ms"
"""


STEPS = ["purge", "fill.pass1", "fill.rest", "fill.pass2"]


IDENTITY = DriveIdentity(
    target="fake:drive",
    model="Fake Drive",
    serial="1",
    firmware="1",
    capacity_bytes=64 * MIB,
    logical_block_bytes=512,
    indirection_unit_bytes=4096,
    description=verbatim("a drive of the tests"),
    purge_leaves=Freshness.FRESH,
    memory=Memory.KEEPS,
)


@dataclass
class FakeDrive:
    """Does what it is told, and fails where it is told to."""

    freshness: Freshness = Freshness.FRESH
    gone_after: int = 99
    """Checks that it answers."""
    identity: DriveIdentity = IDENTITY
    address: FioAddress = field(default_factory=lambda: FioAddress(IoPath.FILE, "/dev/null"))
    spec_text: str | None = None
    asked: int = 0
    """How often it was asked what it says of itself."""

    def check(self) -> None:
        self.gone_after -= 1
        if self.gone_after < 0:
            raise DriveError(verbatim("the drive is gone"), verbatim("plug it in"))

    def purge(self) -> Purged:
        return Purged(self.freshness, verbatim("by magic"))

    def said(self) -> Mapping[str, str]:
        self.asked += 1
        return {"smart.json": f'{{"asked": {self.asked}}}\n'}

    def findings(self) -> tuple[Message, ...]:
        return (verbatim("it was late"),)

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class FakeEngine:
    """A clock that ticks once a call, and results out of thin air."""

    before_result: Callable[[Job], None] = lambda _: None
    clock_ns: int = 0
    name: str = "fake-1"
    reading: SensorReading = field(default_factory=lambda: nothing_known(Unknown(verbatim("a drive of the tests"))))

    def now_ns(self) -> int:
        self.clock_ns += 1
        return self.clock_ns

    def rest(self, duration_ns: int, watch: Watch) -> None:
        self.clock_ns += duration_ns
        watch(Progress(1.0, None))

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        assert judge is None
        if heed is not None:
            heed(0, self.reading)
        (directory / "raw").mkdir()
        watch(Progress(0.5, 1e6))
        self.before_result(job)
        series = windows_of([Level(64 * MIB, 100)], seed=1, dips=0)
        return fill_result(job, series_of(series.bandwidth_bytes_per_s, series.latency_ns_mean, series.latency_ns_max))


class Seen(NamedTuple):
    what: str
    words: str


@dataclass
class FakeDisplay:
    seen: list[Seen] = field(default_factory=list)

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        assert (bundle / layout.JOURNAL).exists()
        self.seen.append(Seen("run", plan.suite.name))

    def step_starts(self, step: PlannedStep) -> None:
        self.seen.append(Seen("begin", step.name))

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        assert progress.share_done is not None
        self.seen.append(Seen("progress", step.name))

    def step_ends(self, step: PlannedStep, ending: Ending, words: Message) -> None:
        assert str(words)
        self.seen.append(Seen({Ending.DONE: "end", Ending.SKIPPED: "skip"}[ending], step.name))

    def warning(self, text: Message) -> None:
        self.seen.append(Seen("warning", str(text)))


@dataclass
class Lab:
    path: Path
    drive: FakeDrive = field(default_factory=FakeDrive)
    engine: FakeEngine = field(default_factory=FakeEngine)
    display: FakeDisplay = field(default_factory=FakeDisplay)

    def run(self, raw_logs: RawLogs = RawLogs.DROP) -> Bundle:
        plan = expand(parse_suite(SUITE, "short.toml"), "standard", self.drive.identity, seed=1)
        return execute(plan, Bench(self.drive, self.engine, None), self.path, self.display, raw_logs)

    def failed_run(self, kind: type[BaseException]) -> tuple[Any, Bundle]:
        with pytest.raises(kind) as error:
            self.run()
        return error.value, open_bundle(newest_run(self.path))


def raising(error: BaseException, job_name: str) -> Callable[[Job], None]:
    def act(job: Job) -> None:
        if job.name == job_name:
            raise error

    return act
