"""Write saturation: fresh, transition and steady are found on curves that are known, and on drives whose inside is."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.fill_evidence import evidence_of_fill, run_info
from tests.kit.plans import HEADER
from tests.kit.synthetic_fill import series_of

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.preconditioning import preconditioning_metrics
from ssdlab.analysis.metrics.wsat import WsatPhases, begins_fresh, phases_of, wsat_metrics
from ssdlab.analysis.statistics.changepoint import Floats
from ssdlab.bundle.model import Metric, Step
from ssdlab.engine.result import EarlyStop
from ssdlab.job import DriveState, StepKind
from ssdlab.message import message, number
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB, NS_PER_S
from ssdlab.unknown import Unknown

CAPACITY_BYTES = 64 * GIB
FRESH, STEADY = 1e9, 3e8
BLOCK_BYTES = 4 * KIB
BY_WINDOW = EarlyStop("window", at_bytes=0, at_ns=10**15)


def saturation(fresh_windows: int = 800, decay_windows: float = 300.0, windows: int = 6000) -> Floats:
    """A fresh speed, then a decay to the steady one; at a gigabyte a second a capacity takes 690 windows."""
    after = np.maximum(0, np.arange(windows) - fresh_windows)
    return STEADY + (FRESH - STEADY) * np.exp(-after / decay_windows)


def evidence(rate: Floats, stopped: EarlyStop | None = BY_WINDOW) -> StepEvidence:
    filled, run = evidence_of_fill(series_of(rate)), run_info(CAPACITY_BYTES)
    step = replace(filled.step, name="precondition.rnd", state=DriveState.FOB, kind=StepKind.PRECONDITION)
    return replace(
        filled,
        run=replace(run, suite=replace(run.suite, text=_text())),
        step=step,
        job=replace(filled.job, block_bytes=BLOCK_BYTES),
        result=replace(filled.result, stopped=stopped),
    )


def said(pattern: str = "random") -> SteadyStateStep:
    step = parse_suite(_text(pattern), "test").steps[0]
    assert isinstance(step, SteadyStateStep)
    return step


def _text(pattern: str = "random") -> str:
    job = f'job = {{ pattern = "{pattern}", bs = "4KiB", qd = 256 }}'
    more = 'at_least = "2x"\nat_most = "23x"\nmeasured = "5min"\n'
    return f'{HEADER}[[step]]\nkind = "steady"\nname = "wsat"\n{job}\n{more}'


def metrics_of(found: StepEvidence) -> dict[str, Metric]:
    return {metric.name: metric for metric in wsat_metrics(said(), [found])}


def phases(rate: Floats) -> WsatPhases:
    return phases_of(evidence(rate))


def number_of(value: float | Unknown) -> float:
    assert not isinstance(value, Unknown)
    return value


def test_preconditioning_of_a_small_drive_has_the_rate_of_its_last_capacity() -> None:
    # A measurement lasts 300 s, in which this drive is written more than once, and was fresh at first.
    found = evidence(saturation(fresh_windows=200, decay_windows=10, windows=2600))
    (rate,) = (one for one in preconditioning_metrics(said(), [found], ()) if one.name.endswith(".steady_bandwidth"))
    assert rate.value == pytest.approx(STEADY, rel=1e-3)
    assert str(rate.note) == snapshot("mean over the last 229 s")


def test_a_run_that_window_ended_keeps_its_verdict_and_gets_no_other() -> None:
    stopped = EarlyStop("window", at_bytes=3 * CAPACITY_BYTES, at_ns=500 * NS_PER_S)
    metrics = list(preconditioning_metrics(said(), [evidence(saturation(), stopped)], ()))
    found = {one.name.removeprefix(f"{one.key.point.name}."): one.value for one in metrics}
    assert found["criterion"] == "window"
    assert found["steady_at_bytes.window"] == 3 * CAPACITY_BYTES
    assert not [name for name in found if name.endswith((".held", "flat_bytes", "drift"))]


class TestCurve:
    def test_the_transition_begins_where_a_tenth_of_the_fresh_speed_is_lost(self) -> None:
        rate = saturation()
        lost = int(np.flatnonzero(rate < 0.9 * FRESH)[0])
        at_bytes = number_of(phases(rate).transition_at_bytes)
        assert at_bytes == pytest.approx(float(rate[:lost].sum() / 10), abs=3 * FRESH / 10)

    def test_the_fresh_speed_is_the_mean_up_to_there(self) -> None:
        assert phases(saturation()).fob.iops == pytest.approx(FRESH / BLOCK_BYTES, rel=0.01)

    def test_from_the_steady_phase_on_each_fifth_of_a_capacity_is_within_a_tenth(self) -> None:
        rate = saturation()
        done = np.append(0.0, np.cumsum(rate) / 10)
        begin_bytes = number_of(phases(rate).steady_from_bytes)
        fifth, step = CAPACITY_BYTES / 5, CAPACITY_BYTES / 50
        seconds = [
            np.diff(np.interp([at, at + fifth], done, np.arange(len(done)) / 10))[0]
            for at in (begin_bytes, begin_bytes - step)
        ]
        within, away = (fifth / one / STEADY for one in seconds)
        assert within <= 1.1 < away

    def test_a_rhythm_of_the_steady_drive_does_not_end_its_steady_phase(self) -> None:
        rate = saturation()
        rate[2000:] *= np.where(np.arange(4000) % 40 < 8, 0.2, 1.2)
        quiet, rhythmic = (number_of(phases(one).steady_from_bytes) for one in (saturation(), rate))
        assert rhythmic == pytest.approx(quiet, abs=CAPACITY_BYTES / 10)

    def test_the_steady_speed_is_that_of_the_last_capacity_written(self) -> None:
        steady = phases(saturation()).steady
        assert not isinstance(steady, Unknown)
        assert steady.iops == pytest.approx(STEADY / BLOCK_BYTES, rel=1e-3)
        assert steady.interval is not None
        assert steady.interval.low <= steady.iops <= steady.interval.high

    def test_a_dip_of_a_fresh_drive_is_no_transition(self) -> None:
        rate = saturation()
        dipped = rate.copy()
        dipped[300:306] = FRESH / 4
        before = number_of(phases(rate).transition_at_bytes)
        lost_bytes = 6 * 0.75 * FRESH / 10
        assert number_of(phases(dipped).transition_at_bytes) == pytest.approx(before - lost_bytes, abs=3 * FRESH / 10)

    def test_a_slow_start_belongs_to_no_phase(self) -> None:
        slow = np.concatenate([np.full(20, FRESH / 5), saturation()])
        assert phases(slow).fob.iops == pytest.approx(FRESH / BLOCK_BYTES, rel=0.01)

    def test_a_drive_as_fast_steady_as_fresh_has_no_transition(self) -> None:
        found = phases(np.full(3000, FRESH))
        assert found.transition_at_bytes == Unknown(message("unknown-never-fell", share=number(0.1, ".0%")))
        assert found.steady_from_bytes == 0
        assert found.fob.iops == pytest.approx(FRESH / BLOCK_BYTES)

    def test_what_drains_after_the_verdict_counts_for_nothing(self) -> None:
        rate = saturation()
        drained = np.concatenate([rate, np.full(40, STEADY / 50)])
        verdict = EarlyStop("window", at_bytes=0, at_ns=len(rate) * 10**8)
        assert phases_of(evidence(drained, verdict)) == phases(rate)

    def test_a_drive_that_did_not_become_steady_has_no_steady_phase(self) -> None:
        found = phases_of(evidence(saturation(windows=1500), stopped=None))
        assert (found.steady, found.steady_from_bytes) == (
            Unknown(message("unknown-not-steady")),
            Unknown(message("unknown-not-steady")),
        )
        assert number_of(found.transition_at_bytes) > 0

    @settings(max_examples=25)
    @given(st.integers(0, 10**6), st.integers(200, 1500), st.floats(5, 1000), st.floats(0.0, 0.05))
    def test_noise_moves_the_phases_little(self, seed: int, fresh: int, decay: float, sigma: float) -> None:
        quiet = saturation(fresh, decay, fresh + 8000)
        noise = np.random.default_rng(seed).lognormal(-(sigma**2) / 2, sigma, len(quiet))
        found, known = phases(quiet * noise), phases(quiet)
        assert found.fob.iops == pytest.approx(known.fob.iops, rel=0.02)
        # A tenth is lost within a tenth of the decay, and 5 % of noise blur it by half of that and a few windows.
        blur_bytes = (0.2 * decay + 6) * FRESH / 10
        assert number_of(found.transition_at_bytes) == pytest.approx(
            number_of(known.transition_at_bytes), abs=blur_bytes
        )


class TestMetrics:
    def test_their_names_begin_with_the_suites_step(self) -> None:
        found = metrics_of(evidence(saturation()))
        assert {name: one.unit for name, one in found.items()} == {
            "wsat.fob_iops": "1/s",
            "wsat.transition_at_bytes": "B",
            "wsat.steady_from_bytes": "B",
            "wsat.steady_iops": "1/s",
        }
        assert {one.step for one in found.values()} == {"precondition.rnd"}

    def test_of_a_drive_whose_purge_proves_nothing_only_the_end_is_known(self) -> None:
        found = evidence(saturation())
        metrics = metrics_of(replace(found, step=replace(found.step, state=DriveState.UNKNOWN)))
        reason = Unknown(message("unknown-drive-not-fresh"))
        assert (metrics["wsat.fob_iops"].value, metrics["wsat.transition_at_bytes"].value) == (reason, reason)
        assert isinstance(metrics["wsat.steady_iops"].value, float)

    @pytest.mark.parametrize("kinds", [[StepKind.PURGE, StepKind.REST], [StepKind.PURGE]])
    def test_random_writes_straight_after_a_purge_show_saturation(self, kinds: list[StepKind]) -> None:
        assert begins_fresh(said(), steps(kinds))

    @pytest.mark.parametrize(
        ("kinds", "pattern"),
        [([StepKind.PURGE, StepKind.FILL, StepKind.REST], "random"), ([], "random"), ([StepKind.PURGE], "sequential")],
    )
    def test_nothing_else_does(self, kinds: list[StepKind], pattern: str) -> None:
        assert not begins_fresh(said(pattern), steps(kinds))


def steps(kinds: Sequence[StepKind]) -> list[Step]:
    step = evidence(np.full(10, FRESH)).step
    return [replace(step, kind=kind) for kind in kinds]
