"""`ssdlab plan`."""

import json
from typing import Annotated, Any

import typer

from ssdlab.cli.arguments import AsJson, ProfileName, SuiteName, TargetText


def plan(
    suite: SuiteName,
    target: TargetText,
    profile: ProfileName = "standard",
    seed: Annotated[int, typer.Option("--seed", metavar="NUMBER", help="Seed of the run.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Show what a run would do; touches nothing.

    The steps in order, the bytes they write, how long they take and the space the bundle needs.
    """
    from ssdlab.lab.open import identify
    from ssdlab.method.builtin import load_suite
    from ssdlab.method.plan import expand

    made = expand(load_suite(suite), profile, identify(target), seed)
    if as_json:
        print(json.dumps(_fields(made, target), indent=2))
    else:
        _print_plan(made, target)


def _fields(made: Any, target: str) -> dict[str, object]:
    return {
        "suite": made.suite.name,
        "suite_version": made.suite.version,
        "profile": made.profile,
        "comparable": made.comparable,
        "target": target,
        "bytes_to_write": made.bytes_to_write,
        "rest_ns": made.rest_ns,
        "host_bytes_max": made.host_bytes_max,
        "steps": [
            {
                "index": step.index,
                "name": step.name,
                "kind": step.kind.value,
                "state": step.state.value,
                "rest_ns": step.rest_ns,
                "amount_bytes": None if step.job is None else step.job.amount_bytes,
            }
            for step in made.steps
        ],
    }


def _print_plan(made: Any, target: str) -> None:
    from ssdlab.units import MIB, format_bytes, format_duration

    comparable = "" if made.comparable else " (not comparable)"
    print(f"{made.suite.name} {made.suite.version}, profile {made.profile}{comparable}, on {target}\n")
    width = max(len(step.name) for step in made.steps)
    for step in made.steps:
        if step.job is not None:
            verb = "writes" if step.job.writes else "reads"
            amount = step.job.amount_bytes
            size = format_duration(step.job.duration_ns) if amount is None else format_bytes(amount)
            what = f"{verb} {size}, drive {step.state.value} before"
        elif step.rest_ns:
            what = f"rests {format_duration(step.rest_ns)}"
        else:
            what = "erases everything on the drive"
        print(f"{step.index:3}  {step.name:{width}}  {what}")
    print(f"\nwrites {format_bytes(made.bytes_to_write)} to the drive, rests {format_duration(made.rest_ns)}")
    for speed in (100 * MIB, 1000 * MIB):
        took = format_duration(made.duration_ns_at(speed))
        print(f"takes about {took} on a drive that writes {speed // MIB} MiB/s")
    print(f"needs up to {format_bytes(made.host_bytes_max)} for the bundle")
