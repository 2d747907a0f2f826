"""Damaged copies of recorded files through everything that reads files of strangers, for as long as is told.

`uv run python -m tests.study.fuzz_readers --seconds 600 [--reader fio] [--seed 1]`
"""

import argparse
import sys
import time
import traceback
import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.kit.fuzzed import Fuzzed, all_fuzzed
from tests.kit.mutations import mutated


def fuzz(reader: Fuzzed, seconds: float, seed: int, directory: Path, crashes: Path) -> int:
    """How many copies crashed the reader; each is kept."""
    random, count, taken, crashed = Random(seed), 0, 0, 0  # noqa: S311
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        content = mutated(random.choice(reader.contents), reader.contents, random)
        count += 1
        try:
            taken += reader.read(content, directory)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            crashed += 1
            crashes.mkdir(exist_ok=True)
            (crashes / f"{seed}-{count}").write_bytes(content)
            print(f"{reader.name}: copy {count} of seed {seed}\n{traceback.format_exc()}")
    print(f"{reader.name}: {count} copies, {taken} read, {crashed} crashes", flush=True)
    return crashed


def main() -> None:
    """Ends with status 1 if anything crashed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600, help="for each reader")
    options.add_argument("--reader", default="", help="a part of its name; all if not given")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--crashes", type=Path, default=Path("crashes"), help="where copies that crash it are kept")
    told = options.parse_args()
    # A warning of a library would stand in the terminal between the lines of a command.
    warnings.simplefilter("error")
    with TemporaryDirectory() as directory:
        chosen = [one for one in all_fuzzed() if told.reader.lower() in one.name.lower()]
        crashed = sum(fuzz(one, told.seconds, told.seed, Path(directory), told.crashes) for one in chosen)
    sys.exit(bool(crashed))


if __name__ == "__main__":
    main()
