"""Every probe on random drives whose inside is known, at three levels of noise, and on drives that are hard to probe.

Writes `docs/probe-study.md`, or prints it for a part of the drives.

uv run python -m tests.study.probe_study [FIRST LAST]
"""

import math
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.kit.adverse_probe_drives import WIDER_NUMBERS, AdverseDrive, adverse_drive
from tests.kit.probe_drives import Noise, ProbedDrive, Truth, probed_drive

from ssdlab.errors import SsdlabError
from ssdlab.lab.bench import open_bench
from ssdlab.message import Message
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.probes.corners import CORNERS
from ssdlab.probe.probes.drift import DRIFT
from ssdlab.probe.probes.reclaim import RECLAIM
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.probes.slc import SLC
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator, Probe
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "probe-study.md"
NUMBERS = range(30)
JUDGED = 131
"""The family of adverse drives on which no estimator was mended."""
ADVERSE_NUMBERS = range(WIDER_NUMBERS.stop)
STUDIED = (*(one for one in PROBES if one not in {SLC, RECLAIM, CORNERS, DRIFT}), DRIFT)
"""Drift comes last, so that the others meet the noise they met before it was there. Four corners infer nothing. The analysis of caches is held against 40 drives of its own in `client-validation.md`."""
TOLERANCE = {
    "noise.sigma": 0.1,
    "units.count": 0.25,
    "read_buffer.size": 0.0,
    "write_buffer.size": 0.15,
    "reach.bytes": 0.15,
    "flush_window.length": 0.1,
    "spare.share": 0.1,
    "thermal.onset": 0.02,
    "thermal.recovery": 0.02,
}
"""Share by which a number may be off and still count as right, or its interval holds the truth; every other has to be exact."""


class Verdict(Enum):
    """How an answer stands to the truth."""

    RIGHT = "right"
    SILENT = "not said"
    """There was something to say."""
    RIGHTLY_SILENT = "rightly none"
    WRONG = "wrong"
    INVENTED = "invented"
    """The drive lacks what was answered."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer, held against the truth."""

    drive: int
    noise: Noise
    name: str
    answer: Answer
    verdict: Verdict
    covered: bool | None
    """Whether the interval holds the truth; None where there is none, or nothing to cover."""


def judged(drive: ProbedDrive, answer: Answer) -> Judged:
    """Hold an answer against the truth."""
    truth = drive.truth[answer.name]
    return Judged(drive.number, drive.noise, answer.name, answer, _verdict(truth, answer), _covered(truth, answer))


def _verdict(truth: Truth, answer: Answer) -> Verdict:
    if answer.grade is Grade.NONE or isinstance(answer.value, Unknown):
        return Verdict.SILENT if truth.values else Verdict.RIGHTLY_SILENT
    if not truth.values:
        return Verdict.INVENTED
    return Verdict.RIGHT if any(_is_near(answer, value) for value in truth.values) else Verdict.WRONG


def _is_near(answer: Answer, value: float | Message) -> bool:
    if isinstance(value, Message) or isinstance(answer.value, Message | Unknown):
        return answer.value == value
    inside = answer.interval is not None and answer.interval.low <= value <= answer.interval.high
    near = math.isclose(answer.value, value, rel_tol=TOLERANCE.get(answer.name, 0.0), abs_tol=1e-9)
    return near or (inside and answer.name in TOLERANCE)


def _covered(truth: Truth, answer: Answer) -> bool | None:
    if answer.interval is None or not truth.values or isinstance(answer.value, Unknown | Message):
        return None
    numbers = [value for value in truth.values if not isinstance(value, Message)]
    return any(answer.interval.low - 1e-9 <= value <= answer.interval.high + 1e-9 for value in numbers)


def examine(number: int, noise: Noise, probes: Sequence[Probe] = STUDIED) -> list[Judged]:
    """All probes on one drive, and what they said of which the truth is known."""
    return examine_drive(probed_drive(number, noise), probes)


def examine_drive(drive: ProbedDrive, probes: Sequence[Probe]) -> list[Judged]:
    """The same of any drive."""
    with tempfile.TemporaryDirectory() as directory:
        spec = Path(directory) / "spec.toml"
        spec.write_text(drive.text)
        with open_bench(f"model:{spec}") as bench:
            session = Session(bench, seed=drive.number, watch=lambda _name, _progress: None)
            findings = list(session.run_all(probes, Estimator.ROBUST))
    answers = [answer for finding in findings for answer in finding.answers]
    return [judged(drive, answer) for answer in answers if answer.name in drive.truth]


def _examine(task: tuple[int, Noise]) -> list[Judged]:
    try:
        return examine(*task)
    except SsdlabError as error:
        raise RuntimeError(f"drive {task}: {error}") from error


@dataclass(frozen=True, slots=True)
class Adverse:
    """A drive that is hard to probe, and what came of it."""

    adverse: AdverseDrive
    found: tuple[Judged, ...]


AS_ALL_RUNS_THEM = tuple(one for one in PROBES if one in STUDIED)


def examine_adverse(family: int, number: int) -> Adverse:
    """All probes on one, in the order of `all`."""
    adverse = adverse_drive(family, number)
    try:
        return Adverse(adverse, tuple(examine_drive(adverse.drive, AS_ALL_RUNS_THEM)))
    except SsdlabError as error:
        raise RuntimeError(f"adverse drive {number}: {error}") from error


def _examine_judged(number: int) -> Adverse:
    return examine_adverse(JUDGED, number)


_WRONG = {Verdict.WRONG, Verdict.INVENTED}
_GRADED = (Grade.A, Grade.B, Grade.C)


def adverse_part(drives: Sequence[Adverse]) -> str:
    """The part of the page on drives that are hard to probe, with everything that is wrong."""
    found = [one for drive in drives for one in drive.found]
    names = list(dict.fromkeys(one.name for one in found))
    verdicts = Counter(one.verdict for one in found)
    grades = Counter(one.answer.grade for one in found if one.verdict in _WRONG)
    rows = "\n".join(f"| {' | '.join(_cells(name, [one for one in found if one.name == name]))} |" for name in names)
    wrong = "\n".join(
        f"| {one.drive} | {'; '.join(each.value for each in drive.adverse.adversities)} | {one.noise.name.lower()} | `{one.name}` "
        f"| {one.answer.value} | {one.answer.grade.value} | {one.verdict.value} |"
        for drive in drives
        for one in drive.found
        if one.verdict in _WRONG
    )
    return f"""## Drives that are hard to probe

{len(drives)} more drives (`tests/kit/adverse_probe_drives.py`) each have something that the estimators were not made for: odd geometries, flushes of
a fixed cost, large indirection units, small mapping caches, speed that rises, falls, wavers or dips, reads that are repeated, allocation
between order and address, stripes off every round number or of many MiB, capacities of some MiB, channels as slow as the flash. None of them was used to mend an estimator.

Of {len(found)} answers {verdicts[Verdict.RIGHT]} are right, {verdicts[Verdict.SILENT]} not said, {verdicts[Verdict.RIGHTLY_SILENT]} rightly none; wrong or invented: {grades[Grade.A]} of grade A, {grades[Grade.B]} of
B, {grades[Grade.C]} of C, which is a hint.

| answer | right: A | B | C | not said | rightly none | wrong: A | B | C | intervals |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}

| drive | what is hard | noise | answer | value | grade | verdict |
| --- | --- | --- | --- | --- | --- | --- |
{wrong}
"""


def page(found: Sequence[Judged]) -> str:
    """`probe-study.md`."""
    drives = len({one.drive for one in found})
    names = list(dict.fromkeys(one.name for one in found))
    rows = [
        _row(name, noise, [one for one in found if (one.name, one.noise) == (name, noise)])
        for name in names
        for noise in Noise
    ]
    wrong = [one for one in found if one.verdict in _WRONG]
    grades = Counter(one.answer.grade for one in wrong)
    listed = "\n".join(
        f"| {one.drive} | {one.noise.name.lower()} | `{one.name}` | {one.answer.value} | {one.answer.grade.value} | {one.verdict.value} |"
        for one in wrong
    )
    return f"""<!-- Written by `uv run python -m tests.study.probe_study`; do not edit. -->

# The black-box probes against known drives

{drives} virtual drives are drawn at random (`tests/kit/probe_drives.py`), a third of them of the source paper's kind, the others of
today's, with and without each feature that is asked for. Each is probed in virtual time at three levels of noise on every latency:
a log-normal factor of sigma 2 %; 10 % and an outlier of 20 ms in 0.5 % of the commands; 25 % and 2 %. The truth follows from the
specification by arithmetic. It measures the estimators, on drives of this model; what real drives do beside it is not in it.

Answers of grade A that are wrong or invented: {grades[Grade.A]}. Of grade B: {grades[Grade.B]}; of grade C, which is a hint: {grades[Grade.C]}.

`right`: exact, or within {", ".join(f"{share:.0%} (`{name}`)" for name, share in TOLERANCE.items())} or inside the stated interval. `rightly none`: the drive
lacks it, and no answer is given. The last column is how many of the stated intervals hold the truth.

| answer | noise | right: A | B | C | not said | rightly none | wrong: A | B | C | intervals |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{chr(10).join(rows)}

{"## What is wrong" if listed else ""}

{"| drive | noise | answer | value | grade | verdict |" if listed else ""}
{"| --- | --- | --- | --- | --- | --- |" if listed else ""}
{listed}
"""


def _row(name: str, noise: Noise, found: Sequence[Judged]) -> str:
    name_cell, *cells = _cells(name, found)
    return f"| {' | '.join((name_cell, noise.name.lower(), *cells))} |"


def _cells(name: str, found: Sequence[Judged]) -> list[str]:
    def count(verdicts: set[Verdict], grade: Grade) -> str:
        return str(sum(one.verdict in verdicts and one.answer.grade is grade for one in found) or "")

    verdicts = Counter(one.verdict for one in found)
    covered = [one.covered for one in found if one.covered is not None]
    return [
        f"`{name}`",
        *(count({Verdict.RIGHT}, grade) for grade in _GRADED),
        str(verdicts[Verdict.SILENT] or ""),
        str(verdicts[Verdict.RIGHTLY_SILENT] or ""),
        *(count(_WRONG, grade) for grade in _GRADED),
        f"{sum(covered)} of {len(covered)}" if covered else "",
    ]


def main() -> int:
    """Examine all drives and write the page, or print it for a part of them."""
    part = range(int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) == 3 else None
    tasks = [(number, noise) for number in part or NUMBERS for noise in Noise]
    found: list[Judged] = []
    with ProcessPoolExecutor(2) as pool:
        for drive in pool.map(_examine, tasks):
            found += drive
            print(f"{len(found)} answers", file=sys.stderr, flush=True)
        adverse = list(pool.map(_examine_judged, part or ADVERSE_NUMBERS))
    text = f"{page(found).rstrip()}\n\n{adverse_part(adverse)}"
    if part is None:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
