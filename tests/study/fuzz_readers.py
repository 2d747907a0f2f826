"""Damaged copies of recorded files through everything that reads files of strangers, for as long as is told.

`uv run python -m tests.study.fuzz_readers --seconds 600 [--reader sysbench --reader quarch] [--seed 1]`; `--list` names the readers

A copy crashes its reader by whatever it raises but a refusal, by memory above a bound, and by more of a processor's time than any copy of a
file this small may take. All times are of the processor: on a shared machine a second is as many copies as elsewhere. Readers take turns, so
that a run that is cut off has tried all of them alike, and after each turn a line tells what has been done so far.
"""

import argparse
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.kit.fuzzed import Fuzzed, all_fuzzed

_COPY_S_MAX = 20.0
_GROWTH_BYTES_MAX = 1 << 30
_TURN_S = 5.0
_COPY_BYTES = 1000
"""That many are read in the time that a copy takes whatever its size."""


class TooSlowError(Exception):
    """A copy took longer than any may."""


class Fuzzing:
    """A reader and what it has been given."""

    def __init__(self, reader: Fuzzed, seed: int, crashes: Path) -> None:
        """Nothing yet.

        Args:
            reader: What is fuzzed.
            seed: Of all copies, whatever the turns are.
            crashes: Where copies that crash it are kept.
        """
        self.reader, self._seed, self._crashes = reader, seed, crashes
        self._random = Random(seed)  # noqa: S311
        # A copy of a large file takes longer: each file is given about as much of the time.
        self._shares = tuple(accumulate(1 / (_COPY_BYTES + len(content)) for content in reader.contents))
        self.taken_s, self.crashed = 0.0, 0
        self._count, self._read, self._slowest_s = 0, 0, 0.0

    def go_on(self, seconds: float, directory: Path) -> None:
        """Read copies for so long; each that crashed the reader is kept."""
        begin_s = _processor_s()
        while (at_s := _processor_s()) < begin_s + seconds:
            self._one_copy(directory)
            self._slowest_s = max(self._slowest_s, _processor_s() - at_s)
        self.taken_s += _processor_s() - begin_s

    def _one_copy(self, directory: Path) -> None:
        (whole,) = self._random.choices(self.reader.contents, cum_weights=self._shares)
        content = self.reader.damage(whole, self.reader.contents, self._random)
        self._count += 1
        try:
            with _time_limit():
                self._read += self.reader.read(content, directory)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            self.crashed += 1
            self._crashes.mkdir(exist_ok=True)
            name = self.reader.name.replace("/", "-")
            (self._crashes / f"{name}-{self._seed}-{self._count}").write_bytes(content)
            print(f"{self.reader.name}: copy {self._count} of seed {self._seed}\n{traceback.format_exc()}", flush=True)

    def line(self) -> str:
        """What has been done so far."""
        return (
            f"{self.reader.name}: {self.taken_s:.0f} s, {self._count} copies, {self._read} read, {self.crashed} crashes, "
            f"slowest {self._slowest_s:.2f} s, at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB"
        )


def _processor_s() -> float:
    """Of this process, and of those it started, which have ended."""
    used = (resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


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
    options.add_argument("--reader", action="append", help="a part of its name; all if none is given")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--crashes", type=Path, default=Path("crashes"), help="where copies that crash it are kept")
    options.add_argument("--list", action="store_true", help="name the readers, and fuzz none")
    told = options.parse_args()
    # A warning of a library would stand in the terminal between the lines of a command.
    warnings.simplefilter("error")
    parts = [part.lower() for part in told.reader or [""]]
    chosen = [one for one in all_fuzzed() if any(part in one.name.lower() for part in parts)]
    if told.list:
        for reader in chosen:
            print(reader.name)
        return
    fuzzings = [Fuzzing(one, told.seed, told.crashes) for one in chosen]
    with TemporaryDirectory() as directory:
        _limit_memory()
        while left := [one for one in fuzzings if one.taken_s < told.seconds]:
            for one in left:
                one.go_on(min(_TURN_S, told.seconds - one.taken_s), Path(directory))
                print(one.line(), flush=True)
    sys.exit(any(one.crashed for one in fuzzings))


if __name__ == "__main__":
    main()
