"""What the host decides of a run in real time, and how the run says so: a host that stands still fails the audit, and must."""

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.read import Bundle
from ssdlab.errors import ExitStatus

_CHECKS = frozenset({"host.uninterrupted", "queue.littles_law", "series.regular"})
"""Those that fail where ssdlab, fio or the drive's server was not run for a while; all others hold however busy the host is."""


def status_of(bundle: Bundle) -> ExitStatus:
    """With which the command ends that has measured it to its end."""
    return ExitStatus.AUDIT_FAILED if failed(bundle.audit) else ExitStatus.DONE


def failed_whatever_the_host(bundle: Bundle) -> list[str]:
    """Checks that failed and that no host can fail, each with its step and finding."""
    return [f"{one.step} {one.name}: {one.finding}" for one in failed(bundle.audit) if one.name not in _CHECKS]
