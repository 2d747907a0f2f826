"""What a run will take of a drive, foretold by doing it on a twin of the drive in virtual time."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ssdlab.bundle.read import Bundle
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.errors import SsdlabError
from ssdlab.lab.bench import open_bench
from ssdlab.message import Message, message, size
from ssdlab.method.plan import Plan, expand
from ssdlab.scratch import Scratch
from ssdlab.twin.on_twin import do_on
from ssdlab.twin.shortened import ShortPlan, shortened, whole
from ssdlab.unknown import Unknown

_NO_HEAT = Unknown(message("unknown-virtual-no-thermal"))


@dataclass(frozen=True, slots=True)
class Foretold:
    """A run of a suite, as it is on a twin.

    Attributes:
        took_ns: From the beginning of its first step to the end of its last, rests included.
        group_ns: The same of the steps of each of the suite's groups, by its name.
        host_written_bytes: What the host wrote; of steps that were cut short, what it would have written at the speed seen.
        media_written_bytes: What was written to flash for it; for what was not seen, as much a byte as for the rest.
        temperature_c_max: The highest that the twin's sensor told of while a job ran.
        description: Of the twin, which says how far it was off where it could be held against the drive.
    """

    took_ns: int
    group_ns: Mapping[str, int]
    host_written_bytes: int
    media_written_bytes: int
    temperature_c_max: float | Unknown
    description: Message


def foretold(plan: Plan, capacity_bytes: int, twin: str) -> Foretold:
    """Do what is planned for a drive on its twin.

    Args:
        plan: Of the run.
        capacity_bytes: Of the drive that it is for.
        twin: Path of the specification of its twin.

    Raises:
        SsdlabError: The twin is no possible drive or one of another size, or the suite cannot be done on it.
    """
    scratch = Scratch()
    try:
        with open_bench(f"model:{twin}") as bench:
            identity = bench.drive.identity
            if identity.capacity_bytes != capacity_bytes:
                raise _other_size(identity.capacity_bytes, capacity_bytes)
            before = bench.sensor.read()
            made = expand(plan.suite, plan.profile, identity, plan.seed)
            # How warm it gets depends on how long it is at work.
            done = shortened(made) if isinstance(before.temperature_c, Unknown) else whole(made)
            bundle = do_on(bench, done.plan, scratch.path)
            return _told(bundle, done, (before, bench.sensor.read()), identity.description)
    finally:
        scratch.close()


def _other_size(of_twin: int, of_drive: int) -> SsdlabError:
    return SsdlabError(
        message("twin-size-of-another", twin=size(of_twin), drive=size(of_drive)), message("twin-hint-own-twin")
    )


def _told(
    bundle: Bundle, done: ShortPlan, readings: tuple[SensorReading, SensorReading], description: Message
) -> Foretold:
    spans = [
        (step.group, step.started_ns, step.ended_ns)
        for step in bundle.steps
        if step.started_ns is not None and step.ended_ns is not None
    ]
    group_ns = done.missed_ns(bundle)
    took_ns = sum(group_ns.values())
    for group, begin_ns, end_ns in spans:
        group_ns[group] = group_ns.get(group, 0) + end_ns - begin_ns
    took_ns += max((end for *_, end in spans), default=0) - min((begin for _, begin, _ in spans), default=0)
    host_bytes, media_bytes = _written(*readings)
    missed_bytes = done.missed_bytes(bundle)
    return Foretold(
        took_ns=took_ns,
        group_ns=group_ns,
        host_written_bytes=host_bytes + missed_bytes,
        media_written_bytes=media_bytes + round(missed_bytes * media_bytes / max(1, host_bytes)),
        temperature_c_max=_hottest(bundle),
        description=description,
    )


def _written(before: SensorReading, after: SensorReading) -> tuple[int, int]:
    """By the host, and to flash for it."""
    return (
        _counted(after.host_written_bytes) - _counted(before.host_written_bytes),
        _counted(after.media_written_bytes) - _counted(before.media_written_bytes),
    )


def _counted(value: int | Unknown) -> int:
    """A drive model counts both."""
    assert not isinstance(value, Unknown)  # noqa: S101 - see above
    return value


def _hottest(bundle: Bundle) -> float | Unknown:
    series = (bundle.sensors(step) for step in bundle.finished() if step.job is not None)
    told = [one.temperature_c for one in series if not isinstance(one, Unknown)]
    known = np.concatenate([one[np.isfinite(one)] for one in told]) if told else np.empty(0)
    return float(known.max()) if len(known) else _NO_HEAT
