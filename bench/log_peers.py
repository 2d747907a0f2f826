"""The task of `log_scan` done with general tools, a process for each: `log_peers.py TOOL FILE` prints the answer as JSON.

Counts of every (direction, latency) pair are what each of these tools is fastest at; sorting all latencies takes longer.
"""

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

PERCENTS = ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999")
WINDOW_MS = 100
COLUMNS = ("time_ms", "value", "direction", "block", "offset", "priority")

Columns = tuple[Any, Any, Any]


def by_duckdb(path: str) -> tuple[Columns, Columns]:
    """DuckDB's CSV reader and SQL."""
    import duckdb

    names = ", ".join(f"'{name}': 'BIGINT'" for name in COLUMNS)
    table = f"read_csv('{path}', header=false, delim=',', columns={{{names}}})"
    query = (
        f"WITH log AS MATERIALIZED (SELECT direction, value, time_ms // {WINDOW_MS} AS slot FROM {table}) "  # noqa: S608 - the bench's own file
        "SELECT 0 AS what, direction, value, count(*) AS n FROM log GROUP BY ALL "
        "UNION ALL SELECT 1 AS what, direction, slot, count(*) AS n FROM log GROUP BY ALL"
    )
    found = duckdb.sql(query).fetchnumpy()
    what = found["what"]
    columns = [found[name] for name in ("direction", "value", "n")]
    values, slots = (tuple(column[what == one] for column in columns) for one in (0, 1))
    return (values[0], values[1], values[2]), (slots[0], slots[1], slots[2])


def by_polars(path: str) -> tuple[Columns, Columns]:
    """Polars, lazily and streaming."""
    import polars as pl

    schema = dict.fromkeys(COLUMNS, pl.Int64)
    log = pl.scan_csv(path, has_header=False, schema=schema).select("direction", "value", "time_ms")
    values = log.group_by("direction", "value").len()
    slots = log.group_by("direction", (pl.col("time_ms") // WINDOW_MS).alias("slot")).len()
    counted = pl.collect_all([values, slots], engine="streaming")
    first, second = (tuple(frame[name].to_numpy() for name in frame.columns) for frame in counted)
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])


def by_pandas(path: str) -> tuple[Columns, Columns]:
    """pandas with its C reader and only the columns that are needed."""
    import pandas as pd

    log = pd.read_csv(path, header=None, names=list(COLUMNS), usecols=[0, 1, 2], skipinitialspace=True)
    directions, values = log["direction"].to_numpy(), log["value"].to_numpy()
    slots = log["time_ms"].to_numpy() // WINDOW_MS
    return _counted(directions, values), _counted(directions, slots)


def _counted(directions: Any, values: Any) -> Columns:
    parts = [(one, *np.unique(values[directions == one], return_counts=True)) for one in np.unique(directions)]
    owners = np.concatenate([np.full(len(found), one) for one, found, _ in parts])
    return owners, np.concatenate([found for _, found, _ in parts]), np.concatenate([count for *_, count in parts])


TOOLS: dict[str, Callable[[str], tuple[Columns, Columns]]] = {
    "duckdb": by_duckdb,
    "polars": by_polars,
    "pandas": by_pandas,
}


def answer(values: Columns, slots: Columns) -> dict[str, object]:
    """What the counts say of each direction, by nearest rank, with ten samples above a percentile."""
    directions, found, counts = values
    slot_count = int(slots[1].max()) + 1
    said: dict[str, object] = {}
    for one in np.unique(directions):
        order = np.argsort(found[directions == one])
        value = found[directions == one][order].astype(np.int64)
        count = counts[directions == one][order].astype(np.int64)
        total, below = int(count.sum()), np.cumsum(count)
        ranks = [max(1, ceil(Fraction(percent) / 100 * total)) for percent in PERCENTS]
        series = np.zeros(slot_count, dtype=np.int64)
        series[slots[1][slots[0] == one].astype(np.int64)] = slots[2][slots[0] == one]
        said[str(one)] = {
            "count": total,
            "sum": int((value * count).sum()),
            "max": int(value[-1]),
            "percentiles": [int(value[np.searchsorted(below, rank)]) if total - rank >= 10 else None for rank in ranks],
            "series": series.tolist(),
        }
    return said


if __name__ == "__main__":
    print(json.dumps(answer(*TOOLS[sys.argv[1]](sys.argv[2]))))
