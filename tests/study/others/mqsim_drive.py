"""MQSim as a drive under test: its settings, the process it runs in, and what its own counters say in place of sensors."""

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from tests.study.others.mqsim_source import COMMIT, built
from tests.study.others.mqsim_wire import Counters, Wire

from ssdlab.drive.access import DriveError, FioAddress, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.kinds.virtual_sensor import NEVER_LATE
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.sense.reading import GLANCE_NS, Cadence, SensorReading, nothing_known
from ssdlab.message import Message, as_written
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

_NOT_SAID = Unknown(as_written("MQSim does not say"))


class Caching(Enum):
    """What the data cache does, in MQSim's words."""

    NONE = "TURNED_OFF"
    WRITES = "WRITE_CACHE"


class Victim(Enum):
    """How the block to be collected is chosen, in MQSim's words."""

    GREEDY = "GREEDY"
    RANDOM_GREEDY = "RGA"
    """The emptiest of log2(blocks) blocks drawn at random."""


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


@dataclass(slots=True)
class _Running:
    """A process and what lies behind it."""

    process: subprocess.Popen[bytes]
    wire: Wire
    began_ns: int
    """On the clock of the drive."""


@dataclass(slots=True)
class MqsimDrive:
    """A simulated drive; a purge is a new one."""

    name: str
    settings: Settings
    program: Path = field(default_factory=built)
    spec_text: str | None = None
    _running: _Running = field(init=False)
    _before: tuple[int, int, int] = (0, 0, 0)
    """What the host read and wrote and what was programmed, bytes, before the last purge."""
    identity: DriveIdentity = field(init=False)

    def __post_init__(self) -> None:
        """Start it.

        Raises:
            SimulatorError: It ended at once.
        """
        self._running = self._start(0)
        self.identity = DriveIdentity(
            target=f"mqsim:{self.name}",
            model=f"MQSim {self.name}",
            serial=f"MQSIM-{self.name}",
            firmware=COMMIT[:8],
            # Probes and suites work in whole MiB, and none of them shall leave a part of the drive unwritten.
            capacity_bytes=self._running.wire.capacity_bytes // MIB * MIB,
            logical_block_bytes=512,
            indirection_unit_bytes=_NOT_SAID,
            description=as_written("a simulated drive of others"),
            purge_leaves=Freshness.FRESH,
            memory=Memory.FORGETS,
            cannot_trim=as_written("MQSim knows no trim"),
        )

    def _start(self, began_ns: int) -> _Running:
        with tempfile.TemporaryDirectory() as directory:
            config = Path(directory) / "ssdconfig.xml"
            config.write_bytes(self.settings.xml())
            process = subprocess.Popen(
                [str(self.program), str(config), self.settings.caching.value],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            return _Running(process, Wire(process), began_ns)

    @property
    def wire(self) -> Wire:
        """To the simulator."""
        return self._running.wire

    @property
    def began_ns(self) -> int:
        """When the simulator's time was 0, on the clock of the drive."""
        return self._running.began_ns

    @property
    def clock_ns(self) -> int:
        """Simulated time since the drive was made; a purge takes none."""
        return self.began_ns + self.wire.counters().now_ns

    @property
    def address(self) -> FioAddress:
        """No fio can reach it.

        Raises:
            DriveError: Always.
        """
        raise DriveError(as_written("a simulator has no address"))

    def check(self) -> None:
        """See `Drive.check`."""
        if self._running.process.poll() is not None:
            raise DriveError(as_written("the simulator has ended"))

    def purge(self) -> Purged:
        """Begin anew."""
        now_ns, before = self.clock_ns, self.totals()
        self.close()
        self._running = self._start(now_ns)
        self._before = before
        return Purged(Freshness.FRESH, as_written("a new simulator"))

    def totals(self) -> tuple[int, int, int]:
        """What the host read and wrote and what was programmed into flash since the drive was made, bytes."""
        now = self.wire.counters()
        read, written, programmed = self._before
        media = programmed + now.programmed * self.settings.page_bytes
        return read + now.host_read_bytes, written + now.host_written_bytes, media

    def counters(self) -> Counters:
        """What the simulator counts since it began."""
        return self.wire.counters()

    def said(self) -> Mapping[str, str]:
        """See `Drive.said`."""
        return {"ssdconfig.xml": self.settings.xml().decode()}

    def findings(self) -> tuple[Message, ...]:
        """See `Drive.findings`."""
        return ()

    def close(self) -> None:
        """End the simulator."""
        process = self._running.process
        process.kill()
        process.communicate()


@dataclass(frozen=True, slots=True)
class MqsimSensor:
    """What the simulator's own counters say, as a drive's log would."""

    drive: MqsimDrive
    cadence: Cadence = Cadence(GLANCE_NS, None)  # noqa: RUF009 - a frozen value

    def read(self) -> SensorReading:
        """See `Sensor`."""
        read, written, programmed = self.drive.totals()
        return replace(
            nothing_known(_NOT_SAID),
            host_read_bytes=read,
            host_written_bytes=written,
            host_unit_bytes=1,
            media_written_bytes=programmed,
        )

    def glance(self) -> SensorReading:
        """See `Sensor`."""
        return self.read()

    def messages(self) -> tuple[str, ...] | Unknown:
        """See `Sensor`."""
        return _NOT_SAID

    def lateness(self) -> Lateness | Unknown:
        """See `Sensor`."""
        return NEVER_LATE
