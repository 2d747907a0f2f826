"""`ssdlab import`."""

from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.next_step import tell_next
from ssdlab.cli.terminal import say, tell
from ssdlab.errors import ExitStatus, UsageError
from ssdlab.message import message

if TYPE_CHECKING:
    from ssdlab.library.failed_checks import FailedChecks
    from ssdlab.library.foreign.result import ForeignError
    from ssdlab.library.take_in import GivenFacts, Imports


class _Refusals:
    """What was not taken in, told as it happens: the rest goes on."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, *errors: "ForeignError") -> None:
        """Tell why."""
        for error in errors:
            self.count += 1
            tell(message("cli-not-imported", why=error.message))
            for hint in error.hints:
                tell(message("cli-hint", what=hint))

    def gathered(self, folder: list[Path]) -> tuple[tuple[Path, ...], ...]:
        """The files of a folder of an archive that make one result each, none where that cannot be told."""
        from ssdlab.library.foreign.archive import shown
        from ssdlab.library.foreign.readers import gathered
        from ssdlab.library.foreign.result import ForeignError

        try:
            return gathered(folder)
        except ForeignError as error:
            self.add(shown(error))
            return ()


def _taken_in(files: list[Path], lab: Path, told: "GivenFacts", there: "Imports", refusals: _Refusals) -> int:
    """Take in all that is in the files; how many results there were, with those that were refused."""
    from ssdlab.analysis.log.xz import without_xz
    from ssdlab.library.foreign.archive import shown, unpacked_archives
    from ssdlab.library.foreign.readers import gathered
    from ssdlab.library.foreign.result import ForeignError
    from ssdlab.library.take_in import take_in

    with unpacked_archives(files) as (others, archives):
        refusals.add(*(error for archive in archives for error in archive.refused))
        folders = [others, *(folder for archive in archives for folder in archive.folders)]
        with without_xz([file for folder in folders for file in folder]) as plain:
            rest = iter(plain)
            groups = (
                [group for folder in folders for group in refusals.gathered(list(islice(rest, len(folder))))]
                if archives
                else gathered(plain)
            )
            results = len(groups) + refusals.count
            for path, *logs in groups:
                try:
                    taken = take_in(path, lab, told, *logs, there=there)
                    say(taken)
                    if results == 1:
                        tell_next("report", taken)
                except ForeignError as error:
                    if results == 1:
                        raise shown(error) from error
                    refusals.add(shown(error))
    return results


def _tell_failed(failed: "FailedChecks") -> None:
    """A line for the first few jobs that failed a check, and one for all others."""
    for name, checks in failed.first.items():
        for check in checks:
            tell(message("cli-failed-check", step=check.step, name=name, finding=check.finding))
        if (others := failed.count[name] - len(checks)) > 0:
            tell(message("cli-failed-check-again", count=others, name=name))


def _capacity_bytes(text: str) -> int:
    """Of a drive, which has room for something; raises UnitError."""
    from ssdlab.units import UnitError, parse_bytes

    capacity_bytes = parse_bytes(text)
    if not capacity_bytes:
        raise UnitError(message("unit-nothing", text=text), message("unit-write-size"))
    return capacity_bytes


def _fill_percent(text: str) -> float:
    """How full a drive can be; raises UnitError."""
    from ssdlab.units import UnitError, parse_share

    share = parse_share(text)
    if share.numerator > share.denominator:
        raise UnitError(message("unit-out-of-range", text=text), message("cli-fill-at-most"))
    return 100 * share.numerator / share.denominator


def _require_foreign(path: Path) -> None:
    """What ssdlab wrote is no result of another program.

    Raises:
        ForeignError: It is a bundle, or a lab.
    """
    from ssdlab.bundle import layout
    from ssdlab.bundle.find import runs_below
    from ssdlab.bundle.imported import is_imported
    from ssdlab.library.foreign.result import ForeignError

    is_bundle = path.is_dir() and ((path / layout.JOURNAL).exists() or is_imported(path) or bool(runs_below(path)))
    if is_bundle or path.suffix == ".ssdlab":
        raise ForeignError(message("foreign-own", path=str(path)), message("foreign-add-own"))


def import_results(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=message("help-import-files").id)],
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help=message("help-import-model").id)] = None,
    serial: Annotated[
        str | None, typer.Option("--serial", metavar="SERIAL", help=message("help-import-serial").id)
    ] = None,
    firmware: Annotated[
        str | None, typer.Option("--firmware", metavar="VERSION", help=message("help-import-firmware").id)
    ] = None,
    capacity: Annotated[
        str | None, typer.Option("--capacity", metavar="1TB", help=message("help-import-capacity").id)
    ] = None,
    fill: Annotated[str | None, typer.Option("--fill", metavar="75%", help=message("help-import-fill").id)] = None,
    unit: Annotated[str | None, typer.Option("--unit", metavar="UNIT", help=message("help-import-unit").id)] = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
) -> None:
    """See `help-import`."""
    from ssdlab.cli.log import log_unit
    from ssdlab.cli.quantities import typed_or_none
    from ssdlab.library.foreign.result import ForeignError
    from ssdlab.library.take_in import GivenFacts, Imports

    for option, text in (("model", model), ("serial", serial), ("firmware", firmware)):
        if text is not None and not text.strip():
            raise UsageError(message("cli-option-empty", what=option), message("foreign-leave-option-out", what=option))
    for path in files:
        _require_foreign(path)
    told = GivenFacts(
        model=model,
        serial=serial,
        firmware=firmware,
        capacity_bytes=typed_or_none(_capacity_bytes, capacity),
        fill_percent=typed_or_none(_fill_percent, fill),
        log_unit=log_unit(unit),
    )
    refusals = _Refusals()
    with closing(Imports(lab)) as there:
        results = _taken_in(files, lab, told, there, refusals)
    _tell_failed(there.failed_checks)
    if refusals.count:
        raise ForeignError(message("foreign-some-refused", refused=refusals.count, files=results))
    if there.failed_checks.count:
        raise typer.Exit(ExitStatus.AUDIT_FAILED)
