"""From a specification to a picture that is known to be whole.

vl-convert can hand back a broken picture without raising: when Vega fails half-way, marks or axes are simply missing. So
every SVG is held against its specification before it is used, and a PNG is only ever made from an SVG that passed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.direction import seen
from ssdlab.figure.kit.model import VegaLite, layers_of, plots_of
from ssdlab.message import message, semicolons
from ssdlab.report.png import SIGNATURE, smaller
from ssdlab.report.vega_worker import BrokenPictureError, drawn

PNG_SCALE = 2.0
_SVG = "{http://www.w3.org/2000/svg}"
_MARKS_OF_ONE_SHAPE = {"line", "area"}
_NOT_A_NUMBER = re.compile(r"NaN|undefined|Infinity|null")


@dataclass(frozen=True, slots=True)
class _Expected:
    """What one layer of a specification must leave in the SVG."""

    layer: str
    mark: str
    rows: list[dict[str, Any]]


def render_svg(spec: VegaLite) -> str:
    """Render a specification and check the picture.

    Raises:
        BrokenPictureError: Titles, tick labels or marks are missing, or the renderer failed.
    """
    return checked(spec, drawn(spec))


def checked(spec: VegaLite, svg: str) -> str:
    """An SVG that was held against its specification; what names and files of others hold turns none of its text around.

    Raises:
        BrokenPictureError: Lists everything that is missing.
    """
    check_picture(spec, svg)
    return seen(svg)


def render_png(svg: str, scale: float = PNG_SCALE) -> bytes:
    """Turn a checked SVG into a PNG, of twice its size if nothing else is asked for.

    Raises:
        BrokenPictureError: What came back is no PNG.
    """
    import vl_convert

    png: bytes = vl_convert.svg_to_png(svg, scale=scale)
    if not png.startswith(SIGNATURE):
        raise BrokenPictureError(message("report-no-png"))
    return smaller(png)


class NoHangulError(SsdlabError):
    """No font of this machine has Korean letters."""


def check_hangul(families: str) -> None:
    """See that Korean letters in these families of fonts come out as themselves and not as boxes.

    Raises:
        NoHangulError: They do not.
    """
    drawn_letters = {
        render_png(
            f'<svg xmlns="{_SVG[1:-1]}" width="32" height="32">'
            f'<text y="24" font-size="24" font-family="{families}">{letter}</text></svg>'
        )
        for letter in "가힣"
    }
    if len(drawn_letters) == 1:
        raise NoHangulError(
            message("report-no-hangul"),
            message("report-hint-hangul"),
        )


def check_picture(spec: VegaLite, svg: str) -> None:
    """Hold an SVG against its specification.

    Raises:
        BrokenPictureError: Lists everything that is missing.
    """
    try:
        root = ET.fromstring(svg)  # noqa: S314 - made by our own renderer a moment ago
    except ET.ParseError as error:
        raise BrokenPictureError(message("report-bad-svg", why=str(error))) from error
    missing = [*_missing_texts(spec, root), *_missing_marks(spec, root)]
    if missing:
        raise BrokenPictureError(
            message("report-picture-broken", missing=semicolons(*missing)),
            message("report-hint-picture"),
        )


def _missing_texts(spec: VegaLite, root: ET.Element) -> Iterator[str]:
    # Several lines of one text are spans of one element.
    texts = {_text(element) for kind in ("text", "tspan") for element in root.iter(f"{_SVG}{kind}")}
    title = spec["title"]
    panels = [plot["title"]["text"] for plot in plots_of(spec) if plot is not spec]
    for line in [*title["text"], *title["subtitle"], *panels]:
        if line not in texts:
            yield f"no title line `{line}`"
    for axis in _axes(spec):
        if axis["title"] is not None and axis["title"] not in texts:
            yield f"no axis title `{axis['title']}`"
    groups = [group for group in root.iter(f"{_SVG}g") if "role-axis-label" in group.get("class", "").split()]
    labels = [sum(bool(_text(one)) for one in group.iter(f"{_SVG}text")) for group in groups]
    wanted = [len(axis["values"]) for axis in _axes(spec)]
    # Vega hides labels that would touch, so every other one may be missing; fewer means an axis that was not laid out.
    if len(labels) != len(wanted) or any(
        seen < max(min(2, count), count // 2) for seen, count in zip(sorted(labels), sorted(wanted), strict=False)
    ):
        yield f"tick labels {labels} where the axes have {wanted} ticks"


def _missing_marks(spec: VegaLite, root: ET.Element) -> Iterator[str]:
    groups = list(root.iter(f"{_SVG}g"))
    for layer in layers_of(spec):
        expected = _Expected(layer["name"], layer["mark"]["type"], layer["data"]["values"])
        # Vega names the group of a layer's marks after the layer; several lines sit in several groups of one class.
        name = f"{expected.layer.replace('-', '_')}_marks"
        parts = [group for group in groups if name in group.get("class", "").split()]
        seen = sum(_is_drawn(shape) for group in parts for shape in group.iter())
        if seen != _shapes_wanted(expected):
            yield f"layer `{expected.layer}` has {seen} of {_shapes_wanted(expected)} {expected.mark} marks"


def _shapes_wanted(expected: _Expected) -> int:
    if expected.mark in _MARKS_OF_ONE_SHAPE:
        return len({row["label"] for row in expected.rows})
    return len(expected.rows)


def _is_drawn(shape: ET.Element) -> bool:
    if shape.tag == f"{_SVG}text":
        return bool(_text(shape)) and not _NOT_A_NUMBER.search(shape.get("transform", ""))
    if shape.tag == f"{_SVG}line":
        return not _NOT_A_NUMBER.search(" ".join(shape.attrib.values()))
    drawing = shape.get("d", "")
    return shape.tag == f"{_SVG}path" and len(drawing) > 2 and not _NOT_A_NUMBER.search(drawing)


def _axes(spec: VegaLite) -> list[dict[str, Any]]:
    """The axes of a figure: x and y of each plot, the same in all its layers."""
    axes: list[dict[str, Any]] = []
    for plot in plots_of(spec):
        found: dict[str, dict[str, Any]] = {}
        for layer in plot["layer"]:
            for channel in ("x", "y"):
                if channel in layer["encoding"] and layer["encoding"][channel]["axis"] is not None:
                    found.setdefault(channel, layer["encoding"][channel]["axis"])
        axes += found.values()
    return axes


def _text(element: ET.Element) -> str:
    return "".join(element.itertext()).strip()
