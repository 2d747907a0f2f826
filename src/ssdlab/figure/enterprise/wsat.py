"""Write saturation: from fresh out of the box through the transition to steady (METHODS E, wsat)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.bundle.quantities import FOB_IOPS, STEADY_FROM_BYTES, STEADY_IOPS, TRANSITION_AT_BYTES, Quantity
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.preconditioning import (
    band_note,
    compared,
    criteria_marks,
    long_chart,
    series_table,
    shows_saturation,
    warmth_note,
)
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.layers import KeyLevel
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.say import say, sentences
from ssdlab.figure.kit.steady_series import SteadyRun, ending_title, multiple_text, steady_runs, verdicts
from ssdlab.figure.kit.style import NARROW, WIDE
from ssdlab.figure.kit.subject import pattern_of_blocks, pattern_of_blocks_title, state_message
from ssdlab.figure.kit.words import with_iops
from ssdlab.figure.kit.written_plot import Stretch, WrittenWords, warmth_of_run, written_spec
from ssdlab.job import DriveState
from ssdlab.message import Message, message, semicolons


def wsat(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: its phases. Several: a line a drive."""
    for runs in steady_runs(bundles):
        if any(shows_saturation(run) for run in runs):
            job = runs[0].job
            work, depth = pattern_of_blocks(job.pattern, job.block_bytes), job.in_flight
            name, title = _name(runs[0]), message("figure-wsat-title", work=work, depth=depth)
            yield _alone(runs[0], name, title) if len(bundles) == 1 else compared(bundles, runs, name, title)


def _name(run: SteadyRun) -> str:
    said = run.said.name.replace("_", "-")
    return said if said == "wsat" else f"wsat-{said}"


def _alone(run: SteadyRun, name: str, title: Message) -> Figure:
    words = WrittenWords(
        say(title),
        (*subtitle_of([run.drive.bundle], [run.step.state]), ending_title(run)),
        say(message("figure-wsat-described")),
    )
    stretches, levels, marks = [phase.stretch for phase in phases(run)], _levels(run), criteria_marks(run)
    work = pattern_of_blocks_title(run.job.pattern, run.job.block_bytes)
    done = message("figure-wsat-caption", work=work, depth=run.job.in_flight)
    return Figure(
        name=name,
        title=words.title,
        subtitle=words.subtitle,
        caption=sentences(say(done), band_note(run), _said(run), verdicts(run), warmth_note(run)),
        spec=written_spec(run, words, marks, stretches, levels, WIDE, warmth_of_run(run)),
        narrow_spec=written_spec(run, words, marks, stretches, levels, NARROW, warmth_of_run(run)),
        table=series_table([run]),
        long_chart=long_chart(run),
    )


@dataclass(frozen=True, slots=True)
class RunPhase:
    """A part of a run with its name, and the metric that says how fast it is where one does."""

    begin: float
    end: float
    title: Message
    speed: Quantity | None = None

    @property
    def stretch(self) -> Stretch:
        """As it is drawn."""
        return Stretch(self.begin, self.end, say(self.title))


def phases(run: SteadyRun) -> list[RunPhase]:
    """Fresh, transition, steady, as far as the analysis found them."""
    end = run.written_end
    fallen, steady = run.multiple(TRANSITION_AT_BYTES), run.multiple(STEADY_FROM_BYTES)
    if run.number(FOB_IOPS) is None:
        return []
    found = [RunPhase(0.0, end if fallen is None else fallen, state_message(DriveState.FOB), FOB_IOPS)]
    if fallen is not None:
        found.append(RunPhase(fallen, end if steady is None else steady, message("figure-wsat-transition")))
        if steady is not None:
            found.append(RunPhase(steady, end, state_message(DriveState.STEADY), STEADY_IOPS))
    return found


def _levels(run: SteadyRun) -> list[KeyLevel]:
    """Dashed lines at the speeds of the fresh and of the steady drive."""
    found = []
    for phase in phases(run):
        value = None if phase.speed is None else run.number(phase.speed)
        if value is not None:
            found.append(KeyLevel(phase.begin, phase.end, value, with_iops(say(phase.title), value)))
    return found


def _said(run: SteadyRun) -> str:
    """The phases in numbers."""
    parts: list[str | Message] = [level.description for level in _levels(run)]
    fallen, steady = run.multiple(TRANSITION_AT_BYTES), run.multiple(STEADY_FROM_BYTES)
    if fallen is None:
        parts.append(message("figure-wsat-no-transition"))
    else:
        parts.append(message("figure-wsat-transition-from", at=multiple_text(fallen)))
        if steady is None:
            parts.append(message("figure-wsat-steady-never"))
        else:
            parts.append(message("figure-wsat-steady-from", at=multiple_text(steady)))
    return say(message("figure-wsat-phases", parts=semicolons(*parts)))
