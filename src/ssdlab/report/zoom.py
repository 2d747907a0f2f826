"""Zoomable charts of a page: their points, as many a line as there is room for, packed for the script that draws them."""

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab.figure.kit.decimate import extremes
from ssdlab.figure.kit.direction import seen
from ssdlab.figure.kit.layers import KEY_PREFIX
from ssdlab.figure.kit.model import LongChart, VegaLite, plots_of
from ssdlab.figure.kit.style import SERIES_INKS
from ssdlab.figure.kit.words import LONG_LIMIT
from ssdlab.message import Message, message, number

LEVELS = (LONG_LIMIT, 30_000, 20_000, 14_000, 10_000, 7_000, 5_000, 3_000)
"""Points a line may keep; the least is still more than a screen is wide."""
SHARED_ROOM_BYTES = 550_000
"""What the charts of a page of several runs may take together, so that it stays one to mail."""
_DIGITS = 5
"""Of each value: one more than is shown. The script reads just these, so the chart and the table it saves have the same numbers."""
_ROUNDED_BITS = 6
"""Of the 23 of a value's mantissa: 18 with the leading one are the fewest that tell any two numbers of five digits apart."""
_LEAST = 1e-30
"""Smaller values are nothing: 32-bit floats end soon after."""


@dataclass(frozen=True, slots=True)
class ChartMarks:
    """What the picture marks in its first plot, in the units of its axes, so that it stands in the zoomed chart as well."""

    places: tuple[Mapping[str, Any], ...] = ()
    """Levels from `x` to `x2`, points, and places without a `y`; each with its words."""
    shades: tuple[tuple[float, float], ...] = ()
    """Rests."""


NO_MARKS = ChartMarks()
_MARK_FIELDS = ("x", "x2", "y", "words")


def marks_of(spec: VegaLite) -> ChartMarks:
    """The described marks and the shaded stretches of the plot that the zoomed chart repeats."""
    layers = plots_of(spec)[0]["layer"]
    described = [row for layer in layers if layer["name"].startswith(KEY_PREFIX) for row in layer["data"]["values"]]
    shaded = [row for layer in layers if layer["name"].startswith("rest-shade") for row in layer["data"]["values"]]
    return ChartMarks(
        tuple({name: row[name] for name in _MARK_FIELDS if name in row} for row in described),
        tuple((row["x"], row["x2"]) for row in shaded),
    )


@dataclass(frozen=True, slots=True, eq=False)
class ZoomChart:
    """One chart of a page."""

    chart: LongChart
    room: "Room"
    marks: ChartMarks

    @property
    def note(self) -> str | Message:
        """Whether all windows are in it, or how they were thinned."""
        points_max = self.room.points_max
        if all(len(one.x) <= points_max for one in self.chart.series):
            return self.chart.note
        return message("report-zoom-thinned", slices=number(points_max // 2))

    @property
    def data(self) -> dict[str, Any]:
        """What the script needs, for JSON: lines, and the points of all of them in one text."""
        lines = _thinned(self.chart, self.room.points_max)
        return {
            "x": self.chart.x_title,
            "y": self.chart.y_title,
            "scale": self.chart.y_scale.value,
            "marks": self.marks.places,
            "shades": self.marks.shades,
            "series": [
                {
                    "label": seen(one.label),
                    "slot": (one.slot - 1) % len(SERIES_INKS) + 1,
                    "dash": one.dash,
                    "plot": one.plot,
                    "count": len(x),
                }
                for one, (x, _) in zip(self.chart.series, lines, strict=True)
            ],
            "points": base64.b64encode(packed(lines)).decode("ascii"),
        }


@dataclass(slots=True)
class Room:
    """All charts of a page; how far they are thinned is known once the last was added."""

    bytes_max: int | None
    """Absent for a page of one run, which has all points that its figures have."""
    charts: list[LongChart] = field(default_factory=list)
    _chosen: int = 0

    def add(self, chart: LongChart, marks: ChartMarks = NO_MARKS) -> ZoomChart:
        """A chart of the page; it can be read after the last one was added."""
        self.charts.append(chart)
        return ZoomChart(chart, self, marks)

    @property
    def points_max(self) -> int:
        """Of each line: the most with which all charts fit in."""
        if not self._chosen:
            self._chosen = next((level for level in LEVELS[:-1] if self._fits(level)), LEVELS[-1])
        return self._chosen

    def _fits(self, points_max: int) -> bool:
        if self.bytes_max is None:
            return True
        return sum(len(packed(_thinned(one, points_max))) for one in self.charts) * 4 / 3 <= self.bytes_max


Lines = list[tuple[NDArray[np.float64], NDArray[np.float64]]]


def _thinned(chart: LongChart, points_max: int) -> Lines:
    return [extremes(one.x, one.y, points_max) for one in chart.series]


def packed(lines: Lines) -> bytes:
    """Positions and values of each line as 32-bit floats, the first bytes of all of them first, deflated.

    Neighbours hardly differ in their first bytes, so those cost next to nothing.
    """
    parts = [_shuffled(part) for x, y in lines for part in (x.astype("<f4"), _rounded(y))]
    return zlib.compress(b"".join(parts), 6)


def _shuffled(values: NDArray[np.float32]) -> bytes:
    return values.view("u1").reshape(-1, 4).T.tobytes()


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float32]:
    bits = _in_digits(values).astype("<f4").view("<u4")
    half = np.uint32(1 << (_ROUNDED_BITS - 1))
    return ((bits + half) & np.uint32(~((1 << _ROUNDED_BITS) - 1) & 0xFFFFFFFF)).view("<f4")


def _in_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same with so many significant digits; none where there is none."""
    size = np.abs(values)
    power = _DIGITS - 1 - np.floor(np.log10(np.fmax(size, _LEAST)))
    scale = 10.0 ** np.abs(power)
    up = power >= 0
    rounded = np.where(up, np.round(values * np.where(up, scale, 1)) / scale, np.round(values / scale) * scale)
    return np.where(size < _LEAST, 0.0, rounded)
