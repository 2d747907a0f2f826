"""Runs of the consumer suites in memory: the steps as they are planned, the metrics made up and known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.kit.planned_bundle import planned_bundle
from tests.kit.sample_bundle import run_info

from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.read import Bundle
from ssdlab.job import DriveState, StepKind
from ssdlab.message import message, number
from ssdlab.units import GIB, MIB
from ssdlab.unknown import Unknown

CAPACITY_BYTES = 10**12
SHARES = range(0, 101, 10)
DEPTHS = (1, 2, 4)
RESTS_S = (5, 10, 15, 30, 60, 120, 240)
NO_DROP = Unknown(message("unknown-no-drop", least=number(0.1, ".0%")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a drive is to have measured; every number follows from these."""

    model: str = "Lab PM1 1TB"
    factor: float = 1.0
    """All speeds are those of the first drive times this."""
    reach_bytes: float | Unknown = NO_DROP
    rse_percent: float = 1.0
    failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Checks that failed, by metric."""


def client_bundle(made: Made | None = None, suite: str = "client", profile: str = "standard") -> Bundle:
    """A finished run."""
    made = made or Made()
    bundle = planned_bundle(run_info(CAPACITY_BYTES, made.model), suite, profile)
    return replace(bundle, metrics=tuple(_metrics(made, bundle.steps, suite)))


def without(bundle: Bundle, beginning: str) -> Bundle:
    """The run as if nothing with such a name had been measured."""
    return replace(
        bundle,
        metrics=tuple(metric for metric in bundle.metrics if not metric.name.startswith(beginning)),
    )


def share_iops(depth: int, share: int, factor: float = 1.0) -> float:
    """Random reads are slower than writes, deeper queues faster."""
    return factor * depth * (60_000 - 450 * share)


def weighted_iops(share: int, factor: float = 1.0) -> float:
    """METHODS C6."""
    parts = zip((0.80, 0.15, 0.05), DEPTHS, strict=True)
    return sum(part * share_iops(depth, share, factor) for part, depth in parts)


def range_iops(range_bytes: float, made: Made) -> float:
    """Flat up to the reach, then down to a third."""
    within = isinstance(made.reach_bytes, Unknown) or range_bytes <= made.reach_bytes
    return made.factor * (900_000 if within else 300_000)


def reclaimed_bytes(rest_s: int, factor: float = 1.0) -> float:
    """Grows with the rest up to a minute."""
    return factor * (100 + 2 * min(rest_s, 60)) * GIB


def _metrics(made: Made, steps: Sequence[Step], suite: str) -> list[Metric]:
    found: list[Metric] = []

    def add(step: str, name: str, value: float | Unknown, unit: str, state: DriveState, spread: float = 0.0) -> None:
        full = f"{step}.{name}"
        known = spread and not isinstance(value, Unknown)
        found.append(
            Metric(
                key=key_of_name(full, step),
                value=value,
                unit=unit,
                state=state,
                step=step,
                low=value * (1 - spread) if known and not isinstance(value, Unknown) else None,
                high=value * (1 + spread) if known and not isinstance(value, Unknown) else None,
                failed_checks=made.failed.get(full, ()),
            )
        )

    used = DriveState.PRECONDITIONED
    fill = next(step.group for step in steps if step.kind is StepKind.FILL)
    add(fill, "bandwidth_mean", made.factor * 1700 * MIB, "B/s", DriveState.FOB, 0.05)
    add(f"{fill}.pass1", "bandwidth_p1", made.factor * 1100 * MIB, "B/s", DriveState.FOB)
    add(f"{fill}.pass1", "cache_bytes", made.factor * 230 * GIB, "B", DriveState.FOB)
    add("sync_write.rnd", "iops", made.factor * 1200, "1/s", used, 0.02)
    for step in dict.fromkeys((step.point, step.job) for step in steps if step.group == "active_range" and step.job):
        point, job = step
        assert job is not None
        add(point.name, "iops", range_iops(job.region.length_bytes, made), "1/s", DriveState.FILLED_TWICE, 0.01)
    add("active_range", "reach_bytes", made.reach_bytes, "B", DriveState.FILLED_TWICE, 0.1)
    for depth in DEPTHS:
        for share in SHARES:
            at = f"rw_ratio.rnd.q{depth}.r{share}"
            add(at, "iops", share_iops(depth, share, made.factor), "1/s", used)
            add(at, "bandwidth", share_iops(depth, share, made.factor) * 4096, "B/s", used)
            add(at, "rse", made.rse_percent, "%", used)
    for share in SHARES:
        add("rw_ratio.rnd", f"weighted.r{share}.iops", weighted_iops(share, made.factor), "1/s", used)
    mixed = [weighted_iops(share, made.factor) for share in SHARES if 0 < share < 100]
    add("rw_ratio.rnd", "rank.iops", sum(mixed) / len(mixed), "1/s", used)
    for rest_s in RESTS_S:
        add(f"reclaim.t{rest_s}", "bytes", reclaimed_bytes(rest_s, made.factor), "B", DriveState.PARTLY_FILLED)
    for step_ in steps:
        if suite == "cdm" and step_.group == "cdm" and step_.job is not None and step_.run == 1:
            speed = made.factor * step_.job.block_bytes * step_.job.queue_depth * (2 if step_.job.read_percent else 1)
            add(step_.point.name, "bandwidth", speed * 400, "B/s", DriveState.PARTLY_FILLED)
    return found
