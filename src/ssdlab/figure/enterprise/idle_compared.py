"""What idle time gives back to several drives (SNIA PTS, host idle recovery): a line a drive over the length of the wait."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IDLE_GAIN
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, axis_title, linear_axis
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers
from ssdlab.figure.kit.drives import DrawnRun, drives_of, subtitle_of
from ssdlab.figure.kit.idle_wait import waited_s
from ssdlab.figure.kit.limit_lines import LimitLine, limit_layers
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading, readings
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.message import message, number
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep, wait_point

_WHOLE = 100.0
"""The speed without a rest, in per cent of itself."""


@dataclass(frozen=True, slots=True)
class _Gain:
    """What one wait of one drive came to."""

    drive: DrawnRun
    waited_s: float
    """As the profile scaled it, or as it was measured."""
    found: MetricReading

    @property
    def words(self) -> str:
        """`Drive, 5 s idle: +12.3 %`."""
        value = self.found.words_of(f"{self.found.value:+,.1f} %")
        return say(
            message("figure-idle-beside-point", drive=self.drive.label, wait=_seconds(self.waited_s), value=value)
        )


def idle_recovery_compared(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """For each step one figure."""
    drives = drives_of(bundles)
    for step in suite_steps(bundles[0]):
        if isinstance(step, IdleRecoveryStep) and (gains := [one for drive in drives for one in _gains(step, drive)]):
            yield _figure(step, drives, gains)


def _gains(step: IdleRecoveryStep, drive: DrawnRun) -> Iterator[_Gain]:
    known = readings(drive.bundle)
    for wait_ns in step.waits_ns:
        point = wait_point(step, wait_ns)
        found = known.get(MetricKey(point, IDLE_GAIN))
        if found is not None:
            yield _Gain(drive, waited_s(drive.bundle, step, wait_ns), found)


def _figure(step: IdleRecoveryStep, drives: Sequence[DrawnRun], gains: Sequence[_Gain]) -> Figure:
    work = pattern_of_blocks_title(step.job.pattern, step.job.block_bytes)
    title = say(message("figure-idle-beside-title", work=work, depth=step.job.queue_depth * step.job.jobs))
    subtitle = subtitle_of([drive.bundle for drive in drives], [one.found.state for one in gains])
    curves = [curve for drive in drives if (curve := _curve(drive, gains)).points]
    return Figure(
        name=f"idle-recovery-{step.name}",
        title=title,
        subtitle=subtitle,
        caption=say(message("figure-idle-beside-caption")),
        spec=_spec(curves, title, subtitle, WIDE),
        narrow_spec=_spec(curves, title, subtitle, NARROW),
        table=_table(gains),
    )


def _curve(drive: DrawnRun, gains: Sequence[_Gain]) -> Curve:
    points = [
        CurvePoint(
            x=one.waited_s,
            y=_WHOLE + one.found.value,
            words=one.words,
            low=None if one.found.low is None else _WHOLE + one.found.low,
            high=None if one.found.high is None else _WHOLE + one.found.high,
            trust=Trust.DOUBTFUL if one.found.failed_checks else Trust.SETTLED,
        )
        for one in gains
        if one.drive is drive
    ]
    return Curve(drive.label, drive.slot, drive.rank, tuple(points))


def _spec(curves: Sequence[Curve], title: str, subtitle: tuple[str, ...], shape: PlotShape) -> dict[str, object]:
    x, y = _axes(curves, shape)
    text = say(message("figure-idle-beside-whole"))
    limits = [LimitLine(_WHOLE, text, text)]
    legend = layers.legend_above([curve.label for curve in curves], shape) if len(curves) > 1 else None
    drawn = [*limit_layers(limits, curves, x, y, shape, "whole"), *curve_layers(curves, x, y, shape, legend, "gains")]
    return figure_spec(shape, title, subtitle, say(message("figure-idle-beside-described", lines=len(curves))), drawn)


def _axes(curves: Sequence[Curve], shape: PlotShape) -> tuple[PlotAxis, PlotAxis]:
    points = [point for curve in curves for point in curve.points]
    ends = [end for one in points for end in (one.y, one.high) if end is not None]
    waited = axis_title(message("figure-idle-beside-wait"), "s")
    x = linear_axis(waited, max(one.x for one in points) * 1.03, shape.width_px, shape.x_ticks, round_up=True)
    speed = axis_title(message("figure-idle-beside-speed"), "%")
    return x, linear_axis(speed, max(_WHOLE, *ends) * 1.05, shape.height_px, shape.y_ticks, round_up=True)


def _table(gains: Sequence[_Gain]) -> FigureTable:
    """A row a drive and wait."""
    rows: list[tuple[Cell, ...]] = [
        (one.drive.label, _seconds(one.waited_s), one.found.marked(f"{one.found.value:+,.1f}")) for one in gains
    ]
    columns = (
        column(message("figure-drive")),
        column(message("figure-idle-column-wait")),
        column(message("figure-idle-column-gain"), "%"),
    )
    return FigureTable(say(message("figure-idle-table")), columns, tuple(rows))


def _seconds(waited_s: float) -> str:
    return say(message("figure-idle-wait", seconds=number(waited_s, ".3g")))
