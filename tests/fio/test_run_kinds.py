"""Every kind of step with real fio on a virtual drive: what is planned is done, and the drive has seen it."""

from math import sqrt
from pathlib import Path

import pytest
from tests.kit.processes import ssdlab

from ssdlab.bundle.model import Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.job import DriveState, IoLog
from ssdlab.units import KIB, MIB

pytestmark = pytest.mark.fio

TARGET = "virtual:demo?capacity=256MiB"
SUITE = """\
[suite]
name = "kinds"
version = "1"
rest = "100ms"

[[step]]
kind = "purge"
rest = "200ms"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 2

[[step]]
kind = "measure"
name = "active_range"
job = { pattern = "random", bs = "4KiB", qd = 32, read = "100%", amount = "16MiB" }
sweep = { range = "128MiB..100% doubling" }

[[step]]
kind = "precondition"
random = { amount = "64MiB", bs = "4KiB", qd = 32 }
trim = "25%"

[[step]]
kind = "measure"
name = "sync_write"
job.rnd = { region = "random", pattern = "random", bs = "4KiB", qd = 1, read = "0%", sync = "sync", amount = "1MiB", limit = "1s" }
job.seq = { region = "sequential", pattern = "sequential", bs = "128KiB", qd = 1, read = "0%", sync = "sync", amount = "1MiB", limit = "1s" }

[[step]]
kind = "measure"
name = "rw_ratio"
job.rnd = { region = "random", pattern = "random", bs = "4KiB", qd = 4, jobs = 2, limit = "1s" }
sweep = { read = "0%..100% step 50%" }
repeat = { times = 3, at_most = 4, until_rse = "100%" }
rest = "50ms"
every_io = { read = ["100%"] }

[[step]]
kind = "reclaim"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
fill = "50%"
rests = ["200ms"]
write = "1s"
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    directory = tmp_path_factory.mktemp("kinds")
    suite = directory / "kinds.toml"
    suite.write_text(SUITE)
    ended = ssdlab("run", suite, TARGET, "--lab", directory)
    assert ended.status in {0, 3}, ended.stderr
    return open_bundle(Path(ended.stdout.strip()))


def bytes_of(bundle: Bundle, name: str, direction: Direction) -> int:
    return bundle.result(bundle.step(name)).directions[direction].io_bytes


def test_everything_is_done_but_the_runs_that_are_not_needed(bundle: Bundle) -> None:
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    skipped = [step.name for step in bundle.steps if step.status is StepStatus.SKIPPED]
    assert skipped == [f"rw_ratio.rnd.r{share}.run4{part}" for share in (0, 50, 100) for part in (".rest", "")]
    assert bundle.step("rw_ratio.rnd.r0.run4").reason is not None


def test_every_byte_that_was_planned_was_moved(bundle: Bundle) -> None:
    ends_by_amount = [step for step in bundle.finished() if step.job is not None and step.job.duration_ns is None]
    assert {step.group for step in ends_by_amount} == {"fill", "active_range", "precondition", "reclaim"}
    for step in ends_by_amount:
        totals = bundle.result(step).directions.values()
        assert step.job is not None
        assert sum(one.io_bytes for one in totals) == step.job.amount_bytes, step.name


def test_the_last_quarter_is_trimmed(bundle: Bundle) -> None:
    assert bytes_of(bundle, "precondition.trim", Direction.TRIM) == 64 * MIB


def test_a_mix_has_about_its_share_of_reads(bundle: Bundle) -> None:
    read, write = (bytes_of(bundle, "rw_ratio.rnd.r50.run1", one) for one in (Direction.READ, Direction.WRITE))
    by_chance = 5 * 0.5 / sqrt((read + write) / (4 * KIB))  # a busy host does few in a second
    assert read / (read + write) == pytest.approx(0.5, abs=max(0.05, by_chance))


def test_every_io_is_kept_where_it_was_asked_for_and_nowhere_else(bundle: Bundle) -> None:
    kept = {step.point.name for step in bundle.finished() if (bundle.directory(step) / "io.parquet").exists()}
    asked = {step.point.name for step in bundle.steps if step.job is not None and step.job.io_log is IoLog.EVERY_IO}
    assert kept == asked == {"rw_ratio.rnd.r100"}
    step = bundle.step("rw_ratio.rnd.r100.run1")
    every_io = bundle.every_io(step, Direction.READ)
    assert len(every_io.latency_ns) == bundle.result(step).directions[Direction.READ].io_count
    assert step.job is not None
    assert int(every_io.offset_bytes.max()) < step.job.region.end_bytes


def test_the_state_goes_with_every_step(bundle: Bundle) -> None:
    states = {step.name: step.state for step in bundle.finished() if step.job is not None}
    assert states["active_range.256MiB"] is DriveState.FILLED_TWICE
    assert states["rw_ratio.rnd.r100.run3"] is DriveState.PRECONDITIONED
    assert states["reclaim.t200ms"] is DriveState.PARTLY_FILLED


def test_the_minute_after_the_rest_lasts_as_long_as_it_should(bundle: Bundle) -> None:
    assert bundle.result(bundle.step("reclaim.t200ms")).directions[Direction.WRITE].runtime_ns >= 1_000_000_000


PROGRAM_SLC_NS = 300_000


def test_durable_writes_were_durable_before_they_counted(bundle: Bundle) -> None:
    for name in ("sync_write.rnd", "sync_write.seq"):
        step = bundle.step(name)
        (forced,) = (one for one in bundle.audit if one.name == "writes.forced" and one.step == name)
        assert forced.outcome is Outcome.PASS, forced
        writes = bundle.result(step).directions[Direction.WRITE]
        # The demo's flash takes 0.3 ms where it holds one bit a cell, which it has room for on a host that lets it rest: no write can be
        # durable sooner. Its buffer alone answers within 0.1 ms. From before it was handed over: a write may be durable before fio,
        # not given a processor, begins the time that it calls clat.
        assert writes.latency[LatencyKind.LAT].min_ns > PROGRAM_SLC_NS
        assert writes.io_count * PROGRAM_SLC_NS < writes.runtime_ns
