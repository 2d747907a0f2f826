"""A search while it runs: which measurement it asks for next, and what it comes to."""

from ssdlab.analysis.bootbench import Bound, Shown, limits_of, shown_by_result
from ssdlab.analysis.search import NotFound, bounds_of, next_candidate
from ssdlab.engine.result import RawResult
from ssdlab.method.draft import PlannedStep, SearchRule
from ssdlab.method.search import Candidate, candidate_step


class Search:
    """Remembers what each candidate has shown."""

    def __init__(self, step: PlannedStep, rule: SearchRule) -> None:
        """Begin a search; the step is the one that asks."""
        self._step = step
        self._said = rule.said
        self._limits = limits_of(rule.said)
        self._bounds = bounds_of(rule.said, rule.confirm_runs)
        self._shown: list[Shown] = []
        self._next = next_candidate(self._bounds, [])

    def next_step(self, index: int) -> PlannedStep | None:
        """The measurement of the next candidate; None once there is an answer."""
        return candidate_step(self._step, self._next, index) if isinstance(self._next, Candidate) else None

    def take(self, result: RawResult) -> None:
        """Take in what that candidate did."""
        self._shown.append(shown_by_result(self._said, result))
        self._next = next_candidate(self._bounds, [one.showing(self._limits) for one in self._shown])

    @property
    def words(self) -> str:
        """What has been found, in a line."""
        if isinstance(self._next, NotFound):
            return f"not found: {self._next.reason}"
        if isinstance(self._next, Candidate):
            return "not yet found"
        counted = self._shown[-len(self._next.by) :]
        iops = min(one.values[Bound.IOPS] for one in counted)
        verdict = "passed" if iops >= self._limits[Bound.IOPS] else f"{self._limits[Bound.IOPS]:,} were to be reached"
        return f"{self._next.jobs} jobs, {iops:,.0f} reads a second: {verdict}"
