"""`ssdlab log` as its user types it, in this process where it reads no pipe."""

import io
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from ssdlab.cli import main

SSDLAB = Path(sys.executable).with_name("ssdlab")


@dataclass(frozen=True, slots=True)
class Ended:
    returncode: int
    stdout: bytes
    stderr: bytes


def printed(*arguments: str | Path, cwd: Path | None = None) -> Ended:
    return printed_by("log", *arguments, cwd=cwd)


def printed_by(command: str, *arguments: str | Path, cwd: Path | None = None) -> Ended:
    """Likewise another command."""
    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err), chdir(cwd or Path.cwd()):
        patch.setattr(sys, "argv", ["ssdlab", command, *map(str, arguments)])
        try:
            main()
        except SystemExit as ended:
            status = ended.code or 0
    return Ended(int(str(status)), out.getvalue().encode(), err.getvalue().encode())


def piped(*arguments: str | Path, stdin: bytes, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SSDLAB, "log", *arguments], input=stdin, capture_output=True, check=False, cwd=cwd)
