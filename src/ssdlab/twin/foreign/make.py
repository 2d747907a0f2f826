"""A twin of a drive that fio measured, without a run of ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.bundle.imported import ImportedRun
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, commas, message
from ssdlab.scratch import Scratch
from ssdlab.twin.errors import Errors, Kind, seen_errors
from ssdlab.twin.fit import Fitted, fit_to_acts
from ssdlab.twin.foreign.history import TwinPart, acts_of_steps, divided_acts, known_of_acts, part_of
from ssdlab.twin.foreign.steps import ForeignStep, LeftOutJob, steps_of
from ssdlab.twin.make import Twin, error_words, twin_name
from ssdlab.twin.one_drive import require_each_once
from ssdlab.twin.possible import require_possible
from ssdlab.twin.rehearse import rehearse
from ssdlab.unknown import Unknown

_MODEL_MAX = 80


@dataclass(frozen=True, slots=True, eq=False)
class ForeignTwin:
    """A twin, and how much of the drive it is.

    Attributes:
        left_out: Jobs that it was not fitted to.
    """

    twin: Twin
    part: TwinPart
    left_out: tuple[LeftOutJob, ...]


def make_foreign_twin(runs: Sequence[ImportedRun], output: Path) -> ForeignTwin:
    """Fit a twin to what fio measured of one drive.

    Args:
        runs: At least one; each is taken to have begun on the drive as `acts_of_steps` says.
        output: Where it will be written: the twin is called after it.

    Raises:
        SsdlabError: The runs are of several drives or of another program, or one is named twice; nothing says how large the drive is, or
            nothing of them can be done again.
    """
    require_each_once(runs, lambda one, other: not _files_of(one).isdisjoint(_files_of(other)))
    part = part_of(_capacity_bytes(runs))
    read = [steps_of(run) for run in runs]
    steps: list[tuple[ForeignStep, ...]] = [one for one, _ in read]
    left = tuple(one for _, some in read for one in some)
    if not any(steps):
        raise SsdlabError(
            message("twin-foreign-none", reason=left[0].reason if left else message("twin-foreign-nothing"))
        )
    acts = acts_of_steps(steps, part)
    division = divided_acts(acts)
    known = known_of_acts(acts, division)
    fitted = fit_to_acts(acts, division, known, None, twin_name(output), part.capacity_bytes)
    held = _held_errors(fitted)
    draft = replace(fitted.draft, description=str(_description(runs, part, len(division.held), held)))
    require_possible(draft, part.capacity_bytes)
    return ForeignTwin(Twin(draft, fitted, held), part, left)


def _files_of(run: ImportedRun) -> set[str]:
    return {one.sha256 for one in run.info.originals}


def _held_errors(fitted: Fitted) -> Mapping[Kind, Errors]:
    scratch = Scratch()
    try:
        return seen_errors(
            fitted.acts, rehearse(fitted.draft, fitted.acts, frozenset(fitted.division.held), scratch.path)
        )
    finally:
        scratch.close()


def _capacity_bytes(runs: Sequence[ImportedRun]) -> int:
    """What all runs that know it agree on; marks that two runs know must be the same."""
    for mark in ("model", "serial", "firmware", "capacity_bytes"):
        said = {value for run in runs if not isinstance(value := getattr(run.info.drive, mark), Unknown)}
        if len(said) > 1:
            raise SsdlabError(
                message("twin-foreign-several", mark=mark.removesuffix("_bytes"), said=commas(*sorted(map(str, said)))),
                message("twin-hint-one-drive"),
            )
    sizes = [one for run in runs if isinstance(one := run.info.drive.capacity_bytes, int)]
    if not sizes:
        raise SsdlabError(message("twin-foreign-no-size", run=str(runs[0].path)), message("twin-hint-foreign-size"))
    return sizes[0]


def _description(runs: Sequence[ImportedRun], part: TwinPart, points: int, held: Mapping[Kind, Errors]) -> Message:
    """In English, as all specifications are."""
    models = [run.info.drive.model for run in runs if isinstance(run.info.drive.model, str)]
    model = "".join(letter for letter in (*models, "?")[0] if letter.isprintable())[:_MODEL_MAX]
    errors = commas(*(error_words(kind, one) for kind, one in held.items()))
    programs = commas(*dict.fromkeys(run.info.program for run in runs))
    if not held:
        return message("twin-description-foreign-unheld", model=model, programs=programs, part=part.of)
    return message(
        "twin-description-foreign", model=model, programs=programs, part=part.of, points=points, errors=errors
    )
