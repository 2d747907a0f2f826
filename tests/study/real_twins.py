"""Twins of real drives that others measured: fitted to a part of what was published, they predict the rest.

The files are not part of this repository. What is kept (`tests/data/foreign/real/`) is which drives and runs they are of (`twins.toml`), what
`ssdlab import` and a fit make of each job, with the hash of its file (`twin_steps.jsonl`), and what the twin predicts (`twin_answers.jsonl`).

    uv run python -m tests.study.real_twins                         # fits anew to the kept jobs, some minutes a drive
    uv run python -m tests.study.real_twins --from MIRRORS          # holds the kept jobs against bare clones, MIRRORS/OWNER+NAME

With `--record` either writes what it finds.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from ssdlab.bundle.imported import open_imported
from ssdlab.engine.result import Direction
from ssdlab.job import Pattern
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.scratch import Scratch
from ssdlab.twin.acts import Act
from ssdlab.twin.draft import Draft
from ssdlab.twin.fit import fit_to_acts
from ssdlab.twin.foreign.history import PART_BYTES_MAX, acts_of_steps, divided_acts, known_of_acts, part_of
from ssdlab.twin.foreign.load import Draws, ForeignLoad
from ssdlab.twin.foreign.steps import ForeignStep, steps_of
from ssdlab.twin.held_out import Division
from ssdlab.twin.rehearse import rehearse
from ssdlab.twin.seen import PointSeen

DIRECTORY = Path(__file__).parents[1] / "data/foreign/real"
_TWINS = DIRECTORY / "twins.toml"
_STEPS = DIRECTORY / "twin_steps.jsonl"
_ANSWERS = DIRECTORY / "twin_answers.jsonl"
_SAME = 1e-6


class Use(Enum):
    """What the fit was shown of a job."""

    FITTED = "fitted"
    THIRD = "third"
    """Every third of a ladder is held out."""
    LATER = "later"
    """The second half of the writes is held out."""
    UNSEEN = "unseen"
    """A kind of load of which the fit saw nothing."""


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RealRun(_Frozen):
    """A directory of results."""

    name: str
    of: str
    """In our words."""
    directory: str
    begins: str
    """Of the names of files that are meant."""
    shown: Literal["thirds", "first half", "nothing"]


class RealTwin(_Frozen):
    """A drive, and where it was measured."""

    id: str
    name: str
    capacity_bytes: int
    repository: str
    commit: str
    licence: str = ""
    run: tuple[RealRun, ...]


@dataclass(frozen=True, slots=True)
class Predicted:
    """One number.

    Attributes:
        quantity: `iops`, or `mean` or a percentile of the completion latency, nanoseconds.
    """

    drive: str
    run: str
    job: str
    use: Use
    direction: str
    quantity: str
    measured: float
    twin: float

    @property
    def off(self) -> float:
        """As a share of what was measured."""
        return self.twin / self.measured - 1


def drives() -> tuple[RealTwin, ...]:
    """All of them."""
    return TypeAdapter(tuple[RealTwin, ...]).validate_python(tomllib.loads(_TWINS.read_text(encoding="utf-8"))["drive"])


def answers() -> tuple[Predicted, ...]:
    """What was predicted when it was recorded."""
    lines = _ANSWERS.read_text(encoding="utf-8").splitlines()
    return tuple(Predicted(**{**fields, "use": Use(fields["use"])}) for fields in map(json.loads, lines))


def kept_steps(drive: RealTwin) -> list[list[ForeignStep]]:
    """The jobs of each run of a drive, in order."""
    lines = [json.loads(line) for line in _STEPS.read_text(encoding="utf-8").splitlines()]
    return [[_step(one) for one in lines if (one["drive"], one["run"]) == (drive.id, run.name)] for run in drive.run]


def _step(fields: dict[str, Any]) -> ForeignStep:
    load = {**fields["load"], "pattern": Pattern(fields["load"]["pattern"]), "draws": Draws(fields["load"]["draws"])}
    iops = {Direction(name): rate for name, rate in fields["iops"].items()}
    latency = {Direction(name): found for name, found in fields["latency_ns"].items()}
    return ForeignStep(
        fields["name"],
        ForeignLoad(**load),
        fields["written_bytes"],
        fields["read_bytes"],
        PointSeen(iops, latency, None),
    )


def steps_anew(drive: RealTwin, mirrors: Path) -> Iterator[str]:
    """The lines of all jobs, from the published files."""
    for run in drive.run:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / run.name
            folder.mkdir()
            hashes = dict(_unpacked(drive, run, mirrors, folder))
            told = GivenFacts(model=drive.name, capacity_bytes=drive.capacity_bytes)
            imported = open_imported(take_in(folder, Path(name) / "lab", told))
            for step in steps_of(imported)[0]:
                yield _line(drive, run, step, hashes[step.name.partition(": ")[0]])


def _unpacked(drive: RealTwin, run: RealRun, mirrors: Path, folder: Path) -> Iterator[tuple[str, str]]:
    clone = mirrors / drive.repository.replace("/", "+") / "repo"

    def git(*words: str) -> bytes:
        return subprocess.run(["git", "-C", str(clone), *words], capture_output=True, check=True).stdout

    for path in git("ls-tree", "--name-only", drive.commit, f"{run.directory}/").decode().splitlines():
        name = Path(path).name
        if name.startswith(run.begins) and name.endswith(".json"):
            content = git("show", f"{drive.commit}:{path}")
            (folder / name).write_bytes(content)
            yield name, hashlib.sha256(content).hexdigest()


def _line(drive: RealTwin, run: RealRun, step: ForeignStep, sha256: str) -> str:
    load = step.load
    fields = {
        "drive": drive.id,
        "run": run.name,
        "name": step.name,
        "sha256": sha256,
        "load": {
            **{name: getattr(load, name) for name in ForeignLoad.__slots__},
            "pattern": load.pattern.value,
            "draws": load.draws.value,
        },
        "written_bytes": step.written_bytes,
        "read_bytes": step.read_bytes,
        "iops": {one.value: _short(rate) for one, rate in step.seen.iops.items()},
        "latency_ns": {
            one.value: {name: _short(value) for name, value in found.items()}
            for one, found in step.seen.latency_ns.items()
        },
    }
    return json.dumps(fields, separators=(",", ":"))


def _short(value: float) -> float:
    return float(f"{value:.7g}")


@dataclass(frozen=True, slots=True, eq=False)
class Fitting:
    """What is fitted and what is predicted."""

    acts: tuple[Act, ...]
    names: dict[int, str]
    uses: dict[int, Use]
    capacity_bytes: int

    @property
    def division(self) -> Division:
        """Of the acts."""
        return divided_acts(self.acts, [place for place, use in self.uses.items() if use in {Use.LATER, Use.UNSEEN}])


def fitting_of(drive: RealTwin, runs: Sequence[Sequence[ForeignStep]], most_bytes: int = PART_BYTES_MAX) -> Fitting:
    """What of a drive is shown to the fit."""
    part = part_of(drive.capacity_bytes, most_bytes)
    acts = acts_of_steps(runs, part)
    thirds = set(divided_acts(acts).held)
    names: dict[int, str] = {}
    uses: dict[int, Use] = {}
    for number, run in enumerate(drive.run):
        places = [place for place, act in enumerate(acts) if act.run == number and act.seen is not None]
        for order, place in enumerate(places):
            names[place] = run.name
            if run.shown == "nothing":
                uses[place] = Use.UNSEEN
            elif run.shown == "first half" and order >= len(places) / 2:
                uses[place] = Use.LATER
            else:
                uses[place] = Use.THIRD if place in thirds else Use.FITTED
    return Fitting(acts, names, uses, part.capacity_bytes)


def twin_of(drive: RealTwin, fitting: Fitting) -> Draft:
    """Fit."""
    division = fitting.division
    known = known_of_acts(fitting.acts, division)
    return fit_to_acts(fitting.acts, division, known, None, drive.id, fitting.capacity_bytes).draft


def predicted(drive: RealTwin, fitting: Fitting, twin: Draft) -> Iterator[Predicted]:
    """What the twin does, beside what was measured."""
    scratch = Scratch()
    try:
        found = rehearse(twin, fitting.acts, frozenset(fitting.uses), scratch.path)
    finally:
        scratch.close()
    for place, use in fitting.uses.items():
        act, seen = fitting.acts[place], found[place]
        for direction, rate in act.measured.iops.items():
            job = act.point.words
            of = Predicted(
                drive.id, fitting.names[place], job, use, direction.value, "iops", rate, seen.iops.get(direction, 0.0)
            )
            yield replace(of, twin=_short(of.twin))
            theirs = seen.latency_ns.get(direction, {})
            for name, value in act.measured.latency_ns.get(direction, {}).items():
                if name in theirs:
                    yield replace(of, quantity=name, measured=value, twin=_short(theirs[name]))


def _answer_line(one: Predicted) -> str:
    return json.dumps(
        {name: getattr(one, name) for name in Predicted.__slots__} | {"use": one.use.value}, separators=(",", ":")
    )


def main() -> int:
    """Fit anew, or hold what is kept against the files."""
    parser = ArgumentParser(description="Fit twins to real drives.")
    parser.add_argument("--from", dest="mirrors", type=Path, metavar="DIR", help="bare clones, DIR/OWNER+NAME")
    parser.add_argument("--record", action="store_true", help="write what is found")
    asked = parser.parse_args()
    if asked.mirrors is not None:
        place, lines = _STEPS, [line for drive in drives() for line in steps_anew(drive, asked.mirrors)]
    else:
        place, lines = _ANSWERS, [_answer_line(one) for drive in drives() for one in _anew(drive)]
    if asked.record:
        place.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return 0
    kept = place.read_text(encoding="utf-8").splitlines()
    apart = sum(one != other for one, other in zip(lines, kept, strict=False)) + abs(len(lines) - len(kept))
    print(f"{len(lines)} lines, {apart} other than recorded")
    return 1 if apart else 0


def _anew(drive: RealTwin) -> Iterator[Predicted]:
    fitting = fitting_of(drive, kept_steps(drive))
    twin = twin_of(drive, fitting)
    print(twin.text, file=sys.stderr)
    return predicted(drive, fitting, twin)


if __name__ == "__main__":
    sys.exit(main())
