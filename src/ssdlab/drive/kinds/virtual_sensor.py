"""Sensors of virtual drives: their own truth, which real drives keep to themselves."""

from dataclasses import replace

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from ssdlab.drive.access import DriveError
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.kinds.virtual import VirtualDrive
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.sense.reading import GLANCE_NS, Cadence, SensorReading, nothing_known
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_COUNTED = Unknown(message("unknown-virtual-uncounted"))
NEVER_LATE = Unknown(message("unknown-virtual-never-late"))
_NO_HEAT = Unknown(message("unknown-virtual-no-thermal"))


@dataclass(frozen=True)
class _Heat:
    temperature_c: float
    throttle_level: int
    throttled_ns: int
    throttlings: int
    warning_ns: int


@dataclass(frozen=True)
class _Sensors:
    heat: _Heat | None
    used_percent: int
    host_read_bytes: int
    host_written_bytes: int
    media_written_bytes: int
    flushes: int
    forced_writes: int


_SENSORS = TypeAdapter(_Sensors)


def read_virtual(text: str | bytes) -> SensorReading:
    """Read the sensors of a virtual drive (`vdrive::Sensors` as JSON)."""
    said = _SENSORS.validate_json(text)
    counts = replace(
        nothing_known(_COUNTED),
        temperature_c=_NO_HEAT,
        throttle_level=_NO_HEAT,
        throttled_s=_NO_HEAT,
        throttle_events=_NO_HEAT,
        warning_s=_NO_HEAT,
        host_read_bytes=said.host_read_bytes,
        host_written_bytes=said.host_written_bytes,
        host_unit_bytes=1,
        media_written_bytes=said.media_written_bytes,
        used_percent=said.used_percent,
        flushes=said.flushes,
        forced_writes=said.forced_writes,
        link=Unknown(message("unknown-virtual-no-link")),
    )
    if said.heat is None:
        return counts
    return replace(
        counts,
        temperature_c=said.heat.temperature_c,
        throttle_level=said.heat.throttle_level,
        throttled_s=said.heat.throttled_ns / NS_PER_S,
        throttle_events=said.heat.throttlings,
        warning_s=said.heat.warning_ns / NS_PER_S,
    )


class ModelSensor:
    """Of a drive in virtual time; while a job runs the engine reads them, because it alone knows the time."""

    cadence = Cadence(GLANCE_NS, None)

    def __init__(self, drive: ModelDrive) -> None:
        self._drive = drive

    def read(self) -> SensorReading:
        """See `Sensor`."""
        return read_virtual(self._drive.core.sensors(self._drive.clock_ns))

    def glance(self) -> SensorReading:
        """See `Sensor`."""
        return self.read()

    def messages(self) -> tuple[str, ...] | Unknown:
        """See `Sensor`."""
        return Unknown(message("unknown-virtual-no-kernel"))

    def lateness(self) -> Lateness | Unknown:
        """See `Sensor`."""
        return NEVER_LATE


class VirtualSensor:
    """Of a drive behind NBD, over its control socket."""

    cadence = Cadence(GLANCE_NS, None)

    def __init__(self, drive: VirtualDrive) -> None:
        self._drive = drive

    def read(self) -> SensorReading:
        """See `Sensor`."""
        try:
            return read_virtual(self._drive.sensors())
        except DriveError as error:
            return nothing_known(Unknown(error.message))
        except ValueError:
            return nothing_known(Unknown(message("unknown-virtual-server-ended")))

    def glance(self) -> SensorReading:
        """See `Sensor`."""
        return self.read()

    def messages(self) -> tuple[str, ...] | Unknown:
        """See `Sensor`."""
        return Unknown(message("unknown-nbd-no-kernel"))

    def lateness(self) -> Lateness | Unknown:
        """See `Sensor`."""
        try:
            return self._drive.lateness()
        except DriveError as error:
            return Unknown(error.message)
        except ValueError:
            return Unknown(message("unknown-virtual-server-ended"))
