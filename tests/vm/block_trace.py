"""What a guest's kernel tells of a drive: when each command began and ended (`block_rq_issue`, `block_rq_complete`)."""

import re
from dataclasses import dataclass

_TRACED = """\
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
cd /sys/kernel/tracing
echo mono >trace_clock
echo 30000 >buffer_size_kb
echo >trace
echo 1 >events/block/block_rq_issue/enable
echo 1 >events/block/block_rq_complete/enable
cd /
{command}
status=$?
echo 0 >/sys/kernel/tracing/events/block/enable
cat /sys/kernel/tracing/trace >{trace}
exit $status
"""
_EVENT = re.compile(r" (\d+)\.(\d{6}): block_rq_(issue|complete): (\d+,\d+) .* \+ (\d+) \[")


@dataclass(frozen=True, slots=True)
class Command:
    """One of a drive.

    Attributes:
        idle_ns: How long the drive had had nothing to do; 0 beside others.
    """

    sectors: int
    idle_ns: int


def traced(command: str, trace: str) -> str:
    """Shell that does the command and leaves there what it came to."""
    return _TRACED.format(command=command, trace=trace)


def commands(trace: str, drive: str) -> list[Command]:
    """Of the drive of that number, in the order in which they began."""
    found: list[Command] = []
    in_flight, ended_ns = 0, 0
    for seconds, micros, what, number, sectors in _EVENT.findall(trace):
        if number != drive:
            continue
        at_ns = (int(seconds) * 1_000_000 + int(micros)) * 1_000
        if what == "issue":
            found.append(Command(int(sectors), 0 if in_flight else at_ns - ended_ns))
            in_flight += 1
        else:
            in_flight = max(0, in_flight - 1)
            ended_ns = at_ns
    return found
