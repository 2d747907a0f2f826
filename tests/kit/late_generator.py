"""What a run of `load_latency` must say of a host that submitted late."""

from tests.kit.load_drives import metrics_of

from ssdlab.analysis.statistics.percentile import merged
from ssdlab.bundle.model import Outcome
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import LatencyKind
from ssdlab.job import StepKind
from ssdlab.point import CoordinateAxis
from ssdlab.unknown import Unknown

_SHARE = 0.05
"""Of the mean response, which the documentation says 99 of 100 I/Os must keep within."""


def late_loads(bundle: Bundle) -> dict[str, bool]:
    """Whether the generator was late by more than that, of each load, by its name."""
    found = {}
    for step in bundle.finished():
        if step.kind is not StepKind.MEASURE or step.point.value(CoordinateAxis.OFFERED) is None:
            continue
        told = bundle.result(step).punctuality
        assert not isinstance(told, Unknown), step.name
        late_ns = told.late_max_ns if isinstance(told.late_p99_ns, Unknown) else told.late_p99_ns
        done = merged([kinds[LatencyKind.LAT] for kinds in bundle.histograms(step).values()])
        found[step.name] = late_ns > _SHARE * done.mean_ns
    return found


def silent_of_lateness(bundle: Bundle) -> list[str]:
    """Loads whose generator was late without a word of it in audit or numbers, and those whose numbers say so though it was not."""
    metrics = metrics_of(bundle)
    warned = {check.step for check in bundle.audit if (check.name, check.outcome) == ("load.rate", Outcome.WARN)}
    found = []
    for name, is_late in late_loads(bundle).items():
        if (metrics[f"{name}.response_mean"].note is not None) != is_late or (is_late and name not in warned):
            found.append(name)
    return found
