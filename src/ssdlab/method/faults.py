"""Faults of a suite: all of them at once, each with its line and with what would be allowed there."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ssdlab.errors import SsdlabError
from ssdlab.message import Listed, Message, Separator, listed, message, semicolons
from ssdlab.method.choices import one_of
from ssdlab.method.schema import AnyStep, SuiteTables
from ssdlab.units import clipped

Path = tuple[str | int, ...]
"""Keys and zero-based positions that lead to a value of the document."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a suite.

    Attributes:
        line: 1-based line of the file; 0 where the fault is that something is missing from the whole file.
        where: Key, from its step or table on, such as `job.bs`.
        message: What was found and what is allowed.
    """

    line: int
    where: str | Message
    message: Message


class SuiteError(SsdlabError):
    """A suite that cannot be used.

    Attributes:
        faults: What is wrong with it, in the order of the file; empty where there is no such suite.
    """

    def __init__(self, told: Message, *hints: Message, source: str = "", faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(told, *hints)
        self.faults = faults
        self._source = source

    @property
    def lines(self) -> tuple[Message, ...]:
        """See `SsdlabError`."""
        return tuple(_lines(self._source, self.faults)) or super().lines


def faulty_suite(source: str, faults: list[Fault]) -> SuiteError:
    """The error that lists all faults of a suite, one a line, as compilers do."""
    ordered = tuple(sorted(set(faults), key=lambda fault: (fault.line, str(fault.where), str(fault.message))))
    told = listed(Listed(tuple(_lines(source, ordered)), Separator.LINE))
    return SuiteError(told, source=source, faults=ordered)


def _lines(source: str, faults: Iterable[Fault]) -> Iterator[Message]:
    for fault in faults:
        place = f"{source}:{fault.line or 1}"
        yield message("suite-fault", place=place, where=fault.where, fault=fault.message)


_KIND_FAULTS = {"union_tag_invalid", "union_tag_not_found"}
"""Pydantic blames the whole step for them; the key to look at is its `kind`."""


def schema_faults(
    error: ValidationError, lines: Mapping[Path, int], document: type[BaseModel] = SuiteTables
) -> Iterator[Fault]:
    """What the schema of a document found, in words of the file."""
    for one in error.errors():
        path = _document_path(one["loc"])
        if one["type"] in _KIND_FAULTS:
            path = (*path, "kind")
        yield Fault(line_of(path, lines), where(path), _message(one, document))


def line_of(path: Path, lines: Mapping[Path, int]) -> int:
    """Line of a value, or of the nearest table around it where the value itself is missing."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def where(path: Path) -> str:
    """The key as a reader of the line would name it: without the step, which the line already tells."""
    inside = path[2:] if path[:1] == ("step",) and len(path) > 2 else path
    text = ""
    for segment in inside:
        text += f"[{segment}]" if isinstance(segment, int) else f".{segment}" if text else segment
    return text or "suite"


def _document_path(location: Path) -> Path:
    """In pydantic's paths stand also the kind of a step, a mark after a faulty key, and the empty name of an only job."""
    path = location[:2] + location[3:] if location[:1] == ("step",) else location
    return tuple(segment for segment in path if segment not in {"[key]", ""})


def _message(error: Mapping[str, Any], document: type[BaseModel]) -> Message:
    """One fault; where pydantic would talk of Python in our words."""
    kind, context = error["type"], error.get("ctx", {})
    reason = context.get("error")
    if isinstance(reason, SsdlabError):
        if not reason.hints:
            return reason.message
        return message("suite-with-hints", fault=reason.message, hints=semicolons(*reason.hints))
    if kind == "extra_forbidden":
        return _unknown_key(error["loc"], document)
    if kind in _KIND_FAULTS:
        tag = context.get("tag", "")
        choice = one_of(tag, list(_steps_by_kind()))
        return (
            message("suite-no-kind", kind=tag, choice=choice) if tag else message("suite-kind-missing", choice=choice)
        )
    found = clipped(_as_written(error["input"]))
    if kind == "int_type" and isinstance(error["input"], str) and error["input"].strip().isdecimal():
        kind = _QUOTED
    if kind in _OF_KIND:
        return _OF_KIND[kind](found, context)
    return message("suite-found", fault=_lowered(error["msg"]), found=found)


_QUOTED = "number in quotes"
"""To pydantic it is as little a number as any text."""
_OF_KIND: Mapping[str, Callable[[str, Mapping[str, Any]], Message]] = {
    "missing": lambda _found, _context: message("suite-missing"),
    "enum": lambda found, context: message("suite-not-allowed", found=found, expected=context["expected"]),
    _QUOTED: lambda found, _context: message("suite-number-in-quotes", found=found),
    "int_type": lambda found, _context: message("suite-no-whole-number", found=found),
    "string_type": lambda found, _context: message("suite-no-text", found=found),
    "greater_than_equal": lambda found, context: message("suite-too-small", found=found, least=str(context["ge"])),
    "less_than_equal": lambda found, context: message("suite-too-large", found=found, most=str(context["le"])),
    "string_too_long": lambda found, context: message("suite-text-too-long", found=found, most=context["max_length"]),
    "string_pattern_mismatch": lambda found, context: message("suite-no-name", found=found, pattern=context["pattern"]),
    "no_step": lambda _found, _context: message("suite-empty"),
    "model_type": lambda found, _context: message("suite-no-table", found=found),
    "dict_type": lambda found, _context: message("suite-no-table", found=found),
    "tuple_type": lambda found, _context: message("suite-no-steps", found=found),
}
"""What pydantic's types of error mean here."""


def _as_written(value: object) -> str:
    """As the file has it where Python would show its own word."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lowered(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _unknown_key(location: Path, document: type[BaseModel]) -> Message:
    known = [field.alias or name for name, field in _model_at(location[:-1], document).model_fields.items()]
    return message("suite-unknown-key", choice=one_of(str(location[-1]), known))


def _steps_by_kind() -> dict[str, type[BaseModel]]:
    union = get_args(AnyStep)[0]
    return {get_args(step.model_fields["kind"].annotation)[0]: step for step in get_args(union)}


def _model_at(location: Path, document: type[BaseModel]) -> type[BaseModel]:
    """The model of the table at pydantic's location."""
    model = document
    kinds = _steps_by_kind()
    for position, segment in enumerate(location):
        if location[0] == "step" and position == 2:
            model = kinds[str(segment)]
        elif isinstance(segment, str):
            model = _model_of_field(model, segment) or model
    return model


def _model_of_field(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    """The table a key holds, also where it holds a mapping of names to such tables."""
    for name, field in model.model_fields.items():
        if (field.alias or name) == key:
            candidates = (field.annotation, *get_args(field.annotation))
            return next((one for one in candidates if isinstance(one, type) and issubclass(one, BaseModel)), None)
    return None
