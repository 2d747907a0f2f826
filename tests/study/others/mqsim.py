"""MQSim: its settings, what is true of them, and how it is built with our adapter.

A. Tavakkol, J. Gómez-Luna, M. Sadrosadati, S. Ghose, O. Mutlu, "MQSim: A Framework for Enabling Realistic Studies of Modern Multi-Queue SSD
Devices", FAST 2018; MIT licence. What had to be mended is said in `mqsim_repairs.txt`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import ceil, log2
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from tests.kit.probe_drives import Truth, allocation_kind
from tests.study.others.simulator import HOST_READ_BYTES, HOST_WRITTEN_BYTES, Counts, Simulator
from tests.study.others.source import Pinned, run
from tests.study.others.wire import SECTOR_BYTES

from ssdlab.probe.answer import Presence
from ssdlab.probe.probes.drift import Drift
from ssdlab.probe.probes.interference import ReadOrder
from ssdlab.units import KIB, MIB

_HERE = Path(__file__).parent
_ADAPTER = _HERE / "mqsim_adapter.cpp"
_LED = _HERE / "led.hpp"
_FLAGS = ("-std=c++11", "-O2")
_PROGRAMMED = ("programmed_for_user", "programmed_for_cache", "programmed_for_collection", "programmed_for_mapping")
"""Pages, as the flash controller announced them one by one: of the host, of the data cache, of what was moved, and of the mapping table."""
_MOVED, _MAPPED, _FREE = "moved_by_collection", "written_for_mapping", "free"
_COUNTED = (
    HOST_READ_BYTES,
    HOST_WRITTEN_BYTES,
    *_PROGRAMMED,
    "sensed",
    _FREE,
    # MQSim's own counts; a command for several planes is one.
    "program_commands",
    "multiplane_program_commands",
    "erase_commands",
    "collections",
    _MOVED,
    "moved_by_levelling",
    _MAPPED,
    "read_for_mapping",
    "mapping_hits",
    "mapping_misses",
)


class Caching(Enum):
    """What the data cache does, in MQSim's words."""

    NONE = "TURNED_OFF"
    WRITES = "WRITE_CACHE"


class Victim(Enum):
    """How the block to be collected is chosen, in MQSim's words."""

    GREEDY = "GREEDY"
    RANDOM_GREEDY = "RGA"
    """The emptiest of log2(blocks) blocks drawn at random."""


_CONFIG = "ssdconfig.xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Of a simulated drive; whatever is not named here is as MQSim has it by default.

    Attributes:
        channels: With so many chips each.
        dies: Of a chip, with so many planes each.
        overprovisioning: Share of the flash that is not the host's.
        collect_below: Share of the blocks of a plane that are kept free.
        mapping_cache_bytes: Of the cached mapping table; None: the whole table is in memory.
        data_cache_bytes: Without meaning where nothing is cached.
    """

    channels: int = 4
    chips: int = 1
    dies: int = 1
    planes: int = 1
    blocks: int = 512
    pages: int = 64
    page_bytes: int = 8 * KIB
    overprovisioning: float = 0.15
    collect_below: float = 0.05
    victim: Victim = Victim.GREEDY
    mapping_cache_bytes: int | None = None
    caching: Caching = Caching.NONE
    data_cache_bytes: int = 8 * MIB
    scheme: str = "CWDP"
    seed: int = 123

    @property
    def units(self) -> int:
        """What works at the same time: MQSim gives a chip one command after the other, however many dies and planes it has."""
        return self.channels * self.chips

    @property
    def raw_bytes(self) -> int:
        """All of the flash."""
        return self.units * self.dies * self.planes * self.blocks * self.pages * self.page_bytes

    @property
    def written_bytes(self) -> int:
        """See `simulator.Settings`."""
        return self.page_bytes

    @property
    def block_pages(self) -> int:
        """See `simulator.Settings`."""
        return self.pages

    def files(self) -> Mapping[str, bytes]:
        """See `simulator.Settings`."""
        return {_CONFIG: self.xml()}

    def command(self, program: Path, directory: Path) -> list[str]:
        """See `simulator.Settings`."""
        return [str(program), str(directory / _CONFIG), self.caching.value]

    def media_bytes(self, counts: Counts) -> int:
        """See `simulator.Settings`."""
        return sum(counts[name] for name in _PROGRAMMED) * self.page_bytes

    def holding_bytes(self, counts: Counts) -> int:
        """See `simulator.Settings`."""
        return self.raw_bytes - counts[_FREE] * self.page_bytes

    def own_amplification(self, before: Counts, after: Counts) -> float:
        """See `simulator.Settings`: pages that collection moved and that the mapping table took, beside those that the host wrote."""
        host = (after[HOST_WRITTEN_BYTES] - before[HOST_WRITTEN_BYTES]) / self.page_bytes
        by_itself = sum(after[name] - before[name] for name in (_MOVED, _MAPPED))
        return (host + by_itself) / host

    def truth(self, capacity_bytes: int, own_spare: float | None) -> dict[str, Truth]:
        """See `simulator.Settings`."""
        reach = reach_bytes(self)
        return {
            "noise.sigma": Truth((0.0,)),
            "drift.kind": Truth((Drift.STEADY.value,)),
            "read_ahead.present": Truth((Presence.NO.value,)),
            "read_buffer.present": Truth((Presence.NO.value,)),
            "read_buffer.size": Truth(()),
            "read_page.size": Truth((self.page_bytes,)),
            # Pages go to the channels in turn, then to chips, dies and planes.
            "stripe.width": Truth(tuple({self.units * one * self.page_bytes for one in (1, self.planes)})),
            "units.count": Truth((self.units,)),
            "management_block.size": Truth((self.page_bytes,)),
            "management_block.offset": Truth((0,)),
            "placement.unit": Truth((self.page_bytes,)),
            "placement.page": Truth((self.page_bytes,)),
            "placement.channels": Truth((self.units,)),
            # Which plane a page goes to follows from its address.
            "allocation.kind": Truth((allocation_kind(by_order=False),)),
            "write_buffer.size": Truth((self.data_cache_bytes,) if self.caching is Caching.WRITES else ()),
            "reach.bytes": Truth(() if reach is None else (min(reach, capacity_bytes),)),
            "interference.order": Truth((ReadOrder.WAITS.value,)),
            "spare.share": Truth(() if own_spare is None else (own_spare,)),
        }

    def row(self) -> tuple[str, ...]:
        """See `simulator.Settings`."""
        return (
            f"{self.channels} x {self.chips} x {self.dies} x {self.planes}, {self.blocks} blocks each",
            f"{self.page_bytes // KIB} KiB x {self.pages}",
            f"{self.overprovisioning:.0%}",
            f"{self.collect_below:.0%}",
            self.victim.value,
            ", ".join(self._caches()) or "none; mapping all in memory",
        )

    def _caches(self) -> list[str]:
        data = [f"data {self.data_cache_bytes // MIB} MiB"] if self.caching is Caching.WRITES else []
        mapping = [] if self.mapping_cache_bytes is None else [f"mapping {self.mapping_cache_bytes // KIB} KiB"]
        return data + mapping

    def xml(self) -> bytes:
        """As MQSim reads them."""
        root = Element("Execution_Parameter_Set")
        device = SubElement(root, "Device_Parameter_Set")
        flash = SubElement(device, "Flash_Parameter_Set")
        for parent, values in ((device, self._device()), (flash, self._flash())):
            for name, value in values.items():
                SubElement(parent, name).text = str(value)
        return tostring(root)

    def _device(self) -> Mapping[str, object]:
        return {
            "Seed": self.seed,
            # What a drive has been through is done to it by us.
            "Enabled_Preconditioning": "false",
            "Ideal_Mapping_Table": "true" if self.mapping_cache_bytes is None else "false",
            "CMT_Capacity": self.mapping_cache_bytes or 0,
            "Data_Cache_Capacity": self.data_cache_bytes,
            "Plane_Allocation_Scheme": self.scheme,
            "Overprovisioning_Ratio": self.overprovisioning,
            "GC_Exec_Threshold": self.collect_below,
            "GC_Block_Selection_Policy": self.victim.value,
            "Static_Wearleveling_Enabled": "false",
            "Flash_Channel_Count": self.channels,
            "Chip_No_Per_Channel": self.chips,
        }

    def _flash(self) -> Mapping[str, object]:
        return {
            "Die_No_Per_Chip": self.dies,
            "Plane_No_Per_Die": self.planes,
            "Block_No_Per_Plane": self.blocks,
            "Page_No_Per_Block": self.pages,
            "Page_Capacity": self.page_bytes,
        }


def reach_bytes(settings: Settings) -> int | None:
    """Of the cached mapping table, whose entries MQSim makes as long as the number of pages asks; None where all of it is in memory."""
    if settings.mapping_cache_bytes is None:
        return None
    pages = settings.raw_bytes // settings.page_bytes
    entry_bytes = ceil((2 * log2(pages) + settings.page_bytes // SECTOR_BYTES) / 8)
    return settings.mapping_cache_bytes // entry_bytes * settings.page_bytes


SETTINGS: Mapping[str, Settings] = {
    "base": Settings(),
    "spare 10 %": Settings(overprovisioning=0.10),
    "spare 28 %": Settings(overprovisioning=0.28),
    "pages of 4 KiB": Settings(page_bytes=4 * KIB, blocks=1024),
    "pages of 16 KiB": Settings(page_bytes=16 * KIB, pages=32),
    "blocks of 128 pages": Settings(pages=128),
    "8 channels": Settings(channels=8, pages=32),
    "2 channels of 4 chips": Settings(channels=2, chips=4, pages=32),
    "2 dies a chip": Settings(dies=2, pages=32),
    "2 planes a die": Settings(planes=2, pages=32),
    "few blocks": Settings(blocks=256, pages=128),
    "10 % kept free": Settings(collect_below=0.10, overprovisioning=0.22),
    "random greedy": Settings(victim=Victim.RANDOM_GREEDY),
    "write cache 4 MiB": Settings(caching=Caching.WRITES, data_cache_bytes=4 * MIB),
    "write cache 32 MiB": Settings(caching=Caching.WRITES, data_cache_bytes=32 * MIB),
    "mapping cache 256 KiB": Settings(mapping_cache_bytes=256 * KIB, page_bytes=4 * KIB, blocks=1024),
    "mapping cache 512 KiB": Settings(mapping_cache_bytes=512 * KIB, page_bytes=4 * KIB, blocks=1024),
}


def _build(tree: Path, program: Path) -> None:
    run(tree, "make", "--quiet", f"CC_FLAGS={' '.join(_FLAGS)}")
    objects = [str(one) for one in sorted((tree / "build").rglob("*.o")) if one.name != "main.o"]
    run(tree, "g++", *_FLAGS, "-Isrc", f"-I{_HERE}", str(_ADAPTER), *objects, "-o", str(program))


MQSIM = Simulator(
    name="MQSim",
    pinned=Pinned(
        name="MQSim",
        repository="https://github.com/CMU-SAFARI/MQSim.git",
        commit="7ec40e3b198e8bd117f992f051cd610e330e079e",
        folder="src",
        sha256="8cdaf566659f91036467c28f6534bf8b764aa577448307652d127e4a017334a1",
        repairs=_HERE / "mqsim_repairs.txt",
    ),
    build=_build,
    adapter=(_ADAPTER, _LED),
    counted=_COUNTED,
    settings=SETTINGS,
    hot=tuple((name, percent) for name in ("base", "spare 28 %") for percent in (60, 80, 90)),
    intro=(
        "MQSim (Tavakkol et al., FAST 2018; MIT licence) simulates NVMe, a page-mapped translation layer, garbage collection, channels and dies."
    ),
    defaults=(
        "reading a page takes 75 us, programming one 750 us, erasing a block 3.8 ms; channels of 8 bits at 333 MT/s; erasing can be"
        " suspended, programming cannot."
    ),
    streams=(
        "MQSim writes what the host sends into one stream, hot or cold, and what it moves into another, where cold data gathers: it does not keep"
        "\nthe two apart, but does not mix them wholly either."
    ),
    columns=(
        "channels x chips x dies x planes",
        "block",
        "over-provisioning",
        "kept free",
        "collected",
        "caches",
    ),
    why=_HERE / "mqsim_why.md",
    page="other-simulators.md",
)
