"""The metrics of a run by the suite's steps: rows where there are few, tables where a step measured many points."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.read import Bundle
from ssdlab.figure.readings import FAILED_MARK
from ssdlab.figure.subject import block_words, range_words
from ssdlab.figure.suite_steps import measure_steps, prefix
from ssdlab.job import DriveState, Job, Pattern, StepKind, Sync
from ssdlab.probe.kept import is_probed
from ssdlab.probe.registry import PROBES
from ssdlab.units import format_interval, format_quantity
from ssdlab.unknown import Unknown

_FOLDED_FROM = 4
"""So many points of one step are a table rather than a list."""
_WHOLE_RUN = "Whole run"
_SHARE_WORDS = {0: "write", 100: "read"}


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric, readable."""

    label: str
    name: str
    value: str
    exact: str
    """As in `metrics.json`; empty when unknown."""
    interval: str
    state: str
    note: str
    failed_checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A metric in a table of points."""

    name: str
    """Empty where nothing was measured."""
    text: str
    exact: str
    tip: str
    """Interval, note and failed checks."""


@dataclass(frozen=True, slots=True)
class PointTable:
    """The metrics of many points of one step."""

    title: str
    corner: str
    """What the names of the rows are."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class MetricGroup:
    """The metrics of one step."""

    title: str
    rows: tuple[MetricRow, ...]
    tables: tuple[PointTable, ...] = ()
    """The first is the one to look at."""


_LABELS = {
    "duration": "time",
    "cache_bytes": "SLC cache",
    "cache_bandwidth": "speed within the cache",
    "folding_bandwidth": "speed while folding",
    "direct_bandwidth": "speed past the cache",
    "bandwidth_mean": "mean speed",
    "bandwidth_p1": "slowest 1 % of windows",
    "latency_mean_over_time": "mean latency over time",
    "latency_mean_over_ios": "mean latency over I/Os",
    "after_cache": "what follows the cache",
    "reach_bytes": "reach of the mapping cache",
    "iops": "I/Os a second",
    "rse": "relative standard error",
    "clat_mean": "mean completion latency",
    "lat_mean": "mean latency",
    "bytes": "written",
    "criterion": "what ended the writing",
    "steady_bandwidth": "speed at its end",
    "steady_iops": "steady I/Os a second",
    "fob_iops": "fresh I/Os a second",
    "transition_at_bytes": "written when the fresh speed was lost",
    "steady_from_bytes": "written when the speed was steady",
    "delay": "delay before reclaiming",
    "rate": "rate of reclaiming",
    "bandwidth_min": "worst second",
    "bandwidth_median": "median of the seconds",
    "time_below_50": "time under 50 % of the median",
    "time_below_80": "time under 80 % of the median",
    "time_below_95": "time under 95 % of the median",
    "need_met": "time as fast as needed",
    "speed_retained": "speed against the day of writing",
    "bad_bytes": "bytes not as written",
}


_DIRECTIONS = {"read": "reads", "write": "writes"}
_BY_CRITERION = {
    "steady_at_bytes": "written until steady by",
    "steady_after": "time until steady by",
    "first_at_bytes": "written when first fulfilled:",
}


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
    return (*made, *([MetricGroup(_WHOLE_RUN, tuple(rest))] if rest else []))


def _answers(bundle: Bundle) -> Iterator[MetricGroup]:
    """What each probe answered, under its question."""
    questions = {probe.name: f"{probe.name}: {probe.question}" for probe in PROBES}
    for step in bundle.finished():
        own = [metric for metric in bundle.metrics if metric.step == step.name]
        rows = [replace(metric_row(one), label=_answer_label(one.name)) for one in own]
        if rows:
            yield MetricGroup(_with_state(questions.get(step.name, step.name), [step.state]), tuple(rows))


def _answer_label(name: str) -> str:
    """Of `probe.management_block.size`, the last two parts in words: the last one alone says little."""
    return " ".join(name.split(".")[1:]).replace("_", " ")


def metric_label(name: str) -> str:
    """What a metric is, in words: the last part of its name."""
    if name.endswith(".rank.iops"):
        return "weighted mean, ranks drives"
    before, _, last = name.rpartition(".")
    part = before.rpartition(".")[2]
    if part in _BY_CRITERION:
        return f"{_BY_CRITERION[part]} {last}"
    direction = f"{_DIRECTIONS[part]}: " if part in _DIRECTIONS else ""
    for kind, words in (("clat_p", "latency"), ("lat_p", "exact latency")):
        if last.startswith(kind):
            return f"{direction}{words} at {last.removeprefix(kind).replace('_', '.')} %"
    return direction + _LABELS.get(last, last.replace("_", " "))


def is_of_one_direction(label: str) -> bool:
    """Whether a label is that of the reads or the writes of a mixed point alone."""
    return label.startswith(tuple(f"{words}: " for words in _DIRECTIONS.values()))


def metric_row(metric: Metric) -> MetricRow:
    """A metric with its value in the unit a reader would choose."""
    interval = ""
    if isinstance(metric.value, Unknown):
        value, exact = f"unknown: {metric.value.unknown}", ""
    elif isinstance(metric.value, bool):
        value, exact = ("yes" if metric.value else "no"), str(metric.value).lower()
    elif isinstance(metric.value, str):
        value, exact = metric.value, metric.value
    else:
        value = format_quantity(metric.value, metric.unit, metric.low, metric.high)
        exact = repr(metric.value)
        if metric.low is not None and metric.high is not None:
            interval = format_interval(metric.value, metric.unit, metric.low, metric.high)
    return MetricRow(
        label=metric_label(metric.name),
        name=metric.name,
        value=value,
        exact=exact,
        interval=interval,
        state=metric.state.value,
        note=metric.note,
        failed_checks=metric.failed_checks,
    )


def _group_of(metric: Metric, groups: Sequence[str], of_step: Mapping[str, str]) -> str | None:
    """The suite's step a metric belongs to: the part of its name that is one, or that of the step it came from."""
    named = next((group for group in groups if metric.name.startswith(f"{group}.")), None)
    return named or of_step.get(metric.step)


def _of_group(bundle: Bundle, group: str, metrics: Sequence[Metric]) -> list[MetricGroup]:
    points = _measured(bundle, group)
    of_points = {metric.name: metric.step for metric in metrics if metric.step in points}
    if len(set(of_points.values())) < _FOLDED_FROM:
        return _listed(bundle, group, metrics)
    tables = _tables(bundle, group, points, metrics)
    shown = {cell.name for table in tables for _, cells in table.rows for cell in cells}
    rows = [metric_row(metric) for metric in metrics if metric.name not in shown]
    return [MetricGroup(_title(group, points), tuple(rows), tables)]


def _listed(bundle: Bundle, group: str, metrics: Sequence[Metric]) -> list[MetricGroup]:
    """A list for each point, what several of them share last."""
    steps = {step.name for step in bundle.steps}
    lists: dict[str, list[MetricRow]] = {}
    for metric in metrics:
        parent = metric.name.rpartition(".")[0]
        lists.setdefault(parent if parent in steps else group, []).append(metric_row(metric))
    ordered = sorted(lists, key=lambda name: name == group)
    return [MetricGroup(_list_title(bundle, name), tuple(lists[name])) for name in ordered]


def _list_title(bundle: Bundle, name: str) -> str:
    for step in bundle.steps:
        if step.name == name and step.state is not DriveState.UNKNOWN:
            return _with_state(name, [step.state])
    return f"{name}, as a whole" if any(step.group == name for step in bundle.steps) else name


def _measured(bundle: Bundle, group: str) -> dict[str, Step]:
    """The first run of each point of a group."""
    found: dict[str, Step] = {}
    for step in bundle.finished():
        if step.group == group and step.kind is StepKind.MEASURE and step.job is not None:
            found.setdefault(step.point, step)
    return found


def _title(group: str, points: dict[str, Step]) -> str:
    return _with_state(group, [step.state for step in points.values()])


def _with_state(title: str, states: Sequence[DriveState]) -> str:
    known = list(dict.fromkeys(state.value for state in states if state is not DriveState.UNKNOWN))
    return f"{title} (drive state: {', then '.join(known)})" if known else title


def _tables(bundle: Bundle, group: str, points: dict[str, Step], metrics: Sequence[Metric]) -> tuple[PointTable, ...]:
    """A matrix for each quantity where the share of reads varies, else one table with a column for each quantity."""
    by_point: dict[str, dict[str, Metric]] = {}
    for metric in metrics:
        if metric.step in points:
            by_point.setdefault(metric.step, {})[metric.name.removeprefix(f"{metric.step}.")] = metric
    quantities = list(dict.fromkeys(name for found in by_point.values() for name in found))
    jobs = {point: step.job for point, step in points.items() if step.job is not None and point in by_point}
    shares = sorted({job.read_percent for job in jobs.values()})
    if len(shares) < 2:
        return (_quantity_table(bundle, group, jobs, quantities, by_point),)
    order = _best_first(quantities, jobs.values())
    weights = _weighted_rows(bundle, group, shares, metrics)
    return tuple(_share_matrix(name, jobs, shares, by_point, weights if name == "iops" else ()) for name in order)


def _best_first(quantities: Sequence[str], jobs: Iterable[Job]) -> list[str]:
    """The quantity a reader looks for first: I/Os a second where everything is random, bandwidth elsewhere."""
    first = "iops" if all(job.pattern is Pattern.RANDOM for job in jobs) else "bandwidth"
    return sorted(quantities, key=lambda name: name != first)


def _share_matrix(
    quantity: str,
    jobs: dict[str, Job],
    shares: Sequence[int],
    by_point: dict[str, dict[str, Metric]],
    more: Sequence[tuple[str, tuple[Cell, ...]]],
) -> PointTable:
    describe = _describer(list(jobs.values()))
    cells: dict[str, dict[int, Cell]] = {}
    unit = ""
    for point, job in jobs.items():
        metric = by_point[point].get(quantity)
        if metric is not None:
            unit = _bare_unit(metric.unit)
            cells.setdefault(describe(job), {})[job.read_percent] = _cell(metric)
    rows = [(name, tuple(found.get(share, _NOTHING) for share in shares)) for name, found in cells.items()]
    label = metric_label(quantity)
    pure = set(shares) <= _SHARE_WORDS.keys()
    return PointTable(
        title=f"{label} ({unit})" if unit else label,
        corner="" if pure else "reads",
        columns=tuple(_SHARE_WORDS.get(share, "") if pure else f"{share} %" for share in shares),
        rows=(*rows, *more),
    )


def _weighted_rows(
    bundle: Bundle, group: str, shares: Sequence[int], metrics: Sequence[Metric]
) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    """The weighted curves, which belong under those they are made of."""
    known = {metric.name: metric for metric in metrics}
    rows = []
    for step in measure_steps(bundle):
        if step.name != group or step.weighted is None:
            continue
        for label in step.jobs:
            names = [f"{prefix(group, label)}.weighted.r{share}.iops" for share in shares]
            cells = tuple(_cell(known[name]) if name in known else _NOTHING for name in names)
            rows.append((f"{label.upper()} weighted" if len(step.jobs) > 1 else "weighted", cells))
    return tuple(rows)


def _quantity_table(
    bundle: Bundle,
    group: str,
    jobs: dict[str, Job],
    quantities: Sequence[str],
    by_point: dict[str, dict[str, Metric]],
) -> PointTable:
    describe = _describer(list(jobs.values()))
    rests = {
        step.point: step.rest_ns / 1e9
        for step in bundle.steps
        if step.group == group and step.kind is StepKind.REST and step.name == f"{step.point}.rest" and step.rest_ns
    }
    units = {name: _bare_unit(found[name].unit) for found in by_point.values() for name in found}
    alike = len({describe(job) for job in jobs.values()}) < len(jobs)
    rows = []
    for point, job in jobs.items():
        # Points of one job differ in what came before it: how long the drive was left alone, or what a search had tried.
        rested = f"after {rests[point]:.3g} s of rest" if point in rests else point.removeprefix(f"{group}.")
        name = rested if alike else describe(job)
        rows.append(
            (name, tuple(_cell(by_point[point][one]) if one in by_point[point] else _NOTHING for one in quantities))
        )
    columns = tuple(f"{metric_label(one)} ({units[one]})" if units[one] else metric_label(one) for one in quantities)
    return PointTable(title="each point", corner="point", columns=columns, rows=tuple(rows))


def _describer(jobs: Sequence[Job]) -> Callable[[Job], str]:
    """Words for what differs between the jobs, besides the share of reads."""
    parts: list[Callable[[Job], str]] = [
        lambda job: "SEQ" if job.pattern is Pattern.SEQUENTIAL else "RND",
        lambda job: block_words(job.block_bytes),
        lambda job: f"QD{job.queue_depth}",
        lambda job: f"{job.jobs} jobs" if job.jobs > 1 else "1 job",
        lambda job: "sync" if job.sync is not Sync.NONE else "no sync",
    ]
    varying = [part for part in parts if len({part(job) for job in jobs}) > 1]
    # Regions that begin where others do and are shorter are active ranges; else they only follow the pattern.
    if len({(_begins(job), job.region.length_bytes) for job in jobs}) > len({_begins(job) for job in jobs}):
        varying.append(lambda job: f"first {range_words(job.region.length_bytes)}")
    return lambda job: " ".join(part(job) for part in varying) or "all"


def _begins(job: Job) -> tuple[int, Pattern]:
    return job.region.offset_bytes, job.pattern


_NOTHING = Cell("", "none", "", "not measured")


def _cell(metric: Metric) -> Cell:
    row = metric_row(metric)
    if isinstance(metric.value, Unknown):
        return Cell(metric.name, "unknown", "", row.value)
    failed = f"failed {', '.join(metric.failed_checks)}" if metric.failed_checks else ""
    tip = "; ".join(part for part in (row.interval, row.note, failed) if part)
    mark = f" {FAILED_MARK}" if metric.failed_checks else ""
    return Cell(metric.name, f"{_bare(metric)}{mark}", row.exact, tip)


def _bare(metric: Metric) -> str:
    """The number alone where the column says its unit."""
    if metric.unit == "%" and isinstance(metric.value, float):
        return f"{metric.value:.2f}"
    if isinstance(metric.value, int | float) and not isinstance(metric.value, bool):
        text = format_quantity(metric.value, metric.unit, metric.low, metric.high)
        unit = _bare_unit(metric.unit)
        return text.removesuffix(f" {unit}") if unit else text.partition(" (")[0]
    if isinstance(metric.value, bool):
        return "yes" if metric.value else "no"
    return str(metric.value)


def _bare_unit(unit: str) -> str:
    """The unit all values of a column share; empty where each value chooses its own."""
    return {"1/s": "IOPS", "B/s": "MiB/s", "%": "%"}.get(unit, "")
