"""`ssdlab publish`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.arguments import AsJson
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import ask, say, say_json, tell
from ssdlab.message import message

if TYPE_CHECKING:
    from ssdlab.publish.summary import KindCount

_EXAMPLE_LETTERS_MAX = 40
_LAB_OF_OTHERS = "theirs"


def publish(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help=message("help-publish-run").id, autocompletion=candidates.runs)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help=message("help-publish-output").id)],
    sign: Annotated[
        Path | None,
        typer.Option("--sign", metavar="KEY", help=message("help-publish-sign").id),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help=message("help-publish-yes").id)] = False,
    as_json: AsJson = False,
) -> None:
    """See `help-publish`."""
    from ssdlab.errors import SsdlabError
    from ssdlab.os_errors import in_words
    from ssdlab.publish.archive import pack
    from ssdlab.publish.copy import published_copy
    from ssdlab.publish.owner import key_path, owner_at
    from ssdlab.publish.summary import summary_of
    from ssdlab.scratch import scratch

    _require_place(output)
    try:
        with scratch(output.parent, ".publishing-") as directory:
            copy, account = published_copy(run, directory, owner_at(key_path()))
            (_print_json if as_json else _print_rows)(summary_of(account))
            if not (yes or _is_agreed(output)):
                raise SsdlabError(message("publish-nothing-written"), message("publish-yes-writes"))
            pack(copy, output, sign)
    except OSError as error:
        raise SsdlabError(
            message("publish-impossible", error=in_words(error).message), message("publish-name-with-output")
        ) from error
    if not as_json:
        say(output)
        # For whoever gets the file; one's own lab has the run.
        tell_next("library", "add", output, "--lab", _LAB_OF_OTHERS)


def _require_place(output: Path) -> None:
    from ssdlab.errors import SsdlabError
    from ssdlab.place import require_nothing_there

    require_nothing_there(output)
    if not output.parent.is_dir():
        raise SsdlabError(message("publish-no-directory", output=str(output), parent=str(output.parent)))


def _is_agreed(output: Path) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    ask(message("publish-write-it", output=str(output)))
    return sys.stdin.readline().strip().casefold() in {"y", "yes", "예", "네"}


def _print_rows(rows: "tuple[KindCount, ...]") -> None:
    head = (
        "",
        message("publish-column-what"),
        message("publish-column-count"),
        message("publish-column-example"),
        message("publish-column-stand-in"),
    )
    cells = [
        (
            message("publish-fate", fate=row.fate.name.lower()),
            row.what,
            f"{row.count:,}",
            _short(row.example),
            row.stand_in,
        )
        for row in rows
    ]
    sides = (Alignment.LEFT, Alignment.LEFT, Alignment.RIGHT, Alignment.LEFT, Alignment.LEFT)
    for line in table_lines(head, cells, sides):
        tell(line)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXAMPLE_LETTERS_MAX else f"{line[: _EXAMPLE_LETTERS_MAX - 1]}…"


def _print_json(rows: "tuple[KindCount, ...]") -> None:
    said = [
        {
            "fate": row.fate.value,
            "what": str(row.what),
            "count": row.count,
            "example": row.example,
            "stand_in": row.stand_in or None,
        }
        for row in rows
    ]
    say_json(said)
