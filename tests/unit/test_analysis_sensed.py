"""What sensors said of a step becomes facts of the audit, and its writes' amplification a metric."""

from dataclasses import replace

import pytest
from tests.kit.clean_evidence import clean

from ssdlab.analysis.audit.facts import Span
from ssdlab.analysis.audit.run import audit_of
from ssdlab.analysis.audit.sensed import amplification_metrics, sensed_of
from ssdlab.analysis.evidence import StepEvidence
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.model import Outcome, SensedStep
from ssdlab.drive.sense.reading import SensorReading, nothing_known
from ssdlab.engine.sensing import Sample
from ssdlab.engine.sensing import series_of as sensor_series_of
from ssdlab.job import StepKind
from ssdlab.message import message, verbatim
from ssdlab.unknown import Unknown

NOTHING = nothing_known(Unknown(message("unknown-not-asked")))
FILL = clean()
CAPACITY = FILL.run.drive.capacity_bytes


def counted(host_bytes: int, media_bytes: int, unit_bytes: int = 1) -> SensorReading:
    return replace(NOTHING, host_written_bytes=host_bytes, media_written_bytes=media_bytes, host_unit_bytes=unit_bytes)


def between(
    before: SensorReading, after: SensorReading, *during: SensorReading, messages: tuple[str, ...] | Unknown = ()
) -> StepEvidence:
    said = SensedStep(before=before, after=after, messages=messages)
    series = sensor_series_of([Sample(second, one) for second, one in enumerate((before, *during, after))])
    return replace(FILL, result=replace(FILL.result, sensed=said), sensors=series)


def outcome(evidence: StepEvidence, name: str) -> Outcome:
    return next(check.outcome for check in audit_of(evidence) if check.name == name)


def test_the_warmest_moment_counts_also_if_it_was_between_the_ends() -> None:
    cold, hot = replace(NOTHING, temperature_c=40.0), replace(NOTHING, temperature_c=75.0)
    sensed = sensed_of(between(cold, cold, hot))
    assert not isinstance(sensed, Unknown)
    assert sensed.temperature_celsius == Span(40, 75)
    assert outcome(between(cold, cold, hot), "device.temperature") is Outcome.WARN


def test_amplification_is_what_the_media_was_given_per_byte_of_the_host() -> None:
    (metric,) = amplification_metrics([between(counted(7, 11), counted(7 + CAPACITY, 11 + 3 * CAPACITY))])
    assert (metric.name, metric.value, metric.unit, metric.low) == ("fill.pass1.write_amplification", 3.0, "", None)


def test_units_of_counting_leave_an_interval() -> None:
    (metric,) = amplification_metrics([between(counted(0, 0, 512_000), counted(CAPACITY, CAPACITY, 512_000))])
    assert metric.low is not None
    assert metric.high is not None
    assert metric.low < 1.0 < metric.high < metric.low * 1.01


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(counted(CAPACITY // 200, CAPACITY), id="too little was written"),
        pytest.param(counted(CAPACITY, CAPACITY, CAPACITY), id="the drive counts in units of as much"),
        pytest.param(
            replace(counted(CAPACITY, 0), media_written_bytes=Unknown(verbatim("not told"))),
            id="one counter is missing",
        ),
    ],
)
def test_where_counters_cannot_tell_there_is_no_amplification(after: SensorReading) -> None:
    assert list(amplification_metrics([between(counted(0, 0), after)])) == []


def test_runs_of_a_point_are_added_up_and_a_fill_that_prepares_one_is_left_out() -> None:
    run = between(counted(0, 0), counted(CAPACITY, 2 * CAPACITY))
    point = replace(FILL.step, kind=StepKind.MEASURE, name="rnd.w.run1", point=point_of_name("rnd.w"))
    runs = [replace(run, step=point), replace(run, step=replace(point, name="rnd.w.run2"))]
    fill = replace(run, step=replace(FILL.step, name="rnd.fill", point=point_of_name("rnd.w")))
    (metric,) = amplification_metrics([fill, *runs])
    assert (metric.name, metric.value) == ("rnd.w.write_amplification", 2.0)


def test_counters_are_judged_by_how_they_grew() -> None:
    before = replace(NOTHING, throttled_s=100.0, error_log_entries=5, link="16.0 GT/s PCIe x4", temperature_c=40.0)
    quiet, loud = (
        between(before, before),
        replace(before, throttled_s=104.0, error_log_entries=6, link="8.0 GT/s PCIe x4"),
    )
    names = ("device.throttled", "device.error_log", "device.link", "device.kernel_log")
    assert [outcome(quiet, name) for name in names] == [Outcome.PASS] * 4
    worse = between(before, loud, messages=("nvme0: reset",))
    assert [outcome(worse, name) for name in names] == [Outcome.FAIL, Outcome.WARN, Outcome.FAIL, Outcome.WARN]
