"""Viewers of a run without a browser: connections that take the events of its page, as one process that costs its host little.

`python -m tests.kit.viewers ADDRESS RUN COUNT`; it connects at each line `on` that it is sent, and hangs up at each line `off`.
"""

import selectors
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit


def main() -> None:
    """Until stdin ends."""
    address, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    asked = request(address, run)
    port = urlsplit(address).port or 0
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        connections: list[socket.socket] = []
        while True:
            for key, _ in selector.select():
                if isinstance(key.fileobj, socket.socket):
                    take(key.fileobj, selector)
                    continue
                line = sys.stdin.readline()
                if not line:
                    return
                hang_up(connections, selector)
                if line == "on\n":
                    connections = [connected(port, asked) for _ in range(count)]
                    for one in connections:
                        selector.register(one, selectors.EVENT_READ)


def take(connection: socket.socket, selector: selectors.BaseSelector) -> None:
    """What has come; a server that hangs up is left."""
    if not connection.recv(1 << 16):
        selector.unregister(connection)


def hang_up(connections: list[socket.socket], selector: selectors.BaseSelector) -> None:
    """All of them."""
    for one in connections:
        if one in selector.get_map():
            selector.unregister(one)
        one.close()
    connections.clear()


def connected(port: int, asked: bytes) -> socket.socket:
    """A connection that has asked for the events."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(asked)
    return connection


def request(address: str, run: str) -> bytes:
    """What a browser sends that was let in by an address with a token."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    cookie = str(answer.headers["set-cookie"]).partition(";")[0]
    root = str(answer.headers["location"]).rstrip("/")
    connection.close()
    lines = (f"GET {root}/runs/{run}/stream HTTP/1.1", f"Host: {parts.netloc}", f"Cookie: {cookie}", "", "")
    return "\r\n".join(lines).encode()


class Viewers:
    """The process, which watches nothing at first."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process_id = process.pid
        self._process = process

    def come(self) -> None:
        """All connect."""
        self._say("on")

    def go(self) -> None:
        """All hang up."""
        self._say("off")

    def _say(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()


@contextmanager
def viewers(address: str, run: str, count: int) -> Iterator[Viewers]:
    """So many of a run, ended at the end."""
    command = [sys.executable, "-m", "tests.kit.viewers", address, run, str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as process:
        try:
            yield Viewers(process)
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
