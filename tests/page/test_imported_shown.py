"""What becomes of imported results on the screen, on the page and in comparisons."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.imported_results import DATA, crystaldiskmark, threedmark
from tests.kit.sample_bundle import write_whole
from tests.kit.sample_client import Made, client_bundle
from typer.testing import CliRunner, Result

from ssdlab import cli
from ssdlab.bundle.imported import ImportedRun, open_imported
from ssdlab.errors import SsdlabError
from ssdlab.library.compare import compare
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.report.page import page
from ssdlab.report.pictures import placed_import_figures, write_pictures


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return tmp_path / "lab"


def command(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [str(one) for one in arguments])


def as_ssd(lab: Path) -> ImportedRun:
    return open_imported(take_in(DATA / "as-ssd.txt", lab, GivenFacts(fill_percent=75.0)))


# `ssdlab show`


def test_show_says_where_numbers_come_from_and_what_to_be_wary_of(lab: Path) -> None:
    lines = [
        line
        for line in command("show", as_ssd(lab).path, "--all").stdout.splitlines()
        if not line.startswith("Imported:")
    ]

    begin = lines.index("caution: its MB are 2^20 bytes")
    assert lines[begin : begin + 13] == snapshot(
        [
            "caution: its MB are 2^20 bytes",
            "caution: a file in a file system; the write access time is of 512-byte writes within 1 GB",
            "Program:       AS SSD Benchmark 2.0.7316.34247",
            "Method:        default",
            "Model:         Samsung SSD 970 EVO Plus 250GB",
            "Serial number: unknown: the file does not say",
            "Firmware:      1B2QEXM7",
            "Capacity:      unknown: the file does not say",
            "In use:        75 %",
            "Measured:      2024-11-28T14:18:03",
            "Host:          unknown: the file does not say",
            "Files:         as-ssd.txt (SHA-256 a4925e87c041…)",
            "",
        ]
    )
    assert lines[-1].split() == ["as_ssd.score.total", "3,046"]


def test_show_as_json_has_provenance_metrics_and_audit(lab: Path) -> None:
    shown = json.loads(command("show", as_ssd(lab).path, "--json").stdout)

    assert shown["status"] == "imported"
    assert shown["import"]["drive"]["model"] == "Samsung SSD 970 EVO Plus 250GB"
    assert len(shown["metrics"]) == 11
    assert shown["audit"] == []


def test_nothing_of_an_import_can_be_computed_anew(lab: Path) -> None:
    result = command("show", as_ssd(lab).path, "--again")
    assert result.exit_code == 1
    assert "whose numbers cannot be computed anew" in str(result.exception)


# `ssdlab report`


def test_a_page_of_imports_alone(lab: Path) -> None:
    text = page([], [crystaldiskmark(lab, "A", 0), crystaldiskmark(lab, "B", 0, factor=2), threedmark(lab, "A", 3000)])

    assert "<title>A, B: CrystalDiskMark and 3DMark</title>" in text
    assert '<a href="#import1">CrystalDiskMark, 2 results</a>' in text
    assert '<a href="#import2">A: 3DMark</a>' in text
    assert 'id="import1-crystaldiskmark"' in text
    assert 'id="import2-threedmark-score"' in text
    assert "Measured by CrystalDiskMark and not by ssdlab." in text
    assert "not a mean over runs" in text


def test_every_number_is_on_the_page(lab: Path) -> None:
    run = as_ssd(lab)
    text = page([], [run])
    for metric in run.metrics:
        assert f"<code>{metric.name}</code>" in text
        assert f'<data value="{metric.value!r}"' in text


def test_imports_stand_after_the_runs(tmp_path: Path, lab: Path) -> None:
    bundle = write_whole(tmp_path / "run")
    result = command("report", bundle, as_ssd(lab).path, "-o", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()

    assert result.exit_code == 0
    assert text.index('<article id="run1">') < text.index('<article id="import1">')


def test_the_drive_of_an_import_is_named_on_import_and_no_drive_has_two_names(tmp_path: Path, lab: Path) -> None:
    run, again, imported = write_whole(tmp_path / "run"), write_whole(tmp_path / "again"), as_ssd(lab).path
    named = command("report", run, imported, "--name", f"{imported}=Mine")
    assert isinstance(named.exception, SsdlabError)
    assert "ssdlab import FILE --model NAME" in str(named.exception.hints[0])
    for path in (run, again):
        twice = command("report", run, again, "--name", f"{run}=Mine", "--name", f"{path}=Yours")
        assert isinstance(twice.exception, SsdlabError)
        assert "has 2 names" in str(twice.exception)
    assert not (run / "report.html").exists()


def test_a_hostile_name_is_text(lab: Path) -> None:
    evil = "<script>alert(1)</script>"
    text = page(
        [],
        [crystaldiskmark(lab, "A", 0), open_imported(take_in(DATA / "kdiskmark-3.txt", lab, GivenFacts(model=evil)))],
    )
    assert evil not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_pictures_of_imports(tmp_path: Path, lab: Path) -> None:
    bundle = client_bundle(Made(model="Fio drive"), suite="cdm")
    files = write_pictures(placed_import_figures([crystaldiskmark(lab, "A", 0)], [bundle], tmp_path / "png"))
    written = [file.path for file in files]

    assert [path.name for path in written] == snapshot(
        [
            "crystaldiskmark.png",
            "crystaldiskmark.svg",
            "crystaldiskmark.csv",
            "crystaldiskmark-qd1.png",
            "crystaldiskmark-qd1.svg",
            "crystaldiskmark-qd1.csv",
        ]
    )
    assert written[0].read_bytes().startswith(b"\x89PNG")
    assert "through fio" in written[1].read_text()


# `ssdlab compare`


def test_results_of_one_program_are_compared(lab: Path) -> None:
    found = compare([threedmark(lab, "A", 2000, 0.0), threedmark(lab, "B", 3000, 0.0)])

    (row,) = found.rows
    assert (row.metric, row.reference.median) == ("threedmark.storage.score", 2000)
    assert [cell.ratio for cell in row.others if cell is not None] == [1.5]
    assert found.cautions == ()


def test_one_drive_at_two_fill_levels_is_two(lab: Path) -> None:
    found = compare([threedmark(lab, "A", 2000, 0.0), threedmark(lab, "A", 1000, 75.0)])
    assert [runs[0].drive.model for runs in found.drives] == ["A, 0 % full", "A, 75 % full"]


def test_drives_that_tell_no_serial_are_not_taken_together(lab: Path) -> None:
    one, other = threedmark(lab, "A", 2000), threedmark(lab, "A", 1000)
    lines = command("compare", one.path, other.path).stdout.splitlines()
    (head,) = (line for line in lines if line.startswith("metric"))
    assert head.split() == ["metric", "A,", one.path.name, "A,", other.path.name, "ratio"]


def test_results_measured_otherwise_are_compared_with_a_caution(lab: Path) -> None:
    other = open_imported(take_in(DATA / "crystaldiskmark-8-default.txt", lab, GivenFacts(model="B")))
    found = compare([crystaldiskmark(lab, "A", 0), other])
    assert str(found.cautions[0]).endswith("not the same method")


@pytest.mark.parametrize("date", ["2024/13/45 99:99:99", "2024/00/00 1:00:00"])
def test_a_date_that_is_none_is_unknown(tmp_path: Path, lab: Path, date: str) -> None:
    text = (DATA / "crystaldiskmark-8-default.txt").read_text().replace("2024/05/25 19:26:52", date)
    (tmp_path / "a.txt").write_text(text)
    run = open_imported(take_in(tmp_path / "a.txt", lab, GivenFacts(model="A")))
    assert "which is no date" in str(run.info.measured_at)
    assert compare([run, crystaldiskmark(lab, "B", 0)]).rows
