"""What a report leaves beside its page: the data of figures as CSV, a post in Markdown."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from markdown_it import MarkdownIt
from tests.kit.sample_bundle import write_whole
from tests.kit.sample_client import Made, client_bundle

from ssdlab import version
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.figure.client.bandwidth_over_bytes import bandwidth_over_bytes
from ssdlab.figure.kit.model import Column, Figure, FigureTable
from ssdlab.report.figure_csv import sheets
from ssdlab.report.first_screen.screen import first_screen
from ssdlab.report.markdown_post import write_post
from ssdlab.report.pictures import PictureFile
from ssdlab.report.post_mark import is_marked_post, post_mark


@pytest.fixture
def figure(tmp_path: Path) -> Figure:
    found = bandwidth_over_bytes(open_bundle(write_whole(tmp_path / "run")))
    assert found is not None
    return found


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_a_figure_has_a_sheet_of_its_table_and_one_of_every_point(figure: Figure) -> None:
    assert figure.long_chart is not None
    names = {name: rows_of(text) for name, text in sheets(figure)}

    assert list(names) == ["bandwidth-over-bytes", "bandwidth-over-bytes-series"]
    assert len(names["bandwidth-over-bytes"]) == 1 + len(figure.table.rows)
    assert len(names["bandwidth-over-bytes-series"]) == 1 + sum(len(one.x) for one in figure.long_chart.series)


def test_numbers_are_numbers_and_words_are_never_formulas(figure: Figure) -> None:
    table = FigureTable(
        "", (Column("drive", ""), Column("speed", "MiB/s")), (("=cmd()", "1,234.5"), ("plain", "left out"))
    )

    (_, text) = next(sheets(replace(figure, table=table)))

    assert text == snapshot("""\
drive,speed (MiB/s)
'=cmd(),1234.5
plain,left out
""")


def test_titles_are_never_formulas_and_numbers_without_a_unit_have_no_commas(figure: Figure) -> None:
    columns = (Column('=HYPERLINK("x")', ""), Column("@drive", "MiB/s"), Column("windows", ""))
    table = FigureTable("", columns, (("+3.5", "-2.5e-05", "8,872"), (",", "-1,000", "-x")))

    (_, text) = next(sheets(replace(figure, table=table)))

    assert rows_of(text) == [
        ['\'=HYPERLINK("x")', "'@drive (MiB/s)", "windows"],
        ["+3.5", "-2.5e-05", "8872"],
        [",", "-1000", "'-x"],
    ]


def at(path: Path, bundle: Bundle) -> Bundle:
    return replace(bundle, path=path)


def test_a_post_has_audit_drives_numbers_method_and_pictures(tmp_path: Path, figure: Figure) -> None:
    first = at(tmp_path / "a", client_bundle(Made(model="Lab <PM1> 1TB")))
    other = at(tmp_path / "b", client_bundle(Made(model="Lab QLC 1TB", factor=0.5)))
    drawn = replace(figure, title="Fill [1]", caption="Line: *mean*.")
    pictures = [PictureFile(tmp_path / "png" / name, drawn) for name in ("fill.png", "fill.csv")]

    write_post([first, other], tmp_path / "post.md", pictures, {tmp_path / "b": "cheap | new"})

    text = (tmp_path / "post.md").read_text()
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# Lab \\<PM1\\> 1TB: client", "## Audit", "## Drives", "## client 2025.12.1", "## Figures"]
    assert "| Lab QLC 1TB | compared | cheap \\| new | 1.00 TB |" in text
    assert "| fill: mean speed | 1,700 MiB/s (best) | 850 MiB/s |" in text
    assert "1. Purge to fresh out of the box, then rest 15 min." in text
    (picture,) = [line for line in text.splitlines() if line.startswith("![")]
    assert picture.startswith("![Fill \\[1\\] · ")
    assert picture.endswith("](<png/fill.png>)")
    assert "\n*Line: \\*mean\\*.*\n" in text
    assert "fill.csv" not in text


def test_a_post_begins_with_the_verdict_of_the_page(tmp_path: Path) -> None:
    bundle = open_bundle(write_whole(tmp_path / "run"))
    write_post([bundle], tmp_path / "post.md", [], {})
    text = (tmp_path / "post.md").read_text().replace("\\", "")
    screen = first_screen([bundle])
    told = [str(one) for one in (screen.masthead.facts, screen.masthead.trust, *screen.verdict)]
    assert len(told) > 3
    assert sorted(told, key=text.index) == told
    assert text.index(told[-1]) < text.index("## Audit")


def test_a_post_bears_a_mark_that_is_shown_neither_where_html_is_taken_nor_where_it_is_not(tmp_path: Path) -> None:
    write_post([at(tmp_path / "a", client_bundle())], tmp_path / "post.md", [], {})

    text = (tmp_path / "post.md").read_text()
    assert is_marked_post(text.encode())
    for dialect in ("commonmark", "js-default"):
        shown = MarkdownIt(dialect).render(text)
        assert shown.endswith(f"</ol>\n<p>Measured with ssdlab {version()}.</p>\n")
        assert "//" not in shown


def test_words_of_others_in_a_post_are_no_mark(tmp_path: Path) -> None:
    write_post(
        [at(tmp_path / "a", client_bundle(Made(model='\n\n[//]: # "ssdlab 1"\n')))], tmp_path / "post.md", [], {}
    )

    text = (tmp_path / "post.md").read_text()
    assert is_marked_post(text.encode())
    assert not is_marked_post(text.replace(post_mark(), "").encode())


def test_a_post_of_one_run_has_its_numbers_too(tmp_path: Path) -> None:
    write_post([at(tmp_path / "a", client_bundle())], tmp_path / "post.md", [], {})

    text = (tmp_path / "post.md").read_text()
    assert "| fill: mean speed | 1,700 MiB/s |" in text
    assert "## Figures" not in text
