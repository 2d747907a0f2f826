"""What is brought into the library: bundles and archives of them, whoever they are from."""

import bz2
import errno
import io
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.kit.sample_bundle import fill_plan, run_info, write_whole

from ssdlab.bundle.write import BundleWriter
from ssdlab.errors import SsdlabError
from ssdlab.job import DriveState
from ssdlab.library.add import add
from ssdlab.library.catalogue import LibraryError, open_catalogue
from ssdlab.units import GIB, NS_PER_S


def names(lab: Path) -> list[str]:
    return [entry.name for entry in open_catalogue(lab).entries]


def test_a_bundle_is_added_once(tmp_path: Path) -> None:
    bundle, lab = write_whole(tmp_path / "somewhere" / "my-run"), tmp_path / "lab"
    assert add(bundle, lab).path == lab / "runs" / "my-run"
    assert (lab / "runs" / "my-run" / "003-fill.pass1" / "series.parquet").exists()
    with pytest.raises(LibraryError, match="is in the library already, as `my-run`"):
        add(bundle, lab)
    assert names(lab) == ["my-run"]


@pytest.mark.parametrize(("refused", "named"), [(errno.ENOSPC, "lab/runs"), (errno.EACCES, "my-run/.*")])
def test_of_a_copy_that_fails_the_side_that_failed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: int, named: str
) -> None:
    bundle, lab = write_whole(tmp_path / "somewhere" / "my-run"), tmp_path / "lab"

    def fail(source: str, *_: object, **__: object) -> None:
        raise OSError(refused, os.strerror(refused), source)

    monkeypatch.setattr(shutil, "copy2", fail)
    with pytest.raises(SsdlabError, match=f"{named}` cannot be used: ") as caught:
        add(bundle, lab)
    assert ".adding-" not in str(caught.value)


def test_a_run_that_goes_on_is_added_when_it_is_over(tmp_path: Path) -> None:
    bundle, lab = tmp_path / "run", tmp_path / "lab"
    with closing(BundleWriter(bundle, run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        writer.step_started(1, 0, DriveState.UNKNOWN)
        with pytest.raises(LibraryError, match="still goes on"):
            add(bundle, lab)
    assert not lab.exists()
    assert add(bundle, lab).path == lab / "runs" / "run"


def test_of_a_run_that_went_on_since_it_was_added_the_beginning_is_named(tmp_path: Path) -> None:
    bundle, lab = tmp_path / "run", tmp_path / "lab"
    with closing(BundleWriter(bundle, run_info(GIB), fill_plan(GIB, NS_PER_S))):
        pass
    added = add(bundle, lab).path
    with (added / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"event":"torn')
    with closing(BundleWriter.reopen(bundle, run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        writer.step_started(1, 0, DriveState.UNKNOWN)
    with pytest.raises(LibraryError, match="only the beginning is in the library, as `run`") as refused:
        add(bundle, lab)
    assert list(map(str, refused.value.hints)) == [f"remove `{added}`, and add the run again"]
    shutil.rmtree(added)
    assert add(bundle, lab).path == added


def zipped(bundle: Path, archive: Path) -> Path:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(bundle.rglob("*")):
            file.write(path, path.relative_to(bundle.parent))
    return archive


def tarred(bundle: Path, archive: Path) -> Path:
    with tarfile.open(archive, "w:gz") as file:
        file.add(bundle, bundle.name)
    return archive


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_of_a_bundle_is_added(tmp_path: Path, pack: Callable[[Path, Path], Path]) -> None:
    bundle = write_whole(tmp_path / "my-run")
    add(pack(bundle, tmp_path / "mailed.archive"), tmp_path / "lab")
    assert names(tmp_path / "lab") == ["my-run"]


def test_an_archive_gives_a_bundle_its_content_and_not_its_rights(tmp_path: Path) -> None:
    bundle = write_whole(tmp_path / "my-run")
    (bundle / "note").write_text("anybody may run it")
    (bundle / "note").chmod(0o4777)
    add(tarred(bundle, tmp_path / "mailed.archive"), tmp_path / "lab")
    note = tmp_path / "lab/runs/my-run/note"
    assert (note.read_text(), note.stat().st_mode & 0o7111) == ("anybody may run it", 0)


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("place", [0.1, 0.3, 0.6, 0.9])
def test_a_damaged_archive_is_refused_in_words_and_leaves_nothing_behind(
    tmp_path: Path, pack: Callable[[Path, Path], Path], place: float
) -> None:
    """zlib has an error of its own, which once was a traceback; what was no head of a file once was the end of the archive."""
    bundle = write_whole(tmp_path / "my-run")
    (bundle / "note").write_text("".join(f"{at} {at * at}\n" for at in range(20_000)))
    archive = pack(bundle, tmp_path / "mailed.archive")
    content = bytearray(archive.read_bytes())
    at = int(place * len(content))
    content[at : at + 64] = b"\xff" * 64
    archive.write_bytes(content)
    with pytest.raises(LibraryError):
        add(archive, tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_an_archive_is_not_over_where_the_head_of_a_file_is_damaged(tmp_path: Path) -> None:
    """The files behind it once were left out, and the rest was added."""
    archive = tmp_path / "my-run.tar"
    with tarfile.open(archive, "w") as file:
        file.add(write_whole(tmp_path / "my-run"), "my-run")
    with tarfile.open(archive) as file:
        last = file.getmembers()[-1].offset
    content = bytearray(archive.read_bytes())
    content[last] ^= 1
    archive.write_bytes(content)
    with pytest.raises(LibraryError, match="cannot be unpacked: bad checksum where a file begins"):
        add(archive, tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_a_zip_that_points_before_its_beginning_is_refused_in_words(tmp_path: Path) -> None:
    """Its places are counted from its end, so that a wrong length puts them all elsewhere."""
    archive = zipped(write_whole(tmp_path / "my-run"), tmp_path / "my-run.zip")
    content = bytearray(archive.read_bytes())
    at = content.rindex(b"PK\x05\x06") + 16
    begin = int.from_bytes(content[at : at + 4], "little")
    content[at : at + 4] = (begin + 1000).to_bytes(4, "little")
    archive.write_bytes(content)
    with pytest.raises(LibraryError, match="cannot be unpacked: Invalid argument"):
        add(archive, tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_a_packed_archive_is_held_against_its_checksum(tmp_path: Path) -> None:
    archive = tarred(write_whole(tmp_path / "my-run"), tmp_path / "my-run.tar.gz")
    content = bytearray(archive.read_bytes())
    content[-8] ^= 1
    archive.write_bytes(content)
    with pytest.raises(LibraryError, match="cannot be unpacked: corrupt gzip stream does not have a matching checksum"):
        add(archive, tmp_path / "lab")
    archive.write_bytes(content[:-4])
    with pytest.raises(LibraryError, match="cannot be unpacked"):
        add(archive, tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_what_stands_behind_a_packed_archive_is_said_and_zeros_are_passed_over(tmp_path: Path) -> None:
    archive = tarred(write_whole(tmp_path / "my-run"), tmp_path / "my-run.tar.gz")
    content = archive.read_bytes()
    archive.write_bytes(content + b"-- \nsent by mail")
    with pytest.raises(LibraryError, match="which are whole, stand bytes that are no gzip"):
        add(archive, tmp_path / "lab")
    archive.write_bytes(content + bytes(600))
    add(archive, tmp_path / "lab")
    assert names(tmp_path / "lab") == ["my-run"]


def test_a_cut_archive_leaves_nothing_behind(tmp_path: Path) -> None:
    archive = tarred(write_whole(tmp_path / "my-run"), tmp_path / "my-run.tar.gz")
    archive.write_bytes(archive.read_bytes()[:-2000])
    with pytest.raises(LibraryError):
        add(archive, tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_an_archive_that_points_outside_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "evil.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../outside/run.json", "{}")
    with pytest.raises(LibraryError, match="points out of the archive"):
        add(archive, tmp_path / "lab")
    assert not (tmp_path / "lab" / "outside").exists()


def zip_of(names: list[str], archive: Path) -> None:
    with zipfile.ZipFile(archive, "w") as file:
        for name in names:
            file.writestr(name, "{}")


def tar_of(names: list[str], archive: Path) -> None:
    with tarfile.open(archive, "w") as file:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 2
            file.addfile(member, io.BytesIO(b"{}"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("pack", [zip_of, tar_of])
@pytest.mark.parametrize(
    ("names", "twice"), [(["run/run.json", "run/run.json"], "run/run.json"), (["run", "run/run.json"], "run")]
)
def test_an_archive_with_two_files_of_one_name_is_refused(
    tmp_path: Path, pack: Callable[[list[str], Path], None], names: list[str], twice: str
) -> None:
    pack(names, tmp_path / "mailed.archive")
    with pytest.raises(LibraryError, match=f"holds more than one file called `{twice}`"):
        add(tmp_path / "mailed.archive", tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


@pytest.mark.parametrize("name", ["run\udcff", ".hidden"])
def test_a_run_is_not_added_under_a_name_that_the_library_cannot_list(tmp_path: Path, name: str) -> None:
    bundle = write_whole(tmp_path / name)
    archive = tmp_path / "mailed.tar"
    with tarfile.open(archive, "w", errors="surrogateescape") as file:
        file.add(bundle, name)
    for source, hint in ((bundle, "rename `"), (archive, "unpack `")):
        with pytest.raises(LibraryError, match="cannot be what a run of the library is called") as refused:
            add(source, tmp_path / "lab")
        assert [str(one)[:8] for one in refused.value.hints] == [hint]
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_an_archive_that_is_called_nothing_but_an_ending_is_not_added(tmp_path: Path) -> None:
    bundle = write_whole(tmp_path / "run")
    archive = tmp_path / ".zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in bundle.rglob("*"):
            file.write(path, path.relative_to(bundle))
    with pytest.raises(LibraryError, match="`` cannot be what a run of the library is called"):
        add(archive, tmp_path / "lab")


@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_directories_without_end_are_refused_and_nothing_stays(
    tmp_path: Path, pack: Callable[[list[str], Path], None]
) -> None:
    pack(["run/" + "a/" * 1900 + "file"], tmp_path / "mailed.archive")
    with pytest.raises(LibraryError, match="has more than 32 directories within each other"):
        add(tmp_path / "mailed.archive", tmp_path / "lab")
    assert list((tmp_path / "lab" / "runs").iterdir()) == []


def test_a_directory_of_directories_without_end_is_refused(tmp_path: Path) -> None:
    bundle = write_whole(tmp_path / "run")
    bundle.joinpath(*["a"] * 40).mkdir(parents=True)
    with pytest.raises(LibraryError, match="has more than 32 directories within each other"):
        add(bundle, tmp_path / "lab")
    assert not (tmp_path / "lab").exists()


def test_a_run_is_not_copied_into_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = write_whole(tmp_path / "run")
    before = sorted(bundle.rglob("*"))
    monkeypatch.chdir(bundle)
    with pytest.raises(LibraryError, match=r"the runs of `lab` are inside `\.`"):
        add(Path(), Path("lab"))
    assert sorted(bundle.rglob("*")) == before
    assert add(Path(), tmp_path / "lab").path == tmp_path / "lab" / "runs" / "run"


def test_links_in_an_archive_are_refused(tmp_path: Path) -> None:
    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as file:
        link = tarfile.TarInfo("run/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        file.addfile(link)
    with pytest.raises(LibraryError, match="neither a file nor a directory"):
        add(archive, tmp_path / "lab")


def test_a_zip_bomb_is_refused_by_its_size(tmp_path: Path) -> None:
    archive = tmp_path / "bomb.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("run/run.json", b"\0" * 1_000_000)
    content = bytearray(archive.read_bytes())
    # The directory at the end promises 4 GB apiece for a file of 1 MB: its size stands 24 bytes into the entry.
    place = content.rindex(b"PK\x01\x02") + 24
    content[place : place + 4] = (0xFFFFFFFE).to_bytes(4, "little")
    archive.write_bytes(bytes(content))
    from ssdlab.library import add as module

    with pytest.raises(LibraryError, match=r"would unpack to 1 files with 4,294,967,294 bytes"):
        module._unzip(archive, tmp_path, free_bytes=1 << 30)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_tar_that_describes_a_file_without_end_is_refused_before_the_description_is_read(
    tmp_path: Path, kind: bytes
) -> None:
    archive = tmp_path / "bomb.tar.bz2"
    head = tarfile.TarInfo("long")
    head.type, head.size = kind, 32 << 20
    archive.write_bytes(bz2.compress(head.tobuf() + bytes(head.size)))
    with pytest.raises(LibraryError, match="describes a file in 33,554,432 bytes"):
        add(archive, tmp_path / "lab")


def test_anything_else_is_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(LibraryError, match="neither a directory nor a zip or tar archive"):
        add(tmp_path / "notes.txt", tmp_path / "lab")
