"""The metrics of a run by the suite's steps: rows where there are few, tables where a step measured many points."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.quantities import BANDWIDTH, IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.state_words import STATE_WORDS, states_words
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.readings import FAILED_MARK
from ssdlab.figure.kit.subject import block_words, range_words
from ssdlab.figure.kit.suite_steps import measure_steps
from ssdlab.job import DriveState, Job, Pattern, StepKind, Sync
from ssdlab.message import (
    AS_WRITTEN,
    Listed,
    Message,
    Separator,
    as_written,
    commas,
    listed,
    message,
    number,
    semicolons,
    verbatim,
)
from ssdlab.point import Point, job_point, weighted_point
from ssdlab.probe.answer_labels import answer_label
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.store.reader import is_probed
from ssdlab.report.drive_facts import Shown, words
from ssdlab.units import MB, format_quantity, format_quantity_short, resolved_ends
from ssdlab.unknown import Unknown

_FOLDED_FROM = 4
"""So many points of one step are a table rather than a list."""
_WHOLE_RUN = message("report-whole-run")
_IOPS = MetricKey(Point(""), IOPS)
_BANDWIDTH = MetricKey(Point(""), BANDWIDTH)
_SHARE_WORDS = {0: message("report-share-write"), 100: message("report-share-read")}
_NOT_KNOWN = message("report-unknown")


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric, readable."""

    label: Message
    name: str
    value: Shown
    exact: str
    """As in `metrics.json`; empty when unknown."""
    interval: Message | None
    state: Message
    note: Message | None
    failed_checks: tuple[str, ...]
    reason: Message | None = None
    """Why there is no value."""

    @property
    def is_word(self) -> bool:
        """Whether the value is one of a few classes and no number."""
        return isinstance(self.value, Message) and self.value.id == AS_WRITTEN

    @property
    def failed(self) -> Message | None:
        """The checks that failed."""
        return message("report-failed-checks", names=commas(*self.failed_checks)) if self.failed_checks else None


@dataclass(frozen=True, slots=True)
class MetricCell:
    """A metric in a table of points."""

    name: str
    """Empty where nothing was measured."""
    text: Shown
    exact: str
    tip: Message | None
    """Interval, note and failed checks."""


@dataclass(frozen=True, slots=True)
class PointTable:
    """The metrics of many points of one step."""

    title: Message
    corner: Message | None
    """What the names of the rows are."""
    columns: tuple[Shown, ...]
    rows: tuple[tuple[Shown, tuple[MetricCell, ...]], ...]
    direction: Direction | None = None
    """Of mixed points, where it is that of one direction alone."""


@dataclass(frozen=True, slots=True)
class MetricGroup:
    """The metrics of one step."""

    name: str
    title: Shown
    rows: tuple[MetricRow, ...]
    tables: tuple[PointTable, ...] = ()
    """The first is the one to look at."""


def metric_groups(bundle: Bundle) -> tuple[MetricGroup, ...]:
    """All metrics, in the order of the plan; those of no step in it come last."""
    if is_probed(bundle):
        return tuple(_answers(bundle))
    of_step = {step.name: step.group for step in bundle.steps}
    groups = list(dict.fromkeys(of_step.values()))
    made: list[MetricGroup] = []
    for group in groups:
        own = [metric for metric in bundle.metrics if _group_of(metric, groups, of_step) == group]
        made += _of_group(bundle, group, own) if own else []
    rest = [metric_row(metric) for metric in bundle.metrics if _group_of(metric, groups, of_step) is None]
    return (*made, *([MetricGroup("", _WHOLE_RUN, tuple(rest))] if rest else []))


def metric_groups_decimal(bundle: Bundle) -> tuple[MetricGroup, ...]:
    """The same groups, rows and cells with their speeds in MB/s."""
    return metric_groups(replace(bundle, metrics=tuple(map(in_decimal, bundle.metrics))))


def in_decimal(metric: Metric) -> Metric:
    """A speed in MB/s; all else as it is."""
    if metric.unit != "B/s":
        return metric
    low, high = (None if end is None else end / MB for end in (metric.low, metric.high))
    value = metric.value / MB if isinstance(metric.value, int | float) else metric.value
    return replace(metric, value=value, low=low, high=high, unit="MB/s")


def _answers(bundle: Bundle) -> Iterator[MetricGroup]:
    """What each probe answered, under its question."""
    questions = {probe.name: message("report-question", probe=probe.name, question=probe.question) for probe in PROBES}
    for step in bundle.finished():
        own = [metric for metric in bundle.metrics if metric.step == step.name]
        rows = [replace(metric_row(one), label=answer_label(one.key.quantity.word)) for one in own]
        if rows:
            question = questions.get(step.name, step.name)
            yield MetricGroup(step.name, _with_state(question, [step.state]), tuple(rows))


def metric_row(metric: Metric) -> MetricRow:
    """A metric with its value in the unit a reader would choose."""
    value, exact = _value(metric)
    return MetricRow(
        label=metric.key.label,
        name=metric.name,
        value=value,
        exact=exact,
        interval=_interval(metric),
        state=STATE_WORDS[metric.state],
        note=metric.note,
        failed_checks=metric.failed_checks,
        reason=metric.value.reason if isinstance(metric.value, Unknown) else None,
    )


def _value(metric: Metric) -> tuple[Shown, str]:
    """For readers, and as in `metrics.json`."""
    match metric.value:
        case Unknown():
            return words(metric.value), ""
        case bool():
            return yes_or_no(metric.value), str(metric.value).lower()
        case str():
            return as_written(metric.value), metric.value
        case int() | float():
            return format_quantity(metric.value, metric.unit, metric.low, metric.high), repr(metric.value)


def yes_or_no(is_so: bool) -> Message:  # noqa: FBT001 - it is the value
    """Of a value that is one or the other."""
    return message("report-yes") if is_so else message("report-no")


def _interval(metric: Metric) -> Message | None:
    if isinstance(metric.value, bool | str | Unknown) or metric.low is None or metric.high is None:
        return None
    return interval_words(metric.value, metric.unit, metric.low, metric.high)


def interval_words(value: float, unit: str, low: float, high: float) -> Message | None:
    """A 95 % interval in the unit that its value is shown in; None of one that its digits do not tell."""
    ends = resolved_ends(value, unit, low, high)
    return None if ends is None else message("report-interval", low=ends[0], high=ends[1])


def _group_of(metric: Metric, groups: Sequence[str], of_step: Mapping[str, str]) -> str | None:
    """The suite's step a metric belongs to: that of its point, or that of the step it came from."""
    own = metric.key.point.step
    return own if own in groups else of_step.get(metric.step)


def _of_group(bundle: Bundle, group: str, metrics: Sequence[Metric]) -> list[MetricGroup]:
    points = _measured(bundle, group)
    of_points = {metric.name: metric.step for metric in metrics if metric.step in points}
    if len(set(of_points.values())) < _FOLDED_FROM:
        return _listed(bundle, group, metrics)
    tables = _tables(bundle, group, points, metrics)
    shown = {cell.name for table in tables for _, cells in table.rows for cell in cells}
    rows = [metric_row(metric) for metric in metrics if metric.name not in shown]
    return [MetricGroup(group, _title(group, points), tuple(rows), tables)]


def _listed(bundle: Bundle, group: str, metrics: Sequence[Metric]) -> list[MetricGroup]:
    """A list for each point, what several of them share last."""
    steps = {step.name for step in bundle.steps}
    lists: dict[str, list[MetricRow]] = {}
    for metric in metrics:
        key = metric.key
        alone = key.direction is None and key.aspect is None and key.point.name in steps
        lists.setdefault(key.point.name if alone else group, []).append(metric_row(metric))
    ordered = sorted(lists, key=lambda name: name == group)
    return [MetricGroup(name, _list_title(bundle, name), tuple(lists[name])) for name in ordered]


def _list_title(bundle: Bundle, name: str) -> Shown:
    for step in bundle.steps:
        if step.name == name and step.state is not DriveState.UNKNOWN:
            return _with_state(name, [step.state])
    return message("report-as-a-whole", name=name) if any(step.group == name for step in bundle.steps) else name


def _measured(bundle: Bundle, group: str) -> dict[str, Step]:
    """The first run of each point of a group."""
    found: dict[str, Step] = {}
    for step in bundle.finished():
        if step.group == group and step.kind is StepKind.MEASURE and step.job is not None:
            found.setdefault(step.point.name, step)
    return found


def _title(group: str, points: dict[str, Step]) -> Shown:
    return _with_state(group, [step.state for step in points.values()])


def _with_state(title: Shown, states: Sequence[DriveState]) -> Shown:
    known = states_words(states)
    return title if known is None else message("report-title-with-state", title=title, states=known)


def _tables(bundle: Bundle, group: str, points: dict[str, Step], metrics: Sequence[Metric]) -> tuple[PointTable, ...]:
    """A matrix for each quantity where the share of reads varies, else one table with a column for each quantity."""
    by_point: dict[str, dict[MetricKey, Metric]] = {}
    for metric in metrics:
        if metric.step in points:
            by_point.setdefault(metric.step, {})[metric.key.of_any_point] = metric
    quantities = list(dict.fromkeys(key for found in by_point.values() for key in found))
    jobs = {point: step.job for point, step in points.items() if step.job is not None and point in by_point}
    shares = sorted({job.read_percent for job in jobs.values()})
    if len(shares) < 2:
        return (_quantity_table(bundle, group, jobs, quantities, by_point),)
    order = _best_first(quantities, jobs.values())
    weights = _weighted_rows(bundle, group, shares, metrics)
    return tuple(_share_matrix(key, jobs, shares, by_point, weights if key == _IOPS else ()) for key in order)


def _best_first(quantities: Sequence[MetricKey], jobs: Iterable[Job]) -> list[MetricKey]:
    """The quantity a reader looks for first: I/Os a second where everything is random, bandwidth elsewhere."""
    first = _IOPS if all(job.pattern is Pattern.RANDOM for job in jobs) else _BANDWIDTH
    return sorted(quantities, key=lambda key: key != first)


def _share_matrix(
    quantity: MetricKey,
    jobs: dict[str, Job],
    shares: Sequence[int],
    by_point: dict[str, dict[MetricKey, Metric]],
    more: Sequence[tuple[Message, tuple[MetricCell, ...]]],
) -> PointTable:
    describe = _describer(list(jobs.values()))
    cells: dict[Message, dict[int, MetricCell]] = {}
    unit = ""
    for point, job in jobs.items():
        metric = by_point[point].get(quantity)
        if metric is not None:
            unit = _bare_unit(metric.unit)
            cells.setdefault(describe(job), {})[job.read_percent] = _cell(metric)
    rows = [(name, tuple(found.get(share, _NOTHING) for share in shares)) for name, found in cells.items()]
    pure = set(shares) <= _SHARE_WORDS.keys()
    return PointTable(
        title=_in_unit(quantity, unit),
        corner=None if pure else message("report-corner-reads"),
        columns=tuple(_SHARE_WORDS[share] if pure else f"{share} %" for share in shares),
        rows=(*rows, *more),
        direction=quantity.direction,
    )


def _weighted_rows(
    bundle: Bundle, group: str, shares: Sequence[int], metrics: Sequence[Metric]
) -> tuple[tuple[Message, tuple[MetricCell, ...]], ...]:
    """The weighted curves, which belong under those they are made of."""
    known = {metric.key: metric for metric in metrics}
    rows = []
    for step in measure_steps(bundle):
        if step.name != group or step.weighted is None:
            continue
        for label in step.jobs:
            of_job = job_point(group, label)
            keys = [MetricKey(weighted_point(of_job, share), IOPS) for share in shares]
            cells = tuple(_cell(known[key]) if key in known else _NOTHING for key in keys)
            several = len(step.jobs) > 1
            name = message("report-weighted-of", job=label.upper()) if several else message("report-weighted")
            rows.append((name, cells))
    return tuple(rows)


def _quantity_table(
    bundle: Bundle,
    group: str,
    jobs: dict[str, Job],
    quantities: Sequence[MetricKey],
    by_point: dict[str, dict[MetricKey, Metric]],
) -> PointTable:
    describe = _describer(list(jobs.values()))
    rests = {
        step.point.name: step.rest_ns / 1e9
        for step in bundle.steps
        if step.group == group
        and step.kind is StepKind.REST
        and step.name == f"{step.point.name}.rest"
        and step.rest_ns
    }
    units = {key: _bare_unit(found[key].unit) for found in by_point.values() for key in found}
    points = {step.point.name: step.point for step in bundle.steps if step.group == group}
    alike = len({describe(job) for job in jobs.values()}) < len(jobs)
    rows = []
    for point, job in jobs.items():
        # Points of one job differ in what came before it: how long the drive was left alone, or what a search had tried.
        name = _rested(rests.get(point), points[point]) if alike else describe(job)
        rows.append(
            (name, tuple(_cell(by_point[point][key]) if key in by_point[point] else _NOTHING for key in quantities))
        )
    columns = tuple(_in_unit(key, units[key]) for key in quantities)
    title, corner = message("report-each-point"), message("report-corner-point")
    return PointTable(title=title, corner=corner, columns=columns, rows=tuple(rows))


def _rested(rest_s: float | None, point: Point) -> Message:
    return verbatim(point.words) if rest_s is None else message("report-after-rest", rest=number(rest_s, ".3g"))


def _in_unit(quantity: MetricKey, unit: str) -> Message:
    return message("report-in-unit", quantity=quantity.label, unit=unit) if unit else quantity.label


def _describer(jobs: Sequence[Job]) -> Callable[[Job], Message]:
    """Words for what differs between the jobs, besides the share of reads."""
    parts: list[Callable[[Job], Shown]] = [
        lambda job: "SEQ" if job.pattern is Pattern.SEQUENTIAL else "RND",
        lambda job: block_words(job.block_bytes),
        lambda job: f"QD{job.queue_depth}",
        lambda job: message("report-jobs", count=job.jobs),
        lambda job: message("report-no-sync") if job.sync is Sync.NONE else message("report-sync"),
    ]
    varying = [part for part in parts if len({part(job) for job in jobs}) > 1]
    # Regions that begin where others do and are shorter are active ranges; else they only follow the pattern.
    if len({(_begins(job), job.region.length_bytes) for job in jobs}) > len({_begins(job) for job in jobs}):
        varying.append(lambda job: message("report-first-range", range=range_words(job.region.length_bytes)))
    if not varying:
        return lambda _: message("report-all-jobs")
    return lambda job: listed(Listed(tuple(part(job) for part in varying), Separator.SPACE))


def _begins(job: Job) -> tuple[int, Pattern]:
    return job.region.offset_bytes, job.pattern


_NOTHING = MetricCell("", message("report-none"), "", message("report-not-measured"))


def _cell(metric: Metric) -> MetricCell:
    row = metric_row(metric)
    if isinstance(metric.value, Unknown):
        return MetricCell(metric.name, _NOT_KNOWN, "", words(metric.value))
    return MetricCell(
        metric.name, marked(_bare(metric), metric.failed_checks), row.exact, tip_of(row.interval, row.note, row.failed)
    )


def marked(text: Shown, failed_checks: Sequence[str]) -> Shown:
    """With the mark of what failed a check."""
    return message("report-marked", text=text, mark=FAILED_MARK) if failed_checks else text


def tip_of(*parts: Message | None) -> Message | None:
    """What there is to be told beside a number."""
    there = [part for part in parts if part is not None]
    return listed(semicolons(*there)) if there else None


def _bare(metric: Metric) -> Shown:
    """The number alone where the column says its unit."""
    if metric.unit == "%" and isinstance(metric.value, float):
        return f"{metric.value:.2f}"
    if isinstance(metric.value, int | float) and not isinstance(metric.value, bool):
        text = format_quantity_short(metric.value, metric.unit, metric.low, metric.high)
        return text.removesuffix(f" {_bare_unit(metric.unit)}")
    if isinstance(metric.value, bool):
        return yes_or_no(metric.value)
    return as_written(str(metric.value))


def _bare_unit(unit: str) -> str:
    """The unit all values of a column share; empty where each value chooses its own."""
    return {"1/s": "IOPS", "B/s": "MiB/s", "MB/s": "MB/s", "%": "%"}.get(unit, "")
