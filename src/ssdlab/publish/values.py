"""Values of a bundle without what is private, by the table of `ssdlab.publish.rules`."""

import dataclasses
import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from pathlib import PurePath
from typing import Any, TypeVar

from pydantic import BaseModel

from ssdlab import _core
from ssdlab.analysis.audit.rules.device import KERNEL_LOG
from ssdlab.bundle.imported import ForeignSetting
from ssdlab.bundle.model import Check, Outcome
from ssdlab.bundle.publication import PrivateKind
from ssdlab.message import AS_WRITTEN, VERBATIM, Listed, Message, Value, message_of
from ssdlab.publish.found import WITHHELD, Findings
from ssdlab.publish.rules import FIO_OPTIONS, LEFT_OUT, PROGRAM_SETTINGS, RULES, TextRule, rule_name
from ssdlab.publish.sentences import KERNEL_NAME, PUBLIC_PATH, Sentences

T = TypeVar("T")

_DEVICE = re.compile(KERNEL_NAME)


class Look(Enum):
    """Which of the two looks at a bundle this is."""

    SURVEY = "survey"
    """Everything private is come upon once before anything is written."""
    WRITE = "write"


class DriveOwner(Enum):
    """Whose drive it is."""

    VIRTUAL = "virtual"
    """Everybody's: its serial number is made of its name and seed."""
    REAL = "real"


class Redactor:
    """Takes what is private out of values."""

    def __init__(self, found: Findings, look: Look, nature: DriveOwner) -> None:
        self.found = found
        self.look = look
        self._nature = nature
        self._sentences = Sentences(found)
        self._ways: Mapping[TextRule, Callable[[str], str]] = {
            TextRule.KEEP: found.kept,
            TextRule.WORDS: self.words,
            TextRule.OPTIONS: self.words,
            TextRule.SETTING: self.words,
            TextRule.NAME: lambda text: self._text(found.kept(text)),
            TextRule.TEXT: self._text,
            TextRule.SERIAL: self._serial,
            TextRule.IDENTIFIER: partial(found.hashed, PrivateKind.IDENTIFIER),
            TextRule.HOST: partial(found.hashed, PrivateKind.HOST),
            TextRule.FILE: partial(found.hashed, PrivateKind.FILE),
            TextRule.TARGET: self._target,
            TextRule.DEVICE: self._device,
            TextRule.DIGEST: self._digest,
            TextRule.KERNEL: self.kernel_line,
        }

    def of(self, value: T) -> T:
        """The same without what is private; type and numbers stay."""
        same: T = self._of(value, TextRule.WORDS)
        return same

    def _of(self, value: Any, rule: TextRule) -> Any:
        if isinstance(value, str):
            return self.text(value, rule)
        if value is None or isinstance(value, Enum | int | float):
            return value
        if isinstance(value, tuple):
            return tuple(self._of(one, rule) for one in value)
        return self._compound(value, rule)

    def _compound(self, value: Any, rule: TextRule) -> Any:
        if isinstance(value, Message):
            return self.message(value)
        if isinstance(value, PurePath):
            return type(value)(self.text(str(value), rule))
        if isinstance(value, Mapping):
            return self._mapping(value, rule)
        if isinstance(value, BaseModel):
            there = {name: getattr(value, name) for name in value.model_fields_set}
            return value.model_copy(update=self._fields(type(value), there))
        there = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        return dataclasses.replace(value, **self._fields(type(value), there))

    def _fields(self, kind: type, there: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: self._field(rule_name(kind, name), value) for name, value in there.items()}
        if kind is ForeignSetting:
            fields["text"] = self._setting(there["name"], there["text"])
        if kind is Check:
            fields |= {name: self._own_words(there[name]) for name in ("meaning", "remedy")}
            if there["name"] == KERNEL_LOG and there["outcome"] is Outcome.WARN:
                fields["finding"] = self._kernel_finding(fields["finding"])
        return fields

    def _own_words(self, told: Message | None) -> Message | None:
        """What ssdlab says of every bundle."""
        if told is not None:
            self.found.kept(str(told))
        return told

    def _kernel_finding(self, finding: Message) -> Message:
        """It repeats a line of the kernel's log, which the step's own file may have lost."""
        if self.look is Look.SURVEY:
            return finding
        values = {
            name: self._withheld_line(value) if isinstance(value, str) else value
            for name, value in finding.values.items()
        }
        return message_of(finding.id, values, self._withheld_line(finding.english))

    def _withheld_line(self, text: str) -> str:
        return text if not text or WITHHELD in text else self.found.left_out(PrivateKind.KERNEL, text)

    def message(self, told: Message) -> Message:
        """A message without what is private in its values; the sentence around them is ssdlab's own."""
        if self.look is Look.SURVEY:
            self.found.kept(str(_without_names(told)))
        way = self.words if told.id in {VERBATIM, AS_WRITTEN} else self._name
        values = {name: self._value(value, way) for name, value in told.values.items()}
        return message_of(told.id, values, self.words(told.english))

    def _value(self, value: Value, way: Callable[[str], str]) -> Value:
        match value:
            case str():
                return way(value)
            case Listed():
                return Listed(tuple(self._value(item, way) for item in value.items), value.mark)
            case Message():
                return self.message(value)
            case _:
                return value

    def _name(self, text: str) -> str:
        """A name stands in a sentence as in quotation marks: a path has no end but theirs."""
        return self.words(f"`{text}`")[1:-1]

    def _field(self, name: str, value: Any) -> Any:
        if name in LEFT_OUT:
            return None
        return self._of(value, RULES.get(name, TextRule.WORDS))

    def _mapping(self, value: Mapping[Any, Any], rule: TextRule) -> dict[Any, Any]:
        if rule is TextRule.OPTIONS:
            return {name: self.option(name, text) for name, text in value.items() if re.fullmatch(r"[a-z0-9_]+", name)}
        return {self._of(key, rule): self._of(one, rule) for key, one in value.items()}

    def text(self, text: str, rule: TextRule) -> str:
        """A text of which the table says that."""
        return self._ways[rule](text)

    def words(self, text: str) -> str:
        """A sentence."""
        if self.look is Look.WRITE:
            return self._sentences.rewritten(text)
        self._sentences.survey(text)
        return text

    def _text(self, text: str) -> str:
        return self._sentences.without_known(text) if self.look is Look.WRITE else text

    def _serial(self, text: str) -> str:
        return text if self._nature is DriveOwner.VIRTUAL else self.found.hashed(PrivateKind.SERIAL, text)

    def _device(self, text: str) -> str:
        return text if _DEVICE.fullmatch(text) else self.found.hashed(PrivateKind.PATH, text)

    def _digest(self, text: str) -> str:
        self.found.hashed(PrivateKind.FILE, text)
        return self.found.owner.digest(text)

    def kernel_line(self, text: str) -> str:
        """That there was one stays: the audit counts them."""
        return self.found.left_out(PrivateKind.KERNEL, text)

    def option(self, name: str, text: str) -> str:
        """Value of an option of fio."""
        if name in FIO_OPTIONS or PUBLIC_PATH.fullmatch(text):
            return self.words(text)
        kind = PrivateKind.PATH if "/" in text else PrivateKind.OPTION
        return self.found.hashed(kind, text)

    def _setting(self, name: str, text: str) -> str:
        if name in PROGRAM_SETTINGS:
            return self.words(text)
        return self.found.left_out(PrivateKind.OPTION, text)

    def _target(self, text: str) -> str:
        if text.startswith("/dev/"):
            path, mark, query = text.partition("?")
            name = path.removeprefix("/dev/")
            stand_in = name if _DEVICE.fullmatch(name) else self.found.hashed(PrivateKind.PATH, path)
            return f"/dev/{stand_in}{mark}{query}"
        scheme, colon, rest = text.partition(":")
        place, mark, query = rest.partition("?")
        if scheme in {"virtual", "model"} and place in _core.spec_names():
            return text
        stand_in = self.found.hashed(PrivateKind.PATH, place)
        if scheme == "nbd+unix":
            return (
                f"nbd+unix:///{stand_in}?socket=/{self.found.hashed(PrivateKind.PATH, query.removeprefix('socket='))}"
            )
        if not colon:
            return self.found.hashed(PrivateKind.PATH, text)
        return f"{scheme}:{stand_in}{mark}{query}"


def _without_names(value: Any) -> Any:
    """A message as of nothing: the words that all of its kind have."""
    match value:
        case str():
            return ""
        case Listed():
            return Listed(tuple(_without_names(item) for item in value.items), value.mark)
        case Message():
            return message_of(value.id, {name: _without_names(inner) for name, inner in value.values.items()})
        case _:
            return value
