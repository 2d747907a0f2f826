"""An instance of the kernel's tracing for one recording: buffers and switches of its own, beside whatever else is traced.

It is gone after the recording. Should the recorder be killed, a small process that outlives it takes the instance away; should that be
killed, too, the next recording does.
"""

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ssdlab.errors import SsdlabError
from ssdlab.host import tracing_guard
from ssdlab.host.kernel import Kernel
from ssdlab.message import message

_PLACES = ("kernel/tracing", "kernel/debug/tracing")
"""Of tracefs below sysfs; the older place is still mounted by some distributions only."""
_OURS = "ssdlab-"
_EVENTS = ("block_rq_issue", "block_rq_requeue", "block_rq_complete")
_BUFFER_BYTES_MAX = 2 << 20
"""Of a processor: 100,000 I/Os a second, seen four times a second."""
_BUFFERS_BYTES_MAX = 256 << 20
"""Of all of them."""
_MINOR_BITS = 20
"""Of the kernel's own device numbers (`MINORBITS`)."""


class TracingError(SsdlabError):
    """The kernel does not trace, or not for us."""


@dataclass(frozen=True, slots=True)
class Tracing:
    """An instance, by its directory."""

    path: Path

    @property
    def buffer_bytes(self) -> int:
        """Of one processor."""
        return int((self.path / "buffer_size_kb").read_text().split()[0]) << 10

    def switch_on(self, major: int, minor: int) -> None:
        """Let the kernel write down what happens to requests of a drive.

        Raises:
            OSError: It does not.
        """
        for event in _EVENTS:
            # A kernel without filters writes down more, which is left out later.
            with suppress(FileNotFoundError):
                _write(self.path / "events/block" / event / "filter", f"dev == {major << _MINOR_BITS | minor}")
            _write(self.path / "events/block" / event / "enable", "1")

    def switch_off(self) -> None:
        """Let it write down nothing more.

        Raises:
            OSError: It does not.
        """
        _write(self.path / "events/enable", "0")


@contextmanager
def tracing(kernel: Kernel) -> Iterator[Tracing]:
    """An instance with everything switched off; nothing of it may be open any more in the end.

    Raises:
        TracingError: There is no tracing, or it is not for us.
        OSError: It fails.
    """
    instances = _instances(kernel)
    held, path = _made(instances)
    try:
        with _guarded(path):
            try:
                _prepare(path)
                yield Tracing(path)
            finally:
                path.rmdir()
    finally:
        os.close(held)


def _instances(kernel: Kernel) -> Path:
    """The directory of all instances."""
    for place in _PLACES:
        directory = kernel.sysfs / place / "instances"
        try:
            directory.stat()
        except FileNotFoundError:
            continue
        except PermissionError as error:
            raise TracingError(message("tracing-not-root"), message("tracing-hint-root")) from error
        if not (directory.parent / "events/block").is_dir():
            raise TracingError(message("tracing-no-events"), message("tracing-hint-kernel"))
        return directory
    if "[confidentiality]" in str(kernel.says(kernel.sysfs / "kernel/security/lockdown")):
        raise TracingError(message("tracing-locked-down"), message("tracing-hint-lockdown"))
    newer = kernel.sysfs / _PLACES[0]
    if not newer.is_dir():
        raise TracingError(message("tracing-none"), message("tracing-hint-kernel"))
    raise TracingError(message("tracing-not-mounted", path=str(newer)), message("tracing-hint-mount", path=str(newer)))


def _made(instances: Path) -> tuple[int, Path]:
    """A new instance and the lock that says that somebody lives in it; those whose owner was killed go before."""
    everybody = os.open(instances, os.O_RDONLY)
    try:
        fcntl.flock(everybody, fcntl.LOCK_EX)
        for left in instances.glob(f"{_OURS}*"):
            _remove_if_left(left)
        path = instances / f"{_OURS}{os.getpid()}"
        try:
            path.mkdir()
        except PermissionError as error:
            if error.errno == errno.EACCES:
                raise TracingError(message("tracing-not-root"), message("tracing-hint-root")) from error
            raise TracingError(message("tracing-locked-down"), message("tracing-hint-lockdown")) from error
        held = os.open(path, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
    finally:
        os.close(everybody)
    return held, path


def _remove_if_left(instance: Path) -> None:
    """What cannot be removed is used by somebody after all."""
    with suppress(OSError):
        held = os.open(instance, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            instance.rmdir()
        finally:
            os.close(held)


@contextmanager
def _guarded(path: Path) -> Iterator[None]:
    """With a process that removes the instance once this one is gone."""
    command = [sys.executable, "-I", "-S", str(tracing_guard.__file__), str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True):
        # Its standard input is closed at the end of this block at the latest, and it then ends by itself.
        yield


def _prepare(path: Path) -> None:
    processors = os.cpu_count() or 1
    buffer_bytes = min(_BUFFER_BYTES_MAX, _BUFFERS_BYTES_MAX // processors)
    # What finds no room is to be left out and counted, and nothing that was written is to be replaced.
    _write(path / "options/overwrite", "0")
    # One clock for all processors, and the one that the recorder can ask, too.
    _write(path / "trace_clock", "mono")
    _write(path / "buffer_size_kb", str(buffer_bytes >> 10))


def _write(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
