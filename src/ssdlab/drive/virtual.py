"""A virtual drive behind NBD: made for the run, gone after it."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ssdlab import _core
from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.target import SpecChoice
from ssdlab.units import NS_PER_US

_START_LIMIT_S = 30
_ANSWER_LIMIT_S = 60


def spec_facts(choice: SpecChoice) -> dict[str, Any]:
    """What a spec says of itself, after capacity and seed were applied.

    Raises:
        DriveError: The spec is faulty; all faults are listed with their lines.
    """
    try:
        facts: dict[str, Any] = json.loads(_core.spec_facts(choice.text, choice.capacity_bytes, choice.seed))
    except _core.SpecError as error:
        faults = [f"{choice.name}:{line}: {key}: {message}" for line, key, message in error.faults]
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        raise DriveError("\n".join([f"the spec `{choice.name}` has {count}", *faults])) from error
    return facts


def spec_identity(target: str, choice: SpecChoice) -> DriveIdentity:
    """Identity of a virtual drive, from its spec."""
    facts = spec_facts(choice)
    return DriveIdentity(
        target=target,
        model=f"ssdlab {facts['name']}",
        serial=f"VIRTUAL-{facts['name']}-{facts['seed']}",
        firmware="model",
        capacity_bytes=facts["capacity_bytes"],
        logical_block_bytes=512,
        indirection_unit_bytes=facts["indirection_unit_bytes"],
        description=facts["description"],
        purge_leaves=Freshness.FRESH,
        memory=Memory.FORGETS,
    )


def spec_seed(choice: SpecChoice) -> int:
    """The seed a virtual drive runs with.

    Raises:
        DriveError: The spec is faulty.
    """
    return int(spec_facts(choice)["seed"])


def fresh_truth(choice: SpecChoice) -> dict[str, Any]:
    """What is inside a drive of that spec before anything was done to it.

    Raises:
        DriveError: The spec is faulty.
    """
    spec_facts(choice)
    drive = _core.ModelDrive(choice.text, choice.capacity_bytes, choice.seed)
    truth: dict[str, Any] = json.loads(drive.truth(0))
    return truth


class VirtualDrive:
    """A server process of our own and the drive behind it."""

    def __init__(self, target: str, choice: SpecChoice) -> None:
        """Start the server and wait until it accepts.

        Raises:
            DriveError: It did not start; its own words are in the text.
        """
        self.identity = spec_identity(target, choice)
        self.spec_text: str | None = choice.text
        self._directory = Path(tempfile.mkdtemp(prefix="ssdlab-"))
        self._control = self._directory / "control"
        self.address = FioAddress(IoPath.NBD, f"nbd+unix:///?socket={self._directory / 'nbd'}")
        spec_file = self._directory / "spec.toml"
        spec_file.write_text(choice.text)
        self._server = subprocess.Popen(
            [sys.executable, "-m", "ssdlab.drive.serve", *self._arguments(spec_file, choice)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Ctrl-C belongs to the lab, which ends the server when the run is written down.
            start_new_session=True,
        )
        self._await_ready()

    def _arguments(self, spec_file: Path, choice: SpecChoice) -> list[str]:
        query = [f"capacity={choice.capacity_bytes}B"] if choice.capacity_bytes is not None else []
        query += [f"seed={choice.seed}"] if choice.seed is not None else []
        spec = f"{spec_file}?{'&'.join(query)}" if query else str(spec_file)
        return ["--socket", str(self._directory / "nbd"), "--control", str(self._control), "--lifeline", spec]

    def _await_ready(self) -> None:
        assert self._server.stdout is not None  # noqa: S101 - all three are pipes
        assert self._server.stderr is not None  # noqa: S101
        if not self._server.stdout.readline().startswith("ready"):
            words = self._server.stderr.read().strip()
            self.close()
            message, _, hint = words.removeprefix("error: ").partition("hint: ")
            raise DriveError(f"the virtual drive did not start: {message.strip()}", *([hint.strip()] if hint else []))

    @property
    def process_id(self) -> int:
        """Of the server."""
        return self._server.pid

    def check(self) -> None:
        """See `Drive.check`."""
        if self._server.poll() is not None:
            raise DriveError(f"the virtual drive's server has ended with status {self._server.returncode}")
        self._ask("info")

    def purge(self) -> Purged:
        """Format it: no host data and no mapping left."""
        self._ask("purge")
        return Purged(Freshness.FRESH, "the model's format command")

    def truth(self) -> dict[str, Any]:
        """What is really going on inside, for tests and the curious."""
        return self._ask("truth")

    def sensors(self) -> bytes:
        """What its sensors say, as JSON (`vdrive::Sensors`).

        Raises:
            DriveError: The server does not answer.
        """
        return self._asked("sensors")

    def said(self) -> Mapping[str, str]:
        """No program knows a virtual drive; it tells all of itself in its specification."""
        return {}

    def lateness(self) -> Lateness:
        """How late replies left so far.

        Raises:
            DriveError: The server does not answer.
        """
        said = self._ask("lateness")
        return Lateness(count=said["count"], total_ns=said["total_ns"], bins=dict(said["bins"]))

    def findings(self) -> tuple[str, ...]:
        """How late the host answered compared with the model."""
        lateness = self._ask("lateness")
        named = (("median", "p50_ns"), ("99 %", "p99_ns"), ("largest", "max_ns"))
        # The server leaves out a percentile that too few replies lie above.
        known = [(words, lateness[key]) for words, key in named if lateness[key] is not None]
        if not known:
            return ()
        late = ", ".join(f"{late_ns / NS_PER_US:,.0f} µs ({words})" for words, late_ns in known)
        return (f"virtual drive: {lateness['count']:,} completions left after their due time by {late}",)

    def close(self) -> None:
        """End the server and remove its sockets."""
        for stream in (self._server.stdin, self._server.stdout, self._server.stderr):
            if stream is not None:
                stream.close()
        try:
            self._server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _ask(self, what: str) -> dict[str, Any]:
        """One question over the control socket.

        Raises:
            DriveError: The server does not answer, or refuses.
        """
        try:
            answer: dict[str, Any] = json.loads(self._asked(what))
        except ValueError as error:
            raise DriveError(f"the virtual drive's server does not answer `{what}`: {error}") from error
        if "error" in answer:
            raise DriveError(f"the virtual drive refuses `{what}`: {answer['error']}")
        return answer

    def _asked(self, what: str) -> bytes:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(_ANSWER_LIMIT_S)
                connection.connect(str(self._control))
                connection.sendall(json.dumps({"do": what}).encode() + b"\n")
                with connection.makefile("rb") as lines:
                    return lines.readline()
        except OSError as error:
            raise DriveError(f"the virtual drive's server does not answer `{what}`: {error}") from error
