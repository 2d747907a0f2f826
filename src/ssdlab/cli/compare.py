"""`ssdlab compare`."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson, Runs
from ssdlab.cli.table import Side, table_lines

if TYPE_CHECKING:
    from ssdlab.library.compare import Cell, Comparison, Row
    from ssdlab.library.entry import Entry


def compare(
    runs: Runs,
    metric: Annotated[
        str | None,
        typer.Option("--metric", metavar="PATTERN", help="Only metrics of such names: `fill.*`, `rnd.read.q1.*`."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether drives are faster than the first.

    Several runs of one drive are taken together: their median, and the 95 % interval over them. Of a single run the interval
    is the one it measured. Where intervals overlap it cannot be told, and where there are none only the ratio is given.
    """
    from ssdlab.bundle.imported import is_imported, open_imported
    from ssdlab.bundle.read import open_bundle
    from ssdlab.library.compare import compare as compare_results

    found = compare_results([open_imported(path) if is_imported(path) else open_bundle(path) for path in runs], metric)
    if as_json:
        print(json.dumps(_fields(found), indent=2))
        return
    for caution in dict.fromkeys(found.cautions):
        print(f"caution: {caution}", file=sys.stderr)
    names = _names(found)
    head = ["metric", names[0]]
    for name in names[1:]:
        head += [name, "ratio", ""]
    sides = (Side.LEFT, Side.RIGHT, *((Side.RIGHT, Side.RIGHT, Side.LEFT) * (len(names) - 1)))
    for line in table_lines(head, [_row(row) for row in found.rows], sides):
        print(line)


def _names(found: "Comparison") -> list[str]:
    """Models; with what else differs where they are the same."""
    firsts = [runs[0] for runs in found.drives]
    return [
        _name(entry, firsts) + (f" ({len(runs)} runs)" if len(runs) > 1 else "")
        for entry, runs in zip(firsts, found.drives, strict=True)
    ]


def _name(entry: "Entry", among: "list[Entry]") -> str:
    same = [one for one in among if one.drive.model == entry.drive.model]
    if len(same) == 1:
        return entry.drive.model
    parts = (entry.drive.serial, entry.firmware, entry.host, entry.day)
    others = [(one.drive.serial, one.firmware, one.host, one.day) for one in same]
    telling: list[object] = [
        part for place, part in enumerate(parts) if len({str(other[place]) for other in others}) > 1
    ]
    if not telling:
        telling = [entry.name]
    return ", ".join([entry.drive.model, *(part if isinstance(part, str) else "unknown" for part in telling)])


def _row(row: "Row") -> list[str]:
    from ssdlab.units import format_quantity

    cells = [row.metric, format_quantity(row.reference.median, row.unit) + _mark(row.reference.failed_checks)]
    for cell in row.others:
        if cell is None:
            cells += ["", "", "not measured"]
            continue
        ratio = "" if cell.ratio is None else f"{cell.ratio:.3g}"
        value = format_quantity(cell.group.median, row.unit) + _mark(cell.group.failed_checks)
        cells += [value, ratio, cell.word.value]
    return cells


def _mark(failed_checks: str) -> str:
    return " ✗" if failed_checks else ""


def _fields(found: "Comparison") -> dict[str, object]:
    return {
        "drives": [[entry.name for entry in runs] for runs in found.drives],
        "cautions": list(dict.fromkeys(found.cautions)),
        "metrics": [
            {
                "name": row.metric,
                "unit": row.unit,
                "reference": row.reference.median,
                "reference_interval": row.reference.interval,
                "others": [None if cell is None else _cell_fields(cell) for cell in row.others],
            }
            for row in found.rows
        ],
    }


def _cell_fields(cell: "Cell") -> dict[str, object]:
    return {
        "value": cell.group.median,
        "interval": cell.group.interval,
        "ratio": cell.ratio,
        "outcome": cell.word.value,
        "failed_checks": cell.group.failed_checks,
    }
