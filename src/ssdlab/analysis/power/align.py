"""Lays the clock of a power meter on that of a run, by the bursts of load that the run made at its start and end.

First each set of marks is looked for by its shape: partial correlation of power with the bursts, the level and a linear drift of the
idle power removed, over what samples there are. The two places must be as far apart as they were in the run, but for what clocks may
differ. Then every beginning and end of a burst is found by itself, and a straight line through them, of which those that do not agree
have no part, is the clock. What cannot be told apart from chance, or from a second place that fits as well, is refused.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ssdlab.analysis.power.samples import Floats, PowerLog, PowerLogError
from ssdlab.bundle.power import ClockFit, MarkPlace, PowerBurst, PowerMarks
from ssdlab.message import message, number
from ssdlab.units import NS_PER_S

_GRID_S = 0.005
_GRID_S_MAX = 0.02
_CELLS_MAX = 1 << 24
_PERIOD_S_MAX = 0.02
"""A burst is 200 ms: with fewer than ten samples of each its edges are not found to some milliseconds."""
_IDLE_S = 0.4
"""Taken of the idle time before the first burst and after the last."""
_CORRELATION_MIN = 0.6
_CANDIDATES_MAX = 40
_CANDIDATES_APART_S = 0.15
_DRIFT_MAX = 500e-6
"""Crystals are good to 50 ppm, bad ones to 200."""
_APART_SLACK_S = 0.06
_SECOND_BEST = 0.12
"""How much better than the next place the best one must correlate."""
_VISIBLE_MIN = 0.5
"""Of the pattern of a set of marks, that must be inside the log."""
_EDGE_REACH_S = 0.1
_FINE_S = 0.00025
_EDGES_MIN = 5
"""At each end of the run."""
_OF_EACH_MIN = 2
"""Beginnings and ends of bursts at each end of the run: how much later the one are seen than the other is told by both alone."""
_ERROR_S_MAX = 0.02
_STEP_MIN = 3.0
"""Height of an edge, in standard deviations of what is around it."""
_PROFILE_CELLS = 40
_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Mean power in cells of one width; NaN where there is no sample."""

    begin_s: float
    cell_s: float
    power_w: Floats


@dataclass(frozen=True, slots=True)
class _Found:
    """Where on the meter's clock the first burst of a set of marks may begin, and how well it fits."""

    begin_s: float
    correlation: float


@dataclass(frozen=True, slots=True)
class _Pair:
    start: _Found
    end: _Found

    @property
    def score(self) -> float:
        return min(self.start.correlation, self.end.correlation)


@dataclass(frozen=True, slots=True)
class _Edge:
    """A beginning or end of a burst: on the run's clock, and how much later than foretold it was seen."""

    run_s: float
    late_s: float
    is_rise: bool
    place: MarkPlace
    profile: Floats
    """Power around where it was seen, the level before it as 0 and that after it as 1."""


def fit_clock(log: PowerLog, marks: Sequence[PowerMarks]) -> ClockFit:
    """Fit the clock of the meter.

    Raises:
        PowerLogError: The run has no marks at its start and end, or the log does not show them beyond doubt.
    """
    start, end = _both(marks)
    if not 0 < log.period_s <= _PERIOD_S_MAX:
        period, longest = number(log.period_s * 1e3, ".3g"), number(_PERIOD_S_MAX * 1e3, "g")
        raise PowerLogError(
            message("power-sampled-slowly", period_ms=period, most_ms=longest), message("power-hint-rate")
        )
    grid = _gridded(log)
    span_s = len(grid.power_w) * grid.cell_s
    run_s = (end.bursts[-1].end_ns - start.bursts[0].begin_ns) / NS_PER_S
    if span_s * (1 + _DRIFT_MAX) < 0.5 * (run_s - _length_s(start) - _length_s(end)):
        raise PowerLogError(
            message("power-log-short", log_s=number(span_s, ".3g"), run_s=number(run_s, ".3g")),
            message("power-hint-whole-run"),
        )
    pair = _place(start, end, grid)
    apart_s = (end.bursts[0].begin_ns - start.bursts[0].begin_ns) / NS_PER_S
    drift = (pair.end.begin_s - pair.start.begin_s) / apart_s - 1
    offset_s = pair.start.begin_s - (1 + drift) * start.bursts[0].begin_ns / NS_PER_S
    cuts = _cuts(log, (start, end), offset_s, drift)
    fit = _refined(cuts, log.period_s, offset_s, drift)
    return _refined(cuts, log.period_s, fit.offset_s, fit.drift_ppm * 1e-6)


def _both(marks: Sequence[PowerMarks]) -> tuple[PowerMarks, PowerMarks]:
    by_place = {one.place: one for one in marks if len(one.bursts) > 1}
    if len(by_place) < len(MarkPlace):
        missing = next(place for place in MarkPlace if place not in by_place)
        raise PowerLogError(message("power-no-marks", place=missing.value), message("power-hint-marks"))
    return by_place[MarkPlace.START], by_place[MarkPlace.END]


def _length_s(marks: PowerMarks) -> float:
    return (marks.bursts[-1].end_ns - marks.bursts[0].begin_ns) / NS_PER_S


def _gridded(log: PowerLog) -> _Grid:
    """All of the log, coarsely."""
    begin_s, cell_s = math.nan, max(_GRID_S, log.period_s)
    total, count = np.zeros(1024), np.zeros(1024)
    used = 0
    for chunk in log.chunks():
        if not len(chunk.time_s):
            continue
        begin_s = float(chunk.time_s[0]) if math.isnan(begin_s) else begin_s
        while (last := int((chunk.time_s[-1] - begin_s) / cell_s)) >= _CELLS_MAX:
            if cell_s >= _GRID_S_MAX:
                longest = number(_CELLS_MAX * cell_s / 3600, ".0f")
                raise PowerLogError(message("power-log-long", hours=longest), message("power-hint-cut"))
            total, count, cell_s = _halved(total), _halved(count), 2 * cell_s
        if last >= len(total):
            room = np.zeros(max(last + 1, 2 * len(total)) - len(total))
            total, count = np.concatenate([total, room]), np.concatenate([count, room])
        used = max(used, last + 1)
        known = np.isfinite(chunk.power_w)
        cells = ((chunk.time_s[known] - begin_s) / cell_s).astype(np.int64)
        if len(cells):
            first = int(cells[0])
            part = np.bincount(cells - first, chunk.power_w[known])
            total[first : first + len(part)] += part
            count[first : first + len(part)] += np.bincount(cells - first)
    if not used or not count.any():
        raise PowerLogError(message("power-log-empty"), message("power-hint-whole-run"))
    with np.errstate(invalid="ignore"):
        return _Grid(begin_s, cell_s, (total / count)[:used])


def _halved(values: Floats) -> Floats:
    even = values if len(values) % 2 == 0 else np.append(values, 0.0)
    return np.asarray(even.reshape(-1, 2).sum(axis=1), dtype=np.float64)


def _place(start: PowerMarks, end: PowerMarks, grid: _Grid) -> _Pair:
    """Where both sets of marks are."""
    starts, ends = _candidates(start, grid), _candidates(end, grid)
    for place, found in ((MarkPlace.START, starts), (MarkPlace.END, ends)):
        if not found:
            raise PowerLogError(message("power-marks-not-found", place=place.value), message("power-hint-not-found"))
    apart_s = (end.bursts[0].begin_ns - start.bursts[0].begin_ns) / NS_PER_S
    slack_s = _DRIFT_MAX * apart_s + _APART_SLACK_S
    pairs = sorted(
        (
            _Pair(one, other)
            for one in starts
            for other in ends
            if abs(other.begin_s - one.begin_s - apart_s) <= slack_s
        ),
        key=lambda pair: -pair.score,
    )
    if not pairs:
        nearest = min((abs(b.begin_s - a.begin_s - apart_s) for a in starts for b in ends), default=math.inf)
        raise PowerLogError(
            message("power-marks-apart", apart_s=number(apart_s, ".1f"), off_s=number(nearest, ".3g")),
            message("power-hint-other-run"),
        )
    best, *others = pairs
    for other in others:
        is_elsewhere = (
            abs(other.start.begin_s - best.start.begin_s) > _CANDIDATES_APART_S
            or abs(other.end.begin_s - best.end.begin_s) > _CANDIDATES_APART_S
        )
        if is_elsewhere and other.score > best.score - _SECOND_BEST:
            raise PowerLogError(message("power-marks-ambiguous"), message("power-hint-not-found"))
    return best


def _candidates(marks: PowerMarks, grid: _Grid) -> list[_Found]:
    """Places where the power looks like the marks, best first."""
    first_s = marks.bursts[0].begin_ns / NS_PER_S
    lead_cells = round(_IDLE_S / grid.cell_s)
    cells = math.ceil((_length_s(marks) + _IDLE_S) / grid.cell_s) + lead_cells
    edges_s = first_s + np.arange(-lead_cells, cells + 1 - lead_cells, dtype=np.float64) * grid.cell_s
    template = np.diff(_loaded_s(edges_s, marks.bursts)) / grid.cell_s
    # As much of the marks as may lie before the beginning or behind the end of the log.
    outside = np.full(round(_VISIBLE_MIN * cells), np.nan)
    correlation = _correlations(np.concatenate([outside, grid.power_w, outside]), template)
    begin_s = grid.begin_s + (lead_cells - len(outside)) * grid.cell_s
    return list(_peaks(correlation, begin_s, grid.cell_s))


def _peaks(correlation: Floats, begin_s: float, cell_s: float) -> Iterator[_Found]:
    apart, left = max(1, round(_CANDIDATES_APART_S / cell_s)), correlation.copy()
    for _ in range(_CANDIDATES_MAX):
        if not len(left):
            return
        at = int(np.argmax(left))
        if left[at] < _CORRELATION_MIN:
            return
        yield _Found(begin_s + at * cell_s, float(left[at]))
        left[max(0, at - apart) : at + apart + 1] = -1.0


def _loaded_s(time_s: Floats, bursts: Sequence[PowerBurst]) -> Floats:
    """For how long bursts had lasted at each moment."""
    total = np.zeros(len(time_s))
    for burst in bursts:
        begin_s, end_s = burst.begin_ns / NS_PER_S, burst.end_ns / NS_PER_S
        total += np.clip(time_s, begin_s, end_s) - begin_s
    return total


def _correlations(power_w: Floats, template: Floats) -> Floats:
    """At each place of the template its partial correlation with the power, level and trend removed; -1 where too little is visible."""
    size = len(template)
    if len(power_w) < size:
        return np.full(0, -1.0)
    begins = range(0, len(power_w) - size + 1, _BLOCK)
    return np.concatenate([_block(power_w[begin : begin + _BLOCK + size - 1], template) for begin in begins])


def _block(power_w: Floats, template: Floats) -> Floats:
    size = len(template)
    known = np.isfinite(power_w)
    weight = known.astype(np.float64)
    centre = float(np.median(power_w[known])) if known.any() else 0.0
    value = np.where(known, power_w - centre, 0.0)
    ramp = np.linspace(-1.0, 1.0, size)
    length = 1 << (len(power_w) + size - 1).bit_length()
    of_weight, of_value = np.fft.rfft(weight, length), np.fft.rfft(value, length)
    of_square = np.fft.rfft(value**2, length)

    def slid(spectrum: "np.ndarray[tuple[int], np.dtype[np.complex128]]", kernel: Floats) -> Floats:
        whole = np.fft.irfft(spectrum * np.conj(np.fft.rfft(kernel, length)), length)
        return np.asarray(whole[: len(power_w) - size + 1], dtype=np.float64)

    one = np.ones(size)
    n = slid(of_weight, one)
    s_r, s_rr = slid(of_weight, ramp), slid(of_weight, ramp**2)
    s_t, s_tt, s_tr = slid(of_weight, template), slid(of_weight, template**2), slid(of_weight, template * ramp)
    s_x, s_xx = slid(of_value, one), slid(of_square, one)
    s_xr, s_xt = slid(of_value, ramp), slid(of_value, template)
    with np.errstate(divide="ignore", invalid="ignore"):
        rr, tt, xx = s_rr - s_r**2 / n, s_tt - s_t**2 / n, s_xx - s_x**2 / n
        tr, xr, xt = s_tr - s_t * s_r / n, s_xr - s_x * s_r / n, s_xt - s_x * s_t / n
        whole = float(((template - template.mean()) ** 2).sum())
        left_t, left_x = tt - tr**2 / rr, xx - xr**2 / rr
        found = (xt - xr * tr / rr) / np.sqrt(left_t * left_x)
        is_enough = (n > _VISIBLE_MIN * size) & (left_t > _VISIBLE_MIN * whole) & (left_x > 1e-9 * np.abs(s_xx))
    return np.where(is_enough & np.isfinite(found), found, -1.0)


def _refined(cuts: "Sequence[tuple[PowerMarks, _Grid]]", period_s: float, offset_s: float, drift: float) -> ClockFit:
    edges = [edge for marks, fine in cuts for edge in _edges(marks, fine, offset_s, drift)]
    total = sum(2 * len(marks.bursts) for marks, _ in cuts)
    for place in MarkPlace:
        there = sum(one.place is place for one in edges)
        if there < _EDGES_MIN:
            raise _noisy(place, there)
    inliers = _agreeing(edges)
    for place in MarkPlace:
        agreeing = [one for one in inliers if one.place is place]
        if len(agreeing) < _EDGES_MIN:
            raise _noisy(place, len(agreeing))
        rises = sum(one.is_rise for one in agreeing)
        if min(rises, len(agreeing) - rises) < _OF_EACH_MIN:
            raise _one_sided(place, rises, len(agreeing) - rises)
    run_s = np.array([one.run_s for one in inliers])
    late_s = np.array([one.late_s for one in inliers])
    is_fall = np.array([0.0 if one.is_rise else 1.0 for one in inliers])
    middle_s = float(run_s.mean())
    columns = np.stack([np.ones(len(run_s)), run_s - middle_s, is_fall - is_fall.mean()], axis=1)
    solution, *_ = np.linalg.lstsq(columns, late_s, rcond=None)
    rest_s = late_s - columns @ solution
    freedom = max(1, len(run_s) - 3)
    sigma_s = max(math.sqrt(float(rest_s @ rest_s) / freedom), max(_FINE_S, period_s) / math.sqrt(12))
    covariance = np.linalg.inv(columns.T @ columns) * sigma_s**2
    ends_s = np.array([run_s.min(), run_s.max()]) - middle_s
    variance = covariance[0, 0] + ends_s**2 * covariance[1, 1] + 2 * ends_s * covariance[0, 1]
    smoothed_s = _transition_s(inliers, max(_FINE_S, period_s))
    error_s = (
        2.5 * math.sqrt(float(variance.max()))
        + max(_FINE_S, period_s) / 10
        + max(abs(float(solution[2])) / 2, smoothed_s)
    )
    if error_s > _ERROR_S_MAX:
        error, most = number(error_s * 1e3, ".2g"), number(_ERROR_S_MAX * 1e3, "g")
        raise PowerLogError(
            message("power-clock-unsure", error_ms=error, most_ms=most), message("power-hint-not-found")
        )
    drift += float(solution[1])
    offset_s += float(solution[0]) - float(solution[1]) * middle_s
    if abs(drift) > _DRIFT_MAX:
        raise PowerLogError(
            message("power-drift-impossible", drift_ppm=number(drift * 1e6, ".0f")), message("power-hint-other-run")
        )
    return ClockFit(
        offset_s=offset_s,
        drift_ppm=drift * 1e6,
        error_s=error_s,
        drift_error_ppm=2.2e6 * math.sqrt(float(covariance[1, 1])),
        edges_used=len(inliers),
        edges=total,
        asymmetry_s=float(solution[2]),
    )


def _noisy(place: MarkPlace, edges: int) -> PowerLogError:
    return PowerLogError(
        message("power-marks-noisy", place=place.value, edges=edges, needed=_EDGES_MIN), message("power-hint-not-found")
    )


def _one_sided(place: MarkPlace, rises: int, falls: int) -> PowerLogError:
    return PowerLogError(
        message("power-marks-one-sided", place=place.value, rises=rises, falls=falls, needed=_OF_EACH_MIN),
        message("power-hint-not-found"),
    )


def _agreeing(edges: Sequence[_Edge]) -> list[_Edge]:
    """Those near the middle of their end of the run; rises and falls may differ by what the drive does after a load."""
    kept = []
    for place in MarkPlace:
        late_s = np.array([one.late_s for one in edges if one.place is place])
        middle_s = float(np.median(late_s))
        spread_s = 1.4826 * float(np.median(np.abs(late_s - middle_s)))
        reach_s = min(max(3 * spread_s, 4 * _FINE_S), _EDGE_REACH_S / 4)
        kept += [one for one in edges if one.place is place and abs(one.late_s - middle_s) <= reach_s]
    return kept


def _edges(marks: PowerMarks, fine: _Grid, offset_s: float, drift: float) -> Iterator[_Edge]:
    """Each edge that stands out of what is around it."""
    moments = [ns / NS_PER_S for burst in marks.bursts for ns in (burst.begin_ns, burst.end_ns)]
    apart = [_EDGE_REACH_S, *((later - earlier) / 2 for earlier, later in pairwise(moments)), _EDGE_REACH_S]
    for at, run_s in enumerate(moments):
        reach_s = min(apart[at], apart[at + 1], _EDGE_REACH_S)
        foretold_s = offset_s + (1 + drift) * run_s
        is_rise = at % 2 == 0
        seen = _step(fine, foretold_s, reach_s, 1.0 if is_rise else -1.0)
        if seen is not None:
            yield _Edge(run_s, seen.at_s - foretold_s, is_rise, marks.place, _profile(fine, seen))


def _cuts(log: PowerLog, marks: Sequence[PowerMarks], offset_s: float, drift: float) -> list[tuple[PowerMarks, _Grid]]:
    """The parts of the log in which marks are, finely."""
    cuts = []
    for one in marks:
        begin_s = offset_s + (1 + drift) * (one.bursts[0].begin_ns / NS_PER_S - _IDLE_S)
        end_s = offset_s + (1 + drift) * (one.bursts[-1].end_ns / NS_PER_S + _IDLE_S)
        cuts.append((one, _cut(log, begin_s, end_s)))
    return cuts


def _cut(log: PowerLog, begin_s: float, end_s: float) -> _Grid:
    cell_s, parts = max(_FINE_S, log.period_s), []
    for chunk in log.chunks():
        if not len(chunk.time_s) or chunk.time_s[-1] < begin_s:
            continue
        if chunk.time_s[0] > end_s:
            break
        inside = (chunk.time_s >= begin_s) & (chunk.time_s <= end_s) & np.isfinite(chunk.power_w)
        parts.append((chunk.time_s[inside], chunk.power_w[inside]))
    time_s = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0)
    if not len(time_s):
        return _Grid(begin_s, cell_s, np.full(1, np.nan))
    # Cells begin as the samples do, so that none lies in two of them.
    at = ((time_s - time_s[0] + log.period_s / 2) / cell_s).astype(np.int64)
    count = np.bincount(at)
    with np.errstate(invalid="ignore"):
        return _Grid(float(time_s[0]), cell_s, np.bincount(at, np.concatenate([part[1] for part in parts])) / count)


@dataclass(frozen=True, slots=True)
class _Step:
    """A step up or down of the power."""

    at_s: float
    before_w: float
    after_w: float


def _profile(grid: _Grid, step: _Step) -> Floats:
    """Power around it in cells, linear between the middles of those of the grid."""
    at_s = step.at_s + np.arange(-_PROFILE_CELLS, _PROFILE_CELLS + 1) * grid.cell_s
    middles_s = grid.begin_s + (np.arange(len(grid.power_w)) + 0.5) * grid.cell_s
    known = np.isfinite(grid.power_w)
    seen_w = np.interp(at_s, middles_s[known], grid.power_w[known])
    return np.asarray((seen_w - step.before_w) / (step.after_w - step.before_w), dtype=np.float64)


def _transition_s(edges: Sequence[_Edge], cell_s: float) -> float:
    """How long the power takes from one level to the other, over what the sampling makes of a sharp edge.

    A drive's supply smooths its power: an edge is then seen late, and how late cannot be told from an offset of the clock.
    """
    profile = np.median([one.profile for one in edges], axis=0)
    left = np.flatnonzero(profile[:_PROFILE_CELLS] < 0.15)
    right = np.flatnonzero(profile[_PROFILE_CELLS:] > 0.85)
    begin = left[-1] if len(left) else 0
    end = right[0] if len(right) else _PROFILE_CELLS
    return float(max(0, _PROFILE_CELLS + end - begin - 2) * cell_s)


def _step(grid: _Grid, foretold_s: float, reach_s: float, sign: float) -> _Step | None:
    """Where around that moment the power steps up or down, by least squares; None where no step stands out."""
    first = max(0, round((foretold_s - reach_s - grid.begin_s) / grid.cell_s))
    last = max(first, round((foretold_s + reach_s - grid.begin_s) / grid.cell_s))
    part = grid.power_w[first:last] * sign
    at = np.flatnonzero(np.isfinite(part))
    values = part[at]
    least = 4
    if len(values) < max(2 * least, 0.7 * len(part)):
        return None
    splits = np.arange(least, len(values) - least + 1)
    sums, squares = np.cumsum(values), np.cumsum(values**2)
    low = sums[splits - 1] / splits
    high = (sums[-1] - sums[splits - 1]) / (len(values) - splits)
    rest = squares[-1] - splits * low**2 - (len(values) - splits) * high**2
    best = int(np.argmin(np.where(high > low, rest, np.inf)))
    rise = float(high[best] - low[best])
    noise = math.sqrt(max(float(rest[best]), 0.0) / max(1, len(values) - 2))
    if rise <= 0 or rise < _STEP_MIN * noise / math.sqrt(min(splits[best], len(values) - splits[best])):
        return None
    split = int(splits[best])
    # The cells on both sides of the split may be partly on its other side.
    before, after = np.clip((values[[split - 1, split]] - low[best]) / rise, 0.0, 1.0)
    cell = at[split] - before + (1.0 - after)
    at_s = grid.begin_s + (first + cell) * grid.cell_s
    return _Step(float(at_s), sign * float(low[best]), sign * float(high[best]))
