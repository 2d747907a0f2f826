"""`ssdlab show` of a result that another program measured."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ssdlab.cli.answer_lines import answer_lines
from ssdlab.cli.audit_json import audit_json
from ssdlab.cli.audit_lines import AuditDetail, audit_lines
from ssdlab.cli.language import sentence
from ssdlab.cli.metric_lines import remarks
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.table import Alignment, padded, table_lines
from ssdlab.cli.terminal import say_json, say_wrapped
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.message import Message, message

if TYPE_CHECKING:
    from ssdlab.bundle.imported import ImportedRun


class ImportForm(Enum):
    """How it is printed."""

    ANSWER = "answer"
    ALL_LINES = "all lines"
    JSON = "json"


def show_import(path: Path, form: ImportForm, *, again: bool) -> None:
    """Print what a result comes to and what to be wary of; where it comes from and all its numbers if asked for.

    Raises:
        SsdlabError: It was asked to compute the numbers anew, which only their program can.
        Exit: A check failed: status 3.
    """
    from ssdlab.analysis.audit.run import failed
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.bundle.imported import ORIGINAL, open_imported

    run = open_imported(path)
    if again:
        raise SsdlabError(
            message("cli-import-not-again", path=str(path), program=run.info.program),
            message("cli-import-originals", original=str(path / ORIGINAL)),
        )
    with made_sense_of(path):
        if form is ImportForm.JSON:
            say_json(_fields(run))
        else:
            for line in _lines(run, form):
                say_wrapped(line)
            tell_next("report", path)
    if failed(run.audit):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _fields(run: "ImportedRun") -> dict[str, object]:
    from ssdlab.bundle import layout
    from ssdlab.bundle.imported import INFO_ADAPTER
    from ssdlab.message_json import IN_ENGLISH

    return {
        "path": str(run.path),
        "unchecked": None if (unchecked := run.files.unchecked) is None else str(unchecked.reason),
        "status": "imported",
        "import": INFO_ADAPTER.dump_python(run.info, mode="json", context=IN_ENGLISH),
        "metrics": layout.METRICS_ADAPTER.dump_python(run.metrics, mode="json", context=IN_ENGLISH),
        "audit": audit_json(run.audit),
    }


def _lines(run: "ImportedRun", form: ImportForm) -> Iterator[Message | str]:
    from ssdlab.figure.imported.drives import import_name
    from ssdlab.figure.kit.direction import plain
    from ssdlab.report.first_screen.screen import first_screen_of_imports
    from ssdlab.report.imported_section import import_cautions, import_facts

    screen = first_screen_of_imports([run])
    yield plain(import_name(run))
    yield screen.masthead.trust
    yield ""
    yield from answer_lines(screen)
    yield ""
    for caution in import_cautions([run]):
        yield message("cli-caution", caution=caution)
    if (unchecked := run.files.unchecked) is not None:
        yield message("cli-note", note=unchecked.reason)
    if form is ImportForm.ALL_LINES:
        for name, text in import_facts(run):
            yield f"{padded(f'{sentence(name)}:', 15)}{sentence(text)}"
        yield ""
        yield from _metric_lines(run)
    if run.audit:
        yield ""
        yield from audit_lines(run.audit, AuditDetail.ALL if form is ImportForm.ALL_LINES else AuditDetail.WHAT_TO_DO)


def _metric_lines(run: "ImportedRun") -> Iterator[str]:
    from ssdlab.report.metric_tables import metric_row

    rows = [metric_row(metric) for metric in run.metrics]
    cells: list[list[Message | str]] = [[row.name, sentence(row.value), remarks(row)] for row in rows]
    yield from table_lines(
        [message("cli-column-metric"), message("cli-column-value"), ""],
        cells,
        [Alignment.LEFT, Alignment.RIGHT, Alignment.LEFT],
    )
