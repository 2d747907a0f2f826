"""Work of a drive's own that comes again by the clock, as rewriting of old data does (`refresh.every`, `refresh.after`), given to a twin.

How often it comes is told by when reads wait for it, and how much of it there is by the speed that they lose: of the twin, as much is made to be rewritten each time.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.base import Progress
from ssdlab.engine.model import ModelEngine
from ssdlab.engine.result import Direction
from ssdlab.job import IoLog, Job, Pattern, Region
from ssdlab.scratch import Scratch
from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.drift import HOUR_NS
from ssdlab.twin.possible import is_possible
from ssdlab.units import MIB

_SECTION = "refresh"
_TRIALS, _PERIODS = 4, 24
_FILL_IN_FLIGHT = 8
_AFTER_MAX_NS = 8_760 * HOUR_NS
"""A year: whatever takes longer to rewrite is none of it."""
_TURNED_MAX = 8.0
"""Times what it was, after one trial."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What comes again by the clock.

    Attributes:
        every_ns: From one to the next, in the drive's own time.
        lost: Share of their speed that reads lose by it.
        reads: Those reads.
    """

    every_ns: float
    lost: float
    reads: Job


def without_rewriting(draft: Draft) -> Draft:
    """A draft that does nothing by itself again and again."""
    return draft.without(_SECTION)


def with_rewriting(draft: Draft, seen: Rewriting | None) -> Draft:
    """A draft that rewrites as much each time as takes its reads the same share of their speed; as it is where nothing comes again, or where it is no possible drive."""
    if seen is None or not is_possible(draft):
        return draft
    scratch = Scratch()
    try:
        return _turned(without_rewriting(draft), seen, scratch.path)
    finally:
        scratch.close()


def _turned(draft: Draft, seen: Rewriting, scratch: Path) -> Draft:
    usual = _iops(draft, seen, scratch)
    found = _rewriting(draft, seen.every_ns, HOUR_NS)
    for _ in range(_TRIALS):
        lost = 1 - _iops(found, seen, scratch) / usual
        factor = min(max(lost / seen.lost, 1 / _TURNED_MAX), _TURNED_MAX)
        found = _rewriting(draft, seen.every_ns, factor * found.number(_SECTION, "after"))
    return found


def _rewriting(draft: Draft, every_ns: float, after_ns: float) -> Draft:
    """A draft that rewrites all its data in that time, or in the shortest that a drive can have, to a factor of two."""
    after_ns = max(after_ns, every_ns)
    while after_ns < _AFTER_MAX_NS:
        found = draft.having(_SECTION, after=as_time(after_ns), every=as_time(every_ns))
        if is_possible(found):
            return found
        after_ns *= 2
    return draft


def _iops(draft: Draft, seen: Rewriting, scratch: Path) -> float:
    """Of those reads on a full drive, over some periods."""
    drive = ModelDrive("model:twin", SpecChoice(draft.name, draft.without("pace").text, None, None))
    engine = ModelEngine(drive)
    whole = Region(0, drive.identity.capacity_bytes)
    fill = replace(
        seen.reads,
        pattern=Pattern.SEQUENTIAL,
        read_percent=0,
        block_bytes=MIB,
        queue_depth=_FILL_IN_FLIGHT,
        region=whole,
        amount_bytes=whole.length_bytes // MIB * MIB,
        duration_ns=None,
    )
    engine.run(fill, scratch, _unwatched)
    reads = replace(seen.reads, amount_bytes=None, duration_ns=round(_PERIODS * seen.every_ns), io_log=IoLog.WINDOWS)
    done = engine.run(reads, scratch, _unwatched).directions[Direction.READ]
    return done.io_count * 1e9 / max(1, done.runtime_ns)


def _unwatched(_: Progress) -> None:
    """Nobody waits for a trial to be told how far it is."""
