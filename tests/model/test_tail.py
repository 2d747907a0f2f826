"""Points that go on until a percentile of their latencies can be told, in virtual time."""

import pytest
from tests.kit.load_drives import metrics_of, run_on
from tests.kit.load_suite import load_suite, random_ios

from ssdlab import _core
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import PointEnding
from ssdlab.lab.point_tail import TOLD
from ssdlab.units import NS_PER_S

ENDS = 'limit = "15s", until = "5%"'
SWEEP = 'read = ["100%", "70%"], qd = [1]'
SUITE = load_suite(
    "tail",
    random_ios("mean", ENDS, SWEEP),
    random_ios("tail", f'{ENDS}, tail = "99.999%", budget = "10min"', SWEEP),
    random_ios("short", f'{ENDS}, tail = "99.9999%", budget = "20s"', 'read = ["100%"], qd = [1]'),
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(_core.spec_text("demo"), SUITE, tmp_path_factory.mktemp("tail"))


def test_a_percentile_that_is_asked_for_can_be_told_of_each_direction(bundle: Bundle) -> None:
    metrics = metrics_of(bundle)
    for point in ("q1.r100", "q1.r70.read", "q1.r70.write"):
        assert f"mean.{point}.clat_p99_999" not in metrics
        assert f"tail.{point}.clat_p99_999" in metrics


def test_it_takes_no_more_ios_than_the_percentile_needs_and_what_was_known_of_the_mean_stays(bundle: Bundle) -> None:
    step = next(one for one in bundle.finished() if one.name == "tail.q1.r100")
    result = bundle.result(step)
    assert result.stopped is not None
    assert result.stopped.criterion == TOLD
    assert result.stopped.at_bytes // 4096 == pytest.approx(1_000_000, rel=0.01)
    assert result.point_end is not None
    assert result.point_end.because is PointEnding.ENOUGH
    assert result.point_end.seen_ns < result.elapsed_ns


def test_a_budget_that_is_over_first_is_told_and_the_percentile_stays_unknown(bundle: Bundle) -> None:
    step = next(one for one in bundle.finished() if one.name == "short.q1.r100")
    (warning,) = bundle.warnings
    assert "the 99.9999 % latency needs 10,000,000" in warning
    assert bundle.result(step).elapsed_ns == pytest.approx(20 * NS_PER_S, rel=0.01)
    assert "short.q1.r100.clat_p99_9999" not in metrics_of(bundle)
