"""Which loads are offered, and what a percentile of an open loop is."""

from collections.abc import Callable
from math import exp, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.kit.load_drives import SERVICE_NS, percentile_response_ns

from ssdlab import _core
from ssdlab.analysis.infer.load_latency import LoadsShown, bracket, next_load
from ssdlab.analysis.statistics.response import Responses, responses_of
from ssdlab.engine.result import Histogram, Series
from ssdlab.method.builtin import load_suite
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.load_latency import LadderDepth, LoadLatencyStep, OfferedLoad
from ssdlab.method.suite import parse_suite
from ssdlab.unknown import Unknown


def said() -> LoadLatencyStep:
    step = load_suite("load-latency").step("load_latency")
    assert isinstance(step, LoadLatencyStep)
    return step


def searched(most_iops: float, best_depth: int, tail_ns: Callable[[int], float], seed: int = 1) -> LoadsShown:
    """A whole search on a drive of that saturation, reached at that depth."""
    shown = LoadsShown()
    for _ in range(100):
        match next_load(said(), seed, shown):
            case LadderDepth(queue_depth=depth):
                rate = most_iops * min(1.0, depth / best_depth)
                shown = LoadsShown({**shown.rates, depth: rate}, shown.tails_ns)
            case OfferedLoad(load=load, saturation_iops=most):
                assert most == max(shown.rates.values())
                shown = LoadsShown(shown.rates, {**shown.tails_ns, load: tail_ns(load)})
            case None:
                return shown
    raise AssertionError("it does not end")


def queue_tail_ns(load: int) -> float:
    """Some 20 us, and more the less of the drive is idle."""
    return inf if load >= 10_000 else 20_000 + 70_000 * load / (10_000 - load)


class TestLadder:
    def test_it_ends_where_two_doublings_gain_nothing(self) -> None:
        assert list(searched(1e6, 32, queue_tail_ns).rates) == [1, 2, 4, 8, 16, 32, 64, 128]

    def test_it_goes_to_its_end_where_the_drive_gains_to_the_last(self) -> None:
        assert max(searched(1e6, 4096, queue_tail_ns).rates) == 1024


class TestLoads:
    def test_every_load_asked_for_is_offered_before_any_other(self) -> None:
        offered = list(searched(1e6, 32, queue_tail_ns).tails_ns)
        asked = said().offered.loads
        assert sorted(offered[: len(asked)]) == sorted(asked)
        assert offered[: len(asked)] != sorted(asked)

    def test_each_limit_is_lost_between_two_loads_that_are_close(self) -> None:
        tails_ns = searched(1e6, 32, queue_tail_ns).tails_ns
        for limit_ns in said().limits.response_p99_9_ns:
            kept, lost = bracket(limit_ns, tails_ns)
            assert kept is not None
            assert lost is not None
            assert 1 - kept / lost <= 0.015
            assert queue_tail_ns(kept) <= limit_ns < queue_tail_ns(lost)

    def test_limits_that_are_never_lost_are_followed_to_twice_the_saturation(self) -> None:
        tails_ns = searched(1e6, 32, lambda _: 20_000.0).tails_ns
        assert max(tails_ns) == 20_000
        assert bracket(200_000, tails_ns) == (20_000, None)

    def test_limits_that_are_never_kept_are_followed_to_half_a_per_cent(self) -> None:
        tails_ns = searched(1e6, 32, lambda _: 1e9).tails_ns
        assert 50 <= min(tails_ns) < 100
        assert bracket(200_000, tails_ns)[0] is None

    @settings(max_examples=20, deadline=None)
    @given(st.lists(st.floats(1e3, 1e9), min_size=400, max_size=400), st.integers(0, 2**32))
    def test_it_ends_whatever_the_drive_does(self, noise: list[float], seed: int) -> None:
        searched(1e6, 32, lambda load: noise[load // 50 - 1], seed)


def histogram_of(latencies_ns: NDArray[np.float64]) -> Histogram:
    bins, counts = np.unique([_core.bin_index(int(one)) for one in latencies_ns], return_counts=True)
    return Histogram(
        bin_index=bins.astype(np.int64),
        count=counts.astype(np.int64),
        mean_ns=float(latencies_ns.mean()),
        min_ns=int(latencies_ns.min()),
        max_ns=int(latencies_ns.max()),
        stddev_ns=float(latencies_ns.std(ddof=1)),
    )


class TestResponses:
    def test_what_was_never_submitted_is_slower_than_all_else(self) -> None:
        done = histogram_of(np.full(99_950, 50_000.0))
        few, many = Responses(done, 50, 1.0), Responses(done, 200, 1.0)
        assert few.percentile_ns("99.9") == pytest.approx(50_000, rel=0.01)
        assert isinstance(many.percentile_ns("99.9"), Unknown)
        assert many.tail_ns("99.9") == inf
        interval = few.interval_ns("99.9")
        assert interval is not None
        assert interval.low == pytest.approx(50_000, rel=0.01)

    def test_too_few_samples_decide_and_are_not_quoted(self) -> None:
        found = Responses(histogram_of(np.full(500, 50_000.0)), 0, 1.0)
        assert found.tail_ns("99.9") == pytest.approx(50_000, rel=0.01)
        assert isinstance(found.percentile_ns("99.9"), Unknown)

    @pytest.mark.parametrize("alike", [1, 20])
    def test_the_interval_of_a_percentile_that_few_independent_ios_tell_of_is_open_above(self, alike: int) -> None:
        truth_ns, random, held, ends = exp(11 + 0.5 * 3.0902), np.random.default_rng(5), 0, []
        for _ in range(100):
            done = histogram_of(np.repeat(np.exp(11 + 0.5 * random.standard_normal(20_000 // alike)), alike))
            interval = Responses(done, 0, float(alike)).interval_ns("99.9")
            assert interval is not None
            ends.append(interval.high)
            held += interval.low / 1.008 <= truth_ns <= interval.high * 1.008
        assert held >= 93
        assert {one == inf for one in ends} == {alike > 1}

    def test_the_interval_of_a_queue_holds_the_truth_nine_times_in_ten(self) -> None:
        truth_ns = percentile_response_ns(0.5, 0.99) / SERVICE_NS * _SERVICE_NS
        random, held = np.random.default_rng(3), 0
        for _ in range(100):
            found = responses_of(*_queue(random, load=0.5, ios=20_000), 0)
            assert found is not None
            interval = found.interval_ns("99")
            assert interval is not None
            held += interval.low * 0.99 <= truth_ns <= interval.high * 1.01
        assert held >= 90

    def test_independent_ios_tell_one_each_and_those_of_a_queue_less(self) -> None:
        random = np.random.default_rng(4)
        idle = responses_of(*_queue(random, load=0.05, ios=20_000), 0)
        busy = responses_of(*_queue(random, load=0.9, ios=20_000), 0)
        assert idle is not None
        assert busy is not None
        assert isinstance(idle.per_sample, float)
        assert idle.per_sample < 3
        assert isinstance(busy.per_sample, float)
        assert busy.per_sample > 20


_SERVICE_NS = 10_000.0


def _queue(random: np.random.Generator, load: float, ios: int) -> tuple[list[Histogram], list[Series]]:
    """Waits of M/D/1 by Lindley's recursion; windows of 1/50 of the time."""
    gaps_ns = random.exponential(_SERVICE_NS / load, ios)
    sums = np.concatenate([[0.0], np.cumsum(_SERVICE_NS - gaps_ns[1:])])
    response_ns = sums - np.minimum.accumulate(sums) + _SERVICE_NS
    done_ns = np.cumsum(gaps_ns) + response_ns
    window_ns = int(done_ns[-1] / 50) + 1
    place = (done_ns // window_ns).astype(int)
    counts = np.bincount(place, minlength=50)
    means = np.bincount(place, response_ns, minlength=50) / counts
    series = Series(
        window_ns=window_ns,
        time_ns=(np.arange(len(counts)) + 1) * window_ns,
        bandwidth_bytes_per_s=np.asarray(counts * 4096.0, dtype=np.float64),
        iops=np.asarray(counts / (window_ns / 1e9), dtype=np.float64),
        latency_ns_mean=means,
        latency_ns_max=means,
    )
    return [histogram_of(response_ns)], [series]


def test_a_suite_for_fio_cannot_offer_loads() -> None:
    text = load_suite("load-latency").text.replace('engine = "load"', 'engine = "any"', 1)
    with pytest.raises(SuiteError) as caught:
        parse_suite(text, "mine.toml")
    assert 'engine = "load"' in str(caught.value)
