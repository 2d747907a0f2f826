"""Write speed of the passes over a drive: the axis, the table and the zoomable chart, whatever it is drawn over."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.figure.kit.axis import PlotAxis, axis_title, linear_axis
from ssdlab.figure.kit.decimate import Columns, extremes, into_columns
from ssdlab.figure.kit.model import AxisScale, Cell, Column, FigureTable, LongChart, LongSeries
from ssdlab.figure.kit.passes import FillPass
from ssdlab.figure.kit.say import column
from ssdlab.figure.kit.style import PlotShape
from ssdlab.figure.kit.words import LONG_LIMIT, TABLE_ROWS, long_note, table_note
from ssdlab.message import message
from ssdlab.units import MIB

WRITE_BANDWIDTH = message("figure-write-bandwidth")
_UNIT = "MiB/s"


@dataclass(frozen=True, slots=True, eq=False)
class PassSpeed:
    """A pass on the horizontal axis of a plot, in its unit.

    Attributes:
        of: The pass.
        x: Middle of each window.
        begin: Where the pass begins.
        since_begin: Middle of each window, from there on.
        length: How long the pass is.
    """

    of: FillPass
    x: NDArray[np.float64]
    begin: float
    since_begin: NDArray[np.float64]
    length: float

    def columns(self, width: float, limit: int) -> Columns:
        """At most so many columns over the whole axis."""
        return into_columns(self.x, self._mib_per_s, width, limit)

    def rows(self) -> Columns:
        """Those of the table."""
        return into_columns(self.since_begin, self._mib_per_s, self.length, TABLE_ROWS)

    def series(self) -> LongSeries:
        """The windows of the zoomable chart."""
        x, y = extremes(self.x, self._mib_per_s, LONG_LIMIT)
        return LongSeries(self.of.label, self.of.number, x, y)

    @property
    def _mib_per_s(self) -> NDArray[np.float64]:
        return self.of.series.bandwidth_bytes_per_s / MIB


def speed_axis(passes: Sequence[FillPass], shape: PlotShape) -> PlotAxis:
    """The vertical axis: from 0 to the fastest window of all."""
    fastest = max(float(one.series.bandwidth_bytes_per_s.max()) for one in passes) / MIB
    return linear_axis(
        axis_title(WRITE_BANDWIDTH, _UNIT), max(fastest, 1.0), shape.height_px, shape.y_ticks, round_up=True
    )


def speed_table(speeds: Sequence[PassSpeed], where: Column) -> FigureTable:
    """The passes in some rows each; `where` heads the place of a row."""
    rows: list[tuple[Cell, ...]] = []
    for speed in speeds:
        columns = speed.rows()
        for at, mean, low, high in zip(columns.x + speed.begin, columns.mean, columns.low, columns.high, strict=True):
            rows.append((speed.of.label, f"{at:,.1f}", f"{mean:,.0f}", f"{low:,.0f}", f"{high:,.0f}"))
    return FigureTable(
        table_note([speed.of for speed in speeds]),
        (
            column(message("figure-column-pass")),
            where,
            column(message("figure-column-mean"), _UNIT),
            column(message("figure-column-slowest-window"), _UNIT),
            column(message("figure-column-fastest-window"), _UNIT),
        ),
        tuple(rows),
    )


def speed_chart(speeds: Sequence[PassSpeed], x_title: str) -> LongChart:
    """All windows, as far as a browser can hold them."""
    note = long_note([speed.of for speed in speeds])
    y_title = axis_title(WRITE_BANDWIDTH, _UNIT)
    return LongChart(x_title, y_title, AxisScale.LINEAR, note, tuple(speed.series() for speed in speeds))
