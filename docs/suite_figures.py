"""Draw the figure of each question in the guide "Choosing a suite": `uv run python docs/suite_figures.py`, some minutes.

Every drive is a model and runs in virtual time, so the host does not matter.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sources.model_runs import ran
from ssdlab.figure.registry import figures_for
from ssdlab.report.picture_style import standalone
from ssdlab.report.render import render_png, render_svg

IMAGES = Path(__file__).parent / "images"
_SEED = ("--seed", "1")
_QUICK = ("--profile", "quick", *_SEED)


@dataclass(frozen=True, slots=True)
class _Question:
    """A run, and the figure of it that answers."""

    run: tuple[str, ...]
    figure: str


_QUESTIONS: Mapping[str, _Question] = {
    "fill": _Question(("run", "fill", "model:demo", *_SEED), "bandwidth-over-bytes"),
    "client": _Question(("run", "client", "model:demo", *_QUICK), "reclaim"),
    "enterprise": _Question(
        ("run", "enterprise", "model:plp-enterprise-3t84?capacity=1GiB", *_QUICK), "two-in-one-rnd"
    ),
    "load-latency": _Question(("run", "load-latency", "model:demo", *_SEED), "load-latency"),
    "write-amplification": _Question(
        ("run", "write-amplification", "model:demo?capacity=512MiB", *_SEED), "write-amplification"
    ),
    "mixes": _Question(("run", "mixes", "model:plp-enterprise-3t84?capacity=1GiB", *_QUICK), "mixes-bandwidth"),
    "wsat": _Question(("run", "wsat", "model:demo", *_SEED), "wsat"),
    "pts-xsr": _Question(("run", "pts-xsr", "model:demo", *_SEED), "cross-stimulus-xsr-beginning"),
    "pts-hir": _Question(("run", "pts-hir", "model:demo", *_SEED), "idle-recovery-hir"),
}
"""By their suites."""


def main() -> int:
    """Run, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="SUITE", nargs="*", help="these alone")
    parser.add_argument(
        "--kept", metavar="DIRECTORY", type=Path, help="keeps the runs there, and takes those of before"
    )
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in _QUESTIONS]:
        parser.error(f"there is no figure of {', '.join(unknown)}; choose from {', '.join(_QUESTIONS)}")
    with tempfile.TemporaryDirectory() as directory:
        for name, question in _QUESTIONS.items():
            if not asked.names or name in asked.names:
                _draw(name, question, (asked.kept or Path(directory)) / name)
    return 0


def _draw(name: str, question: _Question, lab: Path) -> None:
    bundle = ran(question.run, lab)
    (figure,) = (one for one in figures_for(bundle) if one.name == question.figure)
    picture = render_png(standalone(render_svg(figure.spec)))
    (IMAGES / f"suite-{name}.png").write_bytes(picture)
    print(f"{name}: {len(picture):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
