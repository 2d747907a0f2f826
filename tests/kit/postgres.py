"""A PostgreSQL cluster of one's own: on a unix socket in a temporary directory, as a user that is not root, gone at the end."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from ipaddress import ip_network
from pathlib import Path

_USER = "nobody"
"""Whose cluster it is where the tests are root's, as whom PostgreSQL does not run."""


def postgres_programs() -> Path | None:
    """Where `initdb` and `pg_ctl` are, the newest; None where there are none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).parent if named else None


class Cluster:
    """A server that runs until it is stopped."""

    def __init__(self, directory: Path, network: str = "") -> None:
        """Make it in a directory that is not there yet, and start it.

        Args:
            directory: Of the cluster.
            network: Of IP from which it may be reached, too, as `10.0.0.0/24`; its first address is the cluster's.
        """
        programs = postgres_programs()
        assert programs is not None, "PostgreSQL is missing"
        self._programs, self._directory = programs, directory
        self._address = str(ip_network(network)[1]) if network else ""
        directory.mkdir(mode=0o700)
        if os.geteuid() == 0:
            user = pwd.getpwnam(_USER)
            os.chown(directory, user.pw_uid, user.pw_gid)
        self._run("initdb", "-A", "trust", "-U", "ssdlab", "-E", "UTF8", "--no-sync", "-D", str(directory / "data"))
        if network:
            with (directory / "data" / "pg_hba.conf").open("a") as allowed:
                allowed.write(f"host all all {network} trust\n")
        self.start()
        self._run("createdb", "-h", str(directory), "-U", "ssdlab", "fleet")

    @property
    def url(self) -> str:
        """Of the database."""
        return f"postgresql://ssdlab@/fleet?host={self._directory}"

    @property
    def url_by_network(self) -> str:
        """The same by IP."""
        return f"postgresql://ssdlab@{self._address}/fleet"

    def start(self) -> None:
        """Start it again, and wait until it answers."""
        # What it loses at a power cut is of no use then.
        options = f"-c listen_addresses={self._address} -c unix_socket_directories={self._directory} -c fsync=off"
        self._run("pg_ctl", "-D", str(self._directory / "data"), "-l", str(self._directory / "log"), "-w", "-o", options, "start")  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast`, or `immediate` as a crash does."""
        self._run("pg_ctl", "-D", str(self._directory / "data"), "-w", "-m", mode, "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*_as_user(), str(self._programs / program), *arguments]
        done = subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C.UTF-8"}, cwd="/",
        )  # fmt: skip
        assert done.returncode == 0, done.stdout.decode(errors="replace")


def _as_user() -> Sequence[str]:
    if os.geteuid() != 0:
        return ()
    return ("setpriv", "--reuid", _USER, "--regid", str(pwd.getpwnam(_USER).pw_gid), "--clear-groups", "--")
