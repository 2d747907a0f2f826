"""Scores of 3DMark Storage and ratios of SPECworkstation, drive beside drive, the best on top (METHODS C9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import Quantity
from ssdlab.figure.imported.drives import ImportedValues, Tested, fill_words, import_subtitle, shown, tested
from ssdlab.figure.kit import bars, grouped_bars
from ssdlab.figure.kit.drives import Rank
from ssdlab.figure.kit.grouped_bars import BarLine, BarPlot, grouped_spec
from ssdlab.figure.kit.model import Figure, FigureTable
from ssdlab.figure.kit.readings import MetricReading
from ssdlab.figure.kit.say import column, say, sentences
from ssdlab.figure.kit.style import NARROW, WIDE, PlotShape
from ssdlab.message import Message, message
from ssdlab.point import labelled

_SCORE = MetricKey(labelled("threedmark", "storage"), Quantity("score"))
_STORAGE = labelled("spec", "wpcstorage")
_RATIOS = "ratio"
"""Name of the only plot of workloads."""
_RATIO = MetricKey(_STORAGE, Quantity("ratio"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Total:
    """One number a drive."""

    name: str
    title: Message
    metric: MetricKey
    axis: Message
    caption: Message


_TOTALS = {
    "3DMark": _Total(
        name="threedmark-score",
        title=message("figure-threedmark-title"),
        metric=_SCORE,
        axis=message("figure-score"),
        caption=message("figure-threedmark-caption"),
    ),
    "SPECworkstation": _Total(
        name="spec-ratio",
        title=message("figure-spec-title"),
        metric=_RATIO,
        axis=message("figure-spec-ratio"),
        caption=message("figure-spec-caption"),
    ),
}
PROGRAMS = tuple(_TOTALS)


def imported_scores(runs: Sequence[ImportedRun]) -> Iterator[Figure]:
    """The figures of one program's results: the total, and each workload where there are several."""
    drives = tested(runs)
    total = _TOTALS[runs[0].info.program]
    rows = _ordered([one for drive in drives for one in shown(drive, [(total.metric,)])], total.metric)
    if rows:
        yield _total_figure(total, drives, rows)
    workloads = dict.fromkeys(metric.key for run in runs for metric in run.metrics if _is_of_workload(metric.key))
    if workloads:
        yield _workload_figure(drives, list(workloads), [one.slot for one in rows])


def _is_of_workload(key: MetricKey) -> bool:
    return key.quantity == _RATIO.quantity and key.point != _STORAGE and _STORAGE.holds(key.point)


def _ordered(rows: Sequence[ImportedValues], metric: MetricKey) -> list[ImportedValues]:
    """The best drive first; both fill levels of one drive together."""
    best: dict[int, float] = {}
    for one in rows:
        best[one.slot] = max(best.get(one.slot, 0.0), one.numbers[metric].value)
    return sorted(rows, key=lambda one: -best[one.slot])


def _total_figure(total: _Total, drives: Sequence[Tested], rows: Sequence[ImportedValues]) -> Figure:
    found = [(one, one.numbers[total.metric]) for one in rows]
    made = [
        bars.Bar(one.label, one.slot, _rank(one), number.value, _text(number), f"{one.label}: {_text(number)}")
        for one, number in found
    ]
    subtitle = import_subtitle(drives)
    title, axis = say(total.title), say(total.axis)
    description = say(message("figure-total-described", total=total.title, drives=len(drives)))
    return Figure(
        name=total.name,
        title=title,
        subtitle=subtitle,
        caption=sentences(say(total.caption), fill_words(drives)),
        spec=bars.bar_spec(made, axis, WIDE, title, subtitle, description),
        narrow_spec=bars.bar_spec(made, axis, NARROW, title, subtitle, description),
        table=FigureTable(
            say(message("figure-table-row-a-drive")),
            (column(message("figure-drive")), column(total.axis, "1")),
            tuple((one.label, _text(number)) for one, number in found),
        ),
    )


def _workload_figure(drives: Sequence[Tested], workloads: Sequence[MetricKey], slots: Sequence[int]) -> Figure:
    """Drives in the order of their totals."""
    order = {slot: place for place, slot in enumerate(dict.fromkeys(slots))}
    ordered = sorted(drives, key=lambda one: order.get(one.slot, len(order)))
    lines: list[BarLine] = []
    rows: list[tuple[str, str, str]] = []
    for metric in workloads:
        workload = metric.point.coordinates[-1].word
        found = [(one, one.numbers[metric]) for drive in ordered for one in shown(drive, [(metric,)])]
        alone = len(drives) == 1 and len(found) == 1
        if not alone:
            lines.append(BarLine(name=workload, bold=True, bars={}))
        lines += [_line(one, number, workload, workload if alone else one.label) for one, number in found]
        rows += [(workload, one.label, _text(number)) for one, number in found]
    title, subtitle = say(message("figure-spec-workloads-title")), import_subtitle(drives)

    def build(shape: PlotShape) -> dict[str, Any]:
        plots = [BarPlot(_RATIOS, say(message("figure-ratio")), say(message("figure-spec-ratio")), 0.01)]
        description = say(message("figure-spec-workloads-described", workloads=len(workloads), drives=len(drives)))
        return grouped_spec(lines, plots, shape, title, subtitle, description)

    return Figure(
        name="spec-workloads",
        title=title,
        subtitle=subtitle,
        caption=sentences(say(message("figure-spec-workloads-caption")), fill_words(drives)),
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=FigureTable(
            say(message("figure-table-row-a-workload")),
            (
                column(message("figure-column-workload")),
                column(message("figure-drive")),
                column(message("figure-ratio"), "1"),
            ),
            tuple(rows),
        ),
    )


def _line(one: ImportedValues, number: MetricReading, workload: str, name: str) -> BarLine:
    under_test = _rank(one) is Rank.UNDER_TEST
    return BarLine(
        name=name,
        bold=under_test,
        slot=one.slot,
        opacity=_rank(one).opacity,
        bars={
            _RATIOS: grouped_bars.GroupedBar(number.value, _text(number), f"{one.label}, {workload}: {_text(number)}")
        },
    )


def _rank(one: ImportedValues) -> Rank:
    return Rank.UNDER_TEST if one.slot == 1 else Rank.COMPARED


def _text(number: MetricReading) -> str:
    return f"{number.value:,.0f}" if number.value >= 100 else f"{number.value:.2f}"
