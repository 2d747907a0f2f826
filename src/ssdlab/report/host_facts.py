"""The test bench of a report as far as it shows in the numbers: board, processors, the drive's link, what was set (METHODS 0, D)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.model import HostRecord
from ssdlab.bundle.read import Bundle
from ssdlab.drive.host_findings import aspm_words, link_finding, smt_words
from ssdlab.drive.host_state import HostState
from ssdlab.drive.tune import Applied
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown


def bench_rows(bundle: Bundle) -> Iterator[tuple[str, str]]:
    """All that is known of the host of a run, and that nobody recorded its cooling."""
    host = bundle.run.host
    yield "Name", host.hostname
    yield "CPU", f"{host.cpu}, {host.cpu_count} threads"
    yield "Memory", format_bytes(host.memory_bytes)
    yield "System", host.os
    yield "Kernel", host.kernel
    yield "Engine", bundle.run.engine
    yield from host_rows(bundle.hosts)
    yield "Cooling", "unknown: the host does not say"


def host_rows(hosts: Sequence[HostRecord]) -> Iterator[tuple[str, str]]:
    """Name and value of each fact that is known, as the run was last set up; settings are those during the run."""
    if not hosts:
        return
    tuning = hosts[-1].tuning
    found = tuning.found
    told = (("Board", found.board), ("BIOS", found.bios), ("SMT", smt_words(found)), ("Boost", found.boost))
    for name, value in told:
        if not isinstance(value, Unknown):
            yield name, value
    yield from _link_rows(found)
    if tuning.applied:
        yield "Set for the run", ", ".join(dict.fromkeys(_words(one) for one in tuning.applied))


def _link_rows(found: HostState) -> Iterator[tuple[str, str]]:
    link, saving = link_finding(found), aspm_words(found)
    if not isinstance(link, Unknown):
        yield "Link of the drive", link.text
    if not isinstance(saving, Unknown):
        yield "Link power saving", saving or "off"


def _words(one: Applied) -> str:
    after = "unknown" if isinstance(one.after, Unknown) else one.after
    return f"{one.knob.value} {after}" + (f" (was {one.before})" if one.before != after else "")
