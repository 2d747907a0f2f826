"""What ssdlab refuses, in the words the user sees: what was found, what to do; exit status 1, and nothing on stdout."""

import os
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.processes import memory_export, ssdlab
from tests.kit.suites import write_short

pytestmark = pytest.mark.fio


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_short(tmp_path)


def refused(tmp_path: Path, *arguments: str | Path, **environment: str) -> str:
    """What a refused command says; the directory of the test is called HERE."""
    ended = ssdlab(*arguments, **environment)
    assert (ended.status, ended.stdout) == (1, "")
    assert "Traceback" not in ended.stderr
    return ended.stderr.replace(str(tmp_path), "HERE")


def refused_run(tmp_path: Path, suite: str | Path, target: str, *options: str) -> str:
    said = refused(tmp_path, "run", suite, target, "--lab", tmp_path / "lab", *options)
    assert not (tmp_path / "lab").exists()
    return said


def test_an_unknown_suite(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fil", "virtual:zero") == snapshot("""\
error: there is no suite `fil`

hint: did you mean `fill`? choose from bootbench, bootbench-compat, cdm, client, client-2025.07, enterprise, enterprise-iu, enterprise-sweep, fill, load-latency, mixes, pts-cbw, pts-dirth, pts-hir, pts-iops, pts-iops-client, pts-lat, pts-lat-client, pts-tp, pts-tp-client, pts-wsat, pts-xsr, write-amplification, wsat
hint: give the path of a TOML file to run your own
""")


def test_an_unknown_profile(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fill", "model:demo", "--profile", "qiuck") == snapshot("""\
error: suite `fill` has no profile `qiuck`

hint: did you mean `quick`? choose from standard, quick
""")


def test_an_unknown_target(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fill", "nvme0n1") == snapshot("""\
error: `nvme0n1` is no target

hint: did you mean `/dev/nvme0n1`?
""")


def test_an_unknown_kind_of_target(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fill", "scsi:0:0:0") == snapshot("""\
error: `scsi:0:0:0` is no target: `scsi:` is unknown

hint: known forms: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH
""")


def test_an_unknown_virtual_drive_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    said = refused_run(tmp_path, "fill", "virtual:dem").splitlines()
    assert said[:3] == snapshot(["error: there is no virtual drive called `dem`", "", "hint: did you mean `demo`?"])
    assert said[3].startswith("hint: built in are: demo, ")


def test_an_unknown_parameter_of_a_virtual_drive(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fill", "virtual:demo?size=1GiB") == snapshot("""\
error: `demo?size=1GiB`: `size` is no parameter here

hint: allowed: capacity, seed
""")


def test_a_capacity_that_is_no_size(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fill", "virtual:demo?capacity=1G") == snapshot("""\
error: `1G` is not a size

hint: write `1GiB` or `1GB`
""")


def test_a_block_device_that_is_not_there(tmp_path: Path) -> None:
    assert refused_run(tmp_path, "fill", "/dev/nvme77n1") == snapshot("""\
error: there is no `/dev/nvme77n1`

hint: `ssdlab drives` lists the drives of this host, and what uses them
""")


def test_a_file_that_is_not_named_as_one(tmp_path: Path, suite: Path) -> None:
    assert refused_run(tmp_path, "fill", str(suite)) == snapshot("""\
error: `HERE/short.toml` is no target

hint: a file or directory is named `file:HERE/short.toml`
""")


FIVE_FAULTS = """\
[suite]
name = "mine"
version = 3

[[step]]
kind = "purge"
rest = "15 minutes"

[[step]]
kind = "fill"
job = { pattern = "sequental", bs = "128Kb", qd = 0 }
"""


def test_all_faults_of_a_suite_are_listed_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(FIVE_FAULTS)
    said = refused_run(tmp_path, tmp_path / "mine.toml", "model:demo")
    assert said.count("HERE/mine.toml:") == 5
    assert said == snapshot("""\
error: HERE/mine.toml:3: suite.version: `3` is no text; write it in quotes
HERE/mine.toml:7: rest: `15 minutes` is not a duration (write `15min`)
HERE/mine.toml:11: job.bs: `128Kb` is not a size (write `128kB` or `128KB`)
HERE/mine.toml:11: job.pattern: `sequental` is not allowed here; allowed is 'sequential' or 'random'
HERE/mine.toml:11: job.qd: `0` is too small; the least is 1
""")


def test_a_suite_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[suite]\nname = = 3\n")
    assert refused_run(tmp_path, tmp_path / "mine.toml", "model:demo") == snapshot(
        "error: HERE/mine.toml:2: column 8: extra `=`, expected nothing\n"
    )


def test_a_target_smaller_than_the_suite_needs(tmp_path: Path, suite: Path) -> None:
    assert refused_run(tmp_path, suite, "virtual:zero?capacity=16MiB") == snapshot(
        """\
error: suite `short` does not fit `virtual:zero?capacity=16MiB`: step `fill` needs at least 64.0 MiB to write, it would get 16.0 MiB of the drive's 16.0 MiB

hint: a virtual drive can have another size: `virtual:zero?capacity=64GiB`
"""
    )


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path, suite: Path) -> None:
    precious = tmp_path / "precious.img"
    precious.write_bytes(b"data")
    assert refused_run(tmp_path, suite, f"file:{precious}") == snapshot("""\
error: `HERE/precious.img` exists, and ssdlab does not overwrite files

hint: name a new file, or a directory to put one in
""")
    assert precious.read_bytes() == b"data"


def test_a_directory_that_is_not_there(tmp_path: Path, suite: Path) -> None:
    assert refused_run(tmp_path, suite, f"file:{tmp_path}/no/such.img") == snapshot("""\
error: `HERE/no` is no directory

hint: name a directory on a mounted file system
""")


def test_an_export_is_not_erased_unless_it_is_named(tmp_path: Path, suite: Path) -> None:
    with memory_export(tmp_path, "64M") as (socket, _):
        assert refused_run(tmp_path, suite, f"nbd+unix:///?socket={socket}") == snapshot("""\
error: everything on the export `nbd` (64.0 MiB) would be lost, and it was not named to be erased

hint: if that is meant: `--erase nbd`
""")


def test_an_export_is_not_erased_under_another_name(tmp_path: Path, suite: Path) -> None:
    with memory_export(tmp_path, "64M") as (socket, _):
        assert refused_run(tmp_path, suite, f"nbd+unix:///?socket={socket}", "--erase", "sda") == snapshot("""\
error: everything on the export `nbd` (64.0 MiB) would be lost, and it is not the `sda` that was named to be erased

hint: if that is meant: `--erase nbd`
""")


def test_a_read_only_export(tmp_path: Path, suite: Path) -> None:
    with memory_export(tmp_path, "64M", read_only=True) as (socket, _):
        assert refused_run(tmp_path, suite, f"nbd+unix:///?socket={socket}", "--erase", "nbd") == snapshot("""\
error: the export `nbd` is read-only

hint: start its server writable
""")


def test_an_export_that_nobody_serves(tmp_path: Path, suite: Path) -> None:
    assert refused_run(tmp_path, suite, f"nbd+unix:///?socket={tmp_path}/nbd", "--erase", "nbd") == snapshot("""\
error: no NBD export at `HERE/nbd`: [Errno 2] No such file or directory

hint: is the server running?
""")


def path_with(directory: Path, *commands: str) -> str:
    """A PATH with nothing on it but these."""
    for command in commands:
        found = shutil.which(command)
        assert found is not None
        (directory / command).symlink_to(found)
    return str(directory)


def test_a_missing_fio(tmp_path: Path, suite: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    assert refused(tmp_path, "run", suite, "virtual:zero", PATH=path_with(empty)) == snapshot("""\
error: `fio` is not installed

hint: install it: `apt-get install fio` (Debian, Ubuntu), `dnf install fio fio-engine-nbd` (Fedora, Rocky)
""")


def test_a_missing_setpriv(tmp_path: Path, suite: Path) -> None:
    without = tmp_path / "bin"
    without.mkdir()
    assert refused(tmp_path, "run", suite, "virtual:zero", PATH=path_with(without, "fio")) == snapshot("""\
error: `setpriv` is not installed

hint: `setpriv` comes with util-linux; with it fio never outlives ssdlab
""")


def answering(directory: Path, version: str, engines: str) -> str:
    """A PATH on which fio answers as an old one did."""
    directory.mkdir()
    fio = directory / "fio"
    fio.write_text(
        f"#!/bin/sh\ncase $1 in --version) echo {version} ;; --enghelp) echo 'Available IO engines: {engines}' ;; esac\n"
    )
    fio.chmod(0o755)
    return f"{directory}:{os.environ['PATH']}"


def test_a_fio_that_is_too_old(tmp_path: Path, suite: Path) -> None:
    path = answering(tmp_path / "bin", "fio-3.1", "libaio nbd")
    assert refused(tmp_path, "run", suite, "virtual:zero", PATH=path) == snapshot("""\
error: fio 3.1 is installed, ssdlab needs 3.28 or newer

hint: install it: `apt-get install fio` (Debian, Ubuntu), `dnf install fio fio-engine-nbd` (Fedora, Rocky)
""")


def test_a_fio_without_the_nbd_engine_is_found_before_anything_is_erased(tmp_path: Path, suite: Path) -> None:
    path = answering(tmp_path / "bin", "fio-3.35", "libaio io_uring")
    lab = tmp_path / "lab"
    said = refused(tmp_path, "run", suite, "virtual:zero?capacity=64MiB", "--lab", lab, PATH=path)
    assert said == snapshot("""\
error: fio 3.35 at HERE/bin/fio was built without its nbd engine

hint: on Fedora and Rocky install `fio-engine-nbd`; a fio built by hand needs `./configure --enable-libnbd`
""")
    assert not lab.exists()


def test_a_run_that_is_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path, "show", tmp_path / "nothing") == snapshot("""\
error: `HERE/nothing` is no bundle: there is no such directory

hint: `ssdlab run` prints the path of its bundle
""")
    assert refused(tmp_path, "show", "--lab", tmp_path) == snapshot("""\
error: there is no run under `HERE`

hint: name a bundle, or the lab it is in with `--lab DIR`
""")
    assert refused(tmp_path, "report", tmp_path) == snapshot("""\
error: `HERE` is no bundle: journal.jsonl is missing; run.json is missing

hint: give the directory that holds run.json and journal.jsonl
""")


def test_a_command_line_that_cannot_be_understood_is_another_status() -> None:
    ended = ssdlab("run", "fill")
    assert (ended.status, ended.stdout) == (2, "")
    assert "missing argument 'TARGET'" in ended.stderr
