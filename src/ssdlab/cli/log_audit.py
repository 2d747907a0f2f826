"""`ssdlab log --audit`: anybody's fio JSON and logs against the checks of the audit."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ssdlab.cli.audit_json import audit_json
from ssdlab.cli.audit_lines import audit_lines
from ssdlab.cli.terminal import say, say_json
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.analysis.log.file import LogKind, LogUnit


class LogAuditForm(Enum):
    """How the outcome is printed."""

    LINES = "lines"
    """The worst first; what does not apply is counted."""
    JSON = "json"
    """An array with an object for every check, those that do not apply included."""


def audit_files(paths: "Sequence[Path]", kind: "LogKind | None", unit: "LogUnit | None", form: LogAuditForm) -> None:
    """Judge every job of the files.

    Raises:
        LogError: A file is not what fio wrote, or there is no JSON among them.
        Exit: A check failed: status 3.
    """
    from ssdlab.analysis.audit.of_fio_json import facts_of_files
    from ssdlab.analysis.audit.run import audit_facts, failed
    from ssdlab.analysis.log.file import LogUnit, identify

    # Only how many I/Os and bytes there were is counted in logs, which is the same in every unit.
    files = [identify(path, kind, unit or LogUnit.NANOSECONDS) for path in paths]
    jobs = facts_of_files(files)
    checks = tuple(check for facts in jobs for check in audit_facts(facts))
    if form is LogAuditForm.JSON:
        say_json(audit_json(checks))
    else:
        for line in audit_lines(checks):
            say(line)
    if failed(checks):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
