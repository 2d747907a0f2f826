"""Write `docs/concepts/is-it-steady.md`: `nice uv run python docs/is_it_steady.py`, some ten minutes on two processors.

With `--check N` nothing is written; the first N drives are studied again, and if the page says otherwise of one the exit status is 1.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import sources

sys.path.append(str(Path(sources.__file__).resolve().parents[2]))
from tests.study.steady_study import FINAL_COUNT, FINAL_FAMILY, judged

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
        return _check(asked.check, asked.processes)
    with ProcessPoolExecutor(asked.processes) as pool:
        told = pool.submit(story)
        rows = list(pool.map(studied, range(DRIVES)))
        hard = pool.map(judged, range(FINAL_COUNT), repeat(FINAL_FAMILY))
        PAGE.write_text(_HEADING + page(rows, told.result(), list(hard)), encoding="utf-8")
    return 0


def _check(count: int, processes: int) -> int:
    said = PAGE.read_text(encoding="utf-8")
    with ProcessPoolExecutor(min(count, processes)) as pool:
        for seed, found in enumerate(pool.map(studied, range(count))):
            line = table(("",), [row(found)]).splitlines()[-1]
            if line not in said:
                print(f"error: {PAGE.name} says otherwise of drive {seed}; now it is {line}", file=sys.stderr)
                print("hint: nice uv run python docs/is_it_steady.py", file=sys.stderr)
                return 1
    print(f"{count} drives are as the page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
