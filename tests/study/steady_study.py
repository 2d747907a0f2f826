"""When streams that are hard to judge are called steady, and how wrong it is to measure then.

`uv run python -m tests.study.steady_study [FAMILY [COUNT]]`
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from tests.kit.adverse_dynamics import CAPACITY_BYTES, AdverseStream, adverse_stream

from ssdlab.analysis.infer.steady import Criterion, Firing, SteadyContext, SteadyJudge
from ssdlab.analysis.infer.written_past import SteadyOutlook
from ssdlab.analysis.metrics.preconditioning import DRIFT_SAID
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.units import KIB, NS_PER_S

MINIMUM, MOST, TRUTH = 2, 23, 8
"""Capacities: least and most that is written before measuring, and those whose mean is taken as the truth."""
MEASURED_NS = 300 * NS_PER_S
FAR = 0.10
FINAL_FAMILY, FINAL_COUNT = 29, 60
"""Drawn after the criterion was made, and not looked at before."""
_CONTEXT = SteadyContext(CAPACITY_BYTES, 4 * KIB, MINIMUM * CAPACITY_BYTES, MEASURED_NS)
_WINDOWS_AT_ONCE = 1000


class Verdict(Enum):
    """How what is said stands to what comes."""

    CLOSE = "within 10 %"
    OPEN = "not steady"
    SAID = "further off, and said by how much"
    DOUBT = "further off, by no more than the drift that is said not to be excluded"
    LIMIT = "further off by a rhythm slower than the limit that is said"
    UNSAID = "further off, UNSAID"


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where a criterion ends a stream.

    Attributes:
        capacities: Written by then.
        apart: Share by which a measurement made at once differs from the mean over the next eight capacities.
    """

    capacities: float
    apart: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A stream and what is said of it; None where a criterion finds no end."""

    number: int
    stream: AdverseStream
    window: Stopped | None
    held: Stopped | None
    outlook: SteadyOutlook | None

    @property
    def verdict(self) -> Verdict:
        """On `held`."""
        if self.held is None or self.outlook is None:
            return Verdict.OPEN
        if abs(self.held.apart) <= FAR:
            return Verdict.CLOSE
        if abs(self.held.apart) <= self._drifted(self.outlook) + (self.outlook.apart or 0):
            return Verdict.SAID if self.outlook.drifts or not self._drifted(self.outlook) else Verdict.DOUBT
        period = self.stream.period_capacities
        return Verdict.LIMIT if period is not None and period > self.outlook.flat_capacities else Verdict.UNSAID

    def _drifted(self, outlook: SteadyOutlook) -> float:
        """By how much at most the drift that is said, as known or as possible, sets the truth apart from a measurement to that side."""
        if self.held is None or (not outlook.drifts and outlook.drift_at_most <= DRIFT_SAID):
            return 0.0
        upwards = -float(np.sign(self.held.apart))
        return TRUTH / 2 * max(0.0, upwards * outlook.drift + outlook.drift_reach)


def judged(number: int, family: int) -> Judged:
    """Judge the stream of that number, as a run would."""
    stream = adverse_stream(number, family)
    judge, curve = SteadyJudge(_CONTEXT), WrittenCurve()
    for begin in range(0, len(stream.time_ns), _WINDOWS_AT_ONCE):
        part = slice(begin, begin + _WINDOWS_AT_ONCE)
        curve.append(stream.time_ns[part], stream.done_bytes[part])
        if judge.feed(stream.time_ns[part], stream.done_bytes[part]) or curve.end_bytes > MOST * CAPACITY_BYTES:
            break
    found = {finding.criterion: finding.after_minimum for finding in judge.findings}
    whole = WrittenCurve()
    whole.append(stream.time_ns, stream.done_bytes)
    held = found[Criterion.HELD]
    stopped = _stopped(whole, held)
    outlook = None if held is None or stopped is None else judge.outlook(held.at_ns)
    return Judged(number, stream, _stopped(whole, found[Criterion.WINDOW]), stopped, outlook)


def _stopped(curve: WrittenCurve, firing: Firing | None) -> Stopped | None:
    if firing is None or firing.at_bytes > MOST * CAPACITY_BYTES:
        return None
    begin_s, measured_s = firing.at_ns / NS_PER_S, MEASURED_NS / NS_PER_S
    measured = (float(curve.bytes_at(np.array([begin_s + measured_s]))[0]) - firing.at_bytes) / measured_s
    truth_bytes = float(TRUTH * CAPACITY_BYTES)
    end_s = float(curve.time_at(np.array([firing.at_bytes + truth_bytes]))[0])
    return Stopped(firing.at_bytes / CAPACITY_BYTES, measured / (truth_bytes / (end_s - begin_s)) - 1)


TITLES = ("drive", "dynamics", "window", "held", "flat for", "drift", "stretches apart", "verdict")


def row(one: Judged) -> tuple[str, ...]:
    """Its line in a table."""
    said = ("", "", "")
    if one.outlook is not None:
        drift = f"{one.outlook.drift:+.1%} ± {one.outlook.drift_reach:.1%}"
        said = (
            f"{one.outlook.flat_capacities:.1f} x",
            drift,
            "unknown" if one.outlook.apart is None else f"{one.outlook.apart:.0%}",
        )
    dynamics = f"{one.stream.dynamics.value}: {one.stream.detail}"
    return (str(one.number), dynamics, _cell(one.window), _cell(one.held), *said, one.verdict.value)


def _cell(stopped: Stopped | None) -> str:
    return "not steady" if stopped is None else f"{stopped.apart:+.1%} at {stopped.capacities:.1f}"


def main(arguments: Sequence[str]) -> int:
    """Judge a family of streams and print what comes of it."""
    family, count = (int(arguments[index]) if len(arguments) > index else usual for index, usual in ((0, 1), (1, 60)))
    found = [judged(number, family) for number in range(count)]
    for one in found:
        print(" | ".join(row(one)))
    counted = Counter(one.verdict for one in found)
    for verdict in Verdict:
        print(f"{verdict.value:60}{counted[verdict]:5}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
