"""What the plateaus of a sequential fill mean: SLC cache, folding, direct."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

import numpy as np

from ssdlab.analysis.infer.gradual import GradualFall, fall_as_a_ramp, fall_in_steps, gradual_fall
from ssdlab.analysis.infer.heat import throttled_at
from ssdlab.analysis.infer.hidden import HiddenFall, hidden_fall
from ssdlab.analysis.infer.interruption import Steady, steady_of
from ssdlab.analysis.infer.plateau import (
    RAMP_NS,
    SAME,
    SAME_LEVEL,
    SIGMAS,
    Plateau,
    PlateauChange,
    change_between,
    difference,
    in_whole,
    inside,
    levels_of_steady,
    plateau_of,
)
from ssdlab.analysis.infer.slump import (
    SLUMP_SHARE_MAX,
    is_far_below,
    parts_between,
    slower_in,
    slumps_of,
    speed_of,
    stalls_in,
)
from ssdlab.analysis.statistics.changepoint import running_median
from ssdlab.analysis.statistics.interval import FEW_WINDOWS, Interval
from ssdlab.analysis.statistics.noise import WindowNoise, noise_of_few
from ssdlab.engine.result import SensorSeries, Series
from ssdlab.message import Message, bandwidth_decimal, commas, message, number, size_decimal
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_COMES_BACK = 0.9
"""A level that returns for this share of its first length is a rhythm of the drive and not a cache."""
_EXPLAINED = 0.5
"""Share of the differences between plateaus that two phases must explain; a sawtooth's halves explain little."""

PHASE_SHARE_MIN = 0.03
"""A phase in which less of the pass is written is the way from one to the next, or what happens when a drive is all but full."""
_LEVEL_OF_ITS_OWN = 1.5 * SAME
"""How far, as a difference of logarithms, a level must be from its phase's mean to be none of it."""
_CACHE_SHARE_MAX = 0.6
"""A cached byte takes twice its flash at least, and there is an eighth more flash than capacity at most."""
_SLOW_START_SHARE = 0.01
"""Of the pass. Many caches are larger than one per cent of the drive; that a smaller one would not show is said beside the size."""
_FIRST_WINDOWS = 3
_GRADUAL = 0.35
"""Share of a fall that must come after it, little by little, for the fall to have been the beginning of a slope."""
_A_CACHE = 20
"""A cache is looked for in a part of the pass as small as one in so many."""
_A_PHASE = 4
"""Likewise a phase after it."""
_TOOTH = 0.8
"""Share of the cache's speed that a return to it reaches."""
_CHANCE_TEETH = 2
"""A speed that comes back so often may do so after stalls; more often it is what the drive does, if it still does so
when more has been written than a cache can hold."""
_MOST = 0.75
"""Of the windows of a return, in ascending order, the one taken as its speed."""
_ONE_END = 2.0
"""Where the cache may have held so many times what it held at least, there are two candidates and no interval of one size."""
_BEYOND = 2.0
"""Standard deviations of a window by which a speed is above another."""
_FALL_WINDOWS = 2
"""Windows in which the speed may still be falling."""


@dataclass(frozen=True, slots=True)
class Cache:
    """The phase that ends with the first lasting fall of the speed.

    Attributes:
        plateau: Its windows, and its speed outside the stalls; where none of them is, that of the windows which are not all stall.
        rise: Where it begins, if the drive started slower; else the first byte.
        cliff: Where it ends.
        stalls: Windows inside it in which the drive was stalled: their bytes are of its size, their time is none of its speed.
    """

    plateau: Plateau
    rise: PlateauChange
    cliff: PlateauChange
    stalls: tuple[slice, ...] = ()

    @property
    def size_bytes(self) -> float:
        """Bytes written at its speed."""
        return self.cliff.done_bytes - self.rise.done_bytes

    @property
    def interval(self) -> Interval:
        """95 % interval of the size; what a slow start wrote may be in the cache as well."""
        return Interval(max(0.0, self.cliff.low_bytes - self.rise.high_bytes), self.cliff.high_bytes)


@dataclass(frozen=True, slots=True)
class PassPhases:
    """Phases of one pass.

    Attributes:
        cache: Absent where the speed never falls.
        folding: The slower of two phases after the cache: the drive copies cached data into its native cells besides
            writing. Mostly the first of the two; a drive that writes directly until its free blocks run out folds last.
        direct: The other one, or the only one: writing straight into native cells (or only as fast as folding frees cache;
            a single level cannot tell which). Where `cache` is Unknown it is the whole pass, which may be neither.
        note: What a reader must know of the order of phases.
        teeth: How often the speed of the cache comes back later in the pass.
        valley: Windows from the end of the cache to the first of these; 0 where there is none.
        last_tooth: Share of the drive, or where its size is not known of the pass, written when it comes back for the last time; 0 where it never does.
        hidden: Share of its speed by which a part of a phase after the cache can be slower without standing out from the noise.
        noise: Of the windows, where there is a cache.
    """

    cache: Cache | Unknown
    folding: Plateau | Unknown
    direct: Plateau | Unknown
    note: Message | None = None
    teeth: int = 0
    valley: int = 0
    last_tooth: float = 0.0
    hidden: float = 0.0
    noise: WindowNoise | None = None


class _Kind(Enum):
    """What can follow a cache."""

    ONE_PHASE = auto()
    FOLDING_FIRST = auto()
    DIRECT_FIRST = auto()
    SEVERAL_PHASES = auto()


def phases_of(series: Series, capacity_bytes: int | None = None, sensors: SensorSeries | None = None) -> PassPhases:
    """Tell the phases of a pass apart.

    The cache is the level before the first fall, without the slower ones that may lead up to it; unless that fall can be something
    else. What follows is one phase or two: the split of its plateaus that explains their levels best, if it explains more than half
    of their differences.

    Args:
        series: Of the pass.
        capacity_bytes: User capacity, where it is known: a cache cannot hold more than half of the flash.
        sensors: What the drive said meanwhile of its temperature, where it did.
    """
    if not len(series.time_ns):
        nothing = Unknown(message("unknown-no-windows"))
        return PassPhases(nothing, nothing, nothing)
    unbroken = steady_of(series)
    steady, plateaus = levels_of_steady(unbroken)
    found = _phases(steady, plateaus, capacity_bytes, sensors)
    # From the beginning: a part of a stall may have been taken for one, and the rest for a phase.
    slumps = None if _keeps_coming_back(found) else slumps_of(unbroken)
    if slumps is None:
        return _as_seen(unbroken, found)
    otherwise = _phases(*levels_of_steady(slumps.left_out(unbroken)), capacity_bytes, sensors)
    cache = _common_cache(found.cache, otherwise.cache)
    if slumps.behind is not None:
        cache = _one_end(cache)
    if isinstance(cache, Unknown):
        return _without_cache(steady, _lasting(steady, plateaus), cache.reason)
    if _kind(found) == _kind(otherwise):
        return _as_seen(unbroken, replace(otherwise, cache=cache))
    unclear = Unknown(message("unknown-phase-or-stall", phase=_what_follows(found), stall=_what_follows(otherwise)))
    return replace(
        otherwise, cache=cache, folding=unclear, direct=unclear, note=None, teeth=0, valley=0, last_tooth=0.0
    )


def _as_seen(steady: Steady, found: PassPhases) -> PassPhases:
    """The same, with what interrupts the only phase after the cache said: a stall or an episode is no phase, but it was seen.

    Args:
        steady: The series, with its slumps.
        found: Its phases.
    """
    if (
        _following(found) is not _Kind.ONE_PHASE
        or isinstance(found.cache, Unknown)
        or isinstance(found.direct, Unknown)
    ):
        return found
    rates, start = steady.whole.bandwidth_bytes_per_s, found.direct.start
    slower = slower_in(steady, start, (1 - SAME_LEVEL) * float(np.median(rates[start : found.direct.end])))
    if not slower.any():
        return found
    seconds = steady.whole.duration_ns[slower] / NS_PER_S
    speed = bandwidth_decimal(float(np.average(rates[slower], weights=seconds)))
    held_up = message("unknown-slower-for-a-while", seconds=number(float(seconds.sum()), ",.0f"), speed=speed)
    return replace(found, folding=Unknown(held_up))


def _keeps_coming_back(found: PassPhases) -> bool:
    """Whether the speed of the cache comes back by the drive's own doing, and not after stalls inside of one large cache."""
    return found.teeth > _CHANCE_TEETH and found.last_tooth > _CACHE_SHARE_MAX


def _phases(
    steady: Steady, plateaus: Sequence[Plateau], capacity_bytes: int | None, sensors: SensorSeries | None
) -> PassPhases:
    """Of a series of these levels."""
    lasting = _lasting(steady, plateaus)
    falls = [index for index, (one, following) in enumerate(pairwise(lasting)) if _falls(one, following)]
    if not falls:
        return _without_cache(steady, lasting, _no_fall(steady, plateaus, lasting))
    cache, rest = lasting[falls[0]], lasting[falls[0] + 1 :]
    if _comes_back(cache, rest):
        return _without_cache(steady, lasting, message("unknown-rhythm"))
    found = _cache(steady, cache, rest[0])
    doubt = _doubt(steady, lasting[falls[0] :], found, capacity_bytes, sensors)
    if doubt is not None:
        return _without_cache(steady, lasting, doubt)
    teeth = _teeth(steady, cache)
    after = _after(steady, found, rest, len(teeth))
    if teeth:
        last_tooth = steady.bytes_from(cache.end + teeth[-1]) / (capacity_bytes or float(steady.whole.bytes_done[-1]))
        after = replace(after, valley=teeth[0], last_tooth=last_tooth)
    return replace(after, noise=_noise_of_levels(steady, lasting))


def _cache(steady: Steady, cache: Plateau, following: Plateau) -> Cache:
    """The cache that ends where the following plateau begins."""
    plateau = in_whole(steady, cache)
    windows = inside(plateau.start, plateau.end)
    level = float(np.median(steady.series.bandwidth_bytes_per_s[cache.start : cache.end]))
    stalls = stalls_in(steady.whole, windows, level)
    if stalls:
        # Of a cache that fills few windows, each may have a part of a stall.
        left = parts_between(windows, stalls)
        plateau = replace(plateau, bandwidth_bytes_per_s=speed_of(steady.whole, left) if left else level)
    return Cache(plateau, _rise(steady, cache), change_between(steady, cache, following), stalls)


def _common_cache(cache: Cache | Unknown, rested: Cache | Unknown) -> Cache | Unknown:
    """The cache that there is whether slumps are phases or stalls; both candidates where these are two.

    Args:
        cache: With slumps as phases.
        rested: With slumps as stalls.
    """
    if isinstance(cache, Unknown):
        if isinstance(rested, Unknown):
            return rested
        return Unknown(message("unknown-slump-as-stall", candidate=size_decimal(rested.cliff.done_bytes)))
    if isinstance(rested, Unknown):
        return Unknown(message("unknown-slump-as-phase", candidate=size_decimal(cache.cliff.done_bytes)))
    one, other = cache.cliff, rested.cliff
    low, high = min(one.low_bytes, other.low_bytes), max(one.high_bytes, other.high_bytes)
    if max(one.low_bytes, other.low_bytes) > min(one.high_bytes, other.high_bytes):
        phase, stall = size_decimal(one.done_bytes), size_decimal(other.done_bytes)
        return Unknown(message("unknown-slump", phase=phase, stall=stall))
    return replace(rested, cliff=replace(other, low_bytes=low, high_bytes=high))


def _one_end(cache: Cache | Unknown) -> Cache | Unknown:
    """The cache, unless most of what it may hold was written in what may as well be a phase."""
    if isinstance(cache, Unknown) or cache.cliff.high_bytes <= _ONE_END * cache.cliff.done_bytes:
        return cache
    phase, stall = size_decimal(cache.cliff.done_bytes), size_decimal(cache.cliff.high_bytes)
    return Unknown(message("unknown-end-in-stall", phase=phase, stall=stall))


def _kind(phases: PassPhases) -> tuple[_Kind, bool]:
    """What follows the cache, and whether its speed comes back."""
    return _following(phases), phases.teeth > 0


def _following(phases: PassPhases) -> _Kind:
    folding, direct = phases.folding, phases.direct
    if isinstance(direct, Unknown):
        return _Kind.SEVERAL_PHASES
    if isinstance(folding, Unknown):
        return _Kind.ONE_PHASE
    return _Kind.FOLDING_FIRST if folding.start < direct.start else _Kind.DIRECT_FIRST


def _what_follows(phases: PassPhases) -> Message:
    """The same in words."""
    if phases.teeth:
        return message("unknown-if-teeth", teeth=phases.teeth)
    if isinstance(phases.direct, Unknown):
        return phases.direct.reason
    following = [one for one in (phases.folding, phases.direct) if isinstance(one, Plateau)]
    speeds = [bandwidth_decimal(one.bandwidth_bytes_per_s) for one in sorted(following, key=lambda one: one.start)]
    return message("unknown-if-phases", count=len(speeds), speeds=commas(*speeds))


def _noise_of_levels(steady: Steady, plateaus: Sequence[Plateau]) -> WindowNoise:
    """Noise of the windows, from their scatter around the levels where there are few."""
    inner = [steady.log_values[inside(one.start, one.end)] for one in plateaus if one.length > FEW_WINDOWS]
    return noise_of_few(np.concatenate([part - part.mean() for part in inner] or [np.array([])]), steady.noise)


def _after(steady: Steady, cache: Cache, rest: Sequence[Plateau], teeth: int) -> PassPhases:
    """What follows a cache: one phase, two, or more than have names."""
    split = _split(rest)
    parts = [rest] if split is None else [rest[:split], rest[split:]]
    if not teeth and any(_has_levels(steady, part) for part in parts):
        speeds = [bandwidth_decimal(one.bandwidth_bytes_per_s) for one in rest]
        several = Unknown(message("unknown-several-phases", speeds=commas(*speeds)))
        return PassPhases(cache, several, several)
    phases = [_together(steady, part) for part in parts]
    if len(phases) == 1:
        hidden = _hidden(steady, sum(one.length for one in rest), _A_PHASE)
        return PassPhases(cache, Unknown(message("unknown-no-slower-phase")), phases[0], teeth=teeth, hidden=hidden)
    first, second = phases
    # A stall counts in the mean of its phase, and does not make it the slower one.
    levels = [plateau_of(steady.series, part[0].start, part[-1].end).bandwidth_bytes_per_s for part in parts]
    large = [part for part in parts if sum(_share(steady, one) for one in part) >= PHASE_SHARE_MIN]
    hidden = max((_hidden(steady, sum(one.length for one in part), _A_PHASE) for part in large), default=0.0)
    if levels[0] < levels[1]:
        return PassPhases(cache, first, second, teeth=teeth, hidden=hidden)
    return PassPhases(cache, second, first, message("metric-direct-first"), teeth, hidden=hidden)


def _has_levels(steady: Steady, part: Sequence[Plateau]) -> bool:
    """Whether a phase is made of levels of their own."""
    whole = plateau_of(steady.series, part[0].start, part[-1].end)
    return any(difference(one, whole) > _LEVEL_OF_ITS_OWN and _share(steady, one) >= PHASE_SHARE_MIN for one in part)


def _lasting(steady: Steady, plateaus: Sequence[Plateau]) -> Sequence[Plateau]:
    """Without the last ones, in which too little is written to be a phase."""
    kept, share = list(plateaus), 0.0
    while len(kept) > 1 and (share := share + _share(steady, kept[-1])) < PHASE_SHARE_MIN:
        kept.pop()
    return kept


def _share(steady: Steady, plateau: Plateau) -> float:
    """Share of the bytes of the pass."""
    done = np.concatenate([[0.0], steady.whole.bytes_done])
    return float((done[steady.in_whole(plateau.end)] - done[steady.in_whole(plateau.start)]) / done[-1])


def _slope_behind(steady: Steady, plateaus: Sequence[Plateau]) -> GradualFall | None:
    """The slope that began before a stall or a dip and goes on behind it, where that may be what comes right after the fall."""
    before, after = plateaus[:2]
    fastest = max(plateaus[1:], key=lambda level: level.bandwidth_bytes_per_s)
    if after is fastest or _share(steady, after) >= SLUMP_SHARE_MAX:
        return None
    return gradual_fall(steady, fastest, max(SAME, difference(before, fastest) * _GRADUAL))


def _doubt(
    steady: Steady,
    plateaus: Sequence[Plateau],
    found: Cache,
    capacity_bytes: int | None,
    sensors: SensorSeries | None,
) -> Message | None:
    """Why the first fall may not be the end of a cache; None where nothing else is known that looks so."""
    before, after = plateaus[:2]
    hot = throttled_at(sensors, _when(steady, found.cliff), found.cliff.done_bytes)
    if hot is not None:
        return hot
    if capacity_bytes is not None and found.cliff.done_bytes > _CACHE_SHARE_MAX * capacity_bytes:
        share = number(found.cliff.done_bytes / capacity_bytes, ".0%")
        return message("unknown-fall-late", candidate=size_decimal(found.cliff.done_bytes), share=share)
    slow_bytes = _slow_start_bytes(steady, found)
    if slow_bytes > _SLOW_START_SHARE * steady.whole.bytes_done[-1]:
        candidate = size_decimal(found.cliff.done_bytes)
        return message("unknown-fall-after-slow-start", candidate=candidate, slow=size_decimal(slow_bytes))
    unsure = hidden_fall(steady, before, after)
    if unsure is not None:
        return _by_noise(unsure, found)
    faster_bytes = _faster_bytes(steady, before)
    if faster_bytes > PHASE_SHARE_MIN * steady.whole.bytes_done[-1]:
        candidate = size_decimal(found.cliff.done_bytes)
        return message("unknown-fall-faster-later", candidate=candidate, faster=size_decimal(faster_bytes))
    gradual = (
        gradual_fall(steady, before)
        or fall_in_steps(steady, plateaus)
        or fall_as_a_ramp(steady, plateaus)
        or gradual_fall(steady, after, difference(before, after) * _GRADUAL)
        or _slope_behind(steady, plateaus)
    )
    return None if gradual is None else _gradually(gradual)


def _slow_start_bytes(steady: Steady, found: Cache) -> float:
    """What was written before the speed of the cache was reached, if the drive was slower for longer than it takes to wake up."""
    slow_bytes = max(steady.bytes_stalled_first, found.rise.done_bytes)
    first = float(np.median(steady.whole.bandwidth_bytes_per_s[:_FIRST_WINDOWS]))
    if not slow_bytes or first > _TOOTH * found.plateau.bandwidth_bytes_per_s:
        return 0.0
    reached = int(np.searchsorted(steady.whole.bytes_done, slow_bytes))
    return slow_bytes if int(steady.whole.time_ns[reached]) > RAMP_NS else 0.0


def _faster_bytes(steady: Steady, before: Plateau) -> float:
    """What is written after a level at a speed above it that noise does not reach: a drive is fastest while it writes to its cache."""
    level = float(np.median(steady.log_values[inside(before.start, before.end)]))
    beyond = max(SAME, _BEYOND * float(np.sqrt(steady.noise.variance)))
    faster = np.flatnonzero(running_median(steady.log_values[before.end :]) > level + beyond) + before.end
    seconds = steady.series.duration_ns[faster] / NS_PER_S
    return float((steady.series.bandwidth_bytes_per_s[faster] * seconds).sum())


def _when(steady: Steady, change: PlateauChange) -> Interval:
    """From when to when a level may have changed, in nanoseconds."""
    ends = np.searchsorted(steady.whole.bytes_done, [change.low_bytes, change.high_bytes])
    first, last = steady.whole.time_ns[np.minimum(ends, len(steady.whole.time_ns) - 1)].tolist()
    return Interval(first, last)


def _by_noise(unsure: HiddenFall, found: Cache) -> Message:
    candidate = size_decimal(found.cliff.done_bytes)
    if unsure.earlier_bytes is None:
        return message("unknown-fall-as-a-wave", candidate=candidate)
    return message("unknown-fall-perhaps-earlier", candidate=candidate, earlier=size_decimal(unsure.earlier_bytes))


def _gradually(fall: GradualFall) -> Message:
    return message(
        "unknown-gradual-fall",
        fast=bandwidth_decimal(fall.fast_bytes_per_s),
        slow=bandwidth_decimal(fall.slow_bytes_per_s),
        low=size_decimal(fall.low_bytes),
        high=size_decimal(fall.high_bytes),
    )


def _teeth(steady: Steady, cache: Plateau) -> list[int]:
    """When the speed comes back to almost the cache's, for at least three windows in five: windows after the end of the cache."""
    values = steady.log_values[cache.end + _FALL_WINDOWS :]
    if not len(values):
        return []
    smooth, speed = running_median(values), float(np.log(cache.bandwidth_bytes_per_s))
    above = smooth > (float(np.median(smooth)) + speed) / 2
    edges = [0, *(np.flatnonzero(above[1:] != above[:-1]) + 1), len(values)]
    runs = [slice(int(start), int(end)) for start, end in pairwise(edges)]

    def stands_out(tooth: slice, valley: slice) -> bool:
        variance = sum(steady.noise.variance_of_median(part.stop - part.start) for part in (valley, tooth))
        return float(np.median(values[tooth]) - np.median(values[valley])) > SIGMAS * float(np.sqrt(variance))

    return [
        tooth.start + _FALL_WINDOWS
        for before, tooth, after in zip(runs, runs[1:], runs[2:], strict=False)
        if above[tooth.start]
        and float(np.quantile(smooth[tooth], _MOST)) >= speed + float(np.log(_TOOTH))
        and stands_out(tooth, before)
        and stands_out(tooth, after)
    ]


def _together(steady: Steady, part: Sequence[Plateau]) -> Plateau:
    """Plateaus taken as one, with what interrupts them."""
    return plateau_of(steady.whole, *steady.span_in_whole(part[0].start, part[-1].end))


def _rise(steady: Steady, cache: Plateau) -> PlateauChange:
    """Where the speed of the cache is reached: after the last window that is nearer to the slow start's speed than to it."""
    before = steady.series.bandwidth_bytes_per_s[: cache.start]
    slow = float(np.median(before)) if cache.start else 0.0
    nearer_to_slow = before < np.sqrt(slow * cache.bandwidth_bytes_per_s)
    if not nearer_to_slow.any():
        return PlateauChange(0.0, 0.0, steady.bytes_stalled_first)
    start = int(np.flatnonzero(nearer_to_slow)[-1]) + 1
    return change_between(steady, Plateau(0, start, slow), Plateau(start, cache.end, cache.bandwidth_bytes_per_s))


def _falls(one: Plateau, following: Plateau) -> bool:
    return following.bandwidth_bytes_per_s < one.bandwidth_bytes_per_s


def _comes_back(cache: Plateau, rest: Sequence[Plateau]) -> bool:
    """Whether the first speed, or a higher one, returns for as long or as many bytes, or is what the drive does most of the time."""
    level = cache.bandwidth_bytes_per_s * (1 - SAME_LEVEL)
    as_fast = [one for one in rest if one.bandwidth_bytes_per_s >= level]
    lasted = max(
        (max(1.0, one.bandwidth_bytes_per_s / cache.bandwidth_bytes_per_s) * one.length for one in as_fast), default=0
    )
    return lasted >= _COMES_BACK * cache.length or 2 * sum(one.length for one in as_fast) > sum(
        one.length for one in rest
    )


def _without_cache(steady: Steady, plateaus: Sequence[Plateau], reason: Message) -> PassPhases:
    unknown = Unknown(reason)
    whole = plateau_of(steady.whole, steady.in_whole(plateaus[0].start), steady.in_whole(plateaus[-1].end))
    return PassPhases(unknown, unknown, whole)


def _no_fall(steady: Steady, plateaus: Sequence[Plateau], lasting: Sequence[Plateau]) -> Message:
    """Why there is no fall: it comes at the very end, or little by little, or noise would hide it, or there is none."""
    if len(lasting) < len(plateaus) and _falls(lasting[-1], plateaus[len(lasting)]):
        end = change_between(steady, lasting[-1], plateaus[len(lasting)])
        return message("unknown-fall-at-end", candidate=size_decimal(end.done_bytes))
    gradual = next((fall for one in lasting if (fall := gradual_fall(steady, one)) is not None), None)
    if gradual is not None:
        return _gradually(gradual)
    hidden = _hidden(steady, len(steady.log_values), _A_CACHE)
    if hidden > SAME_LEVEL:
        return message("unknown-fall-hidden", share=number(hidden, ".0%"))
    stalled_bytes = steady.bytes_stalled_first
    if len(lasting) > 1 and is_far_below(*lasting[:2]) and _share(steady, lasting[0]) < SLUMP_SHARE_MAX:
        stalled_bytes = steady.bytes_until(lasting[0].end)
    if stalled_bytes:
        stalled = size_decimal(stalled_bytes)
        return message("unknown-no-fall-after-stall", share=number(SAME_LEVEL, ".0%"), stalled=stalled)
    shortest_s = 3 * steady.whole.window_ns / 1e9
    return message("unknown-no-fall", share=number(SAME_LEVEL, ".0%"), shortest_s=number(shortest_s, "g"))


def _hidden(steady: Steady, windows: int, parts: int) -> float:
    """By which share one of so many parts can be slower than the rest without standing out from the noise."""
    variance = sum(steady.noise.variance_of_median(length) for length in (windows, max(1, windows // parts)))
    return 1 - float(np.exp(-SIGMAS * np.sqrt(variance)))


def _split(rest: Sequence[Plateau]) -> int | None:
    """Where two phases part, best explained; None where there is only one."""
    # A stretch in which nothing moved is as slow as can be, and has no logarithm.
    levels = np.log([max(one.bandwidth_bytes_per_s, 1.0) for one in rest])
    weights = np.array([one.length for one in rest], dtype=np.float64)

    def scatter(part: slice) -> float:
        mean = np.average(levels[part], weights=weights[part])
        return float((weights[part] * (levels[part] - mean) ** 2).sum())

    whole = scatter(slice(None))
    if len(rest) < 2 or whole == 0:
        return None
    within = [scatter(slice(None, at)) + scatter(slice(at, None)) for at in range(1, len(rest))]
    best = int(np.argmin(within)) + 1
    if 1 - within[best - 1] / whole < _EXPLAINED:
        return None
    first, second = (np.average(levels[part], weights=weights[part]) for part in (slice(None, best), slice(best, None)))
    return best if abs(first - second) >= SAME else None
