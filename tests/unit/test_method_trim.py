"""The step `trim`: the end of the drive, or of a part of it, is free for the drive to work with."""

import pytest
from tests.kit.plans import HEADER, QUICK, names, plan_of, step_named

from ssdlab.job import Action, DriveState, Region, StepKind
from ssdlab.method.faults import SuiteError
from ssdlab.method.plan import PlanError
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, MIB

FILL = """\
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "1MiB", qd = 8 }
amount = "50%"
"""
READ = """\
[[step]]
kind = "measure"
name = "read"
job = { region = "trim", pattern = "random", bs = "4KiB", qd = 1, read = "100%", amount = "1MiB" }
"""


def trim(*lines: str) -> str:
    return "\n".join(["[[step]]", 'kind = "trim"', *lines, ""])


def test_the_end_of_the_drive_is_trimmed_in_one_job() -> None:
    step = step_named(plan_of(FILL + trim('amount = "25%"')), "trim")
    assert (step.kind, step.skip) == (StepKind.TRIM, None)
    assert step.job is not None
    assert step.job.action is Action.TRIM
    assert step.job.region == Region(768 * MIB, 256 * MIB)
    assert step.job.amount_bytes == 256 * MIB


def test_a_large_part_takes_few_commands() -> None:
    job = step_named(plan_of(FILL + trim('amount = "8GiB"'), 16 * GIB), "trim").job
    assert job is not None
    assert job.block_bytes == 64 * MIB


def test_what_stays_in_use_is_a_region_for_later_steps() -> None:
    plan = plan_of(FILL + trim('region = "fill"', 'amount = "128MiB"') + READ)
    assert names(plan) == ["fill.pass1", "trim", "read"]
    job = step_named(plan, "read").job
    assert job is not None
    assert job.region == Region(0, 384 * MIB)


def test_the_state_after_it_has_no_word() -> None:
    assert step_named(plan_of(FILL + trim('amount = "25%"') + READ), "read").state is DriveState.UNKNOWN


@pytest.mark.parametrize(
    ("amount", "message"),
    [("2GiB", r"trims 2.00 GiB of 1.00 GiB"), ("1KiB", r"trims less than 1 MiB of 1.00 GiB")],
)
def test_an_amount_that_does_not_fit_is_refused(amount: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        plan_of(FILL + trim(f'amount = "{amount}"'))


def test_a_part_that_no_step_makes_is_refused() -> None:
    with pytest.raises(SuiteError, match="region: `used` is no region made by an earlier step"):
        parse_suite(HEADER + QUICK + FILL + trim('region = "used"', 'amount = "25%"'), "mine.toml")
