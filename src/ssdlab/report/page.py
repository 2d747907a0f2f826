"""One self-contained HTML page on one or several runs: no server, no network, no expiry date."""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.figure.imported.drives import import_name
from ssdlab.figure.imported.registry import by_program, figures_of_imports
from ssdlab.figure.kit.called import key_of
from ssdlab.figure.kit.drives import drives_of
from ssdlab.figure.kit.left_out import left_out
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.style import SERIES_INKS
from ssdlab.figure.registry import figures_comparing, figures_for, figures_only_alone
from ssdlab.message import Listed, Message, Separator, message, verbatim
from ssdlab.probe.store.reader import is_probed
from ssdlab.report import view
from ssdlab.report.bench import benches
from ssdlab.report.comparison import SummaryDrive, comparable_groups, method_of, summary
from ssdlab.report.drawn import DrawnFigure, Making, drawn_figure
from ssdlab.report.first_screen.hero import hero_of
from ssdlab.report.first_screen.screen import first_screen, first_screen_of_imports
from ssdlab.report.frame import environment, page_frame
from ssdlab.report.imported_section import ImportSection, import_headline, import_section
from ssdlab.report.method_words import method_words, scaling_words
from ssdlab.report.metric_tables import metric_groups, metric_groups_decimal
from ssdlab.report.point_ends import ended_points
from ssdlab.report.render_pool import RenderPool
from ssdlab.report.stated.datasheet import datasheet_of
from ssdlab.report.subjects import ReportSubject, by_drive, drive_rows, run_rows, subjects
from ssdlab.report.sustain_section import sustain_section
from ssdlab.report.zoom import SHARED_ROOM_BYTES, Room
from ssdlab.words import Language

NO_REASONS: Mapping[Path, str] = MappingProxyType({})
_TITLE_NAMES_MAX = 3
"""More drives than these are counted in the title."""


def write_report(
    bundles: Sequence[Bundle],
    output: Path,
    imported: Sequence[ImportedRun] = (),
    reasons: Mapping[Path, str] = NO_REASONS,
    language: Language = Language.ENGLISH,
) -> None:
    """Write the page.

    Args:
        bundles: One section each; also runs that were cut off. The drive of the first is the one under test.
        output: The HTML file, replaced as a whole or not at all.
        imported: Results of other programs, a section a program after the others; there may be nothing else.
        reasons: Why drives were chosen, by the path of one of their runs.
        language: Of all words; names, numbers and units are the same in each.

    Raises:
        SsdlabError: A reason is given for what is not among the runs.
        VendorMissingError: The chart library was not fetched.
        BrokenPictureError: A figure could not be rendered.
        OSError: The file cannot be written.
    """
    write_durably(output, page(bundles, imported, reasons, language).encode(errors="backslashreplace"))


def page(
    bundles: Sequence[Bundle],
    imported: Sequence[ImportedRun] = (),
    reasons: Mapping[Path, str] = NO_REASONS,
    language: Language = Language.ENGLISH,
) -> str:
    """The page as text; raises like `write_report`."""
    room = Room(None if len(bundles) <= 1 else SHARED_ROOM_BYTES)
    with RenderPool() as pool:
        return _page(bundles, imported, reasons, Making(pool, room, language))


def _page(
    bundles: Sequence[Bundle], imported: Sequence[ImportedRun], reasons: Mapping[Path, str], making: Making
) -> str:
    frame = page_frame(making.language)
    drives = subjects(bundles, reasons)
    sections = [
        _section(number, bundle, place, making)
        for number, (bundle, place) in enumerate(zip(bundles, _places(bundles), strict=True), start=1)
    ]
    comparisons = [
        _comparison(number, group, making) for number, group in enumerate(comparable_groups(bundles), start=1)
    ]
    imports = _imports(imported, bundles, making)
    text = (
        environment(making.language)
        .get_template("report.html.j2")
        .render(
            first=first_screen(bundles) if bundles else first_screen_of_imports(imported),
            hero=_hero(bundles, comparisons, sections, imports),
            title=_title(bundles, drives) if bundles else _title_of_imports(imported),
            imports=imports,
            drives=drive_rows(drives),
            runs=run_rows(bundles),
            benches=benches(bundles),
            comparisons=comparisons,
            sections=sections,
            drives_toggled=_drives_toggled(comparisons),
            **frame,
        )
    )
    return _OPTIONAL_ENDS.sub("", text).strip() + "\n"


_OPTIONAL_ENDS = re.compile(r"\s*</(?:td|th|tr)>\s*(?=<(?:td|th|tr|/tr|/tbody|/thead)\b)")
"""Ends of cells and rows that HTML lets one leave out: of a page of five drives they are a quarter of a megabyte."""


def _drives_toggled(comparisons: Sequence[Mapping[str, Any]]) -> Sequence[SummaryDrive]:
    """The drives to show or not: those of all comparisons, as long as each has a colour of its own that is the same in all of them."""
    listed = [sorted(one["summary"].drives, key=lambda drive: drive.slot) for one in comparisons]
    if not listed or len(listed[0]) > len(SERIES_INKS) or any(drives != listed[0] for drives in listed):
        return ()
    return listed[0]


def _hero(
    bundles: Sequence[Bundle],
    comparisons: Sequence[Mapping[str, Any]],
    sections: Sequence[Mapping[str, Any]],
    imports: Sequence[tuple[ImportSection, list[DrawnFigure]]],
) -> DrawnFigure | None:
    """The main figure: of the drive under test, beside others where they ran its suite."""
    if not bundles:
        return next((drawn for _, figures in imports for drawn in figures), None)
    is_compared = any(bundles[0] in group for group in comparable_groups(bundles))
    figures: Sequence[DrawnFigure] = (comparisons if is_compared else sections)[0]["figures"]
    return hero_of(figures, bundles[0].run.suite.name)


class _Figures(Enum):
    """Where the figures of a run are."""

    HERE = "here"
    SOME = "those the comparison does not have are here"
    ELSEWHERE = "in the comparison"


def _imports(
    imported: Sequence[ImportedRun], bundles: Sequence[Bundle], making: Making
) -> list[tuple[ImportSection, list[DrawnFigure]]]:
    """The results of each program, with their figures."""
    sections = []
    for number, runs in enumerate(by_program(imported), start=1):
        figures = figures_of_imports(runs, bundles, making.language)
        drawn = [drawn_figure(f"import{number}-{figure.name}", figure, making) for figure in figures]
        sections.append((import_section(number, runs), drawn))
    return sections


def _places(bundles: Sequence[Bundle]) -> list[_Figures]:
    """The first run by each method has its own figures; those after it are in the figures of the comparison.

    What probes say of a drive has no figure that compares it.
    """
    methods = [method_of(bundle) for bundle in bundles]
    return [
        _Figures.ELSEWHERE
        if method in methods[:number] and not is_probed(bundle)
        else (_Figures.SOME if methods.count(method) > 1 else _Figures.HERE)
        for number, (bundle, method) in enumerate(zip(bundles, methods, strict=True))
    ]


def _title(bundles: Sequence[Bundle], drives: Sequence[ReportSubject]) -> Message:
    """Names the drive under test and its suites, and how many drives stand beside it."""
    if len(bundles) == 1:
        return verbatim(view.headline(bundles[0]))
    suites = Listed(tuple(dict.fromkeys(bundle.run.suite.name for bundle in drives[0].bundles)), Separator.AND)
    others = len(drives) - 1
    if not others:
        return message("report-title", drive=drives[0].name, suites=suites)
    return message("report-title-beside", drive=drives[0].name, suites=suites, others=others)


def _title_of_imports(imported: Sequence[ImportedRun]) -> Message:
    """Names the drives and the programs that measured them."""
    if len(imported) == 1:
        return verbatim(import_headline(imported[0]))
    names = tuple(dict.fromkeys(import_name(run) for run in imported))
    drives = Listed(names[:_TITLE_NAMES_MAX], Separator.COMMA)
    programs = Listed(tuple(dict.fromkeys(run.info.program for run in imported)), Separator.AND)
    if len(names) <= _TITLE_NAMES_MAX:
        return message("report-title-imports", drives=drives, programs=programs)
    return message(
        "report-title-imports-and-more", drives=drives, programs=programs, more=len(names) - len(drives.items)
    )


def _comparison(number: int, bundles: Sequence[Bundle], making: Making) -> dict[str, Any]:
    """Everything the template shows of runs that can be compared."""
    figures = figures_comparing(bundles, making.language)
    return {
        "id": f"comparison{number}",
        "headline": _counted(bundles),
        "summary": summary(bundles),
        "method": method_words(bundles[0]),
        "scaling": scaling_words(bundles[0]),
        "drawn_without": _drawn_without(bundles, figures),
        "figures": [drawn_figure(f"comparison{number}-{one.name}", one, making) for one in figures],
    }


def _drawn_without(bundles: Sequence[Bundle], figures: Sequence[Figure]) -> Message | None:
    """Which drives are left out of how many figures; None where nobody asked for it."""
    names = tuple(drive.label for drive in drives_of(bundles) if key_of(drive.bundle.run.drive) in left_out())
    count = sum(bool(one.left_out) for one in figures)
    return message("report-drawn-without", count=count, left_out=Listed(names, Separator.AND)) if names else None


def _counted(bundles: Sequence[Bundle]) -> Message:
    """How many drives stand beside each other, by which suite; where a drive has several runs, how many of these."""
    drives = len(by_drive(bundles))
    suite = f"{bundles[0].run.suite.name} {bundles[0].run.suite.version}"
    if drives == len(bundles):
        return message("report-drives-and-suite", count=drives, suite=suite)
    return message("report-runs-and-suite", runs=len(bundles), drives=drives, suite=suite)


def _section(number: int, bundle: Bundle, place: _Figures, making: Making) -> dict[str, Any]:
    """Everything the template shows of one run."""
    build = {_Figures.HERE: figures_for, _Figures.SOME: figures_only_alone}.get(place)
    figures = () if build is None else build(bundle, making.language)
    return {
        "id": f"run{number}",
        "headline": view.headline(bundle),
        "method": method_words(bundle) if place is _Figures.HERE else (),
        "scaling": scaling_words(bundle),
        "figures_elsewhere": place is not _Figures.HERE,
        "brief": place is _Figures.ELSEWHERE,
        "started": view.when(bundle.run.started_at),
        "verdict": view.verdict(bundle),
        "badges": view.badges(bundle),
        "identity": view.identity(bundle),
        "drive_under_test": view.drive_under_test(bundle),
        "datasheet": datasheet_of(bundle),
        "sustain": sustain_section(bundle),
        "ended_points": ended_points(bundle),
        "metric_groups": metric_groups(bundle),
        "metric_groups_decimal": metric_groups_decimal(bundle),
        "figures": [drawn_figure(f"run{number}-{figure.name}", figure, making) for figure in figures],
        "checks": view.check_rows(bundle),
        "step_groups": view.step_groups(bundle),
        "step_count": len(bundle.steps),
        "dropped": view.dropped_options(bundle),
        "notes": view.engine_notes(bundle),
        "warnings": view.warnings(bundle),
        "faults": bundle.faults,
        "unchecked": bundle.files.unchecked,
        "suite_text": bundle.run.suite.text,
        "spec_text": bundle.run.spec_text,
    }
