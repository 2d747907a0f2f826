"""What the programs that know drives say of one: kept as they said it, and read into values."""

import re
from collections.abc import Mapping
from dataclasses import replace

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
from ssdlab.drive.block.sysfs import SYSFS
from ssdlab.drive.details import AtaSecurity, Details, Health, PowerSetting, SmartDevice
from ssdlab.drive.nvme_controller import controller_of
from ssdlab.drive.sense.parse import read_ata
from ssdlab.drive.tool import ask, text_of
from ssdlab.host.kernel import Kernel
from ssdlab.message import message
from ssdlab.unknown import Unknown

ID_CTRL, ID_NS, SMART_LOG = "nvme-id-ctrl.json", "nvme-id-ns.json", "nvme-smart-log.json"
POWER_STATE, AUTONOMOUS = "nvme-power-state.txt", "nvme-apst.txt"
SMARTCTL, HDPARM = "smartctl.json", "hdparm.txt"
"""Files of a bundle that keep the answers."""

Said = Mapping[str, str | Unknown]
"""The answers of the programs by the file they are kept in."""


def said_of(name: str) -> Said:
    """Ask every program that knows such a drive, by its name in /sys/block; empty if none does."""
    if name.startswith("nvme"):
        return _said_of_nvme(name)
    if re.fullmatch(r"sd[a-z]+", name):
        return _said_of_scsi(name)
    return {}


def details_of(name: str, said: Said) -> Details:
    """Read the answers."""
    if name.startswith("nvme"):
        return _nvme_details(said)
    if SMARTCTL in said:
        return _scsi_details(said)
    other = _NO_PROGRAM
    return Details(controller=other, namespace=other, smart=other, security=other, health=other, power=other)


_NO_PROGRAM = Unknown(message("unknown-no-drive-family"))


def health_of(said: Said) -> Health | Unknown:
    """Health from what the programs say, whatever kind of drive it is."""
    if SMART_LOG in said:
        log = said[SMART_LOG]
        return log if isinstance(log, Unknown) else read_smart_log(log)
    answer = said.get(SMARTCTL, _NO_PROGRAM)
    if isinstance(answer, Unknown):
        return answer
    smart, counted = read_smartctl(answer), read_ata(answer)
    if isinstance(smart, Unknown):
        return smart
    return replace(smart.health, host_bytes_written=counted.host_written_bytes, used_percent=counted.used_percent)


def host_bytes_written(said: Said) -> int | Unknown:
    """What the drive has counted to be written by hosts since it was new, from what the programs say."""
    health = health_of(said)
    return health if isinstance(health, Unknown) else health.host_bytes_written


def namespace_id(name: str) -> str:
    """Number of an NVMe namespace in its controller."""
    known = Kernel(SYSFS).number(SYSFS / "block" / name / "nsid")
    # The number in the name is that of the namespace on all but odd fabrics, so it stands in where `nsid` is missing.
    return re.sub(r"^.*n", "", name) if isinstance(known, Unknown) else str(known)


def _said_of_nvme(name: str) -> Said:
    controller = f"/dev/{controller_of(Kernel(SYSFS), name)}"
    number = namespace_id(name)
    identified = _ask("nvme", "id-ctrl", controller, "-o", "json")
    # A drive counts among its errors that it was asked for a feature it has not.
    features = {POWER_STATE: "2", **({AUTONOMOUS: "0xc"} if _changes_states_itself(identified) else {})}
    return {
        ID_CTRL: identified,
        ID_NS: _ask("nvme", "id-ns", controller, "-n", number, "-o", "json"),
        SMART_LOG: _ask("nvme", "smart-log", controller, "-o", "json"),
        **{file: _ask("nvme", "get-feature", controller, "-f", feature) for file, feature in features.items()},
    }


def _changes_states_itself(identified: str | Unknown) -> bool:
    return not isinstance(identified, Unknown) and has_autonomous_states(identified)


def _nvme_details(said: Said) -> Details:
    controller, namespace = said[ID_CTRL], said[ID_NS]
    return Details(
        controller=controller if isinstance(controller, Unknown) else read_controller(controller),
        namespace=namespace if isinstance(namespace, Unknown) else read_namespace(namespace),
        smart=Unknown(message("unknown-ask-nvme-cli")),
        security=Unknown(message("unknown-nvme-no-ata-security")),
        health=health_of(said),
        power=_power_set(said),
    )


def _power_set(said: Said) -> PowerSetting | Unknown:
    state, identified = said.get(POWER_STATE), said[ID_CTRL]
    if state is None:
        return Unknown(message("unknown-before-recorded"))
    if isinstance(identified, Unknown):
        return identified
    return PowerSetting(
        state=state if isinstance(state, Unknown) else read_power_state(state), autonomous=_autonomous(said)
    )


def _autonomous(said: Said) -> str | Unknown:
    if AUTONOMOUS not in said:
        return "not offered"
    answer = said[AUTONOMOUS]
    return answer if isinstance(answer, Unknown) else read_autonomous(answer)


def _said_of_scsi(name: str) -> Said:
    # The generic device is asked so that smartctl does not open the block device itself.
    generic = sorted((SYSFS / "block" / name / "device/scsi_generic").glob("sg*"))
    if not generic:
        return {SMARTCTL: Unknown(message("unknown-no-generic-device"))}
    said = _ask("smartctl", "-j", "-a", "-l", "devstat", f"/dev/{generic[0].name}")
    if _speaks_scsi(said):
        return {SMARTCTL: said}
    return {SMARTCTL: said, HDPARM: _ask("hdparm", "-I", f"/dev/{name}")}


def _speaks_scsi(said: str | Unknown) -> bool:
    smart = said if isinstance(said, Unknown) else read_smartctl(said)
    return isinstance(smart, SmartDevice) and smart.protocol == "SCSI"


def _scsi_details(said: Said) -> Details:
    answer = said[SMARTCTL]
    smart = answer if isinstance(answer, Unknown) else read_smartctl(answer)
    other = Unknown(message("unknown-no-nvme"))
    return Details(
        controller=other,
        namespace=other,
        smart=smart,
        security=_security(said),
        health=health_of(said),
        power=other,
    )


def _security(said: Said) -> AtaSecurity | Unknown:
    answer = said.get(HDPARM, Unknown(message("unknown-no-ata")))
    return answer if isinstance(answer, Unknown) else read_hdparm(answer)


def _ask(program: str, *arguments: str) -> str | Unknown:
    return text_of(program, ask(program, *arguments))
