"""What the report of each suite after SNIA PTS has of its own."""

from collections.abc import Mapping

_ROUNDS = frozenset({"rounds-iops", "cells-iops"})
_THROUGHPUT = frozenset({"rounds-tp-1mib", "rounds-tp-128kib", "cells-sizes"})
_LATENCY = frozenset({"rounds-lat", "cells-lat", "response-histogram"})


def _demand(step: str) -> frozenset[str]:
    return frozenset(f"demand-{one}-{step}" for one in ("rounds", "variation", "intensity", "response"))


FIGURES: Mapping[str, frozenset[str]] = {
    "pts-iops": _ROUNDS,
    "pts-iops-client": _ROUNDS,
    "pts-tp": _THROUGHPUT,
    "pts-tp-client": _THROUGHPUT,
    "pts-lat": _LATENCY,
    "pts-lat-client": _LATENCY,
    "pts-wsat": frozenset({"wsat", "over-time-wsat", "half-hours-wsat", "response-histogram"}),
    "pts-hir": frozenset({"over-time-steady", "half-hours-steady", "idle-recovery-hir", "idle-recovery-hir-clock"}),
    "pts-xsr": frozenset({"cross-stimulus-xsr", "cross-stimulus-xsr-beginning"}),
    "pts-cbw": _demand("cbw"),
    "pts-dirth": _demand("dirth"),
}
"""Names of figures by the name of the suite."""
