"""`ssdlab library`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.table import Side, table_lines

if TYPE_CHECKING:
    from ssdlab.library.catalogue import Catalogue
    from ssdlab.library.entry import Entry
    from ssdlab.library.groups import Group
    from ssdlab.library.history import History
    from ssdlab.library.rank import Ranking
    from ssdlab.unknown import Unknown

app = typer.Typer(help="All runs of a lab: list, rank, ask.", no_args_is_help=True, rich_markup_mode=None)

Lab = Annotated[Path, typer.Option("--lab", metavar="DIR", help="Where bundles are kept.")]
_LAB = Path("lab")


@app.command("add")
def add(
    bundles: Annotated[
        list[Path], typer.Argument(metavar="BUNDLE...", help="Bundles, or zip or tar archives of one bundle each.")
    ],
    lab: Lab = _LAB,
) -> None:
    """Copy bundles into the lab."""
    from ssdlab.library.add import add as add_one

    for path in bundles:
        print(add_one(path, lab))


@app.command("list")
def list_runs(lab: Lab = _LAB, as_json: AsJson = False) -> None:
    """List all runs, the newest last."""
    catalogue = _open(lab)
    if as_json:
        print(json.dumps([_entry_fields(entry) for entry in catalogue.entries], indent=2))
        return
    rows = [_entry_row(entry) for entry in catalogue.entries]
    head = ("day", "drive", "serial", "suite", "profile", "engine", "status", "audit", "run")
    for line in table_lines(head, rows, (Side.LEFT,) * len(head)):
        print(line)


@app.command("show")
def show(
    drive: Annotated[str, typer.Argument(metavar="DRIVE", help="A part of its model or serial.")],
    lab: Lab = _LAB,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help="Show only this metric, run by run.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show one drive over time."""
    from ssdlab.library.history import histories

    catalogue = _open(lab)
    found = histories(catalogue, drive, metric)
    if as_json:
        print(json.dumps([_history_fields(one) for one in found], indent=2))
        return
    for number, history in enumerate(found):
        if number:
            print()
        for line in _history_lines(history):
            print(line)


@app.command("rank")
def rank(
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="Its name, such as `fill.bandwidth_mean`.")],
    lab: Lab = _LAB,
    as_json: AsJson = False,
) -> None:
    """Rank drives by a metric.

    Numbers of different methods, profiles, drive states, or of virtual and real drives are never in one ranking. Of several
    runs of a drive within a week the median ranks, and the spread is shown.
    """
    from ssdlab.library.rank import differences, rankings

    found = rankings(_open(lab), metric)
    if as_json:
        print(json.dumps([_ranking_fields(one) for one in found], indent=2))
        return
    for number, ranking in enumerate(found):
        if number:
            print(f"\nnot in the same ranking: {'; '.join(differences(found[0], ranking))}")
        for line in _ranking_lines(metric, ranking):
            print(line)


@app.command("sql")
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="DuckDB's SQL over the views `runs` and `metrics`.")],
    lab: Lab = _LAB,
    as_json: AsJson = False,
) -> None:
    """Ask the library in SQL."""
    from ssdlab.library.ask import answer

    found = answer(_open(lab), query)
    if as_json:
        print(json.dumps([dict(zip(found.columns, row, strict=True)) for row in found.rows], indent=2, default=str))
        return
    rows = [["" if cell is None else str(cell) for cell in row] for row in found.rows]
    for line in table_lines(found.columns, rows, (Side.LEFT,) * len(found.columns)):
        print(line)


def _open(lab: Path) -> "Catalogue":
    from ssdlab.library.catalogue import open_catalogue

    catalogue = open_catalogue(lab)
    for problem in catalogue.problems:
        print(f"skipped: {problem.what}", file=sys.stderr)
    return catalogue


def _entry_row(entry: "Entry") -> tuple[str, ...]:
    from ssdlab.library.entry import Scale

    method = entry.method
    judged = f"{entry.checks_failed} failed" if entry.checks_failed else "passed" if entry.checks else "none"
    audit = f"{judged}, damaged" if entry.damage else judged
    profile = method.profile if entry.scale is Scale.COMPARABLE else f"{method.profile} (not comparable)"
    serial = _known(entry.drive.serial)
    suite = f"{method.suite} {method.version}"
    return (entry.day, entry.drive.model, serial, suite, profile, method.engine, entry.status, audit, entry.name)


def _entry_fields(entry: "Entry") -> dict[str, object]:
    from pydantic import TypeAdapter

    from ssdlab.library.entry import Entry

    fields: dict[str, object] = TypeAdapter(Entry).dump_python(entry, mode="json")
    return fields


def _history_lines(history: "History") -> list[str]:
    from ssdlab.library.entry import capacity_words
    from ssdlab.units import format_quantity

    drive = history.drive
    serial = _known(drive.serial)
    lines = [f"{drive.model}, serial {serial}, {capacity_words(history.entries[0])}"]
    runs = [
        (entry.day, _known(entry.firmware), _known(entry.host), *_entry_row(entry)[3:]) for entry in history.entries
    ]
    head = ("day", "firmware", "host", "suite", "profile", "engine", "status", "audit", "run")
    lines += table_lines(head, runs, (Side.LEFT,) * len(head))
    if not history.changes:
        return [*lines, "no number was measured again by the same method a week or more later"]
    rows = []
    for change in history.changes:
        first, last = change.groups[0], change.groups[-1]
        percent = "" if change.percent is None else f"{change.percent:+.1f} %"
        texts = (format_quantity(group.median, group.first.unit) for group in (first, last))
        rows.append((change.metric, first.days, next(texts), last.days, next(texts), percent, str(len(change.groups))))
    sides = (Side.LEFT, Side.LEFT, Side.RIGHT, Side.LEFT, Side.RIGHT, Side.RIGHT, Side.RIGHT)
    return [*lines, "", *table_lines(("metric", "first", "", "last", "", "change", "times"), rows, sides)]


def _known(value: "str | Unknown") -> str:
    return value if isinstance(value, str) else "unknown"


def _history_fields(history: "History") -> dict[str, object]:
    from ssdlab.unknown import Unknown

    capacity = history.drive.capacity_bytes
    return {
        "model": history.drive.model,
        "serial": history.drive.serial if isinstance(history.drive.serial, str) else None,
        "capacity_bytes": None if isinstance(capacity, Unknown) else capacity,
        "runs": [_entry_fields(entry) for entry in history.entries],
        "changes": [
            {
                "metric": change.metric,
                "percent": change.percent,
                "times": [_group_fields(history.drive.model, group) for group in change.groups],
            }
            for change in history.changes
        ],
    }


def _ranking_lines(metric: str, ranking: "Ranking") -> list[str]:
    from ssdlab.library.entry import Nature, Scale
    from ssdlab.library.rank import labels
    from ssdlab.units import format_quantity

    method = ranking.method
    scaled = "" if ranking.scale is Scale.COMPARABLE else ", not comparable"
    drives = ", virtual drives" if ranking.nature is Nature.VIRTUAL else ""
    head = f"{metric}: {method.suite} {method.version}, profile {method.profile}{scaled}, {method.engine}{drives}, drive state {ranking.state}; {ranking.better.value}"
    rows = []
    for place, (name, group) in enumerate(zip(labels(ranking.groups), ranking.groups, strict=True), 1):
        low, high = group.spread
        runs = len(group.values)
        spread = "" if runs == 1 else f"{format_quantity(low, ranking.unit)} to {format_quantity(high, ranking.unit)}"
        rows.append(
            (
                str(place),
                name,
                format_quantity(group.median, ranking.unit),
                str(runs),
                spread,
                group.days,
                f"FAILED {group.failed_checks}" if group.failed_checks else "",
            )
        )
    columns = ("", "drive", "median", "runs", "spread", "measured", "audit")
    sides = (Side.RIGHT, Side.LEFT, Side.RIGHT, Side.RIGHT, Side.LEFT, Side.LEFT, Side.LEFT)
    return [head, *table_lines(columns, rows, sides)]


def _ranking_fields(ranking: "Ranking") -> dict[str, object]:
    from ssdlab.library.rank import labels

    return {
        "suite": ranking.method.suite,
        "suite_version": ranking.method.version,
        "suite_sha256": ranking.method.sha256,
        "profile": ranking.method.profile,
        "engine": ranking.method.engine,
        "scale": ranking.scale.value,
        "nature": ranking.nature.value,
        "state": ranking.state,
        "unit": ranking.unit,
        "better": ranking.better.value,
        "drives": [
            _group_fields(name, group) for name, group in zip(labels(ranking.groups), ranking.groups, strict=True)
        ],
    }


def _group_fields(name: str, group: "Group") -> dict[str, object]:
    low, high = group.spread
    return {
        "drive": name,
        "median": group.median,
        "lowest": low,
        "highest": high,
        "days": group.days,
        "failed_checks": group.failed_checks,
        "runs": [value.entry.name for value in group.values],
    }
