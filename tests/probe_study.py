"""Every probe on random drives whose inside is known, at three levels of noise: writes `docs/probe-study.md`.

uv run python -m tests.probe_study [FIRST LAST]
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

from tests.probe_drives import Noise, ProbedDrive, Truth, probed_drive
from tests.probe_prototype import BLOCKS_BYTES, SIGMAS, block_rate, fit_rate, section
from tests.probe_prototype_drives import QUESTIONS, said_of

from ssdlab.errors import SsdlabError
from ssdlab.lab.open import open_bench
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.corners import CORNERS
from ssdlab.probe.reclaim import RECLAIM
from ssdlab.probe.registry import PROBES
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator, Probe
from ssdlab.probe.slc import SLC
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[1] / "docs" / "probe-study.md"
NUMBERS = range(30)
STUDIED = tuple(one for one in PROBES if one not in {SLC, RECLAIM, CORNERS})
"""Four corners infer nothing. The analysis of caches is held against 40 drives of its own in `client-validation.md`."""
TOLERANCE = {
    "noise.sigma": 0.1,
    "units.count": 0.25,
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


def _is_near(answer: Answer, value: float | str) -> bool:
    if isinstance(value, str) or isinstance(answer.value, str | Unknown):
        return answer.value == value
    inside = answer.interval is not None and answer.interval.low <= value <= answer.interval.high
    near = math.isclose(answer.value, value, rel_tol=TOLERANCE.get(answer.name, 0.0), abs_tol=1e-9)
    return near or (inside and answer.name in TOLERANCE)


def _covered(truth: Truth, answer: Answer) -> bool | None:
    if answer.interval is None or not truth.values or isinstance(answer.value, Unknown | str):
        return None
    numbers = [value for value in truth.values if not isinstance(value, str)]
    return any(answer.interval.low - 1e-9 <= value <= answer.interval.high + 1e-9 for value in numbers)


def examine(number: int, noise: Noise, probes: Sequence[Probe] = STUDIED) -> list[Judged]:
    """All probes on one drive, and what they said of which the truth is known."""
    drive = probed_drive(number, noise)
    with tempfile.TemporaryDirectory() as directory:
        spec = Path(directory) / "spec.toml"
        spec.write_text(drive.text)
        with open_bench(f"model:{spec}") as bench:
            session = Session(bench, seed=number, watch=lambda _name, _progress: None)
            findings = list(session.run_all(probes, Estimator.ROBUST))
    answers = [answer for finding in findings for answer in finding.answers]
    return [judged(drive, answer) for answer in answers if answer.name in drive.truth]


def _examine(task: tuple[int, Noise]) -> list[Judged]:
    try:
        return examine(*task)
    except SsdlabError as error:
        raise RuntimeError(f"drive {task}: {error}") from error


def page(found: Sequence[Judged], beside: str = "") -> str:
    """`probe-study.md`; `beside` is the part that compares it with the prototype."""
    drives = len({one.drive for one in found})
    names = list(dict.fromkeys(one.name for one in found))
    rows = [
        _row(name, noise, [one for one in found if (one.name, one.noise) == (name, noise)])
        for name in names
        for noise in Noise
    ]
    wrong = [one for one in found if one.verdict in {Verdict.WRONG, Verdict.INVENTED}]
    grades = Counter(one.answer.grade for one in wrong)
    listed = "\n".join(
        f"| {one.drive} | {one.noise.name.lower()} | `{one.name}` | {one.answer.value} | {one.answer.grade.value} | {one.verdict.value} |"
        for one in wrong
    )
    return f"""<!-- Written by `uv run python -m tests.probe_study`; do not edit. -->

# The black-box probes against known drives

{drives} virtual drives are drawn at random (`tests/probe_drives.py`), a third of them of the source paper's kind, the others of
today's, with and without each feature that is asked for. Each is probed in virtual time at three levels of noise on every latency:
a log-normal factor of sigma 2 %; 10 % and an outlier of 20 ms in 0.5 % of the commands; 25 % and 2 %. The truth follows from the
specification by arithmetic. It measures the estimators, on drives of this model; what real drives do beside it is not in it.

Answers of grade A that are wrong or invented: {grades[Grade.A]}. Of grade B: {grades[Grade.B]}; of grade C, which is a hint: {grades[Grade.C]}.

`right`: exact, or within {", ".join(f"{share:.0%} (`{name}`)" for name, share in TOLERANCE.items())} or inside the stated interval. `rightly none`: the drive
lacks it, and no answer is given. The last column is how many of the stated intervals hold the truth.

| answer | noise | right: A | B | C | not said | rightly none | wrong: A | B | C | intervals |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
{chr(10).join(rows)}

{beside}
{"## What is wrong" if listed else ""}

{"| drive | noise | answer | value | grade | verdict |" if listed else ""}
{"| --- | --- | --- | --- | --- | --- |" if listed else ""}
{listed}
"""


def _row(name: str, noise: Noise, found: Sequence[Judged]) -> str:
    def count(verdicts: set[Verdict], grade: Grade) -> str:
        return str(sum(one.verdict in verdicts and one.answer.grade is grade for one in found) or "")

    graded = (Grade.A, Grade.B, Grade.C)
    verdicts = Counter(one.verdict for one in found)
    covered = [one.covered for one in found if one.covered is not None]
    cells = [
        f"`{name}`",
        noise.name.lower(),
        *(count({Verdict.RIGHT}, grade) for grade in graded),
        str(verdicts[Verdict.SILENT] or ""),
        str(verdicts[Verdict.RIGHTLY_SILENT] or ""),
        *(count({Verdict.WRONG, Verdict.INVENTED}, grade) for grade in graded),
        f"{sum(covered)} of {len(covered)}" if covered else "",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Examine all drives and write the page, or print it for a part of them."""
    numbers = range(int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) == 3 else NUMBERS
    tasks = [(number, noise) for number in numbers for noise in Noise]
    found: list[Judged] = []
    with ProcessPoolExecutor(2) as pool:
        for part in pool.map(_examine, tasks):
            found += part
            print(f"{len(found)} answers", file=sys.stderr, flush=True)
        if len(sys.argv) == 3:
            print(page(found))
            return 0
        cells = [(size, noise) for size in BLOCKS_BYTES for noise in Noise]
        blocks = dict(zip(cells, pool.map(block_rate, *zip(*cells, strict=True)), strict=True))
        fits = dict(zip(SIGMAS, pool.map(fit_rate, SIGMAS), strict=True))
        asked = [(question, noise) for question in QUESTIONS for noise in Noise]
        answers = pool.map(said_of, *zip(*asked, strict=True))
        said = {(question.words, noise): answer for (question, noise), answer in zip(asked, answers, strict=True)}
    PAGE.write_text(page(found, section(blocks, fits, said)).rstrip() + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
