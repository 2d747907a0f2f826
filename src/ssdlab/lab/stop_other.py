"""Stopping a run that another process does, as Ctrl-C on its terminal would: what is finished stays, and the journal says how it ended."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.stop_asked import AskedIn, StopAsked, forget_stop_asked, note_stop_asked
from ssdlab.errors import SsdlabError
from ssdlab.message import message

_LOCKS = Path("/proc/locks")
"""Lines like `1: FLOCK  ADVISORY  WRITE 708 08:02:1234 0 EOF` (proc_locks(5)); those of who waits have an arrow behind the number."""


class CannotStop(SsdlabError):  # noqa: N818 - the error is the state
    """Nothing was asked of anybody."""


def writer_of(bundle: Path) -> int | None:
    """The process that writes a run, by the lock it has on the journal: what a bundle says of it, anybody may have written.

    Returns:
        None where there is none, or it is in another container.

    Raises:
        CannotStop: It belongs to another user, who alone may look.
    """
    try:
        inode = (bundle / layout.JOURNAL).stat(follow_symlinks=False).st_ino
        lines = _LOCKS.read_text().splitlines()
    except OSError:
        return None
    return next((one for one in _holders(lines, inode) if _writes(one, bundle)), None)


def _holders(lines: Sequence[str], inode: int) -> Iterator[int]:
    """Processes that have a file of that number to themselves, on whatever file system."""
    for line in lines:
        match line.split():
            case [_, "FLOCK", _, "WRITE", process_id, place, *_] if place.rpartition(":")[2] == str(inode):
                # Of another namespace it is 0.
                if int(process_id) > 0:
                    yield int(process_id)


def stop_other(bundle: Path, process_id: int, asked_in: AskedIn) -> None:
    """Ask the process that writes a run to end it.

    That is SIGTERM: the first Ctrl-C may end no more than a step, and whoever started the run may have made it deaf to that.

    Args:
        bundle: Of the run.
        process_id: As `writer_of` said when somebody was asked whether to; it must still have the journal to itself.
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
