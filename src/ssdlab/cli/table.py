"""Rows of text as aligned columns."""

from collections.abc import Iterator, Sequence
from enum import Enum

from ssdlab.cli.language import sentence
from ssdlab.cli.terminal import columns_of, visible
from ssdlab.message import Message


class Alignment(Enum):
    """Where the text of a column stands."""

    LEFT = "left"
    RIGHT = "right"


def table_lines(
    head: Sequence[Message | str], rows: Sequence[Sequence[Message | str]], sides: Sequence[Alignment]
) -> Iterator[str]:
    """A head and its rows, in the reader's language; every row as long as the head."""
    yield from table_rows((head, *rows), sides)


def table_rows(rows: Sequence[Sequence[Message | str]], sides: Sequence[Alignment]) -> Iterator[str]:
    """Rows as long as each other, in the reader's language."""
    shown = [[visible(sentence(cell)) for cell in row] for row in rows]
    widths = [max((columns_of(row[column]) for row in shown), default=0) for column in range(len(sides))]
    for row in shown:
        cells = (padded(cell, width, side) for cell, side, width in zip(row, sides, widths, strict=True))
        yield "  ".join(cells).rstrip()


def padded(cell: str, width: int, side: Alignment = Alignment.LEFT) -> str:
    """A text that takes so many columns of a terminal."""
    blank = " " * (width - columns_of(cell))
    return cell + blank if side is Alignment.LEFT else blank + cell
