"""What a run or a result comes to, as lines of text: the sentences and the key numbers that a report begins with."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ssdlab.cli.language import sentence
from ssdlab.cli.table import Alignment, table_rows
from ssdlab.cli.terminal import visible, wrapped
from ssdlab.message import Message

if TYPE_CHECKING:
    from ssdlab.report.first_screen.screen import FirstScreen
    from ssdlab.report.first_screen.tiles import Tile

_COLUMNS = (Alignment.LEFT, Alignment.RIGHT, Alignment.LEFT, Alignment.LEFT)


def answer_lines(screen: "FirstScreen") -> Iterator[str]:
    """The verdict, then a line a key number: value, 95 % interval, place among the drives beside it."""
    for told in screen.verdict:
        yield from wrapped(visible(sentence(told)))
    if screen.tiles:
        yield ""
        yield from table_rows([_row(tile) for tile in screen.tiles], _COLUMNS)


def _row(tile: "Tile") -> tuple[Message | str, ...]:
    interval = tile.metric.interval
    shown = "" if interval is None else f"[{sentence(interval)}]"
    return (tile.label, tile.metric.text, shown, "" if tile.place is None else tile.place.words)
