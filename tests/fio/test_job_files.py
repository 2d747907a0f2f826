"""What fio reads in a job file is what was meant, whatever a target is called: fio's own parser is the judge."""

import os
import random
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

import numpy as np
import pytest
from tests.kit.sample_fio import BLOCK, NBD, sequential_fill

from ssdlab.drive.access import DriveError, FioAddress, IoPath
from ssdlab.drive.kinds.file import FileDrive
from ssdlab.drive.kinds.nbd import NbdDrive
from ssdlab.drive.kinds.virtual import VirtualDrive
from ssdlab.drive.nbd_uri import nbd_uri
from ssdlab.drive.target import BlockTarget, FileTarget, NbdTarget, TargetError, parse_target, spec_choice
from ssdlab.engine.commands import Commands, Verb
from ssdlab.engine.fio.binary import FioBinary, find_fio
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.fio.job_file import write_job_file
from ssdlab.engine.fio.text import CannotSay
from ssdlab.engine.result import Direction
from ssdlab.message import verbatim
from ssdlab.units import KIB, MIB

pytestmark = pytest.mark.fio

TARGETS = 10_000
PLACES = {"--filename", "--uri"}
ASKED_AT_ONCE = 500
SMALL = sequential_fill(block_bytes=4 * KIB, amount_bytes=64 * KIB, queue_depth=1)
SMALL = replace(SMALL, region=replace(SMALL.region, length_bytes=MIB))
NAMED = (
    b"trailing blank ",
    b"trailing tab\t",
    b"a#b",
    b"a;b",
    b"${HOME}",
    b"$ncpus",
    b"line\n[global]\nexec_prerun=touch pwned\n[x",
    b"line\nexec_prerun=touch pwned",
    b"a:b",
    b"a\\:b",
    b"a\\",
    b"a,b",
    b"'a\"b",
    b"-",
    b"--output=x",
    b"[section]",
    b"include x",
    "한 글".encode(),
    b"\xff\xfe",
    b"x" * 255,
)
"""Names that once led somewhere else, or might."""


def heard(text: str, directory: Path) -> list[list[str]]:
    """The options of each job as fio's parser understood them, sorted, the name of the job among them."""
    (directory / "job.fio").write_text(text)
    command = ["fio", "--parse-only", "--showcmd", "job.fio"]
    said = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True)
    assert said.stderr == ""
    return [sorted(f"--name={job}".split()) for job in said.stdout.split("--name=")[1:]]


def meant(job_text: str) -> list[str]:
    """The same of a job file of plain values, one option a line."""
    lines = [line for line in job_text.splitlines() if line and line[0] not in ";["]
    name = next(line.strip("[]") for line in job_text.splitlines() if line.startswith("["))
    return sorted([f"--name={name}", *(f"--{line}" for line in lines)])


@pytest.mark.parametrize("name", ["/mnt/a;b", "/mnt/a ", "/mnt/${HOME}", "/mnt/a\nunlink=1"])
def test_the_judge_sees_a_path_that_fio_reads_as_another(tmp_path: Path, name: str) -> None:
    plain = write_job_file(SMALL, BLOCK, find_fio()).text
    assert heard(plain, tmp_path) == [meant(plain)]
    assert heard(plain.replace(BLOCK.location, name), tmp_path) != [
        [option.replace(BLOCK.location, name) for option in meant(plain)]
    ]


class Names:
    """Names of files of any bytes they may have, most of them of bytes that mean something to some program."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - nobody is to be kept from foreseeing them

    def component(self) -> bytes:
        if self._random.random() < 0.1:
            return self._random.choice(NAMED)
        bytes_of = self._random.choice((b" \t\n\r#;$&{}:\\%?=+,'\"[]-~.aZ09", bytes(range(1, 256)), b"abcXYZ019._- "))
        length = self._random.choice((1, 2, 3, 8, 20, 255))
        name = bytes(self._random.choice(bytes_of) for _ in range(length)).replace(b"/", b"_")
        return b"_" if name in {b".", b".."} else name

    def path(self) -> bytes:
        return b"".join(b"/" + self.component() for _ in range(self._random.randint(1, 3)))

    def target(self) -> tuple[str, FioAddress]:
        """A file, a device, or an export whose parts are percent-encoded or not, and where fio finds what is meant."""
        match self._random.randrange(4):
            case 0:
                path = os.fsdecode(self.path())
                return f"file:{path}", FioAddress(IoPath.FILE, path, verbatim("a file"), descriptor=9)
            case 1:
                path = os.fsdecode(b"/dev" + self.path())
                return path, FioAddress(IoPath.BLOCK, path, verbatim("no queue to poll"))
            case 2:
                return export_at(os.fsdecode(self.component()), os.fsdecode(self.path()))
            case _:
                return export_at(quote_from_bytes(self.component()), quote_from_bytes(self.path()))


def export_at(export: str, socket: str) -> tuple[str, FioAddress]:
    meant_export, meant_socket = (os.fsdecode(unquote_to_bytes(os.fsencode(part))) for part in (export, socket))
    uri = nbd_uri(Path(meant_socket), meant_export)
    return f"nbd+unix:///{export}?socket={socket}", FioAddress(IoPath.NBD, uri)


def told(target: str) -> FioAddress:
    """Where fio finds what a target is read as."""
    match parse_target(target):
        case FileTarget(path, None):
            return FioAddress(IoPath.FILE, str(path), verbatim("a file"), descriptor=9)
        case NbdTarget(socket, export):
            return FioAddress(IoPath.NBD, nbd_uri(socket, export))
        case BlockTarget(path, None):
            return FioAddress(IoPath.BLOCK, str(path), verbatim("no queue to poll"))
        case other:
            raise AssertionError(f"{target!r} is read as {other}")


def expected(address: FioAddress, name: str, fio: FioBinary) -> list[str]:
    """What fio has to understand: the options of a plain device or export, but for the place."""
    plain = NBD if address.io_path is IoPath.NBD else replace(address, location="/plain", descriptor=None)
    place = address.location if address.descriptor is None else "/proc/self/fd/0"
    assert address.io_path is IoPath.NBD or ":" not in place, "fio splits file names there only after it has shown them"
    options = meant(write_job_file(replace(SMALL, name=name), plain, fio).text)
    parts = (option.partition("=") for option in options)
    return sorted(f"{option}={place if option in PLACES else value}" for option, _, value in parts)


def test_ten_thousand_targets_of_any_bytes_never_give_fio_another_file_option_or_section(tmp_path: Path) -> None:
    names, fio = Names(17), find_fio()
    said: list[tuple[str, list[str]]] = []
    for number in range(TARGETS):
        target, address = names.target()
        with suppress(TargetError):
            assert told(target) == address
        # Nor would it if a target came past the refusal.
        with suppress(CannotSay):
            text = write_job_file(replace(SMALL, name=f"t{number}"), address, fio).text
            said.append((text, expected(address, f"t{number}", fio)))
    assert len(said) > TARGETS * 0.7
    for group in (said[start : start + ASKED_AT_ONCE] for start in range(0, len(said), ASKED_AT_ONCE)):
        assert heard("".join(text for text, _ in group), tmp_path) == [options for _, options in group]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A directory full of files whose names fio might make of those above."""
    for name in {part for full in NAMED for part in misread(full)} - set(NAMED):
        (tmp_path / os.fsdecode(name)).write_bytes(b"precious")
    before = contents(tmp_path)
    yield tmp_path
    assert contents(tmp_path) == before


def misread(name: bytes) -> Iterator[bytes]:
    """What is left of a name where a program ends it, takes characters off its ends, or replaces some."""
    for mark in (b"#", b";", b":", b"\n", b",", b" ", b"\\", b"?"):
        yield from (part for part in (name.split(mark)[0], name.split(mark)[-1]) if part not in {b"", name})
    for other in (name.strip(), name.replace(b"\\", b""), name.replace(b"${HOME}", b"_"), name.strip(b"'\"")):
        if other not in {b"", name}:
            yield other


def contents(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.iterdir() if path.is_file()}


@pytest.mark.parametrize("name", NAMED, ids=repr)
def test_a_file_is_written_to_under_any_name_and_its_neighbours_are_not(
    place: Path, tmp_path_factory: pytest.TempPathFactory, name: bytes
) -> None:
    neighbours, path = contents(place), place / os.fsdecode(name)
    with closing(FileDrive("file:any", FileTarget(path, MIB))) as drive:
        result = FioEngine(find_fio(), drive).run(SMALL, tmp_path_factory.mktemp("step"), lambda _: None)
        assert result.directions[Direction.WRITE].io_bytes == 64 * KIB
        written = contents(place)
        assert any(written.pop(path)[: 64 * KIB])
        assert written == neighbours


def test_single_commands_reach_a_file_of_any_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"precious")
    with closing(FileDrive("file:any", FileTarget(tmp_path / "a b:c", MIB))) as drive:
        writes = Commands.one_by_one(Verb.WRITE, np.arange(8, dtype=np.int64) * 4 * KIB, 4 * KIB)
        FioEngine(find_fio(), drive).replay(writes, tmp_path, lambda _: None)
        assert any((tmp_path / "a b:c").read_bytes())
    assert (tmp_path / "a").read_bytes() == b"precious"


def test_a_job_whose_name_begins_like_fios_section_of_defaults_runs(tmp_path: Path) -> None:
    with closing(FileDrive("file:any", FileTarget(tmp_path / "disk", MIB))) as drive:
        job = replace(SMALL, name="global_write")
        result = FioEngine(find_fio(), drive).run(job, tmp_path, lambda _: None)
    assert result.directions[Direction.WRITE].io_bytes == 64 * KIB


ODD = "a b#;%41&\"?'+=한$HOME${HOME}\\z,x:y\n\udcff"
"""Characters that mean something in a job file or a URI, and a byte that is not UTF-8."""


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An oddly named directory for temporary files; those of tests have names that are too long for sockets."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / ODD
        path.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(path))
        yield path


def test_a_virtual_drive_is_reached_from_any_directory_for_temporary_files(odd: Path, tmp_path: Path) -> None:
    with closing(VirtualDrive("virtual:zero", spec_choice("zero?capacity=64MiB&seed=3"))) as drive:
        result = FioEngine(find_fio(), drive).run(SMALL, tmp_path, lambda _: None)
        assert result.directions[Direction.WRITE].io_bytes == 64 * KIB
        drive.check()
    assert not list(odd.iterdir())


def test_an_export_is_the_one_that_was_identified(odd: Path, tmp_path: Path) -> None:
    link = tmp_path / "a+b c"
    with closing(VirtualDrive("virtual:zero", spec_choice("zero?capacity=64MiB"))) as served:
        link.symlink_to(next(odd.iterdir()))
        before = served.truth()
        for text in (nbd_uri(link / "nbd"), f"nbd+unix:///?socket={link}/nbd"):
            drive = NbdDrive(text, told_export(text), erase="nbd")
            FioEngine(find_fio(), drive).run(SMALL, tmp_path, lambda _: None)
            assert served.truth() != before
            before = served.truth()


def told_export(text: str) -> NbdTarget:
    target = parse_target(text)
    assert isinstance(target, NbdTarget)
    return target


def test_a_directory_for_temporary_files_that_is_too_long_for_sockets_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / ("x" * 100)
    path.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    with pytest.raises(DriveError, match=r"sockets in `.*x` would have paths of \d+ bytes, and 107 is the most"):
        VirtualDrive("virtual:zero", spec_choice("zero"))
    assert not list(path.iterdir())
