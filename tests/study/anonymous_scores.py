"""What the set of traces scores when it is anonymous: drawn several times, on every built-in consumer drive.

`uv run python -m tests.study.anonymous_scores [--draws 6]`, a minute
"""

import argparse
import sys
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory

from ssdlab.score.score import score_table
from ssdlab.trace.make import anonymise_trace

DOCS = Path(__file__).parents[2] / "docs"
SIZE = "?capacity=64GiB"


def main() -> None:
    """A line a drive: the score of each draw, those of the set itself being 1."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=6)
    draws: int = options.parse_args().draws
    sys.path.insert(0, str(DOCS))
    from sources import trace_set

    with TemporaryDirectory() as directory:
        hidden = [_anonymous(Path(directory) / f"draw {number}", trace_set.TRACES) for number in range(draws)]
        for drive in trace_set.DRIVES:
            times_ns = []
            for traces in (trace_set.TRACES, *hidden):
                run = trace_set.run_on(drive, Path(directory) / "runs" / drive / traces.name, SIZE, traces)
                times_ns.append([one.time_ns for one in score_table([run], run).reference.traces])
            plain, *others = times_ns
            scores = [geometric_mean(a / b for a, b in zip(plain, other, strict=True)) for other in others]
            print(drive, *(f"{score:.4f}" for score in scores), flush=True)


def _anonymous(directory: Path, traces: Path) -> Path:
    directory.mkdir()
    for trace in traces.glob("*.ssdtrace"):
        anonymise_trace(trace, directory / trace.name)
    return directory


if __name__ == "__main__":
    main()
