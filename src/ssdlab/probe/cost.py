"""What a probe costs before it is run: bytes written and time."""

from dataclasses import dataclass

import numpy as np

from ssdlab.engine.commands import Commands
from ssdlab.method.cost import Assumed
from ssdlab.probe.script import Act, Ask, BulkLoad, Design, Need, Purge, Rest, sequential_fill
from ssdlab.units import MIB, NS_PER_S

_BYTES_PER_STEP = 2 * MIB
"""Series of at most 20,000 windows, histogram, result, sensors, and its lines of the journal."""
_BYTES_PER_COMMAND = 48
"""A row of `samples.parquet`, if nothing of it could be compressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeCost:
    """Of one probe; preparing its region counts, though it may turn out to be prepared already."""

    acts: tuple[Act, ...]

    @property
    def written_bytes(self) -> int:
        """Bytes the drive has to write at most."""
        return sum(written_bytes_of(act) for act in self.acts)

    @property
    def bundle_bytes_max(self) -> int:
        """Space that its samples and results need at most."""
        return _BYTES_PER_STEP + sum(_bundle_bytes(act) for act in self.acts)

    def duration_ns(self, speed: Assumed) -> int:
        """Time on a drive of that speed."""
        return sum(_duration_ns(act, speed) for act in self.acts)


def cost_of(design: Design) -> ProbeCost:
    """The acts of a design and of what it needs before."""
    fill = (sequential_fill("fill", design.region, 0),) if design.need in {Need.SEQUENTIAL, Need.MAPPED} else ()
    return ProbeCost(acts=(*fill, *design.acts))


def written_bytes_of(act: Act) -> int:
    """Bytes the drive has to write for it at most."""
    if isinstance(act, Rest | Purge):
        return 0
    if isinstance(act, BulkLoad):
        return (act.job.amount_bytes or 0) * (100 - act.job.read_percent) // 100
    return act.commands.written_bytes


def _bundle_bytes(act: Act) -> int:
    match act:
        case BulkLoad():
            return _BYTES_PER_STEP
        case Ask():
            return len(act.commands) * _BYTES_PER_COMMAND
        case Rest() | Purge():
            return 0


def _duration_ns(act: Act, speed: Assumed) -> int:
    if isinstance(act, Purge):
        return 0
    if isinstance(act, Rest):
        return act.duration_ns
    return speed.duration_ns(act.job) if isinstance(act, BulkLoad) else _replay_ns(act.commands, speed)


def _replay_ns(commands: Commands, speed: Assumed) -> int:
    each_ns = np.maximum(speed.latency_ns, commands.length_bytes / speed.bandwidth_bytes_per_s * NS_PER_S)
    return int(each_ns.sum() / commands.queue_depth + commands.pause_ns.sum())
