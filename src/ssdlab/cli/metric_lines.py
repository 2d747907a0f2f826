"""Metrics and steps of a run as lines of text, by the steps of the suite: a run may have hundreds of each."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ssdlab.cli.table import Side, table_lines

if TYPE_CHECKING:
    from ssdlab.bundle.model import Step
    from ssdlab.bundle.read import Bundle
    from ssdlab.report.metric_tables import MetricRow, PointTable

_STEPS_LISTED_MAX = 5
"""A step of the suite that became more steps than these is counted."""


def metric_lines(bundle: "Bundle") -> Iterator[str]:
    """A line a metric; what was measured at many points as a table of the quantity to look at first."""
    from ssdlab.report.metric_tables import metric_groups

    groups = metric_groups(bundle)
    widths = _widths([row for group in groups for row in group.rows])
    for number, group in enumerate(groups):
        if number and (group.tables or groups[number - 1].tables):
            yield ""
        for row in group.rows:
            name, value, state = row.name, _value(row), row.state
            yield f"{name:{widths[0]}}  {value:>{widths[1]}}  {state:{widths[2]}}  {_remarks(row)}".rstrip()
        if group.tables:
            yield f"{group.title}: {group.tables[0].title}"
            yield from _table_lines(group.tables[0])
            if more := ", ".join(_others(group.tables[1:])):
                yield f"  also measured: {more} (`--json` has them)"


def _others(tables: Sequence["PointTable"]) -> Iterator[str]:
    """What else there is a table of; those of one direction alone have the same words again."""
    from ssdlab.report.metric_tables import is_of_one_direction

    yield from (table.title for table in tables if not is_of_one_direction(table.title))
    if any(is_of_one_direction(table.title) for table in tables):
        yield "reads and writes apart"


def step_lines(bundle: "Bundle") -> Iterator[str]:
    """What became of each step of a run that did not finish; where there are many, of those that matter."""
    from ssdlab.bundle.model import StepStatus

    ended_early = {StepStatus.STARTED, StepStatus.INTERRUPTED, StepStatus.FAILED}
    groups: dict[str, list[Step]] = {}
    for step in bundle.steps:
        groups.setdefault(step.group, []).append(step)
    for name, steps in groups.items():
        if len(steps) > _STEPS_LISTED_MAX:
            words = [step.status.value for step in steps]
            counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
            yield f"  {steps[0].index}-{steps[-1].index}/{len(bundle.steps)} {name}: {counts}"
        for step in steps:
            if len(steps) <= _STEPS_LISTED_MAX or step.status in ended_early:
                yield f"  {step.index}/{len(bundle.steps)} {step.name}: {_how_far(step)}"


def _widths(rows: Sequence["MetricRow"]) -> tuple[int, int, int]:
    return (
        max((len(row.name) for row in rows), default=0),
        max((len(_value(row)) for row in rows), default=0),
        max((len(row.state) for row in rows), default=0),
    )


def _value(row: "MetricRow") -> str:
    if not row.exact:
        return "unknown"
    return f"{row.value} [{row.interval}]" if row.interval else row.value


def _remarks(row: "MetricRow") -> str:
    remarks = [f"FAILED {name}" for name in row.failed_checks]
    remarks.append(row.note if row.exact else row.value.removeprefix("unknown: "))
    return "; ".join(remark for remark in remarks if remark)


def _table_lines(table: "PointTable") -> Iterator[str]:
    rows = [(name, *(cell.text for cell in cells)) for name, cells in table.rows]
    sides = [Side.LEFT, *(Side.RIGHT for _ in table.columns)]
    for line in table_lines((table.corner, *table.columns), rows, sides):
        yield f"  {line}"


def _how_far(step: "Step") -> str:
    """What became of a step, and where it ended if it did not finish."""
    from ssdlab.units import format_bytes

    words = step.status.value if step.reason is None else f"{step.status.value}: {step.reason}"
    if step.job is None or step.bytes_done is None:
        return words
    return f"{words}, after about {format_bytes(step.bytes_done)} of {format_bytes(step.job.amount_bytes or 0)}"
