"""The enterprise suite under `adaptive` and under `standard`, on a small drive in virtual time: shorter, and no other answers."""

from math import hypot

import pytest
from tests.study.adaptive_suite_study import TOLERANCE, numbers, run_under

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import Metric, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import PointEnding
from ssdlab.job import StepKind
from ssdlab.method.builtin import load_suite
from ssdlab.method.suite import parse_suite
from ssdlab.report.method_words import scaling_words
from ssdlab.report.point_ends import ended_points
from ssdlab.units import NS_PER_S

RATES = (".iops", ".bandwidth")
DEPTHS = "qd = [1, 2, 4, 8, 16, 32, 64, 128, 256]"
LATENCIES_ALIKE_MIN = 0.8
"""Share of them within it. Of two runs of `standard` on this drive that differ in their seed alone it was 0.88."""


def shortened() -> str:
    """At two depths, for a tenth of the time where points have a fixed one, and without BootBench, which is the same under both."""
    text, _, _ = load_suite("enterprise").text.partition("[[step]]                 # E5: BootBench")
    assert text.count(DEPTHS) == 2
    assert text.count('ramp = "30s", limit = "5min"') == 8
    text = text.replace('ramp = "30s", limit = "5min"', 'ramp = "3s", limit = "30s"').replace("99.999%", "99.9%")
    return text.replace(DEPTHS, "qd = [1, 32]")


def differs(one: Metric, other: Metric) -> bool:
    """By more than both intervals and the tolerance allow."""
    assert isinstance(one.value, int | float)
    assert isinstance(other.value, int | float)
    reaches = [0.0 if each.low is None or each.high is None else (each.high - each.low) / 2 for each in (one, other)]
    return abs(one.value - other.value) > max(hypot(*reaches), TOLERANCE * abs(one.value))


def measured_s(bundle: Bundle) -> float:
    """How long points took, their ramps included."""
    kinds = {StepKind.MEASURE, StepKind.RAMP}
    steps = [step for step in bundle.finished() if step.kind in kinds and step.group in {"seq", "rnd"}]
    return sum(bundle.result(step).elapsed_ns for step in steps) / NS_PER_S


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bundle]:
    """Of one drive; the study has the others."""
    directory = tmp_path_factory.mktemp("both")
    suite = parse_suite(shortened(), "shortened.toml")
    return {name: run_under(name, suite, "model:demo?capacity=256MiB", directory) for name in ("standard", "adaptive")}


def test_all_rates_and_most_latencies_agree_in_less_time(
    both: dict[str, Bundle], capsys: pytest.CaptureFixture[str]
) -> None:
    standard, adaptive = (numbers(both[name]) for name in ("standard", "adaptive"))
    common = standard.keys() & adaptive.keys()
    times_s = [measured_s(both[name]) for name in ("adaptive", "standard")]
    with capsys.disabled():
        print(f" {both['standard'].run.drive.target}: points {times_s[0]:.0f} s / {times_s[1]:.0f} s", end=" ")
    different = [name for name in sorted(common) if differs(standard[name], adaptive[name])]
    assert len(common) > 150
    assert [name for name in different if name.endswith(RATES)] == []
    assert len(different) < (1 - LATENCIES_ALIKE_MIN) * len(common)
    assert times_s[0] < times_s[1]


def test_the_adaptive_run_is_whole_and_its_audit_clean(both: dict[str, Bundle]) -> None:
    bundle = both["adaptive"]
    assert (bundle.status, failed(bundle.audit)) == (RunStatus.FINISHED, ())
    assert [text for text in map(str, bundle.warnings) if "drifts" in text] == []
    route = next(metric for metric in bundle.metrics if metric.name == "precondition.rnd.route")
    assert route.value == "short"


def test_each_point_keeps_why_it_ended(both: dict[str, Bundle]) -> None:
    bundle = both["adaptive"]
    ends = {
        step.name: bundle.result(step).point_end
        for step in bundle.finished()
        if step.kind is StepKind.MEASURE and step.group in {"seq", "rnd"}
    }
    assert len(ends) == 18
    assert all(end is not None for end in ends.values())
    reads = [end for name, end in ends.items() if ".read" in name]
    assert {end.because for end in reads if end is not None} == {PointEnding.ENOUGH}
    assert {"seq.read.q1.run2", "rnd.read.q1.run2"} <= set(ends)


def test_the_report_tells_each_point(both: dict[str, Bundle]) -> None:
    ended = ended_points(both["adaptive"])
    assert ended is not None
    assert "18 points that end by what is known of them took" in str(ended.told)
    first = ended.rows[0]
    assert (first.name, str(first.because)) == ("seq.read.q1", "known well enough")
    assert first.known.startswith(("± 0.", "< "))
    assert ended_points(both["standard"]) is None


def test_the_report_says_what_the_profile_does(both: dict[str, Bundle]) -> None:
    assert "Under the profile adaptive a point has no ramp of its own" in str(scaling_words(both["adaptive"]))
    assert scaling_words(both["standard"]) is None
