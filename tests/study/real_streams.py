"""What the criteria of steadiness say of streams that others recorded on real drives: the public logs of SSD-iq.

The logs are not part of this repository: clone gabriel-haas/ssdiq-pub, then

    uv run python -m tests.study.real_streams DIRECTORY

A stream is what all threads of a run wrote with one pattern; each thread has a file of its own, whose rates add up. The capacity is
the size that was tested. A criterion is wrong where the mean of some later 60 windows (half of what follows, if that is less) is
more than 10 % off that right after its verdict. Where less than twelve windows follow, nothing can tell; those are counted apart.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.foreign.answer import steady_answer
from ssdlab.analysis.foreign.series import ForeignSeries
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.engine.result import Series
from ssdlab.message import message
from ssdlab.units import GIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

_LATER_WINDOWS = 60
_LATER_WINDOWS_MIN = 6
_APART = 0.10
_MEASURED_NS = 300 * NS_PER_S
"""As long as a point of the enterprise suite (METHODS E2)."""
_MINIMUM_CAPACITIES = 2


class AccessPattern(Enum):
    """How blocks are chosen."""

    UNIFORM = "uniform"
    ZIPF = "zipf"
    ZONES = "zones"


@dataclass(frozen=True, slots=True, eq=False)
class RealStream:
    """One pattern of one run on one drive, all threads together."""

    name: str
    pattern: AccessPattern
    capacity_bytes: int
    time_ns: NDArray[np.int64]
    written_bytes: NDArray[np.float64]

    @property
    def capacities(self) -> float:
        """How often the tested size was written."""
        return float(self.written_bytes.sum()) / self.capacity_bytes


class Outcome(Enum):
    """What became of a verdict."""

    HELD = "held"
    WRONG = "wrong"
    UNTESTED = "untested"
    """Too little follows to tell."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Judged:
    """One criterion on one stream."""

    stream: RealStream
    criterion: Criterion
    outcome: Outcome
    at_capacities: float = 0.0
    later: float = 1.0
    """The worst later mean, as a share of the one right after the verdict."""


def streams_in(directory: Path) -> Iterator[RealStream]:
    """All streams of the files below a directory that wrote at least what a suite would."""
    together: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in sorted(directory.rglob("iob-stats-id*.csv")):
        # One directory is there twice, once inside itself.
        together[path.stem.split("-", 3)[3]].setdefault(path.name, path)
    for name, paths in together.items():
        found = _streams(name, list(paths.values()))
        yield from (one for one in found if one.capacities >= _MINIMUM_CAPACITIES)


def thread_rows(paths: Sequence[Path]) -> Iterator[Iterator[dict[str, str]]]:
    """The rows of each thread of a run. Some files of the first thread lack the line of titles that those of the others have.

    Raises:
        ValueError: No file has it.
    """
    titles = next((line for line in map(_first_line, paths) if line.startswith("hash,")), "")
    if not titles:
        raise ValueError(f"no titles in {', '.join(map(str, paths))}")
    for path in paths:
        has_them = _first_line(path).startswith("hash,")
        with path.open(errors="replace") as file:
            lines = file if has_them else chain([titles], file)
            yield csv.DictReader(lines, skipinitialspace=True)


def _first_line(path: Path) -> str:
    with path.open(errors="replace") as file:
        return file.readline()


def _streams(name: str, paths: Sequence[Path]) -> Iterator[RealStream]:
    rows: dict[tuple[str, ...], dict[float, float]] = defaultdict(lambda: defaultdict(float))
    sizes: dict[tuple[str, ...], float] = {}
    for thread in thread_rows(paths):
        for row in thread:
            if row.get("pattern") is None or row.get("writeMibs") is None:
                continue
            key: tuple[str, ...] = (row["hash"], row["pattern"], row["patternDetails"], row["rate"])
            sizes[key] = float(row["filesizeGib"]) * GIB
            rows[key][round(float(row["time"]))] += float(row["writeMibs"]) * MIB * float(row["timeDiff"])
    for key, windows in rows.items():
        pattern = next((one for one in AccessPattern if one.value in key[1]), None)
        if pattern is None or float(key[3]) > 0 or len(windows) < _LATER_WINDOWS:
            # Sequential and zoned writes are no test of steadiness, nor is a rate that the host sets.
            continue
        times = np.array(sorted(windows))
        yield RealStream(
            f"{name} {key[1]} {key[2]}".strip(),
            pattern,
            int(sizes[key]),
            (times * NS_PER_S).astype(np.int64),
            np.array([windows[time] for time in times.tolist()]),
        )


def judged(stream: RealStream) -> Iterator[Judged]:
    """All criteria on one stream."""
    minimum = _MINIMUM_CAPACITIES * stream.capacity_bytes
    judge = SteadyJudge(SteadyContext(stream.capacity_bytes, 4096, minimum, _MEASURED_NS))
    judge.feed(stream.time_ns, stream.written_bytes)
    rates = stream.written_bytes / np.diff(stream.time_ns, prepend=np.int64(0)) * NS_PER_S
    for found in judge.findings:
        fired = found.after_minimum
        if fired is None:
            yield Judged(stream, found.criterion, Outcome.NEVER)
            continue
        after = rates[np.searchsorted(stream.time_ns, fired.at_ns, side="right") :]
        at = fired.at_bytes / stream.capacity_bytes
        windows = min(_LATER_WINDOWS, len(after) // 2)
        if windows < _LATER_WINDOWS_MIN:
            yield Judged(stream, found.criterion, Outcome.UNTESTED, at)
            continue
        means = np.convolve(after, np.full(windows, 1 / windows), mode="valid")
        shares = means / means[0]
        worst = float(shares[np.abs(shares - 1).argmax()])
        yield Judged(stream, found.criterion, Outcome.WRONG if abs(worst - 1) > _APART else Outcome.HELD, at, worst)


def taken_back(stream: RealStream) -> bool | Unknown:
    """Whether `ssdlab analyse` takes the verdict of `held` back, because of what follows; Unknown where it gives none."""
    seconds = np.diff(stream.time_ns, prepend=np.int64(0)) / NS_PER_S
    nothing = np.full(len(seconds), np.nan)
    window_ns = int(np.median(seconds) * NS_PER_S)
    series = Series(window_ns, stream.time_ns, stream.written_bytes / seconds, nothing, nothing, nothing)
    answer = steady_answer(ForeignSeries(series, (stream.name,), 4096, ()), stream.capacity_bytes)
    held = next((one for one in answer.findings if one.criterion is Criterion.HELD), None)
    if held is None or held.after_minimum is None:
        return Unknown(message("unknown-not-steady"))
    return answer.left is not None


def backed(streams: Sequence[RealStream]) -> Iterator[str]:
    """A row a pattern: steady speeds that `ssdlab analyse` gives, those it takes back, and streams it gives none for."""
    yield "| pattern | steady speed | taken back | none |"
    yield "| --- | --- | --- | --- |"
    for pattern in AccessPattern:
        found = [taken_back(one) for one in streams if one.pattern is pattern]
        yield f"| {pattern.value} | {found.count(False)} | {found.count(True)} | {sum(isinstance(one, Unknown) for one in found)} |"


def table(results: Sequence[Judged]) -> Iterator[str]:
    """A row a pattern, a cell a criterion: fired / wrong / never, and how many verdicts nothing follows."""
    yield "| pattern | streams | " + " | ".join(f"`{one.value}`" for one in Criterion) + " |"
    yield "| --- " * (2 + len(Criterion)) + "|"
    for pattern in AccessPattern:
        chosen = [one for one in results if one.stream.pattern is pattern]
        cells = []
        for criterion in Criterion:
            outcomes = [one.outcome for one in chosen if one.criterion is criterion]
            never, wrong, untested = map(outcomes.count, (Outcome.NEVER, Outcome.WRONG, Outcome.UNTESTED))
            cells.append(f"{len(outcomes) - never} / {wrong} / {never} ({untested})")
        yield f"| {pattern.value} | {len(chosen) // len(Criterion)} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table and every wrong verdict."""
    streams = list(streams_in(Path(sys.argv[1])))
    results = [one for stream in streams for one in judged(stream)]
    print(*backed(streams), "", sep="\n")
    print("fired / wrong / never (verdicts near the end, untested)", *table(results), "", sep="\n")
    for one in results:
        if one.outcome is Outcome.WRONG:
            print(
                f"{one.criterion.value}: {one.stream.name}: at {one.at_capacities:.2f} of {one.stream.capacities:.1f} "
                f"capacities, later {one.later:.2f} of the rate after the verdict"
            )


if __name__ == "__main__":
    main()
