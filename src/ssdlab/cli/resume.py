"""`ssdlab resume`."""

from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.arguments import Detach, Erase, KeepRaw, MaxTemperature, MaxWrite
from ssdlab.cli.terminal import say, tell
from ssdlab.message import message


def resume(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help=message("help-resume-run").id, autocompletion=candidates.runs)
    ],
    erase: Erase = None,
    max_temperature: MaxTemperature = None,
    max_write: MaxWrite = None,
    keep_raw: KeepRaw = False,
    detach: Detach = False,
) -> None:
    """See `help-resume`."""
    from ssdlab.bundle.model import RunStatus
    from ssdlab.bundle.read import open_bundle
    from ssdlab.cli.let_go import display_of, go_on_alone
    from ssdlab.cli.next_step import tell_next
    from ssdlab.cli.outlive import outlive_terminal
    from ssdlab.cli.run import limits_of, tell_failures
    from ssdlab.lab.bench import open_bench
    from ssdlab.lab.find_drive import find_drive
    from ssdlab.lab.resume import beside_begun, engine_begun, is_over, plan_again, remaining, require_suite
    from ssdlab.lab.resume import resume as resume_run
    from ssdlab.lab.run import conclude_where_missing
    from ssdlab.lab.step import RawLogs
    from ssdlab.method.probes import NAME as PROBE

    tie = go_on_alone() if detach else None
    outlive_terminal()
    begun = open_bundle(run)
    # One that was killed after its last step has still to look at its drive, and to say that it ended.
    if is_over(begun) and begun.status is not RunStatus.UNFINISHED:
        if begun.run.suite.name != PROBE:
            conclude_where_missing(run)
        say(run)
        tell(message("cli-nothing-left"))
        return
    require_suite(begun)
    limits = limits_of(max_temperature, max_write, begun.run.limits)
    again = find_drive(begun, erase)
    for note in again.notes:
        tell(note)
    with open_bench(again.target, again.erase, engine=engine_begun(begun), beside=beside_begun(begun)) as bench:
        identity = bench.drive.identity
        left = remaining(plan_again(begun, identity), begun.steps, identity.memory, again.doubt)
        tell(message("cli-steps-left", left=len(left.steps), again=len(left.again), reason=left.reason))
        with display_of(tie, bench.engine.now_ns) as display:
            raw_logs = RawLogs.KEEP if keep_raw else RawLogs.DROP
            bundle = resume_run(run, bench, display, raw_logs, limits, again.doubt)
    say(bundle.path)
    tell_next("report", bundle.path)
    tell_failures(bundle.audit)
