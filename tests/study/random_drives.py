"""Random virtual drives whose inside is known: the oracle that the analysis of a consumer run is held against.

What is true of a drive is worked out from its specification by arithmetic, or told by the model itself. Nothing here looks at a
measured series.
"""

import json
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.units import GIB, KIB, MIB, NS_PER_S

_STRIPE_BYTES = 64 * KIB
_PLANES = 4
_RAW_SHARE = (1.09, 1.14)
"""Raw flash over user capacity of consumer drives: a binary for a decimal terabyte is 1.10."""
_USUAL_BYTES = 10**12
"""What takes a time in proportion to the size is scaled down from a drive of this one."""
_COLLECTION = (8, 3)
"""Free superblocks at which collection begins, and at which the host waits for it."""


class MapMemory(Enum):
    """Where the mapping table is held."""

    DRAM = "dram"
    HMB = "hmb"
    SRAM = "sram"


class Evenness(Enum):
    """Whether a drive does what real ones do besides: windows that differ, drift, dips, uneven operations, rewriting of old data."""

    EVEN = "even"
    """Only single commands are noisy."""
    UNEVEN = "uneven"


Section = dict[str, int | float | str | list[str]]


@dataclass(frozen=True, slots=True)
class RandomDrive:
    """A drive and the truth about it.

    Attributes:
        after: What follows the cache; None where there is none.
        largest_cache_bytes, smallest_cache_bytes: What a sequential writer gets at cache speed on the purged and on the full,
            rested drive, as the model plays its own admission rule; 0 where there is no cache.
        reach_bytes: Part of the drive whose mapping is held; None where all of it is.
        unevenness: What it does besides, in words; nothing where it is even.
    """

    number: int
    text: str
    after: AfterCache | None
    bits_per_cell: int
    capacity_bytes: int
    largest_cache_bytes: int
    smallest_cache_bytes: int
    reach_bytes: int | None
    noise_sigma: float
    unevenness: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Flash:
    """What the cache policies are chosen to fit."""

    capacity_bytes: int
    superblocks: int
    superblock_bytes: int
    bits: int

    @property
    def raw_bytes(self) -> int:
        return self.superblocks * self.superblock_bytes

    @property
    def usable_bytes(self) -> int:
        """Raw flash up to the point where collection begins."""
        return (self.superblocks - _COLLECTION[0] - 1) * self.superblock_bytes


_ORDER = (*AfterCache, None)


def random_drive(number: int, evenness: Evenness = Evenness.EVEN) -> RandomDrive:
    """The drive of that number: always the same one. What makes it uneven is drawn apart, and changes nothing else."""
    random = np.random.default_rng([2025, number])
    after = _ORDER[number % len(_ORDER)]
    bits = int(random.choice([2, 3, 4]))
    flash, geometry = _geometry(random, bits)
    timing = _timing(random, bits, geometry_dies(geometry))
    slc = _cache(random, after, flash)
    memory, reach_bytes = _mapping(random, flash.capacity_bytes)
    reclaim_after_ns = round(random.uniform(0.5, 5.0) * NS_PER_S * flash.capacity_bytes / _USUAL_BYTES)
    sigma = float(random.choice([0.0, 0.05, 0.1, 0.2]))
    uneven, told = (
        _unevenness(np.random.default_rng([2026, number]), after) if evenness is Evenness.UNEVEN else ({}, ())
    )
    sections: dict[str, Section] = {
        "geometry": geometry,
        "timing": timing,
        "buffer": _BUFFER,
        "map": memory,
        "slc": slc | uneven.pop("slc", {}),
        "collection": {"start": _COLLECTION[0], "hard": _COLLECTION[1]},
        "idle": {"reclaim_after": f"{reclaim_after_ns} ns"},
        "noise": {"sigma": sigma, "outlier_probability": float(random.choice([0.0, 1e-4])), "outlier": "20ms"},
        **uneven,
    }
    text = _toml(number, sections)
    truth = ModelDrive("model:random", SpecChoice(f"random-{number}", text, None, None)).truth()
    return RandomDrive(
        number=number,
        text=text,
        after=after,
        bits_per_cell=bits,
        capacity_bytes=flash.capacity_bytes,
        largest_cache_bytes=truth["slc_cache_bytes_max"],
        smallest_cache_bytes=truth["slc_cache_bytes_min"],
        reach_bytes=reach_bytes,
        noise_sigma=sigma,
        unevenness=told,
    )


def _unevenness(random: np.random.Generator, after: AfterCache | None) -> tuple[dict[str, Section], tuple[str, ...]]:
    """What real drives do besides: each of it on some of the drives, so that most have more than one."""
    found: dict[str, Section] = {}
    told: list[str] = []
    pace, words = _pace(random)
    if pace:
        found["pace"] = pace
        told += words
    if random.random() < 0.5:
        found["spread"] = {"flash": round(random.uniform(0.05, 0.3), 3), "controller": round(random.uniform(0, 0.2), 3)}
        told.append(f"operations {found['spread']['flash']:g}")
    if random.random() < 0.25:
        hours, every_s = float(np.exp(random.uniform(0, np.log(24)))), random.uniform(0.5, 5)
        found["refresh"] = {"after": f"{hours * 3600:.0f}s", "every": f"{every_s * 1000:.0f}ms"}
        told.append(f"rewritten every {hours:.0f} h")
    if after is AfterCache.DIRECT_THEN_FOLD:
        found["slc"] = {"fold_when_short": round(random.uniform(1, 6), 2)}
        told.append(f"folds {found['slc']['fold_when_short']:g} times as long when short")
    return found, tuple(told)


def _pace(random: np.random.Generator) -> tuple[Section, list[str]]:
    """Windows that differ, a drift, dips. A drive takes a minute or two to fill, so the drift is of an hour's worth."""
    pace: Section = {}
    told: list[str] = []
    if random.random() < 0.5:
        sigma, correlation = random.uniform(0.02, 0.12), float(random.choice([0.0, random.uniform(0.3, 0.95)]))
        pace |= {"sigma": round(sigma, 3), "correlation": round(correlation, 2)}
        told.append(f"windows {sigma:.0%}" + (f" alike by {correlation:.2f}" if correlation else ""))
    if random.random() < 0.25:
        drift = random.uniform(-1, 1)
        pace["drift_per_hour"] = round(drift, 2)
        told.append(f"{-drift:+.0%} an hour")
    if random.random() < 0.25:
        every_s, length_s, speed = random.uniform(2, 15), random.uniform(0.1, 0.6), random.uniform(0.05, 0.5)
        pace |= {"dip_every": f"{every_s * 1000:.0f}ms", "dip_length": f"{length_s * 1000:.0f}ms"}
        pace["dip_speed"] = round(speed, 2)
        told.append(f"{length_s:.1f} s at {speed:.0%} every {every_s:.0f} s")
    return pace, told


def geometry_dies(geometry: Section) -> int:
    """Number of dies."""
    dies = geometry["dies"]
    assert isinstance(dies, int)
    return dies


def _geometry(random: np.random.Generator, bits: int) -> tuple[_Flash, Section]:
    dies = int(random.choice([8, 16]))
    row_bytes = _STRIPE_BYTES * dies * bits
    capacity_bytes = int(random.uniform(24, 64) * GIB) // MIB * MIB
    superblock_bytes = round(random.uniform(1 / 900, 1 / 500) * capacity_bytes / row_bytes) * row_bytes
    superblocks = round(random.uniform(*_RAW_SHARE) * capacity_bytes / superblock_bytes)
    flash = _Flash(capacity_bytes, superblocks, superblock_bytes, bits)
    return flash, {
        "capacity": f"{capacity_bytes} B",
        "raw": f"{flash.raw_bytes} B",
        "superblock": f"{superblock_bytes} B",
        "channels": dies // 2,
        "dies": dies,
        "bits_per_cell": bits,
        "stripe_unit": f"{_STRIPE_BYTES} B",
        "page": f"{_STRIPE_BYTES // _PLANES} B",
    }


def _timing(random: np.random.Generator, bits: int, dies: int) -> Section:
    """Native speeds as such flash has; the cache 2 to 12 times as fast, where the link (PCIe 3 to 5, four lanes) lets it."""
    native = {2: (0.8e9, 1.6e9), 3: (0.4e9, 1.5e9), 4: (0.1e9, 0.4e9)}[bits]
    native_rate = float(np.exp(random.uniform(*np.log(native))))
    cache_rate = native_rate * float(np.exp(random.uniform(np.log(2), np.log(12))))
    link_rate = float(random.choice([3.5e9, 7e9, 14e9]))
    stripes = dies * _STRIPE_BYTES
    sense_us = random.uniform(35, 90)
    return {
        "sense": [f"{sense_us * (1 + 0.15 * page):.0f}us" for page in range(bits)],
        "sense_slc": f"{sense_us * 0.5:.0f}us",
        "program": f"{stripes * bits / native_rate * 1e6:.0f}us",
        "program_slc": f"{stripes / cache_rate * 1e6:.0f}us",
        "erase": "3ms",
        "channel": f"{max(0.8e9, 1.5 * cache_rate / (dies // 2)) / 1e6:.0f} MB/s",
        "link_read": f"{link_rate / 1e6:.0f} MB/s",
        "link_write": f"{0.9 * link_rate / 1e6:.0f} MB/s",
        "command": f"{random.uniform(0.4, 1.0):.2f}us",
        "read_overhead": "8us",
        "write_overhead": "8us",
        "unmapped_read": "8us",
        "trim": "15us",
        "suspend": "60us",
    }


_BUFFER: Section = {
    "kind": "volatile",
    "size": "16 MiB",
    "flush": "15us",
    "flush_metadata": "800us",
    "flush_window": "1s",
}


def _mapping(random: np.random.Generator, capacity_bytes: int) -> tuple[Section, int | None]:
    memory = MapMemory(random.choice([one.value for one in MapMemory]))
    if memory is MapMemory.DRAM:
        return {"cache": memory.value}, None
    share = float(np.exp(random.uniform(np.log(1 / 64), np.log(1 / 3))))
    reach_bytes = int(share * capacity_bytes) // (4 * MIB) * 4 * MIB
    return {"cache": memory.value, "reach": f"{reach_bytes} B", "hit": f"{random.uniform(0, 1.5):.1f}us"}, reach_bytes


def _cache(random: np.random.Generator, after: AfterCache | None, flash: _Flash) -> Section:
    """A cache of a size with which the drive really behaves as the class is known to."""
    extra = flash.bits - 1
    spare = flash.usable_bytes - flash.capacity_bytes
    static = random.uniform(0.25, 0.8) * spare / flash.bits
    match after:
        case None:
            chosen: Section = {"max": "0 B"}
        case AfterCache.DIRECT:
            # However full the drive is, cache and data fit beside each other.
            chosen = _sizes(random.uniform(0.4, 0.9) * spare / extra) | {"after": "direct"}
        case AfterCache.CACHE_ONLY:
            chosen = _sizes(random.uniform(0.4, 0.9) * spare / extra) | {"after": "cache_only", "fold": 1.0}
        case AfterCache.DIRECT_THEN_FOLD:
            # Free flash runs out when this share of the drive is written: usable - (bits - 1) cache.
            share = random.uniform(0.5, 0.85)
            largest = min((flash.usable_bytes - share * flash.capacity_bytes) / extra, 0.35 * flash.capacity_bytes)
            chosen = _sizes(static, largest) | {"after": "direct"}
        case AfterCache.WHOLE_DRIVE:
            reserve = random.uniform(0.0, 0.02) * flash.raw_bytes
            chosen = _sizes(static, float(flash.raw_bytes)) | {"reserve": f"{reserve:.0f} B", "after": "direct"}
        case AfterCache.FOLD_THEN_DIRECT:
            rate = random.uniform(max(0.4, 1 / extra), 1.2)
            largest = random.uniform(0.08, 0.45 / flash.bits + 0.08) * flash.capacity_bytes
            chosen = _sizes(static, largest) | {"after": "fold", "fold": round(rate, 3)}
        case AfterCache.SAWTOOTH:
            largest = random.uniform(0.1, 0.6 / flash.bits) * flash.capacity_bytes
            low = random.uniform(0.3, 0.8) * largest
            rate = random.uniform(0.5, 1.2)
            chosen = _sizes(0.0, largest) | {"after": "refill", "fold": round(rate, 3), "refill_below": f"{low:.0f} B"}
    return chosen


def _sizes(static_bytes: float, max_bytes: float | None = None) -> Section:
    largest = static_bytes if max_bytes is None else max(static_bytes, max_bytes)
    return {"static": f"{static_bytes:.0f} B", "max": f"{largest:.0f} B"}


def _toml(number: int, sections: dict[str, Section]) -> str:
    lines = [f'name = "random-{number}"', f'description = "random drive {number}"', f"seed = {number}"]
    for name, section in sections.items():
        # JSON writes strings, numbers and lists of strings as TOML does.
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"
