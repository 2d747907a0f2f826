"""How a run ends when its drive does not do what it should: cleanly, the bundle saying why, the host as it was before."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.processes import Ended
from tests.vm.conftest import short_directory
from tests.vm.disks import NvmeDisk, empty_file, served
from tests.vm.guest import SSDLAB, Guest, booted

from ssdlab import _core
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

SUITE = """\
[suite]
name = "ends"
version = "1"
description = "Fills, one after the other"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = PASSES
"""
PASSES = {"BROKEN": 4, "WORN": 2, "STALLS": 3, "HOT": 1, "PULLED": 2}
FAULTS = {
    "BROKEN": 'kind = "error"\non = "write"\noffset = "512 MiB"\nlength = "128 MiB"\nafter = 600',
    "WORN": 'kind = "read_only"\nafter = 4800',
    "STALLS": 'kind = "stall"\nafter = 9200\nduration = "30s"',
}
"""Serial numbers of drives and what is wrong with them, but only after the purge, which writes and reads 4,096 marks.

Places and lengths are meant for a drive of 1 GiB, sixteen times as large."""
QUEUES = "grep . /sys/block/nvme[0-3]n1/queue/{scheduler,nomerges,rq_affinity}"
NAMES = "cd /sys/block && for name in nvme*; do echo $(cat $name/device/serial) /dev/$name; done"
WRITTEN_TO = "until read -a counted </sys/block/{}/stat && [ ${{counted[6]}} -gt 50000 ]; do sleep 0.02; done"
"""Sectors, of which 32,768 are the marks of the purge: the drive is in the middle of its first fill."""
LEFT = "ls /var/lib/ssdlab/restore | grep json || true"


@dataclass(frozen=True, slots=True)
class End:
    """A run that came to its end."""

    ended: Ended
    bundle: Bundle


@dataclass(frozen=True, slots=True)
class Bench:
    """A machine with drives that are ill, or will be."""

    guest: Guest
    devices: dict[str, str]
    """By serial number."""

    def run_of(self, serial: str, *options: str) -> str:
        """The command that begins a run; what it says is in a file both machines see."""
        run = f"{SSDLAB} run /mnt/{serial}.toml {self.devices[serial]} --erase {serial} --lab /mnt/{serial}"
        return " ".join((run, *options, f"2>/mnt/said-{serial}"))

    def bundle(self, serial: str) -> Bundle:
        return open_bundle(newest_run(self.guest.share / serial))


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with ExitStack() as stack:
        place = stack.enter_context(short_directory())
        disks = []
        for serial, fault in FAULTS.items():
            directory = place / serial
            directory.mkdir()
            (directory / "spec.toml").write_text(f"{_core.spec_text('zero')}\n[[fault]]\n{fault}\n")
            drive = stack.enter_context(served(f"{directory / 'spec.toml'}?capacity=64MiB", directory))
            disks.append(NvmeDisk(serial, drive.uri))
        disks += [NvmeDisk(serial, empty_file(place / serial, 64 << 20)) for serial in ("HOT", "PULLED")]
        guest = stack.enter_context(booted(place, disks))
        guest.must("for queue in /sys/block/nvme*n1/queue; do echo mq-deadline >$queue/scheduler; done")
        for serial, passes in PASSES.items():
            (guest.share / f"{serial}.toml").write_text(SUITE.replace("PASSES", str(passes)))
        yield Bench(guest, dict(line.split() for line in guest.must(NAMES).splitlines()))


@pytest.fixture(scope="module")
def ends(bench: Bench) -> dict[str, End]:
    """By serial number: all runs at the same time, each with its own bundle, one drive pulled out meanwhile."""
    guest = bench.guest
    before = guest.must(QUEUES)
    options = {"HOT": ("--max-temperature", "45")}
    commands = {serial: guest.start(bench.run_of(serial, *options.get(serial, ()))) for serial in PASSES}
    guest.must(WRITTEN_TO.format(Path(bench.devices["PULLED"]).name))
    guest.unplug(NvmeDisk("PULLED", ""))
    ended = {serial: command.ended() for serial, command in commands.items()}
    # However many ended, and in whatever order: the host is as before.
    assert guest.must(QUEUES) == before
    assert guest.must(LEFT) == ""
    return {serial: End(one, bench.bundle(serial)) for serial, one in ended.items()}


def reason_of(end: End) -> str:
    """Why the run ended, which is what its operator was told."""
    assert (end.ended.status, end.ended.stdout, end.bundle.faults) == (1, "", ())
    assert end.bundle.step("purge").status is StepStatus.FINISHED
    assert end.bundle.reason is not None
    return str(end.bundle.reason)


def test_a_write_that_fails_is_told_by_device_error_and_place(ends: dict[str, End], bench: Bench) -> None:
    end = ends["BROKEN"]
    said = re.match(r"`(\S+)` failed a write of 128 KiB at byte ([\d,]+): (.*?\))", reason_of(end))
    assert said is not None, end.bundle.reason
    assert (said[1], said[3]) == (bench.devices["BROKEN"], "No data available (ENODATA)")
    assert 32 << 20 <= int(said[2].replace(",", "")) < 40 << 20
    assert end.bundle.status is RunStatus.FAILED


def test_what_the_kernel_said_of_the_drive_is_in_the_bundle(ends: dict[str, End], bench: Bench) -> None:
    """It says so much in five seconds and no more, of whichever drive."""
    said = {
        serial: [text for text in ends[serial].bundle.warnings if "critical medium error" in text]
        for serial in ("BROKEN", "WORN")
    }
    assert any(said.values())
    for serial, texts in said.items():
        named = f"dev {Path(bench.devices[serial]).name}, sector "
        assert all(text.startswith("kernel, during `fill.") and named in text for text in texts)


def test_a_drive_that_turns_read_only_ends_the_run(ends: dict[str, End]) -> None:
    end = ends["WORN"]
    assert "failed a write of 128 KiB at byte " in reason_of(end)
    assert end.bundle.status is RunStatus.FAILED


def test_a_stall_of_half_a_minute_is_sat_out_and_told(ends: dict[str, End]) -> None:
    end = ends["STALLS"]
    assert (end.bundle.status, end.bundle.faults) == (RunStatus.FINISHED, ())
    slow = [one for one in end.bundle.audit if one.name == "latency.histogram_whole" and one.outcome is Outcome.WARN]
    assert ["above 17.0 s" in str(one.finding) for one in slow] == [True]


def test_a_drive_that_is_too_hot_ends_the_run(ends: dict[str, End]) -> None:
    assert reason_of(ends["HOT"]) == snapshot(
        "the drive was at 50.0 °C, before the job, and `--max-temperature` allows 45 °C"
    )
    assert ends["HOT"].bundle.status is RunStatus.STOPPED


def test_a_drive_that_is_pulled_out_ends_the_run(ends: dict[str, End], bench: Bench) -> None:
    end, path = ends["PULLED"], bench.devices["PULLED"]
    reason = reason_of(end)
    # Either its file was missing already, or the kernel's word of it went while it was looked at.
    assert "the drive went away: " in reason
    assert f"`{path}`" in reason
    assert end.bundle.status is RunStatus.FAILED
    assert bench.guest.run(f"ls {path}").status != 0


@pytest.fixture(scope="module")
def resumed(ends: dict[str, End], bench: Bench) -> dict[str, End]:
    """By serial number: those that came to an early end, gone on with at the same time."""
    paths = {serial: f"/mnt/{end.bundle.path.relative_to(bench.guest.share)}" for serial, end in ends.items()}
    options = {"WORN": "", "HOT": "--max-temperature 60", "PULLED": ""}
    commands = {
        serial: bench.guest.start(f"{SSDLAB} resume {paths[serial]} {words}") for serial, words in options.items()
    }
    ended = {serial: command.ended() for serial, command in commands.items()}
    return {serial: End(one, bench.bundle(serial)) for serial, one in ended.items()}


def test_a_run_whose_drive_is_not_there_waits_for_it(resumed: dict[str, End], bench: Bench) -> None:
    ended = resumed["PULLED"].ended
    assert (ended.status, ended.stdout, ended.stderr.replace(bench.devices["PULLED"], "DEVICE")) == snapshot(
        (
            1,
            "",
            """\
error: the drive the run was begun on is not here: the one with the serial number `PULLED`, then `DEVICE`

hint: connect it
hint: `ssdlab drives` lists the drives of this host, and what uses them
""",
        )
    )


def test_a_drive_that_stays_bad_ends_the_resumed_run_too(resumed: dict[str, End]) -> None:
    bundle = resumed["WORN"].bundle
    assert (resumed["WORN"].ended.status, bundle.status, str(bundle.reason)) == (
        1,
        RunStatus.FAILED,
        "the drive takes no writes before its purge: No data available",
    )
    assert bundle.resumptions[0].redone[0] == "purge"


def test_a_drive_that_has_cooled_down_is_gone_on_with(resumed: dict[str, End]) -> None:
    end = resumed["HOT"]
    assert end.ended.status in {0, 3}, end.ended.stderr
    assert end.bundle.status is RunStatus.FINISHED


def test_a_drive_that_is_plugged_in_again_is_gone_on_with(resumed: dict[str, End], bench: Bench) -> None:
    guest, path = bench.guest, resumed["PULLED"].bundle.path
    guest.plug_again(NvmeDisk("PULLED", ""))
    ended = guest.ssdlab("resume", f"/mnt/{path.relative_to(guest.share)}")
    assert ended.status in {0, 3}, ended.stderr
    assert open_bundle(path).status is RunStatus.FINISHED
