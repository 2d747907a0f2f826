"""Metrics and steps of a run as lines of text, by the steps of the suite: a run may have hundreds of each."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ssdlab.cli.language import sentence
from ssdlab.cli.table import Alignment, padded, table_lines
from ssdlab.cli.terminal import columns_of
from ssdlab.message import Message, commas, listed, message, semicolons, size

if TYPE_CHECKING:
    from ssdlab.bundle.model import Step, StepStatus
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
        yield from _row_lines(group.rows, widths)
        if group.tables:
            yield f"{group.title}: {sentence(group.tables[0].title)}"
            yield from _table_lines(group.tables[0])
            if more := ", ".join(_others(group.tables[1:])):
                yield f"  {sentence(message('cli-also-measured', more=more))}"


def row_lines(rows: Sequence["MetricRow"]) -> Iterator[str]:
    """A line a metric."""
    return _row_lines(rows, _widths(rows))


def _row_lines(rows: Sequence["MetricRow"], widths: tuple[int, int, int]) -> Iterator[str]:
    for row in rows:
        cells = (padded(row.name, widths[0]), padded(_value(row), widths[1], Alignment.RIGHT))
        yield "  ".join((*cells, padded(sentence(row.state), widths[2]), sentence(remarks(row)))).rstrip()


def _others(tables: Sequence["PointTable"]) -> Iterator[str]:
    """What else there is a table of; those of one direction alone have the same words again."""
    yield from (sentence(table.title) for table in tables if table.direction is None)
    if any(table.direction is not None for table in tables):
        yield sentence(message("cli-directions-apart"))


def step_lines(bundle: "Bundle") -> Iterator[str]:
    """What became of each step of a run that did not finish; where there are many, of those that matter."""
    from ssdlab.bundle.model import StepStatus

    ended_early = {StepStatus.STARTED, StepStatus.INTERRUPTED, StepStatus.FAILED}
    groups: dict[str, list[Step]] = {}
    for step in bundle.steps:
        groups.setdefault(step.group, []).append(step)
    for name, steps in groups.items():
        if len(steps) > _STEPS_LISTED_MAX:
            statuses = [step.status for step in steps]
            counts = (
                message("cli-steps-of-status", count=statuses.count(status), status=_status(status, None))
                for status in dict.fromkeys(statuses)
            )
            place = f"{steps[0].index}-{steps[-1].index}/{len(bundle.steps)}"
            yield f"  {place} {name}: {sentence(listed(commas(*counts)))}"
        for step in steps:
            if len(steps) <= _STEPS_LISTED_MAX or step.status in ended_early:
                yield f"  {step.index}/{len(bundle.steps)} {step.name}: {sentence(_how_far(step))}"


def _widths(rows: Sequence["MetricRow"]) -> tuple[int, int, int]:
    return (
        max((len(row.name) for row in rows), default=0),
        max((columns_of(_value(row)) for row in rows), default=0),
        max((columns_of(sentence(row.state)) for row in rows), default=0),
    )


def _value(row: "MetricRow") -> str:
    if not row.exact:
        return sentence(message("cli-unknown"))
    return f"{sentence(row.value)} [{sentence(row.interval)}]" if row.interval else sentence(row.value)


def remarks(row: "MetricRow") -> Message:
    """What is to be said beside a number, the checks that failed first; beside a missing one why it is missing."""
    said = row.reason or row.note
    failed = (message("cli-failed", check=check) for check in row.failed_checks)
    return listed(semicolons(*failed, *([] if said is None else [said])))


def _table_lines(table: "PointTable") -> Iterator[str]:
    rows = [(str(name), *(str(cell.text) for cell in cells)) for name, cells in table.rows]
    sides = [Alignment.LEFT, *(Alignment.RIGHT for _ in table.columns)]
    for line in table_lines((str(table.corner or ""), *map(str, table.columns)), rows, sides):
        yield f"  {line}"


def _status(status: "StepStatus", reason: Message | None) -> Message:
    words = message("cli-step-status", status=status.value)
    return words if reason is None else message("cli-status-because", status=words, reason=reason)


def _how_far(step: "Step") -> Message:
    """What became of a step, and where it ended if it did not finish."""
    words = _status(step.status, step.reason)
    if step.job is None or step.bytes_done is None:
        return words
    return message("cli-after-about", status=words, done=size(step.bytes_done), whole=size(step.job.amount_bytes or 0))
