"""`ssdlab show`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.answer_lines import answer_lines
from ssdlab.cli.arguments import AsJson, ShowAll
from ssdlab.cli.audit_json import audit_json
from ssdlab.cli.audit_lines import AuditDetail, audit_lines
from ssdlab.cli.import_lines import ImportForm, show_import
from ssdlab.cli.language import sentence
from ssdlab.cli.metric_lines import metric_lines, step_lines
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.suite_line import suite_line
from ssdlab.cli.terminal import say, say_json, say_wrapped
from ssdlab.errors import ExitStatus
from ssdlab.message import Message, message, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ssdlab.bundle.read import Bundle


def show(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help=message("help-show-run").id, autocompletion=candidates.runs)
    ] = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
    again: Annotated[bool, typer.Option("--again", help=message("help-show-again").id)] = False,
    show_all: ShowAll = False,
    as_json: AsJson = False,
) -> None:
    """See `help-show`."""
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.bundle.find import newest_run
    from ssdlab.bundle.imported import is_imported
    from ssdlab.bundle.read import open_bundle
    from ssdlab.lab.run import conclude_again
    from ssdlab.method.probes import NAME as PROBE

    path = newest_run(lab) if run is None else run
    if is_imported(path):
        lines = ImportForm.ALL_LINES if show_all else ImportForm.ANSWER
        show_import(path, ImportForm.JSON if as_json else lines, again=again)
        return
    bundle = open_bundle(path)
    with made_sense_of(path):
        if bundle.run.suite.name == PROBE:
            bundle = _show_probed(bundle, again=again, show_all=show_all, as_json=as_json)
        else:
            bundle = conclude_again(path) if again else bundle
            if as_json:
                say_json(_fields(bundle))
            else:
                _print_bundle(bundle, show_all=show_all)
                tell_next("report", path)
    if _needs_a_look(bundle):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _needs_a_look(bundle: "Bundle") -> bool:
    """Whether numbers are not to be trusted without one: a check failed, or of a finished run something is damaged, or its audit lost."""
    from ssdlab.analysis.audit.run import failed
    from ssdlab.bundle.model import RunStatus

    is_finished = bundle.status is RunStatus.FINISHED
    return bool(failed(bundle.audit)) or (is_finished and (bool(bundle.faults) or _is_audit_lost(bundle)))


def _is_audit_lost(bundle: "Bundle") -> bool:
    """Of a finished run; a probe has no job, and nothing to check."""
    return not bundle.audit and any(step.job is not None for step in bundle.finished())


def _show_probed(bundle: "Bundle", *, again: bool, show_all: bool, as_json: bool) -> "Bundle":
    """What is sure, and everything that probes said as when they were run; the bundle as it was found to be."""
    from ssdlab.bundle.examine import examined
    from ssdlab.cli.probe import print_finding
    from ssdlab.probe.store.conclude import estimate_again
    from ssdlab.probe.store.reader import findings_of

    bundle = estimate_again(bundle.path) if again else examined(bundle)
    if as_json:
        say_json(_fields(bundle))
        return bundle
    _print_head(bundle)
    _print_lines(_answer(bundle))
    if show_all:
        say()
        for finding in findings_of(bundle):
            print_finding(finding)
    tell_next("report", bundle.path)
    return bundle


def _fields(bundle: "Bundle") -> dict[str, object]:
    from ssdlab.bundle import layout
    from ssdlab.bundle.totals import TOTALS_ADAPTER
    from ssdlab.message_json import IN_ENGLISH

    return {
        "path": str(bundle.path),
        "status": bundle.status.value,
        "reason": None if bundle.reason is None else str(bundle.reason),
        "faults": [str(fault) for fault in bundle.faults],
        "unchecked": None if (unchecked := bundle.files.unchecked) is None else str(unchecked.reason),
        "warnings": list(bundle.warnings),
        "run": layout.RUN_ADAPTER.dump_python(bundle.run, mode="json", context=IN_ENGLISH),
        "steps": layout.STEPS_ADAPTER.dump_python(bundle.steps, mode="json", context=IN_ENGLISH),
        "thinned": TOTALS_ADAPTER.dump_python(bundle.thinned, mode="json", context=IN_ENGLISH),
        "metrics": layout.METRICS_ADAPTER.dump_python(bundle.metrics, mode="json", context=IN_ENGLISH),
        "audit": audit_json(bundle.audit),
    }


def _print_bundle(bundle: "Bundle", *, show_all: bool) -> None:
    _print_head(bundle)
    lines = _answer(bundle)
    _print_lines(lines)
    # Of a suite of somebody's own there may be no key numbers, and nothing but metrics to tell.
    if show_all or not lines:
        _print_metrics(bundle)
    say()
    for line in _audit_lines(bundle, AuditDetail.ALL if show_all else AuditDetail.WHAT_TO_DO):
        say_wrapped(line)


def _audit_lines(bundle: "Bundle", detail: AuditDetail) -> "Iterator[Message | str]":
    from ssdlab.bundle.model import RunStatus

    if bundle.status is not RunStatus.FINISHED and not bundle.audit:
        yield message("audit-not-made")
        return
    if _is_audit_lost(bundle):
        yield message("audit-lost")
        return
    yield from audit_lines(bundle.audit, detail)


def _answer(bundle: "Bundle") -> list[str]:
    """What a run comes to; empty where there is no verdict and no key number."""
    from ssdlab.report.first_screen.screen import first_screen

    return list(answer_lines(first_screen([bundle])))


def _print_lines(lines: list[str]) -> None:
    for place, line in enumerate(lines):
        if not place:
            say()
        say(line)


def _print_metrics(bundle: "Bundle") -> None:
    from ssdlab.analysis.metrics.sustain_words import sentences
    from ssdlab.method.sustain import NAME as SUSTAIN

    if bundle.metrics:
        say()
    if bundle.run.suite.name == SUSTAIN:
        for told in sentences(bundle.metrics, bundle.not_whole):
            say(told)
    for line in metric_lines(bundle):
        say(line)


def _print_head(bundle: "Bundle") -> None:
    from ssdlab.bundle.model import RunStatus
    from ssdlab.units import format_bytes_decimal

    run = bundle.run
    say_wrapped(message("cli-on-target", suite=suite_line(run), target=run.drive.target))
    described = sentence(run.drive.description)
    say_wrapped(f"{described}, {format_bytes_decimal(run.drive.capacity_bytes)}, {run.engine}, {run.started_at}")
    for line in _origin(bundle):
        say_wrapped(line)
    say_wrapped(_ending(bundle))
    if bundle.status is not RunStatus.FINISHED:
        for step_line in step_lines(bundle):
            say_wrapped(step_line)
    for totals in bundle.thinned:
        say_wrapped(message("cli-more-steps", count=number(totals.count), name=totals.name))
    for one in bundle.resumptions:
        say_wrapped(message("cli-resumed", at=one.at, count=len(one.redone), reason=one.reason))
    for fault in bundle.faults:
        say_wrapped(message("cli-damaged", fault=fault))
    if (unchecked := bundle.files.unchecked) is not None:
        say_wrapped(message("cli-note", note=unchecked.reason))
    for warned in bundle.warned:
        say_wrapped(message("cli-note", note=warned.sentence))


def _origin(bundle: "Bundle") -> "Iterator[Message]":
    """Whose copy it is, if it is one."""
    from ssdlab.bundle.signature import read_signed

    if bundle.run.published is not None:
        yield message("cli-published-copy")
    if (signed := read_signed(bundle.path)) is not None:
        yield message("cli-signed-checked", by=str(signed.by), at=signed.checked_at)


def _ending(bundle: "Bundle") -> Message:
    status = message("cli-run-status", status=bundle.status.value)
    return status if bundle.reason is None else message("cli-status-because", status=status, reason=bundle.reason)
