"""Links in a bundle that came from elsewhere: nothing behind them is read, nothing is written through them."""

import os
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.small_bundle import write_small
from typer.testing import CliRunner

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError, DamagedFile
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import BundleWriter, write_conclusions
from ssdlab.cli import app
from ssdlab.durable import write_durably
from ssdlab.library.add import add
from ssdlab.library.catalogue import LibraryError

STEP = "003-fill.pass1"


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    return write_small(tmp_path / "foreign")


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """What belongs to somebody."""
    path = tmp_path / "precious"
    path.write_bytes(b"mine\n")
    return path


def run(*words: str) -> int:
    return CliRunner().invoke(app, list(words)).exit_code


def replaced(path: Path, target: Path) -> None:
    """Put a link in the place of a file or directory."""
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize("name", ["metrics.json", "audit.json", "checksums.json", "metrics.json.partial"])
def test_conclusions_are_not_written_through_a_link(foreign: Path, precious: Path, name: str) -> None:
    replaced(foreign / name, precious)
    with pytest.raises(BundleError, match="is a link, so nothing is written into this bundle"):
        write_conclusions(foreign, (), ())
    assert run("show", str(foreign), "--again") == 1
    assert precious.read_bytes() == b"mine\n"


@pytest.mark.parametrize("name", ["report.html", "report.html.partial"])
def test_a_report_replaces_a_link_and_not_what_it_points_to(foreign: Path, precious: Path, name: str) -> None:
    (foreign / name).symlink_to(precious)
    write_durably(foreign / "report.html", b"page")
    assert precious.read_bytes() == b"mine\n"
    assert (foreign / "report.html").read_bytes() == b"page"
    assert not (foreign / "report.html").is_symlink()


@pytest.mark.parametrize("name", ["journal.jsonl", "attempts", "drive", "003-fill.pass1", "journal.jsonl.partial"])
def test_a_run_does_not_go_on_in_a_bundle_with_links(foreign: Path, tmp_path: Path, name: str) -> None:
    begun = open_bundle(foreign)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(foreign, elsewhere)
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    replaced(foreign / name, elsewhere / name)
    with pytest.raises(BundleError, match="is a link"):
        BundleWriter.reopen(foreign, begun.run, begun.steps)
    assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", [STEP, f"{STEP}/{layout.RESULT}"])
def test_nothing_is_read_through_a_link(foreign: Path, tmp_path: Path, name: str) -> None:
    (foreign / name).rename(tmp_path / "moved")
    (foreign / name).symlink_to(tmp_path / "moved")
    faults = tuple(map(str, open_bundle(foreign).faults))
    assert len(faults) == 1
    assert "links inside a bundle are not followed" in faults[0]


@pytest.mark.parametrize("name", ["run.json", "metrics.json"])
def test_what_is_at_the_top_is_not_read_through_a_link_either(foreign: Path, tmp_path: Path, name: str) -> None:
    (foreign / name).rename(tmp_path / "moved")
    (foreign / name).symlink_to(tmp_path / "moved")
    assert "is a link" in str(open_bundle(foreign).faults[0])


def test_a_journal_that_is_a_link_is_no_journal(foreign: Path, tmp_path: Path) -> None:
    (foreign / layout.JOURNAL).rename(tmp_path / "moved")
    (foreign / layout.JOURNAL).symlink_to(tmp_path / "moved")
    with pytest.raises(DamagedFile, match="is a link, and links inside a bundle are not followed"):
        open_bundle(foreign)


@pytest.mark.parametrize("name", ["../precious", "/etc/passwd", "a/../../precious", "", "a\0b"])
def test_a_name_never_leads_out_of_the_bundle(foreign: Path, precious: Path, name: str) -> None:
    assert precious.exists()
    with pytest.raises(DamagedFile, match="leads out of the bundle"):
        BundleFiles(foreign, {}, Unlisted.READ).read(name)


def test_a_pipe_in_place_of_a_file_stops_nobody(foreign: Path) -> None:
    (foreign / layout.METRICS).unlink()
    os.mkfifo(foreign / layout.METRICS)
    assert tuple(map(str, open_bundle(foreign).faults)) == snapshot(
        ("metrics.json is no file (it can be computed again: `ssdlab show --again`)",)
    )


# What is brought into the library


def test_a_directory_with_links_is_not_added(foreign: Path, precious: Path, tmp_path: Path) -> None:
    (foreign / "more").symlink_to(precious)
    with pytest.raises(LibraryError, match="holds `more`, which is neither a file nor a directory"):
        add(foreign, tmp_path / "lab")
    assert not (tmp_path / "lab").exists()


def test_an_archive_with_a_link_is_not_added(foreign: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "foreign.zip", "w") as archive:
        archive.write(foreign / layout.RUN, "foreign/run.json")
        link = zipfile.ZipInfo("foreign/metrics.json")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(LibraryError, match="neither a file nor a directory"):
        add(tmp_path / "foreign.zip", tmp_path / "lab")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_a_tar_archive_holds_files_and_directories_alone(foreign: Path, tmp_path: Path, kind: bytes) -> None:
    with tarfile.open(tmp_path / "foreign.tar", "w") as archive:
        archive.add(foreign, "foreign")
        member = tarfile.TarInfo("foreign/more")
        member.type, member.linkname = kind, "foreign/run.json"
        archive.addfile(member)
    with pytest.raises(LibraryError, match="neither a file nor a directory"):
        add(tmp_path / "foreign.tar", tmp_path / "lab")
