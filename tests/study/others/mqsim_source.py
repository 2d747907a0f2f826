"""MQSim fetched at one commit, mended, and built with our adapter; nothing of it is part of this repository.

MQSim: A. Tavakkol, J. Gómez-Luna, M. Sadrosadati, S. Ghose, O. Mutlu, "MQSim: A Framework for Enabling Realistic Studies of Modern Multi-Queue SSD
Devices", FAST 2018; MIT licence. What had to be mended is said in `mqsim_repairs.txt`.
"""

import re
import subprocess
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

REPOSITORY = "https://github.com/CMU-SAFARI/MQSim.git"
COMMIT = "7ec40e3b198e8bd117f992f051cd610e330e079e"
SOURCE_SHA256 = "8cdaf566659f91036467c28f6534bf8b764aa577448307652d127e4a017334a1"
"""Of all files below `src`: of each its path and its own hash, a line each as `sha256sum` prints them, in order of their paths."""
DIRECTORY = Path(__file__).parents[3] / ".tools" / "others" / "mqsim"
"""Where it is fetched and built; ignored by git."""
_HERE = Path(__file__).parent
_ADAPTER = _HERE / "mqsim_adapter.cpp"
_REPAIRS = _HERE / "mqsim_repairs.txt"
_FLAGS = "-std=c++11 -O2"


class SourceError(Exception):
    """What was fetched is not what was pinned."""


def built(source: str = REPOSITORY) -> Path:
    """The adapter as a program, which is built where that was not done yet.

    Args:
        source: A clone of MQSim, or where one can be had.

    Raises:
        SourceError: Its files are others.
        CalledProcessError: It could not be fetched or built.
    """
    ours = sha256(_ADAPTER.read_bytes() + _REPAIRS.read_bytes() + COMMIT.encode()).hexdigest()[:16]
    program = DIRECTORY / ours / "mqsim_adapter"
    if not program.exists():
        _build(program, source)
    return program


def _build(program: Path, source: str) -> None:
    tree = program.parent / "MQSim"
    tree.mkdir(parents=True, exist_ok=True)
    _run(tree, "git", "init", "--quiet")
    _run(tree, "git", "fetch", "--quiet", "--depth", "1", source, COMMIT)
    _run(tree, "git", "checkout", "--quiet", "--force", "FETCH_HEAD")
    found = source_sha256(tree)
    if found != SOURCE_SHA256:
        raise SourceError(f"the files of MQSim hash to {found}, not {SOURCE_SHA256}")
    for path, changes in repairs(_REPAIRS.read_text(encoding="utf-8")).items():
        _mend(tree / path, changes)
    _run(tree, "make", "--quiet", f"CC_FLAGS={_FLAGS}")
    objects = [str(one) for one in sorted((tree / "build").rglob("*.o")) if one.name != "main.o"]
    unfinished = program.with_suffix(".part")
    _run(tree, "g++", *_FLAGS.split(), "-Isrc", str(_ADAPTER), *objects, "-o", str(unfinished))
    unfinished.rename(program)


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of a file, counted from 1, and what comes in their place; where `last` is before `first`, something is put in before it."""

    first: int
    last: int
    lines: tuple[str, ...]


def repairs(text: str) -> dict[str, list[Change]]:
    """What is changed in each file, from the last place to the first, so that the lines that are still to be changed keep their numbers."""
    changes: dict[str, list[Change]] = {}
    for of_file in re.split(r"^file ", text, flags=re.MULTILINE)[1:]:
        path, _, rest = of_file.partition("\n")
        found = [_change(one) for one in re.split(r"^(?=replace |after )", rest, flags=re.MULTILINE) if one]
        changes[path] = sorted(found, key=lambda one: -one.first)
    return changes


def _change(text: str) -> Change:
    head, *lines = text.splitlines()
    kind, *places = head.split()
    first, last = (int(places[0]), int(places[1])) if kind == "replace" else (int(places[0]) + 1, int(places[0]))
    return Change(first, last, tuple(line.removeprefix("+") for line in lines))


def _mend(path: Path, changes: list[Change]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for one in changes:
        lines[one.first - 1 : one.last] = one.lines
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def source_sha256(tree: Path) -> str:
    """The hash of what is built."""
    files = sorted(one for one in (tree / "src").rglob("*") if one.is_file())
    lines = (f"{sha256(one.read_bytes()).hexdigest()}  {one.relative_to(tree).as_posix()}\n" for one in files)
    return sha256("".join(lines).encode()).hexdigest()


def _run(tree: Path, *command: str) -> None:
    subprocess.run(command, cwd=tree, check=True)
