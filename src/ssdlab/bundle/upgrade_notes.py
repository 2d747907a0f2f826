"""What older bundles say only in sentences, as values. Nothing else reads a sentence."""

import re
from collections.abc import Mapping
from typing import Any

from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.message import Message, message, verbatim
from ssdlab.message_json import message_from_json
from ssdlab.unknown import Unknown

_NOT_AS_WRITTEN = re.compile(r"(?:.*; )?([0-9]+) bytes are not what was written")
_KERNEL = re.compile(r"kernel, during `([^`]*)`: (.*)", re.DOTALL)


def bad_bytes_of(note: Message | None) -> int | Unknown:
    """What a reading of a sustained write found, by the note of its step."""
    if note is None:
        return Unknown(message("unknown-outcome"))
    found = _NOT_AS_WRITTEN.fullmatch(str(note))
    return Unknown(note) if found is None else int(found[1])


def warned_in(fields: Mapping[str, Any]) -> Warned:
    """The warning of a line of the journal; older ones do not say their kind.

    Raises:
        ValueError: Its text is neither a text nor a message.
    """
    text, step = fields["text"], fields.get("step")
    told = text if isinstance(text, Message) else message_from_json(text)
    for kind in WarningKind:
        if kind.value == fields.get("kind"):
            words = verbatim(str(told)) if kind is WarningKind.KERNEL else told
            return Warned(kind, words, step if isinstance(step, str) else None)
    if (kernel := _KERNEL.fullmatch(str(told))) is not None:
        return Warned(WarningKind.KERNEL, verbatim(kernel[2]), kernel[1])
    return Warned(WarningKind.OTHER, told)
