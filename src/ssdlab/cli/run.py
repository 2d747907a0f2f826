"""`ssdlab run`."""

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import Erase, KeepRaw, MaxTemperature, MaxWrite, ProfileName, SuiteName, TargetText
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.bundle.model import Check, Limits


def run(
    suite: SuiteName,
    target: TargetText,
    profile: ProfileName = "standard",
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help="Where bundles are kept.")] = Path("lab"),
    erase: Erase = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            min=0,
            help="Seed of the run; if not given that of a virtual drive, else a new one each time.",
        ),
    ] = None,
    max_temperature: MaxTemperature = None,
    max_write: MaxWrite = None,
    keep_raw: KeepRaw = False,
) -> None:
    """Run a suite on a drive and write a bundle.

    A block device must be named a second time, by its serial number: `--erase`, or typed when asked on a terminal.
    The path of the bundle is printed at the end. Exit status 3 means that the run finished and a check of the audit failed.
    """
    from ssdlab.cli.display import display_for
    from ssdlab.cli.erase import agreed
    from ssdlab.lab.open import open_bench
    from ssdlab.lab.run import execute, new_seed
    from ssdlab.lab.step import RawLogs
    from ssdlab.method.builtin import load_suite
    from ssdlab.method.plan import expand

    stop_like_ctrl_c()
    limits = limits_of(max_temperature, max_write)
    loaded = load_suite(suite)
    with open_bench(target, agreed(target, erase)) as bench:
        run_seed = next(one for one in (seed, bench.default_seed, new_seed()) if one is not None)
        plan = expand(loaded, profile, bench.drive.identity, run_seed)
        with display_for(sys.stderr) as display:
            bundle = execute(plan, bench, lab, display, RawLogs.KEEP if keep_raw else RawLogs.DROP, limits)
    print(bundle.path)
    tell_failures(bundle.audit)


def limits_of(max_temperature: float | None, max_write: str | None, begun: "Limits | None" = None) -> "Limits":
    """What the two options say; one that is not given stays as the run was begun.

    Raises:
        UnitError: A size cannot be read.
    """
    from ssdlab.bundle.model import Limits
    from ssdlab.units import parse_bytes

    before = begun or Limits()
    return Limits(
        temperature_c_max=before.temperature_c_max if max_temperature is None else max_temperature,
        write_bytes_max=before.write_bytes_max if max_write is None else parse_bytes(max_write),
    )


def stop_like_ctrl_c() -> None:
    """A service manager or a closing terminal stops a run the way Ctrl-C does: cleanly, with everything finished kept."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)


def tell_failures(audit: "Sequence[Check]") -> None:
    """Say which checks failed, and exit with the status for it."""
    from ssdlab.analysis.audit import failed

    for check in failed(audit):
        print(f"audit: {check.step}: {check.name}: {check.finding}", file=sys.stderr)
    if failed(audit):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
