"""What is asked of published files of real drives: the analysis' answer beside the authors', each from the files alone.

The authors' numbers are derived here by their own rules, and share nothing with the analyses: SSD-iq takes the mean of each run from 60 to 99 % of
its time (`paper/paper.R`), without windows that are more than half away from the mean of the 21 around them.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.study.real_streams import AccessPattern, thread_rows

from ssdlab.analysis.foreign.answer import steady_answer
from ssdlab.analysis.foreign.series import SeriesSaid, read_series
from ssdlab.analysis.foreign.table import TableSaid
from ssdlab.analysis.foreign.units import RateUnit, TimeUnit
from ssdlab.analysis.log.file import LogError
from ssdlab.bundle.imported import open_imported
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import STEADY_BANDWIDTH, WRITE_AMPLIFICATION
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.units import GIB, MIB
from ssdlab.unknown import Unknown

_BEGIN, _END = 0.6, 0.99
_AROUND = 21
_OUTLIER = 0.5
_WINDOWS_MIN = 60
_MEASURED_S = 300
"""As long as a point of the enterprise suite (METHODS E2)."""
_PARTS = 8
_CAPACITIES_MIN = 2
_LOAD_COLUMNS = ("hash", "pattern", "patternDetails", "rate")
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and both answers; see `real_drives.Answer`."""

    load: str
    question: str
    ours: float | None
    why_none: str
    theirs: float
    moves: float | None
    uniform_bytes: int = 0
    """How much of the drive was written uniformly; 0 if by another pattern."""


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """One load of SSD-iq: for each thread its times, s, and rates, MiB/s."""

    load: str
    pattern: str
    capacity_bytes: int
    threads: tuple[tuple[Values, Values], ...]

    def together(self) -> tuple[Values, Values]:
        """All threads, on the windows that all of them have."""
        times = sorted(set.intersection(*(set(time.tolist()) for time, _ in self.threads)))
        total = np.zeros(len(times))
        for time, rate in self.threads:
            of_time = dict(zip(time.tolist(), rate.tolist(), strict=True))
            total += np.array([of_time[one] for one in times])
        return np.array(times), total


def steady_speeds(paths: Sequence[Path]) -> Iterator[Asked]:
    """Of each run that writes at random and twice as much as is tested: the steady speed and the authors' mean."""
    for run in _runs(paths):
        time, rate = run.together()
        written = float((rate * np.diff(time, prepend=0.0)).sum()) * MIB
        if len(time) < _WINDOWS_MIN or written < _CAPACITIES_MIN * run.capacity_bytes:
            continue
        mean, moves = authors_mean(time, rate)
        ours, why = _steady(run, paths[0].parent)
        yield Asked(
            run.load, "steady", ours, why, mean * MIB, moves, run.capacity_bytes if run.pattern == "uniform" else 0
        )


def _runs(paths: Sequence[Path]) -> list[_Run]:
    threads: dict[tuple[str, ...], list[tuple[Values, Values]]] = defaultdict(list)
    sizes: dict[tuple[str, ...], float] = {}
    for thread in thread_rows(paths):
        rows: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
        for row in thread:
            if row.get("pattern") is None or row.get("writeMibs") is None:
                continue
            key = tuple(row[column] for column in _LOAD_COLUMNS)
            sizes[key] = float(row["filesizeGib"])
            rows[key].append((float(row["time"]), float(row["writeMibs"])))
        for key, found in rows.items():
            values = np.array(sorted(found))
            threads[key].append((values[:, 0], values[:, 1]))
    at_random = [key for key in threads if float(key[3]) == 0 and any(one.value in key[1] for one in AccessPattern)]
    seen: Counter[str] = Counter()
    runs = []
    for key in at_random:
        load = " ".join(f"{key[1]} {key[2]} {sizes[key]:.0f} GiB".split())
        seen[load] += 1
        named = load if seen[load] == 1 else f"{load} again"
        runs.append(_Run(named, key[1], int(sizes[key] * GIB), tuple(threads[key])))
    return runs


def authors_mean(time: Values, rate: Values) -> tuple[float, float]:
    """The mean by the rule of SSD-iq, and how far apart means as long as a measurement are within its stretch, as a share of it."""
    around = np.array([rate[max(0, at - _AROUND // 2) : at + _AROUND // 2 + 1].mean() for at in range(len(rate))])
    chosen = (np.abs(rate / around - 1) < _OUTLIER) & (time > _BEGIN * time[-1]) & (time < _END * time[-1])
    return float(rate[chosen].mean()), _swing(time[chosen], rate[chosen])


def _swing(time: Values, value: Values) -> float:
    """The largest less the smallest mean over five minutes, or over an eighth if that is less, as a share of the mean of all."""
    seconds = min(_MEASURED_S, float(time[-1] - time[0]) / _PARTS)
    windows = max(1, round(seconds / float(np.median(np.diff(time)))))
    means = np.convolve(value, np.full(windows, 1 / windows), mode="valid")
    return float((means.max() - means.min()) / value.mean())


def _steady(run: _Run, directory: Path) -> tuple[float | None, str]:
    """What `ssdlab analyse --as steady` says of the threads' rates, a table each."""
    tables = []
    for order, (time, rate) in enumerate(run.threads):
        path = directory / f"thread{order}.csv"
        lines = (f"{at:g},{value!r}\n" for at, value in zip(time.tolist(), rate.tolist(), strict=True))
        path.write_text("time,rate\n" + "".join(lines))
        tables.append(path)
    said = SeriesSaid(TableSaid(RateUnit.MEBIBYTES, TimeUnit.SECONDS, None), block_bytes=4096)
    try:
        answer = steady_answer(read_series(tables, said), run.capacity_bytes)
    except LogError as error:
        return None, str(error.message)
    return _value(answer.metrics, STEADY_BANDWIDTH)


def _value(metrics: Sequence[Metric], quantity: object) -> tuple[float | None, str]:
    found = next(one.value for one in metrics if one.key.quantity == quantity and one.key.aspect is None)
    return (None, str(found.reason)) if isinstance(found, Unknown) else (float(found), "")


def amplifications(path: Path) -> Iterator[Asked]:
    """Of each run of an `iob-log`: the write amplification that `ssdlab import` takes from the drive's counters, and the authors' mean of their column."""
    theirs = _authors_amplifications(path)
    bundle = take_in(path, path.parent, GivenFacts())
    metrics = [one for one in open_imported(bundle).metrics if one.key.quantity == WRITE_AMPLIFICATION]
    if len(metrics) != len(theirs):
        raise ValueError(f"{path.name}: {len(metrics)} in place of {len(theirs)} amplifications")
    for metric, (load, mean, moves) in zip(metrics, theirs, strict=True):
        ours, why = (None, str(metric.value.reason)) if isinstance(metric.value, Unknown) else (float(metric.value), "")
        yield Asked(load, "amplification", ours, why, mean, moves)


def _authors_amplifications(path: Path) -> list[tuple[str, float, float]]:
    rows: dict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    with path.open(errors="replace") as file:
        for row in csv.DictReader(file, skipinitialspace=True):
            if None in row.values() or row["stat"] != "keep":
                continue
            key: tuple[str, ...] = (row["hash"], row["pattern"], row["patternDetails"], row["filesizeGib"])
            rows[key].append((float(row["time"]), float(row["wa"])))
    seen: Counter[str] = Counter()
    found = []
    for key, pairs in rows.items():
        time, ratio = np.array(pairs).T
        chosen = (ratio > 0) & (time > _BEGIN * time[-1]) & (time < _END * time[-1])
        load = " ".join(f"{key[1]} {key[2]} {key[3]} GiB".split())
        seen[load] += 1
        named = load if seen[load] == 1 else f"{load} again"
        found.append((named, float(ratio[chosen].mean()), _swing(time[chosen], ratio[chosen])))
    return found


def printed_values(path: Path, expected: Mapping[str, float]) -> Iterator[Asked]:
    """Values that the authors state elsewhere, against the metrics of the imported file.

    Raises:
        ValueError: The file was imported without one of them.
    """
    metrics = {one.key.name: one.value for one in open_imported(take_in(path, path.parent, GivenFacts())).metrics}
    for name, value in expected.items():
        found = metrics.get(name)
        if found is None or isinstance(found, Unknown):
            raise ValueError(f"{path.name}: no {name}")
        yield Asked(name, "printed", float(found), "", value, None)
