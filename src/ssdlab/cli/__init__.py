"""The command line: one file a command. Data goes to stdout, everything else to stderr."""

import os
import sys
from typing import Annotated

import typer

from ssdlab import version
from ssdlab.cli import (
    agent,
    analyse,
    attach,
    compare,
    completion,
    doctor,
    drives,
    fleet,
    help_of,
    import_results,
    library,
    log,
    plan,
    power,
    probe,
    publish,
    purge,
    qualify,
    report,
    resume,
    run,
    score,
    show,
    suites,
    sustain,
    trace,
    twin,
    vdrive,
    web,
)
from ssdlab.cli.completion import has_answered_shell
from ssdlab.cli.ending import explain, in_words, show_help_in_place_of
from ssdlab.cli.help_text import LanguageAnywhere, SpokenCommand
from ssdlab.cli.language import language_of, speak
from ssdlab.cli.memory import require_address_space
from ssdlab.cli.outlive import drop_what_nobody_takes, fill_standard_streams, first_ctrl_c_ends
from ssdlab.cli.terminal import never_fail_on_letters, say
from ssdlab.errors import ExitStatus
from ssdlab.message import message
from ssdlab.scratch import remove_left_behind
from ssdlab.words import Language

LOOK, MEASURE = message("help-group-look").id, message("help-group-measure").id
READ, SHARE = message("help-group-read").id, message("help-group-share").id
MANY = message("help-group-many").id
"""The headings under which help lists the commands; one without a heading follows them."""

app = typer.Typer(
    name="ssdlab",
    cls=LanguageAnywhere,
    help=message("help-ssdlab").id,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    # Rich help takes longer to import than everything else `--help` needs together.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        say(f"ssdlab {version()}")
        raise typer.Exit


@app.callback()
def ssdlab(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help=message("help-version").id)
    ] = False,
    language: Annotated[
        Language | None,
        typer.Option("--lang", help=message("help-lang").id),
    ] = None,
) -> None:
    """See `help-ssdlab`."""
    # The arguments were searched for it before they were read, so that what is wrong with them is said in it.
    context.obj = language


app.command("drives", cls=SpokenCommand, help=message("help-drives").id, rich_help_panel=LOOK)(drives.drives)
app.command("doctor", cls=SpokenCommand, help=message("help-doctor").id, rich_help_panel=LOOK)(doctor.doctor)
app.command("suites", cls=SpokenCommand, help=message("help-suites").id, rich_help_panel=LOOK)(suites.suites)
app.command("suite", cls=SpokenCommand, help=message("help-suite").id, rich_help_panel=LOOK)(suites.suite)
app.command("plan", cls=SpokenCommand, help=message("help-plan").id, rich_help_panel=LOOK)(plan.plan)
app.command("purge", cls=SpokenCommand, help=message("help-purge").id, rich_help_panel=MEASURE)(purge.purge)
app.command("run", cls=SpokenCommand, help=message("help-run").id, rich_help_panel=MEASURE)(run.run)
app.command("resume", cls=SpokenCommand, help=message("help-resume").id, rich_help_panel=MEASURE)(resume.resume)
app.command("attach", cls=SpokenCommand, help=message("help-attach").id, rich_help_panel=MEASURE)(attach.attach)
app.command("show", cls=SpokenCommand, help=message("help-show").id, rich_help_panel=READ)(show.show)
app.command("report", cls=SpokenCommand, help=message("help-report").id, rich_help_panel=SHARE)(report.report)
app.command("publish", cls=SpokenCommand, help=message("help-publish").id, rich_help_panel=SHARE)(publish.publish)
app.command("compare", cls=SpokenCommand, help=message("help-compare").id, rich_help_panel=READ)(compare.compare)
app.command("score", cls=SpokenCommand, help=message("help-score").id, rich_help_panel=READ)(score.score)
app.command("qualify", cls=SpokenCommand, help=message("help-qualify").id, rich_help_panel=READ)(qualify.qualify)
app.command("web", cls=SpokenCommand, help=message("help-web").id, rich_help_panel=READ)(web.web)
app.add_typer(library.app, name="library", rich_help_panel=READ)
app.command("import", cls=SpokenCommand, help=message("help-import").id, rich_help_panel=READ)(
    import_results.import_results
)
app.command("sustain", cls=SpokenCommand, help=message("help-sustain").id, rich_help_panel=MEASURE)(sustain.sustain)
app.command("log", cls=SpokenCommand, help=message("help-log").id, rich_help_panel=READ)(log.log)
app.command("analyse", cls=SpokenCommand, help=message("help-analyse").id, rich_help_panel=READ)(analyse.analyse)
app.command("power", cls=SpokenCommand, help=message("help-power").id, rich_help_panel=READ)(power.power)
app.add_typer(trace.app, name="trace", rich_help_panel=READ)
app.add_typer(twin.app, name="twin", rich_help_panel=READ)
app.command("probes", cls=SpokenCommand, help=message("help-probes").id, rich_help_panel=LOOK)(probe.probes)
app.command("probe", cls=SpokenCommand, help=message("help-probe").id, rich_help_panel=MEASURE)(probe.probe)
app.command("agent", cls=SpokenCommand, help=message("help-agent").id, rich_help_panel=MANY)(agent.agent)
app.add_typer(fleet.app, name="fleet", rich_help_panel=MANY)
app.add_typer(vdrive.app, name="vdrive", rich_help_panel=LOOK)
app.command("help", cls=SpokenCommand, help=message("help-help-of").id, rich_help_panel=LOOK)(help_of.show_help)
app.command("completion", cls=SpokenCommand, help=message("help-completion").id, rich_help_panel=LOOK)(
    completion.completion
)


def main() -> None:
    """Entry point."""
    fill_standard_streams()
    with first_ctrl_c_ends():
        _run_command()


def _run_command() -> None:
    """Turn what ended a command into words and an exit status."""
    never_fail_on_letters()
    speak(language_of(sys.argv[1:], os.environ))
    try:
        require_address_space()
        if has_answered_shell(app):
            return
        remove_left_behind()
        status = app(standalone_mode=False)
        # Here, where it can be said in words that it failed.
        sys.stdout.flush()
        sys.exit(status)
    except KeyboardInterrupt:
        sys.exit(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        sys.exit(ExitStatus.REFUSED)
    except Exception as error:  # noqa: BLE001 - the last resort, which keeps the traceback of what nobody foresaw
        if show_help_in_place_of(error):
            sys.exit(ExitStatus.USAGE)
        found = in_words(error)
        explain(found)
        sys.exit(found.exit_status)
    finally:
        drop_what_nobody_takes()
