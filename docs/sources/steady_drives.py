"""Random virtual drives for the question whether they are steady: small ones, each standing for a drive of 1 TB."""

import random
from dataclasses import dataclass
from enum import Enum

from ssdlab.units import GIB, KIB, MIB, Share

CAPACITY_BYTES = 4 * GIB
TIME = Share(CAPACITY_BYTES, 10**12)
"""All times of the method are scaled like the drive: nothing that is judged depends on the scale."""


class Begin(Enum):
    """What was done to the drive before the random writes."""

    FRESH = "fresh"
    """Purged only, as a review may do it."""
    FILLED = "filled"
    """Written twice sequentially, as the enterprise suite does it."""


class Cache(Enum):
    """Class of the SLC cache, by what follows it."""

    NONE = "none"
    STATIC = "static"
    DIRECT = "direct"
    FOLD = "fold"
    REFILL = "refill"
    CACHE_ONLY = "cache_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class SteadyDrive:
    """One drive, and what is written to it."""

    seed: int
    text: str
    """Its specification."""
    begin: Begin
    spare_percent: float
    unit_bytes: int
    block_bytes: int
    """Of the random writes: the indirection unit, or 4 KiB."""
    cache: Cache
    collection: tuple[int, int]
    """Free superblocks at which collection begins, and at which the host waits for it."""
    noise_sigma: float


Section = dict[str, object]


def steady_drive(seed: int) -> SteadyDrive:
    """The drive of that number, always the same."""
    draw = random.Random(f"steady drive {seed}")  # noqa: S311 - no secret
    bits, dies, unit_bytes = (
        draw.choice([2, 3, 3, 3, 4, 4]),
        draw.choice([4, 8]),
        draw.choice([4, 4, 4, 8, 16]) * KIB,
    )
    stripe_bytes = draw.choice([32, 64]) * KIB
    row_bytes = stripe_bytes * dies * bits
    superblock_bytes = max(1, round(CAPACITY_BYTES / draw.choice([384, 512, 768, 1024]) / row_bytes)) * row_bytes
    start = draw.choice([4, 6, 8, 12, 16])
    collection = (start, draw.choice([2, 3, min(4, start - 1)]))
    held = -(-CAPACITY_BYTES // superblock_bytes)
    raw = max(held + start + 5, round(CAPACITY_BYTES * (1 + draw.uniform(0.03, 0.60)) / superblock_bytes))
    sizes: Section = {
        "capacity": _size(CAPACITY_BYTES),
        "raw": _size(raw * superblock_bytes),
        "superblock": _size(superblock_bytes),
        "channels": draw.choice([2, 4]),
        "dies": dies,
        "bits_per_cell": bits,
        "stripe_unit": _size(stripe_bytes),
        "page": _size(min(stripe_bytes, 32 * KIB)),
    }
    cache, sigma = draw.choice([Cache.NONE, *Cache]), draw.choice([0.0, 0.0, draw.uniform(0.01, 0.3)])
    sections: dict[str, Section] = {
        "geometry": sizes,
        "timing": _timing(draw, bits),
        "buffer": _buffer(draw, row_bytes + stripe_bytes * (dies + 1)),
        "map": {"unit": _size(unit_bytes)},
        "collection": {"start": start, "hard": collection[1]},
        "slc": _cache(draw, cache, superblock_bytes, bits, start),
        "noise": {"sigma": sigma, "outlier_probability": draw.choice([0.0, 1e-5]), "outlier": "5ms"} if sigma else {},
    }
    return SteadyDrive(
        seed=seed,
        text=_toml(seed, sections),
        begin=draw.choice(list(Begin)),
        spare_percent=100 * (raw * superblock_bytes / CAPACITY_BYTES - 1),
        unit_bytes=unit_bytes,
        block_bytes=draw.choice([unit_bytes, unit_bytes, 4 * KIB]),
        cache=cache,
        collection=collection,
        noise_sigma=sigma,
    )


def _timing(draw: random.Random, bits: int) -> Section:
    link = draw.uniform(1.5, 7)
    return {
        "sense": [f"{40 + 15 * number}us" for number in range(bits)],
        "sense_slc": "30us",
        "program": f"{round(draw.uniform(250, 700) * bits)}us",
        "program_slc": f"{draw.randint(150, 250)}us",
        "erase": f"{draw.randint(1, 5)}ms",
        "channel": "1.2 GB/s",
        "link_read": f"{link:.2f} GB/s",
        "link_write": f"{0.85 * link:.2f} GB/s",
        "command": f"{draw.uniform(0.7, 2):.1f}us",
        "read_overhead": "12us",
        "write_overhead": "10us",
        "suspend": "50us",
    }


def _buffer(draw: random.Random, least_bytes: int) -> Section:
    return {
        "kind": draw.choice(["volatile", "protected"]),
        "size": _size(max(2 * MIB, 2 * least_bytes)),
        "flush": "15us",
    }


def _cache(draw: random.Random, cache: Cache, superblock_bytes: int, bits: int, start: int) -> Section:
    if cache is Cache.NONE:
        return {}
    each = superblock_bytes // bits
    static = max(2, round(draw.uniform(0.005, 0.02) * CAPACITY_BYTES / each)) * each
    largest = (
        static if cache is Cache.STATIC else max(static, round(draw.uniform(0.05, 0.25) * CAPACITY_BYTES / each) * each)
    )
    section: Section = {
        "static": _size(static),
        "max": _size(largest),
        "reserve": _size((start + 2) * superblock_bytes),
        "after": Cache.DIRECT.value if cache is Cache.STATIC else cache.value,
    }
    if cache in {Cache.FOLD, Cache.REFILL, Cache.CACHE_ONLY}:
        section["fold"] = round(draw.uniform(0.3, 2), 2)
    if cache is Cache.REFILL:
        section["refill_below"] = _size(round(largest * draw.uniform(0.1, 0.4)))
    return section


def _size(size_bytes: int) -> str:
    return f"{size_bytes} B"


def _toml(seed: int, sections: dict[str, Section]) -> str:
    lines = [f'name = "steady-{seed}"', 'description = "drawn at random"', f"seed = {seed}"]
    for name, section in sections.items():
        if section:
            lines += ["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in section.items())]
    return "\n".join([*lines, ""])


def _value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
