"""What of a host misleads a measurement, and what to do about it."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.fake_host import DRIVE, PCI, FakeKernel, fake_host, put

from ssdlab.host.activity import Activity, between, counters
from ssdlab.host.activity_findings import activity_findings
from ssdlab.host.findings import HostFinding, Rights, Severity, Topic, aspm_words, state_findings
from ssdlab.host.kernel import Kernel
from ssdlab.host.link import LinkFinding, LinkVerdict, PcieLink, judge_link
from ssdlab.host.state import look
from ssdlab.lab.target_findings import file_system_of, virtual_findings
from ssdlab.message import message, verbatim
from ssdlab.units import GIB, MIB
from ssdlab.unknown import Unknown

CONTROLLER = f"{PCI}/0000:01:00.0"
NOTHING = Unknown(verbatim("not asked"))
QUIET = Activity(cpu_busy_percent=3.0, swapped_bytes=0, moved_bytes=0, memory_available_bytes=8 * GIB)
GEN4 = PcieLink(speed_now="16.0 GT/s PCIe", speed_best="16.0 GT/s PCIe", lanes_now=4, lanes_best=4)


@pytest.fixture
def kernel(tmp_path: Path) -> FakeKernel:
    return fake_host(tmp_path)


def told(findings: tuple[HostFinding, ...]) -> list[str]:
    return [f"{one.severity.value}: {one.message}" for one in findings]


def about(kernel: FakeKernel, topic: Topic) -> list[Severity]:
    return [one.severity for one in state_findings(look(DRIVE, kernel), Rights.ROOT) if one.topic is topic]


def test_what_a_run_sets_is_only_noted_for_root(kernel: FakeKernel) -> None:
    assert told(state_findings(look(DRIVE, kernel), Rights.ROOT)) == snapshot(
        [
            "warning: completions cannot be polled for: its driver made no poll queues (`poll_queues` of the module `nvme` is 0); `hipri` will be dropped",
            "info: governor is powersave, wanted is performance; a run sets it, and puts it back",
            "info: energy preference is balance_power, wanted is performance; a run sets it, and puts it back",
            "info: scheduler is mq-deadline, wanted is none; a run sets it, and puts it back",
            "info: nomerges is 0, wanted is 2; a run sets it, and puts it back",
            "info: rq_affinity is 2, wanted is 1; a run sets it, and puts it back",
        ]
    )


def test_what_only_root_may_set_is_warned_of(kernel: FakeKernel) -> None:
    queue = [one for one in state_findings(look(DRIVE, kernel), Rights.USER) if one.topic is Topic.QUEUE]
    assert told(tuple(queue)) == snapshot(
        [
            "warning: scheduler is mq-deadline, wanted is none, and only root may set it",
            "warning: nomerges is 0, wanted is 2, and only root may set it",
            "warning: rq_affinity is 2, wanted is 1, and only root may set it",
        ]
    )
    assert {one.remedy for one in queue} == {message("host-remedy-root")}


def test_a_governor_that_is_not_offered_is_warned_of(kernel: FakeKernel) -> None:
    for number in (0, 1):
        put(
            kernel.sysfs / f"devices/system/cpu/cpufreq/policy{number}/scaling_available_governors",
            "powersave schedutil",
        )
    (governor, _) = [one for one in state_findings(look(DRIVE, kernel), Rights.ROOT) if one.topic is Topic.FREQUENCY]
    assert governor.severity is Severity.WARNING
    assert str(governor.message) == (
        "governor is powersave, wanted is performance; the kernel offers only powersave, schedutil"
    )


def test_poll_queues_are_asked_for_of_nvme_drives_alone(kernel: FakeKernel) -> None:
    assert about(kernel, Topic.POLLING) == [Severity.WARNING]
    put(kernel.sysfs / "block" / DRIVE / "queue/io_poll", "1")
    assert about(kernel, Topic.POLLING) == []


def test_a_link_below_what_drive_and_slot_can_misleads(kernel: FakeKernel) -> None:
    put(kernel.sysfs / CONTROLLER / "current_link_width", "2")
    assert about(kernel, Topic.LINK) == [Severity.ERROR]


def test_a_slot_that_can_no_more_is_warned_of(kernel: FakeKernel) -> None:
    put(kernel.sysfs / CONTROLLER / "current_link_speed", "8.0 GT/s PCIe")
    put(kernel.sysfs / PCI / "max_link_speed", "8.0 GT/s PCIe")
    assert about(kernel, Topic.LINK) == [Severity.WARNING]


@pytest.mark.parametrize(
    ("link", "slot", "expected"),
    [
        (GEN4, GEN4, (LinkVerdict.BEST, "16.0 GT/s x4")),
        (
            replace(GEN4, lanes_now=1),
            GEN4,
            (LinkVerdict.DEGRADED, "16.0 GT/s x1, the drive can 16.0 GT/s x4, the slot 16.0 GT/s x4"),
        ),
        (
            replace(GEN4, speed_now="8.0 GT/s PCIe"),
            replace(GEN4, speed_best="8.0 GT/s PCIe"),
            (LinkVerdict.SLOT, "8.0 GT/s x4, the drive can 16.0 GT/s x4, the slot 8.0 GT/s x4"),
        ),
        (
            replace(GEN4, lanes_now=2),
            NOTHING,
            (LinkVerdict.DEGRADED, "16.0 GT/s x2, the drive can 16.0 GT/s x4; what the slot can is not known"),
        ),
        (replace(GEN4, speed_now="Unknown"), GEN4, Unknown(message("unknown-link-rate", speed="Unknown", lanes=4))),
        (replace(GEN4, lanes_now=255), GEN4, Unknown(message("unknown-link-rate", speed="16.0 GT/s PCIe", lanes=255))),
        (NOTHING, GEN4, NOTHING),
    ],
)
def test_a_link_is_held_against_drive_and_slot(
    link: PcieLink | Unknown, slot: PcieLink | Unknown, expected: tuple[LinkVerdict, str] | Unknown
) -> None:
    judged = judge_link(link, slot)
    seen = (judged.verdict, str(judged.words)) if isinstance(judged, LinkFinding) else judged
    assert seen == expected


def test_power_saving_is_what_the_link_may_enter(kernel: FakeKernel) -> None:
    assert aspm_words(look(DRIVE, kernel)) is None
    put(kernel.sysfs / CONTROLLER / "link/l1_aspm", "1")
    put(kernel.sysfs / CONTROLLER / "link/l1_2_aspm", "1")
    assert aspm_words(look(DRIVE, kernel)) == "L1.2, L1"
    assert about(kernel, Topic.POWER_SAVING) == [Severity.WARNING]


def test_a_kernel_that_lists_no_states_is_judged_by_its_policy(kernel: FakeKernel) -> None:
    (kernel.sysfs / CONTROLLER / "link/l1_aspm").unlink()
    assert aspm_words(look(DRIVE, kernel)) == Unknown(
        message("unknown-policy", why=message("unknown-link-power-saving"), policy="default")
    )
    put(kernel.sysfs / "module/pcie_aspm/parameters/policy", "default [performance] powersave")
    assert aspm_words(look(DRIVE, kernel)) is None


def stand(kernel: Kernel, user: int, idle: int, swapped: int, sectors: int) -> None:
    put(kernel.proc / "stat", f"cpu  {user} 0 0 {idle} 0 0 0 0 0 0\ncpu0 {user} 0 0 {idle} 0 0 0 0 0 0")
    put(kernel.proc / "vmstat", f"nr_free_pages 1\npswpin {swapped}\npswpout 0")
    put(kernel.proc / "meminfo", "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB")
    put(kernel.sysfs / "block" / DRIVE / "stat", f"5 0 {sectors} 1 0 0 8 0 0 0 0")


def test_activity_is_what_is_counted_between_two_looks(kernel: FakeKernel) -> None:
    drive = kernel.sysfs / "block" / DRIVE
    stand(kernel, user=100, idle=900, swapped=7, sectors=1000)
    before = counters(kernel, drive)
    stand(kernel, user=160, idle=940, swapped=7, sectors=3048)
    assert between(kernel, before, counters(kernel, drive)) == Activity(
        cpu_busy_percent=60.0, swapped_bytes=0, moved_bytes=MIB, memory_available_bytes=8 * GIB
    )


def test_a_kernel_that_counts_nothing_leaves_activity_unknown(tmp_path: Path) -> None:
    nothing = Kernel(sysfs=tmp_path, proc=tmp_path)
    none = counters(nothing, NOTHING)
    seen = between(nothing, none, none)
    assert seen.cpu_busy_percent == Unknown(message("unknown-processors-busy"))
    assert seen.moved_bytes == NOTHING
    assert activity_findings(seen) == ()


@pytest.mark.parametrize(
    ("activity", "topic", "severity"),
    [
        (replace(QUIET, cpu_busy_percent=51.0), Topic.CPU_BUSY, Severity.WARNING),
        (replace(QUIET, cpu_busy_percent=95.0), Topic.CPU_BUSY, Severity.ERROR),
        (replace(QUIET, memory_available_bytes=GIB - 1), Topic.MEMORY, Severity.WARNING),
        (replace(QUIET, swapped_bytes=4096), Topic.SWAPPING, Severity.ERROR),
        (replace(QUIET, moved_bytes=512), Topic.OTHER_IO, Severity.WARNING),
        (replace(QUIET, moved_bytes=MIB), Topic.OTHER_IO, Severity.ERROR),
    ],
)
def test_what_goes_on_beside_a_measurement_is_found(activity: Activity, topic: Topic, severity: Severity) -> None:
    (finding,) = activity_findings(activity)
    assert (finding.topic, finding.severity) == (topic, severity)


def test_a_quiet_host_has_no_findings() -> None:
    assert activity_findings(QUIET) == ()


def test_a_virtual_drive_needs_memory_for_what_is_written_and_a_processor_of_its_own() -> None:
    assert [one.topic for one in virtual_findings(9 * GIB, QUIET, 1)] == [Topic.CPU_BUSY, Topic.MEMORY]
    assert list(virtual_findings(GIB, QUIET, 2)) == []


def test_a_directory_is_on_the_file_system_mounted_over_it_last(tmp_path: Path) -> None:
    kernel = Kernel(sysfs=tmp_path, proc=tmp_path)
    lines = (
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw",
        "2 1 8:2 / /data rw - xfs /dev/sdb rw",
        "3 2 0:9 / /data/a\\040place rw shared:1 - tmpfs none rw",
        "4 1 8:3 / /data rw - btrfs /dev/sdc rw",
    )
    put(tmp_path / "self/mountinfo", "\n".join(lines))
    places = ("/data/a place/deeper", "/data/b", "/database")
    assert [file_system_of(kernel, Path(place)) for place in places] == ["tmpfs", "btrfs", "ext4"]
