"""Manual pages, one of `ssdlab` and one a command, from the help of the command line."""

from collections.abc import Iterator, Mapping
from typing import Any

import typer
from typer.core import TyperArgument, TyperOption

from ssdlab.cli import app
from ssdlab.cli.help_text import parameter_row
from ssdlab.cli.language import sentence
from ssdlab.message import message_of


def pages() -> Mapping[str, str]:
    """Each page by its file name."""
    return {f"{path.replace(' ', '-')}.1": text for path, text in _pages(typer.main.get_command(app), "ssdlab", None)}


def _pages(command: Any, name: str, parent: Any) -> Iterator[tuple[str, str]]:
    context = command.context_class(command, info_name=name, parent=parent)
    children = getattr(command, "commands", {})
    yield context.command_path, "\n".join(_lines(command, context, children)) + "\n"
    for child in children.values():
        yield from _pages(child, child.name, context)


def _lines(command: Any, context: Any, children: Mapping[str, Any]) -> Iterator[str]:
    path = context.command_path
    summary, *paragraphs = sentence(message_of(command.help, {})).split("\n\n")
    page = path.replace(" ", "-")
    yield f'.TH {page.upper()} 1 "" ssdlab ssdlab'
    yield f".SH NAME\n{_escaped(page)} \\- {_escaped(summary)}"
    yield f".SH SYNOPSIS\n.B {_escaped(path)}\n{_escaped(' '.join(command.collect_usage_pieces(context)))}"
    if paragraphs:
        yield ".SH DESCRIPTION"
        yield "\n.PP\n".join(map(_escaped, paragraphs))
    parameters = command.get_params(context)
    yield from _section(
        "ARGUMENTS", [parameter_row(one, context) for one in parameters if isinstance(one, TyperArgument)]
    )
    yield from _section("OPTIONS", [parameter_row(one, context) for one in parameters if isinstance(one, TyperOption)])
    rows = [
        (f"{page}-{name}(1)", sentence(message_of(child.help, {})).split("\n")[0]) for name, child in children.items()
    ]
    yield from _section("COMMANDS", rows)
    if context.parent is not None:
        yield f".SH SEE ALSO\n.BR {_escaped(context.parent.command_path.replace(' ', '-'))} (1)"


def _section(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield f".SH {title}"
    for name, text in rows:
        yield f".TP\n.B {_escaped(name)}\n{_escaped(text)}"


def _escaped(text: str) -> str:
    """As roff reads it: one paragraph whose lines begin with no request, with the signs that are typed."""
    joined = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return f"\\&{joined}" if joined.startswith(".") else joined
