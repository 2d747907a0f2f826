"""Archives of foreign results: each file taken in or refused by name, and nothing written but below our own directory."""

import errno
import gzip
import io
import lzma
import os
import re
import shutil
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.packed import SKIPPED_FRAME, zstandard
from typer.testing import CliRunner, Result

from ssdlab import cli
from ssdlab.bundle.imported import open_imported
from ssdlab.library.foreign import archive
from ssdlab.library.foreign.archive import is_archive, unpack

DATA = Path(__file__).parent.parent / "data"
CDM = DATA / "foreign" / "crystaldiskmark-8-default.txt"
FIO = DATA / "fio-3.33" / "audit"
JSON, LOG = FIO / "with_logs.json", FIO / "with_logs_lat.1.log"
FILES = {"monday/cdm.txt": CDM, "monday/fio/run.json": JSON, "monday/fio/run_lat.1.log": LOG}


def tar_of(contents: dict[str, bytes], *others: tarfile.TarInfo) -> bytes:
    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode="w") as tar:
        for name, content in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        for other in others:
            tar.addfile(other)
    return to.getvalue()


def zip_of(contents: dict[str, bytes]) -> bytes:
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in contents.items():
            packed.writestr(name, content)
    return to.getvalue()


PACKERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "zip": zip_of,
    "tar": tar_of,
    "tar.gz": lambda contents: gzip.compress(tar_of(contents)),
    "tar.xz": lambda contents: lzma.compress(tar_of(contents)),
    "tar.zst": lambda contents: zstandard(tar_of(contents)),
    "pzstd.tar.zst": lambda contents: SKIPPED_FRAME + zstandard(tar_of(contents)) + SKIPPED_FRAME,
}


def imported(tmp_path: Path, *files: Path | str) -> Result:
    return CliRunner().invoke(cli.app, ["import", *map(str, files), "--lab", str(tmp_path / "lab")])


def below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("form", PACKERS)
def test_each_file_of_an_archive_is_taken_in_or_refused_by_name(tmp_path: Path, form: str) -> None:
    contents = {name: path.read_bytes() for name, path in FILES.items()} | {"notes.txt": b"my notes"}
    path = tmp_path / f"mine.{form}"
    path.write_bytes(PACKERS[form](contents))
    result = imported(tmp_path, path)
    runs = [open_imported(run).info for run in sorted((tmp_path / "lab" / "runs").iterdir())]
    names = sorted(tuple(one.name for one in info.originals) for info in runs)
    assert names == [
        (f"mine.{form}-monday-cdm.txt",),
        (f"mine.{form}-monday-fio-run.json", f"mine.{form}-monday-fio-run_lat.1.log"),
    ]
    assert f"not imported: `mine.{form}-notes.txt` is of no program" in result.stderr
    assert "1 of 3 results were not imported" in str(result.exception)


def test_members_of_one_folder_whose_names_become_one_are_all_kept_in_one_result(tmp_path: Path) -> None:
    long = "l" * 90
    logs = ["run a_lat.1.log", "run-a_lat.1.log", "run@a_lat.1.log", f"1{long}_lat.2.log", f"2{long}_lat.2.log"]
    contents = {name: f"{number}, {100 + number}, 0, 4096, 0\n".encode() for number, name in enumerate(logs)}
    packed = {"run-a_lat.1.log.xz": lzma.compress(b"9, 109, 0, 4096, 0\n")}
    to = io.BytesIO(tar_of(contents | packed))
    with tarfile.open(fileobj=to, mode="a") as tar:
        again = tarfile.TarInfo(logs[0])
        again.size = len(content := b"10, 110, 0, 4096, 0\n")
        tar.addfile(again, io.BytesIO(content))
    path = tmp_path / "mine.tar"
    path.write_bytes(to.getvalue())
    result = imported(tmp_path, path, "--unit", "ns")
    assert result.exit_code == 0, result.stderr
    (run,) = (tmp_path / "lab" / "runs").iterdir()
    originals = [one.name for one in open_imported(run).info.originals]
    held = [(run / "original" / name).read_bytes() for name in originals]
    assert sorted(held) == sorted([*contents.values(), b"9, 109, 0, 4096, 0\n", content])
    assert {"mine.tar-run-a_lat.1.log", "mine.tar-2-run-a_lat.1.log"} < set(originals)


def test_nothing_is_written_outside_and_links_are_refused(tmp_path: Path) -> None:
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    hard = tarfile.TarInfo("hard")
    hard.type, hard.linkname = tarfile.LNKTYPE, "a/b"
    device = tarfile.TarInfo("zero")
    device.type = tarfile.CHRTYPE
    hostile = {
        "../../up": b"1",
        "/absolute": b"2",
        "a/../../b": b"3",
        "..": b"4",
        "c\\..\\d": b"5",
        "\x1b[31mred\u202e": b"6",
    }
    path = tmp_path / "hostile.tar"
    path.write_bytes(tar_of(hostile, link, hard, device))
    there = tmp_path / "there"
    unpacked = unpack(path, there)
    assert below(tmp_path) - {"hostile.tar", "there"} == {f"there/{name}" for name in below(there)}
    files = [file for folder in unpacked.folders for file in folder]
    assert sorted(file.read_bytes() for file in files) == [b"1", b"2", b"3", b"4", b"5", b"6"]
    assert all(file.name.isprintable() and not file.is_symlink() for file in files)
    told = [str(error.message) for error in unpacked.refused]
    assert len(told) == 3
    assert all(name in text for name, text in zip(("link", "hard", "zero"), told, strict=True))


def test_a_zip_with_a_link_or_a_lock_is_refused_by_its_member(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        packed.writestr(info, "/etc/passwd")
    unpacked = unpack(path, tmp_path / "there")
    assert unpacked.folders == ()
    assert ["`link` in `a.zip` is not read" in str(error.message) for error in unpacked.refused] == [True]


def test_of_files_that_a_zip_lists_under_one_name_none_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in (("run.json", b"first"), ("run.json", b"second"), ("other", b"x")):
            packed.writestr(name, content)
    unpacked = unpack(path, tmp_path / "there")
    assert [[file.read_bytes() for file in folder] for folder in unpacked.folders] == [[b"x"]]
    assert {str(refused.message) for refused in unpacked.refused} == {
        "`run.json` in `a.zip` is not read: the archive lists several files of that name, and does not say which is meant"
    }


def test_files_of_one_name_from_several_folders_are_all_kept_with_their_result(tmp_path: Path) -> None:
    given = []
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        given.append(shutil.copy(LOG, tmp_path / folder / "run_lat.1.log"))
    assert imported(tmp_path, *given).exit_code == 0
    (run,) = (tmp_path / "lab" / "runs").iterdir()
    assert [one.name for one in open_imported(run).info.originals] == ["run_lat.1.log", "2-run_lat.1.log"]
    assert {file.read_bytes() for file in (run / "original").iterdir()} == {LOG.read_bytes()}


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_packed_by_what_unpacks_all_at_once_is_refused_by_its_members(tmp_path: Path, packing: int) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", packing) as packed:
        packed.writestr("tight", bytes(1 << 20))
        packed.writestr("plain", b"x", zipfile.ZIP_STORED)
    unpacked = unpack(path, tmp_path / "there")
    assert [[file.read_bytes() for file in folder] for folder in unpacked.folders] == [[b"x"]]
    (refused,) = unpacked.refused
    assert "`tight` in `a.zip` is not read: it is neither stored nor packed with deflate; pack it anew" in str(
        refused.message
    )


@pytest.mark.parametrize("form", PACKERS)
def test_an_archive_is_bounded_by_what_comes_out_of_it(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "UNPACKED_BYTES_MAX", 1 << 20)
    path = tmp_path / f"bomb.{form}"
    path.write_bytes(PACKERS[form]({"small": b"x", "large": bytes(64 << 20)}))
    unpacked = unpack(path, tmp_path / "there")
    assert "unpacks to more than 1,048,576 bytes" in str(unpacked.refused[-1].message)
    assert sum(file.stat().st_size for file in (tmp_path / "there").rglob("*") if file.is_file()) <= 1 << 20


def test_an_archive_takes_no_more_than_half_of_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage(tmp_path)._replace(free=2 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    path = tmp_path / "large.tar.gz"
    path.write_bytes(gzip.compress(tar_of({"large": bytes(2 << 20)})))
    unpacked = unpack(path, tmp_path / "there")
    assert "unpacks to more than 1,048,576 bytes" in str(unpacked.refused[-1].message)


@pytest.mark.parametrize("form", PACKERS)
@pytest.mark.parametrize("refused", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_what_the_host_refuses_is_no_damage_of_the_archive(
    tmp_path: Path, form: str, refused: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(refused, os.strerror(refused))

    monkeypatch.setattr(archive, "_copy", refuse)
    path = tmp_path / f"a.{form}"
    path.write_bytes(PACKERS[form]({"a": b"1"}))
    with pytest.raises(OSError, match=re.escape(os.strerror(refused))):
        unpack(path, tmp_path / "there")


@pytest.mark.parametrize("form", PACKERS)
def test_an_archive_of_very_many_members_is_read_to_a_limit(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MEMBERS_MAX", 5)
    path = tmp_path / f"many.{form}"
    path.write_bytes(PACKERS[form]({str(number): b"" for number in range(6)}))
    unpacked = unpack(path, tmp_path / "there")
    assert sum(map(len, unpacked.folders)) == 5
    assert len(unpacked.refused) == 1


def test_directories_of_an_archive_are_members_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MEMBERS_MAX", 5)
    directories = [tarfile.TarInfo(f"d{number}") for number in range(6)]
    for directory in directories:
        directory.type = tarfile.DIRTYPE
    of_tar, of_zip = tmp_path / "a.tar", tmp_path / "a.zip"
    of_tar.write_bytes(tar_of({}, *directories))
    of_zip.write_bytes(zip_of({f"d{number}/": b"" for number in range(6)}))
    for path in (of_tar, of_zip):
        (refused,) = unpack(path, tmp_path / f"of-{path.name}").refused
        assert "or 5 files, of which the rest is not read" in str(refused.message)


@pytest.mark.parametrize("form", PACKERS)
def test_a_damaged_archive_is_refused_and_what_lies_before_the_damage_is_not(tmp_path: Path, form: str) -> None:
    content = PACKERS[form]({"a.txt": CDM.read_bytes(), "b.bin": os.urandom(300_000)})
    path = tmp_path / f"cut.{form}"
    path.write_bytes(content[: len(content) * 2 // 3])
    result = imported(tmp_path, path)
    assert result.exit_code != 0
    assert not isinstance(result.exception, EOFError | tarfile.TarError | zipfile.BadZipFile | lzma.LZMAError)


@pytest.mark.parametrize("form", ["tar.gz", "zip"])
def test_a_stream_that_nothing_can_be_unpacked_from_is_refused_in_words(tmp_path: Path, form: str) -> None:
    """zlib has an error of its own, which once was a traceback."""
    contents = {"a.txt": b"".join(b"%d, %d\n" % (at, at * at) for at in range(20_000))}
    packed = bytearray(gzip.compress(tar_of(contents)) if form == "tar.gz" else zip_of(contents))
    middle = len(packed) // 2
    packed[middle : middle + 64] = b"\xff" * 64
    (tmp_path / f"odd.{form}").write_bytes(packed)
    (refused,) = unpack(tmp_path / f"odd.{form}", tmp_path / "unpacked").refused
    assert re.search("is a damaged archive: (Error -3 while decompressing|corrupt deflate stream)", str(refused))


def test_files_behind_a_damaged_head_are_not_left_out_silently(tmp_path: Path) -> None:
    """What was no head of a file once was the end of the archive."""
    content = bytearray(tar_of({"a.txt": CDM.read_bytes(), "b.txt": CDM.read_bytes()}))
    content[content.index(b"b.txt\0")] ^= 1
    path = tmp_path / "odd.tar.gz"
    path.write_bytes(gzip.compress(content))
    unpacked = unpack(path, tmp_path / "there")
    assert [[file.read_bytes() for file in folder] for folder in unpacked.folders] == [[CDM.read_bytes()]]
    assert [str(one) for one in unpacked.refused] == [
        "`odd.tar.gz` is a damaged archive: bad checksum where a file begins"
    ]


@pytest.mark.parametrize("form", ["tar.gz", "tar.xz"])
def test_a_packed_archive_is_held_against_its_checksum(tmp_path: Path, form: str) -> None:
    content = bytearray(PACKERS[form]({"a.txt": CDM.read_bytes()}))
    # Of xz behind the last block: its index.
    content[-8 if form == "tar.gz" else -20] ^= 1
    path = tmp_path / f"odd.{form}"
    path.write_bytes(content)
    (refused,) = unpack(path, tmp_path / "there").refused
    assert "is a damaged archive" in str(refused)


def test_what_stands_behind_the_packed_data_is_said_and_the_data_are_read(tmp_path: Path) -> None:
    """As gzip(1) does; once the archive was said to be cut off."""
    path = tmp_path / "mine.tar.gz"
    path.write_bytes(gzip.compress(tar_of({"cdm.txt": CDM.read_bytes()})) + b"-- \nsent by mail")
    result = imported(tmp_path, path)
    assert "what stands after the packed data of `mine.tar.gz` is no gzip and is not read; what is packed is whole" in (
        " ".join(result.stderr.split())
    )
    (run,) = (tmp_path / "lab" / "runs").iterdir()
    assert (run / "original" / "mine.tar.gz-cdm.txt").read_bytes() == CDM.read_bytes()


def test_a_file_packed_alone_says_what_stands_behind_its_data(tmp_path: Path) -> None:
    path = tmp_path / "run.json.gz"
    path.write_bytes(gzip.compress(JSON.read_bytes()) + b"-- \nsent by mail")
    result = imported(tmp_path, path)
    assert "which are whole, stand bytes that are no gzip" in str(result.exception)
    path.write_bytes(gzip.compress(JSON.read_bytes()) + bytes(512))
    assert imported(tmp_path, path).exit_code == 0


def test_a_log_says_what_stands_behind_its_packed_data(tmp_path: Path) -> None:
    path = tmp_path / "run_lat.1.log.gz"
    path.write_bytes(gzip.compress(LOG.read_bytes()) + b"-- \nsent by mail")
    result = CliRunner().invoke(cli.app, ["log", str(path)])
    assert "which are whole, stand bytes that are no gzip" in str(result.exception)


def test_a_file_packed_in_parallel_is_read(tmp_path: Path) -> None:
    """Its first frame is one to be passed over, which once made it a file of no program."""
    path = tmp_path / "cdm.txt.zst"
    path.write_bytes(SKIPPED_FRAME + zstandard(CDM.read_bytes()))
    assert imported(tmp_path, path).exit_code == 0


def test_what_is_packed_alone_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "run.json.gz"
    path.write_bytes(gzip.compress(JSON.read_bytes()))
    assert not is_archive(path)
    assert not is_archive(DATA / "foreign" / "3dmark-storage")


def test_a_member_without_a_name_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), b"nobody")
        archive.writestr("cdm.txt", CDM.read_bytes())
    assert imported(tmp_path, path).exit_code == 1
    (run,) = (tmp_path / "lab" / "runs").iterdir()
    assert (run / "original" / "mine.zip-cdm.txt").read_bytes() == CDM.read_bytes()
