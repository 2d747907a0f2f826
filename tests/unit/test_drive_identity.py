"""What drives say of themselves, read from what real tools printed."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab.drive.block.answers import (
    has_autonomous_states,
    read_autonomous,
    read_controller,
    read_hdparm,
    read_namespace,
    read_power_state,
    read_smart_log,
    read_smartctl,
)
from ssdlab.drive.details import (
    AtaSecurity,
    EraseScope,
    FormatInUse,
    Health,
    LbaFormat,
    NvmeController,
    NvmeNamespace,
    SmartDevice,
    StateUse,
)
from ssdlab.message import message
from ssdlab.unknown import Unknown

DATA = Path(__file__).parents[1] / "data"
NOT_REPORTED = Unknown(message("unknown-drive-reports-not"))


def said(name: str) -> str:
    return (DATA / name).read_text()


def changed(name: str, **values: Any) -> str:
    return json.dumps(json.loads(said(name)) | values)


def controller(**values: Any) -> NvmeController:
    read = read_controller(changed("nvme-cli/id-ctrl.json", **values))
    assert isinstance(read, NvmeController)
    return read


def namespace(**values: Any) -> NvmeNamespace:
    read = read_namespace(changed("nvme-cli/id-ns.json", **values))
    assert isinstance(read, NvmeNamespace)
    return read


def test_a_controller_names_itself() -> None:
    one = controller()
    assert (one.model, one.serial, one.firmware, one.nvme_version) == ("QEMU NVMe Ctrl", "NV0001", "7.2.22", "1.4.0")
    assert (one.warning_temperature_c, one.critical_temperature_c) == (70, 100)


def test_a_controller_says_what_it_offers() -> None:
    one = controller()
    assert (one.volatile_write_cache, one.format_command, one.sanitize_methods) == ("present", "offered", ())
    assert controller(sanicap=3).sanitize_methods == ("crypto erase", "block erase")
    assert controller(hmpre=16384).host_memory_buffer_bytes_preferred == 64 << 20


def test_power_states_are_in_the_unit_their_flag_says() -> None:
    assert controller().power_states[0].power_w_max == 25.0
    low = {"max_power": 500, "flags": 1, "entry_lat": 2000, "exit_lat": 0}
    (state,) = controller(psds=[low]).power_states
    assert (state.power_w_max, state.entry_latency_us, state.exit_latency_us) == (0.05, 2000, NOT_REPORTED)


def test_a_power_state_in_which_a_drive_does_no_io_is_told_by_its_flag() -> None:
    states = controller(psds=[{"flags": 0}, {"flags": 1}, {"flags": 2}, {"flags": 3}]).power_states
    assert [one.use for one in states] == [StateUse.WORK, StateUse.WORK, StateUse.REST, StateUse.REST]


def test_the_power_state_is_five_bits_of_its_feature() -> None:
    assert read_power_state(said("nvme-cli/power-state.txt")) == 0
    form = "get-feature:0x2 (Power Management), Current value:{}\n"
    assert [read_power_state(form.format(value)) for value in ("0x000004", "00000044", "0x0000003f")] == [4, 4, 31]


def test_autonomous_changes_of_power_state_are_one_bit_of_their_feature() -> None:
    assert read_autonomous(said("nvme-cli/apst.txt")) == "enabled"
    assert read_autonomous(said("nvme-cli/apst.txt").replace("0x00000001", "00000002")) == "disabled"


def test_whether_a_drive_offers_autonomous_changes_is_asked_of_itself() -> None:
    assert not has_autonomous_states(said("nvme-cli/id-ctrl.json"))
    assert has_autonomous_states(changed("nvme-cli/id-ctrl.json", apsta=1))
    assert not has_autonomous_states("no JSON")


@given(text=st.text())
def test_a_feature_in_another_form_is_unknown(text: str) -> None:
    other = Unknown(message("unknown-feature-form"))
    assert (read_power_state(text), read_autonomous(text)) == (other, other)


def test_a_field_that_is_missing_is_unknown_and_not_zero() -> None:
    one = controller(sn="  ", wctemp=0, ver=0, vwc=None, oacs=None, sanicap=None)
    missing = (one.serial, one.warning_temperature_c, one.nvme_version)
    offers = (one.volatile_write_cache, one.format_command, one.sanitize_methods)
    assert {*missing, *offers} == {NOT_REPORTED}


def test_a_namespace_has_formats_of_which_one_is_in_use() -> None:
    formats = namespace().lba_formats
    assert [one.data_bytes for one in formats] == [512] * 4 + [4096] * 4
    assert formats[0] == LbaFormat(number=0, data_bytes=512, metadata_bytes=0, in_use="in use")
    assert [one.in_use for one in namespace(flbas=4).lba_formats].index("in use") == 4


def test_units_of_writing_count_blocks_of_the_format_in_use() -> None:
    assert namespace(npwg=7, npwa=0, nows=255).write_granularity_bytes == 4096
    big = namespace(flbas=4, npwg=7, npwa=0, nows=255)
    assert (big.write_granularity_bytes, big.write_alignment_bytes, big.write_size_optimal_bytes) == (
        32768,
        4096,
        1 << 20,
    )


def test_units_of_writing_mean_nothing_where_the_drive_does_not_offer_them() -> None:
    assert namespace(nsfeat=0, npwg=7).write_granularity_bytes == NOT_REPORTED


def test_an_identifier_of_zeroes_is_none() -> None:
    assert namespace().eui64 == NOT_REPORTED
    assert namespace(eui64="0025385b71b0a1b2").eui64 == "0025385b71b0a1b2"


def test_a_controller_says_how_far_its_format_reaches() -> None:
    assert controller().format_reaches is EraseScope.ONE
    assert controller(fna=1).format_reaches is EraseScope.ALL
    assert controller(fna=2).format_reaches is EraseScope.ALL
    assert controller(fna=4).format_reaches is EraseScope.ONE
    assert controller(fna=None).format_reaches == NOT_REPORTED


def test_a_format_can_be_kept_with_its_metadata_and_protection() -> None:
    kept = namespace(flbas=0x11, dps=0b1010).format_in_use
    assert kept == FormatInUse(number=1, metadata_setting=1, protection_type=2, protection_place=1)


def test_a_format_that_is_not_listed_is_no_format() -> None:
    assert read_namespace(changed("nvme-cli/id-ns.json", flbas=15)) == snapshot(
        Unknown(message("unknown-format-in-use", used=15, listed=8))
    )


def test_health_of_an_nvme_drive() -> None:
    assert read_smart_log(said("nvme-cli/smart-log.json")) == Health(
        temperature_c=50, used_percent=0, host_bytes_written=0, warnings="none"
    )
    worn = read_smart_log(changed("nvme-cli/smart-log.json", data_units_written="2000000", critical_warning=10))
    assert isinstance(worn, Health)
    assert (worn.host_bytes_written, worn.warnings) == (1_024_000_000_000, "temperature, read-only")


def test_a_sata_drive_names_itself_through_smartctl() -> None:
    read = read_smartctl(said("smartctl/sata.json"))
    assert isinstance(read, SmartDevice)
    assert (read.model, read.serial, read.firmware, read.protocol) == ("QEMU HARDDISK", "SATA0001", "2.5+", "ATA")
    assert (read.health.temperature_c, read.health.warnings) == (31, "none")
    assert read.link_now == NOT_REPORTED


def test_a_scsi_drive_without_a_sensor_has_no_temperature_of_zero() -> None:
    read = read_smartctl(said("smartctl/scsi.json"))
    assert isinstance(read, SmartDevice)
    assert (read.model, read.serial, read.health.temperature_c) == ("ACME SASDISK", "SCSI0001", NOT_REPORTED)


def test_ata_security_is_read_where_the_drive_has_it() -> None:
    assert read_hdparm(said("hdparm/sata.txt")) == Unknown(message("unknown-no-ata-security"))
    assert read_hdparm(said("hdparm/security.txt")) == AtaSecurity(
        supported="supported",
        enabled="not enabled",
        locked="not locked",
        frozen="frozen",
        enhanced_erase="supported",
        erase_minutes=2,
        enhanced_erase_minutes=8,
    )
    assert isinstance(read_hdparm("\nSecurity:\n\tnot\tlocked\n"), Unknown)


@given(text=st.text() | st.recursive(st.none() | st.integers(), st.lists).map(json.dumps))
def test_whatever_a_tool_prints_is_read_or_said_to_be_unknown(text: str) -> None:
    for read in (read_namespace, read_hdparm):
        assert isinstance(read(text), Unknown)
    assert not isinstance(read_controller(f"[{text}"), NvmeController)
