"""The consumer suites from end to end in virtual time: every step is done, every check of the audit passes."""

import io
from pathlib import Path

import pytest
from tests.kit.figure_content import rows
from tests.kit.five_drives import shared_run

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.engine.result import Direction
from ssdlab.figure.client.percentile_latency import percentile_latency
from ssdlab.figure.kit.layers import short
from ssdlab.job import Action
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import Suite, parse_suite
from ssdlab.units import NS_PER_US

NOISY = """\
[suite]
name = "noisy"
version = "1"
[[step]]
kind = "measure"
job = { pattern = "random", bs = "4KiB", qd = 1, read = "50%", amount = "64KiB" }
repeat = { times = 3, at_most = 6, until_rse = "0.001%" }
"""

TRIMMED = """\
[suite]
name = "trimmed"
version = "1"
[[step]]
kind = "precondition"
random = { amount = "64MiB", bs = "4KiB", qd = 4 }
trim = "25%"
"""


def run_on(target: str, suite: Suite, lab: Path) -> Bundle:
    with open_bench(target) as bench:
        plan = expand(suite, "standard", bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


@pytest.fixture(scope="module", params=["client", "client-2025.07", "cdm"])
def bundle(request: pytest.FixtureRequest) -> Bundle:
    return shared_run("demo", request.param, None)


def test_every_step_is_done(bundle: Bundle) -> None:
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    assert {step.status for step in bundle.steps} == {StepStatus.FINISHED}


def test_no_check_of_the_audit_fails(bundle: Bundle) -> None:
    assert failed(bundle.audit) == ()


def test_every_job_did_what_the_plan_says(bundle: Bundle) -> None:
    for step in bundle.steps:
        if step.job is None:
            continue
        directions = set(bundle.result(step).directions)
        if step.job.action is Action.TRIM:
            assert directions == {Direction.TRIM}, step.name
        else:
            shares = {Direction.READ: step.job.read_percent, Direction.WRITE: 100 - step.job.read_percent}
            assert directions == {direction for direction, percent in shares.items() if percent}, step.name


def test_a_point_on_a_figure_of_percentiles_is_the_metric(bundle: Bundle) -> None:
    metrics = {metric.name: metric.value for metric in bundle.metrics}
    points = {Direction.READ: "rw_ratio.rnd.q1.r100", Direction.WRITE: "rw_ratio.rnd.q1.r0"}
    figures = {figure.name: figure for figure in percentile_latency([bundle])}
    assert len(figures) == (2 if bundle.run.suite.name == "client-2025.07" else 0)
    for direction, point in points.items():
        if (figure := figures.get(f"percentile-latency-random-{direction.value}")) is None:
            continue
        drawn = {row["x"]: row["y"] for row in rows(figure, "key-percentiles")}
        for percent in (50.0, 90.0):
            metric_ns = metrics[f"{point}.clat_p{percent:.0f}"]
            assert isinstance(metric_ns, int | float)
            assert drawn[percent] == short(metric_ns / NS_PER_US)


def test_runs_go_on_until_the_most_there_may_be_while_they_differ(tmp_path: Path) -> None:
    bundle = run_on("model:chaos?capacity=1GiB", parse_suite(NOISY, "noisy.toml"), tmp_path)
    assert [step.status for step in bundle.steps] == [StepStatus.FINISHED] * 6


def test_a_trim_that_takes_no_time_on_a_drive_is_a_finished_step(tmp_path: Path) -> None:
    bundle = run_on("model:ssd-a?capacity=256MiB", parse_suite(TRIMMED, "trimmed.toml"), tmp_path)
    trim = bundle.step("precondition.trim")
    assert (bundle.status, trim.status, bundle.result(trim).elapsed_ns) == (
        RunStatus.FINISHED,
        StepStatus.FINISHED,
        0,
    )


def test_the_audit_finds_nothing_wrong_with_a_trim_that_takes_no_time(tmp_path: Path) -> None:
    bundle = run_on("model:ssd-a?capacity=256MiB", parse_suite(TRIMMED, "trimmed.toml"), tmp_path)
    checks = {one.name: one for one in bundle.audit if one.step == "precondition.trim"}
    assert {one.outcome for one in checks.values()} == {Outcome.PASS, Outcome.NOT_APPLICABLE}
    assert str(checks["queue.littles_law"].finding) == "the job took no time, so nothing waited"
    assert str(checks["bytes.series_agrees"].finding) == "the job took no time, so nothing of it is seen over time"
