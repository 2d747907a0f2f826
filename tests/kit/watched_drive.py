"""A link to a virtual drive that notes whose every connection is: one run is over before another comes to the drive."""

import os
import re
import socket
import struct
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

_PIECE_BYTES = 1 << 20
_RUN = re.compile(r"/runs/([0-9a-f]{8}-[0-9a-f-]{27})/")
"""Where an agent keeps a run, in the command line of whatever is at it."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A run at a drive, from its first connection to the end of its last: between two of them it rests, and is there all the same."""

    run: str
    first_ns: int
    last_ns: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two runs, the second of which came before the first was over."""

    first: str
    second: str


def overlaps_of(stays: Iterable[Stay]) -> list[Overlap]:
    """Of runs in the order in which they came."""
    ordered = sorted(stays, key=lambda stay: stay.first_ns)
    return [
        Overlap(before.run, after.run)
        for place, after in enumerate(ordered)
        for before in ordered[:place]
        if before.last_ns > after.first_ns
    ]


class WatchedDrive:
    """Stands between clients and the server of a drive, on a socket of its own."""

    def __init__(self, path: Path, server: Path) -> None:
        self.path = path
        self._stays: dict[str, Stay] = {}
        self._server = server
        self._open: dict[int, str] = {}
        """Living connections of runs, by a number of each."""
        self._half_over: set[int] = set()
        """Connections of which one direction has ended."""
        self._guard = threading.Lock()
        self._number = 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def runs(self) -> set[str]:
        """That were at the drive so far."""
        return set(self._stays)

    @property
    def overlaps(self) -> list[Overlap]:
        """Runs that were not over when others came."""
        with self._guard:
            now_ns = time.monotonic_ns()
            living = set(self._open.values())
            return overlaps_of(
                replace(stay, last_ns=now_ns) if stay.run in living else stay for stay in self._stays.values()
            )

    def close(self) -> None:
        """Take no more connections."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                number = self._begin(_owner_of(client))
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._carry, args=(source, sink, number), daemon=True).start()

    def _begin(self, owner: str | None) -> int:
        with self._guard:
            self._number += 1
            if owner is not None:
                now_ns = time.monotonic_ns()
                self._open[self._number] = owner
                self._stays.setdefault(owner, Stay(owner, now_ns, now_ns))
            return self._number

    def _carry(self, source: socket.socket, sink: socket.socket, number: int) -> None:
        piece = bytearray(_PIECE_BYTES)
        with suppress(OSError):
            while length := source.recv_into(piece):
                sink.sendall(memoryview(piece)[:length])
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._guard:
            owner = self._open.pop(number, None)
            if owner is not None:
                self._stays[owner] = replace(self._stays[owner], last_ns=time.monotonic_ns())
            is_last = number in self._half_over
            self._half_over.add(number)
        if is_last:
            source.close()
            sink.close()


def _owner_of(client: socket.socket) -> str | None:
    """The run that a process is part of, by its command line or that of one of its parents; None of an agent's own look."""
    credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    process_id = struct.unpack("3i", credentials)[0]
    while process_id > 1:
        with suppress(OSError):
            found = _RUN.search(Path(f"/proc/{process_id}/cmdline").read_text().replace("\0", " "))
            if found is not None:
                return found[1]
        try:
            process_id = int(Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return f"process {process_id} of {os.getpid()}"
    return None
