"""Stopping a run that another process does, as Ctrl-C on its terminal would: what is finished stays, and the journal says how it ended."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.stop_asked import AskedIn, StopAsked, forget_stop_asked, note_stop_asked
from ssdlab.errors import SsdlabError
from ssdlab.message import message

_ID_MAX = 1 << 22
"""Of processes, on any Linux (proc(5), `/proc/sys/kernel/pid_max`)."""


class CannotStop(SsdlabError):  # noqa: N818 - the error is the state
    """Nothing was asked of anybody."""


def stop_other(bundle: Path, process_id: int, asked_in: AskedIn) -> None:
    """Ask the process that writes a run to end it.

    That is SIGTERM: the first Ctrl-C may end no more than a step, and whoever started the run may have made it deaf to that.

    Args:
        bundle: Of the run.
        process_id: As its live points say, which anybody may have written: it must be seen to have the journal to itself.
        asked_in: Where somebody asked; the journal says it.

    Raises:
        CannotStop: That process does not write the run, or may not be signalled.
        OSError: The bundle cannot be written to.
    """
    with _held(process_id) as held:
        if held is None or not _writes(process_id, bundle):
            raise CannotStop(message("lab-no-such-writer", process=str(process_id)), message("lab-hint-its-host"))
        note_stop_asked(bundle, StopAsked(process_id, asked_in))
        try:
            signal.pidfd_send_signal(held, signal.SIGTERM)
        except (ProcessLookupError, PermissionError) as error:
            forget_stop_asked(bundle)
            raise CannotStop(message("lab-writer-not-reached", process=str(process_id))) from error


@contextmanager
def _held(process_id: int) -> Iterator[int | None]:
    """The process itself, whatever else gets its number later; None where there is none."""
    if not 1 < process_id <= _ID_MAX:
        yield None
        return
    try:
        descriptor = os.pidfd_open(process_id)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _writes(process_id: int, bundle: Path) -> bool:
    """Whether it has the lock on the journal, which only the writer has.

    Raises:
        CannotStop: It belongs to another user, who alone may look.
    """
    try:
        journal = (bundle / layout.JOURNAL).stat(follow_symlinks=False)
        opened = list(Path(f"/proc/{process_id}/fd").iterdir())
    except PermissionError as error:
        raise CannotStop(message("lab-writer-not-reached", process=str(process_id))) from error
    except OSError:
        return False
    return any(_is_locked(one, journal) for one in opened)


def _is_locked(opened: Path, journal: os.stat_result) -> bool:
    """Whether a file that a process has open is the journal, locked by it. See proc(5), `/proc/PID/fdinfo`, `lock`."""
    try:
        if not os.path.samestat(opened.stat(), journal):
            return False
        lines = (opened.parent.with_name("fdinfo") / opened.name).read_text().splitlines()
    except OSError:
        return False
    return any(line.startswith("lock:") and {"FLOCK", "WRITE"} <= set(line.split()) for line in lines)
