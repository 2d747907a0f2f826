"""Asking the programs that know drives: nvme-cli, smartctl, hdparm, blkid; looked up when they are needed."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ssdlab.drive.access import DriveError
from ssdlab.message import Message, message, verbatim
from ssdlab.os_errors import reason_of
from ssdlab.unknown import Unknown

PACKAGES: Mapping[str, str] = MappingProxyType(
    {"nvme": "nvme-cli", "smartctl": "smartmontools", "hdparm": "hdparm", "blkid": "util-linux", "fstrim": "util-linux"}
)
"""Package of each program on Debian, Ubuntu and Fedora."""
_TIMEOUT_S = 20
_SYSTEM_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
"""Debian leaves the sbin directories out of an ordinary user's PATH."""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a program said."""

    status: int
    text: str
    complaint: str
    """First line of its standard error."""

    @property
    def fault(self) -> Message:
        """What it complained of; else its status."""
        return verbatim(self.complaint) if self.complaint else message("unknown-status", status=self.status)


def ask(program: str, *arguments: str, limit_s: int = _TIMEOUT_S) -> ToolOutput | Unknown:
    """Run a program; unknown if it is missing or does not answer. Its exit status is for the caller to judge."""
    path = shutil.which(program) or shutil.which(program, path=_SYSTEM_PATH)
    if path is None:
        return Unknown(message("unknown-not-installed", program=program, package=PACKAGES[program]))
    try:
        done = subprocess.run(
            [path, *arguments], capture_output=True, timeout=limit_s, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return Unknown(message("unknown-no-answer", program=program, limit_s=limit_s))
    except OSError as error:
        return Unknown(message("unknown-not-started", program=program, error=reason_of(error)))
    complaint = done.stderr.decode(errors="replace").strip().partition("\n")[0]
    return ToolOutput(done.returncode, done.stdout.decode(errors="replace"), complaint)


def text_of(program: str, answer: ToolOutput | Unknown) -> str | Unknown:
    """What it printed; unknown if it failed or printed nothing."""
    if isinstance(answer, Unknown):
        return answer
    # The status of smartctl is a set of warnings; bits 0 and 1 alone say that there is no answer (smartctl(8)).
    failed = answer.status & 3 if program == "smartctl" else answer.status
    if failed or not answer.text.strip():
        return Unknown(message("unknown-program-failed", program=program, fault=answer.fault))
    return answer.text


def tell(program: str, *arguments: str, limit_s: int = _TIMEOUT_S) -> None:
    """Have a program do something to a drive.

    Raises:
        DriveError: It is missing, does not end or fails; the command stands in a hint.
    """
    answer = ask(program, *arguments, limit_s=limit_s)
    command = message("drive-command", command=" ".join((program, *arguments)))
    if isinstance(answer, Unknown):
        raise DriveError(answer.reason, command)
    if answer.status != 0:
        raise DriveError(message("drive-program-failed", program=program, fault=answer.fault), command)
