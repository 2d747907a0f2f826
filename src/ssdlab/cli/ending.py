"""What ended a command, in words: no exception leaves ssdlab as a traceback."""

import os
import sys
import tempfile
from typing import TYPE_CHECKING

from typer._click.exceptions import BadParameter, MissingParameter, NoSuchOption
from typer.core import TyperArgument, TyperGroup, TyperOption
from typer.exceptions import TyperException

from ssdlab import os_errors
from ssdlab.cli.terminal import say_text, tell
from ssdlab.errors import SsdlabError, UsageError
from ssdlab.message import Message, commas, message, verbatim

if TYPE_CHECKING:
    from typer._click import Context


def explain(error: SsdlabError) -> None:
    """Say what was found and what to do about it."""
    first, *more = error.lines
    tell(message("cli-error", what=first))
    for line in more:
        tell(line)
    if error.hints:
        tell()
    for hint in error.hints:
        tell(message("cli-hint", what=hint))


def in_words(error: Exception) -> SsdlabError:
    """Any exception as an error for people; one nobody foresaw is a fault of ssdlab, whose traceback is kept."""
    match error:
        case SsdlabError():
            return error
        case TyperException():
            return _misuse(error)
        case OSError():
            return os_errors.in_words(error)
        case _ if _is_out_of_memory(error):
            return os_errors.not_enough_memory()
        case _:
            return _own_fault(error)


def show_help_in_place_of(error: Exception) -> bool:
    """Whether a command was typed with nothing at all, which asks for its help; it is shown then."""
    context = getattr(error, "ctx", None)
    if not isinstance(error, TyperException) or context is None or error.message != context.get_help():
        return False
    say_text(error.message, sys.stderr)
    return True


def _misuse(error: TyperException) -> SsdlabError:
    """What the command line's reader found, in our form of words."""
    context, found = getattr(error, "ctx", None), _misused(error)
    if context is None:
        return UsageError(found)
    if isinstance(error, NoSuchOption) and (command := _command_with(error.option_name, context)) is not None:
        usage = f"{context.command_path} {command} ... {error.option_name} ..."
        return UsageError(message("cli-option-after", name=error.option_name), verbatim(f"`{usage}`"))
    pieces = (context.command_path, *context.command.collect_usage_pieces(context))
    return UsageError(
        found,
        message("cli-usage", usage=" ".join(pieces)),
        message("cli-help-says-more", command=context.command_path),
    )


def _command_with(option: str, context: "Context") -> str | None:
    """A command of a group that has the option, which was typed before the command."""
    if not isinstance(context.command, TyperGroup):
        return None
    named = (name for name in sys.argv[1:] if name in context.command.commands)
    return next(
        (name for name in named if any(option in each.opts for each in context.command.commands[name].params)), None
    )


def _misused(error: TyperException) -> Message:
    """What it found; the cause of a bad value stays in the words of whoever read the value."""
    match error:
        case MissingParameter(param=TyperArgument() as parameter):
            return message("cli-missing-argument", name=parameter.get_error_hint())
        case MissingParameter(param=TyperOption() as parameter):
            return message("cli-missing-option", name=parameter.get_error_hint())
        case NoSuchOption(possibilities=[*others]) if others:
            return message("cli-no-such-option-but", name=error.option_name, others=commas(*sorted(others)))
        case NoSuchOption():
            return message("cli-no-such-option", name=error.option_name)
        case BadParameter(param=TyperArgument() | TyperOption() as parameter):
            return message("cli-bad-value", name=parameter.get_error_hint(), why=_lowered(error.message))
        case _:
            return verbatim(_lowered(error.format_message()))


def _lowered(found: str) -> str:
    """As a part of a sentence of ours."""
    found = found.replace("Value error, ", "").rstrip(".")
    return found[:1].lower() + found[1:]


def _is_out_of_memory(error: Exception) -> bool:
    """Also of libraries that have an exception of their own for it, or say it of a thread or of a library that cannot be loaded."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
        return True
    texts = {RuntimeError: ("can't start new thread",), ImportError: ("failed to map", "cannot allocate memory")}
    return any(
        isinstance(error, kind) and text in str(error).lower() for kind, found in texts.items() for text in found
    )


def _own_fault(error: Exception) -> SsdlabError:
    import traceback

    found = message("cli-own-fault", kind=type(error).__name__, what=_first_line(error))
    text = "".join(traceback.format_exception(error))
    try:
        descriptor, path = tempfile.mkstemp(prefix="ssdlab-fault-", suffix=".txt")
        with os.fdopen(descriptor, "w", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return SsdlabError(found, message("cli-report-fault"), *map(verbatim, text.splitlines()))
    return SsdlabError(found, message("cli-report-fault-file", path=str(path)))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")
