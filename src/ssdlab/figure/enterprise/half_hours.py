"""The last minutes of the half hours of a stream of writes, by which SNIA PTS calls a drive steady."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.infer.snia import SniaWindow, snia_window
from ssdlab.analysis.infer.steady import SNIA_ROUNDS
from ssdlab.analysis.metrics.half_hours import HalfHours, half_hours_of
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.rounds import cell_words
from ssdlab.figure.enterprise.snia_window import ToldWindow, window_caption, window_table
from ssdlab.figure.kit.axis import PlotAxis
from ssdlab.figure.kit.curves import Curve, CurvePoint, curve_layers, speed_axis
from ssdlab.figure.kit.drives import Rank, subtitle_of
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.readings import IOPS
from ssdlab.figure.kit.say import say, sentences
from ssdlab.figure.kit.steady_series import SteadyRun, ending_title, speed_title, steady_runs
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape, figure_spec
from ssdlab.figure.kit.subject import pattern_of_blocks_title
from ssdlab.job import DriveState
from ssdlab.message import duration, message
from ssdlab.method.draft import SteadyBy
from ssdlab.method.kinds.rounds import Cell

_TICKS = 10


def half_hours(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of the device under test, for each step that ends by the rule of SNIA PTS: its rounds, and the measurement window."""
    for run, *_ in steady_runs(bundles[:1]):
        if run.said.by is SteadyBy.SNIA:
            bundle = run.drive.bundle
            found = half_hours_of(bundle.run, run.series, bundle.result(run.step).stopped)
            if found.bytes_per_s:
                yield _figure(run, found)


def _figure(run: SteadyRun, found: HalfHours) -> Figure:
    job = run.job
    work = pattern_of_blocks_title(job.pattern, job.block_bytes)
    title = say(message("figure-half-hours-title", work=work, depth=job.in_flight))
    subtitle = (*subtitle_of([run.drive.bundle], [run.step.state]), ending_title(run))
    lasts = message("figure-half-hours-caption", round=duration(found.round_ns), sample=duration(found.sample_ns))
    state = DriveState.STEADY if run.is_steady else DriveState.NOT_STEADY
    values = _values(run, found)
    window = snia_window(values)
    told = [] if window is None else [ToldWindow(_label(run), len(values), window)]
    return Figure(
        name=f"half-hours-{run.said.name.replace('_', '-')}",
        title=title,
        subtitle=subtitle,
        caption=sentences(say(lasts), verdict_words(state, len(values), window)),
        spec=_spec(run, values, title, subtitle, WIDE),
        narrow_spec=_spec(run, values, title, subtitle, NARROW),
        table=window_table(told, run.unit),
    )


def verdict_words(state: DriveState, rounds: int, window: SniaWindow | None) -> str:
    """Whether the last five were flat; what ended the writing may have seen them less finely.

    Args:
        state: What the drive was called when it ended.
        rounds: How many there are.
        window: The last five.
    """
    if state is DriveState.STEADY and window is not None and not window.is_flat:
        return say(message("figure-half-hours-coarse", first=rounds - SNIA_ROUNDS + 1, last=rounds))
    return window_caption(rounds, state)


def _values(run: SteadyRun, found: HalfHours) -> list[float]:
    """In the unit of metrics."""
    per = run.job.block_bytes if run.unit is IOPS else 1
    return [one / per for one in found.bytes_per_s]


def _label(run: SteadyRun) -> str:
    return cell_words(Cell(0, run.job.block_bytes))


def _spec(
    run: SteadyRun, values: Sequence[float], title: str, subtitle: tuple[str, ...], shape: PlotShape
) -> dict[str, object]:
    curves = [_curve(run, values)]
    ticks = tuple(float(one) for one in range(1, len(values) + 1, -(-len(values) // _TICKS)))
    x = PlotAxis(say(message("figure-round")), 0.8, len(values) + 0.2, ticks, shape.width_px)
    y = speed_axis(speed_title(run), run.unit, curves, shape, shape.height_px)
    described = say(message("figure-rounds-described", lines=len(curves)))
    return figure_spec(shape, title, subtitle, described, curve_layers(curves, x, y, shape, None, "rounds"))


def _curve(run: SteadyRun, values: Sequence[float]) -> Curve:
    label, unit = _label(run), run.unit
    points = [
        CurvePoint(
            x=place,
            y=value / unit.factor,
            words=say(
                message("figure-round-point", cell=label, round=place, value=f"{value / unit.factor:,.0f} {unit.label}")
            ),
        )
        for place, value in enumerate(values, start=1)
    ]
    return Curve(label, 1, Rank.COMPARED, tuple(points))
