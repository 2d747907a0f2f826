"""What is true of a probed drive: what follows from its specification, and what was recorded of its commands, without the estimators."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from tests.kit.probe_drives import ProbedDrive

from ssdlab.bundle.read import Bundle
from ssdlab.drive.kinds.model import ModelDrive
from ssdlab.drive.target import SpecChoice
from ssdlab.engine.commands import TimedCommands, Verb
from ssdlab.probe.store.reader import evidence_of
from ssdlab.units import NS_PER_S

Ends = tuple[float, float]
"""Between which a number must lie."""
OF_SPECIFICATION: Mapping[str, float] = {
    "management_block.size": 0.0,
    "units.count": 0.25,
    "placement.channels": 0.0,
    "reach.bytes": 0.15,
    "read_page.size": 0.0,
    "stripe.width": 0.0,
    "write_buffer.size": 0.15,
    "spare.share": 0.1,
    "read_buffer.size": 0.15,
    "slc.largest": 0.05,
    "slc.smallest": 0.05,
}
"""Answers that a specification has, and the share by which each may be off where its interval does not hold the truth (as in the study of the probes)."""


def true_values(drive: ProbedDrive, name: str) -> Sequence[float]:
    """Every number that is right; none where the drive lacks it."""
    if name.startswith("slc."):
        truth = ModelDrive("model:probed", SpecChoice(f"probed-{drive.number}", drive.text, None, None)).truth()
        size = truth["slc_cache_bytes_max" if name == "slc.largest" else "slc_cache_bytes_min"]
        return (size,) if size else ()
    return [value for value in drive.truth[name].values if isinstance(value, int | float)]


def asked(bundle: Bundle, probe: str) -> Mapping[str, TimedCommands]:
    """The commands of a probe with their times, as they were kept."""
    (step,) = [step for step in bundle.finished() if step.name == probe]
    return evidence_of(bundle, step).asked


def _latencies(bundle: Bundle, probe: str, act: str, verb: Verb) -> NDArray[np.int64]:
    parts = [one for name, one in asked(bundle, probe).items() if name.startswith(act)]
    return np.concatenate([(one.completed_ns - one.submitted_ns)[one.commands.verb == verb] for one in parts])


def flush_ns(bundle: Bundle) -> Ends:
    """The middle of all flushes after a write of 4 KiB: that of half of them, no matter which are left out as the first of a turn."""
    ordered = np.sort(_latencies(bundle, "flush", "write and flush", Verb.FLUSH))
    return float(ordered[int(0.42 * len(ordered))]), float(ordered[int(0.58 * len(ordered))])


def slow_reads_ns(bundle: Bundle) -> Ends:
    """The reads beside writes that 98.9 % and 99.1 % were faster than."""
    ordered = np.sort(_latencies(bundle, "interference", "beside", Verb.READ))
    return float(ordered[int(0.989 * len(ordered))]), float(ordered[int(0.991 * len(ordered))])


def drained(bundle: Bundle) -> Ends:
    """Bytes a second of a burst once more was written than any buffer here holds: the slowest and the fastest 16 MiB of all bursts."""
    rates = []
    for name, one in asked(bundle, "write-buffer").items():
        if name.startswith("burst"):
            done_ns = np.sort(one.completed_ns)
            for part in np.array_split(np.arange(len(done_ns) // 4, len(done_ns)), 12):
                lasted_ns = done_ns[part[-1]] - done_ns[part[0]]
                rates.append((len(part) - 1) * int(one.commands.length_bytes[0]) * NS_PER_S / lasted_ns)
    return 0.97 * min(rates), 1.03 * max(rates)


RECORDED: Mapping[str, Callable[[Bundle], Ends]] = {
    "flush.cost": flush_ns,
    "interference.read_p99": slow_reads_ns,
    "write_buffer.drain_rate": drained,
}
"""Answers that say what was measured, by what was recorded."""
