"""Bundles that several tests look at: made once for a state of the code, whichever process asks first.

They lie in `.tools/test-bundles/`, below a digest of all that has a say in what is in them: the package with its compiled part, what
makes the bundles, the packages they are made with. With another digest they are not looked at, and deleted after some days. Nobody
writes into them: a test that must changes a copy.
"""

import atexit
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PLACE = _ROOT / ".tools" / "test-bundles"
_NO_SOURCES = {"__pycache__", "vendor"}
_KEPT_S = 3 * 24 * 3600


@cache
def state_of_the_code() -> str:
    """A digest of the package, of these helpers, and of the versions of what they stand on."""
    # The compiled part itself and not its source, which may have changed since it was built.
    sources = [
        path
        for folder in (_ROOT / "src", _ROOT / "tests" / "kit")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not _NO_SOURCES & set(path.parts)
    ]
    digest = hashlib.sha256(sys.version.encode())
    for path in (*sources, _ROOT / "uv.lock"):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(_ROOT)} {content}\n".encode())
    return digest.hexdigest()[:24]


def built(name: str, make: Callable[[Path], Path]) -> Path:
    """The bundle of that name; `make` writes it below the directory it is given, and returns where."""
    place = _place()
    with _locked(place / f"{name}.lock"):
        finished = place / name
        if not finished.exists():
            half_done = Path(tempfile.mkdtemp(prefix=f"{name}.", dir=place))
            bundle = make(half_done / "lab")
            (half_done / "path").write_text(str(bundle.relative_to(half_done)))
            half_done.rename(finished)
    return finished / (finished / "path").read_text()


@cache
def _place() -> Path:
    """Of this state; elsewhere, for this process alone, where others may not write."""
    place = _PLACE / state_of_the_code()
    try:
        place.mkdir(parents=True, exist_ok=True)
        os.utime(place)
    except PermissionError:
        return _of_this_process()
    for other in _PLACE.iterdir():
        if other != place and time.time() - other.stat().st_mtime > _KEPT_S:
            shutil.rmtree(other, ignore_errors=True)
    return place


def _of_this_process() -> Path:
    place = Path(tempfile.mkdtemp(prefix="ssdlab-test-bundles-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Others that want the same wait; a process that ends lets go."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
