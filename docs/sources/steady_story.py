"""A published mistake, made again on a model: a drive called steady at the speed it has fresh out of the box."""

from dataclasses import dataclass

import numpy as np

from sources.steady_study import MEASURED_NS, MINIMUM, WINDOW_NS, Measured, Method, watched, workload
from ssdlab import _core
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.units import GIB, KIB, NS_PER_S, Share

SPEC = "mlc-1tb"
CAPACITY_BYTES = 16 * GIB
_TIME = Share(CAPACITY_BYTES, 1000204886016)
_BLOCK_BYTES = 4 * KIB
_PASSES = 4


@dataclass(frozen=True, slots=True)
class Story:
    """What the two ways of preconditioning show."""

    again: tuple[float, ...]
    """IOPS at the end of each capacity, where each begins with the same seed."""
    again_steady_at: float | None
    """Capacities after which `held` would end that."""
    once: tuple[float, ...]
    """IOPS at the end of each capacity of one continuous stream."""
    methods: dict[Method, Measured | None]
    """Of the continuous stream."""


def story() -> Story:
    """Both ways on the same drive, from fresh out of the box."""
    core = _core.ModelDrive(_core.spec_text(SPEC), CAPACITY_BYTES)
    curve, methods = watched(core, 0, CAPACITY_BYTES, _BLOCK_BYTES, _TIME)
    ends_s = curve.time_at(np.arange(1.0, 9.0) * CAPACITY_BYTES)
    tenth_s = curve.time_at(np.arange(1.0, 9.0) * CAPACITY_BYTES - CAPACITY_BYTES / 10)
    once = CAPACITY_BYTES / 10 / (ends_s - tenth_s) / _BLOCK_BYTES
    again, steady_at = _again()
    return Story(again, steady_at, tuple(float(one) for one in once), methods)


def _again() -> tuple[tuple[float, ...], float | None]:
    core = _core.ModelDrive(_core.spec_text(SPEC), CAPACITY_BYTES)
    minimum_bytes = MINIMUM * CAPACITY_BYTES
    judge = SteadyJudge(SteadyContext(CAPACITY_BYTES, _BLOCK_BYTES, minimum_bytes, _TIME.of(MEASURED_NS), _TIME))
    iops, now_ns = [], 0
    for _ in range(_PASSES):
        result = core.run(workload("random", _BLOCK_BYTES, CAPACITY_BYTES, 1, seed=1), now_ns)
        end_ns = np.frombuffer(result.write.windows.end_ns, dtype=np.int64)
        ios = np.frombuffer(result.write.windows.ios, dtype=np.int64)
        judge.feed(now_ns + end_ns, (ios * _BLOCK_BYTES).astype(np.float64))
        last = ios[-len(ios) // 10 : -1]
        iops.append(float(last.mean()) * NS_PER_S / WINDOW_NS)
        now_ns = result.end_ns
    fired = next(one for one in judge.findings if one.criterion is Criterion.HELD).after_minimum
    return tuple(iops), None if fired is None else fired.at_bytes / CAPACITY_BYTES
