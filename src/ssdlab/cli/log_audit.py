"""`ssdlab log --audit`: anybody's fio JSON and logs against the checks of the audit."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ssdlab.cli.audit_lines import audit_lines
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.analysis.log_file import LogKind


class LogAuditForm(Enum):
    """How the outcome is printed."""

    LINES = "lines"
    """The worst first; what does not apply is counted."""
    JSON = "json"
    """An array with an object for every check, those that do not apply included."""


def audit_files(paths: "Sequence[Path]", kind: "LogKind | None", form: LogAuditForm) -> None:
    """Judge every job of the files.

    Raises:
        LogError: A file is not what fio wrote, or there is no JSON among them.
        Exit: A check failed: status 3.
    """
    from ssdlab.analysis.audit import audit_facts, failed
    from ssdlab.analysis.audit_foreign import facts_of_files
    from ssdlab.analysis.log_file import identify

    jobs = facts_of_files([identify(path, kind) for path in paths])
    checks = tuple(check for facts in jobs for check in audit_facts(facts))
    if form is LogAuditForm.JSON:
        from ssdlab.bundle import layout

        print(layout.AUDIT_ADAPTER.dump_json(checks, indent=2).decode())
    else:
        for line in audit_lines(checks):
            print(line)
    if failed(checks):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
