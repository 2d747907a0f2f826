"""`ssdlab plan`."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson, MaxWrite, ProfileName, SuiteName, TargetText
from ssdlab.cli.table import Side, table_lines

if TYPE_CHECKING:
    from ssdlab.method.cost import Assumed, Cost
    from ssdlab.method.plan import Plan, PlannedStep


def plan(
    suite: SuiteName,
    target: TargetText,
    profile: ProfileName = "standard",
    seed: Annotated[int, typer.Option("--seed", metavar="NUMBER", help="Seed of the run.", min=0)] = 0,
    endurance: Annotated[
        str | None,
        typer.Option(
            "--endurance", metavar="600TBW", help="What the drive is rated to be written; says what share this is."
        ),
    ] = None,
    max_write: MaxWrite = None,
    as_json: AsJson = False,
) -> None:
    """Show what a run would do; touches nothing.

    The steps in order, the bytes they write, how long they take, what of them is done again after an interruption, and the
    space the bundle needs. With `--json` every single job.
    """
    from ssdlab.lab.open import identify
    from ssdlab.method.builtin import load_suite
    from ssdlab.method.plan import expand
    from ssdlab.units import parse_bytes

    rated_bytes = None if endurance is None else _rated_bytes(endurance)
    most_bytes = None if max_write is None else parse_bytes(max_write)
    made = expand(load_suite(suite), profile, identify(target), seed)
    if as_json:
        print(json.dumps(_fields(made, target, rated_bytes), indent=2))
    else:
        _print_plan(made, target, rated_bytes)
        if most_bytes is not None:
            print(_against(made.cost, most_bytes))
    _tell_what_it_takes(target)


def _tell_what_it_takes(target: str) -> None:
    """What a run on a block device would be refused for, or asked for."""
    from ssdlab.drive.access import DriveError
    from ssdlab.lab.open import at_stake

    try:
        stakes = at_stake(target)
    except DriveError as error:
        for line in (f"a run would be refused now: {error.message}", *(f"hint: {hint}" for hint in error.hints)):
            print(line, file=sys.stderr)
        return
    if stakes is not None:
        lost = f"; lost with it: {'; '.join(stakes.losses)}" if stakes.losses else ""
        print(f"a run erases {stakes.what} and takes `--erase {stakes.name.text}`{lost}", file=sys.stderr)


def _rated_bytes(text: str) -> int:
    """`600TBW`, as data sheets write it, or any size."""
    from ssdlab.units import UnitError, parse_bytes

    try:
        rated_bytes = parse_bytes(text.strip().removesuffix("W"))
    except UnitError as error:
        raise UnitError(f"`{text}` is no endurance", "write it as the data sheet does: `--endurance 600TBW`") from error
    if not rated_bytes:
        raise UnitError(f"`{text}` is no endurance", "write it as the data sheet does: `--endurance 600TBW`")
    return rated_bytes


def _speeds() -> "tuple[Assumed, ...]":
    """A slow drive and a fast one, between which most lie."""
    from ssdlab.method.cost import FAST, SLOW

    return (SLOW, FAST)


def _fields(made: "Plan", target: str, rated_bytes: int | None) -> dict[str, object]:
    return {
        "suite": made.suite.name,
        "suite_version": made.suite.version,
        "profile": made.profile,
        "comparable": made.comparable,
        "target": target,
        "bytes_to_write": made.cost.bytes_to_write,
        "bytes_to_write_min": made.cost.bytes_to_write_min,
        "timed_write_ns": made.cost.timed_write_ns,
        "share_of_endurance_max": None if rated_bytes is None else _share_of_endurance(made.cost, rated_bytes),
        "rest_ns": made.cost.rest_ns,
        "host_bytes_max": made.host_bytes_max,
        "groups": [_group_fields(group) for group in made.groups],
        "steps": [_step_fields(step) for step in made.steps],
    }


def _group_fields(group: "Cost") -> dict[str, object]:
    return {
        "group": group.group,
        "steps": len(group.steps),
        "jobs": len(group.jobs),
        "points": group.points,
        "bytes_to_write": group.bytes_to_write,
        "timed_write_ns": group.timed_write_ns,
        "rest_ns": group.rest_ns,
        "resume": group.resume.value,
    }


def _step_fields(step: "PlannedStep") -> dict[str, object]:
    job, rule = step.job, step.only_while
    return {
        "index": step.index,
        "name": step.name,
        "group": step.group,
        "point": step.point,
        "run": step.run,
        "kind": step.kind.value,
        "state": step.state.value,
        "rest_ns": step.rest_ns,
        "resume": step.resume.value,
        "skip": step.skip,
        "until_rse_percent": None if rule is None else rule.limit_percent,
        "until_steady_from_bytes": None if step.until is None else step.until.minimum_bytes,
        "amount_bytes": None if job is None else job.amount_bytes,
        "limit_ns": None if job is None else job.duration_ns,
        "pattern": None if job is None else job.pattern.value,
        "read_percent": None if job is None else job.read_percent,
        "block_bytes": None if job is None else job.block_bytes,
        "queue_depth": None if job is None else job.queue_depth,
        "jobs": None if job is None else job.jobs,
        "region_offset_bytes": None if job is None else job.region.offset_bytes,
        "region_length_bytes": None if job is None else job.region.length_bytes,
    }


def _print_plan(made: "Plan", target: str, rated_bytes: int | None) -> None:
    from ssdlab.units import format_bytes

    comparable = "" if made.comparable else " (not comparable)"
    print(f"{made.suite.name} {made.suite.version}, profile {made.profile}{comparable}, on {target}\n")
    head = ("step", "jobs", "writes", "rests", "slow drive", "fast drive", "state before", "if interrupted")
    for line in table_lines(head, [_row(group) for group in made.groups], [Side.LEFT] * len(head)):
        print(line)
    print()
    for group in made.groups:
        for note in _notes(group):
            print(f"{group.group}: {note}")
    for line in _totals(made.cost, rated_bytes):
        print(line)
    print(f"needs up to {format_bytes(made.host_bytes_max)} for the bundle")


def _row(group: "Cost") -> tuple[str, ...]:
    """One of the suite's steps, as expensive as it can get."""
    from ssdlab.job import Resume, StepKind
    from ssdlab.units import format_duration

    if group.skips and not group.jobs:
        return (group.group, "skipped", *[""] * 6)
    slow, fast = (format_duration(took) if (took := group.duration_ns(speed)) else "" for speed in _speeds())
    jobs, needed = len(group.jobs), len(group.needed.jobs)
    state = next((step.state for step in group.steps if step.kind is not StepKind.REST), group.steps[0].state)
    again = {Resume.REDO: "only what was not finished", Resume.FROM_PURGE: "all since its purge"}
    return (
        group.group,
        f"{needed} to {jobs}" if needed < jobs else f"{jobs or ''}{' and more' if group.asked_jobs else ''}",
        _written(group),
        format_duration(group.rest_ns) if group.rest_ns else "",
        slow,
        fast,
        state.value,
        again[group.resume],
    )


def _written(group: "Cost") -> str:
    from ssdlab.units import format_bytes, format_duration

    parts = [format_bytes(group.bytes_to_write)] if group.bytes_to_write else []
    return " + ".join([*parts, *([format_duration(group.timed_write_ns)] if group.timed_write_ns else [])])


def _notes(group: "Cost") -> list[str]:
    """What of it is decided while it runs, or already is."""
    from ssdlab.method.schema import CtrlC
    from ssdlab.units import format_bytes, format_duration

    what = "in part skipped" if group.jobs else "skipped"
    notes = [f"{what}, {reason}" for reason in group.skips]
    if group.rules:
        rule = group.rules[0]
        points, runs = len(group.points), max(step.run for step in group.steps)
        notes.append(
            f"{points} points, {rule.runs_min} runs each, and up to {runs} "
            f"until the RSE of the last three is under {rule.limit_percent:g} %"
        )
    for until in (step.until for step in group.steps if step.until is not None):
        told = "" if until.ctrl_c is CtrlC.RUN else ", or at Ctrl-C"
        least = format_bytes(until.minimum_bytes)
        notes.append(f"ends once the drive is steady, not before {least}{told}; the time is that of all it may write")
    if asked := group.asked_jobs:
        took = format_duration(sum(job.duration_ns or 0 for job in asked))
        notes.append(f"asks for run after run while it goes on, seldom more than {len(asked)}, which take {took}")
    return notes


def _against(cost: "Cost", most_bytes: int) -> str:
    """Whether a run would end by itself before `--max-write` stops it."""
    from ssdlab.units import format_bytes_decimal

    least, most = cost.bytes_to_write_min, cost.bytes_to_write_at(_speeds()[1])
    allows = f"`--max-write` allows {format_bytes_decimal(most_bytes)}"
    if least > most_bytes:
        return f"{allows}: too little, it writes at least {format_bytes_decimal(least)}"
    if most > most_bytes:
        return f"{allows}: it may be stopped, it writes {format_bytes_decimal(least)} to {format_bytes_decimal(most)}"
    return f"{allows}: enough, it writes up to {format_bytes_decimal(most)}"


def _share_of_endurance(cost: "Cost", rated_bytes: int) -> float:
    """What is written at most; by time alone as much as a fast drive can."""
    return cost.bytes_to_write_at(_speeds()[1]) / rated_bytes


def _totals(cost: "Cost", rated_bytes: int | None) -> list[str]:
    from ssdlab.units import format_bytes, format_bytes_decimal, format_duration

    slow, fast = _speeds()
    writes = f"writes {format_bytes(cost.bytes_to_write)} to the drive"
    if cost.timed_write_ns:
        low, high = (format_bytes(cost.bytes_to_write_at(one) - cost.bytes_to_write) for one in (slow, fast))
        writes += f" and {format_duration(cost.timed_write_ns)} at full speed ({low} to {high})"
    lines = [f"{writes}, rests {format_duration(cost.rest_ns)}"]
    if rated_bytes is not None:
        share = _share_of_endurance(cost, rated_bytes)
        lines.append(f"uses up to {share:.2%} of the {format_bytes_decimal(rated_bytes)} the drive is rated for")
    for name, speed, mib_per_s, us in (("slow", slow, 100, 150), ("fast", fast, 1000, 50)):
        least, most = (format_duration(one.duration_ns(speed)) for one in (cost.needed, cost))
        took = most if least == most else f"{least} to {most}"
        lines.append(f"takes {took} on a {name} drive: {mib_per_s} MiB/s, {us} µs for a single I/O")
    return lines
