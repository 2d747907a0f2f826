"""What a probe costs before it is run: bytes written and time."""

from dataclasses import dataclass

import numpy as np

from ssdlab.engine.commands import Commands
from ssdlab.method.cost import Assumed
from ssdlab.probe.script import Act, Design, Load, Need, Purge, Rest, sequential_fill
from ssdlab.units import NS_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeCost:
    """Of one probe; preparing its region counts, though it may turn out to be prepared already."""

    acts: tuple[Act, ...]

    @property
    def written_bytes(self) -> int:
        """Bytes the drive has to write at most."""
        return sum(_written(act) for act in self.acts)

    def duration_ns(self, speed: Assumed) -> int:
        """Time on a drive of that speed."""
        return sum(_duration_ns(act, speed) for act in self.acts)


def cost_of(design: Design) -> ProbeCost:
    """The acts of a design and of what it needs before."""
    fill = (sequential_fill("fill", design.region, 0),) if design.need in {Need.SEQUENTIAL, Need.MAPPED} else ()
    return ProbeCost(acts=(*fill, *design.acts))


def _written(act: Act) -> int:
    if isinstance(act, Rest | Purge):
        return 0
    if isinstance(act, Load):
        return (act.job.amount_bytes or 0) * (100 - act.job.read_percent) // 100
    return act.commands.written_bytes


def _duration_ns(act: Act, speed: Assumed) -> int:
    if isinstance(act, Purge):
        return 0
    if isinstance(act, Rest):
        return act.duration_ns
    return speed.duration_ns(act.job) if isinstance(act, Load) else _replay_ns(act.commands, speed)


def _replay_ns(commands: Commands, speed: Assumed) -> int:
    each_ns = np.maximum(speed.latency_ns, commands.length_bytes / speed.bandwidth_bytes_per_s * NS_PER_S)
    return int(each_ns.sum() / commands.queue_depth + commands.pause_ns.sum())
