"""What the report shows of a block device under test (METHODS D)."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.reported_drives import LINK, NVME, SATA, bundle_of, run_on, said

from ssdlab.bundle.layout import Moment
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.block.details import AUTONOMOUS, ID_CTRL, POWER_STATE, SMART_LOG, SMARTCTL, host_bytes_written
from ssdlab.message import message
from ssdlab.report.page import page
from ssdlab.report.view import drive_under_test, identity
from ssdlab.unknown import Unknown


def shown(bundle: Bundle) -> str:
    tables = (identity(bundle)[0], *drive_under_test(bundle))
    return "\n".join(
        "\n".join([str(facts.title), *(f"  {name}: {value}" for name, value in facts.rows)]) for facts in tables
    )


def test_an_nvme_drive_is_shown_with_all_it_tells(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, run_on("nvme0n1", dict(NVME), LINK))
    with closing(BundleWriter.reopen(bundle.path, bundle.run, bundle.steps)) as writer:
        hotter = NVME[SMART_LOG].replace('"temperature":323', '"temperature":331')
        assert hotter != NVME[SMART_LOG]
        writer.drive_said(0, Moment.END, {SMART_LOG: hotter})
    bundle = open_bundle(bundle.path)
    assert shown(bundle) == snapshot("""\
Drive
  Model: Lab PM1 1TB
  Serial number: S1234
  Firmware: unknown: the drive does not say
  User capacity: 1.07 GB (1.00 GiB, 1,073,741,824 bytes)
  Logical block: 512 B
  Target: /dev/nvme0n1
  Kind: NVMe drive
  PCIe link: 8.0 GT/s PCIe x4, at best 16.0 GT/s PCIe x4
What it is
  Medium: solid-state
  NVMe version: 1.4.0
  Warning temperature: 70 °C
  Critical temperature: 100 °C
  Volatile write cache: present
  Host memory buffer, preferred: not asked for
  Host memory buffer, least: not asked for
  Format command: offered
  Sanitize: not offered
How it is addressed
  World-wide identifier: eui.0025385b71b0
  Physical block: 4.00 KiB
  LBA formats: 512 B (in use), 512 B + 8 B, 512 B + 16 B, 512 B + 64 B, 4,096 B, 4,096 B + 8 B, 4,096 B + 16 B, 4,096 B + 64 B
  Preferred write granularity (NPWG): 512 B
  Preferred write alignment (NPWA): 512 B
  Optimal write size (NOWS): 512 B
  EUI-64: unknown: the drive does not report it
  NGUID: unknown: the drive does not report it
Health, before and after
  Temperature: 50 °C → 58 °C
  Used: 0 % → 0 %
  Written by hosts: 0 B → 0 B
  Warnings: none → none
Power states
  Power state in use: 0: no power limit is set
  Changes power states by itself (APST): not offered
  State 0: at most 25 W, entry 16 µs, exit 4 µs\
""")


STATES = [{"max_power": watt * 100, "flags": flags} for watt, flags in ((9, 0), (4, 0), (1, 2))]


def power_shown(directory: Path, state: str | Unknown, autonomous: str | Unknown) -> list[str]:
    identified = json.dumps(json.loads(NVME[ID_CTRL]) | {"psds": STATES, "apsta": 1})
    answers: dict[str, str | Unknown] = {**NVME, ID_CTRL: identified, POWER_STATE: state, AUTONOMOUS: autonomous}
    table = drive_under_test(bundle_of(directory, run_on("nvme0n1", answers)))[-1]
    return [str(value) for _, value in table.rows[:2]]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (0, "0: no power limit is set"),
        (1, "1: power is limited, to at most 4 W"),
        (2, "2: the drive was resting when it was asked, which is no power limit"),
        (3, "3: power is limited, to at most unknown: the drive does not report it"),
    ],
)
def test_a_power_limit_is_told_from_a_drive_at_rest(tmp_path: Path, state: int, expected: str) -> None:
    value = NVME[POWER_STATE].replace("00000000", f"{state:08x}")
    assert power_shown(tmp_path, value, said("nvme-cli/apst.txt")) == [expected, "enabled"]


def test_a_power_state_that_cannot_be_read_is_unknown_with_the_reason(tmp_path: Path) -> None:
    refused = Unknown(message("unknown-program-failed", program="nvme", fault=message("unknown-status", status=1)))
    assert power_shown(tmp_path, refused, "something else") == snapshot(
        ["unknown: `nvme` failed: status 1", "unknown: `nvme get-feature` prints another form than known"]
    )


def test_a_sata_drive_is_shown_by_what_smartctl_and_hdparm_say(tmp_path: Path) -> None:
    assert shown(bundle_of(tmp_path, run_on("sda", dict(SATA)))) == snapshot("""\
Drive
  Model: Lab PM1 1TB
  Serial number: S1234
  Firmware: unknown: the drive does not say
  User capacity: 1.07 GB (1.00 GiB, 1,073,741,824 bytes)
  Logical block: 512 B
  Target: /dev/nvme0n1
  Kind: NVMe drive
  PCIe link: unknown: not asked
What it is
  Medium: solid-state
  Protocol: ATA
  Interface now: unknown: the drive does not report it
  Interface at best: unknown: the drive does not report it
  ATA security: not enabled, not locked, frozen, enhanced erase supported
How it is addressed
  World-wide identifier: eui.0025385b71b0
  Physical block: 4.00 KiB
  World-wide name: unknown: the drive does not report it
Health, before and after
  Temperature: 31 °C
  Used: unknown: the drive does not tell
  Written by hosts: unknown: the drive does not tell
  Warnings: none
  At the end: unknown: the bundle holds no SMART of the end\
""")


def test_a_sata_drive_that_counts_what_hosts_wrote_tells_it() -> None:
    page = {"number": 1, "table": [{"name": "Logical Sectors Written", "value": 2_000_000}]}
    counting = json.loads(said("smartctl/sata.json")) | {"ata_device_statistics": {"pages": [page]}}
    assert host_bytes_written({SMARTCTL: json.dumps(counting)}) == 2_000_000 * 512
    assert host_bytes_written(SATA) == Unknown(message("unknown-drive-silent"))
    assert host_bytes_written({}) == Unknown(message("unknown-no-drive-family"))


def test_what_nobody_could_be_asked_is_unknown_with_the_reason(tmp_path: Path) -> None:
    missing = Unknown(message("unknown-not-installed", program="nvme", package="nvme-cli"))
    answers: dict[str, str | Unknown] = dict.fromkeys(NVME, missing)
    assert shown(bundle_of(tmp_path, run_on("nvme0n1", answers))) == snapshot("""\
Drive
  Model: Lab PM1 1TB
  Serial number: S1234
  Firmware: unknown: the drive does not say
  User capacity: 1.07 GB (1.00 GiB, 1,073,741,824 bytes)
  Logical block: 512 B
  Target: /dev/nvme0n1
  Kind: NVMe drive
  PCIe link: unknown: not asked
What it is
  Medium: solid-state
  SMART: unknown: `nvme` is not installed (package nvme-cli)
How it is addressed
  World-wide identifier: eui.0025385b71b0
  Physical block: 4.00 KiB\
""")


def test_a_device_that_no_program_knows_has_what_the_kernel_says(tmp_path: Path) -> None:
    assert shown(bundle_of(tmp_path, run_on("loop0", {}))) == snapshot("""\
Drive
  Model: Lab PM1 1TB
  Serial number: S1234
  Firmware: unknown: the drive does not say
  User capacity: 1.07 GB (1.00 GiB, 1,073,741,824 bytes)
  Logical block: 512 B
  Target: /dev/nvme0n1
  Kind: NVMe drive
  PCIe link: unknown: not asked
What it is
  Medium: solid-state
  SMART: unknown: neither an NVMe nor a SATA or SAS drive
How it is addressed
  World-wide identifier: eui.0025385b71b0
  Physical block: 4.00 KiB\
""")


def test_all_of_it_stands_in_a_section_of_the_page(tmp_path: Path) -> None:
    text = page([bundle_of(tmp_path, run_on("nvme0n1", dict(NVME), LINK))])
    section = text.partition('id="run1-drive">Drive under test<')[2].partition("</section>\n\n")[0]
    assert all(f"<dt>{name}</dt>" in section for name in ("NVMe version", "LBA formats", "Temperature", "State 0"))


def test_all_of_it_is_in_the_bundle_as_it_was(tmp_path: Path) -> None:
    run = run_on("nvme0n1", dict(NVME), LINK)
    assert bundle_of(tmp_path, run).run == run
