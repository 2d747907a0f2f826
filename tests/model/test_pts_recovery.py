"""Host idle recovery and cross stimulus recovery of SNIA PTS on drives whose behaviour is known, from purge to figures."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.kit.figure_content import assert_whole, rows
from tests.kit.load_drives import constant_drive, metrics_of, number, run_on

from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.cli.display import PlainDisplay
from ssdlab.engine.result import Direction
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
from ssdlab.unknown import Unknown
from ssdlab.words import Language, in_language

BURSTS, QUICK_BURSTS, WAITS = 6, 5, (5, 50)
"""Of each wait: as the suite says it, and as the profile cuts it; and the waits in seconds."""


def idle() -> str:
    """The built-in suite with two waits, few bursts, half hours of 6 s, and all the writes that a drive this small may need."""
    text = load_suite("pts-hir").text.replace("cycles = 360", f"cycles = {BURSTS}").replace('"3x"', '"100x"')
    return text.replace('"5s", "10s", "15s", "25s", "50s"', '"5s", "50s"').replace('time = "1/100"', 'time = "1/300"')


def quick(spec: str, text: str, directory: Path) -> Bundle:
    """In the quick profile."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "drive.toml"
    path.write_text(spec)
    with open_bench(f"model:{path}") as bench:
        plan = expand(parse_suite(text, "mine.toml"), "quick", bench.drive.identity, seed=1)
        return execute(plan, bench, directory / "lab", PlainDisplay(io.StringIO()))


def slow_drive() -> str:
    """Writes that collection holds up: 3 ms a page, little spare."""
    return constant_drive().replace('raw = "96 MiB"', 'raw = "128 MiB"').replace('"200us"', '"3ms"')


@pytest.fixture(scope="module")
def rested(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return quick(slow_drive(), idle(), tmp_path_factory.mktemp("idle"))


class TestIdle:
    def test_each_wait_is_bursts_with_a_rest_after_each_and_then_writes_without(self, rested: Bundle) -> None:
        own = [one.name for one in rested.finished() if one.group == "hir"]
        wanted: list[str] = []
        for wait in WAITS:
            for burst in range(1, QUICK_BURSTS + 1):
                wanted += [f"hir.t{wait}.run{burst}", f"hir.t{wait}.run{burst}.rest"]
            wanted.append(f"hir.t{wait}.baseline")
        assert own == wanted

    def test_the_drive_is_left_alone_for_the_wait_as_the_profile_scales_it(self, rested: Bundle) -> None:
        rests = {one.point.name.split(".")[1]: one.rest_ns for one in rested.steps if one.kind is StepKind.REST}
        assert rests == {"t5": 5 * 10**9 // 300, "t50": 50 * 10**9 // 300}

    def test_how_long_the_waits_were_is_told(self, rested: Bundle) -> None:
        assert number(metrics_of(rested), "hir.t50.silence") == pytest.approx(50 / 300, rel=0.01)

    def test_the_speed_of_a_wait_is_that_of_all_bursts_that_a_wait_comes_before(self, rested: Bundle) -> None:
        done = [rested.result(one).directions[Direction.WRITE] for one in bursts(rested, 50)[1:]]
        iops = sum(one.io_count for one in done) / sum(one.runtime_ns for one in done) * 1e9
        assert number(metrics_of(rested), "hir.t50.iops") == pytest.approx(iops)

    def test_the_speed_without_a_rest_is_that_of_the_last_third(self, rested: Bundle) -> None:
        (step,) = (one for one in rested.finished() if one.point.name == "hir.t5.baseline")
        series = rested.series(step, Direction.WRITE)
        last = series.iops[series.time_ns >= series.time_ns[-1] * 2 / 3]
        assert number(metrics_of(rested), "hir.t5.baseline.iops") == pytest.approx(float(np.mean(last)), rel=1e-3)

    def test_the_gain_is_told_beside_the_writes_without_a_rest(self, rested: Bundle) -> None:
        metrics = metrics_of(rested)
        ratio = number(metrics, "hir.t50.iops") / number(metrics, "hir.t50.baseline.iops")
        assert number(metrics, "hir.t50.idle_gain") == pytest.approx(100 * (ratio - 1))
        assert metrics["hir.t50.idle_gain"].state is DriveState.STEADY

    def test_it_says_where_it_departs_from_the_text(self, rested: Bundle) -> None:
        told = [one.text.id for one in rested.warned if one.kind is WarningKind.METHOD]
        assert "published-rests-between-jobs" in told

    def test_its_first_screen_has_the_change_of_each_wait_as_the_profile_scaled_it(self, rested: Bundle) -> None:
        gains = [str(one.label) for one in suite_numbers([rested]) if one.kind is NumberKind.IDLE_GAIN]
        assert gains == [f"change of speed after {wait_s} s of idle time" for wait_s in ("0.0167", "0.167")]

    def test_a_wait_that_the_start_of_a_job_made_longer_is_as_long_as_it_was_measured(self, rested: Bundle) -> None:
        longer = changed(rested, "silence", 2.25)
        gains = [str(one.label) for one in suite_numbers([longer]) if one.kind is NumberKind.IDLE_GAIN]
        assert gains == ["change of speed after 2.25 s of idle time"] * len(WAITS)
        (figure,) = (one for one in figures_for(longer) if one.name == "idle-recovery-hir")
        assert [row[0] for row in figure.table.rows] == ["2.25 s idle"] * len(WAITS)

    @pytest.mark.parametrize(("gain", "shown"), [(-70.0, "-70.00 %"), (70.0, "70.00 %")])
    def test_its_sentence_is_right_of_speed_that_is_lost_and_of_speed_that_is_gained(
        self, rested: Bundle, gain: float, shown: str
    ) -> None:
        known = {one.key: one for one in rested.metrics}
        of_wait = metrics_of(rested)["hir.t5.idle_gain"]
        known[of_wait.key] = replace(of_wait, value=gain, low=None, high=None, failed_checks=())
        told = verdict_of(rested, known)[0]
        assert f"change of speed after 0.0167 s of idle time {shown};" in in_language(told, Language.ENGLISH)
        assert f"유휴 0.0167초 뒤 속도 변화 {shown};" in in_language(told, Language.KOREAN)

    def test_its_figure_has_a_row_a_wait(self, rested: Bundle) -> None:
        figures = {figure.name: figure for figure in figures_for(rested)}
        assert {"idle-recovery-hir", "idle-recovery-hir-clock", "half-hours-steady"} <= set(figures)
        told = figures["idle-recovery-hir"].table.rows
        gain = number(metrics_of(rested), "hir.t50.idle_gain")
        assert [row[3] for row in told][1] == f"{gain:+,.1f}"
        assert len(told) == len(WAITS)

    def test_beside_another_drive_each_is_a_line_of_its_speed_after_each_wait(self, rested: Bundle) -> None:
        (figure,) = (
            one for one in figures_comparing([rested, changed(rested, "idle_gain", 40.0)]) if "idle" in one.name
        )
        labels = list(dict.fromkeys(row[0] for row in figure.table.rows))
        assert len(labels) == 2
        assert [row[2] for row in figure.table.rows if row[0] == labels[1]] == ["+40.0"] * len(WAITS)
        drawn = rows(figure, "key-gains")
        assert {one["label"] for one in drawn} == set(labels)
        assert [one["y"] for one in drawn if one["label"] == labels[1]] == [140.0] * len(WAITS)
        assert_whole(figure)


def changed(bundle: Bundle, quantity: str, value: float) -> Bundle:
    """The run as another one that came to that."""
    other = [replace(one, value=value) if one.name.endswith(f".{quantity}") else one for one in bundle.metrics]
    return replace(bundle, metrics=tuple(other))


def bursts(bundle: Bundle, wait: int) -> list[Step]:
    """Finished ones of a wait."""
    return [
        one for one in bundle.finished() if one.name.startswith(f"hir.t{wait}.run") and one.kind is StepKind.MEASURE
    ]


class _StopsInABurst(PlainDisplay):
    """An operator who stops the run in the third burst."""

    def step_starts(self, step: StepSpec) -> None:
        super().step_starts(step)
        if step.name == "hir.t5.run3":
            raise KeyboardInterrupt


def test_a_run_stopped_between_bursts_begins_again_at_its_purge(tmp_path: Path) -> None:
    drive = tmp_path / "drive.toml"
    drive.write_text(slow_drive())
    with open_bench(f"model:{drive}") as bench:
        plan = expand(parse_suite(idle(), "mine.toml"), "quick", bench.drive.identity, seed=1)
        with pytest.raises(Interrupted):
            execute(plan, bench, tmp_path / "lab", _StopsInABurst(io.StringIO()))
    (path,) = (tmp_path / "lab" / "runs").iterdir()
    assert [one.name for one in open_bundle(path).finished()][-1] == "hir.t5.run2.rest"
    with open_bench(f"model:{drive}") as bench:
        bundle = resume(path, bench, PlainDisplay(io.StringIO()))
    whole = quick(slow_drive(), idle(), tmp_path / "whole")
    assert number(metrics_of(bundle), "hir.t50.iops") == number(metrics_of(whole), "hir.t50.iops")


def crossed(across: str = "random") -> str:
    """The built-in suite with parts of a minute or two."""
    text = (
        load_suite("pts-xsr").text.replace('limit = "8h"', 'limit = "4min"').replace('limit = "6h"', 'limit = "2min"')
    )
    return text.replace('pattern = "random"', f'pattern = "{across}"').replace('"8KiB"', '"64KiB"')


@pytest.fixture(scope="module")
def recovered(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(slow_drive(), crossed(), tmp_path_factory.mktemp("crossed"))


def minutes(bundle: Bundle, name: str) -> list[float]:
    """Bytes in each whole minute of a part, from the recorded windows alone."""
    (step,) = (one for one in bundle.finished() if one.name == name)
    series = bundle.series(step, Direction.WRITE)
    end_s = series.time_ns / 1e9
    ends = np.arange(0, round(float(end_s[-1]) / 60) + 1) * 60.0
    done = np.interp(ends, np.concatenate([[0.0], end_s]), np.concatenate([[0.0], series.bytes_done]))
    return [float(one) for one in np.diff(done)]


class TestCrossed:
    def test_three_parts_follow_each_other(self, recovered: Bundle) -> None:
        own = [one.name for one in recovered.finished() if one.group == "xsr"]
        assert own == ["xsr.before", "xsr.across", "xsr.after"]

    def test_it_has_recovered_with_the_first_minute_at_95_per_cent_of_the_mean_before(self, recovered: Bundle) -> None:
        before = number(metrics_of(recovered), "xsr.before.bandwidth")
        after = [one / 60 for one in minutes(recovered, "xsr.after")]
        reached = [place for place, one in enumerate(after, start=1) if one >= 0.95 * before]
        found = metrics_of(recovered)["xsr.recovery"].value
        if reached:
            assert found == pytest.approx(60.0 * reached[0])
        else:
            assert isinstance(found, Unknown)
            assert found.reason.id == "unknown-not-recovered"

    def test_the_longest_latency_of_each_part_is_told(self, recovered: Bundle) -> None:
        (step,) = (one for one in recovered.finished() if one.name == "xsr.across")
        longest = max(one.max_ns for kinds in recovered.histograms(step).values() for one in kinds.values())
        assert number(metrics_of(recovered), "xsr.across.clat_max") <= longest

    def test_its_figures_show_all_parts_and_both_beginnings(self, recovered: Bundle) -> None:
        names = {figure.name for figure in figures_for(recovered)}
        assert {"cross-stimulus-xsr", "cross-stimulus-xsr-beginning"} <= names

    def test_beside_another_drive_each_is_a_line_of_its_bandwidth_and_has_its_recovery_said(
        self, recovered: Bundle
    ) -> None:
        both = [recovered, changed(recovered, "recovery", 123.0)]
        (figure,) = (one for one in figures_comparing(both) if one.name == "cross-stimulus-xsr")
        lines = list(dict.fromkeys(str(row[0]) for row in figure.table.rows))
        assert len(lines) == 2
        assert "before 123 s after" in figure.caption
        assert_whole(figure)


def test_writes_in_order_after_writes_in_order_recover_at_once(tmp_path: Path) -> None:
    bundle = run_on(constant_drive(), crossed("sequential"), tmp_path)
    assert number(metrics_of(bundle), "xsr.recovery") == pytest.approx(60.0)


def test_a_drive_that_is_slower_afterwards_has_not_recovered_and_says_so(tmp_path: Path) -> None:
    text = crossed().replace('limit = "4min"', 'limit = "100ms"')
    bundle = run_on(slow_drive(), text, tmp_path)
    found = metrics_of(bundle)["xsr.recovery"].value
    assert isinstance(found, Unknown)
    assert found.reason.id == "unknown-not-recovered"
