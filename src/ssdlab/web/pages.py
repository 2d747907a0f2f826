"""The pages as text: templates, styles and colours of the report, in the language that the browser asks for."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import jinja2
from markupsafe import Markup, escape

from ssdlab import version
from ssdlab.figure.kit.direction import seen
from ssdlab.figure.kit.style import HEAT_INKS
from ssdlab.message import Message, duration, listed, message, semicolons
from ssdlab.report import theme
from ssdlab.report.frame import environment
from ssdlab.report.language import told_in
from ssdlab.report.looks import Theme
from ssdlab.report.vendored import chart_library
from ssdlab.web.phases import LEVELS_NS
from ssdlab.words import Language


@cache
def _environment(language: Language) -> jinja2.Environment:
    own = files("ssdlab.web").joinpath("templates")
    made = environment(language)
    made.filters["coded"] = lambda told: coded(sentence(told, language) if isinstance(told, Message) else told)
    return made.overlay(
        loader=jinja2.FunctionLoader(lambda name: own.joinpath(name).read_text(encoding="utf-8")),
    )


def coded(told: str) -> Markup:
    """Text whose commands, which stand between backticks, are shown as what they are, to be read letter by letter and copied."""
    parts = seen(told).split("`")
    if len(parts) % 2 == 0:
        return escape(seen(told))
    code = Markup("<code>{}</code>")
    return Markup().join(code.format(part) if place % 2 else part for place, part in enumerate(parts))


def rendered(template: str, language: Language, **values: object) -> str:
    """A template of this package, with what all of them show."""
    return _environment(language).get_template(template).render(version=version(), language=language.value, **values)


def sentence(told: Message, language: Language) -> str:
    """A message in the language."""
    return told_in(told, language)


def strip_key() -> Sequence[tuple[str, Message]]:
    """What the colours of the strip mean: a variable of the style, and its words."""
    inks = [theme.css_variable(ink).removeprefix("--") for ink in HEAT_INKS[: len(LEVELS_NS) + 1]]
    borders = [listed(semicolons(duration(one))) for one in LEVELS_NS]
    words = [
        message("web-below", most=borders[0]),
        *(message("web-between", least=low, most=high) for low, high in pairwise(borders)),
        message("web-from", least=borders[-1]),
    ]
    return list(zip(inks, words, strict=True))


def chart_words(language: Language) -> Mapping[str, str]:
    """What the chart says."""
    said = {"time": message("web-axis-time"), "speed": message("web-axis-speed")}
    return {name: told_in(words, language) for name, words in said.items()}


@cache
def static_files() -> Mapping[str, tuple[str, str]]:
    """Type and content of what pages load, by name.

    Raises:
        VendorMissingError: The chart library was not fetched.
    """
    own, library = files("ssdlab.web").joinpath("static"), chart_library()
    report = files("ssdlab.report").joinpath("report.css").read_text(encoding="utf-8")
    light, dark = theme.colour_rules(Theme.LIGHT), theme.colour_rules(Theme.DARK)
    colours = (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
    )
    style = colours + library.style + "\n" + report + own.joinpath("lab.css").read_text(encoding="utf-8")
    contents: dict[str, Any] = {
        "lab.css": ("text/css", style),
        **{
            name: ("text/javascript", own.joinpath(name).read_text(encoding="utf-8"))
            for name in ("lab.js", "points.js")
        },
        "uplot.js": ("text/javascript", library.script),
        "uplot-licence.txt": ("text/plain", library.licence),
    }
    return contents
