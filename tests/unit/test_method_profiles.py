"""Profiles that let points end by themselves, and steps that only some profiles have."""

import pytest
from tests.kit.plans import HEADER, drive, names, plan_of, step_named

from ssdlab.engine.result import PointEnd, PointEnding
from ssdlab.job import DriveState, EngineName, IoLog, StepKind
from ssdlab.lab.again import FirstPoints, change_between
from ssdlab.method.builtin import load_suite
from ssdlab.method.draft import SteadyBy
from ssdlab.method.faults import SuiteError
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_S

FREE = 'until = "1%"\norder = "reads_first"\nagain = "first"\n'
PROFILE = f'[profile.free]\nengine = "load"\n{FREE}'
MEASURED = """\
[[step]]
kind = "measure"
name = "rnd"
job.write = { pattern = "random", bs = "4KiB", read = "0%", ramp = "30s", limit = "5min" }
job.mixed = { pattern = "random", bs = "4KiB", read = "70%", ramp = "30s", limit = "5min" }
job.read = { pattern = "random", bs = "4KiB", read = "100%", ramp = "30s", limit = "5min" }
sweep = { qd = [1, 2] }
every_io = { qd = [1] }
"""


def only_under(*profiles: str) -> str:
    return f'[[step]]\nkind = "rest"\nname = "only"\nduration = "1s"\nprofiles = {list(profiles)}\n'


def faults_of(text: str) -> str:
    with pytest.raises(SuiteError) as raised:
        parse_suite(f"{HEADER}{text}", "mine.toml")
    return str(raised.value)


def ended(mean: float, reach: float, within: float = 0.01) -> PointEnd:
    return PointEnd(
        because=PointEnding.ENOUGH,
        within=within,
        seen_ns=10 * NS_PER_S,
        ramp_ns=0,
        bytes_per_s=mean,
        low=mean - reach,
        high=mean + reach,
        rhythm_ns=None,
        drift=None,
    )


def test_standard_is_what_it_was() -> None:
    plain, free = plan_of(MEASURED), plan_of(MEASURED, header=HEADER + PROFILE)
    assert free.steps == plain.steps
    assert not [step for step in free.steps if step.enough or step.again_of]


def test_points_have_no_ramp_of_their_own_come_by_what_they_write_and_the_first_once_more() -> None:
    plan = plan_of(MEASURED, profile="free", header=HEADER + PROFILE)
    assert plan.comparable
    assert names(plan) == [
        "rnd.read.q1",
        "rnd.read.q2",
        "rnd.write.q1",
        "rnd.write.q2",
        "rnd.mixed.q1",
        "rnd.mixed.q2",
        "rnd.read.q1.run2",
    ]
    assert all(step.enough is not None and step.enough.within_percent == 1 for step in plan.steps)
    assert [step.again_of for step in plan.steps] == [*[None] * 6, "rnd.read.q1"]
    first, again = plan.steps[0], plan.steps[-1]
    assert first.job is not None
    assert again.job is not None
    assert (again.job.read_percent, again.job.queue_depth) == (first.job.read_percent, first.job.queue_depth)
    assert again.point != first.point


def test_points_that_keep_every_io_go_on_for_the_profiles_percentile() -> None:
    header = f'{HEADER}{PROFILE}tail = "99.9%"\nbudget = "10min"\n'
    plan = plan_of(MEASURED, profile="free", header=header)
    for step in plan.steps:
        assert step.job is not None
        assert step.enough is not None
        tells = step.job.io_log is IoLog.EVERY_IO
        assert (step.enough.tail is not None) is tells
        assert step.job.duration_ns == (600 if tells else 300) * NS_PER_S


@pytest.mark.parametrize("keys", ['amount = "1GiB"', 'limit = "5min"\nrepeat = { times = 2 }'])
def test_what_ends_by_its_amount_or_is_repeated_stays_as_it_is(keys: str) -> None:
    end, _, repeat = keys.partition("\n")
    job = f'job = {{ pattern = "random", bs = "4KiB", qd = 1, read = "100%", {end} }}'
    step = f'[[step]]\nkind = "measure"\nname = "one"\n{job}\n{repeat}\n'
    assert plan_of(step, profile="free", header=HEADER + PROFILE).steps == plan_of(step).steps


def test_a_step_is_only_under_the_profiles_it_names() -> None:
    steps = MEASURED + only_under("free")
    header = HEADER + PROFILE
    assert "only" in names(plan_of(steps, profile="free", header=header))
    assert "only" not in names(plan_of(steps, header=header))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (MEASURED + only_under("fre"), "profiles: `fre` is no profile of this suite; choose from standard"),
        (f"[profile.free]\n{FREE}{MEASURED}", "profile.free.until: is judged ten times a second"),
        (f'[profile.free]\ntail = "99%"\nbudget = "1min"\n{MEASURED}', "profile.free.until: is missing"),
        (f'{PROFILE}tail = "99%"\n{MEASURED}', "profile.free.budget: is missing"),
    ],
)
def test_what_a_profile_cannot_say_is_said(text: str, fault: str) -> None:
    assert fault in faults_of(text)


def test_enterprise_goes_the_short_way_from_a_purge_of_its_own_and_leaves_bootbench_to_fio() -> None:
    suite = load_suite("enterprise")
    plan = expand(suite, "adaptive", drive(), seed=1)
    groups = [cost.group for cost in plan.groups]
    assert groups == [
        "purge",
        "seq_conditioning_even",
        "seq",
        "rnd_purge",
        "rnd_conditioning_short.pass",
        "rnd_conditioning_short",
        "rnd",
        "bootbench_purge",
        "bootbench",
    ]
    even, steady = (step_named(plan, f"precondition.{pattern}") for pattern in ("seq", "rnd"))
    assert even.until is not None
    assert steady.until is not None
    assert (even.until.by, steady.until.by) == (SteadyBy.WINDOW, SteadyBy.HELD)
    assert steady.until.short is not None
    assert step_named(plan, "rnd.read.q1").state is DriveState.STEADY
    engine = suite.engine_for(None, "adaptive")
    assert (engine, suite.beside("adaptive", engine)) == (EngineName.LOAD, EngineName.FIO)
    assert suite.engine_for(None, "standard") is EngineName.FIO
    with pytest.raises(SuiteError, match="is measured by load, not by fio"):
        suite.engine_for(EngineName.FIO, "adaptive")


def test_one_even_capacity_is_enough_of_sequential_writes_alone() -> None:
    steady = (
        '[[step]]\nkind = "steady"\nname = "even"\nby = "window"\nmeasured = "1s"\nat_least = "2x"\nat_most = "3x"\n'
    )
    (step,) = plan_of(steady + 'job = { pattern = "sequential", bs = "128KiB", qd = 1 }\n').steps
    assert step.until is not None
    assert step.until.by is SteadyBy.WINDOW
    fault = faults_of(steady + 'job = { pattern = "random", bs = "4KiB", qd = 1 }\n')
    assert "by: an even capacity tells of sequential writes, not of random ones" in fault


def test_the_large_unit_suite_needs_no_fio_and_every_point_of_it_ends_by_itself() -> None:
    suite = load_suite("enterprise-iu")
    assert suite.beside("adaptive", EngineName.LOAD) is None
    plan = expand(suite, "adaptive", drive(), seed=1)
    assert all(step.enough is not None for step in plan.steps if step.kind is StepKind.MEASURE)


@pytest.mark.parametrize(
    ("again", "change"),
    [(ended(102, 1), None), (ended(103, 1), 0.03), (ended(97, 4), None), (ended(100.5, 0.1), None)],
)
def test_a_point_measured_again_differs_where_its_intervals_do_not_allow_it(
    again: PointEnd, change: float | None
) -> None:
    assert change_between(ended(100, 2), again) == (None if change is None else pytest.approx(change))


def test_a_point_within_what_was_asked_for_is_the_same_however_narrow_its_intervals_are() -> None:
    assert change_between(ended(100, 0.1), ended(100.9, 0.1)) is None


def test_drift_is_said_of_the_step_whose_first_point_it_was() -> None:
    plan = plan_of(MEASURED, profile="free", header=HEADER + PROFILE)
    points = FirstPoints()
    assert points.take(plan.steps[0], ended(100, 1)) is None
    assert points.take(plan.steps[1], ended(300, 1)) is None
    said = points.take(plan.steps[-1], ended(90, 1))
    assert "`rnd.read.q1` was -10.0% off" in str(said)
    kept = FirstPoints({plan.steps[0].name: ended(100, 1)})
    assert kept.take(plan.steps[-1], ended(90, 1)) == said
