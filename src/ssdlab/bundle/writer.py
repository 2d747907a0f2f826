"""The process that writes a bundle, found by the lock that it has on the journal: what a bundle says of it, anybody may have written."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import open_inside

_LOCKS = Path("/proc/locks")
"""Lines like `1: FLOCK  ADVISORY  WRITE 708 08:02:1234 0 EOF` (proc_locks(5)); those of who waits have an arrow behind the number."""


def ask_to_end(bundle: Path) -> bool:
    """Ask the process that writes a bundle to end, as a service manager does: it notes how far it came, and lets go of the drive.

    Returns:
        Whether there is one, and it may be asked by whoever calls this.
    """
    try:
        journal = open_inside(bundle, layout.JOURNAL)
    except (OSError, DamagedFile):
        return False
    try:
        mark = os.fstat(journal)
    finally:
        os.close(journal)
    return any(_asked(process_id, mark) for process_id in _holders(mark.st_ino))


def _holders(inode: int) -> Iterator[int]:
    """Processes that have a file of that number to themselves, on whatever file system."""
    try:
        lines = _LOCKS.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        match line.split():
            case [_, "FLOCK", _, "WRITE", process_id, place, *_] if place.rpartition(":")[2] == str(inode):
                # Of another namespace it is 0.
                if int(process_id) > 0:
                    yield int(process_id)


def _asked(process_id: int, journal: os.stat_result) -> bool:
    try:
        # Between the look that follows and the signal, its number cannot become that of another process.
        held = os.pidfd_open(process_id)
    except OSError:
        return False
    try:
        if not _has_open(process_id, journal):
            return False
        signal.pidfd_send_signal(held, signal.SIGTERM)
    except OSError:
        return False
    finally:
        os.close(held)
    return True


def _has_open(process_id: int, journal: os.stat_result) -> bool:
    for link in Path(f"/proc/{process_id}/fd").iterdir():
        try:
            found = link.stat()
        except OSError:
            # It was closed meanwhile.
            continue
        if (found.st_dev, found.st_ino) == (journal.st_dev, journal.st_ino):
            return True
    return False
