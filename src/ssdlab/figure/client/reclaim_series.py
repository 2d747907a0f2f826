"""Speed over time after each rest of a reclaim: where the won cache ends (METHODS C8)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle import layout
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.axis import axis_title
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.model import AxisScale, Figure
from ssdlab.figure.kit.over_time import OverTimeLine, OverTimePlot, OverTimeWords, over_time_figure
from ssdlab.figure.kit.passes import with_last_joined
from ssdlab.figure.kit.readings import MIB_PER_S
from ssdlab.figure.kit.say import say, sentences
from ssdlab.figure.kit.style import SERIES_INKS
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.job import StepKind
from ssdlab.message import commas, message, number
from ssdlab.method.kinds.reclaim import ReclaimStep
from ssdlab.point import Point
from ssdlab.units import MIB, NS_PER_S

_SPEED = message("figure-write-bandwidth")


def reclaim_series(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of each run a figure for each step of that kind, a line a rest."""
    for bundle in bundles:
        for said in suite_steps(bundle):
            if isinstance(said, ReclaimStep):
                written = _written(bundle, said)
                if written:
                    yield _figure(bundle, said, written)


def _written(bundle: Bundle, said: ReclaimStep) -> dict[float, Step]:
    """The writes after the rests that kept their windows, by the length of the rest in seconds, the shortest first."""
    steps = [one for one in bundle.finished() if one.group == said.name]
    rests: dict[Point, float] = {one.point: one.rest_ns / NS_PER_S for one in steps if _is_rest_before(one)}
    found = {
        rests[one.point]: one
        for one in steps
        if one.kind is StepKind.MEASURE and one.point in rests and bundle.holds(one, layout.SERIES)
    }
    return dict(sorted(found.items()))


def _is_rest_before(step: Step) -> bool:
    """The rest between the fill and the write, not those that the method has between steps."""
    return step.kind is StepKind.REST and step.name == f"{step.point.name}.rest"


def _figure(bundle: Bundle, said: ReclaimStep, written: dict[float, Step]) -> Figure:
    shown = _as_many_as_colours(list(written))
    lines = [_line(slot, rest_s, bundle, written[rest_s]) for slot, rest_s in enumerate(shown, 1)]
    name = "reclaim-series" if said.name == "reclaim" else f"reclaim-series-{said.name.replace('_', '-')}"
    left_out = [_rest(rest_s) for rest_s in written if rest_s not in shown]
    not_drawn = "" if not left_out else say(message("figure-reclaim-series-left-out", rests=commas(*left_out)))
    words = OverTimeWords(
        name=name,
        title=say(message("figure-reclaim-series-title")),
        subtitle=subtitle_of([bundle], [one.state for one in written.values()]),
        caption=sentences(say(message("figure-reclaim-series-caption")), not_drawn),
        time=message("figure-time-since-rest"),
    )
    plot = OverTimePlot(_SPEED, axis_title(_SPEED, MIB_PER_S.label), AxisScale.LINEAR, tuple(lines))
    return over_time_figure([plot], words, max(float(line.time_ns[-1]) for line in lines))


def _as_many_as_colours(rests_s: Sequence[float]) -> Sequence[float]:
    """The shortest, and of the others the longest: lines of one colour could not be told apart."""
    most = len(SERIES_INKS)
    return rests_s if len(rests_s) <= most else [rests_s[0], *rests_s[1 - most :]]


def _line(slot: int, rest_s: float, bundle: Bundle, step: Step) -> OverTimeLine:
    series = with_last_joined(bundle.series(step, Direction.WRITE))
    middle_ns = series.time_ns - series.duration_ns / 2
    return OverTimeLine(_rest(rest_s), slot, middle_ns, series.bandwidth_bytes_per_s / MIB)


def _rest(rest_s: float) -> str:
    return say(message("figure-rest-of", seconds=number(rest_s, ".3g")))
