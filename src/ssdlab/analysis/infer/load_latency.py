"""Which load is offered next, given what those before have shown (METHODS W); the same whoever asks, a running step or an analysis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ssdlab.method.draft import step_seed
from ssdlab.method.kinds.load_latency import LadderDepth, LoadLatencyStep, OfferedLoad

_GAIN_MIN = 0.02
"""A doubling of the queue that gains less adds only to the wait."""
_BRACKET_MAX = 0.015
"""How far apart, of the higher one, two loads may be between which a limit is lost."""
_BEYOND = (10_000, 11_000, 12_500, 15_000, 20_000)
"""Loads for limits that are kept at every load asked for: a closed loop may keep a drive less busy than random arrivals do."""
_LOAD_MIN = 50
"""Half a per cent of the saturation."""


@dataclass(frozen=True, slots=True)
class LoadsShown:
    """What has been measured of a mix so far."""

    rates: Mapping[int, float] = field(default_factory=dict)
    """I/Os a second at each queue depth of the ladder."""
    tails_ns: Mapping[int, float] = field(default_factory=dict)
    """The response latency that is limited, at each load; infinite where the drive did not keep up."""


def next_load(step: LoadLatencyStep, seed: int, shown: LoadsShown) -> LadderDepth | OfferedLoad | None:
    """What comes after these; None once every limit is lost between two loads that are close enough."""
    depth = _next_depth(step.ladder.queue_depth, shown.rates)
    if depth is not None:
        return LadderDepth(depth)
    load = next(iter(_loads_asked_for(step, seed, shown)), None)
    if load is None:
        load = _load_between(step.limits.response_p99_9_ns, shown.tails_ns)
    return None if load is None else OfferedLoad(load, max(shown.rates.values()))


def _next_depth(depths: Sequence[int], rates: Mapping[int, float]) -> int | None:
    gains = [
        rates[deeper] / rates[depth] - 1 for depth, deeper in pairwise(depths) if depth in rates and deeper in rates
    ]
    if len(gains) >= 2 and max(gains[-2:]) < _GAIN_MIN:
        return None
    return next((depth for depth in depths if depth not in rates), None)


def _loads_asked_for(step: LoadLatencyStep, seed: int, shown: LoadsShown) -> list[int]:
    """In random order: a drive that changes with time must not look as if it changed with the load."""
    left = [load for load in step.offered.loads if load not in shown.tails_ns]
    return sorted(left, key=lambda load: step_seed(seed, str(load)))


def _load_between(limits_ns: Sequence[int], tails_ns: Mapping[int, float]) -> int | None:
    asked = (_load_for(limit_ns, tails_ns) for limit_ns in sorted(limits_ns))
    return next((load for load in asked if load is not None), None)


def _load_for(limit_ns: int, tails_ns: Mapping[int, float]) -> int | None:
    kept, lost = bracket(limit_ns, tails_ns)
    if lost is None:
        return next((load for load in _BEYOND if load > max(tails_ns)), None)
    if kept is None:
        half = lost // 2
        return half if half >= _LOAD_MIN else None
    between = (kept + lost) // 2
    return between if (lost - kept) / lost > _BRACKET_MAX and between not in tails_ns else None


def bracket(limit_ns: float, tails_ns: Mapping[int, float]) -> tuple[int | None, int | None]:
    """The lowest load that loses a limit and the one below it; None where there is none."""
    lost = min((load for load, tail_ns in tails_ns.items() if tail_ns > limit_ns), default=None)
    kept = max((load for load in tails_ns if lost is None or load < lost), default=None)
    return kept, lost
