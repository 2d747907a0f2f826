"""A served drive and a client that speaks raw NBD, for tests that fio and libnbd are too polite for."""

import json
import socket
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

READ, WRITE, DISCONNECT, FLUSH, TRIM, WRITE_ZEROES, BLOCK_STATUS = 0, 1, 2, 3, 4, 6, 7
FUA, NO_HOLE = 1, 2
EINVAL, ENOSPC = 22, 28

_REQUEST = struct.Struct(">IHHQQI")
_SIMPLE_REPLY = struct.Struct(">IIQ")
_REQUEST_MAGIC = 0x25609513
_REPLY_MAGIC = 0x67446698
_LIMIT_S = 30


def run_fio(uri: str, *options: str) -> list[dict[str, dict[str, Any]]]:
    """The jobs of fio's JSON output."""
    command = [
        "fio",
        "--thread",
        "--ioengine=nbd",
        f"--uri={uri}",
        "--output-format=json",
        "--verify_state_save=0",
        *options,
    ]
    finished = subprocess.run(command, check=False, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    # The engine greets on standard output before fio writes its JSON there.
    greeting_length = finished.stdout.index("{")
    jobs: list[dict[str, dict[str, Any]]] = json.loads(finished.stdout[greeting_length:])["jobs"]
    return jobs


@dataclass(frozen=True, slots=True)
class Server:
    """A running `ssdlab-vdrive`."""

    uri: str
    socket: Path
    control: Path
    process: "subprocess.Popen[str]"

    def ask(self, request: str) -> dict[str, Any]:
        """One line to the control socket, one line back."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_LIMIT_S)
            connection.connect(str(self.control))
            connection.sendall(request.encode() + b"\n")
            answer: dict[str, Any] = json.loads(connection.makefile().readline())
            return answer

    def connect(self) -> "Client":
        """A client in the transmission phase."""
        return Client(self.socket)


class Client:
    """Negotiates simple replies and sends whatever it is told to."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(_LIMIT_S)
        self.socket.connect(str(path))
        assert self.receive(18) == b"NBDMAGICIHAVEOPT\x00\x03"
        self.socket.sendall(b"\x00\x00\x00\x03IHAVEOPT" + struct.pack(">II", 1, 0))
        self.capacity_bytes, self.flags = struct.unpack(">QH", self.receive(10))

    def send(self, command: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0) -> None:
        self.socket.sendall(_REQUEST.pack(_REQUEST_MAGIC, flags, command, 0x5DD, offset, length) + data)

    def error(self) -> int:
        """The error number of the next reply; 0 is success."""
        magic, error, cookie = _SIMPLE_REPLY.unpack(self.receive(_SIMPLE_REPLY.size))
        assert (magic, cookie) == (_REPLY_MAGIC, 0x5DD)
        return int(error)

    def call(self, command: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0) -> int:
        self.send(command, offset, length, data, flags)
        return self.error()

    def read(self, offset: int, length: int) -> bytes:
        assert self.call(READ, offset, length) == 0
        return self.receive(length)

    def is_closed_by_server(self) -> bool:
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def receive(self, length: int) -> bytes:
        received = bytearray()
        while len(received) < length:
            part = self.socket.recv(length - len(received))
            assert part, f"the server closed after {len(received)} of {length} bytes"
            received += part
        return bytes(received)

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
