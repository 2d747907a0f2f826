"""One self-contained HTML page on one or several runs: no server, no network, no expiry date."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from ssdlab import version
from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.durable import write_durably
from ssdlab.figure.decimate import extremes
from ssdlab.figure.imported import by_program, figures_of_imports
from ssdlab.figure.model import Figure, LongChart, VegaLite
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.figure.words import LONG_LIMIT
from ssdlab.report import theme, view
from ssdlab.report.comparison import comparable_groups, summary
from ssdlab.report.imported_section import ImportSection, import_headline, import_section
from ssdlab.report.metric_tables import metric_groups
from ssdlab.report.render import render_svg
from ssdlab.report.vendored import chart_library

_POINTS_MIN = 3_000
"""Points a line of a zoomable chart keeps at least: more than a screen is wide."""


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A figure with its pictures, ready to be pasted in."""

    id: str
    figure: Figure
    wide: Markup
    narrow: Markup
    chart: dict[str, Any] | None
    variant: Mapping[str, Markup]
    """Its pictures drawn the other way, `wide` and `narrow`; empty where there is none."""
    chart_note: str
    """Whether all windows are in the zoomable chart, or how they were thinned."""


def write_report(bundles: Sequence[Bundle], output: Path, imported: Sequence[ImportedRun] = ()) -> None:
    """Write the page.

    Args:
        bundles: One section each; also runs that were cut off.
        output: The HTML file, replaced as a whole or not at all.
        imported: Results of other programs, a section a program after the others; there may be nothing else.

    Raises:
        VendorMissingError: The chart library was not fetched.
        BrokenPictureError: A figure could not be rendered.
        OSError: The file cannot be written.
    """
    write_durably(output, page(bundles, imported).encode())


def page(bundles: Sequence[Bundle], imported: Sequence[ImportedRun] = ()) -> str:
    """The page as text; raises like `write_report`."""
    library = chart_library()
    resources = files("ssdlab.report")
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(lambda name: resources.joinpath(name).read_text(encoding="utf-8")),
    )
    # A page of several runs stays one to mail: its zoomable charts share the room that one run has for itself.
    points_max = LONG_LIMIT if len(bundles) <= 1 else max(_POINTS_MIN, LONG_LIMIT // (2 * len(bundles)))
    sections = [_section(number, bundle, points_max) for number, bundle in enumerate(bundles, start=1)]
    comparisons = [_comparison(number, group) for number, group in enumerate(comparable_groups(bundles), start=1)]
    text = environment.get_template("report.html.j2").render(
        title=_title(bundles) if bundles else import_headline(imported[0]),
        imports=_imports(imported, bundles),
        comparisons=comparisons,
        sections=sections,
        version=version(),
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


def _title(bundles: Sequence[Bundle]) -> str:
    """Names the drive under test, and how many stand beside it."""
    first = view.headline(bundles[0])
    return first if len(bundles) == 1 else f"{first}, beside {len(bundles) - 1} more"


def _imports(imported: Sequence[ImportedRun], bundles: Sequence[Bundle]) -> list[tuple[ImportSection, list[_Drawn]]]:
    """The results of each program, with their figures."""
    sections = []
    for number, runs in enumerate(by_program(imported), start=1):
        figures = figures_of_imports(runs, bundles)
        drawn = [_drawn(f"import{number}-{figure.name}", figure, _POINTS_MIN) for figure in figures]
        sections.append((import_section(number, runs), drawn))
    return sections


def _comparison(number: int, bundles: Sequence[Bundle]) -> dict[str, Any]:
    """Everything the template shows of runs that can be compared."""
    suite = bundles[0].run.suite
    # Zoomable charts are in the section of each drive.
    return {
        "id": f"comparison{number}",
        "headline": f"{len(bundles)} drives, {suite.name} {suite.version}",
        "summary": summary(bundles),
        "figures": [_drawn(f"comparison{number}-{one.name}", one, _POINTS_MIN) for one in figures_comparing(bundles)],
    }


def _section(number: int, bundle: Bundle, points_max: int) -> dict[str, Any]:
    """Everything the template shows of one run."""
    return {
        "id": f"run{number}",
        "headline": view.headline(bundle),
        "started": view.when(bundle.run.started_at),
        "verdict": view.verdict(bundle),
        "badges": view.badges(bundle),
        "identity": view.identity(bundle),
        "drive_under_test": view.drive_under_test(bundle),
        "metric_groups": metric_groups(bundle),
        "figures": [_drawn(f"run{number}-{figure.name}", figure, points_max) for figure in figures_for(bundle)],
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


def _drawn(identifier: str, figure: Figure, points_max: int) -> _Drawn:
    label = f"{figure.title}. {' '.join(figure.subtitle)}. {figure.caption}"
    pictures = _pictures(identifier, label, figure.spec, figure.narrow_spec)
    other = figure.variant
    variant = (
        {}
        if other is None
        else _pictures(f"{identifier}-variant", f"{other.summary}. {label}", other.spec, other.narrow_spec)
    )
    chart, note = None, ""
    if figure.long_chart is not None:
        chart, note = _chart_data(figure.long_chart, points_max), _chart_note(figure.long_chart, points_max)
    return _Drawn(identifier, figure, pictures["wide"], pictures["narrow"], chart, variant, note)


def _pictures(identifier: str, label: str, wide: VegaLite, narrow: VegaLite) -> Mapping[str, Markup]:
    return {
        name: Markup(theme.for_page(render_svg(spec), f"{identifier}-{name}", label))  # noqa: S704 - the renderer escapes
        for name, spec in (("wide", wide), ("narrow", narrow))
    }


def _chart_note(chart: LongChart, points_max: int) -> str:
    if all(len(one.x) <= points_max for one in chart.series):
        return chart.note
    return f"slowest and fastest of each of {points_max // 2:,} slices of a line"


def _chart_data(chart: LongChart, points_max: int) -> dict[str, Any]:
    """A zoomable chart as JSON; its points as little-endian 32-bit floats, a quarter of the size of text."""
    thinned = [(one, *extremes(one.x, one.y, points_max)) for one in chart.series]
    return {
        "x": chart.x_title,
        "y": chart.y_title,
        "scale": chart.y_scale.value,
        "series": [{"label": one.label, "slot": one.slot, "x": _floats(x), "y": _floats(y)} for one, x, y in thinned],
    }


def _floats(values: NDArray[np.float64]) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")
