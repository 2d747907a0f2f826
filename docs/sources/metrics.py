"""Every metric a run emits: name and unit from real runs on the model, meaning in words."""

import re
from collections.abc import Iterator

from sources.attributes import words_of
from sources.example import Example
from sources.markdown import code, table
from ssdlab.bundle.model import Metric

_PASS = re.compile(r"\.pass\d+\.")
_MEANING = {
    "fill.pass<N>.duration": "Time of the pass, rest left out.",
    "fill.pass<N>.cache_bytes": "SLC cache: bytes written at its speed, until that fell for good. On a drive fresh out of the box the largest cache, on a full one the smallest.",
    "fill.pass<N>.cache_bandwidth": "Speed inside the cache: its bytes over its time.",
    "fill.pass<N>.folding_bandwidth": "Speed of the slower of two phases after the cache, in which the drive copies its cache into native cells beside writing. Unknown where only one speed follows the cache.",
    "fill.pass<N>.direct_bandwidth": "Speed of the other phase after the cache, straight into native cells; or of the only one.",
    "fill.pass<N>.bandwidth_mean": "All bytes of the pass over its time.",
    "fill.pass<N>.bandwidth_p1": "Slowest 1 % of the 100 ms windows: nearest rank. The sources call it P99.",
    "fill.bandwidth_mean": "All bytes of all passes over their time. Ranks drives.",
    "fill.latency_mean_over_time": "Mean of the windows' mean latencies, each weighted with its length: every moment counts the same.",
    "fill.latency_mean_over_ios": "Mean latency of all I/Os: every I/O counts the same, so fast phases count more.",
}


def page(example: Example) -> str:
    """`metrics.md`."""
    units = dict(_units(example))
    if surplus := _MEANING.keys() - units.keys():
        raise KeyError(f"no run emits {', '.join(sorted(surplus))}")
    rows = [(code(name), unit, _MEANING[name]) for name, unit in units.items()]
    words = words_of(Metric)
    fields = [(code(name), _FIELDS.get(name) or words[name]) for name in Metric.__dataclass_fields__]
    return (
        "# Metrics\n\nWhat `metrics.json`, `ssdlab show --json` and the report hold. A name begins with the name of its step, so "
        "a fill you call `warm_up` gives `warm_up.pass1.duration`. `<N>` is the number of the pass; a fill of one pass has "
        "`pass1` too. What a run cannot tell is `unknown` with the reason, never 0.\n\n"
        f"{table(('name', 'unit', 'meaning'), rows)}\n"
        f"## The parts of a metric\n\n{table(('key', 'meaning'), fields)}"
    )


def general_name(name: str) -> str:
    """The name with the number of the pass left open."""
    return _PASS.sub(".pass<N>.", name)


_FIELDS = {
    "name": "Stable and dotted.",
    "value": 'Number, `true`/`false`, or `{"unknown": "why"}`.',
    "unit": "SI: `B`, `B/s`, `s`, `ns`, `1/s`; empty for a truth value.",
    "state": "State of the drive when the number was taken: FOB (fresh out of the box), filled once, and so on.",
    "step": "The step it came from.",
    "high": "Upper end of it.",
}


def _units(example: Example) -> Iterator[tuple[str, str]]:
    for bundle in example.bundles:
        for metric in bundle.metrics:
            yield general_name(metric.name), metric.unit
