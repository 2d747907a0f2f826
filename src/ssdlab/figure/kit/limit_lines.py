"""Dashed lines across a plot for what must not be passed, each with its value where there is room."""

from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.curves import Curve, curve_outline
from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.place import Align, Box, Placed, Spot, place
from ssdlab.figure.kit.style import Ink, PlotShape


@dataclass(frozen=True, slots=True)
class LimitLine:
    """One limit, in the unit of the vertical axis."""

    value: float
    label: str
    """Stands beside the line."""
    words: str
    """What a screen reader says."""


def limit_layers(
    limits: Sequence[LimitLine], curves: Sequence[Curve], x: PlotAxis, y: PlotAxis, shape: PlotShape, name: str
) -> list[Layer]:
    """The lines, and their labels where the curves leave room; `name` tells the layers of several plots apart."""
    rows = [{"y": layers.short(one.value), "words": one.words} for one in limits]
    wanted = [_beside_line(one.label, y.length_px - float(y.px(one.value)), x) for one in limits]
    outlines = [curve_outline(curve, x, y) for curve in curves if curve.points]
    labels = place(wanted, outlines, [], Box(0, 0, x.length_px, y.length_px), shape.font_px)
    placed = {one.lines for one in labels}
    # A limit must be readable even where a curve runs through its value.
    labels = [*labels, *(one[0] for one in wanted if one[0].lines not in placed)]
    mark = {"type": "rule", "strokeWidth": 1.4, "strokeDash": [6, 4], "color": Ink.REST.value}
    encoding = {"y": y.encoding("y"), "description": {"field": "words"}}
    rule = {"name": f"{layers.KEY_PREFIX}{name}", "data": {"values": rows}, "mark": mark, "encoding": encoding}
    return [rule, *layers.text_layers(labels, x, y, shape, name=name)]


def _beside_line(words: str, line_px: float, x: PlotAxis) -> tuple[Placed, ...]:
    """Over or under the line: at one of its ends, else anywhere along it."""
    ends = [(5.0, Align.LEFT), (x.length_px - 5.0, Align.RIGHT)]
    between = [(x.length_px * share / 10, Align.CENTRE) for share in range(2, 9)]
    return tuple(
        Placed((words,), Spot(at, line_px + aside, align)) for at, align in [*ends, *between] for aside in (-10, 11)
    )
