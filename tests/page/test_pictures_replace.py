"""What pictures, sheets and tables may replace: what ssdlab wrote, and nothing of anybody else."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.sample_bundle import write_whole
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.read import open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.figure.client.bandwidth_over_bytes import bandwidth_over_bytes
from ssdlab.figure.kit.model import Column, Figure, FigureTable
from ssdlab.qualify.sheet import COLUMNS, first_line
from ssdlab.report.own_files import require_place_of_table
from ssdlab.report.pictures import PlacedFigures, write_pictures

NAME = "bandwidth-over-bytes"
MINE = "<svg >mine, of ssdlab 1</svg>"


@pytest.fixture(scope="module")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Figure:
    found = bandwidth_over_bytes(open_bundle(write_whole(tmp_path_factory.mktemp("lab") / "run")))
    assert found is not None
    return found


def refused(figure: Figure, directory: Path) -> str:
    with pytest.raises(SsdlabError) as caught:
        write_pictures([PlacedFigures(directory, (figure,))])
    return str(caught.value.message.id)


def test_pictures_of_ssdlab_and_their_sheets_are_drawn_anew(figure: Figure, tmp_path: Path) -> None:
    write_pictures([PlacedFigures(tmp_path, (figure,))])
    other = FigureTable("", (Column("drive", ""),), (("another",),))

    write_pictures([PlacedFigures(tmp_path, (replace(figure, table=other),))])

    assert (tmp_path / f"{NAME}.csv").read_text() == "drive\nanother\n"


@pytest.mark.parametrize("name", [f"{NAME}.png", f"{NAME}.svg", f"{NAME}.csv", f"{NAME}-series.csv"])
def test_where_one_file_is_of_others_none_is_written(figure: Figure, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(MINE)

    assert refused(figure, tmp_path) == "place-of-others"

    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(name, MINE)]


def test_a_sheet_that_was_worked_on_since_is_not_replaced(figure: Figure, tmp_path: Path) -> None:
    write_pictures([PlacedFigures(tmp_path, (figure,))])
    sheet = tmp_path / f"{NAME}.csv"
    sheet.write_text(f"{sheet.read_text()}my own drive,1\n")

    assert refused(figure, tmp_path) == "place-of-others"


def test_an_empty_file_is_nobodys(figure: Figure, tmp_path: Path) -> None:
    for name in (f"{NAME}.png", f"{NAME}.svg", f"{NAME}.csv"):
        (tmp_path / name).touch()
    assert {file.path.stat().st_size > 0 for file in write_pictures([PlacedFigures(tmp_path, (figure,))])} == {True}


def test_a_table_is_replaced_where_it_has_the_columns_of_ssdlab(tmp_path: Path) -> None:
    table = tmp_path / "batch.csv"
    require_place_of_table(table, first_line().encode())
    table.write_text(f"{first_line()}S1,model\n")
    require_place_of_table(table, first_line().encode())
    table.write_text(f"{','.join(COLUMNS[:-1])}\nS1,model\n")
    with pytest.raises(SsdlabError):
        require_place_of_table(table, first_line().encode())


@pytest.mark.parametrize(
    "words",
    [
        ("qualify", "run", "--limits", "limits.toml", "--csv", "mine.csv"),
        ("analyse", "a.log", "--as", "fill", "--capacity", "1TB", "-o", "mine.png"),
        ("analyse", "a.log", "--as", "fill", "--capacity", "1TB", "-o", "mine.svg"),
    ],
)
def test_a_file_of_others_is_refused_before_anything_is_read(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / words[-1]
    file.write_text(MINE)

    done = CliRunner().invoke(cli.app, words)

    assert isinstance(done.exception, SsdlabError)
    assert done.exception.message.id == "place-of-others"
    assert file.read_text() == MINE
