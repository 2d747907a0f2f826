"""`ssdlab library` over thousands of runs, against starting the same interpreter with the same imports and reading nothing."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from measure import ROOT, SSDLAB, Aim, Measurement

_RUNS = 5000
_METRICS = 150
_ROUNDS = 5


def library() -> Iterator[Measurement]:
    """List and rank 5,000 runs with 150 metrics each; the whole command, cache warm."""
    sys.path.insert(0, str(ROOT))
    from tests.kit.library_runs import METRIC, write_many

    with tempfile.TemporaryDirectory() as directory:
        lab = Path(directory)
        (lab / "runs").mkdir()
        write_many(lab, _RUNS, _METRICS)
        yield _first(lab)
        for words, limit_s in ((["list"], 1.0), (["rank", METRIC], 2.0)):
            seconds = _fastest([SSDLAB, "library", *words, "--lab", lab])
            start_s = _fastest([sys.executable, "-c", "import duckdb, ssdlab.cli.library"])
            detail = f"{_RUNS:,} runs; interpreter and imports alone {start_s:.2f} s, {seconds / start_s:.1f} x of that"
            yield Measurement(f"library {words[0]}", seconds, "s", Aim.AT_MOST, limit_s, detail)


def _first(lab: Path) -> Measurement:
    began = perf_counter()
    _run([SSDLAB, "library", "list", "--lab", lab])
    detail = f"{_RUNS:,} bundles opened, {_RUNS * _METRICS:,} metrics; once, then only what changes"
    return Measurement("library, the first look", perf_counter() - began, "s", Aim.NONE, 0, detail)


def _fastest(command: list[str | Path]) -> float:
    """The shortest of some runs: others on the machine only make it longer."""
    times = []
    for _ in range(_ROUNDS):
        began = perf_counter()
        _run(command)
        times.append(perf_counter() - began)
    return min(times)


def _run(command: list[str | Path]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
