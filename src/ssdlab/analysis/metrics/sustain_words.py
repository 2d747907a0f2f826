"""What a sustained write says first, from its metrics: how fast each pass was, how steady, and whether all came back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.metrics.sustain import ALL_READINGS, FLAT_FOR, FLAT_WITHIN, NOT_ALL_READ, SHARES, WRITING
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import (
    BAD_BYTES,
    BANDWIDTH_MEAN,
    BANDWIDTH_MEDIAN,
    BANDWIDTH_MIN,
    CACHE_BYTES,
    FLAT,
    NEED_MET,
    SPEED_RETAINED,
    TIME_BELOW,
)
from ssdlab.bundle.totals import Extreme, StepTotals
from ssdlab.message import Message, bandwidth_decimal, commas, listed, message, number, semicolons
from ssdlab.method.sustain import NAME
from ssdlab.point import CoordinateAxis, Point
from ssdlab.units import format_quantity
from ssdlab.unknown import Unknown

PASSES_ONE_BY_ONE = 8
"""More are summed up."""
FLAT_MEANS = message("sustain-flat-means", share=number(100 * FLAT_FOR, ".0f"), within=number(100 * FLAT_WITHIN, ".0f"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRow:
    """What is known of one pass of writing; Unknown where it was too short to say."""

    number: int
    mean: float
    """Bytes a second, like the three that follow."""
    worst: float | Unknown
    """Slowest second."""
    median: float | Unknown
    below: Mapping[int, float | Unknown]
    """Per cent of the time under so many per cent of the median."""
    flat: bool | Unknown
    why: Message | None
    """What the verdict goes by."""
    cliff_bytes: float | Unknown
    """After which it fell, where it did."""
    need_met: float | None
    """Per cent of the time; None where nobody asked."""
    need: Message | None
    """What was asked."""

    @property
    def verdict(self) -> Message:
        """In words."""
        if isinstance(self.flat, Unknown):
            return message("sustain-flat-unknown", why=self.flat.reason)
        return message("sustain-flat") if self.flat else message("sustain-not-flat")


def pass_rows(metrics: Sequence[Metric]) -> tuple[PassRow, ...]:
    """The passes of writing of a run, in order."""
    known = {metric.key: metric for metric in metrics}
    rows = []
    for key, metric in known.items():
        number = key.point.value(CoordinateAxis.PASS)
        if key.quantity == BANDWIDTH_MEAN and isinstance(number, int) and isinstance(metric.value, int | float):
            rows.append(_row(known, key.point, number, float(metric.value)))
    return tuple(sorted(rows, key=lambda row: row.number))


def _row(known: Mapping[MetricKey, Metric], point: Point, number: int, mean: float) -> PassRow:
    flat, need = known.get(MetricKey(point, FLAT)), known.get(MetricKey(point, NEED_MET))
    met = None if need is None else _number(known, MetricKey(point, NEED_MET))
    return PassRow(
        number=number,
        mean=mean,
        worst=_number(known, MetricKey(point, BANDWIDTH_MIN)),
        median=_number(known, MetricKey(point, BANDWIDTH_MEDIAN)),
        below={share: _number(known, MetricKey(point, TIME_BELOW, str(share))) for share in SHARES},
        flat=flat.value if flat is not None and isinstance(flat.value, bool) else _why_unknown(flat),
        why=None if flat is None else flat.note,
        cliff_bytes=_number(known, MetricKey(point, CACHE_BYTES)),
        need_met=None if isinstance(met, Unknown) else met,
        need=None if need is None else need.note,
    )


def _number(known: Mapping[MetricKey, Metric], key: MetricKey) -> float | Unknown:
    metric = known.get(key)
    if metric is None or not isinstance(metric.value, int | float):
        return _why_unknown(metric)
    return float(metric.value)


def _why_unknown(metric: Metric | None) -> Unknown:
    if metric is not None and isinstance(metric.value, Unknown):
        return metric.value
    return Unknown(message("unknown-not-measured"))


def sentences(metrics: Sequence[Metric], not_whole: Sequence[StepTotals] = ()) -> Iterator[Message]:
    """What one wants to know first.

    Args:
        metrics: Of the steps that are kept whole.
        not_whole: What the others come to.
    """
    rows = pass_rows(metrics)
    written = next((one for one in not_whole if one.name == WRITING), None)
    if len(rows) <= PASSES_ONE_BY_ONE and written is None:
        for row in rows:
            yield from _of_pass(row)
    elif rows:
        yield _of_all(rows, written)
        if written is not None:
            yield _of_others(written)
        slowest = min(rows, key=lambda row: row.mean)
        telling = {one.number: one for one in (rows[0], slowest, rows[-1])}
        for number in sorted(telling):
            yield from _of_pass(telling[number])
    known = {metric.key: metric for metric in metrics}
    yield from _retention(known)
    yield from _verified(known)


def _of_pass(row: PassRow) -> Iterator[Message]:
    pass_, mean = row.number, bandwidth_decimal(row.mean)
    if row.why is None:
        yield message("sustain-pass", number=pass_, mean=mean, verdict=row.verdict)
    else:
        yield message("sustain-pass-because", number=pass_, mean=mean, verdict=row.verdict, why=row.why)
    if not isinstance(row.worst, Unknown):
        yield message(
            "sustain-worst", number=pass_, worst=bandwidth_decimal(row.worst), shares=commas(*_shares(row.below))
        )
    if row.flat is False and not isinstance(row.cliff_bytes, Unknown):
        yield message("sustain-fell", number=pass_, written=format_quantity(row.cliff_bytes, "B"))
    if row.need_met is not None and row.need is not None:
        yield message("sustain-need", number=pass_, met=number(row.need_met, ".1f"), need=row.need)


def _shares(below: Mapping[int, float | Unknown]) -> Iterator[Message]:
    for share, value in below.items():
        if not isinstance(value, Unknown):
            yield message("sustain-share", value=number(value, ".1f"), share=share)


def _of_all(rows: Sequence[PassRow], written: StepTotals | None) -> Message:
    means = [row.mean for row in rows]
    flat = sum(row.flat is True for row in rows)
    judged = sum(isinstance(row.flat, bool) for row in rows)
    met = [row.need_met for row in rows if row.need_met is not None]
    count = len(rows)
    if written is not None:
        means += [one.bytes_per_s for one in (written.slowest, written.fastest) if not isinstance(one, Unknown)]
        met += [one for one in (written.need_met_percent_min,) if not isinstance(one, Unknown)]
        flat, judged, count = flat + written.flat, judged + written.judged, count + written.count
    all_ = message(
        "sustain-passes",
        count=number(count),
        slowest=bandwidth_decimal(min(means)),
        fastest=bandwidth_decimal(max(means)),
        flat=_how_many_flat(flat, judged, count),
    )
    need = next((row.need for row in rows if row.need is not None), None)
    if not met or need is None:
        return all_
    return listed(semicolons(all_, message("sustain-need-least", met=number(min(met), ".1f"), need=need)))


def _how_many_flat(flat: int, judged: int, count: int) -> Message:
    if not judged:
        return message("sustain-too-short")
    if judged == count:
        return message("sustain-so-many-flat", flat=number(flat))
    return message("sustain-so-many-flat-of", flat=number(flat), judged=number(judged))


def _of_others(written: StepTotals) -> Message:
    """Passes of which no series are kept."""
    parts = []
    if not isinstance(one := written.slowest, Unknown):
        parts.append(message("sustain-slowest-pass", speed=bandwidth_decimal(one.bytes_per_s), number=_number_of(one)))
    if not isinstance(one := written.fastest, Unknown):
        parts.append(message("sustain-fastest-pass", speed=bandwidth_decimal(one.bytes_per_s), number=_number_of(one)))
    if not isinstance(one := written.slowest_second, Unknown):
        parts.append(message("sustain-worst-second", speed=bandwidth_decimal(one.bytes_per_s), number=_number_of(one)))
    return message("sustain-totals", count=number(written.count), extremes=commas(*parts))


def _number_of(extreme: Extreme) -> str:
    return extreme.step.removeprefix(WRITING)


def _retention(known: Mapping[MetricKey, Metric]) -> Iterator[Message]:
    """How fast data of an earlier day was read."""
    first = Point(NAME).at(CoordinateAxis.READING, 1)
    retained, speed = known.get(MetricKey(first, SPEED_RETAINED)), known.get(MetricKey(first, BANDWIDTH_MEAN))
    if retained is None or speed is None or not isinstance(speed.value, int | float):
        return
    read = bandwidth_decimal(speed.value)
    if isinstance(retained.value, Unknown):
        yield message("sustain-retained-unknown", speed=read, why=retained.value.reason)
    elif isinstance(retained.value, int | float) and retained.note is not None:
        percent = number(retained.value, ".0f")
        yield message("sustain-retained", speed=read, percent=percent, of=retained.note)


def _verified(known: Mapping[MetricKey, Metric]) -> Iterator[Message]:
    bad = known.get(MetricKey(ALL_READINGS, BAD_BYTES))
    if bad is None:
        return
    if isinstance(bad.value, Unknown):
        yield message("sustain-verified-unknown", why=bad.value.reason)
    elif bad.value and isinstance(bad.value, int | float):
        yield message("sustain-verified-bad", count=number(bad.value, ",.0f"))
    elif bad.note == NOT_ALL_READ:
        yield message("sustain-not-verified")
    else:
        yield message("sustain-verified")
