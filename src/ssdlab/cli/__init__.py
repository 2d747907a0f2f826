"""The command line: one file a command. Data goes to stdout, everything else to stderr."""

import sys
from typing import Annotated

import typer

from ssdlab import version
from ssdlab.cli import (
    compare,
    doctor,
    drives,
    import_results,
    library,
    log,
    plan,
    probe,
    purge,
    report,
    resume,
    run,
    show,
    suites,
    sustain,
    vdrive,
)
from ssdlab.errors import ExitStatus, SsdlabError

app = typer.Typer(
    name="ssdlab",
    no_args_is_help=True,
    add_completion=False,
    # Rich help takes longer to import than everything else `--help` needs together.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"ssdlab {version()}")
        raise typer.Exit


@app.callback()
def ssdlab(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """Measure solid-state drives with fio, prove the numbers, show each drive beside all others."""


app.command("drives")(drives.drives)
app.command("doctor")(doctor.doctor)
app.command("suites")(suites.suites)
app.command("suite")(suites.suite)
app.command("plan")(plan.plan)
app.command("purge")(purge.purge)
app.command("run")(run.run)
app.command("resume")(resume.resume)
app.command("show")(show.show)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.add_typer(library.app, name="library")
app.command("import")(import_results.import_results)
app.command("sustain")(sustain.sustain)
app.command("log")(log.log)
app.command("probes")(probe.probes)
app.command("probe")(probe.probe)
app.add_typer(vdrive.app, name="vdrive")


def main() -> None:
    """Entry point: turns what ended a command into words and an exit status."""
    try:
        app()
    except SsdlabError as error:
        explain(error)
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        sys.exit(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it flushes at exit.
        sys.stderr.close()
        sys.exit(ExitStatus.REFUSED)


def explain(error: SsdlabError) -> None:
    """Say what was found and what to do about it."""
    print(f"error: {error.message}", file=sys.stderr)
    if error.hints:
        print(file=sys.stderr)
    for hint in error.hints:
        print(f"hint: {hint}", file=sys.stderr)
