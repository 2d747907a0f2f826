"""`ssdlab analyse`."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.terminal import say, say_json, tell
from ssdlab.errors import UsageError
from ssdlab.message import Message, commas, duration, message, size_decimal

if TYPE_CHECKING:
    from ssdlab.analysis.foreign.answer import StatedPurge
    from ssdlab.analysis.foreign.series import ForeignSeries, SeriesSaid
    from ssdlab.analysis.foreign.units import TimeUnit
    from ssdlab.analysis.log.summary import LogSummary
    from ssdlab.bundle.model import Metric
    from ssdlab.figure.kit.model import Figure


class Analysis(Enum):
    """What a series is analysed as."""

    FILL = "fill"
    STEADY = "steady"
    RECLAIM = "reclaim"


def analyse(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help=message("help-analyse-files").id, allow_dash=True)
    ],
    name: Annotated[str, typer.Option("--as", metavar="ANALYSIS", help=message("help-analyse-as").id)],
    capacity: Annotated[str, typer.Option("--capacity", metavar="SIZE", help=message("help-analyse-capacity").id)],
    unit: Annotated[str | None, typer.Option("--unit", metavar="UNIT", help=message("help-analyse-unit").id)] = None,
    time: Annotated[str | None, typer.Option("--time", metavar="UNIT", help=message("help-analyse-time").id)] = None,
    columns: Annotated[
        str | None, typer.Option("--columns", metavar="TIME,RATE", help=message("help-analyse-columns").id)
    ] = None,
    block: Annotated[str | None, typer.Option("--block", metavar="SIZE", help=message("help-analyse-block").id)] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help=message("help-log-kind").id)] = None,
    rests: Annotated[
        str | None, typer.Option("--rests", metavar="5s,10s,...", help=message("help-analyse-rests").id)
    ] = None,
    purged: Annotated[bool, typer.Option("--purged", help=message("help-analyse-purged").id)] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=message("help-analyse-output").id)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """See `help-analyse`."""
    from ssdlab.analysis.foreign.answer import StatedPurge
    from ssdlab.analysis.log.xz import without_xz
    from ssdlab.cli.log_output import rereadable

    request = _Request(
        analysis=_analysis(name),
        capacity_bytes=_size("--capacity", capacity),
        said=_said(unit, time, columns, block, kind),
        rests_ns=_rests(rests),
        purged=StatedPurge.STATED if purged else StatedPurge.UNSTATED,
        names=tuple(map(str, files)),
    )
    _require_fitting(request, len(files))
    if output is not None:
        from ssdlab.cli.log_output import picture_format
        from ssdlab.report.own_files import require_place_of_picture

        picture_format(output)
        require_place_of_picture(output)
    with rereadable(files) as kept, without_xz(kept) as plain:
        given = {str(path): str(file) for path, file in zip(plain, files, strict=True)}
        found = _by_given_names(_ANSWERS[request.analysis](request, plain), given)
        tails = tuple(
            replace(tail, names=tuple(given.get(name, name) for name in tail.names)) for tail in _tails(found)
        )
    if output is not None:
        _write(found, output)
    if as_json:
        _print_json(request, found, tails)
        return
    _print(found, tails)
    if output is not None:
        say(output)


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked for, checked before any file is read."""

    analysis: Analysis
    capacity_bytes: int
    said: "SeriesSaid"
    rests_ns: tuple[int, ...]
    purged: "StatedPurge"
    names: tuple[str, ...]
    """The files as they were given."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What an analysis says, whichever it was."""

    series: "tuple[ForeignSeries, ...]"
    metrics: "tuple[Metric, ...]"
    notes: tuple[Message, ...]
    unknowable: tuple[Message, ...]
    figure: "Callable[[], Figure]"


def _analysis(name: str) -> Analysis:
    if name not in {one.value for one in Analysis}:
        raise UsageError(
            message("analyse-no-analysis", name=name),
            message("analyse-analyses", names=commas(*(one.value for one in Analysis))),
        )
    return Analysis(name)


def _size(option: str, text: str) -> int:
    from ssdlab.cli.quantities import typed
    from ssdlab.units import parse_bytes

    size_bytes = typed(parse_bytes, text)
    if size_bytes < 1:
        raise UsageError(message("analyse-size-zero", option=option))
    return size_bytes


def _said(unit: str | None, time: str | None, columns: str | None, block: str | None, kind: str | None) -> "SeriesSaid":
    from ssdlab.analysis.foreign.series import SeriesSaid
    from ssdlab.analysis.foreign.table import TableSaid
    from ssdlab.analysis.foreign.units import RateUnit
    from ssdlab.analysis.log.file import LogUnit
    from ssdlab.cli.log import log_kind

    latency_unit = next((one for one in LogUnit if one.value == unit), None)
    rate_unit = next((one for one in RateUnit if one.value == unit), None)
    if unit is not None and latency_unit is None and rate_unit is None:
        units = commas(*(one.value for one in (*RateUnit, *LogUnit)))
        raise UsageError(message("analyse-no-unit", name=unit), message("analyse-say-unit", units=units))
    chosen = None if columns is None else tuple(part.strip() for part in columns.split(","))
    if chosen is not None and len(chosen) != 2:
        raise UsageError(message("analyse-two-columns", count=len(chosen)))
    table = TableSaid(rate_unit, _time_unit(time), None if chosen is None else (chosen[0], chosen[1]))
    return SeriesSaid(table, log_kind(kind), latency_unit, None if block is None else _size("--block", block))


def _time_unit(name: str | None) -> "TimeUnit | None":
    from ssdlab.analysis.foreign.units import TimeUnit

    if name is None:
        return None
    if name not in {one.value for one in TimeUnit}:
        units = commas(*(one.value for one in TimeUnit))
        raise UsageError(message("analyse-no-time-unit", name=name), message("analyse-say-time", units=units))
    return TimeUnit(name)


def _rests(text: str | None) -> tuple[int, ...]:
    from ssdlab.cli.quantities import typed
    from ssdlab.units import parse_duration_ns

    return () if text is None else tuple(typed(parse_duration_ns, part.strip()) for part in text.split(","))


def _require_fitting(request: _Request, files: int) -> None:
    """Options that belong to the analysis and no other.

    Raises:
        UsageError: One is missing, or is of another analysis.
    """
    from ssdlab.analysis.foreign.answer import StatedPurge

    if request.analysis is not Analysis.RECLAIM and request.rests_ns:
        raise UsageError(message("analyse-rests-elsewhere"))
    if request.analysis is not Analysis.FILL and request.purged is StatedPurge.STATED:
        raise UsageError(message("analyse-purged-elsewhere"))
    if request.analysis is Analysis.RECLAIM:
        if not request.rests_ns:
            raise UsageError(message("analyse-rests-missing"), message("analyse-say-rests"))
        if len(request.rests_ns) != files:
            raise UsageError(
                message("analyse-rests-differ", rests=len(request.rests_ns), files=files),
                message("analyse-rests-missing"),
            )
        if len(set(request.rests_ns)) < len(request.rests_ns):
            raise UsageError(message("analyse-rests-twice"), message("analyse-say-rests"))


def _fill(request: _Request, paths: Sequence[Path]) -> _Found:
    from ssdlab.analysis.foreign.answer import fill_answer, unknowable_of_fill
    from ssdlab.analysis.foreign.series import read_series

    series = read_series(paths, request.said)
    answer = fill_answer(series, request.capacity_bytes, request.purged)

    def figure() -> "Figure":
        from ssdlab.figure.foreign import foreign_fill_figure

        return foreign_fill_figure(answer, Path(request.names[0]).name)

    unknowable = tuple(unknowable_of_fill(series, request.purged))
    return _Found((series,), answer.metrics, answer.notes, unknowable, figure)


def _steady(request: _Request, paths: Sequence[Path]) -> _Found:
    from ssdlab.analysis.foreign.answer import steady_answer, unknowable_of_steady
    from ssdlab.analysis.foreign.series import read_series

    series = read_series(paths, request.said)
    answer = steady_answer(series, request.capacity_bytes)

    def figure() -> "Figure":
        from ssdlab.figure.foreign import foreign_steady_figure

        return foreign_steady_figure(answer, Path(request.names[0]).name)

    return _Found((series,), answer.metrics, answer.notes, tuple(unknowable_of_steady(series)), figure)


def _reclaim(request: _Request, paths: Sequence[Path]) -> _Found:
    from ssdlab.analysis.foreign.answer import reclaim_answer, unknowable_of_reclaim
    from ssdlab.analysis.foreign.series import read_series

    series = tuple(read_series([path], request.said) for path in paths)
    answer = reclaim_answer(list(zip(request.rests_ns, series, strict=True)))

    def figure() -> "Figure":
        from ssdlab.figure.foreign import foreign_reclaim_figure

        return foreign_reclaim_figure(answer, Path(request.names[0]).name)

    return _Found(series, answer.metrics, answer.notes, tuple(unknowable_of_reclaim(series[0])), figure)


_ANSWERS: dict[Analysis, Callable[[_Request, Sequence[Path]], _Found]] = {
    Analysis.FILL: _fill,
    Analysis.STEADY: _steady,
    Analysis.RECLAIM: _reclaim,
}


def _by_given_names(found: _Found, given: Mapping[str, str]) -> _Found:
    """The same with the files by the names under which they were given, not by those of their unpacked copies."""

    def named(told: Message) -> Message:
        pairs = tuple(
            (name, given.get(value, value) if isinstance(value, str) else value) for name, value in told.pairs
        )
        return replace(told, pairs=pairs)

    series = tuple(
        replace(one, names=tuple(given.get(name, name) for name in one.names), notes=tuple(map(named, one.notes)))
        for one in found.series
    )
    return replace(
        found,
        series=series,
        notes=tuple(map(named, found.notes)),
        unknowable=tuple(map(named, found.unknowable)),
    )


def _tails(found: _Found) -> "tuple[LogSummary, ...]":
    from ssdlab.analysis.log.summary import summarise

    latency = [log for one in found.series for log in one.latency]
    return summarise(latency) if latency else ()


def _write(found: _Found, output: Path) -> None:
    from ssdlab.cli.log_output import write_picture

    write_picture(found.figure(), output)


def _print(found: _Found, tails: "tuple[LogSummary, ...]") -> None:
    from ssdlab.cli.log import print_summary
    from ssdlab.cli.metric_lines import row_lines
    from ssdlab.report.metric_tables import metric_row

    for one in found.series:
        say(_head(one))
    for line in row_lines([metric_row(metric) for metric in found.metrics]):
        say(line)
    for summary in tails:
        say()
        print_summary(summary)
    # The notes come after the numbers also where both go into one file.
    sys.stdout.flush()
    for note in found.notes:
        tell(message("cli-note", note=note))
    for what in found.unknowable:
        tell(message("analyse-cannot-know", what=what))


def _head(one: "ForeignSeries") -> Message:
    return message(
        "analyse-head",
        files=len(one.names),
        file=Path(one.names[0]).name,
        more=len(one.names) - 1,
        written=size_decimal(one.written_bytes),
        lasted=duration(one.lasted_ns),
        count=len(one.series.time_ns),
        window=duration(one.series.window_ns),
    )


def _print_json(request: _Request, found: _Found, tails: "tuple[LogSummary, ...]") -> None:
    from ssdlab.bundle import layout
    from ssdlab.cli.log import summary_fields
    from ssdlab.message_json import IN_ENGLISH

    say_json(
        {
            "analysis": request.analysis.value,
            "capacity_bytes": request.capacity_bytes,
            "series": list(_series_fields(found)),
            "metrics": layout.METRICS_ADAPTER.dump_python(found.metrics, mode="json", context=IN_ENGLISH),
            "latency": [summary_fields(one) for one in tails],
            "notes": list(map(str, found.notes)),
            "cannot_be_known": list(map(str, found.unknowable)),
        }
    )


def _series_fields(found: _Found) -> Iterator[dict[str, object]]:
    for one in found.series:
        yield {
            "files": list(one.names),
            "written_bytes": round(one.written_bytes),
            "lasted_ns": one.lasted_ns,
            "window_ns": one.series.window_ns,
            "windows": len(one.series.time_ns),
        }
