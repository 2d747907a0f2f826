"""Demand intensity of SNIA PTS (DIRTH, CBW) on a drive of constant service time, from purge to figures."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.figure_content import assert_whole
from tests.kit.load_drives import constant_drive, metrics_of, number, run_on

from ssdlab.bundle.model import Metric, Outcome
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.cli.display import PlainDisplay
from ssdlab.errors import Interrupted
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.resume import resume
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.report.first_screen.verdict import verdict_of
from ssdlab.report.suite_numbers import NumberKind, suite_numbers
from ssdlab.step_spec import StepSpec

COUNTS = (4, 2, 1)


def short(name: str = "pts-dirth") -> str:
    """The built-in suite with nine demands and seconds for minutes."""
    text = load_suite(name).text.replace("[32, 16, 8, 6, 4, 2, 1]", "[4, 2, 1]")
    times = 'saturate = "30min", prewrite = "5min", cell = "1min", before_point = "60min", point = "10min"'
    assert times in text
    return text.replace(times, 'saturate = "3s", prewrite = "500ms", cell = "500ms", before_point = "1s", point = "1s"')


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(), short(), tmp_path_factory.mktemp("dirth"))


@pytest.fixture(scope="module")
def composite(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(), short("pts-cbw"), tmp_path_factory.mktemp("cbw"))


def _slower(one: Metric) -> Metric:
    """A mean response time of twice the length; others as they are."""
    is_mean = one.name.endswith(".lat_mean") and isinstance(one.value, float)
    return replace(one, value=2 * float(one.value)) if is_mean else one  # type: ignore[arg-type]


def rounds(bundle: Bundle, group: str) -> list[float]:
    """What was tracked in each round."""
    metrics = metrics_of(bundle)
    count = int(number(metrics, f"{group}.rounds"))
    return [number(metrics, f"{group}.round{place}.n4.q4.iops") for place in range(1, count + 1)]


class TestRun:
    def test_it_is_saturated_before_anything_is_measured(self, run: Bundle) -> None:
        names = [one.name for one in run.finished() if one.group == "dirth" and one.kind is StepKind.MEASURE]
        count = int(number(metrics_of(run), "dirth.saturate.rounds"))
        assert names[:count] == [f"dirth.saturate.round{place}" for place in range(1, count + 1)]
        assert names[count : count + 9] == [f"dirth.round1.n{jobs}.q{depth}" for jobs in COUNTS for depth in COUNTS]
        assert names[-3:] == ["dirth.max", "dirth.mid", "dirth.min"]

    def test_a_demand_is_the_mean_of_the_last_five_rounds(self, run: Bundle) -> None:
        metrics = metrics_of(run)
        assert number(metrics, "dirth.n4.q4.iops") == pytest.approx(sum(rounds(run, "dirth")[-5:]) / 5)
        assert metrics["dirth.n4.q4.iops"].state is DriveState.STEADY
        assert metrics["dirth.criterion"].value == "snia"

    def test_rate_times_response_time_is_what_is_in_flight(self, run: Bundle) -> None:
        """Little's law, of a closed loop."""
        metrics = metrics_of(run)
        for jobs in COUNTS:
            for depth in COUNTS:
                point = f"dirth.n{jobs}.q{depth}"
                in_flight = number(metrics, f"{point}.iops") * number(metrics, f"{point}.lat_mean") / 1e9
                assert in_flight == pytest.approx(jobs * depth, rel=0.03)

    def test_an_operating_point_does_what_the_rounds_have_found_there(self, run: Bundle) -> None:
        metrics = metrics_of(run)
        (step,) = (one for one in run.finished() if one.name == "dirth.max")
        assert step.job is not None
        found = f"dirth.n{step.job.jobs}.q{step.job.queue_depth}.iops"
        assert number(metrics, "dirth.max.iops") == pytest.approx(number(metrics, found), rel=0.05)
        assert number(metrics, "dirth.max.lat_mean") < 5_000_000

    def test_the_figures_of_the_text_are_there(self, run: Bundle) -> None:
        figures = {figure.name: figure for figure in figures_for(run)}
        wanted = {f"demand-{one}-dirth" for one in ("intensity", "variation", "response", "rounds")}
        assert wanted <= set(figures)
        assert [row[0] for row in figures["demand-intensity-dirth"].table.rows] == ["4", "2", "1"]
        assert [row[0] for row in figures["demand-rounds-dirth"].table.rows] == ["writes before", "4 jobs at QD4"]
        labels = [str(row[0]) for row in figures["demand-response-dirth"].table.rows]
        assert [one.partition(":")[0] for one in labels] == ["MAX", "MID", "MIN"]

    def test_beside_another_drive_each_is_a_line_through_the_demands_that_none_beats(self, run: Bundle) -> None:
        slower = [_slower(one) for one in run.metrics]
        both = [run, replace(run, metrics=tuple(slower))]
        (figure,) = (one for one in figures_comparing(both) if one.name == "demand-intensity-dirth")
        labels = list(dict.fromkeys(row[0] for row in figure.table.rows))
        of_each = [[row for row in figure.table.rows if row[0] == label] for label in labels]
        assert len(labels) == 2
        assert [row[:4] for row in of_each[1]] == [(labels[1], *row[1:4]) for row in of_each[0]]
        for own in of_each:
            rates, responses = ([float(str(row[at]).replace(",", "")) for row in own] for at in (3, 4))
            assert rates == sorted(rates)
            assert responses == sorted(responses)
        known = metrics_of(run)
        every = [number(known, f"dirth.n{jobs}.q{depth}.iops") for jobs in COUNTS for depth in COUNTS]
        assert of_each[0][-1][3] == f"{max(every):,.0f}"
        assert_whole(figure)

    def test_its_numbers_are_rate_and_response_time_of_the_operating_points(self, run: Bundle) -> None:
        kinds = [one.kind for one in suite_numbers([run])]
        assert kinds == [NumberKind.OPERATING_RATE, NumberKind.OPERATING_RESPONSE] * 3

    def test_the_verdict_says_where_the_drive_was_not_steady(self, run: Bundle) -> None:
        def told(state: DriveState) -> list[str]:
            known = {one.key: replace(one, state=state) for one in run.metrics}
            return [one.id for one in verdict_of(run, known)]

        assert told(DriveState.STEADY) == ["verdict-demand"]
        assert told(DriveState.NOT_STEADY) == ["verdict-demand-not-steady"]

    def test_nothing_failed_the_audit(self, run: Bundle) -> None:
        assert {name for metric in run.metrics for name in metric.failed_checks} == set()


class TestComposite:
    def test_the_mix_was_issued_as_its_file_has_it(self, composite: Bundle) -> None:
        shares = [one.outcome for one in composite.audit if one.name == "mix.shares" and one.step == "cbw.max"]
        assert shares == [Outcome.PASS]

    def test_forty_per_cent_are_reads_and_none_before_the_measurement(self, composite: Bundle) -> None:
        done = {one.name: composite.result(one).directions for one in composite.finished() if one.job is not None}
        of_max = {direction.value: one.io_count for direction, one in done["cbw.max"].items()}
        assert of_max["read"] / sum(of_max.values()) == pytest.approx(0.4, abs=0.01)
        assert [one.value for one in done["cbw.max.prewrite"]] == ["write"]

    def test_it_says_that_reads_are_left_out_of_the_writes_before(self, composite: Bundle) -> None:
        told = [one.text.id for one in composite.warned if one.kind is WarningKind.METHOD]
        assert told[-1] == "published-response-of-mix"

    def test_its_figure_is_called_after_the_mix(self, composite: Bundle) -> None:
        (figure,) = (one for one in figures_for(composite) if one.name == "demand-intensity-cbw")
        assert figure.title.startswith("SNIA CBW")


class _StopsInTheRounds(PlainDisplay):
    """An operator who stops the run in the second round."""

    def step_starts(self, step: StepSpec) -> None:
        super().step_starts(step)
        if step.name == "dirth.round2.n1.q1":
            raise KeyboardInterrupt


def test_a_run_stopped_in_a_round_begins_again_at_its_purge(tmp_path: Path) -> None:
    drive = tmp_path / "drive.toml"
    drive.write_text(constant_drive())
    with open_bench(f"model:{drive}") as bench:
        plan = expand(parse_suite(short(), "mine.toml"), "standard", bench.drive.identity, seed=1)
        with pytest.raises(Interrupted):
            execute(plan, bench, tmp_path / "lab", _StopsInTheRounds(io.StringIO()))
    (path,) = (tmp_path / "lab" / "runs").iterdir()
    assert [one.name for one in open_bundle(path).finished()][-1] == "dirth.round2.n1.q2"
    with open_bench(f"model:{drive}") as bench:
        bundle = resume(path, bench, PlainDisplay(io.StringIO()))
    whole = run_on(constant_drive(), short(), tmp_path / "whole")
    assert rounds(bundle, "dirth") == rounds(whole, "dirth")
