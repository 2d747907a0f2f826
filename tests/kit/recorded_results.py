"""Recorded results of fio, as the audit gets them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from ssdlab.analysis.audit.facts import Facts, Span, StepSensors
from ssdlab.analysis.audit.of_fio_json import facts_of_files
from ssdlab.analysis.audit.run import RULES
from ssdlab.analysis.log.file import identify
from ssdlab.bundle.model import Check
from ssdlab.engine.result import Direction
from ssdlab.message import message
from ssdlab.unknown import Unknown

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.33" / "audit"


def facts_of(*paths: Path) -> Facts:
    (facts,) = facts_of_files([identify(path, None) for path in paths])
    return facts


def recorded(case: str, *logs: str) -> Facts:
    return facts_of(DATA / f"{case}.json", *(DATA / f"{case}_{log}.log" for log in logs))


def check(facts: Facts, name: str) -> Check:
    return next(rule.check(facts) for rule in RULES if rule.name == name)


SENSED = StepSensors(
    temperature_celsius=Span(41, 52),
    throttled_s=0.0,
    link_before="16 GT/s x4",
    link_after="16 GT/s x4",
    errors_logged=0,
    messages=(),
    late=Unknown(message("unknown-replies-by-itself")),
    forced=Unknown(message("unknown-flushes-uncounted")),
)


def direction(facts: Facts, **changes: Any) -> Facts:
    one = facts.directions[Direction.READ]
    return replace(facts, directions={Direction.READ: replace(one, **changes)})


def latencies(facts: Facts, **changes: Any) -> Facts:
    latency = facts.directions[Direction.READ].latency
    return direction(facts, latency={kind: replace(one, **changes) for kind, one in latency.items()})
