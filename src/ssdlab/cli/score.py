"""`ssdlab score`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.arguments import AsJson
from ssdlab.cli.known import known_or_why
from ssdlab.cli.language import sentence
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json, tell, visible, wrapped
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.message import Message, Value, bandwidth_decimal, commas, duration, message, number, size_decimal

if TYPE_CHECKING:
    from ssdlab.bundle.read import Bundle
    from ssdlab.library.entry import Entry
    from ssdlab.score.published import DataColumns
    from ssdlab.score.score import ScoredDrive, ScoreTable
    from ssdlab.unknown import Unknown

_ABSENT = "-"
_FAILED = " ✗"
_NS_PER_S = 1e9


def score(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help=message("help-score-runs").id, autocompletion=candidates.runs)
    ],
    reference: Annotated[
        Path,
        typer.Option(
            "--reference", metavar="RUN", help=message("help-score-reference").id, autocompletion=candidates.runs
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """See `help-score`."""
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.score.score import score_table

    with made_sense_of(*runs, reference):
        found = score_table([_opened(path) for path in runs], _opened(reference))
    for caution in _cautions(found):
        tell(message("cli-caution", caution=caution))
    if as_json:
        say_json(_fields(found))
    else:
        for line in score_lines(found):
            say(line)
        tell_next("report", *runs)
    if any(one.failed_checks for one in (found.reference, *found.drives)):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _opened(path: Path) -> "Bundle":
    """A run of ssdlab's own: other programs replay nothing at the pace `dependent`."""
    from ssdlab.bundle.imported import is_imported
    from ssdlab.bundle.read import open_bundle

    if is_imported(path):
        raise SsdlabError(message("score-no-replay", run=str(path)), message("score-replay-dependent"))
    return open_bundle(path)


def score_lines(found: "ScoreTable") -> Iterator[str]:
    """What the scores are of, the scores, the time of each trace, and what others publish of such replays."""
    yield from _told(message("score-head", count=len(found.reference.traces)))
    yield from _told(_reference(found))
    yield ""
    yield from _score_lines(found)
    yield ""
    yield from _time_lines(found)
    yield ""
    yield from _published_lines(found)
    yield ""
    if found.reference.published.phases:
        yield from _phase_lines(found)
        yield ""
        yield from _told(message("score-phases-remark"))
    yield from _told(message("score-index-remark"))


def _reference(found: "ScoreTable") -> Message:
    """All that it takes to make it again."""
    run = found.reference_run
    return message(
        "score-reference",
        drive=run.drive.model if isinstance(run.drive.model, str) else run.drive.target,
        size=size_decimal(run.drive.capacity_bytes),
        seed=number(run.seed, "d"),
        version=run.ssdlab_version,
        run=found.reference.entries[0].name,
    )


def _told(line: Message) -> Iterator[str]:
    return wrapped(visible(sentence(line)))


def _score_lines(found: "ScoreTable") -> Iterator[str]:
    head = (
        message("cli-column-drive"),
        message("cli-column-runs"),
        message("score-column-score"),
        message("score-column-interval"),
    )
    rows = [(_name(one, found), str(len(one.entries)), _score(one), _interval(one)) for one in found.drives]
    return table_lines(head, rows, (Alignment.LEFT, Alignment.RIGHT, Alignment.RIGHT, Alignment.LEFT))


def _time_lines(found: "ScoreTable") -> Iterator[str]:
    """Of the reference, too."""
    head = (
        message("score-column-trace"),
        message("cli-column-drive"),
        message("score-column-time"),
        message("score-column-score"),
    )
    rows: list[tuple[Message | str, ...]] = []
    for place, trace in enumerate(found.reference.traces):
        rows.append((trace.key.step, message("score-the-reference"), _value(duration(trace.time_ns)), ""))
        rows += [
            ("", _name(one, found), _value(duration(one.traces[place].time_ns)), f"{one.traces[place].score:.3f}")
            for one in found.drives
        ]
    return table_lines(head, rows, (Alignment.LEFT, Alignment.LEFT, Alignment.RIGHT, Alignment.RIGHT))


def _published_lines(found: "ScoreTable") -> Iterator[str]:
    """All traces together."""
    head = (
        message("cli-column-drive"),
        message("score-column-ios"),
        message("score-column-rate"),
        message("score-column-mean"),
        "99 %",
        message("score-column-index"),
    )
    rows = [*_published_rows(message("score-the-reference"), found.reference)]
    for one in found.drives:
        rows += _published_rows(_name(one, found), one)
    return table_lines(head, rows, (Alignment.LEFT, Alignment.LEFT, *[Alignment.RIGHT] * 4))


def _phase_lines(found: "ScoreTable") -> Iterator[str]:
    """The phases of a test of consistency; runs of one suite have the same."""
    head = (
        message("cli-column-drive"),
        message("score-column-phase"),
        message("score-column-rounds"),
        message("score-column-rate"),
        message("score-column-mean"),
        "99 %",
        message("score-column-slowest"),
    )
    rows = [*_phase_rows(message("score-the-reference"), found.reference)]
    for one in found.drives:
        rows += _phase_rows(_name(one, found), one)
    return table_lines(head, rows, (Alignment.LEFT, Alignment.LEFT, *[Alignment.RIGHT] * 5))


def _phase_rows(name: Message | str, drive: "ScoredDrive") -> Iterator[tuple[Message | str, ...]]:
    for one in drive.published.phases:
        slowest, *_ = _cells(one.slowest_round)
        phase = message("score-phase", phase=one.phase.value)
        yield (name, phase, str(one.rounds), *_cells(one.both), slowest)
        name = ""


def _published_rows(name: Message | str, drive: "ScoredDrive") -> Iterator[tuple[Message | str, ...]]:
    columns, index_min = drive.published, drive.published.index_min
    index = f"≥ {index_min:,.0f}" if isinstance(index_min, float) else _ABSENT
    yield (name, message("score-ios", which="both"), *_cells(columns.both), index)
    yield ("", message("score-ios", which="read"), *_cells(columns.read), "")
    yield ("", message("score-ios", which="write"), *_cells(columns.write), "")


def _cells(columns: "DataColumns | Unknown") -> tuple[Message | str, ...]:
    from ssdlab.unknown import Unknown

    if isinstance(columns, Unknown):
        return (_ABSENT,) * 3
    p99_ns = columns.latency_ns_p99
    return (
        _value(bandwidth_decimal(columns.data_rate_bytes_per_s)),
        _value(duration(columns.latency_ns_mean)),
        _ABSENT if isinstance(p99_ns, Unknown) else _value(duration(p99_ns)),
    )


def _value(value: Value) -> Message:
    return message("score-value", value=value)


def _score(drive: "ScoredDrive") -> str:
    return f"{drive.score:.3f}" + (_FAILED if drive.failed_checks else "")


def _interval(drive: "ScoredDrive") -> Message:
    from ssdlab.unknown import Unknown

    interval = drive.interval
    if isinstance(interval, Unknown):
        return message("score-no-interval", why=interval.reason)
    return message("score-interval", low=number(interval.low, ".3f"), high=number(interval.high, ".3f"))


def _name(drive: "ScoredDrive", found: "ScoreTable") -> str:
    """The model; where several drives of the table are of it, with the first that tells them apart: serial, engine, run."""
    own = drive.entries[0]
    same = [one.entries[0] for one in found.drives if one.entries[0].drive.model == own.drive.model]
    if len(same) == 1:
        return own.drive.model
    others = list(zip(*map(_marks, same), strict=True))
    telling = (mark for mark, of_all in zip(_marks(own), others, strict=True) if of_all.count(mark) == 1)
    return f"{own.drive.model}, {next(telling, own.name)}"


def _marks(entry: "Entry") -> tuple[str, str]:
    """What may tell drives of one model apart."""
    return str(entry.drive.serial), entry.method.engine


def _cautions(found: "ScoreTable") -> Iterator[Message]:
    from ssdlab.library.entry import Comparability

    profiles = {one.method.profile for one in found.reference.entries if one.scale is Comparability.SCALED}
    if profiles:
        yield message("library-scaled-profile", profiles=commas(*profiles))
    for one in (found.reference, *found.drives):
        if one.failed_checks:
            yield message("score-failed-checks", model=one.entries[0].drive.model, checks=commas(*one.failed_checks))


def _fields(found: "ScoreTable") -> dict[str, object]:
    return {
        "reference": _drive_fields(found.reference)
        | {"seed": found.reference_run.seed, "ssdlab_version": found.reference_run.ssdlab_version},
        "drives": [_drive_fields(one) for one in found.drives],
        "cautions": list(map(str, _cautions(found))),
    }


def _drive_fields(drive: "ScoredDrive") -> dict[str, object]:
    from ssdlab.unknown import Unknown

    first, interval, columns = drive.entries[0], drive.interval, drive.published
    return {
        "model": first.drive.model,
        "serial": known_or_why(first.drive.serial),
        "capacity_bytes": known_or_why(first.drive.capacity_bytes),
        "engine": first.method.engine,
        "runs": [one.name for one in drive.entries],
        "score": drive.score,
        "interval": known_or_why(interval) if isinstance(interval, Unknown) else [interval.low, interval.high],
        "failed_checks": list(drive.failed_checks),
        "traces": [
            {
                "step": one.key.step,
                "sha256": one.key.sha256,
                "score": one.score,
                "times_s": [time_ns / _NS_PER_S for time_ns in one.times_ns],
                "reference_s": one.reference_ns / _NS_PER_S,
            }
            for one in drive.traces
        ],
        "published": {
            "both": _column_fields(columns.both),
            "read": _column_fields(columns.read),
            "write": _column_fields(columns.write),
            "index_min": known_or_why(columns.index_min),
            "phases": [
                {
                    "phase": one.phase.value,
                    "rounds": one.rounds,
                    "both": _column_fields(one.both),
                    "slowest_round": _column_fields(one.slowest_round),
                }
                for one in columns.phases
            ],
        },
    }


def _column_fields(columns: "DataColumns | Unknown") -> object:
    from ssdlab.unknown import Unknown

    if isinstance(columns, Unknown):
        return known_or_why(columns)
    return {
        "data_rate_bytes_per_s": columns.data_rate_bytes_per_s,
        "latency_ns_mean": columns.latency_ns_mean,
        "latency_ns_p99": known_or_why(columns.latency_ns_p99),
    }
