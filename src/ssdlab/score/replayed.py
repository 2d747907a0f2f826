"""What a bundle says of the traces that were replayed as fast as the work behind them allows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import RunStatus, Step, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction, Histogram, LatencyKind
from ssdlab.errors import SsdlabError
from ssdlab.job import Replay, ReplayPace
from ssdlab.message import message
from ssdlab.score.rounds import RoundOf, rounds_of


@dataclass(frozen=True, slots=True)
class TraceKey:
    """Which trace of a set: a suite may replay one file in two states of the drive."""

    step: str
    """Name of the step of the suite."""
    sha256: str
    """Of the file of the trace."""

    @property
    def words(self) -> str:
        """`replay 1f0c2b7a`."""
        return f"{self.step} {self.sha256[:8]}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TraceReplay:
    """One trace, replayed once."""

    key: TraceKey
    elapsed_ns: int
    """From the first submission to the last completion, think times too."""
    moved_share: float
    """Of the bytes: what lay beyond the end of the drive in the trace, and was done elsewhere on it."""
    latency: Mapping[Direction, Histogram]
    """Completion latency of the reads and writes."""
    io_bytes: Mapping[Direction, int]
    failed_checks: tuple[str, ...]
    round_of: RoundOf | None
    """Of a run with the phases of PCMark 8's test of consistency alone."""


def dependent_replays(bundle: Bundle) -> tuple[TraceReplay, ...]:
    """All replays of a run at the pace `dependent`, in the order of its suite.

    Raises:
        SsdlabError: There is none, or not all is done.
    """
    planned = tuple(_planned(bundle))
    path = str(bundle.path)
    if not planned:
        raise SsdlabError(message("score-no-replay", run=path), message("score-replay-dependent"))
    if bundle.status is not RunStatus.FINISHED:
        raise SsdlabError(
            message("score-run-unfinished", run=path, status=bundle.status.value), message("score-resume", run=path)
        )
    rounds = rounds_of(bundle.steps)
    return tuple(_replayed(bundle, step, replay, rounds.get(step.name)) for step, replay in planned)


def _planned(bundle: Bundle) -> Iterator[tuple[Step, Replay]]:
    for step in bundle.steps:
        replay = None if step.job is None else step.job.replay
        if replay is not None and replay.pace is ReplayPace.DEPENDENT:
            yield step, replay


def _replayed(bundle: Bundle, step: Step, replay: Replay, round_of: RoundOf | None) -> TraceReplay:
    incomplete = SsdlabError(
        message("score-replay-incomplete", run=str(bundle.path), step=step.name),
        message("score-show", run=str(bundle.path)),
    )
    if step.status is not StepStatus.FINISHED:
        raise incomplete
    result = bundle.result(step)
    if result.replayed is None or result.stopped is not None:
        raise incomplete
    moved = [direction for direction in (Direction.READ, Direction.WRITE) if direction in result.directions]
    histograms = bundle.histograms(step)
    return TraceReplay(
        key=TraceKey(step.name, replay.sha256),
        elapsed_ns=result.elapsed_ns,
        moved_share=result.replayed.moved_share,
        latency={
            direction: histograms[direction][LatencyKind.CLAT]
            for direction in moved
            if LatencyKind.CLAT in histograms.get(direction, {})
        },
        io_bytes={direction: result.directions[direction].io_bytes for direction in moved},
        failed_checks=tuple(check.name for check in failed(bundle.audit) if check.step == step.name),
        round_of=round_of,
    )
