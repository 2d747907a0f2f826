"""Real drives, by what the programs that know them have said."""

from dataclasses import replace
from pathlib import Path

from tests.kit.sample_bundle import fill_plan, run_info

from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.block.details import HDPARM, ID_CTRL, ID_NS, POWER_STATE, SMART_LOG, SMARTCTL, details_of
from ssdlab.drive.identity import BlockDetails, DriveName, NameKind
from ssdlab.host.link import PcieLink
from ssdlab.message import as_written
from ssdlab.unknown import Unknown

DATA = Path(__file__).parents[1] / "data"


NOT_ASKED = Unknown(as_written("not asked"))


LINK = PcieLink(speed_now="8.0 GT/s PCIe", speed_best="16.0 GT/s PCIe", lanes_now=4, lanes_best=4)


def said(name: str) -> str:
    return (DATA / name).read_text()


NVME = {
    ID_CTRL: said("nvme-cli/id-ctrl.json"),
    ID_NS: said("nvme-cli/id-ns.json"),
    SMART_LOG: said("nvme-cli/smart-log.json"),
    POWER_STATE: said("nvme-cli/power-state.txt"),
}


SATA = {SMARTCTL: said("smartctl/sata.json"), HDPARM: said("hdparm/security.txt")}


def run_on(name: str, answers: dict[str, str | Unknown], link: PcieLink | Unknown = NOT_ASKED) -> RunInfo:
    run = run_info(1 << 30)
    block = BlockDetails(
        called=DriveName("S1", NameKind.SERIAL),
        wwid="eui.0025385b71b0",
        medium="solid-state",
        physical_block_bytes=4096,
        link=link,
        details=details_of(name, answers),
    )
    return replace(run, drive=replace(run.drive, block=block))


def bundle_of(directory: Path, run: RunInfo) -> Bundle:
    BundleWriter(directory / "run", run, fill_plan(1 << 30, 0)).close()
    return open_bundle(directory / "run")
