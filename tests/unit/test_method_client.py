"""The consumer suites on a drive: what METHODS C says is what is planned."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.plans import HEADER, drive, names, plan_of, step_named

from ssdlab.job import Action, Draw, DriveState, Interface, IoLog, Job, Pattern, Region, Resume, StepKind, Sync
from ssdlab.message import message
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import Plan, PlanError, expand
from ssdlab.units import GIB, KIB, MIB, NS_PER_S, TIB

MINUTE_NS = 60 * NS_PER_S
PM9E1_BYTES = 1_000_204_886_016


@cache
def client(name: str = "client", capacity_bytes: int = PM9E1_BYTES, profile: str = "standard") -> Plan:
    return expand(load_suite(name), profile, drive(capacity_bytes), seed=1)


def job_of(plan: Plan, name: str) -> Job:
    job = step_named(plan, name).job
    assert job is not None
    return job


def test_the_steps_come_in_the_order_of_the_method() -> None:
    assert [group for group, _ in groupby(step.group for step in client().steps)] == snapshot(
        ["purge", "fill", "active_range", "precondition", "sync_write", "rw_ratio", "reclaim"]
    )


def test_the_drive_rests_fifteen_minutes_after_a_purge_and_five_between_steps() -> None:
    rests = {step.name: step.rest_ns // MINUTE_NS for step in client().steps if step.name.endswith(("rest", "before"))}
    settling = {name: minutes for name, minutes in rests.items() if "run" not in name and minutes >= 5}
    assert settling == {
        "purge.rest": 15,
        "fill.rest": 5,
        "active_range.rest_before": 5,
        "precondition.rest_before": 5,
        "precondition.rest": 5,
        "sync_write.rest_before": 5,
        "rw_ratio.rest_before": 5,
        **{f"reclaim.t{seconds}.purge.rest": 15 for seconds in (5, 10, 15, 30, 60, 120, 240)},
    }


def test_active_ranges_double_from_one_gib_to_the_drive() -> None:
    points = [step for step in client().steps if step.group == "active_range" and step.job is not None]
    assert [step.name for step in points] == [
        *(f"active_range.{2**exponent}GiB" for exponent in range(10)),
        "active_range.931GiB",
    ]
    last = points[-1].job
    assert last is not None
    assert (last.read_percent, last.queue_depth, last.block_bytes, last.amount_bytes) == (100, 256, 4 * KIB, GIB)
    assert last.region == Region(0, PM9E1_BYTES // MIB * MIB)


def test_the_parts_of_preconditioning_have_a_rest_between_them() -> None:
    assert [name for name in names(client()) if name.startswith("precondition.")] == [
        "precondition.rest_before",
        "precondition.random",
        "precondition.rest",
        "precondition.trim",
    ]


def test_preconditioning_writes_the_first_part_whole_and_frees_the_last_quarter() -> None:
    plan = client()
    written, trimmed = job_of(plan, "precondition.random"), job_of(plan, "precondition.trim")
    assert (written.pattern, written.draw, written.region) == (Pattern.RANDOM, Draw.PERMUTATION, Region(0, 8 * GIB))
    assert (trimmed.action, trimmed.pattern) == (Action.TRIM, Pattern.SEQUENTIAL)
    assert trimmed.region.length_bytes == pytest.approx(PM9E1_BYTES / 4, rel=0.001)
    assert 0 <= PM9E1_BYTES - trimmed.region.end_bytes < MIB


SMALL = """\
[[step]]
kind = "precondition"
random = { amount = "25%", bs = "4KiB", qd = 256 }
trim = "25%"
[[step]]
kind = "measure"
job.rnd = { region = "random", pattern = "random", bs = "4KiB", qd = 1, read = "0%", amount = "1MiB" }
job.seq = { region = "sequential", pattern = "sequential", bs = "4KiB", qd = 1, read = "0%", amount = "1MiB" }
"""


@given(st.integers(256 * MIB, 2**52))
def test_regions_lie_beside_each_other_and_beside_what_is_free(capacity_bytes: int) -> None:
    plan = plan_of(SMALL, capacity_bytes, header=HEADER)
    random, sequential = (job_of(plan, f"measure.{name}").region for name in ("rnd", "seq"))
    free = job_of(plan, "precondition.trim").region
    assert random.offset_bytes == 0
    assert 0 <= sequential.offset_bytes - random.end_bytes < MIB
    assert 0 <= free.offset_bytes - sequential.end_bytes < 4 * KIB
    assert free.end_bytes <= capacity_bytes
    assert free.length_bytes % job_of(plan, "precondition.trim").block_bytes == 0


def test_a_drive_too_small_to_be_preconditioned_is_refused_with_all_reasons() -> None:
    with pytest.raises(PlanError) as raised:
        client(capacity_bytes=8 * GIB)
    assert str(raised.value) == snapshot(
        "suite `client` does not fit `virtual:test`: step `precondition` leaves no sequential region: "
        "of the drive's 8.00 GiB the first 8.00 GiB are for random tests and the last 2.00 GiB free"
    )


def test_sync_writes_are_durable_one_by_one_and_bounded_by_time() -> None:
    job = job_of(client(), "sync_write.rnd")
    assert (job.sync, job.queue_depth, job.read_percent, job.block_bytes) == (Sync.SYNC, 1, 0, 4 * KIB)
    assert (job.amount_bytes, job.duration_ns) == (500 * MIB, 2 * MINUTE_NS)
    assert job.region == Region(0, 8 * GIB)


def test_each_mix_is_measured_five_to_ten_times() -> None:
    runs = [step for step in client().steps if step.group == "rw_ratio" and step.kind is StepKind.MEASURE]
    assert set(Counter(step.point for step in runs).values()) == {10}
    assert {step.run for step in runs if step.only_while is None} == {1, 2, 3, 4, 5}
    assert {step.only_while.limit_percent for step in runs if step.only_while is not None} == {5.0}
    assert {step.point.name for step in runs} == {
        f"rw_ratio.rnd.q{depth}.r{share}" for depth in (1, 2, 4) for share in range(0, 101, 10)
    }
    assert {step.job.region for step in runs if step.job is not None} == {Region(0, 8 * GIB)}


def test_each_reclaim_begins_at_a_purge() -> None:
    plan = client()
    assert [name for name in names(plan) if name.startswith("reclaim.t5")] == [
        "reclaim.t5.purge",
        "reclaim.t5.purge.rest",
        "reclaim.t5.fill",
        "reclaim.t5.rest",
        "reclaim.t5",
    ]
    steps = [step for step in plan.steps if step.point.name == "reclaim.t240"]
    assert [step.state for step in steps] == [
        *(DriveState.UNKNOWN, DriveState.FOB, DriveState.FOB),
        *(DriveState.PARTLY_FILLED, DriveState.PARTLY_FILLED),
    ]
    assert steps[3].rest_ns == 240 * NS_PER_S
    assert [step.resume for step in steps] == [Resume.REDO, Resume.REDO, *[Resume.FROM_PURGE] * 3]
    assert steps[2].job is not None
    assert steps[2].job.region.length_bytes == pytest.approx(PM9E1_BYTES / 2, rel=0.001)
    assert steps[4].job is not None
    assert (steps[4].job.amount_bytes, steps[4].job.duration_ns) == (None, MINUTE_NS)


def test_a_drive_stays_preconditioned_while_its_regions_are_measured() -> None:
    states = {
        group: {step.state for step in steps if step.kind is StepKind.MEASURE}
        for group, steps in groupby(client().steps, key=lambda step: step.group)
    }
    assert states["active_range"] == {DriveState.FILLED_TWICE}
    assert states["sync_write"] == states["rw_ratio"] == {DriveState.PRECONDITIONED}


def test_a_drive_that_cannot_be_trimmed_is_measured_in_the_state_it_is_left_in() -> None:
    untrimmed = replace(drive(PM9E1_BYTES), cannot_trim=message("drive-trims-no-files"))
    plan = expand(load_suite("client"), "standard", untrimmed, seed=1)
    assert step_named(plan, "precondition.trim").skip == message("drive-trims-no-files")
    assert {step.state for step in plan.steps if step.group == "rw_ratio"} == {DriveState.RANDOM_WRITTEN}


def test_preconditioning_a_drive_that_was_not_filled_twice_has_no_name() -> None:
    steps = plan_of(SMALL, header=HEADER).steps
    assert {step.state for step in steps} == {DriveState.UNKNOWN}


def test_large_drives_skip_the_reclaim_and_the_plan_says_why() -> None:
    reclaim = [step for step in client(capacity_bytes=15_360_950_534_144).steps if step.group == "reclaim"]
    assert {str(step.skip) for step in reclaim} == {"the drive has 15.4 TB, the suite does this only up to 9.00 TB"}


@pytest.mark.parametrize("capacity_bytes", [4_000_787_030_016, 8_001_563_222_016])
def test_consumer_drives_of_any_size_are_asked_how_their_cache_comes_back(capacity_bytes: int) -> None:
    assert client(capacity_bytes=capacity_bytes).cost.skips == ()


def test_a_skipped_step_leaves_the_state_as_it_is() -> None:
    assert {step.state for step in client(capacity_bytes=15_360_950_534_144).steps if step.group == "reclaim"} == {
        DriveState.PRECONDITIONED
    }


def test_a_quick_look_keeps_every_point_but_measures_it_once() -> None:
    standard, quick = client(), client(profile="quick")
    assert {
        step.point.name for step in standard.steps if "reclaim" in step.point.name or "rw_ratio" in step.point.name
    } == {step.point.name for step in quick.steps if "reclaim" in step.point.name or "rw_ratio" in step.point.name}
    assert max(step.run for step in quick.steps) == 1
    assert not quick.comparable
    assert step_named(quick, "reclaim.t60.rest").rest_ns == NS_PER_S


def test_the_earlier_variant_measures_both_patterns_each_in_its_region() -> None:
    plan = client("client-2025.07")
    regions = {
        (step.job.pattern, step.job.region.offset_bytes) for step in plan.steps if step.job and "rw_" in step.name
    }
    assert regions == {(Pattern.SEQUENTIAL, 8 * GIB), (Pattern.RANDOM, 0)}
    runs = Counter(step.point for step in plan.steps if step.group == "rw_ratio" and step.kind is StepKind.MEASURE)
    assert (len(runs), set(runs.values())) == (66, {5})
    assert {step.point.name for step in plan.steps if step.job and step.job.io_log is IoLog.EVERY_IO} == {
        f"rw_ratio.{pattern}.q1.r{share}" for pattern in ("rnd", "seq") for share in (0, 100)
    }


def test_crystal_disk_mark_reads_first_and_then_writes_a_file_at_the_front() -> None:
    plan = client("cdm")
    points = list(dict.fromkeys(step.point.name for step in plan.steps if step.group == "cdm" and step.job is not None))
    assert points == snapshot(
        [
            "cdm.read.seq1m_q8t1",
            "cdm.read.seq1m_q1t1",
            "cdm.read.seq128k_q32t1",
            "cdm.read.rnd4k_q32t16",
            "cdm.read.rnd4k_q32t1",
            "cdm.read.rnd4k_q1t1",
            "cdm.write.seq1m_q8t1",
            "cdm.write.seq1m_q1t1",
            "cdm.write.seq128k_q32t1",
            "cdm.write.rnd4k_q32t16",
            "cdm.write.rnd4k_q32t1",
            "cdm.write.rnd4k_q1t1",
        ]
    )
    jobs = [step.job for step in plan.steps if step.group == "cdm" and step.job is not None]
    assert {job.region for job in jobs} == {Region(0, GIB)}
    assert {job.duration_ns for job in jobs} == {5 * NS_PER_S}
    assert {job.jobs for job in jobs if "t16" in job.name} == {16}
    assert {step.state for step in plan.steps if step.group == "cdm"} == {DriveState.PARTLY_FILLED}


@pytest.mark.parametrize("name", ["client", "client-2025.07", "cdm"])
@pytest.mark.parametrize("profile", ["standard", "quick"])
@pytest.mark.parametrize("capacity_bytes", [240 * 10**9, PM9E1_BYTES, 32 * TIB])
def test_every_name_is_unique_and_every_job_fits_the_drive(name: str, profile: str, capacity_bytes: int) -> None:
    plan = client(name, capacity_bytes, profile)
    assert len(set(names(plan))) == len(plan.steps)
    assert [step.index for step in plan.steps] == list(range(1, len(plan.steps) + 1))
    assert {step.group for step in plan.steps} == {step.name for step in load_suite(name).steps}
    for step in plan.steps:
        if step.job is not None:
            assert step.job.name == step.name
            assert step.job.region.end_bytes <= capacity_bytes
            assert step.job.region.length_bytes % step.job.block_bytes == 0


def test_the_earlier_article_went_by_libaio_and_that_of_today_goes_by_io_uring() -> None:
    used = {
        name: {
            step.job.interface
            for step in expand(load_suite(name), "standard", drive(PM9E1_BYTES), seed=1).steps
            if step.job
        }
        for name in ("client", "client-2025.07")
    }
    assert used == {"client": {Interface.IO_URING}, "client-2025.07": {Interface.LIBAIO}}


def test_a_point_takes_no_more_than_a_gigabyte() -> None:
    jobs = [step.job for step in client().steps if step.group == "rw_ratio" and step.job is not None]
    assert 0.999e9 < max(job.amount_bytes or 0 for job in jobs) <= 1e9
