"""Arguments and options that several commands share, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

SuiteName = Annotated[str, typer.Argument(metavar="SUITE", help="A built-in suite, or the path of a suite.toml.")]
TARGET_HELP = "/dev/..., virtual:NAME, model:NAME, file:PATH or nbd+unix:///EXPORT?socket=PATH."
TargetText = Annotated[str, typer.Argument(metavar="TARGET", help=TARGET_HELP)]
ProfileName = Annotated[str, typer.Option("--profile", metavar="NAME", help="How far the method is scaled down.")]
Runs = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Bundles, as printed by `ssdlab run` or `ssdlab import`.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Erase = Annotated[
    str | None,
    typer.Option(
        "--erase",
        metavar="SERIAL",
        help="Agree to lose what is on the drive with this serial number (or name), as the refusal prints it.",
    ),
]
KeepRaw = Annotated[bool, typer.Option("--keep-raw", help="Keep fio's text logs beside the Parquet.")]
MaxTemperature = Annotated[
    float | None,
    typer.Option("--max-temperature", metavar="CELSIUS", help="Stop when the drive gets warmer.", min=1),
]
MaxWrite = Annotated[
    str | None,
    typer.Option(
        "--max-write", metavar="5TB", help="Stop before more than this is written to the drive, all runs of it."
    ),
]
