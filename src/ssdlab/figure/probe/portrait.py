"""Portrait of a drive: everything its probes inferred, with interval and grade, beside what it claims, and what they do not say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, Ink, PlotShape, PlotSize, figure_spec, fitted, is_wide
from ssdlab.figure.kit.subject import named_with_capacity
from ssdlab.message import Message, message, semicolons
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.answer_labels import answer_label
from ssdlab.probe.probes.shift_write import SIZE as MANAGEMENT_BLOCK
from ssdlab.probe.run import ProbeResult
from ssdlab.probe.words import value_of
from ssdlab.units import format_quantity_short, resolved_ends
from ssdlab.unknown import Unknown

_LINE_PX = 19
_GAP_PX = 7
_CLAIMS = {MANAGEMENT_BLOCK: ("declared.indirection_unit", "declared.physical_block")}
"""What a drive says of a thing that is inferred, too."""
_RANKS = {Grade.A: 0, Grade.B: 0, Grade.C: 1, Grade.NONE: 2, Grade.CLAIMED: 3}
_INKS = {
    Grade.A: Ink.SERIES_3,
    Grade.B: Ink.SERIES_1,
    Grade.C: Ink.SERIES_2,
    Grade.NONE: Ink.REST,
    Grade.CLAIMED: Ink.SERIES_5,
}


def _grade_text(grade: Grade) -> str:
    """As it stands in its frame."""
    match grade:
        case Grade.A | Grade.B | Grade.C:
            return str(grade.value)
        case Grade.NONE:
            return "?"
        case Grade.CLAIMED:
            return say(message("figure-grade-said"))


def _grade_words(grade: Grade) -> str:
    """As the table has it."""
    match grade:
        case Grade.A | Grade.B | Grade.C:
            return str(grade.value)
        case Grade.NONE:
            return say(message("figure-grade-none"))
        case Grade.CLAIMED:
            return say(message("figure-grade-claimed"))


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


def portrait(drive: DriveIdentity, findings: Sequence[ProbeResult]) -> Figure:
    """All answers, those that can be relied on first, else in the order of the probes; what differs from a claim of the drive says so."""
    told = (answer for finding in findings for answer in finding.answers)
    answers = sorted(told, key=lambda answer: _RANKS[answer.grade])
    refused = [
        message("figure-probe-refused", probe=f"`{finding.probe.name}`", why=finding.refusal)
        for finding in findings
        if finding.refusal is not None
    ]
    return _drawn_of(named_with_capacity(drive), [_row(answer, answers) for answer in answers], refused)


def _drawn_of(drive: str, rows: Sequence[_Row], refused: Sequence[Message]) -> Figure:
    known = sum(one.answer.grade in {Grade.A, Grade.B} for one in rows)
    subtitle = (
        drive,
        say(message("figure-portrait-known", known=known, count=len(rows))),
    )
    caption = sentences(
        say(message("figure-portrait-caption")),
        say(message("figure-portrait-not-done", refused=semicolons(*refused))) if refused else "",
    )
    title = say(message("figure-portrait-title"))

    def build(shape: PlotShape) -> dict[str, Any]:
        drawn, height_px = _layers(rows, shape)
        return figure_spec(shape, title, subtitle, caption, drawn, PlotSize(shape.width_px + 60, height_px))

    return Figure(
        name="portrait",
        title=title,
        subtitle=subtitle,
        caption=caption,
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(rows),
    )


def _row(answer: Answer, answers: Sequence[Answer]) -> _Row:
    if isinstance(answer.value, Unknown):
        return _Row(answer, say(answer.value.reason), "", "")
    differs = [
        message("figure-drive-says", value=value_of(claim), claim=claim.name)
        for claim in answers
        if claim.name in _CLAIMS.get(answer.name, ())
        and not isinstance(claim.value, Unknown)
        and claim.value != answer.value
    ]
    told = message("listed", items=semicolons(*differs))
    value, interval = _value_and_interval(answer)
    return _Row(answer, say(value) if isinstance(value, Message) else value, interval, say(told))


def _value_and_interval(answer: Answer) -> tuple[Message | str, str]:
    """A number with the digits that its interval allows, as the key numbers and the table of the page have it."""
    between = answer.interval
    if between is None or between.low >= between.high or not isinstance(answer.value, int | float):
        return value_of(answer), ""
    ends = resolved_ends(answer.value, answer.unit, between.low, between.high)
    # One that is narrower than the digits shown says nothing.
    interval = say(message("figure-range", low=ends[0], high=ends[1])) if ends else ""
    return format_quantity_short(answer.value, answer.unit, between.low, between.high), interval


def _lines(row: _Row, width_px: float, font_px: int) -> list[str]:
    """Value and interval, and what the drive says instead."""
    first = f"{row.value}   ({row.interval})" if row.interval else row.value
    return [*fitted(first, width_px, font_px), *(fitted(f"≠ {row.differs}", width_px, font_px) if row.differs else [])]


def _layers(rows: Sequence[_Row], shape: PlotShape) -> tuple[list[Layer], int]:
    """What the answer is of, grade in its colour, value; below each other on a narrow screen."""
    wide = is_wide(shape)
    value_px = 310 if wide else 44
    texts: list[dict[str, Any]] = []
    grades: list[dict[str, Any]] = []
    y_px = 4.0
    for row in rows:
        label_px = 54 if wide else 44
        room_px = (value_px if wide else shape.width_px + 60) - label_px - _GAP_PX
        label = fitted(say(answer_label(row.answer.name)), room_px, shape.font_px)
        for number, line in enumerate(label):
            texts.append({"x": label_px, "y": y_px + number * _LINE_PX, "text": line, "ink": Ink.FAINT_TEXT.value})
        grades.append(
            {"y": y_px - 1, "y2": y_px + _LINE_PX - 3, "ink": _INKS[row.answer.grade].value, "middle": y_px + 7}
        )
        grades[-1]["text"] = _grade_text(row.answer.grade)
        label_end_px = y_px + len(label) * _LINE_PX
        y_px = y_px if wide else label_end_px
        ink = Ink.FAINT_TEXT if isinstance(row.answer.value, Unknown) else Ink.TEXT
        for line in _lines(row, shape.width_px + 60 - value_px, shape.font_px):
            texts.append({"x": value_px, "y": y_px, "text": line, "ink": ink.value})
            y_px += _LINE_PX
        y_px = max(y_px, label_end_px) + _GAP_PX
    height_px = round(y_px)
    return list(_drawn(texts, grades, shape, height_px)), height_px


def _drawn(
    texts: list[dict[str, Any]], grades: list[dict[str, Any]], shape: PlotShape, height_px: int
) -> Iterator[Layer]:
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


def _table(rows: Sequence[_Row]) -> FigureTable:
    columns = (
        column(message("figure-column-answer")),
        column(message("figure-column-value")),
        column(message("figure-column-interval")),
        column(message("figure-column-grade")),
        column(message("figure-column-drive-says")),
        column(message("figure-column-note")),
    )
    cells: list[tuple[Cell, ...]] = [
        (
            row.answer.name,
            row.value,
            row.interval,
            _grade_words(row.answer.grade),
            row.differs,
            "" if row.answer.note is None else say(row.answer.note),
        )
        for row in rows
    ]
    return FigureTable(say(message("figure-table-portrait")), columns, tuple(cells))
