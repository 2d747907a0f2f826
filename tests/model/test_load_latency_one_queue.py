"""`load-latency` from purge to verdict on a drive whose writes wait in one queue for the first of several dies: the queue M/D/c."""

import pytest
from tests.kit.load_drives import metrics_of, number, run_on
from tests.kit.one_queue import (
    SERVICE_NS,
    mean_queue,
    mean_wait,
    nearly_mean_wait,
    one_queue_drive,
    response_within,
    share_answered,
)

from ssdlab.bundle.model import Outcome, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.method.builtin import load_suite

LOADS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
WRITES = "load_latency.write"
MIXES = 'mix = ["read", "r70w30", "write"]'


@pytest.fixture(scope="module", params=[2, 4, 8])
def dies(request: pytest.FixtureRequest) -> int:
    found: int = request.param
    return found


@pytest.fixture(scope="module")
def run(dies: int, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Of writes alone, which have one queue; a read must go to the die that its data is on."""
    text = load_suite("load-latency").text
    assert MIXES in text
    return run_on(one_queue_drive(dies), text.replace(MIXES, 'mix = ["write"]'), tmp_path_factory.mktemp("run"))


def load_at(run: Bundle, dies: int, name: str) -> float:
    """What a rate comes to, of all dies."""
    return number(metrics_of(run), f"{WRITES}.{name}") * SERVICE_NS / 1e9 / dies


class TestTheLawItself:
    def test_of_one_server_it_is_that_of_pollaczek_and_khinchine(self) -> None:
        for load in LOADS:
            assert mean_wait(1, load) == pytest.approx(load / (2 * (1 - load)), rel=1e-6)

    @pytest.mark.parametrize("servers", [1, 2, 4, 8])
    def test_those_who_wait_are_those_who_come_while_one_waits(self, servers: int) -> None:
        for load in LOADS:
            assert mean_queue(servers, load) == pytest.approx(servers * load * mean_wait(servers, load), abs=1e-7)

    @pytest.mark.parametrize("servers", [2, 4, 8])
    def test_it_is_what_an_approximation_of_engineers_comes_near_to(self, servers: int) -> None:
        for load in LOADS[2:]:
            assert nearly_mean_wait(servers, load) == pytest.approx(mean_wait(servers, load), rel=0.05), load

    @pytest.mark.parametrize("servers", [1, 2, 4, 8])
    def test_shares_of_waits_come_to_their_mean(self, servers: int) -> None:
        for load in LOADS[2:6]:
            late = [1 - share_answered(servers, load, 1 + (at + 0.5) / 50) for at in range(50 * 50)]
            assert sum(late) / 50 == pytest.approx(mean_wait(servers, load), rel=0.01)


def test_all_dies_are_busy_at_saturation(run: Bundle, dies: int) -> None:
    assert (run.status, run.faults) == (RunStatus.FINISHED, ())
    assert load_at(run, dies, "saturation_iops") == pytest.approx(1, rel=0.001)


def test_the_mean_response_is_that_of_the_queue_within_three_per_cent(run: Bundle, dies: int) -> None:
    for load in (5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95):
        expected = 1 + mean_wait(dies, load_at(run, dies, f"load{load}.offered_iops"))
        found = number(metrics_of(run), f"{WRITES}.load{load}.response_mean") / SERVICE_NS
        assert found == pytest.approx(expected, rel=0.03), load


def test_the_mean_wait_is_that_of_the_queue_within_three_per_cent_where_half_or_more_is_asked_for(
    run: Bundle, dies: int
) -> None:
    for load in (50, 60, 70, 75, 80, 85, 90):
        expected = mean_wait(dies, load_at(run, dies, f"load{load}.offered_iops"))
        found = number(metrics_of(run), f"{WRITES}.load{load}.response_mean") / SERVICE_NS - 1
        assert found == pytest.approx(expected, rel=0.03), load


@pytest.mark.parametrize(("percent", "share", "within"), [("99", 0.99, 0.03), ("99_9", 0.999, 0.06)])
def test_percentiles_are_those_of_the_queue(run: Bundle, dies: int, percent: str, share: float, within: float) -> None:
    # Of a million I/Os the slowest thousandth scatters by 2 % from seed to seed, as those wait long that come together.
    for load in (20, 50, 70, 80):
        expected = response_within(dies, load_at(run, dies, f"load{load}.offered_iops"), share)
        found = number(metrics_of(run), f"{WRITES}.load{load}.response_p{percent}") / SERVICE_NS
        assert found == pytest.approx(expected, rel=within), load


@pytest.mark.parametrize("limit", ["1ms", "10ms"])
def test_the_rate_within_a_limit_keeps_it_at_two_per_cent_less_and_loses_it_at_two_more(
    run: Bundle, dies: int, limit: str
) -> None:
    services = {"1ms": 1_000_000, "10ms": 10_000_000}[limit] / SERVICE_NS
    found = load_at(run, dies, f"limit{limit}.iops_within_p99_9")
    assert response_within(dies, 0.98 * found, 0.999) < services < response_within(dies, 1.02 * found, 0.999)


def test_the_audit_doubts_nothing(run: Bundle) -> None:
    assert not [check for check in run.audit if check.outcome in {Outcome.WARN, Outcome.FAIL}]
