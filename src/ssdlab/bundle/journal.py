"""The journal: one durable line for each thing that happened, in order; a torn last line is expected and told apart."""

import fcntl
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from types import TracebackType, UnionType
from typing import Any, Self

from ssdlab.bundle import layout
from ssdlab.bundle.totals import TOTALS_ADAPTER, Totals
from ssdlab.durable import sync_directory
from ssdlab.errors import SsdlabError


class RunBusyError(SsdlabError):
    """Another ssdlab is writing this run."""


class Event(Enum):
    """What can happen in a run."""

    PLAN = "plan"
    STEPS_ADDED = "steps_added"
    """A search asked for measurements that the plan could not know."""
    STEP_STARTED = "step_started"
    CHECKPOINT = "checkpoint"
    COUNTED = "counted"
    """The drive's and the kernel's counters of bytes written, so that a resumed run can tell whether others wrote too."""
    STEP_FINISHED = "step_finished"
    STEP_INTERRUPTED = "step_interrupted"
    STEP_FAILED = "step_failed"
    STEP_SKIPPED = "step_skipped"
    WARNING = "warning"
    HOST = "host"
    """How the host was found, and what of it was set for measuring."""
    HOST_RESTORED = "host_restored"
    """What of it was put back."""
    RUN_FINISHED = "run_finished"
    RUN_INTERRUPTED = "run_interrupted"
    RUN_FAILED = "run_failed"
    RUN_STOPPED = "run_stopped"
    RUN_RESUMED = "run_resumed"
    """The run goes on: the steps it names count as not yet done, whatever was said of them before."""
    STEPS_THINNED = "steps_thinned"
    """Finished steps of which only the totals stay; the lines of each of them are gone."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of the journal."""

    event: Event
    at: str
    """UTC, ISO 8601."""
    clock_ns: int
    """Since the start of the run, on the run's own clock (virtual for the model engine)."""
    data: dict[str, Any]
    totals: tuple[Totals, ...] = ()
    """Of the steps it is about, where it says them."""


class Journal:
    """Appends happenings; each is on the medium before the next thing is done. There is one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open it for appending, after its last whole line.

        Raises:
            RunBusyError: Another process is writing it.
            OSError: It cannot be written to.
        """
        self._path = path
        self._file = path.open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it may have put another file in its place before letting go of this one.
            busy = not os.path.samestat(os.fstat(self._file.fileno()), path.stat())
        except BlockingIOError:
            busy = True
        if busy:
            self._file.close()
            raise RunBusyError(
                f"`{path.parent}` is being written by another ssdlab", "wait until it ends, or stop it with Ctrl-C"
            )
        self._drop_torn_line(path)
        sync_directory(path.parent)

    def _drop_torn_line(self, path: Path) -> None:
        """What was torn was never acknowledged, and the next line must not be glued to it."""
        content = path.read_bytes()
        self._file.truncate(content.rfind(b"\n") + 1)

    def append(self, event: Event, clock_ns: int, /, **data: object) -> None:
        """Write one line and wait until it is durable.

        Raises:
            OSError: The host's file system refused, e.g. because it is full.
        """
        self._file.write(_line(event, clock_ns, data))
        self._file.flush()
        os.fsync(self._file.fileno())

    def rewrite(self, keep: Callable[[Happening], bool], event: Event, clock_ns: int, /, **data: object) -> None:
        """Put a journal in its place that has only the lines to be kept, and one more: whole, or not at all.

        Raises:
            OSError: The host's file system refused; the journal is as it was.
        """
        temporary = self._path.with_name(self._path.name + ".partial")
        old, new = self._file, temporary.open("wb")
        try:
            fcntl.flock(new, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with self._path.open("rb") as lines:
                new.writelines(line for line in lines if (one := _happening_of(line)) is None or keep(one))
            new.write(_line(event, clock_ns, data))
            new.flush()
            os.fsync(new.fileno())
            self._file = new
            temporary.replace(self._path)
        except BaseException:
            # Ctrl-C may come when the new one is in its place already, and then the next line belongs there.
            if temporary.exists():
                self._file, old = old, new
                temporary.unlink()
            raise
        finally:
            old.close()
        sync_directory(self._path.parent)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _line(event: Event, clock_ns: int, data: Mapping[str, object]) -> bytes:
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    return layout.one_line_json({"event": event.value, "at": at, "clock_ns": clock_ns, **data})


def read_journal(path: Path) -> tuple[list[Happening], list[str]]:
    """Read what can be read, and say what could not.

    Returns:
        The happenings in order, and a sentence for each fault.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return [], [f"{path.name} is missing"]
    happenings: list[Happening] = []
    faults: list[str] = []
    tail = lines.pop()
    if tail:
        faults.append(f"{path.name} ends in the middle of line {len(lines) + 1}: the run stopped while writing it")
    for number, line in enumerate(lines, start=1):
        one = _happening_of(line)
        if one is None:
            faults.append(f"{path.name} line {number} is damaged")
        else:
            happenings.append(one)
    return happenings, faults


_NEEDED: Mapping[Event, Mapping[str, type | UnionType]] = {
    Event.PLAN: {"run": dict, "steps": list},
    Event.STEPS_ADDED: {"steps": list},
    Event.STEP_STARTED: {"index": int, "state": str},
    Event.CHECKPOINT: {"index": int, "bytes_done": int | None},
    Event.COUNTED: {"drive_bytes": int | dict, "kernel_bytes": int | dict},
    Event.STEP_FINISHED: {"index": int, "files": dict},
    Event.STEP_INTERRUPTED: {"index": int},
    Event.STEP_FAILED: {"index": int},
    Event.STEP_SKIPPED: {"index": int},
    Event.WARNING: {"text": str},
    Event.HOST: {"tuning": dict},
    Event.HOST_RESTORED: {"restoration": dict},
    Event.RUN_RESUMED: {"redo": list},
}
"""What a line of each event must hold for the rest of ssdlab to rely on it."""


def _happening_of(line: bytes) -> Happening | None:
    """None of a line that is damaged."""
    try:
        return _happening(json.loads(line))
    except (ValueError, KeyError, TypeError):
        return None


def _happening(fields: dict[str, Any]) -> Happening:
    data = dict(fields)
    totals = TOTALS_ADAPTER.validate_python(data.pop("totals", ()))
    happening = Happening(Event(data.pop("event")), str(data.pop("at")), int(data.pop("clock_ns")), data, totals)
    for key, kind in _NEEDED.get(happening.event, {}).items():
        if not isinstance(data[key], kind):
            raise TypeError(f"{key} is no {kind}")
    return happening
