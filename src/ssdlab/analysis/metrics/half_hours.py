"""SNIA PTS on one stream of writes (WSAT): the last minutes of its half hours are what five rounds are elsewhere."""

from dataclasses import dataclass

import numpy as np

from ssdlab.analysis.infer.snia import SniaWindow, snia_window
from ssdlab.analysis.infer.steady import SNIA_ROUND_NS, SNIA_SAMPLE_NS, Criterion
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.bundle.model import RunInfo
from ssdlab.engine.result import EarlyStop, Series
from ssdlab.method.suite import parse_suite
from ssdlab.units import NS_PER_S


@dataclass(frozen=True, slots=True)
class HalfHours:
    """Mean rates of the last minute of each half hour, the first one first."""

    bytes_per_s: tuple[float, ...]
    round_ns: int
    """As long as the profile makes half an hour."""
    sample_ns: int
    """Likewise the minute at its end."""

    @property
    def window(self) -> SniaWindow | None:
        """The last five of them; None where there are not so many."""
        return snia_window(self.bytes_per_s)


def half_hours_of(run: RunInfo, series: Series, stopped: EarlyStop | None) -> HalfHours:
    """Those of a finished step, up to the verdict if one ended it.

    Args:
        run: What the step belongs to.
        series: Of its writes.
        stopped: What ended it early.
    """
    time = parse_suite(run.suite.text, run.suite.name).profile(run.profile).time
    # As the judge scales them: by its interval between looks, which is whole nanoseconds.
    look_ns = time.of(NS_PER_S)
    round_ns, sample_ns = (one // NS_PER_S * look_ns for one in (SNIA_ROUND_NS, SNIA_SAMPLE_NS))
    until_ns = int(series.time_ns[-1]) if stopped is None else stopped.at_ns
    ends_ns = round_ns * np.arange(1, until_ns // round_ns + 1, dtype=np.float64)
    if stopped is not None and stopped.criterion == Criterion.SNIA.value:
        # It came with the end of a half hour. While fio runs the clock of the judge is a little off that of the series.
        ends_ns = until_ns - round_ns * np.arange(round(until_ns / round_ns), dtype=np.float64)[::-1]
    curve = WrittenCurve()
    curve.append(series.time_ns, series.bandwidth_bytes_per_s * series.duration_ns / NS_PER_S)
    done = curve.bytes_at(ends_ns / NS_PER_S) - curve.bytes_at((ends_ns - sample_ns) / NS_PER_S)
    return HalfHours(tuple((done * NS_PER_S / sample_ns).tolist()), round_ns, sample_ns)
