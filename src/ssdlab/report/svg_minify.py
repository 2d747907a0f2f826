"""The same picture in a third of the letters: what is invisible, default or said twice is left out.

Vega writes every mark with all its attributes. Here those that all marks of a group share stand once, on the group, from which
SVG lets them be inherited; groups that do nothing are gone, lines of one grid are one path, and marks stand where they are.
"""

import re
from xml.etree import ElementTree as ET

_NAMESPACE = "http://www.w3.org/2000/svg"
_SVG = f"{{{_NAMESPACE}}}"
_DEFAULTS = {
    "opacity": "1",
    "stroke-width": "1",
    "stroke-dasharray": "1,0",
    "stroke-opacity": "1",
    "fill-opacity": "1",
    "transform": "translate(0,0)",
    "font-weight": "normal",
    "text-anchor": "start",
}
_NEVER_READ = {"class", "pointer-events", "aria-roledescription", "font-family"}
"""The style sheet of the page says what matters of them, once."""
_INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linejoin",
    "stroke-opacity",
    "fill-opacity",
    "font-size",
    "font-weight",
    "text-anchor",
    "paint-order",
)
_NUMBER = re.compile(r"-?\d+\.\d+")
_UNSEEN = {"background", "foreground"}
_LABELS = re.compile(r"\w+_marks")
_OUTLINE = ("stroke", "stroke-width", "stroke-linejoin")
_MOVED = re.compile(r"translate\((?P<x>-?[\d.]+),(?P<y>-?[\d.]+)\)")
_PIXELS = r"-?[\d.]+"
_FROM_POINT = re.compile(rf"M(?P<x>{_PIXELS}),(?P<y>{_PIXELS})(?P<rest>(?:[hv]{_PIXELS}|l{_PIXELS},{_PIXELS}|Z)*)")
"""A shape whose corners are distances from its first."""
_CIRCLE = re.compile(r"M(?P<r>[\d.]+),0A(?P=r),(?P=r),0,1,1,-(?P=r),0A(?P=r),(?P=r),0,1,1,(?P=r),0")
_ENDS = ("x1", "y1", "x2", "y2")


def minified(svg: str) -> str:
    """A rendered SVG, drawn the same, in fewer letters."""
    ET.register_namespace("", _NAMESPACE)
    root = ET.fromstring(svg)  # noqa: S314 - our own renderer wrote it
    _clean(root)
    _join_halos(root)
    for element in root.iter():
        for name in [one for one in element.attrib if element is not root and _is_needless(element, one)]:
            del element.attrib[name]
        if element.find(f"{_SVG}title") is not None:
            # The title is the name of the mark, for eyes and for screen readers.
            element.attrib.pop("aria-label", None)
            element.set("role", "img")
        if "transform" in element.attrib:
            element.set("transform", _NUMBER.sub(_rounded, element.attrib["transform"]))
            _settle(element)
    # Once for groups that would otherwise say nothing, once for those that took in what was around them.
    _hoist(root)
    _flatten(root)
    _hoist(root)
    _join_lines(root)
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def _is_needless(element: ET.Element, name: str) -> bool:
    return name in _NEVER_READ or _DEFAULTS.get(name) == element.get(name)


def _rounded(match: re.Match[str]) -> str:
    return f"{round(float(match[0]), 1):g}"


def _clean(parent: ET.Element) -> None:
    """Take out shapes nobody sees, and names of groups that only say what their text says."""
    for child in list(parent):
        kinds = set(child.get("class", "").split())
        if kinds & _UNSEEN and not {"fill", "stroke"} & child.attrib.keys():
            parent.remove(child)
            continue
        if kinds & {"role-title-text", "role-title-subtitle"} or child.get("role") == "graphics-object":
            for name in ("role", "aria-label"):
                child.attrib.pop(name, None)
        _clean(child)
        if child.tag == f"{_SVG}g" and not len(child):
            parent.remove(child)


def _join_halos(parent: ET.Element) -> None:
    """Labels and what keeps grid lines off their letters: one text with an outline painted first in place of two texts."""
    for child in parent:
        _join_halos(child)
    waiting: dict[str, ET.Element] = {}
    for child in list(parent):
        name = next((one for one in child.get("class", "").split() if _LABELS.fullmatch(one)), "")
        if name.endswith("_halo_marks"):
            waiting[name.replace("_halo_marks", "_marks")] = child
        elif name in waiting and len(waiting[name]) == len(child):
            halo = waiting.pop(name)
            for text, around in zip(child, halo, strict=True):
                text.attrib.update({one: around.attrib[one] for one in _OUTLINE if one in around.attrib})
                text.set("paint-order", "stroke")
            parent.remove(halo)


def _settle(element: ET.Element) -> None:
    """A text or a line that is only moved is written where it is."""
    move = _MOVED.fullmatch(element.attrib["transform"])
    if move is None or {"x", "y", "x1", "y1"} & element.attrib.keys():
        return
    x, y = float(move["x"]), float(move["y"])
    if element.tag == f"{_SVG}path":
        drawing = _moved(element.get("d", ""), x, y)
        if drawing is None:
            return
        element.set("d", drawing)
    elif len(element):
        return
    elif element.tag == f"{_SVG}text":
        element.attrib.update({"x": f"{x:g}", "y": f"{y:g}"})
    elif element.tag == f"{_SVG}line":
        x2, y2 = (float(element.get(name, "0")) for name in ("x2", "y2"))
        ends = {"x1": x, "y1": y, "x2": round(x + x2, 1), "y2": round(y + y2, 1)}
        element.attrib.update({name: f"{value:g}" for name, value in ends.items()})
    else:
        return
    del element.attrib["transform"]


def _moved(drawing: str, x: float, y: float) -> str | None:
    """The shape of a mark where it stands; None of shapes that cannot be moved by their first point."""
    if circle := _CIRCLE.fullmatch(drawing):
        r = float(circle["r"])
        half = f"a{r:g},{r:g},0,1,1,"
        return f"M{x + r:.6g},{y:.6g}{half}{-2 * r:.6g},0{half}{2 * r:.6g},0"
    found = _FROM_POINT.fullmatch(drawing)
    return None if found is None else f"M{x + float(found['x']):.6g},{y + float(found['y']):.6g}{found['rest']}"


def _join_lines(parent: ET.Element) -> None:
    """Lines of a grid or of ticks, of which nothing is told one by one, as one path."""
    children: list[ET.Element] = []
    for child in parent:
        _join_lines(child)
        drawing = _line_drawing(child)
        last = children[-1] if children else None
        if drawing is None:
            children.append(child)
        elif last is not None and last.attrib.keys() == {"d"} and last.tag == f"{_SVG}path" and not len(last):
            last.set("d", last.attrib["d"] + drawing)
        else:
            children.append(ET.Element(f"{_SVG}path", {"d": drawing}))
    parent[:] = children


def _line_drawing(element: ET.Element) -> str | None:
    if element.tag != f"{_SVG}line" or len(element) or element.attrib.keys() - set(_ENDS):
        return None
    x1, y1, x2, y2 = (float(element.get(name, "0")) for name in _ENDS)
    across, down = round(x2 - x1, 1), round(y2 - y1, 1)
    step = f"h{across:g}" if not down else f"v{down:g}" if not across else f"l{across:g},{down:g}"
    return f"M{x1:g},{y1:g}{step}"


def _flatten(parent: ET.Element) -> None:
    """Groups without a word or with one child that is a group become part of what is around them."""
    for child in list(parent):
        _flatten(child)
    children: list[ET.Element] = []
    for child in parent:
        if child.tag == f"{_SVG}g" and not child.attrib:
            children += list(child)
        else:
            children.append(child)
    parent[:] = children
    if parent.tag == f"{_SVG}g" and len(parent) == 1 and parent[0].tag == f"{_SVG}g":
        _merge(parent, parent[0])


def _merge(outer: ET.Element, inner: ET.Element) -> None:
    # What clips is measured where it stands, so it stays there.
    if "clip-path" in outer.attrib:
        return
    if not outer.attrib.keys() & inner.attrib.keys():
        outer.attrib.update(inner.attrib)
    elif outer.attrib.keys() == inner.attrib.keys() == {"transform"}:
        moves = [_MOVED.fullmatch(one.attrib["transform"]) for one in (outer, inner)]
        if None in moves:
            return
        x, y = (sum(float(move[axis]) for move in moves if move) for axis in ("x", "y"))
        outer.set("transform", f"translate({x:g},{y:g})")
    else:
        return
    outer[:] = list(inner)


def _hoist(parent: ET.Element) -> None:
    """What all children say stands on their parent."""
    for child in parent:
        _hoist(child)
    if parent.tag != f"{_SVG}g" or len(parent) < 2:
        return
    for name in _INHERITED:
        values = {child.get(name) for child in parent}
        if len(values) == 1 and None not in values:
            parent.set(name, str(values.pop()))
            for child in parent:
                del child.attrib[name]
