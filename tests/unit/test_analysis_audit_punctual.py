"""An open load that the generator or an overloaded drive did not keep to."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import check, latencies, recorded

from ssdlab.analysis.audit.facts import Facts
from ssdlab.bundle.model import Outcome
from ssdlab.engine.punctuality import Punctuality
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown

NAME = "load.rate"


def open_load(late_p99_ns: int | Unknown = 1000, unsubmitted: int = 0) -> Facts:
    """Poisson arrivals at the rate asked for, with a mean response latency of 100 us."""
    timed = latencies(
        recorded("poisson"), mean_ns=100e3, histogram=Unknown(verbatim("none")), percentile_ns={99.0: 400_000}
    )
    told = Punctuality(late_mean_ns=500.0, late_p99_ns=late_p99_ns, late_max_ns=9000, unsubmitted=unsubmitted)
    return replace(timed, punctuality=told)


@pytest.mark.parametrize(
    ("facts", "outcome", "finding"),
    [
        pytest.param(
            open_load(), Outcome.PASS, "the generator was late by at most 1.00 µs in 99 of 100 I/Os", id="well"
        ),
        pytest.param(
            open_load(5001),
            Outcome.WARN,
            "late generator: 5.00 µs in 1 of 100 I/Os, mean response latency 100 µs",
            id="late",
        ),
        pytest.param(
            open_load(Unknown(verbatim("few"))),
            Outcome.WARN,
            "late generator: 9.00 µs in 1 of 100 I/Os, mean response latency 100 µs",
            id="few",
        ),
        pytest.param(
            open_load(unsubmitted=7),
            Outcome.WARN,
            "7 I/Os that fell due found no room and were never submitted",
            id="overloaded",
        ),
    ],
)
def test_lateness_of_the_generator_and_what_was_never_submitted_are_told(
    facts: Facts, outcome: Outcome, finding: str
) -> None:
    found = check(facts, NAME)
    assert (found.outcome, finding in str(found.finding)) == (outcome, True), found


def test_an_engine_that_does_not_tell_is_judged_by_its_rate() -> None:
    found = check(recorded("poisson"), NAME)
    assert (found.outcome, "generator" in str(found.finding)) == (Outcome.PASS, False)
