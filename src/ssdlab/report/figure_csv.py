"""The data of a figure as CSV, for a spreadsheet or somebody else's plot."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from ssdlab.figure.kit.direction import plain
from ssdlab.figure.kit.model import Cell, Figure, FigureTable, LongChart

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Also in the full width of East Asian letters."""
_GROUPED = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?")


def sheets(figure: Figure) -> Iterator[tuple[str, str]]:
    """Name and text of each sheet: the table of the figure, the whole of curves of which it has a few points, and long series as they can be zoomed."""
    yield figure.name, _of_table(figure.table)
    if figure.curves is not None:
        yield f"{figure.name}-curves", _of_table(figure.curves)
    if figure.long_chart is not None:
        yield f"{figure.name}-series", _of_series(figure.long_chart)


def _of_table(table: FigureTable) -> str:
    titles = [_value(f"{one.title} ({one.unit})" if one.unit else one.title) for one in table.columns]
    rows = [[_value(cell) for cell in row] for row in table.rows]
    return written([titles, *rows])


def _of_series(chart: LongChart) -> str:
    rows: list[list[str]] = [["line", _value(chart.x_title), _value(chart.y_title)]]
    for one in chart.series:
        name = _value(one.label)
        rows += [[name, f"{x:.9g}", f"{y:.9g}"] for x, y in zip(one.x, one.y, strict=True)]
    return written(rows)


def _value(cell: Cell) -> str:
    """Numbers without the commas that group their digits, as in the sheets that a page saves; words never as what a spreadsheet would compute."""
    text = plain(str(cell))
    return text.replace(",", "") if _GROUPED.fullmatch(text) else words_cell(text)


def words_cell(words: str) -> str:
    """Words of anybody's as a cell: never as what a spreadsheet would compute."""
    text = plain(words)
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) and not _NUMBER.fullmatch(text) else text


def written(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells as one sheet."""
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerows(rows)
    return output.getvalue()
