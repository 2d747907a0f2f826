"""Each fault of a measurement is caught by the check that is there for it, and by no other."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.kit.clean_evidence import clean
from tests.kit.fill_evidence import evidence_of_fill, with_result, with_totals
from tests.kit.synthetic_fill import BLOCK_BYTES, WINDOW_NS, series_of

from ssdlab import _core
from ssdlab.analysis.audit.of_fio_json import facts_of_report
from ssdlab.analysis.audit.rule import AuditRule, unknown
from ssdlab.analysis.audit.run import RULES, applicable, audit_of, failed, findings
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.bundle.model import Outcome
from ssdlab.engine.fio.document import FioDocument
from ssdlab.engine.result import Direction, Dropped, LatencyKind, Series
from ssdlab.job import Draw, Pattern, StepKind
from ssdlab.message import verbatim
from ssdlab.units import NS_PER_S

WRITE = Direction.WRITE


SENSORS = {"device.temperature", "device.throttled", "device.link", "device.error_log", "device.kernel_log"}
"""Unknown as long as nothing reads a sensor."""


def outcomes(evidence: StepEvidence) -> dict[str, Outcome]:
    """Checks that apply and did not pass, but for those of sensors."""
    checks = [check for check in applicable(audit_of(evidence)) if check.name not in SENSORS]
    return {check.name: check.outcome for check in checks if check.outcome is not Outcome.PASS}


def finding(evidence: StepEvidence, name: str) -> str:
    return next(str(check.finding) for check in audit_of(evidence) if check.name == name)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_words_for_what_is_not_known(rule: AuditRule) -> None:
    """Whatever a judge may not know, on evidence that nobody has thought of."""
    (facts, *_) = facts_of_report(FioDocument.model_validate({"fio version": "fio-3.28", "jobs": [{}]}), ())
    check = replace(rule, judge=lambda _: unknown(verbatim("it is not said"))).check(facts)
    assert check.outcome is Outcome.UNKNOWN
    assert str(check.meaning)


def with_latency(evidence: StepEvidence, kind: LatencyKind, scale: float) -> StepEvidence:
    """One kind of latency multiplied, in its mean and in its bins."""
    totals, histogram = evidence.result.directions[WRITE], evidence.latency[WRITE][kind]
    bins = [_core.bin_index(int(_core.bin_mid(int(index)) * scale)) for index in histogram.bin_index]
    bin_index, of_bin = np.unique(bins, return_inverse=True)
    count = np.bincount(of_bin, weights=histogram.count).astype(np.int64)
    scaled = replace(histogram, bin_index=bin_index, count=count, max_ns=int(histogram.max_ns * scale))
    known = totals.latency[kind]
    stats = replace(
        known,
        mean_ns=known.mean_ns * scale,
        min_ns=int(known.min_ns * scale),
        max_ns=int(known.max_ns * scale),
    )
    changed = with_totals(evidence, latency={**totals.latency, kind: stats})
    return replace(changed, latency={WRITE: {**evidence.latency[WRITE], kind: scaled}})


def with_series(evidence: StepEvidence, series: Series) -> StepEvidence:
    return replace(evidence, series={WRITE: series})


def without_kind(evidence: StepEvidence, kind: LatencyKind) -> StepEvidence:
    totals = evidence.result.directions[WRITE]
    kept = {one: stats for one, stats in totals.latency.items() if one is not kind}
    bins = {one: histogram for one, histogram in evidence.latency[WRITE].items() if one is not kind}
    return replace(with_totals(evidence, latency=kept), latency={WRITE: bins})


def with_dropped(evidence: StepEvidence, *options: str) -> StepEvidence:
    return with_result(evidence, dropped=tuple(Dropped(option, verbatim("not here")) for option in options))


def with_stall(evidence: StepEvidence) -> StepEvidence:
    """Half a second in which nothing completed, in the middle of the job."""
    series = evidence.series[WRITE]
    time_ns = series.time_ns.copy()
    time_ns[200:] += 5 * WINDOW_NS
    rate = series.bandwidth_bytes_per_s.copy()
    rate[200] /= 6
    stalled = with_series(evidence, replace(series, time_ns=time_ns, bandwidth_bytes_per_s=rate))
    longer_ns = evidence.result.elapsed_ns + 5 * WINDOW_NS
    step = replace(evidence.step, ended_ns=longer_ns)
    return replace(with_totals(with_result(stalled, elapsed_ns=longer_ns), runtime_ns=longer_ns), step=step)


def with_job(evidence: StepEvidence, pattern: Pattern, draw: Draw) -> StepEvidence:
    return replace(evidence, job=replace(evidence.job, pattern=pattern, draw=draw))


def not_applying(evidence: StepEvidence) -> set[str]:
    return {check.name for check in audit_of(evidence) if check.outcome is Outcome.NOT_APPLICABLE}


def overflowing(evidence: StepEvidence) -> StepEvidence:
    """Some I/Os above the last bin's lower end."""
    bins = evidence.latency[WRITE][LatencyKind.LAT]
    count = bins.count.copy()
    count[-1] -= 12
    longer = replace(
        bins,
        bin_index=np.append(bins.bin_index, _core.BIN_COUNT - 1),
        count=np.append(count, 12),
        max_ns=94 * NS_PER_S,
    )
    return replace(evidence, latency={WRITE: {**evidence.latency[WRITE], LatencyKind.LAT: longer}})


def test_a_clean_pass_passes_every_check() -> None:
    assert outcomes(clean()) == {}
    assert [check.name for check in audit_of(clean())] == [rule.name for rule in RULES]


def test_check_names_are_unique_and_dotted() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(name.count(".") == 1 for name in names)


FAULTS: dict[str, tuple[Callable[[StepEvidence], StepEvidence], dict[str, Outcome]]] = {
    "clat above lat": (
        lambda one: with_latency(one, LatencyKind.CLAT, 35.0),
        {"latency.clat_within_lat": Outcome.FAIL},
    ),
    "clat undershoots": (
        lambda one: with_latency(one, LatencyKind.CLAT, 0.3),
        {"latency.clat_low_end": Outcome.WARN},
    ),
    "no total latency": (
        lambda one: without_kind(one, LatencyKind.LAT),
        {
            "latency.clat_within_lat": Outcome.UNKNOWN,
            "latency.clat_low_end": Outcome.UNKNOWN,
            "queue.littles_law": Outcome.UNKNOWN,
        },
    ),
    "I/Os missing from the bins": (
        lambda one: with_totals(one, io_count=one.result.directions[WRITE].io_count + 1),
        {"latency.histogram_whole": Outcome.FAIL},
    ),
    "latencies beyond the bins": (overflowing, {"latency.histogram_whole": Outcome.WARN}),
    "logs lack two per cent": (
        lambda one: with_totals(one, logged_bytes=round(one.result.directions[WRITE].io_bytes * 0.98)),
        {"bytes.logs_agree": Outcome.FAIL},
    ),
    "logs have two per cent too much": (
        lambda one: with_totals(one, logged_bytes=round(one.result.directions[WRITE].io_bytes * 1.02)),
        {"bytes.logs_agree": Outcome.FAIL},
    ),
    "windows do not add up": (
        lambda one: with_series(
            one, replace(one.series[WRITE], bandwidth_bytes_per_s=one.series[WRITE].bandwidth_bytes_per_s * 0.98)
        ),
        {"bytes.series_agrees": Outcome.FAIL},
    ),
    "not all was written": (
        lambda one: replace(
            one,
            job=replace(
                one.job, region=replace(one.job.region, length_bytes=one.job.region.length_bytes + BLOCK_BYTES)
            ),
        ),
        {"coverage.fill": Outcome.FAIL},
    ),
    "a job that ended early": (
        lambda one: replace(
            one,
            job=replace(one.job, amount_bytes=2 * one.result.directions[WRITE].io_bytes),
            step=replace(one.step, kind=StepKind.MEASURE),
        ),
        {"load.duration": Outcome.FAIL},
    ),
    "random offsets with holes, as the method asks": (
        lambda one: with_job(one, Pattern.RANDOM, Draw.INDEPENDENT),
        {"coverage.fill": Outcome.WARN},
    ),
    "errors": (lambda one: with_result(one, error_count=1), {"io.errors": Outcome.FAIL}),
    "short I/Os": (lambda one: with_totals(one, short_ios=3), {"io.short": Outcome.WARN}),
    "fio too old for SQPOLL": (lambda one: with_result(one, engine="fio-3.33"), {"fio.version": Outcome.FAIL}),
    "unknown engine": (lambda one: with_result(one, engine="hand-made"), {"fio.version": Outcome.UNKNOWN}),
    "an option that matters": (lambda one: with_dropped(one, "refill_buffers"), {"options.dropped": Outcome.WARN}),
    "a busy core": (lambda one: with_result(one, cpu_system_percent=90.0), {"host.cpu": Outcome.WARN}),
    "processor time unknown": (lambda one: with_result(one, cpu_user_percent=None), {"host.cpu": Outcome.UNKNOWN}),
    "a stall": (with_stall, {"series.regular": Outcome.WARN}),
    "a series that ends early": (
        lambda one: with_totals(one, runtime_ns=one.result.directions[WRITE].runtime_ns + 2 * NS_PER_S),
        {"series.regular": Outcome.FAIL},
    ),
    "a host that slept": (
        lambda one: replace(one, step=replace(one.step, ended_ns=(one.step.ended_ns or 0) + 3600 * NS_PER_S)),
        {"clock.agrees": Outcome.WARN},
    ),
    "an engine that claims more time than there was": (
        lambda one: replace(one, step=replace(one.step, ended_ns=(one.step.ended_ns or 0) - 5 * NS_PER_S)),
        {"clock.agrees": Outcome.WARN},
    ),
    "no clock": (lambda one: replace(one, step=replace(one.step, ended_ns=None)), {"clock.agrees": Outcome.UNKNOWN}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught_by_its_check_alone(fault: str) -> None:
    spoil, expected = FAULTS[fault]
    assert outcomes(spoil(clean())) == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.95, None), (0.85, Outcome.WARN), (0.60, Outcome.FAIL), (1.05, None), (1.5, Outcome.FAIL)],
)
def test_littles_law_tells_how_full_the_queue_was(share: float, expected: Outcome | None) -> None:
    found = outcomes(clean(latency_scale=share))
    assert found == ({} if expected is None else {"queue.littles_law": expected})


def test_littles_law_says_both_depths() -> None:
    assert finding(clean(0.5), "queue.littles_law") == "QD 256 asked, IOPS x mean latency gives 128"


def test_a_brief_job_whose_last_ios_take_long_need_not_keep_its_queue_full() -> None:
    brief = evidence_of_fill(series_of(np.full(10, 1e9)))
    runtime_ns = brief.result.directions[WRITE].runtime_ns
    half = with_latency(brief, LatencyKind.LAT, 0.5)
    latency = half.result.directions[WRITE].latency
    longest = replace(latency[LatencyKind.LAT], max_ns=runtime_ns // 2)
    slow = with_totals(half, latency={**latency, LatencyKind.LAT: longest})
    assert outcomes(half)["queue.littles_law"] is Outcome.FAIL
    assert "queue.littles_law" not in outcomes(slow)


def test_an_open_loop_has_no_queue_depth_to_check() -> None:
    paced = replace(clean(), job=replace(clean().job, rate_iops=1000))
    assert "queue.littles_law" in not_applying(paced)


def test_what_was_in_flight_at_the_end_may_be_missing_from_the_logs() -> None:
    small = evidence_of_fill(series_of(np.full(20, 1e9)))
    total_bytes = small.result.directions[WRITE].io_bytes
    in_flight_bytes = 256 * BLOCK_BYTES
    assert in_flight_bytes > 0.01 * total_bytes
    assert outcomes(with_totals(small, logged_bytes=total_bytes - in_flight_bytes)) == {}
    assert outcomes(with_totals(small, logged_bytes=total_bytes + in_flight_bytes)) == {
        "bytes.logs_agree": Outcome.FAIL
    }


def test_a_job_of_a_single_window_has_no_line_in_a_log() -> None:
    single = evidence_of_fill(series_of(np.full(1, 1e9)))
    assert outcomes(with_totals(single, logged_bytes=0)).get("bytes.logs_agree") is None


def test_more_than_the_last_window_missing_from_the_logs_is_a_fault() -> None:
    small = evidence_of_fill(series_of(np.full(20, 1e9)))
    total_bytes = small.result.directions[WRITE].io_bytes
    assert outcomes(with_totals(small, logged_bytes=round(total_bytes * 0.85)))["bytes.logs_agree"] is Outcome.FAIL


def test_a_job_of_few_windows_may_speed_up_in_its_last_one_if_its_latencies_do() -> None:
    brief = evidence_of_fill(series_of(np.array([1e8, 1e9])))
    sped_up = with_totals(brief, logged_bytes=round(1e8 * 0.1))
    slower = with_latency(with_latency(sped_up, LatencyKind.LAT, 2), LatencyKind.CLAT, 2)
    assert "bytes.logs_agree" not in outcomes(sped_up)
    assert outcomes(slower)["bytes.logs_agree"] is Outcome.FAIL


def test_of_a_dozen_windows_the_last_may_be_the_fastest() -> None:
    dozen = evidence_of_fill(series_of(np.array([1e9] * 11 + [1.4e9])))
    assert outcomes(with_totals(dozen, logged_bytes=round(11 * 1e8))) == {}
    assert outcomes(with_totals(dozen, logged_bytes=round(10 * 1e8)))["bytes.logs_agree"] is Outcome.FAIL


def test_old_fio_is_fine_without_sqpoll() -> None:
    old = with_dropped(with_result(clean(), engine="fio-3.33"), "sqthread_poll")
    assert outcomes(old) == {}
    assert finding(old, "fio.version") == "fio 3.33, sqthread_poll off"


def test_options_of_the_path_matter_only_to_short_latencies() -> None:
    assert outcomes(with_dropped(clean(), "hipri", "fixedbufs")) == {}
    quick = with_latency(with_latency(clean(), LatencyKind.LAT, 0.002), LatencyKind.CLAT, 0.002)
    assert outcomes(with_dropped(quick, "hipri"))["options.dropped"] is Outcome.WARN


def test_options_of_the_path_do_not_matter_where_nothing_was_done() -> None:
    nothing = replace(with_result(clean(), directions={}), series={}, latency={})
    assert outcomes(with_dropped(nothing, "hipri")).get("options.dropped") is None
    assert outcomes(with_dropped(nothing, "refill_buffers"))["options.dropped"] is Outcome.WARN


def test_dropped_options_are_named_even_where_they_do_not_matter() -> None:
    assert (
        finding(with_dropped(clean(), "log_window_value=both"), "options.dropped") == "log_window_value=both: not here"
    )


def test_virtual_time_needs_no_processor_and_no_fio() -> None:
    model = with_result(clean(), engine="model-0.1.0", cpu_user_percent=None, cpu_system_percent=None)
    assert outcomes(model) == {}


def test_coverage_is_asked_of_fills_only() -> None:
    measured = replace(clean(), step=replace(clean().step, kind=StepKind.MEASURE))
    assert "coverage.fill" in not_applying(measured)


def test_a_long_last_window_is_the_draining_of_the_queue() -> None:
    evidence = clean()
    series = evidence.series[WRITE]
    time_ns = series.time_ns.copy()
    time_ns[-1] += 3 * WINDOW_NS
    rate = series.bandwidth_bytes_per_s.copy()
    rate[-1] /= 4
    drained = with_series(evidence, replace(series, time_ns=time_ns, bandwidth_bytes_per_s=rate))
    assert outcomes(drained) == {}


def test_several_directions_give_one_check_with_the_worst_outcome() -> None:
    evidence = clean()
    totals = evidence.result.directions[WRITE]
    both = replace(
        with_result(evidence, directions={Direction.READ: totals, WRITE: replace(totals, short_ios=2)}),
        series={Direction.READ: evidence.series[WRITE], WRITE: evidence.series[WRITE]},
        latency={Direction.READ: evidence.latency[WRITE], WRITE: evidence.latency[WRITE]},
    )
    (short,) = [check for check in audit_of(both) if check.name == "io.short"]
    assert short.outcome is Outcome.WARN
    assert str(short.finding).startswith("read: 0 of ")
    assert "; write: 2 of " in str(short.finding)


def test_failed_lists_failures_and_not_warnings() -> None:
    audit = audit_of(with_totals(with_result(clean(), error_count=2), short_ios=1))
    assert [check.name for check in failed(audit)] == ["io.errors"]


def named(evidence: StepEvidence, step: str) -> StepEvidence:
    return replace(evidence, step=replace(evidence.step, name=step))


def test_what_many_steps_have_in_common_is_said_once_the_worst_first() -> None:
    broken = with_result(clean(), error_count=1)
    audit = [check for number in range(5) for check in audit_of(named(broken, f"fill.pass{number}"))]
    found = findings(applicable(audit))
    assert (found[0].check.name, str(found[0].where)) == ("io.errors", "fill.pass0, fill.pass1, fill.pass2 and 2 more")
    assert sum(len(one.steps) for one in found) == len(applicable(audit))


def test_checks_that_passed_with_other_words_are_one_too() -> None:
    audit = [*audit_of(clean()), *audit_of(named(clean(0.95), "fill.pass2"))]
    (found,) = [one for one in findings(audit) if one.check.name == "queue.littles_law"]
    assert str(found.check.finding) == "fill.pass1: QD 256 asked, IOPS x mean latency gives 256; others likewise"


def test_a_check_gives_what_it_compared_as_numbers_and_says_what_to_do() -> None:
    (law,) = [check for check in audit_of(clean(0.5)) if check.name == "queue.littles_law"]
    assert [(one.name, round(float(one.value)), one.unit) for one in law.numbers] == [
        ("queue_depth", 256, ""),
        ("in_flight", 128, ""),
    ]
    assert str(law.remedy).startswith("use an engine that does not wait")


def test_a_check_that_passed_or_does_not_apply_asks_for_nothing() -> None:
    quiet = {Outcome.PASS, Outcome.NOT_APPLICABLE}
    assert {check.remedy for check in audit_of(clean()) if check.outcome in quiet} == {None}


def test_every_outcome_a_rule_can_have_has_a_meaning_and_every_rule_a_remedy() -> None:
    for rule in RULES:
        assert not str(rule.remedy).endswith(".")
        assert set(rule.meaning) <= set(Outcome) - {Outcome.NOT_APPLICABLE}
        assert set(rule.meaning) & {Outcome.WARN, Outcome.FAIL, Outcome.UNKNOWN}
