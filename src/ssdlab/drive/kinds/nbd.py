"""An NBD export that somebody else serves, as the drive under test."""

from collections.abc import Mapping

from ssdlab import _core
from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.named import not_named
from ssdlab.drive.nbd_uri import nbd_uri
from ssdlab.drive.target import NbdTarget
from ssdlab.message import Message, message, number, size
from ssdlab.unknown import Unknown


class NbdDrive:
    """Somebody else's export: it is emptied only when it is named a second time, as a drive is by its serial."""

    def __init__(self, text: str, target: NbdTarget, erase: str | None) -> None:
        """Ask the server what it exports.

        Raises:
            DriveError: There is no such export, it is read-only, or it was not named to be erased.
        """
        self._target = target
        self.identity = self.foreseen(text, target)
        self.spec_text: str | None = None
        self.address = FioAddress(IoPath.NBD, nbd_uri(target.socket.absolute(), target.export))
        name = self.identity.serial
        if erase != name:
            what = message("drive-export", name=str(name), size=size(self.identity.capacity_bytes))
            raise DriveError(not_named(what, erase), message("drive-erase-by", name=str(name)))

    @staticmethod
    def foreseen(text: str, target: NbdTarget) -> DriveIdentity:
        """What the server says of the export.

        Raises:
            DriveError: There is no such export, or it is read-only.
        """
        export = connected(target)
        name = target.export or target.socket.name
        if not export.is_writable:
            raise DriveError(message("drive-export-read-only", name=name), message("drive-export-start-writable"))
        unknown = Unknown(message("unknown-nbd-none"))
        return DriveIdentity(
            target=text,
            model=unknown,
            serial=name,
            firmware=unknown,
            capacity_bytes=export.size_bytes,
            logical_block_bytes=512,
            indirection_unit_bytes=unknown,
            description=message("drive-described-export", export=target.export, socket=str(target.socket)),
            purge_leaves=Freshness.UNPROVEN,
            memory=Memory.KEEPS,
            cannot_trim=None if export.trims else message("drive-nbd-no-trim"),
        )

    def check(self) -> None:
        """See `Drive.check`."""
        size_bytes = connected(self._target).size_bytes
        if size_bytes != self.identity.capacity_bytes:
            before_bytes = self.identity.capacity_bytes
            resized = message("drive-export-resized", now=number(size_bytes, "d"), before=number(before_bytes, "d"))
            raise DriveError(resized)

    def purge(self) -> Purged:
        """Trim the whole export, and read samples of it: a trim is advice that a server may ignore."""
        export = connected(self._target)
        if not export.trims:
            return Purged(Freshness.UNPROVEN, message("drive-purged-no-trim"))
        samples = _sampled_blocks(self.identity.capacity_bytes)
        try:
            _trim(export, self.identity.capacity_bytes)
            kept = sum(any(export.read(offset, _SAMPLE_BYTES)) for offset in samples)
        except OSError as error:
            raise DriveError(message("drive-export-not-trimmed", error=str(error))) from error
        return Purged(Freshness.UNPROVEN, message("drive-purged-export", total=number(len(samples), "d"), kept=kept))

    def said(self) -> Mapping[str, str]:
        """No program asks through NBD."""
        return {}

    def findings(self) -> tuple[Message, ...]:
        """An export has nothing to add."""
        return ()

    def close(self) -> None:
        """Nothing is held open between steps."""


_SILENCE_S_MAX = 60
_TRIM_BYTES = 1 << 30
_SAMPLES = 64
_SAMPLE_BYTES = 4096


def _sampled_blocks(capacity_bytes: int) -> tuple[int, ...]:
    """Offsets spread over the export by the golden ratio, so that no stride of a layout meets all of them; its ends included."""
    blocks = capacity_bytes // _SAMPLE_BYTES
    numbers = (int(blocks * (number * 0.6180339887498949 % 1)) for number in range(_SAMPLES - 1))
    return tuple(sorted({number * _SAMPLE_BYTES for number in (*numbers, blocks - 1) if blocks}))


def connected(target: NbdTarget) -> _core.NbdExport:
    """A connection to the export, which ends with the object; a server that says nothing for a minute is given up.

    Raises:
        DriveError: Nobody listens, or the other side speaks no newstyle NBD, or has no such export.
    """
    try:
        return _core.NbdExport(target.socket, target.export, _SILENCE_S_MAX)
    except OSError as error:
        place = str(target.socket)
        absent = (
            message("drive-no-export-named", export=target.export, socket=place, error=str(error))
            if target.export
            else message("drive-no-export", socket=place, error=str(error))
        )
        raise DriveError(absent, message("drive-export-hint")) from error


def _trim(export: _core.NbdExport, length_bytes: int) -> None:
    for offset in range(0, length_bytes, _TRIM_BYTES):
        export.trim(offset, min(_TRIM_BYTES, length_bytes - offset))
