"""The probe of drift: a trend is told from none, and its interval holds the truth as often as it says."""

import numpy as np
import pytest

from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.probes.drift import CHANGE, KIND, Drift, TimedReads, drift
from ssdlab.units import NS_PER_MS

READS = 60_000


def reads(change_per_minute: float, sigma: float, seed: int = 1) -> TimedReads:
    """A minute of reads of 80 us; one in a hundred is an outlier of 20 ms."""
    random = np.random.default_rng(seed)
    submitted_ns = np.arange(READS, dtype=np.float64) * NS_PER_MS
    level = (1 + change_per_minute) ** np.linspace(0, 1, READS)
    latency_ns = 8e4 * level * np.exp(sigma * random.standard_normal(READS))
    latency_ns[random.random(READS) < 0.01] = 20 * NS_PER_MS
    return TimedReads(submitted_ns, latency_ns)


def by_name(answers: tuple[Answer, ...]) -> dict[str, Answer]:
    return {answer.name: answer for answer in answers}


@pytest.mark.parametrize(
    ("change", "sigma", "said"),
    [(0.0, 0.02, Drift.STEADY), (0.0, 0.1, Drift.STEADY), (0.05, 0.1, Drift.SLOWER), (-0.05, 0.1, Drift.FASTER)],
)
def test_a_drift_is_told_from_none(change: float, sigma: float, said: Drift) -> None:
    answer = by_name(drift(reads(change, sigma)))[KIND]
    assert (answer.value, answer.grade) == (said.value, Grade.A)


def test_where_noise_hides_a_drift_nothing_is_said() -> None:
    found = by_name(drift(reads(0.0, 0.5)))
    assert (found[KIND].grade, found[CHANGE].grade) == (Grade.NONE, Grade.C)


def test_the_interval_holds_the_change_nineteen_times_in_twenty() -> None:
    intervals = [by_name(drift(reads(0.03, 0.25, seed)))[CHANGE].interval for seed in range(100)]
    held = [interval.low <= 3.0 <= interval.high for interval in intervals if interval is not None]
    assert 0.9 <= sum(held) / len(intervals) <= 1.0


@pytest.mark.parametrize("seed", range(20))
def test_speed_that_wavers_slowly_is_no_drift(seed: int) -> None:
    """By 14 %, each two seconds near the two before them."""
    random = np.random.default_rng(seed)
    wavering = [random.standard_normal()]
    for _ in range(READS // 2000):
        wavering.append(0.9 * wavering[-1] + np.sqrt(1 - 0.9**2) * random.standard_normal())
    times = reads(0.0, 0.1, seed)
    level = np.exp(0.14 * np.repeat(wavering, 2000)[:READS])
    answer = by_name(drift(TimedReads(times.submitted_ns, times.latency_ns * level)))[KIND]
    assert answer.value == Drift.STEADY.value or answer.grade in {Grade.NONE, Grade.C}
