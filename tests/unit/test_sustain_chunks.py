"""Chunks of a pass, added up as they come: nothing is lost, and what is kept does not grow with their number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab import _core
from ssdlab.engine.sustain import chunks as module
from ssdlab.engine.sustain.chunks import Chunks
from ssdlab.units import MIB, NS_PER_MS, NS_PER_S

Times = list[tuple[int, int]]
"""Pause before each chunk, and how long it took."""
TIMES = st.lists(st.tuples(st.integers(0, 300 * NS_PER_MS), st.integers(1, 900 * NS_PER_MS)), min_size=1, max_size=60)


def added(times: Times) -> tuple[Chunks, list[tuple[int, int]]]:
    chunks, now_ns, moments = Chunks(), 0, []
    for pause_ns, took_ns in times:
        begun_ns = now_ns + pause_ns
        now_ns = begun_ns + took_ns
        chunks.add(MIB, begun_ns, now_ns)
        moments.append((begun_ns, now_ns))
    return chunks, moments


@given(TIMES)
def test_no_byte_and_no_chunk_is_lost(times: Times) -> None:
    chunks, moments = added(times)
    series = chunks.series(MIB)
    assert chunks.bytes == len(times) * MIB
    assert series.bytes_done[-1] == pytest.approx(chunks.bytes)
    assert series.time_ns[-1] == moments[-1][1] == chunks.ended_ns
    assert chunks.histogram().total == len(times)


@given(TIMES)
def test_bytes_come_evenly_over_the_time_of_their_chunk(times: Times) -> None:
    chunks, moments = added(times)
    series = chunks.series(MIB)
    levels = np.repeat(np.arange(len(times) + 1) * MIB, 2)[1:-1]
    expected = np.interp(series.time_ns, np.ravel(moments), levels)
    assert series.bytes_done == pytest.approx(expected, abs=1)


@given(TIMES)
def test_a_window_has_the_latencies_of_the_chunks_that_ended_in_it(times: Times) -> None:
    chunks, moments = added(times)
    series = chunks.series(MIB)
    ends_ns = np.array([ended for _, ended in moments])
    took_ns = np.array([took for _, took in times])
    for at, end_ns in enumerate(series.time_ns):
        start_ns = series.time_ns[at - 1] if at else 0
        inside = took_ns[(ends_ns > start_ns) & (ends_ns <= end_ns)]
        if len(inside):
            assert series.latency_ns_mean[at] == pytest.approx(inside.mean())
            assert series.latency_ns_max[at] == inside.max()
        else:
            assert np.isnan(series.latency_ns_mean[at])
            assert np.isnan(series.latency_ns_max[at])


@given(TIMES)
def test_the_statistics_are_those_of_all_chunks(times: Times) -> None:
    histogram = added(times)[0].histogram()
    took_ns = np.array([took for _, took in times], dtype=np.float64)
    assert histogram.mean_ns == pytest.approx(took_ns.mean())
    assert histogram.stddev_ns == pytest.approx(took_ns.std(), abs=1)
    assert (histogram.min_ns, histogram.max_ns) == (int(took_ns.min()), int(took_ns.max()))
    expected = sorted({_core.bin_index(took) for _, took in times})
    assert histogram.bin_index.tolist() == expected


def test_a_long_pass_has_longer_windows_and_not_more_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOWS_MAX", 10)
    chunks, _ = added([(0, NS_PER_S)] * 50 + [(0, NS_PER_S // 2)] * 100)
    series = chunks.series(MIB)
    assert series.window_ns == 128 * 100 * NS_PER_MS
    assert series.time_ns.tolist() == [12_800_000_000 * at for at in range(1, 8)] + [100 * NS_PER_S]
    assert series.bytes_done[-1] == pytest.approx(150 * MIB)
    assert series.bandwidth_bytes_per_s[[0, -1]] == pytest.approx([MIB, 2 * MIB])
    assert series.latency_ns_max[[0, -1]].tolist() == [NS_PER_S, NS_PER_S // 2]
