"""What each table of a suite may say by itself and all of them together may not."""

from collections.abc import Iterator, Mapping

from ssdlab.job import EngineName, EngineRule
from ssdlab.message import message
from ssdlab.method.choices import one_of
from ssdlab.method.faults import Fault, Path, line_of, where
from ssdlab.method.schema import SuiteTables
from ssdlab.method.tables import STANDARD


def incoherent(tables: SuiteTables, lines: Mapping[Path, int]) -> Iterator[Fault]:
    """Faults that no single key has: what is said twice or nowhere, and regions that nothing has made."""
    for index, step in enumerate(tables.steps):
        if step.opens_loads and tables.header.engine is not EngineRule.LOAD:
            at: Path = ("step", index, "kind")
            yield Fault(line_of(at, lines), where(at), message("suite-needs-load-engine"))
        if step.needs_live_windows and tables.header.engine is not EngineRule.LOAD:
            at = ("step", index, "job")
            yield Fault(line_of(at, lines), where(at), message("suite-needs-live-windows"))
    yield from _of_profiles(tables, lines)
    yield from dict.fromkeys(_contradictions(tables, lines))


def _contradictions(tables: SuiteTables, lines: Mapping[Path, int]) -> Iterator[Fault]:
    """Under each profile, whose steps are those that others may refer to."""
    for profile in (STANDARD, *tables.profiles):
        for index, step in enumerate(tables.steps):
            before = [one for one in tables.steps[:index] if one.is_of(profile)]
            for tail, fault in step.contradictions(before) if step.is_of(profile) else ():
                path = ("step", index, *tail)
                yield Fault(line_of(path, lines), where(path), fault)


def _of_profiles(tables: SuiteTables, lines: Mapping[Path, int]) -> Iterator[Fault]:
    known = [STANDARD, *tables.profiles]
    for index, step in enumerate(tables.steps):
        for name in step.profiles or ():
            if name not in known:
                at: Path = ("step", index, "profiles")
                unknown = message("suite-no-such-profile", profile=name, choice=one_of(name, known))
                yield Fault(line_of(at, lines), where(at), unknown)
    for name, profile in tables.profiles.items():
        at = ("profile", name, "until")
        is_live = profile.engine is EngineName.LOAD or (
            profile.engine is None and tables.header.engine is EngineRule.LOAD
        )
        if profile.until_percent is not None and not is_live:
            yield Fault(line_of(at, lines), where(at), message("suite-profile-needs-load"))
        if profile.until_percent is None and (profile.tail is not None or profile.budget_ns is not None):
            yield Fault(line_of(at, lines), where(at), message("suite-profile-tail-without-until"))
        if (profile.tail is None) != (profile.budget_ns is None):
            at = ("profile", name, "tail" if profile.tail is None else "budget")
            yield Fault(line_of(at, lines), where(at), message("suite-tail-and-budget"))
