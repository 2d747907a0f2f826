"""Points that begin before they are asked for: the journal says so first, and what they wrote is counted however the run ends."""

import errno
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.kit.fake_lab import FakeDisplay, FakeDrive, FakeEngine, Lab, raising

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import Limits, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.engine.base import Following, Judge, Watch
from ssdlab.engine.result import RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.engine.standstill import Cause, Standstill
from ssdlab.errors import Interrupted
from ssdlab.job import Job
from ssdlab.lab.bench import Bench
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import KIB, NS_PER_S

SUITE = """\
[suite]
name = "points"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
[[step]]
kind = "measure"
name = "m"
job = { region = "fill", pattern = "random", bs = "4KiB", read = "0%", amount = "1MiB" }
sweep = { qd = [1, 2, 4] }
"""
POINTS = FIRST, SECOND, THIRD = "m.q1", "m.q2", "m.q4"
VAIN_BYTES = 12 * KIB
"""What a point writes before it is ended without having been asked for."""


@dataclass
class AheadEngine(FakeEngine):
    """Begins the next job while the one before is done, if it may."""

    stands_still_in: list[str] = field(default_factory=list)
    left_bytes: list[int | None] = field(default_factory=list)
    """As it was told whenever a chain began."""
    _jobs: Sequence[Job] = ()
    _following: Following | None = None
    _ahead: list[int] = field(default_factory=list)

    @contextmanager
    def chained(self, jobs: Sequence[Job], following: Following) -> Iterator[None]:
        self._jobs, self._following = jobs, following
        try:
            yield
        finally:
            self._end_those_ahead()
            self._jobs = ()

    def _end_those_ahead(self) -> None:
        ahead, self._ahead = self._ahead, []
        for place in ahead:
            assert self._following is not None
            self._following.withdrawn(place, VAIN_BYTES)

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        place = self._jobs.index(job) if job in self._jobs else None
        if place in self._ahead:
            self._ahead.remove(place)
        else:
            self._end_those_ahead()
            if self._following is not None and place is not None:
                self.left_bytes.append(self._following.left_bytes)
        follows = place is not None and place + 1 < len(self._jobs)
        if place is not None and follows and self._following is not None and self._following.may_begin(place + 1):
            self._ahead.append(place + 1)
        result = super().run(job, directory, watch, judge, heed)
        if job.name in self.stands_still_in:
            self.stands_still_in.remove(job.name)
            return replace(result, standstills=(Standstill(cause=Cause.HELD_UP, duration_ns=NS_PER_S),))
        return result


@pytest.fixture
def engine() -> AheadEngine:
    return AheadEngine()


def run(place: Path, engine: AheadEngine, limits: Limits | None = None, drive: FakeDrive | None = None) -> Bundle:
    """As far as it comes."""
    lab = Lab(place, drive or FakeDrive(), engine, FakeDisplay())
    plan = expand(parse_suite(SUITE, "points.toml"), "standard", lab.drive.identity, seed=1)
    with suppress(Interrupted):
        execute(plan, Bench(lab.drive, engine, None), lab.path, lab.display, limits=limits)
    return open_bundle(newest_run(place))


def told(bundle: Bundle) -> list[tuple[str, str]]:
    """What the journal says of the points, in order."""
    names = {step.index: step.name for step in bundle.steps}
    lines = [json.loads(line) for line in (bundle.path / layout.JOURNAL).read_text().splitlines()]
    bodies = [line.get("body", line) for line in lines]
    events = [(one["event"], names[one["index"]]) for one in bodies if "index" in one]
    return [(event.removeprefix("step_"), name) for event, name in events if name.startswith("m.")]


def status(bundle: Bundle) -> dict[str, StepStatus]:
    return {step.name: step.status for step in bundle.steps if step.name.startswith("m.")}


def test_each_point_is_announced_while_the_one_before_is_measured(engine: AheadEngine, tmp_path: Path) -> None:
    bundle = run(tmp_path, engine)
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert told(bundle) == [
        ("started", FIRST),
        ("announced", SECOND),
        ("finished", FIRST),
        ("started", SECOND),
        ("announced", THIRD),
        ("finished", SECOND),
        ("started", THIRD),
        ("finished", THIRD),
    ]


def test_what_was_begun_in_vain_when_the_run_is_stopped_counts_and_is_still_to_be_done(
    engine: AheadEngine, tmp_path: Path
) -> None:
    whole = run(tmp_path / "whole", AheadEngine())
    engine.before_result = raising(KeyboardInterrupt(), SECOND)
    bundle = run(tmp_path / "stopped", engine)
    assert bundle.status is RunStatus.INTERRUPTED
    assert status(bundle) == {
        FIRST: StepStatus.FINISHED,
        SECOND: StepStatus.INTERRUPTED,
        THIRD: StepStatus.PLANNED,
    }
    assert ("withdrawn", THIRD) in told(bundle)
    assert bundle.written_bytes == _total(whole) - _written(whole, SECOND) - _written(whole, THIRD) + VAIN_BYTES


def _total(bundle: Bundle) -> int:
    assert isinstance(bundle.written_bytes, int)
    return bundle.written_bytes


def _written(bundle: Bundle, name: str) -> int:
    return sum(one.io_bytes for one in bundle.result(bundle.step(name)).directions.values())


def test_a_point_that_began_after_one_that_is_done_again_is_done_again_too_and_all_of_it_counts(
    engine: AheadEngine, tmp_path: Path
) -> None:
    whole = run(tmp_path / "whole", AheadEngine())
    engine.stands_still_in = [FIRST]
    bundle = run(tmp_path / "again", engine)
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert told(bundle)[:8] == [
        ("started", FIRST),
        ("announced", SECOND),
        ("repeated", FIRST),
        ("started", FIRST),
        ("withdrawn", SECOND),
        ("announced", SECOND),
        ("finished", FIRST),
        ("started", SECOND),
    ]
    assert bundle.written_bytes == _total(whole) + _written(whole, FIRST) + VAIN_BYTES


def test_points_of_a_run_with_limits_are_announced_likewise(engine: AheadEngine, tmp_path: Path) -> None:
    unlimited = told(run(tmp_path / "unlimited", AheadEngine()))
    bundle = run(tmp_path / "limited", engine, Limits(write_bytes_max=10**15))
    assert (bundle.status, told(bundle)) == (RunStatus.FINISHED, unlimited)


def test_the_engine_is_told_what_the_points_may_still_write(engine: AheadEngine, tmp_path: Path) -> None:
    run(tmp_path / "unlimited", engine)
    assert engine.left_bytes == [None]
    bundle = run(tmp_path / "limited", engine, Limits(write_bytes_max=10**15))
    assert engine.left_bytes[1:] == [10**15 - _total(bundle) + sum(_written(bundle, name) for name in POINTS)]


def test_what_points_may_still_write_is_less_by_what_was_written_in_vain(engine: AheadEngine, tmp_path: Path) -> None:
    engine.stands_still_in = [FIRST]
    bundle = run(tmp_path, engine, Limits(write_bytes_max=10**15))
    first, again = engine.left_bytes
    assert first is not None
    assert again == first - _written(bundle, FIRST) - VAIN_BYTES


def test_no_point_begins_before_it_is_asked_for_where_that_cannot_be_written_down(
    engine: AheadEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(BundleWriter, "step_announced", full)
    bundle = run(tmp_path, engine)
    assert bundle.status is RunStatus.FINISHED
    assert {event for event, _ in told(bundle)} == {"started", "finished"}


def test_a_point_is_not_announced_where_the_drive_is_gone_and_what_was_measured_stays(
    engine: AheadEngine, tmp_path: Path
) -> None:
    # It answers before the purge, the fill and the first point, and not before the second one is announced.
    with pytest.raises(RunFailed):
        run(tmp_path, engine, drive=FakeDrive(gone_after=3))
    assert told(open_bundle(newest_run(tmp_path))) == [("started", FIRST), ("finished", FIRST)]
