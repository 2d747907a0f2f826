"""Further runs of a point are made only while the last three differ too much, and what is skipped says why (METHODS 0)."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.fake_lab import Lab, Seen

from ssdlab.analysis.statistics.rate import total_bandwidth, total_iops
from ssdlab.bundle import layout
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.model import StepStatus
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.bench import Bench
from ssdlab.lab.repeats import Runs
from ssdlab.lab.run import execute
from ssdlab.message import Message, verbatim
from ssdlab.method.plan import PlannedStep, RseRule, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


@dataclass(frozen=True)
class Counted:
    """One direction of a job."""

    io_count: int
    io_bytes: int = 0
    runtime_ns: int = NS_PER_S


def run(number: int, rule: RseRule | None = None, skip: Message | None = None, point: str = "mix") -> PlannedStep:
    return PlannedStep(
        index=number,
        name=f"{point}.run{number}",
        group="mix",
        point=point_of_name(point),
        run=number,
        kind=StepKind.MEASURE,
        state=DriveState.FOB,
        job=None,
        rest_ns=0,
        only_while=rule,
        skip=skip,
    )


TOO_LARGE = verbatim("the drive is too large")
RULE = RseRule("mix", 5.0, 3)


def after(*iops: int, point: str = "mix") -> Runs:
    runs = Runs()
    for number, one in enumerate(iops, start=1):
        runs.take(run(number, point=point), [Counted(one)])
    return runs


def test_runs_that_agree_need_no_further_one() -> None:
    assert str(after(100, 101, 102).reason_to_skip(run(4, RULE))) == snapshot("RSE of the last 3 runs 0.57 % < 5 %")


def test_only_the_last_three_count() -> None:
    assert after(10, 1000, 100, 100, 100).reason_to_skip(run(6, RULE)) is not None
    assert after(100, 100, 100, 10, 1000).reason_to_skip(run(6, RULE)) is None


def test_a_rule_asks_for_its_least_number_of_runs() -> None:
    assert after(100, 100).reason_to_skip(run(3, RULE)) is None
    assert after(100, 100, 100).reason_to_skip(run(4, RseRule("mix", 5.0, 5))) is None


def test_an_error_as_large_as_the_limit_is_not_small_enough() -> None:
    exactly = RseRule("mix", 0.0, 3)
    assert after(100, 100, 100).reason_to_skip(run(4, exactly)) is None


def test_runs_of_another_point_do_not_count() -> None:
    assert after(100, 100, 100, point="other").reason_to_skip(run(4, RULE)) is None


def test_a_step_without_a_rule_is_made() -> None:
    assert after(100, 100, 100).reason_to_skip(run(4)) is None


def test_what_the_plan_knows_to_be_unneeded_is_not() -> None:
    assert Runs().reason_to_skip(run(1, skip=TOO_LARGE)) == TOO_LARGE


def test_the_rate_of_a_mixed_job_is_that_of_both_directions_over_its_whole_time() -> None:
    mixed = [Counted(30, 3000, 2 * NS_PER_S), Counted(70, 7000, NS_PER_S)]
    assert (total_iops(mixed), total_bandwidth(mixed)) == (50.0, 5000.0)


@pytest.mark.parametrize("directions", [[], [Counted(0, 0, 0)]])
def test_a_job_that_took_no_time_has_no_rate(directions: list[Counted]) -> None:
    assert isinstance(total_iops(directions), Unknown)
    assert isinstance(total_bandwidth(directions), Unknown)


SUITE = """\
[suite]
name = "mix"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "measure"
name = "mix"
job = { pattern = "random", bs = "4KiB", qd = 1, read = "0%", amount = "1MiB" }
repeat = { times = 3, at_most = 5, until_rse = "5%" }
rest = "1s"
[[step]]
kind = "reclaim"
job = { pattern = "sequential", bs = "128KiB", qd = 256 }
fill = "50%"
rests = ["5s"]
write = "1min"
skip_above = "1MiB"
"""


def test_what_is_skipped_is_journalled_with_its_reason_and_the_run_goes_on(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    plan = expand(parse_suite(SUITE, "mix.toml"), "standard", lab.drive.identity, seed=1)
    bundle = execute(plan, Bench(lab.drive, lab.engine, None), tmp_path, lab.display)
    skipped = {step.name: str(step.reason) for step in bundle.steps if step.status is StepStatus.SKIPPED}
    assert skipped == snapshot(
        {
            "mix.run4.rest": "RSE of the last 3 runs 0 % < 5 %",
            "mix.run4": "RSE of the last 3 runs 0 % < 5 %",
            "mix.run5.rest": "RSE of the last 3 runs 0 % < 5 %",
            "mix.run5": "RSE of the last 3 runs 0 % < 5 %",
            "reclaim.t5.purge": "the drive has 67.1 MB, the suite does this only up to 1.05 MB",
            "reclaim.t5.fill": "the drive has 67.1 MB, the suite does this only up to 1.05 MB",
            "reclaim.t5.rest": "the drive has 67.1 MB, the suite does this only up to 1.05 MB",
            "reclaim.t5": "the drive has 67.1 MB, the suite does this only up to 1.05 MB",
        }
    )
    assert [step.name for step in bundle.finished()] == [
        *("purge", "mix.run1", "mix.run2.rest", "mix.run2", "mix.run3.rest", "mix.run3"),
    ]
    assert [(step.group, step.point.name, step.run) for step in bundle.finished()[-2:]] == [("mix", "mix", 3)] * 2
    assert [one.words for one in lab.display.seen if one.what == "skip"] == list(skipped)
    assert Seen("begin", "mix.run4") not in lab.display.seen
    events = [json.loads(line) for line in (bundle.path / layout.JOURNAL).read_text().splitlines()]
    assert {event["reason"]["english"] for event in events if event["event"] == "step_skipped"} == set(skipped.values())


def test_a_skipped_step_has_no_directory(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    plan = expand(parse_suite(SUITE, "mix.toml"), "standard", lab.drive.identity, seed=1)
    bundle = execute(plan, Bench(lab.drive, lab.engine, None), tmp_path, lab.display)
    assert not bundle.directory(bundle.step("mix.run4")).exists()
