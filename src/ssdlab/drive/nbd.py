"""An NBD export that somebody else serves, as the drive under test."""

from collections.abc import Mapping

from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.nbd_client import Export, NbdConnection
from ssdlab.drive.target import NbdTarget
from ssdlab.units import format_bytes
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
        self.address = FioAddress(IoPath.NBD, text)
        name = self.identity.serial
        if erase != name:
            found = (
                "was not named to be erased" if erase is None else f"is not the `{erase}` that was named to be erased"
            )
            raise DriveError(
                f"everything on the export `{name}` ({format_bytes(self.identity.capacity_bytes)}) would be lost, and it {found}",
                f"if that is meant: `--erase {name}`",
            )

    @staticmethod
    def foreseen(text: str, target: NbdTarget) -> DriveIdentity:
        """What the server says of the export.

        Raises:
            DriveError: There is no such export, or it is read-only.
        """
        export = _look(target)
        name = target.export or target.socket.name
        if not export.writable:
            raise DriveError(f"the export `{name}` is read-only", "start its server writable")
        unknown = Unknown("an NBD export has none")
        return DriveIdentity(
            target=text,
            model=unknown,
            serial=name,
            firmware=unknown,
            capacity_bytes=export.size_bytes,
            logical_block_bytes=512,
            indirection_unit_bytes=unknown,
            description=f"NBD export `{target.export}` at {target.socket}",
            purge_leaves=Freshness.UNPROVEN,
            memory=Memory.KEEPS,
            cannot_trim=None if export.trims else "the server offers no trim",
        )

    def check(self) -> None:
        """See `Drive.check`."""
        size_bytes = _look(self._target).size_bytes
        if size_bytes != self.identity.capacity_bytes:
            raise DriveError(f"the export now has {size_bytes} bytes instead of {self.identity.capacity_bytes}")

    def purge(self) -> Purged:
        """Trim the whole export, and read samples of it: a trim is advice that a server may ignore."""
        with NbdConnection(self._target.socket, self._target.export) as connection:
            if not connection.export.trims:
                return Purged(Freshness.UNPROVEN, "nothing: the server offers no trim")
            try:
                connection.trim(self.identity.capacity_bytes)
                samples = _sampled_blocks(self.identity.capacity_bytes)
                kept = sum(any(connection.read(offset, _SAMPLE_BYTES)) for offset in samples)
            except OSError as error:
                raise DriveError(f"the export cannot be trimmed: {error}") from error
        seen = f"{kept} still hold data" if kept else "all read as zeros"
        return Purged(Freshness.UNPROVEN, f"the whole export was trimmed; of {len(samples)} sampled blocks {seen}")

    def said(self) -> Mapping[str, str]:
        """No program asks through NBD."""
        return {}

    def findings(self) -> tuple[str, ...]:
        """An export has nothing to add."""
        return ()

    def close(self) -> None:
        """Nothing is held open between steps."""


_SAMPLES = 64
_SAMPLE_BYTES = 4096


def _sampled_blocks(capacity_bytes: int) -> tuple[int, ...]:
    """Offsets spread over the export by the golden ratio, so that no stride of a layout meets all of them; its ends included."""
    blocks = capacity_bytes // _SAMPLE_BYTES
    numbers = (int(blocks * (number * 0.6180339887498949 % 1)) for number in range(_SAMPLES - 1))
    return tuple(sorted({number * _SAMPLE_BYTES for number in (*numbers, blocks - 1) if blocks}))


def _look(target: NbdTarget) -> Export:
    with NbdConnection(target.socket, target.export) as connection:
        return connection.export
