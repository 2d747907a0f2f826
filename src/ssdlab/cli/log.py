"""`ssdlab log`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.errors import UsageError

if TYPE_CHECKING:
    from ssdlab.analysis.log import DirectionSummary, LogSummary
    from ssdlab.analysis.log_file import LogKind

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
    as_json: AsJson = False,
) -> None:
    """Count any fio log: exact percentiles, means.

    Logs of one kind are counted as if they were one. A log of every I/O gives exact percentiles, a histogram log or JSON those of
    fio's bins (0.8 %). A percentile with fewer than ten I/Os above it is not printed.
    """
    from ssdlab.analysis.log import summarise
    from ssdlab.analysis.log_file import identify

    chosen = _kind(kind)
    summaries = summarise([identify(file, chosen) for file in files])
    if as_json:
        import json

        print(json.dumps([_fields(one) for one in summaries], indent=2))
        return
    for position, one in enumerate(summaries):
        if position:
            print()
        _print_summary(one)


def _kind(name: str | None) -> "LogKind | None":
    from ssdlab.analysis.log_file import LogKind

    if name is None:
        return None
    if name not in {kind.value for kind in LogKind}:
        raise UsageError(f"`{name}` is no kind of log", f"kinds are {', '.join(kind.value for kind in LogKind)}")
    return LogKind(name)


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
    label = max(len(name) for name, _ in rows)
    widths = [max(len(cells[column]) for _, cells in rows) for column in range(len(rows[0][1]))]
    for name, cells in rows:
        columns = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(f"{name:{label}}  {columns}".rstrip())


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
