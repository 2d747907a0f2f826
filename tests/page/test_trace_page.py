"""The page of a trace: places over time, rates, sizes and reuse as far as the trace knows them; names of anybody's are only names."""

import re
from pathlib import Path

import pytest
from tests.kit.traces import SAMPLES, desktop, write_msr

from ssdlab.figure.kit.model import Figure, layers_of
from ssdlab.figure.trace_figures import trace_figures
from ssdlab.report.trace_page import trace_page
from ssdlab.trace.look import picture_of, profile_of
from ssdlab.trace.make import Wanted, import_trace
from ssdlab.words import Language

HOSTILE = "<img src=x onerror=alert(1)>\u202e.csv"
IOS = 3000


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trace")
    import_trace([write_msr(place / HOSTILE, desktop(IOS, seed=4))], Wanted(), place / "work.ssdtrace")
    return place / "work.ssdtrace"


def figures(trace: Path) -> dict[str, Figure]:
    return {one.name: one for one in trace_figures(profile_of(trace), picture_of(trace))}


def test_every_io_is_counted_in_its_column(trace: Path) -> None:
    profile, picture = profile_of(trace), picture_of(trace)
    ios = {one.op: (one.ios, one.bytes) for one in profile.ops}
    assert ios["read"] == (sum(one.read_ios for one in picture.columns), sum(one.read_bytes for one in picture.columns))
    assert ios["write"] == (
        sum(one.write_ios for one in picture.columns),
        sum(one.write_bytes for one in picture.columns),
    )
    assert picture.column_ns is not None
    assert profile.arrivals_ns is not None
    assert (len(picture.columns) - 1) * picture.column_ns >= profile.arrivals_ns - picture.column_ns


def test_figures_draw_what_was_counted(trace: Path) -> None:
    found, picture = figures(trace), picture_of(trace)
    assert list(found) == ["places", "over-time", "sizes", "reuse"]
    cells = [layer["data"]["values"] for layer in layers_of(found["places"].spec)]
    assert [len(one) for one in cells] == [len(picture.read), len(picture.write)]
    assert len(found["places"].table.rows) == len(picture.columns)
    shares = [float(str(text).removesuffix(" %")) for _, text in found["reuse"].table.rows]
    assert sum(shares) == pytest.approx(100, abs=0.1 * len(shares))


def test_what_a_trace_does_not_know_is_not_drawn(tmp_path: Path) -> None:
    import_trace([SAMPLES / "fio-iolog-2.log"], Wanted(), tmp_path / "order.ssdtrace")
    found = figures(tmp_path / "order.ssdtrace")
    assert list(found) == ["places", "sizes"]
    assert "I/Os by 4.00 KiB" in found["places"].subtitle[0]
    import_trace([SAMPLES / "alibaba.csv"], Wanted(), tmp_path / "times.ssdtrace")
    over_time = figures(tmp_path / "times.ssdtrace")["over-time"]
    assert "unknown, because the source has no latency" in over_time.caption


def test_the_page_has_sentences_table_and_pictures_and_loads_nothing(trace: Path) -> None:
    shown = trace_page(trace)
    assert f"{IOS:,} I/Os from msr-cambridge" in shown
    assert len(re.findall(r"<svg.*?</svg>", shown, re.DOTALL)) == 8
    assert not re.search(r'(?:src|href)="(?!#|data:)', shown)
    assert HOSTILE not in shown
    assert "&lt;img src=x" in shown


def test_the_page_speaks_korean(trace: Path) -> None:
    shown = trace_page(trace, Language.KOREAN)
    assert "시간에 따른 위치" in shown
    assert "Places over time" not in shown
