"""Percentiles of many runs are those of all their I/Os, or unknown where too few lie above."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.compacted_runs import WRITE_STEP, entry, histogram, run_name, tables

from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.analysis.statistics.percentile import PERCENTS, SAMPLES_ABOVE_MIN, bin_percentiles_ns, rank_of
from ssdlab.library.catalogue import COMPACTED, Catalogue
from ssdlab.library.compact import add_part
from ssdlab.library.compacted import read_compacted
from ssdlab.library.latency import PooledLatency, pooled_latencies
from ssdlab.unknown import Unknown

_BINS = st.dictionaries(st.integers(0, 1800), st.integers(1, 400), min_size=1, max_size=12)


def compacted(lab: Path, histograms: list[dict[int, int]]) -> Catalogue:
    """Runs of one model with these histograms of writes, in a part each."""
    (lab / COMPACTED).mkdir(exist_ok=True)
    signatures = {run_name(10 * index): "as it was" for index in range(len(histograms))}
    for index, bins in enumerate(histograms):
        ordered = sorted(bins)
        rows = histogram(run_name(10 * index), WRITE_STEP, "write", ordered, [bins[one] for one in ordered])
        add_part(lab, signatures, [replace(tables(10 * index, "as it was"), histograms=(rows,))])
    model = entry(0).drive.model
    entries = [entry(10 * index) for index in range(len(histograms))]
    same = [replace(one, drive=replace(one.drive, model=model)) for one in entries]
    return Catalogue(lab, tuple(same), (), compacted=read_compacted(lab, signatures))


def pooled(histograms: list[dict[int, int]]) -> PooledLatency:
    with TemporaryDirectory() as lab:
        (one,) = pooled_latencies(compacted(Path(lab), histograms), WRITE_STEP)
        return one


@settings(max_examples=15, deadline=None)
@given(st.lists(_BINS, min_size=1, max_size=4))
def test_a_percentile_of_merged_histograms_is_that_of_the_pooled_ios(histograms: list[dict[int, int]]) -> None:
    found = pooled(histograms)
    ios = np.sort(np.concatenate([np.repeat(list(bins), list(bins.values())) for bins in histograms]))
    assert found.total == len(ios)
    for percent, value in zip(PERCENTS, found.percentiles_ns, strict=True):
        rank = rank_of(percent, len(ios))
        if len(ios) - rank < SAMPLES_ABOVE_MIN:
            assert isinstance(value, Unknown)
        else:
            (alone,) = bin_percentiles_ns(ios[rank - 1 : rank], np.array([1000]), ["50"])
            assert value == alone


def test_a_step_in_which_measuring_stood_still_is_left_out(tmp_path: Path) -> None:
    (tmp_path / COMPACTED).mkdir()
    signatures = {run_name(index): "as it was" for index in (0, 40)}
    sound, stood_still = (tables(index, "as it was") for index in (0, 40))
    rows = tuple(replace(one, words=(*one.words[:3], UNINTERRUPTED, *one.words[4:])) for one in stood_still.histograms)
    add_part(tmp_path, signatures, [sound, replace(stood_still, histograms=rows)])
    catalogue = Catalogue(tmp_path, (entry(0), entry(40)), (), compacted=read_compacted(tmp_path, signatures))
    (found,) = pooled_latencies(catalogue, WRITE_STEP)
    assert (found.runs, found.total) == (1, int(sound.histograms[1].numbers["count"].sum()))


def test_what_one_run_cannot_tell_many_can() -> None:
    assert isinstance(pooled([{900: 15}]).percentiles_ns[0], Unknown)
    assert not isinstance(pooled([{900: 15}, {901: 15}]).percentiles_ns[0], Unknown)
