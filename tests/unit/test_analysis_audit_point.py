"""Check `point.known`: whether the mean of a point is as well known as was asked for."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import recorded

from ssdlab.analysis.audit.run import audit_facts
from ssdlab.bundle.model import Check, Outcome
from ssdlab.engine.result import PointEnd, PointEnding
from ssdlab.units import NS_PER_S

END = PointEnd(
    because=PointEnding.ENOUGH,
    within=0.01,
    seen_ns=20 * NS_PER_S,
    ramp_ns=0,
    bytes_per_s=1e8,
    low=0.992e8,
    high=1.008e8,
    rhythm_ns=None,
    drift=None,
)


SHORT = replace(END, because=PointEnding.NOT_REACHED)


def known(end: PointEnd | None) -> Check:
    facts = replace(recorded("clean"), point_end=end)
    return next(check for check in audit_facts(facts) if check.name == "point.known")


@pytest.mark.parametrize(
    ("end", "outcome", "words"),
    [
        (END, Outcome.PASS, "enough after 20.0 s: the mean is known to ± 0.80%, asked for was ± 1.00%"),
        (replace(END, ramp_ns=2 * NS_PER_S), Outcome.PASS, "the first 2.00 s do not count"),
        (replace(END, rhythm_ns=5 * NS_PER_S), Outcome.PASS, "a rhythm of 5.00 s was seen"),
        (replace(END, rhythm_ns=11 * NS_PER_S), Outcome.PASS, "lasted less than two of its periods"),
        (
            replace(END, because=PointEnding.WHOLE, rhythm_ns=11 * NS_PER_S),
            Outcome.WARN,
            "less than two of its periods",
        ),
        (replace(END, low=None, high=None, past_drift=-0.012), Outcome.WARN, "how well the mean is known is unknown"),
        (replace(END, low=None, high=None, past_drift=-0.012), Outcome.WARN, "drifted before, by -1.2%"),
        (replace(END, drift=-0.034), Outcome.WARN, "drifts, by -3.4% from the beginning"),
        (replace(SHORT, high=1.02e8), Outcome.WARN, "not reached in 20.0 s: the mean is known to ± 2.00%"),
        (
            replace(SHORT, because=PointEnding.NO_NARROWER, high=1.02e8),
            Outcome.WARN,
            "ended after 20.0 s: the mean is known to ± 2.00%, asked for was ± 1.00%",
        ),
        (SHORT, Outcome.WARN, "not enough in 20.0 s, although the mean is known to ± 0.80%"),
        (SHORT, Outcome.WARN, "it was not so at two looks in a row"),
        (replace(SHORT, ramp_ns=7 * NS_PER_S), Outcome.WARN, "what does not count is more than a third of it"),
        (replace(SHORT, rhythm_ns=6 * NS_PER_S), Outcome.WARN, "four periods of its rhythm take longer"),
        (replace(SHORT, drift=0.02), Outcome.WARN, "because the speed drifts"),
        (replace(END, because=PointEnding.WHOLE), Outcome.PASS, "measured for all of 20.0 s"),
        (replace(END, because=PointEnding.WHOLE, high=1.02e8), Outcome.WARN, "the mean is known to ± 2.00%"),
    ],
)
def test_what_makes_a_point_known(end: PointEnd, outcome: Outcome, words: str) -> None:
    found = known(end)
    assert found.outcome is outcome
    assert words in str(found.finding)


def test_a_point_of_a_fixed_length_is_not_asked() -> None:
    assert known(None).outcome is Outcome.NOT_APPLICABLE
