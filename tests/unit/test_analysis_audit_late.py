"""Replies of a virtual drive that the host held back, against the latencies they are a part of."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import SENSED, check, latencies, recorded

from ssdlab.analysis.audit.facts import Facts
from ssdlab.bundle.model import Outcome
from ssdlab.drive.lateness import Late
from ssdlab.engine.result import Direction
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown

NAME = "latency.host_on_time"


def late(*, mean: float, tail: float) -> Facts:
    """Replies that took 100 us on the mean and 99 % of them 400 us, late by those shares of it."""
    timed = latencies(
        recorded("clean"), mean_ns=100e3, histogram=Unknown(verbatim("none")), percentile_ns={99.0: 400_000}
    )
    replies = Late(count=1000, mean_ns=mean * 100e3, p50_ns=0, p99_ns=round(tail * 400e3))
    return replace(timed, sensed=replace(SENSED, late=replies))


@pytest.mark.parametrize(
    ("mean", "tail", "outcome"),
    [
        (0.10, 0.50, Outcome.PASS),
        (0.11, 0.00, Outcome.WARN),
        (0.01, 0.51, Outcome.WARN),
    ],
)
def test_a_tenth_of_the_mean_and_half_of_the_tail_may_be_the_hosts(mean: float, tail: float, outcome: Outcome) -> None:
    assert check(late(mean=mean, tail=tail), NAME).outcome is outcome


def test_the_finding_says_how_much_of_the_latency_is_the_hosts() -> None:
    finding = str(check(late(mean=0.2, tail=0.75), NAME).finding)
    assert (
        finding
        == "replies left 20.0 µs late on the mean, 20.0% of the latency; 99 % by 300 µs, 75.0% of that percentile"
    )


def test_without_a_percentile_the_mean_decides() -> None:
    facts = late(mean=0.05, tail=0.9)
    read = facts.directions[Direction.READ]
    few = {kind: replace(one, percentile_ns={}) for kind, one in read.latency.items()}
    found = check(replace(facts, directions={Direction.READ: replace(read, latency=few)}), NAME)
    assert (found.outcome, str(found.finding)) == (
        Outcome.PASS,
        "replies left 5.00 µs late on the mean, 5.0% of the latency",
    )


def test_late_replies_to_io_that_nobody_timed_say_nothing() -> None:
    facts = late(mean=0.5, tail=0.9)
    untimed = replace(facts.directions[Direction.READ], latency={})
    assert check(replace(facts, directions={Direction.READ: untimed}), NAME).outcome is Outcome.UNKNOWN


def test_a_real_drive_decides_by_itself_when_it_replies() -> None:
    assert check(replace(recorded("clean"), sensed=SENSED), NAME).outcome is Outcome.NOT_APPLICABLE
