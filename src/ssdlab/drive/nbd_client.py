"""The little of an NBD client that identifying and trimming an export takes, and looking whether it was; fio does the I/O.

Source: the NBD protocol, fixed newstyle negotiation (https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md).
"""

import socket
import struct
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from ssdlab.drive.access import DriveError

_MAGIC = b"NBDMAGIC"
_OPTION_MAGIC = b"IHAVEOPT"
_OPTION_EXPORT_NAME = 1
_FIXED_NEWSTYLE = 1
_NO_ZEROES = 2
_HAS_FLAGS = 1 << 0
_READ_ONLY = 1 << 1
_SEND_TRIM = 1 << 5
_REQUEST_MAGIC = 0x25609513
_REPLY_MAGIC = 0x67446698
_COMMAND_READ = 0
_COMMAND_DISCONNECT = 2
_COMMAND_TRIM = 4
_TRIM_BYTES = 1 << 30
_LIMIT_S = 60


@dataclass(frozen=True, slots=True)
class Export:
    """What a server says of an export."""

    size_bytes: int
    writable: bool
    trims: bool


class NbdConnection:
    """One connection to an export over a unix socket."""

    def __init__(self, path: Path, export: str) -> None:
        """Connect and negotiate.

        Raises:
            DriveError: Nobody listens, or the other side speaks no newstyle NBD, or has no such export.
        """
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_LIMIT_S)
        try:
            self._socket.connect(str(path))
            self.export = self._negotiate(export)
        except (OSError, struct.error) as error:
            self._socket.close()
            named = f"NBD export `{export}`" if export else "NBD export"
            raise DriveError(f"no {named} at `{path}`: {error}", "is the server running?") from error

    def _negotiate(self, export: str) -> Export:
        magic, option_magic, server_flags = struct.unpack(">8s8sH", self._receive(18))
        if magic != _MAGIC or option_magic != _OPTION_MAGIC or not server_flags & _FIXED_NEWSTYLE:
            raise OSError("the server does not speak fixed newstyle NBD")
        no_zeroes = server_flags & _NO_ZEROES
        name = export.encode()
        self._socket.sendall(struct.pack(">I", _FIXED_NEWSTYLE | no_zeroes))
        self._socket.sendall(_OPTION_MAGIC + struct.pack(">II", _OPTION_EXPORT_NAME, len(name)) + name)
        size_bytes, flags = struct.unpack(">QH", self._receive(10))
        if not no_zeroes:
            self._receive(124)
        writable = not flags & _READ_ONLY
        return Export(size_bytes, writable, bool(flags & _HAS_FLAGS and flags & _SEND_TRIM))

    def trim(self, length_bytes: int) -> None:
        """Trim from the start of the export.

        Raises:
            OSError: The server refused.
        """
        for offset in range(0, length_bytes, _TRIM_BYTES):
            part = min(_TRIM_BYTES, length_bytes - offset)
            self._socket.sendall(struct.pack(">IHHQQI", _REQUEST_MAGIC, 0, _COMMAND_TRIM, offset, offset, part))
            magic, error, _ = struct.unpack(">IIQ", self._receive(16))
            if magic != _REPLY_MAGIC or error:
                raise OSError(error, "the server refused to trim")

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """Read a part of the export.

        Raises:
            OSError: The server refused.
        """
        request = struct.pack(">IHHQQI", _REQUEST_MAGIC, 0, _COMMAND_READ, offset_bytes, offset_bytes, length_bytes)
        self._socket.sendall(request)
        magic, error, _ = struct.unpack(">IIQ", self._receive(16))
        if magic != _REPLY_MAGIC or error:
            raise OSError(error, f"the server refused to read at {offset_bytes}")
        return self._receive(length_bytes)

    def _receive(self, count: int) -> bytes:
        content = b""
        while len(content) < count:
            part = self._socket.recv(count - len(content))
            if not part:
                raise OSError("the server closed the connection")
            content += part
        return content

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._socket.sendall(struct.pack(">IHHQQI", _REQUEST_MAGIC, 0, _COMMAND_DISCONNECT, 0, 0, 0))
        except OSError:
            # Saying goodbye to a server that is already gone changes nothing.
            pass
        finally:
            self._socket.close()
