"""What a drive's sensors say, and when they may be asked."""

from dataclasses import dataclass, field
from typing import Protocol

from ssdlab.drive.lateness import Lateness
from ssdlab.message import Message, message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

GLANCE_NS = NS_PER_S
"""Between two cheap looks while load runs."""
READ_NS = 30 * NS_PER_S
"""Between two whole readings while load runs."""


_UNCOUNTED = Unknown(message("unknown-flushes-uncounted"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorReading:
    """What sensors and counters said at one moment; counts are since the drive was new, unless its maker has it otherwise."""

    temperature_c: float | Unknown
    """NVMe's composite temperature, or the only one."""
    more_temperatures_c: dict[str, float] = field(default_factory=dict)
    """Other sensors of the drive by the names they have."""
    throttle_level: int | Unknown
    """0 not throttled; only virtual drives tell."""
    throttled_s: float | Unknown
    """Time in which the drive throttled itself for heat, as far as it counts that."""
    throttle_events: int | Unknown
    """How often it began to."""
    warning_s: float | Unknown
    """Time at or above the warning temperature; NVMe drives count whole minutes."""
    host_read_bytes: int | Unknown
    host_written_bytes: int | Unknown
    host_unit_bytes: int | Unknown
    """The host's bytes are counted in units of so many."""
    media_written_bytes: int | Unknown
    """What was programmed into flash, for the host and for the drive's own purposes."""
    error_log_entries: int | Unknown
    media_errors: int | Unknown
    used_percent: int | Unknown
    """Of its rated life, by the drive's own estimate; may exceed 100."""
    link: str | Unknown
    """Such as `16.0 GT/s PCIe x4`."""
    flushes: int | Unknown = _UNCOUNTED
    """Flush commands; only virtual drives count them."""
    forced_writes: int | Unknown = _UNCOUNTED
    """Writes that had to be durable before they were answered; likewise."""


def nothing_known(reason: Unknown) -> SensorReading:
    """A reading that says nothing, for that reason."""
    return SensorReading(
        temperature_c=reason,
        throttle_level=reason,
        throttled_s=reason,
        throttle_events=reason,
        warning_s=reason,
        host_read_bytes=reason,
        host_written_bytes=reason,
        host_unit_bytes=reason,
        media_written_bytes=reason,
        error_log_entries=reason,
        media_errors=reason,
        used_percent=reason,
        link=reason,
    )


@dataclass(frozen=True, slots=True)
class Cadence:
    """How often sensors may be asked while load runs; None: asking would disturb it."""

    glance_ns: int | None
    read_ns: int | None


class Sensor(Protocol):
    """Asks one drive; what does not answer is unknown, nothing raises. It is not called while the drive rests: that would wake it."""

    @property
    def cadence(self) -> Cadence:
        """How often it may be asked while load runs."""

    def read(self) -> SensorReading:
        """Everything, for the beginning and the end of a job."""

    def glance(self) -> SensorReading:
        """What can be had at next to no cost."""

    def messages(self) -> tuple[str, ...] | Unknown:
        """What the kernel said of the drive since it was last asked; asks the drive nothing."""

    def lateness(self) -> Lateness | Unknown:
        """How late its replies left so far, which only a virtual drive knows."""


@dataclass(frozen=True, slots=True)
class NoSensor:
    """A target that has none, with the reason."""

    reason: Message
    cadence: Cadence = Cadence(None, None)

    def read(self) -> SensorReading:
        """See `Sensor`."""
        return nothing_known(Unknown(self.reason))

    def glance(self) -> SensorReading:
        """See `Sensor`."""
        return self.read()

    def messages(self) -> tuple[str, ...] | Unknown:
        """See `Sensor`."""
        return Unknown(self.reason)

    def lateness(self) -> Lateness | Unknown:
        """See `Sensor`."""
        return Unknown(self.reason)
