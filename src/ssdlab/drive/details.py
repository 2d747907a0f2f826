"""What a block device says it is, as values."""

from dataclasses import dataclass
from enum import Enum

from ssdlab.message import message
from ssdlab.unknown import Unknown


class StateUse(Enum):
    """What a drive does in a power state."""

    WORK = "works"
    REST = "rests, and does no I/O"
    UNKNOWN = "was not recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerState:
    """One row of the power-state table."""

    power_w_max: float | Unknown
    entry_latency_us: int | Unknown
    exit_latency_us: int | Unknown
    use: StateUse = StateUse.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSetting:
    """How much power an NVMe drive may take as it is set, from Get Features 02h and 0Ch."""

    state: int | Unknown
    """Row of the power-state table that the drive is in."""
    autonomous: str | Unknown
    """Whether the drive changes between states by itself (APST): `enabled`, `disabled` or `not offered`."""


class EraseScope(Enum):
    """What a Format command erases."""

    ONE = "the namespace it names"
    ALL = "every namespace of the controller"


@dataclass(frozen=True, slots=True, kw_only=True)
class NvmeController:
    """From Identify Controller."""

    model: str | Unknown
    serial: str | Unknown
    firmware: str | Unknown
    nvme_version: str | Unknown
    warning_temperature_c: int | Unknown
    critical_temperature_c: int | Unknown
    power_states: tuple[PowerState, ...]
    volatile_write_cache: str | Unknown
    host_memory_buffer_bytes_preferred: int | Unknown
    host_memory_buffer_bytes_min: int | Unknown
    format_command: str | Unknown
    format_reaches: EraseScope | Unknown
    sanitize_methods: tuple[str, ...] | Unknown
    """Empty if the drive offers none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LbaFormat:
    """One format of logical blocks, by its number in the drive's list."""

    number: int
    data_bytes: int
    metadata_bytes: int
    in_use: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatInUse:
    """What a Format command must be told to leave the format as it is."""

    number: int
    metadata_setting: int
    """FLBAS bit 4: 1 where metadata follows its block, 0 where it has a buffer of its own."""
    protection_type: int
    """0 for none."""
    protection_place: int
    """DPS bit 3: 1 for the first bytes of the metadata, 0 for the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NvmeNamespace:
    """From Identify Namespace; the unit of writing is unknown where NSFEAT says that the fields mean nothing."""

    lba_formats: tuple[LbaFormat, ...]
    format_in_use: FormatInUse
    write_granularity_bytes: int | Unknown
    write_alignment_bytes: int | Unknown
    write_size_optimal_bytes: int | Unknown
    eui64: str | Unknown
    nguid: str | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """From the SMART log."""

    temperature_c: int | Unknown
    used_percent: int | Unknown
    host_bytes_written: int | Unknown
    warnings: str | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class AtaSecurity:
    """The Security section of `hdparm -I`, one word or two a line (`not frozen`)."""

    supported: str
    enabled: str
    locked: str
    frozen: str
    enhanced_erase: str
    erase_minutes: int | Unknown
    """The drive's own estimate; the largest it can say is 508 or more."""
    enhanced_erase_minutes: int | Unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class SmartDevice:
    """From `smartctl -j -a` of a SATA or SAS drive."""

    model: str | Unknown
    serial: str | Unknown
    firmware: str | Unknown
    wwn: str | Unknown
    protocol: str | Unknown
    link_now: str | Unknown
    link_best: str | Unknown
    health: Health


_SILENT = Unknown(message("unknown-kernel-and-drive-silent"))
_NAMELESS = SmartDevice(
    model=_SILENT,
    serial=_SILENT,
    firmware=_SILENT,
    wwn=_SILENT,
    protocol=_SILENT,
    link_now=_SILENT,
    link_best=_SILENT,
    health=Health(temperature_c=_SILENT, used_percent=_SILENT, host_bytes_written=_SILENT, warnings=_SILENT),
)


_NOT_RECORDED = Unknown(message("unknown-before-recorded"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What the programs that know drives say; unknown with the reason where they do not apply."""

    controller: NvmeController | Unknown
    namespace: NvmeNamespace | Unknown
    smart: SmartDevice | Unknown
    security: AtaSecurity | Unknown
    health: Health | Unknown
    power: PowerSetting | Unknown = _NOT_RECORDED

    @property
    def model(self) -> str | Unknown:
        """As the drive names itself."""
        return self._named.model

    @property
    def serial(self) -> str | Unknown:
        """As the drive numbers itself."""
        return self._named.serial

    @property
    def firmware(self) -> str | Unknown:
        """Its revision."""
        return self._named.firmware

    @property
    def _named(self) -> NvmeController | SmartDevice:
        known = (one for one in (self.controller, self.smart) if not isinstance(one, Unknown))
        return next(known, _NAMELESS)
