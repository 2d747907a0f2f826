"""Asking the programs that know drives: nvme-cli, smartctl, hdparm, blkid; looked up when they are needed."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ssdlab.drive.access import DriveError
from ssdlab.unknown import Unknown

PACKAGES: Mapping[str, str] = MappingProxyType(
    {"nvme": "nvme-cli", "smartctl": "smartmontools", "hdparm": "hdparm", "blkid": "util-linux", "fstrim": "util-linux"}
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


def ask(program: str, *arguments: str, limit_s: int = _TIMEOUT_S) -> Answer | Unknown:
    """Run a program; unknown if it is missing or does not answer. Its exit status is for the caller to judge."""
    path = shutil.which(program) or shutil.which(program, path=_SYSTEM_PATH)
    if path is None:
        return Unknown(f"`{program}` is not installed (package {PACKAGES[program]})")
    try:
        done = subprocess.run(
            [path, *arguments], capture_output=True, timeout=limit_s, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return Unknown(f"`{program}` did not answer within {limit_s} s")
    except OSError as error:
        return Unknown(f"`{program}` cannot be started: {error.strerror}")
    complaint = done.stderr.decode(errors="replace").strip().partition("\n")[0]
    return Answer(done.returncode, done.stdout.decode(errors="replace"), complaint)


def text_of(program: str, answer: Answer | Unknown) -> str | Unknown:
    """What it printed; unknown if it failed or printed nothing."""
    if isinstance(answer, Unknown):
        return answer
    # The status of smartctl is a set of warnings; bits 0 and 1 alone say that there is no answer (smartctl(8)).
    failed = answer.status & 3 if program == "smartctl" else answer.status
    if failed or not answer.text.strip():
        return Unknown(f"`{program}` failed: {answer.complaint or f'status {answer.status}'}")
    return answer.text


def tell(program: str, *arguments: str, limit_s: int = _TIMEOUT_S) -> None:
    """Have a program do something to a drive.

    Raises:
        DriveError: It is missing, does not end or fails; the command stands in a hint.
    """
    answer = ask(program, *arguments, limit_s=limit_s)
    command = f"the command was `{' '.join((program, *arguments))}`"
    if isinstance(answer, Unknown):
        raise DriveError(answer.unknown, command)
    if answer.status != 0:
        raise DriveError(f"`{program}` failed: {answer.complaint or f'status {answer.status}'}", command)
