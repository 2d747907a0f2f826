"""What an import may cost: work in proportion to what is read, and memory that no hostile file exceeds; and that it is durable."""

import gzip
import io
import json
import lzma
import os
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import IO, Any

import pytest
from tests.kit.large_fio import document, jobs, write
from tests.kit.peak_memory import with_peak
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.library.take_in import GivenFacts, Imports, take_in

CLEAN = Path(__file__).parent.parent / "data" / "fio-3.33" / "audit" / "clean.json"
GROWTH_MAX = 2.15
"""Of the work where there is twice as much to read; what is compared with all others doubles it once more."""


def calls(work: Callable[[], object]) -> int:
    """How many functions of Python and of C are called, which depends on no clock."""
    count = 0

    def called(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_twice_as_many_jobs_are_twice_the_work(tmp_path: Path) -> None:
    """Every number once looked at the checks of every job: 20,000 jobs were unfinished after twenty minutes."""
    work: list[int] = []
    # The first time modules are imported, too.
    for count in (1, 150, 300):
        path = write(tmp_path / f"{count}.json", document(islice(jobs(lambda place: f"job {place}", 0), count)))
        lab = tmp_path / f"lab {len(work)}"
        work.append(calls(lambda path=path, lab=lab: take_in(path, lab, GivenFacts())))  # type: ignore[misc]
    assert work[2] < GROWTH_MAX * work[1]


def test_twice_as_many_files_are_twice_the_work(tmp_path: Path) -> None:
    """Every import once read the whole library again: 10,000 files did not end."""
    fields = json.loads(CLEAN.read_text())
    files = []
    for place in range(60):
        fields["timestamp"] += 1
        files.append(tmp_path / f"{place}.json")
        files[-1].write_text(json.dumps(fields))

    def imported(lab: str, count: int) -> None:
        command = ["import", *map(str, files[:count]), "--lab", str(tmp_path / lab)]
        assert CliRunner().invoke(cli.app, command).exit_code == 0

    imported("first", 1)
    assert calls(lambda: imported("many", 60)) < GROWTH_MAX * calls(lambda: imported("few", 30))
    assert len(list((tmp_path / "many" / "runs").iterdir())) == 60


def test_a_small_file_is_opened_no_more_often_than_it_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its digest, its copy and each question of what it is once opened it again: ten times."""
    file = tmp_path / "a.json"
    file.write_bytes(CLEAN.read_bytes())
    opened = 0

    def noted(path: object, *arguments: Any, **named: Any) -> IO[Any]:
        nonlocal opened
        opened += str(path) == str(file)
        return open_file(path, *arguments, **named)  # type: ignore[no-any-return, call-overload]

    open_file = io.open
    monkeypatch.setattr(io, "open", noted)
    assert CliRunner().invoke(cli.app, ["import", str(file), "--lab", str(tmp_path / "lab")]).exit_code == 0
    # An archive, packed, or neither.
    assert 1 <= opened <= 3


def test_what_lies_in_the_library_already_is_no_work(tmp_path: Path) -> None:
    """Every import once looked for what killed ones had left among all results: of 5,000 that took 6 ms a file."""
    fields = json.loads(CLEAN.read_text())
    work: list[int] = []
    # The first time modules are imported, too.
    for count in (0, 0, 2000):
        lab = tmp_path / f"lab {len(work)}"
        for place in range(count):
            (lab / "runs" / f"{place}").mkdir(parents=True)
        fields["timestamp"] += 1
        file = tmp_path / "a.json"
        file.write_text(json.dumps(fields))
        with closing(Imports(lab)) as there:
            work.append(calls(lambda file=file, lab=lab, there=there: take_in(file, lab, GivenFacts(), there=there)))  # type: ignore[misc]
    assert work[2] < 1.1 * work[1]


def test_a_result_is_on_the_medium_when_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name itself once was not, so that a cut could take what was said to be imported."""
    synced: dict[tuple[int, int], str] = {}
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        state = os.fstat(descriptor)
        synced[state.st_dev, state.st_ino] = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    bundle = take_in(CLEAN, tmp_path, GivenFacts())
    assert list(synced.values())[-1] == str(bundle.parent)
    there = {(state.st_dev, state.st_ino) for path in (bundle, *bundle.rglob("*")) if (state := path.stat())}
    assert there <= synced.keys()


MEMORY_MIB_MAX = 512
PACKED_MIB_MAX = 400
"""Of a packed file up to 256 MiB are in memory."""


def zeros_in_zip(path: Path) -> None:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("run/import.json", "w", force_zip64=True) as file,
    ):
        for _ in range(600):
            file.write(bytes(1 << 20))


def zeros_in_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(bytes(64 << 20), 1) * 19)


def zeros_in_xz(path: Path) -> None:
    path.write_bytes(lzma.compress(bytes(64 << 20), preset=0) * 19)


def zeros_in_zstandard(path: Path) -> None:
    """Of the form of the format (RFC 8878): a frame of a window of 2 MiB, and blocks of one byte that is repeated 128 KiB times."""
    blocks = (128 << 10 << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    last = (1 << 1 | 1).to_bytes(3, "little") + b"\0"
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00\x58" + blocks * (1200 << 3) + last)


def zeros_in_hole(path: Path) -> None:
    path.touch()
    os.truncate(path, 8 << 30)


@pytest.mark.parametrize(
    ("command", "name", "hostile", "mib_max"),
    [
        (["import"], "a.zip", zeros_in_zip, MEMORY_MIB_MAX),
        (["library", "add"], "a.zip", zeros_in_zip, MEMORY_MIB_MAX),
        (["import"], "a.json.gz", zeros_in_gzip, PACKED_MIB_MAX),
        (["import"], "a.json.xz", zeros_in_xz, PACKED_MIB_MAX),
        (["import"], "a.json.zst", zeros_in_zstandard, PACKED_MIB_MAX),
        (["import"], "a.json", zeros_in_hole, MEMORY_MIB_MAX),
    ],
    ids=["zip", "library add", "gzip", "xz", "zstandard", "hole"],
)
def test_what_unpacks_to_more_than_the_memory_is_refused_within_it(
    tmp_path: Path, command: list[str], name: str, hostile: Callable[[Path], None], mib_max: int
) -> None:
    """`library add` of 8 MB once took 10 GB."""
    hostile(tmp_path / name)

    done = with_peak([*command, str(tmp_path / name), "--lab", str(tmp_path / "lab")])
    assert done.status == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.peak_mib < mib_max
    assert not list((tmp_path / "lab").glob("runs/*"))
