"""Draw figure 12 of the source paper from its equations and from the model: `uv run python docs/figure_12.py`.

With `--check` nothing is drawn; the model is held against the equations.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ssdlab.engine.base import Replays
from ssdlab.engine.commands import Commands, Verb
from ssdlab.figure.kit.axis import PlotAxis, linear_axis
from ssdlab.figure.kit.evidence import EvidencePlot, PlotHeading, PlotSeries, Stroke, evidence_figure
from ssdlab.figure.kit.model import Column, Figure, FigureTable
from ssdlab.figure.probe.axes import kib_axis
from ssdlab.lab.bench import open_bench
from ssdlab.probe.probes.equations import Floats, Layout, PartialStripe, response_time
from ssdlab.probe.run import subject_of
from ssdlab.probe.script import sequential_fill, working_region
from ssdlab.report.picture_style import standalone
from ssdlab.report.render import render_png, render_svg
from ssdlab.units import KIB, NS_PER_US

IMAGES = Path(__file__).parent / "images"
_CHANNELS, _PAGE_BYTES, _PAGE_US = 4, 4 * KIB, 100
_UNITS = (1, 2, 4, 8)
_SIZES_BYTES = np.arange(1, 33, dtype=np.int64) * _PAGE_BYTES
_BASE_US = 1
"""The model wants some time beside the flash; it is taken off again."""
_SPEC = f"""
name = "figure-12"
description = "the source paper's parameters: four channels, pages of 4 KiB in 100 us"

[geometry]
capacity = "64 MiB"
raw = "96 MiB"
superblock = "4 MiB"
channels = {_CHANNELS}
dies = {_CHANNELS}
bits_per_cell = 1
stripe_unit = "32 KiB"
page = "{_PAGE_BYTES} B"
allocation = "address"

[timing]
sense = ["30us"]
program = "200us"
erase = "2ms"
channel = "40 MB/s"
link_read = "unlimited"
link_write = "unlimited"

[buffer]
kind = "write_through"
size = "16 MiB"

[map]
unit = "32 KiB"

[legacy]
read_base = "{_BASE_US}us"
page_read = "{_PAGE_US}us"
sync = "{{sync_us}}us"
pages_per_channel = {{unit}}
write_base = "100us"
write_rate = "60 MB/s"
copy = "100us"
"""


@dataclass(frozen=True, slots=True)
class _Part:
    """Half of the figure: one way of placing a block, with what a further channel costs."""

    name: str
    title: str
    sync_us: int
    words: str


_PARTS = (
    _Part("figure-12-1-channel", "1-channel placement, equation (1)", 10, "block of {size} KiB"),
    _Part("figure-12-multi-channel", "Multi-channel placement, equation (2)", 20, "k = {unit}"),
)


def model_us(unit: int, sync_us: int) -> Floats:
    """Times of reads of every size from the start of the model drive, in us."""
    with tempfile.TemporaryDirectory() as directory:
        spec = Path(directory) / "spec.toml"
        spec.write_text(_SPEC.format(unit=unit, sync_us=sync_us))
        with open_bench(f"model:{spec}") as bench:
            subject = subject_of(bench.drive.identity, 0, {})
            bench.engine.run(sequential_fill("fill", working_region(subject), 0).job, Path(directory), lambda _: None)
            if not isinstance(bench.engine, Replays):
                raise TypeError(f"{bench.engine.name} does no single commands")
            reads = Commands.one_by_one(Verb.READ, np.zeros(len(_SIZES_BYTES), dtype=np.int64), _SIZES_BYTES)
            samples = bench.engine.replay(reads, Path(directory), lambda _: None)
    return samples.latency_ns / NS_PER_US - _BASE_US


def _figure(part: _Part, measured: dict[int, Floats]) -> Figure:
    pages, sizes = _SIZES_BYTES // _PAGE_BYTES, _SIZES_BYTES / KIB
    series, rows = [], []
    for slot, unit in enumerate(_UNITS, start=1):
        printed = response_time(pages, Layout(unit, _CHANNELS), _PAGE_US, part.sync_us, PartialStripe.FLOOR)
        label = part.words.format(unit=unit, size=unit * _PAGE_BYTES // KIB)
        series += [
            PlotSeries(label, slot, sizes, printed, Stroke.LINE),
            PlotSeries(label, slot, sizes, measured[unit], Stroke.POINTS, 26),
        ]
        rows += [
            (label, int(size), float(one), float(other))
            for size, one, other in zip(_SIZES_BYTES, printed, measured[unit], strict=True)
        ]
    heading = PlotHeading(
        name=part.name,
        title=part.title,
        subtitle=(f"{_CHANNELS} channels, pages of 4 KiB in {_PAGE_US} us, a further channel {part.sync_us} us",),
        caption="Lines: the equation as printed. Points: the model, which waits for every channel that is touched.",
    )
    highest = max(float(one.y.max()) for one in series)

    def y(length_px: int, ticks: int) -> PlotAxis:
        return linear_axis("read time (us)", highest, length_px, ticks, round_up=True)

    def x(length_px: int, ticks: int) -> PlotAxis:
        return kib_axis("size of the read (KiB)", float(sizes.max()), length_px, ticks)

    columns = (Column("placement", ""), Column("read", "B"), Column("as printed", "us"), Column("model", "us"))
    return evidence_figure(heading, EvidencePlot(x=x, y=y, series=series), FigureTable("Times", columns, tuple(rows)))


def _differing(part: _Part, measured: dict[int, Floats]) -> Iterator[int]:
    for unit, times in measured.items():
        expected = response_time(
            _SIZES_BYTES // _PAGE_BYTES, Layout(unit, _CHANNELS), _PAGE_US, part.sync_us, PartialStripe.CEIL
        )
        yield int((np.abs(times - expected) > 1e-6).sum())


def main() -> int:
    """Hold the model against the equations, and draw both."""
    differing = 0
    for part in _PARTS:
        measured = {unit: model_us(unit, part.sync_us) for unit in _UNITS}
        differing += sum(_differing(part, measured))
        if "--check" not in sys.argv:
            svg = standalone(render_svg(_figure(part, measured).spec))
            (IMAGES / f"{part.name}.png").write_bytes(render_png(svg))
    count = len(_PARTS) * len(_UNITS) * len(_SIZES_BYTES)
    print(f"{count - differing} of {count} times of the model are those of the equations with `ceil`")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
