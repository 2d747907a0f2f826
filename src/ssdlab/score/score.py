"""Drives scored by how long the same work takes on them and on the reference."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ssdlab import _core
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.bundle.find import require_each_once
from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.read import Bundle
from ssdlab.errors import SsdlabError
from ssdlab.library.collect import entry_of
from ssdlab.library.entry import Entry
from ssdlab.library.groups import runs_together
from ssdlab.message import Listed, Message, commas, message, number
from ssdlab.score.arithmetic import geometric_mean, score, score_interval
from ssdlab.score.published import PublishedColumns, published_columns
from ssdlab.score.replayed import TraceKey, TraceReplay, dependent_replays
from ssdlab.unknown import Unknown

REFERENCE_DRIVE = "mlc-1tb"
"""The built-in drive to be taken where nothing speaks for another: without an SLC cache, what it does depends least on what came before."""


@dataclass(frozen=True, slots=True)
class ScoredTrace:
    """One trace on one drive."""

    key: TraceKey
    reference_ns: int
    times_ns: tuple[int, ...]
    """One a run."""

    @property
    def time_ns(self) -> float:
        """Geometric mean of the runs."""
        return geometric_mean(self.times_ns)

    @property
    def score(self) -> float:
        """Of this trace alone."""
        return score((self.reference_ns,), [(one,) for one in self.times_ns])


@dataclass(frozen=True, slots=True)
class ScoredDrive:
    """A drive by all its runs."""

    entries: tuple[Entry, ...]
    """The oldest first."""
    traces: tuple[ScoredTrace, ...]
    """In the order of the suite."""
    score: float
    interval: Interval | Unknown
    published: PublishedColumns
    failed_checks: tuple[str, ...]
    """Of the audit of the replays, in any run."""


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Drives by their scores."""

    reference: ScoredDrive
    """Its score is 1."""
    reference_run: RunInfo
    """What it takes to make it again: drive, suite, seed, version of ssdlab."""
    drives: tuple[ScoredDrive, ...]
    """The fastest first."""


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A run, and what it replayed."""

    bundle: Bundle
    replays: tuple[TraceReplay, ...]

    @property
    def times_ns(self) -> tuple[int, ...]:
        return tuple(one.elapsed_ns for one in self.replays)

    @property
    def keys(self) -> tuple[TraceKey, ...]:
        return tuple(one.key for one in self.replays)


def score_table(bundles: Sequence[Bundle], reference: Bundle) -> ScoreTable:
    """Score runs by one run of the reference.

    Args:
        bundles: At least one; those of one drive are taken together by the rule of rankings.
        reference: A run on a built-in drive in virtual time, which takes the same time whoever runs it.

    Raises:
        SsdlabError: A run is not complete or replays nothing at the pace `dependent`, did other work than the reference, or that is none.
    """
    _require_built_in(reference)
    require_each_once([bundle.path for bundle in bundles])
    first = _Run(reference, dependent_replays(reference))
    runs = [_Run(bundle, dependent_replays(bundle)) for bundle in bundles]
    for run in runs:
        _require_same_work(run, first)
    drives = [_scored(of_drive, first) for of_drive in _by_drive(runs)]
    return ScoreTable(_scored([first], first), reference.run, tuple(sorted(drives, key=lambda one: -one.score)))


def _scored(runs: Sequence[_Run], reference: _Run) -> ScoredDrive:
    times_ns = [run.times_ns for run in runs]
    replays = [one for run in runs for one in run.replays]
    return ScoredDrive(
        entries=tuple(_entry(run) for run in runs),
        traces=tuple(
            ScoredTrace(key, reference.times_ns[place], tuple(of_run[place] for of_run in times_ns))
            for place, key in enumerate(reference.keys)
        ),
        score=score(reference.times_ns, times_ns),
        interval=score_interval(reference.times_ns, times_ns),
        published=published_columns(replays),
        failed_checks=tuple(dict.fromkeys(name for one in replays for name in one.failed_checks)),
    )


def _by_drive(runs: Sequence[_Run]) -> list[list[_Run]]:
    """In the order in which the drives were named."""
    in_time = sorted(runs, key=lambda run: _entry(run).moment)
    # Directories of two labs may have one name, which here keeps drives without a serial apart.
    groups = runs_together([(replace(_entry(run), name=str(run.bundle.path)), run) for run in in_time])
    return sorted(groups, key=lambda group: min(map(runs.index, group)))


def _entry(run: _Run) -> Entry:
    return entry_of(run.bundle.path.name, run.bundle)


def _require_built_in(reference: Bundle) -> None:
    run = reference.run
    built_in = {_core.spec_text(name) for name in _core.spec_names()}
    if run.engine.partition("-")[0] != "model" or run.spec_text not in built_in:
        raise SsdlabError(
            message("score-reference-not-built-in", run=str(reference.path)),
            message("score-make-reference", drive=REFERENCE_DRIVE),
        )


def _require_same_work(run: _Run, reference: _Run) -> None:
    """The same traces, on a drive in the same state, all of them where they were recorded or moved alike."""
    hint = message("score-make-reference", drive=REFERENCE_DRIVE)
    path, own, other = str(run.bundle.path), run.bundle.run, reference.bundle.run
    if run.keys != reference.keys:
        found = message("score-other-traces", run=path, theirs=_traces(run), ours=_traces(reference))
        raise SsdlabError(found, hint)
    if (own.suite.sha256, own.profile) != (other.suite.sha256, other.profile):
        raise SsdlabError(message("score-other-suite", run=path, theirs=_suite(own), ours=_suite(other)), hint)
    if own.drive.capacity_bytes != other.drive.capacity_bytes:
        _require_none_moved(run, reference)


def _traces(run: _Run) -> Listed:
    return commas(*(key.words for key in run.keys))


def _suite(run: RunInfo) -> Message:
    suite = run.suite
    return message("score-suite", suite=suite.name, version=suite.version, sha256=suite.sha256[:8], profile=run.profile)


def _require_none_moved(run: _Run, reference: _Run) -> None:
    """Drives of different sizes do the same only where all of it has room on both."""
    for one, other in zip(run.replays, reference.replays, strict=True):
        if one.moved_share or other.moved_share:
            raise SsdlabError(
                message(
                    "score-moved",
                    run=str(run.bundle.path),
                    step=one.key.step,
                    percent=number(100 * one.moved_share, ".3g"),
                    reference=number(100 * other.moved_share, ".3g"),
                ),
                message("score-same-size", drive=REFERENCE_DRIVE),
            )
