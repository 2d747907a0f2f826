"""A simulator of others as a drive under test: the process it runs in, and what its own counters say in place of sensors."""

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.study.others.simulator import HOST_READ_BYTES, HOST_WRITTEN_BYTES, Counts, Settings, Simulator
from tests.study.others.wire import NOW_NS, Wire

from ssdlab.drive.access import DriveError, FioAddress, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.kinds.virtual_sensor import NEVER_LATE
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.sense.reading import GLANCE_NS, Cadence, SensorReading, nothing_known
from ssdlab.message import Message, as_written
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

_NOT_SAID = Unknown(as_written("the simulator does not say"))


@dataclass(slots=True)
class _Running:
    """A process and what lies behind it."""

    process: subprocess.Popen[bytes]
    wire: Wire
    began_ns: int
    """On the clock of the drive."""


@dataclass(slots=True)
class SimulatedDrive:
    """A simulated drive; a purge is a new one."""

    simulator: Simulator
    name: str
    settings: Settings
    program: Path
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
            target=f"{self.simulator.key}:{self.name}",
            model=f"{self.simulator.name} {self.name}",
            serial=f"{self.simulator.name.upper()}-{self.name}",
            firmware=self.simulator.pinned.commit[:8],
            # Probes and suites work in whole MiB, and none of them shall leave a part of the drive unwritten.
            capacity_bytes=self._running.wire.capacity_bytes // MIB * MIB,
            logical_block_bytes=512,
            indirection_unit_bytes=_NOT_SAID,
            description=as_written("a simulated drive of others"),
            purge_leaves=Freshness.FRESH,
            memory=Memory.FORGETS,
            cannot_trim=as_written("the study asks no simulator for it"),
        )

    def _start(self, began_ns: int) -> _Running:
        with tempfile.TemporaryDirectory() as directory:
            for name, content in self.settings.files().items():
                (Path(directory) / name).write_bytes(content)
            process = subprocess.Popen(
                self.settings.command(self.program, Path(directory)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            return _Running(process, Wire(process, self.simulator.counted), began_ns)

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
        return self.began_ns + self.wire.counters()[NOW_NS]

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
        return (
            read + now[HOST_READ_BYTES],
            written + now[HOST_WRITTEN_BYTES],
            programmed + self.settings.media_bytes(now),
        )

    def counters(self) -> Counts:
        """What the simulator counts since it began."""
        return self.wire.counters()

    def said(self) -> Mapping[str, str]:
        """See `Drive.said`."""
        return {name: content.decode() for name, content in self.settings.files().items()}

    def findings(self) -> tuple[Message, ...]:
        """See `Drive.findings`."""
        return ()

    def close(self) -> None:
        """End the simulator."""
        process = self._running.process
        process.kill()
        process.communicate()


@dataclass(frozen=True, slots=True)
class SimulatedSensor:
    """What the simulator's own counters say, as a drive's log would."""

    drive: SimulatedDrive
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
