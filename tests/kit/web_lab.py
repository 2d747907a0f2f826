"""A lab that `ssdlab web` serves, with a run that the test itself writes, point by point."""

import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.kit.processes import COMMAND
from tests.kit.sample_bundle import fill_plan, run_info
from tests.kit.small_bundle import small_result

from ssdlab.bundle.journal import Event
from ssdlab.bundle.live import LivePoint, LiveWriter
from ssdlab.bundle.write import BundleWriter
from ssdlab.job import DriveState
from ssdlab.units import GIB, MIB, NS_PER_S


@dataclass
class GoingRun:
    """A fill whose first pass goes on."""

    path: Path
    writer: BundleWriter = field(init=False)
    live: LiveWriter = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.writer = BundleWriter(self.path, run_info(GIB), fill_plan(GIB, NS_PER_S))
        self.live = LiveWriter(self.path)
        self.writer.step_started(1, 0, DriveState.UNKNOWN)
        self.writer.step_finished(1, NS_PER_S, None)
        self.writer.step_started(3, NS_PER_S, DriveState.UNKNOWN)

    def point(self) -> None:
        """Half a second more: the speed tells the number of the point."""
        self.count += 1
        self.live.append(
            LivePoint(
                at_ms=1000 + self.count,
                clock_ns=NS_PER_S + self.count * NS_PER_S // 2,
                process_id=1,
                step=3,
                share_done=min(1.0, self.count / 100),
                bandwidth_bytes_per_s=float(self.count * MIB),
                temperature_c=41,
            )
        )

    def pass_over(self) -> None:
        """The first pass is over, and the last one begins."""
        self.writer.step_finished(3, 60 * NS_PER_S, small_result(3))
        self.writer.step_started(5, 61 * NS_PER_S, DriveState.UNKNOWN)

    def over(self) -> None:
        """The run ends."""
        self.writer.run_ended(90 * NS_PER_S, Event.RUN_FINISHED, None)
        self.close()

    def close(self) -> None:
        """As a process that ends."""
        self.live.close()
        self.writer.close()


def started(lab: Path, stderr: int, *options: str) -> "subprocess.Popen[str]":
    """A server; the first line on its stdout is its address."""
    return subprocess.Popen(
        [*COMMAND, "web", "--lab", lab, "--port", "0", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


@contextmanager
def served(lab: Path, *options: str) -> Iterator[str]:
    """The address that `ssdlab web` prints, as long as it serves."""
    with started(lab, subprocess.DEVNULL, *options) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


class Relay:
    """A way to a server that can be cut and mended, as a tunnel of ssh is."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._is_whole = True
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection ends, and new ones do at once."""
        self._is_whole = False
        for end in self._ends:
            hang_up(end)

    def mend(self) -> None:
        """New connections lead to the server again."""
        self._is_whole = True

    def close(self) -> None:
        """For good."""
        self.cut()
        hang_up(self._listener)
        for end in (self._listener, *self._ends):
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if not self._is_whole:
                    client.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self._server_port))
                self._ends += [client, server]
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=pass_on, args=(one, other), daemon=True).start()


def pass_on(one: socket.socket, other: socket.socket) -> None:
    """Whatever comes, until there is no more."""
    with suppress(OSError):
        while content := one.recv(1 << 16):
            other.sendall(content)
    for end in (one, other):
        hang_up(end)


def hang_up(end: socket.socket) -> None:
    """Wake whoever waits for it."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
