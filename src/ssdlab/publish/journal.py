"""The journal of a published copy: the same lines, each with what everyone may read of it, and digests of their own."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from ssdlab.bundle import layout, seal
from ssdlab.bundle.journal import Event
from ssdlab.bundle.mark import FileMark, as_json, from_json
from ssdlab.bundle.model import RunInfo, Step
from ssdlab.bundle.power import MARKS_ADAPTER
from ssdlab.bundle.seal import LineState, SealedLine
from ssdlab.bundle.totals import TOTALS_ADAPTER
from ssdlab.bundle.upgrade import upgraded_steps
from ssdlab.bundle.upgrade_notes import warned_in
from ssdlab.bundle.warning import WarningKind
from ssdlab.message import verbatim
from ssdlab.message_json import message_as_json, message_from_json
from ssdlab.publish.files import is_published
from ssdlab.publish.found import WITHHELD
from ssdlab.publish.rules import TextRule
from ssdlab.publish.values import Redactor
from ssdlab.unknown import Unknown

_NUMBERS: TypeAdapter[Any] = TypeAdapter(int | Unknown | None)
_TYPED: Mapping[str, TypeAdapter[Any]] = MappingProxyType(
    {
        "steps": layout.STEPS_ADAPTER,
        "tuning": layout.TUNING_ADAPTER,
        "restoration": layout.RESTORATION_ADAPTER,
        "totals": TOTALS_ADAPTER,
        "power_marks": MARKS_ADAPTER,
        "redo": TypeAdapter(tuple[int, ...]),
        **dict.fromkeys(("index", "bytes_done", "written_bytes", "drive_bytes", "kernel_bytes", "clock_ns"), _NUMBERS),
    }
)
"""Keys of the lines, all events together, by what they hold; others but those below are left out."""
_TEXTS: Mapping[str, TextRule] = MappingProxyType(
    {
        "event": TextRule.KEEP,
        "kind": TextRule.KEEP,
        "step": TextRule.WORDS,
        "at": TextRule.KEEP,
        "state": TextRule.KEEP,
        "note": TextRule.WORDS,
        "reason": TextRule.WORDS,
        "text": TextRule.WORDS,
    }
)


class PublishedJournal:
    """Rewrites the lines of a journal in their order.

    Attributes:
        run: As it is published.
        marks: Of the files as they are published, by their names in the bundle.
    """

    def __init__(self, run: RunInfo, marks: Mapping[str, FileMark], redactor: Redactor) -> None:
        self._run = run
        self._marks = marks
        self._redactor = redactor
        self._directories: dict[int, str] = {}

    def written(self, content: bytes) -> bytes:
        """All of it; what is damaged or torn stays so, so that the copy is not better than the original."""
        *lines, torn = content.split(b"\n")
        sealed = seal.sealed_again(self._line(line) for line in seal.opened(lines))
        return b"".join(line + b"\n" for line in sealed) + (WITHHELD.encode() if torn else b"")

    def _line(self, line: SealedLine) -> SealedLine:
        damaged = SealedLine(WITHHELD.encode(), WITHHELD.encode(), LineState.DAMAGED)
        if line.standing is LineState.DAMAGED:
            return damaged
        try:
            said = dict(self._said(self._warned(layout.read_json(line.body))))
        except (AttributeError, KeyError, TypeError, ValueError):
            return damaged
        # Also what was written before there were digests: what it says is published today.
        return replace(line, body=layout.one_line_json(said).removesuffix(b"\n"), standing=LineState.SOUND)

    def _warned(self, fields: dict[str, Any]) -> dict[str, Any]:
        """A line of the kernel's log says more than other warnings do; those of older bundles get their kind."""
        if fields["event"] != Event.WARNING.value:
            return fields
        warned = warned_in(fields)
        if warned.kind is WarningKind.KERNEL:
            warned = replace(warned, text=verbatim(self._redactor.kernel_line(str(warned.text))))
        return {**fields, **warned.fields}

    def _said(self, fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for key, value in fields.items():
            if key == "steps":
                yield key, self._steps(value)
            elif key == "run":
                yield key, layout.RUN_ADAPTER.dump_python(self._run, mode="json")
            elif key == "files":
                yield key, as_json(self._files(fields))
            elif key in _TYPED:
                yield key, self._typed(_TYPED[key], value)
            elif key in _TEXTS:
                yield key, self._text(key, value)

    def _steps(self, value: Any) -> Any:
        steps: tuple[Step, ...] = layout.STEPS_ADAPTER.validate_python(upgraded_steps(value))
        self._directories |= {step.index: layout.step_directory(self._run, step) for step in steps}
        return layout.STEPS_ADAPTER.dump_python(self._redactor.of(steps), mode="json")

    def _typed(self, adapter: TypeAdapter[Any], value: Any) -> Any:
        return adapter.dump_python(self._redactor.of(adapter.validate_python(value)), mode="json")

    def _text(self, key: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return message_as_json(self._redactor.message(message_from_json(value)))
        return self._redactor.text(value, _TEXTS[key]) if isinstance(value, str) else None

    def _files(self, fields: dict[str, Any]) -> dict[str, FileMark]:
        """Those that are published, as they are now; one that was damaged keeps the mark that it should have had."""
        below = f"{self._directories[fields['index']]}/" if fields["event"] == Event.STEP_FINISHED.value else ""
        marks = from_json(fields["files"])
        return {
            name: self._marks.get(below + name, mark)
            for name, mark in marks.items()
            if is_published(PurePosixPath(below + name))
        }
