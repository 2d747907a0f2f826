"""Rounds of a run that replays its traces again and again, with other things done to the drive before each.

PCMark 8's Storage Consistency Test, PCMark 10's too (support.benchmarks.ul.com, article 44002171488; numbers of PCMark 8 as quoted by Tom's Hardware, "How We
Test Storage", 2015), has three phases: *degradation*, eight rounds of random writes for 10 minutes, then 15 and so on, each followed by the traces;
*steady*, five rounds of such writes for as long as the last of these; and *recovery*, five rounds of 5 minutes without any I/O. A run is
one of these by what it does, whatever its steps are called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.bundle.model import Step
from ssdlab.job import StepKind


class ConsistencyPhase(Enum):
    """What the rounds of a phase have in common."""

    DEGRADATION = "degradation"
    """Before them the drive was written to, and for longer than before the round that came before."""
    STEADY = "steady"
    """For no longer than then."""
    RECOVERY = "recovery"
    """Before them it had rested."""


@dataclass(frozen=True, slots=True)
class RoundOf:
    """Where a replay belongs."""

    phase: ConsistencyPhase
    number: int
    """Of its round, from 1 in each phase."""


_LOADS = frozenset({StepKind.MEASURE, StepKind.PRECONDITION})


def rounds_of(steps: Sequence[Step]) -> Mapping[str, RoundOf]:
    """The round of each replay by the name of its step; empty of a run that has not all three phases."""
    rounds = _rounds(steps)
    before_ns = [0, *(one.written_ns for one in rounds)]
    phases = [_phase(one.written_ns, before) for one, before in zip(rounds, before_ns, strict=False)]
    if set(phases) != set(ConsistencyPhase):
        return {}
    return {
        name: RoundOf(phase, phases[: place + 1].count(phase))
        for place, (one, phase) in enumerate(zip(rounds, phases, strict=True))
        for name in one.replays
    }


def _phase(written_ns: int, before_ns: int) -> ConsistencyPhase:
    if not written_ns:
        return ConsistencyPhase.RECOVERY
    return ConsistencyPhase.DEGRADATION if written_ns > before_ns else ConsistencyPhase.STEADY


@dataclass(slots=True)
class _Round:
    """Replays that follow each other, and for how long the drive was written to since those before."""

    written_ns: int
    replays: list[str]


def _rounds(steps: Sequence[Step]) -> list[_Round]:
    found = [_Round(0, [])]
    for step in steps:
        if step.job is not None and step.job.replay is not None:
            found[-1].replays.append(step.name)
            continue
        if found[-1].replays:
            found.append(_Round(0, []))
        if step.kind in _LOADS and step.job is not None and step.job.writes:
            found[-1].written_ns += step.job.duration_ns or 0
    return [one for one in found if one.replays]
