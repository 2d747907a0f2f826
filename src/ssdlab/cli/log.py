"""`ssdlab log`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.known import known_or_why
from ssdlab.cli.log_audit import LogAuditForm, audit_files
from ssdlab.cli.log_series import print_series, series_fields
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json, tell
from ssdlab.errors import UsageError
from ssdlab.message import Message, commas, message

if TYPE_CHECKING:
    from ssdlab.analysis.log.file import LogKind, LogUnit
    from ssdlab.analysis.log.series import LogSeries
    from ssdlab.analysis.log.summary import DirectionSummary, LogSummary
    from ssdlab.cli.log_output import FigureKind

_ABSENT = "-"


def log(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help=message("help-log-files").id, allow_dash=True),
    ],
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help=message("help-log-kind").id),
    ] = None,
    unit: Annotated[str | None, typer.Option("--unit", metavar="UNIT", help=message("help-log-unit").id)] = None,
    window: Annotated[str | None, typer.Option("--window", metavar="TIME", help=message("help-log-window").id)] = None,
    figure: Annotated[
        str | None, typer.Option("--figure", metavar="FIGURE", help=message("help-log-figure").id)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=message("help-log-output").id),
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="PATH", help=message("help-log-parquet").id),
    ] = None,
    audit: Annotated[
        bool,
        typer.Option("--audit", help=message("help-log-audit").id),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """See `help-log`."""
    from ssdlab.analysis.log.xz import without_xz

    if audit:
        if window or figure or output or parquet:
            raise UsageError(message("log-audit-alone"), message("log-one-after-other"))
        with without_xz(files) as plain:
            audit_files(plain, log_kind(kind), log_unit(unit), LogAuditForm.JSON if as_json else LogAuditForm.LINES)
        return
    request = _request(kind, unit, window, figure, output)
    if as_json and (request.figure is not None or parquet is not None):
        raise UsageError(message("log-json-counts-only"), message("log-leave-it-out"))
    with without_xz(files) as plain:
        if request.figure is None and parquet is None:
            _count(plain, request, as_json)
        else:
            _write(plain, request, parquet)


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked for, checked before any log is read."""

    kind: "LogKind | None"
    unit: "LogUnit | None"
    window_ms: int | None
    figure: "FigureKind | None"
    picture: Path


def _request(
    kind: str | None, unit: str | None, window: str | None, figure: str | None, output: Path | None
) -> _Request:
    from ssdlab.cli.log_output import figure_kind, picture_format

    if output is not None and figure is None:
        raise UsageError(message("log-output-without-figure"), message("log-add-figure"))
    drawn = None if figure is None else figure_kind(figure)
    picture = output or Path(f"{figure}.png")
    if drawn is not None:
        picture_format(picture)
    return _Request(log_kind(kind), log_unit(unit), _window_ms(window), drawn, picture)


def _window_ms(window: str | None) -> int | None:
    from ssdlab.cli.quantities import typed
    from ssdlab.units import NS_PER_MS, parse_duration_ns

    if window is None:
        return None
    window_ns = typed(parse_duration_ns, window)
    if window_ns < NS_PER_MS or window_ns % NS_PER_MS:
        raise UsageError(message("log-window-no-milliseconds", window=window), message("log-no-finer-time"))
    return window_ns // NS_PER_MS


def _count(files: list[Path], request: _Request, as_json: bool) -> None:
    from ssdlab.analysis.log.file import identify
    from ssdlab.analysis.log.summary import summarise

    if request.window_ms is None:
        summaries = summarise([identify(file, request.kind, request.unit) for file in files])
        series: tuple[LogSeries, ...] = ()
    else:
        from ssdlab.analysis.log.series import series_of
        from ssdlab.cli.log_output import rereadable

        with rereadable(files) as kept:
            known = [identify(file, request.kind, request.unit) for file in kept]
            series = series_of(known, request.window_ms)
            summaries = summarise(known)
    if as_json:
        _print_json(summaries, series)
        return
    for position, one in enumerate(summaries):
        if position:
            say()
        print_summary(one)
    for one_series in series:
        say()
        print_series(one_series)


def _write(files: list[Path], request: _Request, parquet: Path | None) -> None:
    from ssdlab.analysis.log.file import identify
    from ssdlab.cli.log_output import rereadable, writable, write_figure
    from ssdlab.report.own_files import require_place_of_picture

    if request.figure is not None:
        require_place_of_picture(request.picture)
    with rereadable(files) as kept:
        known = [identify(file, request.kind, request.unit) for file in kept]
        notes: tuple[Message, ...] = ()
        if parquet is not None:
            from ssdlab.analysis.log.parquet import write_parquet

            with writable(parquet):
                written = write_parquet(known, parquet)
            notes += written.notes
            for path in written.paths:
                say(path)
        if request.figure is not None:
            with writable(request.picture):
                notes += write_figure(request.figure, known, request.window_ms, request.picture)
            say(request.picture)
    for note in dict.fromkeys(notes):
        tell(message("cli-note", note=note))


def log_kind(name: str | None) -> "LogKind | None":
    """What `--kind` says.

    Raises:
        UsageError: There is none of that name.
    """
    from ssdlab.analysis.log.file import LogKind

    if name is None:
        return None
    if name not in {kind.value for kind in LogKind}:
        raise UsageError(
            message("log-no-kind", name=name), message("log-kinds", kinds=commas(*(kind.value for kind in LogKind)))
        )
    return LogKind(name)


def log_unit(name: str | None) -> "LogUnit | None":
    """What `--unit` says.

    Raises:
        UsageError: It is neither.
    """
    from ssdlab.analysis.log.file import LogUnit

    if name is None:
        return None
    if name not in {unit.value for unit in LogUnit}:
        raise UsageError(message("log-no-unit", name=name), message("log-say-unit"))
    return LogUnit(name)


def _print_json(summaries: "tuple[LogSummary, ...]", series: "tuple[LogSeries, ...]") -> None:

    entries = [summary_fields(one) for one in summaries]
    for one in series:
        entry = next(entry for entry in entries if (entry["kind"], entry["files"]) == (one.kind.value, list(one.names)))
        entry |= {"windows": series_fields(one)}
    say_json(entries)


def summary_fields(summary: "LogSummary") -> dict[str, object]:
    """A summary for programs."""
    return {
        "kind": summary.kind.value,
        "form": summary.form.value,
        "unit": _unit(summary)[0],
        "percentile_precision": None if summary.precision is None else summary.precision.value,
        "files": list(summary.names),
        "notes": list(map(str, summary.notes)),
        "directions": {one.direction.value: _direction_fields(one) for one in summary.directions},
    }


def _direction_fields(one: "DirectionSummary") -> dict[str, object]:
    from ssdlab.analysis.statistics.percentile import PERCENTS

    windows = one.windows
    return {
        "io_count": known_or_why(one.io_count),
        "io_bytes": known_or_why(one.io_bytes),
        "window_count": one.window_count,
        "mean": known_or_why(one.mean),
        "largest": known_or_why(one.largest),
        "percentiles": {percent: known_or_why(value) for percent, value in zip(PERCENTS, one.percentiles, strict=True)},
        "series": None
        if windows is None
        else {"window_ms": windows.window_ms, "ios": windows.ios.tolist(), "bytes": windows.length_bytes.tolist()},
    }


def _unit(summary: "LogSummary") -> tuple[str, str, int]:
    """The unit of values, the one they are printed in, and how many of the first make one of the second."""
    from ssdlab.analysis.log.file import LogKind

    match summary.kind:
        case LogKind.BANDWIDTH:
            return "KiB/s", "KiB/s", 1
        case LogKind.IOPS:
            return "1/s", "IOPS", 1
        case LogKind.LATENCY | LogKind.COMPLETION_LATENCY | LogKind.SUBMISSION_LATENCY:
            return "ns", "µs", 1000


def print_summary(summary: "LogSummary") -> None:
    """Print a summary as a table, with what is not known and why."""
    from ssdlab.analysis.statistics.percentile import PERCENTS

    _, unit, divisor = _unit(summary)
    say(
        message(
            "log-head",
            name=summary.names[0],
            more=len(summary.names) - 1,
            kind=summary.kind.value,
            form=summary.form.name.lower(),
            unit=unit,
            precision="unknown" if summary.precision is None else summary.precision.name.lower(),
        )
    )
    directions = summary.directions
    averaged = any(one.window_count is not None for one in directions)
    rows: list[tuple[Message | str, list[str]]] = [("", [one.direction.value for one in directions])]
    if averaged:
        rows.append((message("log-row-windows"), [f"{one.window_count:,}" for one in directions]))
    else:
        rows += [
            (message("log-row-ios"), [_cell(one.io_count, 1, 0) for one in directions]),
            (message("log-row-bytes"), [_cell(one.io_bytes, 1, 0) for one in directions]),
        ]
    decimals = 3 if divisor > 1 else 0
    mean = message("log-row-mean-of-windows") if averaged else message("log-row-mean")
    largest = message("log-row-largest-of-windows") if averaged else message("log-row-largest")
    rows.append((mean, [_cell(one.mean, divisor, 3) for one in directions]))
    for position, percent in enumerate(PERCENTS):
        rows.append((f"{percent} %", [_cell(one.percentiles[position], divisor, decimals) for one in directions]))
    rows.append((largest, [_cell(one.largest, divisor, decimals) for one in directions]))
    _print_rows([row for row in rows if any(cell != _ABSENT for cell in row[1])])
    for note in (*_reasons(summary), *summary.notes):
        say(message("cli-note", note=note))


def _cell(value: Any, divisor: int, decimals: int) -> str:
    from ssdlab.unknown import Unknown

    return _ABSENT if isinstance(value, Unknown) else f"{value / divisor:,.{decimals}f}"


def _print_rows(rows: list[tuple[Message | str, list[str]]]) -> None:
    if not rows:
        return
    head, *rest = [(name, *cells) for name, cells in rows]
    for line in table_lines(head, rest, [Alignment.LEFT, *(Alignment.RIGHT for _ in head[1:])]):
        say(line)


def _reasons(summary: "LogSummary") -> list[Message]:
    """Why something is missing, each reason once with what it concerns first."""
    from ssdlab.analysis.statistics.percentile import PERCENTS
    from ssdlab.unknown import Unknown

    first: dict[Message, tuple[str, str]] = {}
    for one in summary.directions:
        named = {"ios": one.io_count, "bytes": one.io_bytes, "mean": one.mean, "largest": one.largest}
        named |= {f"{percent} %": value for percent, value in zip(PERCENTS, one.percentiles, strict=True)}
        for name, value in named.items():
            if isinstance(value, Unknown):
                first.setdefault(value.reason, (name, one.direction.value))
    return [message("log-missing", what=what, direction=direction, why=why) for why, (what, direction) in first.items()]
