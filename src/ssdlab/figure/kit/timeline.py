"""The time axis of a fill: passes one after the other, rests shaded between them."""

from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import AxisUnit, PlotAxis, axis_title, clock_unit, linear_axis
from ssdlab.figure.kit.passes import FillPass, PassGap, rests_between
from ssdlab.figure.kit.place import Align, Box, Placed, Spot, text_width_px
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.style import PlotShape
from ssdlab.message import message
from ssdlab.units import format_duration

_REST_LABEL_PX = 22


@dataclass(frozen=True, slots=True)
class Timeline:
    """A time axis in a figure of that shape, and the rests on it."""

    unit: AxisUnit
    x: PlotAxis
    shape: PlotShape
    rests: tuple[PassGap, ...]

    def _ends_px(self, rest: PassGap) -> tuple[float, float]:
        return float(self.x.px(rest.begin_ns / self.unit.factor)), float(self.x.px(rest.end_ns / self.unit.factor))

    def boxes(self) -> list[Box]:
        """The shaded stretches: no label but their own belongs there."""
        return [Box(left, 0, right, self.shape.height_px) for left, right in map(self._ends_px, self.rests)]

    def shades(self) -> list[layers.Layer]:
        """Only the shade of each rest, for a plot below the one that names them."""
        stretches = [(rest.begin_ns / self.unit.factor, rest.end_ns / self.unit.factor) for rest in self.rests]
        return layers.shades(stretches, self.x)

    def layers(self, y: PlotAxis) -> list[layers.Layer]:
        """Shade, grey line and label of each rest."""
        stretches = [(rest.begin_ns / self.unit.factor, rest.end_ns / self.unit.factor) for rest in self.rests]
        labels = layers.text_layers(self._labels(), self.x, y, self.shape, layers.Halo.NONE)
        return [*layers.shade_layers(stretches, self.x, y), *labels]

    def _labels(self) -> list[Placed]:
        """`rest 300 s` within each shaded stretch that has room for it, near the bottom where its grey line is."""
        labels = []
        for rest in self.rests:
            left, right = self._ends_px(rest)
            spot = Spot((left + right) / 2, self.shape.height_px - _REST_LABEL_PX, Align.CENTRE)
            words = (say(message("figure-rest")), format_duration(rest.end_ns - rest.begin_ns))
            for lines in ((" ".join(words),), words):
                if max(text_width_px(line, self.shape.font_px) for line in lines) + 6 < right - left:
                    labels.append(Placed(lines, spot))
                    break
        return labels


def timeline(bundle: Bundle, passes: tuple[FillPass, ...], shape: PlotShape) -> Timeline:
    """From the begin of the first pass to the end of the last."""
    unit = unit_of(passes)
    x = linear_axis(title(unit), passes[-1].end_ns / unit.factor, shape.width_px, shape.x_ticks, round_up=False)
    return Timeline(unit, x, shape, rests_between(bundle, passes))


def unit_of(passes: tuple[FillPass, ...]) -> AxisUnit:
    """Unit of the time axis."""
    return clock_unit(passes[-1].end_ns)


def title(unit: AxisUnit) -> str:
    """Title of the time axis."""
    return axis_title(message("figure-time-since-first-pass"), unit.label)


def rest_note(bundle: Bundle, passes: tuple[FillPass, ...]) -> str:
    """What the shaded stretch is; empty where there is none."""
    return say(message("figure-rests")) if rests_between(bundle, passes) else ""
