"""`ssdlab show` of a result that another program measured."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ssdlab.cli.audit_lines import audit_lines
from ssdlab.cli.table import Side, table_lines
from ssdlab.errors import ExitStatus, SsdlabError

if TYPE_CHECKING:
    from ssdlab.bundle.imported import ImportedRun


class ImportForm(Enum):
    """How it is printed."""

    LINES = "lines"
    JSON = "json"


def show_import(path: Path, form: ImportForm, *, again: bool) -> None:
    """Print where a result comes from, what to be wary of, and its numbers.

    Raises:
        SsdlabError: It was asked to compute the numbers anew, which only their program can.
        Exit: A check failed: status 3.
    """
    from ssdlab.analysis.audit import failed
    from ssdlab.bundle.imported import ORIGINAL, open_imported

    run = open_imported(path)
    if again:
        raise SsdlabError(
            f"`{path}` was measured by {run.info.program}, whose numbers cannot be computed anew",
            f"the files as they were given are in `{path / ORIGINAL}`",
        )
    if form is ImportForm.JSON:
        print(_as_json(run))
    else:
        for line in _lines(run):
            print(line)
    if failed(run.audit):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _as_json(run: "ImportedRun") -> str:
    import json

    from ssdlab.bundle import layout
    from ssdlab.bundle.imported import INFO_ADAPTER

    return json.dumps(
        {
            "path": str(run.path),
            "status": "imported",
            "import": INFO_ADAPTER.dump_python(run.info, mode="json"),
            "metrics": layout.METRICS_ADAPTER.dump_python(run.metrics, mode="json"),
            "audit": layout.AUDIT_ADAPTER.dump_python(run.audit, mode="json"),
        },
        indent=2,
    )


def _lines(run: "ImportedRun") -> Iterator[str]:
    from ssdlab.report.imported_section import import_cautions, import_facts
    from ssdlab.report.metric_tables import metric_row

    for name, text in import_facts(run):
        yield f"{name + ':':15}{text}"
    for caution in import_cautions([run]):
        yield f"caution: {caution}"
    yield ""
    rows = [metric_row(metric) for metric in run.metrics]
    cells = [
        [row.name, row.value, "; ".join([*(f"FAILED {name}" for name in row.failed_checks), *filter(None, [row.note])])]
        for row in rows
    ]
    yield from table_lines(["metric", "value", ""], cells, [Side.LEFT, Side.RIGHT, Side.LEFT])
    if run.audit:
        yield ""
        yield from audit_lines(run.audit)
