"""How far scores by the set of traces repeat in real time: the set several times on a virtual drive that serves NBD, and once in virtual time.

`uv run python -m tests.study.real_time_scores [--drive mlc-1tb] [--repeats 5]`, on a host that does nothing else; a minute and a half a repeat
"""

import argparse
import io
import sys
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory

from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.job import EngineName
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.method.tables import STANDARD
from ssdlab.score.score import score_table

DOCS = Path(__file__).parents[2] / "docs"
SIZE = "?capacity=8GiB"
REST = "10s"
"""In place of five minutes, which a drive that serves in real time would rest in real time."""


def main() -> None:
    """Lines of each trace and of the score: virtual time, mean of the repeats over it, and their coefficient of variation."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--drive", default="mlc-1tb")
    options.add_argument("--repeats", type=int, default=5)
    asked = options.parse_args()
    sys.path.insert(0, str(DOCS))
    from sources import trace_set

    text = trace_set.SUITE.read_text(encoding="utf-8").replace('rest = "5min"', f'rest = "{REST}"')
    text = text.replace('trace = "', f'trace = "{trace_set.TRACES}/')
    with TemporaryDirectory() as directory:
        lab = Path(directory)
        reference = _run(f"model:{asked.drive}{SIZE}", text, lab)
        runs = [_run(f"virtual:{asked.drive}{SIZE}", text, lab) for _ in range(asked.repeats)]
        for trace in score_table(runs, reference).drives[-1].traces:
            _tell(
                trace.key.step,
                f"{trace.reference_ns / 1e9:.3f} s",
                [one / trace.reference_ns for one in trace.times_ns],
            )
        alone = [score_table([run], reference) for run in runs]
        _tell("score", "1", [one.drives[-1].score for one in alone])
        print("failed checks", sorted({name for one in alone for name in one.drives[-1].failed_checks}))


def _tell(name: str, virtual: str, shares: list[float]) -> None:
    print(
        f"{name}: {virtual}, in real time x {fmean(shares):.4f}, CV {100 * stdev(shares) / fmean(shares):.2f} %",
        flush=True,
    )


def _run(target: str, text: str, lab: Path) -> Bundle:
    with open_bench(target, engine=EngineName.LOAD) as bench:
        plan = expand(parse_suite(text, "set.toml"), STANDARD, bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


if __name__ == "__main__":
    main()
