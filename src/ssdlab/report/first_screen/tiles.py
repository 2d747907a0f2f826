"""The tiles: up to six numbers that tell most of a drive, chosen for each suite by one registry."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ssdlab.analysis.metrics.sustain import ALL_READINGS
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import (
    BAD_BYTES,
    BANDWIDTH_MEAN,
    BANDWIDTH_MEDIAN,
    BANDWIDTH_MIN,
    FLAT,
    NEED_MET,
    TIME_BELOW,
)
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.passes import is_sustained
from ssdlab.job import Pattern
from ssdlab.message import Message, message
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.first_screen.answers import LABELS, PORTRAIT, sure_answers
from ssdlab.report.first_screen.passes import pass_points
from ssdlab.report.first_screen.place import PlaceAmong, place_among
from ssdlab.report.first_screen.quoted import BYTES_PER_S, Metrics, QuotedMetric, metrics_of, quoted
from ssdlab.report.first_screen.repeats import metrics_of_drive, repeats_of
from ssdlab.report.subjects import by_drive
from ssdlab.report.suite_numbers import NumberKind, SuiteNumber, folding_number, suite_numbers, within_middle_limit

TILES_MAX = 6
_FILL = (
    NumberKind.WITHIN_CACHE,
    NumberKind.CACHE,
    NumberKind.PAST_CACHE,
    NumberKind.FOLDING,
    NumberKind.FILL_MEAN,
    NumberKind.FILL_SLOWEST,
    NumberKind.CACHE_LATER,
)
_CLIENT = (
    NumberKind.CACHE,
    NumberKind.PAST_CACHE,
    NumberKind.FOLDING,
    NumberKind.FILL_MEAN,
    NumberKind.WEIGHTED,
    NumberKind.SYNC_WRITE,
    NumberKind.AFTER_REST,
    NumberKind.REACH,
    NumberKind.FILL_SLOWEST,
)
_ENTERPRISE = (
    NumberKind.STEADY_SEQUENTIAL,
    NumberKind.STEADY_RANDOM,
    NumberKind.LATENCY,
    NumberKind.SPEED_AT_DEPTH,
    NumberKind.CONSISTENCY,
)
_OPERATING = (NumberKind.OPERATING_RATE, NumberKind.OPERATING_RESPONSE)
_SUITES: Mapping[str, tuple[NumberKind, ...]] = {
    "fill": _FILL,
    "client": _CLIENT,
    "client-2025.07": _CLIENT,
    "enterprise": _ENTERPRISE,
    "enterprise-iu": _ENTERPRISE,
    "enterprise-sweep": _ENTERPRISE,
    "wsat": (NumberKind.FRESH, NumberKind.FRESH_LOST, NumberKind.STEADY_RANDOM),
    "cdm": (NumberKind.BEST_OF_RUNS,),
    "bootbench": (NumberKind.READS, NumberKind.READERS),
    "bootbench-compat": (NumberKind.READS, NumberKind.READERS),
    "load-latency": (NumberKind.WITHIN_LIMIT, NumberKind.HALF_LOAD),
    "pts-iops": (NumberKind.SPEED_AT_DEPTH,),
    "pts-tp": (NumberKind.SPEED_AT_DEPTH,),
    "pts-lat": (NumberKind.LATENCY,),
    "pts-wsat": (NumberKind.FRESH, NumberKind.FRESH_LOST, NumberKind.STEADY_RANDOM),
    "pts-hir": (NumberKind.IDLE_GAIN, NumberKind.SPEED_AT_DEPTH),
    "pts-xsr": (NumberKind.RECOVERY, NumberKind.STIMULUS),
    "pts-dirth": _OPERATING,
    "pts-cbw": _OPERATING,
    "pts-iops-client": (NumberKind.SPEED_AT_DEPTH,),
    "pts-tp-client": (NumberKind.SPEED_AT_DEPTH,),
    "pts-lat-client": (NumberKind.LATENCY,),
    "write-amplification": (NumberKind.SPARE,),
    "mixes": (NumberKind.MIX,),
}
"""Which numbers come first, by the suite; of another suite all, in the order of its steps."""
_OF_PASS = (BANDWIDTH_MEAN, BANDWIDTH_MIN, BANDWIDTH_MEDIAN, FLAT, NEED_MET)
_BELOW_PERCENT = "80"
"""Of the median: the share of the time under it is told."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One number of the drive under test."""

    label: Message
    metric: QuotedMetric
    place: PlaceAmong | None
    """Among the drives beside it; None where it is alone."""
    switched: QuotedMetric | None = None
    """The same speed in the other unit; None of what is no speed."""

    @property
    def exact(self) -> str:
        """As in `metrics.json`, in the unit it is shown in."""
        value = self.metric.value
        return str(value).lower() if isinstance(value, bool) else str(value)


def tiles_of(bundles: Sequence[Bundle], page: Sequence[Bundle]) -> tuple[Tile, ...]:
    """Those of the first run's drive, with its places among the drives of the page.

    Args:
        bundles: The first run and those of its suite.
        page: All runs; a drive that did not run the suite has none of the numbers.
    """
    first = bundles[0]
    if is_probed(first):
        return tuple(islice(_answers(first), TILES_MAX))
    if is_sustained(first):
        return tuple(islice(_of_passes(first), TILES_MAX))
    return tuple(islice(_numbers(bundles, page), TILES_MAX))


def _numbers(bundles: Sequence[Bundle], page: Sequence[Bundle]) -> Iterator[Tile]:
    alike = {id(bundle) for bundle in bundles}
    drives = [_of_drive([run for run in runs if id(run) in alike]) for runs in by_drive(page)]
    first, *others = drives
    if first is None:
        return
    for number in _chosen(bundles):
        found = quoted(first, number.metric, number.job)
        if found is None:
            continue
        if number.past is not None and quoted(first, number.past) is None:
            yield from _speed_of_pass(first, number)
            continue
        theirs = [[*_of_number(metrics, number)] for metrics in others]
        yield Tile(number.label, found, place_among([found], theirs, number.better), in_decimal(found))


def _speed_of_pass(metrics: Metrics, number: SuiteNumber) -> Iterator[Tile]:
    """In place of a speed past a cache that was not found: there is nothing that it could be compared with."""
    mean = quoted(metrics, MetricKey(number.metric.point, BANDWIDTH_MEAN))
    if mean is not None:
        yield Tile(message("verdict-speed-of-pass"), mean, None, in_decimal(mean))


def _of_drive(runs: Sequence[Bundle]) -> Metrics | None:
    """The metrics of a drive; None of one that did not run the suite."""
    return metrics_of_drive(repeats_of(runs[0], runs)) if runs else None


def _of_number(metrics: Metrics | None, number: SuiteNumber) -> Iterator[QuotedMetric]:
    """The number of another drive, unless it is past a cache which that drive does not have."""
    if metrics is None:
        return
    found = quoted(metrics, number.metric, number.job)
    if found is not None and (number.past is None or quoted(metrics, number.past) is not None):
        yield found


def _chosen(bundles: Sequence[Bundle]) -> list[SuiteNumber]:
    found = [*suite_numbers(bundles), *folding_number(bundles[0])]
    kinds = _SUITES.get(bundles[0].run.suite.name)
    if kinds is None:
        return found
    of_kinds = [[one for one in found if one.kind is kind] for kind in kinds]
    # Where there is nothing but loads of one kind, each of them tells something.
    return of_kinds[0] if len(of_kinds) == 1 else [number for of_kind in of_kinds for number in _telling(of_kind)]


_PURE = ((Pattern.SEQUENTIAL, 100), (Pattern.RANDOM, 100), (Pattern.RANDOM, 0), (Pattern.SEQUENTIAL, 0))
"""Order and share of reads of the loads that are told, the most telling first."""
_ALONE = {NumberKind.LATENCY, NumberKind.CONSISTENCY}


def _telling(numbers: Sequence[SuiteNumber]) -> Sequence[SuiteNumber]:
    """Of rests the longest, of latency limits the middle one; of what was measured with many loads, one of each pure kind."""
    kinds = {number.kind for number in numbers}
    if NumberKind.WITHIN_LIMIT in kinds:
        return within_middle_limit(numbers)
    if NumberKind.AFTER_REST in kinds:
        return numbers[-1:]
    if not kinds & {NumberKind.SPEED_AT_DEPTH, *_ALONE}:
        return numbers
    of_load = {(one.load.pattern, one.load.read_percent): one for one in reversed(numbers) if one.load is not None}
    # Random writes are the least even.
    order = tuple(reversed(_PURE[:-1])) if NumberKind.CONSISTENCY in kinds else _PURE
    pure = [of_load[load] for load in order if load in of_load]
    return pure[:1] if kinds & _ALONE else pure


def _of_passes(bundle: Bundle) -> Iterator[Tile]:
    """Of a sustained write: the first pass, then whether all came back as written."""
    metrics = metrics_of(bundle.metrics)
    for point in pass_points(metrics)[:1]:
        keys = [MetricKey(point, quantity) for quantity in _OF_PASS]
        for key in (*keys, MetricKey(point, TIME_BELOW, _BELOW_PERCENT)):
            yield from _tile(metrics, key, message("verdict-of-first-pass", quantity=key.label))
    bad = MetricKey(ALL_READINGS, BAD_BYTES)
    yield from _tile(metrics, bad, bad.label)


def _answers(bundle: Bundle) -> Iterator[Tile]:
    sure = sure_answers(bundle)
    for name in PORTRAIT:
        if name in sure:
            yield Tile(LABELS[name], sure[name], None, in_decimal(sure[name]))


def _tile(metrics: Metrics, key: MetricKey, label: Message) -> Iterator[Tile]:
    found = quoted(metrics, key)
    if found is not None:
        yield decimal_tile(label, found, None)


def decimal_tile(label: Message, found: QuotedMetric, place: PlaceAmong | None) -> Tile:
    """A number of a screen that begins in MB/s."""
    return Tile(label, found.decimal, place, found if in_decimal(found) is not None else None)


def in_decimal(found: QuotedMetric) -> QuotedMetric | None:
    """A speed in MB/s; None of what is no speed."""
    return found.decimal if found.unit == BYTES_PER_S else None
