"""What the host decides of a run in real time, and how the run says so: a host that stands still fails the audit, and must."""

from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.read import Bundle
from ssdlab.errors import ExitStatus

_MARKED_BY_A_STANDSTILL = frozenset({"queue.littles_law", "series.regular"})
"""Checks that time in which ssdlab, fio or the drive's server was not run spoils, too; without it they hold however busy the host is."""


def status_of(bundle: Bundle) -> ExitStatus:
    """With which the command ends that has measured it to its end."""
    return ExitStatus.AUDIT_FAILED if failed(bundle.audit) else ExitStatus.DONE


def failed_whatever_the_host(bundle: Bundle) -> list[str]:
    """Checks that failed although the host did not stand still in their step, each with its step and finding."""
    checks = failed(bundle.audit)
    interrupted = {one.step for one in checks if one.name == UNINTERRUPTED}
    forgiven = {UNINTERRUPTED, *_MARKED_BY_A_STANDSTILL}
    return [
        f"{one.step} {one.name}: {one.finding}"
        for one in checks
        if one.step not in interrupted or one.name not in forgiven
    ]
