"""The profiles of a desktop benchmark, reads beside writes, as reviews show them (METHODS C9)."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure import layers
from ssdlab.figure.axis import Axis, linear_axis
from ssdlab.figure.drives import Drive, Rank, drives_of, subtitle_of
from ssdlab.figure.layers import KEY_PREFIX, Layer
from ssdlab.figure.model import Cell, Column, Figure, Table
from ssdlab.figure.place import text_width_px
from ssdlab.figure.readings import Reading, readings
from ssdlab.figure.style import (
    NARROW,
    PANEL_GAP_PX,
    WIDE,
    Ink,
    Panel,
    Shape,
    fitted,
    is_wide,
    panels_spec,
    room_px,
    series_ink,
)
from ssdlab.figure.subject import block_words
from ssdlab.figure.suite_steps import measure_steps, measured_points
from ssdlab.job import Job, Pattern
from ssdlab.method.schema import MeasureStep, Take
from ssdlab.units import KIB, MIB

TITLE = "Desktop benchmark profiles"
_ROW_PX = 25
_DIRECTIONS = {100: Direction.READ, 0: Direction.WRITE}
_NAME_SHARE_MAX = 0.3


@dataclass(frozen=True, slots=True)
class Profile:
    """What is done, apart from reading or writing."""

    pattern: Pattern
    block_bytes: int
    queue_depth: int
    jobs: int

    @property
    def label(self) -> str:
        """As the tool calls it: `SEQ 1 MiB Q8T1`."""
        pattern = "SEQ" if self.pattern is Pattern.SEQUENTIAL else "RND"
        return f"{pattern} {block_words(self.block_bytes)} Q{self.queue_depth}T{self.jobs}"

    @property
    def shallow(self) -> bool:
        """One random I/O at a time: so much slower than the rest that it has a figure of its own."""
        return self.pattern is Pattern.RANDOM and self.queue_depth * self.jobs == 1

    @property
    def listed_only(self) -> bool:
        """Sequential in 128 KiB blocks: in the table, but not among the bars (METHODS C9 after the source)."""
        return self.pattern is Pattern.SEQUENTIAL and self.block_bytes == 128 * KIB


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The best run of each profile of one drive."""

    drive: Drive
    values: dict[tuple[Profile, Direction], Reading]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the plot: the name of a profile, or a drive's bar below it."""

    text: str
    profile: Profile
    drive: Drive | None


def desktop(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """All profiles but the shallow one, then that; drives by their sequential read, and by their shallow read."""
    for step in measure_steps(bundles[0]):
        if step.take is not Take.BEST or step.sweep.mix is None:
            continue
        scores = [one for drive in drives_of(bundles) if (one := _scores(drive, step)).values]
        for name, shallow in ((step.name, False), (f"{step.name}-qd1", True)):
            shown = [one for one in _profiles(scores) if one.shallow is shallow and not one.listed_only]
            if shown:
                yield _figure(name.replace("_", "-"), scores, shown, step)


def _scores(drive: Drive, step: MeasureStep) -> Scores:
    known = readings(drive.bundle)
    values = {
        (_profile(job), _DIRECTIONS[job.read_percent]): known[f"{name}.bandwidth"]
        for name, job in measured_points(drive.bundle, step.name).items()
        if job.read_percent in _DIRECTIONS and f"{name}.bandwidth" in known
    }
    return Scores(drive, values)


def _profile(job: Job) -> Profile:
    return Profile(job.pattern, job.block_bytes, job.queue_depth, job.jobs)


def _profiles(scores: Sequence[Scores]) -> list[Profile]:
    return list(dict.fromkeys(profile for one in scores for profile, _ in one.values))


def _figure(name: str, scores: Sequence[Scores], shown: Sequence[Profile], step: MeasureStep) -> Figure:
    first = (shown[0], Direction.READ)
    ordered = sorted(scores, key=lambda one: -one.values[first].value if first in one.values else 0.0)
    states = [value.state for one in scores for value in one.values.values()]
    subtitle = subtitle_of([one.drive.bundle for one in scores], states)
    title = TITLE if len(shown) > 1 else f"{TITLE}: {shown[0].label}"
    build = _builder(ordered, shown, title, subtitle)
    listed = ", ".join(one.label for one in _profiles(scores) if one.listed_only)
    more = f" {listed} is in the table only." if listed and len(shown) > 1 else ""
    by = f" Sorted by {first[0].label} read." if len(scores) > 1 else ""
    return Figure(
        name=name,
        title=title,
        subtitle=subtitle,
        caption=f"Through fio, best of {step.repeat.runs_max} runs.{by}{more}",
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=_table(ordered, shown if len(shown) == 1 else [one for one in _profiles(scores) if not one.shallow]),
    )


def _builder(
    scores: Sequence[Scores], shown: Sequence[Profile], title: str, subtitle: tuple[str, ...]
) -> Callable[[Shape], dict[str, Any]]:
    def build(shape: Shape) -> dict[str, Any]:
        rows = _rows(scores, shown)
        names_px = _names_px(rows, shape)
        room = room_px(shape) - names_px
        width_px = round((room - PANEL_GAP_PX - 10) / 2 if is_wide(shape) else room)
        panels = []
        for direction in (Direction.READ, Direction.WRITE):
            x = _speed_axis(scores, shown, direction, shape, width_px)
            named = direction is Direction.READ or not is_wide(shape)
            y = _row_encoding(rows, shape, names_px if named else 0.0)
            drawn = _panel_layers(scores, rows, direction, x, y, shape)
            panels.append(Panel(direction.value, width_px, _ROW_PX * len(rows), drawn))
        description = f"Bar charts: read and write bandwidth of {len(shown)} profiles, {len(scores)} drives"
        return panels_spec(shape, title, subtitle, description, panels)

    return build


def _rows(scores: Sequence[Scores], shown: Sequence[Profile]) -> list[Row]:
    if len(scores) == 1:
        return [Row(profile.label, profile, scores[0].drive) for profile in shown]
    if len(shown) == 1:
        return [Row(one.drive.label, shown[0], one.drive) for one in scores]
    return [
        row
        for profile in shown
        for row in (
            Row(profile.label, profile, None),
            *(Row(one.drive.label, profile, one.drive) for one in scores),
        )
    ]


def _names_px(rows: Sequence[Row], shape: Shape) -> float:
    widest = max(text_width_px(row.text, shape.font_px) for row in rows) * 1.06
    return min(widest, room_px(shape) * (_NAME_SHARE_MAX if is_wide(shape) else 0.45)) + 16


def _speed_axis(
    scores: Sequence[Scores], shown: Sequence[Profile], direction: Direction, shape: Shape, width_px: int
) -> Axis:
    found = [
        one.values[key] for one in scores for key in ((profile, direction) for profile in shown) if key in one.values
    ]
    most = max((value.value for value in found), default=MIB) / MIB
    beyond_px = max((text_width_px(_text(value), shape.font_px) for value in found), default=0.0) * 1.06 + 14
    high = most * width_px / max(width_px - beyond_px, 40)
    return linear_axis(f"{direction.value} bandwidth (MiB/s)", high, width_px, max(2, width_px // 65), round_up=False)


def _text(value: Reading) -> str:
    return value.marked_text.replace(" MiB/s", "")


def _panel_layers(
    scores: Sequence[Scores], rows: Sequence[Row], direction: Direction, x: Axis, y: dict[str, Any], shape: Shape
) -> list[Layer]:
    values = {one.drive: one.values for one in scores}
    found = [
        (number, row.drive, row.profile, values[row.drive][row.profile, direction])
        for number, row in enumerate(rows)
        if row.drive is not None and (row.profile, direction) in values[row.drive]
    ]
    bars = [
        {
            "row": str(number),
            "x": layers.short(value.value / MIB),
            "ink": series_ink(drive.slot).value,
            "opacity": 1.0 if drive.rank is Rank.UNDER_TEST else 0.62,
            "words": f"{drive.label}, {profile.label} {direction.value}: {value.words}",
        }
        for number, drive, profile, value in found
    ]
    encoding = {
        "x": x.encoding("x"),
        "y": y,
        "fill": {"field": "ink", "type": "nominal", "scale": None},
        "fillOpacity": {"field": "opacity", "type": "quantitative", "scale": None},
        "description": {"field": "words"},
    }
    texts = [
        {"row": str(number), "x": layers.short(value.value / MIB), "text": _text(value)}
        for number, _, _, value in found
    ]
    label = {"type": "text", "align": "left", "baseline": "middle", "dx": 6, "fontSize": shape.font_px}
    ends = {"x": x.encoding("x"), "y": y, "text": {"field": "text"}}
    name = direction.value
    return [
        {
            "name": f"{KEY_PREFIX}{name}",
            "data": {"values": bars},
            "mark": {"type": "bar", "height": {"band": 0.72}},
            "encoding": encoding,
        },
        {
            "name": f"{name}-values",
            "data": {"values": texts},
            "mark": {**label, "color": Ink.TEXT.value, "aria": False},
            "encoding": ends,
        },
    ]


def _row_encoding(rows: Sequence[Row], shape: Shape, names_px: float) -> dict[str, Any]:
    """One place a row; names beside it where there is room for them."""
    order = [str(number) for number in range(len(rows))]
    lines = {
        number: fitted(row.text, max(names_px, 1.0), shape.font_px) for number, row in zip(order, rows, strict=True)
    }
    bold = [number for number, row in zip(order, rows, strict=True) if row.drive is None or row.drive.slot == 1]
    axis = {
        "title": None,
        "values": order,
        "labelExpr": f"{json.dumps(lines, ensure_ascii=False)}[datum.value]",
        "labelLimit": 0,
        "labelPadding": 7,
        "labelFontWeight": {
            "condition": {"test": f"indexof({json.dumps(bold)}, datum.value) >= 0", "value": "bold"},
            "value": "normal",
        },
        "grid": False,
        "ticks": False,
        "minExtent": 0,
    }
    # The plot on the right has the same rows as the one on the left.
    return {"field": "row", "type": "nominal", "scale": {"domain": order}, "axis": axis if names_px else None}


def _table(scores: Sequence[Scores], shown: Sequence[Profile]) -> Table:
    keys = [(profile, direction) for profile in shown for direction in _DIRECTIONS.values()]
    rows: list[tuple[Cell, ...]] = []
    for one in scores:
        cells = [one.values.get(key) for key in keys]
        rows.append((one.drive.label, *("not measured" if cell is None else _text(cell) for cell in cells)))
    columns = (
        Column("drive", ""),
        *(Column(f"{profile.label} {direction.value}", "MiB/s") for profile, direction in keys),
    )
    return Table("best run of each profile", columns, tuple(rows))
