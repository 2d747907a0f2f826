"""`ssdlab compare`."""

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.analysis.statistics.standing import ALIKE
from ssdlab.cli import terminal
from ssdlab.cli.arguments import AsJson, Runs, ShowAll
from ssdlab.cli.language import sentence
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import columns_of, say, say_json, tell, visible, wrapped
from ssdlab.errors import UsageError
from ssdlab.message import Message, commas, message, number, verbatim

if TYPE_CHECKING:
    from ssdlab.library.compare import ComparedMetric, ComparedValue, Comparison, Word
    from ssdlab.library.entry import Entry

_ROWS_MAX = 14
"""Numbers that differ, the most different first: with what they come to above them, one screen."""
_DRIVES_MAX = 6
"""Of more each number is told of all together."""


def compare(
    runs: Runs,
    metric: Annotated[
        str | None,
        typer.Option("--metric", metavar="PATTERN", help=message("help-compare-metric").id),
    ] = None,
    show_all: ShowAll = False,
    as_json: AsJson = False,
) -> None:
    """See `help-compare`."""
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.bundle.find import require_each_once
    from ssdlab.bundle.imported import is_imported, open_imported
    from ssdlab.bundle.read import open_bundle
    from ssdlab.library.compare import compare as compare_results

    if len(runs) < 2:
        raise UsageError(message("cli-compare-one"), message("cli-compare-another", run=str(runs[0])))
    require_each_once(runs)
    with made_sense_of(*runs):
        results = [open_imported(path) if is_imported(path) else open_bundle(path) for path in runs]
        found = compare_results(results, metric)
    if as_json:
        say_json(_fields(found))
        return
    for caution in dict.fromkeys(found.cautions):
        tell(message("cli-caution", caution=caution))
    for line in comparison_lines(found, _Shown.ALL if show_all or metric is not None else _Shown.DIFFERENCES):
        say(line)
    tell_next("report", *runs)


class _Shown(Enum):
    """Which numbers have a line."""

    DIFFERENCES = "differences"
    ALL = "all"


def comparison_lines(found: "Comparison", shown: _Shown) -> Iterator[str]:
    """How often each drive is ahead, what that means, and the numbers that differ most."""
    names = _names(found)
    for place, name in enumerate(names[1:]):
        yield from wrapped(visible(sentence(_count(found, place, name))))
    yield from wrapped(visible(sentence(message("cli-compared-rule", percent=number(100 * ALIKE, "g")))))
    differing = [row for row in found.rows if row.differs]
    rows = list(found.rows) if shown is _Shown.ALL else differing[:_ROWS_MAX]
    if rows:
        yield ""
        yield from _table(names, rows)
    hidden = [message("cli-compared-hidden", what=what.value, count=count) for what, count in _hidden(found, rows)]
    if hidden:
        yield ""
        yield sentence(message("cli-compared-more", items=commas(*hidden)))
    if found.unmatched:
        yield sentence(message("cli-compared-unmatched", count=found.unmatched))


class _Hidden(Enum):
    """What becomes of a number that has no line."""

    DIFFERING = "differing"
    UNTOLD = "untold"
    EXCLUDED = "excluded"
    LEVEL = "level"


def _hidden(found: "Comparison", shown: "list[ComparedMetric]") -> "Iterator[tuple[_Hidden, int]]":
    """How many numbers have no line, by the most that any drive says by them."""
    kinds = [_kind(row) for row in found.rows if row not in shown]
    return ((kind, kinds.count(kind)) for kind in _Hidden if kind in kinds)


def _kind(row: "ComparedMetric") -> _Hidden:
    from ssdlab.library.compare import Word

    if row.differs:
        return _Hidden.DIFFERING
    if Word.UNTOLD in row.words:
        return _Hidden.UNTOLD
    return _Hidden.EXCLUDED if Word.EXCLUDED in row.words else _Hidden.LEVEL


def _count(found: "Comparison", place: int, name: Message) -> Message:
    """What one drive is against the first, number by number."""
    words = [cell.word for row in found.rows if (cell := row.others[place]) is not None]
    counts = (
        message("cli-compared-outcome", count=words.count(word), outcome=_word(word)) for word in dict.fromkeys(words)
    )
    return message("cli-compared-count", name=name, counts=commas(*counts), rows=len(words))


def _table(names: list[Message], rows: "list[ComparedMetric]") -> Iterator[str]:
    """A column a drive; for a batch, and where that is wider than the terminal, the range of all."""
    head: list[Message | str] = [message("cli-column-metric"), names[0]]
    for name in names[1:]:
        head += [name, message("cli-column-ratio"), ""]
    sides = (Alignment.LEFT, Alignment.RIGHT, *((Alignment.RIGHT, Alignment.RIGHT, Alignment.LEFT) * (len(names) - 1)))
    lines = list(table_lines(head, [_row(row) for row in rows], sides))
    columns = terminal.width()
    fits = columns is None or max(map(columns_of, lines)) <= columns
    yield from lines if len(names) <= _DRIVES_MAX and (fits or len(names) == 2) else _batch(rows)


def _batch(rows: "list[ComparedMetric]") -> Iterator[str]:
    """A line a number: the first drive's, the least and the most of the others, how many are ahead and behind."""
    head = (
        message("cli-column-metric"),
        message("cli-column-first-drive"),
        message("cli-column-least"),
        message("cli-column-most"),
        "",
    )
    sides = (Alignment.LEFT, Alignment.RIGHT, Alignment.RIGHT, Alignment.RIGHT, Alignment.LEFT)
    return table_lines(head, [_batch_row(row) for row in rows], sides)


def _batch_row(row: "ComparedMetric") -> tuple[Message | str, ...]:
    from ssdlab.units import format_quantity

    cells = [cell for cell in row.others if cell is not None]
    words = [cell.word for cell in cells]
    counts = [
        message("cli-compared-outcome", count=words.count(word), outcome=_word(word)) for word in dict.fromkeys(words)
    ]
    ordered = sorted((cell.group for cell in cells), key=lambda group: group.median)
    values = [
        format_quantity(group.median, row.unit) + _mark(group.failed_checks)
        for group in (row.reference, ordered[0], ordered[-1])
    ]
    return row.metric, *values, message("listed", items=commas(*counts))


def _word(word: "Word") -> Message:
    return message("cli-compared", outcome=word.name.lower())


def _names(found: "Comparison") -> list[Message]:
    """Models; with what else differs where they are the same."""
    firsts = [runs[0] for runs in found.drives]
    return [
        message("cli-name-of-runs", name=_name(entry, firsts), runs=len(runs))
        if len(runs) > 1
        else verbatim(_name(entry, firsts))
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


def _row(row: "ComparedMetric") -> list[Message | str]:
    from ssdlab.units import format_quantity

    cells: list[Message | str] = [
        row.metric,
        format_quantity(row.reference.median, row.unit) + _mark(row.reference.failed_checks),
    ]
    for cell in row.others:
        if cell is None:
            cells += ["", "", message("cli-not-measured")]
            continue
        ratio = "" if cell.ratio is None else f"{cell.ratio:.3g}"
        value = format_quantity(cell.group.median, row.unit) + _mark(cell.group.failed_checks)
        cells += [value, ratio, _word(cell.word)]
    return cells


def _mark(failed_checks: tuple[str, ...]) -> str:
    return " ✗" if failed_checks else ""


def _fields(found: "Comparison") -> dict[str, object]:
    return {
        "drives": [[entry.name for entry in runs] for runs in found.drives],
        "cautions": list(map(str, dict.fromkeys(found.cautions))),
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


def _cell_fields(cell: "ComparedValue") -> dict[str, object]:
    return {
        "value": cell.group.median,
        "interval": cell.group.interval,
        "ratio": cell.ratio,
        "outcome": cell.word.value,
        "failed_checks": ", ".join(cell.group.failed_checks),
    }
