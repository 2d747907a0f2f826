"""The test bench of all runs of a report: told once where it was the same (METHODS D)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure.subject import drive_name
from ssdlab.report.host_facts import bench_rows


@dataclass(frozen=True, slots=True)
class Bench:
    """One host, as it was set up for some of the runs."""

    runs: str
    """Whose; empty where it is that of all."""
    rows: tuple[tuple[str, str], ...]


def benches(bundles: Sequence[Bundle]) -> tuple[Bench, ...]:
    """The hosts in the order of the runs."""
    by_rows: dict[tuple[tuple[str, str], ...], list[Bundle]] = {}
    for bundle in bundles:
        by_rows.setdefault(tuple(bench_rows(bundle)), []).append(bundle)
    if len(by_rows) == 1:
        return tuple(Bench("", rows) for rows in by_rows)
    return tuple(
        Bench(", ".join(dict.fromkeys(f"{drive_name(one.run.drive)}: {one.run.suite.name}" for one in runs)), rows)
        for rows, runs in by_rows.items()
    )
