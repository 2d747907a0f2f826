"""Draw what a closed loop omits of a drive that stalls for a second: `uv run python docs/what_a_benchmark_omits.py`.

The load engine and fio do the same reads on the same virtual drive in real time, half a minute together.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

from ssdlab import _core
from ssdlab.drive.kinds.virtual import VirtualDrive
from ssdlab.drive.target import VirtualTarget, parse_target
from ssdlab.engine.base import Engine
from ssdlab.engine.fio.binary import find_fio
from ssdlab.engine.fio.engine import FioEngine
from ssdlab.engine.load import LoadEngine
from ssdlab.engine.result import Direction, Histogram, LatencyKind
from ssdlab.figure.kit.axis import PlotAxis, log_axis
from ssdlab.figure.kit.evidence import EvidencePlot, Floats, PlotHeading, PlotSeries, Stroke, evidence_figure
from ssdlab.figure.kit.model import Column, Figure, FigureTable
from ssdlab.job import Job, Pattern, Region
from ssdlab.report.picture_style import standalone
from ssdlab.report.render import render_png, render_svg
from ssdlab.units import KIB, NS_PER_MS, NS_PER_S

IMAGE = Path(__file__).parent / "images" / "what-a-benchmark-omits.png"
_RATE_IOPS, _SECONDS, _STALL_AFTER = 2_000, 12, 8_000
_SLOWEST_PERCENT = np.logspace(2, np.log10(0.05), 120)
"""Shares of all I/Os; ten of 24,000 are the least that a percentile is taken from."""
_FAULT = f'\n[[fault]]\nkind = "stall"\nafter = {_STALL_AFTER}\nduration = "1s"\n'
_JOB = Job(
    name="reads",
    pattern=Pattern.RANDOM,
    read_percent=100,
    block_bytes=4 * KIB,
    queue_depth=1,
    region=Region(0, 2**30),
    amount_bytes=None,
    duration_ns=_SECONDS * NS_PER_S,
    rate_iops=_RATE_IOPS,
    seed=3,
)


def _measured() -> dict[str, Histogram]:
    """Latency of reads, each engine on a drive that stalls once."""
    with tempfile.TemporaryDirectory() as directory:
        spec = Path(directory, "stalls.toml")
        spec.write_text(_core.spec_text("zero").replace("[timing]", '[timing]\nunmapped_read = "100us"') + _FAULT)
        ours = _reads(spec, Path(directory), "load")
        fios = _reads(spec, Path(directory), "fio")
    return {
        "response, by the load engine": ours[LatencyKind.LAT],
        "service, by the load engine": ours[LatencyKind.CLAT],
        "clat, by fio": fios[LatencyKind.CLAT],
    }


def _reads(spec: Path, directory: Path, engine_name: str) -> dict[LatencyKind, Histogram]:
    text = f"virtual:{spec}"
    target = parse_target(text)
    if not isinstance(target, VirtualTarget):
        raise TypeError(f"{text} is no virtual drive")
    drive = VirtualDrive(text, target.spec)
    try:
        engine: Engine = LoadEngine(drive) if engine_name == "load" else FioEngine(find_fio(), drive)
        return dict(engine.run(_JOB, directory, lambda _: None).directions[Direction.READ].latency)
    finally:
        drive.close()


def _slowest_ms(histogram: Histogram) -> Floats:
    """Latency that each share of the I/Os exceeds."""
    percents = list(np.clip(100 - _SLOWEST_PERCENT, 0, 100))
    found = _core.histogram_percentiles(histogram.bin_index.tolist(), histogram.count.tolist(), percents)
    return np.array([np.nan if one is None else one / NS_PER_MS for one in found])


def _figure(measured: dict[str, Histogram]) -> Figure:
    series, rows = [], []
    strokes = (Stroke.LINE, Stroke.DASHED, Stroke.LINE)
    for slot, ((label, histogram), stroke) in enumerate(zip(measured.items(), strokes, strict=True), start=1):
        slowest = _slowest_ms(histogram)
        known = np.isfinite(slowest)
        series.append(PlotSeries(label, slot, _SLOWEST_PERCENT[known], slowest[known], stroke))
        rows += [
            (label, float(share), float(one))
            for share, one in zip(_SLOWEST_PERCENT, slowest, strict=True)
            if np.isfinite(one)
        ]

    def x(length_px: int, _ticks: int) -> PlotAxis:
        return log_axis("slowest share of all reads (%)", 0.05, 100, length_px)

    def y(length_px: int, _ticks: int) -> PlotAxis:
        return log_axis("latency above (ms)", 0.05, 2000, length_px)

    heading = PlotHeading(
        name="what-a-benchmark-omits",
        title="A drive stalls for one second",
        subtitle=(f"{_RATE_IOPS:,} reads a second come by chance, one at a time goes to the drive, for {_SECONDS} s",),
        caption="Virtual drive, 100 us a read. Response counts from when a read came, service from when it was submitted.",
    )
    columns = (Column("latency", ""), Column("slowest share", "%"), Column("above", "ms"))
    return evidence_figure(heading, EvidencePlot(x=x, y=y, series=series), FigureTable("Reads", columns, tuple(rows)))


def main() -> int:
    """Measure, draw, and print what each says."""
    measured = _measured()
    IMAGE.write_bytes(render_png(standalone(render_svg(_figure(measured).spec))))
    for name, histogram in measured.items():
        percents = [50.0, 95.0, 99.0, 99.9]
        found = _core.histogram_percentiles(histogram.bin_index.tolist(), histogram.count.tolist(), percents)
        told = ", ".join(
            f"p{percent:g} {'unknown' if one is None else f'{one / NS_PER_MS:.2f} ms'}"
            for percent, one in zip(percents, found, strict=True)
        )
        print(f"{name}: {told}, longest {histogram.max_ns / NS_PER_MS:,.0f} ms of {histogram.total:,} reads")
    return 0


if __name__ == "__main__":
    sys.exit(main())
