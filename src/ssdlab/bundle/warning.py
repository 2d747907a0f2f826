"""Warnings of a run: what the reader of its results must know, by kind."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from ssdlab.message import Message, message
from ssdlab.message_json import message_as_json


class WarningKind(Enum):
    """What a warning is of."""

    KERNEL = "kernel"
    """A line of the kernel's log that names the drive; the text is that line."""
    DRIVE = "drive"
    """What the drive itself says of how trustworthy the run was."""
    HOST = "host"
    """Something of the host could not be set, or was found as another run had left it."""
    STANDSTILL = "standstill"
    """Measuring stood still while the step was done."""
    PURGE = "purge"
    """The purge of the step proves nothing of the drive's state."""
    NOT_STEADY = "not steady"
    """The drive was not steady at the end of the step."""
    LIMIT = "limit"
    """A limit is kept less well than its words promise."""
    METHOD = "method"
    """Where the run departs from the text of the published method that its suite follows."""
    LEFT_FILES = "left files"
    """Files of an earlier run were found and removed."""
    OTHER = "other"
    """The bundle is older than kinds."""


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning.

    Attributes:
        step: Name of the step it came from; None where it is of the run.
    """

    kind: WarningKind
    text: Message
    step: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """Of its line in the journal."""
        return {"kind": self.kind.value, "step": self.step, "text": message_as_json(self.text)}

    @property
    def sentence(self) -> Message:
        """For a reader."""
        if self.kind is not WarningKind.KERNEL:
            return self.text
        return message("lab-kernel-said", step=self.step or "", line=self.text)
