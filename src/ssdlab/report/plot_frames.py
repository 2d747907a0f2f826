"""Where the plots of a rendered picture are and what their axes say: what a page needs to turn a pointer into a value."""

import re
from typing import Any

from ssdlab.figure.kit.model import VegaLite, plots_of

_WHOLE = re.compile(r'<svg [^>]*><g [^>]*transform="translate\((?P<x>-?[\d.]+),(?P<y>-?[\d.]+)\)"')
_PANEL = re.compile(
    r'class="mark-group role-scope concat_\d+_group"[^>]*><g transform="translate\((?P<x>-?[\d.]+),(?P<y>-?[\d.]+)\)"'
)


def plot_frames(spec: VegaLite, svg: str) -> list[dict[str, Any]]:
    """Each plot in the order of the specification: its box in the picture, and the two ends of its axes.

    Empty where a plot has no axis of numbers, as bars have none.
    """
    whole = _WHOLE.search(svg)
    plots = plots_of(spec)
    scales = [{channel: _scale(plot, channel) for channel in ("x", "y")} for plot in plots]
    if whole is None or not all(scale["x"] for scale in scales):
        return []
    moves = [(0.0, 0.0)] if plots == [spec] else [(float(one["x"]), float(one["y"])) for one in _PANEL.finditer(svg)]
    if len(moves) != len(plots):
        return []
    return [
        {
            "left": float(whole["x"]) + left,
            "top": float(whole["y"]) + top,
            "width": plot["width"],
            "height": plot["height"],
            **scale,
        }
        for plot, scale, (left, top) in zip(plots, scales, moves, strict=True)
    ]


def _scale(plot: VegaLite, channel: str) -> dict[str, Any] | None:
    encodings = [layer["encoding"][channel] for layer in plot["layer"] if channel in layer["encoding"]]
    scale = next((encoding["scale"] for encoding in encodings if encoding.get("type") == "quantitative"), None)
    if scale is None or "domain" not in scale:
        return None
    low, high = scale["domain"]
    return {"low": low, "high": high, "scale": scale.get("type", "linear")}
