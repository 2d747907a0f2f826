"""The first draft of a twin: what analyses and probes know of the inside, and a usual drive where they know nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot, isnan, log2, nan

from ssdlab.analysis.infer.phases import Cache, PassPhases
from ssdlab.analysis.infer.plateau import Plateau
from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.probe.probes.flush import FlushBehaviour
from ssdlab.probe.probes.interference import ReadOrder
from ssdlab.twin.dips import dipping
from ssdlab.twin.draft import Draft, Quantity, as_rate, as_size, as_time
from ssdlab.twin.known import OriginalDrive
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

_UNITS = 32
"""Parallel units, taken where nothing tells: two to four planes each of 8 to 16 dies, as drives of a terabyte have."""
_UNITS_MAX = 512
_SENSING = 0.7
"""Share of a lone read's time that its unit is busy with it at least: a sense of 45 us and 20 us of link, controller and command."""
_PLANES = (4, 2, 1)
_DIES_MIN = 4
_PAGE_BYTES = 16 * KIB
_SUPERBLOCKS = 700
"""Of a capacity: a block of every die of a terabyte drive is one to two gigabytes."""
_USUAL_BITS = 3
_OTHER_BITS = (2, 4)
"""Bits in a cell that are tried beside the usual ones."""
_CELL_BITS = 12
"""Every number of bits a cell may have goes into it evenly, so that the geometry stays when another is tried."""
_SPARE = 0.0995
"""A binary terabyte of flash for a decimal one of capacity."""
_COLLECTION = (6, 3)
_OPEN_BLOCKS = 4
"""Superblocks that collecting cannot use, and that the probe of spare flash does not see."""
_BUFFER_BYTES = 16 * MIB
_ABOVE = 1.03
"""A limit is above what it lets through."""
_JOURNAL_NS_MIN = 50e3
_PROGRAMMING_MIN = 0.2
"""Share of the time of a write through the cache that the program of native cells takes at least."""
_COMMAND_NS = 1000.0
"""Time of a command that no two share, where no point came near it."""
_FAST_BYTES_PER_S = 3e9
_WRITTEN_CORNERS = (32, 64, 128, 256)
_LONGER_MIN, _LONGER_TOLD_MIN = 0.1, 0.02
"""Share of a small I/O's time that a larger one has to take more: the second where intervals tell that it is more."""
_SURELY = 3.0
"""Half widths of an interval of 95 %."""
_UNHINDERED = 0.6
"""Share of the fastest of several rates that others have at least, unless something held them up."""
_SUSPEND_NS = 80e3
_NOISE = 0.02
_FLASH_SPREAD, _CONTROLLER_SPREAD = 0.03, 0.02


@dataclass(frozen=True, slots=True)
class _Slope:
    """What a larger I/O moves more than a small one, and how fast.

    Attributes:
        moved_bytes: More.
        bytes_per_s: Of these.
    """

    moved_bytes: int
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What of the structure has to be tried.

    Attributes:
        after: What follows the SLC cache; None for a drive without one.
        bits: Bits in a cell.
    """

    after: AfterCache | None
    bits: int


def hypotheses(known: OriginalDrive, capacity_bytes: int) -> tuple[Hypothesis, ...]:
    """Kinds of caches that may be, the likeliest first; without a second number of bits."""
    return tuple(Hypothesis(after, _bits(known, after, capacity_bytes)) for after in _classes(known))


def _bits(known: OriginalDrive, after: AfterCache | None, capacity_bytes: int) -> int:
    """Those of a usual drive; a cache of the whole drive holds one bit of each cell, so its size tells how many there are."""
    cache_bytes = _cache_bytes(known.first, 0.0)
    if after is not AfterCache.WHOLE_DRIVE or not cache_bytes:
        return _USUAL_BITS
    found = round(capacity_bytes * (1 + known.number("spare.share", _SPARE)) / cache_bytes)
    return found if found in _OTHER_BITS else _USUAL_BITS


def other_bits(tried: Hypothesis) -> tuple[int, ...]:
    """Numbers of bits to be tried, too; none where the cache told them."""
    return () if tried.after is AfterCache.WHOLE_DRIVE else _OTHER_BITS


def _classes(known: OriginalDrive) -> tuple[AfterCache | None, ...]:
    if known.first is None or isinstance(known.first.cache, Unknown):
        return (None,)
    match known.after:
        case None:
            return (
                AfterCache.DIRECT,
                AfterCache.CACHE_ONLY,
                AfterCache.DIRECT_THEN_FOLD,
                AfterCache.FOLD_THEN_DIRECT,
                AfterCache.SAWTOOTH,
            )
        case AfterCache.DIRECT:
            return (AfterCache.DIRECT, AfterCache.CACHE_ONLY)
        case (
            AfterCache.DIRECT_THEN_FOLD
            | AfterCache.FOLD_THEN_DIRECT
            | AfterCache.SAWTOOTH
            | AfterCache.WHOLE_DRIVE
            | AfterCache.CACHE_ONLY
        ):
            return (known.after,)


def first_draft(name: str, capacity_bytes: int, known: OriginalDrive, tried: Hypothesis) -> Draft:
    """A drive of that structure; its times are those of the flash it may have."""
    geometry = _geometry(capacity_bytes, known, tried)
    fastest = known.fastest
    link = as_rate(written_link(known) or max(_ABOVE * _fastest_write(known), _burst(known)))
    draft = dipping(Draft(name, name, {"geometry": geometry.keys(capacity_bytes, known)}), known.dips)
    draft = draft.having(
        "timing",
        **_times(tried.bits, 1e9 / fastest.iops if fastest.iops else _COMMAND_NS),
        program=as_time(geometry.row_bytes * _program_ns_per_byte(known, tried)),
        program_slc=as_time(geometry.row_bytes / tried.bits / _cache_speed(known) * 1e9),
        channel=as_rate(_channel_speed(known) or max(1e9, 1.5 * _cache_speed(known) / geometry.channels)),
        link_read=as_rate(_ABOVE * fastest.read_bytes_per_s) if fastest.read_bytes_per_s else link,
        link_write=link,
    )
    waits = known.words.get("interference.order") == ReadOrder.WAITS.value
    suspend_ns = known.number("interference.delay", _SUSPEND_NS)
    draft = draft.having("timing", suspend="none" if waits else as_time(max(1e3, suspend_ns)))
    least_bytes = geometry.row_bytes + geometry.row_bytes // tried.bits * 2
    cached_ns = draft.number("timing", "program_slc")
    programs_ns = cached_ns + (draft.number("timing", "program") if tried.after is None else cached_ns)
    draft = draft.having("buffer", **_buffer(known, least_bytes, programs_ns))
    draft = draft.having("map", **_map(known))
    if tried.after is not None:
        draft = draft.having("slc", **_cache(capacity_bytes, known, tried, geometry.superblock_bytes))
        delay_s = known.number("reclaim.delay", 2.0)
        draft = draft.having("idle", reclaim_after=as_time(max(1e3, delay_s * 1e9)))
    draft = draft.having("collection", start=_COLLECTION[0], hard=_COLLECTION[1])
    draft = draft.having("spread", **_spread(known))
    return draft.having("noise", **_noise(known))


@dataclass(frozen=True, slots=True)
class _Geometry:
    dies: int
    channels: int
    planes: int
    page_bytes: int
    bits: int
    superblock_bytes: int

    @property
    def row_bytes(self) -> int:
        return self.page_bytes * self.planes * self.dies * self.bits

    def keys(self, capacity_bytes: int, known: OriginalDrive) -> dict[str, Quantity]:
        spare = known.number("spare.share", _SPARE)
        blocks = round(capacity_bytes * (1 + spare) / self.superblock_bytes) + _OPEN_BLOCKS
        return {
            "capacity": as_size(capacity_bytes),
            "raw": as_size(blocks * self.superblock_bytes),
            "superblock": as_size(self.superblock_bytes),
            "channels": self.channels,
            "dies": self.dies,
            "bits_per_cell": self.bits,
            "stripe_unit": as_size(self.page_bytes * self.planes),
            "page": as_size(self.page_bytes),
        }


def _geometry(capacity_bytes: int, known: OriginalDrive, tried: Hypothesis) -> _Geometry:
    units = _units(known)
    width = known.number("stripe.width", 0)
    if width and "units.count" not in known.numbers:
        # Flash of today has one size of page; more units than such pages in a stripe have smaller ones.
        units = max(units, _power_of_two_units(width / _PAGE_BYTES))
    page_bytes = _power_of_two(width / units) if width else _PAGE_BYTES
    planes = next(one for one in _PLANES if units % one == 0 and (units // one >= _DIES_MIN or one == 1))
    dies = units // planes
    channels = max(one for one in range(1, dies // 2 + 1 or 2) if dies % one == 0) if dies > 1 else 1
    step = page_bytes * planes * dies * _CELL_BITS
    superblock = max(1, round(capacity_bytes / _SUPERBLOCKS / step)) * step
    return _Geometry(dies, channels, planes, page_bytes, tried.bits, superblock)


def _units(known: OriginalDrive) -> int:
    """Of all numbers that the interval allows, that which is divided by two most often: flash comes in such numbers."""
    count = known.number("units.count", _busy_units(known))
    low, high = known.ends.get("units.count", (count, count))
    if high - low > count:
        low = high = count
    among = range(max(1, round(low)), max(round(high), round(low), 1) + 1)
    return max(among, key=lambda one: (one & -one, -abs(one - count)))


def _busy_units(known: OriginalDrive) -> int:
    """As many as have to be there for what was read at once."""
    return _power_of_two_units(_SENSING * known.at_once) if known.at_once else _UNITS


def _power_of_two_units(count: float) -> int:
    found = 1
    while found < min(count, _UNITS_MAX):
        found *= 2
    return found


def _power_of_two(size_bytes: float) -> int:
    found = 4 * KIB
    while found * 1.42 < size_bytes and found < MIB:
        found *= 2
    return found


def _times(bits: int, command_ns: float) -> dict[str, Quantity]:
    """Of usual TLC flash; those of the interface are fitted or do not matter."""
    return {
        "sense": tuple(as_time(45e3 * (1 + 0.15 * page)) for page in range(bits)),
        "sense_slc": as_time(25e3),
        "erase": as_time(4e6),
        "command": as_time(min(command_ns / _ABOVE, _COMMAND_NS)),
        "read_overhead": as_time(10e3),
        "write_overhead": as_time(10e3),
        "unmapped_read": as_time(10e3),
        "trim": as_time(20e3),
    }


def _cache_speed(known: OriginalDrive) -> float:
    speeds = [*_speeds(known.first), *_speeds(known.second)]
    return max(speeds, default=_FAST_BYTES_PER_S)


def written_link(known: OriginalDrive) -> float:
    """Rate of the link for writes where lone ones of several sizes tell it, bytes a second; 0 where they do not.

    Where the buffer is too small for them, they are as fast as the flash: then something else was faster.
    """
    burst = _burst(known)
    return max(burst, _fastest_write(known)) if _ABOVE * burst >= _fastest_write(known) else 0.0


def _fastest_write(known: OriginalDrive) -> float:
    """Of passes and points, bytes a second."""
    return max(_cache_speed(known), known.fastest.write_bytes_per_s)


def _burst(known: OriginalDrive) -> float:
    """How fast a buffer takes what larger writes have more than a small one, where it takes them fastest; 0 where no probe saw it.

    The less a write has more, the less exactly that is known.
    """
    kinds = ("sequential_write", "random_write")
    found = [slope for kind in kinds for slope in _slopes(known, kind, _WRITTEN_CORNERS)]
    fastest = max((slope.bytes_per_s for slope in found), default=0.0)
    freely = [slope for slope in found if slope.bytes_per_s >= _UNHINDERED * fastest]
    moved_bytes = sum(slope.moved_bytes for slope in freely)
    return sum(slope.moved_bytes * slope.bytes_per_s for slope in freely) / moved_bytes if freely else 0.0


def _channel_speed(known: OriginalDrive) -> float:
    """How fast what a read of a page has more than one of a part of it comes; 0 where no probe saw it."""
    return next((slope.bytes_per_s for slope in _slopes(known, "random_read", (16, 8))), 0.0)


def probed(known: OriginalDrive) -> frozenset[str]:
    """Knobs that start where a probe has them that looked at little else, and surely; while the speed wanders, two lone reads differ by that, too."""
    suspends = {"timing.suspend"} if "interference.delay" in known.numbers else set()
    is_surely_told = _channel_speed(known) and not known.wander.sigma
    return frozenset(suspends | ({"timing.channel"} if is_surely_told else set()))


def _slopes(known: OriginalDrive, kind: str, larger_kib: tuple[int, ...]) -> Iterator[_Slope]:
    """From lone I/Os of 4 KiB and larger ones."""
    least = f"corners.{kind}.4KiB"
    least_ns = known.number(least, nan)
    for kib in larger_kib:
        larger = f"corners.{kind}.{kib}KiB"
        longer_ns = known.number(larger, nan) - least_ns
        unsure_ns = hypot(_half_width(known, least), _half_width(known, larger))
        share_min = _LONGER_TOLD_MIN if {least, larger} <= known.ends.keys() else _LONGER_MIN
        if longer_ns > max(_SURELY * unsure_ns, share_min * least_ns):
            moved_bytes = (kib - 4) * KIB
            yield _Slope(moved_bytes, moved_bytes * 1e9 / longer_ns)


def _half_width(known: OriginalDrive, name: str) -> float:
    """Of the interval of an answer; 0 where it has none."""
    low, high = known.ends.get(name, (0.0, 0.0))
    return (high - low) / 2


def _program_ns_per_byte(known: OriginalDrive, tried: Hypothesis) -> float:
    """Of native cells; what is written through the cache has been programmed there before, in the same time."""
    ns_per_byte = 1e9 / _native_speed(known)
    if tried.after is not AfterCache.CACHE_ONLY:
        return ns_per_byte
    return max(ns_per_byte - 1e9 / _cache_speed(known), _PROGRAMMING_MIN * ns_per_byte)


def _native_speed(known: OriginalDrive) -> float:
    found = [
        phase.bandwidth_bytes_per_s
        for phases in (known.first, known.second)
        if phases is not None
        for phase in (phases.direct,)
        if isinstance(phase, Plateau)
    ]
    return found[0] if found else _cache_speed(known)


def _speeds(phases: PassPhases | None) -> Iterator[float]:
    if phases is None:
        return
    if isinstance(phases.cache, Cache):
        yield phases.cache.plateau.bandwidth_bytes_per_s
    for one in (phases.direct, phases.folding):
        if isinstance(one, Plateau):
            yield one.bandwidth_bytes_per_s


def _buffer(known: OriginalDrive, least_bytes: int, programs_ns: float) -> dict[str, Quantity]:
    """Of a flush, what is no program of what was buffered is the journal's."""
    protected = known.words.get("flush.behaviour") == FlushBehaviour.CHEAP.value
    empty_ns = known.number("flush.cost_nothing_written", 15e3)
    journal_ns = known.number("flush.cost", 1e6 + programs_ns) - empty_ns - programs_ns
    keys: dict[str, Quantity] = {
        "kind": "protected" if protected else "volatile",
        "size": as_size(max(least_bytes, _buffer_bytes(known))),
        "flush": as_time(empty_ns),
        "flush_metadata": as_time(0 if protected else max(_JOURNAL_NS_MIN, journal_ns)),
    }
    if "flush_window.length" in known.numbers:
        keys["flush_window"] = as_time(known.numbers["flush_window.length"] * 1e9)
    return keys


def _buffer_bytes(known: OriginalDrive) -> float:
    """Of what the interval allows, a power of two, if it allows one: memory comes in such sizes."""
    size_bytes = known.number("write_buffer.size", _BUFFER_BYTES)
    low, high = known.ends.get("write_buffer.size", (size_bytes, size_bytes))
    rounded = 2.0 ** round(log2(size_bytes))
    return rounded if low <= rounded <= high else size_bytes


def _map(known: OriginalDrive) -> dict[str, Quantity]:
    unit = as_size(known.number("management_block.size", 4 * KIB))
    if isnan(known.reach_bytes):
        return {"cache": "dram", "unit": unit}
    return {"cache": "sram", "unit": unit, "reach": as_size(known.reach_bytes), "hit": as_time(500)}


def _cache(capacity_bytes: int, known: OriginalDrive, tried: Hypothesis, superblock_bytes: int) -> dict[str, Quantity]:
    largest = _cache_bytes(known.first, 0.05 * capacity_bytes)
    smallest = min(largest, _cache_bytes(known.second, 0.02 * capacity_bytes))
    static = as_size(max(smallest, 0.0))
    match tried.after:
        case AfterCache.DIRECT | AfterCache.CACHE_ONLY:
            held = as_size(max(largest, 2 * superblock_bytes / tried.bits))
            through = tried.after is AfterCache.CACHE_ONLY
            return {"static": held, "max": held, "after": "cache_only" if through else "direct", "fold": float(through)}
        case AfterCache.DIRECT_THEN_FOLD | AfterCache.WHOLE_DRIVE:
            reserve = as_size(2 * superblock_bytes)
            return {
                "static": static,
                "max": as_size(largest),
                "reserve": reserve,
                "after": "direct",
                "fold_when_short": 2.0,
            }
        case AfterCache.FOLD_THEN_DIRECT:
            return {"static": static, "max": as_size(largest), "after": "fold", "fold": 0.7}
        case AfterCache.SAWTOOTH:
            low = as_size(0.65 * largest)
            return {"static": as_size(0), "max": as_size(largest), "after": "refill", "fold": 0.8, "refill_below": low}
        case None:
            return {"max": as_size(0)}


_LOW, _FOLDED = (0.3, 0.45, 0.6, 0.75), (0.55, 0.75, 1.0)
"""Shares of the cache below which it is refilled, and shares of the speed of writing with which it is folded, that are tried with each other."""


def refilling(draft: Draft) -> tuple[Draft, ...]:
    """Drafts that refill their cache sooner and later, faster and slower; none of one that does not refill it."""
    largest = draft.number("slc", "max")
    if not draft.number("slc", "refill_below"):
        return ()
    return tuple(
        draft.having("slc", refill_below=as_size(low * largest), fold=fold) for low in _LOW for fold in _FOLDED
    )


def _cache_bytes(phases: PassPhases | None, otherwise: float) -> float:
    if phases is None or not isinstance(phases.cache, Cache):
        return otherwise
    return phases.cache.size_bytes


def _spread(known: OriginalDrive) -> dict[str, Quantity]:
    """Of operations; none where none was seen beside that of commands, as even a little of it makes tails of writes half as long again."""
    if known.scatter is None:
        return {"flash": _FLASH_SPREAD, "controller": _CONTROLLER_SPREAD}
    if not known.scatter.operations:
        return {"flash": 0.0, "controller": 0.0}
    return {
        "flash": max(_FLASH_SPREAD, min(1.0, known.scatter.operations / _SENSING)),
        "controller": _CONTROLLER_SPREAD,
    }


def _noise(known: OriginalDrive) -> dict[str, Quantity]:
    told = known.number("noise.sigma", _NOISE)
    if known.scatter is not None and known.scatter.operations:
        # What reads of a page scatter is not all of commands; without any, nothing could be turned.
        told = max(_NOISE, known.scatter.commands)
    sigma = min(1.0, max(1e-3, told))
    return {"sigma": sigma, "outlier_probability": known.outlier_share, "outlier": as_time(known.outlier_ns)}
