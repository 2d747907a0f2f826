"""Check `load.unbroken`: a pause before short writes lets the drive recover."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import check, recorded
from tests.kit.sample_fio import sequential_fill

from ssdlab.analysis.audit.facts import Facts, VirtualTime
from ssdlab.bundle.model import Outcome
from ssdlab.job import StepKind
from ssdlab.units import NS_PER_S


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
