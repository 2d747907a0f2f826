"""A finished run of a built-in suite in memory, without files and metrics: every step as it is planned."""

from dataclasses import replace
from pathlib import Path

from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.model import RunInfo, RunStatus, StepStatus, SuiteText, as_step
from ssdlab.bundle.read import Bundle
from ssdlab.method.builtin import load_suite
from ssdlab.method.kinds.rounds import CellOfRound, RoundsRule, cell_step
from ssdlab.method.plan import expand
from ssdlab.units import NS_PER_S


def with_suite(info: RunInfo, suite: str, profile: str) -> RunInfo:
    """The run as one of that suite."""
    text = load_suite(suite)
    return replace(
        info,
        suite=SuiteText(name=text.name, version=text.version, text=text.text, sha256=text.sha256),
        profile=profile,
        comparable=text.profile(profile).comparable,
    )


def planned_bundle(info: RunInfo, suite: str, profile: str) -> Bundle:
    """Each step took a second."""
    info = with_suite(info, suite, profile)
    steps = tuple(
        replace(
            as_step(step),
            status=StepStatus.FINISHED,
            started_ns=step.index * NS_PER_S,
            ended_ns=(step.index + 1) * NS_PER_S,
        )
        for step in expand(load_suite(suite), profile, info.drive, seed=7).steps
    )
    return Bundle(
        path=Path("nowhere"),
        run=info,
        steps=steps,
        status=RunStatus.FINISHED,
        reason=None,
        warned=(),
        faults=(),
        resumptions=(),
        written_bytes=0,
        metrics=(),
        audit=(),
        files=BundleFiles(Path("nowhere"), {}, Unlisted.READ),
    )


def with_first_round(bundle: Bundle) -> Bundle:
    """The same with the cells of one round of each step that asks for rounds, which no plan has."""
    asking = expand(load_suite(bundle.run.suite.name), bundle.run.profile, bundle.run.drive, seed=7).steps
    cells = (
        cell_step(asks, asks.search, CellOfRound(1, cell), len(asking) + number)
        for asks in asking
        if isinstance(asks.search, RoundsRule)
        for number, cell in enumerate(asks.search.cells)
    )
    done = (replace(as_step(one), status=StepStatus.FINISHED, started_ns=0, ended_ns=NS_PER_S) for one in cells)
    return replace(bundle, steps=(*bundle.steps, *done))
