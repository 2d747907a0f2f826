"""What is compared of a step: how fast it got on, and how long its I/Os took."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.percentile import latency_percentile_ns
from ssdlab.engine.result import Direction, Histogram, Series
from ssdlab.unknown import Unknown

SHARES = np.concatenate([np.geomspace(1 / 256, 0.1, 10), np.linspace(0.13, 1, 30)])
"""Of what a pass writes: when so much is written is compared. Denser at the beginning, where small caches end."""
TAILS = ("50", "90", "99", "99.9")


@dataclass(frozen=True, slots=True, eq=False)
class PointSeen:
    """One step, by numbers that do not depend on how long it was measured.

    Attributes:
        iops: I/Os a second of each direction.
        latency_ns: Completion latency of each direction by percentile (text), and `mean`; what has too few samples is left out.
        written_ns: Of a sequential or random pass, the time at which each of `SHARES` was written; None of a point.
    """

    iops: Mapping[Direction, float]
    latency_ns: Mapping[Direction, Mapping[str, float]]
    written_ns: NDArray[np.float64] | None


def seen_of(
    ios: Mapping[Direction, int], runtime_ns: Mapping[Direction, int], latency: Mapping[Direction, Histogram]
) -> PointSeen:
    """A point, of one run or of several together."""
    iops = {one: ios[one] * 1e9 / runtime_ns[one] for one in ios if ios[one] and runtime_ns[one]}
    return PointSeen(iops, {one: _latency_of(latency[one]) for one in iops if one in latency}, None)


def _latency_of(histogram: Histogram) -> dict[str, float]:
    found: dict[str, float] = {"mean": histogram.mean_ns}
    for percent in TAILS:
        value = latency_percentile_ns(histogram, percent)
        if not isinstance(value, Unknown):
            found[percent] = float(value)
    return found


def written_at(series: Series, amount_bytes: float) -> NDArray[np.float64]:
    """When each of `SHARES` of an amount was written, ns since the beginning; NaN where it never was."""
    done = np.concatenate([[0.0], series.bytes_done])
    when = np.concatenate([[0.0], series.time_ns.astype(np.float64)])
    # Rounding of the windows: the end is the end.
    wanted = SHARES * amount_bytes
    wanted[-1] = min(wanted[-1], done[-1]) if done[-1] >= 0.99 * amount_bytes else wanted[-1]
    found: NDArray[np.float64] = np.interp(wanted, done, when, right=np.nan)
    return found
