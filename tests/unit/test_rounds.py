"""Rounds of measurements: the order of cells, the rule of five flat rounds, and where a run departs from the published text."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.plans import drive

from ssdlab.analysis.infer.rounds import next_cell
from ssdlab.analysis.infer.snia import snia_window
from ssdlab.drive.identity import Freshness
from ssdlab.method.builtin import load_suite
from ssdlab.method.departures import departures
from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.rounds import Cell, CellOfRound, RoundsRule
from ssdlab.method.plan import Plan, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB, MIB

MIXES = (100, 95, 65, 50, 35, 5, 0)
SIZES = (MIB, 128 * KIB, 64 * KIB, 32 * KIB, 16 * KIB, 8 * KIB, 4 * KIB, 512)


def planned(suite: str = "pts-iops", logical_block_bytes: int = 512, profile: str = "standard") -> Plan:
    return expand(load_suite(suite), profile, drive(GIB, logical_block_bytes), seed=1)


def rule(plan: Plan) -> RoundsRule:
    (found,) = (step.search for step in plan.steps if isinstance(step.search, RoundsRule))
    return found


def measured(plan: Plan, does: Callable[[CellOfRound], float]) -> list[CellOfRound]:
    """All that is measured of a drive that does so in each cell of each round."""
    asked: list[CellOfRound] = []
    rounds: list[dict[Cell, float]] = []
    while (cell := next_cell(rule(plan), rounds)) is not None:
        if cell.round > len(rounds):
            rounds.append({})
        rounds[-1][cell.cell] = does(cell)
        asked.append(cell)
    return asked


def number_of_rounds(does: Callable[[CellOfRound], float]) -> int:
    return measured(planned(), does)[-1].round


class TestOrder:
    def test_a_round_goes_through_all_block_sizes_of_each_mix_before_the_next_mix(self) -> None:
        first = [one.cell for one in islice(measured(planned(), lambda _: 1.0), 56)]
        assert first == [Cell(mix, size) for mix in MIXES for size in SIZES]

    def test_every_round_has_the_same_order(self) -> None:
        asked = measured(planned(), lambda one: float(one.round % 2))
        assert [one.round for one in asked] == [number for number in range(1, 26) for _ in range(56)]
        assert [one.cell for one in asked] == [one.cell for one in asked[:56]] * 25

    def test_a_drive_with_larger_logical_blocks_leaves_smaller_cells_out(self) -> None:
        cells = rule(planned(logical_block_bytes=4096)).cells
        assert cells == tuple(Cell(mix, size) for mix in MIXES for size in SIZES if size >= 4096)

    @pytest.mark.parametrize(
        ("suite", "jobs", "depth", "share"), [("pts-iops", 4, 32, 1), ("pts-iops-client", 2, 16, 0.75)]
    )
    def test_enterprise_and_client_differ_in_jobs_depth_and_active_range(
        self, suite: str, jobs: int, depth: int, share: float
    ) -> None:
        found = rule(planned(suite))
        jobs_of_cells = [found.job(cell) for cell in found.cells]
        assert {(one.jobs, one.queue_depth, one.region.length_bytes) for one in jobs_of_cells} == {
            (jobs, depth, share * GIB)
        }
        assert {one.duration_ns for one in jobs_of_cells} == {60 * 10**9}

    def test_before_the_rounds_the_drive_is_purged_and_written_twice_in_order(self) -> None:
        before = [(step.name, step.job) for step in planned().steps[:-1]]
        assert [name for name, _ in before] == ["purge", "wipc.pass1", "wipc.pass2"]
        assert [(job.block_bytes, job.amount_bytes) for _, job in before if job is not None] == [(128 * KIB, GIB)] * 2


class TestRule:
    """SNIA PTS 2.0.2, 2.1.24: largest less smallest within 20 % of the mean, the best line within 10 % of it."""

    @given(st.lists(st.integers(1, 10**6), min_size=5, max_size=12))
    def test_it_is_that_of_exact_arithmetic_on_the_last_five(self, values: list[int]) -> None:
        last = [Fraction(one) for one in values[-5:]]
        mean = Fraction(sum(last), 5)
        slope = Fraction(sum((place - 2) * one for place, one in enumerate(last)), 10)
        window = snia_window([float(one) for one in values])
        assert window is not None
        assert window.mean == pytest.approx(float(mean))
        assert window.intercept + 2 * window.slope == pytest.approx(float(mean))
        spread, excursion = max(last) - min(last), 4 * abs(slope)
        if min(abs(spread - mean / 5), abs(excursion - mean / 10)) > Fraction(1, 10**6):
            assert window.is_flat == (spread <= mean / 5 and excursion <= mean / 10)

    def test_four_rounds_tell_nothing(self) -> None:
        assert snia_window([1.0] * 4) is None

    def test_a_constant_drive_is_steady_after_five_rounds(self) -> None:
        assert number_of_rounds(lambda _: 1000.0) == 5

    def test_a_drive_that_does_nothing_is_never_steady(self) -> None:
        assert number_of_rounds(lambda _: 0.0) == 25

    def test_a_drive_that_settles_after_three_rounds_takes_a_window_more(self) -> None:
        assert number_of_rounds(lambda one: 4000.0 if one.round <= 3 else 1000.0) == 8

    def test_all_tracked_cells_must_be_flat_in_the_same_window(self) -> None:
        late = {Cell(0, 4 * KIB): 1, Cell(65, 64 * KIB): 4, Cell(100, MIB): 2}
        assert number_of_rounds(lambda one: 9.0 if one.round <= late.get(one.cell, 0) else 1.0) == 9

    def test_what_is_not_tracked_may_change(self) -> None:
        assert number_of_rounds(lambda one: float(one.round) if one.cell == Cell(50, 4 * KIB) else 1.0) == 5

    def test_the_quick_profile_is_over_after_one_window(self) -> None:
        asked = measured(planned(profile="quick"), lambda one: float(one.round % 2))
        assert asked[-1].round == 5


class TestSuites:
    def test_throughput_purges_and_prepares_anew_for_each_block_size(self) -> None:
        steps = planned("pts-tp").steps
        assert [step.name for step in steps] == [
            *("purge_1mib", "wipc_1mib.pass1", "wipc_1mib.pass2", "tp_1mib.search"),
            *("purge_128kib", "wipc_128kib.pass1", "wipc_128kib.pass2", "tp_128kib.search"),
        ]
        prepared = [step.job.block_bytes for step in steps if step.job is not None]
        assert prepared == [MIB, MIB, 128 * KIB, 128 * KIB]

    def test_latency_has_one_io_in_flight_and_ends_with_twenty_minutes_of_writes(self) -> None:
        plan = planned("pts-lat")
        cells = rule(plan)
        assert cells.cells == tuple(Cell(mix, size) for mix in (100, 65, 0) for size in (8 * KIB, 4 * KIB, 512))
        assert {(cells.job(cell).jobs, cells.job(cell).queue_depth) for cell in cells.cells} == {(1, 1)}
        last = plan.steps[-1].job
        assert last is not None
        assert (last.block_bytes, last.read_percent, last.queue_depth, last.duration_ns) == (
            4 * KIB,
            0,
            1,
            1200 * 10**9,
        )

    def test_a_cell_that_is_tracked_must_be_measured(self) -> None:
        text = load_suite("pts-iops").text.replace('read = "0%", bs = "4KiB"', 'read = "1%", bs = "4KiB"')
        with pytest.raises(SuiteError, match="is no cell of the sweep"):
            parse_suite(text, "mine.toml")


class TestDepartures:
    """A run says where it departs from the published text."""

    def ids(self, plan: Plan, logical_block_bytes: int = 512) -> list[str]:
        return [one.id for one in departures(plan, drive(GIB, logical_block_bytes))]

    def test_a_suite_that_follows_no_text_says_nothing(self) -> None:
        assert self.ids(planned("wsat")) == []

    def test_the_write_cache_stays_as_it_was(self) -> None:
        found = {str(one) for suite in ("pts-iops", "pts-iops-client") for one in departures(planned(suite), drive())}
        assert {one.rpartition(" ")[2] for one in found if "write cache" in one} == {"disabled", "enabled"}

    def test_a_scaled_run_and_blocks_left_out_are_told(self) -> None:
        common = ["published-at-second-hand", "published-cache-left"]
        assert self.ids(planned()) == common
        assert self.ids(planned(profile="quick")) == [*common, "published-scaled"]
        assert self.ids(planned(logical_block_bytes=4096), 4096) == [*common, "published-small-blocks"]

    def test_a_purge_that_proves_nothing_is_told(self) -> None:
        doubtful = replace(drive(), purge_leaves=Freshness.UNPROVEN)
        assert "published-purge-unproven" in [one.id for one in departures(planned(), doubtful)]
