"""Fitting a rendered SVG to where it is shown: inside a page that may be dark."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from html import escape
from typing import Any

from ssdlab.figure.kit.layers import KEY_PREFIX
from ssdlab.figure.kit.style import Ink
from ssdlab.report.looks import Theme
from ssdlab.report.svg_minify import minified

_SVG_TAG = re.compile(r"<svg [^>]*>")
_SIZE = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')
_KEY_GROUP = re.compile(rf'<g class="[^"]* {KEY_PREFIX.replace("-", "_")}\w*_marks".*?</g>', re.DOTALL)
_ID = re.compile(r' id="([^"]+)"')
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_DRAWING = re.compile(r' d="([^"]*)"')
_LONG_NUMBER = re.compile(r"(\d\.\d)\d+")
"""A tenth of a pixel is finer than any screen, and printed at 300 dpi still half a dot."""
_LINES = re.compile(r"(?:[ML]-?[\d.]+,-?[\d.]+|Z)+")
_CORNER = re.compile(r"([MLZ])(?:(-?[\d.]+),(-?[\d.]+))?")
_LABEL = re.compile(r'aria-label="(?P<words>[^"]*)"')


def css_variable(ink: Ink) -> str:
    """Name of the CSS variable that carries a colour: `--faint-text`, and short where it stands often: `--s1`."""
    return f"--{ink.name.lower().replace('_', '-').replace('series-', 's')}"


class MarkAccess(Enum):
    """Whether single marks of a picture can be reached and read; its table has the same numbers."""

    DESCRIBED = "described"
    PLAIN = "plain"
    """On a screen to be touched there is neither keyboard nor pointer to reach them with."""


def for_page(
    svg: str,
    prefix: str,
    label: str,
    marks: MarkAccess = MarkAccess.DESCRIBED,
    frames: Sequence[Mapping[str, Any]] = (),
) -> str:
    """An SVG to paste into HTML: colours follow the page, width follows the column, key marks take the focus.

    Args:
        svg: As rendered.
        prefix: Unique on the page; the ids of several pictures must not collide.
        label: What a screen reader says of the picture as a whole.
        marks: Whether it says something of single marks too.
        frames: Its plots, where values can be read off.
    """
    size = _SIZE.search(svg)
    width, height = (size["width"], size["height"]) if size else ("100%", "100%")
    plots = f' data-plots="{escape(json.dumps(list(frames), separators=(",", ":")))}"' if frames else ""
    opening = (
        f'<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'style="max-width:{width}px" role="graphics-document document" aria-label="{escape(label)}"{plots}>'
    )
    themed = _SVG_TAG.sub(lambda _: opening, svg, count=1)
    for ink in Ink:
        themed = re.sub(f'"{ink.value}"', f'"var({css_variable(ink)})"', themed, flags=re.IGNORECASE)
    # The renderer goes on counting from picture to picture; the page must not depend on what was drawn before.
    ids = {name: f"{prefix}-{number}" for number, name in enumerate(_ID.findall(themed), start=1)}
    themed = _ID.sub(lambda match: f' id="{ids[match[1]]}"', themed)
    themed = _REFERENCE.sub(lambda match: f"url(#{ids[match[1]]})", themed)
    themed = _DRAWING.sub(lambda match: f' d="{shorter(match[1])}"', themed)
    spoken = _focusable if marks is MarkAccess.DESCRIBED else _silent
    return minified(_KEY_GROUP.sub(lambda match: spoken(match[0]), themed))


def shorter(drawing: str) -> str:
    """The same path in a third of the letters: whole tenths of a pixel, each corner as its distance from the last."""
    if not _LINES.fullmatch(drawing):
        return _LONG_NUMBER.sub(r"\1", drawing)
    parts: list[str] = []
    at = (0, 0)
    for kind, tenths in _straightened([(kind, _tenths(x, y)) for kind, x, y in _CORNER.findall(drawing)]):
        if kind == "Z":
            parts.append("Z")
            continue
        across, down = tenths[0] - at[0], tenths[1] - at[1]
        parts.append(f"M{_pixels(tenths[0])},{_pixels(tenths[1])}" if kind == "M" else _step(across, down))
        at = tenths
    return "".join(parts)


_Corner = tuple[str, tuple[int, int]]


def _tenths(x: str, y: str) -> tuple[int, int]:
    return (round(float(x) * 10), round(float(y) * 10)) if x else (0, 0)


def _straightened(corners: list[_Corner]) -> list[_Corner]:
    """Without the corners in the middle of a horizontal stretch."""
    kept: list[_Corner] = []
    for number, (kind, tenths) in enumerate(corners):
        following = corners[number + 1] if number + 1 < len(corners) else ("Z", (0, 0))
        level = kind == following[0] == "L" and bool(kept) and kept[-1][1][1] == tenths[1] == following[1][1]
        onwards = level and (tenths[0] - kept[-1][1][0]) * (following[1][0] - tenths[0]) >= 0
        if not onwards:
            kept.append((kind, tenths))
    return kept


def _pixels(tenths: int) -> str:
    return f"{tenths / 10:g}"


def _step(across: int, down: int) -> str:
    if down == 0:
        return f"h{_pixels(across)}"
    return f"v{_pixels(down)}" if across == 0 else f"l{_pixels(across)},{_pixels(down)}"


def colour_rules(theme: Theme) -> str:
    """The CSS variables of all colours of the figures."""
    return "".join(f"{css_variable(ink)}:{colour};" for ink, colour in inks_of(theme).items())


def inks_of(theme: Theme) -> dict[Ink, str]:
    """The colours of the figures."""
    return {ink: ink.value for ink in Ink} | (_DARK if theme is Theme.DARK else {})


_DARK = {
    Ink.TEXT: "#e8e8e8",
    Ink.FAINT_TEXT: "#a9adb3",
    Ink.GRID: "#31353b",
    Ink.AXIS: "#7d838c",
    Ink.PAPER: "#16181c",
    Ink.REST: "#8c929b",
    Ink.SHADE: "#24272d",
    # The lighter ones of the same palette: blue and vermilion are too dark on black.
    Ink.SERIES_1: "#56b4e9",
    Ink.SERIES_2: "#e69f00",
    Ink.SERIES_3: "#2fbf95",
    Ink.SERIES_4: "#cc79a7",
    Ink.SERIES_5: "#f0e442",
    Ink.SERIES_6: "#d9d0ff",
    # On black few is dark and many is bright.
    Ink.HEAT_1: "#5c1fa8",
    Ink.HEAT_2: "#8a1fa6",
    Ink.HEAT_3: "#b12a90",
    Ink.HEAT_4: "#cc4778",
    Ink.HEAT_5: "#e8705b",
    Ink.HEAT_6: "#fca636",
    Ink.HEAT_7: "#f6e626",
}


def _focusable(group: str) -> str:
    """Let the keyboard reach each described mark of a layer, and show its words as a tooltip without any script."""
    return re.sub(r"<(path|line)( [^>]*?)(?:/>|></\1>)", _with_focus, group)


def _silent(group: str) -> str:
    return re.sub(r' (?:aria-label|role|aria-roledescription)="[^"]*"', "", group)


def _with_focus(match: re.Match[str]) -> str:
    words = _LABEL.search(match[2])
    if words is None:
        return match[0]
    return f'<{match[1]} tabindex="0"{match[2]}><title>{words["words"]}</title></{match[1]}>'
