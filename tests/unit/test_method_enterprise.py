"""The plans of the enterprise suites: what is done in which order, in which state, with which ramps and blocks (METHODS E)."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.plans import drive, names, step_named

from ssdlab.drive.identity import DriveIdentity
from ssdlab.job import WINDOW_NS, Draw, DriveState, IoLog, Region, Resume, StepKind
from ssdlab.message import verbatim
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import Plan, PlanError, PlannedStep, expand
from ssdlab.units import GIB, KIB, NS_PER_S
from ssdlab.unknown import Unknown

DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
CAPACITY_BYTES = 64 * GIB
MEASURED_NS, RAMP_NS = 300 * NS_PER_S, 30 * NS_PER_S
SUITES = ["enterprise", "enterprise-iu", "enterprise-sweep"]


def plan(suite: str, of: DriveIdentity | None = None, profile: str = "standard") -> Plan:
    return expand(load_suite(suite), profile, of or drive(CAPACITY_BYTES), seed=1)


def group(found: Plan, name: str, kind: StepKind = StepKind.MEASURE) -> list[PlannedStep]:
    return [step for step in found.steps if step.group == name and step.kind is kind]


def swept(prefix: str, workloads: Sequence[str]) -> list[str]:
    return [f"{prefix}.{workload}.q{depth}" for workload in workloads for depth in DEPTHS]


class TestOrder:
    @pytest.mark.parametrize("suite", SUITES)
    def test_conditioning_comes_before_what_is_measured(self, suite: str) -> None:
        order = list(dict.fromkeys(step.group for step in plan(suite).steps))
        measured = [name for name in order if name.partition("_")[0] in {"seq", "rnd"}]
        assert order[0] == "purge"
        assert [name for name in measured if not name.endswith("_bs")] == [
            *("seq_conditioning", "seq", "rnd_conditioning", "rnd")
        ]

    def test_sequential_and_random_points_are_27_and_45(self) -> None:
        found = plan("enterprise")
        assert [step.name for step in group(found, "seq")] == swept("seq", ["read", "write", "r95w5"])
        assert [step.name for step in group(found, "rnd")] == swept(
            "rnd", ["read", "write", "r70w30", "r50w50", "read512"]
        )

    def test_with_large_units_only_reads_and_writes_are_measured(self) -> None:
        found = plan("enterprise-iu")
        for name in ("seq", "rnd"):
            assert [step.name for step in group(found, name)] == swept(name, ["read", "write"])

    def test_a_sweep_goes_over_depths_then_over_blocks(self) -> None:
        found = plan("enterprise-sweep")
        assert [step.name for step in group(found, "rnd")] == swept("rnd", ["read", "write", "r70w30"])
        blocks = [step.name for step in group(found, "rnd_bs")]
        assert len(blocks) == 2 * 12
        assert blocks[:3] == ["rnd_bs.read.b512B.q256", "rnd_bs.read.b1KiB.q256", "rnd_bs.read.b2KiB.q256"]
        assert blocks[-1] == "rnd_bs.write.b1MiB.q256"

    @pytest.mark.parametrize("suite", [*SUITES, "wsat"])
    def test_there_is_no_rest_but_after_a_purge(self, suite: str) -> None:
        steps = plan(suite).steps
        rests = [step.index for step in steps if step.kind is StepKind.REST]
        purges = [step.index for step in steps if step.kind is StepKind.PURGE]
        assert rests == [index + 1 for index in purges]

    def test_saturation_is_one_stream_from_fresh(self) -> None:
        found = plan("wsat")
        assert names(found) == ["purge", "purge.rest", "precondition.rnd"]
        step = found.steps[-1]
        assert step.job is not None
        assert (step.state, step.group, step.job.draw, step.job.block_bytes, step.job.queue_depth) == (
            *(DriveState.FOB, "wsat", Draw.INDEPENDENT, 4 * KIB, 256),
        )
        assert step.job.amount_bytes == 23 * CAPACITY_BYTES
        assert step.until is not None
        assert step.until.minimum_bytes == 2 * CAPACITY_BYTES


class TestPoints:
    @pytest.mark.parametrize("suite", SUITES)
    def test_each_has_its_ramp_straight_before_it(self, suite: str) -> None:
        steps = plan(suite).steps
        for before, step in itertools.pairwise(steps):
            if step.kind is not StepKind.MEASURE:
                continue
            assert (before.kind, before.name, before.point) == (StepKind.RAMP, f"{step.name}.ramp", step.point)
            assert before.job is not None
            assert step.job is not None
            assert (before.job.duration_ns, step.job.duration_ns) == (RAMP_NS, MEASURED_NS)
            same = replace(before.job, name="", seed=0, duration_ns=1, io_log=IoLog.WINDOWS)
            assert same == replace(step.job, name="", seed=0, duration_ns=1, io_log=IoLog.WINDOWS)

    @pytest.mark.parametrize("suite", SUITES)
    def test_all_meet_a_steady_drive_and_use_all_of_it(self, suite: str) -> None:
        for step in plan(suite).steps:
            if step.kind is StepKind.MEASURE:
                assert step.job is not None
                assert (step.state, step.job.region) == (DriveState.STEADY, Region(0, CAPACITY_BYTES))

    def test_every_io_is_kept_at_the_random_points_of_depth_1_and_nowhere_else(self) -> None:
        steps = plan("enterprise").steps
        kept = [step.name for step in steps if step.job is not None and step.job.io_log is IoLog.EVERY_IO]
        assert kept == [f"rnd.{workload}.q1" for workload in ("read", "write", "r70w30", "r50w50", "read512")]

    def test_only_reads_can_be_redone_alone(self) -> None:
        found = plan("enterprise")
        assert {step.resume for step in group(found, "rnd") if ".read" in step.name} == {Resume.REDO}
        assert {step.resume for step in group(found, "rnd") if ".read" not in step.name} == {Resume.FROM_PURGE}

    def test_the_quick_profile_measures_for_as_long_as_a_consistency_needs(self) -> None:
        job = step_named(plan("enterprise", profile="quick"), "seq.read.q1").job
        assert job is not None
        assert job.duration_ns is not None
        # The slowest thousandth and ten windows above it.
        assert job.duration_ns >= 11 * WINDOW_NS

    @pytest.mark.parametrize("suite", SUITES)
    def test_the_quick_profile_bounds_conditioning(self, suite: str) -> None:
        for profile, least, most in (("standard", 2, 23), ("quick", 1, 2)):
            for step in plan(suite, profile=profile).steps:
                if step.job is not None and step.until is not None:
                    assert step.until.minimum_bytes == least * CAPACITY_BYTES
                    assert step.job.amount_bytes == most * CAPACITY_BYTES


class TestDrive:
    def test_all_blocks_are_as_large_as_the_drives_unit(self) -> None:
        found = plan("enterprise-iu", replace(drive(CAPACITY_BYTES), indirection_unit_bytes=32 * KIB))
        assert {step.job.block_bytes for step in found.steps if step.job is not None} == {32 * KIB}

    def test_a_drive_that_does_not_know_its_unit_is_refused(self) -> None:
        silent = replace(drive(CAPACITY_BYTES), indirection_unit_bytes=Unknown(verbatim("it does not say")))
        with pytest.raises(PlanError) as raised:
            plan("enterprise-iu", silent)
        assert str(raised.value) == snapshot(
            "step `seq_conditioning` uses blocks of the drive's indirection unit, and `virtual:test` does not say how large it is"
        )
        assert hints_of(raised.value) == snapshot(
            ('copy the suite and write the size in place of `IU`, such as `bs = "16KiB"`',)
        )

    def test_blocks_smaller_than_the_drives_are_skipped_with_the_reason(self) -> None:
        steps = group(plan("enterprise-sweep", drive(CAPACITY_BYTES, logical_block_bytes=4096)), "rnd_bs")
        skipped = {step.name: step.skip for step in steps if step.skip is not None}
        assert list(skipped) == [
            f"rnd_bs.{mix}.b{size}.q256" for mix in ("read", "write") for size in ("512B", "1KiB", "2KiB")
        ]
        assert set(map(str, skipped.values())) == {"its blocks are smaller than the drive's logical blocks of 4.00 KiB"}

    def test_a_skipped_point_has_no_ramp(self) -> None:
        found = plan("enterprise", drive(CAPACITY_BYTES, logical_block_bytes=4096))
        assert {step.kind for step in found.steps if ".read512." in step.name} == {StepKind.MEASURE}
        assert len(group(found, "rnd", StepKind.RAMP)) == 36


class TestCost:
    def test_what_ends_by_time_is_counted_by_time(self) -> None:
        (cost,) = (one for one in plan("enterprise").groups if one.group == "rnd")
        writing = 3 * len(DEPTHS)
        assert cost.bytes_to_write == 0
        assert cost.timed_write_ns == writing * (RAMP_NS + MEASURED_NS)
        assert cost.resume is Resume.FROM_PURGE

    def test_the_space_for_every_io_is_that_of_the_fastest_drive(self) -> None:
        kept, dropped = plan("enterprise"), plan("enterprise-iu")
        # Five points of 300 s at QD1, an I/O every 5 us, 25 bytes each; one of them as fio's text besides.
        assert kept.host_bytes_max > 5 * 300 * 200_000 * 25
        assert dropped.host_bytes_max < kept.host_bytes_max < 64 * GIB
