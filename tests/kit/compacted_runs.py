"""Runs as they are compacted, made from numbers: what of a hundred thousand of them is asked, without as many bundles."""

from datetime import timedelta
from functools import lru_cache
from pathlib import Path

import numpy as np
from tests.kit.library_runs import BEGIN, METRIC

from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.metric_key import key_as_text
from ssdlab.library.catalogue import CachedRow
from ssdlab.library.collect import run_values
from ssdlab.library.entry import Comparability, DriveKey, Entry, MethodKey, Nature
from ssdlab.library.run_tables import RowsAlike, RunTables
from ssdlab.units import NS_PER_S

MODELS = 40
_METHOD = MethodKey("rnd", "1", "5f" * 32, "standard", "fio")
_SECONDS = 20
_BINS = 50
STEPS = 10


def entry(index: int) -> Entry:
    """A run of a drive of its own; every tenth repeats the one before."""
    drive = index - 1 if index % 10 == 9 else index
    return Entry(
        name=run_name(index),
        started_at=(BEGIN + timedelta(minutes=index)).isoformat(timespec="seconds"),
        drive=DriveKey(f"Maker {drive % 8} Model {drive % MODELS:02}", f"SN{drive:06}", 10**12),
        firmware="F1",
        nature=Nature.REAL,
        host=f"host{index % 8}" if index == drive else f"host{drive % 8}",
        method=_METHOD,
        scale=Comparability.COMPARABLE,
        status="finished",
        checks=40,
        checks_failed=0,
        damage="",
    )


def run_name(index: int) -> str:
    """Of its directory."""
    return f"run-{index:06}"


def read_step(index: int) -> str:
    """The step of reads that a run has: one of ten."""
    return f"rnd.read.q{1 << index % STEPS}"


WRITE_STEP = "rnd.write.q1"
"""That every run has."""


def tables(index: int, signature: str, metrics: int = 20) -> RunTables:
    """What a compaction would read of the run."""
    one = entry(index)
    random = np.random.default_rng(index)
    words = ((read_step(index), "read"), (WRITE_STEP, "write"))
    return RunTables(
        row=run_values(one.name, CachedRow(signature, one)),
        metrics=tuple(_metric(one.name, place, 1e9 + (index * 7919 + place) % 10_007) for place in range(metrics)),
        series=tuple(_series(one.name, step, direction, random) for step, direction in words),
        histograms=tuple(histogram(one.name, step, direction, *_bins(random)) for step, direction in words),
    )


def histogram(run: str, step: str, direction: str, bins: list[int], counts: list[int]) -> RowsAlike:
    """Of completion latencies."""
    numbers = {"bin_index": np.array(bins, dtype=np.int64), "count": np.array(counts, dtype=np.int64)}
    return RowsAlike((run, step, "steady", "", direction, "clat"), numbers)


def _bins(random: np.random.Generator) -> tuple[list[int], list[int]]:
    bins = 900 + np.cumsum(random.integers(1, 4, _BINS))
    counts = np.maximum(1, 1e6 * np.exp(-np.arange(_BINS) / 4) * random.uniform(0.5, 1.5, _BINS))
    return bins.tolist(), counts.astype(np.int64).tolist()


def _series(run: str, step: str, direction: str, random: np.random.Generator) -> RowsAlike:
    iops = random.uniform(1e5, 2e5, _SECONDS)
    numbers = {
        "time_ns": np.arange(1, _SECONDS + 1) * NS_PER_S,
        "bandwidth_bytes_per_s": iops * 4096,
        "iops": iops,
        "latency_ns_mean": 1e9 / iops,
        "latency_ns_max": 9e9 / iops,
    }
    return RowsAlike((run, step, "steady", "", direction), numbers)


@lru_cache
def _key(place: int) -> tuple[str, str]:
    key = key_of_name(METRIC if place == 0 else f"rnd.read.q{place}.iops", "fill")
    return key.name, key_as_text(key)


def _metric(run: str, place: int, value: float) -> tuple[object, ...]:
    name, key = _key(place)
    return (run, name, value, None, "B/s", None, None, "steady", WRITE_STEP, "", None, key)


def link_directories(lab: Path, count: int) -> None:
    """Directories of so many runs with the files by which the library knows whether they changed, all of them links to a few."""
    for index in range(count):
        path = lab / "runs" / run_name(index)
        path.mkdir(parents=True)
        # File systems allow tens of thousands of names for a file.
        first = lab / "runs" / run_name(index - index % 10_000)
        for name in ("run.json", "journal.jsonl", "metrics.json", "audit.json", "checksums.json"):
            if path == first:
                (path / name).write_text("{}")
            else:
                (path / name).hardlink_to(first / name)
