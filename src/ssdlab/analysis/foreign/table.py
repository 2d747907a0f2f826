"""Tables that are no log of fio: times and rates in two columns, as spreadsheets and scripts write them."""

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ssdlab import _core
from ssdlab.analysis.foreign.units import RateUnit, TimeUnit, rate_unit_in, time_unit_in
from ssdlab.analysis.log.file import LogError, explained
from ssdlab.message import commas, message
from ssdlab.units import clipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_BYTES_MAX = 1 << 28
_MISSING = {"", "-", "nan", "na", "n/a", "null", "none"}
_BLANKS = re.compile("[\u00a0\u202f\u2009']")
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_THOUSANDS_BY_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_BY_MARK = {
    ".": re.compile(r"[+-]?((\d+|\d{1,3}(,\d{3})+)(\.\d*)?|\.\d+)([eE][+-]?\d+)?"),
    ",": re.compile(r"[+-]?((\d+|\d{1,3}(\.\d{3})+)(,\d*)?|,\d+)([eE][+-]?\d+)?"),
}
"""Numbers by their decimal mark; what parts thousands is the other one, and parts them by threes."""
_READS = re.compile(r"(?<![a-z])(reads?(?![a-z])|read_|r[kmg]i?b/s)|읽기", re.IGNORECASE)
_WRITES = re.compile(r"(?<![a-z])(writ|w[kmg]i?b/s)|쓰기", re.IGNORECASE)
_LINE_MAX = csv.field_size_limit()
"""Characters; no table of numbers has more in a line, nor could all of them be read."""
_TIME_MAX_NS = 2**62
_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_BACKWARDS_MAX = 0.1
"""Lines out of order go back by less of the whole time; by more where a second run follows the first."""


@dataclass(frozen=True, slots=True)
class TableSaid:
    """What the caller says of a table, where the table itself does not."""

    rate: RateUnit | None = None
    time: TimeUnit | None = None
    columns: tuple[str, str] | None = None
    """Title or number of the column of times and of that of rates."""


NOTHING_SAID = TableSaid()


@dataclass(frozen=True, slots=True, eq=False)
class TableRows:
    """The rows of a table by ascending time; arrays of one length.

    Attributes:
        time_ns: int64, as written: whatever they are counted from.
        value: float64, in its unit; NaN where the table has none.
        unit: Of the values.
        unordered: Whether the rows had to be put in order.
    """

    time_ns: "NDArray[np.int64]"
    value: "Values"
    unit: RateUnit
    unordered: bool


@dataclass(frozen=True, slots=True)
class _Cells:
    """A table taken apart: titles, if it has any, and the rows with the lines they stand in."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


def read_table(path: Path, said: TableSaid) -> TableRows:
    """Read times and rates.

    Raises:
        LogError: It cannot be read, its units are not said, or its numbers make no series.
    """
    cells = _cells(path)
    time_column, rate_column = _columns(path, cells, said)
    time_unit, rate_unit = _units(path, cells, said, time_column, rate_column)
    _require_writes(cells, rate_column)
    texts = [_texts(cells, column) for column in (time_column, rate_column)]
    marks = _decimal_marks(path, texts)
    times, values = (_numbers(path, cells, column, mark) for column, mark in zip(texts, marks, strict=True))
    _require_numbers(path, cells, times, values)
    far = np.flatnonzero(times > _TIME_MAX_NS / time_unit.in_ns)
    if len(far):
        raise LogError(
            message("analyse-time-impossible", path=str(path), line=cells.lines[int(far[0])]),
            message("analyse-is-unit"),
        )
    whole_ns = np.round(times * time_unit.in_ns).astype(np.int64)
    back = np.flatnonzero(np.diff(whole_ns) < 0)
    if len(back):
        span = int(whole_ns.max() - whole_ns.min())
        worst = back[np.diff(whole_ns)[back].argmin()]
        if whole_ns[worst] - whole_ns[worst + 1] > _BACKWARDS_MAX * span:
            raise LogError(
                message("analyse-time-restarts", path=str(path), line=cells.lines[worst + 1]),
                message("analyse-one-run-a-file"),
            )
    order = np.argsort(whole_ns, kind="stable")
    whole_ns, values = whole_ns[order], values[order]
    twice = np.flatnonzero(np.diff(whole_ns) == 0)
    if len(twice):
        raise LogError(
            message(
                "analyse-time-twice", path=str(path), count=len(twice), line=cells.lines[int(order[int(twice[0]) + 1])]
            ),
            message("analyse-one-job-a-file"),
        )
    return TableRows(whole_ns, values, rate_unit, bool(len(back)))


def _cells(path: Path) -> _Cells:
    with explained(path):
        content = _core.read_fio_file(path, _BYTES_MAX)
    if len(content) >= _BYTES_MAX:
        raise LogError(message("analyse-too-large", path=str(path)))
    lines = [
        (at, line) for at, line in enumerate(_text(content).splitlines(), start=1) if line.strip() and line[0] != "#"
    ]
    if not lines:
        raise LogError(message("analyse-empty", path=str(path)))
    long = next((at for at, line in lines if len(line) > _LINE_MAX), None)
    if long is not None:
        raise LogError(
            message("analyse-line-too-long", path=str(path), line=long, most=_LINE_MAX),
            message("analyse-is-it-a-series"),
        )
    mark = _delimiter([line for _, line in lines[:5]])
    rows = [
        (
            at,
            tuple(
                cell.strip() for cell in (line.split() if mark is None else next(csv.reader([line], delimiter=mark)))
            ),
        )
        for at, line in lines
    ]
    has_titles = not any(_PLAIN.fullmatch(_BLANKS.sub("", cell).replace(",", ".")) for cell in rows[0][1])
    titles = rows[0][1] if has_titles else ()
    body = rows[1:] if has_titles else rows
    width = len(rows[0][1])
    for at, cells in body:
        if len(cells) != width:
            raise LogError(
                message("analyse-columns-differ", path=str(path), line=at, count=len(cells), expected=width),
                message("analyse-decimal-points"),
            )
    if len(body) < 2:
        raise LogError(message("analyse-empty", path=str(path)))
    return _Cells(titles, tuple(cells for _, cells in body), tuple(at for at, _ in body))


def _text(content: bytes) -> str:
    for begin, name in _BOMS:
        if content.startswith(begin):
            return content.decode(name, errors="replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _delimiter(lines: Sequence[str]) -> str | None:
    """What parts the cells; None for blanks."""
    return next((mark for mark in ("\t", ";", ",") if all(mark in line for line in lines)), None)


def _columns(path: Path, cells: _Cells, said: TableSaid) -> tuple[int, int]:
    width = len(cells.rows[0])
    if said.columns is not None:
        time, rate = (_column(path, cells, name) for name in said.columns)
        return time, rate
    if width != 2:
        names = cells.titles or tuple(str(place) for place in range(1, width + 1))
        raise LogError(
            message("analyse-which-columns", path=str(path), count=width),
            message("analyse-say-columns", columns=commas(*(clipped(name) for name in names))),
        )
    return 0, 1


def _column(path: Path, cells: _Cells, name: str) -> int:
    titles = [title.casefold() for title in cells.titles]
    if name.casefold() in titles:
        return titles.index(name.casefold())
    if name.isdecimal() and 1 <= int(name) <= len(cells.rows[0]):
        return int(name) - 1
    shown = cells.titles or tuple(str(place) for place in range(1, len(cells.rows[0]) + 1))
    raise LogError(
        message("analyse-no-column", path=str(path), name=clipped(name)),
        message("analyse-say-columns", columns=commas(*(clipped(title) for title in shown))),
    )


def _units(path: Path, cells: _Cells, said: TableSaid, time_column: int, rate_column: int) -> tuple[TimeUnit, RateUnit]:
    """Those of the file where it says them; what is said beside it must not contradict."""
    of_time = time_unit_in(cells.titles[time_column]) if cells.titles else None
    of_rate = rate_unit_in(cells.titles[rate_column]) if cells.titles else None
    for own, other in ((of_time, said.time), (of_rate, said.rate)):
        if own is not None and other is not None and own is not other:
            raise LogError(
                message("analyse-unit-contradicts", path=str(path), own=own.value, said=other.value),
                message("analyse-leave-unit-out"),
            )
    time, rate = of_time or said.time, of_rate or said.rate
    if rate is None:
        raise LogError(
            message("analyse-rate-unit-unsaid", path=str(path)),
            message("analyse-say-unit", units=commas(*(unit.value for unit in RateUnit))),
        )
    if time is None:
        raise LogError(
            message("analyse-time-unit-unsaid", path=str(path)),
            message("analyse-say-time", units=commas(*(unit.value for unit in TimeUnit))),
        )
    return time, rate


def _require_writes(cells: _Cells, rate_column: int) -> None:
    """A rate that is said to be of reads is none of writes.

    Raises:
        LogError: It is.
    """
    title = cells.titles[rate_column] if cells.titles else ""
    if _READS.search(title) and not _WRITES.search(title):
        raise LogError(message("analyse-no-writes"))


def _texts(cells: _Cells, column: int) -> list[str]:
    """The cells of a column, without blanks; nothing where one says that there is no number."""
    texts = [_BLANKS.sub("", row[column]) for row in cells.rows]
    return ["" if text.lower() in _MISSING else text for text in texts]


def _numbers(path: Path, cells: _Cells, texts: Sequence[str], mark: str) -> "Values":
    """The numbers of a column, NaN where there is none."""
    found = np.full(len(texts), np.nan)
    for place, text in enumerate(texts):
        if not text:
            continue
        plain = text.replace(".", "").replace(",", ".") if mark == "," else text.replace(",", "")
        if not _BY_MARK[mark].fullmatch(text) or math.isinf(float(plain)):
            raise LogError(
                message("analyse-no-number", path=str(path), line=cells.lines[place], text=clipped(text)),
                message("analyse-decimal-points"),
            )
        found[place] = float(plain)
    return found


def _decimal_marks(path: Path, columns: Sequence[Sequence[str]]) -> list[str]:
    """That of each column.

    Raises:
        LogError: Nothing tells what a mark in one of them is.
    """
    marks = [_decimal_mark(path, texts) for texts in columns]
    for mark, texts in zip(marks, columns, strict=True):
        with_point = [text for text in texts if "." in text]
        by_threes = with_point and all(_THOUSANDS_BY_POINTS.fullmatch(text) for text in with_point)
        if mark == "." and "," in marks and by_threes:
            raise _unclear(path, with_point[0])
    return marks


def _unclear(path: Path, text: str) -> LogError:
    return LogError(
        message("analyse-mark-unclear", path=str(path), text=clipped(text)), message("analyse-decimal-points")
    )


def _decimal_mark(path: Path, texts: Sequence[str]) -> str:
    """A comma or a point.

    Raises:
        LogError: `1,234` may be one or a thousand, and nothing in the column tells.
    """
    with_comma = [text for text in texts if "," in text]
    if not with_comma:
        return "."
    both = [text for text in with_comma if "." in text]
    if both:
        return "," if all(text.rindex(",") > text.rindex(".") for text in both) else "."
    with_point = [text for text in texts if "." in text]
    if with_point:
        # `1,5` beside `1.234`, or `1,234` beside `2.5`; else it is a fault that is found where it stands.
        by_points = all(_THOUSANDS_BY_POINTS.fullmatch(text) for text in with_point)
        by_commas = all(_THOUSANDS.fullmatch(text) for text in with_comma)
        if by_points and by_commas:
            raise _unclear(path, with_comma[0])
        return "," if by_points else "."
    if all(_THOUSANDS.fullmatch(text) for text in with_comma):
        if any(text.count(",") > 1 for text in with_comma):
            return "."
        if len(with_comma) == len(texts) or not any(float(text) > 999 for text in texts if _PLAIN.fullmatch(text)):
            raise _unclear(path, with_comma[0])
    return "," if any(_DECIMAL_COMMA.fullmatch(text) for text in with_comma) else "."


def _require_numbers(path: Path, cells: _Cells, times: "Values", values: "Values") -> None:
    """Times all known and none of them negative, nor any rate."""
    for numbers in (times, values):
        below = np.flatnonzero(numbers < 0)
        if len(below):
            line = cells.lines[int(below[0])]
            raise LogError(message("analyse-negative", path=str(path), line=line), message("analyse-is-it-a-series"))
    unknown = np.flatnonzero(~np.isfinite(times))
    if len(unknown):
        raise LogError(
            message("analyse-no-time", path=str(path), line=cells.lines[int(unknown[0])]),
            message("analyse-is-it-a-series"),
        )
    if not np.isfinite(values).any():
        raise LogError(message("analyse-empty", path=str(path)))
