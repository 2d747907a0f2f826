"""Sensors of block devices, on recorded output and on directories that stand in place of sysfs."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from ssdlab.drive.sense.block import BlockSensor
from ssdlab.drive.sense.kernel_log import KernelLog, message_of
from ssdlab.drive.sense.parse import read_ata, read_media_bytes, read_nvme
from ssdlab.drive.sense.reading import Cadence, SensorReading
from ssdlab.drive.tool import ToolOutput
from ssdlab.host.kernel import Kernel
from ssdlab.message import message, verbatim
from ssdlab.units import GIB, NS_PER_S
from ssdlab.unknown import Unknown

DATA = Path(__file__).parents[1] / "data"
SMART_LOG = (DATA / "nvme-cli/smart-log.json").read_text()
OCP = (DATA / "nvme-cli/ocp-smart-add-log.json").read_text()
SATA = (DATA / "smartctl/sata.json").read_text()
SCSI = (DATA / "smartctl/scsi.json").read_text()


def known(reading: SensorReading) -> dict[str, object]:
    fields = {name: getattr(reading, name) for name in SensorReading.__dataclass_fields__}
    return {name: value for name, value in fields.items() if not isinstance(value, Unknown) and value != {}}


def test_nvme_as_recorded() -> None:
    assert known(read_nvme(SMART_LOG)) == snapshot(
        {
            "temperature_c": 50,
            "throttled_s": 0,
            "throttle_events": 0,
            "warning_s": 0,
            "host_read_bytes": 512000,
            "host_written_bytes": 0,
            "host_unit_bytes": 512000,
            "error_log_entries": 0,
            "media_errors": 0,
            "used_percent": 0,
        }
    )


def test_times_and_counts_of_both_levels_are_added_up() -> None:
    said = json.loads(SMART_LOG)
    said |= {
        "thm_temp1_total_time": 5,
        "thm_temp2_total_time": 7,
        "thm_temp1_trans_count": 1,
        "thm_temp2_trans_count": 2,
    }
    said |= {"warning_temp_time": 3, "critical_comp_time": 1, "data_units_written": "36893488147419103232"}
    reading = read_nvme(json.dumps(said))
    assert (reading.throttled_s, reading.throttle_events, reading.warning_s) == (12, 3, 240)
    assert reading.host_written_bytes == 2**65 * 512_000


def test_sata_and_sas_as_recorded() -> None:
    assert known(read_ata(SATA)) == snapshot({"temperature_c": 31, "error_log_entries": 0})
    assert known(read_ata(SCSI)) == snapshot({})


def ata(attributes: dict[str, int], statistics: dict[str, int]) -> SensorReading:
    table = [{"name": name, "value": value} for name, value in statistics.items()]
    said = json.loads(SATA) | {
        "ata_smart_attributes": {"table": [{"name": name, "raw": {"value": raw}} for name, raw in attributes.items()]},
        "ata_device_statistics": {"pages": [{"table": table}]},
    }
    return read_ata(json.dumps(said))


def test_sectors_of_the_standard_go_before_vendors_attributes() -> None:
    both = ata({"Host_Writes_32MiB": 3}, {"Logical Sectors Written": 1000, "Logical Sectors Read": 10})
    assert (both.host_written_bytes, both.host_unit_bytes, both.host_read_bytes) == (512_000, 512, 5120)
    vendor = ata({"Host_Writes_32MiB": 64, "NAND_Writes_1GiB": 5}, {})
    assert (vendor.host_written_bytes, vendor.media_written_bytes) == (2 * GIB, 5 * GIB)


@pytest.mark.parametrize("text", ["", "[]", "no JSON", '{"temperature": "hot"}'])
def test_what_is_no_such_output_says_nothing(text: str) -> None:
    assert known(read_nvme(text)) == {}
    assert isinstance(read_media_bytes(text), Unknown)


def test_media_bytes_are_read_however_they_are_spelled() -> None:
    assert read_media_bytes(OCP) == 2**48
    assert read_media_bytes('{"physical_media_units_written": 7}') == 7
    assert read_media_bytes('{"Physical media units written": {"hi": 1, "lo": 2}}') == 2**64 + 2


@dataclass
class Programs:
    """Answers as recorded, and keeps what was asked."""

    ocp: ToolOutput
    asked: list[str] = field(default_factory=list)

    def __call__(self, program: str, *arguments: str) -> ToolOutput | Unknown:
        self.asked.append(" ".join((program, *arguments)))
        if "ocp" in arguments:
            return self.ocp
        return ToolOutput(0, SMART_LOG if program == "nvme" else SATA, "")


def nvme(root: Path) -> Kernel:
    device = root / "devices/pci0000:00/0000:00:1c.0/0000:01:00.0/nvme/nvme3"
    for path, said in {
        device / "hwmon7/temp1_input": "51850",
        device / "hwmon7/temp1_label": "Composite",
        device / "hwmon7/temp2_input": "66850",
        device / "hwmon7/temp2_label": "Sensor 1",
        device.parents[1] / "current_link_speed": "16.0 GT/s PCIe",
        device.parents[1] / "current_link_width": "4",
        device.parents[1] / "max_link_speed": "16.0 GT/s PCIe",
        device.parents[1] / "max_link_width": "4",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said + "\n")
    (device / "nvme3n1").mkdir()
    (device / "nvme3n1/device").symlink_to(device)
    (root / "block").mkdir()
    (root / "block/nvme3n1").symlink_to(device / "nvme3n1")
    return Kernel(root)


def test_an_nvme_drive_is_asked_wholly_by_nvme_cli_and_cheaply_through_hwmon(tmp_path: Path) -> None:
    programs = Programs(ToolOutput(0, OCP, ""))
    sensor = BlockSensor("nvme3n1", nvme(tmp_path), programs, tmp_path / "kmsg")
    assert sensor.cadence == Cadence(NS_PER_S, 30 * NS_PER_S)
    glanced = sensor.glance()
    assert programs.asked == []
    assert known(glanced) == {"temperature_c": 51.85, "more_temperatures_c": {"Sensor 1": 66.85}}
    reading = sensor.read()
    assert programs.asked == [
        "nvme ocp smart-add-log /dev/nvme3 -o json",
        "nvme smart-log /dev/nvme3 -o json",
    ]
    assert (reading.temperature_c, reading.more_temperatures_c) == (50, {"Sensor 1": 66.85})
    assert (reading.media_written_bytes, reading.link) == (2**48, "16.0 GT/s PCIe x4")


def test_a_page_that_a_drive_lacks_is_asked_for_once_and_first(tmp_path: Path) -> None:
    programs = Programs(ToolOutput(1, "", "NVMe status: Invalid Log Page"))
    sensor = BlockSensor("nvme3n1", nvme(tmp_path), programs, tmp_path / "kmsg")
    assert (
        sensor.read().media_written_bytes
        == sensor.read().media_written_bytes
        == Unknown(
            message(
                "unknown-no-ocp-page",
                why=message("unknown-program-failed", program="nvme", fault=verbatim("NVMe status: Invalid Log Page")),
            )
        )
    )
    assert [line.split()[1] for line in programs.asked] == ["ocp", "smart-log", "smart-log"]


def test_a_sata_drive_is_not_asked_under_load(tmp_path: Path) -> None:
    (tmp_path / "block/sda/device/scsi_generic/sg4").mkdir(parents=True)
    programs = Programs(ToolOutput(1, "", ""))
    sensor = BlockSensor("sda", Kernel(tmp_path), programs, tmp_path / "kmsg")
    assert sensor.cadence == Cadence(None, None)
    assert known(sensor.glance()) == {}
    assert sensor.read().temperature_c == 31
    assert programs.asked == ["smartctl -j -a -l devstat /dev/sg4"]


def test_a_loop_device_has_none(tmp_path: Path) -> None:
    sensor = BlockSensor("loop0", Kernel(tmp_path), Programs(ToolOutput(1, "", "")), tmp_path / "kmsg")
    assert sensor.read().temperature_c == Unknown(message("unknown-no-drive-family"))


LINES = {
    "6,1203,51234567,-;nvme nvme3: I/O 12 QID 1 timeout, aborting\n SUBSYSTEM=nvme\n": "nvme nvme3: I/O 12 QID 1 timeout, aborting",
    "3,1204,51234568,-;blk_update_request: I/O error, dev nvme3n1, sector 0\n": "blk_update_request: I/O error, dev nvme3n1, sector 0",
    "4,1205,51234569,-;pcieport 0000:00:1c.0: AER: Corrected error, 0000:01:00.0\n": "pcieport 0000:00:1c.0: AER: Corrected error, 0000:01:00.0",
}
OTHERS = (
    "6,1206,51234570,-;nvme nvme30: something\n",
    "6,1207,51234571,-;nvme3n12: another namespace\n",
    "12,1208,51234572,-;a program says nvme3\n",
    "torn record nvme3\n",
)


def kept(tmp_path: Path, *records: str) -> tuple[str, ...] | Unknown:
    path = tmp_path / "kmsg"
    path.write_text("6,1,1,-;nvme nvme3: said before the run\n")
    log = KernelLog(("nvme3n1", "nvme3", "0000:01:00.0"), path)
    found: list[str] = []
    for record in records:
        with path.open("a") as file:
            file.write(record)
        lines = log.new_lines()
        assert not isinstance(lines, Unknown)
        found += lines
    log.close()
    return tuple(found)


def test_lines_of_the_kernel_that_name_the_drive_are_kept(tmp_path: Path) -> None:
    assert kept(tmp_path, *LINES, *OTHERS) == tuple(LINES.values())


def test_records_of_programs_and_what_is_no_record_are_passed_over() -> None:
    assert [message_of(one.encode()) for one in OTHERS[2:]] == [None, None]


def test_a_log_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    lines = KernelLog(("sda",), tmp_path / "none").new_lines()
    assert isinstance(lines, Unknown)
    assert re.fullmatch(r"the kernel's log cannot be read: .+", str(lines.reason))
