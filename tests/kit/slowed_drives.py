"""Small drives that take as long as large ones: each operation so many times longer as the large one has more bytes."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ssdlab.engine.base import Engine, Judge, Watch
from ssdlab.engine.result import EarlyStop, RawResult
from ssdlab.engine.sensing import Heed
from ssdlab.job import Job
from ssdlab.lab.bench import Bench
from ssdlab.units import NS_PER_MS, NS_PER_S, NS_PER_US

_NS = {"ns": 1, "us": NS_PER_US, "ms": NS_PER_MS, "s": NS_PER_S}
_TIME = re.compile(r'"([\d.]+)(ns|us|ms|s)"')
_RATE = re.compile(r'"([\d.]+) GB/s"')
_OF_THE_WHOLE = re.compile(r'(?m)^(capacity|raw|superblock|static|max|reserve|refill_below) = "(\d+) B"')
_WINDOWS_AT_ONCE = 200
"""20 s: hours of writing are judged by a hundred thousand looks otherwise, which takes longer than the drive model does."""


def slowed(spec: str, *, larger: int, slower: float) -> str:
    """The specification of the same drive, so many times as large and so many times as slow.

    Args:
        spec: Of a drive of `docs/sources/steady_drives.py`.
        larger: Factor of the capacity and of its parts that go with it; pages, dies and the buffer stay.
        slower: Factor of all times.
    """
    spec = _TIME.sub(lambda found: f'"{round(float(found[1]) * _NS[found[2]] * slower)}ns"', spec)
    spec = _OF_THE_WHOLE.sub(lambda found: f'{found[1]} = "{int(found[2]) * larger} B"', spec)
    return _RATE.sub(lambda found: f'"{float(found[1]) * 1e6 / slower:.3f} kB/s"', spec)


def seldom_judged(bench: Bench) -> Bench:
    """The same bench, on which what ends by how much was written is judged every 20 s."""
    return replace(bench, engine=_SeldomJudged(bench.engine))


class _SeldomJudged:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        return self._engine.name

    def now_ns(self) -> int:
        return self._engine.now_ns()

    def rest(self, duration_ns: int, watch: Watch) -> None:
        self._engine.rest(duration_ns, watch)

    def run(
        self, job: Job, directory: Path, watch: Watch, judge: Judge | None = None, heed: Heed | None = None
    ) -> RawResult:
        seldom = judge if judge is None or job.duration_ns is not None else _Seldom(judge)
        return self._engine.run(job, directory, watch, seldom, heed)


class _Seldom:
    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._waiting: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []

    def feed(self, time_ns: NDArray[np.int64], done_bytes: NDArray[np.float64]) -> EarlyStop | None:
        self._waiting.append((time_ns, done_bytes))
        if sum(len(time_ns) for time_ns, _ in self._waiting) < _WINDOWS_AT_ONCE:
            return None
        times, done = zip(*self._waiting, strict=True)
        self._waiting = []
        return self._judge.feed(np.concatenate(times), np.concatenate(done))
