"""The journal: one durable line for each thing that happened, in order; a torn last line is expected and told apart."""

import fcntl
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from types import TracebackType, UnionType
from typing import Any, BinaryIO, Self

from ssdlab.bundle import layout, mark, seal
from ssdlab.bundle.files import open_inside
from ssdlab.bundle.mark import FileMark
from ssdlab.bundle.model import SEALED_SINCE
from ssdlab.bundle.seal import LineState, SealedLine
from ssdlab.bundle.totals import TOTALS_ADAPTER, StepTotals
from ssdlab.durable import sync_directory
from ssdlab.errors import SsdlabError
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.message import Message, message, number
from ssdlab.message_json import remark_from_json

_LOCK_TRIES, _LOCK_AGAIN_S = 5, 0.01


class RunBusyError(SsdlabError):
    """Another ssdlab is writing this run."""


class Event(Enum):
    """What can happen in a run."""

    PLAN = "plan"
    STEPS_ADDED = "steps_added"
    """A search asked for measurements that the plan could not know."""
    STEP_ANNOUNCED = "step_announced"
    """A step may begin at once when those before it are over, and what it may write; that it has begun is said later."""
    STEP_WITHDRAWN = "step_withdrawn"
    """It counts as not yet done, and what it wrote before it was ended."""
    STEP_STARTED = "step_started"
    CHECKPOINT = "checkpoint"
    COUNTED = "counted"
    """The drive's and the kernel's counters of bytes written, so that a resumed run can tell whether others wrote too."""
    STEP_FINISHED = "step_finished"
    STEP_INTERRUPTED = "step_interrupted"
    STEP_FAILED = "step_failed"
    STEP_SKIPPED = "step_skipped"
    STEP_REPEATED = "step_repeated"
    """Measuring stood still while the step was done, so it is done again; what it had measured is kept aside."""
    DISPLAY_LOST = "display_lost"
    """Nobody sees the run any more, and it goes on."""
    WARNING = "warning"
    DRIVE_SAID = "drive_said"
    """What the programs that know drives say of it was kept in files."""
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
    POWER_MARKS = "power_marks"
    """Bursts of load that the log of a power meter shows, by which its clock is found."""
    STEPS_THINNED = "steps_thinned"
    """Finished steps of which only the totals stay; the lines of each of them are gone."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the journal."""

    event: Event
    at: str
    """UTC, ISO 8601."""
    clock_ns: int
    """Since the start of the run, on the run's own clock (virtual for the model engine)."""
    data: dict[str, Any]
    totals: tuple[StepTotals, ...] = ()
    """Of the steps it is about, where it says them."""
    files: Mapping[str, FileMark] = field(default_factory=lambda: mark.NO_MARKS)
    """That were whole when the line was written, where it says them."""
    standing: LineState = LineState.SOUND
    """Of its line."""


class Journal:
    """Appends happenings; each is on the medium before the next thing is done. There is one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open it for appending, after its last whole line.

        Raises:
            RunBusyError: Another process is writing it.
            OSError: It cannot be written to.
        """
        self._path = path
        self._file = _opened_for_append(path)
        # Whoever had it may have put another file in its place before letting go of this one.
        if not (_locked(self._file) and os.path.samestat(os.fstat(self._file.fileno()), path.stat())):
            self._file.close()
            raise RunBusyError(message("bundle-busy", path=str(path.parent)), message("bundle-busy-remedy"))
        self._drop_torn_line(path)
        sync_directory(path.parent)

    def _drop_torn_line(self, path: Path) -> None:
        """What was torn was never acknowledged, and the next line must not be glued to it."""
        content = path.read_bytes()
        self._file.truncate(content.rfind(b"\n") + 1)
        *lines, _ = content.split(b"\n")
        self._digest = seal.digest_of(lines[-1]) if lines else seal.FIRST

    def append(self, event: Event, clock_ns: int, /, **data: object) -> None:
        """Write one line and wait until it is durable.

        Raises:
            OSError: The host's file system refused, e.g. because it is full.
        """
        line = seal.sealed(_body(event, clock_ns, data), self._digest)
        # Ctrl-C between writing the line and keeping its digest would break the seal of all lines after it.
        with uninterrupted():
            _append_durably(self._file.fileno(), line + b"\n")
            self._digest = seal.digest_of(line)

    def rewrite(self, keep: Callable[[JournalEntry], bool], event: Event, clock_ns: int, /, **data: object) -> None:
        """Put a journal in its place that has only the lines to be kept, and one more: whole, or not at all.

        Raises:
            OSError: The host's file system refused; the journal is as it was.
        """
        temporary = self._path.with_name(self._path.name + ".partial")
        *lines, _ = self._path.read_bytes().split(b"\n")
        kept = [line for line in seal.opened(lines) if (one := _happening_of(line)) is None or keep(one)]
        written = list(seal.sealed_again([*kept, SealedLine(b"", _body(event, clock_ns, data), LineState.SOUND)]))
        before = self._digest
        temporary.unlink(missing_ok=True)
        old, new = self._file, temporary.open("xb")
        try:
            fcntl.flock(new, fcntl.LOCK_EX | fcntl.LOCK_NB)
            new.writelines(line + b"\n" for line in written)
            new.flush()
            os.fsync(new.fileno())
            self._file, self._digest = new, seal.digest_of(written[-1])
            temporary.replace(self._path)
        except BaseException:
            # Ctrl-C may come when the new one is in its place already, and then the next line belongs there.
            if temporary.exists():
                self._file, self._digest, old = old, before, new
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


def _opened_for_append(path: Path) -> BinaryIO:
    """The journal; never what a link in its place points to."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o666), "ab")


def _locked(file: BinaryIO) -> bool:
    """Whether it is ours alone now; who only looks whether it is being written has it for less than a moment."""
    for _ in range(_LOCK_TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_LOCK_AGAIN_S)
        else:
            return True
    return False


def _append_durably(descriptor: int, line: bytes) -> None:
    """All of the line or nothing: what a full disk took of it is taken back, so that the next line begins at its place."""
    begin = os.lseek(descriptor, 0, os.SEEK_END)
    try:
        written = 0
        while written < len(line):
            written += os.write(descriptor, line[written:])
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, begin)
        raise


def _body(event: Event, clock_ns: int, data: Mapping[str, object]) -> bytes:
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    return layout.one_line_json({"event": event.value, "at": at, "clock_ns": clock_ns, **data}).removesuffix(b"\n")


def read_journal(path: Path) -> tuple[list[JournalEntry], list[Message]]:
    """Read what can be read, and say what could not.

    Returns:
        The happenings in order, and a message for each fault.

    Raises:
        DamagedFile: It is a link, or no file.
        OSError: It cannot be read.
    """
    try:
        descriptor = open_inside(path.parent, path.name)
    except FileNotFoundError:
        return [], [message("damage-of-file", file=path.name, what=message("damage-missing"))]
    with os.fdopen(descriptor, "rb") as file:
        content = file.read()
    return happenings_in(content)


def happenings_in(content: bytes) -> tuple[list[JournalEntry], list[Message]]:
    """What a journal says, and a message for each fault."""
    *lines, tail = content.split(b"\n")
    happenings: list[JournalEntry] = []
    faults: list[Message] = []
    if tail:
        faults.append(message("damage-journal-torn", file=layout.JOURNAL, line=number(len(lines) + 1, "d")))
    for place, line in enumerate(seal.opened(lines), start=1):
        one = _happening_of(line)
        if one is None or _lost_its_digest(one):
            faults.append(message("damage-journal-line", file=layout.JOURNAL, line=number(place, "d")))
        else:
            happenings.append(one)
    return happenings, faults


def _lost_its_digest(one: JournalEntry) -> bool:
    """Only the first line of a journal says whether it was begun when lines had none."""
    if one.standing is LineState.SOUND or one.event is not Event.PLAN:
        return False
    schema = one.data["run"].get("schema")
    return not isinstance(schema, int) or schema >= SEALED_SINCE


_NEEDED: Mapping[Event, Mapping[str, type | UnionType]] = {
    Event.PLAN: {"run": dict, "steps": list},
    Event.STEPS_ADDED: {"steps": list},
    Event.STEP_ANNOUNCED: {"index": int, "state": str, "written_bytes_max": int | None},
    Event.STEP_WITHDRAWN: {"index": int, "written_bytes": int},
    Event.STEP_STARTED: {"index": int, "state": str},
    Event.CHECKPOINT: {"index": int, "bytes_done": int | None},
    Event.COUNTED: {"drive_bytes": int | dict, "kernel_bytes": int | dict},
    Event.STEP_FINISHED: {"index": int, "files": dict},
    Event.STEP_INTERRUPTED: {"index": int},
    Event.STEP_FAILED: {"index": int},
    Event.STEP_SKIPPED: {"index": int},
    Event.STEP_REPEATED: {"index": int},
    Event.WARNING: {"text": Message},
    Event.HOST: {"tuning": dict},
    Event.HOST_RESTORED: {"restoration": dict},
    Event.RUN_RESUMED: {"redo": list},
    Event.POWER_MARKS: {"power_marks": dict},
}
"""What a line of each event must hold for the rest of ssdlab to rely on it."""


_REMARKS = {"note", "reason", "text"}
"""What a line may tell its reader."""


def _happening_of(line: SealedLine) -> JournalEntry | None:
    """None of a line that is damaged."""
    if line.standing is LineState.DAMAGED:
        return None
    try:
        return _happening(line)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _happening(line: SealedLine) -> JournalEntry:
    data = dict(layout.read_json(line.body))
    event = Event(data.pop("event"))
    data |= {key: remark_from_json(data[key]) for key in _REMARKS & data.keys()}
    for key, kind in _NEEDED.get(event, {}).items():
        if not isinstance(data[key], kind):
            raise TypeError(f"{key} is no {kind}")
    return JournalEntry(
        event=event,
        at=str(data.pop("at")),
        clock_ns=int(data.pop("clock_ns")),
        totals=TOTALS_ADAPTER.validate_python(data.pop("totals", ())),
        files=mark.from_json(data.pop("files", mark.NO_MARKS)),
        data=data,
        standing=line.standing,
    )
