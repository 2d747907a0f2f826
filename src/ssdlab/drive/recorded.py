"""A drive's I/O recorded from the running kernel, into a trace."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ssdlab import _core, os_errors
from ssdlab.drive.access import DriveError
from ssdlab.drive.block.facts import DeviceNumber
from ssdlab.drive.block.node import DriveMarks, marks_in, marks_of
from ssdlab.drive.block.related import related
from ssdlab.drive.block.sysfs import SYSFS, block, device_number, directory_of, said
from ssdlab.errors import UsageError
from ssdlab.host.kernel import Kernel
from ssdlab.host.tracing import Tracing, tracing
from ssdlab.message import message
from ssdlab.place import require_file
from ssdlab.trace.damage import TraceFileError, in_words
from ssdlab.trace.look import TraceMeta
from ssdlab.trace.make import Wanted, import_trace

_LOOK_S_MAX = 0.25
"""With the time that a disk takes, less than a second is lost when the power is."""
_LOOK_S_MIN = 0.005
_FULL_SHARE = 1 / 8
"""Of a buffer: where a look found more, the next one comes sooner."""


@dataclass(frozen=True, slots=True)
class RecordedDrive:
    """What is to be recorded.

    Attributes:
        name: What it is called in the trace: its model, or its name in the kernel if it tells none.
        journal_on_it: Whether what is recorded is written to the drive itself.
    """

    path: Path
    name: str
    marks: DriveMarks
    journal: Path
    out: Path
    journal_on_it: bool


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came of it.

    Attributes:
        gone: Whether the drive went away meanwhile, which ended it.
    """

    ios: int
    meta: TraceMeta
    gone: bool


def recordable(path: Path, out: Path) -> RecordedDrive:
    """A drive of which a trace can be written there.

    Raises:
        DriveError: It is none, or one whose requests the kernel does not tell of.
        UsageError: What an earlier recording left for the same trace is still there.
        SsdlabError: Nothing can be written there.
        OSError: The name cannot even be looked at.
    """
    marks = marks_of(path)
    directory = block(marks.name).resolve()
    if not (directory / "mq").is_dir():
        below = ", ".join(sorted(other.directory.name for other in related(marks.name)))
        hint = message("trace-record-hint-below", below=below) if below else message("drive-list-hint")
        raise DriveError(message("trace-record-no-requests", path=str(path)), hint)
    require_file(out)
    journal = out.with_name(f"{out.name}.ioreq")
    if journal.exists():
        raise UsageError(
            message("trace-record-left", path=str(journal)),
            message("trace-record-hint-left", path=str(journal), out=str(out)),
        )
    model = said(directory / "device/model") or marks.name
    return RecordedDrive(path, model, marks, journal, out, _is_on(out.absolute().parent, marks.name))


def record(drive: RecordedDrive, licence: str | None) -> Recorded:
    """Record until Ctrl-C, or until the drive goes away, and make the trace.

    Raises:
        TracingError: The kernel does not trace, or not for us.
        TraceFileError: Something failed meanwhile; what was recorded until then is left, and it is said how to make a trace of it.
        OSError: Something failed before it began.
    """
    with tracing(Kernel(SYSFS)) as instance:
        gone = _record(drive, instance)
    with _keeping(drive):
        ios, meta = import_trace([drive.journal], Wanted(licence=licence), drive.out)
    drive.journal.unlink()
    return Recorded(ios, meta, gone)


def _record(drive: RecordedDrive, instance: Tracing) -> bool:
    major, minor = (int(part) for part in drive.marks.number.split(":"))
    size_bytes = drive.marks.size_bytes
    with in_words():
        recorder = _core.TraceRecorder(instance.path, (major, minor), size_bytes, drive.name, drive.journal)
    gone = False
    with _keeping(drive):
        try:
            # Its operator ends a recording by Ctrl-C.
            with suppress(KeyboardInterrupt):
                instance.switch_on(major, minor)
                _look_until_gone(drive, recorder, instance.buffer_bytes)
                gone = True
        finally:
            instance.switch_off()
            recorder.end()
            # It has files of the instance open, which could not be removed otherwise.
            del recorder
    return gone


def _look_until_gone(drive: RecordedDrive, recorder: _core.TraceRecorder, buffer_bytes: int) -> None:
    look_s = _LOOK_S_MAX
    while _is_there(drive):
        time.sleep(look_s)
        _, _, fullest_bytes = recorder.round()
        is_busy = fullest_bytes > buffer_bytes * _FULL_SHARE
        look_s = max(_LOOK_S_MIN, look_s / 2) if is_busy else min(_LOOK_S_MAX, look_s * 2)


def _is_there(drive: RecordedDrive) -> bool:
    try:
        now = marks_in(block(drive.marks.name).resolve())
    except (OSError, ValueError):
        return False
    return (now.number, now.diskseq) == (drive.marks.number, drive.marks.diskseq)


def _is_on(directory: Path, name: str) -> bool:
    """Whether a directory lies on a drive; of a file system that the kernel tells no device of nobody knows."""
    number: DeviceNumber = device_number(directory.stat().st_dev)
    found = directory_of(number)
    if not found.is_dir():
        return False
    drive = block(name).resolve()
    over = {one.directory for one in related(found.name)} if (found / "slaves").is_dir() else set()
    return drive in {found, found.parent, *over}


@contextmanager
def _keeping(drive: RecordedDrive) -> Iterator[None]:
    """With what is to be done with what was recorded until something failed."""
    hint = message("trace-record-hint-left", path=str(drive.journal), out=str(drive.out))
    try:
        with in_words():
            yield
    except OSError as error:
        why = os_errors.in_words(error)
        raise TraceFileError(why.message, *why.hints, hint) from error
    except TraceFileError as error:
        raise TraceFileError(error.message, hint) from error
