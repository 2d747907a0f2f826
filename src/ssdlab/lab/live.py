"""Gathers what an engine says of a running step, and writes it down for whoever follows the run."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from ssdlab.bundle.live import LivePoint, LiveWriter
from ssdlab.engine.base import Progress
from ssdlab.unknown import Unknown

LINE_EVERY_S = 0.5
"""Nobody sees more on a screen."""


class LiveFeed:
    """Of one run, from its beginning to its end."""

    def __init__(self, bundle: Path, now_ns: Callable[[], int]) -> None:
        self._writer = LiveWriter(bundle)
        self._now_ns = now_ns
        self._said: list[float] = []
        self._temperature_c: float | None = None
        self._step: int | None = None
        self._next_s = 0.0
        self._write(None)

    def watch(self, step: int, progress: Progress) -> None:
        """A running step is so far."""
        if step != self._step:
            self._step, self._said = step, []
        if progress.bandwidth_bytes_per_s is not None:
            self._said.append(progress.bandwidth_bytes_per_s)
        if time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + LINE_EVERY_S
            self._write(progress.share_done)

    def heed(self, temperature_c: float | Unknown) -> None:
        """The drive's sensor said this."""
        if not isinstance(temperature_c, Unknown):
            self._temperature_c = temperature_c

    def close(self) -> None:
        """The run is over."""
        self._writer.close()

    def _write(self, share_done: float | None) -> None:
        said, self._said = self._said, []
        self._writer.append(
            LivePoint(
                at_ms=time.time_ns() // 1_000_000,
                clock_ns=self._now_ns(),
                process_id=os.getpid(),
                step=self._step,
                share_done=None if share_done is None else min(1.0, max(0.0, share_done)),
                bandwidth_bytes_per_s=fmean(said) if said else None,
                temperature_c=self._temperature_c,
            )
        )
