"""One self-contained HTML page on one or several runs: no server, no network, no expiry date."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jinja2
from markupsafe import Markup

from ssdlab import version
from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.figure.imported import by_program, figures_of_imports
from ssdlab.figure.model import Figure, VegaLite
from ssdlab.figure.registry import figures_comparing, figures_for, figures_only_alone
from ssdlab.probe.kept import is_probed
from ssdlab.report import theme, view
from ssdlab.report.bench import benches
from ssdlab.report.comparison import comparable_groups, method_of, summary
from ssdlab.report.imported_section import ImportSection, import_headline, import_section
from ssdlab.report.language import Language
from ssdlab.report.method_words import method_words, scaling_words
from ssdlab.report.metric_tables import metric_groups
from ssdlab.report.studio import Picture, Studio
from ssdlab.report.subjects import Subject, drive_rows, run_rows, subjects
from ssdlab.report.sustain_section import sustain_section
from ssdlab.report.vendored import chart_library
from ssdlab.report.zoom import SHARED_ROOM_BYTES, Room, ZoomChart

NO_REASONS: Mapping[Path, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A figure with its pictures, ready to be pasted in."""

    id: str
    figure: Figure
    wide: "_Shown"
    narrow: "_Shown"
    chart: ZoomChart | None
    variant: "Mapping[str, _Shown]"
    """Its pictures drawn the other way, `wide` and `narrow`; empty where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A picture as the template pastes it in, which waits until it is drawn."""

    picture: Picture
    id: str
    label: str
    marks: theme.Marks

    def __html__(self) -> str:
        return theme.for_page(self.picture.svg(), self.id, self.label, self.marks)


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
    write_durably(output, page(bundles, imported, reasons, language).encode())


def page(
    bundles: Sequence[Bundle],
    imported: Sequence[ImportedRun] = (),
    reasons: Mapping[Path, str] = NO_REASONS,
    language: Language = Language.ENGLISH,
) -> str:
    """The page as text; raises like `write_report`."""
    room = Room(None if len(bundles) <= 1 else SHARED_ROOM_BYTES)
    with Studio() as studio:
        return language.page(_page(bundles, imported, reasons, _Making(studio, room, language)))


@dataclass(frozen=True, slots=True)
class _Making:
    """What all figures of a page are made with."""

    studio: Studio
    room: Room
    """For zoomable charts."""
    language: Language


def _page(
    bundles: Sequence[Bundle], imported: Sequence[ImportedRun], reasons: Mapping[Path, str], making: _Making
) -> str:
    library = chart_library()
    resources = files("ssdlab.report")
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(lambda name: resources.joinpath(name).read_text(encoding="utf-8")),
    )
    drives = subjects(bundles, reasons)
    sections = [
        _section(number, bundle, place, making)
        for number, (bundle, place) in enumerate(zip(bundles, _places(bundles), strict=True), start=1)
    ]
    comparisons = [
        _comparison(number, group, making) for number, group in enumerate(comparable_groups(bundles), start=1)
    ]
    text = environment.get_template("report.html.j2").render(
        title=_title(bundles, drives, making.language) if bundles else _title_of_imports(imported),
        imports=_imports(imported, bundles, making),
        drives=drive_rows(drives),
        runs=run_rows(bundles),
        benches=benches(bundles),
        comparisons=comparisons,
        sections=sections,
        version=version(),
        language=making.language.value,
        # These come from this package, not from a drive or a suite, so they are not escaped.
        colours_light=Markup(theme.colour_rules(theme.Theme.LIGHT)),  # noqa: S704
        colours_dark=Markup(theme.colour_rules(theme.Theme.DARK)),  # noqa: S704
        style=Markup(resources.joinpath("report.css").read_text(encoding="utf-8")),  # noqa: S704
        script=Markup(resources.joinpath("report.js").read_text(encoding="utf-8")),  # noqa: S704
        chart_style=Markup(library.style),  # noqa: S704
        chart_script=Markup(library.script),  # noqa: S704
        licence=library.licence,
    )
    return text.strip() + "\n"


class _Figures(Enum):
    """Where the figures of a run are."""

    HERE = "here"
    SOME = "those the comparison does not have are here"
    ELSEWHERE = "in the comparison"


def _imports(
    imported: Sequence[ImportedRun], bundles: Sequence[Bundle], making: _Making
) -> list[tuple[ImportSection, list[_Drawn]]]:
    """The results of each program, with their figures."""
    sections = []
    for number, runs in enumerate(by_program(imported), start=1):
        figures = figures_of_imports(runs, bundles)
        drawn = [_drawn(f"import{number}-{figure.name}", figure, making) for figure in figures]
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


def _title(bundles: Sequence[Bundle], drives: Sequence[Subject], language: Language) -> str:
    """Names the drive under test and its suites, and how many drives stand beside it."""
    if len(bundles) == 1:
        return view.headline(bundles[0])
    *most, last = dict.fromkeys(bundle.run.suite.name for bundle in drives[0].bundles)
    suites = f"{', '.join(most)} {language.words('and')} {last}" if most else last
    others = len(drives) - 1
    beside = f", beside {others} more {'drive' if others == 1 else 'drives'}" if others else ""
    return f"{drives[0].name}: {suites}{beside}"


def _title_of_imports(imported: Sequence[ImportedRun]) -> str:
    first, others = import_headline(imported[0]), len(imported) - 1
    return f"{first}, beside {others} more {'result' if others == 1 else 'results'}" if others else first


def _comparison(number: int, bundles: Sequence[Bundle], making: _Making) -> dict[str, Any]:
    """Everything the template shows of runs that can be compared."""
    suite = bundles[0].run.suite
    return {
        "id": f"comparison{number}",
        "headline": f"{len(bundles)} drives, {suite.name} {suite.version}",
        "summary": summary(bundles),
        "method": method_words(bundles[0]),
        "scaling": scaling_words(bundles[0]),
        "figures": [_drawn(f"comparison{number}-{one.name}", one, making) for one in figures_comparing(bundles)],
    }


def _section(number: int, bundle: Bundle, place: _Figures, making: _Making) -> dict[str, Any]:
    """Everything the template shows of one run."""
    build = {_Figures.HERE: figures_for, _Figures.SOME: figures_only_alone}.get(place)
    figures = () if build is None else build(bundle)
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
        "sustain": sustain_section(bundle),
        "metric_groups": metric_groups(bundle),
        "figures": [_drawn(f"run{number}-{figure.name}", figure, making) for figure in figures],
        "checks": view.check_rows(bundle),
        "step_groups": view.step_groups(bundle),
        "step_count": len(bundle.steps),
        "dropped": view.dropped_options(bundle),
        "notes": view.engine_notes(bundle),
        "warnings": bundle.warnings,
        "faults": bundle.faults,
        "suite_text": bundle.run.suite.text,
        "spec_text": bundle.run.spec_text,
    }


def _drawn(identifier: str, said: Figure, making: _Making) -> _Drawn:
    figure, studio = making.language.figure(said), making.studio
    label = f"{figure.title}. {' '.join(figure.subtitle)}. {figure.caption}"

    def shown(name: str, words: str, wide: VegaLite, narrow: VegaLite) -> dict[str, _Shown]:
        return {
            "wide": _Shown(studio.picture(wide), f"{name}-wide", words, theme.Marks.DESCRIBED),
            "narrow": _Shown(studio.picture(narrow), f"{name}-narrow", words, theme.Marks.PLAIN),
        }

    other = figure.variant
    return _Drawn(
        id=identifier,
        figure=figure,
        **shown(identifier, label, figure.spec, figure.narrow_spec),
        chart=None if figure.long_chart is None else making.room.add(figure.long_chart),
        variant={}
        if other is None
        else shown(f"{identifier}-variant", f"{other.summary}. {label}", other.spec, other.narrow_spec),
    )
