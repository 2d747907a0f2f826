"""The machine a run is made on."""

import os
import platform
from pathlib import Path

from ssdlab.bundle.model import HostFacts


def look_at_host() -> HostFacts:
    """Facts about this machine, from the kernel's files; what they do not say is called unknown."""
    return HostFacts(
        hostname=platform.node(),
        kernel=platform.release(),
        os=_os_name(),
        cpu=_first_value(Path("/proc/cpuinfo"), "model name", ":") or platform.machine(),
        cpu_count=os.cpu_count() or 0,
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )


def _os_name() -> str:
    name = _first_value(Path("/etc/os-release"), "PRETTY_NAME", "=")
    return name.strip('"') if name else platform.system()


def _first_value(path: Path, key: str, separator: str) -> str | None:
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        name, found, value = line.partition(separator)
        if found and name.strip() == key:
            return value.strip()
    return None
