"""Commands that a page of the documentation shows, each with what the page says it prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*(?:[eE][+-]\d+)?")
_MOMENT = re.compile(r"\d{8}T\d{6}Z?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d")
_SIZE = re.compile(r"# (?:[kKMGT]i?)?B\b")
_TIME = re.compile(r"# (?:ns|µs|ms|s|min|h)\b(?: # (?:ms|s|min)\b)?")


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a `console` block, continued where lines begin with `>`, and what the page says it prints.

    `...` stands for anything, and so does the padding between columns.
    """

    command: str
    output: str

    def pattern(self) -> str:
        """What is printed must match all of it."""
        text = re.escape(self.output.rstrip()).replace(re.escape("..."), ".*?")
        return re.sub(r"(\\ )+", r" +", text) + r"\s*"

    def tells(self, printed: str) -> str | None:
        """What was printed after what the page shows, numbers aside, and where lines were broken; None where it is something else."""
        pattern = re.escape(without_numbers(self.output)).replace(re.escape("..."), ".*?")
        found = re.match(pattern, without_numbers(printed), re.DOTALL)
        return None if found is None else found.string[found.end() :]


def without_numbers(text: str) -> str:
    """One line in which each number is `#`, whatever the prefix of its unit: what a slower or faster host prints, too."""
    numbered = _NUMBER.sub("#", _MOMENT.sub("#", " ".join(text.split())))
    return _TIME.sub("# s", _SIZE.sub("# B", numbered))


def examples_of(page: Path) -> Iterator[Example]:
    """All of a page, in its order."""
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines(keepends=True)
            continued = list(takewhile(lambda line: line.startswith(">"), lines[1:]))
            command = lines[0] + "".join(line[1:].removeprefix(" ") for line in continued)
            yield Example(command, "".join(lines[1 + len(continued) :]))
