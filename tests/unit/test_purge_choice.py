"""Which purge a drive offers, in which order, and why not the others."""

from dataclasses import replace
from typing import Any

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.purge_devices import LOOP, NVME, SATA, SECURITY, controller

from ssdlab.drive.access import DriveError
from ssdlab.drive.details import EraseScope
from ssdlab.drive.identity import Freshness
from ssdlab.drive.purge.choice import choose, foreseen, offer
from ssdlab.drive.purge.device import PurgeAttachment, PurgeDevice, read_namespaces
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.message import message, verbatim
from ssdlab.unknown import Unknown

SILENT = Unknown(verbatim("nobody knows"))


def nvme(**facts: Any) -> PurgeDevice:
    return replace(NVME, controller=replace(controller(), **facts))


def sata(**facts: Any) -> PurgeDevice:
    return replace(SATA, security=replace(SECURITY, **facts))


def chosen(device: PurgeDevice) -> PurgeMethod | Unknown:
    return choose(device, None)


def why(device: PurgeDevice, method: PurgeMethod) -> str | None:
    return next((str(one.why) for one in offer(device).refused if one.method is method), None)


def test_an_nvme_drive_is_formatted() -> None:
    assert offer(NVME).offered == (PurgeMethod.NVME_FORMAT, PurgeMethod.DISCARD)
    assert foreseen(NVME).leaves is Freshness.FRESH
    assert str(foreseen(NVME).words) == "NVMe format with user-data erase"


def test_without_a_format_command_it_is_sanitized_or_discarded() -> None:
    sanitizes = nvme(format_command="not offered", sanitize_methods=("crypto erase", "block erase"))
    assert offer(sanitizes).offered == (PurgeMethod.SANITIZE_BLOCK, PurgeMethod.SANITIZE_CRYPTO, PurgeMethod.DISCARD)
    assert str(foreseen(nvme(format_command="not offered")).words) == snapshot(
        "discard of the whole drive (no `nvme-format`: the controller offers no Format command; no `sanitize-block`: the controller offers no sanitize by block erase; no `sanitize-crypto`: the controller offers no sanitize by crypto erase)"
    )


@pytest.mark.parametrize("namespaces", [2, SILENT])
def test_what_would_erase_other_namespaces_too_is_not_offered(namespaces: int | Unknown) -> None:
    wide = replace(nvme(format_reaches=EraseScope.ALL, sanitize_methods=("block erase",)), namespaces=namespaces)
    assert chosen(wide) is PurgeMethod.DISCARD
    assert chosen(replace(wide, namespaces=1)) is PurgeMethod.NVME_FORMAT
    assert chosen(replace(nvme(format_reaches=EraseScope.ONE), namespaces=namespaces)) is PurgeMethod.NVME_FORMAT


def test_the_reason_counts_the_other_namespaces() -> None:
    wide = replace(nvme(format_reaches=EraseScope.ALL, sanitize_methods=("block erase",)), namespaces=3)
    assert why(wide, PurgeMethod.NVME_FORMAT) == snapshot(
        "a format reaches every namespace of the controller, and there are 3"
    )
    assert why(wide, PurgeMethod.SANITIZE_BLOCK) == snapshot(
        "a sanitize reaches every namespace of the drive, and there are 3"
    )


def test_an_nvme_drive_that_nobody_could_ask_is_only_discarded() -> None:
    assert chosen(replace(NVME, controller=SILENT)) is PurgeMethod.DISCARD
    assert chosen(replace(NVME, namespace=SILENT)) is PurgeMethod.DISCARD


def test_a_sata_drive_erases_itself() -> None:
    assert offer(SATA).offered == (PurgeMethod.ATA_ERASE, PurgeMethod.ATA_ERASE_ENHANCED, PurgeMethod.DISCARD)
    assert offer(sata(enhanced_erase="not supported")).offered == (PurgeMethod.ATA_ERASE, PurgeMethod.DISCARD)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"supported": "not supported"}, "the drive has no ATA security"),
        (
            {"frozen": "frozen"},
            "its security is frozen by the firmware of the host; suspending the machine to memory and waking it thaws it",
        ),
        ({"enabled": "enabled", "locked": "locked"}, "it is locked by a password"),
        ({"enabled": "enabled"}, "it has a password"),
    ],
)
def test_what_keeps_a_sata_drive_from_erasing_itself(facts: dict[str, str], reason: str) -> None:
    assert why(sata(**facts), PurgeMethod.ATA_ERASE) == reason
    assert chosen(sata(**facts)) is PurgeMethod.DISCARD


def test_a_sata_drive_behind_a_usb_bridge_gets_no_password() -> None:
    behind = replace(SATA, attachment=PurgeAttachment.USB)
    assert chosen(behind) is PurgeMethod.DISCARD
    assert why(behind, PurgeMethod.ATA_ERASE) == snapshot(
        "a USB bridge that loses an erase halfway leaves the drive locked; connect it to a SATA port"
    )


def test_a_drive_without_a_serial_number_gets_no_password() -> None:
    assert chosen(replace(SATA, serial=SILENT)) is PurgeMethod.DISCARD


def test_what_stands_on_a_drive_is_never_proven_fresh() -> None:
    assert offer(LOOP).offered == (PurgeMethod.DISCARD,)
    assert foreseen(LOOP).leaves is Freshness.UNPROVEN


def test_a_drive_that_offers_nothing_says_why() -> None:
    nothing = replace(LOOP, discard_bytes_max=0)
    found = chosen(nothing)
    assert isinstance(found, Unknown)
    assert str(found.reason) == "no `discard`: it takes no discards"
    assert foreseen(nothing).leaves is Freshness.UNPROVEN
    silent = chosen(replace(LOOP, discard_bytes_max=SILENT))
    assert isinstance(silent, Unknown)
    assert str(silent.reason) == "no `discard`: whether it takes discards is not known: nobody knows"


def test_who_insists_on_a_method_gets_it_or_the_reason() -> None:
    assert choose(SATA, PurgeMethod.ATA_ERASE_ENHANCED) is PurgeMethod.ATA_ERASE_ENHANCED
    with pytest.raises(DriveError) as refused:
        choose(sata(frozen="frozen"), PurgeMethod.ATA_ERASE)
    assert (str(refused.value), *hints_of(refused.value)) == snapshot(
        (
            "`/dev/sdb` cannot be purged by `ata-erase`: its security is frozen by the firmware of the host; suspending the machine to memory and waking it thaws it",
            "what it offers: `/dev/sdb?purge=discard`",
        )
    )
    with pytest.raises(
        DriveError, match=r"^`/dev/nvme0n1` cannot be purged by `ata-erase`: it is no SATA or SAS drive$"
    ):
        choose(NVME, PurgeMethod.ATA_ERASE)


def test_a_result_says_that_a_method_was_asked_for() -> None:
    assert str(foreseen(SATA, PurgeMethod.DISCARD).words) == "discard of the whole drive (as it was asked for)"
    assert str(foreseen(SATA, PurgeMethod.ATA_ERASE).words) == "ATA SECURITY ERASE UNIT"
    with pytest.raises(DriveError, match="cannot be purged by `sanitize-block`"):
        foreseen(NVME, PurgeMethod.SANITIZE_BLOCK)


def test_namespaces_are_counted() -> None:
    assert read_namespaces('{"nsid_list":[{"nsid":1},{"nsid":2}]}') == 2
    assert read_namespaces("namespaces") == Unknown(message("unknown-form", program="nvme list-ns"))
