"""Which steps may follow each other before the first of them is written down."""

import pytest
from tests.kit.plans import plan_of

from ssdlab.lab.chains import chains_of

FILL = """
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 16 }
"""


def chains(job: str, rest: str = "", steps: str = FILL) -> list[list[str]]:
    """Names of the steps of a measurement at two queue depths, without those alone."""
    measure = f"""
[[step]]
kind = "measure"
name = "m"
job = {{ pattern = "random", bs = "4KiB", limit = "1s", {job} }}
sweep = {{ qd = [1, 4] }}
{rest}
"""
    plan = plan_of(steps + measure)
    found = [[step.name for step in chain] for chain in chains_of(plan.steps)]
    assert [name for chain in found for name in chain] == [step.name for step in plan.steps]
    return [chain for chain in found if len(chain) > 1]


def test_points_and_their_ramps_follow_each_other() -> None:
    assert chains('region = "fill", read = "0%", ramp = "1s"') == [["m.q1.ramp", "m.q1", "m.q4.ramp", "m.q4"]]


@pytest.mark.parametrize(
    ("job", "rest"),
    [
        pytest.param('region = "fill", read = "0%"', 'rest = "1s"', id="a rest lies between"),
        pytest.param('read = "0%"', "", id="the drive is another one after each"),
        pytest.param('region = "fill", read = "0%", sync = "sync"', "", id="forced writes are counted in between"),
    ],
)
def test_what_must_come_between_points_comes_between_them(job: str, rest: str) -> None:
    assert chains(job, rest) == []


def test_reads_leave_the_drive_as_it_is_wherever_they_go() -> None:
    assert chains('read = "100%"') == [["m.q1", "m.q4"]]


def test_a_run_that_those_before_it_decide_on_waits_for_them() -> None:
    repeat = 'repeat = { times = 3, at_most = 5, until_rse = "5%" }'
    assert chains('region = "fill", read = "100%"', repeat) == [
        ["m.q1.run1", "m.q1.run2", "m.q1.run3"],
        ["m.q1.run5", "m.q4.run1", "m.q4.run2", "m.q4.run3"],
    ]
