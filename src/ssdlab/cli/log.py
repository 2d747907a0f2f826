"""`ssdlab log`."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.log_audit import LogAuditForm, audit_files
from ssdlab.cli.log_series import print_series, series_fields
from ssdlab.cli.table import Side, table_lines
from ssdlab.errors import UsageError

if TYPE_CHECKING:
    from ssdlab.analysis.log import DirectionSummary, LogSummary
    from ssdlab.analysis.log_file import LogKind
    from ssdlab.analysis.log_series import LogSeries
    from ssdlab.cli.log_output import FigureKind

_ABSENT = "-"


def log(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="fio's logs, histogram logs or JSON; gzip, zstd; - for a pipe.", allow_dash=True
        ),
    ],
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="lat, clat, slat, bw or iops, if names do not say it."),
    ] = None,
    window: Annotated[
        str | None, typer.Option("--window", metavar="TIME", help="Also list the series in windows, such as 1s.")
    ] = None,
    figure: Annotated[
        str | None, typer.Option("--figure", metavar="FIGURE", help="Draw tail, series or heatmap instead.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The figure, .svg or .png; FIGURE.png if not given."),
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option("--parquet", metavar="PATH", help="Write the rows instead: one .parquet, or a directory."),
    ] = None,
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Hold fio's JSON, and logs beside it, against the checks of the audit instead."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Count any fio log: exact percentiles, means.

    Logs of one kind are counted as if they were one. A log of every I/O gives exact percentiles, a histogram log or JSON those of
    fio's bins (0.8 %). A percentile with fewer than ten I/Os above it is not printed.
    """
    if audit:
        if window or figure or output or parquet:
            raise UsageError("`--audit` judges a result, other options count or draw it", "ask for one after the other")
        audit_files(files, _kind(kind), LogAuditForm.JSON if as_json else LogAuditForm.LINES)
        return
    request = _request(kind, window, figure, output)
    if request.figure is None and parquet is None:
        _count(files, request, as_json)
        return
    if as_json:
        raise UsageError("`--json` prints what is counted; `--figure` and `--parquet` write files", "leave it out")
    _write(files, request, parquet)


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked for, checked before any log is read."""

    kind: "LogKind | None"
    window_ms: int | None
    figure: "FigureKind | None"
    picture: Path


def _request(kind: str | None, window: str | None, figure: str | None, output: Path | None) -> _Request:
    from ssdlab.cli.log_output import figure_kind, picture_format

    if output is not None and figure is None:
        raise UsageError("`-o` names the file of a figure, but none is asked for", "add `--figure tail`")
    drawn = None if figure is None else figure_kind(figure)
    picture = output or Path(f"{figure}.png")
    if drawn is not None:
        picture_format(picture)
    return _Request(_kind(kind), _window_ms(window), drawn, picture)


def _window_ms(window: str | None) -> int | None:
    from ssdlab.units import NS_PER_MS, UnitError, parse_duration_ns

    if window is None:
        return None
    try:
        window_ns = parse_duration_ns(window)
    except UnitError as error:
        raise UsageError(str(error), *error.hints) from error
    if window_ns < NS_PER_MS or window_ns % NS_PER_MS:
        raise UsageError(f"`{window}` is not a whole number of milliseconds", "fio's logs have no finer time")
    return window_ns // NS_PER_MS


def _count(files: list[Path], request: _Request, as_json: bool) -> None:
    from ssdlab.analysis.log import summarise
    from ssdlab.analysis.log_file import identify

    if request.window_ms is None:
        summaries = summarise([identify(file, request.kind) for file in files])
        series: tuple[LogSeries, ...] = ()
    else:
        from ssdlab.analysis.log_series import series_of
        from ssdlab.cli.log_output import rereadable

        with rereadable(files) as kept:
            known = [identify(file, request.kind) for file in kept]
            series = series_of(known, request.window_ms)
            summaries = summarise(known)
    if as_json:
        _print_json(summaries, series)
        return
    for position, one in enumerate(summaries):
        if position:
            print()
        _print_summary(one)
    for one_series in series:
        print()
        print_series(one_series)


def _write(files: list[Path], request: _Request, parquet: Path | None) -> None:
    from ssdlab.analysis.log_file import identify
    from ssdlab.cli.log_output import rereadable, writable, write_figure

    with rereadable(files) as kept:
        known = [identify(file, request.kind) for file in kept]
        notes: tuple[str, ...] = ()
        if parquet is not None:
            from ssdlab.analysis.log_parquet import write_parquet

            with writable(parquet):
                written = write_parquet(known, parquet)
            notes += written.notes
            for path in written.paths:
                print(path)
        if request.figure is not None:
            with writable(request.picture):
                notes += write_figure(request.figure, known, request.window_ms, request.picture)
            print(request.picture)
    for note in dict.fromkeys(notes):
        print(f"note: {note}", file=sys.stderr)


def _kind(name: str | None) -> "LogKind | None":
    from ssdlab.analysis.log_file import LogKind

    if name is None:
        return None
    if name not in {kind.value for kind in LogKind}:
        raise UsageError(f"`{name}` is no kind of log", f"kinds are {', '.join(kind.value for kind in LogKind)}")
    return LogKind(name)


def _print_json(summaries: "tuple[LogSummary, ...]", series: "tuple[LogSeries, ...]") -> None:
    import json

    entries = [_fields(one) for one in summaries]
    for one in series:
        entry = next(entry for entry in entries if (entry["kind"], entry["files"]) == (one.kind.value, list(one.names)))
        entry |= {"windows": series_fields(one)}
    print(json.dumps(entries, indent=2))


def _fields(summary: "LogSummary") -> dict[str, object]:
    return {
        "kind": summary.kind.value,
        "form": summary.form.value,
        "unit": _unit(summary)[0],
        "percentile_precision": None if summary.precision is None else summary.precision.value,
        "files": list(summary.names),
        "notes": list(summary.notes),
        "directions": {one.direction.value: _direction_fields(one) for one in summary.directions},
    }


def _direction_fields(one: "DirectionSummary") -> dict[str, object]:
    from ssdlab.analysis.log import PERCENTS

    windows = one.windows
    return {
        "io_count": _plain(one.io_count),
        "io_bytes": _plain(one.io_bytes),
        "window_count": one.window_count,
        "mean": _plain(one.mean),
        "largest": _plain(one.largest),
        "percentiles": {percent: _plain(value) for percent, value in zip(PERCENTS, one.percentiles, strict=True)},
        "series": None
        if windows is None
        else {"window_ms": windows.window_ms, "ios": windows.ios.tolist(), "bytes": windows.length_bytes.tolist()},
    }


def _plain(value: Any) -> object:
    from ssdlab.unknown import Unknown

    return {"unknown": value.unknown} if isinstance(value, Unknown) else value


def _unit(summary: "LogSummary") -> tuple[str, str, int]:
    """The unit of values, the one they are printed in, and how many of the first make one of the second."""
    from ssdlab.analysis.log_file import LogKind

    match summary.kind:
        case LogKind.BANDWIDTH:
            return "KiB/s", "KiB/s", 1
        case LogKind.IOPS:
            return "1/s", "IOPS", 1
        case _:
            return "ns", "µs", 1000


def _print_summary(summary: "LogSummary") -> None:
    from ssdlab.analysis.log import PERCENTS

    _, unit, divisor = _unit(summary)
    many = f" and {len(summary.names) - 1} more" if len(summary.names) > 1 else ""
    precision = "" if summary.precision is None else f", percentiles {summary.precision.value}"
    print(f"{summary.names[0]}{many}: {summary.kind.value} from {summary.form.value}, in {unit}{precision}")
    directions = summary.directions
    averaged = any(one.window_count is not None for one in directions)
    of_windows = " of windows" if averaged else ""
    rows: list[tuple[str, list[str]]] = [("", [one.direction.value for one in directions])]
    if averaged:
        rows.append(("windows", [f"{one.window_count:,}" for one in directions]))
    else:
        rows += [
            ("I/Os", [_cell(one.io_count, 1, 0) for one in directions]),
            ("bytes", [_cell(one.io_bytes, 1, 0) for one in directions]),
        ]
    decimals = 3 if divisor > 1 else 0
    rows.append((f"mean{of_windows}", [_cell(one.mean, divisor, 3) for one in directions]))
    for position, percent in enumerate(PERCENTS):
        rows.append((f"{percent} %", [_cell(one.percentiles[position], divisor, decimals) for one in directions]))
    rows.append((f"largest{of_windows}", [_cell(one.largest, divisor, decimals) for one in directions]))
    _print_rows([row for row in rows if any(cell != _ABSENT for cell in row[1])])
    for note in (*_reasons(summary), *summary.notes):
        print(f"note: {note}")


def _cell(value: Any, divisor: int, decimals: int) -> str:
    from ssdlab.unknown import Unknown

    return _ABSENT if isinstance(value, Unknown) else f"{value / divisor:,.{decimals}f}"


def _print_rows(rows: list[tuple[str, list[str]]]) -> None:
    if not rows:
        return
    head, *rest = [(name, *cells) for name, cells in rows]
    for line in table_lines(head, rest, [Side.LEFT, *(Side.RIGHT for _ in head[1:])]):
        print(line)


def _reasons(summary: "LogSummary") -> list[str]:
    """Why something is missing, each reason once with what it concerns first."""
    from ssdlab.analysis.log import PERCENTS
    from ssdlab.unknown import Unknown

    first: dict[str, str] = {}
    for one in summary.directions:
        named = {"I/Os": one.io_count, "bytes": one.io_bytes, "mean": one.mean, "largest": one.largest}
        named |= {f"{percent} %": value for percent, value in zip(PERCENTS, one.percentiles, strict=True)}
        for name, value in named.items():
            if isinstance(value, Unknown):
                first.setdefault(value.unknown, f"no {name} of {one.direction.value}")
    return [f"{what} and beyond: {why}" if what.endswith(" %") else f"{what}: {why}" for why, what in first.items()]
