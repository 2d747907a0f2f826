"""The text of fio's job files: composed here alone, of values that fio reads back as they are.

The format has neither quotes nor escapes (`__parse_jobs_ini`, `strip_blank_end`, `fio_options_parse` and `get_next_str` of fio 3.28
to 3.41): a line ends at its first `;` or `#` and loses blanks at its ends; `${NAME}` and `$ncpus` are replaced; a line that begins
with `[` opens a section, one that begins with `include` another file; a section whose name begins with `global` runs nothing and sets
defaults for those after it; a colon separates file names. So a value has characters that mean nothing there, or is refused. No path of
the user's stands in a job file: fio opens a file that it is given as standard input, and the sockets in URIs are percent-encoded.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ssdlab import version
from ssdlab.drive.access import FioAddress
from ssdlab.engine.base import EngineError
from ssdlab.message import message

JOB_FILE = "job.fio"
_GIVEN = "/proc/self/fd/0"
"""What fio was given as standard input, opened anew by each of its jobs; a shell's `<` does it, too."""
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_. -]{0,125}[A-Za-z0-9_])?")
"""fio keeps 127 characters of it for its JSON."""
_GLOBAL = "global"
_OPTION = re.compile(r"[a-z][a-z0-9_]*")
_VALUE = re.compile(r"[A-Za-z0-9_./:%?=+~-]+")
_PATH = re.compile(r"/[A-Za-z0-9_./-]+")
_LINE_BYTES_MAX = 4000
"""fio reads 8191 bytes of a line and takes the rest for another; values may have 4095."""

Options = Mapping[str, str | int]


class CannotSay(EngineError):  # noqa: N818 - the error is the state
    """fio would read something else than is meant."""


@dataclass(frozen=True, slots=True)
class Section:
    """One job of a job file."""

    name: str
    options: Options


def job_text(sections: Sequence[Section]) -> str:
    """A job file, and how to repeat it by hand.

    Raises:
        CannotSay: A name or a value has characters that fio would not take as they are.
    """
    given = any(section.options.get("filename") == _GIVEN for section in sections)
    command = f"fio --output-format=json+ {JOB_FILE}" + (" < FILE" if given else "")
    heading = f"; written by ssdlab {version()}; repeat it with `{command}`"
    return "\n".join([heading, *(line for section in sections for line in _lines(section)), ""])


def file_name(address: FioAddress) -> str:
    """How fio is told of a file or a device: by its name only if it is not given as an open descriptor."""
    return address.location if address.descriptor is None else _GIVEN


def _lines(section: Section) -> list[str]:
    name = f"job.{section.name}" if section.name.startswith(_GLOBAL) else section.name
    if not _NAME.fullmatch(name):
        raise CannotSay(message("engine-no-job-name", name=section.name), message("engine-hint-job-name"))
    return [f"[{name}]", *(_line(option, str(value)) for option, value in section.options.items())]


def _line(option: str, value: str) -> str:
    line = f"{option}={value}"
    known = _PATH if option == "filename" else _VALUE
    if not _OPTION.fullmatch(option) or not known.fullmatch(value) or len(line) > _LINE_BYTES_MAX:
        raise CannotSay(message("engine-misread-line", line=line), message("engine-hint-short-name"))
    return line
