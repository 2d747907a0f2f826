"""What a suite can say: the tables of its TOML from the models that read it."""

import enum
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from sources.attributes import first_line, words_of
from sources.markdown import code, listing, table
from ssdlab.method import schema
from ssdlab.method.builtin import load_suite
from ssdlab.units import Share

_TABLES: Mapping[str, type[schema.Table]] = {
    "[suite]": schema.Header,
    "[profile.NAME]": schema.Profile,
    '[[step]] with kind = "purge"': schema.PurgeStep,
    '[[step]] with kind = "rest"': schema.RestStep,
    '[[step]] with kind = "fill"': schema.FillStep,
    "job of a fill": schema.FillJob,
}
_MEANING = {
    (schema.Header, "name"): "Part of the names of bundles.",
    (schema.Header, "version"): "Say a new one whenever numbers can change.",
    (schema.Header, "description"): "One line for `ssdlab suites`.",
    (schema.PurgeStep, "rest"): "Right after the purge, as a step of its own called `purge.rest`.",
    (schema.RestStep, "duration"): "How long.",
    (schema.FillStep, "job"): "How it writes.",
    (schema.FillStep, "passes"): "How often; the steps are called `fill.pass1`, `fill.pass2` and so on.",
    (schema.FillJob, "pattern"): "Order of offsets. Random visits every block once too, in a shuffled order.",
    (schema.FillJob, "bs"): "Block size.",
    (schema.FillJob, "qd"): "Queue depth: I/Os in flight.",
}
_KIND, _NAME = "Says what the step is.", "Unique in the suite; its metrics begin with it."
_KINDS_OF_VALUE = (
    (schema.Size, 'size such as `"128KiB"`'),
    (schema.Duration, 'duration such as `"15min"`'),
    (schema.ProperShare, 'share such as `"1/60"` or `"25%"`, at most the whole'),
    (schema.Amount, 'share of the drive such as `"100%"`, or size such as `"8GiB"`'),
    (schema.SuiteName, "text of `a-z`, `0-9`, `_` and `-`"),
    (schema.StepName, "text of `a-z`, `0-9` and `_`"),
)


def page() -> str:
    """`suite.md`."""
    sections = [f"## `{title}`\n\n{first_line(model)}\n\n{_keys(model)}" for title, model in _TABLES.items()]
    return "\n".join(
        [
            (
                "# Suite\n\nA suite is a TOML file: what it is called, how it can be scaled down, and its steps in order. How to "
                "make your own: [own-suite.md](../guide/own-suite.md). Unknown keys are faults; all faults are listed at once, "
                "each with its line. Sizes in KiB, MiB, GiB are powers of two, in kB, MB, GB powers of ten.\n"
            ),
            *sections,
            f"## The built-in suite `fill`\n\n{listing('toml', load_suite('fill').text)}",
        ]
    )


def _keys(model: type[schema.Table]) -> str:
    return table(("key", "value", "if left out", "meaning"), _rows(model))


def _rows(model: type[schema.Table]) -> Iterator[tuple[str, str, str, str]]:
    hints, words = get_type_hints(model, include_extras=True), words_of(model)
    for name, field in model.model_fields.items():
        key = field.alias or name
        meaning = _MEANING.get((model, key)) or words.get(name) or {"kind": _KIND, "name": _NAME}[key]
        yield code(key), _value(hints[name], field), _default(field), meaning


def _value(hint: Any, field: FieldInfo) -> str:
    for known, text in _KINDS_OF_VALUE:
        if hint == known:
            return text
    kind = field.annotation
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return " or ".join(code(f'"{member.value}"') for member in kind)
    if isinstance(kind, type) and issubclass(kind, schema.Table):
        return "table"
    if get_origin(kind) is Literal:
        return code(f'"{get_args(kind)[0]}"')
    if kind is str:
        return "text"
    limits = {name: getattr(one, name) for one in field.metadata for name in ("ge", "le") if hasattr(one, name)}
    return f"whole number, {limits['ge']} to {limits['le']:,}"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**needed**"
    value = field.default
    if value is PydanticUndefined:
        return ""
    if isinstance(value, Share):
        return code('"100%"')
    return "none" if value in {0, ""} else code(f'"{value}"' if isinstance(value, str) else value)
