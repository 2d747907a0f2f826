"""An endless sustained write that looks at its own memory, in a process of its own: `python -m tests.kit.endless_sustain DIRECTORY`.

What other tests left in caches before would count as growth when it is replaced.
"""

import gc
import json
import os
import signal
import sys
import tracemalloc
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest
from tests.kit.sustain_thinning import LARGE_BYTES, smaller

from ssdlab.bundle.layout import LIVE
from ssdlab.drive.kinds.own_files import Keep
from ssdlab.lab.sustain.ground import Before, Choice, open_ground
from ssdlab.lab.sustain.live import Live
from ssdlab.lab.sustain.run import sustain
from ssdlab.message import Message
from ssdlab.method.sustain import SustainSettings, Verify
from ssdlab.units import KIB, MIB

EARLY, ALL = 88, 376
# Between two thinnings, and with what waits to be written, memory goes up and down: the lowest of these passes counts.
LOOKS = 16
LENGTH = 16 * MIB
OWN = "/ssdlab/"


@dataclass(slots=True)
class Seen:
    """What the run left, and what it held in memory at some passes."""

    bundle: str = ""
    own_bytes: list[int] = field(default_factory=list)
    others_bytes: list[int] = field(default_factory=list)
    sizes_bytes: list[int] = field(default_factory=list)

    def own_growth_bytes(self) -> float:
        """What ssdlab keeps of a pass for good."""
        return _growth_bytes(self.own_bytes)

    def others_growth_bytes(self) -> float:
        """What the libraries keep of a pass for good."""
        return _growth_bytes(self.others_bytes)


def _growth_bytes(held: list[int]) -> float:
    return (min(held[LOOKS:]) - min(held[:LOOKS])) / (ALL - EARLY)


class Watcher:
    """Looks at the run at early passes and at the last ones, as long after a thinning, and presses Ctrl-C then."""

    def __init__(self) -> None:
        self.bundle = Path()
        self.seen = Seen()

    def begins(self, bundle: Path, length_bytes: int) -> None:
        assert length_bytes == LENGTH
        self.bundle = bundle

    def record(self, live: Live) -> None:
        number = live.record.number
        if live.record.phase.value != "write":
            return
        if any(last - LOOKS < number <= last for last in (EARLY, ALL)):
            self._look()
        if number in {EARLY, ALL}:
            # What is there for those who watch grows with time, to a bound of its own.
            files = (path for path in self.bundle.rglob("*") if path.is_file() and path.name != LIVE)
            sizes = (path.stat().st_size for path in files)
            self.seen.sizes_bytes.append(sum(sizes))
        if number == ALL:
            os.kill(os.getpid(), signal.SIGINT)

    def _look(self) -> None:
        gc.collect()
        traces = tracemalloc.take_snapshot().traces
        own = [trace.size for trace in traces if OWN in trace.traceback[0].filename]
        others = [trace.size for trace in traces if OWN not in trace.traceback[0].filename]
        self.seen.own_bytes.append(sum(own))
        self.seen.others_bytes.append(sum(size for size in others if size < LARGE_BYTES))

    def rests(self, duration_ns: int) -> None:
        assert duration_ns == 1_000_000_000

    def note(self, text: Message) -> None:
        raise AssertionError(text)


def _run(lab: Path) -> Seen:
    watcher = Watcher()
    settings = SustainSettings(
        chunk_bytes=256 * KIB,
        record_bytes=LENGTH,
        passes=None,
        verify=Verify.EACH_PASS,
        rest_ns=1_000_000_000,
        rest_between_ns=1_000_000_000,
    )
    choice = Choice(target="model:demo?capacity=16MiB", erase=None, before=Before.AS_IT_IS, keep=Keep.REMOVE)
    with pytest.MonkeyPatch.context() as patch:
        smaller(patch)
        tracemalloc.start()
        with open_ground(choice, settings) as ground:
            watcher.seen.bundle = str(sustain(settings, ground, lab, watcher, None).path)
    return watcher.seen


if __name__ == "__main__":
    print(json.dumps(asdict(_run(Path(sys.argv[1])))))
