"""What engines on a real clock have in common, whoever does the I/O."""

import os
import time
from dataclasses import dataclass

from ssdlab.drive.access import Drive, DriveError, FioAddress, IoPath
from ssdlab.drive.sense.reading import NoSensor, Sensor
from ssdlab.engine.base import EngineError, Progress, Watch
from ssdlab.host.kernel import Kernel
from ssdlab.message import message
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

LOOK_AFTER_NS = 5 * NS_PER_S
"""How long no byte may move before the drive is asked whether it is still there."""
GOING_S = 1.0
"""A drive that is pulled out fails its I/Os a moment before the kernel takes its name away."""


class IoUringForbidden(EngineError):  # noqa: N818 - the error is the state
    """The kernel's settings forbid the interface that the method asks for."""


@dataclass(frozen=True, slots=True)
class StallLimit:
    """How long no byte may move before a job counts as hung."""

    duration_ns: int = 300 * NS_PER_S


class RealTimeEngine:
    """The clock, the drive and what watches it."""

    def __init__(self, drive: Drive, stall_limit: StallLimit | None = None, sensor: Sensor | None = None) -> None:
        """Take the drive, how long it may stall, and what tells of its health meanwhile.

        Raises:
            IoUringForbidden: The kernel does not let this user use io_uring.
        """
        require_io_uring(drive.address, Kernel(), os.geteuid())
        self._drive = drive
        self._stall_limit = stall_limit or StallLimit()
        self._sensor: Sensor = sensor or NoSensor(message("unknown-sensor-not-asked"))
        self._made_ns = time.monotonic_ns()

    def now_ns(self) -> int:
        """Real time since the engine was made."""
        return time.monotonic_ns() - self._made_ns

    def rest(self, duration_ns: int, watch: Watch) -> None:
        """Sleep; the drive sees no I/O from here."""
        end_ns = time.monotonic_ns() + duration_ns
        while (left_ns := end_ns - time.monotonic_ns()) > 0:
            watch(Progress(1 - left_ns / duration_ns, None))
            time.sleep(min(left_ns, NS_PER_S // 4) / NS_PER_S)

    def _gone(self, after_s: float) -> DriveError | None:
        """What is wrong with the drive as a whole."""
        time.sleep(after_s)
        try:
            self._drive.check()
        except DriveError as error:
            return error
        return None

    @property
    def _device(self) -> str:
        """As the user knows it; a block device by the name the kernel's log has too."""
        address = self._drive.address
        return self._drive.identity.target if address.io_path is IoPath.NBD else address.location


def require_io_uring(address: FioAddress, kernel: Kernel, user_id: int) -> None:
    """Make sure that the kernel lets this user reach the drive by io_uring; to be asked before anything on it is erased.

    Raises:
        IoUringForbidden: `kernel.io_uring_disabled` says that it does not (Linux 6.6; 1: to root only, 2: to nobody).
    """
    forbidden = kernel.number(kernel.proc / "sys/kernel/io_uring_disabled")
    if address.io_path is IoPath.NBD or isinstance(forbidden, Unknown):
        return
    if forbidden == 2 or (forbidden == 1 and user_id != 0):
        raise IoUringForbidden(
            message("engine-io-uring-forbidden", value=str(forbidden)), message("engine-hint-allow-io-uring")
        )
