"""Checks of mixes: was of each kind of I/O as much issued as the mix says?"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from ssdlab.analysis.audit.facts import Facts
from ssdlab.analysis.audit.rule import AuditRule, RuleResult, compared, not_applicable, together
from ssdlab.analysis.infer.mixture import MixClass, class_of, expected_shares
from ssdlab.analysis.statistics.goodness_of_fit import fit
from ssdlab.bundle.model import Outcome
from ssdlab.job import MixPart
from ssdlab.message import Message, message, number, size
from ssdlab.unknown import Unknown

_BY_CHANCE_MIN = 1e-6
"""Of a thousand runs of twenty mixes one fails in fifty by chance alone."""

_Count = TypeVar("_Count", int, float)
_View = Callable[[Sequence[MixPart], MixClass], Hashable]
_VIEWS: tuple[_View, ...] = (
    lambda _mix, kind: kind,
    lambda _mix, kind: kind.part,
    lambda mix, kind: (mix[kind.part].action, kind.block_bytes),
    lambda mix, kind: mix[kind.part].action,
)
"""All kinds, and what several of them have in common: a small error of one direction is lost among hundreds of kinds."""


def _shares(facts: Facts) -> RuleResult:
    """What the engine counted as it issued it against the shares of the mix by chi-square, in each view; the least likely counts."""
    if isinstance(facts.asked, Unknown) or not facts.asked.mix:
        return not_applicable(message("audit-no-mix"))
    done = sum(one.io_count for one in facts.directions.values())
    if not done:
        return not_applicable(message("audit-no-io"))
    mix, counts = facts.asked.mix, Counter[MixClass]()
    for one in facts.issued:
        if one.part < len(mix):
            counts[class_of(mix, one)] += one.ios
    counted, shares = counts.total(), expected_shares(mix)
    found = fit(counts, shares)
    p = min(1.0, len(_VIEWS) * min(fit(_seen(view, mix, counts), _seen(view, mix, shares)).p for view in _VIEWS))
    numbers = (
        compared("ios", done),
        compared("counted", counted),
        compared("chi_squared", found.chi_squared),
        compared("degrees", found.degrees),
        compared("p", p),
    )
    if counted != done:
        return RuleResult(Outcome.FAIL, message("audit-mix-uncounted", counted=counted, ios=done), numbers)
    finding = message(
        "audit-mix",
        ios=number(done),
        kinds=len(shares),
        chi_squared=number(found.chi_squared),
        p=number(p, ".2g"),
    )
    if p >= _BY_CHANCE_MIN:
        return RuleResult(Outcome.PASS, finding, numbers)
    return RuleResult(Outcome.FAIL, together(finding, _farthest(counts, shares)), numbers)


def _seen(view: _View, mix: Sequence[MixPart], of: Mapping[MixClass, _Count]) -> dict[Hashable, _Count]:
    """Counts or shares of what a view does not tell apart, added up."""
    seen: dict[Hashable, _Count] = {}
    for kind, value in of.items():
        key = view(mix, kind)
        seen[key] = seen[key] + value if key in seen else value
    return seen


def _farthest(counts: Mapping[MixClass, int], shares: Mapping[MixClass, float]) -> Message:
    """The kind whose count is the least likely; one that the mix has not, where there is any."""
    done = sum(counts.values())
    kinds = {*counts, *shares}

    def distance(kind: MixClass) -> tuple[bool, float]:
        share = shares.get(kind, 0.0)
        found = counts.get(kind, 0)
        return not share and found > 0, (found - done * share) ** 2 / (done * share) if share else 0.0

    worst = max(kinds, key=distance)
    return message(
        "audit-mix-farthest",
        block=size(worst.block_bytes),
        part=worst.part + 1,
        found=number(counts.get(worst, 0) / done, ".2%"),
        share=number(shares.get(worst, 0.0), ".2%"),
    )


RULES = (
    AuditRule(
        name="mix.shares",
        judge=_shares,
        meaning={
            Outcome.PASS: message("audit-mix-shares-pass"),
            Outcome.FAIL: message("audit-mix-shares-fail"),
        },
        remedy=message("audit-mix-shares-remedy"),
    ),
)
