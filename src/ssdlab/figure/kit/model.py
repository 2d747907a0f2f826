"""What a figure is: a picture, the table behind it, and the long series for a reader who wants to zoom."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cell = str | float | int
VegaLite = Mapping[str, Any]


def plots_of(spec: VegaLite) -> list[VegaLite]:
    """The plots of a specification: itself, or its panels."""
    return list(spec.get("hconcat") or spec.get("vconcat") or [spec])


def layers_of(spec: VegaLite) -> list[dict[str, Any]]:
    """The layers of all its plots."""
    return [layer for plot in plots_of(spec) for layer in plot["layer"]]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    title: str
    unit: str
    """Empty for text."""


@dataclass(frozen=True, slots=True)
class FigureTable:
    """The data of a figure for those who cannot see it or want the numbers."""

    caption: str
    """Says how many samples one row stands for."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


class AxisScale(Enum):
    """Scale of the vertical axis of a plot, and the one a zoomable chart begins with."""

    LINEAR = "linear"
    LOG = "log"


@dataclass(frozen=True, slots=True, eq=False)
class LongSeries:
    """One line of a zoomable chart, in the units of its axes."""

    label: str
    slot: int
    """Place of its colour in the palette, from 1."""
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    dash: tuple[int, ...] = ()
    """Lengths of strokes and gaps in pixels; empty for a whole line."""
    plot: int = 0
    """Which plot of the picture has this line, from 0."""


@dataclass(frozen=True, slots=True, eq=False)
class LongChart:
    """A chart to zoom in, down to single windows."""

    x_title: str
    y_title: str
    y_scale: AxisScale
    note: str
    """Whether all windows are in it, or how they were thinned."""
    series: tuple[LongSeries, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """The same data drawn another way, for a reader who unfolds it."""

    name: str
    """Names its files, as that of a figure does."""
    summary: str
    """What is other about it: `The same on linear axes`."""
    spec: VegaLite
    narrow_spec: VegaLite


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Figure:
    """One figure of a run, ready to be rendered."""

    name: str
    """Stable; names its files."""
    title: str
    subtitle: tuple[str, ...]
    """Drive and its state; and that the numbers are not comparable, where that is so."""
    caption: str
    """What is drawn and how it was measured."""
    spec: VegaLite
    """Vega-Lite specification, complete with data."""
    narrow_spec: VegaLite
    """The same for a screen as wide as a phone's."""
    table: FigureTable
    long_chart: LongChart | None = None
    curves: FigureTable | None = None
    """Every point of lines of which the table has a few; for a sheet of its own."""
    variant: Variant | None = None
    left_out: tuple[str, ...] = ()
    """Drives that are in the figure before this one and would squeeze the others."""
