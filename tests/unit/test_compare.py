"""`ssdlab compare`: faster, slower, or not to be told."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.unit.library_runs import METRIC, Made, write_run
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.library.compare import Comparison, Word, compare


def compared(lab: Path, *made: Made) -> Comparison:
    paths = [write_run(lab, f"run{number}", one) for number, one in enumerate(made)]
    return compare([open_bundle(path) for path in paths])


A = Made(model="A", value=100.0, low=95.0, high=105.0)


@pytest.mark.parametrize(
    ("other", "word"),
    [
        (Made(model="B", value=120.0, low=110.0, high=130.0), Word.FASTER),
        (Made(model="B", value=80.0, low=70.0, high=90.0), Word.SLOWER),
        (Made(model="B", value=110.0, low=104.0, high=116.0), Word.CANNOT_TELL),
        (Made(model="B", value=300.0), Word.NO_INTERVAL),
        (Made(model="B", value=100.0, low=95.0, high=105.0), Word.EQUAL),
    ],
)
def test_intervals_decide(tmp_path: Path, other: Made, word: Word) -> None:
    (row,) = compared(tmp_path, A, other).rows
    assert [cell.word for cell in row.others if cell is not None] == [word]


def test_several_runs_of_a_drive_give_an_interval(tmp_path: Path) -> None:
    runs = [Made(model="B", value=value, days=day) for day, value in enumerate((200.0, 204.0, 202.0))]
    (row,) = compared(tmp_path, A, *runs).rows
    (cell,) = row.others
    assert cell is not None
    assert (cell.group.median, cell.ratio, cell.word) == (202.0, 2.02, Word.FASTER)
    # Student's t for two degrees of freedom, 4.303 x 2 / sqrt(3) = 4.97.
    assert cell.group.interval == pytest.approx((197.03, 206.97), abs=0.01)


def test_another_method_is_cautioned_about(tmp_path: Path) -> None:
    found = compared(tmp_path, A, Made(model="B", profile="quick", value=1.0, failed_checks=("host.cpu",)))
    assert found.cautions == snapshot(
        (
            "B was measured with fill 2025.12 (one), profile quick, fio, A with fill 2025.12 (one), profile standard, fio: not the same method",
            "quick profile: not comparable with published numbers",
        )
    )


def test_repetitions_on_one_drive_are_no_comparison(tmp_path: Path) -> None:
    with pytest.raises(SsdlabError, match="repetitions on one drive in one host"):
        compared(tmp_path, A, A)


def test_the_table_as_text_and_as_json(tmp_path: Path) -> None:
    paths = [
        write_run(tmp_path, "one", A),
        write_run(tmp_path, "two", Made(model="B", value=80.0, low=70.0, high=90.0)),
    ]
    arguments = [*map(str, paths), "--metric", "fill.*"]
    assert CliRunner().invoke(cli.app, ["compare", *arguments]).stdout == snapshot("""\
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
