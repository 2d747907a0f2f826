"""A run whose machine loses its power again and again: it always goes on, on the right drive, with all that was finished."""

import hashlib
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from tests.kit.nbd_peer import Server
from tests.kit.processes import wait_until
from tests.vm.conftest import short_directory
from tests.vm.disks import HostDisk, NvmeDisk, served
from tests.vm.guest import SSDLAB, Command, Guest, booted

from ssdlab import _core
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

RUNS = {"one-run": 1, "another-run": 2}
"""Seeds of the runs, each with a machine and drives of its own, so that they can be done at the same time."""
CUTS = 10
"""Of each run: twenty altogether."""
STEPS = 2
"""Begun between a start of the machine and its end, at most."""
LONGEST_S = 1.0
"""From the beginning of the last of them to the cut, at most."""
DRIVE_BYTES = 64 << 20
POINTS = 18
"""More than are measured before the last cut."""
SUITE = """\
[suite]
name = "cut"
version = "1"
description = "A fill, and points that are measured one by one"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }

"""
POINT = """
[[step]]
kind = "measure"
name = "mixed{number}"
job.rnd = {{ region = "fill", pattern = "random", bs = "4KiB", qd = 4, read = "50%", amount = "1MiB", limit = "300ms" }}
"""
HASTY = f'{_core.spec_text("zero")}\n[[fault]]\nkind = "lost_cache"\ncache = "64 MiB"\n'
"""The machine's own disk: what was not flushed is lost with the power."""
SETTINGS = "cd /sys/block/{}/queue && cat scheduler nomerges rq_affinity"
TORN = "the run stopped while writing it"


@dataclass(frozen=True, slots=True)
class Bench:
    """A drive to be tested, one just like it that must never be written to, and the disk of the machine they are plugged into."""

    place: Path
    tested: Path
    other: Path
    own: Server

    @contextmanager
    def started(self, *, swapped: bool) -> Iterator[Guest]:
        """A start of the machine, with the drives in the one or the other order; its end is a power cut."""
        drives = [NvmeDisk("TESTED", str(self.tested)), NvmeDisk("OTHER", str(self.other))]
        with booted(self.place, [HostDisk(self.own.uri), *(reversed(drives) if swapped else drives)]) as guest:
            yield guest
        assert self.own.ask('{"do":"power_cut"}')

    def sum_of_other(self) -> str:
        return hashlib.sha256(self.other.read_bytes()).hexdigest()


@contextmanager
def bench() -> Iterator[Bench]:
    with short_directory() as place:
        (place / "own").mkdir()
        (place / "own/spec.toml").write_text(HASTY)
        (place / "share").mkdir()
        points = "".join(POINT.format(number=number) for number in range(1, POINTS + 1))
        (place / "share/cut.toml").write_text(SUITE + points)
        (place / "tested").write_bytes(bytes(DRIVE_BYTES))
        (place / "other").write_bytes(random.Random(1).randbytes(DRIVE_BYTES))  # noqa: S311 - any bytes
        with served(f"{place / 'own/spec.toml'}?capacity=512MiB", place / "own") as own:
            yield Bench(place, place / "tested", place / "other", own)


def make_room(guest: Guest) -> None:
    """The machine's disk, at its first start."""
    guest.must("mkfs.ext4 -q /dev/vda && mkdir /own && mount /dev/vda /own && mkdir /own/state /own/lab")


def find_room(guest: Guest) -> None:
    """The machine's disk after a cut; what ssdlab remembers of the host is on it too."""
    guest.must(
        "mkdir -p /own && (mountpoint -q /own || mount /dev/vda /own) && mount --bind /own/state /var/lib/ssdlab"
    )


def seen(guest: Guest) -> Bundle:
    """The run as the machine's disk holds it."""
    guest.must("tar -C /own/lab -cf /mnt/lab.tar .")
    there = guest.share / f"lab-{time.monotonic_ns()}"
    there.mkdir()
    subprocess.run(["tar", "-C", there, "-xf", guest.share / "lab.tar"], check=True)
    return open_bundle(newest_run(there))


def finished(bundle: Bundle) -> set[str]:
    """Names of the steps whose results count."""
    return {step.name for step in bundle.steps if step.status is StepStatus.FINISHED}


def told_finished(words: str) -> set[str]:
    """Names of the steps that the run itself has said to be finished: `7/20 mixed5.rnd  1.00 MiB in 30 ms`."""
    lines = [line.split(maxsplit=2) for line in words.splitlines() if line.partition("/")[0].isdigit()]
    return {line[1] for line in lines if len(line) == 3 and line[2] != "..."}


def go_on(cut: int) -> str:
    """The command that begins the run or goes on with it, its words in a file both machines see."""
    first = f"{SSDLAB} run /mnt/cut.toml /dev/nvme0n1 --erase TESTED --lab /own/lab"
    return f"{f'{SSDLAB} resume /own/lab/runs/*' if cut else first} 2>/mnt/said-{cut}"


def said(guest: Guest, cut: int) -> str:
    path = guest.share / f"said-{cut}"
    return path.read_text() if path.exists() else ""


def wait_for_steps(guest: Guest, cut: int, command: Command, steps: int) -> None:
    """Until the run has begun so many steps."""

    def begun() -> bool:
        assert command.is_running, said(guest, cut)
        return said(guest, cut).count(" ...\n") >= steps

    wait_until(begun, f"{steps} steps are begun", 1800)


@dataclass(frozen=True, slots=True)
class Session:
    """One start of the machine: what was there before, and what the run said until the power went or it was over."""

    swapped: bool
    before: Bundle | None
    """None at the first start."""
    words: str


def session(bench: Bench, cut: int, draw: random.Random, *, swapped: bool) -> Session:
    """Start the machine, begin the run or go on with it, and pull the plug at any moment."""
    other = "nvme0n1" if swapped else "nvme1n1"
    with bench.started(swapped=swapped) as guest:
        if not cut:
            make_room(guest)
        find_room(guest)
        before = seen(guest) if cut else None
        guest.must(f"cd /sys/block/{other}/queue && echo mq-deadline >scheduler && echo 1 >nomerges")
        settings = guest.must(SETTINGS.format(other))
        command = guest.start(go_on(cut))
        wait_for_steps(guest, cut, command, draw.randint(1, STEPS))
        time.sleep(draw.uniform(0, LONGEST_S))
        # The settings of the drive that was called so before the cut are not put back onto this one.
        assert guest.must(SETTINGS.format(other)) == settings
        assert command.is_running, said(guest, cut)
        guest.power_cut()
        return Session(swapped, before, said(guest, cut))


def last_session(bench: Bench, *, swapped: bool) -> tuple[Session, Bundle, str]:
    """Start the machine once more and let the run come to its end: the run as it then is, and what the doctor says."""
    with bench.started(swapped=swapped) as guest:
        find_room(guest)
        before = seen(guest)
        ended = guest.run(go_on(CUTS), 900)
        assert ended.status in {0, 3}, said(guest, CUTS)
        return Session(swapped, before, said(guest, CUTS)), seen(guest), guest.ssdlab("doctor").stdout


@dataclass(frozen=True, slots=True)
class Outcome:
    """All sessions of one run."""

    sessions: tuple[Session, ...]
    bundle: Bundle
    doctor: str
    other_was_written: bool


def cut_again_and_again(seed: int) -> Outcome:
    """Begin a run, cut it off again and again, and let it come to its end."""
    draw = random.Random(seed)  # noqa: S311 - when the power fails is no secret
    *orders, last_order = [False, *draw.sample([False, True] * (CUTS // 2), CUTS)]
    with bench() as one:
        sum_of_other = one.sum_of_other()
        sessions = [session(one, cut, draw, swapped=swapped) for cut, swapped in enumerate(orders)]
        last, bundle, doctor = last_session(one, swapped=last_order)
        return Outcome((*sessions, last), bundle, doctor, one.sum_of_other() != sum_of_other)


@pytest.fixture(scope="module", params=list(RUNS.values()), ids=list(RUNS))
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """Of a run that was cut off ten times."""
    return cut_again_and_again(request.param)


def test_the_run_comes_to_its_end(outcome: Outcome) -> None:
    assert (outcome.bundle.status, outcome.bundle.faults) == (RunStatus.FINISHED, ())
    assert {step.status for step in outcome.bundle.steps} == {StepStatus.FINISHED}
    assert len(outcome.bundle.resumptions) == CUTS


def test_no_finished_step_is_lost(outcome: Outcome) -> None:
    for earlier, later in pairwise(outcome.sessions):
        assert later.before is not None
        assert {fault for fault in map(str, later.before.faults) if TORN not in fault} == set()
        assert told_finished(earlier.words) <= finished(later.before)


def test_no_finished_point_is_measured_again(outcome: Outcome) -> None:
    for later, resumption in zip(outcome.sessions[1:], outcome.bundle.resumptions, strict=True):
        assert later.before is not None
        assert finished(later.before) & set(resumption.redone) <= {"purge"}, resumption.reason


def test_the_drive_is_found_under_whatever_name_it_has(outcome: Outcome) -> None:
    for later in outcome.sessions[1:]:
        assert ("that was `/dev/nvme0n1` is now `/dev/nvme1n1`" in later.words) == later.swapped
    assert sum(later.swapped for later in outcome.sessions) == CUTS // 2


def test_the_other_drive_is_never_written_to(outcome: Outcome) -> None:
    assert not outcome.other_was_written


def test_nothing_of_the_host_is_left_to_be_put_back(outcome: Outcome) -> None:
    recovered = [found for host in outcome.bundle.hosts for found in host.tuning.recovered]
    assert len(recovered) == CUTS
    assert {found.settings for found in recovered} == {()}
    assert "ended without putting the host back" not in outcome.doctor
