"""Studies have all their drives examined when what they are about has changed since they last passed whole, else a fixed sample.

`passed.json` has, for each, a digest of the code it last passed whole with. A digest of content and no comparison with another commit: a
clone without history, a merge and a change that is not committed are judged alike. Comments, docstrings and where a file lies make no
difference. `uv run python -m tests.study.passed` runs all drives of all studies, half an hour on two processors, and writes the file.
"""

import ast
import hashlib
import json
import os
import subprocess
import sys
from enum import Enum
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PASSED = Path(__file__).with_suffix(".json")
_ALL = "SSDLAB_WHOLE_STUDIES"
_MODEL = ("crates/vdrive/src", "crates/vdrive/specs")
_STATISTICS = tuple(
    f"src/ssdlab/analysis/statistics/{name}.py"
    for name in (
        "changepoint",
        "goodness_of_fit",
        "interval",
        "noise",
        "percentile",
        "rate",
        "repeat",
        "standing",
        "written_curve",
    )
)
"""What inference and probes are made of; consistency and responses are of metrics alone."""


class Study(Enum):
    """What is held against random drives, and the code whose change may change what comes of it."""

    CONSUMER = ("src/ssdlab/analysis", "tests/study/random_drives.py", "tests/study/validation.py", *_MODEL)
    FILLS = (
        "src/ssdlab/analysis/infer",
        *_STATISTICS,
        "src/ssdlab/analysis/statistics/consistency.py",
        "src/ssdlab/analysis/metrics/fill.py",
        "tests/kit/adverse_fills.py",
        "tests/kit/drawn_fills.py",
        "tests/study/fill_study.py",
    )
    FIRST_SCREENS = (
        "src/ssdlab/analysis",
        "src/ssdlab/library/compare.py",
        "src/ssdlab/report/comparison.py",
        "src/ssdlab/report/first_screen",
        "src/ssdlab/report/suite_numbers.py",
        "src/ssdlab/units.py",
        "tests/kit/amplified_drives.py",
        "tests/kit/drawn_screens.py",
        "tests/kit/fill_claims.py",
        "tests/kit/first_screen_claims.py",
        "tests/kit/load_drives.py",
        "tests/kit/portrait_claims.py",
        "tests/kit/portrait_truths.py",
        "tests/kit/probe_drives.py",
        "tests/kit/quoted_numbers.py",
        "tests/kit/recorded_truths.py",
        "tests/kit/small_drives.py",
        "tests/kit/suite_claims.py",
        "tests/kit/sustain_claims.py",
        "tests/kit/sustained_truths.py",
        "tests/kit/told_values.py",
        "tests/study/random_drives.py",
        "tests/study/test_compared_words.py",
        "tests/study/test_first_screen_drawn_runs.py",
        "tests/study/test_first_screen_kinds.py",
        "tests/study/test_first_screen_others.py",
        "tests/study/test_first_screen_probed_drives.py",
        "tests/study/test_first_screen_recorded.py",
        "tests/study/test_first_screen_sustained_runs.py",
        "tests/study/test_first_screen_truth.py",
        *_MODEL,
    )
    INTERVALS = ("src/ssdlab/analysis", "tests/study/coverage_study.py", *_MODEL)
    PROBES = (
        "src/ssdlab/probe",
        "src/ssdlab/analysis/infer/reach.py",
        *_STATISTICS,
        "tests/kit/adverse_probe_drives.py",
        "tests/kit/probe_drives.py",
        "tests/study/probe_study.py",
        *_MODEL,
    )
    SEPARATION = (
        "src/ssdlab/analysis/infer/amplification.py",
        "src/ssdlab/analysis/infer/drift.py",
        "src/ssdlab/analysis/infer/steady.py",
        "src/ssdlab/analysis/infer/written_past.py",
        "src/ssdlab/analysis/metrics/write_amplification.py",
        *_STATISTICS,
        "tests/kit/amplified_drives.py",
        "tests/study/separation_study.py",
        "tests/study/stream_drives.py",
        *_MODEL,
    )
    STEADINESS = (
        "src/ssdlab/analysis/infer/drift.py",
        "src/ssdlab/analysis/infer/steady.py",
        "src/ssdlab/analysis/infer/written_past.py",
        *_STATISTICS,
        "docs/sources/steady_drives.py",
        "docs/sources/steady_study.py",
        "tests/kit/adverse_dynamics.py",
        "tests/study/steady_study.py",
        *_MODEL,
    )


@cache
def runs_whole(study: Study) -> bool:
    """Whether all drives are to be examined."""
    return bool(os.environ.get(_ALL)) or recorded().get(study.name.lower()) != digest(study)


def recorded() -> dict[str, str]:
    """Of each study the digest it last passed whole with."""
    digests: dict[str, str] = json.loads(PASSED.read_text(encoding="utf-8"))
    return digests


def digest(study: Study) -> str:
    """Of all code of its trees, in no order."""
    files = {
        file
        for tree in (ROOT / name for name in study.value)
        for file in ([tree] if tree.is_file() else tree.rglob("*"))
        if file.suffix in {".py", ".rs", ".toml"}
    }
    if not files:
        raise FileNotFoundError(study.value)
    return hashlib.sha256("".join(sorted(map(_of_file, files))).encode()).hexdigest()


def _of_file(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    said = _code_of_python(text) if path.suffix == ".py" else _code_of_others(text)
    return hashlib.sha256(said.encode()).hexdigest()


def _code_of_python(text: str) -> str:
    """The syntax tree without strings that stand for themselves, which are docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [
                one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
            ]
    return ast.dump(tree)


def _code_of_others(text: str) -> str:
    """The lines that are no comments, without their margins."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if (line and not line.startswith(("//", "#"))) or line.startswith("#["))


def main() -> int:
    """Run all of all studies; what passed is recorded."""
    before = {study.name.lower(): digest(study) for study in Study}
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count() or 1), str(Path(__file__).parent)]
    status = subprocess.run(command, cwd=ROOT, env=os.environ | {_ALL: "yes"}, check=False).returncode
    if status == 0:
        PASSED.write_text(json.dumps(before, indent=2) + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
