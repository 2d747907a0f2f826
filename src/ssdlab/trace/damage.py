"""What is wrong with a trace or with what one is made of, in words."""

from collections.abc import Iterator
from contextlib import contextmanager

from ssdlab import _core
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, commas, message, number


class TraceFileError(SsdlabError):
    """A trace, or what one is to be made of, cannot be read."""


@contextmanager
def in_words() -> Iterator[None]:
    """Raise damage as an error for people.

    Raises:
        TraceFileError: A trace or a source is damaged.
    """
    try:
        yield
    except _core.TraceDamageError as damage:
        raise TraceFileError(*_words(damage)) from damage
    except OSError as error:
        if error.errno is not None:
            raise
        # No call of the system failed: what is packed ends too soon, or is damaged.
        raise _packed(error.filename) from error
    except _core.PackedError as error:
        raise _packed(error.filename) from error


def _packed(path: object) -> TraceFileError:
    return TraceFileError(message("trace-packed", path=str(path)), message("trace-hint-whole"))


def _words(damage: _core.TraceDamageError) -> tuple[Message, Message]:
    path = str(damage.file)
    if damage.at == 0:
        hint = message("trace-hint-times") if damage.problem == "no-times" else message("trace-hint-import")
        return message("trace-none", path=path, problem=damage.problem), hint
    if damage.first_device is not None:
        first = damage.first_device
        return (
            message("trace-second-device", path=path, at=number(damage.at), first=first, other=damage.found),
            message("trace-hint-device", first=first),
        )
    return (
        message("trace-damaged", path=path, at=number(damage.at), problem=damage.problem, found=damage.found),
        message("trace-hint-apart") if damage.problem == "times" else message("trace-hint-whole"),
    )


def unknown_format(path: str) -> TraceFileError:
    """A file that begins like none of the formats."""
    names = commas(*_core.trace_formats())
    return TraceFileError(message("trace-format-unknown", path=path), message("trace-hint-format", formats=names))
