"""What every page has around its content: styles, colours, the script, the chart library; and how its templates are read."""

from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from ssdlab import version
from ssdlab.figure.kit.direction import seen
from ssdlab.message import Message, commas, message_of
from ssdlab.report import theme
from ssdlab.report.language import told_in
from ssdlab.report.looks import Theme
from ssdlab.report.vendored import chart_library
from ssdlab.words import Language


def page_frame(language: Language) -> dict[str, Any]:
    """What the templates of head and foot show.

    Raises:
        VendorMissingError: The chart library was not fetched.
    """
    library = chart_library()
    style = files("ssdlab.report").joinpath("report.css").read_text(encoding="utf-8")
    return {
        "version": version(),
        "language": language.value,
        # These come from this package, not from a drive or a suite, so they are not escaped.
        "colours_light": Markup(theme.colour_rules(Theme.LIGHT)),  # noqa: S704
        "colours_dark": Markup(theme.colour_rules(Theme.DARK)),  # noqa: S704
        "style": Markup(style),  # noqa: S704
        "script": Markup(_script()),  # noqa: S704
        "chart_style": Markup(library.style),  # noqa: S704
        "chart_script": Markup(library.script),  # noqa: S704
        "licence": library.licence,
    }


_SCRIPT_PARTS = (
    "core",
    "points",
    "drives",
    "marks",
    "reading",
    "zoom",
    "drawing",
    "axes",
    "units",
    "tips",
    "share",
    "page",
)
"""In the order in which they need each other."""


def _script() -> str:
    """The parts of the script as one, whose names nobody else sees."""
    directory = files("ssdlab.report").joinpath("script")
    parts = [directory.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPT_PARTS]
    return "\n".join(['"use strict";', "(() => {", *parts, "})();"])


def environment(language: Language) -> jinja2.Environment:
    """What templates are read by; messages come out as sentences of the language, and nothing that a text holds turns the page around."""
    resources = files("ssdlab.report")

    def written(value: object) -> object:
        told = told_in(value, language) if isinstance(value, Message) else value
        return seen(told) if isinstance(told, str) and not isinstance(told, Markup) else told

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=written,
        loader=jinja2.FunctionLoader(lambda name: resources.joinpath(name).read_text(encoding="utf-8")),
    )
    environment.globals.update(
        say=lambda id_, **values: told_in(message_of(id_, values), language),
        commas=lambda values: commas(*values),
    )
    return environment
