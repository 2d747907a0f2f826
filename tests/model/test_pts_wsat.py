"""Write saturation of SNIA PTS, whole from purge to report, on a drive so slow that its scaled half hours are many."""

import io
from pathlib import Path

import numpy as np
import pytest
from tests.kit.load_drives import constant_drive, metrics_of, number

from ssdlab.bundle.read import Bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.cli.display import PlainDisplay
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.latency_axis import latency_text
from ssdlab.figure.registry import figures_for
from ssdlab.job import DriveState
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.report.suite_numbers import NumberKind, suite_numbers

ROUND_S, SAMPLE_S = 6.0, 0.2
"""Half an hour and a minute in the quick profile."""


def run_of(text: str, directory: Path, raw: str = "128 MiB") -> Bundle:
    spec = constant_drive().replace('raw = "96 MiB"', f'raw = "{raw}"').replace('"200us"', '"3ms"')
    path = directory / "drive.toml"
    path.write_text(spec)
    with open_bench(f"model:{path}") as bench:
        plan = expand(parse_suite(text, "mine.toml"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, directory / "lab", PlainDisplay(io.StringIO()))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_of(load_suite("pts-wsat").text, tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def cut_short(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The same where not even five half hours fit."""
    text = load_suite("pts-wsat").text.replace('limit = "24h"', 'limit = "2h"')
    return run_of(text, tmp_path_factory.mktemp("short"))


def minutes(bundle: Bundle) -> list[float]:
    """IOPS in the last minute of each half hour, from the recorded windows alone."""
    step = next(one for one in bundle.steps if one.group == "wsat")
    series = bundle.series(step, Direction.WRITE)
    end_s, done = series.time_ns / 1e9, series.bytes_done
    last = int(end_s[-1] / ROUND_S + 1e-3)
    ends = ROUND_S * np.arange(1, last + 1)
    written = np.interp(ends, end_s, done) - np.interp(ends - SAMPLE_S, end_s, done)
    return [float(one) / 4096 / SAMPLE_S for one in written]


def is_steady(values: list[float]) -> bool:
    """The rule, worked out by hand."""
    mean = sum(values) / 5
    slope = sum(place * value for place, value in zip((-2, -1, 0, 1, 2), values, strict=True)) / 10
    return max(values) - min(values) <= 0.2 * mean and abs(slope) * 4 <= 0.1 * mean


class TestRun:
    def test_it_ends_with_the_first_five_flat_minutes_after_the_drive_is_written_once(self, run: Bundle) -> None:
        found, metrics = minutes(run), metrics_of(run)
        flat = [end for end in range(5, len(found) + 1) if is_steady(found[end - 5 : end])]
        assert metrics["precondition.rnd.criterion"].value == "snia"
        assert flat[0] == len(found) == number(metrics, "precondition.rnd.rounds")
        assert number(metrics, "precondition.rnd.steady_at_bytes.snia") >= run.run.drive.capacity_bytes

    def test_the_steady_speed_is_the_mean_of_these_minutes(self, run: Bundle) -> None:
        mean = sum(minutes(run)[-5:]) / 5
        assert number(metrics_of(run), "wsat.steady_iops") == pytest.approx(mean, rel=0.01)

    def test_fresh_is_faster_than_steady(self, run: Bundle) -> None:
        metrics = metrics_of(run)
        assert metrics["wsat.fob_iops"].state is DriveState.FOB
        assert number(metrics, "wsat.fob_iops") > 1.1 * number(metrics, "wsat.steady_iops")

    def test_the_response_time_is_measured_on_the_steady_drive(self, run: Bundle) -> None:
        assert metrics_of(run)["histogram.iops"].state is DriveState.STEADY

    def test_it_says_where_it_departs_from_the_text(self, run: Bundle) -> None:
        told = [one.text.id for one in run.warned if one.kind is WarningKind.METHOD]
        assert told == [
            *("published-at-second-hand", "published-cache-left"),
            *("published-scaled", "published-not-while-fresh"),
        ]

    def test_its_numbers_are_named_after_all_that_is_in_flight(self, run: Bundle) -> None:
        labels = [str(one.label) for one in suite_numbers([run]) if one.kind is NumberKind.STEADY_RANDOM]
        assert labels == ["steady RND 4 KiB QD128 write"]

    def test_the_report_has_the_phases_and_the_measurement_window(self, run: Bundle) -> None:
        figures = {figure.name: figure for figure in figures_for(run)}
        assert {"wsat", "over-time-wsat", "half-hours-wsat"} <= set(figures)
        ((name, rounds, mean, *_),) = figures["half-hours-wsat"].table.rows
        count = len(minutes(run))
        assert (name, rounds) == ("4 KiB write", f"{count - 4}..{count}")
        assert mean == f"{number(metrics_of(run), 'wsat.steady_iops'):,.1f}"

    def test_the_report_has_the_response_times_of_the_end(self, run: Bundle) -> None:
        (figure,) = (one for one in figures_for(run) if one.name == "response-histogram")
        metrics = metrics_of(run)
        assert figure.title == "Random 4 KiB write at QD128: latency by percentile"
        assert f"mean {latency_text(number(metrics, 'histogram.clat_mean'))}" in figure.caption
        ((label, *percentiles),) = figure.table.rows
        assert str(label).startswith("4 KiB write")
        # In microseconds: 90 and 99 %, both of more than ten I/Os.
        told = [float(str(one).replace(",", "")) for one in percentiles if str(one).replace(",", "")[:1].isdigit()]
        assert [number(metrics, f"histogram.clat_p{one}") / 1000 for one in (90, 99)] == pytest.approx(
            told[-2:], rel=0.01
        )


class TestNotSteady:
    def test_it_is_told_and_what_follows_is_marked(self, cut_short: Bundle) -> None:
        metrics = metrics_of(cut_short)
        assert metrics["precondition.rnd.criterion"].value == "not steady"
        assert metrics["histogram.iops"].state is DriveState.NOT_STEADY
        assert WarningKind.NOT_STEADY in [one.kind for one in cut_short.warned]

    def test_its_half_hours_are_drawn_without_a_window(self, cut_short: Bundle) -> None:
        (figure,) = (one for one in figures_for(cut_short) if one.name == "half-hours-wsat")
        assert "4 whole rounds are too few" in figure.caption
        assert figure.table.rows == ()
