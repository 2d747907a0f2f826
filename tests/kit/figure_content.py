"""What a figure consists of, for tests: layers, rows, axes, texts; and whether it can be drawn at all."""

from typing import Any

from ssdlab.figure.kit.model import Figure, VegaLite, layers_of, plots_of
from ssdlab.report.render import render_svg

Row = dict[str, Any]


def layer_names(figure: Figure) -> list[str]:
    """Of all plots, in the order of drawing."""
    return [one["name"] for one in layers_of(figure.spec)]


def layer(figure: Figure, name: str) -> dict[str, Any]:
    """The layer of that name."""
    (found,) = [one for one in layers_of(figure.spec) if one["name"] == name]
    return found


def rows(figure: Figure, name: str) -> list[Row]:
    """The data of a layer."""
    return list(layer(figure, name)["data"]["values"])


def axes(figure: Figure) -> list[tuple[str, str]]:
    """Titles of the axes of each plot."""
    found = []
    for plot in plots_of(figure.spec):
        encodings = [one["encoding"] for one in plot["layer"]]
        x = next(one["x"]["axis"]["title"] for one in encodings if "x" in one)
        y = next((one["y"]["axis"]["title"] for one in encodings if "y" in one and one["y"]["axis"]), "")
        found.append((x, y))
    return found


def panel_titles(figure: Figure) -> list[str]:
    """Titles of the plots beside each other."""
    return [plot["title"]["text"] for plot in plots_of(figure.spec)]


def scale(spec: VegaLite, channel: str) -> dict[str, Any]:
    """The scale of an axis of the first plot."""
    encoding = next(one["encoding"] for one in layers_of(spec) if channel in one["encoding"])
    found: dict[str, Any] = encoding[channel]["scale"]
    return found


def ticks(figure: Figure, channel: str) -> list[Any]:
    """The labelled places of an axis of the first plot."""
    encoding = next(one["encoding"] for one in layers_of(figure.spec) if channel in one["encoding"])
    return list(encoding[channel]["axis"]["values"])


def texts(figure: Figure) -> list[str]:
    """All labels, lines of one joined."""
    found = [
        row["text"]
        for one in layers_of(figure.spec)
        if one["mark"]["type"] == "text" and not one["name"].endswith("-halo")
        for row in one["data"]["values"]
    ]
    return [text if isinstance(text, str) else " ".join(text) for text in found]


def assert_whole(figure: Figure) -> None:
    """Both pictures have everything the figure asks for; raises otherwise."""
    assert render_svg(figure.spec).startswith("<svg")
    assert render_svg(figure.narrow_spec).startswith("<svg")


def assert_inside_axes(figure: Figure) -> None:
    """No mark lies outside its axes."""
    for spec in (figure.spec, figure.narrow_spec):
        for one in layers_of(spec):
            for channel in ("x", "y"):
                encoding = one["encoding"].get(channel)
                if encoding is None or encoding["type"] != "quantitative":
                    continue
                fields = [
                    one["encoding"][name]["field"] for name in (channel, f"{channel}2") if name in one["encoding"]
                ]
                low, high = encoding["scale"]["domain"]
                values = [row[field] for row in one["data"]["values"] for field in fields]
                assert min(values, default=low) >= low - 1e-5 * abs(high)
                assert max(values, default=high) <= high * (1 + 1e-5)
