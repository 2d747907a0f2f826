"""Purging a SATA drive by SECURITY ERASE UNIT (ACS-3, 7.45), through hdparm."""

from pathlib import Path

from ssdlab.drive.access import DriveError
from ssdlab.drive.details import AtaSecurity
from ssdlab.drive.purge.ata_password import PASSWORD, PasswordNotes, security_of, take_off
from ssdlab.drive.purge.choice import ata_obstacle
from ssdlab.drive.purge.device import PurgeDevice
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.drive.tool import tell
from ssdlab.message import message
from ssdlab.unknown import Unknown

_OPTIONS = {PurgeMethod.ATA_ERASE: "--security-erase", PurgeMethod.ATA_ERASE_ENHANCED: "--security-erase-enhanced"}
_LIMIT_S_MIN = 2 * 3600
_ESTIMATES = 3
"""Drives take longer than they say; giving up early would leave them erasing."""


def erase(device: PurgeDevice, method: PurgeMethod, notes: PasswordNotes) -> None:
    """Set the password, erase, and see to it that the drive has no password whatever happened between.

    Raises:
        DriveError: The drive refused, or still has the password; the text says how to take it off then.
    """
    path = device.path
    security = security_of(path)
    why = ata_obstacle(security)
    if why is not None:
        raise DriveError(message("drive-ata-refuses", path=str(path), why=why))
    serial = device.serial
    if isinstance(serial, Unknown):
        raise DriveError(message("drive-ata-no-serial", path=str(path), why=serial.reason))
    model = "unknown" if isinstance(device.model, Unknown) else device.model
    limit_s = _limit_s(security, method)
    with notes.kept(model, serial, path):
        try:
            _tell(path, "--security-set-pass")
            if security_of(path).enabled != "enabled":
                raise DriveError(message("drive-ata-no-password", path=str(path)))
            _tell(path, _OPTIONS[method], limit_s)
        finally:
            take_off(path, limit_s)
            notes.forget(serial)


def _tell(path: Path, option: str, limit_s: int = 60) -> None:
    tell("hdparm", "--user-master", "u", option, PASSWORD, str(path), limit_s=limit_s)


def _limit_s(security: AtaSecurity, method: PurgeMethod) -> int:
    minutes = security.erase_minutes if method is PurgeMethod.ATA_ERASE else security.enhanced_erase_minutes
    return _LIMIT_S_MIN if isinstance(minutes, Unknown) else max(_LIMIT_S_MIN, _ESTIMATES * 60 * minutes)


def free_of_our_password(device: PurgeDevice, notes: PasswordNotes) -> bool:
    """Take off the password that an interrupted erase left on this drive, if there is a note of it; say if there was.

    Raises:
        DriveError: There is a note, and the password cannot be taken off.
    """
    serial = device.serial
    if isinstance(serial, Unknown) or notes.of(serial) is None:
        return False
    take_off(device.path)
    notes.forget(serial)
    return True
