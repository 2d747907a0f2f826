"""The arithmetic of scores: times against those of a reference, their geometric mean, and how it scatters over runs.

The ratio to a reference machine and the geometric mean of ratios are those of SPEC (SPECworkstation 4, user guide): neither a long trace nor
a slow one weighs more than another.
"""

from collections.abc import Sequence
from math import exp, fsum, log, sqrt
from statistics import stdev

from ssdlab.analysis.statistics.interval import Interval, student_t
from ssdlab.message import message
from ssdlab.unknown import Unknown

Times = Sequence[int]
"""Of the traces of a set, in one order, ns; all more than 0."""


def score(reference_ns: Times, runs_ns: Sequence[Times]) -> float:
    """Time of the reference over that of the drive, geometric mean over traces and runs: 2 is twice as fast.

    Args:
        reference_ns: Of the reference.
        runs_ns: Of each run of the drive, at least one.
    """
    return exp(_mean([_log_score(reference_ns, run_ns) for run_ns in runs_ns]))


def score_interval(reference_ns: Times, runs_ns: Sequence[Times]) -> Interval | Unknown:
    """95 % interval of the score by Student's t over the logarithms of what each run alone comes to; the times of the reference are exact."""
    logs = [_log_score(reference_ns, run_ns) for run_ns in runs_ns]
    if len(logs) == 1:
        return Unknown(message("unknown-score-one-run"))
    if len(set(logs)) == 1:
        # That runs agree to the last digit says nothing of how far they may scatter.
        return Unknown(message("unknown-score-runs-alike"))
    middle = _mean(logs)
    reach = student_t(len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Interval(exp(middle - reach), exp(middle + reach))


def geometric_mean(times_ns: Times) -> float:
    """Of one trace over the runs of a drive, ns."""
    return exp(_mean(list(map(log, times_ns))))


def _log_score(reference_ns: Times, run_ns: Times) -> float:
    return _mean([log(reference) - log(own) for reference, own in zip(reference_ns, run_ns, strict=True)])


def _mean(values: Sequence[float]) -> float:
    """Exact to the last digit, so that no order of the values makes another number."""
    return fsum(values) / len(values)
