"""What a suite can say: the tables of its TOML from the models that read it."""

import enum
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from sources.attributes import first_line, words_of
from sources.markdown import code, listing, table
from ssdlab.method import schema, tables, values
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.units import Share

_KIND, _NAME = "Says what the step is.", "Unique in the suite; its metrics begin with it."
_KINDS_OF_VALUE = (
    (values.Size, 'size such as `"128KiB"`'),
    (values.BlockSize, 'size such as `"128KiB"`, or `"IU"`'),
    (values.Duration, 'duration such as `"15min"`'),
    (values.ProperShare, 'share such as `"1/60"` or `"25%"`, at most the whole'),
    (values.Amount, 'share of the drive such as `"100%"`, or size such as `"8GiB"`'),
    (values.RunTime, 'duration such as `"30s"`, above zero'),
    (values.OfferedLoads, 'list of shares of the saturation: `["50%", "87.5%"]`'),
    (values.Durations, 'list of durations: `["5s", "1min"]`'),
    (values.Multiple, 'multiple such as `"2x"`'),
    (values.Rate, 'rate such as `"15MiB/s"`'),
    (values.Percent, 'per cent such as `"5%"`'),
    (values.Percentile, 'per cent such as `"99.9%"`, below 100'),
    (values.ReadPercent, 'whole per cent, `"0%"` to `"100%"`'),
    (values.Depths, 'list such as `[1, 2, 4]`, or `"1..256 doubling"`'),
    (values.Sizes, 'list such as `["4KiB", "1MiB"]`, or `"4KiB..1MiB doubling"`'),
    (values.ReadPercents, 'list such as `["0%", "70%"]`, or `"0%..100% step 10%"`'),
    (values.NamedReadPercents, 'list such as `["read", "write", "r70w30"]`'),
    (values.Ranges, 'list of sizes and shares, or `"1GiB..100% doubling"`'),
    (schema.SuiteName, "text of `a-z`, `0-9`, `.`, `_` and `-`"),
    (tables.StepName, "text of `a-z`, `0-9` and `_`"),
    (tables.Count, "whole number, 1 to 100"),
    (tables.Depth, "whole number, 1 to 65,536"),
    (tables.ProfileNames, 'list such as `["standard", "quick"]`'),
)


def page() -> str:
    """`suite.md`."""
    sections = [f"## `{title}`\n\n{first_line(model)}\n\n{_keys(model)}" for title, model in _tables()]
    return "\n".join(
        [
            (
                "# Suite\n\nA suite is a TOML file: what it is called, how it can be scaled down, and its steps in order. How to "
                "make your own: [own-suite.md](../guide/own-suite.md). Unknown keys are faults; all faults are listed at once, "
                "each with its line. Sizes in KiB, MiB, GiB are powers of two, in kB, MB, GB powers of ten.\n"
            ),
            *sections,
            "\n".join(
                f"## The built-in suite `{name}`\n\n{listing('toml', load_suite(name).text)}"
                for name in builtin_names()
            ),
        ]
    )


def _tables() -> Iterator[tuple[str, type[tables.SuiteTable]]]:
    """Title and model of every table: those of the suite, and each kind of step with the tables inside it."""
    yield "[suite]", schema.Header
    yield "[profile.NAME]", tables.SuiteProfile
    told: set[type[tables.SuiteTable]] = set()
    for step in get_args(get_args(schema.AnyStep)[0]):
        kind = get_args(step.model_fields["kind"].annotation)[0]
        yield f'[[step]] with kind = "{kind}"', step
        for key, model in _inside(step):
            if model not in told:
                yield f"{key} of a {kind}", model
            told.add(model)


def _inside(model: type[tables.SuiteTable]) -> Iterator[tuple[str, type[tables.SuiteTable]]]:
    for name, field in model.model_fields.items():
        for hint in (field.annotation, *get_args(field.annotation)):
            if isinstance(hint, type) and issubclass(hint, tables.SuiteTable):
                yield field.alias or name, hint


def _keys(model: type[tables.SuiteTable]) -> str:
    return table(("key", "value", "if left out", "meaning"), _rows(model))


def _rows(model: type[tables.SuiteTable]) -> Iterator[tuple[str, str, str, str]]:
    hints, words = get_type_hints(model, include_extras=True), words_of(model)
    for name, field in model.model_fields.items():
        key = field.alias or name
        meaning = words.get(name) or {"kind": _KIND, "name": _NAME}[key]
        yield code(key), _value(hints[name], field), _default(field), meaning


def _value(hint: Any, field: FieldInfo) -> str:
    options = (hint, *(one for one in get_args(hint) if one is not type(None)))
    for known, text in _KINDS_OF_VALUE:
        if known in options:
            return text
    kind = next((one for one in (field.annotation, *get_args(field.annotation)) if isinstance(one, type)), None)
    if get_origin(field.annotation) is Literal:
        return code(f'"{get_args(field.annotation)[0]}"')
    if kind is not None and issubclass(kind, enum.Enum):
        return " or ".join(code(f'"{member.value}"') for member in kind)
    if field.alias == "qd":
        return 'table such as `{ 1 = "80%", 2 = "20%" }`'
    return {str: "text", int: "whole number"}.get(kind, "table") if kind is not None else "table"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**needed**"
    value = field.default
    if value is PydanticUndefined or value is None:
        return ""
    if isinstance(value, Share):
        return code('"100%"')
    if isinstance(value, enum.Enum):
        return code(f'"{value.value}"')
    if isinstance(value, tables.SuiteTable):
        return ""
    return "none" if value in {0, ""} else code(f'"{value}"' if isinstance(value, str) else value)
