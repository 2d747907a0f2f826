"""What a plan says it costs: bytes, time and space, before anything is done."""

import pytest
from tests.kit.plans import HEADER, plan_of

from ssdlab.job import Resume
from ssdlab.method.cost import Assumed, bundle_bytes_at
from ssdlab.units import GIB, KIB, MIB, NS_PER_S, NS_PER_US, TIB

DRIVE = Assumed(bandwidth_bytes_per_s=100 * MIB, latency_ns=100 * NS_PER_US)
FILL = '[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 256 }\n'


def measure(keys: str, more: str = "") -> str:
    return f'[[step]]\nkind = "measure"\njob = {{ pattern = "random", bs = "4KiB", {keys} }}\n{more}\n'


def test_a_fill_takes_as_long_as_its_bytes_and_its_rests() -> None:
    cost = plan_of(FILL + 'passes = 2\nrest = "10s"').cost
    assert cost.bytes_to_write == 2 * GIB
    assert cost.duration_ns(DRIVE) == pytest.approx((2 * 10.24 + 10) * NS_PER_S)


def test_a_shallow_queue_takes_as_long_as_each_io() -> None:
    cost = plan_of(measure('qd = 1, read = "100%", amount = "40MiB"')).cost
    assert cost.duration_ns(DRIVE) == pytest.approx(10 * KIB * 100 * NS_PER_US)


def test_a_deep_queue_takes_as_long_as_the_bandwidth() -> None:
    cost = plan_of(measure('qd = 256, read = "100%", amount = "400MiB"')).cost
    assert cost.duration_ns(DRIVE) == pytest.approx(4 * NS_PER_S)


def test_a_limit_bounds_it_and_a_ramp_comes_before() -> None:
    cost = plan_of(measure('qd = 1, read = "100%", amount = "1GiB", limit = "2s", ramp = "1s"')).cost
    assert cost.duration_ns(DRIVE) == 3 * NS_PER_S


def test_of_a_mix_only_the_writes_are_written() -> None:
    cost = plan_of(measure('qd = 1, read = "70%", amount = "1GiB"')).cost
    assert cost.bytes_to_write == GIB * 30 // 100


def test_what_ends_by_time_writes_as_much_as_the_drive_can() -> None:
    cost = plan_of(measure('qd = 256, read = "50%", limit = "10s"')).cost
    assert (cost.bytes_to_write, cost.timed_write_ns) == (0, 10 * NS_PER_S)
    assert cost.bytes_to_write_at(DRIVE) == 500 * MIB


def test_of_an_amount_with_a_limit_the_lesser_is_written() -> None:
    keys = 'qd = 256, read = "50%", amount = "1GiB", limit = "{}"'
    in_time, whole = (plan_of(measure(keys.format(limit))).cost for limit in ("2s", "60s"))
    assert (in_time.bytes_to_write, in_time.bytes_to_write_min) == (GIB // 2, 0)
    assert in_time.amounts_at(DRIVE) == in_time.bytes_to_write_at(DRIVE) == 100 * MIB
    assert whole.amounts_at(DRIVE) == GIB // 2


def test_reads_write_nothing() -> None:
    cost = plan_of(measure('qd = 256, read = "100%", limit = "10s"')).cost
    assert (cost.bytes_to_write_at(DRIVE), cost.timed_write_ns) == (0, 0)


def test_what_is_freed_is_not_written() -> None:
    step = '[[step]]\nkind = "precondition"\nrandom = { amount = "64MiB", bs = "4KiB", qd = 1 }\ntrim = "25%"\n'
    cost = plan_of(step, header=HEADER).cost
    assert cost.bytes_to_write == 64 * MIB
    assert cost.duration_ns(DRIVE) == pytest.approx(16 * KIB * 100 * NS_PER_US + 256 * 100 * NS_PER_US)


def test_runs_that_may_turn_out_unneeded_are_counted_apart() -> None:
    repeat = 'repeat = { times = 3, at_most = 5, until_rse = "5%" }\nrest = "1s"'
    cost = plan_of(measure('qd = 1, read = "0%", amount = "40MiB"', repeat)).cost
    assert (len(cost.jobs), len(cost.needed.jobs)) == (5, 3)
    assert (cost.rest_ns, cost.needed.rest_ns) == (4 * NS_PER_S, 2 * NS_PER_S)
    assert [rule.limit_percent for rule in cost.rules] == [5.0]


def test_what_is_skipped_costs_nothing() -> None:
    reclaim = (
        '[[step]]\nkind = "reclaim"\njob = { pattern = "sequential", bs = "128KiB", qd = 256 }\n'
        'fill = "50%"\nrests = ["5s"]\nwrite = "1min"\nskip_above = "1GiB"\n'
    )
    skipped, done = (plan_of(reclaim, capacity_bytes).cost for capacity_bytes in (2 * GIB, GIB))
    assert (skipped.jobs, skipped.duration_ns(DRIVE), skipped.bytes_to_write) == ((), 0, 0)
    assert len(done.jobs) == 2


def test_costs_are_told_by_the_steps_of_the_suite() -> None:
    groups = plan_of('[[step]]\nkind = "purge"\n' + FILL + measure('qd = 1, read = "100%", amount = "1MiB"')).groups
    assert [(group.group, len(group.jobs), group.resume) for group in groups] == [
        ("purge", 0, Resume.REDO),
        ("fill", 1, Resume.FROM_PURGE),
        ("measure", 1, Resume.REDO),
    ]
    assert groups[2].points == ("measure",)


def test_host_space_grows_with_what_is_logged() -> None:
    small, large = (plan_of(FILL, size).host_bytes_max for size in (GIB, 4 * TIB))
    assert 1 * MIB < small < 8 * MIB
    assert GIB < large < 4 * GIB


def test_a_bundle_is_likely_to_take_what_bundles_took_and_less_than_it_can() -> None:
    plan = plan_of(measure('qd = 1, read = "100%", limit = "10s"'))
    # A hundred windows of one job.
    assert bundle_bytes_at(plan.steps, DRIVE) == 60_000 + 100 * 20 < plan.host_bytes_max // 8


def test_every_io_that_is_kept_takes_space_on_the_host() -> None:
    job = measure('qd = 1, read = "100%", amount = "1GiB"')
    windows, every_io = (plan_of(step).host_bytes_max for step in (job, job + "every_io = {}\n"))
    assert every_io - windows == 2**18 * (90 + 25)


def test_latency_over_time_takes_no_more_space_the_longer_a_fill_lasts() -> None:
    large, larger = (plan_of(FILL, size).host_bytes_max for size in (TIB, 2 * TIB))
    windows = TIB // 30_000_000 * 10
    assert larger - large == pytest.approx(windows * (130 + 1700 + 40), rel=1e-3)


def test_conditioning_of_a_large_drive_fits_on_an_ordinary_host() -> None:
    steady = (
        'at_least = "2x"\nat_most = "23x"\nmeasured = "5min"\njob = { pattern = "random", bs = "4KiB", qd = 256 }\n'
    )
    plan = plan_of(f'[[step]]\nkind = "steady"\nname = "conditioning"\n{steady}', 4 * TIB)
    # 23 x at 30 MB/s would take five weeks.
    assert 5 * 7 * 24 * 36_000 * 150 < plan.host_bytes_max < 10 * GIB


def test_every_io_of_a_job_that_ends_by_time_is_bounded_by_what_any_drive_can_do() -> None:
    job = measure('qd = 1, read = "100%", limit = "1s"') + "every_io = {}\n"
    assert plan_of(job).host_bytes_max < 200_000 * (90 + 25) + 2 * MIB


def test_rests_take_next_to_no_space() -> None:
    steps = "".join(f'[[step]]\nkind = "rest"\nname = "r{number}"\nduration = "1h"\n' for number in range(10))
    assert plan_of(steps).host_bytes_max < MIB
