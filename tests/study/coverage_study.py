"""How often the 95 % intervals of metrics hold, and how wide they are beside the spread between seeds.

`uv run python -m tests.study.coverage_study [SEEDS]` writes `docs/interval-coverage.md`; some minutes on two processors.
"""

import io
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from statistics import fmean, median, stdev

from ssdlab.bundle.model import Metric
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.method.tables import STANDARD

PAGE = Path(__file__).parents[2] / "docs" / "interval-coverage.md"
SEEDS = 100
PACES = {
    "white": "sigma = 0.15",
    "correlated": "sigma = 0.1\ncorrelation = 0.9",
    "dips": 'sigma = 0.05\ncorrelation = 0.5\ndip_every = "2300ms"\ndip_length = "300ms"\ndip_speed = 0.4',
}
"""Noise of three drives that are alike otherwise; a dip takes 8 % of the speed."""
_SPEC = """\
name = "noisy"
description = "for the coverage of intervals"
seed = {seed}

[geometry]
capacity = "1 GiB"
raw = "1280 MiB"
superblock = "4 MiB"
channels = 2
dies = 4
bits_per_cell = 2
stripe_unit = "32 KiB"
page = "16 KiB"

[timing]
sense = ["50us", "70us"]
program = "2500us"
erase = "3ms"
channel = "400 MB/s"
link_read = "1.5 GB/s"
link_write = "1.2 GB/s"
command = "2us"
read_overhead = "12us"
write_overhead = "10us"
suspend = "50us"

[buffer]
kind = "volatile"
size = "2 MiB"
flush = "15us"

[map]
unit = "4 KiB"

[collection]
start = 6
hard = 3

[slc]
static = "64 MiB"
max = "192 MiB"
reserve = "32 MiB"
after = "direct"

[pace]
{pace}
"""
_SUITE = """\
[suite]
name = "coverage"
version = "1"
description = "Points of every kind that has intervals"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 1

[[step]]
kind = "measure"
name = "single"
job.rnd = { pattern = "random", bs = "4KiB", limit = "20s" }
sweep = { qd = [1], mix = ["read", "r70w30"] }

[[step]]
kind = "measure"
name = "rw_ratio"
job.rnd = { pattern = "random", bs = "4KiB", limit = "5s" }
sweep = { qd = [1, 2], read = "0%..100% step 50%" }
repeat = { times = 3, at_most = 5, until_rse = "5%" }
take = "median"
weighted = { qd = { 1 = "80%", 2 = "20%" }, rank_over = "all" }
"""
Mapped = Callable[..., Iterable["Found"]]
"""As `map`, whoever does it."""
Found = dict[str, tuple[float, float | None, float | None]]
"""Value and ends of each metric that is a number."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one metric under one noise.

    Attributes:
        seeds: Runs with an interval.
        held: Of these, those whose interval holds the mean of all runs.
        width: Median width of the interval over the standard deviation between seeds; None where all seeds say the same.
    """

    pace: str
    metric: str
    runs: int
    seeds: int
    held: int
    width: float | None


def run_of(pace: str, seed: int) -> Found:
    """All metrics of a run on the drive of that seed."""
    with tempfile.TemporaryDirectory() as directory:
        spec = Path(directory) / "noisy.toml"
        spec.write_text(_SPEC.format(seed=seed, pace=PACES[pace]), encoding="utf-8")
        with open_bench(f"model:{spec}") as bench:
            plan = expand(parse_suite(_SUITE, "coverage"), STANDARD, bench.drive.identity, seed)
            bundle = execute(plan, bench, Path(directory) / "lab", PlainDisplay(io.StringIO()))
        return {one.name: found for one in bundle.metrics if (found := _numbers(one)) is not None}


def _numbers(metric: Metric) -> tuple[float, float | None, float | None] | None:
    if not isinstance(metric.value, int | float):
        return None
    return float(metric.value), metric.low, metric.high


def coverage(pace: str, runs: Sequence[Found]) -> list[Coverage]:
    """Of each metric that any of the runs has an interval of; the mean of all runs stands for the truth."""
    found = []
    for name in runs[0]:
        known = [run[name] for run in runs if name in run]
        ends = [(low, high) for _, low, high in known if low is not None and high is not None]
        if not ends or len(known) < 2:
            continue
        values = [value for value, _, _ in known]
        truth, spread = fmean(values), stdev(values)
        held = sum(low <= truth <= high for low, high in ends)
        width = median(high - low for low, high in ends) / spread if spread > 1e-9 * abs(truth) else None
        found.append(Coverage(pace, name, len(known), len(ends), held, width))
    return found


def without_interval(runs: Sequence[Found]) -> list[str]:
    """Rates that no run has an interval of."""
    return [name for name, (_, low, _) in runs[0].items() if low is None and name.endswith(("iops", "bandwidth"))]


def share_held(found: Sequence[Coverage]) -> float:
    """Of all intervals, those that hold."""
    return sum(one.held for one in found) / sum(one.seeds for one in found)


def median_width(found: Sequence[Coverage]) -> float:
    """Over the spread between seeds, of all metrics that have one."""
    return median(one.width for one in found if one.width is not None)


def page(seeds: int, found: Sequence[Coverage], bare: Sequence[str]) -> str:
    """The table, narrowest coverage first."""
    rows = sorted(found, key=lambda one: (one.held / one.seeds, one.metric))
    held, claimed = sum(one.held for one in found), sum(one.seeds for one in found)
    lines = [
        "<!-- Written by `uv run python -m tests.study.coverage_study`; do not edit. -->",
        "",
        "# Do the intervals hold?",
        "",
        f"Three small virtual drives, alike but for their `[pace]` ({', '.join(PACES)}), each with {seeds} seeds: every metric that has a",
        "95 % interval, how many of the intervals hold the mean of all seeds, and how wide they are (median) beside the standard deviation",
        "between seeds; an interval of a known normal scatter is 3.9 wide. Drive and suite: `tests/study/coverage_study.py`.",
        "",
        f"All together {held} of {claimed} hold ({share_held(found):.1%}), and the median of the widths is {median_width(found):.1f}.",
        f"Rates without an interval: {', '.join(f'`{one}`' for one in bare) or 'none'}.",
        "",
        "Too narrow are means over noise that remembers for a tenth of the run, and the last level of a short fill under it. Too wide are",
        "rates of drives with a rhythm that a run sees only twice (dips, 5 s): it cannot be told from slow noise; those of points whose speed",
        "changes while they run or from run to run (first writes after a fill): the change counts as scatter, and is much the same with every",
        "seed; and the size of the cache, which is not claimed to be known better than to the bytes in flight.",
        "",
        "| metric | noise | runs | with an interval | hold | width / spread |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_line(one) for one in rows),
        "",
    ]
    return "\n".join(lines)


def _line(one: Coverage) -> str:
    width = "all alike" if one.width is None else f"{one.width:.1f}"
    return f"| `{one.metric}` | {one.pace} | {one.runs} | {one.seeds} | {one.held / one.seeds:.0%} | {width} |"


def runs_of(seeds: int, mapped: Mapped = map) -> Mapping[str, Sequence[Found]]:
    """By pace, of so many seeds.

    No processes of its own begin it here: a copy of one that has threads, as a test runner has, can wait for ever for what they held.
    """
    return {pace: list(mapped(run_of, repeat(pace), range(1, seeds + 1))) for pace in PACES}


def coverages(runs: Mapping[str, Sequence[Found]]) -> list[Coverage]:
    """Of all metrics under each noise."""
    return [one for pace, found in runs.items() for one in coverage(pace, found)]


def main(arguments: Sequence[str]) -> int:
    """Run all seeds on all drives and write the page."""
    seeds = int(arguments[0]) if arguments else SEEDS
    with ProcessPoolExecutor(2) as pool:
        runs = runs_of(seeds, pool.map)
    PAGE.write_text(page(seeds, coverages(runs), without_interval(runs["white"])), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
