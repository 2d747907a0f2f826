"""Write `docs/concepts/is-it-steady.md`: `nice uv run python docs/is_it_steady.py`, some ten minutes on two processors.

With `--check N` nothing is written; the first N drives are studied again, and if the page says otherwise of one the exit status is 1.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from sources.markdown import table
from sources.steady_page import DRIVES, page, row, studied
from sources.steady_story import story

PAGE = Path(__file__).parent / "concepts" / "is-it-steady.md"
_HEADING = "<!-- Written by docs/is_it_steady.py from the code. Change the code, then run it again. -->\n\n"


def main() -> int:
    """Write the page, or check a part of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", metavar="N", type=int)
    parser.add_argument("--processes", metavar="N", type=int, default=2)
    asked = parser.parse_args()
    if asked.check is not None:
        return _check(asked.check)
    with ProcessPoolExecutor(asked.processes) as pool:
        told = pool.submit(story)
        rows = list(pool.map(studied, range(DRIVES)))
        PAGE.write_text(_HEADING + page(rows, told.result()), encoding="utf-8")
    return 0


def _check(count: int) -> int:
    said = PAGE.read_text(encoding="utf-8")
    for seed in range(count):
        line = table(("",), [row(studied(seed))]).splitlines()[-1]
        if line not in said:
            print(f"error: {PAGE.name} says otherwise of drive {seed}; now it is {line}", file=sys.stderr)
            print("hint: nice uv run python docs/is_it_steady.py", file=sys.stderr)
            return 1
    print(f"{count} drives are as the page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
