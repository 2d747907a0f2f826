"""Faults of a suite: all of them at once, each with its line and with what would be allowed there."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ssdlab.errors import SsdlabError
from ssdlab.method.schema import AnyStep, SuiteTables

Path = tuple[str | int, ...]
"""Keys and zero-based positions that lead to a value of the document."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong with a suite.

    Attributes:
        line: 1-based line of the file; 0 where the fault is that something is missing from the whole file.
        where: Key, from its step or table on, such as `job.bs`.
        message: What was found and what is allowed.
    """

    line: int
    where: str
    message: str


class SuiteError(SsdlabError):
    """A suite that cannot be used.

    Attributes:
        faults: What is wrong with it, in the order of the file; empty where there is no such suite.
    """

    def __init__(self, message: str, *hints: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message, *hints)
        self.faults = faults


def faulty_suite(source: str, faults: list[Fault]) -> SuiteError:
    """The error that lists all faults of a suite, one a line, as compilers do."""
    ordered = tuple(sorted(set(faults)))
    lines = [f"{source}:{fault.line or 1}: {fault.where}: {fault.message}" for fault in ordered]
    return SuiteError("\n".join(lines), faults=ordered)


_KIND_FAULTS = {"union_tag_invalid", "union_tag_not_found"}
"""Pydantic blames the whole step for them; the key to look at is its `kind`."""


def schema_faults(error: ValidationError, lines: Mapping[Path, int]) -> Iterator[Fault]:
    """What the schema found, in words of the file."""
    for one in error.errors():
        path = _document_path(one["loc"])
        if one["type"] in _KIND_FAULTS:
            path = (*path, "kind")
        yield Fault(line_of(path, lines), where(path), _message(one))


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


_WORDS = {
    "missing": "is missing",
    "enum": "`{found}` is not allowed here; allowed is {expected}",
    "int_type": "`{found}` is no whole number",
    "string_type": "`{found}` is no text; write it in quotes",
    "greater_than_equal": "`{found}` is too small; the least is {ge}",
    "less_than_equal": "`{found}` is too large; the most is {le}",
    "string_pattern_mismatch": "`{found}` is no name here; it must match `{pattern}`",
    "no_step": "is empty; write each step under a `[[step]]`",
    "model_type": "`{found}` is no table",
    "dict_type": "`{found}` is no table",
    "tuple_type": "`{found}` is no list; write each step under a `[[step]]`",
}
"""Our words for pydantic's types of error, where its own would talk of Python."""


def _message(one: Mapping[str, Any]) -> str:
    """One fault in words; whatever has none here speaks in pydantic's."""
    kind, context = one["type"], one.get("ctx", {})
    reason = context.get("error")
    if isinstance(reason, SsdlabError):
        return f"{reason.message} ({'; '.join(reason.hints)})"
    if kind == "extra_forbidden":
        return _unknown_key(one["loc"])
    if kind in _KIND_FAULTS:
        tag = context.get("tag", "")
        found = f"`{tag}` is no kind of step" if tag else "is missing"
        return f"{found} ({one_of(tag, list(_steps_by_kind()))})"
    if kind in _WORDS:
        return _WORDS[kind].format(found=one["input"], **context)
    return f"{one['msg'][:1].lower()}{one['msg'][1:]}, found `{one['input']}`"


def one_of(found: str, known: list[str]) -> str:
    """What there is, with the likely one first."""
    near = difflib.get_close_matches(found, known, n=1)
    guess = f"did you mean `{near[0]}`? " if near else ""
    return f"{guess}choose from {', '.join(known)}"


def _unknown_key(location: Path) -> str:
    known = [field.alias or name for name, field in _model_at(location[:-1]).model_fields.items()]
    return f"unknown key ({one_of(str(location[-1]), known)})"


def _steps_by_kind() -> dict[str, type[BaseModel]]:
    union = get_args(AnyStep)[0]
    return {get_args(step.model_fields["kind"].annotation)[0]: step for step in get_args(union)}


def _model_at(location: Path) -> type[BaseModel]:
    """The model of the table at pydantic's location."""
    model: type[BaseModel] = SuiteTables
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
