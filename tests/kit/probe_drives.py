"""Random virtual drives whose inside is known: the oracle that the black-box probes are held against.

Every third drive is one of the source paper's kind; the others are modern ones, with and without each of the features that are asked
for. What is true follows from the specification by arithmetic alone.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ssdlab.message import Message, message
from ssdlab.probe.answer import Presence
from ssdlab.probe.probes.allocation import Allocation
from ssdlab.probe.probes.drift import Drift
from ssdlab.probe.probes.flush import FlushBehaviour
from ssdlab.probe.probes.interference import ReadOrder
from ssdlab.units import GIB, KIB, MIB

Section = dict[str, int | float | str | list[str]]


class Noise(Enum):
    """Levels of noise on every latency: sigma of a log-normal factor, share of outliers of 20 ms."""

    LOW = (0.02, 0.0)
    MIDDLE = (0.10, 0.005)
    HIGH = (0.25, 0.02)


@dataclass(frozen=True, slots=True)
class Truth:
    """What may be answered.

    Attributes:
        values: Every answer that is right; none where the drive lacks the feature.
    """

    values: tuple[int | float | Message, ...]


@dataclass(frozen=True, slots=True)
class ProbedDrive:
    """A drive, and the truth by the names of the answers."""

    number: int
    noise: Noise
    kind: str
    text: str
    truth: dict[str, Truth]


def probed_drive(number: int, noise: Noise) -> ProbedDrive:
    """The drive of that number, the same at every level of noise but for the noise."""
    random = np.random.default_rng([2026, number])
    kind, sections, truth = _legacy(random) if number % 3 == 0 else _modern(random)
    sigma, outliers = noise.value
    sections["noise"] = {"sigma": sigma, "outlier_probability": outliers, "outlier": "20ms"}
    truth["noise.sigma"] = Truth((sigma,))
    truth["management_block.offset"] = Truth((0,)) if truth["management_block.size"].values else Truth(())
    lines = [f'name = "probed-{number}"', f'description = "random drive {number}"', f"seed = {number + 1}"]
    for name, section in sections.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in section.items())]
    return ProbedDrive(number, noise, kind, "\n".join(lines) + "\n", truth)


def placement_kind(one_channel: object, unit_pages: int) -> Message:
    if one_channel:
        return message("probe-placement-one-channel")
    return message("probe-placement-multi-channel", pages=unit_pages)


def allocation_kind(by_order: object) -> Message:
    said: Message = (Allocation.BY_ORDER if by_order else Allocation.BY_ADDRESS).value
    return said


def _pick(random: np.random.Generator, *choices: int) -> int:
    return int(random.choice(choices))


def _legacy(random: np.random.Generator) -> tuple[str, dict[str, Section], dict[str, Truth]]:
    """A drive of the paper: management blocks on channels, written through."""
    page = _pick(random, 2, 4, 8) * KIB
    block = max(page, _pick(random, 4, 8, 16, 32, 64, 256, 1024) * KIB)
    in_block = block // page
    channels = _pick(random, 2, 3, 4, 6, 8)
    one_channel = bool(random.integers(2)) and in_block <= 16
    unit_pages = in_block if one_channel else min(in_block, _pick(random, 1, 2, 4))
    # What goes by the order of writing is known to the model in whole management blocks.
    order = bool(random.integers(2)) and one_channel
    page_us, sync_us = random.uniform(30, 110), random.uniform(8, 40)
    sections: dict[str, Section] = {
        "geometry": {
            "capacity": f"{4 * GIB} B",
            "raw": f"{4 * GIB + 512 * MIB} B",
            "superblock": f"{32 * MIB if block <= MIB // 2 else 64 * MIB} B",
            "channels": channels,
            "dies": channels,
            "bits_per_cell": 1,
            "stripe_unit": f"{block} B",
            "page": f"{page} B",
            "allocation": "order" if order else "address",
        },
        "timing": _LEGACY_TIMING,
        "buffer": {"kind": "write_through", "size": "64 MiB"},
        "map": {"unit": f"{block} B"},
        "legacy": {
            "read_base": f"{random.uniform(60, 170):.1f}us",
            "page_read": f"{page_us:.1f}us",
            "sync": f"{sync_us:.1f}us",
            "pages_per_channel": unit_pages,
            "write_base": f"{random.uniform(100, 2000):.0f}us",
            "write_rate": "60 MB/s",
            "copy": f"{random.uniform(150, 6000):.0f}us",
        },
    }
    row = block * channels
    superblock = 64 * MIB // row * row
    sections["geometry"]["superblock"] = f"{superblock} B"
    sections["geometry"]["raw"] = f"{(4 * GIB // superblock + 12) * superblock} B"
    unit_bytes = unit_pages * page
    truth = _LACKED | {
        "management_block.size": Truth((block,)),
        "placement.unit": Truth((unit_bytes,)),
        "placement.page": Truth((page,)),
        "placement.channels": Truth((channels,)),
        "placement.kind": Truth((placement_kind(unit_bytes == block, unit_pages),)),
        "allocation.kind": Truth((allocation_kind(order and block < 16 * KIB),)),
        "read_ahead.present": Truth((Presence.NO.value,)),
        "stripe.width": Truth(()),
        "units.count": Truth(()),
        "write_buffer.size": Truth(()),
        "flush.behaviour": Truth((_CHEAP,)),
        "reach.bytes": Truth(()),
        "spare.share": _spare(4 * GIB, superblock, 4 * GIB // superblock + 12, range(2, 5)),
        "read_page.size": Truth((page,)),
        # It does one command at a time.
        "interference.order": Truth((_WAIT,)),
    }
    return "legacy", sections, truth


_LACKED = {
    "read_buffer.present": Truth((Presence.NO.value,)),
    "read_buffer.size": Truth(()),
    # Planes read side by side, too.
    "read_page.size": Truth(()),
    "placement.kind": Truth(()),
    "drift.kind": Truth((Drift.STEADY.value,)),
    "flush_window.length": Truth(()),
    "thermal.onset": Truth(()),
    "thermal.recovery": Truth(()),
}
"""What drives of neither kind have, or of one only."""


def _spare(capacity: int, superblock: int, blocks: int, kept_free: Sequence[int]) -> Truth:
    """Share beyond the capacity; how many blocks collecting keeps free at a time is within limits. None of drives that pad writes."""
    return Truth(tuple((blocks - free) * superblock / capacity - 1 for free in kept_free))


_CHEAP = FlushBehaviour.CHEAP.value
_OVERTAKE = ReadOrder.OVERTAKES.value
_WAIT = ReadOrder.WAITS.value
_COSTLY = FlushBehaviour.WRITES_BUFFER.value
_LEGACY_TIMING: Section = {
    "sense": ["30us"],
    "program": "200us",
    "erase": "2ms",
    "channel": "40 MB/s",
    "link_read": "unlimited",
    "link_write": "unlimited",
}


def _modern_timing(random: np.random.Generator, bits: int) -> Section:
    sense_us, program_us = random.uniform(35, 90), random.uniform(400, 2500)
    return {
        "sense": [f"{sense_us * (1 + 0.15 * at):.0f}us" for at in range(bits)],
        "sense_slc": f"{sense_us * 0.5:.0f}us",
        "program": f"{program_us:.0f}us",
        "program_slc": f"{program_us / 5:.0f}us",
        "erase": "3ms",
        "channel": "1.6 GB/s",
        "link_read": "7 GB/s",
        "link_write": "5 GB/s",
        "command": f"{random.uniform(0.4, 2.0):.2f}us",
        "read_overhead": "8us",
        "write_overhead": "8us",
        "unmapped_read": "8us",
        "trim": "15us",
    }


class Heats(Enum):
    """What long reads do to a drive."""

    NOT_TOLD = "it does not tell its temperature"
    A_LITTLE = "never so far that it slows itself down"
    UP_TO_A_LIMIT = "until it slows itself down, and cools"


_ON_C, _OFF_C = 72.0, 66.0


def _thermal(random: np.random.Generator, sections: dict[str, Section], sensed_bytes: int) -> Heats:
    """Only drives whose units together read fast enough reach the limit; slowed down to a tenth of the link they cool."""
    heats = list(Heats)[_pick(random, 0, 1, 2)]
    senses = sections["timing"]["sense"]
    slowest_ns = max(float(one.removesuffix("us")) * 1000 for one in senses) if isinstance(senses, list) else math.inf
    if heats is Heats.UP_TO_A_LIMIT and sensed_bytes / slowest_ns < 2.5:
        heats = Heats.A_LITTLE
    if heats is not Heats.NOT_TOLD:
        sections["thermal"] = {
            "ambient": 30,
            "idle": 5,
            "write_per_gb_s": 1,
            "read_per_gb_s": 40 if heats is Heats.UP_TO_A_LIMIT else 2,
            "time_constant": "60s",
            "warning": 70,
            "mild_on": _ON_C,
            "mild_off": _OFF_C,
            "mild_speed": 0.1,
            "severe_on": 95,
            "severe_off": 90,
            "severe_speed": 0.05,
        }
    return heats


def _modern_geometry(capacity: int, superblock: int, dies: int, bits: int, stripe: int, page: int) -> Section:
    return {
        "capacity": f"{capacity} B",
        "raw": f"{(round(capacity * 1.12 / superblock) + 4) * superblock} B",
        "superblock": f"{superblock} B",
        "channels": max(2, dies // 4),
        "dies": dies,
        "bits_per_cell": bits,
        "stripe_unit": f"{stripe} B",
        "page": f"{page} B",
    }


def _modern(random: np.random.Generator) -> tuple[str, dict[str, Section], dict[str, Truth]]:
    """A drive of today: dies in parallel, a buffer, perhaps a cache of one bit a cell, read-ahead, a map that fits or not."""
    dies, bits = _pick(random, 4, 8, 16, 32), _pick(random, 2, 3, 4)
    page = _pick(random, 16, 32) * KIB
    planes = _pick(random, 1, 2, 4)
    stripe = page * planes
    unit = _pick(random, 4, 4, 8, 16) * KIB
    row = stripe * dies * bits
    capacity = 8 * GIB // MIB * MIB
    superblock = max(1, round(capacity / 400 / row)) * row
    kind = str(random.choice(["volatile", "volatile", "protected", "write_through"]))
    buffer_bytes = max(_pick(random, 4, 8, 16, 32) * MIB, 4 * dies * bits * stripe)
    reads_ahead = bool(random.integers(2))
    reach = _pick(random, 0, 0, 512, 1024, 2048) * MIB
    has_cache = bool(random.integers(2))
    sections: dict[str, Section] = {
        "geometry": _modern_geometry(capacity, superblock, dies, bits, stripe, page),
        "timing": _modern_timing(random, bits),
        "buffer": {
            "kind": kind,
            "size": f"{buffer_bytes} B",
            "flush": "12us",
            "flush_metadata": f"{random.uniform(300, 1500):.0f}us",
        },
        "map": {"unit": f"{unit} B"},
        "collection": {"start": 8, "hard": 3},
        "idle": {"reclaim_after": "2s"},
    }
    if reach:
        sections["map"] |= {"cache": "sram", "reach": f"{reach} B"}
    if reads_ahead:
        sections["read_ahead"] = {"window": "512 KiB"}
    if has_cache:
        sections["slc"] = {"static": f"{capacity // 60} B", "max": f"{capacity // 12} B", "after": "direct"}
    suspends = bool(random.integers(2))
    sections["timing"]["suspend"] = "60us" if suspends else "none"
    window_s = (None, 0.02, 0.3, 2.5)[_pick(random, 0, 1, 2, 3)]
    if window_s is not None:
        sections["buffer"]["flush_window"] = f"{window_s * 1000:.0f}ms"
    limit = _thermal(random, sections, dies * planes * page)
    width = stripe * dies
    truth = _LACKED | {
        "management_block.size": Truth(() if kind == "protected" else (unit,)),
        "placement.unit": Truth((page, stripe)),
        "placement.page": Truth((page,)),
        "placement.channels": Truth((max(2, dies // 4), dies, dies * planes)),
        "allocation.kind": Truth((allocation_kind(unit < 16 * KIB),)),
        "read_ahead.present": Truth(((Presence.YES if reads_ahead else Presence.NO).value,)),
        "stripe.width": Truth((width,) if width <= 2 * MIB else ()),
        "units.count": Truth((dies * planes,)),
        "write_buffer.size": Truth(() if kind == "write_through" else (buffer_bytes,)),
        "flush.behaviour": Truth((_COSTLY if kind == "volatile" else _CHEAP,)),
        "reach.bytes": Truth((reach,) if reach else ()),
        "thermal.onset": Truth((_ON_C,) if limit is Heats.UP_TO_A_LIMIT else ()),
        "thermal.recovery": Truth((_OFF_C,) if limit is Heats.UP_TO_A_LIMIT else ()),
        "spare.share": _spare(
            capacity,
            superblock,
            round(capacity * 1.12 / superblock) + 4,
            () if kind == "write_through" else range(3, 9),
        ),
        "flush_window.length": Truth((window_s,) if window_s is not None and kind == "volatile" else ()),
        "interference.order": Truth((_OVERTAKE if suspends else _WAIT,)),
    }
    return f"{kind}, {'cache' if has_cache else 'no cache'}", sections, truth
