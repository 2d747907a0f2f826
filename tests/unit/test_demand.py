"""What is asked of a drive next, when that is over, and which operating points are looked at closely (SNIA PTS, DIRTH and CBW)."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import pytest
from tests.kit.plans import drive

from ssdlab.analysis.infer.demand import DemandAnswer, DemandsShown, next_asked, operating_points, taken
from ssdlab.job import MixAction, StepKind
from ssdlab.method.builtin import load_suite
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.demand import (
    Asked,
    Demand,
    DemandOfRound,
    DemandRule,
    Operating,
    Saturation,
    demand_steps,
    demands_of,
)
from ssdlab.method.plan import PlanError, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB

COUNTS = (32, 16, 8, 6, 4, 2, 1)
MS = 1_000_000


def rule(suite: str = "pts-dirth") -> DemandRule:
    steps = expand(load_suite(suite), "standard", drive(GIB), seed=1).steps
    (found,) = (step.search for step in steps if isinstance(step.search, DemandRule))
    return found


def asked(does: Callable[[Asked], DemandAnswer]) -> list[Asked]:
    """All that is asked of a drive that answers so."""
    of, shown, found = rule(), DemandsShown(), list[Asked]()
    while (what := next_asked(of.said, of.demands, of.rounds_max, shown)) is not None:
        shown = taken(shown, what, does(what))
        found.append(what)
    return found


def flat(what: Asked) -> DemandAnswer:
    """The more is asked the longer it takes, and the rate has an end."""
    match what:
        case DemandOfRound(demand=one):
            in_flight = one.jobs * one.queue_depth
            return DemandAnswer(min(1000.0 * in_flight, 64_000.0), max(MS, in_flight * MS / 64))
        case _:
            return DemandAnswer(64_000.0, 16.0 * MS)


class TestOrder:
    def test_a_round_goes_through_all_depths_of_each_number_of_jobs_the_largest_first(self) -> None:
        assert list(rule().demands) == [Demand(jobs, depth) for jobs in COUNTS for depth in COUNTS]

    def test_a_flat_drive_is_saturated_five_times_then_measured_five_times_then_looked_at_thrice(self) -> None:
        found = asked(flat)
        assert [one.round for one in found if isinstance(one, Saturation)] == [1, 2, 3, 4, 5]
        rounds = [one.round for one in found if isinstance(one, DemandOfRound)]
        assert rounds == [place for place in range(1, 6) for _ in range(49)]
        assert len(found) == 5 + 5 * 49 + 3

    def test_a_drive_that_never_settles_has_25_rounds_of_each_and_its_points_all_the_same(self) -> None:
        def restless(what: Asked) -> DemandAnswer:
            place = getattr(what, "round", 0)
            return replace(flat(what), iops=flat(what).iops * (1 + place % 2))

        found = asked(restless)
        assert sum(isinstance(one, Saturation) for one in found) == 25
        assert sum(isinstance(one, DemandOfRound) for one in found) == 25 * 49
        assert len(found) == 25 + 25 * 49 + 3


class TestOperatingPoints:
    MEANS: ClassVar = {
        Demand(jobs, depth): flat(DemandOfRound(1, Demand(jobs, depth))) for jobs in COUNTS for depth in COUNTS
    }

    def test_the_highest_rate_within_the_limit_the_middle_and_the_least(self) -> None:
        points = operating_points(rule().said, self.MEANS)
        assert [one.operating for one in points] == [Operating.MAX, Operating.MID, Operating.MIN]
        most, middle, least = (self.MEANS[one.demand] for one in points)
        assert least == self.MEANS[Demand(1, 1)]
        within = [one.iops for one in self.MEANS.values() if one.response_ns < 5 * MS]
        assert most.iops == max(within)
        target = (most.iops + least.iops) / 2
        assert abs(middle.iops - target) == min(abs(one - target) for one in within)

    def test_a_drive_that_answers_too_late_to_all_has_only_the_least(self) -> None:
        slow = {demand: replace(answer, response_ns=9.0 * MS) for demand, answer in self.MEANS.items()}
        assert [one.operating for one in operating_points(rule().said, slow)] == [Operating.MIN]


class TestSteps:
    def planned(self, what: Asked, suite: str = "pts-dirth") -> list[tuple[str, StepKind, int, int, int]]:
        of = rule(suite)
        steps = expand(load_suite(suite), "standard", drive(GIB), seed=1).steps
        jobs = [(one, one.job) for one in demand_steps(steps[-1], of, what, 10)]
        return [
            (step.name, step.kind, job.in_flight, job.read_percent, (job.duration_ns or 0) // 10**9)
            for step, job in jobs
            if job is not None
        ]

    def test_a_round_begins_with_five_minutes_of_writes_with_the_most_in_flight(self) -> None:
        assert self.planned(DemandOfRound(2, Demand(32, 32))) == [
            ("dirth.round2.prewrite", StepKind.RAMP, 1024, 0, 300),
            ("dirth.round2.n32.q32", StepKind.MEASURE, 1024, 65, 60),
        ]
        assert self.planned(DemandOfRound(2, Demand(4, 8))) == [("dirth.round2.n4.q8", StepKind.MEASURE, 32, 65, 60)]

    def test_the_writes_of_a_mix_are_the_mix_without_its_reads(self) -> None:
        of = rule("pts-cbw")
        assert {part.action for part in of.template.mix} == {MixAction.READ, MixAction.WRITE}
        assert {part.action for part in of.writes.mix} == {MixAction.WRITE}
        assert (of.template.read_percent, of.writes.read_percent) == (40, 0)

    def test_a_number_of_jobs_must_not_be_said_twice(self) -> None:
        text = load_suite("pts-dirth").text.replace("jobs = [32, 16,", "jobs = [32, 32,")
        with pytest.raises(SuiteError, match="jobs"):
            parse_suite(text, "mine.toml")

    @pytest.mark.parametrize(
        "job", ['{ mix = "snia-cbw", bs = "4KiB" }', '{ pattern = "random", bs = "4KiB" }'], ids=["both", "half"]
    )
    def test_a_job_is_a_mix_or_says_all_itself(self, job: str) -> None:
        text = load_suite("pts-cbw").text.replace('{ mix = "snia-cbw" }', job)
        with pytest.raises(SuiteError, match="say either a `mix`"):
            parse_suite(text, "mine.toml")

    def test_blocks_of_half_a_kib_are_refused_on_a_drive_that_has_none(self) -> None:
        with pytest.raises(PlanError, match="512"):
            expand(load_suite("pts-cbw"), "standard", drive(GIB, 4096), seed=1)

    def test_all_demands_of_the_suite_are_planned_for(self) -> None:
        of = rule()
        assert demands_of(of.said) == of.demands
        hours = sum(one.duration_ns or 0 for one in of.usual_jobs) / 3600e9
        assert hours == pytest.approx(10 * (0.5 + (5 + 49) / 60) + 3 * 70 / 60)
