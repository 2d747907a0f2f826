"""Latency at offered rates, on drives whose queue is known exactly."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.load_drives import (
    ASKED,
    SERVICE_NS,
    DriveByForce,
    constant_drive,
    loads,
    mean_response_ns,
    metrics_of,
    number,
    percentile_response_ns,
    rate_by_force,
    run_on,
)

from ssdlab.analysis.evidence import StepEvidence, evidence_of
from ssdlab.analysis.metrics.load_latency import load_latency_metrics
from ssdlab.bundle.model import Metric, Outcome, RunStatus, Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.punctuality import Punctuality
from ssdlab.engine.result import Direction
from ssdlab.job import StepKind
from ssdlab.method.builtin import load_suite
from ssdlab.method.kinds.load_latency import LoadLatencyStep
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_MS
from ssdlab.unknown import Unknown


@pytest.fixture(scope="module", params=[1, 4], ids=["the suite on one die", "its step on four dies"])
def dies(request: pytest.FixtureRequest) -> int:
    found: int = request.param
    return found


@pytest.fixture(scope="module")
def run(dies: int, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """All of the built-in suite; and its step alone where random writes would leave more to read on one die than on another."""
    suite = load_suite("load-latency").text if dies == 1 else loads()
    return run_on(constant_drive(dies), suite, tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def one_die(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """With few I/Os a rate, a limit that no rate keeps, and more offered than it can do."""
    suite = loads(20_000, ("10us", "1ms"), ("read", "r70w30"), (*ASKED, "120%"), ramp="100ms")
    return run_on(constant_drive(), suite, tmp_path_factory.mktemp("short"))


def offered_loads(bundle: Bundle) -> list[str]:
    return [step.point.coordinates[-1].word for step in bundle.steps if step.name.startswith("load_latency.read.load")]


def share_of(word: str) -> float:
    """Per cent of the saturation."""
    return float(word.removeprefix("load").replace("_", "."))


class TestKnownQueue:
    """Each read goes to the die that its data is on, so each die has a queue of its own: M/D/1 at the load of the drive."""

    def test_saturation_is_what_the_dies_can_do(self, run: Bundle, dies: int) -> None:
        found = number(metrics_of(run), "load_latency.read.saturation_iops")
        # By chance a few of 64 reads wait for the same die while another idles.
        assert found == pytest.approx(dies * 1e9 / SERVICE_NS, rel=0.005 if dies == 1 else 0.05)

    def test_the_mean_response_is_that_of_the_queue_within_three_per_cent(self, run: Bundle, dies: int) -> None:
        metrics = metrics_of(run)
        for word in ("load10", "load20", "load50", "load70", "load80", "load90"):
            rate_iops = number(metrics, f"load_latency.read.{word}.offered_iops")
            expected_ns = mean_response_ns(rate_iops * SERVICE_NS / 1e9 / dies)
            assert number(metrics, f"load_latency.read.{word}.response_mean") == pytest.approx(expected_ns, rel=0.03), (
                word
            )

    def test_percentiles_are_those_of_the_queue_within_three_per_cent(self, run: Bundle, dies: int) -> None:
        metrics = metrics_of(run)
        for word in ("load20", "load50", "load70"):
            load = number(metrics, f"load_latency.read.{word}.offered_iops") * SERVICE_NS / 1e9 / dies
            for percent, share in (("99", 0.99), ("99_9", 0.999)):
                expected_ns = percentile_response_ns(load, share)
                found_ns = number(metrics, f"load_latency.read.{word}.response_p{percent}")
                assert found_ns == pytest.approx(expected_ns, rel=0.03), (word, percent)

    def test_service_does_not_count_the_wait_in_the_host_and_the_rate_is_reached(self, run: Bundle) -> None:
        metrics = metrics_of(run)
        assert number(metrics, "load_latency.read.load10.clat_p50") == pytest.approx(SERVICE_NS, rel=0.01)
        offered = number(metrics, "load_latency.read.load50.offered_iops")
        assert number(metrics, "load_latency.read.load50.iops") == pytest.approx(offered, rel=0.005)
        assert number(metrics, "load_latency.read.load50.late_p99") == 0

    def test_the_knee_is_where_rate_over_latency_is_largest(self, run: Bundle, dies: int) -> None:
        # The derivative of load / (1 + load / (2 (1 - load))) is 0 at 2 - sqrt(2).
        expected = (2 - 2**0.5) * dies * 1e9 / SERVICE_NS
        knee = metrics_of(run)["load_latency.read.knee_iops"]
        assert knee.value == pytest.approx(expected, rel=0.05)
        assert knee.low is not None
        assert knee.high is not None
        assert knee.low < expected < knee.high


@pytest.mark.parametrize("limit", ["200us", "1ms", "10ms"])
def test_the_rate_within_a_limit_is_that_of_a_search_by_force(run: Bundle, dies: int, limit: str) -> None:
    limit_ns = {"200us": 200_000, "1ms": 1_000_000, "10ms": 10_000_000}[limit]
    most = dies * 10**9 // SERVICE_NS
    expected = rate_by_force(
        lambda rate_iops: DriveByForce(constant_drive(dies)).tail_ns(rate_iops, 1_500_000), limit_ns, most // 3, most
    )
    found = metrics_of(run)[f"load_latency.read.limit{limit}.iops_within_p99_9"]
    assert found.value == pytest.approx(expected, rel=0.02)
    assert found.low is not None
    assert found.high is not None
    # So near to all that the drive can do, I/Os are so much alike that a tail has no upper end: the rate has the end of the last that has one.
    assert 0.85 * expected < found.low <= found.value <= found.high < 1.1 * expected  # type: ignore[operator]


def test_a_limit_beyond_all_that_was_asked_for_is_sought_there(run: Bundle, dies: int) -> None:
    assert max(share_of(one) for one in offered_loads(run)) > 95
    found = number(metrics_of(run), "load_latency.read.limit10ms.iops_within_p99_9")
    assert 0.97 < found / (dies * 1e9 / SERVICE_NS) < 1.01


class TestWhatCannotBeKnown:
    def test_a_limit_that_no_rate_keeps_has_no_rate_and_says_so(self, one_die: Bundle) -> None:
        found = metrics_of(one_die)["load_latency.read.limit10us.iops_within_p99_9"].value
        assert isinstance(found, Unknown)
        assert "keep the limit" in str(found.reason)

    def test_percentiles_beyond_the_samples_are_unknown_with_the_reason(self, one_die: Bundle) -> None:
        metrics = metrics_of(one_die)
        assert isinstance(metrics["load_latency.read.load50.response_p99_9"].value, float)
        found = metrics["load_latency.read.load50.response_p99_9999"].value
        assert isinstance(found, Unknown)
        assert "samples lie above" in str(found.reason)
        assert metrics["load_latency.read.load50.response_p99_9999"].note is None

    def test_a_rate_within_a_limit_may_be_any_below_where_no_rate_is_sure_to_keep_it(self, tmp_path: Path) -> None:
        metrics = metrics_of(run_on(constant_drive(), loads(20_000, ("1ms",), ("read",), ("80%", "95%")), tmp_path))
        assert metrics["load_latency.read.load80.response_p99_9"].high is None
        found = metrics["load_latency.read.limit1ms.iops_within_p99_9"]
        assert isinstance(found.value, float)
        assert found.low == 0

    def test_an_overloaded_drive_has_no_percentile_that_leaves_out_what_was_never_submitted(
        self, one_die: Bundle
    ) -> None:
        metrics, point = metrics_of(one_die), "load_latency.read.load120"
        assert number(metrics, f"{point}.unsubmitted") > 5_000
        assert number(metrics, f"{point}.iops") < 0.9 * number(metrics, f"{point}.offered_iops")
        assert isinstance(metrics[f"{point}.response_p99_9"].value, Unknown)
        assert isinstance(metrics[f"{point}.response_mean"].value, Unknown)

    def test_of_a_run_that_stopped_the_rate_is_unknown(self, one_die: Bundle) -> None:
        plan = [
            replace(step, status=StepStatus.FAILED) if step.kind is StepKind.SEARCH else step for step in one_die.steps
        ]
        found = concluded(one_die, plan)["load_latency.read.limit1ms.iops_within_p99_9"].value
        assert isinstance(found, Unknown)
        assert "did not come to its end" in str(found.reason)


def test_writes_that_take_no_time_until_a_buffer_is_full_have_a_rate_within_a_limit(tmp_path: Path) -> None:
    found = metrics_of(run_on(constant_drive(), loads(20_000, ("200us",), ("write",), ("50%", "90%")), tmp_path))
    assert number(found, "load_latency.write.load50.response_p99_9") == 0
    low, high = (number(found, f"load_latency.write.{one}.offered_iops") for one in ("load50", "load90"))
    assert low < number(found, "load_latency.write.limit200us.iops_within_p99_9") < high


def test_a_ramp_in_which_by_chance_nothing_comes_takes_its_time_all_the_same(tmp_path: Path) -> None:
    slow = constant_drive().replace('["20us"]', '["20ms"]')
    bundle = run_on(slow, loads(20, ("1s",), offered=("5%",), ramp="1ms"), tmp_path)
    ramp = bundle.step("load_latency.read.load5.ramp")
    assert ramp.started_ns is not None
    assert (bundle.status, ramp.ended_ns) == (RunStatus.FINISHED, ramp.started_ns + NS_PER_MS)
    assert bundle.result(ramp).directions == {}
    assert not len(bundle.series(ramp, Direction.READ).time_ns)


def test_a_drive_so_slow_that_several_loads_come_to_the_same_rate_has_its_numbers(tmp_path: Path) -> None:
    slow = constant_drive().replace('["20us"]', '["200ms"]')
    offered = ("20%", "40%", "50%", "55%", "60%", "65%", "70%", "80%", "95%")
    bundle = run_on(slow, loads(500, ("1s",), offered=offered), tmp_path)
    metrics = metrics_of(bundle)
    rates = {number(metrics, f"load_latency.read.load{one.removesuffix('%')}.offered_iops") for one in offered}
    assert rates == {1, 2, 3, 4, 5}
    # As of any queue of one server, up to the whole rates beside it.
    assert 2 <= number(metrics, "load_latency.read.knee_iops") <= 4


class TestMixedLoad:
    def test_each_direction_has_latencies_of_its_own(self, one_die: Bundle) -> None:
        metrics = metrics_of(one_die)
        point = "load_latency.r70w30.load50"
        both = number(metrics, f"{point}.response_mean")
        reads, writes = (number(metrics, f"{point}.{way}.response_mean") for way in ("read", "write"))
        assert min(reads, writes) < both < max(reads, writes)

    def test_every_load_has_its_ramp_straight_before_it(self, one_die: Bundle) -> None:
        steps = [step for step in one_die.steps if ".load" in step.name]
        for ramp, measured in zip(steps[::2], steps[1::2], strict=True):
            assert (ramp.kind, measured.kind) == (StepKind.RAMP, StepKind.MEASURE)
            assert ramp.name == f"{measured.name}.ramp"
            assert ramp.job is not None
            assert measured.job is not None
            assert ramp.job.rate_iops == measured.job.rate_iops


def test_loads_come_in_an_order_that_the_seed_draws(one_die: Bundle, tmp_path: Path) -> None:
    asked = [f"load{one.removesuffix('%')}" for one in (*ASKED, "120%")]
    found = list(dict.fromkeys(offered_loads(one_die)))[: len(asked)]
    assert sorted(found) == sorted(asked)
    other = run_on(constant_drive(), loads(1_000, ("1ms",), offered=(*ASKED, "120%")), tmp_path, seed=2)
    assert list(dict.fromkeys(offered_loads(other)))[: len(asked)] not in (found, asked)


def test_the_audit_doubts_nothing(run: Bundle) -> None:
    assert not [check for check in run.audit if check.outcome in {Outcome.WARN, Outcome.FAIL}]


def test_the_audit_passes_a_rate_beyond_the_drive_and_says_what_it_is(one_die: Bundle) -> None:
    rates = {check.step: check for check in one_die.audit if check.name == "load.rate"}
    assert {check.outcome for check in rates.values()} == {Outcome.PASS, Outcome.NOT_APPLICABLE}
    beyond = {step for step, check in rates.items() if "more than the drive takes" in str(check.finding)}
    assert {"load_latency.read.load120", "load_latency.r70w30.load120"} <= beyond
    assert not beyond & {"load_latency.read.load50", "load_latency.r70w30.load50"}


def concluded(
    bundle: Bundle,
    plan: Sequence[Step] | None = None,
    told: Punctuality | None = None,
    busy_percent: float | None = None,
) -> dict[str, Metric]:
    """The metrics of the step again, as if the host had been otherwise."""
    step = parse_suite(bundle.run.suite.text, "mine.toml").step("load_latency")
    assert isinstance(step, LoadLatencyStep)
    finished = [one for planned in bundle.finished() if (one := evidence_of(bundle, planned)) is not None]
    own = [one if told is None else _with(one, told) for one in finished if one.step.group == step.name]
    if busy_percent is not None:
        own = [_with_busy_core(one, busy_percent) for one in own]
    steps = [one for one in (bundle.steps if plan is None else plan) if one.group == step.name]
    return {metric.name: metric for metric in load_latency_metrics(step, steps, own)}


def _with_busy_core(evidence: StepEvidence, percent: float) -> StepEvidence:
    result = replace(evidence.result, cpu_user_percent=percent - 20, cpu_system_percent=20.0)
    return replace(evidence, result=result)


def _with(evidence: StepEvidence, told: Punctuality) -> StepEvidence:
    return replace(evidence, result=replace(evidence.result, punctuality=told))


def test_where_the_generator_was_late_every_number_that_hangs_on_it_says_so(one_die: Bundle) -> None:
    late = Punctuality(late_mean_ns=1000.0, late_p99_ns=50_000, late_max_ns=90_000, unsubmitted=0)
    metrics = concluded(one_die, told=late)
    for name in ("limit1ms.iops_within_p99_9", "load50.response_p99_9", "knee_iops"):
        assert "50.0 µs late" in str(metrics[f"load_latency.read.{name}"].note), name
    punctual = replace(late, late_p99_ns=100)
    assert concluded(one_die, told=punctual)["load_latency.read.load50.response_p99"].note is None
    few = concluded(one_die, told=punctual)["load_latency.read.load50.response_p99_9"]
    assert (few.low, few.high) == (None, None)
    assert "no interval" in str(few.note)


@pytest.mark.parametrize(
    ("busy_percent", "said"),
    [
        (89.0, r"at QD\d+"),
        (91.0, r"at QD\d+, with the core of the load engine 91 % busy: it may be the host that is slow"),
    ],
)
def test_a_saturation_that_may_be_that_of_the_host_says_so(one_die: Bundle, busy_percent: float, said: str) -> None:
    metrics = concluded(one_die, busy_percent=busy_percent)
    assert re.fullmatch(said, str(metrics["load_latency.read.saturation_iops"].note))
