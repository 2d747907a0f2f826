"""`ssdlab import`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.bundle.model import Check


def import_results(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results as the programs saved them.")],
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="The drive, where the file lacks it.")
    ] = None,
    serial: Annotated[str | None, typer.Option("--serial", metavar="SERIAL", help="Likewise.")] = None,
    firmware: Annotated[str | None, typer.Option("--firmware", metavar="VERSION", help="Likewise.")] = None,
    capacity: Annotated[str | None, typer.Option("--capacity", metavar="1TB", help="Likewise.")] = None,
    fill: Annotated[
        str | None, typer.Option("--fill", metavar="75%", help="How full the drive was, where the file lacks it.")
    ] = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help="Where bundles are kept.")] = Path("lab"),
) -> None:
    """Read other programs' results into the lab.

    Each file becomes a bundle with its numbers, where they came from, and the file itself unchanged. What a file lacks stays
    unknown unless it is said here. fio's logs belong to the one JSON of fio given with them; both go through the audit. Numbers of other programs are never ranked together with those ssdlab measured.
    """
    from ssdlab.analysis.audit import failed
    from ssdlab.bundle.imported import open_imported
    from ssdlab.library.foreign.readers import gathered
    from ssdlab.library.take_in import Told, take_in
    from ssdlab.units import parse_bytes, parse_share

    share = None if fill is None else parse_share(fill)
    told = Told(
        model=model,
        serial=serial,
        firmware=firmware,
        capacity_bytes=None if capacity is None else parse_bytes(capacity),
        fill_percent=None if share is None else 100 * share.numerator / share.denominator,
    )
    failures: list[Check] = []
    for path, *logs in gathered(files):
        bundle = take_in(path, lab, told, *logs)
        print(bundle)
        failures += failed(open_imported(bundle).audit)
    for check in failures:
        print(f"failed: {check.step}: {check.name}: {check.finding}", file=sys.stderr)
    if failures:
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
