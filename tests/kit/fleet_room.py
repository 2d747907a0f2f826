"""A fleet on one machine: PostgreSQL, a store, hosts that are processes, and virtual drives that outlive them."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from tests.kit.postgres import Cluster
from tests.kit.processes import COMMAND, LIMIT_S, is_gone, wait_until
from tests.kit.watched_drive import WatchedDrive

from ssdlab.fleet import records
from ssdlab.fleet.database import connected
from ssdlab.fleet.records import FleetRun, FleetRunState, Standing

_PAUSE_S = 0.2
OVER = {FleetRunState.DONE, FleetRunState.FAILED, FleetRunState.CANCELLED}


@dataclass(slots=True)
class Host:
    """A host with an agent."""

    name: str
    directory: Path
    drives: dict[str, WatchedDrive]
    within: tuple[str, ...] = ()
    """The command by which its agent is started elsewhere, as in a network namespace."""
    agent: "subprocess.Popen[bytes] | None" = field(default=None)

    @property
    def rules(self) -> Path:
        """What its operator allows."""
        return self.directory / "agent.toml"

    @property
    def state(self) -> Path:
        """What the agent keeps."""
        return self.directory / "state"

    def start(self) -> None:
        """Start its agent."""
        with (self.directory / "agent.log").open("ab") as log:
            self.agent = subprocess.Popen(
                [*self.within, *COMMAND, "agent", str(self.rules)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def kill(self) -> None:
        """End its agent as the kernel does when memory runs out."""
        assert self.agent is not None
        self.agent.kill()
        self.agent.wait()

    def interrupt(self) -> None:
        """End its agent as Ctrl-C does."""
        assert self.agent is not None
        self.agent.send_signal(signal.SIGINT)
        self.agent.wait()

    def processes(self) -> dict[str, int]:
        """What is at its runs, by the run."""
        found = {}
        for mark in self.state.glob("runs/*/process.json"):
            process_id = json.loads(mark.read_bytes())["pid"]
            if not is_gone(process_id):
                found[mark.parent.name] = process_id
        return found

    def kill_all(self) -> None:
        """End all of it as a power cut does."""
        self.kill()
        for process_id in self.processes().values():
            os.kill(process_id, signal.SIGKILL)
            wait_until(lambda one=process_id: is_gone(one), "a killed run is gone")  # type: ignore[misc]


class FleetRoom:
    """All of it; see `fleet_room`."""

    def __init__(self, directory: Path, vdrive: Sequence[str], store: Path, network: str) -> None:
        self.directory = directory
        self.store = store
        self.stored_at = str(store)
        """What hosts are told of the store."""
        (store / "runs").mkdir(parents=True)
        self.cluster = Cluster(directory / "postgres", network)
        self.hosts: list[Host] = []
        self._vdrive, self._network = vdrive, network
        self._servers: list[subprocess.Popen[str]] = []
        self.ssdlab("fleet", "init")

    def add_host(self, name: str, specs: dict[str, str]) -> Host:
        """A host whose operator allows these drives, by their serial numbers, to be tested; its agent is not yet started."""
        directory = self.directory / name
        directory.mkdir()
        drives = {serial: self._drive(directory, serial, spec) for serial, spec in specs.items()}
        host = Host(name, directory, drives)
        lines = [
            f'name = "{name}"',
            f'database = "{self._url}"',
            f'store = "{self.stored_at}"',
            f'state = "{host.state}"',
        ]
        for serial, drive in drives.items():
            lines += ["[[drive]]", f'serial = "{serial}"', f'target = "nbd+unix:///?socket={drive.path}"']
        host.rules.write_text("\n".join(lines) + "\n")
        host.rules.chmod(0o600)
        self.hosts.append(host)
        return host

    @property
    def _url(self) -> str:
        return self.cluster.url_by_network if self._network else self.cluster.url

    def _drive(self, directory: Path, serial: str, spec: str) -> WatchedDrive:
        served = directory / f"{serial}.served"
        command = [*self._vdrive, "--socket", str(served), "--lifeline", spec]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._servers.append(server)
        assert server.stdout is not None
        assert server.stdout.readline().startswith("ready")
        return WatchedDrive(directory / serial, served)

    def ssdlab(self, *arguments: str) -> str:
        """The data that a command of the fleet prints."""
        return self.said(*arguments).stdout

    def said(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """All that a command of the fleet says; it must come to a good end."""
        done = subprocess.run(
            [*COMMAND, *arguments],
            check=False,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            env={**os.environ, "SSDLAB_DATABASE": self.cluster.url, "LC_ALL": "C.UTF-8"},
        )
        assert done.returncode == 0, done.stderr
        return done

    def submit(self, suite: Path, *options: str) -> list[int]:
        """Numbers of the runs."""
        said = self.ssdlab("fleet", "submit", str(suite), *options)
        return [int(line.split()[0]) for line in said.splitlines()]

    def runs(self) -> tuple[FleetRun, ...]:
        """All runs."""
        # Whoever asks does so again and again.
        time.sleep(_PAUSE_S)
        with connected(self.cluster.url) as connection:
            return records.runs(connection)

    def states(self) -> dict[int, FleetRunState]:
        """How far each run is."""
        return {run.number: run.state for run in self.runs()}

    def wait_for_drives(self, count: int) -> None:
        """Until so many may be tested."""

        def free() -> int:
            time.sleep(_PAUSE_S)
            with connected(self.cluster.url) as connection:
                return sum(one.drive.standing is Standing.FREE for one in records.drives(connection))

        wait_until(lambda: free() >= count, f"{count} drives are announced")

    def wait_for_heartbeat(self, host: Host) -> None:
        """Until the agent of a host has been heard of once more; it has asked for jobs meanwhile."""

        def heard() -> set[datetime]:
            time.sleep(_PAUSE_S)
            with connected(self.cluster.url) as connection:
                return {one.seen_at for one in records.drives(connection) if one.host_name == host.name}

        before = heard()
        wait_until(lambda: heard() != before, f"{host.name} is heard of")

    def wait_for(self, number: int, *states: FleetRunState) -> None:
        """Until a run is in one of these states."""
        wait_until(lambda: self.states()[number] in states, f"run {number} is {states}")

    def wait_for_runs(self, limit_s: float = LIMIT_S) -> dict[int, FleetRunState]:
        """Until all runs are over; their states."""
        wait_until(lambda: set(self.states().values()) <= OVER, "all runs are over", limit_s)
        return self.states()

    def close(self) -> None:
        """End all that was started."""
        for host in self.hosts:
            if host.agent is not None:
                host.kill_all()
            for drive in host.drives.values():
                drive.close()
        for server in self._servers:
            server.communicate()
        self.cluster.stop("immediate")


@contextmanager
def fleet_room(vdrive: Sequence[str], store: Path | None = None, network: str = "") -> Iterator[FleetRoom]:
    """A fleet that is gone at the end.

    Args:
        vdrive: The command that serves a virtual drive.
        store: Where bundles are to stay.
        network: Of IP by which agents reach the database.
    """
    # PostgreSQL runs as another user than root, who must reach it; and a socket's name has 107 bytes at most.
    directory = Path(tempfile.mkdtemp(prefix="fleet-"))
    directory.chmod(0o755)
    room: FleetRoom | None = None
    try:
        room = FleetRoom(directory, vdrive, store or directory / "store", network)
        yield room
    finally:
        if room is not None:
            room.close()
        shutil.rmtree(directory, ignore_errors=True)
