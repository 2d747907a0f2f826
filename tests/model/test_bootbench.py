"""BootBench on model drives that pass, that miss one limit each, and as it is published."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.boot_drives import SOUND, metrics_of, said_else, searched, with_outliers
from tests.kit.plans import drive, names

from ssdlab import _core
from ssdlab.analysis.metrics.bootbench import Bound, limits_of, margin_percent, nearest_bin_ns, slowest_bytes_per_s
from ssdlab.bundle.model import Outcome, Step, StepStatus, as_step
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.drive.identity import Memory
from ssdlab.engine.result import Direction, Histogram, Series
from ssdlab.errors import Interrupted
from ssdlab.job import Caching, Draw, DriveState, Interface, StepKind, StreamKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.resume import remaining, resume
from ssdlab.lab.run import execute
from ssdlab.message import message, verbatim
from ssdlab.method.builtin import load_suite
from ssdlab.method.kinds.search import SearchRule, SearchStep
from ssdlab.method.plan import Plan, expand
from ssdlab.step_spec import StepSpec
from ssdlab.units import MIB, NS_PER_MS, NS_PER_S
from ssdlab.unknown import Unknown


def said(suite: str = "bootbench") -> SearchStep:
    step = load_suite(suite).step("bootbench")
    assert isinstance(step, SearchStep)
    return step


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return searched(tmp_path_factory.mktemp("sound"), SOUND)


class TestPlan:
    def test_the_whole_drive_is_written_twice_before_the_search(self) -> None:
        plan = expand(load_suite("bootbench"), "standard", drive(), seed=1)
        assert names(plan) == ["purge", "purge.rest", "bootbench.fill1", "bootbench.fill2", "bootbench.search"]
        fill = plan.steps[2].job
        assert fill is not None
        assert (fill.draw, fill.amount_bytes, fill.interface) == (
            Draw.PERMUTATION,
            drive().capacity_bytes,
            Interface.LIBAIO,
        )
        assert plan.steps[4].state is DriveState.FILLED_TWICE

    def test_as_published_the_fill_leaves_a_part_out_and_the_state_is_not_called_filled(self) -> None:
        plan = expand(load_suite("bootbench-compat"), "standard", drive(), seed=1)
        fill = plan.steps[1].job
        assert fill is not None
        assert fill.draw is Draw.INDEPENDENT
        assert plan.steps[3].state is DriveState.UNKNOWN

    def test_beside_the_reads_go_writes_with_flushes_and_trims(self) -> None:
        search = expand(load_suite("bootbench"), "standard", drive(), seed=1).steps[-1].search
        assert search is not None
        writes, trims = search.template.beside
        assert (writes.kind, writes.rate_bytes_per_s, writes.flush_every, writes.caching) == (
            StreamKind.WRITE,
            15 * MIB,
            2048,
            Caching.DIRECT,
        )
        assert (trims.kind, trims.rate_bytes_per_s, trims.flush_every) == (StreamKind.TRIM, 5 * MIB, None)
        assert said("bootbench-compat").writes.caching is Caching.BUFFERED

    def test_a_profile_shortens_the_runs(self) -> None:
        search = expand(load_suite("bootbench"), "quick", drive(), seed=1).steps[-1].search
        assert isinstance(search, SearchRule)
        assert (search.double_ns, search.bisect_ns, search.confirm_ns, search.confirm_runs) == (
            500 * NS_PER_MS,
            NS_PER_S,
            2 * NS_PER_S,
            3,
        )

    def test_a_drive_that_cannot_be_trimmed_skips_it_and_says_why(self) -> None:
        plan = expand(
            load_suite("bootbench"), "standard", replace(drive(), cannot_trim=verbatim("it is a file")), seed=1
        )
        assert {str(step.skip) for step in plan.steps[2:]} == {"it is a file"}


class TestSoundDrive:
    def test_it_passes_and_every_margin_is_positive(self, sound: Bundle) -> None:
        found = metrics_of(sound)
        assert found["bootbench.pass"].value is True
        assert found["bootbench.jobs"].value == 256
        margins = [found[f"bootbench.{bound.value}.margin"].value for bound in Bound]
        assert all(isinstance(margin, float) and margin > 0 for margin in margins)

    def test_the_slowest_of_three_confirmations_counts(self, sound: Bundle) -> None:
        found = metrics_of(sound)
        runs = [found[f"bootbench.confirm.n256.run{run}.iops"].value for run in (1, 2, 3)]
        assert found["bootbench.iops"].value == min(run for run in runs if isinstance(run, float))

    def test_every_candidate_is_a_step_of_its_own_that_the_search_asked_for(self, sound: Bundle) -> None:
        search = sound.step("bootbench.search")
        assert [step.name for step in sound.steps if step.asked_by == search.index] == [
            *(f"bootbench.double.n{2**power}" for power in range(2, 9)),
            *(f"bootbench.confirm.n256.run{run}" for run in (1, 2, 3)),
        ]
        assert str(search.note) == snapshot("256 jobs, 183,116 reads a second: passed")
        assert all(step.status is StepStatus.FINISHED for step in sound.steps)

    def test_writes_and_trims_kept_their_pace_in_blocks_of_their_own(self, sound: Bundle) -> None:
        directions = sound.result(sound.step("bootbench.confirm.n256.run1")).directions
        assert {
            direction: one.io_bytes for direction, one in directions.items() if direction is not Direction.READ
        } == {
            Direction.WRITE: 30 * MIB,
            Direction.TRIM: 10 * MIB,
        }

    def test_the_audit_finds_nothing(self, sound: Bundle) -> None:
        assert not [check for check in sound.audit if check.outcome in {Outcome.FAIL, Outcome.WARN}]

    def test_the_journal_alone_gives_the_steps_again(self, sound: Bundle, tmp_path: Path) -> None:
        (tmp_path / "cut").mkdir()
        (tmp_path / "cut" / "journal.jsonl").write_bytes((sound.path / "journal.jsonl").read_bytes())
        assert [step.name for step in open_bundle(tmp_path / "cut").steps] == [step.name for step in sound.steps]


@pytest.mark.parametrize(
    ("missed", "spec"),
    [
        (Bound.CLAT_P99, with_outliers(0.02, "15ms")),
        (Bound.CLAT_P99_9, with_outliers(0.004, "60ms")),
        (Bound.CLAT_MAX, with_outliers(0.0002, "600ms")),
        (Bound.WRITE_FLOOR, said_else(('link_write = "4 GB/s"', 'link_write = "4 MB/s"'))),
        (Bound.TRIM_FLOOR, said_else(('trim = "10us"', 'trim = "80ms"'))),
    ],
)
def test_a_drive_that_misses_one_limit_fails_at_the_start_by_that_alone(
    missed: Bound, spec: str, tmp_path: Path
) -> None:
    bundle = searched(tmp_path, spec)
    found = metrics_of(bundle)
    assert found["bootbench.pass"].value is False
    assert str(found["bootbench.pass"].note) == f"limits missed: {missed.value}"
    assert found["bootbench.iops"].value == Unknown(message("unknown-limits-not-kept", jobs=4))
    margin = found[f"bootbench.{missed.value}.margin"].value
    assert isinstance(margin, float)
    assert margin < 0
    assert [step.name for step in bundle.steps if step.asked_by] == ["bootbench.double.n4"]


def test_a_drive_that_answers_in_time_and_too_seldom_fails_by_its_rate(tmp_path: Path) -> None:
    found = metrics_of(searched(tmp_path, said_else(('link_read = "6 GB/s"', 'link_read = "1 GB/s"'))))
    assert (found["bootbench.pass"].value, str(found["bootbench.pass"].note)) == (False, "limits missed: iops")
    assert found["bootbench.jobs"].value == 256
    assert found["bootbench.iops"].value == pytest.approx(1e9 / 32768, rel=0.01)
    assert found["bootbench.iops.margin"].value == pytest.approx((1e9 / 32768 / 60_000 - 1) * 100, rel=0.02)


def test_more_readers_than_the_drive_answers_in_time_are_found_by_bisection(tmp_path: Path) -> None:
    """A link of 0.5 GB/s serves each of N readers after N x 66 us, so 10 ms are enough for about 150 of them."""
    bundle = searched(tmp_path, said_else(('link_read = "6 GB/s"', 'link_read = "500 MB/s"')))
    jobs = metrics_of(bundle)["bootbench.jobs"].value
    assert isinstance(jobs, int)
    assert 135 <= jobs <= 152
    assert metrics_of(bundle)[f"bootbench.confirm.n{jobs}.run3.pass"].value is True


class TestAsPublished:
    def test_the_largest_number_is_reported_from_its_only_run(self, tmp_path: Path) -> None:
        bundle = searched(tmp_path, SOUND, "bootbench-compat")
        found = metrics_of(bundle)
        assert [step.name for step in bundle.steps if step.asked_by][-1] == "bootbench.double.n256"
        assert found["bootbench.iops"].value == found["bootbench.double.n256.iops"].value
        assert str(found["bootbench.iops"].note) == "one run"

    def test_its_writes_come_in_bursts(self, sound: Bundle, tmp_path: Path) -> None:
        """What waited in the host's memory goes to the drive together, so the slowest reads are slower."""
        bundle = searched(tmp_path, SOUND, "bootbench-compat", profile="standard")
        longest = bundle.result(bundle.step("bootbench.double.n4")).directions[Direction.READ].latency
        direct = sound.result(sound.step("bootbench.double.n4")).directions[Direction.READ].latency
        assert max(one.max_ns for one in longest.values()) > 2 * max(one.max_ns for one in direct.values())

    def test_the_audit_says_what_its_fill_left_out(self, tmp_path: Path) -> None:
        bundle = searched(tmp_path, SOUND, "bootbench-compat")
        (check, _) = (
            one for one in bundle.audit if one.name == "coverage.fill" and one.outcome is not Outcome.NOT_APPLICABLE
        )
        assert "drawn independently" in str(check.finding)
        assert check.outcome is Outcome.WARN


class InterruptedAt(PlainDisplay):
    """An operator who presses Ctrl-C when a step begins."""

    def __init__(self, name: str) -> None:
        super().__init__(io.StringIO())
        self._name = name

    def step_starts(self, step: StepSpec) -> None:
        if step.name == self._name:
            raise KeyboardInterrupt


class TestResume:
    def test_an_interrupted_search_begins_again_with_its_purge_and_asks_anew(self, tmp_path: Path) -> None:
        (tmp_path / "boot.toml").write_text(SOUND)
        target = f"model:{tmp_path / 'boot.toml'}"
        with open_bench(target) as bench:
            plan = expand(load_suite("bootbench"), "quick", bench.drive.identity, 1)
            with pytest.raises(Interrupted):
                execute(plan, bench, tmp_path / "lab", InterruptedAt("bootbench.double.n16"))
        (path,) = (tmp_path / "lab" / "runs").iterdir()
        stopped = open_bundle(path)
        assert stopped.step("bootbench.search").status is StepStatus.INTERRUPTED
        assert metrics_of(stopped)["bootbench.pass"].value == Unknown(message("unknown-search-unfinished"))
        with open_bench(target) as bench:
            resumed = resume(path, bench, PlainDisplay(io.StringIO()))
        assert metrics_of(resumed)["bootbench.pass"].value is True
        assert len([step for step in resumed.steps if step.name == "bootbench.double.n4"]) == 1
        assert (path / "attempts" / "1" / "006-bootbench.double.n4").is_dir()

    def test_on_a_drive_that_keeps_what_was_written_all_since_the_purge_is_done_again_too(self) -> None:
        plan = expand(load_suite("bootbench"), "quick", drive(), seed=1)
        left = remaining(plan, self.begun(plan, StepStatus.INTERRUPTED), Memory.KEEPS)
        assert [step.name for step in left.steps] == names(plan)
        assert "`bootbench.search` stopped halfway" in str(left.reason)

    def test_a_search_that_had_not_begun_is_all_that_is_left(self) -> None:
        plan = expand(load_suite("bootbench"), "quick", drive(), seed=1)
        left = remaining(plan, self.begun(plan, StepStatus.PLANNED), Memory.KEEPS)
        assert [step.name for step in left.steps] == ["bootbench.search"]

    def begun(self, plan: Plan, search: StepStatus) -> list[Step]:
        """All before the search is finished."""
        return [
            replace(as_step(step), status=search if step.kind is StepKind.SEARCH else StepStatus.FINISHED)
            for step in plan.steps
        ]


class TestFloors:
    def series(self, *bytes_of_windows: float) -> Series:
        count = len(bytes_of_windows)
        nothing = np.full(count, np.nan)
        rate = np.array(bytes_of_windows) * 10
        return Series(
            window_ns=100 * NS_PER_MS,
            time_ns=np.arange(1, count + 1, dtype=np.int64) * 100 * NS_PER_MS,
            bandwidth_bytes_per_s=rate,
            iops=rate,
            latency_ns_mean=nothing,
            latency_ns_max=nothing,
        )

    def test_the_slowest_whole_cycle_counts(self) -> None:
        assert slowest_bytes_per_s(self.series(1, 1, 3, 0, 2, 2), 200 * NS_PER_MS) == pytest.approx(10)

    def test_what_is_left_after_the_last_whole_cycle_is_not_judged(self) -> None:
        assert slowest_bytes_per_s(self.series(2, 2, 0), 200 * NS_PER_MS) == pytest.approx(20)

    def test_a_run_shorter_than_a_cycle_is_judged_as_a_whole(self) -> None:
        assert slowest_bytes_per_s(self.series(0, 4), 5 * NS_PER_S) == pytest.approx(20)

    def test_a_stream_that_did_nothing_is_as_slow_as_can_be(self) -> None:
        assert slowest_bytes_per_s(None, 5 * NS_PER_S) == 0


class TestLimits:
    def test_they_are_those_of_the_specification(self) -> None:
        for suite in ("bootbench", "bootbench-compat"):
            assert {bound.value: limit for bound, limit in limits_of(said(suite)).items()} == {
                "clat_p99": 10 * NS_PER_MS,
                "clat_p99_9": 50 * NS_PER_MS,
                "clat_max": 500 * NS_PER_MS,
                "write_floor": 5 * MIB,
                "trim_floor": 2 * MIB,
                "iops": 60_000,
            }

    def test_what_lies_on_a_limit_keeps_it(self) -> None:
        limits = limits_of(said())
        assert {margin_percent(bound, limits[bound], limits) for bound in Bound} == {0}

    def test_margins_are_shares_of_the_limit(self) -> None:
        limits = limits_of(said())
        assert margin_percent(Bound.CLAT_P99, 8 * NS_PER_MS, limits) == pytest.approx(20)
        assert margin_percent(Bound.IOPS, 45_000, limits) == pytest.approx(-25)

    @given(st.lists(st.integers(1, 10**9), min_size=1, max_size=300), st.sampled_from([("99", 990), ("99.9", 999)]))
    def test_percentiles_are_nearest_ranks_to_the_width_of_a_bin(
        self, samples_ns: list[int], percent: tuple[str, int]
    ) -> None:
        text, per_mille = percent
        bins, counts = np.unique([_core.bin_index(one) for one in samples_ns], return_counts=True)
        histogram = Histogram(bins.astype(np.int64), counts.astype(np.int64), 0.0, 1, max(samples_ns), 0.0)
        exact = sorted(samples_ns)[-(-len(samples_ns) * per_mille // 1000) - 1]
        assert nearest_bin_ns(histogram, text) == pytest.approx(exact, rel=0.009, abs=1)


def test_the_model_is_told_of_streams_in_words_of_its_own(sound: Bundle) -> None:
    workload = json.loads((sound.directory(sound.step("bootbench.double.n4")) / "workload.json").read_text())
    assert workload["beside"] == snapshot(
        [
            {
                "kind": "write",
                "block_bytes": 131072,
                "rate_bytes_per_s": 15728640,
                "flush_every": 2048,
                "memory": "direct",
            },
            {
                "kind": "trim",
                "block_bytes": 131072,
                "rate_bytes_per_s": 5242880,
                "flush_every": None,
                "memory": "direct",
            },
        ]
    )


def test_a_candidate_begins_in_the_state_the_search_found(sound: Bundle) -> None:
    states = {step.state for step in sound.steps if step.group == "bootbench" and step.kind is StepKind.MEASURE}
    assert states == {DriveState.FILLED_TWICE}
