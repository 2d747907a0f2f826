"""`ssdlab report`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ssdlab.cli.arguments import Runs
from ssdlab.cli.memory import PAGE_ADDRESS_SPACE_BYTES_MIN, require_address_space
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.terminal import say
from ssdlab.errors import SsdlabError, UsageError
from ssdlab.message import Message, message
from ssdlab.report.looks import Theme
from ssdlab.words import Language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ssdlab.bundle.read import Bundle
    from ssdlab.figure.kit.called import DriveKey
    from ssdlab.figure.kit.stated import StatedFacts
    from ssdlab.report.picture_style import PictureStyle


def report(
    context: typer.Context,
    runs: Runs,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=message("help-report-output").id),
    ] = None,
    reason: Annotated[
        list[str] | None,
        typer.Option("--reason", metavar="RUN=WORDS", help=message("help-report-reason").id),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="RUN=WORDS", help=message("help-report-name").id),
    ] = None,
    without: Annotated[
        list[Path] | None,
        typer.Option("--without", metavar="RUN", help=message("help-report-without").id),
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="DIR", help=message("help-report-png").id),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="1200x675", help=message("help-report-size").id),
    ] = None,
    theme: Annotated[
        Theme | None,
        typer.Option("--theme", help=message("help-report-theme").id),
    ] = None,
    watermark: Annotated[
        str | None,
        typer.Option("--watermark", metavar="WORDS", help=message("help-report-watermark").id),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help=message("help-report-markdown").id),
    ] = None,
    language: Annotated[
        Language | None,
        typer.Option("--lang", help=message("help-report-lang").id),
    ] = None,
    public: Annotated[bool, typer.Option("--public", help=message("help-report-public").id)] = False,
) -> None:
    """See `help-report`."""
    from contextlib import ExitStack

    from ssdlab.bundle.find import require_each_once

    require_each_once(runs)
    require_address_space(PAGE_ADDRESS_SPACE_BYTES_MIN)
    with ExitStack() as stack:
        shown = stack.enter_context(_public(runs)) if public else {path: path for path in runs}
        asked = _Asked(
            runs=list(shown.values()),
            originals={copy: path for path, copy in shown.items()},
            page=output or runs[0] / "report.html",
            png=png,
            style=_style(size, theme, watermark, png),
            markdown=markdown,
            reasons={shown.get(path, path): words for path, words in map(_reason, reason or ())},
            without=[shown.get(path, path) for path in without or ()],
            names=[(shown.get(path, path), words) for path, words in map(_name, name or ())],
            language=language or context.obj or Language.ENGLISH,
        )
        _write(asked)
    _advise(runs)


def _advise(runs: list[Path]) -> None:
    """A page of one's own run is followed by what others may have of it; what is public already, and a page of several, by nothing."""
    from ssdlab.publish.copy import is_copy

    output = Path(f"{runs[0].resolve().name}.ssdlab")
    if len(runs) == 1 and not is_copy(runs[0]) and not output.exists():
        tell_next("publish", runs[0], "-o", output)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is to be written of which bundles."""

    runs: list[Path]
    originals: dict[Path, Path]
    """Where the runs lie that are shown."""
    page: Path
    png: Path | None
    style: "PictureStyle"
    markdown: Path | None
    reasons: dict[Path, str]
    names: list[tuple[Path, str]]
    without: list[Path]
    language: Language


def _style(size: str | None, theme: Theme | None, words: str | None, png: Path | None) -> "PictureStyle":
    from ssdlab.report.picture_style import PLAIN, PictureStyle, picture_size, watermark

    if png is None and (size, theme, words) != (None, None, None):
        raise UsageError(message("cli-style-without-pictures"))
    return PictureStyle(
        size=None if size is None else picture_size(size),
        theme=theme or PLAIN.theme,
        watermark=None if words is None else watermark(words),
    )


@contextmanager
def _public(runs: list[Path]) -> Iterator[dict[Path, Path]]:
    """Published copies of bundles by their paths; what was published before is public as it is."""
    from ssdlab.publish.copy import is_copy, published_copy
    from ssdlab.publish.owner import key_path, owner_at
    from ssdlab.scratch import scratch

    with scratch() as directory:
        copies = {}
        for number, path in enumerate(runs):
            place = directory / str(number)
            place.mkdir()
            copies[path] = path if is_copy(path) else published_copy(path, place, owner_at(key_path()))[0]
        yield copies


def _write(asked: _Asked) -> None:
    from ssdlab.bundle.damage import made_sense_of
    from ssdlab.bundle.examine import examined
    from ssdlab.bundle.imported import is_imported, open_imported
    from ssdlab.bundle.read import open_bundle
    from ssdlab.figure.kit.called import drives_called
    from ssdlab.figure.kit.left_out import drives_left_out
    from ssdlab.figure.kit.stated import facts_stated
    from ssdlab.report.markdown_post import write_post
    from ssdlab.report.page import write_report
    from ssdlab.report.pictures import placed_figures, placed_import_figures, require_places, write_pictures

    bundles = [examined(open_bundle(path)) for path in asked.runs if not is_imported(path)]
    imported = [open_imported(path) for path in asked.runs if is_imported(path)]
    if asked.markdown is not None and not bundles:
        raise SsdlabError(message("cli-no-run-for-post"), message("cli-name-a-run"))
    _require_places(asked.page, asked.png, asked.markdown)
    said, png = asked.language, asked.png
    facts = _facts(bundles, asked.originals)
    gone = _left_out(bundles, asked.without)
    with (
        made_sense_of(*asked.runs),
        drives_called(_names(bundles, asked.names)),
        drives_left_out(gone),
        facts_stated(facts),
    ):
        placed = (
            ()
            if png is None
            else (*placed_figures(bundles, png, said), *placed_import_figures(imported, bundles, png, said))
        )
        require_places(placed)
        write_report(bundles, asked.page, imported, asked.reasons, said)
        say(asked.page)
        pictures = write_pictures(placed, said, asked.style)
        for picture in pictures:
            say(picture.path)
        if asked.markdown is not None:
            write_post(bundles, asked.markdown, pictures, asked.reasons, said)
            say(asked.markdown)


def _facts(bundles: "Sequence[Bundle]", originals: dict[Path, Path]) -> "dict[Path, StatedFacts]":
    """What the operator says beside the labs in which the runs lie; a published copy has lost the serial number."""
    from ssdlab.bundle.read import open_bundle
    from ssdlab.report.stated.files import facts_beside

    runs = {}
    for bundle in bundles:
        place = originals[bundle.path]
        runs[bundle.path] = place, bundle.run if place == bundle.path else open_bundle(place).run
    return facts_beside(runs)


def _names(bundles: "Sequence[Bundle]", asked: list[tuple[Path, str]]) -> "dict[DriveKey, str]":
    """What tells the drives apart, and what was asked for."""
    from ssdlab.figure.kit.called import key_of, names_apart

    drives = {bundle.path.resolve(): bundle.run.drive for bundle in bundles}
    told: dict[DriveKey, set[str]] = {}
    for path, words in asked:
        drive = drives.get(path.resolve())
        if drive is None:
            _refuse_name(path)
        names = told.setdefault(key_of(drive), set())
        names.add(words)
        if len(names) > 1:
            raise SsdlabError(message("cli-several-names", path=str(path), count=len(names)), message("cli-one-name"))
    unnamed = [drive for drive in drives.values() if key_of(drive) not in told]
    return names_apart(unnamed) | {key: words for key, (words,) in told.items()}


def _left_out(bundles: "Sequence[Bundle]", asked: list[Path]) -> "set[DriveKey]":
    """The drives of these runs; some figure must be left with two others."""
    from ssdlab.figure.kit.called import key_of
    from ssdlab.figure.kit.drives import DRIVES_MIN
    from ssdlab.report.comparison import comparable_groups

    drives = {bundle.path.resolve(): key_of(bundle.run.drive) for bundle in bundles}
    for path in asked:
        if path.resolve() not in drives:
            raise SsdlabError(message("cli-without-none", path=str(path)), message("report-hint-reason"))
    gone = {drives[path.resolve()] for path in asked}
    compared = [[key_of(one.run.drive) for one in group] for group in comparable_groups(bundles)]
    left = [sum(key not in gone for key in keys) for keys in compared if gone & set(keys)]
    if gone and max(left, default=0) < DRIVES_MIN:
        raise SsdlabError(message("cli-without-too-few"), message("cli-without-leave-two"))
    return gone


def _refuse_name(path: Path) -> NoReturn:
    """A name for what is no run of the page."""
    from ssdlab.bundle.imported import is_imported

    if is_imported(path):
        raise SsdlabError(message("cli-name-for-import", path=str(path)), message("cli-name-on-import"))
    raise SsdlabError(message("cli-name-for-none", path=str(path)), message("report-hint-reason"))


def _require_places(page: Path, png: Path | None, markdown: Path | None) -> None:
    """Before a page of five drives is drawn, not after."""
    from ssdlab.place import require_picture_directory
    from ssdlab.report.own_files import require_place_of_page, require_place_of_post

    require_place_of_page(page)
    if markdown is not None:
        require_place_of_post(markdown)
    if png is not None:
        require_picture_directory(png)


def _reason(text: str) -> tuple[Path, str]:
    return _of_run(text) or _fail(message("cli-no-reason", text=text))


def _name(text: str) -> tuple[Path, str]:
    return _of_run(text) or _fail(message("cli-no-name", text=text))


def _fail(found: Message) -> NoReturn:
    raise UsageError(found)


def _of_run(text: str) -> tuple[Path, str] | None:
    """`RUN=WORDS`; None where it is something else."""
    run, equals, words = text.partition("=")
    return (Path(run), words.strip()) if run and equals and words.strip() else None
