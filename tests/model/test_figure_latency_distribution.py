"""Latencies of a fill as a heat map, from the windows that a bundle keeps."""

import json
from pathlib import Path

import pytest
from tests.kit.fake_lab import FakeDisplay
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.engine.result import Direction, LatencyKind, LatencyWindows
from ssdlab.figure.client.latency_distribution import latency_distribution
from ssdlab.figure.kit.model import Figure
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.report.render import render_svg
from ssdlab.units import NS_PER_S, NS_PER_US

SUITE = """\
[suite]
name = "two"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 2
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    with open_bench("model:demo?capacity=512MiB") as bench:
        plan = expand(parse_suite(SUITE, "two.toml"), "standard", bench.drive.identity, seed=1)
        return execute(plan, bench, tmp_path_factory.mktemp("lab"), FakeDisplay())


@pytest.fixture(scope="module")
def figure(bundle: Bundle) -> Figure:
    drawn = latency_distribution(bundle)
    assert drawn is not None
    return drawn


def test_there_is_a_panel_a_pass(figure: Figure) -> None:
    panels = [panel["title"]["text"] for panel in figure.spec["vconcat"]]
    assert panels == ["pass 1, FOB", "pass 2, filled once"]


def test_cells_reach_from_the_shortest_latency_to_the_longest_and_to_the_end(bundle: Bundle, figure: Figure) -> None:
    for panel, name in zip(figure.spec["vconcat"], ("fill.pass1", "fill.pass2"), strict=True):
        step = bundle.step(name)
        windows = bundle.latency_windows(step, Direction.WRITE)
        assert isinstance(windows, LatencyWindows)
        assert int(windows.count.sum()) == bundle.result(step).directions[Direction.WRITE].io_count
        cells = next(layer for layer in panel["layer"] if layer["name"].startswith("cells"))["data"]["values"]
        latency = bundle.result(step).directions[Direction.WRITE].latency[LatencyKind.CLAT]
        assert min(cell["y"] for cell in cells) <= latency.min_ns / NS_PER_US
        assert max(cell["y2"] for cell in cells) >= latency.max_ns / NS_PER_US
        assert max(cell["x2"] for cell in cells) == pytest.approx(int(windows.time_ns[-1]) / NS_PER_S, rel=0.05)


def test_axes_say_what_and_in_which_unit(figure: Figure) -> None:
    text = json.dumps(figure.spec)
    assert '"title": "time since the pass began (s)"' in text
    assert '"title": "latency (log scale)"' in text


@pytest.mark.parametrize("shape", ["spec", "narrow_spec"])
def test_it_is_rendered_with_all_its_cells(figure: Figure, shape: str) -> None:
    assert "<svg" in render_svg(getattr(figure, shape))


def test_a_run_that_kept_no_latencies_over_time_has_none(tmp_path: Path) -> None:
    assert latency_distribution(open_bundle(write_whole(tmp_path / "run"))) is None
