"""The steps of a reclaim ladder as metrics."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.kit.fill_evidence import evidence_of_fill
from tests.kit.synthetic_fill import Level, bandwidth_of, series_of

from ssdlab.analysis.evidence import StepEvidence
from ssdlab.analysis.metrics.reclaim import reclaim_metrics
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.model import Metric, Step, StepStatus
from ssdlab.job import DriveState, StepKind
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

GB = 1e9
RESTS_S = (5, 10, 15, 30, 60)


def rung(rest_s: int, cache_bytes: float) -> tuple[list[Step], StepEvidence]:
    """Fill, rest and write of one rest; the write begins a second late, as processes do."""
    series = series_of(bandwidth_of([Level(cache_bytes, 4 * GB), Level((60 - cache_bytes / 4 / GB) * GB, GB)]))
    write = evidence_of_fill(series)
    point = f"reclaim.t{rest_s}"
    common = replace(write.step, group="reclaim", point=point_of_name(point), state=DriveState.PARTLY_FILLED)
    fill = replace(common, name=f"{point}.fill", started_ns=0, ended_ns=100 * NS_PER_S)
    rest = replace(common, name=f"{point}.rest", kind=StepKind.REST, job=None, rest_ns=rest_s * NS_PER_S)
    step = replace(common, name=point, kind=StepKind.MEASURE, started_ns=(101 + rest_s) * NS_PER_S)
    return [fill, rest, step], replace(write, step=step)


def metrics(rungs: Sequence[tuple[list[Step], StepEvidence]], planned: Sequence[Step] = ()) -> dict[str, Metric]:
    plan = [step for steps, _ in rungs for step in steps]
    return {metric.name: metric for metric in reclaim_metrics("reclaim", [*plan, *planned], [one for _, one in rungs])}


LADDER = [rung(rest_s, 2 * GB + 0.5 * GB * rest_s) for rest_s in RESTS_S]


def test_each_rest_has_the_bytes_of_its_minute_and_of_the_cache() -> None:
    found = metrics(LADDER)
    assert found["reclaim.t30.cache_bytes"].value == pytest.approx(17 * GB, rel=0.02)
    assert found["reclaim.t30.bytes"].value == pytest.approx(60 * GB + 17 * GB * 0.75, rel=0.01)
    assert found["reclaim.t30.bytes"].state is DriveState.PARTLY_FILLED


def test_the_rest_is_what_it_really_was() -> None:
    assert str(metrics(LADDER)["reclaim.t30.bytes"].note) == "after 31 s of rest"


def test_the_ladder_gives_a_rate_with_its_interval() -> None:
    rate = metrics(LADDER)["reclaim.rate"]
    assert rate.value == pytest.approx(0.5 * GB, rel=0.05)
    assert rate.low is not None
    assert rate.high is not None
    assert rate.low <= 0.5 * GB <= rate.high


def test_the_rate_is_unknown_until_every_rest_is_measured() -> None:
    planned = replace(LADDER[-1][1].step, name="reclaim.t120", status=StepStatus.PLANNED)
    rate = metrics(LADDER, [planned])["reclaim.rate"]
    assert rate.value == Unknown(message("unknown-rests-measured", done=5, planned=6))
    assert rate.low is None


def test_a_skipped_ladder_gives_no_metric() -> None:
    assert metrics([]) == {}
