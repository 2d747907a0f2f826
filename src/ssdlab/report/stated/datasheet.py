"""What a datasheet promises, held against what was measured: exceeded, met, missed, or not told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ssdlab.analysis.statistics.standing import Estimate, RankOrder, differ_in_practice, order
from ssdlab.bundle.layout import Moment
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, CLAT, CLAT_MEAN, CONSISTENCY, IOPS, LAT, LAT_MEAN, Better
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.stated import DatasheetValue, StatedLoad, StatedQuantity, StatedState, stated_of
from ssdlab.figure.kit.subject import block_words
from ssdlab.job import Action, DriveState, Job, StepKind, Sync
from ssdlab.message import Message, commas, listed, message, size_decimal, verbatim
from ssdlab.point import Point
from ssdlab.report.drive_facts import Shown, health_at
from ssdlab.report.first_screen.quoted import Metrics, QuotedMetric, metrics_of, quoted, reason
from ssdlab.report.subjects import caveat_words
from ssdlab.report.suite_numbers import NumberKind, SuiteNumber, load_at_depth_words, suite_numbers
from ssdlab.units import MB, format_bytes_decimal, format_quantity_short
from ssdlab.unknown import Unknown

_USED_PERCENT_MIN, _USED_PERCENT_MAX = 10, 254
"""Drives count their wear in whole per cent: below, one of them is more than a tenth; above, the counter stands still."""


class Promise(Enum):
    """How a measured number stands to what the datasheet states."""

    EXCEEDED = "exceeded"
    MET = "met"
    MISSED = "missed"
    UNTOLD = "untold"


PROMISE_WORDS = {
    Promise.EXCEEDED: message("stated-exceeds"),
    Promise.MET: message("stated-meets"),
    Promise.MISSED: message("stated-misses"),
    Promise.UNTOLD: message("stated-untold"),
}


@dataclass(frozen=True, slots=True)
class DatasheetLine:
    """A value of a datasheet beside what was measured."""

    label: Message
    stated: str
    measured: Shown
    """With its interval; empty where nothing was."""
    of: Message | None
    """What was measured; None where nothing was."""
    promise: Promise
    reason: Message | None = None
    """Why it cannot be told."""

    @property
    def words(self) -> Message:
        """`exceeds its datasheet`, or why that cannot be told."""
        told = PROMISE_WORDS[self.promise]
        return told if self.reason is None else message("report-unknown-because", reason=self.reason)


@dataclass(frozen=True, slots=True)
class JudgedDatasheet:
    """What is stated of the drive of a run, in the order of its file."""

    source: str | None
    lines: tuple[DatasheetLine, ...]

    @property
    def summary(self) -> Message:
        """`Datasheet: exceeds 2, misses 1 of its values`."""
        promises = [line.promise for line in self.lines]
        counts = [
            message("stated-count", promise=promise.value, count=promises.count(promise))
            for promise in Promise
            if promise in promises
        ]
        return message("stated-summary", counts=commas(*counts))


def datasheet_of(bundle: Bundle) -> JudgedDatasheet | None:
    """The datasheet of the drive; None where nothing is stated."""
    drive = stated_of(bundle).drive
    datasheet = None if drive is None else drive.datasheet
    if datasheet is None:
        return None
    metrics = metrics_of(bundle.metrics)
    lines = [_line(bundle, metrics, value) for value in datasheet.values]
    if datasheet.endurance_bytes is not None:
        lines.append(_endurance(bundle, datasheet.endurance_bytes))
    return JudgedDatasheet(datasheet.source, tuple(lines)) if lines else None


def _line(bundle: Bundle, metrics: Metrics, value: DatasheetValue) -> DatasheetLine:
    label = _label(value)
    stated = _quoted_value(value)
    unknown_cache = _unknown_cache(bundle, metrics, value)
    if unknown_cache is not None:
        return DatasheetLine(label, stated, "", None, Promise.UNTOLD, unknown_cache)
    found = _best(value, list(_measured(bundle, metrics, value)))
    if found is None:
        return DatasheetLine(label, stated, "", None, Promise.UNTOLD, message("stated-not-measured"))
    of, metric = found
    shown = metric.decimal
    doubt = _doubt(bundle, metric)
    promise = Promise.UNTOLD if doubt is not None else _promise(value, metric)
    return DatasheetLine(label, stated, shown.inline, of, promise, doubt)


def _doubt(bundle: Bundle, metric: QuotedMetric) -> Message | None:
    """Why a number is not fit to judge a drive by."""
    if metric.failed_checks:
        return message("stated-check-failed", checks=commas(*metric.failed_checks))
    return caveat_words(bundle.run)


def _promise(value: DatasheetValue, metric: QuotedMetric) -> Promise:
    """Met where the interval holds the stated value, or where the two are alike in practice."""
    if isinstance(metric.value, bool | str):
        return Promise.UNTOLD
    measured = Estimate(metric.value, metric.low, metric.high)
    if value.quantity is StatedQuantity.CONSISTENCY:
        # All shares near the whole are within a few per cent of each other.
        return _by_interval(measured, value.value, _better(value))
    return promise_of(measured, value.value, _better(value))


def promise_of(measured: Estimate, stated: float, better: Better) -> Promise:
    """How an estimate stands to a number that is exact: what makes no difference in practice is met, however well it is known."""
    if not differ_in_practice(measured.value, stated):
        return Promise.MET
    return _by_interval(measured, stated, better)


def _by_interval(measured: Estimate, stated: float, better: Better) -> Promise:
    match order(measured, Estimate(stated, stated, stated), better):
        case RankOrder.AHEAD:
            return Promise.EXCEEDED
        case RankOrder.LEVEL:
            return Promise.MET
        case RankOrder.BEHIND:
            return Promise.MISSED


def _better(value: DatasheetValue) -> Better:
    return Better.LOWER if value.quantity is StatedQuantity.LATENCY else Better.HIGHER


def _quoted_value(value: DatasheetValue) -> str:
    if value.quantity is StatedQuantity.SPEED:
        return format_quantity_short(value.value / MB, "MB/s")
    return format_quantity_short(value.value, value.quantity.value)


_LOADS = {
    StatedLoad.SEQUENTIAL_READ: message("stated-sequential-read"),
    StatedLoad.SEQUENTIAL_WRITE: message("stated-sequential-write"),
    StatedLoad.RANDOM_READ: message("stated-random-read"),
    StatedLoad.RANDOM_WRITE: message("stated-random-write"),
}
_STATES = {
    StatedState.CACHE: message("stated-within-cache"),
    StatedState.SUSTAINED: message("stated-sustained"),
}


def _label(value: DatasheetValue) -> Message:
    """`random read, 4 KiB, QD1, 99.99 % latency`."""
    parts = [_LOADS[value.load]]
    if value.block_bytes is not None:
        parts.append(verbatim(block_words(value.block_bytes)))
    if value.queue_depth is not None:
        parts.append(verbatim(f"QD{value.queue_depth}"))
    if value.state is not None:
        parts.append(_STATES[value.state])
    if value.quantity is StatedQuantity.CONSISTENCY:
        parts.append(CONSISTENCY.label or verbatim(CONSISTENCY.word))
    if value.quantity is StatedQuantity.LATENCY:
        parts.append(_latency(value.percentile))
    return listed(commas(*parts))


def _latency(percentile: str | None) -> Message:
    return message("stated-latency-mean") if percentile is None else message("stated-latency", percent=percentile)


_Found = tuple[Message, QuotedMetric]


def _best(value: DatasheetValue, found: Sequence[_Found]) -> _Found | None:
    """Datasheets state the best of what the load can give; loads of which none is told apart are alike to them."""
    usable = [one for one in found if not isinstance(one[1].value, bool | str)]
    if not usable:
        return None
    best = min if _better(value) is Better.LOWER else max
    return best(usable, key=lambda one: float(one[1].value))


def _measured(bundle: Bundle, metrics: Metrics, value: DatasheetValue) -> Iterator[_Found]:
    """What was measured of the load: at the stated queue depth, or the numbers that tell drives apart by the suite."""
    if value.queue_depth is not None or value.quantity is StatedQuantity.LATENCY:
        yield from _at_depth(bundle, metrics, value, value.queue_depth or 1)
        return
    for kind in _kinds(value):
        numbers = list(_of_kind(bundle, metrics, value, kind))
        yield from numbers
        if numbers:
            return


_WRITTEN: Mapping[tuple[StatedLoad, StatedState | None], Sequence[NumberKind]] = {
    (StatedLoad.SEQUENTIAL_WRITE, StatedState.CACHE): (NumberKind.WITHIN_CACHE,),
    (StatedLoad.SEQUENTIAL_WRITE, StatedState.SUSTAINED): (
        NumberKind.PAST_CACHE,
        NumberKind.STEADY_SEQUENTIAL,
        NumberKind.SPEED_AT_DEPTH,
    ),
    (StatedLoad.SEQUENTIAL_WRITE, None): (
        NumberKind.WITHIN_CACHE,
        NumberKind.PAST_CACHE,
        NumberKind.STEADY_SEQUENTIAL,
        NumberKind.SPEED_AT_DEPTH,
        NumberKind.BEST_OF_RUNS,
    ),
    (StatedLoad.RANDOM_WRITE, StatedState.CACHE): (NumberKind.FRESH, NumberKind.BEST_OF_RUNS),
    (StatedLoad.RANDOM_WRITE, StatedState.SUSTAINED): (NumberKind.STEADY_RANDOM, NumberKind.SPEED_AT_DEPTH),
    (StatedLoad.RANDOM_WRITE, None): (NumberKind.STEADY_RANDOM, NumberKind.SPEED_AT_DEPTH, NumberKind.BEST_OF_RUNS),
}


def _kinds(value: DatasheetValue) -> Sequence[NumberKind]:
    """What is looked for, in this order."""
    if value.quantity is StatedQuantity.CONSISTENCY:
        return (NumberKind.CONSISTENCY,)
    return _WRITTEN.get((value.load, value.state), (NumberKind.SPEED_AT_DEPTH, NumberKind.BEST_OF_RUNS))


_NO_CACHE = {"unknown-no-fall", "unknown-no-fall-after-stall"}
"""The reasons that say that a pass has no cache, so that its mean is the speed of the drive; the others leave open what it is the mean of."""


def _unknown_cache(bundle: Bundle, metrics: Metrics, value: DatasheetValue) -> Message | None:
    """Why it is not known which part of the first pass a stated speed of sequential writes belongs to."""
    if value.queue_depth is not None or value.quantity is not StatedQuantity.SPEED:
        return None
    for number in suite_numbers([bundle]):
        why = None if number.past is None else reason(metrics, number.past)
        if why is None or not _is_of_load(bundle, number, value):
            continue
        if value.state is StatedState.CACHE or why.id not in _NO_CACHE:
            return why
    return None


def _of_kind(bundle: Bundle, metrics: Metrics, value: DatasheetValue, kind: NumberKind) -> Iterator[_Found]:
    for number in suite_numbers([bundle]):
        if number.kind is not kind or not _is_of_load(bundle, number, value):
            continue
        found = quoted(metrics, number.metric, number.job)
        if found is not None:
            yield number.label, _in_unit(found, value, number.load)


def _is_of_load(bundle: Bundle, number: SuiteNumber, value: DatasheetValue) -> bool:
    load = number.load or _fill_job(bundle, number.metric.point)
    return load is not None and _is_load(load, value)


def _fill_job(bundle: Bundle, point: Point) -> Job | None:
    """Beside the numbers of a pass no load is kept: it is that of its step."""
    return next((step.job for step in bundle.steps if step.kind is StepKind.FILL and step.point == point), None)


_DRIVE_STATES = {
    None: frozenset(DriveState),
    StatedState.CACHE: frozenset({DriveState.FOB, DriveState.PARTLY_FILLED}),
    StatedState.SUSTAINED: frozenset({DriveState.STEADY}),
}
"""In which a single point shows what is stated."""


def _at_depth(bundle: Bundle, metrics: Metrics, value: DatasheetValue, depth: int) -> Iterator[_Found]:
    """Of each point with the load and so many I/Os in flight."""
    points = {
        step.point: step.job
        for step in bundle.steps
        if step.kind is StepKind.MEASURE
        and step.job is not None
        and step.state in _DRIVE_STATES[value.state]
        and step.job.in_flight == depth
        and _is_load(step.job, value)
    }
    for point, job in points.items():
        found = next((one for key in _keys(value) if (one := quoted(metrics, replace(key, point=point)))), None)
        if found is not None:
            yield message("stated-at-point", load=load_at_depth_words(job), point=point.name), found


def _keys(value: DatasheetValue) -> Sequence[MetricKey]:
    """The quantity at any point: latencies of completion, or from the submission where the engine times these."""
    anywhere = Point("")
    match value.quantity:
        case StatedQuantity.SPEED:
            return (MetricKey(anywhere, BANDWIDTH),)
        case StatedQuantity.IOPS:
            return (MetricKey(anywhere, IOPS),)
        case StatedQuantity.CONSISTENCY:
            return (MetricKey(anywhere, CONSISTENCY),)
        case StatedQuantity.LATENCY if value.percentile is None:
            return (MetricKey(anywhere, CLAT_MEAN), MetricKey(anywhere, LAT_MEAN))
        case StatedQuantity.LATENCY:
            return (MetricKey(anywhere, CLAT, value.percentile), MetricKey(anywhere, LAT, value.percentile))


def _is_load(job: Job, value: DatasheetValue) -> bool:
    """Datasheets state closed loops of plain I/Os: none that are forced to the flash, held to a rate, or disturbed by others."""
    is_plain = job.action is Action.READ_WRITE and job.sync is Sync.NONE and job.rate_iops is None and not job.beside
    is_alike = job.pattern is value.load.pattern and job.read_percent == value.load.read_percent
    return is_plain and is_alike and value.block_bytes in {None, job.block_bytes}


def _in_unit(metric: QuotedMetric, value: DatasheetValue, load: Job | None) -> QuotedMetric:
    """A bandwidth of random I/Os as their number a second, which datasheets state."""
    if metric.unit != "B/s" or value.quantity is not StatedQuantity.IOPS or load is None:
        return metric
    if isinstance(metric.value, bool | str):
        return metric
    block = load.block_bytes
    low, high = (None if end is None else end / block for end in (metric.low, metric.high))
    return replace(metric, value=metric.value / block, unit="1/s", low=low, high=high)


def _endurance(bundle: Bundle, stated_bytes: int) -> DatasheetLine:
    """What the drive will have written when its own counter of wear is full, if it goes on like this."""
    label, stated = message("stated-endurance"), format_bytes_decimal(stated_bytes)
    projected = _projected_bytes(bundle)
    if isinstance(projected, Unknown):
        return DatasheetLine(label, stated, "", None, Promise.UNTOLD, projected.reason)
    measured = message(
        "stated-between", low=size_decimal(projected.low or 0.0), high=size_decimal(projected.high or 0.0)
    )
    promise = promise_of(projected, stated_bytes, Better.HIGHER)
    return DatasheetLine(label, stated, measured, message("stated-by-wear"), promise)


def _projected_bytes(bundle: Bundle) -> Estimate | Unknown:
    health = health_at(bundle, Moment.END)
    if isinstance(health, Unknown):
        return health
    used, written = health.used_percent, health.host_bytes_written
    if isinstance(used, Unknown):
        return used
    if isinstance(written, Unknown):
        return written
    if not _USED_PERCENT_MIN <= used <= _USED_PERCENT_MAX:
        return Unknown(message("stated-too-little-wear", used=used, least=_USED_PERCENT_MIN))
    # A counter of whole per cent may have been rounded either way.
    return Estimate(100 * written / used, 100 * written / (used + 1), 100 * written / (used - 1))
