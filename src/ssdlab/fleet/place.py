"""The agent's own directory on a host: who this host is, the runs it has begun, and who is at a drive.

    agent.lock      held as long as an agent lives: there is one
    host-id         made at the first start
    drives/SERIAL   held as long as a run of the fleet is at the drive, and which run that was last; beside it what each has written
    runs/ID/        one run: its suite, what it said, and the lab with its bundle

Whether a drive is in use is asked of the kernel: it lets go of a lock with the process that holds it, however that ended.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from uuid import UUID, uuid4

from ssdlab.bundle.find import runs_below
from ssdlab.durable import write_durably
from ssdlab.errors import SsdlabError
from ssdlab.message import message

_AGENT, _HOST, _DRIVES, _RUNS = "agent.lock", "host-id", "drives", "runs"


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where one run is on its host."""

    path: Path

    @property
    def suite(self) -> Path:
        """What is to be done, as it was submitted."""
        return self.path / "suite.toml"

    @property
    def said(self) -> Path:
        """What the commands that did it said."""
        return self.path / "said.log"

    @property
    def process(self) -> Path:
        """Which process is at it."""
        return self.path / "process.json"

    @property
    def attempt(self) -> Path:
        """How often it was asked for."""
        return self.path / "attempt"

    @property
    def bundle(self) -> Path | None:
        """The run's bundle, once it is begun; what a power cut left before that is none."""
        return next(iter(runs_below(self.path)), None)

    def make(self, suite_text: str) -> None:
        """Put there what is to be done; raises OSError."""
        self.path.mkdir(parents=True, exist_ok=True)
        write_durably(self.suite, suite_text.encode())

    def asked_before(self, attempt: int) -> bool:
        """Whether an agent took up this attempt before: whatever ended a run then has not been answered since."""
        return self.attempt.exists() and int(self.attempt.read_bytes()) >= attempt

    def note_attempt(self, attempt: int) -> None:
        """An agent takes it up now; raises OSError."""
        write_durably(self.attempt, str(attempt).encode())

    def remove(self) -> None:
        """It is in the store."""
        shutil.rmtree(self.path, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class HeldDrive:
    """A drive that nobody of the fleet is at but who has this."""

    descriptor: int
    """To be inherited by the process that is to hold it."""
    ledger: Path
    """What each run of the fleet has written to it, in bytes."""

    @property
    def last_run(self) -> str:
        """The run that began last on it; empty where there was none."""
        return os.pread(self.descriptor, 100, 0).decode(errors="replace")

    def note_run(self, run: UUID) -> None:
        """That run begins on it now."""
        text = str(run).encode()
        os.pwrite(self.descriptor, text, 0)
        os.ftruncate(self.descriptor, len(text))
        os.fsync(self.descriptor)

    def written_bytes(self, without: UUID) -> int:
        """Written by all runs of the fleet but one."""
        return sum(size_bytes for run, size_bytes in self._ledger().items() if run != str(without))

    def note_written(self, run: UUID, size_bytes: int) -> None:
        """A run has written so much; raises OSError."""
        before = self._ledger()
        if before.get(str(run), 0) != size_bytes:
            write_durably(self.ledger, json.dumps({**before, str(run): size_bytes}).encode())

    def _ledger(self) -> dict[str, int]:
        if not self.ledger.exists():
            return {}
        found: dict[str, int] = json.loads(self.ledger.read_bytes())
        return found


class HostPlace:
    """The directory, ours as long as the process lives."""

    def __init__(self, state: Path) -> None:
        """Take it.

        Raises:
            SsdlabError: Another agent has it.
            OSError: It cannot be made.
        """
        self._state = state
        for directory in (state, state / _DRIVES, state / _RUNS):
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = os.open(state / _AGENT, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._lock)
            raise SsdlabError(
                message("fleet-second-agent", state=str(state)), message("fleet-hint-second-agent")
            ) from error
        self.host = self._host()

    def _host(self) -> UUID:
        path = self._state / _HOST
        if not path.exists():
            write_durably(path, str(uuid4()).encode())
        return UUID(path.read_text())

    def run(self, run: UUID) -> RunPlace:
        """Where a run is."""
        return RunPlace(self._state / _RUNS / str(run))

    def runs(self) -> tuple[UUID, ...]:
        """All runs that are not yet in the store."""
        return tuple(UUID(path.name) for path in (self._state / _RUNS).iterdir())

    @contextmanager
    def held(self, serial: str) -> Iterator[HeldDrive | None]:
        """The drive of that serial number; None where a run is at it. A process that inherits it holds it on.

        Raises:
            OSError: The lock cannot be made.
        """
        path = self._lock_of(serial)
        with _locked(path) as descriptor:
            yield None if descriptor is None else HeldDrive(descriptor, path.with_suffix(".written.json"))

    def is_at_another(self, serial: str) -> bool:
        """Whether a run of the fleet is at another drive of this host; raises OSError."""
        for path in (self._state / _DRIVES).glob("*.lock"):
            if path != self._lock_of(serial):
                with _locked(path) as descriptor:
                    if descriptor is None:
                        return True
        return False

    def _lock_of(self, serial: str) -> Path:
        # As a name of a file: no serial number leads elsewhere.
        return self._state / _DRIVES / f"{quote(serial, safe='')}.lock"

    def close(self) -> None:
        """Leave it to another agent."""
        os.close(self._lock)


@contextmanager
def _locked(path: Path) -> Iterator[int | None]:
    """A descriptor that locks the file; None where another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield None
    else:
        yield descriptor
    finally:
        os.close(descriptor)
