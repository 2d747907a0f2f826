"""Portrait of a drive: everything its probes inferred, with interval and grade, beside what it claims, and what they do not say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.evidence import drive_words
from ssdlab.figure.layers import Layer
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.style import NARROW, WIDE, Ink, PlotSize, Shape, figure_spec, fitted, is_wide
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.run import Finding
from ssdlab.probe.shift_write import SIZE as MANAGEMENT_BLOCK
from ssdlab.probe.words import number_words, value_words
from ssdlab.unknown import Unknown

_LINE_PX = 19
_GAP_PX = 7
_CLAIMS = {MANAGEMENT_BLOCK: ("declared.indirection_unit", "declared.physical_block")}
"""What a drive says of a thing that is inferred, too."""
_INKS = {
    Grade.A: Ink.SERIES_3,
    Grade.B: Ink.SERIES_1,
    Grade.C: Ink.SERIES_2,
    Grade.NONE: Ink.REST,
    Grade.CLAIMED: Ink.SERIES_5,
}
_SHORT = {Grade.NONE: "?", Grade.CLAIMED: "said"}


@dataclass(frozen=True, slots=True)
class _Row:
    """One answer as it is shown.

    Attributes:
        differs: What the drive claims of the same thing, where that is something else.
    """

    answer: Answer
    value: str
    interval: str
    differs: str


def portrait(drive: DriveIdentity, findings: Sequence[Finding]) -> Figure:
    """All answers in the order of the probes; what differs from a claim of the drive says so."""
    answers = [answer for finding in findings for answer in finding.answers]
    refused = [f"`{one.probe.name}`: {one.refusal}" for one in findings if one.refusal is not None]
    return _drawn_of(drive_words(drive), [_row(answer, answers) for answer in answers], refused)


def _drawn_of(drive: str, rows: Sequence[_Row], refused: Sequence[str]) -> Figure:
    known = sum(one.answer.grade in {Grade.A, Grade.B} for one in rows)
    subtitle = (
        drive,
        f"{known} of {len(rows)} answers can be relied on: A and B · C is a hint · ? not identifiable · said: a claim",
    )
    caption = "What the data does not say has its reason; ≠ is what the drive says of itself instead." + (
        f" Not done: {'; '.join(refused)}." if refused else ""
    )

    def build(shape: Shape) -> dict[str, Any]:
        drawn, height_px = _layers(rows, shape)
        return figure_spec(
            shape, "Portrait of the drive", subtitle, caption, drawn, PlotSize(shape.width_px + 60, height_px)
        )

    return Figure(
        name="portrait",
        title="Portrait of the drive",
        subtitle=subtitle,
        caption=caption,
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(rows),
        retold=lambda say: _drawn_of(drive, [_said(row, say) for row in rows], refused),
    )


def _said(row: _Row, say: Callable[[str], str]) -> _Row:
    return replace(row, value=say(row.value), interval=say(row.interval), differs=say(row.differs))


def _row(answer: Answer, answers: Sequence[Answer]) -> _Row:
    if isinstance(answer.value, Unknown):
        return _Row(answer, answer.value.unknown, "", "")
    interval = ""
    if answer.interval is not None and answer.interval.low < answer.interval.high:
        low, high = (number_words(end, answer.unit) for end in (answer.interval.low, answer.interval.high))
        # One that is narrower than the digits shown says nothing.
        interval = f"{low} to {high}" if low != high else ""
    differs = [
        f"the drive says {value_words(claim)} ({claim.name})"
        for claim in answers
        if claim.name in _CLAIMS.get(answer.name, ())
        and not isinstance(claim.value, Unknown)
        and claim.value != answer.value
    ]
    return _Row(answer, value_words(answer), interval, "; ".join(differs))


def _lines(row: _Row, width_px: float, font_px: int) -> list[str]:
    """Value and interval, and what the drive says instead."""
    first = f"{row.value}   ({row.interval})" if row.interval else row.value
    return [*fitted(first, width_px, font_px), *(fitted(f"≠ {row.differs}", width_px, font_px) if row.differs else [])]


def _layers(rows: Sequence[_Row], shape: Shape) -> tuple[list[Layer], int]:
    """Name, grade in its colour, value; below each other on a narrow screen."""
    wide = is_wide(shape)
    value_px = 310 if wide else 44
    texts: list[dict[str, Any]] = []
    grades: list[dict[str, Any]] = []
    y_px = 4.0
    for row in rows:
        texts.append({"x": 54 if wide else 44, "y": y_px, "text": row.answer.name, "ink": Ink.FAINT_TEXT.value})
        grades.append(
            {"y": y_px - 1, "y2": y_px + _LINE_PX - 3, "ink": _INKS[row.answer.grade].value, "middle": y_px + 7}
        )
        grades[-1]["text"] = _SHORT.get(row.answer.grade, row.answer.grade.value)
        y_px += 0 if wide else _LINE_PX
        ink = Ink.FAINT_TEXT if isinstance(row.answer.value, Unknown) else Ink.TEXT
        for line in _lines(row, shape.width_px + 60 - value_px, shape.font_px):
            texts.append({"x": value_px, "y": y_px, "text": line, "ink": ink.value})
            y_px += _LINE_PX
        y_px += _GAP_PX
    height_px = round(y_px)
    return list(_drawn(texts, grades, shape, height_px)), height_px


def _drawn(texts: list[dict[str, Any]], grades: list[dict[str, Any]], shape: Shape, height_px: int) -> Iterator[Layer]:
    x = _position("x", shape.width_px + 60)
    y = _position("y", height_px)
    y["scale"]["domain"] = [height_px, 0]
    ink = {"field": "ink", "type": "nominal", "scale": None}
    chips = [{"x": 0, "x2": 34, **one} for one in grades]
    yield {
        "name": "grade-chips",
        "data": {"values": chips},
        "mark": {"type": "rect", "cornerRadius": 3, "aria": False, "filled": False, "strokeWidth": 2.5},
        "encoding": {"x": x, "x2": {"field": "x2"}, "y": y, "y2": {"field": "y2"}, "stroke": ink},
    }
    # On some of these colours no letter can be read in light and in dark pages: they only frame it.
    letters = {
        "type": "text",
        "baseline": "middle",
        "fontSize": shape.font_px - 1,
        "fontWeight": "bold",
        "color": Ink.TEXT.value,
    }
    yield {
        "name": "grades",
        "data": {"values": [{"x": 17, "y": one["middle"], "text": one["text"]} for one in grades]},
        "mark": {**letters, "aria": False},
        "encoding": {"x": x, "y": y, "text": {"field": "text"}},
    }
    yield {
        "name": "answers",
        "data": {"values": texts},
        "mark": {"type": "text", "align": "left", "baseline": "top", "fontSize": shape.font_px, "aria": False},
        "encoding": {"x": x, "y": y, "text": {"field": "text"}, "fill": ink},
    }


def _position(field: str, length_px: int) -> dict[str, Any]:
    """Pixels as they are, without an axis."""
    scale = {"domain": [0, length_px], "nice": False, "zero": False, "type": "linear"}
    return {"field": field, "type": "quantitative", "scale": scale, "axis": None}


def _table(rows: Sequence[_Row]) -> Table:
    columns = (
        Column("answer", ""),
        Column("value", ""),
        Column("95 % interval", ""),
        Column("grade", ""),
        Column("the drive says otherwise", ""),
        Column("note", ""),
    )
    cells: list[tuple[Cell, ...]] = [
        (one.answer.name, one.value, one.interval, one.answer.grade.value, one.differs, one.answer.note) for one in rows
    ]
    return Table("A row an answer; where it is not identifiable, its value is the reason", columns, tuple(cells))
