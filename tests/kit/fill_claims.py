"""What a first screen may say of the passes of a fill, and when each of it is true."""

from tests.kit.drawn_screens import is_known, why_of
from tests.kit.first_screen_claims import Claim, Known

from ssdlab.message import Message


def is_level(known: Known) -> bool:
    """The slowest windows of the pass are within a tenth of its level, and it never fell."""
    slowest, level = known["fill.pass1.bandwidth_p1"], known["fill.pass1.direct_bandwidth"]
    return (
        never_falls(known)
        and is_known(slowest)
        and is_known(level)
        and float(str(slowest.value)) >= 0.9 * float(str(level.value))
    )


def never_falls(known: Known) -> bool:
    return why_of(known["fill.pass1.cache_bytes"]).id == "unknown-no-fall"


def folds_last(known: Known) -> bool:
    note = known["fill.pass1.folding_bandwidth"].note
    return isinstance(note, Message) and note.id == "metric-direct-first"


def only(known: Known, *words: str) -> bool:
    """Whether of the speeds past the cache these are known and no others."""
    names = {word for word in ("folding_bandwidth", "direct_bandwidth") if is_known(known[f"fill.pass1.{word}"])}
    return names == set(words)


_WITHIN = "Pass 1 (<state>): <fill.pass1.cache_bandwidth> within an SLC cache of <fill.pass1.cache_bytes>"
_FOLDING, _DIRECT = "<fill.pass1.folding_bandwidth> while folding", "<fill.pass1.direct_bandwidth>"
CACHE = (
    Claim(f"{_WITHIN}.", only),
    Claim(
        f"{_WITHIN}; past it, first {_FOLDING}, then {_DIRECT} writing directly.", lambda known: not folds_last(known)
    ),
    Claim(f"{_WITHIN}; past it, first {_DIRECT} writing directly, then {_FOLDING}.", folds_last),
    Claim(f"{_WITHIN}; past it, {_FOLDING}.", lambda known: only(known, "folding_bandwidth")),
    Claim(f"{_WITHIN}; past it, {_DIRECT}.", lambda known: only(known, "direct_bandwidth")),
    Claim("Pass 1 (<state>): level at <fill.pass1.direct_bandwidth>; no cache found: <why>.", is_level),
    Claim(
        "Pass 1 (<state>): <fill.pass1.bandwidth_mean> on average; no cache found: <why>.",
        lambda known: never_falls(known) and not is_level(known),
    ),
    Claim(
        "Pass 1 (<state>): <fill.pass1.bandwidth_mean> on average; SLC cache unknown: <why>.",
        lambda known: not never_falls(known),
    ),
    Claim("SLC cache unknown: <why>.", lambda known: not is_known(known["fill.pass1.bandwidth_mean"])),
)
PASSES = (
    Claim(
        "The whole of pass 1 took <fill.pass1.duration> at <fill.pass1.bandwidth_mean> on average; the slowest 1 % of its windows "
        "stayed at or below <fill.pass1.bandwidth_p1>."
    ),
    Claim(
        "Pass 2 (<state>): <fill.pass2.bandwidth_mean> on average.",
        lambda known: not is_known(known["fill.pass2.cache_bytes"]),
    ),
    Claim("Pass 2 (<state>): <fill.pass2.bandwidth_mean> on average, with an SLC cache of <fill.pass2.cache_bytes>."),
)
