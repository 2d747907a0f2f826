"""Series and results that others measured on real drives, analysed here and held against what is said of them.

The files are not part of this repository: some of their repositories name no licence. What is kept (`tests/data/foreign/real/`) is which
drive and load each set is of and what is made of it (`sets.toml`), where each file is and its hash (`files.jsonl`), and what the analysis
and the authors come to (`answers.jsonl`). To fetch the files and derive all answers anew:

    uv run python -m tests.study.real_drives                 # downloads 200 MB from raw.githubusercontent.com
    uv run python -m tests.study.real_drives --from MIRRORS  # from bare clones, MIRRORS/OWNER+NAME

With `--record` the answers are written. A set whose files `files.jsonl` does not have yet needs `--from` then.
"""

import json
import sys
import tempfile
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter
from tests.study.corpus import content_of
from tests.study.real_questions import (
    Asked,
    amplifications,
    printed_values,
    steady_speeds,
)

DIRECTORY = Path(__file__).parents[1] / "data/foreign/real"
_SETS = DIRECTORY / "sets.toml"
_FILES = DIRECTORY / "files.jsonl"
_ANSWERS = DIRECTORY / "answers.jsonl"
_SAME = 1e-6
_WHOLE = 0.95
FLAT = 0.05
"""How far apart means over five minutes may be within the stretch of the authors' mean that counts as flat."""


class Question(Enum):
    """What is compared, and how far apart answers may be that agree."""

    STEADY = "steady"
    RATED = "rated"
    AMPLIFICATION = "amplification"
    PRINTED = "printed"

    @property
    def within(self) -> float:
        """Share of the authors' value."""
        return {Question.RATED: 0.10, Question.PRINTED: 0.001}.get(self, 0.05)


class Verdict(Enum):
    """What becomes of a comparison."""

    AGREES = "agrees"
    DIFFERS = "differs"
    WITHHELD_MOVING = "no answer, and the authors' stretch is not flat"
    WITHHELD = "no answer, though the authors' stretch is flat"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the analysis and the authors come to.

    Attributes:
        load: Which run of the set.
        ours: Bytes/s, or a ratio; None where the analysis gives none.
        why_none: Its words then.
        theirs: In the same unit.
        moves: How far apart means over five minutes are in the stretch that the authors' mean is of; None where there is none.
    """

    set: str
    load: str
    question: Question
    ours: float | None
    why_none: str
    theirs: float
    moves: float | None

    @property
    def apart(self) -> float | None:
        """Of ours from theirs, as a share."""
        return None if self.ours is None else self.ours / self.theirs - 1

    @property
    def verdict(self) -> Verdict:
        """By fixed limits, the same for every drive."""
        if self.apart is None:
            return Verdict.WITHHELD_MOVING if (self.moves or 0) > FLAT else Verdict.WITHHELD
        return Verdict.AGREES if abs(self.apart) <= self.question.within else Verdict.DIFFERS


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Frozen):
    """A public repository at one commit."""

    id: str
    repository: str
    commit: str
    licence: str = ""
    """Of the data; empty where none is named."""
    authors: str
    says: str
    """In our words: what the authors or the maker say, and where."""


class Drive(_Frozen):
    """A real drive."""

    id: str
    name: str
    capacity_gb: float
    rated_iops: int | None = None
    """Random writes of 4 KiB, by its maker, as the authors have them."""


class RealSet(_Frozen):
    """What one drive did in one experiment."""

    name: str
    source: str
    drive: str
    of: str
    """The experiment, in our words."""
    read: Literal["threads", "counters", "printed"]
    files: tuple[str, ...]
    expected: dict[str, float] = {}
    """Values that the authors print elsewhere, by the metric's name."""


class Why(_Frozen):
    """What a disagreement comes from, or that nobody knows yet."""

    set: str
    loads: tuple[str, ...] = ()
    """Beginnings of names; all of the set if none."""
    question: Question
    verdict: Verdict = Verdict.DIFFERS
    state: Literal["explained", "open"]
    text: str

    def is_of(self, answer: Answer) -> bool:
        """Whether it is about that one."""
        same = (self.set, self.question, self.verdict) == (answer.set, answer.question, answer.verdict)
        return same and (not self.loads or any(answer.load.startswith(one) for one in self.loads))


class Known(_Frozen):
    """`sets.toml`."""

    source: tuple[Source, ...]
    drive: tuple[Drive, ...]
    set: tuple[RealSet, ...]
    why: tuple[Why, ...] = ()

    def source_of(self, one: RealSet) -> Source:
        """Where a set is from."""
        return next(source for source in self.source if source.id == one.source)

    def drive_of(self, one: RealSet) -> Drive:
        """What it was measured on."""
        return next(drive for drive in self.drive if drive.id == one.drive)


@dataclass(frozen=True, slots=True)
class RealFile:
    """A published file."""

    repository: str
    commit: str
    path: str
    size: int
    sha256: str


@cache
def known() -> Known:
    """All sets."""
    return TypeAdapter(Known).validate_python(tomllib.loads(_SETS.read_text(encoding="utf-8")))


def files() -> tuple[RealFile, ...]:
    """All files of the sets."""
    return tuple(RealFile(**json.loads(line)) for line in _FILES.read_text(encoding="utf-8").splitlines())


def answers() -> tuple[Answer, ...]:
    """What was found when it was recorded."""
    return tuple(map(_answer, _ANSWERS.read_text(encoding="utf-8").splitlines()))


def _answer(line: str) -> Answer:
    fields: dict[str, Any] = json.loads(line)
    return Answer(**{**fields, "question": Question(fields["question"])})


def _line(answer: Answer) -> str:
    fields = {name: getattr(answer, name) for name in Answer.__slots__} | {"question": answer.question.value}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def derived(one: RealSet, paths: Sequence[Path]) -> Iterator[Answer]:
    """All answers of a set from its files.

    Raises:
        ValueError: A file is not what the set says.
    """
    drive = known().drive_of(one)
    for asked in _asked(one, paths):
        yield _of(one, asked, Question(asked.question))
        # The maker's number is of uniform writes over the whole drive.
        if asked.uniform_bytes > _WHOLE * drive.capacity_gb * 1e9 and drive.rated_iops:
            rated = Asked(
                asked.load, Question.RATED.value, asked.ours, asked.why_none, drive.rated_iops * 4096.0, asked.moves
            )
            yield _of(one, rated, Question.RATED)


def _of(one: RealSet, asked: Asked, question: Question) -> Answer:
    def short(value: float | None) -> float | None:
        return None if value is None else float(f"{value:.7g}")

    return Answer(
        one.name,
        asked.load,
        question,
        short(asked.ours),
        asked.why_none,
        float(f"{asked.theirs:.7g}"),
        short(asked.moves),
    )


def _asked(one: RealSet, paths: Sequence[Path]) -> Iterator[Asked]:
    match one.read:
        case "threads":
            return steady_speeds(paths)
        case "counters":
            return amplifications(paths[0])
        case "printed":
            return printed_values(paths[0], one.expected)


def fetched(one: RealSet, mirrors: Path | None, into: Path) -> list[Path]:
    """The files of a set.

    Raises:
        ValueError: One is not what was recorded.
    """
    source = known().source_of(one)
    recorded = {(file.repository, file.path): file for file in files()}
    paths = []
    for order, name in enumerate(one.files):
        path = into / one.name / str(order) / Path(name).name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content_of(recorded[source.repository, name], mirrors))
        paths.append(path)
    return paths


def derived_anew(mirrors: Path | None, into: Path) -> Iterator[Answer]:
    """All answers from all files."""
    for one in known().set:
        yield from derived(one, fetched(one, mirrors, into))


def is_same(one: Answer, other: Answer) -> bool:
    """Whether nothing but rounding parts them."""
    if (one.set, one.load, one.question, one.why_none) != (other.set, other.load, other.question, other.why_none):
        return False
    pairs = [(one.ours, other.ours), (one.theirs, other.theirs), (one.moves, other.moves)]
    return all(a == b if a is None or b is None else abs(a - b) <= _SAME * max(1, abs(b)) for a, b in pairs)


def main() -> int:
    """Hold the recorded answers against the files, or record them."""
    parser = ArgumentParser(description="Analyse what others measured on real drives.")
    parser.add_argument("--from", dest="mirrors", type=Path, metavar="DIR", help="bare clones, DIR/OWNER+NAME")
    parser.add_argument("--record", action="store_true", help="write the answers")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        found = list(derived_anew(asked.mirrors, Path(directory)))
    if asked.record:
        _ANSWERS.write_text("".join(f"{_line(one)}\n" for one in found), encoding="utf-8")
        return 0
    recorded = answers()
    apart = [one for one, other in zip(found, recorded, strict=False) if not is_same(one, other)]
    for one in apart:
        print(f"{one.set}: {one.load}: {one.question.value}: {one.ours} ({one.why_none}), recorded is something else")
    print(f"{len(found)} answers, {len(apart)} other than recorded, {len(recorded)} recorded")
    return 1 if apart or len(found) != len(recorded) else 0


if __name__ == "__main__":
    sys.exit(main())
