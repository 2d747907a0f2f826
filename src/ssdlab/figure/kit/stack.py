"""Several plots above each other that share the axis of time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ssdlab.figure.kit.layers import Layer
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.style import PlotShape, figure_spec
from ssdlab.message import Message

_NO_CLASS = re.compile(r"[^A-Za-z0-9]+")
"""What a name of a layer must not hold: it becomes a class of the picture."""


@dataclass(frozen=True, slots=True)
class StackedPlot:
    """One plot.

    Attributes:
        title: Stands above it; in English it is part of the names of its layers.
        layers: All of them; their axes are complete.
        height_px: That of the shape where it is not given.
    """

    title: Message
    layers: list[Layer]
    height_px: int | None = None


class _Place(Enum):
    ABOVE = "above"
    LOWEST = "lowest"


def stacked_spec(
    shape: PlotShape, title: str, subtitle: tuple[str, ...], description: str, panels: Sequence[StackedPlot]
) -> dict[str, Any]:
    """A specification with one plot of that shape a panel; only the lowest has the title of the horizontal axis."""
    spec = figure_spec(shape, title, subtitle, description, [])
    plots = [
        {
            "width": shape.width_px,
            "height": panel.height_px or shape.height_px,
            "title": {
                "text": say(panel.title),
                "fontSize": shape.font_px,
                "anchor": "start",
                "frame": "group",
                "offset": 6,
            },
            "layer": [
                _in_panel(layer, panel, _Place.LOWEST if panel is panels[-1] else _Place.ABOVE)
                for layer in panel.layers
            ],
        }
        for panel in panels
    ]
    whole = {key: value for key, value in spec.items() if key not in {"layer", "width", "height"}}
    if len(plots) == 1:
        return {**plots[0], **whole}
    apart = {"scale": {"color": "independent", "fill": "independent", "stroke": "independent"}}
    return {**whole, "vconcat": plots, "spacing": 14, "resolve": apart}


def _in_panel(layer: Layer, panel: StackedPlot, place: _Place) -> Layer:
    named = {**layer, "name": f"{layer['name']}-{_NO_CLASS.sub('-', str(panel.title))}"}
    if place is _Place.LOWEST or "x" not in layer["encoding"]:
        return named
    x = layer["encoding"]["x"]
    untitled = {**x, "axis": {**x["axis"], "title": None}}
    return {**named, "encoding": {**layer["encoding"], "x": untitled}}
