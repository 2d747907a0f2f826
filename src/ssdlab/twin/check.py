"""A twin held against runs of its drive: the same suites are run on it, and every metric is compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log
from pathlib import Path

import numpy as np

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import CLAT, LAT
from ssdlab.bundle.read import Bundle
from ssdlab.engine.base import Progress
from ssdlab.engine.result import Direction
from ssdlab.errors import SsdlabError
from ssdlab.job import StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.display import Ending
from ssdlab.lab.run import execute
from ssdlab.message import Message, message, number
from ssdlab.method.plan import Plan, PlannedStep, expand
from ssdlab.method.suite import parse_suite
from ssdlab.probe.store.reader import is_probed
from ssdlab.scratch import Scratch
from ssdlab.twin.errors import Errors, Kind, errors_of
from ssdlab.twin.one_drive import require_finished, require_one_drive

_COMPARED = {"1/s", "B/s", "ns", "s"}
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


@dataclass(frozen=True, slots=True, eq=False)
class CheckedRun:
    """One run and its repetition on the twin.

    Attributes:
        bundle: Of the drive.
        compared: Metrics that both have.
        apart: What of the drive the model, or this twin, does not express, as seen in this run.
    """

    bundle: Bundle
    compared: tuple[TwinMetric, ...]
    apart: tuple[Message, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TwinCheck:
    """A twin held against runs."""

    runs: tuple[CheckedRun, ...]
    passed_over: tuple[Bundle, ...]
    """Of probes, which have no metrics."""

    def errors(self) -> Mapping[Kind | None, Errors]:
        """By kind, and of all together under None."""
        all_of_it = [one for run in self.runs for one in run.compared]
        parts: dict[Kind | None, list[float]] = {kind: [] for kind in (None, *Kind)}
        for one in all_of_it:
            parts[None].append(one.share)
            parts[one.kind].append(one.share)
        return {kind: found for kind, shares in parts.items() if (found := errors_of(shares)) is not None}

    @property
    def grade(self) -> TwinGrade:
        """By all metrics together."""
        found = self.errors().get(None)
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
        tuple(_checked(bundle, twin) for bundle in suites), tuple(one for one in bundles if is_probed(one))
    )


def _checked(bundle: Bundle, twin: str) -> CheckedRun:
    scratch = Scratch()
    try:
        again = _run_again(bundle, twin, scratch.path)
        compared = tuple(compared_metrics(bundle.metrics, again.metrics))
        return CheckedRun(bundle, compared, tuple(_apart(bundle, again)))
    finally:
        scratch.close()


def _run_again(bundle: Bundle, twin: str, lab: Path) -> Bundle:
    run = bundle.run
    suite = parse_suite(run.suite.text, run.suite.name)
    with open_bench(f"model:{twin}") as bench:
        if bench.drive.identity.capacity_bytes != run.drive.capacity_bytes:
            raise SsdlabError(message("twin-other-size", run=str(bundle.path)), message("twin-hint-one-drive"))
        plan = expand(suite, run.profile, bench.drive.identity, run.seed)
        return execute(plan, bench, lab, _Unwatched())


class _Unwatched:
    """Nobody watches a repetition."""

    def run_starts(self, plan: Plan, bundle: Path) -> None:
        pass

    def step_starts(self, step: PlannedStep) -> None:
        pass

    def progress(self, step: PlannedStep, progress: Progress) -> None:
        pass

    def step_ends(self, step: PlannedStep, ending: Ending, words: Message) -> None:
        pass

    def warning(self, text: Message) -> None:
        pass


def compared_metrics(measured: Sequence[Metric], twin: Sequence[Metric]) -> Iterator[TwinMetric]:
    """Speeds and times that both have; shares, counts and words are no such numbers."""
    others = {metric.key: metric for metric in twin}
    for metric in measured:
        other = others.get(metric.key)
        if other is None or metric.unit not in _COMPARED:
            continue
        value, again = _number(metric), _number(other)
        if value and again is not None:
            yield TwinMetric(metric.key, metric.unit, value, again)


def _number(metric: Metric) -> float | None:
    value = metric.value
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _apart(bundle: Bundle, again: Bundle) -> Iterator[Message]:
    """What differs in kind, not in size."""
    yield from _words_apart(bundle, again)
    yield from _scatter_apart(bundle, again)
    yield from _tails_apart(bundle, again)


def _words_apart(bundle: Bundle, again: Bundle) -> Iterator[Message]:
    others = {metric.key: metric.value for metric in again.metrics}
    for metric in bundle.metrics:
        if isinstance(metric.value, str) and (other := others.get(metric.key)) != metric.value:
            yield message("twin-apart-word", metric=metric.name, drive=metric.value, twin=str(other))


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
