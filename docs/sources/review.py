"""The model of a published drive against its review: the whole method at full size, in virtual time."""

from dataclasses import dataclass
from pathlib import Path

from sources.example import run_suite
from sources.markdown import code, table
from ssdlab.units import MIB, format_quantity
from ssdlab.unknown import Unknown

_TARGET = "model:pm9e1-1tb"


@dataclass(frozen=True, slots=True)
class _Published:
    metric: str
    value: float


_REVIEW = (
    _Published("fill.pass1.cache_bytes", 250e9),
    _Published("fill.pass1.cache_bandwidth", 12_200 * MIB),
    _Published("fill.pass1.folding_bandwidth", 1_200 * MIB),
    _Published("fill.pass1.direct_bandwidth", 1_500 * MIB),
    _Published("fill.pass1.duration", 561),
    _Published("fill.pass2.cache_bytes", 8e9),
    _Published("fill.pass2.cache_bandwidth", 12_200 * MIB),
    _Published("fill.pass2.direct_bandwidth", 1_700 * MIB),
    _Published("fill.pass2.duration", 565),
    _Published("fill.latency_mean_over_time", 21.05e6),
)
TOLERANCE = 0.05
"""Reviews are about that exact: they mix GB and GiB and read levels off a figure."""


class TooFar(Exception):  # noqa: N818 - the error is the finding
    """The model has left the review it was made after."""


def page(directory: Path) -> str:
    """`model-against-review.md`.

    Raises:
        TooFar: A metric differs from the review by more than the tolerance.
    """
    metrics = {metric.name: metric for metric in run_suite("fill", _TARGET, directory).metrics}
    rows = []
    for published in _REVIEW:
        metric = metrics[published.metric]
        found = _number(metric.value)
        apart = found / published.value - 1
        if abs(apart) > TOLERANCE:
            raise TooFar(f"{metric.name} is {metric.value}, {apart:+.1%} from the published {published.value}")
        shown = [format_quantity(value, metric.unit) for value in (published.value, found)]
        rows.append((code(metric.name), *shown, f"{apart:+.1%}"))
    return f"""# The model against a review

What `ssdlab run fill {_TARGET}` finds (profile `standard`: the whole terabyte twice, 20 minutes of rest and 19 of writing, in
seconds of real time), beside what a published review of the Samsung PM9E1 1TB reports of the same method. The page cannot be
written when a value is more than {TOLERANCE:.0%} away.

{table(("metric", "review", "model", "difference"), rows)}
The mean latency is the mean over time, in which every window of 100 ms counts the same; the mean over I/Os is
{format_quantity(_number(metrics["fill.latency_mean_over_ios"].value), "ns")}. The levels, sizes and times were used to make the
model, so the agreement shows that the method, the model and the analysis fit together, not that the model could foretell another
drive.
"""


def _number(value: float | bool | str | Unknown) -> float:  # noqa: FBT001 - the type of a metric's value
    if isinstance(value, Unknown):
        raise TooFar(f"a metric is unknown: {value.reason}")
    return float(value)
