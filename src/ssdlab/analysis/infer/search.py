"""Which candidate a search tries next, given what those before have shown; and what it found (METHODS E5).

The published procedure is that of BootBench's `run.py` as of June 2025: double from the first number of jobs, bisect between the most
that passed and the fewest that did not, go down one by one from there. It reports the last bisection unconfirmed if that passed, and
the last doubling likewise; mended, what is found is always confirmed.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.message import Message, message
from ssdlab.method.kinds.search import Candidate, Procedure, SearchStep, Stage

_ENDS_BELOW_JOBS = 8
"""As published a fio job that fails, which is what a missed floor makes it do, ends everything below so many jobs."""


class Showing(Enum):
    """What a candidate has shown."""

    PASSED = "passed"
    TOO_SLOW = "too slow"
    """Reads took longer than a limit."""
    BELOW_FLOOR = "below a floor"
    """Writes or trims did not keep their pace, whatever the reads did."""


@dataclass(frozen=True, slots=True)
class SearchEnd:
    """The search ended with a number of jobs."""

    jobs: int
    by: tuple[Candidate, ...]
    """The candidates whose numbers count: its confirmations, or the only run of it."""


@dataclass(frozen=True, slots=True)
class NotFound:
    """The search ended without one."""

    reason: Message
    by: tuple[Candidate, ...]
    """The candidate that decided it."""


Course = Generator[Candidate, Showing, SearchEnd | NotFound]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a search is bounded by."""

    procedure: Procedure
    jobs_min: int
    jobs_max: int
    confirm_runs: int


def bounds_of(step: SearchStep, confirm_runs: int) -> Bounds:
    """The bounds a suite names; a profile may have fewer confirmations."""
    return Bounds(step.procedure, step.reads.jobs_min, step.reads.jobs_max, confirm_runs)


def next_candidate(bounds: Bounds, shown: Sequence[Showing]) -> Candidate | SearchEnd | NotFound:
    """What comes after these, which are in the order in which they were asked for."""
    course = _course(bounds)
    candidate = next(course)
    for one in shown:
        if one is Showing.BELOW_FLOOR and bounds.procedure is Procedure.PUBLISHED and candidate.jobs < _ENDS_BELOW_JOBS:
            return NotFound(
                message("unknown-below-floor", jobs=candidate.jobs),
                (candidate,),
            )
        try:
            candidate = course.send(one)
        except StopIteration as end:
            answer: SearchEnd | NotFound = end.value
            return answer
    return candidate


def _course(bounds: Bounds) -> Course:
    low = high = bounds.jobs_min
    last = Candidate(Stage.DOUBLE, high)
    shown = yield last
    while shown is Showing.PASSED and high < bounds.jobs_max:
        low, high = high, min(2 * high, bounds.jobs_max)
        last = Candidate(Stage.DOUBLE, high)
        shown = yield last
    if shown is Showing.PASSED:
        low = high
    elif high == low:
        return _none(bounds, last)
    while high - low > 1:
        last = Candidate(Stage.BISECT, (low + high) // 2)
        shown = yield last
        low, high = (last.jobs, high) if shown is Showing.PASSED else (low, last.jobs)
    if shown is Showing.PASSED and bounds.procedure is Procedure.PUBLISHED:
        return SearchEnd(low, (last,))
    return (yield from _confirmed(bounds, low))


def _confirmed(bounds: Bounds, from_jobs: int) -> Course:
    """One job fewer each time; a candidate is given up with its first run that does not pass."""
    last = Candidate(Stage.CONFIRM, from_jobs)
    for jobs in range(from_jobs, bounds.jobs_min - 1, -1):
        runs = []
        for run in range(1, bounds.confirm_runs + 1):
            last = Candidate(Stage.CONFIRM, jobs, run)
            runs.append(last)
            if (yield last) is not Showing.PASSED:
                break
        else:
            return SearchEnd(jobs, tuple(runs))
    return _none(bounds, last)


def _none(bounds: Bounds, last: Candidate) -> NotFound:
    return NotFound(message("unknown-limits-not-kept", jobs=bounds.jobs_min), (last,))
