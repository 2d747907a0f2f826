"""Write saturation: from fresh out of the box through the transition to steady (METHODS E, wsat)."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.figure.drives import subtitle_of
from ssdlab.figure.layers import KeyLevel
from ssdlab.figure.model import Figure
from ssdlab.figure.preconditioning import (
    band_note,
    compared,
    criteria_marks,
    first_upper,
    long_chart,
    series_table,
    shows_saturation,
    warmth_note,
)
from ssdlab.figure.steady_series import SteadyRun, ending, multiple_text, never_held, steady_runs, verdicts, workload
from ssdlab.figure.style import NARROW, WIDE
from ssdlab.figure.written_plot import Stretch, WrittenWords, written_spec


def wsat(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """One drive: its phases. Several: a line a drive."""
    for runs in steady_runs(bundles):
        if any(shows_saturation(run) for run in runs):
            work = workload(runs[0].job)
            name, title = _name(runs[0]), f"Write saturation: {work[0].lower()}{work[1:]}"
            yield _alone(runs[0], name, title) if len(bundles) == 1 else compared(bundles, runs, name, title)


def _name(run: SteadyRun) -> str:
    said = run.said.name.replace("_", "-")
    return said if said == "wsat" else f"wsat-{said}"


def _alone(run: SteadyRun, name: str, title: str) -> Figure:
    words = WrittenWords(
        title,
        (*subtitle_of([run.drive.bundle], [run.step.state.value]), f"{first_upper(ending(run))}{never_held(run)}"),
        "Line chart: IOPS and latency against what was written, from fresh out of the box to steady",
    )
    stretches, levels, marks = phases(run), _levels(run), criteria_marks(run)
    return Figure(
        name=name,
        title=words.title,
        subtitle=words.subtitle,
        caption=f"{workload(run.job)} over the whole drive from fresh out of the box. {band_note(run)} {_said(run)} "
        f"{verdicts(run)}{warmth_note(run)}",
        spec=written_spec(run, words, marks, stretches, levels, WIDE),
        narrow_spec=written_spec(run, words, marks, stretches, levels, NARROW),
        table=series_table([run]),
        long_chart=long_chart(run),
    )


def phases(run: SteadyRun) -> list[Stretch]:
    """Fresh, transition, steady, as far as the analysis found them."""
    end = run.written_end
    fallen, steady = run.multiple("transition_at_bytes"), run.multiple("steady_from_bytes")
    if "fob_iops" not in run.numbers:
        return []
    found = [Stretch(0.0, end if fallen is None else fallen, "FOB")]
    if fallen is not None:
        found.append(Stretch(fallen, end if steady is None else steady, "transition"))
        if steady is not None:
            found.append(Stretch(steady, end, "steady"))
    return found


def _levels(run: SteadyRun) -> list[KeyLevel]:
    """Dashed lines at the speeds of the fresh and of the steady drive."""
    found = []
    names = {"FOB": "fob_iops", "steady": "steady_iops"}
    for one in phases(run):
        value = run.numbers.get(names.get(one.words, ""))
        if value is not None:
            found.append(KeyLevel(one.begin, one.end, value, f"{one.words}: {value:,.0f} IOPS"))
    return found


def _said(run: SteadyRun) -> str:
    """The phases in numbers."""
    parts = [f"{level.description}" for level in _levels(run)]
    fallen, steady = run.multiple("transition_at_bytes"), run.multiple("steady_from_bytes")
    if fallen is None:
        parts.append("no transition: the speed never fell for good")
    else:
        parts.append(f"transition from {multiple_text(fallen)}")
        parts.append("steady never" if steady is None else f"steady from {multiple_text(steady)} the capacity")
    return f"Shaded: the transition. Dashed: the speed of a phase ({'; '.join(parts)})."
