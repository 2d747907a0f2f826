"""SimpleSSD: its settings, what is true of them, and how it is built with our adapter.

M. Jung, J. Zhang, A. Abulila, M. Kwon, N. Shahidi, J. Shalf, N. S. Kim, M. Kandemir, "SimpleSSD: Modeling Solid State Drives for Holistic System
Simulation", IEEE Computer Architecture Letters 17(1), 2018; GPL version 3. What had to be mended is said in `simplessd_repairs.txt`. Our
adapter asks its host layer (`hil/hil.cc`), so that the program around it (SimpleSSD-Standalone) is not needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.kit.probe_drives import Truth, allocation_kind
from tests.study.others.simulator import HOST_READ_BYTES, HOST_WRITTEN_BYTES, Counts, Simulator
from tests.study.others.source import Pinned, run

from ssdlab.message import Message
from ssdlab.probe.answer import Presence
from ssdlab.probe.probes.drift import Drift
from ssdlab.probe.probes.interference import ReadOrder
from ssdlab.units import KIB, MIB

_HERE = Path(__file__).parent
_ADAPTER = _HERE / "simplessd_adapter.cpp"
_LED = _HERE / "led.hpp"
_CONFIG = "simplessd.cfg"
# Some of its headers use lists without theirs, which newer compilers refuse.
_FLAGS = ("-std=c++11", "-O2", "-w", "-include", "list", "-I.")
_SOURCES = (
    "cpu/*.cc",
    "dram/*.cc",
    "ftl/*.cc",
    "ftl/common/*.cc",
    "hil/hil.cc",
    "hil/*/config.cc",
    "icl/*.cc",
    "pal/*.cc",
    "pal/old/*.cc",
    "sim/*.cc",
    "util/bitset.cc",
    "util/def.cc",
    "util/interface.cc",
    "util/simplessd.cc",
)
"""All that a drive is, without its links to a host."""
_PROGRAMMED_BYTES, _ERASED, _MOVED = "programmed_bytes", "erased", "moved"
_COUNTED = (
    HOST_READ_BYTES,
    HOST_WRITTEN_BYTES,
    _PROGRAMMED_BYTES,
    "programmed",
    "sensed",
    _ERASED,
    "collections",
    _MOVED,
    "cache_reads",
    "cache_read_hits",
    "cache_writes",
    "cache_write_hits",
)


class Victim(Enum):
    """How the block to be collected is chosen, by SimpleSSD's numbers."""

    GREEDY = 0
    COST_BENEFIT = 1
    RANDOM = 2
    D_CHOICE = 3
    """The emptiest of three that are drawn."""


class Cells(Enum):
    """Bits of a cell, by SimpleSSD's numbers; of two bits one takes 40 us and 500 us, the other 65 us and 1300 us."""

    SINGLE = 0
    DOUBLE = 1


class Caching(Enum):
    """What the data cache does."""

    NONE = "none"
    READS = "reads"
    WRITES = "writes"


class Prefetch(Enum):
    """Whether sequential reads are fetched ahead, which needs a cache of reads."""

    OFF = 0
    ON = 1


class Mapped(Enum):
    """What is mapped in one piece."""

    PAGE = "page"
    STRIPED_PAGE = "page of a superblock"
    """Superblocks of all channels, whose pages are mapped by themselves."""
    SUPERPAGE = "superpage"
    """The pages of all channels together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Of a simulated drive; whatever is not named here is as SimpleSSD has it by default.

    Attributes:
        channels: With so many packages each.
        dies: Of a package, with so many planes each, which work together.
        overprovisioning: Share of the blocks that is not the host's.
        collect_below: Share of the blocks that is kept free.
        cache_bytes: Without meaning where nothing is cached.
        cache_ways: Of a set.
    """

    channels: int = 4
    packages: int = 1
    dies: int = 1
    planes: int = 1
    blocks: int = 512
    pages: int = 64
    page_bytes: int = 8 * KIB
    cells: Cells = Cells.SINGLE
    mapping: Mapped = Mapped.PAGE
    overprovisioning: float = 0.15
    collect_below: float = 0.05
    victim: Victim = Victim.GREEDY
    caching: Caching = Caching.NONE
    prefetch: Prefetch = Prefetch.OFF
    cache_bytes: int = 4 * MIB
    cache_ways: int = 8

    @property
    def dies_all(self) -> int:
        """Each does one thing at a time, on all of its planes."""
        return self.channels * self.packages * self.dies

    @property
    def raw_bytes(self) -> int:
        """See `simulator.Settings`."""
        return self.dies_all * self.planes * self.blocks * self.pages * self.page_bytes

    @property
    def written_bytes(self) -> int:
        """See `simulator.Settings`."""
        together = self.channels if self.mapping is Mapped.SUPERPAGE else 1
        return self.page_bytes * self.planes * together

    @property
    def units(self) -> int:
        """What works at the same time: a superpage is on all channels at once."""
        return self.dies_all // (self.channels if self.mapping is Mapped.SUPERPAGE else 1)

    @property
    def block_pages(self) -> int:
        """See `simulator.Settings`."""
        return self.pages * (self.channels if self.mapping is Mapped.STRIPED_PAGE else 1)

    def files(self) -> Mapping[str, bytes]:
        """See `simulator.Settings`."""
        sections = {"pal": self._flash(), "ftl": self._layer(), "icl": self._cache()}
        lines = []
        for section, values in sections.items():
            lines += [f"[{section}]", *(f"{name} = {value}" for name, value in values.items())]
        return {_CONFIG: "\n".join([*lines, ""]).encode()}

    def _flash(self) -> Mapping[str, object]:
        return {
            "Channel": self.channels,
            "Package": self.packages,
            "Die": self.dies,
            "Plane": self.planes,
            "Block": self.blocks,
            "Page": self.pages,
            "PageSize": self.page_bytes,
            "EnableMultiPlaneOperation": 1,
            "NANDType": self.cells.value,
            "SuperblockSize": "" if self.mapping is Mapped.PAGE else "C",
            "PageAllocation": "CWDP",
        }

    def _layer(self) -> Mapping[str, object]:
        return {
            "OverProvisioningRatio": self.overprovisioning,
            "GCThreshold": self.collect_below,
            "EvictPolicy": self.victim.value,
            "EnableRandomIOTweak": int(self.mapping is not Mapped.SUPERPAGE),
            # What a drive has been through is done to it by us.
            "FillRatio": 0,
            "InvalidPageRatio": 0,
        }

    def _cache(self) -> Mapping[str, object]:
        return {
            "CacheSize": self.cache_bytes,
            "CacheWaySize": self.cache_ways,
            "EnableReadCache": int(self.caching is Caching.READS),
            "EnableWriteCache": int(self.caching is Caching.WRITES),
            "EnableReadPrefetch": self.prefetch.value,
        }

    def command(self, program: Path, directory: Path) -> list[str]:
        """See `simulator.Settings`."""
        return [str(program), str(directory / _CONFIG)]

    def media_bytes(self, counts: Counts) -> int:
        """See `simulator.Settings`."""
        return counts[_PROGRAMMED_BYTES]

    def holding_bytes(self, counts: Counts) -> int | None:
        """See `simulator.Settings`: what was programmed and not erased, for only full blocks are; superblocks of single pages are not full."""
        if self.mapping is Mapped.STRIPED_PAGE:
            return None
        return counts[_PROGRAMMED_BYTES] - counts[_ERASED] * self.pages * self.page_bytes * self.planes

    def own_amplification(self, before: Counts, after: Counts) -> float:
        """See `simulator.Settings`: pages that collection moved beside those that the host wrote; with a write cache all that was programmed."""
        host = after[HOST_WRITTEN_BYTES] - before[HOST_WRITTEN_BYTES]
        if self.caching is Caching.WRITES:
            return (after[_PROGRAMMED_BYTES] - before[_PROGRAMMED_BYTES]) / host
        moved = (after[_MOVED] - before[_MOVED]) * self.page_bytes * self.planes
        return 1 + moved * (self.channels if self.mapping is Mapped.SUPERPAGE else 1) / host

    def truth(self, capacity_bytes: int, own_spare: float | None) -> dict[str, Truth]:  # noqa: ARG002 - mappings are all in memory
        """See `simulator.Settings`."""
        written, reads = self.written_bytes, self.caching is Caching.READS
        spare = {} if self.mapping is Mapped.STRIPED_PAGE else {"spare.share": Truth(_known(own_spare))}
        return {
            "noise.sigma": Truth((0.0,)),
            "drift.kind": Truth((Drift.STEADY.value,)),
            "read_ahead.present": Truth(
                ((Presence.YES if reads and self.prefetch is Prefetch.ON else Presence.NO).value,)
            ),
            "read_buffer.present": Truth(((Presence.YES if reads else Presence.NO).value,)),
            "read_buffer.size": Truth((self.cache_bytes,) if reads else ()),
            "read_page.size": Truth((written,)),
            # Written pages go to the channels in turn, then to packages and dies.
            "stripe.width": Truth((self.units * written,)),
            "units.count": Truth((self.units,)),
            "management_block.size": Truth((written,)),
            "management_block.offset": Truth((0,)),
            "placement.unit": Truth((written,)),
            "placement.page": Truth((written,)),
            "placement.channels": Truth((self.units,)),
            "allocation.kind": Truth(self._allocation()),
            "write_buffer.size": Truth((self.cache_bytes,) if self.caching is Caching.WRITES else ()),
            "reach.bytes": Truth(()),
            "interference.order": Truth((ReadOrder.WAITS.value,)),
            **spare,
        }

    def _allocation(self) -> tuple[Message, ...]:
        """Which die a page goes to follows from when it is written; its place in a superblock from its address; superpages are on all."""
        if self.mapping is Mapped.SUPERPAGE:
            return ()
        return (allocation_kind(by_order=self.mapping is Mapped.PAGE),)

    def row(self) -> tuple[str, ...]:
        """See `simulator.Settings`."""
        ahead = ", fetches ahead" if self.prefetch is Prefetch.ON else ""
        cache = f"{self.caching.value}, {self.cache_bytes // MIB} MiB{ahead}"
        return (
            f"{self.channels} x {self.packages} x {self.dies} x {self.planes}, {self.blocks} blocks each",
            f"{self.page_bytes // KIB} KiB x {self.pages}, {self.cells.name.lower()}",
            self.mapping.value,
            f"{self.overprovisioning:.0%}",
            f"{self.collect_below:.0%}",
            self.victim.name.lower().replace("_", " "),
            "none" if self.caching is Caching.NONE else cache,
        )


def _known(share: float | None) -> tuple[float, ...]:
    return () if share is None else (share,)


SETTINGS: Mapping[str, Settings] = {
    "base": Settings(),
    "a quarter as large": Settings(blocks=128),
    "spare 20 %": Settings(overprovisioning=0.20),
    "spare 25 %": Settings(overprovisioning=0.25),
    "pages of 4 KiB": Settings(page_bytes=4 * KIB, blocks=1024),
    "pages of 16 KiB": Settings(page_bytes=16 * KIB, pages=32),
    "8 channels": Settings(channels=8, pages=32),
    "2 channels of 4 packages": Settings(channels=2, packages=4, pages=32),
    "2 dies a package": Settings(dies=2, pages=32),
    "2 planes a die": Settings(planes=2, pages=32),
    "two bits a cell": Settings(cells=Cells.DOUBLE),
    "cost and benefit": Settings(victim=Victim.COST_BENEFIT),
    "three drawn": Settings(victim=Victim.D_CHOICE),
    "superpages": Settings(mapping=Mapped.SUPERPAGE, page_bytes=4 * KIB, pages=128),
    # Each page written moves some seventy: as large as the others it would take many times as long.
    "superblocks": Settings(mapping=Mapped.STRIPED_PAGE, blocks=128),
    "read cache 4 MiB": Settings(caching=Caching.READS),
    "read cache 4 MiB, ahead": Settings(caching=Caching.READS, prefetch=Prefetch.ON),
    "write cache 4 MiB": Settings(caching=Caching.WRITES),
}


def _build(tree: Path, program: Path) -> None:
    sources = [one for pattern in _SOURCES for one in sorted(tree.glob(pattern))]
    objects = [str(one.with_suffix(".o")) for one in [*sources, tree / "lib/inih/ini.c"]]
    for one in sources:
        run(tree, "g++", *_FLAGS, "-c", str(one), "-o", str(one.with_suffix(".o")))
    run(tree, "gcc", "-O2", "-c", "lib/inih/ini.c", "-o", objects[-1])
    run(tree, "g++", *_FLAGS, f"-I{_HERE}", str(_ADAPTER), *objects, "-o", str(program))


SIMPLESSD = Simulator(
    name="SimpleSSD",
    pinned=Pinned(
        name="SimpleSSD",
        repository="https://github.com/SimpleSSD/SimpleSSD.git",
        commit="2be371619a6533821741540ee2d8ce742c2dad2d",
        folder="",
        sha256="64071a3ad52205936a03ab44e8e310325fa96a36460aec17d375393244fac567",
        repairs=_HERE / "simplessd_repairs.txt",
    ),
    build=_build,
    adapter=(_ADAPTER, _LED),
    counted=_COUNTED,
    settings=SETTINGS,
    hot=tuple(("spare 25 %", percent) for percent in (80, 90)),
    intro=(
        "SimpleSSD (Jung et al., IEEE CAL 17(1), 2018; GPL version 3), release 2.0, simulates a data cache, a page-mapped translation layer, garbage"
        " collection, channels and dies, and the processors that do all that."
    ),
    defaults=(
        "reading a page of cells of one bit takes 40 us, programming one 500 us, erasing a block 3.5 ms; channels of 8 bits at 400 MT/s;"
        " nothing is suspended; processors of 400 MHz. A write cache is on by default and is off here where it is not named. No link to"
        " a host is simulated."
    ),
    streams="SimpleSSD writes what the host sends and what it moves into the same open blocks.",
    columns=(
        "channels x packages x dies x planes",
        "block",
        "mapped",
        "over-provisioning",
        "kept free",
        "collected",
        "data cache",
    ),
    why=_HERE / "simplessd_why.md",
    page="other-simulators-simplessd.md",
)
