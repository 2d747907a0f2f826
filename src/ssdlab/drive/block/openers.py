"""Programs that have a device or a file open for writing: the kernel lets several write to a drive, and tells only by /proc.

What cannot be seen there: descriptors on their way from one process to another, files that io_uring keeps without a
descriptor, threads that do not share their process's descriptors, and processes outside our PID namespace.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ssdlab.drive.block.facts import DeviceNumber, FileId, Opener
from ssdlab.drive.block.sysfs import PROC, device_number
from ssdlab.message import message
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

_INIT = "1"
"""It starts programs and writes to no drive itself, and sandboxes and containers hide what it has open even from root."""
_ENDED = (FileNotFoundError, ProcessLookupError)
_KINDS = (stat.S_IFBLK, stat.S_IFCHR, stat.S_IFREG)
_SHARED_AND_WRITABLE = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) .w.s ", re.MULTILINE)
"""A line of `maps` (proc(5))."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What is looked for, each with what it is called.

    Attributes:
        characters: Character devices by which a drive takes commands.
    """

    blocks: Mapping[DeviceNumber, str]
    characters: Mapping[DeviceNumber, str]
    files: Mapping[FileId, str]

    def name(self, status: os.stat_result) -> str | None:
        """What a file is called that is looked for."""
        if stat.S_ISBLK(status.st_mode):
            return self.blocks.get(device_number(status.st_rdev))
        if stat.S_ISCHR(status.st_mode):
            return self.characters.get(device_number(status.st_rdev))
        return self.files.get(FileId(status.st_dev, status.st_ino))


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that a process has open.

    Attributes:
        info: What tells how it is open; None of what is mapped for writing.
    """

    process: Path
    status: os.stat_result
    info: Path | None


def open_files(proc: Path = PROC) -> tuple[OpenFile, ...] | Unknown:
    """Every device and file that any process has open, or mapped for writing."""
    processes = [path for path in proc.iterdir() if path.name.isdecimal()]
    if proc / _INIT not in processes:
        return Unknown(message("unknown-processes-hidden", path=str(proc)))
    found: list[OpenFile] = []
    for process in processes:
        try:
            found += (one for one in _open_in(process) if stat.S_IFMT(one.status.st_mode) in _KINDS)
        except OSError as error:
            if process.name != _INIT or not isinstance(error, PermissionError):
                return Unknown(message("unknown-open-files", process=process.name, error=reason_of(error)))
    return tuple(found)


def _open_in(process: Path) -> Iterator[OpenFile]:
    """Of one process; what ended meanwhile has nothing open."""
    with suppress(*_ENDED):
        descriptors = list(_descriptors(process, process))
        if not any((process / "fd").iterdir()):
            # A thread may live on and write when the first one, whose descriptors these are, has ended, or did while they were read.
            descriptors = [one for thread in _others(process) for one in _descriptors(process, thread)]
        yield from descriptors
    with suppress(*_ENDED):
        yield from _mapped(process)


def _others(process: Path) -> Iterator[Path]:
    return (thread for thread in (process / "task").iterdir() if thread.name != process.name)


def _descriptors(process: Path, thread: Path) -> Iterator[OpenFile]:
    with os.scandir(thread / "fd") as entries:
        for entry in entries:
            with suppress(*_ENDED):
                yield OpenFile(process, entry.stat(), thread / "fdinfo" / entry.name)


def _mapped(process: Path) -> Iterator[OpenFile]:
    """What is mapped stays open when its descriptor was closed."""
    for line in _SHARED_AND_WRITABLE.finditer((process / "maps").read_bytes()):
        begin, end = (int(address, 16) for address in line.groups())
        with suppress(*_ENDED):
            yield OpenFile(process, (process / "map_files" / f"{begin:x}-{end:x}").stat(), None)


def openers(watched: Watched, seen: tuple[OpenFile, ...]) -> tuple[Opener, ...]:
    """Every process that may write to what is watched, but for ours and those that we started."""
    named = [(one, name) for one in seen if (name := watched.name(one.status)) is not None]
    writing = dict.fromkeys((one.process, name) for one, name in named if _can_write(one.info))
    return tuple(
        Opener(name, int(process.name), _command(process)) for process, name in writing if not _is_ours(process)
    )


def _can_write(info: Path | None) -> bool:
    if info is None:
        return True
    text = _read_info(info)
    if text is None:
        return False
    words = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    flags = int(words["flags"], 8)
    return flags & os.O_ACCMODE != os.O_RDONLY and not flags & os.O_PATH


def _read_info(info: Path) -> str | None:
    """None where it was closed; a thread that ended since has left its descriptors to the others of its process."""
    thread = info.parent.parent
    process = thread.parent.parent if thread.parent.name == "task" else thread
    with suppress(*_ENDED):
        return info.read_text()
    with suppress(*_ENDED):
        for other in _others(process):
            with suppress(*_ENDED):
                return (other / "fdinfo" / info.name).read_text()
    return None


def _is_ours(process: Path) -> bool:
    """Whether it is this process, or was started by it."""
    number = process.name
    while number not in {"0", str(os.getpid())}:
        try:
            # proc(5): the name in parentheses may hold anything, the parent comes second after it.
            number = (process.with_name(number) / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            return False
    return number != "0"


def _command(process: Path) -> str:
    try:
        return (process / "comm").read_text(errors="replace").strip()
    except OSError:
        return "ended"
