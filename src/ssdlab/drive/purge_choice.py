"""Which ways of purging a drive offers, the best first, and why not the others: pure functions of its facts.

The order follows METHODS C1: the format command of NVMe, SECURITY ERASE UNIT of ATA; a discard only where neither is
to be had, because it is advice that a drive may ignore.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ssdlab.drive.access import DriveError
from ssdlab.drive.block_identity import AtaSecurity, FormatInUse, Reach
from ssdlab.drive.identity import Freshness
from ssdlab.drive.purge_device import Attachment, Family, PurgeDevice
from ssdlab.drive.purge_method import WORDS, Method
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Refusal:
    """A method that the drive does not offer, and why."""

    method: Method
    why: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What a drive can do about its content.

    Attributes:
        offered: Best first.
        refused: Of the methods of its family.
    """

    offered: tuple[Method, ...]
    refused: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a purge will do, for a plan.

    Attributes:
        leaves: What it can achieve at best.
        words: How it will be done, and why not in a better way.
    """

    leaves: Freshness
    words: str


def offer(device: PurgeDevice) -> Offer:
    """Judge every method of the drive's family."""
    judged = [(method, _OBSTACLES[method](device)) for method in _FAMILY[device.family]]
    return Offer(
        offered=tuple(method for method, why in judged if why is None),
        refused=tuple(Refusal(method, why) for method, why in judged if why is not None),
    )


def choose(device: PurgeDevice, wanted: Method | None) -> Method | Unknown:
    """The way that is wanted; if none is, the best that is offered, or why there is none.

    Raises:
        DriveError: The drive does not offer what is wanted; the text says why and what it does offer.
    """
    found = offer(device)
    if wanted in found.offered:
        return wanted
    if wanted is None:
        reasons = "; ".join(f"no `{one.method.value}`: {one.why}" for one in found.refused)
        return next(iter(found.offered), Unknown(reasons))
    why = next((one.why for one in found.refused if one.method is wanted), f"it is no {_needs(wanted)} drive")
    raise DriveError(
        f"`{device.path}` cannot be purged by `{wanted.value}`: {why}",
        _how_to_choose(device, found.offered) or "it offers no other way either",
    )


def kept_format(device: PurgeDevice) -> FormatInUse:
    """The format that its blocks have, which a purge leaves as it is.

    Raises:
        DriveError: It is not known.
    """
    if isinstance(device.namespace, Unknown):
        raise DriveError(f"the format in use of `{device.path}` is not known: {device.namespace.unknown}")
    return device.namespace.format_in_use


def format_of(device: PurgeDevice, block_bytes: int) -> FormatInUse:
    """The format with blocks of a size, without metadata and protection.

    Raises:
        DriveError: The drive cannot be formatted, or offers no such format; the text says which it offers.
    """
    choose(device, Method.NVME_FORMAT)
    plain = (
        []
        if isinstance(device.namespace, Unknown)
        else [f for f in device.namespace.lba_formats if not f.metadata_bytes]
    )
    for one in plain:
        if one.data_bytes == block_bytes:
            return FormatInUse(number=one.number, metadata_setting=0, protection_type=0, protection_place=0)
    raise DriveError(
        f"`{device.path}` has no format with blocks of {block_bytes} bytes",
        f"it offers {', '.join(str(one.data_bytes) for one in plain) or 'none without metadata'}",
    )


def others(device: PurgeDevice, but: Method) -> str:
    """What else the drive offers, and how to have it."""
    return _how_to_choose(device, tuple(one for one in offer(device).offered if one is not but)) or (
        "it offers no other way"
    )


def _how_to_choose(device: PurgeDevice, methods: tuple[Method, ...]) -> str:
    return ("what it offers: " + ", ".join(f"`{device.path}?purge={one.value}`" for one in methods)) if methods else ""


def foreseen(device: PurgeDevice, wanted: Method | None = None) -> Foreseen:
    """What a purge will achieve if all goes well.

    Raises:
        DriveError: The drive does not offer what is wanted.
    """
    method = choose(device, wanted)
    if isinstance(method, Unknown):
        return Foreseen(Freshness.UNPROVEN, f"nothing, the drive offers no purge ({method.unknown})")
    return Foreseen(leaves(device), WORDS[method] + reservations(device, method, wanted))


def leaves(device: PurgeDevice) -> Freshness:
    """What a purge of it can prove at best: below something that only stands on a drive nothing can be known."""
    return Freshness.UNPROVEN if device.family is Family.OTHER else Freshness.FRESH


def reservations(device: PurgeDevice, chosen: Method, wanted: Method | None) -> str:
    """Why nothing better was chosen: nothing better is offered, or somebody wanted this; empty if it is the best."""
    family = _FAMILY[device.family]
    better = [one for one in offer(device).refused if family.index(one.method) < family.index(chosen)]
    if wanted is not None:
        return " (as it was asked for)" if chosen is not family[0] else ""
    return f" ({'; '.join(f'no `{one.method.value}`: {one.why}' for one in better)})" if better else ""


def _format(device: PurgeDevice) -> str | None:
    controller, namespace = device.controller, device.namespace
    if isinstance(controller, Unknown):
        return f"what the controller offers is not known: {controller.unknown}"
    if controller.format_command != "offered":
        return "the controller offers no Format command"
    if isinstance(namespace, Unknown):
        return f"the format in use is not known: {namespace.unknown}"
    if controller.format_reaches is Reach.ONE:
        return None
    return _alone(device, "a format reaches every namespace of the controller")


def _sanitize(device: PurgeDevice, way: str) -> str | None:
    if isinstance(device.controller, Unknown):
        return f"what the controller offers is not known: {device.controller.unknown}"
    methods = device.controller.sanitize_methods
    if isinstance(methods, Unknown) or way not in methods:
        return f"the controller offers no sanitize by {way}"
    return _alone(device, "a sanitize reaches every namespace of the drive")


def _alone(device: PurgeDevice, because: str) -> str | None:
    if isinstance(device.namespaces, Unknown):
        return f"{because}, and how many there are is not known: {device.namespaces.unknown}"
    return None if device.namespaces == 1 else f"{because}, and there are {device.namespaces}"


def _ata(device: PurgeDevice) -> str | None:
    security = device.security
    if isinstance(security, Unknown):
        return security.unknown
    if device.attachment is Attachment.USB:
        return "a USB bridge that loses an erase halfway leaves the drive locked; connect it to a SATA port"
    if isinstance(device.serial, Unknown):
        return "its serial number is not known, so a password could not be noted for it"
    return ata_obstacle(security)


def ata_obstacle(security: AtaSecurity) -> str | None:
    """Why the security feature set lets nobody erase now.

    A password of our own that an interrupted purge left is dealt with before this is asked.
    """
    if security.supported != "supported":
        return "the drive has no ATA security"
    if security.frozen == "frozen":
        return "its security is frozen by the firmware of the host; suspending the machine to memory and waking it thaws it"
    if security.locked == "locked":
        return "it is locked by a password"
    return "it has a password" if security.enabled == "enabled" else None


def _ata_enhanced(device: PurgeDevice) -> str | None:
    security = device.security
    if isinstance(security, AtaSecurity) and security.enhanced_erase != "supported":
        return "the drive offers no enhanced erase"
    return _ata(device)


def _discard(device: PurgeDevice) -> str | None:
    if isinstance(device.discard_bytes_max, Unknown):
        return f"whether it takes discards is not known: {device.discard_bytes_max.unknown}"
    return None if device.discard_bytes_max else "it takes no discards"


_OBSTACLES: Mapping[Method, Callable[[PurgeDevice], str | None]] = MappingProxyType(
    {
        Method.NVME_FORMAT: _format,
        Method.SANITIZE_BLOCK: lambda device: _sanitize(device, "block erase"),
        Method.SANITIZE_CRYPTO: lambda device: _sanitize(device, "crypto erase"),
        Method.ATA_ERASE: _ata,
        Method.ATA_ERASE_ENHANCED: _ata_enhanced,
        Method.DISCARD: _discard,
    }
)
_FAMILY: Mapping[Family, tuple[Method, ...]] = MappingProxyType(
    {
        Family.NVME: (Method.NVME_FORMAT, Method.SANITIZE_BLOCK, Method.SANITIZE_CRYPTO, Method.DISCARD),
        Family.SCSI: (Method.ATA_ERASE, Method.ATA_ERASE_ENHANCED, Method.DISCARD),
        Family.OTHER: (Method.DISCARD,),
    }
)


def _needs(method: Method) -> str:
    return next(family.value for family, methods in _FAMILY.items() if method in methods)
