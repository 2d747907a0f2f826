"""What nvme-cli and smartctl print of a drive's health, read into a `SensorReading`.

NVM Express Base Specification 2.0, figure 208 (SMART / Health Information); OCP Datacenter NVMe SSD Specification 2.0, log page
C0h, SMART-1 (Physical Media Units Written, in bytes); ACS-4, General Statistics (Logical Sectors Written and Read).
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ssdlab.drive.sense.reading import SensorReading, nothing_known
from ssdlab.message import message
from ssdlab.unknown import Unknown

_Value = TypeVar("_Value")
_DATA_UNIT_BYTES = 512_000
_KELVIN = 273
_NOT_TOLD = Unknown(message("unknown-drive-silent"))


class _Tolerant(BaseModel):
    """Foreign JSON: what is not asked for is passed over, what is absent becomes unknown; nvme-cli prints long numbers as text."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _SmartLog(_Tolerant):
    temperature: int | None = None
    percent_used: int | None = None
    data_units_read: int | None = None
    data_units_written: int | None = None
    media_errors: int | None = None
    num_err_log_entries: int | None = None
    warning_temp_time: int | None = None
    critical_comp_time: int | None = None
    thm_temp1_trans_count: int | None = None
    thm_temp2_trans_count: int | None = None
    thm_temp1_total_time: int | None = None
    thm_temp2_total_time: int | None = None


def read_nvme(text: str) -> SensorReading:
    """Read `nvme smart-log -o json`."""
    try:
        said = _SmartLog.model_validate_json(text)
    except ValidationError:
        return nothing_known(Unknown(message("unknown-form", program="nvme smart-log")))
    return replace(
        nothing_known(_NOT_TOLD),
        temperature_c=said.temperature - _KELVIN if said.temperature else _NOT_TOLD,
        throttled_s=_sum(said.thm_temp1_total_time, said.thm_temp2_total_time, 1),
        throttle_events=_sum(said.thm_temp1_trans_count, said.thm_temp2_trans_count, 1),
        warning_s=_sum(said.warning_temp_time, said.critical_comp_time, 60),
        host_read_bytes=_times(said.data_units_read, _DATA_UNIT_BYTES),
        host_written_bytes=_times(said.data_units_written, _DATA_UNIT_BYTES),
        host_unit_bytes=_DATA_UNIT_BYTES,
        error_log_entries=_known(said.num_err_log_entries),
        media_errors=_known(said.media_errors),
        used_percent=_known(said.percent_used),
    )


def read_media_bytes(text: str) -> int | Unknown:
    """Read what `nvme ocp smart-add-log -o json` says was written to the media; versions differ in how they spell it."""
    try:
        said: Mapping[str, Any] = json.loads(text)
        named = {key.lower().replace("_", " "): value for key, value in said.items()}
        value = named["physical media units written"]
        return int(value["hi"]) << 64 | int(value["lo"]) if isinstance(value, dict) else int(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        return Unknown(message("unknown-media-bytes"))


class _Raw(_Tolerant):
    value: int


class _Attribute(_Tolerant):
    name: str
    raw: _Raw


class _Attributes(_Tolerant):
    table: tuple[_Attribute, ...] = ()


class _Statistic(_Tolerant):
    name: str
    value: int | None = None


class _StatisticsPage(_Tolerant):
    table: tuple[_Statistic, ...] = ()


class _Statistics(_Tolerant):
    pages: tuple[_StatisticsPage, ...] = ()


class _Current(_Tolerant):
    current: int | None = None


class _Text(_Tolerant):
    string: str | None = None


class _Speeds(_Tolerant):
    current: _Text = _Text()


class _Count(_Tolerant):
    count: int | None = None


class _ErrorLog(_Tolerant):
    extended: _Count | None = None
    summary: _Count | None = None


class _Smartctl(_Tolerant):
    logical_block_size: int = 512
    temperature: _Current = _Current()
    interface_speed: _Speeds = _Speeds()
    ata_smart_attributes: _Attributes = _Attributes()
    ata_device_statistics: _Statistics = _Statistics()
    ata_smart_error_log: _ErrorLog = _ErrorLog()


SMART_LOG_FORM: type[BaseModel] = _SmartLog
SMARTCTL_FORM: type[BaseModel] = _Smartctl
"""What is read of each answer; a published copy of a run keeps no more of it."""

_MIB = 1 << 20
_GIB = 1 << 30
_MEDIA_ATTRIBUTES = {
    "NAND_Writes_1GiB": _GIB,
    "NAND_Writes_32MiB": 32 * _MIB,
    "Total_NAND_Writes_GiB": _GIB,
    "NAND_GiB_Written": _GIB,
    "Flash_Writes_GiB": _GIB,
}
"""Vendors' attributes by the names smartctl's database gives them; it names the unit, so nothing is guessed."""
_HOST_ATTRIBUTES = {
    "Host_Writes_32MiB": 32 * _MIB,
    "Host_Writes_GiB": _GIB,
    "Lifetime_Writes_GiB": _GIB,
    "Total_Writes_GiB": _GIB,
}


def read_ata(text: str) -> SensorReading:
    """Read `smartctl -j -a -l devstat` of a SATA or SAS drive."""
    try:
        said = _Smartctl.model_validate_json(text)
    except ValidationError:
        return nothing_known(Unknown(message("unknown-form", program="smartctl")))
    statistics = {one.name: one.value for page in said.ata_device_statistics.pages for one in page.table}
    attributes = {one.name: one.raw.value for one in said.ata_smart_attributes.table}
    sector_bytes = said.logical_block_size
    written, unit_bytes = _known(statistics.get("Logical Sectors Written")), sector_bytes
    if isinstance(written, Unknown):
        written, unit_bytes = _first(attributes, _HOST_ATTRIBUTES)
    media_written, media_unit_bytes = _first(attributes, _MEDIA_ATTRIBUTES)
    logged = said.ata_smart_error_log
    return replace(
        nothing_known(_NOT_TOLD),
        # smartctl prints 0 for SCSI drives without a sensor.
        temperature_c=_known(said.temperature.current or None),
        host_read_bytes=_times(statistics.get("Logical Sectors Read"), sector_bytes),
        host_written_bytes=_in_bytes(written, unit_bytes),
        host_unit_bytes=unit_bytes if not isinstance(written, Unknown) else _NOT_TOLD,
        media_written_bytes=_in_bytes(media_written, media_unit_bytes),
        error_log_entries=_known(next((one.count for one in (logged.extended, logged.summary) if one), None)),
        media_errors=_known(statistics.get("Number of Reported Uncorrectable Errors")),
        used_percent=_known(statistics.get("Percentage Used Endurance Indicator")),
        link=_known(said.interface_speed.current.string),
    )


def _first(attributes: Mapping[str, int], units_bytes: Mapping[str, int]) -> tuple[int | Unknown, int]:
    """Value of the first attribute there is, and its unit in bytes."""
    for name, unit_bytes in units_bytes.items():
        if name in attributes:
            return attributes[name], unit_bytes
    return _NOT_TOLD, 1


def _in_bytes(value: int | Unknown, unit_bytes: int) -> int | Unknown:
    return value if isinstance(value, Unknown) else value * unit_bytes


def _known(value: _Value | None) -> _Value | Unknown:
    return _NOT_TOLD if value is None else value


def _times(value: int | None, unit: int) -> int | Unknown:
    return _NOT_TOLD if value is None else value * unit


def _sum(first: int | None, second: int | None, unit: int) -> int | Unknown:
    return _NOT_TOLD if first is None or second is None else (first + second) * unit
