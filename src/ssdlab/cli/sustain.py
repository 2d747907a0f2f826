"""`ssdlab sustain`."""

import re
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ssdlab.cli.arguments import Erase, MaxTemperature, MaxWrite
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.outlive import outlive_terminal
from ssdlab.cli.run import limits_of, tell_failures
from ssdlab.cli.terminal import say, tell
from ssdlab.errors import ExitStatus
from ssdlab.message import message

if TYPE_CHECKING:
    from ssdlab.bundle.model import Limits
    from ssdlab.bundle.read import Bundle
    from ssdlab.lab.sustain.ground import Before, Choice
    from ssdlab.method.sustain import SustainSettings, Verify, Work

E = TypeVar("E", bound=Enum)
Need = Annotated[
    str | None,
    typer.Option("--need", metavar="1350MB/s", help=message("help-sustain-need").id),
]
VerifyTag = Annotated[
    str | None,
    typer.Option("--verify-tag", metavar="T", help=message("help-sustain-verify-tag").id),
]
Rest = Annotated[str, typer.Option("--rest", metavar="2h", help=message("help-sustain-rest").id)]
RestBetween = Annotated[
    str, typer.Option("--rest-between", metavar="TIME", help=message("help-sustain-rest-between").id)
]


def sustain(
    target: Annotated[str, typer.Argument(metavar="TARGET", help=message("help-sustain-target").id)],
    chunk: Annotated[str, typer.Option("--chunk", metavar="SIZE", help=message("help-sustain-chunk").id)] = "64MiB",
    record: Annotated[str, typer.Option("--record", metavar="SIZE", help=message("help-sustain-record").id)] = "1GiB",
    total: Annotated[str | None, typer.Option("--total", metavar="SIZE", help=message("help-sustain-total").id)] = None,
    leave: Annotated[
        str | None,
        typer.Option("--leave", metavar="SIZE", help=message("help-sustain-leave").id),
    ] = None,
    passes: Annotated[str, typer.Option("--passes", metavar="N|forever", help=message("help-sustain-passes").id)] = "1",
    verify: Annotated[
        str, typer.Option("--verify", metavar="none|after|each-pass", help=message("help-sustain-verify").id)
    ] = "none",
    rest: Annotated[str, typer.Option("--rest", metavar="2h", help=message("help-sustain-rest").id)] = "0s",
    rest_between: Annotated[
        str, typer.Option("--rest-between", metavar="TIME", help=message("help-sustain-rest-between").id)
    ] = "0s",
    trim: Annotated[bool, typer.Option("--trim", help=message("help-sustain-trim").id)] = False,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help=message("help-sustain-csv").id)] = None,
    need: Need = None,
    keep: Annotated[bool, typer.Option("--keep", help=message("help-sustain-keep").id)] = False,
    write_only: Annotated[bool, typer.Option("--write-only", help=message("help-sustain-write-only").id)] = False,
    tag: Annotated[str | None, typer.Option("--tag", metavar="T", help=message("help-sustain-tag").id)] = None,
    verify_tag: VerifyTag = None,
    erase: Erase = None,
    max_temperature: MaxTemperature = None,
    max_write: MaxWrite = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
) -> None:
    """See `help-sustain`."""
    from ssdlab.cli.quantities import bandwidth, typed, typed_or_none
    from ssdlab.drive.kinds.own_files import Keep
    from ssdlab.lab.sustain.ground import Before, Choice
    from ssdlab.method.sustain import SustainSettings, Verify, Work
    from ssdlab.units import parse_bytes, parse_duration_ns

    outlive_terminal()
    limits = limits_of(max_temperature, max_write)
    work, name, when = _work(write_only, tag, verify_tag, _one_of(Verify, "--verify", verify))
    settings = SustainSettings(
        chunk_bytes=typed(parse_bytes, chunk),
        record_bytes=typed(parse_bytes, record),
        total_bytes=typed_or_none(parse_bytes, total),
        leave_bytes=typed(parse_bytes, leave if leave is not None else _leave(target, work)),
        passes=1 if work is not Work.WRITE else _passes(passes),
        verify=when,
        rest_ns=typed(parse_duration_ns, rest),
        rest_between_ns=typed(parse_duration_ns, rest_between),
        need_bytes_per_s=typed_or_none(bandwidth, need),
        work=work,
        tag=name,
    )
    before, left = Before.TRIM if trim else Before.AS_IT_IS, Keep.KEEP if keep else Keep.REMOVE
    _advise(target, settings, before)
    _foresee(target, settings, before, lab)
    choice = Choice(target=target, erase=_agreed(target, erase, work), before=before, keep=left)
    _conclude(_done(choice, settings, lab, csv, limits))


def _require_place(target: str) -> None:
    """A path is a directory that is there; a drive has a scheme, or is below `/dev`.

    Raises:
        SsdlabError: It is not.
    """
    from ssdlab.errors import SsdlabError

    path = Path(target)
    if path.is_absolute() and path.parts[1:2] != ("dev",) and not path.exists():
        raise SsdlabError(message("cli-no-directory", target=target), message("cli-make-directory", target=target))


def _agreed(target: str, erase: str | None, work: "Work") -> str | None:
    """What may be lost; nothing is where nothing is written."""
    from ssdlab.cli.erase import agreed
    from ssdlab.method.sustain import Work

    return erase if work is Work.READ_AGAIN else agreed(target, erase)


def _done(choice: "Choice", settings: "SustainSettings", lab: Path, csv: Path | None, limits: "Limits") -> "Bundle":
    from ssdlab.cli.sustain_screen import screen_for
    from ssdlab.lab.sustain.ground import open_ground
    from ssdlab.lab.sustain.run import sustain as run_passes

    with open_ground(choice, settings) as ground, screen_for(sys.stderr) as screen:
        return run_passes(settings, ground, lab, screen, csv, limits)


def _leave(target: str, work: "Work") -> str:
    """Of a file system a little, for its own records; files that were left are as long as they were made."""
    from ssdlab.method.sustain import Work

    is_new = work is not Work.READ_AGAIN and Path(target.removeprefix("file:").partition("?")[0]).is_dir()
    return "10MB" if is_new else "0B"


def _advise(target: str, settings: "SustainSettings", before: "Before") -> None:
    """Refuse what is not there and to trim what is to be read."""
    from ssdlab.errors import UsageError
    from ssdlab.lab.sustain.ground import Before
    from ssdlab.method.sustain import Work

    _require_place(target)
    trims, reads = before is Before.TRIM, settings.work is Work.READ_AGAIN
    if trims and reads:
        raise UsageError(message("cli-trim-and-verify"), message("cli-leave-trim-out"))


def _foresee(target: str, settings: "SustainSettings", before: "Before", lab: Path) -> None:
    """Say what will be done, before anything is."""
    from ssdlab.lab.bench import identify
    from ssdlab.lab.sustain.foreseen import foreseen
    from ssdlab.lab.sustain.ground import Before, directory_of, room_of
    from ssdlab.lab.sustain.retention import require_new_tag
    from ssdlab.lab.sustain.speeds import earlier_speeds
    from ssdlab.method.sustain import Work, length_of

    require_new_tag(lab, settings)
    length_bytes = length_of(settings, room_of(target, settings))
    speeds = earlier_speeds(lab, identify(target)) if directory_of(target) is None else None
    if before is not Before.TRIM and settings.work is not Work.READ_AGAIN and not settings.rest_ns:
        tell(message("cli-used-drive-note"))
    for line in foreseen(target, settings, before, length_bytes, speeds):
        tell(line)


def _conclude(bundle: "Bundle") -> None:
    from ssdlab.analysis.metrics.sustain import ALL_READINGS
    from ssdlab.analysis.metrics.sustain_words import sentences
    from ssdlab.bundle.metric_key import MetricKey
    from ssdlab.bundle.quantities import BAD_BYTES

    for line in sentences(bundle.metrics, bundle.not_whole):
        tell(line)
    say(bundle.path)
    tell_next("report", bundle.path)
    tell_failures(bundle.audit)
    if any(metric.key == MetricKey(ALL_READINGS, BAD_BYTES) and metric.value for metric in bundle.metrics):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _one_of(kind: "type[E]", option: str, text: str) -> "E":
    from ssdlab.errors import UsageError

    try:
        return kind(text)
    except ValueError as error:
        allowed = ", ".join(str(one.value) for one in kind)
        raise UsageError(
            message("cli-unknown-choice", option=option, text=text), message("cli-allowed-choices", allowed=allowed)
        ) from error


def _work(
    write_only: bool, tag: str | None, verify_tag: str | None, verify: "Verify"
) -> "tuple[Work, str | None, Verify]":
    from ssdlab.errors import UsageError
    from ssdlab.method.sustain import Verify, Work

    if verify_tag is not None:
        if write_only or tag is not None:
            raise UsageError(message("cli-verify-tag-only-reads"), message("cli-leave-write-only-out"))
        return Work.READ_AGAIN, verify_tag, Verify.AFTER
    if write_only != (tag is not None):
        raise UsageError(message("cli-write-only-and-tag"), message("cli-give-both"))
    if write_only:
        return Work.WRITE_AND_LEAVE, tag, Verify.AFTER
    return Work.WRITE, None, verify


def _passes(text: str) -> int | None:
    from ssdlab.errors import UsageError
    from ssdlab.units import clipped

    if text == "forever":
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise UsageError(message("cli-passes-no-number", text=clipped(text)), message("cli-passes-number"))
    return int(text)
