"""A twin held against runs of its drive: the same suites are run on it, and every metric is compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log
from pathlib import Path

import numpy as np

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Check, Metric
from ssdlab.bundle.quantities import BANDWIDTH_P1, CLAT, LAT, LATE, RESPONSE, SILENCE
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.errors import SsdlabError
from ssdlab.job import StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.message import Message, message, number, verbatim
from ssdlab.method.suite import parse_suite
from ssdlab.point import Point
from ssdlab.probe.store.reader import is_probed
from ssdlab.scratch import Scratch
from ssdlab.twin.acts import distrusted
from ssdlab.twin.errors import Errors, Kind, errors_of
from ssdlab.twin.on_twin import run_on
from ssdlab.twin.one_drive import require_finished, require_one_drive
from ssdlab.unknown import Unknown

_COMPARED = {"1/s", "B/s", "ns", "s"}
_OF_HOST = {SILENCE, LATE}
"""What the host does between two I/Os is nothing that a drive, or its twin, could be held to."""
_OF_MANY = {CLAT, LAT, RESPONSE, BANDWIDTH_P1}
"""Percentiles, which there are only where enough lies beyond them: the faster of two drives has more I/Os in the same time, and fewer windows."""
_UNEVEN = 2.0
"""Times the scatter of the twin's windows that a drive's has to be to be called another."""
_SCATTER_MIN = 0.005
_TAIL = 1.5
"""Times the ratio of 99.9th percentile to median that the drive's has to be, or the twin's."""


class TwinGrade(Enum):
    """How far a twin can be trusted, by the errors that were seen."""

    A = "A"
    """Half of the metrics within 5 %, nine of ten within 15 %."""
    B = "B"
    """10 % and 30 %."""
    C = "C"
    """25 % in the median."""
    NONE = "none"


_GRADES = {TwinGrade.A: (0.05, 0.15), TwinGrade.B: (0.10, 0.30), TwinGrade.C: (0.25, float("inf"))}


@dataclass(frozen=True, slots=True)
class TwinMetric:
    """One metric of the drive and of the twin."""

    key: MetricKey
    unit: str
    measured: float
    twin: float

    @property
    def kind(self) -> Kind:
        """What kind of quantity it is."""
        if self.unit != "ns":
            return Kind.SPEED
        far = self.key.percent is not None and float(self.key.percent) >= 90
        return Kind.TAIL if far and self.key.quantity in {CLAT, LAT} else Kind.LATENCY

    @property
    def share(self) -> float:
        """By how much the twin's is larger, as a share of what was measured."""
        return self.twin / self.measured - 1


class TwinSide(Enum):
    """Which of the two."""

    DRIVE = "drive"
    TWIN = "twin"


@dataclass(frozen=True, slots=True)
class LoneMetric:
    """A number that only one of the two has.

    Attributes:
        side: Which has it.
        reason: Why the other does not.
    """

    key: MetricKey
    unit: str
    side: TwinSide
    value: float
    reason: Message


@dataclass(frozen=True, slots=True, eq=False)
class CheckedRun:
    """One run and its repetition on the twin.

    Attributes:
        bundle: Of the drive.
        compared: Metrics that both have.
        lone: Metrics that one of them has of a point that both have.
        unasked: Points that one of them has: a search goes on by what it has found.
        apart: What of the drive the model, or this twin, does not express, as seen in this run.
    """

    bundle: Bundle
    compared: tuple[TwinMetric, ...]
    lone: tuple[LoneMetric, ...]
    unasked: tuple[Point, ...]
    apart: tuple[Message, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TwinCheck:
    """A twin held against runs."""

    runs: tuple[CheckedRun, ...]
    passed_over: tuple[Bundle, ...]
    """Of probes, which have no metrics."""
    distrusted: tuple[Check, ...]
    """Failed checks of what was therefore not compared."""

    def errors(self) -> Mapping[Kind | None, Errors]:
        """Of metrics that both have: by kind, and of all together under None."""
        all_of_it = [one for run in self.runs for one in run.compared]
        parts: dict[Kind | None, list[float]] = {kind: [] for kind in (None, *Kind)}
        for one in all_of_it:
            parts[None].append(one.share)
            parts[one.kind].append(one.share)
        return {kind: found for kind, shares in parts.items() if (found := errors_of(shares)) is not None}

    @property
    def grade(self) -> TwinGrade:
        """By all metrics together; what only one of the two has is off by more than any bound."""
        shares = [one.share for run in self.runs for one in run.compared]
        found = errors_of([*shares, *(float("inf") for run in self.runs for _ in run.lone)])
        if found is None:
            return TwinGrade.NONE
        return next(
            (grade for grade, (half, most) in _GRADES.items() if found.median <= half and found.most <= most),
            TwinGrade.NONE,
        )


def check_twin(bundles: Sequence[Bundle], twin: str) -> TwinCheck:
    """Run the suites of the bundles on a twin, in virtual time, and compare.

    Args:
        bundles: Finished runs of the drive.
        twin: Path of its specification.

    Raises:
        SsdlabError: A run is not finished, the runs are not of one drive, the suite of one cannot be run on the twin, or the twin is
            no possible drive.
    """
    require_finished(bundles)
    require_one_drive(bundles)
    suites = [bundle for bundle in bundles if not is_probed(bundle)]
    return TwinCheck(
        tuple(_checked(bundle, twin) for bundle in suites),
        tuple(one for one in bundles if is_probed(one)),
        distrusted(suites),
    )


def _checked(bundle: Bundle, twin: str) -> CheckedRun:
    scratch = Scratch()
    try:
        again = _run_again(bundle, twin, scratch.path)
        compared = tuple(compared_metrics(bundle.metrics, again.metrics))
        lone = tuple(lone_metrics(bundle.metrics, again.metrics))
        unasked = sorted(_points(bundle) ^ _points(again), key=lambda point: point.name)
        return CheckedRun(bundle, compared, lone, tuple(unasked), tuple(_apart(bundle, again)))
    finally:
        scratch.close()


def _points(bundle: Bundle) -> set[Point]:
    return {metric.key.point for metric in bundle.metrics}


def _run_again(bundle: Bundle, twin: str, lab: Path) -> Bundle:
    run = bundle.run
    suite = parse_suite(run.suite.text, run.suite.name)
    with open_bench(f"model:{twin}") as bench:
        if bench.drive.identity.capacity_bytes != run.drive.capacity_bytes:
            raise SsdlabError(message("twin-other-size", run=str(bundle.path)), message("twin-hint-one-drive"))
        return run_on(bench, suite, run.profile, run.seed, lab)


def compared_metrics(measured: Sequence[Metric], twin: Sequence[Metric]) -> Iterator[TwinMetric]:
    """Speeds and times that both have; shares, counts and words are no such numbers, and what failed a check is nothing to be held against."""
    others = {metric.key: metric for metric in twin}
    for metric in filter(_is_compared, measured):
        other = others.get(metric.key)
        value, again = _number(metric), None if other is None else _number(other)
        if value and again is not None:
            yield TwinMetric(metric.key, metric.unit, value, again)


def lone_metrics(measured: Sequence[Metric], twin: Sequence[Metric]) -> Iterator[LoneMetric]:
    """Speeds and times that only one of the two has, although both have measured there."""
    of_drive, of_twin = ({metric.key: metric for metric in metrics} for metrics in (measured, twin))
    both = {key.point for key in of_drive} & {key.point for key in of_twin}
    for key in dict.fromkeys((*of_drive, *of_twin)):
        sides = {TwinSide.DRIVE: of_drive.get(key), TwinSide.TWIN: of_twin.get(key)}
        if key.point not in both or key.quantity in _OF_MANY:
            continue
        if not all(one is None or _is_compared(one) for one in sides.values()):
            continue
        having = {side: one for side, one in sides.items() if one is not None and _number(one) is not None}
        if len(having) == 1:
            ((side, metric),) = having.items()
            other = sides[TwinSide.TWIN if side is TwinSide.DRIVE else TwinSide.DRIVE]
            yield LoneMetric(key, metric.unit, side, _number(metric) or 0.0, _why_not(other))


def _is_compared(metric: Metric) -> bool:
    return metric.unit in _COMPARED and metric.key.quantity not in _OF_HOST and not metric.failed_checks


def _why_not(metric: Metric | None) -> Message:
    if metric is None:
        return message("twin-no-such-metric")
    return metric.value.reason if isinstance(metric.value, Unknown) else verbatim(str(metric.value))


def _number(metric: Metric) -> float | None:
    value = metric.value
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _apart(bundle: Bundle, again: Bundle) -> Iterator[Message]:
    """What differs in kind, not in size."""
    yield from _words_apart(bundle, again)
    yield from _scatter_apart(bundle, again)
    yield from _tails_apart(bundle, again)


def _words_apart(bundle: Bundle, again: Bundle) -> Iterator[Message]:
    others = {metric.key: metric for metric in again.metrics}
    for metric in bundle.metrics:
        other = others.get(metric.key)
        if not isinstance(metric.value, str) or (other is not None and other.value == metric.value):
            continue
        if other is not None and isinstance(other.value, str):
            yield message("twin-apart-word", metric=metric.name, drive=metric.value, twin=other.value)
        else:
            reason = _why_not(other)
            yield message("twin-apart-no-word", metric=metric.name, drive=metric.value, reason=reason)


def _scatter_apart(bundle: Bundle, again: Bundle) -> Iterator[Message]:
    """From window to window, in the fills."""
    for step in bundle.finished():
        if step.kind is StepKind.FILL and step.job is not None:
            drive, twin = _scatter(bundle, step.name), _scatter(again, step.name)
            if drive > _UNEVEN * max(twin, _SCATTER_MIN):
                ours, theirs = number(100 * drive, ".1f"), number(100 * twin, ".1f")
                yield message("twin-apart-scatter", step=step.name, drive=ours, twin=theirs)


def _scatter(bundle: Bundle, name: str) -> float:
    """Standard deviation of the logarithm of the speed of a window, by the median change from one to the next."""
    rates = bundle.series(bundle.step(name), Direction.WRITE).bandwidth_bytes_per_s
    rates = rates[rates > 0]
    if len(rates) < 4:
        return 0.0
    return float(np.median(np.abs(np.diff(np.log(rates)))) / (0.6745 * np.sqrt(2)))


def _tails_apart(bundle: Bundle, again: Bundle) -> Iterator[Message]:
    ours, theirs = dict(_tails(bundle)), dict(_tails(again))
    far = {name: (one, theirs[name]) for name, one in ours.items() if name in theirs}
    worst = max(far, key=lambda name: abs(log(far[name][0] / far[name][1])), default=None)
    if worst is None:
        return
    drive, twin = far[worst]
    if max(drive / twin, twin / drive) > _TAIL:
        apart = [name for name, (one, other) in far.items() if max(one / other, other / one) > _TAIL]
        yield message(
            "twin-apart-tail",
            point=worst,
            count=len(apart),
            of=len(far),
            drive=number(drive, ".1f"),
            twin=number(twin, ".1f"),
        )


def _tails(bundle: Bundle) -> Iterator[tuple[str, float]]:
    """99.9th percentile over median."""
    found = {
        (metric.key.point.name, metric.key.direction, metric.key.percent): value
        for metric in bundle.metrics
        if metric.key.quantity == CLAT and (value := _number(metric))
    }
    for (point, direction, percent), value in found.items():
        middle = found.get((point, direction, "50"))
        if percent == "99.9" and middle:
            yield point if direction is None else f"{point}.{direction.value}", value / middle
