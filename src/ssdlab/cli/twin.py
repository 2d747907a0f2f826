"""`ssdlab twin fit|check`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.arguments import AsJson
from ssdlab.cli.extra import require_extra
from ssdlab.cli.help_text import SpokenCommand, SpokenGroup
from ssdlab.cli.language import sentence
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json, tell, visible, wrapped
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, bandwidth_decimal, commas, duration, message
from ssdlab.units import NS_PER_S

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ssdlab.bundle.model import Check
    from ssdlab.bundle.read import Bundle
    from ssdlab.twin.check import LoneMetric, TwinCheck, TwinMetric
    from ssdlab.twin.errors import Errors, Kind
    from ssdlab.twin.foreign.make import ForeignTwin
    from ssdlab.twin.make import Twin
    from ssdlab.twin.repeats import HourlyDrift
    from ssdlab.unknown import Unknown

app = typer.Typer(cls=SpokenGroup, help=message("help-twin").id, no_args_is_help=True, rich_markup_mode=None)

Runs = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help=message("help-twin-runs").id, autocompletion=candidates.runs)
]
_WORST = 10
"""Metrics that are shown of a check: those that are off most."""
_NAMED = 5
"""Points that are named where there may be dozens."""


@app.command("fit", cls=SpokenCommand, help=message("help-twin-fit").id)
def fit(
    runs: Runs,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help=message("help-twin-output").id)],
    as_json: AsJson = False,
) -> None:
    """See `help-twin-fit`."""
    from ssdlab.bundle.damage import made_sense_of

    require_extra("twin", "scipy")
    from ssdlab.bundle.imported import is_imported
    from ssdlab.durable import write_durably
    from ssdlab.place import require_new_file
    from ssdlab.twin.make import make_twin

    if output.suffix != ".toml":
        raise SsdlabError(message("twin-not-toml", path=str(output)), message("twin-hint-toml"))
    require_new_file(output)
    foreign = None
    with made_sense_of(*runs):
        if any(map(is_imported, runs)):
            foreign = _of_imported(runs, output)
        made = make_twin([_opened(path) for path in runs], output) if foreign is None else foreign.twin
    write_durably(output, made.draft.text.encode())
    if as_json:
        say_json(_twin_fields(made, output) | ({} if foreign is None else _foreign_fields(foreign)))
        return
    for line in _twin_lines(made, output):
        say(line)
    for line in () if foreign is None else _foreign_lines(foreign):
        say(line)
    twin = str(output)
    tell(message("twin-next", twin=twin) if foreign is None else message("twin-foreign-next", twin=twin))


def _of_imported(runs: "Sequence[Path]", output: Path) -> "ForeignTwin":
    from ssdlab.bundle.imported import is_imported, open_imported
    from ssdlab.twin.foreign.make import make_foreign_twin

    for path in runs:
        if not is_imported(path):
            imported = next(filter(is_imported, runs))
            raise SsdlabError(
                message("twin-foreign-both", run=str(imported), other=str(path)), message("twin-hint-foreign")
            )
    return make_foreign_twin([open_imported(path) for path in runs], output)


def _foreign_lines(made: "ForeignTwin") -> Iterator[str]:
    if made.part.of > 1:
        yield ""
        yield from _told(message("twin-foreign-part", part=made.part.of))
    for one in made.left_out[:_NAMED]:
        yield from _told(message("twin-foreign-left-out", job=one.name, reason=one.reason))
    if len(made.left_out) > _NAMED:
        yield from _told(message("twin-foreign-more", jobs=len(made.left_out) - _NAMED))


def _foreign_fields(made: "ForeignTwin") -> dict[str, object]:
    return {
        "part": made.part.of,
        "left_out": [{"job": one.name, "reason": str(one.reason)} for one in made.left_out],
    }


def _opened(path: Path) -> "Bundle":
    from ssdlab.bundle.imported import is_imported
    from ssdlab.bundle.read import open_bundle

    if is_imported(path):
        raise SsdlabError(message("twin-imported", run=str(path)), message("twin-hint-check-runs"))
    bundle = open_bundle(path)
    for fault in bundle.faults:
        tell(message("twin-damaged", run=str(path), fault=fault))
    return bundle


def _twin_lines(made: "Twin", output: Path) -> Iterator[str]:
    from ssdlab.twin.make import drift_words

    division = made.fitted.division
    yield str(output)
    yield from _told(message("twin-fitted", passes=len(division.passes), points=len(division.points)))
    yield from _left_out_lines(made.fitted.distrusted)
    if made.held:
        yield ""
        yield from _told(message("twin-held", points=len(division.held)))
        yield from _error_lines(made.held)
    else:
        yield from _told(message("twin-unheld"))
    if made.fitted.silent:
        yield ""
        yield from _told(message("twin-silent", keys=commas(*made.fitted.silent)))
    if made.fitted.at_bound:
        yield from _told(message("twin-at-bound", keys=commas(*made.fitted.at_bound)))
    yield from _told(drift_words(made.fitted.drift))


def _left_out_lines(checks: "Sequence[Check]") -> Iterator[str]:
    from ssdlab.analysis.audit.run import findings

    for finding in findings(checks):
        yield from _told(message("twin-distrusted", where=finding.where, check=finding.check.name))


def _error_lines(errors: "Mapping[Kind, Errors]") -> Iterator[str]:
    head: tuple[Message | str, ...] = ("", *_error_columns())
    rows: list[tuple[Message | str, ...]] = [
        (message("twin-kind", kind=kind.value), f"{one.count:,}", *map(_percent, (one.median, one.most, one.worst)))
        for kind, one in errors.items()
    ]
    return table_lines(head, rows, (Alignment.LEFT, *[Alignment.RIGHT] * 4))


def _error_columns() -> tuple[Message, ...]:
    return (
        message("twin-column-count"),
        message("twin-column-median"),
        message("twin-column-most"),
        message("twin-column-worst"),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _told(text: Message) -> Iterator[str]:
    return wrapped(visible(sentence(text)))


def _twin_fields(made: "Twin", output: Path) -> dict[str, object]:
    division = made.fitted.division
    return {
        "twin": str(output),
        "passes": len(division.passes),
        "points": len(division.points),
        "held_points": len(division.held),
        "held": _errors_fields(made.held),
        "silent": list(made.fitted.silent),
        "at_bound": list(made.fitted.at_bound),
        "rehearsals": made.fitted.rehearsals,
        "drift": _drift_fields(made.fitted.drift),
        "distrusted": _checks_fields(made.fitted.distrusted),
    }


def _drift_fields(drift: "HourlyDrift | Unknown") -> dict[str, object]:
    from ssdlab.unknown import Unknown

    if isinstance(drift, Unknown):
        return {"unknown": str(drift.reason)}
    return {"lost_per_hour": drift.lost, "standard_error": drift.error}


def _checks_fields(checks: "Sequence[Check]") -> list[dict[str, str]]:
    return [{"step": check.step, "check": check.name} for check in checks]


def _errors_fields(errors: "Mapping[Kind, Errors]") -> dict[str, object]:
    return {
        kind.value: {"count": one.count, "median": one.median, "most": one.most, "worst": one.worst}
        for kind, one in errors.items()
    }


@app.command("check", cls=SpokenCommand, help=message("help-twin-check").id)
def check(
    runs: Runs,
    twin: Annotated[Path, typer.Argument(metavar="DRIVE", help=message("help-twin-drive").id)],
    as_json: AsJson = False,
) -> None:
    """See `help-twin-check`."""
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.twin.check import check_twin

    if twin.suffix != ".toml":
        is_swapped = any(run.suffix == ".toml" for run in runs)
        hint = message("twin-hint-last") if is_swapped else message("twin-hint-toml")
        raise SsdlabError(message("twin-not-toml", path=str(twin)), hint)
    with made_sense_of(*runs):
        found = check_twin([_opened(path) for path in runs], str(twin))
    if as_json:
        say_json(_check_fields(found))
        return
    for line in _check_lines(found):
        say(line)


def _check_lines(found: "TwinCheck") -> Iterator[str]:
    compared = [one for run in found.runs for one in run.compared]
    lone = [one for run in found.runs for one in run.lone]
    yield from _told(message("twin-grade", grade=found.grade.value, metrics=len(compared) + len(lone)))
    yield from _left_out_lines(found.distrusted)
    yield from _error_lines({kind: one for kind, one in found.errors().items() if kind is not None})
    if compared:
        yield ""
        yield from _told(message("twin-worst"))
        yield from _compared_lines(sorted(compared, key=lambda one: -abs(one.share))[:_WORST])
    yield from _lone_lines(lone)
    yield from _unasked_lines([point.name for run in found.runs for point in run.unasked])
    apart = [one for run in found.runs for one in run.apart]
    if apart:
        yield ""
        yield from _told(message("twin-apart"))
        for what in apart:
            yield from _told(message("twin-apart-line", what=what))
    for bundle in found.passed_over:
        tell(message("twin-passed-over", run=str(bundle.path)))


def _lone_lines(lone: "Sequence[LoneMetric]") -> Iterator[str]:
    if not lone:
        return
    yield ""
    yield from _told(message("twin-lone", metrics=len(lone)))
    for one in lone[:_WORST]:
        value = _value(one.value, one.unit)
        what = message("twin-lone-line", metric=one.key.name, side=one.side.value, value=value, reason=one.reason)
        yield from _told(message("twin-apart-line", what=what))
    if len(lone) > _WORST:
        yield from _told(message("twin-lone-more", metrics=len(lone) - _WORST))


def _unasked_lines(names: "Sequence[str]") -> Iterator[str]:
    if names:
        where = message("audit-steps", steps=commas(*names[:_NAMED]), left=max(0, len(names) - _NAMED))
        yield ""
        yield from _told(message("twin-unasked", where=where))


def _compared_lines(compared: "list[TwinMetric]") -> Iterator[str]:
    head = (
        message("twin-column-metric"),
        message("twin-column-drive"),
        message("twin-column-twin"),
        message("twin-column-off"),
    )
    rows = [
        (one.key.name, _value(one.measured, one.unit), _value(one.twin, one.unit), f"{100 * one.share:+.1f} %")
        for one in compared
    ]
    return table_lines(head, rows, (Alignment.LEFT, *[Alignment.RIGHT] * 3))


def _value(value: float, unit: str) -> Message | str:
    written = {"ns": duration, "s": lambda value_s: duration(value_s * NS_PER_S), "B/s": bandwidth_decimal}.get(unit)
    return f"{value:,.0f} {unit}" if written is None else message("twin-value", value=written(value))


def _check_fields(found: "TwinCheck") -> dict[str, object]:
    errors = found.errors()
    return {
        "grade": found.grade.value,
        "errors": _errors_fields({kind: one for kind, one in errors.items() if kind is not None}),
        "runs": [
            {
                "run": str(run.bundle.path),
                "metrics": [
                    {
                        "name": one.key.name,
                        "unit": one.unit,
                        "measured": one.measured,
                        "twin": one.twin,
                        "error": one.share,
                    }
                    for one in run.compared
                ],
                "lone": [
                    {
                        "name": one.key.name,
                        "unit": one.unit,
                        "side": one.side.value,
                        "value": one.value,
                        "reason": str(one.reason),
                    }
                    for one in run.lone
                ],
                "unasked": [point.name for point in run.unasked],
                "apart": list(map(str, run.apart)),
            }
            for run in found.runs
        ],
        "distrusted": _checks_fields(found.distrusted),
        "passed_over": [str(bundle.path) for bundle in found.passed_over],
    }
