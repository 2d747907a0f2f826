"""What a sustained write says first, from its metrics: how fast each pass was, how steady, and whether all came back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ssdlab.analysis.sustain import FLAT_FOR, FLAT_WITHIN, NOT_ALL_READ, SHARES, WRITING
from ssdlab.bundle.model import Metric
from ssdlab.bundle.totals import Extreme, Totals
from ssdlab.method.sustain import NAME
from ssdlab.units import format_bandwidth_decimal, format_quantity
from ssdlab.unknown import Unknown

PASSES_ONE_BY_ONE = 8
"""More are summed up."""
FLAT_MEANS = (
    f"A pass is flat if {100 * FLAT_FOR:.0f} % of its seconds are within {100 * FLAT_WITHIN:.0f} % of their median, and the line "
    f"of best fit through them moves by no more than {100 * FLAT_WITHIN:.0f} % of their mean from one end of the pass to the other."
)


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
    why: str
    """What the verdict goes by."""
    cliff_bytes: float | Unknown
    """After which it fell, where it did."""
    need_met: float | None
    """Per cent of the time; None where nobody asked."""
    need: str
    """What was asked."""

    @property
    def verdict(self) -> str:
        """In words."""
        if isinstance(self.flat, Unknown):
            return f"not known whether flat: {self.flat.unknown}"
        return "flat" if self.flat else "not flat"


def pass_rows(metrics: Sequence[Metric]) -> tuple[PassRow, ...]:
    """The passes of writing of a run, in order."""
    known = {metric.name: metric for metric in metrics}
    rows = []
    for name, metric in known.items():
        prefix = name.removesuffix(".bandwidth_mean")
        number = prefix.removeprefix(WRITING)
        if prefix != name and number.isdecimal() and isinstance(metric.value, int | float):
            rows.append(_row(known, prefix, int(number), float(metric.value)))
    return tuple(sorted(rows, key=lambda row: row.number))


def _row(known: Mapping[str, Metric], prefix: str, number: int, mean: float) -> PassRow:
    flat, need = known.get(f"{prefix}.flat"), known.get(f"{prefix}.need_met")
    met = None if need is None else _number(known, f"{prefix}.need_met")
    return PassRow(
        number=number,
        mean=mean,
        worst=_number(known, f"{prefix}.bandwidth_min"),
        median=_number(known, f"{prefix}.bandwidth_median"),
        below={share: _number(known, f"{prefix}.time_below_{share}") for share in SHARES},
        flat=flat.value if flat is not None and isinstance(flat.value, bool) else _why_unknown(flat),
        why="" if flat is None else flat.note,
        cliff_bytes=_number(known, f"{prefix}.cache_bytes"),
        need_met=None if isinstance(met, Unknown) else met,
        need="" if need is None else need.note,
    )


def _number(known: Mapping[str, Metric], name: str) -> float | Unknown:
    metric = known.get(name)
    if metric is None or not isinstance(metric.value, int | float):
        return _why_unknown(metric)
    return float(metric.value)


def _why_unknown(metric: Metric | None) -> Unknown:
    if metric is not None and isinstance(metric.value, Unknown):
        return metric.value
    return Unknown("it was not measured")


def sentences(metrics: Sequence[Metric], not_whole: Sequence[Totals] = ()) -> Iterator[str]:
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
    known = {metric.name: metric for metric in metrics}
    yield from _retention(known)
    yield from _verified(known)


def _of_pass(row: PassRow) -> Iterator[str]:
    name = f"pass {row.number}"
    why = f" ({row.why})" if row.why else ""
    yield f"{name}: {format_bandwidth_decimal(row.mean)} mean, {row.verdict}{why}"
    if not isinstance(row.worst, Unknown):
        shares = ", ".join(f"{value:.1f} % under {share} %" for share, value in _known(row.below))
        yield f"{name}: worst second {format_bandwidth_decimal(row.worst)}; of the time {shares} of the median"
    if row.flat is False and not isinstance(row.cliff_bytes, Unknown):
        yield f"{name}: fell after {format_quantity(row.cliff_bytes, 'B')}"
    if row.need_met is not None:
        yield f"{name}: {row.need_met:.1f} % {row.need}"


def _known(below: Mapping[int, float | Unknown]) -> Iterator[tuple[int, float]]:
    yield from ((share, value) for share, value in below.items() if not isinstance(value, Unknown))


def _of_all(rows: Sequence[PassRow], written: Totals | None) -> str:
    means = [row.mean for row in rows]
    flat = sum(row.flat is True for row in rows)
    judged = sum(isinstance(row.flat, bool) for row in rows)
    met = [row.need_met for row in rows if row.need_met is not None]
    count = len(rows)
    if written is not None:
        means += [one.bytes_per_s for one in (written.slowest, written.fastest) if not isinstance(one, Unknown)]
        met += [one for one in (written.need_met_percent_min,) if not isinstance(one, Unknown)]
        flat, judged, count = flat + written.flat, judged + written.judged, count + written.count
    need = f"; at least {min(met):.1f} % {_need(rows)}" if met else ""
    return (
        f"{count:,} passes: {format_bandwidth_decimal(min(means))} to {format_bandwidth_decimal(max(means))} mean, "
        f"{_how_many_flat(flat, judged, count)}{need}"
    )


def _how_many_flat(flat: int, judged: int, count: int) -> str:
    if not judged:
        return "too short to say whether flat"
    return f"{flat:,} flat" if judged == count else f"{flat:,} flat of {judged:,} long enough to say"


def _need(rows: Sequence[PassRow]) -> str:
    return next((row.need for row in rows if row.need), "")


def _of_others(written: Totals) -> str:
    """Passes of which no series are kept."""
    means = _in_words("slowest", written.slowest) + _in_words("fastest", written.fastest)
    seconds = _in_words("worst second", written.slowest_second)
    return f"of {written.count:,} of them no more is kept than what they come to: {', '.join((*means, *seconds))}"


def _in_words(what: str, one: Extreme | Unknown) -> tuple[str, ...]:
    if isinstance(one, Unknown):
        return ()
    return (f"{what} {format_bandwidth_decimal(one.bytes_per_s)} (pass {one.step.removeprefix(WRITING)})",)


def _retention(known: Mapping[str, Metric]) -> Iterator[str]:
    """How fast data of an earlier day was read."""
    retained, speed = known.get(f"{NAME}.verify1.speed_retained"), known.get(f"{NAME}.verify1.bandwidth_mean")
    if retained is None or speed is None or not isinstance(speed.value, int | float):
        return
    said = (
        f"; what that is against the day of writing is not known: {retained.value.unknown}"
        if isinstance(retained.value, Unknown)
        else f", {retained.value:.0f} % {retained.note}"
    )
    yield f"re-read at {format_bandwidth_decimal(speed.value)}{said}"


def _verified(known: Mapping[str, Metric]) -> Iterator[str]:
    bad = known.get(f"{NAME}.verify.bad_bytes")
    if bad is None:
        return
    if isinstance(bad.value, Unknown):
        yield f"verified: not known: {bad.value.unknown}"
    elif bad.value:
        yield f"verified: {bad.value:,.0f} bytes are not what was written"
    elif bad.note == NOT_ALL_READ:
        yield "not verified: what was read is what was written, but the reading was stopped before its end"
    else:
        yield "verified: every byte is what was written"
