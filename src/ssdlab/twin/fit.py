"""A twin by least squares: what was measured is done again on a drive of every trial, in virtual time, until it does the same.

The optimiser is the trust-region reflective method of SciPy (Branch, Coleman & Li 1999): bounded, deterministic, and it tells which
quantities the data says nothing about. Logarithms of quantities are turned and logarithms of ratios are compared, so that all count
by their relative errors. The steps of a Jacobian are so wide that they stand out from the noise of a rehearsal, whose random draws
are the same in every trial.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.bundle.model import Check
from ssdlab.bundle.read import Bundle
from ssdlab.drive.access import DriveError
from ssdlab.errors import SsdlabError
from ssdlab.message import commas, message
from ssdlab.scratch import Scratch
from ssdlab.twin.acts import Act, acts_of, distrusted
from ssdlab.twin.bits import OfBits, is_told
from ssdlab.twin.collecting import waiting_off, with_collection
from ssdlab.twin.dips import dips_of, with_dips
from ssdlab.twin.draft import Draft
from ssdlab.twin.drift import HOUR_NS, Clock, clock_of, drifting
from ssdlab.twin.held_out import Division, divided
from ssdlab.twin.knobs import DRIFT, Block, FittedKey, knobs_of, turned, with_points_of
from ssdlab.twin.known import OriginalDrive, known_of
from ssdlab.twin.one_drive import require_finished, require_one_drive
from ssdlab.twin.possible import is_possible, require_possible
from ssdlab.twin.rehearse import rehearse
from ssdlab.twin.repeats import HourlyDrift, drift_of
from ssdlab.twin.residuals import residuals
from ssdlab.twin.rewriting import with_rewriting, without_rewriting
from ssdlab.twin.steady import LastingWrites, steady_of, steady_on, with_steady
from ssdlab.twin.structure import Hypothesis, first_draft, hypotheses, other_bits, probed, refilling, written_link
from ssdlab.twin.wander import wander_of, wandering
from ssdlab.unknown import Unknown

Floats = NDArray[np.float64]
_STEP = 0.06
"""Of a Jacobian, in logarithms."""
_EXPLORING = 3
"""Jacobians at most, for each kind of cache and cell."""
_COMPARING = 3
"""Jacobians at most, for points on each number of bits in a cell."""
_ROUNDS = ((Block.WRITING, 8), (Block.POINTS, 8), (Block.TOGETHER, 6))
"""What is turned in turn, and Jacobians at most: writes decide the state that points find, and points little of how writes go, but what passes say little of."""
_ROUNDS_UNPROBED = ((Block.WRITING, 8), (Block.POINTS, 8), (Block.WRITING, 4), (Block.POINTS, 4))
"""Where no probe tells how long a program takes, passes alone have to: points that no virtual drive does as they were would turn it, too."""
_F_SCALE = 0.1
"""Residuals above count by their size, not by its square."""
_PRIOR = 0.03
"""Weight of a logarithm of how far a quantity is from where a usual drive has it: what nothing tells stays there."""
_PROBED = 0.2
"""The same where a probe has it from looking at nothing else: a fifth away counts as much as a number of a point that is off by 4 %."""
_AS_REPEATED = 0.2
"""Weight of a drift's distance from what the runs of single points tell of it, in standard errors of that: one of them counts as much as a number that is off by so much."""
_TURNED_FROM = 0.03
"""Standard error of a drift, as a share an hour: one that is known better is not turned."""
_SUSPECTED, _SURELY = 0.1, 3.0
"""Share of the first speed an hour, and standard errors of it, from which on all points together tell a drift that repeated points do not."""
_SUSPECTING = 5
"""Jacobians at most, to tell it."""
_HOURS_MIN = 0.5
"""Of runs in which a drift by the hour could show."""
_AT_FIRST = 0.01
"""Where a drift begins to be turned that may be of either sign."""
_UNTOLD = 0.5
"""Standard error of a drift of which repeated points say nothing."""
_SILENT = 1e-3
"""Root of the summed squares of what a quantity changes by a whole e-fold; less is nothing."""
_IMPOSSIBLE = 5.0
"""In place of every logarithm, of a drive that cannot be."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fitted:
    """A twin, and how it came about.

    Attributes:
        draft: Of the drive.
        acts: What was measured.
        division: Which of it was compared, and which held out.
        silent: Names of knobs of which what was measured says nothing.
        at_bound: Names of knobs that would have been turned further.
        rehearsals: How often what was measured was done again.
        drift: How its speed changes by the hour; Unknown with the reason where the runs do not say.
        distrusted: Failed checks of what was therefore not compared.
    """

    draft: Draft
    acts: tuple[Act, ...]
    division: Division
    silent: tuple[str, ...]
    at_bound: tuple[str, ...]
    rehearsals: int
    drift: HourlyDrift | Unknown
    distrusted: tuple[Check, ...] = ()


def fit(bundles: Sequence[Bundle], name: str) -> Fitted:
    """Find a virtual drive that does what was measured.

    Raises:
        SsdlabError: A run is not finished, the runs are not of one drive, they hold nothing that can be compared, or no drive
            of that size is possible.
    """
    require_finished(bundles)
    require_one_drive(bundles)
    dips = dips_of(bundles)
    acts, faults = with_dips(acts_of(bundles), dips), distrusted(bundles)
    division = divided(acts)
    if not division.fitted:
        raise _nothing_to_fit(faults)
    shown = [act for place, act in enumerate(acts) if place not in division.held]
    capacity_bytes, wander = bundles[0].run.drive.capacity_bytes, wander_of(bundles)
    steady = steady_of(bundles, wander)
    drift = drift_of(bundles)
    if isinstance(drift, Unknown) or (not drift.lost and drift.error >= _TURNED_FROM):
        known = known_of(bundles, shown, Clock(0.0, dips.speed), dips, wander)
        drift = suspected_drift(acts, division, known, drift, capacity_bytes)
    lost = 0.0 if isinstance(drift, Unknown) else drift.lost
    known = known_of(bundles, shown, Clock(lost, dips.speed), dips, wander)
    if steady is not None and known.rewriting is not None:
        # Writes for good wait for that, too, and in another order: how they wait tells nothing else then.
        steady = replace(steady, waits=())
    fitted = fit_to_acts(acts, division, known, steady, name, capacity_bytes, drift)
    # Trials are too short for a speed that wanders, so what it does to them is noise of theirs until now.
    return replace(fitted, draft=wandering(fitted.draft, wander), distrusted=faults)


_NO_TIMES = Unknown(message("twin-drift-no-times"))


def suspected_drift(
    acts: tuple[Act, ...],
    division: Division,
    known: OriginalDrive,
    before: HourlyDrift | Unknown,
    capacity_bytes: int,
) -> HourlyDrift | Unknown:
    """The drift that all points together tell, measured at different hours as they were; if they tell none, what was known before.

    Like points lie hours apart, one of them in each run: where repeated points are too close or too noisy to show a drift, these show it.
    """
    with _fitter(acts, division, known, None, before) as fitter:
        return fitter.suspected(capacity_bytes)


def fit_to_acts(
    acts: tuple[Act, ...],
    division: Division,
    known: OriginalDrive,
    steady: LastingWrites | None,
    name: str,
    capacity_bytes: int,
    drift: HourlyDrift | Unknown = _NO_TIMES,
) -> Fitted:
    """Find a virtual drive that does what was measured, whoever measured it.

    Args:
        acts: What was measured.
        division: Of it.
        known: Of the inside of the drive, at its first speed.
        steady: Its random writes for good; None where nobody wrote so much.
        name: Of the twin.
        capacity_bytes: Of the drive.
        drift: As the runs of single points tell it.

    Raises:
        SsdlabError: No drive of that size is possible.
    """
    with _fitter(acts, division, known, steady, drift) as fitter:
        return fitter.fit(name, capacity_bytes)


@contextmanager
def _fitter(
    acts: tuple[Act, ...],
    division: Division,
    known: OriginalDrive,
    steady: LastingWrites | None,
    drift: HourlyDrift | Unknown,
) -> Iterator["_Fitter"]:
    scratch = Scratch()
    try:
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            yield _Fitter(acts, division, known, steady, drift, scratch.path, pool)
    finally:
        scratch.close()


def _nothing_to_fit(faults: Sequence[Check]) -> SsdlabError:
    if not faults:
        return SsdlabError(message("twin-nothing-measured"), message("twin-hint-runs"))
    names = commas(*dict.fromkeys(check.name for check in faults))
    return SsdlabError(message("twin-nothing-trusted", checks=names), message("twin-hint-audit"))


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    draft: Draft
    cost: float
    silent: tuple[str, ...]
    at_bound: tuple[str, ...]
    drift_error: float = inf


class _Fitter:
    """Rehearses and solves, and counts how often."""

    def __init__(
        self,
        acts: tuple[Act, ...],
        division: Division,
        known: OriginalDrive,
        steady: LastingWrites | None,
        drift: HourlyDrift | Unknown,
        scratch: Path,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._acts, self._division, self._known, self._steady = acts, division, known, steady
        self._drift = drift
        self._told = _told(known, drift)
        self._probed = probed(known)
        self._scratch, self._pool = scratch, pool
        self.rehearsals = 0
        self._usual: dict[str, float] = {}

    def fit(self, name: str, capacity_bytes: int) -> Fitted:
        draft = self._structure(name, capacity_bytes)
        drift = self._drift
        found: dict[Block, _Solved] = {}
        for block, trials in _ROUNDS_UNPROBED if self._steady is None else _ROUNDS:
            best = self._solved(self._before(block, draft), block, trials)
            draft, found[block] = best.draft, best
            if isinstance(drift, HourlyDrift) and best.drift_error < inf:
                drift = replace(drift, lost=clock_of(draft).lost, error=best.drift_error)
        last = (found[Block.TOGETHER],) if Block.TOGETHER in found else tuple(found.values())
        return Fitted(
            draft=with_rewriting(draft, self._known.rewriting),
            acts=self._acts,
            division=self._division,
            silent=tuple(name for one in last for name in one.silent),
            at_bound=tuple(name for one in last for name in one.at_bound),
            rehearsals=self.rehearsals,
            drift=drift,
        )

    def _before(self, block: Block, draft: Draft) -> Draft:
        """What is turned without the acts that are compared, before a block is."""
        match block:
            case Block.WRITING:
                return self._made_steady(draft)
            case Block.POINTS:
                return draft
            case Block.TOGETHER:
                return self._made_waiting(draft)

    def suspected(self, capacity_bytes: int) -> HourlyDrift | Unknown:
        """See `suspected_drift`."""
        before = self._drift
        error = before.error if isinstance(before, HourlyDrift) else _UNTOLD
        hours = max((self._acts[place].begin_ns for place in self._division.points), default=0.0) / HOUR_NS
        draft = self._usual_draft(capacity_bytes)
        if draft is None or hours < _HOURS_MIN:
            return before
        self._drift = HourlyDrift(0.0, error, hours)
        self._told = _told(self._known, self._drift) - {DRIFT}
        solved = self._solved(drifting(draft, _AT_FIRST), Block.POINTS, _SUSPECTING)
        lost = clock_of(solved.draft).lost
        # The same points are fitted to again, so that what they told already is not to hold them.
        return (
            replace(self._drift, lost=lost, error=_UNTOLD)
            if abs(lost) > max(_SUSPECTED, _SURELY * solved.drift_error)
            else before
        )

    def _usual_draft(self, capacity_bytes: int) -> Draft | None:
        """Of the likeliest structure, turned until it writes as it should; None where it is no possible drive."""
        self._usual = {}
        draft = first_draft("suspected", capacity_bytes, self._known, hypotheses(self._known, capacity_bytes)[0])
        return self._solved(draft, Block.WRITING, _EXPLORING).draft if is_possible(draft) else None

    def _made_steady(self, draft: Draft) -> Draft:
        """As steady as a probe saw the drive; from then on, how long a program takes is known."""
        if self._steady is None:
            return draft
        draft, trials = with_steady(with_rewriting(draft, self._known.rewriting), self._steady, self._scratch)
        self.rehearsals += trials
        self._told |= {"timing.program"}
        return draft

    def _made_waiting(self, draft: Draft) -> Draft:
        """The same, and its writes wait as the probe saw them wait."""
        draft = self._made_steady(draft)
        return draft if self._steady is None else with_collection(draft, self._steady, self._steadily, self._pool.map)

    def _steadily(self, draft: Draft) -> LastingWrites | None:
        """What writes for good come to; None on what is no possible drive."""
        assert self._steady is not None  # noqa: S101 - asked only of a drive that was seen
        self.rehearsals += 1
        try:
            return steady_on(draft, self._scratch, self._steady.block_bytes, self._steady.wander)
        except DriveError:
            return None

    def _structure(self, name: str, capacity_bytes: int) -> Draft:
        """The best of all kinds of caches, then of all numbers of bits in a cell."""
        among = self._hypotheses(capacity_bytes)
        found = self._found(name, capacity_bytes, among)
        if not found:
            likeliest = hypotheses(self._known, capacity_bytes)[0]
            require_possible(self._first_draft(name, capacity_bytes, likeliest), capacity_bytes)
        chosen = self._likeliest(name, capacity_bytes, found)
        others = [replace(chosen, bits=bits) for bits in other_bits(chosen)]
        self._usual = {}
        return self._of_bits(name, capacity_bytes, found[chosen], others) if others else found[chosen].draft

    def _found(self, name: str, capacity_bytes: int, among: Iterable[Hypothesis]) -> dict[Hypothesis, _Solved]:
        """Those of which a drive is possible, turned for passes."""
        tried = {one: self._tried(name, capacity_bytes, one) for one in among}
        return {one: solved for one, solved in tried.items() if solved is not None}

    def _of_bits(self, name: str, capacity_bytes: int, first: _Solved, others: Sequence[Hypothesis]) -> Draft:
        """The best by how writes for good wait, where that tells, and otherwise by passes and points.

        A pass goes as fast with longer programs of more bits, but a write that waits for a program waits longer, which shows where a buffer is
        full, once reads take as long as they did.
        """
        waiting = self._tried_waiting(first.draft)
        usual_one = best = self._for_points(first, waiting)
        usual = self._usual
        for one in others:
            other = self._tried(name, capacity_bytes, one)
            self._usual = usual
            if other is None:
                continue
            draft = self._tried_waiting(with_points_of(other.draft, best.draft))
            # Points are turned for nothing else where writes for good tell that it is not this one.
            if not is_told(best.waiting, self._cost_of_waiting(draft)):
                tried = self._for_points(other, draft)
                best = tried if tried.is_better_than(best) else best
        if self._steady is None or best is usual_one or best.is_told_from(usual_one):
            return best.draft
        # Others began where its points had been turned to: it is turned once more from where theirs were.
        again = self._for_points(first, with_points_of(waiting, best.draft))
        return best.draft if best.is_better_than(again) else again.draft

    def _tried_waiting(self, draft: Draft) -> Draft:
        """The draft with writes for good as seen; how long a program takes is turned for passes of other drafts still."""
        told = self._told
        draft = self._made_waiting(draft)
        self._told = told
        return draft

    def _for_points(self, passes: _Solved, draft: Draft) -> OfBits:
        """A draft as it comes of passes, and with writes for good as seen, turned for points.

        Where no probe told random writes for good, points are taken as they are: too much that is turned for them may be something else.
        """
        if self._steady is None:
            writing = [one for one in self._division.points if self._acts[one].work.writes]
            return OfBits(
                draft=passes.draft, passes=passes.cost, points=self._cost_at(passes.draft, writing), waiting=0.0
            )
        told = self._told
        self._told |= {"timing.program"}
        solved = self._solved(draft, Block.POINTS, _COMPARING)
        self._told = told
        waiting = self._cost_of_waiting(solved.draft)
        return OfBits(draft=solved.draft, passes=passes.cost, points=solved.cost, waiting=waiting)

    def _cost_of_waiting(self, draft: Draft) -> float:
        """Of what its writes for good wait in another way than the drive's; nothing where that was not seen."""
        if self._steady is None or not self._steady.waits:
            return 0.0
        seen = self._steadily(draft)
        return inf if seen is None else _soft(waiting_off(seen, self._steady))

    def _tried(self, name: str, capacity_bytes: int, one: Hypothesis) -> _Solved | None:
        """Turned for passes; None where it is no possible drive."""
        self._usual = {}
        draft = self._first_draft(name, capacity_bytes, one)
        return self._explored(draft) if is_possible(draft) else None

    def _hypotheses(self, capacity_bytes: int) -> tuple[Hypothesis, ...]:
        """Without random writes for good nothing tells whether a drive writes through its cache: then it does as most do, and writes past it."""
        among = hypotheses(self._known, capacity_bytes)
        if self._steady is not None:
            return among
        return tuple(one for one in among if one.after is not AfterCache.CACHE_ONLY) or among

    def _likeliest(self, name: str, capacity_bytes: int, found: Mapping[Hypothesis, _Solved]) -> Hypothesis:
        """Which still writes in order as was measured when it writes at random for good as was seen.

        A drive that writes all through its cache writes in order as one that writes past it, whose programs take longer: then it is slower at
        random for good. With a wrong number of bits neither writes as it should, and the wrong one may be nearer: each is taken with that which suits it best.
        """
        if self._steady is None or len(found) == 1:
            return min(found, key=lambda one: found[one].cost)
        told, costs = self._told, dict[Hypothesis, float]()
        for one, solved in found.items():
            others = self._found(name, capacity_bytes, (replace(one, bits=bits) for bits in other_bits(one)))
            costs[one] = min(self._cost_if_steady(tried.draft) for tried in (solved, *others.values()))
            self._told = told
        return min(costs, key=lambda one: costs[one])

    def _cost_if_steady(self, draft: Draft) -> float:
        self._usual = {}
        return self._solved(self._made_steady(draft), Block.WRITING, _EXPLORING).cost

    def _explored(self, draft: Draft) -> _Solved:
        """Turned, and from where a cache that is refilled fits best: teeth that are out of step with those measured lead nowhere."""
        solved = self._solved(draft, Block.WRITING, _EXPLORING)
        starts = refilling(solved.draft)
        if not starts:
            return solved
        best = min(starts, key=lambda one: self._cost_at(one, self._division.passes))
        self._usual = {}
        other = self._solved(best, Block.WRITING, _EXPLORING)
        return min(solved, other, key=lambda one: one.cost)

    def _first_draft(self, name: str, capacity_bytes: int, tried: Hypothesis) -> Draft:
        draft = first_draft(name, capacity_bytes, self._known, tried)
        lost = self._drift.lost if isinstance(self._drift, HourlyDrift) else 0.0
        return drifting(draft, lost) if lost else draft

    def _cost_at(self, draft: Draft, places: Sequence[int]) -> float:
        """Before anything is turned."""
        away = self._away(draft, (), places)(np.array([]))
        return inf if away is None else _soft(away)

    def _solved(self, draft: Draft, block: Block, trials: int) -> _Solved:
        """Turn the knobs of a block."""
        from scipy.optimize import least_squares

        places = self._places(block)
        knobs = tuple(knob for knob in knobs_of(draft, block) if knob.name not in self._told)
        if not places or not knobs:
            return _Solved(draft, 0.0, tuple(knob.name for knob in knobs), ())
        start, low, high = (np.array([log(getattr(knob, end)) for knob in knobs]) for end in ("start", "low", "high"))
        start = np.clip(start, low + 1e-6, high - 1e-6)
        self._usual = {knob.name: value for knob, value in zip(knobs, start.tolist(), strict=True)} | self._usual
        away = self._away(draft, knobs, places)
        first = away(start)
        if first is None:
            return _Solved(draft, np.inf, (), ())

        def safe(found: Floats | None) -> Floats:
            return np.full_like(first, _IMPOSSIBLE) if found is None or found.shape != first.shape else found

        def jacobian(x: Floats) -> Floats:
            steps = np.where(x + _STEP > high, -_STEP, _STEP)
            ways = [x + steps[place] * (np.arange(len(x)) == place) for place in range(len(x))]
            there = list(self._pool.map(away, ways))
            # The solver has just asked for what is here.
            here = last[1] if np.array_equal(last[0], x) else safe(away(x))
            return np.array([(safe(one) - here) / step for one, step in zip(there, steps, strict=True)]).T

        last = (start, first)

        def there_now(x: Floats) -> Floats:
            nonlocal last
            last = (x.copy(), safe(away(x)))
            return last[1]

        solved = least_squares(
            there_now,
            start,
            jac=jacobian,
            bounds=(low, high),
            loss="soft_l1",
            f_scale=_F_SCALE,
            max_nfev=trials,
            ftol=3e-3,
            xtol=1e-3,
        )
        strength = np.sqrt((solved.jac[: -len(knobs)] ** 2).sum(axis=0))
        return _Solved(
            turned(draft, knobs, np.exp(solved.x).tolist()),
            float(solved.cost),
            tuple(knob.name for knob, one in zip(knobs, strength, strict=True) if one < _SILENT),
            tuple(knob.name for knob, one in zip(knobs, solved.active_mask, strict=True) if one),
            _error_of(DRIFT, knobs, solved.jac, float(solved.cost), len(places)),
        )

    def _places(self, block: Block) -> tuple[int, ...]:
        """Of the acts that tell."""
        match block:
            case Block.WRITING:
                return self._division.passes
            case Block.POINTS:
                return self._division.points
            case Block.TOGETHER:
                return (*self._division.passes, *self._division.points)

    def _away(
        self, draft: Draft, knobs: Sequence[FittedKey], places: Sequence[int]
    ) -> Callable[[Floats], Floats | None]:
        usual = np.array([self._usual[knob.name] for knob in knobs])
        weights = np.array([self._weight(knob) for knob in knobs])

        def away(x: Floats) -> Floats | None:
            self.rehearsals += 1
            trial = turned(draft, knobs, np.exp(x).tolist())
            try:
                # Too short for what comes again after seconds.
                seen = rehearse(without_rewriting(trial), self._acts, frozenset(places), self._scratch)
            except DriveError:
                return None
            return np.concatenate([residuals(self._acts, seen), weights * (x - usual)])

        return away

    def _weight(self, knob: FittedKey) -> float:
        """Of how far a quantity is from where it was."""
        if knob.name == DRIFT and isinstance(self._drift, HourlyDrift):
            return _AS_REPEATED / self._drift.error
        return _PROBED if knob.name in self._probed else _PRIOR


def _soft(away: Floats) -> float:
    """What the solver makes least."""
    return float(_F_SCALE**2 * (np.sqrt(1 + (away / _F_SCALE) ** 2) - 1).sum())


def _error_of(name: str, knobs: Sequence[FittedKey], jacobian: Floats, cost: float, acts: int) -> float:
    """Standard error of a logarithm, from what is left and how much it would change; infinite where that knob was not turned.

    What the numbers of one act are off by, they are off by together: the acts count, not their numbers.
    """
    place = next((place for place, knob in enumerate(knobs) if knob.name == name), None)
    if place is None:
        return inf
    numbers = len(jacobian) - len(knobs)
    spread = 2 * cost / max(1, numbers) * max(1.0, numbers / acts)
    return sqrt(spread * float(np.linalg.pinv(jacobian.T @ jacobian)[place, place]))


def _told(known: OriginalDrive, drift: HourlyDrift | Unknown) -> frozenset[str]:
    """Knobs that need no turning: that was looked at alone, and all else says less of it.

    What reads wait beside writes is not among them: besides the suspension of a program it is the queue of a channel that writes keep busy.
    Nor is the noise of commands where operations of the flash scatter too: what was looked at is then both.
    """
    is_alone = "noise.sigma" in known.numbers and not (known.scatter and known.scatter.operations)
    found = frozenset({"noise.sigma"} if is_alone else ())
    # A pass that the flash limits says nothing of the link, and would turn it anywhere.
    found |= {"timing.link_write"} if written_link(known) else frozenset()
    error = drift.error if isinstance(drift, HourlyDrift) and drift.lost else 0.0
    return found | {DRIFT} if error < _TURNED_FROM else found
