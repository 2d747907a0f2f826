"""Bursts of load with idle time around them at the start and end of a run, by which the log of a power meter finds the run's time.

They only read, so what is on the drive and the state it is in stay as they are. Each set has pauses of its own, drawn anew, so that the
log of another run does not fit. The kernel reads past its cache, on several threads, until the time of the burst is over; what counts is
not the plan but when the first read was given to the drive and the last one was done.
"""

import mmap
import os
import random
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from enum import Enum
from itertools import repeat

from ssdlab.bundle.power import MarkPlace, PowerBurst, PowerMarks
from ssdlab.bundle.warning import WarningKind
from ssdlab.drive.access import Drive, IoPath
from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.errors import SsdlabError
from ssdlab.lab.lifecycle import Run
from ssdlab.message import message
from ssdlab.os_errors import reason_of
from ssdlab.units import MIB, NS_PER_MS

_BURSTS = 5
_BURST_NS = 200 * NS_PER_MS
_PAUSES_MS = range(250, 800, 50)
_IDLE_S = 1.0
_READERS = 8
_READ_BYTES = MIB


class CannotMark(SsdlabError):  # noqa: N818 - the error is the state
    """The drive cannot be given bursts of reads."""


class Marking(Enum):
    """Whether a run makes marks for a power meter."""

    PLAIN = "plain"
    MARKED = "marked"


@contextmanager
def marked(run: Run, drive: Drive, marking: Marking) -> Iterator[None]:
    """Marks before what is done and after it, in the journal; none at the end of what did not come to it.

    Raises:
        CannotMark: The drive cannot be read before anything is done.
    """
    if marking is Marking.PLAIN:
        yield
        return
    run.writer.power_marks(run.now_ns(), power_marks(drive, MarkPlace.START, run.now_ns))
    yield
    try:
        behind = power_marks(drive, MarkPlace.END, run.now_ns)
    except CannotMark as error:
        # What was measured is whole without them.
        run.warn(WarningKind.DRIVE, error.message)
        return
    run.writer.power_marks(run.now_ns(), behind)


def require_markable(drive: Drive) -> None:
    """Make sure that marks can be made, before anything is done.

    Raises:
        CannotMark: The drive is no device or file that the kernel reads.
    """
    if drive.spec_text is not None or drive.address.io_path is IoPath.NBD:
        raise CannotMark(message("lab-marks-no-power"), message("lab-hint-marks-real"))


def power_marks(drive: Drive, place: MarkPlace, now_ns: Callable[[], int]) -> PowerMarks:
    """Make them, with a second of rest before and after.

    Raises:
        CannotMark: The drive cannot be read.
    """
    pauses_s = [one / 1000 for one in random.Random(secrets.randbits(64)).sample(_PAUSES_MS, _BURSTS)]  # noqa: S311 - no secret
    try:
        descriptor = os.open(_node(drive), os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
    except OSError as error:
        raise _unread(error) from error
    try:
        size_bytes = os.lseek(descriptor, 0, os.SEEK_END)
        if size_bytes < _READ_BYTES:
            raise CannotMark(message("lab-marks-nothing-to-read"), message("lab-hint-marks-fill"))
        bursts = []
        with ThreadPoolExecutor(_READERS) as readers:
            time.sleep(_IDLE_S)
            for pause_s in pauses_s:
                bursts.append(_burst(readers, descriptor, size_bytes, now_ns))
                time.sleep(pause_s)
            time.sleep(_IDLE_S)
    except OSError as error:
        raise _unread(error) from error
    finally:
        with suppress(OSError):
            os.close(descriptor)
    return PowerMarks(place, tuple(bursts))


def _node(drive: Drive) -> str:
    """The drive by the descriptor that holds it, where one does: what its name leads to may have changed."""
    held = drive.descriptor if isinstance(drive, BlockDevice) else drive.address.descriptor
    return drive.address.location if held is None else f"/proc/self/fd/{held}"


def _burst(readers: ThreadPoolExecutor, descriptor: int, size_bytes: int, now_ns: Callable[[], int]) -> PowerBurst:
    until_ns = time.monotonic_ns() + _BURST_NS
    begin_ns = now_ns()
    list(readers.map(_read_until, repeat(descriptor, _READERS), repeat(size_bytes), repeat(until_ns)))
    return PowerBurst(begin_ns, now_ns())


def _read_until(descriptor: int, size_bytes: int, until_ns: int) -> None:
    chance = random.Random(secrets.randbits(64))  # noqa: S311 - no secret
    with mmap.mmap(-1, _READ_BYTES) as memory:
        while time.monotonic_ns() < until_ns:
            os.preadv(descriptor, [memory], chance.randrange(size_bytes // _READ_BYTES) * _READ_BYTES)


def _unread(error: OSError) -> CannotMark:
    return CannotMark(message("lab-marks-unread", why=reason_of(error)), message("lab-hint-marks-real"))
