"""Rows of text as aligned columns."""

from collections.abc import Iterator, Sequence
from enum import Enum


class Side(Enum):
    """Where the text of a column stands."""

    LEFT = "<"
    RIGHT = ">"


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]], sides: Sequence[Side]) -> Iterator[str]:
    """A head and its rows; every row as long as the head."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        cells = (f"{cell:{side.value}{width}}" for cell, side, width in zip(row, sides, widths, strict=True))
        yield "  ".join(cells).rstrip()
