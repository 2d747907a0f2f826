"""What a newcomer has: the wheel in an empty directory, a Python, fio, and nothing of this checkout."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PLACES = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
VENV = "ssd"
"""As the tutorial calls it."""


def built_wheel(directory: Path) -> Path:
    """The wheel of this checkout, by maturin; what it compiles is compiled already."""
    maturin = [sys.executable, "-m", "maturin", "build", "--quiet", "--locked", "--profile", "dev"]
    subprocess.run(
        [*maturin, "--interpreter", sys.executable, "--compatibility", "linux", "--out", directory],
        cwd=ROOT,
        check=True,
    )
    (wheel,) = directory.glob("*.whl")
    return wheel


def bare_environment(home: Path) -> Mapping[str, str]:
    """A fresh login: its `python3` is the one these tests run by, before any environment was made of it."""
    programs = home / "programs"
    programs.mkdir(parents=True)
    (programs / "python3").symlink_to(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    return {
        "HOME": str(home),
        "PATH": ":".join([str(programs), *_PLACES]),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        # What registries would bring is there already, and is what the lock file says.
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def lay_dependencies(directory: Path, environment: Mapping[str, str]) -> None:
    """The packages that ssdlab needs, from where `./dev setup` had them, into the environment that is made there next."""
    place = directory / VENV
    python = Path(environment["HOME"]) / "programs" / "python3"
    subprocess.run([python, "-m", "venv", place], env=environment, check=True)
    uv = os.environ.get("UV") or ROOT / ".tools" / "bin" / "uv"
    sync = [uv, "sync", "--quiet", "--frozen", "--inexact", "--no-dev", "--no-install-project"]
    subprocess.run(sync, cwd=ROOT, env=os.environ | {"UV_PROJECT_ENVIRONMENT": str(place)}, check=True)
