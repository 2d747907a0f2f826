"""`ssdlab vdrive list|show|serve`."""

from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.arguments import AsJson
from ssdlab.cli.help_text import SpokenCommand, SpokenGroup
from ssdlab.cli.language import sentence
from ssdlab.cli.table import padded
from ssdlab.cli.terminal import say, say_json, say_text
from ssdlab.message import message

app = typer.Typer(cls=SpokenGroup, help=message("help-vdrive").id, no_args_is_help=True, rich_markup_mode=None)

SpecText = Annotated[
    str, typer.Argument(metavar="SPEC", help=message("help-vdrive-spec").id, autocompletion=candidates.specs)
]


@app.command("list", cls=SpokenCommand, help=message("help-vdrive-list").id)
def list_specs(as_json: AsJson = False) -> None:
    """See `help-vdrive-list`."""
    from ssdlab import _core
    from ssdlab.drive.kinds.virtual import spec_facts
    from ssdlab.drive.target import spec_choice
    from ssdlab.units import format_bytes_decimal

    facts = [spec_facts(spec_choice(name)) for name in _core.spec_names()]
    if as_json:
        say_json(facts)
        return
    width = max(len(one["name"]) for one in facts)
    for one in facts:
        say(f"{one['name']:{width}}  {format_bytes_decimal(one['capacity_bytes']):>8}  {one['description']}")


@app.command("show", cls=SpokenCommand, help=message("help-vdrive-show").id)
def show_spec(
    spec: SpecText,
    truth: Annotated[bool, typer.Option("--truth", help=message("help-vdrive-truth").id)] = False,
    as_json: AsJson = False,
) -> None:
    """See `help-vdrive-show`."""
    from ssdlab.drive.kinds.virtual import fresh_truth, spec_facts
    from ssdlab.drive.target import spec_choice
    from ssdlab.units import format_bytes_decimal

    choice = spec_choice(spec)
    facts = spec_facts(choice)
    if truth:
        facts["truth"] = fresh_truth(choice)
    if as_json:
        say_json(facts)
        return
    say(f"{facts['name']}: {facts['description']}")
    cells = [
        (
            message("cli-vdrive-capacity"),
            f"{format_bytes_decimal(facts['capacity_bytes'])} ({facts['capacity_bytes']} B)",
        ),
        (message("cli-vdrive-largest-cache"), _size(facts["slc_cache_bytes_max"])),
        (message("cli-vdrive-smallest-cache"), _size(facts["slc_cache_bytes_min"])),
    ]
    for name, value in cells:
        say(f"{padded(sentence(name), 18)}  {value}")
    if truth:
        say_json(facts["truth"])
    say()
    say_text(choice.text)


def _size(size_bytes: int) -> str:
    from ssdlab.units import format_bytes

    return f"{format_bytes(size_bytes)} ({size_bytes} B)"


@app.command("serve", cls=SpokenCommand, help=message("help-vdrive-serve").id)
def serve(
    spec: SpecText,
    socket: Annotated[Path, typer.Option("--socket", metavar="PATH", help=message("help-vdrive-socket").id)],
    control: Annotated[
        Path | None,
        typer.Option(
            "--control",
            metavar="PATH",
            help=message("help-vdrive-control").id,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help=message("help-vdrive-store").id),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help=message("help-vdrive-record").id),
    ] = None,
) -> None:
    """See `help-vdrive-serve`."""
    from ssdlab import _core
    from ssdlab.drive.kinds.virtual import spec_facts
    from ssdlab.drive.target import spec_choice

    spec_facts(spec_choice(spec))
    named = {"--socket": socket, "--control": control, "--store": store, "--record": record}
    options = [part for option, path in named.items() if path is not None for part in (option, str(path))]
    raise typer.Exit(_core.serve_main([*options, spec]))
