"""`ssdlab doctor`."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import TARGET_HELP, AsJson
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.lab.doctor import Examination, Undone


def doctor(
    target: Annotated[str | None, typer.Argument(metavar="TARGET", help=TARGET_HELP)] = None,
    as_json: AsJson = False,
    restore: Annotated[
        bool,
        typer.Option(
            "--restore", help="Put back what killed runs had set on this host and on drives, and say what became of it."
        ),
    ] = False,
) -> None:
    """Say whether the host is fit to measure.

    Looks at processors, memory, fio, what killed runs left, and with a target at its drive, link and queue. Each finding comes with
    its mend. Exit status 1 means that measuring would mislead. Only `--restore` changes anything.
    """
    from ssdlab.lab.doctor import examine, put_back
    from ssdlab.unknown import Unknown

    if restore:
        _show_undone(put_back(), as_json)
        return
    seen = examine(Unknown("no target was named") if target is None else target)
    if as_json:
        from pydantic import TypeAdapter

        from ssdlab.lab.doctor import Examination

        print(json.dumps(TypeAdapter(Examination).dump_python(seen, mode="json"), indent=2))
    else:
        for line in lines(seen):
            print(line)
    if seen.misleading:
        raise typer.Exit(ExitStatus.REFUSED)


def lines(seen: "Examination") -> list[str]:
    """Host and drive in a few lines, the findings, and what they come to."""
    from ssdlab.drive.host_findings import Severity

    shown = [f"{name:<10}{text}" for name, text in _facts(seen)]
    for one in seen.findings:
        shown.append(f"{one.severity.value}: {one.text}")
        if one.mend:
            shown.append(f"    to do: {one.mend}")
    warnings = sum(one.severity is Severity.WARNS for one in seen.findings)
    if seen.misleading:
        verdict = "do not measure now: the numbers would mislead"
    elif warnings:
        verdict = "fit to measure, with what is warned of"
    else:
        verdict = "fit to measure"
    return [*shown, verdict]


def _facts(seen: "Examination") -> list[tuple[str, str]]:
    from ssdlab.drive.host_findings import link_finding, smt_words
    from ssdlab.unknown import Unknown

    state = seen.state
    smt = _cell(smt_words(state))
    governors = sorted({_cell(one.governor) for one in state.policies})
    facts = [
        *([] if isinstance(seen.target, Unknown) else [("target", seen.target)]),
        ("kernel", _cell(state.kernel)),
        ("board", f"{_cell(state.board)}, BIOS {_cell(state.bios)}"),
        ("cpu", f"governor {', '.join(governors) or 'unknown'}, boost {_cell(state.boost)}, SMT {smt}"),
        ("fio", _cell(seen.fio)),
    ]
    if isinstance(state.attachment, Unknown):
        return facts
    queue, link = state.attachment.queue, link_finding(state)
    words = {name: _cell(value) for name, value in (("scheduler", queue.scheduler), ("nomerges", queue.nomerges))}
    words |= {name: _cell(value) for name, value in (("rq_affinity", queue.rq_affinity), ("io_poll", queue.io_poll))}
    return [
        *facts,
        ("queue", ", ".join(f"{name} {value}" for name, value in words.items())),
        ("link", _cell(link) if isinstance(link, Unknown) else link.text),
    ]


def _cell(value: object) -> str:
    return value if isinstance(value, str) else "unknown"


def _show_undone(undone: "Undone", as_json: bool) -> None:
    if as_json:
        from pydantic import TypeAdapter

        from ssdlab.lab.doctor import Undone

        print(json.dumps(TypeAdapter(Undone).dump_python(undone, mode="json"), indent=2))
    else:
        for line in undone_lines(undone):
            print(line)
    if not undone.is_whole:
        raise typer.Exit(ExitStatus.REFUSED)


def undone_lines(undone: "Undone") -> list[str]:
    """Each run that was killed with each of its settings, and each drive that may have had a password."""
    shown = []
    for restoration in undone.hosts:
        shown.append(restoration.of)
        if not restoration.settings:
            shown.append("    the kernel was started since, which undid everything")
        for one in restoration.settings:
            reason = f" ({one.reason})" if one.reason else ""
            shown.append(f"    {one.path}: {one.before} {one.outcome.value}{reason}")
    for freed in undone.drives:
        shown.append(
            f"the interrupted erase of {freed.note.model} (serial number {freed.note.serial}) at {freed.note.at}"
        )
        shown.append("    it has no password" if freed.left is None else f"    it may have a password: {freed.left}")
        shown += [f"    to do: {mend}" for mend in freed.mends]
    return shown or ["no run left anything to put back"]
