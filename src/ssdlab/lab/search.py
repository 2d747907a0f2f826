"""Steps that ask for their measurements while they run: which comes next, and what it comes to."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from ssdlab.analysis.infer.demand import DemandAnswer, DemandsShown, first_iops, is_flat, next_asked, taken
from ssdlab.analysis.infer.load_latency import LoadsShown, next_load
from ssdlab.analysis.infer.rounds import is_steady, next_cell, of_directions
from ssdlab.analysis.infer.search import NotFound, bounds_of, next_candidate
from ssdlab.analysis.metrics.bootbench import Bound, CandidateRun, limits_of, shown_by_result
from ssdlab.analysis.metrics.demand import answer_of
from ssdlab.analysis.metrics.load_latency import LIMITED_PERCENT
from ssdlab.analysis.statistics.rate import total_iops
from ssdlab.analysis.statistics.response import responses_of
from ssdlab.engine.result import LatencyKind, RawResult
from ssdlab.message import Message, message, number
from ssdlab.method.draft import PlannedStep
from ssdlab.method.kinds.demand import Asked, DemandRule, Saturation, demand_steps, most_of
from ssdlab.method.kinds.load_latency import LadderDepth, OfferedLoad, OfferedLoadRule, asked_steps
from ssdlab.method.kinds.rounds import Cell, RoundsRule, cell_step
from ssdlab.method.kinds.search import Candidate, SearchRule, candidate_step
from ssdlab.unknown import Unknown


class Asking(Protocol):
    """Asks for one measurement after the other."""

    def next_steps(self, index: int) -> list[PlannedStep]:
        """The next measurement, with what goes straight before it; nothing once there is an answer. They have the numbers from `index` on."""

    def take(self, result: RawResult) -> None:
        """Take in what that measurement has shown."""

    @property
    def words(self) -> Message:
        """What has been found, in a line."""

    @property
    def is_steady(self) -> bool:
        """Whether the drive is steady, if that is what was asked."""


def asking(step: PlannedStep) -> Asking:
    """Who asks for the measurements of a step.

    Raises:
        ValueError: It asks for none.
    """
    rule = step.search
    if isinstance(rule, SearchRule):
        return Search(step, rule)
    if isinstance(rule, OfferedLoadRule):
        return LoadSearch(step, rule)
    if isinstance(rule, RoundsRule):
        return RoundsSearch(step, rule)
    if isinstance(rule, DemandRule):
        return DemandSearch(step, rule)
    raise ValueError(f"step {step.name} asks for nothing")


class Search:
    """Remembers what each candidate has shown."""

    def __init__(self, step: PlannedStep, rule: SearchRule) -> None:
        """Begin a search; the step is the one that asks."""
        self._step = step
        self._rule = rule
        self._said = rule.said
        self._limits = limits_of(rule.said)
        self._bounds = bounds_of(rule.said, rule.confirm_runs)
        self._shown: list[CandidateRun] = []
        self._next = next_candidate(self._bounds, [])

    def next_steps(self, index: int) -> list[PlannedStep]:
        """The next candidate, if any."""
        return [candidate_step(self._step, self._rule, self._next, index)] if isinstance(self._next, Candidate) else []

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

    @property
    def is_steady(self) -> bool:
        """It does not ask."""
        return True


class LoadSearch:
    """Remembers what each load of a mix has shown."""

    def __init__(self, step: PlannedStep, rule: OfferedLoadRule) -> None:
        """Begin with nothing measured; the step is the one that asks."""
        self._step = step
        self._rule = rule
        self._shown = LoadsShown()
        self._next = self._following()

    def next_steps(self, index: int) -> list[PlannedStep]:
        """The next depth or load after its ramp, if any."""
        return [] if self._next is None else asked_steps(self._step, self._rule, self._next, index)

    def take(self, result: RawResult) -> None:
        """Take in what the drive did at that depth or load."""
        match self._next:
            case LadderDepth(queue_depth=depth):
                iops = total_iops(result.directions.values())
                known = 1.0 if isinstance(iops, Unknown) else iops
                self._shown = replace(self._shown, rates={**self._shown.rates, depth: known})
            case OfferedLoad(load=load):
                self._shown = replace(self._shown, tails_ns={**self._shown.tails_ns, load: _tail_ns(result)})
            case None:
                raise ValueError("nothing was asked for")
        self._next = self._following()

    @property
    def words(self) -> Message:
        """What the drive does at most, and how many loads were offered."""
        rates: Mapping[int, float] = self._shown.rates
        most = number(max(rates.values(), default=0.0), ",.0f")
        return message("lab-loads-offered", loads=len(self._shown.tails_ns), rate=most)

    @property
    def is_steady(self) -> bool:
        """It does not ask."""
        return True

    def _following(self) -> LadderDepth | OfferedLoad | None:
        return next_load(self._rule.said, self._rule.template.seed, self._shown)


def _tail_ns(result: RawResult) -> float:
    told = result.punctuality
    unsubmitted = 0 if isinstance(told, Unknown) else told.unsubmitted
    directions = result.directions.values()
    found = responses_of(
        [one.latency[LatencyKind.LAT] for one in directions], [one.series for one in directions], unsubmitted
    )
    return float("inf") if found is None else found.tail_ns(LIMITED_PERCENT)


class RoundsSearch:
    """Remembers what was tracked in each round."""

    def __init__(self, step: PlannedStep, rule: RoundsRule) -> None:
        """Begin with the first round; the step is the one that asks."""
        self._step = step
        self._rule = rule
        self._rounds: list[dict[Cell, float]] = []
        self._next = next_cell(rule, [])

    def next_steps(self, index: int) -> list[PlannedStep]:
        """The next cell, if any."""
        return [] if self._next is None else [cell_step(self._step, self._rule, self._next, index)]

    def take(self, result: RawResult) -> None:
        """Take in what the drive did in that cell; what cannot be told is nothing, and no window with it is flat."""
        if self._next is None:
            raise ValueError("nothing was asked for")
        latency = {direction: one.latency for direction, one in result.directions.items()}
        value = of_directions(self._rule.said.tracked, result.directions, latency)
        if self._next.round > len(self._rounds):
            self._rounds.append({})
        self._rounds[-1][self._next.cell] = 0.0 if isinstance(value, Unknown) else value
        self._next = next_cell(self._rule, self._rounds)

    @property
    def is_steady(self) -> bool:
        """Whether the last five rounds are flat."""
        return is_steady(self._rule.tracked, self._rounds)

    @property
    def words(self) -> Message:
        """How many rounds, and whether the drive is steady."""
        rounds = len(self._rounds)
        if self.is_steady:
            return message("lab-rounds-steady", rounds=rounds)
        return message("lab-rounds-not-steady", rounds=rounds)


class DemandSearch:
    """Remembers what the drive answered to each demand."""

    def __init__(self, step: PlannedStep, rule: DemandRule) -> None:
        """Begin with the first round of writes; the step is the one that asks."""
        self._step = step
        self._rule = rule
        self._shown = DemandsShown()
        self._next = self._following()

    def next_steps(self, index: int) -> list[PlannedStep]:
        """The next measurement with the writes before it, if any."""
        return [] if self._next is None else demand_steps(self._step, self._rule, self._next, index)

    def take(self, result: RawResult) -> None:
        """Take in what the drive did; of a round of writes its beginning."""
        if self._next is None:
            raise ValueError("nothing was asked for")
        if isinstance(self._next, Saturation):
            series = [one.series for one in result.directions.values()]
            answer = DemandAnswer(first_iops(series, self._rule.sample_ns), 0.0)
        else:
            latency = {direction: one.latency for direction, one in result.directions.items()}
            answer = answer_of(result.directions, latency)
        self._shown = taken(self._shown, self._next, answer)
        self._next = self._following()

    @property
    def is_steady(self) -> bool:
        """Whether the writes before were flat, and then the rounds."""
        return is_flat(self._shown.saturation) and is_flat(self._shown.tracked(most_of(self._rule.said)))

    @property
    def words(self) -> Message:
        """How many rounds, and whether the drive is steady."""
        rounds = len(self._shown.saturation) + len(self._shown.rounds)
        if self.is_steady:
            return message("lab-rounds-steady", rounds=rounds)
        return message("lab-rounds-not-steady", rounds=rounds)

    def _following(self) -> Asked | None:
        return next_asked(self._rule.said, self._rule.demands, self._rule.rounds_max, self._shown)
