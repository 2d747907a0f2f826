"""Arguments and options that several commands share, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.candidates import TARGET_BEGINS
from ssdlab.errors import UsageError
from ssdlab.message import message, verbatim


def require_order(command: str, suite: str, target: str) -> None:
    """Say so where suite and target were swapped, which neither's own error would.

    Raises:
        UsageError: They were.
    """
    if suite.startswith(TARGET_BEGINS) and not target.startswith(TARGET_BEGINS):
        raise UsageError(message("cli-swapped"), verbatim(f"`ssdlab {command} {target} {suite}`"))


SuiteName = Annotated[
    str, typer.Argument(metavar="SUITE", help=message("help-suite-name").id, autocompletion=candidates.suites)
]
TARGET_HELP = message("help-target").id
TargetText = Annotated[str, typer.Argument(metavar="TARGET", help=TARGET_HELP, autocompletion=candidates.targets)]
ProfileName = Annotated[
    str, typer.Option("--profile", metavar="NAME", help=message("help-profile").id, autocompletion=candidates.profiles)
]
Runs = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help=message("help-runs").id, autocompletion=candidates.runs)
]
ShowAll = Annotated[bool, typer.Option("--all", help=message("help-all").id)]
AsJson = Annotated[bool, typer.Option("--json", help=message("help-json").id)]
Erase = Annotated[
    str | None,
    typer.Option(
        "--erase",
        metavar="SERIAL",
        help=message("help-erase").id,
    ),
]
Detach = Annotated[bool, typer.Option("--detach", help=message("help-detach").id)]
KeepRaw = Annotated[bool, typer.Option("--keep-raw", help=message("help-keep-raw").id)]
MaxTemperature = Annotated[
    float | None,
    typer.Option("--max-temperature", metavar="CELSIUS", help=message("help-max-temperature").id, min=1),
]
MaxWrite = Annotated[
    str | None,
    typer.Option("--max-write", metavar="5TB", help=message("help-max-write").id),
]
