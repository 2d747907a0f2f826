"""The data of a figure as CSV, for a spreadsheet or somebody else's plot."""

import csv
import io
from collections.abc import Iterator

from ssdlab.figure.model import Cell, Figure, LongChart, Table

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def sheets(figure: Figure) -> Iterator[tuple[str, str]]:
    """Name and text of each sheet: the table of the figure, and where it has long series these as they can be zoomed."""
    yield figure.name, _of_table(figure.table)
    if figure.long_chart is not None:
        yield f"{figure.name}-series", _of_series(figure.long_chart)


def _of_table(table: Table) -> str:
    titles = [f"{one.title} ({one.unit})" if one.unit else one.title for one in table.columns]
    rows = [[_value(cell, column.unit) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    return _written([titles, *rows])


def _of_series(chart: LongChart) -> str:
    rows: list[list[str]] = [["line", chart.x_title, chart.y_title]]
    for one in chart.series:
        name = _value(one.label, "")
        rows += [[name, f"{x:.9g}", f"{y:.9g}"] for x, y in zip(one.x, one.y, strict=True)]
    return _written(rows)


def _value(cell: Cell, unit: str) -> str:
    """Numbers without the commas that group their digits; words never as what a spreadsheet would compute."""
    text = str(cell)
    if unit:
        bare = text.replace(",", "")
        try:
            float(bare)
        except ValueError:
            pass
        else:
            return bare
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text


def _written(rows: list[list[str]]) -> str:
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerows(rows)
    return output.getvalue()
