"""A link to an NBD server that is cut while data moves: what comes of it is the client's affair."""

import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Self

_PIECE_BYTES = 1 << 16
_HEAD_BYTES = 16
"""Of an answer."""
_MOVED_BYTES = 4096
"""By a connection that is cut: many answers, and more than any handshake."""


class Cut(Enum):
    """How the link ends."""

    CLOSED = "closed"
    RESET = "reset"
    HALF_ANSWER = "half an answer"
    """Then closed."""
    HALF_ANSWER_KEPT_OPEN = "half an answer, and nothing more"


@dataclass(slots=True)
class _Link:
    client: socket.socket
    server: socket.socket
    answered_bytes: int = 0


class CuttingRelay:
    """Stands between clients and a server, on a socket of its own.

    Once it is told to cut, each connection through which data moves ends that way, and no other is taken.
    """

    def __init__(self, path: Path, server: Path, cut: Cut) -> None:
        self.path = path
        self.connections = 0
        """That were taken so far."""
        self._server = server
        self._cut = cut
        self._is_cutting = threading.Event()
        self._ended = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        self._sockets = [self._listener]
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def cut(self) -> None:
        """From the next answer on; returns when one connection has ended so."""
        self._is_cutting.set()
        assert self._ended.wait(240), "nothing came from the server any more"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_cutting.set()
        self._stop_listening()
        # The first of the threads starts the others.
        for thread in iter(self._threads):
            for end in self._sockets:
                _hang_up(end)
            thread.join(60)
        for end in self._sockets:
            end.close()

    def _start(self, act: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=act, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                server = socket.socket(socket.AF_UNIX)
                self._sockets += [client, server]
                server.connect(str(self._server))
                link = _Link(client, server)
                self._start(self._requests, link)
                self._start(self._answers, link)

    def _requests(self, link: _Link) -> None:
        with suppress(OSError):
            while select.select([link.client], [], []):
                if self._cut is Cut.RESET and self._is_due(link):
                    # On what nobody has read.
                    self._stop_listening()
                    link.client.close()
                    self._ended.set()
                    break
                if not (piece := link.client.recv(_PIECE_BYTES)):
                    break
                link.server.sendall(piece)
        _hang_up(link.server)

    def _answers(self, link: _Link) -> None:
        with suppress(OSError):
            while piece := link.server.recv(_PIECE_BYTES):
                if self._cut is not Cut.RESET and self._is_due(link):
                    self._end(link.client, piece)
                    return
                link.client.sendall(piece)
                link.answered_bytes += len(piece)
        _hang_up(link.client)

    def _is_due(self, link: _Link) -> bool:
        return self._is_cutting.is_set() and link.answered_bytes > _MOVED_BYTES

    def _end(self, client: socket.socket, piece: bytes) -> None:
        self._stop_listening()
        client.sendall(piece[: 0 if self._cut is Cut.CLOSED else _HEAD_BYTES // 2])
        if self._cut is not Cut.HALF_ANSWER_KEPT_OPEN:
            _hang_up(client)
        self._ended.set()

    def _stop_listening(self) -> None:
        self.path.unlink(missing_ok=True)
        _hang_up(self._listener)


def _hang_up(end: socket.socket) -> None:
    """For both sides, whoever still waits for it in another thread."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
