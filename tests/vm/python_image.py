"""What Python reads in a guest, as a disk of its own.

Each file that is opened on the shared root costs some three questions to the host, and each question a turn of the guest's kernel:
of the 12 s of processor time that a first start of ssdlab took, they were three.
"""

import shutil
import sysconfig
import tempfile
from pathlib import Path

from tests.vm.kernel import TOOLS
from tests.vm.programs import NotPrepared, run

SERIAL = "python"
"""By which a guest finds it."""
SOURCES = Path(__file__).parents[2] / "src"
_NOT_NEEDED = (
    "test",
    "site-packages",
    "config-*",
    "idlelib",
    "lib2to3",
    "mypy",
    "mypyc",
    "*__mypyc*.so",
    "vl_convert*",
)
"""Large, and no guest opens any of it; the distribution's packages are not those of the environment."""


def directories() -> tuple[Path, ...]:
    """What is on it, in the order of the names there: 0, 1, 2."""
    return (Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib")), SOURCES)


def python_image(tools: Path = TOOLS) -> Path:
    """The disk that `./dev vm` has prepared.

    Raises:
        NotPrepared: There is none, or it is older than the sources.
    """
    image = tools / "vm" / "python.img"
    newest_s = max(path.stat().st_mtime for path in SOURCES.rglob("*.py"))
    if not image.exists() or image.stat().st_mtime < newest_s:
        raise NotPrepared(f"`{image}` is missing or older than the sources; `./dev vm` makes it")
    return image


def prepare_python_image(tools: Path = TOOLS) -> Path:
    """Make the disk anew.

    Raises:
        NotPrepared: It cannot be made.
    """
    image, half_done = tools / "vm" / "python.img", tools / "vm" / "python.half-done"
    image.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=image.parent) as place:
        for number, directory in enumerate(directories()):
            shutil.copytree(
                directory, Path(place, str(number)), symlinks=True, ignore=shutil.ignore_patterns(*_NOT_NEEDED)
            )
        files = [path.stat().st_size for path in Path(place).rglob("*") if path.is_file()]
        size_bytes = (sum(files) * 5 // 4 + len(files) * 8192 + (64 << 20)) // 4096 * 4096
        with half_done.open("wb") as new:
            new.truncate(size_bytes)
        run(
            "mkfs.ext4",
            "-q",
            "-F",
            "-b",
            "4096",
            "-O",
            "^has_journal,^metadata_csum",
            "-N",
            str(2 * len(files)),
            "-d",
            place,
            half_done,
        )
    half_done.rename(image)
    return image
