"""Is the verdict of `write-amplification` right on random drives: do they keep hot and cold data apart?

`uv run python -m tests.study.separation_study` runs all drives and writes `docs/hot-and-cold-study.md`; some minutes on two processors.
"""

import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.kit.amplified_drives import patterns
from tests.kit.load_drives import metrics_of, run_on
from tests.study.stream_drives import StreamDrive, stream_drive

from ssdlab.bundle.model import Metric
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "hot-and-cold-study.md"
DRIVES = 40
_STEP = "write_amplification"


class Outcome(Enum):
    """What a verdict is worth beside the truth."""

    RIGHT = "right"
    OPEN = "open"
    """Nothing is said, or that it cannot be told."""
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a run has told of a drive. Numbers that are not known are None; grade is empty where there is no verdict."""

    drive: StreamDrive
    separates: str | None
    separation_percent: float | None
    grade: str
    counted: float | None
    implied: float | None
    spare_percent: float | None

    @property
    def outcome(self) -> Outcome:
        """Right, wrong, or left open."""
        if self.separates not in {"yes", "no"}:
            return Outcome.OPEN
        return Outcome.RIGHT if (self.separates == "yes") == (self.drive.streams == 2) else Outcome.WRONG


def examine(number: int) -> Finding:
    """Run the two zones of the built-in suite on the drive of that number."""
    drive = stream_drive(number)
    suite = patterns(hot="[60, 70, 80, 90, 95]", measured=f"{drive.measured_ns}ns")
    with tempfile.TemporaryDirectory() as directory:
        known = metrics_of(run_on(drive.text, suite, Path(directory)))
    verdict, grade = known[f"{_STEP}.separates"].value, known[f"{_STEP}.grade"].value
    return Finding(
        drive,
        None if isinstance(verdict, Unknown) else str(verdict),
        _number(known[f"{_STEP}.separation"]),
        "" if isinstance(grade, Unknown) else str(grade),
        _number(known[f"{_STEP}.uniform.waf_counted"]),
        _number(known[f"{_STEP}.uniform.waf_implied"]),
        _number(known[f"{_STEP}.effective_spare"]),
    )


def _number(metric: Metric) -> float | None:
    return float(metric.value) if isinstance(metric.value, int | float) else None


def row(one: Finding) -> str:
    """Of the table."""
    drive = one.drive
    cache = f"{drive.cache_superblocks} superblocks" if drive.cache_superblocks else "none"
    numbers = (one.counted, one.implied, one.spare_percent, one.separation_percent)
    counted, implied, spare, separation = ("?" if value is None else f"{value:.2f}" for value in numbers)
    return (
        f"| {drive.number} | {drive.streams} | {drive.spare_percent:.1f} | {cache} | {drive.words} | {counted} | {implied} | {spare} "
        f"| {separation} | {one.separates or '?'} | {one.grade or '?'} | {one.outcome.value} |"
    )


def page(found: Sequence[Finding]) -> str:
    """The table of all drives, and the counts."""
    counts = {outcome: sum(one.outcome is outcome for one in found) for outcome in Outcome}
    wrong_at_best = sum(one.outcome is Outcome.WRONG and one.grade == "A" for one in found)
    lines = [
        "<!-- Written by `uv run python -m tests.study.separation_study`; do not edit. -->",
        "",
        "# Is the verdict on hot and cold data right?",
        "",
        f"{len(found)} random virtual drives, half of them with a write stream for hot data (`collection.streams` of the",
        "[specification](reference/spec.md)), which they fill by how long ago data was written and not by knowing the pattern. Each is run by",
        "`write-amplification` with its uniform pattern and the five of two zones. The seeds were drawn once, and what is wrong or open stays in the",
        "table. After a trial of four drives all got more superblocks and less speed, since so small a drive was written twelve times before what is",
        "judged by seconds was steady; the verdict was not touched. Drives: `tests/study/stream_drives.py`.",
        "",
        f"Right: {counts[Outcome.RIGHT]}, left open: {counts[Outcome.OPEN]}, wrong: {counts[Outcome.WRONG]}, of these at grade A: {wrong_at_best}.",
        "",
        "WAF is that of uniform writes; spare space is what data lie on beyond the capacity, in per cent of it, as the drive has it and as the",
        "suite finds it: more of it, since theory is of large superblocks, and small ones hold less that is valid when they are collected. Separation",
        "is the median of the patterns that tell: 0 where amplification is that of theory for mixed data, 100 for separated. What lies between is",
        "not among these drives, such as one that keeps only some of its data apart: they show that the two are told from each other.",
        "",
        "| drive | streams | spare | SLC cache | inside | WAF counted | WAF implied | spare found | separation | separates | grade | outcome |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *(row(one) for one in found),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run all drives and write the page."""
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(examine, range(DRIVES)))
    PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
