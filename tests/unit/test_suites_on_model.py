"""The consumer suites from end to end in virtual time: every step is done, every check of the audit passes."""

import io
from pathlib import Path

import pytest

from ssdlab.analysis.audit import failed
from ssdlab.bundle.model import Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.engine.result import Direction
from ssdlab.job import Action
from ssdlab.lab.open import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import Suite, parse_suite

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


def run_on(target: str, suite: Suite, lab: Path, profile: str = "standard") -> Bundle:
    with open_bench(target) as bench:
        plan = expand(suite, profile, bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


@pytest.fixture(scope="module", params=["client", "client-2025.07", "cdm"])
def bundle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on("model:demo", load_suite(request.param), tmp_path_factory.mktemp("lab"), "quick")


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
    assert checks["queue.littles_law"].finding == "the job took no time, so nothing waited"
    assert checks["bytes.series_agrees"].finding == "the job took no time, so nothing of it is seen over time"
