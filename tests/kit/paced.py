"""A drive that sets the pace itself: every command takes the same time, and the controller begins one after the other."""

from ssdlab.units import NS_PER_US

_SPEC = """\
name = "paced"
description = "Each command takes {latency}; the controller begins one every {command}"

[geometry]
capacity = "64 MiB"
raw = "96 MiB"
superblock = "1 MiB"
channels = 1
dies = 4
bits_per_cell = 1
stripe_unit = "64 KiB"
page = "64 KiB"

[timing]
sense = ["0us"]
program = "0us"
erase = "0us"
channel = "unlimited"
link_read = "unlimited"
link_write = "unlimited"
command = "{command}"
read_overhead = "{latency}"
write_overhead = "{latency}"

[buffer]
kind = "protected"
size = "16 MiB"
"""


def paced_spec(latency_ns: int, command_ns: int) -> str:
    """At depth N a latency of `latency_ns + command_ns`, or `N * command_ns` if that is more; reads of what was written, and writes."""
    return _SPEC.format(latency=f"{latency_ns // NS_PER_US}us", command=f"{command_ns // NS_PER_US}us")
