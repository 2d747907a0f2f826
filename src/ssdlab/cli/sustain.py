"""`ssdlab sustain`."""

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ssdlab.cli.arguments import Erase
from ssdlab.cli.run import stop_like_ctrl_c, tell_failures
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.bundle.read import Bundle
    from ssdlab.lab.sustain_ground import Before, Choice
    from ssdlab.method.sustain import Verify, Wish, Work

E = TypeVar("E", bound=Enum)


def sustain(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A directory of a mounted file system, or a drive as for `run`.")
    ],
    chunk: Annotated[str, typer.Option("--chunk", metavar="SIZE", help="Written at once.")] = "64MiB",
    record: Annotated[str, typer.Option("--record", metavar="SIZE", help="Of a line of the record.")] = "1GiB",
    total: Annotated[str | None, typer.Option("--total", metavar="SIZE", help="To write in a pass.")] = None,
    leave: Annotated[
        str | None,
        typer.Option("--leave", metavar="SIZE", help="To leave free; 10MB of a file system if not given."),
    ] = None,
    passes: Annotated[str, typer.Option("--passes", metavar="N|forever", help="How often.")] = "1",
    verify: Annotated[
        str, typer.Option("--verify", metavar="none|after|each-pass", help="Read all back and compare.")
    ] = "none",
    rest: Annotated[
        str, typer.Option("--rest", metavar="2h", help="Let the drive idle before and between passes.")
    ] = "0s",
    trim: Annotated[bool, typer.Option("--trim", help="Give all blocks back first.")] = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Also add each record to this file.")
    ] = None,
    need: Annotated[
        str | None,
        typer.Option(
            "--need", metavar="1350MB/s", help="What a workload needs; says how much of the time it got that."
        ),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the files in the directory.")] = False,
    write_only: Annotated[
        bool, typer.Option("--write-only", help="Write once, read once, and leave the data for `--verify-tag`.")
    ] = False,
    tag: Annotated[str | None, typer.Option("--tag", metavar="T", help="Name of data that is left.")] = None,
    verify_tag: Annotated[
        str | None,
        typer.Option("--verify-tag", metavar="T", help="Read such data again, weeks later or on another host."),
    ] = None,
    erase: Erase = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help="Where bundles are kept.")] = Path("lab"),
) -> None:
    """Write it whole, and prove it holds.

    Into a directory it makes files of its own, removes them at the end and touches nothing else. The data follows from a seed and
    from its place, so that what comes back swapped, stale, from elsewhere or damaged is told apart. Ctrl-C ends it cleanly.
    """
    from ssdlab.drive.own_files import Keep
    from ssdlab.lab.sustain_ground import Before, Choice
    from ssdlab.method.sustain import Verify, Wish, Work
    from ssdlab.units import parse_bytes, parse_duration_ns

    stop_like_ctrl_c()
    work, name, when = _work(write_only, tag, verify_tag, _one_of(Verify, "--verify", verify))
    wish = Wish(
        chunk_bytes=parse_bytes(chunk),
        record_bytes=parse_bytes(record),
        total_bytes=None if total is None else parse_bytes(total),
        leave_bytes=parse_bytes(leave if leave is not None else _leave(target, work)),
        passes=1 if work is not Work.WRITE else _passes(passes),
        verify=when,
        rest_ns=parse_duration_ns(rest),
        need_bytes_per_s=None if need is None else parse_bytes(need.removesuffix("/s")),
        work=work,
        tag=name,
    )
    before, left = Before.TRIM if trim else Before.AS_IT_IS, Keep.KEEP if keep else Keep.REMOVE
    _advise(wish, before)
    _foresee(target, wish, before, lab)
    choice = Choice(target=target, erase=_agreed(target, erase, work), before=before, keep=left)
    _conclude(_done(choice, wish, lab, csv))


def _agreed(target: str, erase: str | None, work: "Work") -> str | None:
    """What may be lost; nothing is where nothing is written."""
    from ssdlab.cli.erase import agreed
    from ssdlab.method.sustain import Work

    return erase if work is Work.READ_AGAIN else agreed(target, erase)


def _done(choice: "Choice", wish: "Wish", lab: Path, csv: Path | None) -> "Bundle":
    from ssdlab.cli.sustain_screen import screen_for
    from ssdlab.lab.sustain import sustain as run_passes
    from ssdlab.lab.sustain_ground import open_ground

    with open_ground(choice, wish) as ground, screen_for(sys.stderr) as screen:
        return run_passes(wish, ground, lab, screen, csv)


def _leave(target: str, work: "Work") -> str:
    """Of a file system a little, for its own records; files that were left are as long as they were made."""
    from ssdlab.method.sustain import Work

    is_new = work is not Work.READ_AGAIN and Path(target.removeprefix("file:").partition("?")[0]).is_dir()
    return "10MB" if is_new else "0B"


def _advise(wish: "Wish", before: "Before") -> None:
    """Refuse to trim what is to be read, and say what a drive in use needs."""
    from ssdlab.errors import UsageError
    from ssdlab.lab.sustain_ground import Before
    from ssdlab.method.sustain import Work

    trims, reads = before is Before.TRIM, wish.work is Work.READ_AGAIN
    if trims and reads:
        raise UsageError("`--trim` would do away with the data that `--verify-tag` reads", "leave `--trim` out")
    if not trims and not reads and not wish.rest_ns:
        print(
            "note: a drive that was in use before may be slower; `--trim --rest 15min` gives its blocks back and lets it settle",
            file=sys.stderr,
        )


def _foresee(target: str, wish: "Wish", before: "Before", lab: Path) -> None:
    """Say what will be done, before anything is."""
    from ssdlab.lab.open import identify
    from ssdlab.lab.sustain_ground import directory_of, room_of
    from ssdlab.lab.sustain_retention import require_new_tag
    from ssdlab.lab.sustain_speeds import earlier_speeds
    from ssdlab.lab.sustain_words import foreseen
    from ssdlab.method.sustain import length_of

    require_new_tag(lab, wish)
    length_bytes = length_of(wish, room_of(target, wish))
    speeds = earlier_speeds(lab, identify(target)) if directory_of(target) is None else None
    for line in foreseen(target, wish, before, length_bytes, speeds):
        print(line, file=sys.stderr)


def _conclude(bundle: "Bundle") -> None:
    from ssdlab.analysis.sustain_words import sentences

    for line in sentences(bundle.metrics, bundle.not_whole):
        print(line, file=sys.stderr)
    print(bundle.path)
    tell_failures(bundle.audit)
    if any(metric.name == "sustain.verify.bad_bytes" and metric.value for metric in bundle.metrics):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _one_of(kind: "type[E]", option: str, text: str) -> "E":
    from ssdlab.errors import UsageError

    try:
        return kind(text)
    except ValueError as error:
        allowed = ", ".join(str(one.value) for one in kind)
        raise UsageError(f"`{option} {text}` is unknown", f"allowed are: {allowed}") from error


def _work(
    write_only: bool, tag: str | None, verify_tag: str | None, verify: "Verify"
) -> "tuple[Work, str | None, Verify]":
    from ssdlab.errors import UsageError
    from ssdlab.method.sustain import Verify, Work

    if verify_tag is not None:
        if write_only or tag is not None:
            raise UsageError("`--verify-tag` only reads", "leave `--write-only` and `--tag` out")
        return Work.READ_AGAIN, verify_tag, Verify.AFTER
    if write_only != (tag is not None):
        raise UsageError(
            "data that is left needs a name, and a name needs data that is left", "give both: `--write-only --tag T`"
        )
    if write_only:
        return Work.WRITE_AND_LEAVE, tag, Verify.AFTER
    return Work.WRITE, None, verify


def _passes(text: str) -> int | None:
    from ssdlab.errors import UsageError

    if text == "forever":
        return None
    if not text.isdecimal():
        raise UsageError(f"`--passes {text}` is no number", "give a number, or `forever`")
    return int(text)
