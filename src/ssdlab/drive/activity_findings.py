"""What of a host's activity would show in the numbers: pure functions of what was counted."""

from collections.abc import Iterator

from ssdlab.drive.host_activity import Activity
from ssdlab.drive.host_findings import HostFinding, Severity, Topic
from ssdlab.units import GIB, MIB, format_bytes
from ssdlab.unknown import Unknown

_CPU_BUSY_PERCENT = 50.0
"""Less than a free half of the processors leaves fio and the kernel's polling thread to compete for one."""
_CPU_FULL_PERCENT = 90.0
"""As in the audit of a job."""
_MEMORY_BYTES_MIN = GIB
_OTHER_IO_BYTES = MIB


def activity_findings(activity: Activity) -> tuple[HostFinding, ...]:
    """All that goes on beside a measurement."""
    return (*_cpu(activity), *_memory(activity), *_swap(activity), *_other_io(activity))


def _cpu(activity: Activity) -> Iterator[HostFinding]:
    busy = activity.cpu_busy_percent
    if not isinstance(busy, Unknown) and busy > _CPU_BUSY_PERCENT:
        yield HostFinding(
            topic=Topic.CPU_BUSY,
            severity=Severity.MISLEADS if busy >= _CPU_FULL_PERCENT else Severity.WARNS,
            text=f"the processors are busy for {busy:.0f} % of the time, and nothing is measured yet",
            mend="stop what runs (`top`); a busy host is slow to submit and to complete",
        )


def _memory(activity: Activity) -> Iterator[HostFinding]:
    free_bytes = activity.memory_available_bytes
    if not isinstance(free_bytes, Unknown) and free_bytes < _MEMORY_BYTES_MIN:
        yield HostFinding(
            topic=Topic.MEMORY,
            severity=Severity.WARNS,
            text=f"{format_bytes(free_bytes)} of memory are available",
            mend="stop what uses it; fio keeps its logs in memory until a job ends",
        )


def _swap(activity: Activity) -> Iterator[HostFinding]:
    if not isinstance(activity.swapped_bytes, Unknown) and activity.swapped_bytes:
        yield HostFinding(
            topic=Topic.SWAPPING,
            severity=Severity.MISLEADS,
            text=f"the host swaps ({format_bytes(activity.swapped_bytes)} while looking)",
            mend="stop what uses the memory; a measuring program that waits for its own pages measures those",
        )


def _other_io(activity: Activity) -> Iterator[HostFinding]:
    moved = activity.moved_bytes
    if not isinstance(moved, Unknown) and moved:
        yield HostFinding(
            topic=Topic.OTHER_IO,
            severity=Severity.MISLEADS if moved >= _OTHER_IO_BYTES else Severity.WARNS,
            text=f"somebody moved {format_bytes(moved)} from or to the drive while looking",
            mend="stop what uses it (`iotop`, `lsof`)",
        )
