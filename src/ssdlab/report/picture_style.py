"""How figures look as files of their own: as large as asked for, on white or on black, with a line that says whose they are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from ssdlab.errors import UsageError
from ssdlab.figure.kit.say import FOREIGN_FONT
from ssdlab.figure.kit.style import Ink
from ssdlab.message import message
from ssdlab.report.looks import Theme
from ssdlab.report.theme import inks_of
from ssdlab.units import clipped

_SVG_TAG = re.compile(r"<svg [^>]*>")
_SIZE = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_ASKED = re.compile(r"([0-9]{3,4})x([0-9]{3,4})")
_SIDE_PX_MIN, _SIDE_PX_MAX = 200, 8000
_WATERMARK_MAX = 80
_FONT_PX = 12
_BAND_PX = 20
"""Room of the watermark below a figure, which no part of it can cover."""
_MARGIN_PX = 8
_SHEETS: Mapping[Theme, str] = {Theme.LIGHT: "#ffffff", Theme.DARK: inks_of(Theme.DARK)[Ink.PAPER]}
OWN_SCALE = 2.0
"""Pixels of a PNG for one of its SVG where no size is asked for."""


@dataclass(frozen=True, slots=True)
class PictureSize:
    """Width and height of a PNG."""

    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """What is asked for of all pictures of a report."""

    size: PictureSize | None = None
    """None where each picture is as large as its figure."""
    theme: Theme = Theme.LIGHT
    watermark: str | None = None

    @property
    def has_hangul(self) -> bool:
        """Whether its words need a font with Korean letters."""
        return self.watermark is not None and _HANGUL.search(self.watermark) is not None

    @property
    def png_scale(self) -> float:
        """Pixels of the PNG for one of the SVG."""
        return OWN_SCALE if self.size is None else 1.0


PLAIN = PictureStyle()


def picture_size(text: str) -> PictureSize:
    """`1200x675`.

    Raises:
        UsageError: It is no size, or none that a figure can be read at.
    """
    match = _ASKED.fullmatch(text)
    sides = () if match is None else (int(match[1]), int(match[2]))
    if not sides or not all(_SIDE_PX_MIN <= side <= _SIDE_PX_MAX for side in sides):
        raise UsageError(
            message("report-no-size", text=clipped(text)),
            message("report-hint-size", least=str(_SIDE_PX_MIN), most=str(_SIDE_PX_MAX)),
        )
    return PictureSize(*sides)


def watermark(text: str) -> str:
    """The words of a watermark.

    Raises:
        UsageError: They are none, too many, or cannot be drawn.
    """
    words = text.strip()
    if not words or len(words) > _WATERMARK_MAX or not words.isprintable():
        raise UsageError(message("report-no-watermark", text=clipped(text), most=str(_WATERMARK_MAX)))
    return words


def coverage(svg: str, style: PictureStyle) -> float:
    """Share of the asked size that a picture fills when it is drawn as large as fits."""
    width, height = _size(svg)
    scale, canvas = _fit(width, height, style)
    return scale**2 * width * height / (canvas.width_px * canvas.height_px)


def standalone(svg: str, style: PictureStyle = PLAIN) -> str:
    """An SVG for a file, as it was asked for."""
    width, height = _size(svg)
    scale, canvas = _fit(width, height, style)
    left = (canvas.width_px - scale * width) / 2
    top = (canvas.height_px - _band_px(style) - scale * height) / 2
    placed = (
        f'<svg x="{left:g}" y="{top:g}" width="{scale * width:g}" height="{scale * height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">'
    )
    inner = _coloured(_SVG_TAG.sub(placed, svg, count=1), style.theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{canvas.width_px:g}" height="{canvas.height_px:g}" '
        f'viewBox="0 0 {canvas.width_px:g} {canvas.height_px:g}">'
        f'<rect width="{canvas.width_px:g}" height="{canvas.height_px:g}" fill="{_SHEETS[style.theme]}"/>'
        f"{inner}{_watermark(canvas, style)}</svg>"
    )


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    if found is None:
        raise ValueError("a rendered picture has a size")
    return float(found["width"]), float(found["height"])


def _band_px(style: PictureStyle) -> int:
    return 0 if style.watermark is None else _BAND_PX


def _fit(width: float, height: float, style: PictureStyle) -> tuple[float, PictureSize]:
    """How much larger the figure is drawn, and on which sheet."""
    band = _band_px(style)
    if style.size is None:
        return 1.0, PictureSize(round(width), round(height) + band)
    return min(style.size.width_px / width, (style.size.height_px - band) / height), style.size


def _coloured(svg: str, theme: Theme) -> str:
    for ink, colour in inks_of(theme).items():
        svg = re.sub(f'"{ink.value}"', f'"{colour}"', svg, flags=re.IGNORECASE)
    return svg


def _watermark(canvas: PictureSize, style: PictureStyle) -> str:
    """In the band below the figure, at its right end; smaller where it is wider than the picture."""
    if style.watermark is None:
        return ""
    room = canvas.width_px - 2 * _MARGIN_PX
    # No letter is wider than it is high.
    font_px = min(_FONT_PX, room / len(style.watermark))
    return (
        f'<text x="{canvas.width_px - _MARGIN_PX:g}" y="{canvas.height_px - _MARGIN_PX + 1:g}" text-anchor="end" '
        f'font-family="{escape(FOREIGN_FONT)}" font-size="{font_px:.3g}px" '
        f'fill="{inks_of(style.theme)[Ink.FAINT_TEXT]}">{escape(style.watermark)}</text>'
    )
