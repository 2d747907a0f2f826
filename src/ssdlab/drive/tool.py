"""Asking the programs that know drives: nvme-cli, smartctl, hdparm, blkid; looked up when they are needed."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ssdlab.unknown import Unknown

PACKAGES: Mapping[str, str] = MappingProxyType(
    {"nvme": "nvme-cli", "smartctl": "smartmontools", "hdparm": "hdparm", "blkid": "util-linux"}
)
"""Package of each program on Debian, Ubuntu and Fedora."""
_TIMEOUT_S = 20
_SYSTEM_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
"""Debian leaves the sbin directories out of an ordinary user's PATH."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program said."""

    status: int
    text: str
    complaint: str
    """First line of its standard error."""


def ask(program: str, *arguments: str) -> Answer | Unknown:
    """Run a program; unknown if it is missing or does not answer. Its exit status is for the caller to judge."""
    path = shutil.which(program) or shutil.which(program, path=_SYSTEM_PATH)
    if path is None:
        return Unknown(f"`{program}` is not installed (package {PACKAGES[program]})")
    try:
        done = subprocess.run(
            [path, *arguments], capture_output=True, timeout=_TIMEOUT_S, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return Unknown(f"`{program}` did not answer within {_TIMEOUT_S} s")
    except OSError as error:
        return Unknown(f"`{program}` cannot be started: {error.strerror}")
    complaint = done.stderr.decode(errors="replace").strip().partition("\n")[0]
    return Answer(done.returncode, done.stdout.decode(errors="replace"), complaint)
