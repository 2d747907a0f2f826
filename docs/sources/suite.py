"""What a suite can say: the tables of its TOML from the models that read it."""

import enum
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from sources.attributes import first_line, words_of
from sources.markdown import code, listing, table
from ssdlab.method import schema, values
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.units import Share

_TABLES: Mapping[str, type[schema.Table]] = {
    "[suite]": schema.Header,
    "[profile.NAME]": schema.Profile,
    '[[step]] with kind = "purge"': schema.PurgeStep,
    '[[step]] with kind = "rest"': schema.RestStep,
    '[[step]] with kind = "fill"': schema.FillStep,
    "job of a fill": schema.FillJob,
    '[[step]] with kind = "precondition"': schema.PreconditionStep,
    "random of a precondition": schema.RandomPart,
    '[[step]] with kind = "steady"': schema.SteadyStep,
    '[[step]] with kind = "measure"': schema.MeasureStep,
    "job of a measure": schema.MeasureJob,
    "sweep of a measure": schema.Sweep,
    "repeat of a measure": schema.Repeat,
    "weighted of a measure": schema.Weighted,
    "every_io of a measure": schema.EveryIo,
    '[[step]] with kind = "reclaim"': schema.ReclaimStep,
    '[[step]] with kind = "search"': schema.SearchStep,
    "fill of a search": schema.SearchFill,
    "read of a search": schema.SearchReads,
    "write of a search": schema.SearchWrites,
    "trim of a search": schema.SearchStream,
    "time of a search": schema.SearchTimes,
    "limit of a search": schema.SearchLimits,
}
_BS, _QD = "Block size.", "Queue depth: I/Os in flight."
_MEANING = {
    (schema.Header, "name"): "Part of the names of bundles.",
    (schema.Header, "version"): "Say a new one whenever numbers can change.",
    (schema.Header, "description"): "One line for `ssdlab suites`.",
    (schema.PurgeStep, "rest"): "Right after the purge, as a step of its own called `purge.rest`.",
    (schema.RestStep, "duration"): "How long.",
    (schema.FillStep, "job"): "How it writes.",
    (schema.FillStep, "passes"): "How often; the steps are called `fill.pass1`, `fill.pass2` and so on.",
    (schema.FillJob, "pattern"): "Order of offsets. Random visits every block once too, in a shuffled order.",
    (schema.FillJob, "bs"): _BS,
    (schema.FillJob, "qd"): _QD,
    (schema.RandomPart, "amount"): "How much.",
    (schema.RandomPart, "bs"): _BS,
    (schema.RandomPart, "qd"): _QD,
    (schema.PreconditionStep, "random"): "Its first part, the region `random`.",
    (schema.SteadyStep, "name"): "Unique in the suite.",
    (schema.SteadyStep, "job"): "How it writes; random offsets are independent draws.",
    (schema.MeasureStep, "job"): "One table, or tables with names: `job.rnd = {...}`, `job.seq = {...}`.",
    (schema.MeasureStep, "sweep"): "What varies from point to point.",
    (schema.MeasureStep, "repeat"): "How often each point is measured.",
    (schema.MeasureStep, "take"): "Which value stands for several runs.",
    (schema.MeasureStep, "weighted"): "A curve from those of all queue depths, and what ranks drives.",
    (schema.MeasureStep, "every_io"): "Points that keep the latency of every I/O.",
    (schema.MeasureJob, "pattern"): "Order of offsets. Random offsets are independent draws.",
    (schema.MeasureJob, "bs"): _BS,
    (schema.MeasureJob, "qd"): _QD,
    (schema.MeasureJob, "amount"): "Ends it once so much is done, by all of `jobs` together.",
    (schema.MeasureJob, "limit"): "Ends it after so long; a profile never makes it shorter than 100 ms.",
    (schema.Sweep, "bs"): "Block sizes.",
    (schema.Sweep, "qd"): "Queue depths.",
    (schema.Weighted, "rank_over"): "Shares of reads the ranking value is the mean of: without the pure ones, or all.",
    (schema.EveryIo, "qd"): "At these queue depths.",
    (schema.EveryIo, "read"): "At these shares of reads.",
    (schema.ReclaimStep, "job"): "How it writes, before the rest and after it.",
    (schema.ReclaimStep, "rests"): "How long it rests; the steps are called `reclaim.t5` after the seconds.",
    (
        schema.SearchStep,
        "procedure",
    ): "`published`: what is found is confirmed only where the last bisection failed, and a floor missed with fewer than 8 jobs ends the search. `mended`: it is always confirmed.",
    (schema.SearchStep, "fill"): "How the whole drive is written first.",
    (schema.SearchStep, "read"): "What is measured.",
    (schema.SearchStep, "write"): "Writes that go on beside it.",
    (schema.SearchStep, "trim"): "Trims that go on beside it.",
    (schema.SearchStep, "time"): "How long each candidate runs.",
    (schema.SearchStep, "limit"): "What must be kept within.",
    (schema.SearchFill, "bs"): _BS,
    (schema.SearchFill, "qd"): _QD,
    (
        schema.SearchFill,
        "draw",
    ): "`permutation`: every block once a pass. `independent`: each drawn anew, which leaves 37 % of them out of one pass and 14 % out of two.",
    (schema.SearchReads, "bs"): _BS,
    (schema.SearchStream, "bs"): _BS,
    (schema.SearchStream, "rate"): "Its pace; what is late is caught up.",
    (schema.SearchWrites, "bs"): _BS,
    (schema.SearchWrites, "rate"): "Their pace; what is late is caught up.",
    (schema.SearchWrites, "floor"): "A limit: they must never be slower than this over `floor_over`.",
    (
        schema.SearchWrites,
        "caching",
    ): "`buffered`: they wait in the host's memory until they are flushed, and then go to the drive together.",
    (schema.SearchTimes, "confirm_runs"): "How often; all of them must pass, and the slowest counts.",
}
_KIND, _NAME = "Says what the step is.", "Unique in the suite; its metrics begin with it."
_KINDS_OF_VALUE = (
    (values.Size, 'size such as `"128KiB"`'),
    (values.Duration, 'duration such as `"15min"`'),
    (values.ProperShare, 'share such as `"1/60"` or `"25%"`, at most the whole'),
    (values.Amount, 'share of the drive such as `"100%"`, or size such as `"8GiB"`'),
    (values.RunTime, 'duration such as `"30s"`, above zero'),
    (values.Durations, 'list of durations: `["5s", "1min"]`'),
    (values.Multiple, 'multiple such as `"2x"`'),
    (values.Rate, 'rate such as `"15MiB/s"`'),
    (values.Percent, 'per cent such as `"5%"`'),
    (values.ReadPercent, 'whole per cent, `"0%"` to `"100%"`'),
    (values.Depths, 'list such as `[1, 2, 4]`, or `"1..256 doubling"`'),
    (values.Sizes, 'list such as `["4KiB", "1MiB"]`, or `"4KiB..1MiB doubling"`'),
    (values.ReadPercents, 'list such as `["0%", "70%"]`, or `"0%..100% step 10%"`'),
    (values.Mixes, 'list such as `["read", "write", "r70w30"]`'),
    (values.Ranges, 'list of sizes and shares, or `"1GiB..100% doubling"`'),
    (schema.SuiteName, "text of `a-z`, `0-9`, `.`, `_` and `-`"),
    (schema.StepName, "text of `a-z`, `0-9` and `_`"),
    (schema.Count, "whole number, 1 to 100"),
    (schema.Depth, "whole number, 1 to 65,536"),
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
            "\n".join(
                f"## The built-in suite `{name}`\n\n{listing('toml', load_suite(name).text)}"
                for name in builtin_names()
            ),
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
    return "text" if kind is str else "table"


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
    if isinstance(value, schema.Table):
        return ""
    return "none" if value in {0, ""} else code(f'"{value}"' if isinstance(value, str) else value)
