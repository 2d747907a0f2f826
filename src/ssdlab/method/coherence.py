"""What each table of a suite may say by itself and all of them together may not."""

from collections.abc import Iterator, Mapping

from ssdlab.job import EngineRule
from ssdlab.message import message
from ssdlab.method.faults import Fault, Path, line_of, where
from ssdlab.method.schema import SuiteTables


def incoherent(tables: SuiteTables, lines: Mapping[Path, int]) -> Iterator[Fault]:
    """Faults that no single key has: what is said twice or nowhere, and regions that nothing has made."""
    for index, step in enumerate(tables.steps):
        if step.opens_loads and tables.header.engine is not EngineRule.LOAD:
            at: Path = ("step", index, "kind")
            yield Fault(line_of(at, lines), where(at), message("suite-needs-load-engine"))
        if step.needs_live_windows and tables.header.engine is not EngineRule.LOAD:
            at = ("step", index, "job")
            yield Fault(line_of(at, lines), where(at), message("suite-needs-live-windows"))
    for index, step in enumerate(tables.steps):
        for tail, fault in step.contradictions(tables.steps[:index]):
            path = ("step", index, *tail)
            yield Fault(line_of(path, lines), where(path), fault)
