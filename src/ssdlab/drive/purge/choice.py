"""Which ways of purging a drive offers, the best first, and why not the others: pure functions of its facts.

The order follows METHODS C1: the format command of NVMe, SECURITY ERASE UNIT of ATA; a discard only where neither is
to be had, because it is advice that a drive may ignore.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ssdlab.drive.access import DriveError
from ssdlab.drive.details import AtaSecurity, EraseScope, FormatInUse
from ssdlab.drive.identity import Freshness
from ssdlab.drive.purge.device import Family, PurgeAttachment, PurgeDevice
from ssdlab.drive.purge_method import WORDS, PurgeMethod
from ssdlab.message import Message, commas, listed, message, number, semicolons
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Refusal:
    """A method that the drive does not offer, and why."""

    method: PurgeMethod
    why: Message


@dataclass(frozen=True, slots=True)
class Offer:
    """What a drive can do about its content.

    Attributes:
        offered: Best first.
        refused: Of the methods of its family.
    """

    offered: tuple[PurgeMethod, ...]
    refused: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a purge will do, for a plan.

    Attributes:
        leaves: What it can achieve at best.
        words: How it will be done, and why not in a better way.
    """

    leaves: Freshness
    words: Message


def offer(device: PurgeDevice) -> Offer:
    """Judge every method of the drive's family."""
    judged = [(method, _OBSTACLES[method](device)) for method in _FAMILY[device.family]]
    return Offer(
        offered=tuple(method for method, why in judged if why is None),
        refused=tuple(Refusal(method, why) for method, why in judged if why is not None),
    )


def choose(device: PurgeDevice, wanted: PurgeMethod | None) -> PurgeMethod | Unknown:
    """The way that is wanted; if none is, the best that is offered, or why there is none.

    Raises:
        DriveError: The drive does not offer what is wanted; the text says why and what it does offer.
    """
    found = offer(device)
    if wanted in found.offered:
        return wanted
    if wanted is None:
        reasons = semicolons(*map(_no_method, found.refused))
        return next(iter(found.offered), Unknown(listed(reasons)))
    why = next((one.why for one in found.refused if one.method is wanted), _not_of_family(wanted))
    raise DriveError(
        message("drive-cannot-purge-by", path=str(device.path), method=wanted.value, why=why),
        _how_to_choose(device, found.offered) or message("drive-offers-no-other-either"),
    )


def _no_method(refusal: Refusal) -> Message:
    return message("drive-no-method", method=refusal.method.value, why=refusal.why)


def kept_format(device: PurgeDevice) -> FormatInUse:
    """The format that its blocks have, which a purge leaves as it is.

    Raises:
        DriveError: It is not known.
    """
    if isinstance(device.namespace, Unknown):
        raise DriveError(message("drive-format-unknown", path=str(device.path), why=device.namespace.reason))
    return device.namespace.format_in_use


def format_of(device: PurgeDevice, block_bytes: int) -> FormatInUse:
    """The format with blocks of a size, without metadata and protection.

    Raises:
        DriveError: The drive cannot be formatted, or offers no such format; the text says which it offers.
    """
    choose(device, PurgeMethod.NVME_FORMAT)
    plain = (
        []
        if isinstance(device.namespace, Unknown)
        else [f for f in device.namespace.lba_formats if not f.metadata_bytes]
    )
    for one in plain:
        if one.data_bytes == block_bytes:
            return FormatInUse(number=one.number, metadata_setting=0, protection_type=0, protection_place=0)
    raise DriveError(
        message("drive-no-format", path=str(device.path), size=number(block_bytes, "d")),
        message("drive-formats", sizes=commas(*(number(one.data_bytes, "d") for one in plain)))
        if plain
        else message("drive-no-plain-format"),
    )


def others(device: PurgeDevice, but: PurgeMethod) -> Message:
    """What else the drive offers, and how to have it."""
    return _how_to_choose(device, tuple(one for one in offer(device).offered if one is not but)) or (
        message("drive-offers-no-other")
    )


def _how_to_choose(device: PurgeDevice, methods: tuple[PurgeMethod, ...]) -> Message | None:
    targets = commas(*(f"`{device.path}?purge={method.value}`" for method in methods))
    return message("drive-offers", targets=targets) if methods else None


def foreseen(device: PurgeDevice, wanted: PurgeMethod | None = None) -> Foreseen:
    """What a purge will achieve if all goes well.

    Raises:
        DriveError: The drive does not offer what is wanted.
    """
    method = choose(device, wanted)
    if isinstance(method, Unknown):
        return Foreseen(Freshness.UNPROVEN, message("drive-purged-nothing", why=method.reason))
    return Foreseen(leaves(device), with_reservations(device, method, wanted))


def leaves(device: PurgeDevice) -> Freshness:
    """What a purge of it can prove at best: below something that only stands on a drive nothing can be known."""
    return Freshness.UNPROVEN if device.family is Family.OTHER else Freshness.FRESH


def with_reservations(device: PurgeDevice, chosen: PurgeMethod, wanted: PurgeMethod | None) -> Message:
    """The way that was chosen, and why nothing better: nothing better is offered, or somebody wanted this."""
    words, family = WORDS[chosen], _FAMILY[device.family]
    better = [one for one in offer(device).refused if family.index(one.method) < family.index(chosen)]
    if wanted is not None:
        return words if chosen is family[0] else message("drive-method-asked-for", method=words)
    return (
        message("drive-method-for-want", method=words, better=semicolons(*map(_no_method, better))) if better else words
    )


def _format(device: PurgeDevice) -> Message | None:
    controller, namespace = device.controller, device.namespace
    if isinstance(controller, Unknown):
        return message("drive-controller-unknown", why=controller.reason)
    if controller.format_command != "offered":
        return message("drive-no-format-command")
    if isinstance(namespace, Unknown):
        return message("drive-current-format-unknown", why=namespace.reason)
    if controller.format_reaches is EraseScope.ONE:
        return None
    return _alone(device, message("drive-format-reaches-all"))


def _sanitize(device: PurgeDevice, way: str, words: Message) -> Message | None:
    if isinstance(device.controller, Unknown):
        return message("drive-controller-unknown", why=device.controller.reason)
    methods = device.controller.sanitize_methods
    if isinstance(methods, Unknown) or way not in methods:
        return message("drive-no-sanitize", way=words)
    return _alone(device, message("drive-sanitize-reaches-all"))


def _alone(device: PurgeDevice, because: Message) -> Message | None:
    if isinstance(device.namespaces, Unknown):
        return message("drive-namespaces-unknown", because=because, why=device.namespaces.reason)
    return None if device.namespaces == 1 else message("drive-namespaces", because=because, count=device.namespaces)


def _ata(device: PurgeDevice) -> Message | None:
    security = device.security
    if isinstance(security, Unknown):
        return security.reason
    if device.attachment is PurgeAttachment.USB:
        return message("drive-usb-bridge")
    if isinstance(device.serial, Unknown):
        return message("drive-no-serial-for-password")
    return ata_obstacle(security)


def ata_obstacle(security: AtaSecurity) -> Message | None:
    """Why the security feature set lets nobody erase now.

    A password of our own that an interrupted purge left is dealt with before this is asked.
    """
    if security.supported != "supported":
        return message("drive-no-ata-security")
    if security.frozen == "frozen":
        return message("drive-security-frozen")
    if security.locked == "locked":
        return message("drive-locked")
    return message("drive-has-password") if security.enabled == "enabled" else None


def _ata_enhanced(device: PurgeDevice) -> Message | None:
    security = device.security
    if isinstance(security, AtaSecurity) and security.enhanced_erase != "supported":
        return message("drive-no-enhanced-erase")
    return _ata(device)


def _discard(device: PurgeDevice) -> Message | None:
    if isinstance(device.discard_bytes_max, Unknown):
        return message("drive-discard-unknown", why=device.discard_bytes_max.reason)
    return None if device.discard_bytes_max else message("drive-takes-no-discards")


_OBSTACLES: Mapping[PurgeMethod, Callable[[PurgeDevice], Message | None]] = MappingProxyType(
    {
        PurgeMethod.NVME_FORMAT: _format,
        PurgeMethod.SANITIZE_BLOCK: lambda device: _sanitize(device, "block erase", message("drive-block-erase")),
        PurgeMethod.SANITIZE_CRYPTO: lambda device: _sanitize(device, "crypto erase", message("drive-crypto-erase")),
        PurgeMethod.ATA_ERASE: _ata,
        PurgeMethod.ATA_ERASE_ENHANCED: _ata_enhanced,
        PurgeMethod.DISCARD: _discard,
    }
)
_FAMILY: Mapping[Family, tuple[PurgeMethod, ...]] = MappingProxyType(
    {
        Family.NVME: (
            PurgeMethod.NVME_FORMAT,
            PurgeMethod.SANITIZE_BLOCK,
            PurgeMethod.SANITIZE_CRYPTO,
            PurgeMethod.DISCARD,
        ),
        Family.SCSI: (PurgeMethod.ATA_ERASE, PurgeMethod.ATA_ERASE_ENHANCED, PurgeMethod.DISCARD),
        Family.OTHER: (PurgeMethod.DISCARD,),
    }
)


def _not_of_family(method: PurgeMethod) -> Message:
    return message("drive-not-nvme") if method in _FAMILY[Family.NVME] else message("drive-not-scsi")
