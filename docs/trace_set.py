"""Draw what the built-in consumer drives score by the set of traces: `uv run python docs/trace_set.py`, some seconds."""

import sys
import tempfile
from pathlib import Path

from sources.trace_set import scores
from ssdlab.figure.kit.bars import Bar, bar_spec
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.style import WIDE
from ssdlab.report.picture_style import standalone
from ssdlab.report.render import render_png, render_svg
from ssdlab.score.score import REFERENCE_DRIVE

IMAGE = Path(__file__).parent / "images" / "trace-set.png"


def main() -> int:
    """Score, draw, and print what is drawn."""
    with tempfile.TemporaryDirectory() as directory:
        found = scores(Path(directory))
    bars = [
        Bar(
            label=str(drive.entries[0].drive.model),
            slot=1,
            rank=Rank.UNDER_TEST if str(drive.entries[0].drive.model).endswith(REFERENCE_DRIVE) else Rank.COMPARED,
            value=drive.score,
            text=f"{drive.score:.3f}",
            words=f"{drive.entries[0].drive.model}: {drive.score:.3f}",
        )
        for drive in found.drives
    ]
    title = "The set of traces on the built-in consumer drives"
    subtitle = (f"Time of {REFERENCE_DRIVE} over time of the drive, geometric mean over eight traces; more is faster",)
    spec = bar_spec(bars, "score", WIDE, title, subtitle, title)
    IMAGE.write_bytes(render_png(standalone(render_svg(spec))))
    for one in bars:
        print(one.words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
