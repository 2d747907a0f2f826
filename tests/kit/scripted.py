"""Drives whose tools are scripted, because no test machine has them: see tests/data/scripted/README.md."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parents[1] / "data/scripted"


@dataclass(frozen=True, slots=True)
class ScriptedDrive:
    """The state of the drive: a file for each thing that is so."""

    directory: Path

    def becomes(self, *states: str) -> None:
        for state in states:
            (self.directory / state).touch()

    def no_longer(self, state: str) -> None:
        (self.directory / state).unlink()

    def has(self, state: str) -> bool:
        return (self.directory / state).exists()

    def has_password(self, password: str) -> None:
        (self.directory / "enabled").write_text(password)

    def ends_erasing(self) -> None:
        """A drive goes on erasing when the program that told it to is gone, but not after the test."""
        with suppress(ProcessLookupError):
            os.kill(int((self.directory / "erasing").read_text()), signal.SIGKILL)

    def calls(self) -> list[str]:
        """What was typed since the last time, without asking the drive how it is."""
        calls = self.directory / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return [line for line in lines if " -I " not in line]


@contextmanager
def scripted_drive(directory: Path) -> Iterator[ScriptedDrive]:
    """Put the scripted programs before the real ones."""
    (directory / "fails").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRIPTED_DRIVE", str(directory))
        patch.setenv("PATH", str(PROGRAMS), prepend=":")
        yield ScriptedDrive(directory)
