"""A drive recorded from the booted kernel while fio is at work on it: the same I/Os as in fio's own log, and a trace of it whatever ends it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.processes import Ended
from tests.kit.traces import rows
from tests.vm.conftest import short_directory
from tests.vm.disks import Disk, HostDisk, NvmeDisk, empty_file, served
from tests.vm.guest import SSDLAB, Command, Guest, booted

from ssdlab import _core
from ssdlab.trace.look import TraceMeta, meta_of
from ssdlab.trace.make import Wanted, import_trace

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

DRIVE_BYTES = 64 << 20
IOS = 20_000
IOPS = 5000
MANY = 24_000
"""More than the buffer of a processor holds."""
TRACEFS = "mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing"
INSTANCES = "ls /sys/kernel/tracing/instances"
IS_ON = "/sys/kernel/tracing/instances/ssdlab-*/events/block/block_rq_complete/enable"
"""The last switch that a recording turns."""
HASTY = f'{_core.spec_text("zero")}\n[[fault]]\nkind = "lost_cache"\ncache = "64 MiB"\n'
"""The machine's own disk: what was not flushed is lost with the power."""


def recording(guest: Guest, drive: str, out: str) -> Command:
    """One that has begun; its process is in `OUT.pid`."""
    started = guest.start(f"{SSDLAB} trace record {drive} -o {out} & echo $! >{out}.pid; wait $!")
    is_on = guest.run(f"until grep -qs 1 {IS_ON}; do sleep 0.1; [ -d /proc/$(cat {out}.pid) ] || exit 1; done")
    assert is_on.status == 0, started.ended()
    return started


def fio(guest: Guest, drive: str, *options: str) -> None:
    """Reads and writes at random whose log is left in the shared directory."""
    guest.must(_fio(drive, *options))


def _fio(drive: str, *options: str) -> str:
    return (
        f"cd /mnt && echo 2 >/sys/block/{Path(drive).name}/queue/nomerges && fio --name=job --filename={drive} --direct=1 "
        f"--rw=randrw --norandommap --io_size=4G --bsrange=4k-16k --blockalign=4k --ioengine=libaio --iodepth=8 --randseed=7 "
        f"--write_iolog=fio.log {' '.join(options)} >fio.out"
    )


def logged(guest: Guest) -> list[tuple[str, int, int]]:
    """What fio's log has, in no order."""
    lines = [line.split() for line in (guest.share / "fio.log").read_text().splitlines()[1:]]
    return sorted((one[2], int(one[3]), int(one[4])) for one in lines if len(one) == 5 and one[2] in {"read", "write"})


def seen(trace: Path) -> list[tuple[str, int, int]]:
    """Reads and writes of a trace, in no order."""
    return sorted((op, offset, length) for _, op, offset, length, *_ in rows(trace) if op in {"read", "write"})


@dataclass(frozen=True, slots=True)
class Done:
    """What recordings of one machine came to."""

    guest: Guest
    told: str
    fio: list[tuple[str, int, int]]
    whole: Path
    without_tracefs: str
    of_partition: str
    instances_after: str
    instances_after_kill: str
    killed: Path
    again: str
    halted: Path
    halted_told: str
    gone: Path
    gone_told: Ended
    gone_fio: list[tuple[str, int, int]]


@pytest.fixture(scope="module")
def done() -> Iterator[Done]:
    with short_directory() as place, booted(place, [NvmeDisk("ONE", empty_file(place / "one", DRIVE_BYTES))]) as guest:
        drive = "/dev/nvme0n1"
        refused = guest.ssdlab("trace", "record", drive, "-o", "/mnt/none.ssdtrace")
        guest.must(TRACEFS)
        running = recording(guest, drive, "/mnt/whole.ssdtrace")
        fio(guest, drive, f"--number_ios={IOS}", f"--rate_iops={IOPS * 6 // 10},{IOPS * 4 // 10}", "--rwmixread=60")
        guest.must("kill $(cat /mnt/whole.ssdtrace.pid)")
        ended = running.ended()
        assert ended.status == 0, ended.stderr
        after = guest.must(INSTANCES)
        log = logged(guest)
        running = recording(guest, drive, "/mnt/killed.ssdtrace")
        fio(guest, drive, "--number_ios=2000")
        guest.must("sleep 1; kill -9 $(cat /mnt/killed.ssdtrace.pid)")
        running.ended()
        after_kill = guest.must(f"for try in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; {INSTANCES}; done | tail -1")
        again = guest.ssdlab("trace", "record", drive, "-o", "/mnt/killed.ssdtrace")
        halted = _halted(guest, drive)
        guest.must(f"printf ',16M,L\\n' | sfdisk -q {drive} && until [ -e {drive}p1 ]; do sleep 0.1; done")
        partition = guest.ssdlab("trace", "record", f"{drive}p1", "-o", "/mnt/none.ssdtrace")
        gone = _gone(guest, drive)
        yield Done(
            guest=guest,
            told=ended.stderr,
            fio=log,
            whole=guest.share / "whole.ssdtrace",
            without_tracefs=refused.stderr,
            of_partition=partition.stderr,
            instances_after=after,
            instances_after_kill=after_kill,
            killed=guest.share / "killed.ssdtrace.ioreq",
            again=again.stderr,
            halted=guest.share / "halted.ssdtrace",
            halted_told=halted.stderr,
            gone=guest.share / "gone.ssdtrace",
            gone_told=gone,
            gone_fio=logged(guest),
        )


def _halted(guest: Guest, drive: str) -> Ended:
    """A recording that has no processor while the drive is busy."""
    running = recording(guest, drive, "/mnt/halted.ssdtrace")
    guest.must("kill -STOP $(cat /mnt/halted.ssdtrace.pid)")
    fio(guest, drive, f"--number_ios={MANY}", "--bs=4k")
    guest.must("kill -CONT $(cat /mnt/halted.ssdtrace.pid); sleep 1; kill $(cat /mnt/halted.ssdtrace.pid)")
    return running.ended()


def _gone(guest: Guest, drive: str) -> Ended:
    """A recording whose drive goes away while it is busy; nothing else ends it."""
    running = recording(guest, drive, "/mnt/gone.ssdtrace")
    remove = f"/sys/block/{Path(drive).name}/device/device/remove"
    busy = guest.start(_fio(drive, "--number_ios=1000000", "--rate_iops=600,400"))
    # A thousand I/Os lie in the file.
    guest.must(f"until [ $(stat -c %s /mnt/gone.ssdtrace.ioreq) -gt 40000 ]; do sleep 0.1; done; echo 1 >{remove}")
    assert busy.ended().status != 0
    return running.ended()


def test_counts_bytes_and_places_are_those_of_fios_log_and_nothing_is_lost(done: Done) -> None:
    assert len(done.fio) == IOS
    assert seen(done.whole) == done.fio
    _, meta = meta_of(done.whole)
    assert (meta.lost, meta.captured_at, meta.device_bytes) == (None, "issue", DRIVE_BYTES)
    assert "events of the recording are missing" not in done.told


def test_what_found_no_room_in_the_kernel_is_counted_to_the_last_event(done: Done) -> None:
    found = [one for one in rows(done.halted) if one[1] in {"read", "write"}]
    ended = sum(one[5] is not None for one in found)
    _, meta = meta_of(done.halted)
    assert meta.lost == 2 * MANY - 2 * ended - (len(found) - ended) > 0
    assert f"at least {meta.lost:,} events of the recording are missing" in done.halted_told


def test_every_i_o_has_a_time_a_latency_and_a_process(done: Done) -> None:
    found = [one for one in rows(done.whole) if one[1] in {"read", "write"}]
    times = [int(one[0]) for one in found]
    assert times == sorted(times)
    # Faster than asked it cannot have been, but by what fio makes up for.
    assert times[-1] - times[0] > IOS / IOPS * 0.9e9
    assert all(one[5] is not None and one[5] > 0 for one in found)
    assert {one[6] for one in found} - {None} != set()


def test_nothing_is_switched_on_after_it(done: Done) -> None:
    assert (done.instances_after, done.instances_after_kill) == ("", "")


def imported(recording: Path) -> tuple[list[tuple[str, int, int]], TraceMeta]:
    trace = recording.with_suffix(".imported")
    _, meta = import_trace([recording], Wanted(), trace)
    return seen(trace), meta


def test_kill_9_leaves_a_recording_of_which_a_trace_can_be_made(done: Done) -> None:
    found, meta = imported(done.killed)
    assert len(found) == 2000
    assert (meta.lost, meta.device_bytes) == (None, DRIVE_BYTES)


def test_what_a_killed_one_left_is_never_replaced_and_said_to_be_there(done: Done) -> None:
    assert "`/mnt/killed.ssdtrace.ioreq` is what an earlier recording left" in done.again
    assert "ssdlab trace import /mnt/killed.ssdtrace.ioreq -o /mnt/killed.ssdtrace" in done.again


def test_what_cannot_be_recorded_is_refused_with_what_to_do(done: Done) -> None:
    assert "tracefs is not mounted" in done.without_tracefs
    assert "mount -t tracefs tracefs /sys/kernel/tracing" in done.without_tracefs
    assert "/dev/nvme0n1p1" in done.of_partition
    assert "hint: " in done.of_partition


def test_a_drive_that_goes_away_ends_the_recording_which_says_so_and_is_a_trace(done: Done) -> None:
    assert done.gone_told.status == 1
    assert "/dev/nvme0n1 went away, which ended the recording" in done.gone_told.stderr
    assert "what was recorded until then is in `/mnt/gone.ssdtrace`" in done.gone_told.stderr
    found = seen(done.gone)
    # Some seconds of it, all of them asked for by fio, whose log has those, too, that the drive was no longer there for.
    assert len(found) > 500
    assert not Counter(found) - Counter(done.gone_fio)
    _, meta = meta_of(done.gone)
    assert (meta.lost, meta.device_bytes) == (None, DRIVE_BYTES)
    assert not done.gone.with_name("gone.ssdtrace.ioreq").exists()


def test_a_power_cut_leaves_all_but_what_had_just_come() -> None:
    with short_directory() as place:
        (place / "own").mkdir()
        (place / "own/spec.toml").write_text(HASTY)
        with served(f"{place / 'own/spec.toml'}?capacity=512MiB", place / "own") as own:
            disks: list[Disk] = [HostDisk(own.uri), NvmeDisk("ONE", empty_file(place / "one", DRIVE_BYTES))]
            with booted(place, disks) as guest:
                guest.must(f"mkfs.ext4 -q /dev/vda && mkdir /own && mount /dev/vda /own && {TRACEFS}")
                recording(guest, "/dev/nvme0n1", "/own/cut.ssdtrace")
                fio(guest, "/dev/nvme0n1", "--number_ios=2000")
                # As long as the promise: what is older lies on the disk.
                guest.must("sleep 1")
                log = logged(guest)
            assert own.ask('{"do":"power_cut"}')
            with booted(place, disks) as guest:
                guest.must("mkdir -p /own && mount /dev/vda /own && cp /own/cut.ssdtrace.ioreq /mnt")
            found, meta = imported(place / "share/cut.ssdtrace.ioreq")
    assert found == log
    assert meta.lost is None
