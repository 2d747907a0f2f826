"""One self-contained HTML page on one or several runs: no server, no network, no expiry date."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from ssdlab import version
from ssdlab.bundle.layout import write_durably
from ssdlab.bundle.read import Bundle
from ssdlab.figure.model import Figure, LongChart
from ssdlab.figure.registry import figures_for
from ssdlab.report import theme, view
from ssdlab.report.render import render_svg
from ssdlab.report.vendored import chart_library


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A figure with its pictures, ready to be pasted in."""

    id: str
    figure: Figure
    wide: Markup
    narrow: Markup
    chart: dict[str, Any] | None


def write_report(bundles: Sequence[Bundle], output: Path) -> None:
    """Write the page.

    Args:
        bundles: One section each; also runs that were cut off.
        output: The HTML file, replaced as a whole or not at all.

    Raises:
        VendorMissingError: The chart library was not fetched.
        BrokenPictureError: A figure could not be rendered.
        OSError: The file cannot be written.
    """
    write_durably(output, page(bundles).encode())


def page(bundles: Sequence[Bundle]) -> str:
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
    sections = [_section(number, bundle) for number, bundle in enumerate(bundles, start=1)]
    title = sections[0]["headline"] if len(sections) == 1 else f"{len(sections)} runs"
    text = environment.get_template("report.html.j2").render(
        title=title,
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


def _section(number: int, bundle: Bundle) -> dict[str, Any]:
    """Everything the template shows of one run."""
    return {
        "id": f"run{number}",
        "headline": view.headline(bundle),
        "started": view.when(bundle.run.started_at),
        "verdict": view.verdict(bundle),
        "badges": view.badges(bundle),
        "identity": view.identity(bundle),
        "metric_groups": view.metric_groups(bundle),
        "figures": [_drawn(f"run{number}-{figure.name}", figure) for figure in figures_for(bundle)],
        "checks": view.check_rows(bundle),
        "steps": view.step_rows(bundle),
        "dropped": view.dropped_options(bundle),
        "notes": view.engine_notes(bundle),
        "warnings": bundle.warnings,
        "faults": bundle.faults,
        "suite_text": bundle.run.suite.text,
        "spec_text": bundle.run.spec_text,
    }


def _drawn(identifier: str, figure: Figure) -> _Drawn:
    label = f"{figure.title}. {' '.join(figure.subtitle)}. {figure.caption}"
    pictures = {
        name: Markup(theme.for_page(render_svg(spec), f"{identifier}-{name}", label))  # noqa: S704 - the renderer escapes
        for name, spec in (("wide", figure.spec), ("narrow", figure.narrow_spec))
    }
    chart = None if figure.long_chart is None else _chart_data(figure.long_chart)
    return _Drawn(identifier, figure, pictures["wide"], pictures["narrow"], chart)


def _chart_data(chart: LongChart) -> dict[str, Any]:
    """A zoomable chart as JSON; its points as little-endian 32-bit floats, a quarter of the size of text."""
    return {
        "x": chart.x_title,
        "y": chart.y_title,
        "scale": chart.y_scale.value,
        "series": [
            {"label": one.label, "slot": one.slot, "x": _floats(one.x), "y": _floats(one.y)} for one in chart.series
        ],
    }


def _floats(values: NDArray[np.float64]) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode("ascii")
