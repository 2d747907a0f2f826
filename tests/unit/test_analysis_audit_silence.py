"""Checks `load.unbroken` and `points.gap`: a pause before a point lets the drive recover."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import check, recorded
from tests.kit.sample_fio import sequential_fill

from ssdlab.analysis.audit.facts import Facts, OwnLoad, VirtualTime
from ssdlab.analysis.audit.rules.silence import GAP_NS_MAX
from ssdlab.bundle.model import Outcome
from ssdlab.job import StepKind
from ssdlab.message import verbatim
from ssdlab.units import NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown


def measured(pause_ns: int, read_percent: int = 0) -> Facts:
    """A measurement straight after its ramp, as long as that of a result in order."""
    facts = recorded("clean")
    job = sequential_fill(read_percent=read_percent)
    outside_ns = facts.runtime_ns + pause_ns
    return replace(facts, asked=job, purpose=StepKind.MEASURE, before=StepKind.RAMP, outside_ns=outside_ns)


@pytest.mark.parametrize(("pause_ns", "outcome"), [(NS_PER_S // 50, Outcome.PASS), (NS_PER_S // 2, Outcome.WARN)])
def test_a_pause_counts_against_the_time_measured(pause_ns: int, outcome: Outcome) -> None:
    assert check(measured(pause_ns), "load.unbroken").outcome is outcome


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(measured(NS_PER_S, read_percent=100), id="reads"),
        pytest.param(replace(measured(NS_PER_S), before=StepKind.REST), id="after a rest"),
        pytest.param(replace(measured(NS_PER_S), before=StepKind.PURGE), id="after a purge"),
        pytest.param(replace(measured(NS_PER_S), purpose=StepKind.RAMP), id="a ramp"),
        pytest.param(replace(measured(NS_PER_S), engine=VirtualTime("model-0.1.0")), id="in virtual time"),
    ],
)
def test_pauses_that_are_meant_or_change_nothing_do_not_count(facts: Facts) -> None:
    assert check(facts, "load.unbroken").outcome is Outcome.NOT_APPLICABLE


def by_load(gap_ns: int | Unknown) -> Facts:
    """The same by the load engine, which tells the gap; on the second clock there is a longer one."""
    facts = measured(NS_PER_S)
    asked = sequential_fill(read_percent=0)
    return replace(facts, engine=OwnLoad("load-0.1.0"), asked=asked, gap_ns=gap_ns)


@pytest.mark.parametrize(
    ("gap_ns", "outcome"),
    [
        (0, Outcome.PASS),
        (GAP_NS_MAX - 1, Outcome.PASS),
        (GAP_NS_MAX, Outcome.NOT_APPLICABLE),
        (Unknown(verbatim("nobody looked")), Outcome.UNKNOWN),
    ],
)
def test_a_gap_below_five_milliseconds_passes_and_a_longer_one_is_told(gap_ns: int | Unknown, outcome: Outcome) -> None:
    assert check(by_load(gap_ns), "points.gap").outcome is outcome


def test_a_gap_that_the_engine_tells_is_the_pause_before_writes() -> None:
    assert check(by_load(NS_PER_MS), "load.unbroken").outcome is Outcome.PASS
    long = check(by_load(NS_PER_S), "load.unbroken")
    assert long.outcome is Outcome.WARN
    assert str(long.finding).startswith("1.00 s without I/O before it, ")
    # What made no load has no share in the advice.
    assert "fio" not in f"{long.meaning} {long.remedy}"


def test_the_gap_of_fio_is_told_and_not_judged() -> None:
    found = check(measured(NS_PER_S), "points.gap")
    assert (found.outcome, [one.value for one in found.numbers]) == (Outcome.NOT_APPLICABLE, [NS_PER_S])
    assert str(found.finding) == "fio starts anew for each point: about 1.00 s without I/O"


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(replace(by_load(NS_PER_S), before=StepKind.REST), id="after a rest"),
        pytest.param(replace(by_load(NS_PER_S), before=StepKind.FILL), id="after a fill"),
        pytest.param(replace(by_load(NS_PER_S), purpose=StepKind.PRECONDITION), id="preconditioning"),
        pytest.param(replace(by_load(NS_PER_S), engine=VirtualTime("model-0.1.0")), id="in virtual time"),
    ],
)
def test_only_points_that_follow_each_other_have_a_gap(facts: Facts) -> None:
    assert check(facts, "points.gap").outcome is Outcome.NOT_APPLICABLE
