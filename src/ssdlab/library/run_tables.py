"""What is compacted of one run: its row, its metrics, its steps second by second, and its latencies by bin."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.tables import TableColumns, read_columns
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.library.catalogue import CachedRow
from ssdlab.library.collect import metric_values, opened_run, run_values
from ssdlab.library.seconds import by_second
from ssdlab.message import Message

_SERIES = TableColumns(
    whole=("time_ns",),
    numbers=("bandwidth_bytes_per_s", "iops", "latency_ns_mean", "latency_ns_max"),
    words=("direction",),
)
_HISTOGRAM = TableColumns(whole=("bin_index", "count"), words=("direction", "kind"))


@dataclass(frozen=True, slots=True, eq=False)
class RowsAlike:
    """RowsAlike of a table that share their words.

    Attributes:
        words: The text columns of the table, in its order.
        numbers: Its other columns, by name.
    """

    words: tuple[str, ...]
    numbers: Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RunTables:
    """What is compacted of one run; values as the columns of the tables.

    Attributes:
        faults: What of it cannot be read and is left out.
    """

    row: tuple[object, ...]
    metrics: tuple[tuple[object, ...], ...] = ()
    series: tuple[RowsAlike, ...] = ()
    histograms: tuple[RowsAlike, ...] = ()
    faults: tuple[Message, ...] = ()


def tables_of(lab: Path, name: str, signature: str) -> RunTables:
    """Open a run and read what is compacted of it; of what cannot be opened its row says why."""
    opened = opened_run(lab, name)
    concluded = RunTables(
        row=run_values(name, CachedRow(signature, opened.found)),
        metrics=tuple(metric_values(name, metric) for metric in opened.metrics),
    )
    return concluded if opened.bundle is None else _with_steps(concluded, name, opened.bundle)


def _with_steps(concluded: RunTables, run: str, bundle: Bundle) -> RunTables:
    series: list[RowsAlike] = []
    histograms: list[RowsAlike] = []
    faults: list[Message] = []
    for step in bundle.finished():
        try:
            series += _series(run, bundle, step)
            histograms += _histograms(run, bundle, step)
        except DamagedFile as error:
            faults.append(error.message)
    return replace(concluded, series=tuple(series), histograms=tuple(histograms), faults=tuple(faults))


def _series(run: str, bundle: Bundle, step: Step) -> Iterator[RowsAlike]:
    if not bundle.holds(step, layout.SERIES):
        return
    windows = read_columns(bundle.files, bundle.name(step, layout.SERIES), _SERIES)
    for direction in Direction:
        own = windows["direction"] == direction.value
        if own.any():
            columns = {name: windows[name][own] for name in (*_SERIES.whole, *_SERIES.numbers)}
            yield RowsAlike((run, *_words(bundle, step), direction.value), by_second(columns))


def _histograms(run: str, bundle: Bundle, step: Step) -> Iterator[RowsAlike]:
    if not bundle.holds(step, layout.HISTOGRAM):
        return
    bins = read_columns(bundle.files, bundle.name(step, layout.HISTOGRAM), _HISTOGRAM)
    for direction in Direction:
        for kind in LatencyKind:
            own = (bins["direction"] == direction.value) & (bins["kind"] == kind.value)
            if own.any():
                columns = {name: bins[name][own] for name in _HISTOGRAM.whole}
                yield RowsAlike((run, *_words(bundle, step), direction.value, kind.value), columns)


def _words(bundle: Bundle, step: Step) -> tuple[str, str, str]:
    names = dict.fromkeys(check.name for check in failed(bundle.audit) if check.step == step.name)
    return step.name, step.state.value, ", ".join(names)
