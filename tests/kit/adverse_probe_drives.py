"""Virtual drives that are hard to probe: odd geometries, and settings of the model that estimators were not made for.

Each drive has one adversity by its number and others by chance. They were drawn from the specification of the model alone; what is
true follows from it by arithmetic. Families of seeds keep the drives that estimators are mended on apart from those they are judged by.
"""

import json
import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from tests.kit.probe_drives import Noise, ProbedDrive, Truth, allocation_kind, placement_kind

from ssdlab.message import Message
from ssdlab.probe.answer import Presence
from ssdlab.probe.probes.allocation import Allocation
from ssdlab.probe.probes.drift import Drift
from ssdlab.probe.probes.flush import FlushBehaviour
from ssdlab.probe.probes.interference import ReadOrder
from ssdlab.units import GIB, KIB, MIB

Section = dict[str, int | float | str | list[str]]
MENDED = 1
"""The family of drives on which estimators were mended. They are judged by others."""
_NOTHING = Truth(())


class Adversity(Enum):
    """What makes a drive hard to probe."""

    GEOMETRY = "dies, planes and channels in odd numbers"
    FLUSH = "a flush that always takes its time"
    UNIT = "a large indirection unit beside a small buffer"
    MAP = "a small mapping cache"
    SLOWER = "speed that falls"
    FASTER = "speed that rises"
    WINDOWS = "speed that wavers"
    DIPS = "short dips of the speed"
    RETRIES = "reads repeated"
    HYBRID = "allocation between order and address"
    REACH_AND_UNIT = "a small mapping cache of large units"
    WIDTH = "a stripe off every round number"
    LONG = "a stripe of many MiB"
    SMALL = "a drive of some MiB"
    CHANNEL = "channels as slow as the flash"


_WIDER = (Adversity.WIDTH, Adversity.LONG, Adversity.SMALL, Adversity.CHANNEL)
_OTHERS = tuple(one for one in Adversity if one not in _WIDER)
WIDER_NUMBERS = range(88, 120)
"""Drives with what those of lower numbers lack. They draw on their own, so that drives keep their numbers."""
_ALSO = 0.12
"""Chance of each further adversity."""
_LEGACY = 0.5
_FITS_LEGACY = {
    Adversity.GEOMETRY,
    Adversity.SLOWER,
    Adversity.FASTER,
    Adversity.WINDOWS,
    Adversity.DIPS,
    Adversity.HYBRID,
}


@dataclass(frozen=True, slots=True)
class AdverseDrive:
    """A drive, and what is hard about it."""

    drive: ProbedDrive
    adversities: tuple[Adversity, ...]


def adverse_drive(family: int, number: int) -> AdverseDrive:
    """The drive of that number in a family of seeds."""
    random = np.random.default_rng([family, number])
    drawn = _WIDER if number in WIDER_NUMBERS else _OTHERS
    found = {drawn[number % len(drawn)]} | {one for one in _OTHERS if random.random() < _ALSO}
    legacy = found <= _FITS_LEGACY and random.random() < _LEGACY
    noise = list(Noise)[int(random.choice(3, p=[0.5, 0.3, 0.2]))]
    sections, truth = _legacy(random, found) if legacy else _modern(random, found)
    sigma, outliers = noise.value
    sections["noise"] = {"sigma": sigma, "outlier_probability": outliers, "outlier": "20ms"}
    pace = _pace(random, found)
    if pace:
        sections["pace"] = pace
    truth |= {"drift.kind": _drift(pace), "noise.sigma": _sigma(sigma, pace, found)}
    if not truth["noise.sigma"].values:
        del truth["noise.sigma"]
    truth["management_block.offset"] = Truth((0,)) if truth["management_block.size"].values else _NOTHING
    lines = [
        f'name = "adverse-{number}"',
        f'description = "adverse drive {number}"',
        f"seed = {family * 10_000 + number}",
    ]
    for name, section in sections.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in section.items())]
    kind = "legacy" if legacy else "modern"
    ordered = tuple(one for one in Adversity if one in found)
    return AdverseDrive(ProbedDrive(number, noise, kind, "\n".join(lines) + "\n", truth), ordered)


def _pick(random: np.random.Generator, *choices: int) -> int:
    return int(random.choice(choices))


def _pace(random: np.random.Generator, found: set[Adversity]) -> Section:
    """How the speed of the whole drive changes; drifts of 0.2 to 1.7 % a minute."""
    pace: Section = {}
    drifts = found & {Adversity.SLOWER, Adversity.FASTER}
    if drifts:
        sign = -1 if Adversity.FASTER in drifts else 1
        pace["drift_per_hour"] = round(sign * float(np.exp(random.uniform(np.log(0.12), np.log(1.0)))), 3)
    if Adversity.WINDOWS in found:
        pace |= {
            "window": f"{_pick(random, 20, 100, 500, 2000)}ms",
            "sigma": round(random.uniform(0.03, 0.15), 3),
            "correlation": float(random.choice([0.0, 0.5, 0.9])),
        }
    if Adversity.DIPS in found:
        every_ms = _pick(random, 50, 300, 1000, 5000)
        pace |= {
            "dip_every": f"{every_ms}ms",
            "dip_length": f"{every_ms * random.uniform(0.01, 0.12):.1f}ms",
            "dip_speed": round(random.uniform(0.05, 0.6), 2),
        }
    return pace


def _drift(pace: Section) -> Truth:
    """By the change of the time of a read in a minute, which may be on either side near the limit of 1 %."""
    percent = 100 * float(str(pace.get("drift_per_hour", 0.0))) / 60
    moving = Drift.SLOWER if percent > 0 else Drift.FASTER
    values = [Drift.STEADY.value] if abs(percent) < 1.4 else []
    values += [moving.value] if abs(percent) > 0.3 else []
    return Truth(tuple(values))


def _sigma(sigma: float, pace: Section, found: set[Adversity]) -> Truth:
    """None is known where reads are of two kinds, or where the spread depends on how long one looks."""
    if found & {Adversity.RETRIES, Adversity.WINDOWS, Adversity.DIPS, Adversity.SLOWER, Adversity.FASTER}:
        return _NOTHING
    return Truth((sigma,))


def _legacy(random: np.random.Generator, found: set[Adversity]) -> tuple[dict[str, Section], dict[str, Truth]]:
    """A drive of the source paper's kind."""
    page = _pick(random, 2, 4, 8) * KIB
    hybrid = Adversity.HYBRID in found
    block = max(page, _pick(random, *((8, 16) if hybrid else (4, 8, 16, 32, 64, 128, 512, 1024))) * KIB)
    in_block = block // page
    channels = _pick(random, *((3, 5, 7, 9, 10, 11) if Adversity.GEOMETRY in found else (2, 4, 6, 8)))
    one_channel = hybrid or (bool(random.integers(2)) and in_block <= 16)
    unit_pages = in_block if one_channel else min(in_block, _pick(random, 1, 2, 4))
    order = hybrid or (bool(random.integers(2)) and one_channel)
    capacity = 4 * GIB
    superblock = 64 * MIB // (block * channels) * block * channels
    blocks = capacity // superblock + 12
    flush_us = _flush_us(random, found)
    sections: dict[str, Section] = {
        "geometry": {
            "capacity": f"{capacity} B",
            "raw": f"{blocks * superblock} B",
            "superblock": f"{superblock} B",
            "channels": channels,
            "dies": channels,
            "bits_per_cell": 1,
            "stripe_unit": f"{block} B",
            "page": f"{page} B",
            "allocation": "order" if order else "address",
        },
        "timing": {
            "sense": ["30us"],
            "program": "200us",
            "erase": "2ms",
            "channel": "40 MB/s",
            "link_read": "unlimited",
            "link_write": "unlimited",
        },
        "buffer": {"kind": "write_through", "size": "64 MiB", "flush": f"{flush_us:.0f}us"},
        "map": {"unit": f"{block} B"},
        "legacy": {
            "read_base": f"{random.uniform(50, 200):.1f}us",
            "page_read": f"{random.uniform(25, 120):.1f}us",
            "sync": f"{random.uniform(6, 45):.1f}us",
            "pages_per_channel": unit_pages,
            "write_base": f"{random.uniform(100, 2500):.0f}us",
            "write_rate": f"{random.uniform(40, 120):.0f} MB/s",
            "copy": f"{random.uniform(150, 6000):.0f}us",
        },
    }
    unit_bytes = unit_pages * page
    truth = _LACKED | {
        "management_block.size": Truth((block,)),
        "placement.unit": Truth((unit_bytes,)),
        "placement.page": Truth((page,)),
        "placement.channels": Truth((channels,)),
        "placement.kind": Truth((placement_kind(unit_bytes == block, unit_pages),)),
        "allocation.kind": Truth((allocation_kind(order and block < 16 * KIB),)),
        "read_ahead.present": Truth((Presence.NO.value,)),
        "flush.behaviour": _flushes("write_through", flush_us, found),
        "flush.cost_forced_write": _FORCED_COSTS_NOTHING,
        "spare.share": _spare(capacity, superblock, blocks, range(2, 5)),
        "read_page.size": Truth((page,)),
        "interference.order": Truth((ReadOrder.WAITS.value,)),
    }
    return sections, truth


_LACKED = {
    "read_buffer.present": Truth((Presence.NO.value,)),
    "read_buffer.size": _NOTHING,
    "stripe.width": _NOTHING,
    "units.count": _NOTHING,
    "placement.kind": _NOTHING,
    "write_buffer.size": _NOTHING,
    "flush_window.length": _NOTHING,
    "reach.bytes": _NOTHING,
    "thermal.onset": _NOTHING,
    "thermal.recovery": _NOTHING,
}
_FORCED_COSTS_NOTHING = _NOTHING


def _spare(capacity: int, superblock: int, blocks: int, kept_free: range) -> Truth:
    return Truth(tuple((blocks - free) * superblock / capacity - 1 for free in kept_free))


def _flush_us(random: np.random.Generator, found: set[Adversity]) -> float:
    return random.uniform(60, 1500) if Adversity.FLUSH in found else random.uniform(5, 20)


_SLOWER_BY = 4.0
"""At most, of what loses all of its speed in an hour or less, when the last probe asks."""


def _flushes(kind: str, flush_us: float, found: set[Adversity]) -> Truth:
    """A cost that does not depend on what was written is not one of writing the buffer; and a drive whose speed falls flushes slower, too."""
    if kind == "volatile":
        return Truth((FlushBehaviour.WRITES_BUFFER.value,))
    values: list[Message] = [FlushBehaviour.CHEAP.value] if flush_us < 100 else []
    if flush_us * (_SLOWER_BY if Adversity.SLOWER in found else 1.0) > 25:
        values.append(FlushBehaviour.FIXED.value)
    return Truth(tuple(values))


@dataclass(frozen=True, slots=True)
class _Flash:
    """How the flash is laid out."""

    dies: int
    channels: int
    bits: int
    page_bytes: int
    planes: int
    unit_bytes: int

    @property
    def stripe_bytes(self) -> int:
        return self.page_bytes * self.planes


def _flash(random: np.random.Generator, found: set[Adversity]) -> _Flash:
    odd = Adversity.GEOMETRY in found
    dies = _pick(random, *((3, 5, 6, 7, 12, 20, 24, 40, 48) if odd else (2, 4, 8, 16, 32)))
    small = bool(found & {Adversity.UNIT, Adversity.REACH_AND_UNIT})
    dies = min(dies, 8) if found & {Adversity.UNIT, Adversity.SMALL} else dies
    bits = _pick(random, 1, 2, 3, 4)
    page = _pick(random, *((4, 8, 16, 32, 64) if odd else (16, 32))) * KIB
    planes = _pick(random, *((1, 2, 3, 4, 6) if odd else (1, 2, 4)))
    unit = _pick(random, *((32, 64) if small else (4, 4, 4, 8, 16))) * KIB
    if Adversity.WIDTH in found:
        dies, page, planes, unit = _pick(random, 3, 5, 6, 7, 11, 14, 21), 4 * KIB, _pick(random, 1, 2, 3, 5, 7), 4 * KIB
    if Adversity.LONG in found:
        dies, page, planes = _pick(random, 16, 24, 40, 64, 96), _pick(random, 256, 512, 1024) * KIB, 1
    while page * planes % unit:
        page, planes = (page * 2, planes) if page < 64 * KIB else (page, planes * 2)
    channels = _pick(random, *(one for one in range(1, dies + 1) if dies % one == 0 and one <= 16))
    return _Flash(dies, channels, bits, page, planes, unit)


_PAGE_READ_BYTES = 4 * KIB
_FILL_BLOCK_BYTES = 128 * KIB


@dataclass(frozen=True, slots=True)
class _ReadTimes:
    """What a read of one page takes: its sense, by how many bits a cell holds, and its way over the channel."""

    native_us: float
    """Mean of the pages of a cell."""
    one_bit_us: float
    moved_us: float


def _timing(random: np.random.Generator, found: set[Adversity], bits: int) -> tuple[Section, _ReadTimes]:
    sense_us, program_us = random.uniform(30, 100), random.uniform(350, 2800)
    senses_us = [sense_us * (1 + random.uniform(0.05, 0.3) * at) for at in range(bits)]
    one_bit_us, program_slc_us = sense_us * random.uniform(0.4, 0.8), program_us / random.uniform(3, 6)
    erase_ms, bytes_per_us = random.uniform(1.5, 8), 1000 * random.uniform(0.4, 2.4)
    timing: Section = {
        "sense": [f"{one:.0f}us" for one in senses_us],
        "sense_slc": f"{one_bit_us:.0f}us",
        "program": f"{program_us:.0f}us",
        "program_slc": f"{program_slc_us:.0f}us",
        "erase": f"{erase_ms:.1f}ms",
        "channel": f"{bytes_per_us / 1000:.1f} GB/s",
        "link_read": f"{random.uniform(0.5, 14):.1f} GB/s",
        "link_write": f"{random.uniform(0.5, 12):.1f} GB/s",
        "command": f"{random.uniform(0.3, 2.5):.2f}us",
        "read_overhead": f"{random.uniform(3, 15):.0f}us",
        "write_overhead": f"{random.uniform(3, 15):.0f}us",
        "unmapped_read": f"{random.uniform(4, 15):.0f}us",
        "trim": "15us",
        "suspend": f"{random.uniform(20, 110):.0f}us" if random.integers(2) else "none",
    }
    if Adversity.CHANNEL in found:
        bytes_per_us = _PAGE_READ_BYTES / sense_us / random.uniform(0.3, 1.5)
        timing["channel"] = f"{bytes_per_us:.0f} MB/s"
    if Adversity.RETRIES in found:
        timing["retry_probability"] = round(random.uniform(0.05, 0.4), 3)
        timing["retry"] = f"{random.uniform(40, 300):.0f}us"
    return timing, _ReadTimes(float(np.mean(senses_us)), one_bit_us, _PAGE_READ_BYTES / bytes_per_us)


def _geometry(flash: _Flash, capacity: int, superblock: int, blocks: int) -> Section:
    return {
        "capacity": f"{capacity} B",
        "raw": f"{blocks * superblock} B",
        "superblock": f"{superblock} B",
        "channels": flash.channels,
        "dies": flash.dies,
        "bits_per_cell": flash.bits,
        "stripe_unit": f"{flash.stripe_bytes} B",
        "page": f"{flash.page_bytes} B",
    }


_AS_LONG = 0.85
"""Of the time of reads in one plane, what those on one channel take at least that are not told from them: noise is as large."""


def _waits_as_long(reads: int, times: _ReadTimes, has_cache: object) -> bool:
    """Whether so many reads at once of dies on one channel take about as long as of one plane, in some cells that hold the data.

    In a plane senses follow each other, on a channel what they sensed is moved one after the other (`crates/vdrive/src/flash/media.rs`).
    """

    def is_as_long(sense_us: float) -> bool:
        on_channel_us = max(sense_us + times.moved_us, reads * times.moved_us)
        return on_channel_us > _AS_LONG * max(reads * sense_us + times.moved_us, reads * times.moved_us)

    return any(is_as_long(one) for one in (times.native_us, *((times.one_bit_us,) if has_cache else ())))


_AT_ONCE = 8
"""Reads by which the stripe is found; units are counted by pairs."""


def _of_layout(flash: _Flash, times: _ReadTimes, has_cache: object) -> dict[str, Truth]:
    """What is true by the layout of the flash, and by what reads wait for: a channel is a unit where it makes them wait as long."""
    rows = (flash.dies, *((flash.channels,) if _waits_as_long(_AT_ONCE, times, has_cache) else ()))
    widths = tuple(flash.stripe_bytes * units for units in rows if flash.stripe_bytes * units <= 2 * MIB)
    channels = (flash.channels,) if _waits_as_long(2, times, has_cache) else ()
    return {
        "management_block.size": Truth((flash.unit_bytes,)),
        "placement.unit": Truth((flash.page_bytes, flash.stripe_bytes)),
        "placement.page": Truth((flash.page_bytes,)),
        "placement.channels": Truth((flash.channels, flash.dies, flash.dies * flash.planes)),
        "read_page.size": Truth((flash.page_bytes, flash.stripe_bytes)),
        "stripe.width": Truth(widths),
        "units.count": Truth((flash.dies * flash.planes, *channels)),
    }


def _modern(random: np.random.Generator, found: set[Adversity]) -> tuple[dict[str, Section], dict[str, Truth]]:
    """A drive of today."""
    flash = _flash(random, found)
    row = flash.stripe_bytes * flash.dies * flash.bits
    capacity = _pick(random, 6, 15, 24, 33, 48, 63) * MIB if Adversity.SMALL in found else 8 * GIB
    superblock = max(1, round(capacity / 400 / row)) * row
    blocks = round(capacity * random.uniform(1.07, 1.28) / superblock) + (7 if Adversity.SMALL in found else 4)
    kinds = ("protected",) * 2 if Adversity.FLUSH in found else ("volatile", "volatile", "protected", "write_through")
    kind = str(random.choice(kinds + (("write_through",) if Adversity.FLUSH in found else ())))
    if Adversity.UNIT in found:
        kind = str(random.choice(["volatile", "protected"]))
    buffer_bytes = _buffer_bytes(random, found, flash, row)
    flush_us = _flush_us(random, found)
    timing, times = _timing(random, found, flash.bits)
    sections: dict[str, Section] = {
        "geometry": _geometry(flash, capacity, superblock, blocks),
        "timing": timing,
        "buffer": {
            "kind": kind,
            "size": f"{buffer_bytes} B",
            "flush": f"{flush_us:.0f}us",
            "flush_metadata": f"{random.uniform(300, 1500):.0f}us",
        },
        "map": {"unit": f"{flash.unit_bytes} B"},
        "collection": {"start": 8, "hard": 3},
        "idle": {"reclaim_after": "2s"},
    }
    # What is written through fills up a stripe, unless it is one.
    padded = kind == "write_through" and flash.unit_bytes < flash.stripe_bytes
    hybrid = Adversity.HYBRID in found
    if hybrid:
        sections["geometry"]["allocation"] = "address"
    reach = _reach(random, found, flash.unit_bytes)
    if reach:
        sections["map"] |= {"cache": str(random.choice(["sram", "hmb"])), "reach": f"{reach} B"}
    reads_ahead = bool(random.integers(2))
    if reads_ahead:
        sections["read_ahead"] = {"window": "512 KiB"}
    if flash.bits > 1 and random.integers(2):
        sections["slc"] = {"static": f"{capacity // 60} B", "max": f"{capacity // 12} B", "after": "direct"}
    window_s = (None, 0.02, 0.3, 2.5)[_pick(random, 0, 1, 2, 3)]
    if window_s is not None:
        sections["buffer"]["flush_window"] = f"{window_s * 1000:.0f}ms"
    truth = (
        _LACKED
        | _of_layout(flash, times, "slc" in sections)
        | {
            # Where the address says which die and the order which page of it, neither of the two answers is right.
            "allocation.kind": _NOTHING if hybrid else Truth((allocation_kind(flash.unit_bytes < 16 * KIB),)),
            "read_ahead.present": Truth(((Presence.YES if reads_ahead else Presence.NO).value,)),
            "write_buffer.size": Truth(() if kind == "write_through" else (buffer_bytes,)),
            "flush.behaviour": _flushes(kind, flush_us, found),
            "reach.bytes": Truth((reach,) if reach else ()),
            "spare.share": _spare(capacity, superblock, blocks, range(3, 9)),
            "flush_window.length": _windows(window_s if kind == "volatile" else None, found),
            "interference.order": Truth(
                ((ReadOrder.WAITS if timing["suspend"] == "none" else ReadOrder.OVERTAKES).value,)
            ),
        }
    )
    if hybrid and flash.unit_bytes >= 16 * KIB:
        truth["allocation.kind"] = Truth((Allocation.BY_ADDRESS.value,))
    if padded and not hybrid and _FILL_BLOCK_BYTES % flash.stripe_bytes:
        truth["stripe.width"] = _padded_width(flash)
        truth["units.count"] = Truth((_padded_units(flash), *truth["units.count"].values[1:]))
    if kind != "volatile":
        truth["flush.cost_forced_write"] = _FORCED_COSTS_NOTHING
    return sections, truth


def _padded_width(flash: _Flash) -> Truth:
    """Each write of the fill begins on a die of its own, so many writes later on the first one's; the address says which plane."""
    begun = -(-_FILL_BLOCK_BYTES // flash.stripe_bytes)
    around_dies = _FILL_BLOCK_BYTES * flash.dies // math.gcd(flash.dies, begun)
    width = math.lcm(around_dies, flash.page_bytes * flash.planes)
    return Truth((width,) if width <= 2 * MIB else ())


def _padded_units(flash: _Flash) -> float:
    """So many units of equal shares hold two pages of the fill together as often as those that it covers: padding is never read."""
    begun = -(-_FILL_BLOCK_BYTES // flash.stripe_bytes)
    held_bytes = np.zeros((flash.dies, flash.planes))
    for write in range(flash.dies * flash.planes):
        for at in range(0, _FILL_BLOCK_BYTES, _PAGE_READ_BYTES):
            die = (write * begun + at // flash.stripe_bytes) % flash.dies
            # The address says which plane, and padding moves the data on to the next die only.
            plane = (write * _FILL_BLOCK_BYTES + at) // flash.page_bytes % flash.planes
            held_bytes[die, plane] += _PAGE_READ_BYTES
    return float(held_bytes.sum() ** 2 / (held_bytes**2).sum())


def _buffer_bytes(random: np.random.Generator, found: set[Adversity], flash: _Flash, row_bytes: int) -> int:
    """Whole stripes, and as many as the drive needs to fill a row."""
    least = row_bytes + flash.stripe_bytes * (flash.dies + 1)
    sizes = (4, 6, 8) if Adversity.UNIT in found else (4, 8, 12, 24, 48)
    return -(-max(_pick(random, *sizes) * MIB, least) // flash.stripe_bytes) * flash.stripe_bytes


def _windows(window_s: float | None, found: set[Adversity]) -> Truth:
    """The drive's own clock goes faster or slower, too, and by how much depends on when one looks."""
    if window_s is None:
        return _NOTHING
    drifts = found & {Adversity.SLOWER, Adversity.FASTER}
    return Truth(tuple(window_s * factor for factor in ((1.0, 0.75, 0.85, 1.2, 1.4) if drifts else (1.0,))))


def _reach(random: np.random.Generator, found: set[Adversity], unit_bytes: int) -> int:
    """Whole pages of the mapping table, of 1024 units each."""
    page = 1024 * unit_bytes
    if Adversity.REACH_AND_UNIT in found:
        return page * _pick(random, 1, 2, 4, 8, 16)
    if Adversity.MAP in found:
        return -(-_pick(random, 16, 50, 100, 200, 256) * MIB // page) * page
    return _pick(random, 0, 0, 0, 512, 1024, 2048) * MIB
