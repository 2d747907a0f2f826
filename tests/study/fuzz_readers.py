"""Damaged copies of recorded files through everything that reads files of strangers, for as long as is told.

`uv run python -m tests.study.fuzz_readers --seconds 600 [--reader fio] [--seed 1]`

A copy crashes its reader by whatever it raises but a refusal, by memory above a bound, and by more of a processor's time than any copy of a
file this small may take. All times are of the processor: on a shared machine a second is as many copies as elsewhere.
"""

import argparse
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.kit.fuzzed import Fuzzed, all_fuzzed
from tests.kit.mutations import mutated

_COPY_S_MAX = 20.0
_GROWTH_BYTES_MAX = 1 << 30


class TooSlowError(Exception):
    """A copy took longer than any may."""


def fuzz(reader: Fuzzed, seconds: float, seed: int, directory: Path, crashes: Path) -> int:
    """How many copies crashed the reader; each is kept."""
    random, count, taken, crashed, slowest_s = Random(seed), 0, 0, 0, 0.0  # noqa: S311
    end_s = time.process_time() + seconds
    while (begin_s := time.process_time()) < end_s:
        content = mutated(random.choice(reader.contents), reader.contents, random)
        count += 1
        try:
            with _time_limit():
                taken += reader.read(content, directory)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            crashed += 1
            crashes.mkdir(exist_ok=True)
            (crashes / f"{reader.name.replace('/', '-')}-{seed}-{count}").write_bytes(content)
            print(f"{reader.name}: copy {count} of seed {seed}\n{traceback.format_exc()}", flush=True)
        slowest_s = max(slowest_s, time.process_time() - begin_s)
    print(
        f"{reader.name}: {seconds:.0f} s, {count} copies, {taken} read, {crashed} crashes, slowest {slowest_s:.2f} s, "
        f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB",
        flush=True,
    )
    return crashed


@contextmanager
def _time_limit() -> Iterator[None]:
    """Ends by an error what takes too long."""

    def stop(*_: object) -> None:
        raise TooSlowError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _COPY_S_MAX)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _limit_memory() -> None:
    """What is above it is refused by a `MemoryError`."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    bound = pages * resource.getpagesize() + _GROWTH_BYTES_MAX
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def main() -> None:
    """Ends with status 1 if anything crashed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600, help="of a processor for each reader")
    options.add_argument("--reader", default="", help="a part of its name; all if not given")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--crashes", type=Path, default=Path("crashes"), help="where copies that crash it are kept")
    told = options.parse_args()
    # A warning of a library would stand in the terminal between the lines of a command.
    warnings.simplefilter("error")
    with TemporaryDirectory() as directory:
        chosen = [one for one in all_fuzzed() if told.reader.lower() in one.name.lower()]
        _limit_memory()
        crashed = sum(fuzz(one, told.seconds, told.seed, Path(directory), told.crashes) for one in chosen)
    sys.exit(bool(crashed))


if __name__ == "__main__":
    main()
