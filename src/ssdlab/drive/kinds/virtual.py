"""A virtual drive behind NBD: made for the run, gone after it."""

import json
import os
import socket
import subprocess
from collections.abc import Mapping
from typing import Any

from ssdlab import _core
from ssdlab.drive.access import DriveError, FioAddress, IoPath, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.drive.lateness import Lateness
from ssdlab.drive.nbd_uri import nbd_uri
from ssdlab.drive.target import SpecChoice
from ssdlab.message import Listed, Message, Separator, as_written, commas, listed, message, number, verbatim
from ssdlab.own_python import module_command
from ssdlab.scratch import Scratch
from ssdlab.units import NS_PER_US

_START_LIMIT_S = 30
_ANSWER_LIMIT_S = 60
_NBD, _CONTROL, _SPEC = "nbd", "control", "spec.toml"
_FORCED = "forced"
"""The server's export through which every write is forced (`nbd::wire::FORCED_EXPORT`)."""
_FAULTS_TOLD = 20
"""What is no specification at all has thousands of them, which say nothing more."""
_SOCKET_BYTES_MAX = 107
"""Of a unix socket's path: 108 in `sockaddr_un` with the zero at its end."""


class FaultySpec(DriveError):  # noqa: N818 - the error is the state
    """A spec with faults, a line each."""

    def __init__(self, headline: Message, *faults: str) -> None:
        self._lines = (headline, *map(verbatim, faults))
        super().__init__(listed(Listed(self._lines, Separator.LINE)))

    @property
    def lines(self) -> tuple[Message, ...]:
        """See `SsdlabError`."""
        return self._lines


def spec_facts(choice: SpecChoice) -> dict[str, Any]:
    """What a spec says of itself, after capacity and seed were applied.

    Raises:
        DriveError: The spec is faulty; its faults are listed with their lines, as many as are of use.
    """
    try:
        facts: dict[str, Any] = json.loads(_core.spec_facts(choice.text, choice.capacity_bytes, choice.seed))
    except _core.SpecError as error:
        told = [_fault_line(choice.name, *fault) for fault in error.faults[:_FAULTS_TOLD]]
        raise FaultySpec(message("drive-spec-faults", name=choice.name, count=len(error.faults)), *told) from error
    return facts


def _fault_line(name: str, line: int, key: str, fault: str) -> str:
    """A fault of the whole text has no key."""
    return f"{name}:{line}: {key}: {fault}" if key else f"{name}:{line}: {fault}"


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
        description=as_written(facts["description"]),
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
        self._scratch = Scratch()
        self._directory = self._scratch.path
        self._control = self._directory / _CONTROL
        _require_short_paths(self._scratch)
        nbd = self._directory / _NBD
        self.address = FioAddress(IoPath.NBD, nbd_uri(nbd), forced_location=nbd_uri(nbd, _FORCED))
        (self._directory / _SPEC).write_text(choice.text)
        self._server = subprocess.Popen(
            module_command("ssdlab.drive.kinds.serve", *_arguments(choice)),
            # Its arguments are names in there, because a `?` in a path would end the name of the spec.
            cwd=self._directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Ctrl-C belongs to the lab, which ends the server when the run is written down.
            start_new_session=True,
        )
        self._await_ready()

    def _await_ready(self) -> None:
        assert self._server.stdout is not None  # noqa: S101 - all three are pipes
        assert self._server.stderr is not None  # noqa: S101
        if not self._server.stdout.readline().startswith("ready"):
            words = self._server.stderr.read().strip()
            self.close()
            why, _, hint = words.removeprefix("error: ").partition("hint: ")
            raise DriveError(
                message("drive-virtual-not-started", why=why.strip()), *([verbatim(hint.strip())] if hint else [])
            )

    @property
    def process_id(self) -> int:
        """Of the server."""
        return self._server.pid

    def check(self) -> None:
        """See `Drive.check`."""
        if self._server.poll() is not None:
            raise DriveError(message("drive-virtual-ended", status=self._server.returncode))
        self._ask("info")

    def purge(self) -> Purged:
        """Format it: no host data and no mapping left."""
        self._ask("purge")
        return Purged(Freshness.FRESH, message("drive-purged-model"))

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

    def findings(self) -> tuple[Message, ...]:
        """How late the host answered compared with the model."""
        lateness = self._ask("lateness")
        # The server leaves out a percentile that too few replies lie above.
        known = [
            message("drive-late-by", late=number(lateness[f"{which}_ns"] / NS_PER_US, ",.0f"), which=which)
            for which in ("p50", "p99", "max")
            if lateness[f"{which}_ns"] is not None
        ]
        return (message("drive-late", count=number(lateness["count"]), late=commas(*known)),) if known else ()

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
        self._scratch.close()

    def _ask(self, what: str) -> dict[str, Any]:
        """One question over the control socket.

        Raises:
            DriveError: The server does not answer, or refuses.
        """
        try:
            answer: dict[str, Any] = json.loads(self._asked(what))
        except ValueError as error:
            raise DriveError(message("drive-virtual-silent", what=what, error=str(error))) from error
        if "error" in answer:
            raise DriveError(message("drive-virtual-refuses", what=what, why=str(answer["error"])))
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
            raise DriveError(message("drive-virtual-silent", what=what, error=str(error))) from error


def _require_short_paths(scratch: Scratch) -> None:
    """See that the sockets in a directory can have their names; it is removed if not.

    Raises:
        DriveError: The directory for temporary files has too long a name.
    """
    length = len(os.fsencode(scratch.path / _CONTROL))
    if length > _SOCKET_BYTES_MAX:
        scratch.close()
        raise DriveError(
            message(
                "drive-virtual-long-path",
                directory=str(scratch.path.parent),
                length=length,
                most=_SOCKET_BYTES_MAX,
            ),
            message("drive-shorter-path"),
        )


def _arguments(choice: SpecChoice) -> list[str]:
    query = [f"capacity={choice.capacity_bytes}B"] if choice.capacity_bytes is not None else []
    query += [f"seed={choice.seed}"] if choice.seed is not None else []
    spec = f"{_SPEC}?{'&'.join(query)}" if query else _SPEC
    return ["--socket", _NBD, "--control", _CONTROL, "--lifeline", spec]
