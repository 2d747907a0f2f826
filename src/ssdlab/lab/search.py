"""A search while it runs: which measurement it asks for next, and what it comes to."""

from ssdlab.analysis.infer.search import NotFound, bounds_of, next_candidate
from ssdlab.analysis.metrics.bootbench import Bound, CandidateRun, limits_of, shown_by_result
from ssdlab.engine.result import RawResult
from ssdlab.message import Message, message, number
from ssdlab.method.draft import PlannedStep, SearchRule
from ssdlab.method.kinds.search import Candidate, candidate_step


class Search:
    """Remembers what each candidate has shown."""

    def __init__(self, step: PlannedStep, rule: SearchRule) -> None:
        """Begin a search; the step is the one that asks."""
        self._step = step
        self._said = rule.said
        self._limits = limits_of(rule.said)
        self._bounds = bounds_of(rule.said, rule.confirm_runs)
        self._shown: list[CandidateRun] = []
        self._next = next_candidate(self._bounds, [])

    def next_step(self, index: int) -> PlannedStep | None:
        """The measurement of the next candidate; None once there is an answer."""
        return candidate_step(self._step, self._next, index) if isinstance(self._next, Candidate) else None

    def take(self, result: RawResult) -> None:
        """Take in what that candidate did."""
        self._shown.append(shown_by_result(self._said, result))
        self._next = next_candidate(self._bounds, [one.showing(self._limits) for one in self._shown])

    @property
    def words(self) -> Message:
        """What has been found, in a line."""
        if isinstance(self._next, NotFound):
            return message("lab-search-not-found", why=self._next.reason)
        if isinstance(self._next, Candidate):
            return message("lab-search-open")
        counted = self._shown[-len(self._next.by) :]
        iops = min(one.values[Bound.IOPS] for one in counted)
        jobs, rate, limit = number(self._next.jobs, "d"), number(iops, ",.0f"), self._limits[Bound.IOPS]
        if iops >= limit:
            return message("lab-search-passed", jobs=jobs, rate=rate)
        return message("lab-search-missed", jobs=jobs, rate=rate, limit=number(limit))
