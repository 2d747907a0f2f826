"""`ssdlab plan`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson, MaxWrite, ProfileName, SuiteName, TargetText, require_order
from ssdlab.cli.language import sentence
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.quantities import SEED_MAX, typed_or_none
from ssdlab.cli.suite_line import suite_line
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json, tell
from ssdlab.message import Message, ShownQuantity, commas, duration, message, number, semicolons, size, size_decimal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ssdlab.method.cost import Assumed, Cost
    from ssdlab.method.draft import EnoughRule, TailRule
    from ssdlab.method.plan import Plan, PlannedStep
    from ssdlab.twin.foretell import Foretold

_NAMED = 5
"""Points that are named where there may be dozens."""


def plan(
    suite: SuiteName,
    target: TargetText,
    profile: ProfileName = "standard",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="NUMBER", help=message("help-plan-seed").id, min=0, max=SEED_MAX)
    ] = None,
    endurance: Annotated[
        str | None,
        typer.Option("--endurance", metavar="600TBW", help=message("help-plan-endurance").id),
    ] = None,
    max_write: MaxWrite = None,
    twin: Annotated[Path | None, typer.Option("--twin", metavar="TWIN", help=message("help-plan-twin").id)] = None,
    as_json: AsJson = False,
) -> None:
    """See `help-plan`."""
    from ssdlab.lab.bench import identify
    from ssdlab.method.builtin import load_suite
    from ssdlab.method.plan import expand
    from ssdlab.units import parse_bytes

    rated_bytes = typed_or_none(_rated_bytes, endurance)
    most_bytes = None if max_write is None else parse_bytes(max_write)
    require_order("plan", suite, target)
    identity = identify(target)
    made = expand(load_suite(suite), profile, identity, seed or 0)
    told = None if twin is None else _foretold(made, identity.capacity_bytes, twin)
    if as_json:
        say_json(_fields(made, target, rated_bytes) | {"twin": None if told is None else _twin_fields(told)})
    else:
        _print_plan(made, target, rated_bytes, most_bytes, told)
    is_enough = most_bytes is None or made.cost.bytes_to_write_min <= most_bytes
    if _tell_what_it_takes(target) and is_enough:
        limit = () if max_write is None else ("--max-write", max_write)
        seeded = () if seed is None else ("--seed", str(seed))
        tell_next("run", suite, target, "--profile", profile, *limit, *seeded)


def _foretold(made: "Plan", capacity_bytes: int, twin: Path) -> "Foretold":
    from ssdlab.twin.foretell import foretold

    tell(message("twin-is-asked", twin=str(twin)))
    return foretold(made, capacity_bytes, str(twin))


def _twin_fields(told: "Foretold") -> dict[str, object]:
    from ssdlab.unknown import Unknown

    hottest = told.temperature_c_max
    return {
        "took_ns": told.took_ns,
        "group_ns": dict(told.group_ns),
        "host_written_bytes": told.host_written_bytes,
        "media_written_bytes": told.media_written_bytes,
        "temperature_c_max": None if isinstance(hottest, Unknown) else hottest,
        "description": str(told.description),
    }


def _tell_what_it_takes(target: str) -> bool:
    """What a run on a block device would be refused for, or asked for; whether it may begin as it is, which erases nothing."""
    from ssdlab.drive.access import DriveError
    from ssdlab.lab.bench import at_stake

    try:
        stakes = at_stake(target)
    except DriveError as error:
        tell(message("cli-plan-refused", why=error.message))
        for hint in error.hints:
            tell(message("cli-hint", what=hint))
        return False
    if stakes is not None:
        erases = message("cli-plan-erases", what=stakes.what, name=stakes.name.text)
        losses = semicolons(*stakes.losses)
        tell(message("cli-plan-lost", erases=erases, losses=losses) if stakes.losses else erases)
    return stakes is None


def _rated_bytes(text: str) -> int:
    """`600TBW`, as data sheets write it, or any size."""
    from ssdlab.units import UnitError, clipped, parse_bytes

    try:
        rated_bytes = parse_bytes(text.strip().removesuffix("W"))
    except UnitError as error:
        raise UnitError(message("cli-no-endurance", text=clipped(text)), message("cli-write-endurance")) from error
    if not rated_bytes:
        raise UnitError(message("cli-no-endurance", text=clipped(text)), message("cli-write-endurance"))
    return rated_bytes


def _speeds() -> "tuple[Assumed, ...]":
    """A slow drive and a fast one; new ones may be faster yet where they write in order."""
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
        "share_of_endurance_fast_drive": None if rated_bytes is None else _share_of_endurance(made.cost, rated_bytes),
        "rest_ns": made.cost.rest_ns,
        "expected": _expected_fields(made),
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
        "point": step.point.name,
        "run": step.run,
        "kind": step.kind.value,
        "state": step.state.value,
        "rest_ns": step.rest_ns,
        "resume": step.resume.value,
        "skip": None if step.skip is None else str(step.skip),
        "until_rse_percent": None if rule is None else rule.limit_percent,
        "until_steady_from_bytes": None if step.until is None else step.until.least_bytes,
        "until_within_percent": None if step.enough is None else step.enough.within_percent,
        "until_ios": None if step.enough is None or step.enough.tail is None else step.enough.tail.ios,
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


def _expected_fields(made: "Plan") -> dict[str, object]:
    """As steps that end by themselves are likely to; `slow` and `fast` are the drives that all times are told of."""
    from ssdlab.method.expected import expected_cost

    likely = expected_cost(made.suite.name, made.steps)
    slow, fast = _speeds()
    return {
        "slow_drive_bytes_to_write": likely.bytes_to_write_at(slow),
        "fast_drive_bytes_to_write": likely.bytes_to_write_at(fast),
        "slow_drive_bundle_bytes": _bundle_bytes(made, slow),
        "fast_drive_bundle_bytes": _bundle_bytes(made, fast),
        "slow_drive_ns": likely.duration_ns(slow),
        "fast_drive_ns": likely.duration_ns(fast),
    }


def _expected(made: "Plan") -> list[Message]:
    """Nothing where all of it is decided before."""
    from ssdlab.method.expected import ends_by_itself, expected_cost

    if not any(ends_by_itself(step) for step in made.steps):
        return []
    likely = expected_cost(made.suite.name, made.steps)
    slow, fast = (duration(likely.duration_ns(speed)) for speed in _speeds())
    on_slow, on_fast = (size(likely.bytes_to_write_at(speed)) for speed in _speeds())
    return [message("cli-plan-expected", on_slow=on_slow, slow=slow, on_fast=on_fast, fast=fast)]


def _print_plan(
    made: "Plan", target: str, rated_bytes: int | None, most_bytes: int | None, told: "Foretold | None"
) -> None:
    say(message("cli-on-target", suite=suite_line(made), target=target))
    for total in _totals(made.cost, rated_bytes):
        say(total)
    for likely in _expected(made):
        say(likely)
    say(message("cli-plan-room", likely=_likely_room(made), most=size(made.host_bytes_max)))
    if most_bytes is not None:
        say(_against(made.cost, most_bytes))
    if told is not None:
        for foretold in _foretold_lines(told, rated_bytes):
            say(foretold)
    say()
    _print_groups(made, told)


def _by_fio(made: "Plan", group: "Cost") -> list[Message]:
    """That a step stays with fio where the rest is done by ssdlab's own engine."""
    from ssdlab.job import EngineName

    does = made.suite.engine_for(None, made.profile)
    steps = made.suite.steps_under(made.profile)
    is_by_fio = any(step.name == group.group and step.is_by_fio for step in steps)
    return [message("cli-plan-by-fio")] if does is EngineName.LOAD and is_by_fio else []


def _print_groups(made: "Plan", told: "Foretold | None") -> None:
    head = (
        message("cli-plan-step"),
        message("cli-plan-jobs"),
        message("cli-plan-writes"),
        message("cli-plan-rests"),
        message("cli-plan-slow-drive"),
        message("cli-plan-fast-drive"),
        *([] if told is None else [message("cli-plan-twin")]),
        message("cli-plan-state-before"),
        message("cli-plan-if-interrupted"),
    )
    for line in table_lines(head, [_row(group, told) for group in made.groups], [Alignment.LEFT] * len(head)):
        say(line)
    remarks = [
        f"{group.group}: {sentence(remark)}"
        for group in made.groups
        for remark in (*_notes(group), *_by_fio(made, group))
    ]
    for line in ("", *remarks) if remarks else ():
        say(line)


def _foretold_lines(told: "Foretold", rated_bytes: int | None) -> list[Message]:
    from ssdlab.unknown import Unknown

    hottest = told.temperature_c_max
    heat = (
        message("twin-heat-unknown")
        if isinstance(hottest, Unknown)
        else message("twin-heat", most=number(hottest, ".0f"))
    )
    written, media = size(told.host_written_bytes), size(told.media_written_bytes)
    lines = [message("twin-foretells", took=duration(told.took_ns), written=written, media=media, heat=heat)]
    if rated_bytes is not None:
        share = number(told.host_written_bytes / rated_bytes, ".2%")
        lines.append(message("twin-foretells-wear", share=share, rated=size_decimal(rated_bytes)))
    return [*lines, message("twin-says-of-itself", description=told.description)]


def _row(group: "Cost", told: "Foretold | None") -> tuple[Message | str, ...]:
    """One of the suite's steps, as expensive as it can get, and as it is on a twin."""
    from ssdlab.bundle.state_words import STATE_WORDS
    from ssdlab.job import Resume, StepKind
    from ssdlab.units import format_duration

    if group.skips and not group.jobs:
        return (group.group, message("cli-plan-skipped"), *[""] * (6 if told is None else 7))
    slow, fast = (format_duration(took) if (took := group.duration_ns(speed)) else "" for speed in _speeds())
    jobs, needed = len(group.jobs), len(group.needed.jobs)
    state = next((step.state for step in group.steps if step.kind is not StepKind.REST), group.steps[0].state)
    again = {Resume.REDO: message("cli-plan-redo"), Resume.FROM_PURGE: message("cli-plan-from-purge")}
    count: Message | str = f"{jobs or ''}"
    if needed < jobs:
        count = message("cli-from-to", low=needed, high=jobs)
    elif group.asked_jobs:
        count = message("cli-plan-and-more", jobs=jobs)
    return (
        group.group,
        count,
        _written(group),
        format_duration(group.rest_ns) if group.rest_ns else "",
        slow,
        fast,
        *([] if told is None else [format_duration(told.group_ns.get(group.group, 0))]),
        STATE_WORDS[state],
        again[group.resume],
    )


def _written(group: "Cost") -> str:
    from ssdlab.units import format_bytes, format_duration

    amounts_bytes = group.amounts_at(_speeds()[1])
    parts = [format_bytes(amounts_bytes)] if amounts_bytes else []
    return " + ".join([*parts, *([format_duration(group.timed_write_ns)] if group.timed_write_ns else [])])


def _notes(group: "Cost") -> list[Message]:
    """What of it is decided while it runs, or already is."""
    notes = [
        message("cli-plan-skip", extent="part" if group.jobs else "whole", reason=reason) for reason in group.skips
    ]
    if group.rules:
        rule = group.rules[0]
        notes.append(
            message(
                "cli-plan-repeats",
                points=len(group.points),
                least=rule.runs_min,
                most=max(step.run for step in group.steps),
                limit=number(rule.limit_percent, "g"),
            )
        )
    # Several jobs of one step end alike.
    notes += dict.fromkeys(
        message("cli-plan-until-steady", ctrl_c=step.until.ctrl_c.name.lower(), least=size(step.until.least_bytes))
        for step in group.steps
        if step.until is not None
    )
    if any(step.needs is not None for step in group.steps if step.skip is None):
        notes.append(message("cli-plan-pass"))
    notes += dict.fromkeys(
        message("cli-plan-short-way", least=size(step.until.minimum_bytes))
        for step in group.steps
        if step.until is not None and step.until.short is not None
    )
    enough = [(step.point.name, step.enough) for step in group.steps if step.enough is not None]
    notes += _point_notes(group, [(name, _known_note(rule)) for name, rule in enough])
    notes += _point_notes(group, [(name, _tail_note(rule.tail)) for name, rule in enough if rule.tail is not None])
    if asked := group.asked_jobs:
        took = duration(sum(job.duration_ns or 0 for job in asked))
        notes.append(message("cli-plan-asks", jobs=len(asked), took=took))
    return notes


def _point_notes(group: "Cost", noted: "Sequence[tuple[str, Message]]") -> list[Message]:
    """What is noted of points by their names, each note once; those that it is about are named where it is not about all."""
    points: dict[Message, list[str]] = {}
    for name, note in noted:
        points.setdefault(note, []).append(name)
    return [_of_points(note, tuple(dict.fromkeys(names)), group.points) for note, names in points.items()]


def _of_points(note: Message, names: tuple[str, ...], points: tuple[str, ...]) -> Message:
    if set(names) >= set(points):
        return note
    named, more = commas(*names[:_NAMED]), len(names) - _NAMED
    if more > 0:
        return message("cli-plan-of-more-points", note=note, points=named, more=more)
    return message("cli-plan-of-points", note=note, points=named)


def _known_note(enough: "EnoughRule") -> Message:
    return message("cli-plan-until-known", within=number(enough.within_percent, "g"))


def _tail_note(tail: "TailRule") -> Message:
    return message("cli-plan-tail", percent=number(tail.percent, "g"), ios=number(tail.ios))


def _against(cost: "Cost", most_bytes: int) -> Message:
    """Whether a run would end by itself before `--max-write` stops it."""
    least, most = cost.bytes_to_write_min, cost.bytes_to_write_at(_speeds()[1])
    allowed, low, high = size_decimal(most_bytes), size_decimal(least), size_decimal(most)
    if least > most_bytes:
        return message("cli-plan-too-little", allowed=allowed, least=low)
    if cost.bytes_to_write > most_bytes or cost.timed_write_ns:
        return message("cli-plan-may-stop", allowed=allowed, least=low, most=high, ends=_ends(cost))
    return message("cli-plan-enough", allowed=allowed, most=size_decimal(cost.bytes_to_write))


def _ends(cost: "Cost") -> str:
    """How the writes end: by amount alone there is a most that they come to; what ends by time is more on a drive that is faster yet."""
    return "time" if cost.timed_write_ns or cost.amounts_at(_speeds()[1]) < cost.bytes_to_write else "amount"


def _from_to(low_bytes: int, high_bytes: int) -> Message | ShownQuantity:
    """Two sizes, or one where they are the same."""
    from ssdlab.units import format_bytes

    if format_bytes(low_bytes) == format_bytes(high_bytes):
        return size(high_bytes)
    return message("cli-from-to", low=size(low_bytes), high=size(high_bytes))


def _bundle_bytes(made: "Plan", assumed: "Assumed") -> int:
    from ssdlab.method.cost import bundle_bytes_at
    from ssdlab.method.expected import expected_cost

    return bundle_bytes_at(expected_cost(made.suite.name, made.steps).steps, assumed)


def _likely_room(made: "Plan") -> Message | ShownQuantity:
    """Never more than the most that it can be."""
    low, high = sorted(min(_bundle_bytes(made, one), made.host_bytes_max) for one in _speeds())
    return _from_to(low, high)


def _share_of_endurance(cost: "Cost", rated_bytes: int) -> float:
    """What is written at most; by time alone as much as the fast drive can, and a faster one writes more."""
    return cost.bytes_to_write_at(_speeds()[1]) / rated_bytes


def _totals(cost: "Cost", rated_bytes: int | None) -> list[Message]:
    from ssdlab.units import format_duration

    slow, fast = _speeds()
    written = _from_to(*(cost.amounts_at(one) for one in (slow, fast)))
    writes = message("cli-plan-writes-so-much", written=written)
    if cost.timed_write_ns:
        low, high = (size(cost.bytes_to_write_at(one) - cost.amounts_at(one)) for one in (slow, fast))
        timed = duration(cost.timed_write_ns)
        writes = message("cli-plan-writes-timed", written=written, timed=timed, low=low, high=high)
    lines = [message("cli-plan-and-rests", writes=writes, rest=duration(cost.rest_ns))]
    if rated_bytes is not None:
        share = number(_share_of_endurance(cost, rated_bytes), ".2%")
        rated = size_decimal(rated_bytes)
        lines.append(message("cli-plan-endurance", share=share, rated=rated, ends=_ends(cost)))
    for name, speed, mib_per_s, us in (("slow", slow, 100, 150), ("fast", fast, 1000, 50)):
        least, most = (format_duration(one.duration_ns(speed)) for one in (cost.needed, cost))
        took: Message | str = most if least == most else message("cli-from-to", low=least, high=most)
        lines.append(message("cli-plan-takes", took=took, drive=name, speed=number(mib_per_s, "d"), io=us))
    return lines
