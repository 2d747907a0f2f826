"""What `ssdlab drives` says of drives that a real kernel has found."""

import json
import re
from typing import Any

import pytest
from tests.vm import python_image
from tests.vm.guest import SSDLAB, Guest

from ssdlab.drive.block.guard import GuardVerdict

pytestmark = pytest.mark.vm
COLUMNS = re.compile(" {2,}")
FREE = "yes, nothing is on it and nothing uses it"


@pytest.fixture(scope="module")
def drives(machine: Guest) -> dict[str, Any]:
    """By serial number."""
    ended = machine.ssdlab("drives", "--json")
    assert ended.status == 0, ended.stderr
    return {one["serial"]: one for one in json.loads(ended.stdout)["drives"]}


def test_drives_are_listed_as_they_are(machine: Guest) -> None:
    head, *rows = machine.must(f"{SSDLAB} drives").splitlines()
    assert [COLUMNS.split(row) for row in (head, *rows[:3])] == [
        ["drive", "model", "serial", "size", "link", "temperature", "may it be tested?"],
        ["/dev/nvme0n1", "QEMU NVMe Ctrl", "NVME-ONE", "268 MB", "2.5 GT/s x1", "50 °C", FREE],
        ["/dev/nvme1n1", "QEMU NVMe Ctrl", "NVME-4K", "268 MB", "2.5 GT/s x1", "50 °C", FREE],
        ["/dev/sda", "QEMU HARDDISK", "SATA-ONE", "268 MB", "unknown", "31 °C", FREE],
    ]


def test_the_disk_of_the_machine_itself_is_not_offered(drives: dict[str, Any]) -> None:
    assert drives[python_image.SERIAL]["verdict"] == GuardVerdict.REFUSED.value


def test_each_drive_is_known_by_its_serial_number(drives: dict[str, Any]) -> None:
    assert {serial: (one["path"], one["logical_block_bytes"]) for serial, one in drives.items()} == {
        "NVME-ONE": ("/dev/nvme0n1", 512),
        "NVME-4K": ("/dev/nvme1n1", 4096),
        "SATA-ONE": ("/dev/sda", 512),
        python_image.SERIAL: ("/dev/vda", 512),
    }


def test_what_a_drive_can_do_is_asked_of_itself(drives: dict[str, Any]) -> None:
    controller = drives["NVME-ONE"]["details"]["controller"]
    assert (controller["warning_temperature_c"], controller["critical_temperature_c"]) == (70, 100)
    assert (controller["format_command"], controller["sanitize_methods"]) == ("offered", [])


def test_a_drive_under_no_power_limit_says_so(drives: dict[str, Any]) -> None:
    assert drives["NVME-ONE"]["details"]["power"] == {"state": 0, "autonomous": "not offered"}


def test_the_format_of_blocks_in_use_is_told_from_those_on_offer(drives: dict[str, Any]) -> None:
    formats = drives["NVME-4K"]["details"]["namespace"]["lba_formats"]
    assert [one["data_bytes"] for one in formats if one["in_use"] == "in use"] == [4096]
    assert {one["data_bytes"] for one in formats} == {512, 4096}
