"""The list of drives as it is printed."""

import json
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.cli.drives import drive_lines
from ssdlab.drive.block.facts import Access, DeviceNumber
from ssdlab.drive.block.guard import Fact, GuardFinding, GuardVerdict, Weight
from ssdlab.drive.block.inventory import BlockDrive
from ssdlab.drive.details import Details, Health
from ssdlab.drive.identity import DriveName, NameKind
from ssdlab.host.link import PcieLink
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown

ABSENT = Unknown(verbatim("not asked"))
LINK = PcieLink(speed_now="8.0 GT/s PCIe", speed_best="16.0 GT/s PCIe", lanes_now=4, lanes_best=4)
DRIVE = BlockDrive(
    name="nvme0n1",
    path="/dev/nvme0n1",
    number=DeviceNumber("259:0"),
    capacity_bytes=1_000_204_886_016,
    logical_block_bytes=512,
    physical_block_bytes=512,
    medium="solid-state",
    removable="fixed",
    access=Access.READ_WRITE,
    model="ACME 1",
    serial="S1",
    firmware="1.0",
    wwid=ABSENT,
    called=DriveName("S1", NameKind.SERIAL),
    link=LINK,
    details=Details(
        controller=ABSENT,
        namespace=ABSENT,
        smart=ABSENT,
        security=ABSENT,
        health=Health(temperature_c=41, used_percent=3, host_bytes_written=ABSENT, warnings="none"),
    ),
    verdict=GuardVerdict.FREE,
    findings=(),
)


def test_each_drive_is_listed_with_its_verdict_and_every_reason() -> None:
    used = replace(
        DRIVE,
        path="/dev/sda",
        model=ABSENT,
        link=ABSENT,
        details=replace(DRIVE.details, health=ABSENT),
        verdict=GuardVerdict.REFUSED,
        findings=(
            GuardFinding(Fact.MOUNTED, Weight.FORBIDS, verbatim("`sda1` is mounted at /")),
            GuardFinding(Fact.PARTITIONS, Weight.WOULD_BE_LOST, verbatim("has a partition table (gpt) with `sda1`")),
        ),
    )
    assert "\n".join(drive_lines((DRIVE, used))) == snapshot("""\
drive         model    serial  size     link                             temperature  may it be tested?
/dev/nvme0n1  ACME 1   S1      1.00 TB  8.0 GT/s x4 (best 16.0 GT/s x4)  41 °C        yes, nothing is on it and nothing uses it
/dev/sda      unknown  S1      1.00 TB  unknown                          unknown      no
    forbids: `sda1` is mounted at /
    would be lost: has a partition table (gpt) with `sda1`\
""")


@pytest.mark.usefixtures("korean")
def test_drives_are_listed_in_korean() -> None:
    loss = GuardFinding(Fact.PARTITIONS, Weight.WOULD_BE_LOST, verbatim("x"))
    used = replace(DRIVE, model=ABSENT, verdict=GuardVerdict.NEEDS_ERASE, findings=(loss,))
    assert "\n".join(drive_lines((used,))) == snapshot("""\
드라이브      모델        시리얼  크기     링크                             온도   시험 가능?
/dev/nvme0n1  알 수 없음  S1      1.00 TB  8.0 GT/s x4 (최대 16.0 GT/s x4)  41 °C  내용이 없어져도 된다면 가능
    없어짐: x\
""")


def test_a_host_without_drives_has_no_table() -> None:
    assert drive_lines(()) == []


def test_this_host_is_listed() -> None:
    listed = CliRunner().invoke(cli.app, ["drives", "--json"])
    assert (listed.exit_code, listed.stderr) == (0, "")
    assert {one["verdict"] for one in json.loads(listed.stdout)["drives"]} <= {one.value for one in GuardVerdict}
