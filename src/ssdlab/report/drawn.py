"""Figures on their way into a page: drawn by the pool while the rest of it is made."""

from collections.abc import Mapping
from dataclasses import dataclass

from ssdlab.figure.kit.direction import seen
from ssdlab.figure.kit.model import Figure, VegaLite
from ssdlab.report import theme
from ssdlab.report.plot_frames import plot_frames
from ssdlab.report.render_pool import Picture, RenderPool
from ssdlab.report.vega_captions import captions_in
from ssdlab.report.zoom import Room, ZoomChart, marks_of
from ssdlab.words import Language


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFigure:
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
    marks: theme.MarkAccess
    language: Language
    has_values: bool
    """Whether values along its axis can be read off, of the chart beside it."""

    def __html__(self) -> str:
        rendered = self.picture.svg()
        frames = plot_frames(self.picture.spec, rendered) if self.has_values else []
        svg = captions_in(rendered, self.language)
        return theme.for_page(svg, self.id, self.label, self.marks, frames)


@dataclass(frozen=True, slots=True)
class Making:
    """What all figures of a page are made with."""

    pool: RenderPool
    room: Room
    """For zoomable charts."""
    language: Language


def drawn_figure(identifier: str, figure: Figure, making: Making) -> DrawnFigure:
    """A figure with its pictures asked for, whose ids on the page begin with the identifier."""
    language, pool = making.language, making.pool
    label = seen(f"{figure.title}. {' '.join(figure.subtitle)}. {figure.caption}")

    def shown(name: str, words: str, wide: VegaLite, narrow: VegaLite) -> dict[str, _Shown]:
        return {
            "wide": _Shown(pool.picture(wide), f"{name}-wide", words, theme.MarkAccess.DESCRIBED, language, reads),
            "narrow": _Shown(pool.picture(narrow), f"{name}-narrow", words, theme.MarkAccess.PLAIN, language, reads),
        }

    reads = figure.long_chart is not None
    other = figure.variant
    return DrawnFigure(
        id=identifier,
        figure=figure,
        **shown(identifier, label, figure.spec, figure.narrow_spec),
        chart=None if figure.long_chart is None else making.room.add(figure.long_chart, marks_of(figure.spec)),
        variant={}
        if other is None
        else shown(f"{identifier}-variant", f"{other.summary}. {label}", other.spec, other.narrow_spec),
    )
