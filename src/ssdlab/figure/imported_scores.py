"""Scores of 3DMark Storage and ratios of SPECworkstation, drive beside drive, the best on top (METHODS C9)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ssdlab.bundle.imported import ImportedRun
from ssdlab.figure import bars, grouped_bars
from ssdlab.figure.drives import Rank
from ssdlab.figure.grouped_bars import Line, Plot, grouped_spec
from ssdlab.figure.imported_drives import Shown, Tested, fill_words, import_subtitle, shown, tested
from ssdlab.figure.model import Column, Figure, Table
from ssdlab.figure.readings import Reading
from ssdlab.figure.style import NARROW, WIDE, Shape

_SCORE = "threedmark.storage.score"
_RATIO = "spec.wpcstorage.ratio"
_WORKLOAD = re.compile(r"spec\.wpcstorage\.(?P<workload>\w+)\.ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Total:
    """One number a drive."""

    name: str
    title: str
    metric: str
    axis: str
    caption: str


_TOTALS = {
    "3DMark": _Total(
        name="threedmark-score",
        title="3DMark Storage score",
        metric=_SCORE,
        axis="score",
        caption="Seven traces of games; the root of 2^20 times bandwidth over access time, more is better.",
    ),
    "SPECworkstation": _Total(
        name="spec-ratio",
        title="SPECworkstation WPCstorage ratio",
        metric=_RATIO,
        axis="ratio to SPEC's reference machine",
        caption="Geometric mean of the workloads with equal weights, by ssdlab; SPEC weighs them.",
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
    workloads = dict.fromkeys(
        found["workload"] for run in runs for metric in run.metrics if (found := _WORKLOAD.fullmatch(metric.name))
    )
    if workloads:
        yield _workload_figure(drives, list(workloads), [one.slot for one in rows])


def _ordered(rows: Sequence[Shown], metric: str) -> list[Shown]:
    """The best drive first; both fill levels of one drive together."""
    best: dict[int, float] = {}
    for one in rows:
        best[one.slot] = max(best.get(one.slot, 0.0), one.numbers[metric].value)
    return sorted(rows, key=lambda one: -best[one.slot])


def _total_figure(total: _Total, drives: Sequence[Tested], rows: Sequence[Shown]) -> Figure:
    found = [(one, one.numbers[total.metric]) for one in rows]
    made = [
        bars.Bar(one.label, one.slot, _rank(one), number.value, _text(number), f"{one.label}: {_text(number)}")
        for one, number in found
    ]
    subtitle = import_subtitle(drives)
    description = f"Bar chart: {total.title} of {len(drives)} drives"
    return Figure(
        name=total.name,
        title=total.title,
        subtitle=subtitle,
        caption=f"{total.caption}{fill_words(drives)}",
        spec=bars.bar_spec(made, total.axis, WIDE, total.title, subtitle, description),
        narrow_spec=bars.bar_spec(made, total.axis, NARROW, total.title, subtitle, description),
        table=Table(
            "one row a drive",
            (Column("drive", ""), Column(total.axis, "1")),
            tuple((one.label, _text(number)) for one, number in found),
        ),
    )


def _workload_figure(drives: Sequence[Tested], workloads: Sequence[str], slots: Sequence[int]) -> Figure:
    """Drives in the order of their totals."""
    order = {slot: place for place, slot in enumerate(dict.fromkeys(slots))}
    ordered = sorted(drives, key=lambda one: order.get(one.slot, len(order)))
    lines: list[Line] = []
    rows: list[tuple[str, str, str]] = []
    for workload in workloads:
        metric = f"spec.wpcstorage.{workload}.ratio"
        found = [(one, one.numbers[metric]) for drive in ordered for one in shown(drive, [(metric,)])]
        alone = len(drives) == 1 and len(found) == 1
        if not alone:
            lines.append(Line(name=workload, bold=True, bars={}))
        lines += [_line(one, number, workload, workload if alone else one.label) for one, number in found]
        rows += [(workload, one.label, _text(number)) for one, number in found]
    title, subtitle = "SPECworkstation WPCstorage ratio by workload", import_subtitle(drives)

    def build(shape: Shape) -> dict[str, Any]:
        plots = [Plot("ratio", "ratio to SPEC's reference machine", 0.01)]
        description = f"Bar chart: ratio of {len(workloads)} workloads, {len(drives)} drives"
        return grouped_spec(lines, plots, shape, title, subtitle, description)

    return Figure(
        name="spec-workloads",
        title=title,
        subtitle=subtitle,
        caption=f"Traces of applications, replayed; more is better.{fill_words(drives)}",
        spec=build(WIDE),
        narrow_spec=build(NARROW),
        table=Table(
            "one row a workload and drive",
            (Column("workload", ""), Column("drive", ""), Column("ratio", "1")),
            tuple(rows),
        ),
    )


def _line(one: Shown, number: Reading, workload: str, name: str) -> Line:
    under_test = _rank(one) is Rank.UNDER_TEST
    return Line(
        name=name,
        bold=under_test,
        slot=one.slot,
        opacity=1.0 if under_test else 0.62,
        bars={"ratio": grouped_bars.Bar(number.value, _text(number), f"{one.label}, {workload}: {_text(number)}")},
    )


def _rank(one: Shown) -> Rank:
    return Rank.UNDER_TEST if one.slot == 1 else Rank.COMPARED


def _text(number: Reading) -> str:
    return f"{number.value:,.0f}" if number.value >= 100 else f"{number.value:.2f}"
