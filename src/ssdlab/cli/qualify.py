"""`ssdlab qualify`."""

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
from ssdlab.message import Message, message
from ssdlab.words import Language

if TYPE_CHECKING:
    from ssdlab.bundle.read import Bundle
    from ssdlab.qualify.batch import Batch, BatchNumber, OddNumber
    from ssdlab.qualify.judge import JudgedNumber
    from ssdlab.qualify.qualification import Qualification, QualifiedDrive


def qualify(
    context: typer.Context,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help=message("help-score-runs").id, autocompletion=candidates.runs)
    ],
    limits: Annotated[Path, typer.Option("--limits", metavar="FILE", help=message("help-qualify-limits").id)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=message("help-qualify-output").id)
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help=message("help-qualify-csv").id)] = None,
    as_json: AsJson = False,
) -> None:
    """See `help-qualify`."""
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.qualify.limits import read_limits
    from ssdlab.qualify.qualification import qualification
    from ssdlab.qualify.sheet import first_line
    from ssdlab.report.own_files import require_place_of_page, require_place_of_table

    if output is not None:
        require_place_of_page(output)
    if csv is not None:
        require_place_of_table(csv, first_line().encode())
    wanted = read_limits(limits)
    with made_sense_of(*runs):
        found = qualification([_opened(path) for path in runs], wanted)
    _write(found, output, csv, context.obj or Language.ENGLISH)
    for caution in found.cautions:
        tell(message("cli-caution", caution=caution))
    if as_json:
        say_json(_fields(found))
    else:
        _say(found, [file for file in (output, csv) if file is not None])
    if output is None:
        tell_next("qualify", *runs, "--limits", limits, "-o", "batch.html")
    if not found.all_passed:
        raise typer.Exit(ExitStatus.LIMIT_FAILED)
    if found.failed_checks:
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _say(found: "Qualification", files: list[Path]) -> None:
    for line in qualification_lines(found):
        say(line)
    for file in files:
        say(file)


def _opened(path: Path) -> "Bundle":
    """A run of ssdlab's own, whose suite is known."""
    from ssdlab.bundle.imported import is_imported
    from ssdlab.bundle.read import open_bundle

    if is_imported(path):
        raise SsdlabError(message("qualify-imported", run=str(path)), message("qualify-name-runs"))
    return open_bundle(path)


def _write(found: "Qualification", output: Path | None, csv: Path | None, language: Language) -> None:
    if csv is not None:
        from ssdlab.durable import write_durably
        from ssdlab.qualify.sheet import sheet

        write_durably(csv, sheet(found).encode(errors="backslashreplace"))
    if output is not None:
        from ssdlab.cli.memory import PAGE_ADDRESS_SPACE_BYTES_MIN, require_address_space
        from ssdlab.qualify.page import write_page

        require_address_space(PAGE_ADDRESS_SPACE_BYTES_MIN)
        write_page(found, output, language)


def qualification_lines(found: "Qualification") -> Iterator[str]:
    """How many pass, the drives with the worst first, and what was looked at to find those that are odd."""
    from ssdlab.qualify.words import batch_words, head_words

    yield from wrapped(visible(sentence(head_words(found))))
    yield ""
    yield from _table(found)
    yield ""
    yield from _reasons(found)
    for line in batch_words(found):
        yield from wrapped(visible(sentence(line)))


def _table(found: "Qualification") -> Iterator[str]:
    head = (
        message("cli-column-serial"),
        message("qualify-column-verdict"),
        message("qualify-column-worst"),
        message("cli-column-value"),
        message("qualify-column-limit"),
        message("qualify-column-margin"),
        message("qualify-column-odd"),
    )
    left, right = Alignment.LEFT, Alignment.RIGHT
    return table_lines(head, [_row(one) for one in found.drives], (left, left, left, right, right, right, left))


def _reasons(found: "Qualification") -> Iterator[str]:
    """Why numbers were not measured."""
    from ssdlab.qualify.words import reason_words, serial_words

    for one in found.drives:
        for judged in one.judged.numbers:
            reason = reason_words(judged)
            if reason is not None:
                line = message("qualify-reason", serial=serial_words(one), metric=judged.metric, reason=reason)
                yield from wrapped(visible(sentence(line)))


def _row(one: "QualifiedDrive") -> tuple[Message | str, ...]:
    from ssdlab.qualify.words import bound_words, margin_words, odd_column, serial_words, value_words, verdict_words

    worst = one.judged.worst
    return (
        serial_words(one),
        verdict_words(one.verdict),
        worst.metric,
        value_words(worst),
        bound_words(worst),
        margin_words(worst),
        odd_column(one.odd),
    )


def _fields(found: "Qualification") -> dict[str, object]:
    from ssdlab.qualify.outliers import DRIVES_MIN, LEVEL

    return {
        "passed": found.all_passed,
        "drives": [_drive_fields(one) for one in found.drives],
        "outliers": {
            "test": "generalized ESD (Rosner 1983) on logarithms",
            "level": LEVEL,
            "level_of_one_number": found.siblings.level_of_one,
            "drives_min": DRIVES_MIN,
            "batches": [_batch_fields(one) for one in found.siblings.batches],
        },
        "cautions": list(map(str, found.cautions)),
    }


def _drive_fields(one: "QualifiedDrive") -> dict[str, object]:
    entry = one.drive.first
    return {
        "serial": known_or_why(one.serial),
        "model": entry.drive.model,
        "firmware": known_or_why(entry.firmware),
        "capacity_bytes": known_or_why(entry.drive.capacity_bytes),
        "verdict": one.verdict.value,
        "runs": [run.name for run in one.drive.entries],
        "limits": [_limit_fields(judged) for judged in one.judged.numbers],
        "odd": [_odd_fields(odd) for odd in one.odd],
    }


def _limit_fields(one: "JudgedNumber") -> dict[str, object]:
    from ssdlab.unknown import Unknown

    number = one.number
    return {
        "suite": one.limit.suite,
        "profile": one.limit.profile,
        "metric": one.metric,
        one.limit.side.value: one.bound,
        "unit": one.unit,
        "value": known_or_why(number) if isinstance(number, Unknown) else number.median,
        "interval": None if isinstance(number, Unknown) or number.interval is None else list(number.interval),
        "margin": known_or_why(one.margin),
        "verdict": one.verdict.value,
        "failed_checks": list(one.failed_checks),
    }


def _odd_fields(odd: "OddNumber") -> dict[str, object]:
    return {
        "metric": odd.key.name,
        "unit": odd.unit,
        "value": odd.value,
        "median": odd.middle,
        "deviations": odd.deviations,
    }


def _batch_fields(batch: "Batch") -> dict[str, object]:
    method = batch.key.method
    return {
        "model": batch.key.model,
        "capacity_bytes": batch.key.capacity_bytes,
        "suite": method.suite,
        "version": method.version,
        "sha256": method.sha256,
        "profile": method.profile,
        "engine": method.engine,
        "drives": len(batch.drives),
        "numbers": [_number_fields(one) for one in batch.numbers],
    }


def _number_fields(one: "BatchNumber") -> dict[str, object]:
    return {
        "metric": one.key.name,
        "drives": len(one.values),
        "not_judged": None if one.not_judged is None else str(one.not_judged),
    }
