"""The figures of probes: the evidence beside the answer, and the portrait that sums up all answers."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.kit import figure_content as content
from typer.testing import CliRunner

from ssdlab.cli import app
from ssdlab.engine.commands import Commands, Forced, TimedCommands, Verb
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.probe.burst import burst_figure
from ssdlab.figure.probe.portrait import portrait
from ssdlab.figure.probe.registry import probe_figures
from ssdlab.job import DriveState
from ssdlab.lab.bench import open_bench
from ssdlab.message import verbatim
from ssdlab.probe.answer import Answer, Grade, Reason, not_identifiable
from ssdlab.probe.declared import DECLARED
from ssdlab.probe.probes.registry import probes_named
from ssdlab.probe.probes.shift_write import SHIFT_WRITE
from ssdlab.probe.probes.write_buffer import SIZE
from ssdlab.probe.run import ProbeResult, Session
from ssdlab.probe.script import Estimator, ProbeEvidence


@cache
def drawn(name: str, target: str) -> Mapping[str, Figure]:
    with open_bench(target, None) as bench:
        session = Session(bench, 1, lambda _name, _progress: None)
        findings = list(session.run_all(probes_named(name), Estimator.ROBUST))
        return {one.name: one for one in probe_figures(bench.drive.identity, findings)}


SSD_A = ("placement", "model:ssd-a?capacity=2GiB")


def test_shifts_are_folded_into_the_block_that_was_found() -> None:
    figure = drawn(*SSD_A)["probe-shift-write"]
    content.assert_whole(figure)
    content.assert_inside_axes(figure)
    assert figure.subtitle[1] == "Management block: 16 KiB, grade A"
    assert content.axes(figure)[0][0] == "begin of the write inside the block of 16 KiB (KiB)"
    small = content.rows(figure, "evidence-1")
    straddles = [row["y"] for row in small if row["x"] > 12]
    inside = [row["y"] for row in small if row["x"] <= 12]
    assert min(straddles) > 1.05 * max(inside)


def test_the_writes_of_a_whole_large_block_are_drawn_beside_the_others() -> None:
    figure = drawn("shift-write", "model:ssd-b?capacity=2GiB")["probe-shift-write"]
    content.assert_whole(figure)
    assert len(content.layer_names(figure)) == 5
    assert "1024 KiB writes, shifted by 64 KiB" in {row[0] for row in figure.table.rows}


def test_a_staircase_is_drawn_through_the_reads_it_explains() -> None:
    figure = drawn(*SSD_A)["probe-staircase"]
    content.assert_whole(figure)
    content.assert_inside_axes(figure)
    assert figure.subtitle[1:] == ("Unit: 16 KiB, grade A", "page 4 KiB, channels 4, placement 1-channel")
    measured, fitted = content.rows(figure, "evidence-1"), content.rows(figure, "evidence-2")
    assert all(abs(one["y"] - other["y"]) < 0.01 * one["y"] for one, other in zip(measured, fitted, strict=True))


def test_no_line_is_drawn_where_no_law_holds() -> None:
    figure = drawn("placement", "model:demo")["probe-staircase"]
    assert figure.subtitle[1].startswith("Unit: not identifiable: follows no law known here")
    assert content.layer_names(figure) == ["evidence-1"]
    assert {row[2] for row in figure.table.rows} == {"none"}


def test_pairs_that_wait_stand_apart_from_those_that_do_not() -> None:
    figure = drawn("units", "model:demo")["probe-collisions"]
    content.assert_whole(figure)
    content.assert_inside_axes(figure)
    assert sum(int(row[2]) for row in figure.table.rows) == 11000


def test_a_burst_and_the_ranges_of_both_ends_are_drawn_whatever_was_concluded() -> None:
    for name, picture in (("write-buffer", "probe-burst"), ("reach", "probe-reach")):
        figure = drawn(name, "model:demo")[picture]
        content.assert_whole(figure)
        content.assert_inside_axes(figure)
        assert "not identifiable" in figure.subtitle[1]


@pytest.mark.parametrize(("each_ns", "unit"), [(10_000, "ms"), (10_000_000, "s")])
def test_a_long_burst_is_drawn_over_seconds(each_ns: int, unit: str) -> None:
    commands = Commands.one_by_one(Verb.WRITE, np.arange(1000, dtype=np.int64) * 16384, 16384)
    completed = np.arange(1, 1001, dtype=np.int64) * each_ns
    samples = TimedCommands(commands, np.zeros(1000, dtype=np.int64), completed, Forced.YES)
    answers = {SIZE: not_identifiable(SIZE, Reason.FLAT, verbatim("no slowdown"), "B")}
    with open_bench("model:demo") as bench:
        figure = burst_figure(bench.drive.identity, answers, ProbeEvidence({"burst 1": samples}, {}))
    content.assert_inside_axes(figure)
    assert content.axes(figure)[0][0] == f"since the burst began ({unit})"


def test_the_portrait_has_every_answer_with_its_grade_and_what_cannot_be_known() -> None:
    figure = drawn(*SSD_A)["portrait"]
    content.assert_whole(figure)
    rows = {row[0]: row for row in figure.table.rows}
    assert rows["management_block.size"][1:5:2] == ("16 KiB", "A")
    refused = drawn("placement", "model:demo")["portrait"]
    unit = next(row for row in refused.table.rows if row[0] == "placement.unit")
    assert unit[3] == "not identifiable"
    assert str(unit[1]).startswith("follows no law known here")


def test_what_a_drive_claims_otherwise_is_shown_and_not_resolved() -> None:
    claim = Answer(name="declared.indirection_unit", value=4096, unit="B", grade=Grade.CLAIMED)
    found = Answer(name="management_block.size", value=16384, unit="B", grade=Grade.A)
    with open_bench("model:demo", None) as bench:
        drive = bench.drive.identity

    def differs(claimed: Answer) -> str:
        findings = [
            ProbeResult(probe=DECLARED, state=DriveState.AS_FOUND, answers=(claimed,)),
            ProbeResult(probe=SHIFT_WRITE, state=DriveState.AS_FOUND, answers=(found,)),
        ]
        figure = portrait(drive, findings)
        content.assert_whole(figure)
        (row,) = (row for row in figure.table.rows if row[0] == found.name)
        return str(row[4])

    assert differs(claim) == "the drive says 4 KiB (declared.indirection_unit)"
    assert differs(replace(claim, value=16384)) == ""


def test_pictures_are_written_beside_the_answers(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["probe", "read-ahead", "model:demo", "--png", str(tmp_path / "pictures"), "--lab", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    names = sorted(one.name for one in (tmp_path / "pictures").iterdir())
    assert names == ["portrait.csv", "portrait.png", "portrait.svg"]
    assert str(tmp_path / "pictures" / "portrait.png") in done.stdout
