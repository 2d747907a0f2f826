"""What is asked of a drive next, until its answers to all demands are steady, and which three operating points are looked at closely (SNIA PTS)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssdlab.analysis.infer.snia import SniaWindow, snia_window
from ssdlab.analysis.infer.steady import SNIA_ROUNDS
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.engine.result import Series
from ssdlab.method.kinds.demand import (
    Asked,
    Demand,
    DemandOfRound,
    DemandStep,
    Operating,
    OperatingPoint,
    Saturation,
    least_of,
    most_of,
)
from ssdlab.units import NS_PER_S


@dataclass(frozen=True, slots=True)
class DemandAnswer:
    """What a drive did when so much was asked."""

    iops: float
    response_ns: float
    """Mean, with the submission."""


@dataclass(frozen=True, slots=True)
class DemandsShown:
    """All that was measured so far."""

    saturation: tuple[float, ...] = ()
    """I/Os a second at the beginning of each round of writes."""
    rounds: tuple[Mapping[Demand, DemandAnswer], ...] = ()
    """Only the last may be unfinished."""
    points: int = 0
    """Operating points that are done."""

    def tracked(self, most: Demand) -> list[float]:
        """Rates with the most in flight, of each round that has it."""
        return [one[most].iops for one in self.rounds if most in one]


def is_flat(values: Sequence[float]) -> bool:
    """Whether the last five are."""
    window = snia_window(values)
    return window is not None and window.is_flat


def window_of_demand(shown: DemandsShown, most: Demand) -> SniaWindow | None:
    """The last five rounds of what is tracked; None before there are so many."""
    return snia_window(shown.tracked(most))


def next_asked(step: DemandStep, demands: Sequence[Demand], rounds_max: int, shown: DemandsShown) -> Asked | None:
    """What comes after these; None once all is done.

    Args:
        step: As the suite says it.
        demands: Of a round, in order.
        rounds_max: Of writes, and then of measurements.
        shown: What was measured.
    """
    if not shown.rounds and len(shown.saturation) < rounds_max and not is_flat(shown.saturation):
        return Saturation(len(shown.saturation) + 1)
    if shown.rounds and len(shown.rounds[-1]) < len(demands):
        done = shown.rounds[-1]
        return DemandOfRound(len(shown.rounds), next(one for one in demands if one not in done))
    if len(shown.rounds) < rounds_max and not is_flat(shown.tracked(most_of(step))):
        return DemandOfRound(len(shown.rounds) + 1, demands[0])
    points = operating_points(step, means_of(shown.rounds))
    return points[shown.points] if shown.points < len(points) else None


def means_of(rounds: Sequence[Mapping[Demand, DemandAnswer]]) -> dict[Demand, DemandAnswer]:
    """Of the last five rounds, each of which counts alike."""
    window = rounds[-SNIA_ROUNDS:]
    return {
        demand: DemandAnswer(
            sum(one[demand].iops for one in window) / len(window),
            sum(one[demand].response_ns for one in window) / len(window),
        )
        for demand in window[0]
        if all(demand in one for one in window)
    }


def operating_points(step: DemandStep, means: Mapping[Demand, DemandAnswer]) -> tuple[OperatingPoint, ...]:
    """The highest rate within the limit, the middle, the least that is asked; the last alone where no other keeps the limit."""
    least = least_of(step)
    within = [one for one, answer in means.items() if 0 < answer.response_ns < step.response_ns]
    lowest = OperatingPoint(Operating.MIN, least)
    if not within:
        return (lowest,)
    most = max(within, key=lambda one: means[one].iops)
    middle_iops = (means[most].iops + means[least].iops) / 2
    middle = min(within, key=lambda one: abs(means[one].iops - middle_iops))
    return OperatingPoint(Operating.MAX, most), OperatingPoint(Operating.MID, middle), lowest


def taken(shown: DemandsShown, what: Asked, answer: DemandAnswer) -> DemandsShown:
    """With one measurement more; of a round of writes only its rate is kept."""
    match what:
        case Saturation():
            return replace(shown, saturation=(*shown.saturation, answer.iops))
        case DemandOfRound(round=place, demand=demand):
            before = shown.rounds[: place - 1]
            last = shown.rounds[place - 1] if len(shown.rounds) >= place else {}
            return replace(shown, rounds=(*before, {**last, demand: answer}))
        case OperatingPoint():
            return replace(shown, points=shown.points + 1)


def first_iops(series: Sequence[Series], sample_ns: int) -> float:
    """I/Os a second in the first stretch of that length, all directions together."""
    done = 0.0
    for one in series:
        curve = WrittenCurve()
        curve.append(one.time_ns, one.iops * one.duration_ns / NS_PER_S)
        lasted_s = min(sample_ns / NS_PER_S, curve.end_s)
        done += float(curve.bytes_at(np.asarray(lasted_s, dtype=np.float64))) / lasted_s if lasted_s else 0.0
    return done
