"""The drives of this host as the fleet is told of them: which there are, which its operator allows, and what forbids testing these."""

from collections.abc import Iterator

from ssdlab.drive.block.guard import GuardVerdict, Weight
from ssdlab.drive.block.inventory import BlockDrive, block_drives
from ssdlab.drive.identity import DriveIdentity, NameKind
from ssdlab.errors import SsdlabError
from ssdlab.fleet.records import AnnouncedDrive, Standing
from ssdlab.fleet.rules import AllowedDrive, HostRules
from ssdlab.lab.bench import identify
from ssdlab.message import Message, message
from ssdlab.unknown import Unknown


def announced(rules: HostRules) -> tuple[AnnouncedDrive, ...]:
    """Look at all of them; nothing is written to any."""
    blocks = _blocks()
    allowed = (_allowed(drive, blocks) for drive in rules.drives)
    listed = {drive.serial for drive in rules.drives}
    others = (_other(block, name) for name, block in blocks.items() if name not in listed)
    return (*allowed, *(one for one in others if one is not None))


def target_of(drive: AllowedDrive) -> str:
    """Where the drive is now.

    Raises:
        SsdlabError: It is not there, does not answer, or is another one than the operator allowed.
    """
    if drive.target is not None:
        _require_same(drive, identify(drive.target))
        return drive.target
    found = _blocks().get(drive.serial)
    if found is None:
        raise SsdlabError(message("fleet-no-such-drive", serial=drive.serial))
    return found.path


def _require_same(drive: AllowedDrive, found: DriveIdentity) -> None:
    """A drive that says no serial number, as a file, is called what the operator calls it."""
    if not isinstance(found.serial, Unknown) and found.serial != drive.serial:
        raise SsdlabError(message("fleet-other-drive", serial=drive.serial, found=found.serial))


def _blocks() -> dict[str, BlockDrive]:
    """Block devices by what `--erase` takes for them."""
    return {drive.called.text: drive for drive in block_drives() if not isinstance(drive.called, Unknown)}


def _allowed(drive: AllowedDrive, blocks: dict[str, BlockDrive]) -> AnnouncedDrive:
    if drive.target is None:
        block = blocks.get(drive.serial)
        if block is None:
            return _absent(drive, message("fleet-no-such-drive", serial=drive.serial))
        reasons = tuple(one.message for one in block.findings if one.weight is Weight.FORBIDS)
        standing = Standing.REFUSED if block.verdict is GuardVerdict.REFUSED else Standing.FREE
        return _of_block(block, drive.serial, standing, reasons)
    try:
        found = identify(drive.target)
        _require_same(drive, found)
    except SsdlabError as error:
        return _absent(drive, error.message)
    return AnnouncedDrive(
        serial=drive.serial,
        model=_known(found.model),
        firmware=_known(found.firmware),
        capacity_bytes=found.capacity_bytes,
        temperature_c=None,
        standing=Standing.FREE,
        reasons=(),
    )


def _absent(drive: AllowedDrive, why: Message) -> AnnouncedDrive:
    return AnnouncedDrive(
        serial=drive.serial,
        model=None,
        firmware=None,
        capacity_bytes=None,
        temperature_c=None,
        standing=Standing.ABSENT,
        reasons=(why,),
    )


def _other(block: BlockDrive, name: str) -> AnnouncedDrive | None:
    """A drive that the operator does not allow; devices without a serial number are of the host's own making."""
    if isinstance(block.called, Unknown) or block.called.kind is not NameKind.SERIAL:
        return None
    return _of_block(block, name, Standing.NOT_ALLOWED, ())


def _of_block(block: BlockDrive, serial: str, standing: Standing, reasons: tuple[Message, ...]) -> AnnouncedDrive:
    return AnnouncedDrive(
        serial=serial,
        model=_known(block.model),
        firmware=_known(block.firmware),
        capacity_bytes=block.capacity_bytes,
        temperature_c=next(_temperature(block), None),
        standing=standing,
        reasons=reasons,
    )


def _temperature(block: BlockDrive) -> Iterator[float]:
    health = block.details.health
    if not isinstance(health, Unknown) and not isinstance(health.temperature_c, Unknown):
        yield health.temperature_c


def _known(value: str | Unknown) -> str | None:
    return None if isinstance(value, Unknown) else value
