"""Latencies of one step over many runs: their histograms are added up, and percentiles are those of all I/Os together (METHODS 0)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab import parquet
from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.analysis.statistics.percentile import PERCENTS, bin_percentiles_ns
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.library.catalogue import Catalogue, LibraryError, Table
from ssdlab.library.entry import Comparability, MethodKey, Nature
from ssdlab.message import Listed, Separator, message
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class PooledUnder:
    """What must be the same for latencies to be added up or held against each other."""

    method: MethodKey
    scale: Comparability
    nature: Nature
    state: str
    direction: Direction


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PooledLatency:
    """Completion latencies (`clat`) of the drives of one model in one step and direction.

    Attributes:
        runs: Whose I/Os they are.
        bin_index, count: int64, fio's bins and the I/Os in each.
    """

    measured: PooledUnder
    model: str
    runs: int
    bin_index: NDArray[np.int64]
    count: NDArray[np.int64]

    @property
    def total(self) -> int:
        """Number of I/Os."""
        return int(self.count.sum())

    @property
    def percentiles_ns(self) -> tuple[int | Unknown, ...]:
        """Those of `PERCENTS`, to the width of fio's bins (0.8 %); unknown where fewer than ten I/Os lie above."""
        return bin_percentiles_ns(self.bin_index, self.count)


def pooled_latencies(catalogue: Catalogue, step: str) -> tuple[PooledLatency, ...]:
    """The latencies of all compacted runs that did the step, by method, drive state, direction and model.

    Steps in which measuring stood still are left out, as rankings leave out their numbers.

    Raises:
        LibraryError: Nothing is compacted, or no compacted run has a latency of such a step.
        CompactedError: What was compacted is not what was written.
    """
    if catalogue.compacted is None or not catalogue.compacted.rows:
        raise LibraryError(
            message("library-nothing-compacted", lab=str(catalogue.lab)), message("library-compact-first")
        )
    kinds = _kinds_of_runs(catalogue)
    with catalogue.database(Table.HISTOGRAMS) as database, parquet.ctrl_c_as_such():
        numbers = {key: number for number, key in enumerate(kinds)}
        database.register("kinds", _numbered(kinds, numbers))
        database.execute(_RUNS, [step, LatencyKind.CLAT.value, UNINTERRUPTED])
        runs = {row[:3]: row[3] for row in database.fetchall()}
        database.execute(_BINS, [step, LatencyKind.CLAT.value, UNINTERRUPTED])
        bins = database.fetchnumpy()
        if not runs:
            raise _no_such_step(step, [name for (name,) in database.execute(_STEPS).fetchall()])
    keys = list(kinds)
    made = [_pooled(keys[one[0]], one, count, bins) for one, count in runs.items()]
    return tuple(sorted((one for one in made if one.total), key=_order))


_OF_STEP = "from histograms join kinds using (run) where step = ? and kind = ? and not list_contains(string_split(failed_checks, ', '), ?)"
_RUNS = f"select number, state, direction, count(distinct run) {_OF_STEP} group by all order by all"
_BINS = f"select number, state, direction, bin_index, sum(count)::bigint as count {_OF_STEP} group by all order by all"
_STEPS = "select distinct step from histograms order by step"

_Kind = tuple[str, MethodKey, Comparability, Nature]


def _kinds_of_runs(catalogue: Catalogue) -> Mapping[_Kind, list[str]]:
    """Runs by model and by all that numbers must have in common, but the state, which steps have."""
    found: dict[_Kind, list[str]] = {}
    for entry in catalogue.entries:
        found.setdefault((entry.drive.model, entry.method, entry.scale, entry.nature), []).append(entry.name)
    return found


def _numbered(kinds: Mapping[_Kind, list[str]], numbers: Mapping[_Kind, int]) -> dict[str, NDArray[Any]]:
    return {
        "run": np.array([run for runs in kinds.values() for run in runs], dtype=object),
        "number": np.repeat([numbers[key] for key in kinds], [len(runs) for runs in kinds.values()]),
    }


def _pooled(kind: _Kind, group: tuple[int, str, str], runs: int, bins: Mapping[str, NDArray[Any]]) -> PooledLatency:
    number, state, direction = group
    own = (bins["number"] == number) & (bins["state"] == state) & (bins["direction"] == direction)
    model, method, scale, nature = kind
    return PooledLatency(
        measured=PooledUnder(method, scale, nature, state, Direction(direction)),
        model=model,
        runs=runs,
        bin_index=bins["bin_index"][own].astype(np.int64),
        count=bins["count"][own].astype(np.int64),
    )


def by_method(found: Sequence[PooledLatency]) -> Iterator[tuple[PooledUnder, list[PooledLatency]]]:
    """Those that may be held against each other, published methods and real drives first."""
    groups: dict[PooledUnder, list[PooledLatency]] = {}
    for one in found:
        groups.setdefault(one.measured, []).append(one)
    yield from groups.items()


def percents_known(found: Sequence[PooledLatency]) -> tuple[str, ...]:
    """The percentiles that at least one of them has."""
    known = [[not isinstance(value, Unknown) for value in one.percentiles_ns] for one in found]
    return tuple(percent for percent, has in zip(PERCENTS, zip(*known, strict=True), strict=True) if any(has))


def _order(one: PooledLatency) -> tuple[int, int, str, str, str]:
    measured, method = one.measured, one.measured.method
    return (
        list(Comparability).index(measured.scale),
        list(Nature).index(measured.nature),
        f"{method.suite} {method.version} {method.sha256} {method.profile} {method.engine} {measured.state}",
        measured.direction.value,
        one.model,
    )


def _no_such_step(step: str, steps: Sequence[str]) -> LibraryError:
    near = get_close_matches(step, steps, n=3)
    hints = (
        [message("library-did-you-mean", names=Listed(tuple(f"`{name}`" for name in near), Separator.OR))]
        if near
        else []
    )
    return LibraryError(message("library-no-step", step=step), *hints, message("library-all-steps"))
