"""The installed fio: where it is, how old it is, what it can do."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ssdlab.engine.base import EngineError
from ssdlab.message import message

INSTALL_HINT = message("engine-install-fio")

SETPRIV_HINT = message("engine-setpriv-hint")


class FioMissing(EngineError):  # noqa: N818 - the error is the state
    """There is no fio that can be used."""


class FioTooOld(EngineError):  # noqa: N818 - the error is the state
    """The fio that is installed cannot do what the method needs."""


@dataclass(frozen=True, slots=True, order=True)
class FioVersion:
    """Major and minor number; development builds count as the release they follow."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


OLDEST = FioVersion(3, 28)
"""The oldest release a supported distribution ships (Ubuntu 22.04); tests run on whatever fio is installed."""
SQPOLL_SINCE = FioVersion(3, 36)
"""Before it, completion latencies under `sqthread_poll` are wrong (METHODS 0)."""


def version_of(name: str) -> FioVersion | None:
    """The version in a name such as `fio-3.33` or `fio-3.34-38-g0739`; None where it names no fio."""
    match = re.match(r"fio-(\d+)\.(\d+)", name)
    return None if match is None else FioVersion(int(match[1]), int(match[2]))


@dataclass(frozen=True, slots=True)
class FioBinary:
    """One installed fio."""

    path: Path
    version: FioVersion
    options: frozenset[str]
    """Names of all job options it knows."""
    engines: frozenset[str]

    @property
    def name(self) -> str:
        """As results name it: `fio-3.33`."""
        return f"fio-{self.version}"


def find_fio(command: str = "fio") -> FioBinary:
    """Look at the fio on PATH (or at the given path).

    Raises:
        FioMissing: There is none, or it does not answer.
        FioTooOld: It is older than the oldest one ssdlab can use.
    """
    found = shutil.which(command)
    if found is None:
        raise FioMissing(message("engine-not-installed", program=command), INSTALL_HINT)
    if shutil.which("setpriv") is None:
        raise FioMissing(message("engine-not-installed", program="setpriv"), SETPRIV_HINT)
    said = _ask(found, "--version").strip()
    version = version_of(said)
    if version is None:
        raise FioMissing(message("engine-no-fio", path=found, said=said[:80]), INSTALL_HINT)
    if version < OLDEST:
        raise FioTooOld(message("engine-fio-too-old", version=str(version), oldest=str(OLDEST)), INSTALL_HINT)
    return FioBinary(
        path=Path(found),
        version=version,
        options=frozenset(re.findall(r"^\s*([a-z0-9_]+)\s*:", _ask(found, "--cmdhelp=all"), re.MULTILINE)),
        engines=frozenset(_ask(found, "--enghelp").split()[3:]),
    )


def _ask(path: str, question: str) -> str:
    try:
        answer = subprocess.run([path, question], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        silent = message("engine-fio-silent", command=f"{path} {question}", error=str(error))
        raise FioMissing(silent, INSTALL_HINT) from error
    return answer.stdout
