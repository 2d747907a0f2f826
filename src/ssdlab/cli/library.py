"""`ssdlab library`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.help_text import SpokenCommand, SpokenGroup
from ssdlab.cli.language import sentence
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json, tell
from ssdlab.errors import ExitStatus
from ssdlab.message import Message, commas, message, number, semicolons, size_decimal

if TYPE_CHECKING:
    from ssdlab.analysis.statistics.standing import Places
    from ssdlab.bundle.examine import BundleExamination
    from ssdlab.library.catalogue import Catalogue
    from ssdlab.library.entry import Entry
    from ssdlab.library.groups import Group
    from ssdlab.library.history import History
    from ssdlab.library.latency import PooledLatency, PooledUnder
    from ssdlab.library.rank import Ranking
    from ssdlab.unknown import Unknown

app = typer.Typer(cls=SpokenGroup, help=message("help-library").id, no_args_is_help=True, rich_markup_mode=None)

Lab = Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)]
_LAB = Path("lab")


@app.command("add", cls=SpokenCommand, help=message("help-library-add").id)
def add(
    bundles: Annotated[
        list[Path],
        typer.Argument(metavar="BUNDLE...", help=message("help-library-bundles").id),
    ],
    lab: Lab = _LAB,
    signers: Annotated[
        Path | None,
        typer.Option(
            "--signers",
            metavar="FILE",
            help=message("help-library-signers").id,
        ),
    ] = None,
) -> None:
    """See `help-library-add`."""
    from ssdlab.bundle.examine import examine
    from ssdlab.library.add import add as add_one
    from ssdlab.unknown import Unknown

    for path in bundles:
        added = add_one(path, lab, signers)
        say(added.path)
        if (signed := added.signed) is not None:
            tell(signed.reason if isinstance(signed, Unknown) else message("library-signed-by", by=signed.by))
        for fault in examine(added.path).damaged:
            tell(message("cli-damaged", fault=fault))
        tell_next("report", added.path)


@app.command("list", cls=SpokenCommand, help=message("help-library-list").id)
def list_runs(lab: Lab = _LAB, as_json: AsJson = False) -> None:
    """See `help-library-list`."""
    catalogue = _open(lab)
    if as_json:
        say_json([_entry_fields(entry) for entry in catalogue.entries])
        return
    rows = [_entry_row(entry) for entry in catalogue.entries]
    head = (
        message("cli-column-day"),
        message("cli-column-drive"),
        message("cli-column-serial"),
        message("cli-column-suite"),
        message("cli-column-profile"),
        message("cli-column-engine"),
        message("cli-column-status"),
        message("cli-column-audit"),
        message("cli-column-run"),
    )
    for line in table_lines(head, rows, (Alignment.LEFT,) * len(head)):
        say(line)


@app.command("show", cls=SpokenCommand, help=message("help-library-show").id)
def show(
    drive: Annotated[str, typer.Argument(metavar="DRIVE", help=message("help-library-drive").id)],
    lab: Lab = _LAB,
    metric: Annotated[
        str | None, typer.Option("--metric", metavar="NAME", help=message("help-library-show-metric").id)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """See `help-library-show`."""
    from ssdlab.library.history import histories

    catalogue = _open(lab)
    found = histories(catalogue, drive, metric)
    if as_json:
        say_json([_history_fields(one) for one in found])
        return
    for place, history in enumerate(found):
        if place:
            say()
        for line in _history_lines(history):
            say(line)


@app.command("rank", cls=SpokenCommand, help=message("help-library-rank").id)
def rank(
    metric: Annotated[str, typer.Argument(metavar="METRIC", help=message("help-library-metric").id)],
    lab: Lab = _LAB,
    as_json: AsJson = False,
) -> None:
    """See `help-library-rank`."""
    from ssdlab.library.groups import interrupted
    from ssdlab.library.rank import differences, rankings

    catalogue = _open(lab)
    found = rankings(catalogue, metric)
    for entry in interrupted(catalogue, metric):
        tell(message("library-not-ranked", name=entry.name))
    if as_json:
        say_json([_ranking_fields(one) for one in found])
        return
    for place, ranking in enumerate(found):
        if place:
            say()
            say(message("library-other-ranking", differences=semicolons(*differences(found[0], ranking))))
        for line in _ranking_lines(metric, ranking):
            say(line)


@app.command("latency", cls=SpokenCommand, help=message("help-library-latency").id)
def latency(
    step: Annotated[str, typer.Argument(metavar="STEP", help=message("help-library-step").id)],
    lab: Lab = _LAB,
    as_json: AsJson = False,
) -> None:
    """See `help-library-latency`."""
    from ssdlab.library.latency import by_method, pooled_latencies

    catalogue = _open(lab)
    found = pooled_latencies(catalogue, step)
    if catalogue.in_cache:
        tell(message("library-not-compacted", count=catalogue.in_cache))
        tell(message("library-compact-first"))
    if as_json:
        say_json([_latency_fields(one) for one in found])
        return
    for place, (measured, pooled) in enumerate(by_method(found)):
        if place:
            say()
        for line in _latency_lines(step, measured, pooled):
            say(line)


@app.command("compact", cls=SpokenCommand, help=message("help-library-compact").id)
def compact(lab: Lab = _LAB, as_json: AsJson = False) -> None:
    """See `help-library-compact`."""
    from ssdlab.library.compact import compact as compact_all

    done = compact_all(lab)
    for fault in done.faults:
        tell(message("library-left-out", what=fault))
    # Of what is compacted the cache lets go now, and not at the next question.
    _open(lab)
    if as_json:
        fields = {"runs": done.runs, "added": done.added, "parts": done.parts, "size_bytes": done.size_bytes}
        say_json(fields | {"faults": [str(fault) for fault in done.faults]})
        return
    say(
        message(
            "library-compacted",
            runs=number(done.runs),
            added=number(done.added),
            parts=done.parts,
            size=size_decimal(done.size_bytes),
        )
    )


@app.command("check", cls=SpokenCommand, help=message("help-library-check").id)
def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RUN|LAB", help=message("help-library-paths").id),
    ] = None,
    lab: Lab = _LAB,
    as_json: AsJson = False,
) -> None:
    """See `help-library-check`."""
    from ssdlab.library.check import check as check_all
    from ssdlab.library.check import check_lab

    found = list(check_all(paths) if paths else check_lab(lab))
    if as_json:
        say_json([_examination_fields(one) for one in found])
    else:
        for one in found:
            for line in _examination_lines(one):
                say(line)
    if any(one.damaged for one in found):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


@app.command("sql", cls=SpokenCommand, help=message("help-library-sql").id)
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help=message("help-library-query").id)],
    lab: Lab = _LAB,
    as_json: AsJson = False,
) -> None:
    """See `help-library-sql`."""
    from ssdlab.library.ask import answer

    found = answer(_open(lab), query)
    if as_json:
        say_json([dict(zip(found.columns, row, strict=True)) for row in found.rows])
        return
    rows = [["" if cell is None else str(cell) for cell in row] for row in found.rows]
    for line in table_lines(found.columns, rows, (Alignment.LEFT,) * len(found.columns)):
        say(line)


def _open(lab: Path) -> "Catalogue":
    from ssdlab.library.catalogue import open_catalogue

    catalogue = open_catalogue(lab)
    for problem in catalogue.problems:
        tell(message("library-skipped", what=problem.what))
    return catalogue


def _examination_lines(one: "BundleExamination") -> list[Message | str]:
    if one.damaged:
        return [
            message("library-damaged", path=str(one.path)),
            *(f"         {sentence(fault)}" for fault in one.damaged),
        ]
    files, size = number(one.files), size_decimal(one.size_bytes)
    if one.unchecked is None:
        return [message("library-sound", path=str(one.path), files=files, size=size)]
    return [message("library-unchecked", path=str(one.path), files=files, size=size, why=one.unchecked.reason)]


def _examination_fields(one: "BundleExamination") -> dict[str, object]:
    return {
        "run": str(one.path),
        "files": one.files,
        "size_bytes": one.size_bytes,
        "damaged": [str(fault) for fault in one.damaged],
        "unchecked": None if one.unchecked is None else str(one.unchecked.reason),
    }


def _entry_row(entry: "Entry") -> tuple[Message | str, ...]:
    from ssdlab.library.entry import Comparability

    method = entry.method
    audit = message(
        "library-audit",
        failed=entry.checks_failed,
        outcome="failed" if entry.checks_failed else "passed" if entry.checks else "none",
        damage="damaged" if entry.damage else "none",
    )
    profile: Message | str = method.profile
    if entry.scale is not Comparability.COMPARABLE:
        profile = message("library-not-comparable", profile=method.profile)
    status = message("cli-run-status-brief", status=entry.status)
    serial = _known(entry.drive.serial)
    suite = f"{method.suite} {method.version}"
    return (entry.day, entry.drive.model, serial, suite, profile, method.engine, status, audit, entry.name)


def _entry_fields(entry: "Entry") -> dict[str, object]:
    from pydantic import TypeAdapter

    from ssdlab.library.entry import Entry
    from ssdlab.message_json import IN_ENGLISH

    fields: dict[str, object] = TypeAdapter(Entry).dump_python(entry, mode="json", context=IN_ENGLISH)
    return fields


def _history_lines(history: "History") -> list[Message | str]:
    from ssdlab.library.entry import capacity_words
    from ssdlab.units import format_quantity

    drive = history.drive
    serial = _known(drive.serial)
    lines: list[Message | str] = [
        message("library-drive", model=drive.model, serial=serial, capacity=capacity_words(history.entries[0]))
    ]
    runs = [
        (entry.day, _known(entry.firmware), _known(entry.host), *_entry_row(entry)[3:]) for entry in history.entries
    ]
    head = (
        message("cli-column-day"),
        message("cli-column-firmware"),
        message("cli-column-host"),
        message("cli-column-suite"),
        message("cli-column-profile"),
        message("cli-column-engine"),
        message("cli-column-status"),
        message("cli-column-audit"),
        message("cli-column-run"),
    )
    lines += table_lines(head, runs, (Alignment.LEFT,) * len(head))
    if not history.changes:
        return [*lines, message("library-no-change")]
    rows = []
    for change in history.changes:
        first, last = change.groups[0], change.groups[-1]
        percent = "" if change.percent is None else f"{change.percent:+.1f} %"
        texts = (format_quantity(group.median, group.first.unit) for group in (first, last))
        rows.append((change.metric, first.days, next(texts), last.days, next(texts), percent, str(len(change.groups))))
    sides = (
        Alignment.LEFT,
        Alignment.LEFT,
        Alignment.RIGHT,
        Alignment.LEFT,
        Alignment.RIGHT,
        Alignment.RIGHT,
        Alignment.RIGHT,
    )
    return [
        *lines,
        "",
        *table_lines(
            (
                message("cli-column-metric"),
                message("cli-column-first"),
                "",
                message("cli-column-last"),
                "",
                message("cli-column-change"),
                message("cli-column-times"),
            ),
            rows,
            sides,
        ),
    ]


def _known(value: "str | Unknown") -> Message | str:
    return value if isinstance(value, str) else message("cli-unknown")


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


def _ranking_lines(metric: str, ranking: "Ranking") -> list[Message | str]:
    from ssdlab.library.rank import labels
    from ssdlab.units import format_quantity

    method = ranking.method
    head = message(
        "library-ranking",
        metric=metric,
        suite=f"{method.suite} {method.version}",
        profile=method.profile,
        scale=ranking.scale.value,
        engine=method.engine,
        nature=ranking.nature.value,
        state=ranking.state,
        better=ranking.better.name.lower(),
    )
    rows: list[tuple[Message | str, ...]] = []
    for name, group, places in zip(labels(ranking.groups), ranking.groups, ranking.places, strict=True):
        low, high = (format_quantity(value, ranking.unit) for value in group.spread)
        runs = len(group.values)
        spread = "" if runs == 1 else message("cli-from-to", low=low, high=high)
        rows.append(
            (
                _place(places),
                name,
                format_quantity(group.median, ranking.unit),
                str(runs),
                spread,
                group.days,
                message("cli-failed", check=commas(*group.failed_checks)) if group.failed_checks else "",
            )
        )
    columns = (
        "",
        message("cli-column-drive"),
        message("cli-column-median"),
        message("cli-column-runs"),
        message("cli-column-spread"),
        message("cli-column-measured"),
        message("cli-column-audit"),
    )
    sides = (
        Alignment.RIGHT,
        Alignment.LEFT,
        Alignment.RIGHT,
        Alignment.RIGHT,
        Alignment.LEFT,
        Alignment.LEFT,
        Alignment.LEFT,
    )
    return [head, *table_lines(columns, rows, sides)]


def _latency_lines(step: str, measured: "PooledUnder", pooled: "list[PooledLatency]") -> list[Message | str]:
    from ssdlab.analysis.statistics.percentile import PERCENTS
    from ssdlab.library.latency import percents_known
    from ssdlab.units import format_quantity
    from ssdlab.unknown import Unknown

    method = measured.method
    head = message(
        "library-latency",
        step=step,
        direction=measured.direction.value,
        suite=f"{method.suite} {method.version}",
        profile=method.profile,
        scale=measured.scale.value,
        engine=method.engine,
        nature=measured.nature.value,
        state=measured.state,
    )
    shown = percents_known(pooled)
    rows: list[tuple[Message | str, ...]] = []
    for one in pooled:
        values = dict(zip(PERCENTS, one.percentiles_ns, strict=True))
        cells = (values[percent] for percent in shown)
        texts = (
            message("cli-unknown") if isinstance(value, Unknown) else format_quantity(value, "ns") for value in cells
        )
        rows.append((one.model, f"{one.runs:,}", f"{one.total:,}", *texts))
    names = (message("cli-column-model"), message("cli-column-runs"), message("library-column-ios"))
    columns = (*names, *(message("library-column-percentile", percent=percent) for percent in shown))
    return [head, *table_lines(columns, rows, (Alignment.LEFT, *(Alignment.RIGHT,) * (len(columns) - 1)))]


def _latency_fields(one: "PooledLatency") -> dict[str, object]:
    from ssdlab.analysis.statistics.percentile import PERCENTS
    from ssdlab.unknown import Unknown

    measured, method = one.measured, one.measured.method
    return {
        "model": one.model,
        "suite": method.suite,
        "suite_version": method.version,
        "suite_sha256": method.sha256,
        "profile": method.profile,
        "engine": method.engine,
        "scale": measured.scale.value,
        "nature": measured.nature.value,
        "state": measured.state,
        "direction": measured.direction.value,
        "runs": one.runs,
        "ios": one.total,
        "clat_ns": {
            percent: {"unknown": str(value.reason)} if isinstance(value, Unknown) else value
            for percent, value in zip(PERCENTS, one.percentiles_ns, strict=True)
        },
    }


def _place(places: "Places") -> Message | str:
    """A range where the number is tied with others."""
    if places.first == places.last:
        return str(places.first)
    return message("library-tied-places", first=places.first, last=places.last)


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
            {"place_first": places.first, "place_last": places.last, **_group_fields(name, group)}
            for name, group, places in zip(labels(ranking.groups), ranking.groups, ranking.places, strict=True)
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
        "failed_checks": ", ".join(group.failed_checks),
        "runs": [value.entry.name for value in group.values],
    }
