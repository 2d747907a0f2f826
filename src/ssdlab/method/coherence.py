"""What each table of a suite may say by itself and all of them together may not."""

from collections.abc import Iterator, Mapping, Sequence

from ssdlab.job import Pattern
from ssdlab.method.faults import Fault, Path, line_of, one_of, where
from ssdlab.method.schema import (
    DRIVE_REGION,
    RANDOM_REGION,
    SEQUENTIAL_REGION,
    AnyStep,
    FillStep,
    MeasureJob,
    MeasureStep,
    PreconditionStep,
    SteadyStep,
    SuiteTables,
)


def incoherent(tables: SuiteTables, lines: Mapping[Path, int]) -> Iterator[Fault]:
    """Faults that no single key has: what is said twice or nowhere, and regions that nothing has made."""
    regions = [DRIVE_REGION]
    for index, step in enumerate(tables.steps):
        for tail, message in _of_step(step, regions):
            path = ("step", index, *tail)
            yield Fault(line_of(path, lines), where(path), message)
        regions += _made_by(step)
    for index, tail, message in _of_steady(tables.steps):
        path = ("step", index, *tail)
        yield Fault(line_of(path, lines), where(path), message)


_Found = Iterator[tuple[Path, str]]


def _made_by(step: AnyStep) -> list[str]:
    match step:
        case FillStep():
            return [step.name]
        case PreconditionStep():
            return [RANDOM_REGION, SEQUENTIAL_REGION]
        case _:
            return []


def _of_step(step: AnyStep, regions: list[str]) -> _Found:
    if not isinstance(step, MeasureStep):
        return
    for label, job in step.jobs.items():
        table: Path = ("job", label) if label else ("job",)
        if job.region not in regions:
            message = f"`{job.region}` is no region made by an earlier step ({one_of(job.region, regions)})"
            yield (*table, "region"), message
        yield from _of_job(step, job, table)
    yield from _of_repeat(step)
    yield from _of_weights(step)


def _of_steady(steps: Sequence[AnyStep]) -> Iterator[tuple[int, Path, str]]:
    patterns: set[Pattern] = set()
    for index, step in enumerate(steps):
        if not isinstance(step, SteadyStep):
            continue
        if step.job.pattern in patterns:
            yield (
                index,
                ("job", "pattern"),
                "is that of an earlier step of this kind; their metrics would have one name",
            )
        patterns.add(step.job.pattern)
        if step.at_most <= step.at_least:
            yield index, ("at_most",), f"`{step.at_most}x` is no more than `at_least`, `{step.at_least}x`"


def _of_job(step: MeasureStep, job: MeasureJob, table: Path) -> _Found:
    sweep = step.sweep
    swept = {
        "read": [key for key, one in (("mix", sweep.mix), ("read", sweep.read_percent)) if one is not None],
        "bs": ["bs"] if sweep.block_bytes is not None else [],
        "qd": ["qd"] if sweep.queue_depth is not None else [],
    }
    said = {"read": job.read_percent, "bs": job.block_bytes, "qd": job.queue_depth}
    for key, by in swept.items():
        if said[key] is None and not by:
            yield (*table, key), "is missing; say it here or sweep it"
        if said[key] is not None and by:
            yield (*table, key), f"is swept already by `sweep.{by[0]}`; say it in one place"
        if len(by) > 1:
            yield ("sweep", "mix"), "is the share of reads, which `sweep.read` sweeps already; say it in one place"
    if job.amount_bytes is None and job.limit_ns is None:
        yield (*table, "amount"), "is missing; a job needs an `amount`, a `limit`, or both"


def _of_repeat(step: MeasureStep) -> _Found:
    repeat = step.repeat
    if (repeat.at_most is None) != (repeat.until_rse_percent is None):
        missing = "at_most" if repeat.at_most is None else "until_rse"
        yield ("repeat", missing), "is missing; `at_most` and `until_rse` go together"
    elif repeat.at_most is not None and repeat.at_most <= repeat.times:
        yield ("repeat", "at_most"), f"`{repeat.at_most}` is no more than `times`"
    elif repeat.at_most is not None and repeat.times < 3:
        yield ("repeat", "times"), f"`{repeat.times}` is too small; the error is that of the last three runs"


def _of_weights(step: MeasureStep) -> _Found:
    if step.weighted is None:
        return
    depths, weights = set(step.sweep.queue_depth or ()), step.weighted.share_of_depth
    if step.sweep.read_percent is None:
        yield ("weighted",), "needs a curve over shares of reads; sweep `read`"
    if set(weights) != depths:
        yield ("weighted", "qd"), f"weighs {_words(set(weights))}, the sweep's `qd` is {_words(depths)}"
    total = sum(share.numerator / share.denominator for share in weights.values())
    if abs(total - 1) > 1e-9:
        yield ("weighted", "qd"), f"the weights add up to {total:.4%}"


def _words(depths: set[int]) -> str:
    return ", ".join(map(str, sorted(depths))) or "missing"
