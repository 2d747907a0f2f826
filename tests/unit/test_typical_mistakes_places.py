"""Typical mistakes in places: wrong folder, no folder, a file for a folder, a drive in use, no room, no permission; each with the whole answer."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from inline_snapshot import snapshot
from tests.kit.mistakes import RUN, Mistakes, mistakes_in

from ssdlab.drive.block.guard import Fact, GuardFinding, GuardVerdict, Weight
from ssdlab.message import message


class Usage(NamedTuple):
    """As `shutil.disk_usage` tells it."""

    total: int
    used: int
    free: int


@pytest.fixture
def mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Mistakes:
    return mistakes_in(tmp_path, capsys, monkeypatch)


def test_a_folder_that_is_no_run(mistakes: Mistakes) -> None:
    assert mistakes.told("show lab/runs", "show lab", "report lab/runs", "show empty", "show --lab empty") == snapshot(
        {
            "show lab/runs": """\
refused
error: `lab/runs` holds 2 runs, and is none itself
hint: name a run, such as the newest: `lab/runs/20251202-fill-two`\
""",
            "show lab": """\
refused
error: `lab` holds 2 runs, and is none itself
hint: name a run, such as the newest: `lab/runs/20251202-fill-two`\
""",
            "report lab/runs": """\
refused
error: `lab/runs` holds 2 runs, and is none itself
hint: name a run, such as the newest: `lab/runs/20251202-fill-two`\
""",
            "show empty": """\
refused
error: `empty` is no bundle: journal.jsonl is missing; run.json is missing
hint: give the directory that holds run.json and journal.jsonl\
""",
            "show --lab empty": """\
refused
error: there is no run under `empty`
hint: name a bundle, or the lab it is in with `--lab DIR`\
""",
        }
    )


def test_a_run_that_is_not_there_or_is_a_file(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "show nowhere", "show notes.txt", "report notes.txt", "resume nowhere", f"compare {RUN} notes.txt"
    ) == snapshot(
        {
            "show nowhere": """\
refused
error: `nowhere` is no bundle: there is no such directory
hint: `ssdlab run` prints the path of its bundle\
""",
            "show notes.txt": """\
refused
error: `notes.txt` is a file, not a bundle
hint: give the directory that holds run.json and journal.jsonl\
""",
            "report notes.txt": """\
refused
error: `notes.txt` is a file, not a bundle
hint: give the directory that holds run.json and journal.jsonl\
""",
            "resume nowhere": """\
refused
error: `nowhere` is no bundle: there is no such directory
hint: `ssdlab run` prints the path of its bundle\
""",
            "compare lab/runs/20251201-fill-one notes.txt": """\
refused
error: `notes.txt` is a file, not a bundle
hint: give the directory that holds run.json and journal.jsonl\
""",
        }
    )


def test_a_report_that_cannot_be_written_there(mistakes: Mistakes) -> None:
    assert mistakes.told(
        f"report {RUN} -o nodir/x.html", f"report {RUN} -o empty", f"report {RUN} --png notes.txt"
    ) == snapshot(
        {
            "report lab/runs/20251201-fill-one -o nodir/x.html": """\
refused
error: there is no directory `nodir`
hint: make it: `mkdir -p nodir`\
""",
            "report lab/runs/20251201-fill-one -o empty": """\
refused
error: `empty` is a directory
hint: name a file in it\
""",
            "report lab/runs/20251201-fill-one --png notes.txt": """\
refused
error: `notes.txt` is no directory
hint: write elsewhere: `--lab DIR` for bundles, `-o FILE` for pages\
""",
        }
    )


def test_a_lab_that_cannot_be_there(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run fill model:demo --lab notes.txt", "run fill model:demo --lab /proc/foo", "library list --lab nowhere"
    ) == snapshot(
        {
            "run fill model:demo --lab notes.txt": """\
refused
error: `notes.txt` is no directory
hint: write elsewhere: `--lab DIR` for bundles, `-o FILE` for pages\
""",
            "run fill model:demo --lab /proc/foo": """\
refused
error: `/proc` cannot hold results: the kernel makes up what is in it
hint: write elsewhere: `--lab DIR` for bundles, `-o FILE` for pages\
""",
            "library list --lab nowhere": """\
refused
error: there is no run under `nowhere`
hint: `ssdlab library add BUNDLE...` brings some, or name another `--lab DIR`\
""",
        }
    )


def test_a_lab_without_permission(mistakes: Mistakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ssdlab.place.os.access", lambda _, mode: not mode & os.W_OK)
    assert mistakes.told("run fill model:demo --lab empty", f"report {RUN} -o empty/x.html") == snapshot(
        {
            "run fill model:demo --lab empty": """\
refused
error: `empty` cannot be written to: permission denied at `empty`
hint: write elsewhere: `--lab DIR` for bundles, `-o FILE` for pages\
""",
            "report lab/runs/20251201-fill-one -o empty/x.html": """\
refused
error: `empty` cannot be written to: permission denied at `empty`
hint: write elsewhere: `--lab DIR` for bundles, `-o FILE` for pages\
""",
        }
    )


def test_a_full_disk(mistakes: Mistakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(10**9, 10**9 - 4096, 4096))
    assert mistakes.told("run fill model:demo --lab empty", "run fill file:empty") == snapshot(
        {
            "run fill model:demo --lab empty": """\
refused
error: `empty` has 4.00 KiB free, this run may need 3.01 MiB for its bundle
hint: free space, or put the bundle elsewhere with `--lab DIR`\
""",
            "run fill file:empty": """\
refused
error: `empty/ssdlab-test-file.bin` would be only 0 B
hint: name a file system with more room\
""",
        }
    )


def test_what_is_no_target(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run fill demo",
        "run fill nvme0n1",
        "run fill /dev/nvme99n1",
        "run fill /dev/null",
        "run fill notes.txt",
        "run fill C:",
        "run fill virtual:",
        "run fill nbd://localhost",
        "purge model:demo",
    ) == snapshot(
        {
            "run fill demo": """\
refused
error: `demo` is no target
hint: `virtual:demo` is that drive in real time, measured by fio; `model:demo` the same in virtual time\
""",
            "run fill nvme0n1": """\
refused
error: `nvme0n1` is no target
hint: did you mean `/dev/nvme0n1`?\
""",
            "run fill /dev/nvme99n1": """\
refused
error: there is no `/dev/nvme99n1`
hint: `ssdlab drives` lists the drives of this host, and what uses them\
""",
            "run fill /dev/null": """\
refused
error: `/dev/null` is no block device
hint: `ssdlab drives` lists the drives of this host, and what uses them\
""",
            "run fill notes.txt": """\
refused
error: `notes.txt` is no target
hint: a file or directory is named `file:notes.txt`\
""",
            "run fill C:": """\
refused
error: `C:` is no target: `C:` is unknown
hint: known forms: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH\
""",
            "run fill virtual:": """\
refused
error: no drive is named
hint: known forms: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH\
""",
            "run fill nbd://localhost": """\
refused
error: `nbd://localhost` is no target: `nbd:` is unknown
hint: known forms: /dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH\
""",
            "purge model:demo": """\
refused
error: `model:demo` is no block device
hint: other targets are made anew, or purged by the run itself\
""",
        }
    )


def test_a_file_that_is_there_or_is_a_drive(mistakes: Mistakes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mistakes.told("run fill file:notes.txt", "run fill file:nowhere/data") == snapshot(
        {
            "run fill file:notes.txt": """\
refused
error: `notes.txt` exists, and ssdlab does not overwrite files
hint: name a new file, or a directory to put one in\
""",
            "run fill file:nowhere/data": """\
refused
error: `nowhere` is no directory
hint: name a directory on a mounted file system\
""",
        }
    )
    monkeypatch.setattr("pathlib.Path.is_block_device", lambda _: True)
    assert mistakes.told("run fill file:notes.txt") == snapshot(
        {
            "run fill file:notes.txt": """\
refused
error: `notes.txt` is a block device, not a file
hint: to test it, leave out `file:`: `notes.txt`\
"""
        }
    )


def test_a_sustained_write_that_has_no_place(mistakes: Mistakes) -> None:
    assert mistakes.told("sustain /nowhere/at/all", "sustain notes.txt", "sustain /dev/nvme99n1") == snapshot(
        {
            "sustain /nowhere/at/all": """\
refused
error: there is no directory `/nowhere/at/all`
hint: make it: `mkdir -p /nowhere/at/all`\
""",
            "sustain notes.txt": """\
refused
error: `notes.txt` is no target
hint: a file or directory is named `file:notes.txt`\
""",
            "sustain /dev/nvme99n1": """\
refused
error: there is no `/dev/nvme99n1`
hint: `ssdlab drives` lists the drives of this host, and what uses them\
""",
        }
    )


def test_files_that_are_not_what_is_read(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "import notes.txt",
        "import nowhere.txt",
        "library add notes.txt",
        "log notes.txt",
        "log nowhere.log",
        "log empty",
        "run notes.txt model:demo",
    ) == snapshot(
        {
            "import notes.txt": """\
refused
error: `notes.txt` is of no program whose results ssdlab reads
hint: known are: CrystalDiskMark 3 to 6, saved text; CrystalDiskMark 7 to 9, saved text; KDiskMark, saved text; AS SSD Benchmark, saved text; fio, JSON or json+; fio, the text it prints; fio, terse lines of version 3, 4 or 5; TKperf 2, XML; 3DMark Storage, result archive; SPECworkstation 4 WPCstorage, CSV or JSON; DiskSpd, XML; DiskSpd, printed text; sysbench fileio 0.4 to 1.1, printed text; elbencho, CSV; elbencho, JSON; IOzone, printed text; vdbench, printed text and reports; Phoronix Test Suite, composite.xml; HD Tune, text of its benchmark; SSD-iq, iob-log CSV; Naraeon Dirty Test, log as text or CSV; fio, text logs and histogram logs, alone or with the JSON of their run; bench-fio, the folder it wrote\
""",
            "import nowhere.txt": """\
refused
error: `nowhere.txt` cannot be read: there is no such file or directory
hint: look for a slip in the path\
""",
            "library add notes.txt": """\
refused
error: `notes.txt` is neither a directory nor a zip or tar archive
hint: name the directory of a run, or what `ssdlab publish` wrote; results of other programs: `ssdlab import FILE`\
""",
            "log notes.txt": """\
refused
error: the name of `notes.txt` does not say what it logs
hint: say it with `--kind lat`, clat, slat, bw or iops\
""",
            "log nowhere.log": """\
refused
error: there is no file `nowhere.log`
hint: look for a slip in the path\
""",
            "log empty": """\
refused
error: `empty` is a directory
hint: name the log files in it: `ssdlab log empty/*.log`\
""",
            "run notes.txt model:demo": """\
refused
error: there is no suite `notes.txt`
hint: choose from bootbench, bootbench-compat, cdm, client, client-2025.07, enterprise, enterprise-iu, enterprise-sweep, fill, load-latency, mixes, pts-cbw, pts-dirth, pts-hir, pts-iops, pts-iops-client, pts-lat, pts-lat-client, pts-tp, pts-tp-client, pts-wsat, pts-xsr, write-amplification, wsat
hint: give the path of a TOML file to run your own\
""",
        }
    )


@pytest.mark.parametrize("fact", [Fact.SYSTEM, Fact.MOUNTED])
def test_a_drive_in_use(fact: Fact, mistakes: Mistakes, monkeypatch: pytest.MonkeyPatch) -> None:
    mounted = GuardFinding(Fact.MOUNTED, Weight.FORBIDS, message("guard-mounted", device="`vda1`", place="/"))
    system = GuardFinding(Fact.SYSTEM, Weight.FORBIDS, message("guard-system"))
    found = (system, mounted) if fact is Fact.SYSTEM else (mounted,)
    drive = SimpleNamespace(verdict=GuardVerdict.REFUSED, findings=found)
    monkeypatch.setattr("ssdlab.drive.kinds.block.look", lambda _: drive)
    monkeypatch.setattr("ssdlab.drive.kinds.block.marks_of", lambda _: SimpleNamespace(name="vda"))
    told = mistakes.told("run fill /dev/vda")["run fill /dev/vda"]
    wanted = {
        Fact.SYSTEM: snapshot("""\
refused
error: `/dev/vda` may not be tested: the running system or what boots it is on it
hint: test it from another system, such as one started from a USB stick\
"""),
        Fact.MOUNTED: snapshot("""\
refused
error: `/dev/vda` may not be tested: `vda1` is mounted at /
hint: `umount` what is mounted, in the mount namespace it is mounted in\
"""),
    }
    assert told == wanted[fact]
