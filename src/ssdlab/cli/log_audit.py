"""`ssdlab log --audit`: anybody's fio JSON and logs against the checks of the audit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from ssdlab.cli.audit_lines import audit_lines
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.analysis.log_file import LogFile
    from ssdlab.bundle.model import Check


def audited(files: "Sequence[LogFile]") -> "tuple[Check, ...]":
    """All checks of every job in the files."""
    from ssdlab.analysis.audit import audit_facts
    from ssdlab.analysis.audit_foreign import facts_of_files

    return tuple(check for facts in facts_of_files(files) for check in audit_facts(facts))


def print_audit(checks: "Sequence[Check]") -> None:
    """A table for people; raises `typer.Exit` with status 3 where a check failed."""
    for line in audit_lines(checks):
        print(line)
    _exit_if_failed(checks)


def print_audit_json(checks: "Sequence[Check]") -> None:
    """The same for programs: an array with an object for every check, those that do not apply included."""
    from ssdlab.bundle import layout

    print(layout.AUDIT_ADAPTER.dump_json(tuple(checks), indent=2).decode())
    _exit_if_failed(checks)


def _exit_if_failed(checks: "Sequence[Check]") -> None:
    from ssdlab.analysis.audit import failed

    if failed(checks):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
