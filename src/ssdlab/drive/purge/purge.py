"""Purging a block device: the best way it offers, done, and held to have erased something."""

import fcntl
import secrets
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ssdlab.drive.access import DriveError, Purged
from ssdlab.drive.identity import Freshness
from ssdlab.drive.purge import ata as purge_ata
from ssdlab.drive.purge import nvme as purge_nvme
from ssdlab.drive.purge.ata_password import PasswordNotes, security_of
from ssdlab.drive.purge.choice import choose, format_of, kept_format, leaves, others, with_reservations
from ssdlab.drive.purge.device import Family, PurgeDevice
from ssdlab.drive.purge_method import WORDS, PurgeMethod
from ssdlab.drive.samples import SampledBlocks, Seen, direct, look, sampled, write_marks
from ssdlab.host.state_directory import state_directory
from ssdlab.message import Message, listed, message, number, semicolons
from ssdlab.os_errors import reason_of
from ssdlab.units import GIB
from ssdlab.unknown import Unknown

_BLKDISCARD = 0x1277
_BLKRRPART = 0x125F
"""<linux/fs.h>."""
_DISCARD_BYTES = 16 * GIB
"""Of one request, so that Ctrl-C is heard between two."""


def purge(device: PurgeDevice, wanted: PurgeMethod | None = None, state: Path | None = None) -> Purged:
    """Erase everything on a drive, and prove it by marks that must be gone.

    Args:
        device: The drive; whoever calls has made sure that it may be erased.
        wanted: The way to do it; if not given the best that is offered.
        state: Where a password is noted; if not given the state directory of this host.

    Raises:
        DriveError: The drive refused, does not offer what is wanted, or erased nothing.
    """
    notes = PasswordNotes(state or state_directory())
    if purge_ata.free_of_our_password(device, notes):
        device = replace(device, security=security_of(device.path))
    method = choose(device, wanted)
    if isinstance(method, Unknown):
        return Purged(Freshness.UNPROVEN, message("drive-purged-nothing", why=method.reason))
    return _proven(device, method, wanted, lambda: _do(device, method, notes))


def reformat(device: PurgeDevice, block_bytes: int) -> Purged:
    """Purge an NVMe drive by a format that gives its logical blocks another size, and prove it likewise.

    Raises:
        DriveError: The drive refused, has no such format, or erased nothing.
    """
    new = format_of(device, block_bytes)

    def do() -> None:
        purge_nvme.format_namespace(device, new)
        purge_nvme.await_block_size(device, block_bytes)

    purged = _proven(device, PurgeMethod.NVME_FORMAT, None, do)
    return replace(
        purged, method=message("drive-purged-to-blocks", size=number(block_bytes, "d"), method=purged.method)
    )


def _proven(device: PurgeDevice, method: PurgeMethod, wanted: PurgeMethod | None, do: Callable[[], None]) -> Purged:
    samples = sampled(device.capacity_bytes, device.logical_block_bytes, secrets.randbits(64))
    with direct(_node(device)) as descriptor:
        write_marks(descriptor, samples)
    do()
    seen = _seen(device, samples)
    _forget_partitions(device)
    return replace(_judged(device, method, wanted, seen), written_bytes=samples.total_bytes)


def _do(device: PurgeDevice, method: PurgeMethod, notes: PasswordNotes) -> None:
    match method:
        case PurgeMethod.NVME_FORMAT:
            purge_nvme.format_namespace(device, kept_format(device))
        case PurgeMethod.SANITIZE_BLOCK | PurgeMethod.SANITIZE_CRYPTO:
            purge_nvme.sanitize(device, method)
        case PurgeMethod.ATA_ERASE | PurgeMethod.ATA_ERASE_ENHANCED:
            purge_ata.erase(device, method, notes)
        case PurgeMethod.DISCARD:
            _discard(device)


def _node(device: PurgeDevice) -> Path:
    """The drive by the descriptor that holds it: what its name leads to may have changed."""
    return device.path if device.held is None else Path(f"/proc/self/fd/{device.held}")


def _discard(device: PurgeDevice) -> None:
    with direct(_node(device)) as descriptor:
        for start in range(0, device.capacity_bytes, _DISCARD_BYTES):
            length = min(_DISCARD_BYTES, device.capacity_bytes - start)
            try:
                fcntl.ioctl(descriptor, _BLKDISCARD, struct.pack("=QQ", start, length))
            except OSError as error:
                raise DriveError(
                    message("drive-discard-refused", path=str(device.path), error=reason_of(error))
                ) from error


def _seen(device: PurgeDevice, samples: SampledBlocks) -> Seen:
    with direct(_node(device)) as descriptor:
        return look(descriptor, samples)


def _judged(device: PurgeDevice, method: PurgeMethod, wanted: PurgeMethod | None, seen: Seen) -> Purged:
    if method is not PurgeMethod.DISCARD and seen.marks:
        raise DriveError(_not_erased(device, method, seen), others(device, method))
    proven = seen.zeros == seen.total if method is PurgeMethod.DISCARD else not seen.unreadable
    freshness = leaves(device) if proven else Freshness.UNPROVEN
    below = [message("drive-purged-below-unseen")] if device.family is Family.OTHER else []
    found = message("drive-purged-samples", total=number(seen.total), seen=seen.words)
    return Purged(freshness, listed(semicolons(with_reservations(device, method, wanted), found, *below)))


def _not_erased(device: PurgeDevice, method: PurgeMethod, seen: Seen) -> Message:
    path, words, total = str(device.path), WORDS[method], number(seen.total)
    if seen.marks == seen.total:
        return message("drive-purge-nothing", path=path, method=words, total=total, seen=seen.words)
    return message("drive-purge-part", path=path, method=words, total=total, seen=seen.words)


def _forget_partitions(device: PurgeDevice) -> None:
    """Have the kernel look for partitions again, which are gone: through the descriptor that holds the drive, as it may."""
    if device.held is not None:
        # Drives that cannot have partitions refuse it, and the guard looks at partitions before every step anyway.
        with suppress(OSError):
            fcntl.ioctl(device.held, _BLKRRPART)
