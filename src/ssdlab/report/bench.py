"""The test bench of all runs of a report: told once where it was the same (METHODS D)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.subject import drive_name
from ssdlab.report.drive_facts import Row
from ssdlab.report.host_facts import bench_rows


@dataclass(frozen=True, slots=True)
class ReportedHost:
    """One host, as it was set up for some of the runs."""

    runs: str
    """Whose; empty where it is that of all."""
    rows: tuple[Row, ...]


def benches(bundles: Sequence[Bundle]) -> tuple[ReportedHost, ...]:
    """The hosts in the order of the runs."""
    by_rows: dict[tuple[Row, ...], list[Bundle]] = {}
    for bundle in bundles:
        by_rows.setdefault(tuple(bench_rows(bundle)), []).append(bundle)
    if len(by_rows) == 1:
        return tuple(ReportedHost("", rows) for rows in by_rows)
    return tuple(
        ReportedHost(
            ", ".join(dict.fromkeys(f"{drive_name(one.run.drive)}: {one.run.suite.name}" for one in runs)), rows
        )
        for rows, runs in by_rows.items()
    )
