"""What of a host's activity would show in the numbers: pure functions of what was counted."""

from collections.abc import Iterator

from ssdlab.host.activity import Activity
from ssdlab.host.findings import HostFinding, Severity, Topic
from ssdlab.message import message, number, size
from ssdlab.units import GIB, MIB
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
            severity=Severity.ERROR if busy >= _CPU_FULL_PERCENT else Severity.WARNING,
            message=message("host-cpu-busy", busy=number(busy, ".0f")),
            remedy=message("host-remedy-cpu-busy"),
        )


def _memory(activity: Activity) -> Iterator[HostFinding]:
    free_bytes = activity.memory_available_bytes
    if not isinstance(free_bytes, Unknown) and free_bytes < _MEMORY_BYTES_MIN:
        yield HostFinding(
            topic=Topic.MEMORY,
            severity=Severity.WARNING,
            message=message("host-memory", free=size(free_bytes)),
            remedy=message("host-remedy-memory"),
        )


def _swap(activity: Activity) -> Iterator[HostFinding]:
    if not isinstance(activity.swapped_bytes, Unknown) and activity.swapped_bytes:
        yield HostFinding(
            topic=Topic.SWAPPING,
            severity=Severity.ERROR,
            message=message("host-swaps", swapped=size(activity.swapped_bytes)),
            remedy=message("host-remedy-swaps"),
        )


def _other_io(activity: Activity) -> Iterator[HostFinding]:
    moved = activity.moved_bytes
    if not isinstance(moved, Unknown) and moved:
        yield HostFinding(
            topic=Topic.OTHER_IO,
            severity=Severity.ERROR if moved >= _OTHER_IO_BYTES else Severity.WARNING,
            message=message("host-other-io", moved=size(moved)),
            remedy=message("host-remedy-other-io"),
        )
