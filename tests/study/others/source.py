"""Simulators fetched at one commit, mended, and built with our adapters; nothing of them is part of this repository.

What had to be mended is said in a file of repairs: a list of what is wrong; then, for each file, the first and the last line that
are replaced, or the line after which something is put in, and the new lines.
"""

import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

DIRECTORY = Path(__file__).parents[3] / ".tools" / "others"
"""Where they are fetched and built; ignored by git."""


class SourceError(Exception):
    """What was fetched is not what was pinned."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of a file, counted from 1, and what comes in their place; where `last` is before `first`, something is put in before it."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """The source of a simulator.

    Attributes:
        folder: All files below it are hashed; empty: all of the tree.
        sha256: Of these: of each its path and its own hash, a line each as `sha256sum` prints them, in order of their paths.
        repairs: File of what is mended.
    """

    name: str
    repository: str
    commit: str
    folder: str
    sha256: str
    repairs: Path

    def built(self, adapter: tuple[Path, ...], build: Callable[[Path, Path], None], source: str | None) -> Path:
        """See `Simulator.built`."""
        ours = b"".join(one.read_bytes() for one in (*adapter, self.repairs)) + self.commit.encode()
        program = DIRECTORY / self.name.lower() / sha256(ours).hexdigest()[:16] / f"{self.name.lower()}_adapter"
        if not program.exists():
            tree = program.parent / self.name
            self._fetch(tree, source or self.repository)
            for path, changes in repairs(self.repairs.read_text(encoding="utf-8")).items():
                _mend(tree / path, changes)
            unfinished = program.with_suffix(".part")
            build(tree, unfinished)
            unfinished.rename(program)
        return program

    def _fetch(self, tree: Path, source: str) -> None:
        tree.mkdir(parents=True, exist_ok=True)
        run(tree, "git", "init", "--quiet")
        run(tree, "git", "fetch", "--quiet", "--depth", "1", source, self.commit)
        run(tree, "git", "checkout", "--quiet", "--force", "FETCH_HEAD")
        found = source_sha256(tree, self.folder)
        if found != self.sha256:
            raise SourceError(f"the files of {self.name} hash to {found}, not {self.sha256}")


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


def source_sha256(tree: Path, folder: str) -> str:
    """The hash of what is built."""
    files = sorted(one for one in _files(tree / folder) if one.relative_to(tree).parts[0] != ".git")
    lines = (f"{sha256(one.read_bytes()).hexdigest()}  {one.relative_to(tree).as_posix()}\n" for one in files)
    return sha256("".join(lines).encode()).hexdigest()


def _files(folder: Path) -> Iterable[Path]:
    return (one for one in folder.rglob("*") if one.is_file())


def run(tree: Path, *command: str) -> None:
    """A command of the build.

    Raises:
        CalledProcessError: It failed.
    """
    subprocess.run(command, cwd=tree, check=True)
