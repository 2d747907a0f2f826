"""`ssdlab vdrive list|show|serve`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ssdlab.cli.arguments import AsJson

app = typer.Typer(help="List, show and serve virtual drives.", no_args_is_help=True, rich_markup_mode=None)

SpecText = Annotated[
    str, typer.Argument(metavar="SPEC", help="NAME or spec.toml, with ?capacity=8GiB&seed=1 if wanted.")
]


@app.command("list")
def list_specs(as_json: AsJson = False) -> None:
    """List the built-in virtual drives."""
    from ssdlab import _core
    from ssdlab.drive.target import spec_choice
    from ssdlab.drive.virtual import spec_facts
    from ssdlab.units import format_bytes_decimal

    facts = [spec_facts(spec_choice(name)) for name in _core.spec_names()]
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    width = max(len(one["name"]) for one in facts)
    for one in facts:
        print(f"{one['name']:{width}}  {format_bytes_decimal(one['capacity_bytes']):>8}  {one['description']}")


@app.command("show")
def show_spec(
    spec: SpecText,
    truth: Annotated[
        bool, typer.Option("--truth", help="Also what is inside a fresh one: write amplification, cache, blocks.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a virtual drive and its specification."""
    from ssdlab.drive.target import spec_choice
    from ssdlab.drive.virtual import fresh_truth, spec_facts
    from ssdlab.units import format_bytes, format_bytes_decimal

    choice = spec_choice(spec)
    facts = spec_facts(choice)
    if truth:
        facts["truth"] = fresh_truth(choice)
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    print(f"{facts['name']}: {facts['description']}")
    print(f"capacity            {format_bytes_decimal(facts['capacity_bytes'])} ({facts['capacity_bytes']} B)")
    for key, words in (("slc_cache_bytes_max", "largest SLC cache"), ("slc_cache_bytes_min", "smallest SLC cache")):
        print(f"{words:18}  {format_bytes(facts[key])} ({facts[key]} B)")
    if truth:
        print(json.dumps(facts["truth"], indent=2))
    print(f"\n{choice.text}", end="")


@app.command("serve")
def serve(
    spec: SpecText,
    socket: Annotated[Path, typer.Option("--socket", metavar="PATH", help="Unix socket to serve NBD on.")],
    control: Annotated[
        Path | None,
        typer.Option(
            "--control",
            metavar="PATH",
            help="Unix socket for questions (truth, smart, sensors, lateness, faults), purge and power_cut.",
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Keep what is written in a file, for the next start too."),
    ] = None,
) -> None:
    """Serve a virtual drive over NBD.

    It lives in real time until it is stopped with Ctrl-C; what is written to it is in memory and gone then, without `--store`.
    """
    from ssdlab import _core
    from ssdlab.drive.target import spec_choice
    from ssdlab.drive.virtual import spec_facts

    spec_facts(spec_choice(spec))
    named = {"--socket": socket, "--control": control, "--store": store}
    options = [part for option, path in named.items() if path is not None for part in (option, str(path))]
    raise typer.Exit(_core.serve_main([*options, spec]))
