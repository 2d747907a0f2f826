"""fio's JSON of any size, written part by part: what makes real files large is many jobs, all bins of many, or a snapshot every second."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any

from ssdlab import _core

_MS_PER_S = 1000
_BLOCK_BYTES = 4096
"""Of the recorded job."""
RECORDED = Path(__file__).parent.parent / "data" / "fio-3.33" / "audit" / "clean.json"


def document(jobs: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """A recorded document with these jobs."""
    fields = json.loads(RECORDED.read_bytes())
    begin, end = json.dumps({**fields, "jobs": ["HERE"]}, indent=2).split('"HERE"')
    yield begin.encode()
    for place, job in enumerate(jobs):
        yield b"," * bool(place) + json.dumps(job, indent=2).encode()
    yield end.encode() + b"\n"


def jobs(name: Callable[[int], str], bins: int) -> Iterator[dict[str, Any]]:
    """The recorded job without end, by other names; with so many bins of each latency, in which as many I/Os are as it did."""
    recorded: dict[str, Any] = json.loads(RECORDED.read_bytes())["jobs"][0]
    for place in count():
        job = deepcopy(recorded)
        job["jobname"] = name(place)
        for kind in ("clat_ns", "lat_ns"):
            latency = job["read"][kind]
            latency.pop("bins", None)
            if bins:
                latency["bins"] = _bins(latency["N"], bins)
        yield job


def unlike(jobs: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same with other numbers in each: what is worked out of one says nothing of the next."""
    for place, job in enumerate(jobs):
        read = job["read"]
        before, ios = read["total_ios"], read["total_ios"] + 7 * place
        per_s = ios * _MS_PER_S / read["runtime"]
        read |= {"total_ios": ios, "io_bytes": ios * _BLOCK_BYTES, "iops": per_s, "bw_bytes": int(per_s * _BLOCK_BYTES)}
        for kind in ("slat_ns", "clat_ns", "lat_ns"):
            latency = read[kind]
            latency |= {"mean": latency["mean"] * before / ios, "max": latency["max"] + 11 * place}
            if "N" in latency:
                latency["N"] = ios
            if "percentile" in latency:
                latency["percentile"] = {percent: 3 * place + value for percent, value in latency["percentile"].items()}
        yield job


def _bins(ios: int, number: int) -> dict[str, int]:
    """Most of the I/Os are in the first."""
    values = [_core.bin_mid(index) for index in range(200, 200 + number)]
    return {str(value): 1 if place else ios - number + 1 for place, value in enumerate(values)}


def write(path: Path, parts: Iterator[bytes]) -> Path:
    """Write all parts."""
    with path.open("wb") as file:
        for part in parts:
            file.write(part)
    return path


def up_to(jobs: Iterator[dict[str, Any]], size_bytes: int) -> Iterator[dict[str, Any]]:
    """As many of the jobs as make up a size."""
    left_bytes = size_bytes
    for job in jobs:
        yield job
        left_bytes -= len(json.dumps(job, indent=2))
        if left_bytes <= 0:
            return
