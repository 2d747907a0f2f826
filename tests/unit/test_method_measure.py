"""Measuring as data: jobs times sweep times repetition become points with names of their own."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.plans import HEADER, drive, names, plan_of, step_named

from ssdlab.job import Draw, IoLog, Region, Resume, StepKind, Sync
from ssdlab.message import verbatim
from ssdlab.method.plan import PlanError, RseRule, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown

FILE = """\
[[step]]
kind = "fill"
name = "file"
job = { pattern = "sequential", bs = "1MiB", qd = 8 }
amount = "256MiB"
"""


def measure(*lines: str, name: str = "mix") -> str:
    return "\n".join(["[[step]]", 'kind = "measure"', f'name = "{name}"', *lines, ""])


def job(keys: str = "", read: str = "100%", qd: int = 1) -> str:
    return f'job = {{ pattern = "random", bs = "4KiB", qd = {qd}, read = "{read}", limit = "30s"{keys} }}'


def swept(sweep: str, keys: str = 'bs = "4KiB", qd = 1, read = "100%"') -> str:
    return measure(f'job = {{ pattern = "random", {keys}, limit = "1s" }}', f"sweep = {{ {sweep} }}")


def test_one_point_is_called_like_its_step() -> None:
    (step,) = plan_of(measure(job())).steps
    assert (step.name, step.group, step.point.name, step.run) == ("mix", "mix", "mix", 1)
    assert step.kind is StepKind.MEASURE
    assert step.job is not None
    assert (step.job.draw, step.job.region) == (Draw.INDEPENDENT, Region(0, GIB))
    assert (step.job.amount_bytes, step.job.duration_ns) == (None, 30 * NS_PER_S)


@pytest.mark.parametrize(
    ("sweep", "keys", "found"),
    [
        ("qd = [1, 2, 4]", 'bs = "4KiB", read = "100%"', ["mix.q1", "mix.q2", "mix.q4"]),
        ('qd = "1..8 doubling"', 'bs = "4KiB", read = "0%"', ["mix.q1", "mix.q2", "mix.q4", "mix.q8"]),
        ('read = "0%..100% step 50%"', 'bs = "4KiB", qd = 1', ["mix.r0", "mix.r50", "mix.r100"]),
        ('mix = ["read", "write", "r95w5"]', 'bs = "4KiB", qd = 1', ["mix.read", "mix.write", "mix.r95w5"]),
        ('bs = ["512B", "4KiB", "1MiB"]', 'qd = 1, read = "0%"', ["mix.b512B", "mix.b4KiB", "mix.b1MiB"]),
        (
            'range = "256MiB..100% doubling"',
            'bs = "4KiB", qd = 1, read = "100%"',
            ["mix.256MiB", "mix.512MiB", "mix.1GiB"],
        ),
        (
            'qd = [1, 2], mix = ["read", "write"]',
            'bs = "4KiB"',
            ["mix.read.q1", "mix.read.q2", "mix.write.q1", "mix.write.q2"],
        ),
    ],
)
def test_every_point_of_a_sweep_has_a_name(sweep: str, keys: str, found: list[str]) -> None:
    assert names(plan_of(swept(sweep, keys))) == found


def test_jobs_with_names_of_their_own_share_the_sweep() -> None:
    rnd = 'job.rnd = { pattern = "random", bs = "4KiB", limit = "1s" }'
    seq = 'job.seq = { pattern = "sequential", bs = "128KiB", limit = "1s" }'
    plan = plan_of(measure(rnd, seq, 'sweep = { qd = [1, 2], read = ["0%", "100%"] }'))
    assert names(plan) == [
        *("mix.rnd.q1.r0", "mix.rnd.q1.r100", "mix.rnd.q2.r0", "mix.rnd.q2.r100"),
        *("mix.seq.q1.r0", "mix.seq.q1.r100", "mix.seq.q2.r0", "mix.seq.q2.r100"),
    ]
    found = step_named(plan, "mix.seq.q2.r100").job
    assert found is not None
    assert (found.block_bytes, found.queue_depth, found.read_percent) == (128 * KIB, 2, 100)


def test_what_a_job_says_is_what_is_run() -> None:
    step = measure(
        'job = { region = "file", pattern = "random", bs = "4KiB", qd = 32, jobs = 16, read = "70%", sync = "sync", '
        'amount = "1GiB", ramp = "30s", limit = "5min" }'
    )
    ramp, measured = (one.job for one in plan_of(FILE + step).steps[-2:])
    assert ramp is not None
    assert (ramp.amount_bytes, ramp.duration_ns, ramp.queue_depth) == (None, 30 * NS_PER_S, 32)
    found = measured
    assert found is not None
    assert (found.jobs, found.queue_depth, found.read_percent, found.sync) == (16, 32, 70, Sync.SYNC)
    assert (found.amount_bytes, found.duration_ns) == (GIB, 300 * NS_PER_S)
    assert found.region == Region(0, 256 * MIB)


def test_a_range_is_the_first_part_of_the_region_and_the_last_one_all_of_it() -> None:
    plan = plan_of(swept('range = "64MiB..100% doubling"'), capacity_bytes=200 * MIB + 3 * KIB)
    assert [(step.name, step.job and step.job.region) for step in plan.steps] == [
        ("mix.64MiB", Region(0, 64 * MIB)),
        ("mix.128MiB", Region(0, 128 * MIB)),
        ("mix.200MiB", Region(0, 200 * MIB)),
    ]


def test_a_large_range_is_called_by_its_whole_gib() -> None:
    assert names(plan_of(swept('range = "512GiB..100% doubling"'), 1_000_204_886_016)) == ["mix.512GiB", "mix.931GiB"]


def test_a_drive_smaller_than_the_first_range_has_only_itself() -> None:
    assert names(plan_of(swept('range = "4GiB..100% doubling"'))) == ["mix.1GiB"]


@given(st.integers(64, 2**24), st.integers(1, 12))
def test_ranges_double_from_the_first_to_the_drive(capacity_mib: int, first_exponent: int) -> None:
    sizes = [
        step.job.region.length_bytes
        for step in plan_of(swept(f'range = "{2**first_exponent}MiB..100% doubling"'), capacity_mib * MIB).steps
        if step.job is not None
    ]
    assert sizes[-1] == capacity_mib * MIB
    assert all(after == 2 * before for before, after in itertools.pairwise(sizes[:-1]))
    assert sizes == sorted(set(sizes))


def test_a_range_beyond_the_drive_is_skipped_with_the_reason() -> None:
    inside, beyond = plan_of(swept('range = ["256MiB", "64GiB"]')).steps
    assert (inside.skip, beyond.job) == (None, None)
    assert str(beyond.skip) == "its range ends beyond the drive's 1.00 GiB"


def test_repeats_are_runs_of_one_point_with_rests_before_them() -> None:
    plan = plan_of(measure(job(), "repeat = { times = 3 }", 'rest = "1s"'))
    assert [(step.name, step.point.name, step.run, step.rest_ns // NS_PER_S) for step in plan.steps] == [
        ("mix.run1", "mix", 1, 0),
        ("mix.run2.rest", "mix", 2, 1),
        ("mix.run2", "mix", 2, 0),
        ("mix.run3.rest", "mix", 3, 1),
        ("mix.run3", "mix", 3, 0),
    ]


def test_runs_beyond_the_least_are_made_only_while_they_are_needed_and_so_are_their_rests() -> None:
    repeat = 'repeat = { times = 3, at_most = 4, until_rse = "5%" }'
    steps = plan_of(measure(job(), repeat, 'rest = "1s"')).steps
    rule = RseRule("mix", 5.0, 3)
    assert [(step.name, step.only_while) for step in steps[-3:]] == [
        ("mix.run3", None),
        ("mix.run4.rest", rule),
        ("mix.run4", rule),
    ]


def test_every_run_has_a_seed_of_its_own() -> None:
    steps = plan_of(measure(job(), "repeat = { times = 5 }")).steps
    assert len({step.job.seed for step in steps if step.job is not None}) == 5


def test_a_profile_may_limit_the_runs_and_keeps_their_names() -> None:
    header = f"{HEADER}[profile.quick]\nruns = 2\n"
    plan = plan_of(measure(job(), "repeat = { times = 5 }"), profile="quick", header=header)
    assert names(plan) == ["mix.run1", "mix.run2"]
    assert not plan.comparable


def test_a_profile_scales_amounts_and_limits() -> None:
    step = measure('job = { pattern = "random", bs = "4KiB", qd = 1, read = "0%", amount = "1GiB", limit = "30s" }')
    found = plan_of(step, profile="quick").steps[0].job
    assert found is not None
    assert (found.amount_bytes, found.duration_ns) == (8 * MIB, 500 * NS_PER_MS)


def test_no_profile_makes_a_job_too_short_to_be_seen() -> None:
    step = measure('job = { pattern = "random", bs = "4KiB", qd = 1, read = "0%", amount = "4KiB", limit = "1s" }')
    found = plan_of(step, profile="quick").steps[0].job
    assert found is not None
    assert (found.amount_bytes, found.duration_ns) == (4 * KIB, 100 * NS_PER_MS)


def test_rests_may_be_scaled_otherwise_than_what_is_measured() -> None:
    header = f'{HEADER}[profile.quick]\ntime = "1/10"\nrest = "1/100"\n'
    plan = plan_of(measure(job(), "repeat = { times = 2 }", 'rest = "1s"'), profile="quick", header=header)
    assert plan.steps[1].rest_ns == 10 * NS_PER_MS
    assert plan.steps[0].job is not None
    assert plan.steps[0].job.duration_ns == 3 * NS_PER_S


def test_every_io_is_kept_where_it_is_asked_for() -> None:
    keys = 'job = { pattern = "random", bs = "4KiB", limit = "1s" }'
    sweep = 'sweep = { qd = [1, 2], read = "0%..100% step 50%" }'
    steps = plan_of(measure(keys, sweep, 'every_io = { qd = [1], read = ["0%", "100%"] }')).steps
    kept = [step.name for step in steps if step.job is not None and step.job.io_log is IoLog.EVERY_IO]
    assert kept == ["mix.q1.r0", "mix.q1.r100"]


@pytest.mark.parametrize(
    ("step", "resume"),
    [
        (measure(job()), Resume.REDO),
        (measure(job(read="50%")), Resume.FROM_PURGE),
        (FILE + measure(job(', region = "file"', read="50%")), Resume.REDO),
    ],
)
def test_what_writes_all_over_the_drive_is_redone_from_the_purge(step: str, resume: Resume) -> None:
    assert plan_of(step).steps[-1].resume is resume


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (
            measure('job = { pattern = "random", bs = "4000B", qd = 1, read = "0%", limit = "1s" }'),
            "step `mix` uses blocks of 4000 bytes, which are no whole blocks of the drive (512 bytes)",
        ),
        (
            measure('job = { pattern = "random", bs = "1GiB", qd = 1, read = "0%", jobs = 2, limit = "1s" }'),
            "step `mix` has 1.00 GiB to work in, too little for 2 blocks of 1.00 GiB",
        ),
    ],
)
def test_a_drive_a_point_does_not_fit_is_refused(step: str, reason: str) -> None:
    with pytest.raises(PlanError) as raised:
        plan_of(step)
    assert reason in str(raised.value)


def test_between_steps_the_drive_rests_unless_it_was_just_purged_or_has_rested() -> None:
    purge = '[[step]]\nkind = "purge"\nname = "{}"\nrest = "15min"\n'
    own = '[[step]]\nkind = "rest"\nduration = "1s"\n'
    steps = (
        purge.format("first")
        + FILE
        + measure(job(), name="one")
        + own
        + measure(job(), name="two")
        + measure(job(), name="three")
        + purge.format("last")
    )
    assert names(plan_of(steps, header=HEADER + 'rest = "5min"\n')) == snapshot(
        [
            "first",
            "first.rest",
            "file.pass1",
            "one.rest_before",
            "one",
            "rest",
            "two",
            "three.rest_before",
            "three",
            "last",
            "last.rest",
        ]
    )


def test_blocks_may_be_as_large_as_the_drives_indirection_unit() -> None:
    step = measure('job = { pattern = "random", bs = "IU", qd = 1, read = "100%", limit = "1s" }')
    found = plan_of(step).steps[-1].job
    assert found is not None
    assert found.block_bytes == 16 * KIB


def test_an_indirection_unit_that_is_not_known_is_asked_for() -> None:
    step = measure('job = { pattern = "random", bs = "IU", qd = 1, read = "100%", limit = "1s" }')
    silent = replace(drive(GIB), indirection_unit_bytes=Unknown(verbatim("it says nothing")))
    with pytest.raises(PlanError, match="does not say how large it is"):
        expand(parse_suite(HEADER + step, "test"), "standard", silent, seed=1)
