"""Help in the reader's language: what Typer holds as help are ids of messages, which become sentences when help is shown."""

import os
import re
from enum import Enum
from typing import TYPE_CHECKING

from typer._click import Command
from typer._click.utils import make_default_short_help
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from ssdlab.cli.language import language_of, sentence, speak, without_language
from ssdlab.cli.terminal import columns_of
from ssdlab.message import Message, message, message_of, semicolons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Context, HelpFormatter, Parameter
    from typer._click.shell_completion import CompletionItem

_WITH_ITS_OWN = "report"
"""The command whose `--lang` says what its files are in."""
_REQUIRED = re.compile(r"\{(?P<name>.*?)(?P<more>\.\.\.)?\}(?P<again>\.\.\.)?")
_FILLER = "\ue000"
"""Follows each letter that takes two columns while lines are broken, which counts letters."""


class _Spoken(Command):
    """See `SpokenCommand` and `SpokenGroup`."""

    def get_help(self, ctx: "Context") -> str:
        """See `Command`."""
        return super().get_help(ctx).replace(_FILLER, "")

    def get_short_help_str(self, limit: int = 45) -> str:
        """See `Command`."""
        return make_default_short_help(_of_id(self.help), limit)

    def shell_complete(self, ctx: "Context", incomplete: str) -> "list[CompletionItem]":
        """See `Command`."""
        from typer._click.shell_completion import CompletionItem

        said = {name: _first_line(each) for each in self.get_params(ctx) for name in each.opts}
        return [
            CompletionItem(item.value, item.type, said.get(item.value, item.help))
            for item in super().shell_complete(ctx, incomplete)
        ]

    def format_usage(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """See `Command`."""
        prefix = _measured(message("help-usage"))
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), f"{prefix}: ")

    def collect_usage_pieces(self, ctx: "Context") -> list[str]:
        """See `Command`."""
        return [_as_typed(piece) for piece in super().collect_usage_pieces(ctx)]

    def format_help_text(self, ctx: "Context", formatter: "HelpFormatter") -> None:  # noqa: ARG002 - as Typer calls it
        """See `Command`."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_of_id(self.help))

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """See `Command`."""
        parameters = self.get_params(ctx)
        arguments = [parameter_row(each, ctx) for each in parameters if isinstance(each, TyperArgument)]
        options = [parameter_row(each, ctx) for each in parameters if isinstance(each, TyperOption)]
        _write_section(message("help-arguments"), arguments, formatter)
        _write_section(message("help-options"), options, formatter)


class SpokenCommand(_Spoken, TyperCommand):
    """A command whose help is in the reader's language."""


class SpokenGroup(_Spoken, TyperGroup):
    """A command that has commands; its help lists them."""

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """See `Command`."""
        super().format_options(ctx, formatter)
        by_group: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            group = command.rich_help_panel if isinstance(command, TyperCommand | TyperGroup) else None
            by_group.setdefault(group or message("help-commands").id, []).append((name, command.get_short_help_str()))
        for group, rows in by_group.items():
            _write_section(message_of(group, {}), rows, formatter)


class LanguageAnywhere(SpokenGroup):
    """Commands after which `--lang` may stand as well as before them."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """See `TyperGroup`."""
        speak(language_of(args, os.environ))
        taken, others = without_language(args)
        named = next((argument for argument in others if not argument.startswith("-")), None)
        return super().parse_args(ctx, args if named == _WITH_ITS_OWN else [*taken, *others])


def _as_typed(piece: str) -> str:
    """`RUN...` in place of `{RUN...}...`."""
    required = _REQUIRED.fullmatch(piece)
    if required is None:
        return piece.replace("...]...", "]...")
    return required["name"] + ("..." if required["more"] or required["again"] else "")


def _write_section(title: Message, rows: list[tuple[str, str]], formatter: "HelpFormatter") -> None:
    if rows:
        with formatter.section(_measured(title)):
            formatter.write_dl(rows)


def parameter_row(parameter: "TyperArgument | TyperOption", ctx: "Context") -> tuple[str, str]:
    """How an argument or option is written, and what it does."""
    record = parameter.get_help_record(ctx)
    name = parameter.name if record is None else record[0]
    # Typer makes this option itself, and has a sentence of its own for it.
    text = _measured(message("help-help")) if parameter.name == "help" else _of_id(parameter.help)
    asides = list(_asides(parameter, ctx))
    return name, f"{text}  [{_measured(message('listed', items=semicolons(*asides)))}]" if asides else text


def _asides(parameter: "TyperArgument | TyperOption", ctx: "Context") -> "Iterator[Message | str]":
    """What holds if it is not given, the numbers it may be, and whether it must be given."""
    default = parameter.get_default(ctx, call=False)
    if default is not None and default is not False:
        yield message("help-default", value=str(default.value if isinstance(default, Enum) else default))
    if parameter.min is not None:
        yield f"{parameter.min}<=x<={parameter.max}" if parameter.max is not None else f"x>={parameter.min}"
    if parameter.required:
        yield message("help-required")


def _first_line(parameter: "Parameter") -> str | None:
    """What an option does, for a shell that lists it."""
    if not isinstance(parameter, TyperOption):
        return None
    told = message("help-help") if parameter.name == "help" else message_of(parameter.help or "", {})
    return sentence(told).partition("\n")[0]


def _of_id(id_: str | None) -> str:
    return "" if id_ is None else _measured(message_of(id_, {}))


def _measured(told: Message) -> str:
    """In the reader's language, and as many letters as it takes columns."""
    return "".join(letter + _FILLER * (columns_of(letter) - 1) for letter in sentence(told))
