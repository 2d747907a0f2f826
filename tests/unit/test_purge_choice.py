"""Which purge a drive offers, in which order, and why not the others."""

from dataclasses import replace
from typing import Any

import pytest
from inline_snapshot import snapshot
from tests.unit.purge_devices import LOOP, NVME, SATA, SECURITY, controller

from ssdlab.drive.access import DriveError
from ssdlab.drive.block_identity import Reach
from ssdlab.drive.identity import Freshness
from ssdlab.drive.purge_choice import choose, foreseen, offer
from ssdlab.drive.purge_device import Attachment, PurgeDevice, read_namespaces
from ssdlab.drive.purge_method import Method
from ssdlab.unknown import Unknown

SILENT = Unknown("nobody knows")


def nvme(**facts: Any) -> PurgeDevice:
    return replace(NVME, controller=replace(controller(), **facts))


def sata(**facts: Any) -> PurgeDevice:
    return replace(SATA, security=replace(SECURITY, **facts))


def chosen(device: PurgeDevice) -> Method | Unknown:
    return choose(device, None)


def why(device: PurgeDevice, method: Method) -> str | None:
    return next((one.why for one in offer(device).refused if one.method is method), None)


def test_an_nvme_drive_is_formatted() -> None:
    assert offer(NVME).offered == (Method.NVME_FORMAT, Method.DISCARD)
    assert foreseen(NVME).leaves is Freshness.FRESH
    assert foreseen(NVME).words == "NVMe format with user-data erase"


def test_without_a_format_command_it_is_sanitized_or_discarded() -> None:
    sanitizes = nvme(format_command="not offered", sanitize_methods=("crypto erase", "block erase"))
    assert offer(sanitizes).offered == (Method.SANITIZE_BLOCK, Method.SANITIZE_CRYPTO, Method.DISCARD)
    assert foreseen(nvme(format_command="not offered")).words == snapshot(
        "discard of the whole drive (no `nvme-format`: the controller offers no Format command; no `sanitize-block`: the controller offers no sanitize by block erase; no `sanitize-crypto`: the controller offers no sanitize by crypto erase)"
    )


@pytest.mark.parametrize("namespaces", [2, SILENT])
def test_what_would_erase_other_namespaces_too_is_not_offered(namespaces: int | Unknown) -> None:
    wide = replace(nvme(format_reaches=Reach.ALL, sanitize_methods=("block erase",)), namespaces=namespaces)
    assert chosen(wide) is Method.DISCARD
    assert chosen(replace(wide, namespaces=1)) is Method.NVME_FORMAT
    assert chosen(replace(nvme(format_reaches=Reach.ONE), namespaces=namespaces)) is Method.NVME_FORMAT


def test_the_reason_counts_the_other_namespaces() -> None:
    wide = replace(nvme(format_reaches=Reach.ALL, sanitize_methods=("block erase",)), namespaces=3)
    assert why(wide, Method.NVME_FORMAT) == snapshot(
        "a format reaches every namespace of the controller, and there are 3"
    )
    assert why(wide, Method.SANITIZE_BLOCK) == snapshot(
        "a sanitize reaches every namespace of the drive, and there are 3"
    )


def test_an_nvme_drive_that_nobody_could_ask_is_only_discarded() -> None:
    assert chosen(replace(NVME, controller=SILENT)) is Method.DISCARD
    assert chosen(replace(NVME, namespace=SILENT)) is Method.DISCARD


def test_a_sata_drive_erases_itself() -> None:
    assert offer(SATA).offered == (Method.ATA_ERASE, Method.ATA_ERASE_ENHANCED, Method.DISCARD)
    assert offer(sata(enhanced_erase="not supported")).offered == (Method.ATA_ERASE, Method.DISCARD)


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
    assert why(sata(**facts), Method.ATA_ERASE) == reason
    assert chosen(sata(**facts)) is Method.DISCARD


def test_a_sata_drive_behind_a_usb_bridge_gets_no_password() -> None:
    behind = replace(SATA, attachment=Attachment.USB)
    assert chosen(behind) is Method.DISCARD
    assert why(behind, Method.ATA_ERASE) == snapshot(
        "a USB bridge that loses an erase halfway leaves the drive locked; connect it to a SATA port"
    )


def test_a_drive_without_a_serial_number_gets_no_password() -> None:
    assert chosen(replace(SATA, serial=SILENT)) is Method.DISCARD


def test_what_stands_on_a_drive_is_never_proven_fresh() -> None:
    assert offer(LOOP).offered == (Method.DISCARD,)
    assert foreseen(LOOP).leaves is Freshness.UNPROVEN


def test_a_drive_that_offers_nothing_says_why() -> None:
    nothing = replace(LOOP, discard_bytes_max=0)
    assert chosen(nothing) == Unknown("no `discard`: it takes no discards")
    assert foreseen(nothing).leaves is Freshness.UNPROVEN
    assert chosen(replace(LOOP, discard_bytes_max=SILENT)) == Unknown(
        "no `discard`: whether it takes discards is not known: nobody knows"
    )


def test_who_insists_on_a_method_gets_it_or_the_reason() -> None:
    assert choose(SATA, Method.ATA_ERASE_ENHANCED) is Method.ATA_ERASE_ENHANCED
    with pytest.raises(DriveError) as refused:
        choose(sata(frozen="frozen"), Method.ATA_ERASE)
    assert (refused.value.message, *refused.value.hints) == snapshot(
        (
            "`/dev/sdb` cannot be purged by `ata-erase`: its security is frozen by the firmware of the host; suspending the machine to memory and waking it thaws it",
            "what it offers: `/dev/sdb?purge=discard`",
        )
    )
    with pytest.raises(
        DriveError, match=r"^`/dev/nvme0n1` cannot be purged by `ata-erase`: it is no SATA or SAS drive$"
    ):
        choose(NVME, Method.ATA_ERASE)


def test_a_result_says_that_a_method_was_asked_for() -> None:
    assert foreseen(SATA, Method.DISCARD).words == "discard of the whole drive (as it was asked for)"
    assert foreseen(SATA, Method.ATA_ERASE).words == "ATA SECURITY ERASE UNIT"
    with pytest.raises(DriveError, match="cannot be purged by `sanitize-block`"):
        foreseen(NVME, Method.SANITIZE_BLOCK)


def test_namespaces_are_counted() -> None:
    assert read_namespaces('{"nsid_list":[{"nsid":1},{"nsid":2}]}') == 2
    assert read_namespaces("namespaces") == Unknown("`nvme list-ns` printed another form than known")
