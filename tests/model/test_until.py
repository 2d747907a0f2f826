"""Points that are measured until their mean is known: from the suite to the report, in virtual time."""

import json
from math import hypot
from pathlib import Path

import pytest
from tests.kit.load_drives import metrics_of, run_on
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.plans import drive
from typer.testing import CliRunner

from ssdlab import _core, cli
from ssdlab.analysis.adaptive.past import FLAT_CAPACITIES
from ssdlab.bundle.model import Check, Outcome, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import PointEnding
from ssdlab.job import StepKind
from ssdlab.lab.chains import chains_of
from ssdlab.lab.resume import _writes
from ssdlab.method.draft import CtrlC, SteadyRule
from ssdlab.method.faults import SuiteError
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_S, Share

KNOWN = random_ios("known", 'limit = "2min", until = "1%"', 'read = ["100%", "50%"], qd = [4]')
FIXED = random_ios("fixed", 'limit = "5s"', 'read = ["100%"], qd = [4]')
SUITE = load_suite("until", KNOWN, FIXED)
POINT = "known.q4.r"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(_core.spec_text("demo"), SUITE, tmp_path_factory.mktemp("until"))


def ending_of(bundle: Bundle, name: str) -> Check:
    return next(check for check in bundle.audit if (check.name, check.step) == ("point.known", name))


def test_a_point_of_reads_ends_long_before_its_limit_and_keeps_why(bundle: Bundle) -> None:
    step = next(one for one in bundle.finished() if one.name == f"{POINT}100")
    result = bundle.result(step)
    end = result.point_end
    assert bundle.status is RunStatus.FINISHED
    assert end is not None
    assert end.because is PointEnding.ENOUGH
    assert 10 * NS_PER_S <= end.seen_ns <= result.elapsed_ns <= 30 * NS_PER_S
    assert end.low is not None
    assert end.high is not None
    assert end.reach is not None
    assert end.low <= end.bytes_per_s <= end.high
    assert end.reach <= end.within
    assert result.stopped is not None
    assert result.stopped.at_ns == end.seen_ns


def test_its_metrics_have_the_interval_it_ended_by_and_say_so(bundle: Bundle) -> None:
    metrics = metrics_of(bundle)
    step = next(one for one in bundle.finished() if one.name == f"{POINT}100")
    end = bundle.result(step).point_end
    assert end is not None
    assert end.low is not None
    assert end.high is not None
    bandwidth, iops = metrics[f"{POINT}100.bandwidth"], metrics[f"{POINT}100.iops"]
    assert (bandwidth.value, bandwidth.low, bandwidth.high) == pytest.approx((end.bytes_per_s, end.low, end.high))
    assert (iops.value, iops.low, iops.high) == pytest.approx(
        tuple(one / 4096 for one in (end.bytes_per_s, end.low, end.high))
    )
    assert "enough after" in str(bandwidth.note)


def test_directions_of_a_mixed_point_add_up_and_are_known_no_better_than_the_whole(bundle: Bundle) -> None:
    metrics = metrics_of(bundle)
    whole, read, write = (metrics[f"{POINT}50{part}.bandwidth"] for part in ("", ".read", ".write"))
    reaches = []
    for one in (whole, read, write):
        assert isinstance(one.value, float)
        assert one.high is not None
        reaches.append(one.high / one.value - 1)
    assert isinstance(read.value, float)
    assert isinstance(write.value, float)
    assert read.value + write.value == pytest.approx(whole.value)
    assert min(reaches[1:]) >= reaches[0] - 1e-9


def test_the_audit_says_how_each_point_ended(bundle: Bundle) -> None:
    known, fixed = ending_of(bundle, f"{POINT}100"), ending_of(bundle, "fixed.q4.r100")
    assert known.outcome is Outcome.PASS
    assert "the mean is known to" in str(known.finding)
    assert fixed.outcome is Outcome.NOT_APPLICABLE


def test_a_point_that_writes_to_a_drive_never_seen_steady_takes_its_whole_limit(bundle: Bundle) -> None:
    mixed = ending_of(bundle, f"{POINT}50")
    assert "too little is known of how this drive writes" in str(mixed.finding)
    step = next(one for one in bundle.finished() if one.name == f"{POINT}50")
    assert bundle.result(step).elapsed_ns >= 119 * NS_PER_S


def test_the_same_seed_ends_at_the_same_moment(bundle: Bundle, tmp_path: Path) -> None:
    again = run_on(_core.spec_text("demo"), SUITE, tmp_path)
    ends = [[one.result(step).point_end for step in one.finished() if step.job is not None] for one in (bundle, again)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("job", "fault"),
    [
        ('amount = "1GiB", until = "1%"', "job.limit: is missing; `until` needs the `limit` at which it gives up"),
        ('amount = "1GiB", limit = "1s", until = "1%"', "job.amount: says the end already"),
        ('limit = "1s", until = "1%", tail = "99.9%"', "job.budget: is missing; `tail` and `budget` go together"),
        ('limit = "1s", until = "1%", budget = "2s"', "job.tail: is missing; `tail` and `budget` go together"),
        ('limit = "1s", tail = "99.9%", budget = "2s"', "job.until: is missing; `tail` says"),
        ('limit = "2s", until = "1%", tail = "99.9%", budget = "1s"', "job.budget: is less than the `limit`"),
        ('limit = "2s", until = "1%", tail = "100%", budget = "3s"', "job.tail: `100%` is no percentile"),
        (
            'limit = "1s", until = "1%"',
            'job: `until` is judged ten times a second while the point runs, which fio does not tell: say `engine = "load"`',
        ),
    ],
)
def test_what_until_cannot_go_with_is_said(job: str, fault: str) -> None:
    suite = load_suite("until", random_ios("known", job, 'read = ["100%"], qd = [4]'))
    if "amount" not in job:
        suite = suite.replace('engine = "load"\n', "")
    with pytest.raises(SuiteError, match=fault.replace("(", r"\(")) as raised:
        parse_suite(suite, "suite.toml")
    assert fault in str(raised.value)


def test_until_leaves_nothing_to_repeat() -> None:
    text = load_suite("until", random_ios("known", 'limit = "1s", until = "1%"', 'read = ["100%"], qd = [4]'))
    with pytest.raises(SuiteError, match="nothing is left for `repeat`"):
        parse_suite(text + "repeat = { times = 2 }\n", "suite.toml")


def test_the_plan_says_that_a_limit_is_the_longest(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(SUITE)
    told = CliRunner().invoke(cli.app, ["plan", str(path), "model:demo", "--json"])
    steps = {step["name"]: step for step in json.loads(told.stdout)["steps"]}
    assert steps[f"{POINT}100"]["until_within_percent"] == 1
    assert steps["fixed.q4.r100"]["until_within_percent"] is None
    words = CliRunner().invoke(cli.app, ["plan", str(path), "model:demo"]).stdout
    assert "its mean is known to ± 1 %" in " ".join(words.split())


STEADY = """\
[suite]
name = "steady"
version = "1"
engine = "load"
[[step]]
kind = "purge"
[[step]]
kind = "steady"
name = "conditioning"
job = { pattern = "random", bs = "4KiB", qd = 32 }
at_least = "2x"
at_most = "23x"
measured = "5min"
[[step]]
kind = "measure"
name = "adaptive"
job = { pattern = "random", bs = "4KiB", qd = 32, read = "0%", limit = "25s", until = "2%" }
[[step]]
kind = "measure"
name = "standard"
job = { pattern = "random", bs = "4KiB", qd = 32, read = "0%", ramp = "30s", limit = "5min" }
"""


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(_core.spec_text("demo"), STEADY, tmp_path_factory.mktemp("steady"))


def test_on_a_drive_seen_steady_a_writing_point_ends_early_and_agrees_with_the_standard(steady: Bundle) -> None:
    step = next(one for one in steady.finished() if one.name == "adaptive")
    end = steady.result(step).point_end
    assert end is not None
    assert (end.because, end.drift) == (PointEnding.ENOUGH, None)
    assert end.seen_ns <= 20 * NS_PER_S
    standard = metrics_of(steady)["standard.bandwidth"]
    assert isinstance(standard.value, float)
    assert standard.high is not None
    assert end.high is not None
    assert abs(end.bytes_per_s - standard.value) <= hypot(end.high - end.bytes_per_s, standard.high - standard.value)


def test_a_run_that_goes_on_knows_the_same_past(steady: Bundle) -> None:
    step = next(one for one in steady.finished() if one.kind is StepKind.PRECONDITION)
    rule = SteadyRule(minimum_bytes=0, measured_ns=NS_PER_S, time=Share(1, 1), ctrl_c=CtrlC.RUN)
    past, capacity_bytes = _writes(steady, step, rule), steady.run.drive.capacity_bytes
    written_bytes = float(past.bytes_per_s.sum()) * past.window_ns / NS_PER_S
    assert written_bytes == pytest.approx(FLAT_CAPACITIES * capacity_bytes, rel=0.01)


def test_what_ends_by_itself_is_the_last_of_a_chain() -> None:
    """An engine that is told to end what it does has nothing of that chain left to do."""
    ramped = random_ios("ramped", 'limit = "1min", ramp = "1s", until = "2%"', 'read = ["100%"], qd = [1, 2]')
    plan = expand(parse_suite(load_suite("chains", ramped, FIXED), "mine.toml"), "standard", drive(), seed=1)
    chains = [[step.name for step in chain] for chain in chains_of(plan.steps) if chain[0].job is not None]
    assert chains[1:] == [
        ["ramped.q1.r100.ramp", "ramped.q1.r100"],
        ["ramped.q2.r100.ramp", "ramped.q2.r100"],
        ["fixed.q4.r100"],
    ]
