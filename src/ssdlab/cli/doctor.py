"""`ssdlab doctor`."""

from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import TARGET_HELP, AsJson
from ssdlab.cli.language import sentence
from ssdlab.cli.table import padded
from ssdlab.cli.terminal import say, say_json
from ssdlab.errors import ExitStatus
from ssdlab.message import Message, commas, message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ssdlab.host.findings import HostFinding
    from ssdlab.host.restore import PutBack
    from ssdlab.lab.doctor import HostExamination, Undone


def doctor(
    target: Annotated[str | None, typer.Argument(metavar="TARGET", help=TARGET_HELP)] = None,
    as_json: AsJson = False,
    restore: Annotated[
        bool,
        typer.Option("--restore", help=message("help-doctor-restore").id),
    ] = False,
) -> None:
    """See `help-doctor`."""
    from ssdlab.lab.doctor import examine, put_back
    from ssdlab.unknown import Unknown

    if restore:
        _show_undone(put_back(), as_json)
        return
    seen = examine(Unknown(message("unknown-no-target")) if target is None else target)
    if as_json:
        from pydantic import TypeAdapter

        from ssdlab.lab.doctor import HostExamination
        from ssdlab.message_json import IN_ENGLISH

        say_json(TypeAdapter(HostExamination).dump_python(seen, mode="json", context=IN_ENGLISH))
    else:
        for line in lines(seen):
            say(line)
    if seen.errors:
        raise typer.Exit(ExitStatus.REFUSED)


def lines(seen: "HostExamination") -> list[str]:
    """What the findings come to, the findings, then host and drive in a few lines."""
    from ssdlab.host.findings import Severity

    shown = []
    for finding in seen.findings:
        shown.append(sentence(_graded(finding)))
        if finding.remedy is not None:
            shown.append(f"    {sentence(message('cli-to-do', remedy=finding.remedy))}")
    if seen.errors:
        verdict = message("cli-doctor-unfit")
    elif any(finding.severity is Severity.WARNING for finding in seen.findings):
        verdict = message("cli-doctor-fit-but")
    else:
        verdict = message("cli-doctor-fit")
    facts = [f"{padded(sentence(name), 10)}{sentence(text)}" for name, text in _facts(seen)]
    return [sentence(verdict), *shown, "", *facts]


def _graded(finding: "HostFinding") -> Message:
    from ssdlab.host.findings import Severity

    match finding.severity:
        case Severity.ERROR:
            return message("cli-error", what=finding.message)
        case Severity.WARNING:
            return message("cli-warning", text=finding.message)
        case Severity.INFO:
            return message("cli-info", what=finding.message)


def _facts(seen: "HostExamination") -> "Iterator[tuple[Message, Message | str]]":
    from ssdlab.host.findings import link_finding, smt_words
    from ssdlab.unknown import Unknown

    state = seen.state
    if not isinstance(seen.target, Unknown):
        yield message("cli-doctor-target"), seen.target
    yield message("cli-doctor-kernel"), _cell(state.kernel)
    board, bios = _cell(state.board), _cell(state.bios)
    yield message("cli-doctor-board"), message("cli-doctor-board-bios", board=board, bios=bios)
    governors = sorted({sentence(_cell(policy.governor)) for policy in state.policies})
    settings = message(
        "cli-doctor-cpu-settings",
        governor=commas(*governors) if governors else message("cli-unknown"),
        boost=_cell(state.boost),
        smt=_cell(smt_words(state)),
    )
    yield message("cli-doctor-cpu"), settings
    yield message("cli-doctor-fio"), _cell(seen.fio)
    if isinstance(state.attachment, Unknown):
        return
    queue, link = state.attachment.queue, link_finding(state)
    words = {"scheduler": queue.scheduler, "nomerges": queue.nomerges}
    words |= {"rq_affinity": queue.rq_affinity, "io_poll": queue.io_poll}
    yield message("cli-doctor-queue"), ", ".join(f"{name} {sentence(_cell(value))}" for name, value in words.items())
    yield message("cli-doctor-link"), _cell(link) if isinstance(link, Unknown) else link.words


def _cell(value: object) -> Message | str:
    return value if isinstance(value, str | Message) else message("cli-unknown")


def _show_undone(undone: "Undone", as_json: bool) -> None:
    if as_json:
        from pydantic import TypeAdapter

        from ssdlab.lab.doctor import Undone
        from ssdlab.message_json import IN_ENGLISH

        say_json(TypeAdapter(Undone).dump_python(undone, mode="json", context=IN_ENGLISH))
    else:
        for line in undone_lines(undone):
            say(line)
    if not undone.is_whole:
        raise typer.Exit(ExitStatus.REFUSED)


def undone_lines(undone: "Undone") -> list[str]:
    """Each run that was killed with each of its settings, and each drive that may have had a password."""
    shown = []
    for restoration in undone.hosts:
        shown.append(sentence(restoration.of))
        if not restoration.settings:
            shown.append(f"    {sentence(message('cli-undone-by-start'))}")
        shown += [f"    {sentence(_put_back(setting))}" for setting in restoration.settings]
    for freed in undone.drives:
        note = freed.note
        shown.append(sentence(message("cli-erase-interrupted", model=note.model, serial=note.serial, at=note.at)))
        left = freed.left
        password = message("cli-no-password") if left is None else message("cli-maybe-password", why=left)
        shown.append(f"    {sentence(password)}")
        shown += [f"    {sentence(message('cli-to-do', remedy=remedy))}" for remedy in freed.remedies]
    return shown or [sentence(message("cli-nothing-to-put-back"))]


def _put_back(setting: "PutBack") -> Message:
    path, outcome = str(setting.path), setting.outcome.words
    back = message("cli-put-back", path=path, before=setting.before, outcome=outcome)
    return back if setting.reason is None else message("cli-put-back-because", back=back, why=setting.reason)
