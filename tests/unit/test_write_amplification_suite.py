"""The suite `write-amplification` as it is planned: its patterns, their draws, and what it refuses."""

import pytest
from tests.kit.plans import drive

from ssdlab.engine.workload import workload_fields
from ssdlab.job import Draw, IoLog, Job, Pattern, Region, Resume, StepKind, Zipf, Zones, ZoneShares
from ssdlab.method.builtin import load_suite
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep, patterns_of
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB

TEXT = load_suite("write-amplification").text


def said(text: str = TEXT) -> WriteAmplificationStep:
    """The suite's own words."""
    step = parse_suite(text, "a test").step("write_amplification")
    assert isinstance(step, WriteAmplificationStep)
    return step


def test_the_patterns_are_those_of_ssd_iq_and_uniform_is_the_first() -> None:
    labels = [one.label for one in patterns_of(said())]
    assert labels == [
        "uniform",
        *(f"cold{share}" for share in (20, 40, 60, 80, 90)),
        *("zones60_40", "zones70_30", "zones80_20", "zones90_10", "zones95_5"),
        *("zipf0_2", "zipf0_4", "zipf0_6", "zipf0_8", "zipf1"),
    ]


def test_ninety_per_cent_of_the_writes_go_to_a_tenth_of_the_blocks() -> None:
    pattern = next(one for one in patterns_of(said()) if one.label == "zones90_10")
    assert pattern.access == Zones((ZoneShares(10, 90), ZoneShares(90, 10)))


def test_blocks_that_are_cold_get_no_write() -> None:
    pattern = next(one for one in patterns_of(said()) if one.label == "cold80")
    assert pattern.access == Zones((ZoneShares(80, 0), ZoneShares(20, 100)))


@pytest.mark.parametrize(("key", "twice"), [("cold", "[20, 20]"), ("hot", "[90, 80, 90]"), ("zipf", "[0.8, 0.8]")])
def test_a_pattern_that_is_named_twice_is_refused(key: str, twice: str) -> None:
    line = next(one for one in TEXT.splitlines() if one.startswith(f"{key} ="))
    with pytest.raises(SuiteError):
        said(TEXT.replace(line, f"{key} = {twice}"))


@pytest.mark.parametrize(("key", "wrong"), [("cold", "[0]"), ("hot", "[100]"), ("zipf", "[-1.0]")])
def test_a_pattern_that_cannot_be_is_refused(key: str, wrong: str) -> None:
    line = next(one for one in TEXT.splitlines() if one.startswith(f"{key} ="))
    with pytest.raises(SuiteError):
        said(TEXT.replace(line, f"{key} = {wrong}"))


def test_only_the_own_engine_may_do_it() -> None:
    with pytest.raises(SuiteError):
        said(TEXT.replace('engine = "load"', 'engine = "any"'))


def job(access: Zipf | Zones | None, pattern: Pattern = Pattern.RANDOM, io_log: IoLog = IoLog.WINDOWS) -> Job:
    """A job of that law."""
    return Job(
        name="a",
        pattern=pattern,
        draw=Draw.INDEPENDENT,
        read_percent=0,
        block_bytes=4096,
        queue_depth=1,
        region=Region(0, 1 << 20),
        amount_bytes=1 << 20,
        duration_ns=None,
        seed=0,
        io_log=io_log,
        access=access,
    )


def test_a_law_is_handed_to_the_engine_in_its_words_and_no_law_not_at_all() -> None:
    assert "access" not in workload_fields(job(None))
    assert workload_fields(job(Zipf(0.9)))["access"] == {"zipf": 0.9}
    zones = workload_fields(job(Zones((ZoneShares(20, 80), ZoneShares(80, 20)))))["access"]
    assert zones == {"zones": [{"blocks_percent": 20, "ios_percent": 80}, {"blocks_percent": 80, "ios_percent": 20}]}


def test_only_random_offsets_follow_a_law_and_none_is_logged() -> None:
    with pytest.raises(ValueError, match="law"):
        job(Zipf(0.9), pattern=Pattern.SEQUENTIAL)
    with pytest.raises(ValueError, match="law"):
        job(Zipf(0.9), io_log=IoLog.EVERY_IO)


def test_a_pattern_is_done_again_only_with_all_that_came_before() -> None:
    plan = expand(parse_suite(TEXT, "a test"), "standard", drive(), seed=1)
    steps = [one for one in plan.steps if one.group == "write_amplification"]
    assert steps[0].point.name == "write_amplification.sequential"
    assert [one.kind for one in steps] == [StepKind.FILL, *[StepKind.PRECONDITION] * 16]
    assert {one.resume for one in steps} == {Resume.FROM_PURGE}
    assert len({one.job.seed for one in steps if one.job is not None}) == 17


def test_quick_writes_a_pattern_at_most_twice() -> None:
    plan = expand(parse_suite(TEXT, "a test"), "quick", drive(), seed=1)
    jobs = [one.job for one in plan.steps if one.group == "write_amplification" and one.job is not None]
    assert [one.amount_bytes for one in jobs] == [GIB, *[2 * GIB] * 16]
