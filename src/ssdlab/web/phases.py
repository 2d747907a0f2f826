"""What the finished steps of a run have measured so far: when they were, how slow single I/Os were, what their audit says."""

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ssdlab.analysis.audit.run import applicable, audit_of
from ssdlab.analysis.evidence import StepEvidence, evidence_of
from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError, made_sense_of
from ssdlab.bundle.model import Check, Step, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import moved_bytes
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

CELLS_MAX = 60
"""Of the strip, of a step."""
LEVELS_NS = (100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
"""Where the colours of the strip change: 100 µs, 1 ms, 10 ms, 100 ms, 1 s."""
_RUNS_MAX = 16


@dataclass(frozen=True, slots=True)
class StripCell:
    """A part of the strip: from when to when on the run's clock, and how many of the levels its slowest I/O exceeded."""

    begin_ns: int
    end_ns: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSoFar:
    """A step that has begun.

    Attributes:
        step: It.
        io_bytes: What it moved; None of one that moved nothing, or is not over.
        runtime_ns: In what time.
        slowest_ns: Its slowest I/O.
        cells: Its part of the strip.
        checks: Its audit, without the checks that do not apply.
    """

    step: Step
    io_bytes: int | None = None
    runtime_ns: int = 0
    slowest_ns: float | None = None
    cells: tuple[StripCell, ...] = ()
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class RunState:
    """A run as its bundle has it at one moment."""

    bundle: Bundle
    phases: tuple[StepSoFar, ...]

    @property
    def current(self) -> Step | None:
        """The step that goes on."""
        return next((one.step for one in reversed(self.phases) if one.step.status is StepStatus.STARTED), None)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The audit of all steps so far."""
        return tuple(check for phase in self.phases for check in phase.checks)


class RunStates:
    """Reads runs; what was read of a finished step is not read again, however many look."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Path, tuple[tuple[int, int], RunState]] = OrderedDict()

    def of(self, path: Path) -> RunState:
        """The run as it is now.

        Raises:
            BundleError: It cannot be opened.
        """
        with self._lock:
            found = os.stat(path / layout.JOURNAL)  # noqa: PTH116 - asked several times a second
            moment, before = (found.st_size, found.st_mtime_ns), self._kept.get(path)
            if before is None or before[0] != moment:
                known = {} if before is None else {_mark(one.step): one for one in before[1].phases}
                self._kept[path] = moment, _read(open_bundle(path), known)
            self._kept.move_to_end(path)
            while len(self._kept) > _RUNS_MAX:
                self._kept.popitem(last=False)
            return self._kept[path][1]


_Mark = tuple[int, StepStatus, int | None, int | None]


def _mark(step: Step) -> _Mark:
    """What tells that a step is as it was."""
    return step.index, step.status, step.started_ns, step.ended_ns


def _read(bundle: Bundle, known: dict[_Mark, StepSoFar]) -> RunState:
    begun = [step for step in bundle.steps if step.status is not StepStatus.PLANNED]
    phases = (known.get(_mark(step)) or _phase(bundle, step) for step in begun)
    return RunState(bundle, tuple(sorted(phases, key=lambda one: (one.step.started_ns or 0, one.step.index))))


def _phase(bundle: Bundle, step: Step) -> StepSoFar:
    if step.status is not StepStatus.FINISHED:
        return StepSoFar(step=step)
    try:
        with made_sense_of(bundle.path):
            evidence = evidence_of(bundle, step)
            checks = () if evidence is None else applicable(audit_of(evidence))
    except BundleError:
        # A run's own end says what is damaged; whoever watches goes on watching.
        return StepSoFar(step=step)
    if evidence is None:
        return StepSoFar(step=step)
    directions = evidence.result.directions.values()
    slowest = [stats.max_ns for one in directions for stats in one.latency.values()]
    return StepSoFar(
        step=step,
        io_bytes=moved_bytes(evidence.result.directions),
        runtime_ns=max((one.runtime_ns for one in directions), default=0),
        slowest_ns=max(slowest, default=None),
        cells=tuple(cells_of(evidence)),
        checks=checks,
    )


def cells_of(evidence: StepEvidence) -> Sequence[StripCell]:
    """The strip of a step: its windows in cells of equal length."""
    began_ns = evidence.result.began_ns
    origin_ns = (evidence.step.started_ns or 0) if isinstance(began_ns, Unknown) else began_ns
    series = [one for one in evidence.series.values() if len(one.time_ns)]
    if not series:
        return ()
    end_ns = max(int(one.time_ns[-1]) for one in series)
    count = max(1, min(CELLS_MAX, end_ns * 10 // NS_PER_S))
    slowest = np.zeros(count)
    for one in series:
        place = np.minimum(one.time_ns * count // max(1, end_ns + 1), count - 1)
        np.maximum.at(slowest, place, np.nan_to_num(one.latency_ns_max))
    edges = origin_ns + np.arange(count + 1) * end_ns // count
    levels = np.searchsorted(LEVELS_NS, slowest, side="right")
    return [
        StripCell(int(edges[place]), int(edges[place + 1]), int(levels[place]))
        for place in range(count)
        if slowest[place] > 0
    ]
