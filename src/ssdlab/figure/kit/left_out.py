"""Drives that a page leaves out of figures which it draws a second time, because the others are squeezed beside them."""

import math
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ssdlab.figure.kit.called import DriveKey
from ssdlab.figure.kit.model import VegaLite, plots_of

_SHARE_MAX = 0.75
"""Of an axis with all drives that is left without one: where it is more, a second figure would look like the first."""
_LEFT_OUT: ContextVar[AbstractSet[DriveKey]] = ContextVar("drives left out of second figures", default=frozenset())


@contextmanager
def drives_left_out(keys: AbstractSet[DriveKey]) -> Iterator[None]:
    """Figures that compare drives are followed meanwhile by one without these, where that gives the others more room."""
    token = _LEFT_OUT.set(keys)
    try:
        yield
    finally:
        _LEFT_OUT.reset(token)


def left_out() -> AbstractSet[DriveKey]:
    """Those of the page; mostly none."""
    return _LEFT_OUT.get()


def gives_room(without: VegaLite, whole: VegaLite) -> bool:
    """Whether an axis of a figure is much shorter than with all drives, in the units of its scale."""
    return any(
        axes[channel] <= _SHARE_MAX * before[channel]
        for axes, before in zip(map(_lengths, plots_of(without)), map(_lengths, plots_of(whole)), strict=False)
        for channel in axes.keys() & before.keys()
    )


def _lengths(plot: VegaLite) -> Mapping[str, float]:
    """From end to end of each axis of numbers, by its channel; in decades where it is logarithmic."""
    return {
        channel: _length(encoding["scale"])
        for layer in plot["layer"]
        for channel, encoding in layer["encoding"].items()
        if channel in {"x", "y"} and encoding.get("type") == "quantitative" and "domain" in encoding.get("scale", {})
    }


def _length(scale: Mapping[str, Any]) -> float:
    low, high = scale["domain"]
    return math.log10(high / low) if scale.get("type") == "log" else float(high - low)
