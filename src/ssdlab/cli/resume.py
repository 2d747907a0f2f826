"""`ssdlab resume`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli.arguments import Erase, KeepRaw, MaxTemperature, MaxWrite


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The bundle of a run that stopped.")],
    erase: Erase = None,
    max_temperature: MaxTemperature = None,
    max_write: MaxWrite = None,
    keep_raw: KeepRaw = False,
) -> None:
    """Go on with a run that was stopped or killed.

    The run goes on in its bundle, on the same drive, whatever that is called now. What the drive's state requires is done again, as `ssdlab plan` told.
    """
    from ssdlab.bundle.read import open_bundle
    from ssdlab.cli.display import display_for
    from ssdlab.cli.run import limits_of, stop_like_ctrl_c, tell_failures
    from ssdlab.lab.again import find_drive
    from ssdlab.lab.open import open_bench
    from ssdlab.lab.resume import is_over, plan_again, remaining, require_suite
    from ssdlab.lab.resume import resume as resume_run
    from ssdlab.lab.step import RawLogs

    stop_like_ctrl_c()
    begun = open_bundle(run)
    if is_over(begun):
        print(run)
        print("nothing is left to do: every step of this run is over", file=sys.stderr)
        return
    require_suite(begun)
    limits = limits_of(max_temperature, max_write, begun.run.limits)
    again = find_drive(begun, erase)
    for note in again.notes:
        print(note, file=sys.stderr)
    with open_bench(again.target, again.erase) as bench:
        identity = bench.drive.identity
        left = remaining(plan_again(begun, identity), begun.steps, identity.memory, again.doubt)
        print(f"{len(left.steps)} steps are left, {len(left.again)} of them again: {left.reason}", file=sys.stderr)
        with display_for(sys.stderr) as display:
            raw_logs = RawLogs.KEEP if keep_raw else RawLogs.DROP
            bundle = resume_run(run, bench, display, raw_logs, limits, again.doubt)
    print(bundle.path)
    tell_failures(bundle.audit)
