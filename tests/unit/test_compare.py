"""`ssdlab compare`: faster, slower, or level."""

import json
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.library_runs import METRIC, Made, write_run
from tests.kit.metric_names import key
from tests.kit.sample_bundle import write_whole
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.quantities import Better
from ssdlab.bundle.read import open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.library.catalogue import open_catalogue
from ssdlab.library.compare import Comparison, Word, _difference, compare
from ssdlab.library.groups import Group, Value
from ssdlab.message import message
from ssdlab.unknown import Unknown


def compared(lab: Path, *made: Made) -> Comparison:
    paths = [write_run(lab, f"run{number}", one) for number, one in enumerate(made)]
    return compare([open_bundle(path) for path in paths])


A = Made(model="A", value=100.0, low=95.0, high=105.0)


@pytest.mark.parametrize(
    ("other", "word"),
    [
        (Made(model="B", value=120.0, low=110.0, high=130.0), Word.FASTER),
        (Made(model="B", value=80.0, low=70.0, high=90.0), Word.SLOWER),
        (Made(model="B", value=110.0, low=104.0, high=116.0), Word.UNTOLD),
        (Made(model="B", value=300.0), Word.FASTER),
        (Made(model="B", value=106.0), Word.UNTOLD),
        (Made(model="B", value=100.0, low=95.0, high=105.0), Word.LEVEL),
    ],
)
def test_intervals_decide(tmp_path: Path, other: Made, word: Word) -> None:
    (row,) = compared(tmp_path, A, other).rows
    assert [cell.word for cell in row.others if cell is not None] == [word]


@pytest.mark.parametrize(
    ("value", "word"),
    [(102.0, Word.ALIKE), (98.0, Word.ALIKE), (104.0, Word.FASTER), (96.0, Word.SLOWER)],
)
def test_what_is_sure_need_not_matter(tmp_path: Path, value: float, word: Word) -> None:
    known = Made(model="A", value=100.0, low=99.9, high=100.1)
    (row,) = compared(tmp_path, known, Made(model="B", value=value, low=value - 0.1, high=value + 0.1)).rows
    assert [cell.word for cell in row.others if cell is not None] == [word]
    assert (row.farthest > 1) is word.is_difference


def test_what_overlaps_and_differs_is_neither_level_nor_shown_without_being_counted(tmp_path: Path) -> None:
    vague = Made(model="B", value=100.0, low=10.0, high=190.0)
    paths = [
        str(write_run(tmp_path, name, made))
        for name, made in (("a", replace(vague, model="A")), ("b", replace(vague, value=180.0, low=175.0, high=185.0)))
    ]
    said = CliRunner().invoke(cli.app, ["compare", *paths]).stdout
    assert said.splitlines()[0] == "B: 1 cannot be told (of 1 number)"
    assert said.endswith("\nnumbers not shown: 1 of which it cannot be told; `--all` has them\n")


def test_a_number_that_rankings_leave_out_is_not_counted(tmp_path: Path) -> None:
    stood_still = Made(model="B", value=300.0, failed_checks=("host.uninterrupted",))
    (row,) = compared(tmp_path, A, stood_still).rows
    assert row.words == (Word.EXCLUDED,)
    assert not row.differs


def test_a_run_that_stood_still_does_not_count_beside_its_repetition(tmp_path: Path) -> None:
    stood_still = Made(model="B", value=300.0, failed_checks=("host.uninterrupted",))
    (row,) = compared(tmp_path, A, stood_still, Made(model="B", value=120.0, low=110.0, high=130.0, days=1)).rows
    assert [cell.group.median for cell in row.others if cell is not None] == [120.0]
    assert row.words == (Word.FASTER,)


@pytest.mark.parametrize(
    ("unit", "better", "more"),
    [
        ("B/s", Better.HIGHER, Word.FASTER),
        ("ns", Better.LOWER, Word.SLOWER),
        ("W", Better.LOWER, Word.WORSE),
        ("%", Better.HIGHER, Word.BETTER),
        ("%/h", Better.NEAR_ZERO, Word.WORSE),
        ("B", Better.HIGHER, Word.LARGER),
    ],
)
def test_only_what_is_a_speed_is_faster(unit: str, better: Better, more: Word) -> None:
    assert _difference(2.0, 1.0, unit, better) is more


def test_what_differs_most_comes_first(tmp_path: Path) -> None:
    paths = [write_whole(tmp_path / name) for name in ("a", "b")]
    slower = open_bundle(paths[1])
    metrics = tuple(
        replace(metric, value=metric.value * factor, low=None, high=None)
        for metric, factor in zip(slower.metrics, cycle((1.0, 2.0, 0.2)), strict=False)
        if isinstance(metric.value, float)
    )
    drive = replace(slower.run.drive, serial="other")
    found = compare([open_bundle(paths[0]), replace(slower, run=replace(slower.run, drive=drive), metrics=metrics)])
    farthest = [row.farthest for row in found.rows]
    assert farthest == sorted(farthest, reverse=True)
    assert farthest[0] == pytest.approx(5)
    assert farthest[-1] == 1


def test_a_batch_has_a_line_a_number(tmp_path: Path) -> None:
    paths = [
        write_run(tmp_path, f"run{number}", Made(model=f"M{number}", value=1e9 * (1 + number // 3)))
        for number in range(8)
    ]
    assert CliRunner().invoke(cli.app, ["compare", *map(str, paths)]).stdout == snapshot("""\
M1: 1 level (of 1 number)
M2: 1 level (of 1 number)
M3: 1 faster (of 1 number)
M4: 1 faster (of 1 number)
M5: 1 faster (of 1 number)
M6: 1 faster (of 1 number)
M7: 1 faster (of 1 number)
Level: the numbers differ by no more than 3 %; level in practice: by no more than that, though their 95 % intervals do not overlap. Cannot be told: they differ by more, but the intervals overlap.

metric                     first        least         most
fill.bandwidth_mean  953.7 MiB/s  953.7 MiB/s  2,861 MiB/s  2 level, 5 faster
""")


def test_level_numbers_are_counted_and_shown_on_request(tmp_path: Path) -> None:
    paths = [str(write_run(tmp_path, name, Made(model=name))) for name in ("one", "two")]
    assert CliRunner().invoke(cli.app, ["compare", *paths]).stdout == snapshot("""\
two: 1 level (of 1 number)
Level: the numbers differ by no more than 3 %; level in practice: by no more than that, though their 95 % intervals do not overlap. Cannot be told: they differ by more, but the intervals overlap.

numbers not shown: 1 in which no drive differs from the first; `--all` has them
""")
    assert "\nfill.bandwidth_mean " in CliRunner().invoke(cli.app, ["compare", *paths, "--all"]).stdout
    korean = CliRunner().invoke(cli.app, ["compare", *paths, "--lang", "ko"]).stdout
    assert korean.splitlines()[0] == snapshot("two: 비슷함 1개 (수치 1개 중)")


def test_several_runs_of_a_drive_give_an_interval(tmp_path: Path) -> None:
    runs = [Made(model="B", value=value, days=day) for day, value in enumerate((200.0, 204.0, 202.0))]
    (row,) = compared(tmp_path, A, *runs).rows
    (cell,) = row.others
    assert cell is not None
    assert (cell.group.median, cell.ratio, cell.word) == (202.0, 2.02, Word.FASTER)
    # Student's t for two degrees of freedom, 4.303 x 2 / sqrt(3) = 4.97.
    assert cell.group.interval == pytest.approx((197.03, 206.97), abs=0.01)


@pytest.mark.parametrize(
    ("metric", "values", "interval"),
    [
        ("fill.bandwidth_mean", (1.0, 9.0), (0.0, 55.82)),
        ("rnd.write.q1.clat_p99", (1.0, 9.0), (0.0, 55.82)),
        ("rnd.write.q1.consistency", (90.0, 99.0), (37.32, 100.0)),
        ("rnd-conditioning.drift", (1.0, 9.0), (-45.82, 55.82)),
        ("an.imported.number", (1.0, 9.0), (-45.82, 55.82)),
    ],
    ids=["rate", "time", "share", "with a sign", "unknown"],
)
def test_an_interval_ends_where_the_values_of_its_metric_do(
    tmp_path: Path, metric: str, values: tuple[float, float], interval: tuple[float, float]
) -> None:
    of = key(metric)
    write_run(tmp_path, "run", A)
    (entry,) = open_catalogue(tmp_path).entries
    group = Group(tuple(Value(entry, of, value, "", "FOB", None, None, ()) for value in values))
    assert group.interval == pytest.approx(interval, abs=0.01)
    alone = Value(entry, of, 1.0, "", "FOB", -5.0, 500.0, ())
    assert Group((alone,)).interval == (max(of.range[0], -5.0), min(of.range[1], 500.0))


def test_another_method_is_cautioned_about(tmp_path: Path) -> None:
    found = compared(tmp_path, A, Made(model="B", profile="quick", value=1.0, failed_checks=("host.cpu",)))
    assert tuple(map(str, found.cautions)) == snapshot(
        (
            "B was measured with fill 2025.12 (one), profile quick, fio, A with fill 2025.12 (one), profile standard, fio: not the same method",
            "quick profile: not comparable with published numbers",
        )
    )


def test_repetitions_on_one_drive_are_no_comparison(tmp_path: Path) -> None:
    with pytest.raises(SsdlabError, match="repetitions on one drive in one host"):
        compared(tmp_path, A, A)


@pytest.mark.parametrize(
    ("other", "columns"),
    [
        (replace(A, days=6), 1),
        (replace(A, days=30), 2),
        (replace(A, profile="quick"), 2),
        (replace(A, text="two"), 2),
    ],
    ids=["within a week", "a month later", "another profile", "another method"],
)
def test_runs_are_repetitions_by_the_rule_of_rankings(tmp_path: Path, other: Made, columns: int) -> None:
    found = compared(tmp_path, A, other, Made(model="B", value=300.0))
    assert len(found.drives) == columns + 1


def test_drives_without_a_serial_are_never_taken_for_one(tmp_path: Path) -> None:
    nameless = replace(A, serial=Unknown(message("unknown-no-target")))
    found = compared(tmp_path, nameless, replace(nameless, value=300.0, low=290.0, high=310.0))
    assert [[entry.name for entry in runs] for runs in found.drives] == [["run0"], ["run1"]]
    assert found.rows[0].others[0] is not None
    assert found.rows[0].others[0].word is Word.FASTER


def test_the_table_as_text_and_as_json(tmp_path: Path) -> None:
    paths = [
        write_run(tmp_path, "one", A),
        write_run(tmp_path, "two", Made(model="B", value=80.0, low=70.0, high=90.0)),
    ]
    arguments = [*map(str, paths), "--metric", "fill.*"]
    assert CliRunner().invoke(cli.app, ["compare", *arguments]).stdout == snapshot("""\
B: 1 slower (of 1 number)
Level: the numbers differ by no more than 3 %; level in practice: by no more than that, though their 95 % intervals do not overlap. Cannot be told: they differ by more, but the intervals overlap.

metric                              A                 B  ratio
fill.bandwidth_mean  0.00009537 MiB/s  0.00007629 MiB/s    0.8  slower
""")
    (metric,) = json.loads(CliRunner().invoke(cli.app, ["compare", *arguments, "--json"]).stdout)["metrics"]
    assert metric["name"] == METRIC
    assert metric["others"][0]["outcome"] == "slower"


def test_nothing_in_common_is_said(tmp_path: Path) -> None:
    paths = [write_run(tmp_path, name, Made(model=name)) for name in ("one", "two")]
    with pytest.raises(SsdlabError, match=r"the runs have no metric like `wsat\.\*` in common"):
        compare([open_bundle(path) for path in paths], "wsat.*")
