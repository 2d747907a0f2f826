"""`ssdlab run`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import (
    Detach,
    Erase,
    KeepRaw,
    MaxTemperature,
    MaxWrite,
    ProfileName,
    SuiteName,
    TargetText,
    require_order,
)
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.outlive import outlive_terminal
from ssdlab.cli.quantities import SEED_MAX
from ssdlab.cli.terminal import say, tell
from ssdlab.errors import ExitStatus
from ssdlab.job import EngineName
from ssdlab.message import message

if TYPE_CHECKING:
    from ssdlab.bundle.model import Check, Limits


def run(
    suite: SuiteName,
    target: TargetText,
    profile: ProfileName = "standard",
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
    erase: Erase = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            min=0,
            max=SEED_MAX,
            help=message("help-run-seed").id,
        ),
    ] = None,
    engine: Annotated[EngineName | None, typer.Option("--engine", help=message("help-run-engine").id)] = None,
    max_temperature: MaxTemperature = None,
    max_write: MaxWrite = None,
    keep_raw: KeepRaw = False,
    power_marks: Annotated[bool, typer.Option("--power-marks", help=message("help-run-power-marks").id)] = False,
    detach: Detach = False,
) -> None:
    """See `help-run`."""
    from ssdlab.cli.erase import agreed
    from ssdlab.cli.let_go import display_of, go_on_alone
    from ssdlab.lab.bench import open_bench, require_real_time
    from ssdlab.lab.power_marks import Marking
    from ssdlab.lab.run import execute, new_seed
    from ssdlab.lab.step import RawLogs
    from ssdlab.method.builtin import load_suite
    from ssdlab.method.plan import expand

    tie = go_on_alone() if detach else None
    outlive_terminal()
    limits = limits_of(max_temperature, max_write)
    require_order("run", suite, target)
    loaded = load_suite(suite)
    does = loaded.engine_for(engine, profile)
    if engine is not None:
        require_real_time(target, engine)
    with open_bench(target, agreed(target, erase), engine=does, beside=loaded.beside(profile, does)) as bench:
        run_seed = next(one for one in (seed, bench.default_seed, new_seed()) if one is not None)
        plan = expand(loaded, profile, bench.drive.identity, run_seed)
        with display_of(tie, bench.engine.now_ns) as display:
            raw_logs = RawLogs.KEEP if keep_raw else RawLogs.DROP
            marking = Marking.MARKED if power_marks else Marking.PLAIN
            bundle = execute(plan, bench, lab, display, raw_logs, limits, marking)
    say(bundle.path)
    tell_next("report", bundle.path)
    tell_failures(bundle.audit)


def limits_of(max_temperature: float | None, max_write: str | None, begun: "Limits | None" = None) -> "Limits":
    """What the two options say; one that is not given stays as the run was begun.

    Raises:
        UsageError: A size cannot be read.
    """
    from ssdlab.bundle.model import Limits
    from ssdlab.cli.quantities import typed
    from ssdlab.units import parse_bytes

    before = begun or Limits()
    return Limits(
        temperature_c_max=before.temperature_c_max if max_temperature is None else max_temperature,
        write_bytes_max=before.write_bytes_max if max_write is None else typed(parse_bytes, max_write),
    )


def tell_failures(audit: "Sequence[Check]") -> None:
    """Say which checks failed, and exit with the status for it."""
    from ssdlab.analysis.audit.run import failed

    for check in failed(audit):
        tell(message("cli-audit-failed", step=check.step, name=check.name, finding=check.finding))
    if failed(audit):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
