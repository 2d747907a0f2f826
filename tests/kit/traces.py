"""Recorded I/O for tests: a made-up desktop, and what a file of Parquet holds as another reader sees it."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

SAMPLES = Path(__file__).parents[1] / "data" / "traces"
MSR_EPOCH = 116_444_736_000_000_000


def rows(trace: Path) -> list[tuple[Any, ...]]:
    """All I/Os of a trace, in their order: time, operation, offset, length, flags, latency, stream."""
    columns = "at_ns, op, offset_bytes, length_bytes, flags, latency_ns, stream"
    query = f"select {columns} from read_parquet(?, file_row_number = true) order by file_row_number"  # noqa: S608 - of our own columns
    with duckdb.connect() as database:
        return database.execute(query, [str(trace)]).fetchall()


def desktop(ios: int, seed: int) -> Iterator[tuple[int, str, int, int, int]]:
    """Time in ns, operation, offset, length and latency in ns of a desktop's I/Os: half of them in sequential streams, the others at
    places that are hit again, in bursts with pauses between them."""
    draw = random.Random(seed)  # noqa: S311 - the same I/Os each time
    at_ns, streams = 0, [draw.randrange(1 << 22) * 4096 for _ in range(8)]
    favourites = [draw.randrange(1 << 26) * 4096 for _ in range(4000)]
    for _ in range(ios):
        at_ns += int(draw.lognormvariate(9.5, 1.5)) if draw.random() < 0.97 else int(draw.lognormvariate(17, 1))
        op = "read" if draw.random() < 0.7 else "write"
        if draw.random() < 0.5:
            stream = draw.randrange(len(streams))
            length = 131_072 if stream % 2 else 65_536
            offset = streams[stream]
            streams[stream] += length
            if draw.random() < 0.02:
                streams[stream] = draw.randrange(1 << 22) * 4096
        else:
            length = draw.choice([4096, 4096, 4096, 8192, 16_384, 32_768])
            offset = draw.choice(favourites) if draw.random() < 0.6 else draw.randrange(1 << 26) * 4096
        latency = int(draw.lognormvariate(11.2, 0.5)) + length // 3
        yield at_ns, op, offset, length, latency


def write_msr(path: Path, ios: Iterator[tuple[int, str, int, int, int]]) -> Path:
    """As a trace of MSR Cambridge, whose times are of 100 ns."""
    path.write_text(
        "".join(
            f"{MSR_EPOCH + 10_000_000_000_000_000 + at // 100},host,0,{op.title()},{offset},{length},{latency // 100}\n"
            for at, op, offset, length, latency in ios
        )
    )
    return path
