"""Runs in the guest: makes every situation, tries to open the drive for a run, and prints what came of it as JSON."""

import errno
import fcntl
import json
import os
import string
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from tests.kit.hints import hints_of
from tests.vm.situations import NOTHING, SITUATIONS, Answer, Named, Situation

from ssdlab.drive.access import DriveError
from ssdlab.drive.kinds.block import BlockDevice
from ssdlab.drive.target import BlockTarget

_DRIVES = {"A": "/dev/nvme0n1", "B": "/dev/nvme1n1", "S": "/dev/sda"}
_SERIALS = {"A": "NVME-ONE", "B": "NVME-4K", "S": "SATA-ONE"}
_MARKS_BYTES = 2 << 20
"""Whatever tells what is on a drive stands that close to its beginning or end."""
_LETTING_GO_S = 20
_BLKRRPART = 0x125F
"""<linux/fs.h>."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one situation.

    Attributes:
        trouble: What went wrong when it was made or taken down.
    """

    name: str
    answer: str
    said: str
    trouble: str


def judged(situation: Situation) -> Outcome:
    """Make it, look, take it down."""
    with tempfile.TemporaryDirectory() as place:
        trouble = _shell(situation.before, place)
        target = string.Template(situation.target).substitute(_DRIVES, T=place)
        answer, said = _opened(target, _erase(situation))
        trouble += _shell(situation.after, place)
    for drive in _DRIVES.values():
        try:
            empty(Path(drive))
        except OSError as error:
            trouble += f"{drive} could not be emptied: {error.strerror}"
    return Outcome(situation.name, answer.value, said, trouble)


def empty(drive: Path) -> None:
    """Forget what was on a drive."""
    with drive.open("r+b") as device:
        device.write(bytes(_MARKS_BYTES))
        device.seek(-_MARKS_BYTES, os.SEEK_END)
        device.write(bytes(_MARKS_BYTES))
        device.flush()
        os.fsync(device.fileno())
        reread_partitions(device)


def reread_partitions(device: BinaryIO) -> None:
    """Have the kernel forget the partitions; what held one lets go of it a moment after it was told to."""
    end_s = time.monotonic() + _LETTING_GO_S
    while True:
        try:
            fcntl.ioctl(device, _BLKRRPART)
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end_s:
                raise
            time.sleep(0.05)
        else:
            return


def _opened(target: str, erase: str | None) -> tuple[Answer, str]:
    try:
        BlockDevice(target, BlockTarget(Path(target)), erase).close()
    except DriveError as error:
        return Answer.REFUSED, "\n".join([str(error), *hints_of(error)])
    return Answer.OPENED, ""


def _erase(situation: Situation) -> str | None:
    called = string.Template(situation.serial).substitute(_DRIVES)
    right = called or _SERIALS.get(situation.target.strip("$"), _SERIALS["A"])
    return {Named.RIGHT: right, Named.WRONG: _SERIALS["B"], Named.NOT: None}[situation.named]


def _shell(script: str, place: str) -> str:
    if script == NOTHING:
        return ""
    # What stays in the background keeps the pipe of a shell open, so the complaints go to a file.
    complaints = Path(place).with_suffix(".complaints")
    with complaints.open("w") as stderr:
        done = subprocess.run(
            ["/bin/bash", "-e", "-c", script],
            check=False,
            env=_environment(place),
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            stdin=subprocess.DEVNULL,
        )
    return "" if done.returncode == 0 else f"`{script}`: status {done.returncode}: {complaints.read_text()}"


def _environment(place: str) -> dict[str, str]:
    return os.environ | _DRIVES | {"T": place}


def main() -> None:
    """Judge all of them."""
    print(json.dumps([asdict(judged(one)) for one in SITUATIONS], indent=1))


if __name__ == "__main__":
    main()
