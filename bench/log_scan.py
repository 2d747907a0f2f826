"""Exact percentiles and a 100 ms series of a log of 50 million I/Os.

Our scanner against `wc -l` with the log in the page cache, against `cat` without, and against DuckDB, Polars and pandas.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure import ROOT, SSDLAB, Aim, Measurement, release_binary

LINES = 50_000_000
ROUNDS = 9
COLD_ROUNDS = 5
PEER_ROUNDS = 3
PEERS = Path(__file__).with_name("log_peers.py")


@dataclass(frozen=True, slots=True)
class Ran:
    """One process from its start to its exit."""

    took_s: float
    peak_mib: float
    said: str


def log_scan() -> Iterator[Measurement]:
    """All tools in one run, in turn with what they are held against."""
    generate = release_binary("ssdlab-fiolog", "--example", "generate_log")
    scanner = release_binary("ssdlab-fiolog", "--example", "scan_log")
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "bench_lat.1.log"
        subprocess.run([generate, str(LINES), log], check=True)
        os.sync()  # Writing the log back would take processor time from what is measured.
        rounds = [
            (_ran("wc", "-l", log), _ran(scanner, log), _ran(SSDLAB, "log", "--json", log)) for _ in range(ROUNDS)
        ]
        yield from _against_wc(rounds, log)
        yield _against_cat(scanner, log)
        expected = json.loads(rounds[0][1].said)
        _same("ssdlab log", expected, _of_command(rounds[0][2].said))
        ours_s = median(ours.took_s for _, ours, _ in rounds)
        for name in ("DuckDB", "Polars", "pandas"):
            tool = name.lower()
            python = (sys.executable,) if tool == "duckdb" else _python_with(tool)
            peers = [_ran(*python, PEERS, tool, log) for _ in range(PEER_ROUNDS)]
            for peer in peers:
                _same(name, expected, json.loads(peer.said))
            took_s = median(peer.took_s for peer in peers)
            detail = f"{took_s:.2f} s, {max(peer.peak_mib for peer in peers):.0f} MiB; same answer"
            yield Measurement(f"{name} / scan", took_s / ours_s, "x", Aim.AT_LEAST, 10, detail)


def _against_wc(rounds: list[tuple[Ran, Ran, Ran]], log: Path) -> Iterator[Measurement]:
    wc_s, scanner_s, command_s = (median(ran.took_s for ran in column) for column in zip(*rounds, strict=True))
    ratio = median(scanner.took_s / wc.took_s for wc, scanner, _ in rounds)
    best = min(scanner.took_s for _, scanner, _ in rounds) / min(wc.took_s for wc, *_ in rounds)
    size = f"{LINES:,} lines, {log.stat().st_size / 1e9:.2f} GB"
    detail = f"{scanner_s:.3f} / {wc_s:.3f} s, best of each {best:.2f} x, {size}"
    yield Measurement("scan of a log of every I/O / wc -l", ratio, "x", Aim.AT_MOST, 2.0, detail)
    peak_mib = max(scanner.peak_mib for _, scanner, _ in rounds)
    yield Measurement("scan, peak memory", peak_mib, "MiB", Aim.AT_MOST, 96, "")
    peak_mib = max(command.peak_mib for *_, command in rounds)
    yield Measurement("ssdlab log, peak memory with Python", peak_mib, "MiB", Aim.NONE, 0, f"{command_s:.2f} s")


def _against_cat(scanner: Path, log: Path) -> Measurement:
    """Both with the log on the drive only."""
    rounds = []
    for _ in range(COLD_ROUNDS):
        _forget(log)
        cat = _ran("cat", log, output=subprocess.DEVNULL)
        _forget(log)
        rounds.append((cat, _ran(scanner, log)))
    cat_s, scanner_s = (median(ran.took_s for ran in column) for column in zip(*rounds, strict=True))
    ratio = median(scanner.took_s / cat.took_s for cat, scanner in rounds)
    return Measurement("scan, cold / cat", ratio, "x", Aim.AT_MOST, 1.0, f"{scanner_s:.2f} / {cat_s:.2f} s")


def _forget(log: Path) -> None:
    """Take the log out of the page cache, which it has to have left as it is on the drive."""
    with log.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _python_with(package: str) -> tuple[str, ...]:
    """A Python that has the package, which is no dependency of ours; it is installed before anything is measured."""
    python = ("uv", "run", "-q", "--no-project", "--with", package, "--with", "numpy", "python")
    subprocess.run([*python, "-c", f"import {package}"], check=True)
    return python


def _ran(*command: str | Path, output: int | None = None) -> Ran:
    """Run a command to its end; what it says is thrown away if `output` says so."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said if output is None else output, cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        took_s = time.perf_counter() - started
        if child.returncode:
            raise RuntimeError(f"{command[0]} ended with status {child.returncode}")
        said.seek(0)
        return Ran(took_s, usage.ru_maxrss / 1024, said.read().decode())


def _of_command(said: str) -> dict[str, object]:
    """The answer of `ssdlab log --json` in the form of the other tools; it has means in place of sums."""
    (summary,) = json.loads(said)
    numbers = {"read": "0", "write": "1", "trim": "2"}
    return {
        numbers[name]: {
            "count": one["io_count"],
            "sum": round(one["mean"] * one["io_count"]),
            "max": one["largest"],
            "percentiles": [None if isinstance(value, dict) else value for value in one["percentiles"].values()],
            "series": one["series"]["ios"],
        }
        for name, one in summary["directions"].items()
    }


def _same(name: str, expected: object, found: object) -> None:
    """All tools agree to the last nanosecond.

    Raises:
        RuntimeError: They do not.
    """
    if expected != found:
        raise RuntimeError(
            f"{name} has another answer than our scanner: {str(found)[:300]} instead of {str(expected)[:300]}"
        )
