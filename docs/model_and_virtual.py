"""Write `docs/model-and-virtual.md`: `uv run python docs/model_and_virtual.py`, twelve minutes of real fio on a host that does nothing else.

With bundles (`MODEL VIRTUAL`, any number of pairs) nothing is run: the page is written of those.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sources.model_and_virtual import page
from ssdlab.bundle.read import Bundle, open_bundle

PAGE = Path(__file__).parent / "model-and-virtual.md"
_HEADING = "<!-- Written by docs/model_and_virtual.py from two runs of each suite; run it again. -->\n\n"
_SUITES = ("client", "enterprise")


def main() -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundles", metavar="MODEL VIRTUAL", type=Path, nargs="*")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as lab:
        paths = asked.bundles or [_ran(suite, kind, lab) for suite in _SUITES for kind in ("model", "virtual")]
        bundles = [open_bundle(path) for path in paths]
        PAGE.write_text(_HEADING + page(_pairs(bundles)), encoding="utf-8")
    return 0


def _pairs(bundles: Sequence[Bundle]) -> list[tuple[Bundle, Bundle]]:
    return list(zip(bundles[::2], bundles[1::2], strict=True))


def _ran(suite: str, kind: str, lab: str) -> Path:
    words = (sys.executable, "-m", "ssdlab.cli", "run", suite, f"{kind}:demo", "--profile", "quick", "--seed", "1")
    done = subprocess.run([*words, "--lab", lab], check=False, stdout=subprocess.PIPE, text=True)
    return Path(done.stdout.strip())


if __name__ == "__main__":
    sys.exit(main())
