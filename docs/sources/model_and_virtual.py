"""The same suite on a drive model in virtual time and, by fio over NBD, in real time: every metric of both, and why some differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sources.markdown import code, table
from ssdlab.bundle.model import Metric, Outcome, Step
from ssdlab.bundle.quantities import (
    BANDWIDTH_P1,
    CLAT,
    CLAT_MAX,
    CONSISTENCY,
    FIRST_AT_BYTES,
    LAT,
    MEASUREMENT_APART,
    RSE,
    SILENCE,
    STEADY_AFTER,
    STEADY_AT_BYTES,
)
from ssdlab.bundle.read import Bundle
from ssdlab.message import message
from ssdlab.unknown import Unknown

WITHIN = 0.05
_HEADS = ("metric", "unit", "model", "virtual", "virtual / model", "reason")
_RECLAIMED = "cache_bytes"
_TIMES = {"ns", "s"}
_OF_FEW = {CLAT, LAT, CLAT_MAX, CONSISTENCY, BANDWIDTH_P1, MEASUREMENT_APART}
_MOMENTS = {FIRST_AT_BYTES, STEADY_AFTER, STEADY_AT_BYTES}
_SHARE_MIN = 0.0005
"""Of the capacity that a step must have written for its write amplification to tell one state of the drive from another."""


class Reason(Enum):
    """Why a metric of the drive in real time is another; the sentence is the page's."""

    SILENCE_ITSELF = "pause"
    STATE = "state"
    RECOVERED = "recovered"
    HOST = "host"
    TAIL = "tail"
    SCATTER = "scatter"
    DRAINED = "drained"
    THRESHOLD = "threshold"
    NONE = "**none named**"


_MEANING: Mapping[Reason, str] = {
    Reason.SILENCE_ITSELF: "the metric is the pause between two fios itself; in virtual time there is none.",
    Reason.STATE: (
        "the flash programmed another amount for each byte written in this step (beyond 5 %), more of it and slower, or less and faster: the drive was in another state. fio's "
        "start and end lengthen each rest, and make one where none is meant. `demo` reclaims its cache after a silence of more than 1 s, "
        "and the rests between the steps of `client`, profile `quick`, are just 1 s long: with fio the cache is there again, in virtual "
        "time it is not."
    ),
    Reason.RECOVERED: (
        "check [`load.unbroken`](reference/checks/load.unbroken.md) warned of this step: nothing was to happen between it and the one "
        "before, but fio's end and start left the drive a silence in which it reclaimed and collected, and so it was faster."
    ),
    Reason.HOST: (
        "slower in an equal state of the drive: the server never answers before the model says, so what is more is the host's: the way "
        "over the socket, fio, and their turn on a processor. The time that each I/O took more, one after another, stands beside it."
    ),
    Reason.TAIL: (
        "a percentile, a largest or a spread: the host stands still for milliseconds now and then, or answers several I/Os at once, and "
        "of a point of a second or less these few decide."
    ),
    Reason.SCATTER: "an error of the mean, or a value whose 95 % intervals of model and virtual overlap.",
    Reason.DRAINED: (
        "a measurement of 1 s at QD256 ends with 33.5 MB in flight. In virtual time they stand in the windows after the limit, fio logs "
        "nothing until the last of them, and what was written at cache speed is a small difference of large numbers."
    ),
    Reason.THRESHOLD: (
        "where, and whether, a criterion of steadiness is first fulfilled: it is at one window or not, so a scatter of the speed far within "
        "5 %, where its slope or spread is near to what the criterion allows, moves it by as much as it looks at, or beyond the end."
    ),
    Reason.NONE: "nothing that is recorded explains it.",
}


@dataclass(frozen=True, slots=True)
class _Sides:
    """What is known of the step a metric comes from, in both runs."""

    model: Bundle
    virtual: Bundle
    warned: frozenset[str]
    """Steps of the virtual run of which `load.unbroken` warned."""


def page(pairs: Sequence[tuple[Bundle, Bundle]]) -> str:
    """`model-and-virtual.md`."""
    return "".join([_INTRODUCTION, _reasons(), *(_of_suite(*pair) for pair in pairs)])


_INTRODUCTION = """# A drive model and the same drive by fio

`model:demo` runs in virtual time, inside the process; `virtual:demo` is the same model behind NBD, measured by real fio in real time. So
what differs between them is fio, the host and time. Here is every metric that a run of both has, profile `quick`, with the ratio, and
where it is off by more than 5 % the reason, which is taken from what the runs recorded, never from the size of the difference. What
time cannot disturb (counts, bytes, write amplification of jobs that an amount ends) a test holds equal on any host,
`tests/fio/test_like_the_model.py`.

"""


def _reasons() -> str:
    rows = [(reason.value, _MEANING[reason]) for reason in Reason]
    return "## Reasons\n\n" + table(("reason", "what it means, and how it is known"), rows)


def _of_suite(model: Bundle, virtual: Bundle) -> str:
    warned = {check.step for check in virtual.audit if check.name == "load.unbroken" and check.outcome is Outcome.WARN}
    sides = _Sides(model, virtual, frozenset(warned))
    theirs = {metric.name: metric for metric in virtual.metrics}
    found = [_row(sides, metric, theirs[metric.name]) for metric in model.metrics if metric.name in theirs]
    count = Counter(reason for reason, _ in found)
    within = (
        f"{count.pop(None, 0):,} of {len(found):,} metrics agree within 5 %, or are the same word or unknown for both"
    )
    others = ", ".join(f"{reason.value} {count[reason]:,}" for reason in Reason if count[reason])
    only = len(model.metrics) + len(virtual.metrics) - 2 * len(found)
    return (
        f"\n## {model.run.suite.name}\n\n{within}; the others by reason: {others or 'none'}. Metrics that only one of them has: "
        f"{only:,}, percentiles that want more I/Os, and points that a search did not come to. "
        f"Of {len(warned):,} steps `load.unbroken` warned. {_lateness(virtual)}\n\n{table(_HEADS, [row for _, row in found])}"
    )


def _lateness(virtual: Bundle) -> str:
    said = [str(warning) for warning in virtual.warnings if str(warning).startswith("virtual drive: ")]
    return f"The host: {said[-1].removeprefix('virtual drive: ')}." if said else ""


def _row(sides: _Sides, model: Metric, virtual: Metric) -> tuple[Reason | None, tuple[str, ...]]:
    ratio = _ratio(model, virtual)
    reason = None if _agree(model, virtual, ratio) else _reason(sides, model, virtual, ratio)
    why = "" if reason is None else reason.value
    if reason is Reason.HOST:
        why += _more_per_io(sides, model)
    shown = "" if ratio is None else f"{ratio:.3f}"
    return reason, (code(model.name), model.unit, _shown(model), _shown(virtual), shown, why)


def _shown(metric: Metric) -> str:
    value = metric.value
    if isinstance(value, Unknown):
        return "unknown"
    return f"{value:.4g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _number(metric: Metric) -> float | None:
    value = metric.value
    return float(value) if isinstance(value, int | float) else None


def _ratio(model: Metric, virtual: Metric) -> float | None:
    ours, theirs = _number(model), _number(virtual)
    return theirs / ours if ours and theirs is not None else None


def _agree(model: Metric, virtual: Metric, ratio: float | None) -> bool:
    if ratio is not None and not isinstance(model.value, bool):
        return abs(ratio - 1) <= WITHIN
    both_unknown = isinstance(model.value, Unknown) and isinstance(virtual.value, Unknown)
    return both_unknown or model.value == virtual.value


def _reason(sides: _Sides, model: Metric, virtual: Metric, ratio: float | None) -> Reason:
    """The first that holds, in this order."""
    ours, theirs = _number(model), _number(virtual)
    more = 0.0 if ours is None or theirs is None else theirs - ours
    gain = -more if model.unit in _TIMES else more
    quantity = model.key.quantity
    holds = (
        (Reason.SILENCE_ITSELF, quantity == SILENCE),
        (Reason.DRAINED, quantity.word == _RECLAIMED),
        (Reason.SCATTER, quantity == RSE or _overlap(model, virtual)),
        (Reason.STATE, ratio is not None and _more_programmed(sides, model.step) * gain < 0),
        (Reason.RECOVERED, gain > 0 and model.step in sides.warned),
        (Reason.TAIL, quantity in _OF_FEW and model.key.percent != "50"),
        (Reason.HOST, gain < 0),
        (Reason.THRESHOLD, quantity in _MOMENTS),
    )
    return next((reason for reason, is_so in holds if is_so), Reason.NONE)


def _overlap(model: Metric, virtual: Metric) -> bool:
    ends = (model.low, model.high, virtual.low, virtual.high)
    if any(end is None for end in ends):
        return False
    low, high, other_low, other_high = (float(end) for end in ends if end is not None)
    return low <= other_high and other_low <= high


def _more_programmed(sides: _Sides, name: str) -> float:
    """By which share the flash programmed more for each byte in the virtual run; 0 where it is the same within 5 % or not known."""
    ours, theirs = _amplification(sides.model, name), _amplification(sides.virtual, name)
    more = 0.0 if ours is None or theirs is None else theirs / ours - 1
    return more if abs(more) > WITHIN else 0.0


def _amplification(bundle: Bundle, name: str) -> float | None:
    """Bytes programmed for each byte the host wrote in a step; None where it wrote too little to tell."""
    step = _step(bundle, name)
    sensors = Unknown(message("unknown-not-measured")) if step is None else bundle.sensors(step)
    if isinstance(sensors, Unknown):
        return None
    written = float(np.ptp(sensors.host_written_bytes))
    least = _SHARE_MIN * float(_capacity_bytes(bundle))
    return float(np.ptp(sensors.media_written_bytes)) / written if written >= least and written > 0 else None


def _capacity_bytes(bundle: Bundle) -> int:
    capacity = bundle.run.drive.capacity_bytes
    return capacity if isinstance(capacity, int) else 0


def _step(bundle: Bundle, name: str) -> Step | None:
    return next((step for step in bundle.steps if step.name == name and step.job is not None), None)


def _more_per_io(sides: _Sides, metric: Metric) -> str:
    ours, theirs = (_ns_per_io(bundle, metric.step) for bundle in (sides.model, sides.virtual))
    return "" if ours is None or theirs is None else f", {(theirs - ours) / 1000:+.1f} µs an I/O"


def _ns_per_io(bundle: Bundle, name: str) -> float | None:
    """Time of the step for each of its I/Os."""
    step = _step(bundle, name)
    if step is None:
        return None
    totals = bundle.result(step).directions.values()
    count = sum(one.io_count for one in totals)
    return max(one.runtime_ns for one in totals) / count if count else None
