"""The test bench of a report as far as it shows in the numbers: board, processors, the drive's link, what was set (METHODS 0, D)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.model import HostRecord
from ssdlab.bundle.publication import PrivateKind
from ssdlab.bundle.read import Bundle
from ssdlab.host.findings import aspm_words, link_finding, smt_words
from ssdlab.host.state import HostState
from ssdlab.host.tune import Applied
from ssdlab.message import Message, commas, listed, message, verbatim
from ssdlab.report.drive_facts import Row, whose
from ssdlab.report.stated.rows import stated_bench_rows
from ssdlab.units import format_bytes
from ssdlab.unknown import Unknown


def bench_rows(bundle: Bundle) -> Iterator[Row]:
    """All that is known of the host of a run, and what its operator states."""
    host = bundle.run.host
    yield message("report-bench-name"), whose(host.hostname, PrivateKind.HOST, bundle.run.published)
    yield verbatim("CPU"), message("report-bench-cpu", cpu=host.cpu, count=host.cpu_count)
    yield message("report-bench-memory"), format_bytes(host.memory_bytes)
    yield message("report-bench-system"), host.os
    yield message("report-bench-kernel"), host.kernel
    yield message("report-fact-engine"), bundle.run.engine
    yield from host_rows(bundle.hosts)
    yield from stated_bench_rows(bundle)


def host_rows(hosts: Sequence[HostRecord]) -> Iterator[Row]:
    """Name and value of each fact that is known, as the run was last set up; settings are those during the run."""
    if not hosts:
        return
    tuning = hosts[-1].tuning
    found = tuning.found
    known = (
        (message("report-bench-board"), found.board),
        (verbatim("BIOS"), found.bios),
        (verbatim("SMT"), smt_words(found)),
        (message("report-bench-boost"), found.boost if isinstance(found.boost, Unknown) else _boost(found.boost)),
    )
    for name, value in known:
        if not isinstance(value, Unknown):
            yield name, value
    yield from _link_rows(found)
    if tuning.applied:
        changed = dict.fromkeys(_words(setting) for setting in tuning.applied)
        yield message("report-bench-set"), listed(commas(*changed))


def _boost(word: str) -> Message:
    return message("report-on") if word == "on" else message("report-off")


def _link_rows(found: HostState) -> Iterator[Row]:
    link, saving = link_finding(found), aspm_words(found)
    if not isinstance(link, Unknown):
        yield message("report-bench-link"), link.words
    if not isinstance(saving, Unknown):
        yield message("report-bench-link-power-saving"), saving or message("report-off")


def _words(setting: Applied) -> Message:
    after = message("report-unknown") if isinstance(setting.after, Unknown) else verbatim(setting.after)
    if not isinstance(setting.after, Unknown) and setting.before == setting.after:
        return message("report-bench-setting", knob=setting.knob.words, after=after)
    return message("report-bench-setting-changed", knob=setting.knob.words, after=after, before=setting.before)
