"""An open load that the generator or an overloaded drive did not keep to; a step that looks for what a drive takes means to overload it."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import check, latencies, recorded

from ssdlab.analysis.audit.facts import Facts, OwnLoad, RateAim
from ssdlab.bundle.model import Outcome
from ssdlab.engine.punctuality import Punctuality
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown

NAME = "load.rate"
BEYOND = "more than the drive takes, which this step is to find out"


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


def sought(unsubmitted: int = 0, rate: float = 1.0, late_p99_ns: int = 1000, busy_percent: float = 20.0) -> Facts:
    """The same offered by a step that looks for what the drive takes, which took that share of it."""
    facts = open_load(late_p99_ns, unsubmitted)
    done = {way: replace(one, io_count=round(one.io_count * rate)) for way, one in facts.directions.items()}
    return replace(
        facts,
        directions=done,
        engine=OwnLoad("load-1"),
        rate_aim=RateAim.SOUGHT,
        busy_percent=busy_percent,
        cpu_count=4,
    )


class TestOfferedMoreThanTheDriveTakes:
    """What the step looks for is no defect of the run, unless it may have been the host."""

    @pytest.mark.parametrize("facts", [sought(unsubmitted=7), sought(rate=0.7), sought(unsubmitted=7, rate=0.7)])
    def test_it_passes_and_says_that_it_was_the_drive(self, facts: Facts) -> None:
        found = check(facts, NAME)
        assert (found.outcome, BEYOND in str(found.finding)) == (Outcome.PASS, True), found

    def test_what_was_never_submitted_is_told_all_the_same(self) -> None:
        found = check(sought(unsubmitted=7), NAME)
        assert "7 I/Os that fell due found no room" in str(found.finding)
        assert {one.name: one.value for one in found.numbers}["unsubmitted"] == 7

    def test_a_rate_that_the_drive_keeps_is_not_beyond_it(self) -> None:
        found = check(sought(), NAME)
        assert (found.outcome, BEYOND in str(found.finding)) == (Outcome.PASS, False), found

    def test_a_late_generator_is_warned_of(self) -> None:
        found = check(sought(unsubmitted=7, late_p99_ns=5001), NAME)
        assert (found.outcome, "late generator" in str(found.finding)) == (Outcome.WARN, True), found
        assert BEYOND not in str(found.finding)

    @pytest.mark.parametrize("busy_percent", [97.0, Unknown(verbatim("not told"))])
    def test_a_host_that_may_have_been_the_slower_one_is_warned_of(self, busy_percent: float | Unknown) -> None:
        found = check(replace(sought(unsubmitted=7), busy_percent=busy_percent), NAME)
        assert (found.outcome, BEYOND in str(found.finding)) == (Outcome.WARN, False), found

    def test_the_same_is_warned_of_where_the_rate_was_to_be_kept(self) -> None:
        found = check(replace(sought(rate=0.7), rate_aim=RateAim.KEPT), NAME)
        assert found.outcome is Outcome.WARN


@pytest.mark.parametrize(("busy_percent", "outcome"), [(9.0, Outcome.PASS), (97.0, Outcome.WARN)])
def test_one_thread_that_does_the_work_of_many_jobs_needs_one_core(busy_percent: float, outcome: Outcome) -> None:
    facts = sought(busy_percent=busy_percent)
    assert not isinstance(facts.setup, Unknown)
    found = check(replace(facts, setup=replace(facts.setup, jobs=32), cpu_count=2), "host.cpu")
    assert (found.outcome, "one thread for all jobs" in str(found.finding)) == (outcome, True), found
