"""Write amplification over skew, measured beside theory (METHODS A)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import WAF_COUNTED, WAF_IMPLIED, WAF_MIXED, WAF_SEPARATED, Quantity
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit import layers
from ssdlab.figure.kit.axis import PlotAxis, linear_axis
from ssdlab.figure.kit.curves import Curve, CurvePoint, Trust, curve_layers
from ssdlab.figure.kit.drives import DrawnRun, Rank, drives_of, subtitle_of
from ssdlab.figure.kit.model import Cell, Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading, readings
from ssdlab.figure.kit.say import column, say
from ssdlab.figure.kit.style import NARROW, WIDE, Panel, PlotShape, panel_width_px, panels_spec
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.job import Access, DriveState, Zipf
from ssdlab.message import Message, message, number
from ssdlab.method.kinds.write_amplification import (
    WriteAmplificationStep,
    WritePattern,
    pattern_point,
    patterns_of,
)

TITLE = message("figure-waf-title")
_STEPS = {WIDE: 4, NARROW: 4}


class _Family(Enum):
    """Patterns that differ in one number; uniform writes are where each begins."""

    HOT = "hot"
    COLD = "cold"
    ZIPF = "zipf"


_TITLES: Mapping[_Family, Message] = {
    _Family.HOT: message("figure-waf-hot"),
    _Family.COLD: message("figure-waf-cold"),
    _Family.ZIPF: message("figure-waf-zipf"),
}
_AXES: Mapping[_Family, Message] = {
    _Family.HOT: message("figure-waf-axis-hot"),
    _Family.COLD: message("figure-waf-axis-cold"),
    _Family.ZIPF: message("figure-waf-axis-zipf"),
}
_UNIFORM_AT = {_Family.HOT: 50.0, _Family.COLD: 0.0, _Family.ZIPF: 0.0}
_END_AT = {_Family.HOT: 100.0, _Family.COLD: 100.0, _Family.ZIPF: 1.0}


@dataclass(frozen=True, slots=True, eq=False)
class _PatternShown:
    """One pattern on one drive."""

    drive: DrawnRun
    pattern: WritePattern
    state: DriveState
    measured: MetricReading
    mixed: MetricReading | None
    separated: MetricReading | None


def write_amplification(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """A plot a family of patterns. One drive: measured beside theory. Several: a line a drive."""
    drives = drives_of(bundles)
    for step in suite_steps(bundles[0]):
        if isinstance(step, WriteAmplificationStep):
            shown = [one for drive in drives for one in _of_drive(step, drive)]
            families = [family for family in _Family if any(_family(one.pattern.access) is family for one in shown)]
            if shown and families:
                yield _figure(step, shown, families, bundles)


def _of_drive(step: WriteAmplificationStep, drive: DrawnRun) -> Iterator[_PatternShown]:
    known = readings(drive.bundle)
    for pattern in patterns_of(step):
        point = pattern_point(step, pattern)
        measured = known.get(MetricKey(point, WAF_COUNTED)) or known.get(MetricKey(point, WAF_IMPLIED))
        if measured is not None:
            mixed, separated = (known.get(MetricKey(point, quantity)) for quantity in (WAF_MIXED, WAF_SEPARATED))
            yield _PatternShown(drive, pattern, measured.state, measured, mixed, separated)


def _family(access: Access | None) -> _Family | None:
    """None of uniform writes, which belong to all."""
    if access is None:
        return None
    if isinstance(access, Zipf):
        return _Family.ZIPF
    return _Family.HOT if all(one.ios_percent for one in access.zones) else _Family.COLD


def _at(pattern: WritePattern, family: _Family) -> float | None:
    """Where it lies on the axis of that family; None where it is of another."""
    access = pattern.access
    if access is None:
        return _UNIFORM_AT[family]
    if _family(access) is not family:
        return None
    if isinstance(access, Zipf):
        return access.exponent
    first = access.zones[0]
    return float(first.ios_percent if family is _Family.HOT else first.blocks_percent)


def _figure(
    step: WriteAmplificationStep, shown: Sequence[_PatternShown], families: Sequence[_Family], bundles: Sequence[Bundle]
) -> Figure:
    subtitle = subtitle_of(bundles, [one.state for one in shown])
    return Figure(
        name=step.name.replace("_", "-"),
        title=say(TITLE),
        subtitle=subtitle,
        caption=say(message("figure-waf-caption")),
        spec=_spec(shown, families, subtitle, WIDE),
        narrow_spec=_spec(shown, families, subtitle, NARROW),
        table=_table(shown),
    )


def _curves(shown: Sequence[_PatternShown], family: _Family) -> list[Curve]:
    drives = list({one.drive.label: one.drive for one in shown}.values())
    measured = [Curve(drive.label, drive.slot, drive.rank, _measured_points(shown, drive, family)) for drive in drives]
    if len(drives) > 1:
        return measured
    own = Curve(say(message("figure-waf-measured")), 1, Rank.UNDER_TEST, measured[0].points)
    mixed = _theory_points(shown, family, WAF_MIXED)
    separated = _theory_points(shown, family, WAF_SEPARATED)
    return [
        own,
        Curve(say(message("figure-waf-mixed")), 2, Rank.COMPARED, mixed),
        Curve(say(message("figure-waf-separated")), 3, Rank.COMPARED, separated),
    ]


def _measured_points(shown: Sequence[_PatternShown], drive: DrawnRun, family: _Family) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(
            x=at,
            y=one.measured.value,
            words=_point_words(drive.label, one.pattern, one.measured.words),
            low=one.measured.low,
            high=one.measured.high,
            trust=_trust(one),
        )
        for one in shown
        if one.drive is drive and (at := _at(one.pattern, family)) is not None
    )


def _trust(one: _PatternShown) -> Trust:
    is_settled = one.state is DriveState.STEADY and not one.measured.failed_checks
    return Trust.SETTLED if is_settled else Trust.DOUBTFUL


def _theory_points(shown: Sequence[_PatternShown], family: _Family, quantity: Quantity) -> tuple[CurvePoint, ...]:
    named = say(message("figure-waf-mixed") if quantity == WAF_MIXED else message("figure-waf-separated"))
    return tuple(
        CurvePoint(x=at, y=found.value, words=_point_words(named, one.pattern, found.text))
        for one in shown
        if (at := _at(one.pattern, family)) is not None
        and (found := one.mixed if quantity == WAF_MIXED else one.separated) is not None
    )


def _point_words(name: str, pattern: WritePattern, value: str) -> str:
    return say(message("figure-waf-point", name=name, pattern=_pattern_words(pattern), value=value))


def _pattern_words(pattern: WritePattern) -> Message:
    access = pattern.access
    if access is None:
        return message("figure-waf-pattern-uniform")
    if isinstance(access, Zipf):
        return message("figure-waf-pattern-zipf", exponent=number(access.exponent, "g"))
    first = access.zones[0]
    if _family(access) is _Family.COLD:
        return message("figure-waf-pattern-cold", percent=first.blocks_percent)
    return message("figure-waf-pattern-hot", writes=first.ios_percent, blocks=first.blocks_percent)


def _spec(
    shown: Sequence[_PatternShown], families: Sequence[_Family], subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    width_px, height_px = panel_width_px(shape, len(families)), shape.height_px
    plots = {family: _curves(shown, family) for family in families}
    points = [point for curves in plots.values() for curve in curves for point in curve.points]
    ends = [end for one in points for end in (one.y, one.high) if end is not None]
    y = linear_axis(say(message("figure-waf-axis")), max(ends) * 1.02, height_px, shape.y_ticks, round_up=True)
    labels = [curve.label for curve in plots[families[0]]]
    legend = layers.legend_above(labels, shape) if len(labels) > 1 else None
    panels = [
        Panel(
            say(_TITLES[family]),
            width_px,
            height_px,
            curve_layers(
                plots[family], _skew_axis(family, plots[family], width_px, shape), y, shape, legend, f"plot{place}"
            ),
        )
        for place, family in enumerate(families)
    ]
    described = say(message("figure-waf-described", lines=len(labels)))
    return panels_spec(shape, say(TITLE), subtitle, described, panels)


def _skew_axis(family: _Family, curves: Sequence[Curve], length_px: int, shape: PlotShape) -> PlotAxis:
    """Two zones begin with half of the writes for half of the blocks, which is uniform."""
    end = max(_END_AT[family], *(point.x for curve in curves for point in curve.points))
    axis = linear_axis(say(_AXES[family]), end, length_px, _STEPS[shape], round_up=True)
    if family is not _Family.HOT:
        return axis
    begin = _UNIFORM_AT[family]
    return replace(axis, low=begin, ticks=tuple(float(at) for at in range(int(begin), 101, 10)))


def _table(shown: Sequence[_PatternShown]) -> FigureTable:
    rows: list[tuple[Cell, ...]] = [
        (
            one.drive.label,
            say(_pattern_words(one.pattern)),
            one.measured.marked_text,
            "" if one.mixed is None else one.mixed.text,
            "" if one.separated is None else one.separated.text,
        )
        for one in shown
    ]
    titles = (
        column(message("figure-drive")),
        column(message("figure-waf-column-pattern")),
        column(message("figure-waf-measured")),
        column(message("figure-waf-mixed")),
        column(message("figure-waf-separated")),
    )
    return FigureTable(say(message("figure-waf-table")), titles, tuple(rows))
