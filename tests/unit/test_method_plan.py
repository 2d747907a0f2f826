"""A suite on a drive becomes a plan."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.hints import hints_of
from tests.kit.plans import drive, plan_of

from ssdlab.drive.identity import Freshness
from ssdlab.job import Draw, DriveState, Pattern, StepKind
from ssdlab.method.builtin import load_suite
from ssdlab.method.faults import SuiteError
from ssdlab.method.plan import FILL_BYTES_MIN, PlanError, expand
from ssdlab.units import GIB, KIB, MIB, NS_PER_S, TIB

BLOCK_BYTES = 128 * KIB
MINUTE_NS = 60 * NS_PER_S


def fill(rest: str = "", bs: str = "128KiB", qd: int = 256) -> str:
    return f'[[step]]\nkind = "fill"\njob = {{ pattern = "sequential", bs = "{bs}", qd = {qd} }}\n{rest}\n'


def test_the_fill_suite_becomes_five_steps_with_their_states() -> None:
    plan = expand(load_suite("fill"), "standard", drive(TIB), seed=7)
    assert [(step.index, step.name, step.kind, step.state, step.rest_ns // MINUTE_NS) for step in plan.steps] == [
        (1, "purge", StepKind.PURGE, DriveState.UNKNOWN, 0),
        (2, "purge.rest", StepKind.REST, DriveState.FOB, 15),
        (3, "fill.pass1", StepKind.FILL, DriveState.FOB, 0),
        (4, "fill.rest", StepKind.REST, DriveState.FILLED_ONCE, 5),
        (5, "fill.pass2", StepKind.FILL, DriveState.FILLED_ONCE, 0),
    ]
    assert plan.comparable
    assert plan.cost.bytes_to_write == 2 * TIB
    assert plan.cost.rest_ns == 20 * MINUTE_NS


def test_a_pass_writes_every_block_once_in_order() -> None:
    job = expand(load_suite("fill"), "standard", drive(TIB), seed=7).steps[2].job
    assert job is not None
    assert (job.name, job.pattern, job.draw, job.read_percent) == (
        "fill.pass1",
        Pattern.SEQUENTIAL,
        Draw.PERMUTATION,
        0,
    )
    assert (job.block_bytes, job.queue_depth, job.duration_ns) == (BLOCK_BYTES, 256, None)


@given(st.integers(FILL_BYTES_MIN, 2**60))
def test_a_fill_covers_the_drive_but_for_less_than_a_block(capacity_bytes: int) -> None:
    plan = plan_of(fill(), capacity_bytes)
    job = plan.steps[0].job
    assert job is not None
    assert job.region.offset_bytes == 0
    assert job.region.length_bytes == job.amount_bytes
    assert job.region.length_bytes % BLOCK_BYTES == 0
    assert 0 <= capacity_bytes - job.region.length_bytes < BLOCK_BYTES
    assert plan.cost.bytes_to_write == capacity_bytes // BLOCK_BYTES * BLOCK_BYTES


def test_quick_divides_rests_and_absolute_amounts_but_not_shares() -> None:
    share = expand(load_suite("fill"), "quick", drive(TIB), seed=7)
    assert share.cost.rest_ns == 20 * MINUTE_NS // 60
    assert share.cost.bytes_to_write == 2 * TIB
    assert not share.comparable
    assert plan_of(fill('amount = "128GiB"'), TIB, "quick").cost.bytes_to_write == GIB
    assert plan_of(fill('amount = "128GiB"'), TIB).cost.bytes_to_write == 128 * GIB


def test_a_part_of_the_drive_is_written_from_its_beginning_and_leaves_it_partly_filled() -> None:
    purge = '[[step]]\nkind = "purge"\n'
    plan = plan_of(purge + fill('amount = "50%"') + '[[step]]\nkind = "rest"\nduration = "1s"\n')
    assert plan.steps[1].job is not None
    assert plan.steps[1].job.region.length_bytes == GIB // 2
    assert [step.state for step in plan.steps] == [DriveState.UNKNOWN, DriveState.FOB, DriveState.PARTLY_FILLED]


def test_filling_a_drive_of_unknown_history_does_not_make_it_known() -> None:
    plan = plan_of(fill("passes = 2"))
    assert [step.state for step in plan.steps] == [DriveState.UNKNOWN, DriveState.UNKNOWN]


def test_many_passes_have_names_of_their_own() -> None:
    plan = plan_of('[[step]]\nkind = "purge"\n' + fill('passes = 4\nrest = "1s"'))
    assert [(step.name, step.state.value) for step in plan.steps[1:]] == [
        ("fill.pass1", "FOB"),
        ("fill.rest", "filled once"),
        ("fill.pass2", "filled once"),
        ("fill.rest2", "filled twice"),
        ("fill.pass3", "filled twice"),
        ("fill.rest3", "filled twice"),
        ("fill.pass4", "filled twice"),
    ]


def test_without_a_rest_there_is_no_rest_step() -> None:
    plan = plan_of('[[step]]\nkind = "purge"\n' + fill("passes = 2"))
    assert [step.name for step in plan.steps] == ["purge", "fill.pass1", "fill.pass2"]


def test_each_step_has_a_seed_of_its_own_that_repeats_with_the_runs() -> None:
    def seeds(seed: int) -> list[int]:
        return [step.job.seed for step in plan_of(fill("passes = 3"), seed=seed).steps if step.job is not None]

    assert seeds(1) == seeds(1)
    assert len({*seeds(1), *seeds(2)}) == 6
    assert all(0 <= seed < 2**63 for seed in seeds(1))


def test_an_unknown_profile_is_answered_with_those_there_are() -> None:
    with pytest.raises(SuiteError, match="suite `fill` has no profile `quik`") as raised:
        expand(load_suite("fill"), "quik", drive(TIB), seed=1)
    assert hints_of(raised.value) == ("did you mean `quick`? choose from standard, quick",)


@pytest.mark.parametrize(
    ("step", "capacity_bytes", "reason"),
    [
        (
            fill(),
            32 * MIB,
            "step `fill` needs at least 64.0 MiB to write, it would get 32.0 MiB of the drive's 32.0 MiB",
        ),
        (fill(bs="1MiB"), 128 * MIB, "step `fill` needs at least 256 MiB to write"),
        (fill('amount = "1%"'), GIB, "it would get 10.1 MiB of the drive's 1.00 GiB"),
        (fill('amount = "2GiB"'), GIB, "step `fill` writes 2.00 GiB, the drive has 1.00 GiB"),
        (
            fill(bs="1000B"),
            GIB,
            "step `fill` uses blocks of 1000 bytes, which are no whole blocks of the drive (512 bytes)",
        ),
    ],
)
def test_a_drive_the_suite_does_not_fit_is_refused_with_what_is_needed(
    step: str, capacity_bytes: int, reason: str
) -> None:
    with pytest.raises(PlanError) as raised:
        plan_of(step, capacity_bytes)
    assert reason in str(raised.value)
    assert "suite `mine` does not fit `virtual:test`" in str(raised.value)


def test_the_smallest_drive_that_fits_is_accepted() -> None:
    assert plan_of(fill(), FILL_BYTES_MIN).cost.bytes_to_write == FILL_BYTES_MIN
    with pytest.raises(PlanError):
        plan_of(fill(), FILL_BYTES_MIN - 1)


def test_all_reasons_are_given_at_once() -> None:
    with pytest.raises(PlanError) as raised:
        plan_of(fill('amount = "2GiB"', bs="1000B"), GIB)
    assert "no whole blocks" in str(raised.value)
    assert "the drive has 1.00 GiB" in str(raised.value)


def test_a_target_whose_purge_proves_nothing_is_in_no_known_state() -> None:
    file = replace(drive(TIB), purge_leaves=Freshness.UNPROVEN)
    plan = expand(load_suite("fill"), "standard", file, seed=7)
    assert {step.state for step in plan.steps} == {DriveState.UNKNOWN}
