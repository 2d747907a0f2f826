"""The verdict: up to three sentences on a drive, of which each number is a metric of the run; which, one registry says by the suite."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ssdlab.analysis.infer.plateau import SAME_LEVEL
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import (
    BANDWIDTH_MEAN,
    BANDWIDTH_P1,
    CACHE_BANDWIDTH,
    CACHE_BYTES,
    DIRECT_BANDWIDTH,
    DURATION,
    FOLDING_BANDWIDTH,
    IOPS,
    JOBS,
    PASS,
    RESPONSE_MEAN,
)
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.state_words import STATE_WORDS
from ssdlab.figure.kit.latency_axis import limit_text
from ssdlab.figure.kit.passes import is_sustained
from ssdlab.job import DriveState
from ssdlab.message import Message, message, semicolons
from ssdlab.point import CoordinateAxis, Point
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.first_screen import answers
from ssdlab.report.first_screen.amplification import amplified, kept_apart
from ssdlab.report.first_screen.passes import sustain_sentences
from ssdlab.report.first_screen.quoted import Metrics, QuotedMetric, quoted, reason
from ssdlab.report.suite_numbers import (
    NumberKind,
    SuiteNumber,
    fill_points,
    load_at_depth_words,
    load_words,
    random_or_sequential,
    suite_numbers,
    within_middle_limit,
)

SENTENCES_MAX = 3
_PARTS_MAX = 4
_NO_FALL = "unknown-no-fall"
"""The reason of a pass of which the analysis saw that it never falls, which says itself that no cache was found; the others leave open whether
there is one."""
_GENERATOR_LATE = "metric-generator-late"
"""What the analysis notes of a rate at which the host kept the drive waiting."""
_NOT_BACK = "unknown-not-recovered"
"""The reason of a drive that was seen not to recover; the others leave open whether it did."""
_Sentence = Callable[[Bundle, Metrics], Message | None]


def verdict_of(bundle: Bundle, metrics: Metrics) -> tuple[Message, ...]:
    """What the metrics of a run say of its drive; nothing where they say nothing.

    Args:
        bundle: The first run of the drive.
        metrics: Its own, or those of all runs that repeat it.
    """
    return tuple(islice(_sentences(bundle, metrics), SENTENCES_MAX))


def _sentences(bundle: Bundle, metrics: Metrics) -> Iterator[Message]:
    if is_probed(bundle):
        yield from _portrait(bundle)
    elif is_sustained(bundle):
        yield from sustain_sentences(metrics)
    else:
        made = (sentence(bundle, metrics) for sentence in _SUITES.get(bundle.run.suite.name, _ALL))
        yield from (sentence for sentence in made if sentence is not None)


# What a fill says


def _cache(bundle: Bundle, metrics: Metrics) -> Message | None:
    """How much the drive takes at which speed, and at which it goes on."""
    for first in fill_points(bundle)[:1]:
        size = quoted(metrics, MetricKey(first, CACHE_BYTES))
        speed = quoted(metrics, MetricKey(first, CACHE_BANDWIDTH))
        if size is None or speed is None:
            return _without_cache(metrics, first)
        within = message("verdict-within-cache", size=size.inline, speed=speed.inline, state=STATE_WORDS[size.state])
        after = _after_cache(metrics, first)
        return (
            message("verdict-sentence", told=within)
            if after is None
            else message("verdict-cache", within=within, after=after)
        )
    return None


def _after_cache(metrics: Metrics, first: Point) -> Message | None:
    """The speeds past the cache; which there are depends on the class of the drive."""
    folding = quoted(metrics, MetricKey(first, FOLDING_BANDWIDTH))
    direct = quoted(metrics, MetricKey(first, DIRECT_BANDWIDTH))
    if folding is not None and direct is not None:
        if folding.note == message("metric-direct-first"):
            return message("verdict-direct-then-folding", folding=folding.inline, direct=direct.inline)
        return message("verdict-folding-then-direct", folding=folding.inline, direct=direct.inline)
    if folding is not None:
        return message("verdict-folding", folding=folding.inline)
    return None if direct is None else direct.inline


def _without_cache(metrics: Metrics, first: Point) -> Message | None:
    """Level is a pass at one speed; of every other the mean is told, which is not the level of most of its windows."""
    why = reason(metrics, MetricKey(first, CACHE_BYTES))
    level, mean = (quoted(metrics, MetricKey(first, quantity)) for quantity in (DIRECT_BANDWIDTH, BANDWIDTH_MEAN))
    if why is None:
        return None
    if level is not None and why.id == _NO_FALL and _is_level(metrics, first, level):
        return message("verdict-no-cache-level", speed=level.inline, state=STATE_WORDS[level.state], why=why)
    if mean is None:
        return message("verdict-no-cache", why=why)
    state = STATE_WORDS[mean.state]
    if why.id == _NO_FALL:
        return message("verdict-no-cache-found", speed=mean.inline, state=state, why=why)
    return message("verdict-no-cache-mean", speed=mean.inline, state=state, why=why)


def _is_level(metrics: Metrics, first: Point, speed: QuotedMetric) -> bool:
    """Whether a pass that never falls does not rise either: then its slowest windows would be slower than its level."""
    slowest = quoted(metrics, MetricKey(first, BANDWIDTH_P1))
    return slowest is not None and float(slowest.value) >= (1 - SAME_LEVEL) * float(speed.value)


def _whole_pass(bundle: Bundle, metrics: Metrics) -> Message | None:
    """How long the first pass took, how fast it was on average and in its slowest moments."""
    for first in fill_points(bundle)[:1]:
        keys = [MetricKey(first, quantity) for quantity in (DURATION, BANDWIDTH_MEAN, BANDWIDTH_P1)]
        duration, mean, slowest = (quoted(metrics, key) for key in keys)
        if duration is not None and mean is not None and slowest is not None:
            return message("verdict-pass", duration=duration.inline, mean=mean.inline, slowest=slowest.inline)
    return None


def _later_pass(bundle: Bundle, metrics: Metrics) -> Message | None:
    """What the drive does once it is full."""
    for number, later in list(enumerate(fill_points(bundle), start=1))[1:2]:
        mean = quoted(metrics, MetricKey(later, BANDWIDTH_MEAN))
        size = quoted(metrics, MetricKey(later, CACHE_BYTES))
        if mean is None:
            return None
        told = message("verdict-later-pass", number=number, state=STATE_WORDS[mean.state], mean=mean.inline)
        if size is None:
            return message("verdict-sentence", told=told)
        return message("verdict-later-pass-cache", told=told, size=size.inline)
    return None


# What the other steps of suites say


def _mixed(bundle: Bundle, metrics: Metrics) -> Message | None:
    """Small random reads and writes together, and writes that have to be safe before the next begins."""
    mixed = [
        message("verdict-mixed", load=random_or_sequential(number.job), value=found.inline)
        for number, found in _of_kind(bundle, metrics, NumberKind.WEIGHTED)
        if number.job is not None
    ]
    sync = [
        message("verdict-sync", load=random_or_sequential(number.load), value=found.inline)
        for number, found in _of_kind(bundle, metrics, NumberKind.SYNC_WRITE)
        if number.load is not None
    ]
    return message("verdict-shallow", parts=semicolons(*mixed, *sync)) if mixed or sync else None


def _after_rest(bundle: Bundle, metrics: Metrics) -> Message | None:
    """What of the cache is there again after the shortest and after the longest rest."""
    parts = [
        message("verdict-written", label=number.label, value=found.inline)
        for number, found in _of_kind(bundle, metrics, NumberKind.AFTER_REST)
    ]
    return message("verdict-reclaim", parts=semicolons(*parts)) if parts else None


def _reach(bundle: Bundle, metrics: Metrics) -> Message | None:
    """How much of the drive its mapping cache covers."""
    for _, found in _of_kind(bundle, metrics, NumberKind.REACH):
        return message("verdict-reach", reach=found.inline)
    return None


def _steady(bundle: Bundle, metrics: Metrics) -> Message | None:
    """The speed at which sustained writes settle, or why there is none."""
    parts = []
    for number in suite_numbers((bundle,)):
        if number.kind in {NumberKind.STEADY_SEQUENTIAL, NumberKind.STEADY_RANDOM}:
            found, why = quoted(metrics, number.metric), reason(metrics, number.metric)
            if found is not None:
                parts.append(message("verdict-labelled", label=number.label, value=found.inline))
            elif why is not None:
                parts.append(message("verdict-labelled-unknown", label=number.label, why=why))
    return message("verdict-steady", parts=semicolons(*parts)) if parts else None


def _saturation(bundle: Bundle, metrics: Metrics) -> Message | None:
    """From fresh until the speed of the fresh drive is lost."""
    lost = [found for _, found in _of_kind(bundle, metrics, NumberKind.FRESH_LOST)]
    for number, speed in _of_kind(bundle, metrics, NumberKind.FRESH):
        if number.load is not None:
            load = load_at_depth_words(number.load)
            if not lost:
                return message("verdict-fresh", load=load, speed=speed.inline)
            return message("verdict-fresh-until", load=load, speed=speed.inline, written=lost[0].inline)
    return None


def _deep(bundle: Bundle, metrics: Metrics) -> Message | None:
    """Pure reads and writes with the deepest queue."""
    found = [
        (number.load, value)
        for number, value in _of_kind(bundle, metrics, NumberKind.SPEED_AT_DEPTH)
        if number.load is not None and number.load.read_percent in {0, 100}
    ]
    if not found:
        return None
    deepest = max(load.in_flight for load, _ in found)
    parts = [
        message("verdict-labelled", label=load_words(load), value=value.inline)
        for load, value in found
        if load.in_flight == deepest
    ]
    return message("verdict-deep", depth=deepest, parts=semicolons(*parts[:_PARTS_MAX]))


def _latency(bundle: Bundle, metrics: Metrics) -> Message | None:
    """How long one random access takes where nothing else is in flight."""
    parts = [
        message("verdict-labelled", label=load_words(number.load), value=found.inline)
        for number, found in _of_kind(bundle, metrics, NumberKind.LATENCY)
        if number.load is not None and number.load.in_flight == 1
    ]
    return message("verdict-latency", parts=semicolons(*parts)) if parts else None


def _best_of_runs(bundle: Bundle, metrics: Metrics) -> Message | None:
    """The profiles of a desktop benchmark."""
    found = list(_of_kind(bundle, metrics, NumberKind.BEST_OF_RUNS))
    parts = [
        message("verdict-labelled", label=number.label, value=value.inline) for number, value in found[:_PARTS_MAX]
    ]
    return message("verdict-profiles", parts=semicolons(*parts)) if parts else None


def _boots(bundle: Bundle, metrics: Metrics) -> Message | None:
    """Whether BootBench is passed, and with how many readers its limits are kept."""
    for number in suite_numbers((bundle,)):
        if number.kind is NumberKind.READS:
            return _boots_at(metrics, number.metric.point)
    return None


def _boots_at(metrics: Metrics, point: Point) -> Message | None:
    speed, readers, passes = (quoted(metrics, MetricKey(point, quantity)) for quantity in (IOPS, JOBS, PASS))
    if passes is None:
        return None
    why = reason(metrics, MetricKey(point, IOPS))
    if speed is None or readers is None:
        return message("verdict-boot-none", why=why) if why is not None and passes.value is False else None
    if passes.value is True:
        return message("verdict-boot-passed", speed=speed.inline, readers=readers.inline)
    return message("verdict-boot-missed", speed=speed.inline, readers=readers.inline)


def _within(bundle: Bundle, metrics: Metrics) -> Message | None:
    """The rates up to which a service is answered in time: within the middle one of the limits, for each share of reads."""
    found = dict(_of_kind(bundle, metrics, NumberKind.WITHIN_LIMIT))
    middle = within_middle_limit([one for one in suite_numbers((bundle,)) if one.kind is NumberKind.WITHIN_LIMIT])
    parts = [
        message("verdict-labelled", label=number.mix, value=found[number].inline)
        for number in middle
        if number in found and number.mix is not None
    ]
    limits = [one for number in middle if isinstance(one := number.metric.point.value(CoordinateAxis.LIMIT), int)]
    if not parts:
        return None
    return message("verdict-within", limit=limit_text(limits[0]), parts=semicolons(*parts[:_PARTS_MAX]))


def _generator_late(bundle: Bundle, metrics: Metrics) -> Message | None:
    """That the host was the slower one, before anything is said of the drive."""
    del bundle
    offered = [
        metric
        for key, metric in metrics.items()
        if key.quantity == RESPONSE_MEAN
        and key.direction is None
        and key.point.value(CoordinateAxis.OFFERED) is not None
    ]
    late = [one for one in offered if isinstance(one.note, Message) and one.note.id == _GENERATOR_LATE]
    return message("verdict-generator-late", late=len(late), loads=len(offered)) if late else None


def _mixes(bundle: Bundle, metrics: Metrics) -> Message | None:
    """The rates under loads of several kinds of I/O, with the deepest queue."""
    found = list(_of_kind(bundle, metrics, NumberKind.MIX))
    parts = [
        message("verdict-labelled", label=number.mix, value=value.inline)
        for number, value in found[:_PARTS_MAX]
        if number.mix is not None
    ]
    depths = [number.metric.point.value(CoordinateAxis.QUEUE_DEPTH) for number, _ in found]
    if not parts:
        return None
    return message("verdict-deep", depth=str(depths[0]), parts=semicolons(*parts))


def _after_idle(bundle: Bundle, metrics: Metrics) -> Message | None:
    """What the shortest and the longest idle time give back."""
    found = list(_of_kind(bundle, metrics, NumberKind.IDLE_GAIN))
    parts = [
        message("verdict-labelled", label=number.label, value=value.inline)
        for number, value in dict.fromkeys((*found[:1], *found[-1:]))
    ]
    loads = [number.load for number, _ in found if number.load is not None]
    if not parts or not loads:
        return None
    return message("verdict-idle", load=load_at_depth_words(loads[0]), parts=semicolons(*parts))


def _recovered(bundle: Bundle, metrics: Metrics) -> Message | None:
    """When the drive was as fast as before, or why that is not known."""
    for number in suite_numbers((bundle,)):
        if number.kind is NumberKind.RECOVERY:
            found, why = quoted(metrics, number.metric), reason(metrics, number.metric)
            if found is not None:
                return message("verdict-recovered", after=found.inline)
            if why is None:
                return None
            if why.id == _NOT_BACK:
                return message("verdict-not-recovered", why=why)
            return message("verdict-recovery-unknown", why=why)
    return None


def _crossed(bundle: Bundle, metrics: Metrics) -> Message | None:
    """The speeds before, in and after other writes."""
    parts = [
        message("verdict-labelled", label=number.label, value=found.inline)
        for number, found in _of_kind(bundle, metrics, NumberKind.STIMULUS)
    ]
    return message("verdict-steady", parts=semicolons(*parts)) if parts else None


def _operating(bundle: Bundle, metrics: Metrics) -> Message | None:
    """What the drive does at its operating points, and how soon it answers there."""
    responses = {
        number.metric.point: found for number, found in _of_kind(bundle, metrics, NumberKind.OPERATING_RESPONSE)
    }
    parts = [
        message(
            "verdict-operating", label=number.label, rate=found.inline, response=responses[number.metric.point].inline
        )
        for number, found in _of_kind(bundle, metrics, NumberKind.OPERATING_RATE)
        if number.metric.point in responses
    ]
    if not parts:
        return None
    states = {metrics[key].state for key in metrics if key.point in responses}
    if DriveState.NOT_STEADY in states:
        return message("verdict-demand-not-steady", parts=semicolons(*parts))
    return message("verdict-demand", parts=semicolons(*parts))


def _of_kind(bundle: Bundle, metrics: Metrics, kind: NumberKind) -> Iterator[tuple[SuiteNumber, QuotedMetric]]:
    """The numbers of a kind that have values."""
    for number in suite_numbers((bundle,)):
        if number.kind is kind and (found := quoted(metrics, number.metric, number.job)) is not None:
            yield number, found


_SUITES: Mapping[str, Sequence[_Sentence]] = {
    "fill": (_cache, _whole_pass, _later_pass),
    "client": (_cache, _mixed, _after_rest),
    "client-2025.07": (_cache, _mixed, _after_rest),
    "enterprise": (_steady, _deep, _latency),
    "enterprise-iu": (_steady, _deep, _latency),
    "enterprise-sweep": (_steady, _deep, _latency),
    "wsat": (_saturation, _steady),
    "bootbench": (_boots,),
    "bootbench-compat": (_boots,),
    "cdm": (_best_of_runs,),
    "load-latency": (_generator_late, _within, _steady),
    "write-amplification": (amplified, kept_apart),
    "mixes": (_mixes, _steady),
    "pts-iops": (_deep,),
    "pts-tp": (_deep,),
    "pts-lat": (_latency,),
    "pts-wsat": (_saturation, _steady),
    "pts-hir": (_after_idle, _deep),
    "pts-xsr": (_recovered, _crossed),
    "pts-dirth": (_operating,),
    "pts-cbw": (_operating,),
    "pts-iops-client": (_deep,),
    "pts-tp-client": (_deep,),
    "pts-lat-client": (_latency,),
}
"""What is said of a drive, by the suite."""
_ALL: Sequence[_Sentence] = (
    _cache,
    _saturation,
    _steady,
    _mixed,
    _deep,
    _latency,
    _best_of_runs,
    _boots,
    _within,
    _mixes,
    _after_idle,
    _recovered,
    _operating,
    amplified,
    kept_apart,
    _reach,
    _after_rest,
    _whole_pass,
)
"""Of another suite: what its steps have, most telling first."""


# What probes say


def _portrait(bundle: Bundle) -> Iterator[Message]:
    sure = answers.sure_answers(bundle)
    if not sure.keys() & answers.LABELS.keys():
        yield message("verdict-portrait-open")
    if cache := list(_cache_facts(sure)):
        yield message("verdict-portrait-cache", facts=semicolons(*cache))
    if inside := list(_facts(answers.INSIDE, sure)):
        yield message("verdict-portrait-inside", facts=semicolons(*inside))
    if buffers := list(_facts(answers.BUFFER, sure)):
        yield message("verdict-portrait-buffer", facts=semicolons(*buffers))


def _cache_facts(sure: Mapping[str, QuotedMetric]) -> Iterator[Message]:
    """Its sizes, and how fast it comes back."""
    if (largest := sure.get(answers.LARGEST_CACHE)) is not None:
        yield message("verdict-slc-on-empty", size=largest.inline)
    if (smallest := sure.get(answers.SMALLEST_CACHE)) is not None:
        yield message("verdict-slc-on-full", size=smallest.inline)
    yield from _facts((answers.RECLAIM_RATE,), sure)


def _facts(names: Iterable[str], sure: Mapping[str, QuotedMetric]) -> Iterator[Message]:
    for name in names:
        if name in sure:
            yield message("verdict-labelled", label=answers.LABELS[name], value=sure[name].inline)
