"""The set of traces on every built-in consumer drive: what it says that it is, and the same time on each drive whenever it is done."""

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import geometric_mean
from types import ModuleType

import pytest

from ssdlab.score.score import score_table
from ssdlab.trace.look import meta_of, profile_of
from ssdlab.trace.make import anonymise_trace

ROOT = Path(__file__).resolve().parents[2]
TRACES = sorted((ROOT / "docs/traces").glob("*.ssdtrace"))
SMALL = "?capacity=8GiB"
"""The smallest that holds the set where it was recorded, and filled in a moment."""

LARGE = "?capacity=64GiB"
APART = {"qlc-dramless-1tb": 0.02}
"""A drive on which a load takes another time wherever it lies: twenty draws made -0.6 to +0.9 % there, with a standard deviation of 0.3 %, and
on all others 0.13 % at most. `tests/study/anonymous_scores.py` draws several times."""


@pytest.fixture(scope="module")
def trace_set() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "docs"))
    from sources import trace_set

    yield trace_set
    sys.path.remove(str(ROOT / "docs"))


def test_two_runs_of_one_drive_take_the_same_time_to_the_nanosecond(trace_set: ModuleType, tmp_path: Path) -> None:
    runs = [
        trace_set.run_on(drive, tmp_path / drive / str(number), SMALL)
        for drive in trace_set.DRIVES
        for number in (1, 2)
    ]
    found = score_table(runs, runs[0])
    assert len(found.drives) == len(trace_set.DRIVES)
    for drive in found.drives:
        assert len(drive.entries) == 2
        assert [len(set(one.times_ns)) for one in drive.traces] == [1] * len(TRACES)
        assert drive.failed_checks == ()


def test_drives_differ_by_their_scores(trace_set: ModuleType, tmp_path: Path) -> None:
    runs = [trace_set.run_on(drive, tmp_path / drive, SMALL) for drive in ("mlc-1tb", "optane-like-960gb")]
    fast, reference = score_table(runs, runs[0]).drives
    assert fast.score > 1.05
    assert reference.score == 1


def test_a_replay_on_the_drive_of_the_recording_takes_what_it_took_then(trace_set: ModuleType, tmp_path: Path) -> None:
    run = trace_set.run_on("mlc-1tb", tmp_path, SMALL)
    for trace in score_table([run], run).reference.traces:
        arrivals_ns = profile_of(ROOT / f"docs/traces/{trace.key.step}.ssdtrace").arrivals_ns
        assert arrivals_ns is not None
        assert trace.time_ns == pytest.approx(arrivals_ns, rel=0.1)


def test_anonymous_traces_score_what_they_were_made_of_does(trace_set: ModuleType, tmp_path: Path) -> None:
    for trace in TRACES:
        anonymise_trace(trace, tmp_path / trace.name)
    # Extents lie anywhere on the drive of the recording, all of which is to be filled.
    for drive in trace_set.DRIVES:
        plain, hidden = (
            score_table([run], run).reference
            for run in (
                trace_set.run_on(drive, tmp_path / drive / str(place == tmp_path), LARGE, place)
                for place in (TRACES[0].parent, tmp_path)
            )
        )
        ratios = [before.time_ns / after.time_ns for before, after in zip(plain.traces, hidden.traces, strict=True)]
        assert geometric_mean(ratios) == pytest.approx(1, abs=APART.get(drive, 0.01)), (drive, ratios)


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.stem)
def test_a_trace_of_the_set_is_small_and_may_be_shared(trace: Path, trace_set: ModuleType) -> None:
    ios, meta = meta_of(trace)
    assert (meta.licence, meta.lost, meta.left_out) == ("CC0-1.0", None, {})
    assert 500 <= ios <= 50_000
    assert trace.stat().st_size < 10 * ios + 8192
    assert trace.stem in {kind.name for kind in trace_set.KINDS}
