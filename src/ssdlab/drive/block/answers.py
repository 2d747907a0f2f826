"""What nvme-cli, smartctl and hdparm print of a block device, read into values.

Field names and units of NVMe: NVM Express Base Specification 2.0, figures 275 (Identify Controller) and 208 (SMART), features 02h
(Power Management) and 0Ch (Autonomous Power State Transition); NVM Command Set Specification 1.0, figure 97 (Identify Namespace).
"""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ssdlab.drive.details import (
    AtaSecurity,
    EraseScope,
    FormatInUse,
    Health,
    LbaFormat,
    NvmeController,
    NvmeNamespace,
    PowerState,
    SmartDevice,
    StateUse,
)
from ssdlab.message import message
from ssdlab.unknown import Unknown

_DATA_UNIT_BYTES = 512_000
_KELVIN = 273
_NOT_REPORTED = message("unknown-drive-reports-not")
_FEATURE_VALUE = re.compile(r"^get-feature:\S+ \([^)\n]*\), Current value: ?(?:0x)?([0-9a-fA-F]{1,8})$", re.MULTILINE)
"""nvme-cli has no JSON of features."""


class _Tolerant(BaseModel):
    """Foreign JSON: what is not asked for is passed over, what is absent is None until it becomes an `Unknown`."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _PowerJson(_Tolerant):
    max_power: int = 0
    flags: int = 0
    entry_lat: int = 0
    exit_lat: int = 0


class _ControllerJson(_Tolerant):
    mn: str = ""
    sn: str = ""
    fr: str = ""
    ver: int = 0
    wctemp: int = 0
    cctemp: int = 0
    psds: tuple[_PowerJson, ...] = ()
    vwc: int | None = None
    hmpre: int | None = None
    hmmin: int | None = None
    oacs: int | None = None
    fna: int | None = None
    sanicap: int | None = None
    apsta: int | None = None


class _LbafJson(_Tolerant):
    ms: int
    ds: int


class _NamespaceJson(_Tolerant):
    flbas: int
    dps: int = 0
    nsfeat: int = 0
    lbafs: tuple[_LbafJson, ...] = Field(min_length=1)
    npwg: int | None = None
    npwa: int | None = None
    nows: int | None = None
    eui64: str = ""
    nguid: str = ""


class _SmartLogJson(_Tolerant):
    temperature: int | None = None
    percent_used: int | None = None
    data_units_written: int | None = None
    critical_warning: int | None = None


class _Text(_Tolerant):
    string: str | None = None


class _Speeds(_Tolerant):
    max: _Text = _Text()
    current: _Text = _Text()


class _WwnJson(_Tolerant):
    naa: int
    oui: int
    id: int


class _TemperatureJson(_Tolerant):
    current: int | None = None


class _StatusJson(_Tolerant):
    passed: bool | None = None


class _ProtocolJson(_Tolerant):
    protocol: str | None = None


class _SmartctlJson(_Tolerant):
    device: _ProtocolJson = _ProtocolJson()
    model_name: str | None = None
    scsi_model_name: str | None = None
    serial_number: str | None = None
    firmware_version: str | None = None
    scsi_revision: str | None = None
    wwn: _WwnJson | None = None
    interface_speed: _Speeds = _Speeds()
    temperature: _TemperatureJson = _TemperatureJson()
    smart_status: _StatusJson = _StatusJson()


CONTROLLER_FORM: type[BaseModel] = _ControllerJson
NAMESPACE_FORM: type[BaseModel] = _NamespaceJson
SMART_LOG_FORM: type[BaseModel] = _SmartLogJson
SMARTCTL_FORM: type[BaseModel] = _SmartctlJson
"""What is read of each answer; a published copy of a run keeps no more of it."""

_Json = TypeVar("_Json", bound=_Tolerant)
_Value = TypeVar("_Value")


def read_controller(text: str) -> NvmeController | Unknown:
    """Read `nvme id-ctrl -o json`."""
    read = _read(_ControllerJson, text, "nvme id-ctrl")
    if isinstance(read, Unknown):
        return read
    return NvmeController(
        model=_stripped(read.mn),
        serial=_stripped(read.sn),
        firmware=_stripped(read.fr),
        nvme_version=_version(read.ver),
        warning_temperature_c=_celsius(read.wctemp),
        critical_temperature_c=_celsius(read.cctemp),
        power_states=tuple(_power_state(one) for one in read.psds),
        volatile_write_cache=_bit(read.vwc, 0, "present", "absent"),
        host_memory_buffer_bytes_preferred=_times(read.hmpre, 4096),
        host_memory_buffer_bytes_min=_times(read.hmmin, 4096),
        format_command=_bit(read.oacs, 1, "offered", "not offered"),
        format_reaches=_format_reaches(read.fna),
        sanitize_methods=_sanitize_methods(read.sanicap),
    )


def has_autonomous_states(text: str) -> bool:
    """Whether a drive offers to change power states by itself, from `nvme id-ctrl -o json`."""
    read = _read(_ControllerJson, text, "nvme id-ctrl")
    return not isinstance(read, Unknown) and bool((read.apsta or 0) & 1)


def read_power_state(text: str) -> int | Unknown:
    """Read `nvme get-feature -f 2`: bits 4 to 0."""
    value = _feature(text)
    return value if isinstance(value, Unknown) else value & 0x1F


def read_autonomous(text: str) -> str | Unknown:
    """Read `nvme get-feature -f 0xc`."""
    value = _feature(text)
    return value if isinstance(value, Unknown) else ("enabled" if value & 1 else "disabled")


def feature_line(text: str) -> str | None:
    """All that is read of `nvme get-feature`; a published copy of a run keeps no more of it."""
    found = _FEATURE_VALUE.search(text)
    return None if found is None else found[0]


def _feature(text: str) -> int | Unknown:
    found = _FEATURE_VALUE.search(text)
    return int(found[1], 16) if found else Unknown(message("unknown-feature-form"))


def read_namespace(text: str) -> NvmeNamespace | Unknown:
    """Read `nvme id-ns -o json`."""
    read = _read(_NamespaceJson, text, "nvme id-ns")
    if isinstance(read, Unknown):
        return read
    # Bits 5 and 6 of FLBAS are the high bits of the index where there are more than 16 formats.
    used = (read.flbas & 0xF) | (read.flbas >> 5 & 0x3) << 4
    if used >= len(read.lbafs):
        return Unknown(message("unknown-format-in-use", used=used, listed=len(read.lbafs)))
    block_bytes = 1 << read.lbafs[used].ds
    # NSFEAT bit 4 (OPTPERF); nvme-cli shows zeroes-based values as the drive has them.
    offered = bool(read.nsfeat & 1 << 4)
    units = [_blocks(value, block_bytes) if offered else None for value in (read.npwg, read.npwa, read.nows)]
    granularity, alignment, optimal = (Unknown(_NOT_REPORTED) if one is None else one for one in units)
    return NvmeNamespace(
        lba_formats=tuple(
            LbaFormat(
                number=number,
                data_bytes=1 << one.ds,
                metadata_bytes=one.ms,
                in_use="in use" if number == used else "not in use",
            )
            for number, one in enumerate(read.lbafs)
            if one.ds
        ),
        format_in_use=FormatInUse(
            number=used,
            metadata_setting=read.flbas >> 4 & 1,
            protection_type=read.dps & 0x7,
            protection_place=read.dps >> 3 & 1,
        ),
        write_granularity_bytes=granularity,
        write_alignment_bytes=alignment,
        write_size_optimal_bytes=optimal,
        eui64=_identifier(read.eui64),
        nguid=_identifier(read.nguid),
    )


def read_smart_log(text: str) -> Health | Unknown:
    """Read `nvme smart-log -o json`."""
    read = _read(_SmartLogJson, text, "nvme smart-log")
    if isinstance(read, Unknown):
        return read
    return Health(
        temperature_c=_celsius(read.temperature or 0),
        used_percent=_known(read.percent_used),
        host_bytes_written=_times(read.data_units_written, _DATA_UNIT_BYTES),
        warnings=Unknown(_NOT_REPORTED) if read.critical_warning is None else _warnings(read.critical_warning),
    )


def read_smartctl(text: str) -> SmartDevice | Unknown:
    """Read `smartctl -j -a` of a SATA or SAS drive."""
    read = _read(_SmartctlJson, text, "smartctl")
    if isinstance(read, Unknown):
        return read
    passed = {True: "none", False: "SMART says that the drive is failing", None: None}[read.smart_status.passed]
    # smartctl prints 0 for SCSI drives without a sensor.
    return SmartDevice(
        model=_known(read.model_name or read.scsi_model_name),
        serial=_known(read.serial_number),
        firmware=_known(read.firmware_version or read.scsi_revision),
        wwn=Unknown(_NOT_REPORTED) if read.wwn is None else _wwn(read.wwn),
        protocol=_known(read.device.protocol),
        link_now=_known(read.interface_speed.current.string),
        link_best=_known(read.interface_speed.max.string),
        health=Health(
            temperature_c=_known(read.temperature.current or None),
            used_percent=Unknown(message("unknown-no-common-value")),
            host_bytes_written=Unknown(message("unknown-no-common-value")),
            warnings=_known(passed),
        ),
    )


def read_hdparm(text: str) -> AtaSecurity | Unknown:
    """Read the Security section of `hdparm -I`."""
    _, section, rest = text.partition("\nSecurity:")
    if not section:
        return Unknown(message("unknown-no-ata-security"))
    lines = [" ".join(line.split()) for line in rest.splitlines()]
    words = {word: f"not {word}" for word in ("supported", "enabled", "locked", "frozen")}
    found = {word: word if word in lines else no if no in lines else None for word, no in words.items()}
    if None in found.values():
        return Unknown(message("unknown-security-form"))
    erase = "supported: enhanced erase" in lines
    return AtaSecurity(
        supported=str(found["supported"]),
        enabled=str(found["enabled"]),
        locked=str(found["locked"]),
        frozen=str(found["frozen"]),
        enhanced_erase="supported" if erase else "not supported",
        erase_minutes=_minutes("SECURITY ERASE UNIT", rest),
        enhanced_erase_minutes=_minutes("ENHANCED SECURITY ERASE UNIT", rest),
    )


def _minutes(command: str, text: str) -> int | Unknown:
    found = re.search(rf"(\d+)min for {command}\b", text)
    return int(found[1]) if found else Unknown(_NOT_REPORTED)


def _read(kind: type[_Json], text: str, program: str) -> _Json | Unknown:
    try:
        found: Mapping[str, Any] = json.loads(text)
        return kind.model_validate(found)
    except json.JSONDecodeError:
        return Unknown(message("unknown-no-json", program=program))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return Unknown(message("unknown-form-at", program=program, place=place, fault=str(first["msg"])))


def _stripped(text: str) -> str | Unknown:
    return text.strip() or Unknown(_NOT_REPORTED)


def _known(value: _Value | None) -> _Value | Unknown:
    return Unknown(_NOT_REPORTED) if value is None else value


def _times(value: int | None, unit: int) -> int | Unknown:
    return Unknown(_NOT_REPORTED) if value is None else value * unit


def _blocks(value: int | None, block_bytes: int) -> int | None:
    return None if value is None else (value + 1) * block_bytes


def _version(value: int) -> str | Unknown:
    return f"{value >> 16}.{value >> 8 & 0xFF}.{value & 0xFF}" if value else Unknown(_NOT_REPORTED)


def _celsius(kelvin: int) -> int | Unknown:
    return kelvin - _KELVIN if kelvin else Unknown(_NOT_REPORTED)


def _bit(value: int | None, bit: int, yes: str, no: str) -> str | Unknown:
    if value is None:
        return Unknown(_NOT_REPORTED)
    return yes if value >> bit & 1 else no


def _format_reaches(fna: int | None) -> EraseScope | Unknown:
    # FNA bits 0 and 1: a format, and the secure erase of one, apply to all namespaces.
    if fna is None:
        return Unknown(_NOT_REPORTED)
    return EraseScope.ALL if fna & 3 else EraseScope.ONE


def _sanitize_methods(sanicap: int | None) -> tuple[str, ...] | Unknown:
    if sanicap is None:
        return Unknown(_NOT_REPORTED)
    return tuple(name for bit, name in enumerate(("crypto erase", "block erase", "overwrite")) if sanicap >> bit & 1)


def _power_state(one: _PowerJson) -> PowerState:
    # Bit 0 of the flags (MXPS) says that the unit is 0.1 mW, not 10 mW.
    unit_w = 0.0001 if one.flags & 1 else 0.01
    return PowerState(
        power_w_max=round(one.max_power * unit_w, 4) if one.max_power else Unknown(_NOT_REPORTED),
        entry_latency_us=one.entry_lat or Unknown(_NOT_REPORTED),
        exit_latency_us=one.exit_lat or Unknown(_NOT_REPORTED),
        # Bit 1 (NOPS).
        use=StateUse.REST if one.flags & 2 else StateUse.WORK,
    )


def _identifier(text: str) -> str | Unknown:
    return text if text.strip("0") else Unknown(_NOT_REPORTED)


def _wwn(one: _WwnJson) -> str:
    return f"{one.naa:x}{one.oui:06x}{one.id:09x}"


def _warnings(value: int) -> str:
    names = ("spare is low", "temperature", "reliability is degraded", "read-only", "backup of volatile memory failed")
    found = [name for bit, name in enumerate(names) if value >> bit & 1]
    return ", ".join(found) or ("none" if not value else f"bits {value:#x}")
