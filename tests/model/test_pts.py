"""Rounds of SNIA PTS on a drive of constant service time, from purge to figures; stopped between two rounds and taken up again."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.figure_content import assert_whole, rows
from tests.kit.load_drives import constant_drive, metrics_of, number, run_on

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.cli.display import PlainDisplay
from ssdlab.errors import Interrupted
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import figures_for
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.resume import resume
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.report.first_screen.hero import hero_of
from ssdlab.step_spec import StepSpec
from ssdlab.units import KIB, MIB

CELLS = [f"r{mix}.b{size}" for mix in (100, 0) for size in ("64KiB", "4KiB")]


def short(name: str = "pts-iops") -> str:
    """The built-in suite with four cells of half a second."""
    text = load_suite(name).text.replace('limit = "1min"', 'limit = "500ms"')
    text = text.replace('["100%", "95%", "65%", "50%", "35%", "5%", "0%"]', '["100%", "0%"]')
    text = text.replace('["1MiB", "128KiB", "64KiB", "32KiB", "16KiB", "8KiB", "4KiB", "512B"]', '["64KiB", "4KiB"]')
    track = '[{ read = "0%", bs = "4KiB" }, { read = "65%", bs = "64KiB" }, { read = "100%", bs = "1MiB" }]'
    assert track in text
    return text.replace(track, '[{ read = "0%", bs = "4KiB" }, { read = "100%", bs = "64KiB" }]')


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(), short(), tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def throughput(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    text = load_suite("pts-tp").text.replace('limit = "1min"', 'limit = "500ms"')
    return run_on(constant_drive(), text, tmp_path_factory.mktemp("tp"))


@dataclass(frozen=True, slots=True)
class OnPage:
    """A figure as a page has it."""

    figure: Figure


def rounds_of(bundle: Bundle) -> list[str]:
    return [step.name for step in bundle.steps if step.group == "iops" and step.kind is StepKind.MEASURE]


def in_rounds(bundle: Bundle, cell: str) -> list[float]:
    """What that cell did in each round."""
    metrics = metrics_of(bundle)
    count = int(number(metrics, "iops.rounds"))
    return [number(metrics, f"iops.round{place}.{cell}.iops") for place in range(1, count + 1)]


def is_steady(values: list[float]) -> bool:
    """The rule, worked out by hand."""
    mean = sum(values) / 5
    slope = sum(place * value for place, value in zip((-2, -1, 0, 1, 2), values, strict=True)) / 10
    return max(values) - min(values) <= 0.2 * mean and abs(slope) * 4 <= 0.1 * mean


class TestRun:
    def test_rounds_follow_each_other_in_the_order_of_the_cells(self, run: Bundle) -> None:
        count = int(number(metrics_of(run), "iops.rounds"))
        assert rounds_of(run) == [f"iops.round{place}.{cell}" for place in range(1, count + 1) for cell in CELLS]

    def test_it_ends_with_the_first_window_in_which_all_tracked_cells_are_flat(self, run: Bundle) -> None:
        tracked = [in_rounds(run, cell) for cell in ("r0.b4KiB", "r100.b64KiB")]
        ends = [end for end in range(5, len(tracked[0]) + 1) if all(is_steady(one[end - 5 : end]) for one in tracked)]
        assert ends == [len(tracked[0])]
        assert metrics_of(run)["iops.criterion"].value == "snia"

    def test_each_cell_is_the_mean_of_the_last_five_rounds(self, run: Bundle) -> None:
        for cell in CELLS:
            last = in_rounds(run, cell)[-5:]
            found = metrics_of(run)[f"iops.{cell}.iops"]
            assert found.value == pytest.approx(sum(last) / 5)
            assert found.state is DriveState.STEADY

    def test_the_window_of_a_tracked_cell_is_told(self, run: Bundle) -> None:
        last = in_rounds(run, "r0.b4KiB")[-5:]
        told = number(metrics_of(run), "iops.r0.b4KiB.window_range")
        assert told == pytest.approx(100 * (max(last) - min(last)) / (sum(last) / 5))

    def test_it_says_where_it_departs_from_the_text(self, run: Bundle) -> None:
        told = [one.text.id for one in run.warned if one.kind is WarningKind.METHOD]
        assert told == ["published-at-second-hand", "published-cache-left"]

    def test_the_report_has_the_rounds_and_the_cells(self, run: Bundle) -> None:
        figures = {figure.name: figure for figure in figures_for(run)}
        assert [row[0] for row in figures["cells-iops"].table.rows] == ["64 KiB", "4 KiB"]
        assert [row[0] for row in figures["rounds-iops"].table.rows] == ["4 KiB write", "64 KiB read"]


class TestThroughput:
    """Each block size is a step of its own."""

    def test_each_size_begins_with_a_purge_and_two_passes_of_that_size(self, throughput: Bundle) -> None:
        before = [one.name for one in throughput.finished() if one.group.startswith(("purge", "wipc"))]
        assert before == [
            name
            for size in ("1mib", "128kib")
            for name in (f"purge_{size}", f"wipc_{size}.pass1", f"wipc_{size}.pass2")
        ]
        lengths = {one.group: one.job.block_bytes for one in throughput.finished() if one.job is not None}
        assert (lengths["wipc_1mib"], lengths["wipc_128kib"]) == (1024 * KIB, 128 * KIB)

    def test_the_rounds_are_drawn_of_reads_and_writes_and_writes_are_judged(self, throughput: Bundle) -> None:
        figures = {figure.name: figure for figure in figures_for(throughput)}
        assert [row[0] for row in figures["rounds-tp-1mib"].table.rows] == ["1 MiB write"]
        drawn = [row["label"] for row in rows(figures["rounds-tp-1mib"], "key-rounds")]
        assert drawn == ["1 MiB read"] * 5 + ["1 MiB write"] * 5

    def test_one_table_has_reads_and_writes_of_all_sizes(self, throughput: Bundle) -> None:
        (figure,) = (one for one in figures_for(throughput) if one.name == "cells-sizes")
        known = metrics_of(throughput)
        assert_whole(figure)
        assert [column.title for column in figure.table.columns] == ["block size", "100/0", "0/100"]
        cells = {"1 MiB": "tp_1mib.r{}.b1MiB", "128 KiB": "tp_128kib.r{}.b128KiB"}
        assert figure.table.rows == tuple(
            (size, *(f"{number(known, f'{cell.format(share)}.bandwidth') / MIB:,.1f}" for share in (100, 0)))
            for size, cell in cells.items()
        )

    def test_its_page_begins_with_both_sizes(self, throughput: Bundle) -> None:
        drawn = [OnPage(figure) for figure in figures_for(throughput)]
        for suite in ("pts-tp", "pts-tp-client"):
            shown = hero_of(drawn, suite)
            assert shown is not None
            assert shown.figure.name == "cells-sizes"


def test_a_drive_that_never_settles_is_told_not_steady_and_has_numbers_all_the_same(tmp_path: Path) -> None:
    text = short().replace("at_most = 25", "at_most = 5").replace("passes = 2", "passes = 1")
    text = text.replace('limit = "500ms"', 'limit = "100ms"')
    bundle = run_on(_FRESH_FIRST, text, tmp_path)
    assert metrics_of(bundle)["iops.criterion"].value == "not steady"
    assert metrics_of(bundle)["iops.r0.b4KiB.iops"].state is DriveState.NOT_STEADY
    assert WarningKind.NOT_STEADY in [one.kind for one in bundle.warned]


_FRESH_FIRST = constant_drive().replace('raw = "96 MiB"', 'raw = "76 MiB"')
"""Hardly any spare flash: the first rounds of writes meet blocks that were written in order."""


class _StopsAfterRounds(PlainDisplay):
    """An operator who stops the run once two rounds are done."""

    def step_starts(self, step: StepSpec) -> None:
        super().step_starts(step)
        if step.name.startswith("iops.round3"):
            raise KeyboardInterrupt


def test_a_run_stopped_between_two_rounds_begins_again_at_its_purge_and_counts_rounds_anew(tmp_path: Path) -> None:
    drive = tmp_path / "drive.toml"
    drive.write_text(constant_drive())
    with open_bench(f"model:{drive}") as bench:
        plan = expand(parse_suite(short(), "mine.toml"), "standard", bench.drive.identity, seed=1)
        with pytest.raises(Interrupted):
            execute(plan, bench, tmp_path / "lab", _StopsAfterRounds(io.StringIO()))
    (path,) = (tmp_path / "lab" / "runs").iterdir()
    halfway = rounds_of(open_bundle(path))
    with open_bench(f"model:{drive}") as bench:
        bundle = resume(path, bench, PlainDisplay(io.StringIO()))
    whole = run_on(constant_drive(), short(), tmp_path / "whole")
    assert halfway == [f"iops.round{place}.{cell}" for place in (1, 2) for cell in CELLS] + ["iops.round3.r100.b64KiB"]
    assert rounds_of(bundle) == rounds_of(whole)
    assert _values(bundle) == _values(whole)


def _values(bundle: Bundle) -> Mapping[str, object]:
    return {name: one.value for name, one in metrics_of(bundle).items() if name.startswith("iops.")}
