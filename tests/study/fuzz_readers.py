"""Damaged copies of recorded files through the readers of other programs' results, for as long as is told.

`uv run python -m tests.study.fuzz_readers --seconds 600 [--reader fio] [--seed 1]`
"""

import argparse
import sys
import time
import traceback
from pathlib import Path
from random import Random

from tests.kit.mutations import mutated, read_whole, samples

from ssdlab.library.foreign.readers import READERS
from ssdlab.library.foreign.result import Reader


def fuzz(reader: Reader, contents: list[bytes], seconds: float, seed: int, crashes: Path) -> int:
    """How many copies crashed the reader; each is kept."""
    random, count, taken, crashed = Random(seed), 0, 0, 0  # noqa: S311
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        content = mutated(random.choice(contents), contents, random)
        count += 1
        try:
            taken += read_whole(reader, content)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            crashed += 1
            crashes.mkdir(exist_ok=True)
            (crashes / f"{seed}-{count}").write_bytes(content)
            print(f"{reader.program}: copy {count} of seed {seed}\n{traceback.format_exc()}")
    print(f"{reader.program}: {count} copies, {taken} read, {crashed} crashes", flush=True)
    return crashed


def main() -> None:
    """Ends with status 1 if anything crashed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600, help="for each reader")
    options.add_argument("--reader", default="", help="a part of its name; all if not given")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--crashes", type=Path, default=Path("crashes"), help="where copies that crash it are kept")
    told = options.parse_args()
    recorded = samples()
    crashed = 0
    for reader in READERS:
        contents = list(recorded[reader.program])
        if told.reader.lower() in reader.program.lower() and contents:
            crashed += fuzz(reader, contents, told.seconds, told.seed, told.crashes)
    sys.exit(bool(crashed))


if __name__ == "__main__":
    main()
