"""Whether the files of a bundle still are what was written: what damage they have is told, and kept out of all numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab import os_errors
from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError, DamagedFile, computable_again
from ssdlab.bundle.files import BundleFiles
from ssdlab.bundle.imported import is_imported, open_imported
from ssdlab.bundle.model import Check, Metric, Outcome, Step, StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.message import Message, message
from ssdlab.unknown import Unknown

INTACT = "files.intact"
"""Name of the check that marks numbers whose raw data is damaged."""


def examined(bundle: Bundle) -> Bundle:
    """The same bundle after all was read that numbers and figures come from.

    A step of which a file is damaged is not finished any more, the damage is among the faults, and what was computed from the step
    before is marked. Answers of the programs that know drives, where damaged, are among the faults too.
    """
    damaged = {step.index: fault for step in bundle.finished() if (fault := _fault_of(bundle, step)) is not None}
    checks = [_check(step, damaged[step.index]) for step in bundle.steps if step.index in damaged]
    return replace(
        bundle,
        steps=tuple(_failed(step, damaged[step.index]) if step.index in damaged else step for step in bundle.steps),
        faults=(*bundle.faults, *damaged.values(), *_damaged_answers(bundle)),
        metrics=tuple(_marked(metric, checks) for metric in bundle.metrics),
        audit=(*bundle.audit, *checks),
    )


def _fault_of(bundle: Bundle, step: Step) -> Message | None:
    names = bundle.files.of_step(layout.step_directory(bundle.run, step))
    try:
        for name in names:
            bundle.files.check(name)
        if any(isinstance(bundle.files.marks[name].sha256, Unknown) for name in names):
            _read_all(bundle, step)
    except DamagedFile as error:
        return error.fault
    return None


def _damaged_answers(bundle: Bundle) -> Iterator[Message]:
    for name in sorted(bundle.files.marks):
        if name.startswith(layout.DRIVE):
            try:
                bundle.files.check(name)
            except DamagedFile as error:
                yield error.fault


def _read_all(bundle: Bundle, step: Step) -> None:
    """Where there is no digest, a file is damaged if it cannot be read; raises DamagedFile."""
    if not bundle.holds(step, layout.RESULT):
        return
    for direction in bundle.result(step).directions:
        bundle.series(step, direction)
        bundle.latency_windows(step, direction)
        if bundle.holds(step, layout.EVERY_IO):
            bundle.every_io(step, direction)
    bundle.histograms(step)
    bundle.sensors(step)


def _failed(step: Step, fault: Message) -> Step:
    return replace(step, status=StepStatus.FAILED, reason=fault)


def _check(step: Step, fault: Message) -> Check:
    return Check(
        name=INTACT,
        step=step.name,
        outcome=Outcome.FAIL,
        finding=fault,
        meaning=message("damage-meaning"),
        remedy=message("damage-remedy"),
    )


def _marked(metric: Metric, checks: Sequence[Check]) -> Metric:
    """A metric of several steps carries the damage of each."""
    if not any(one.step == metric.step or one.step.startswith(f"{metric.step}.") for one in checks):
        return metric
    return replace(metric, failed_checks=(*metric.failed_checks, INTACT))


@dataclass(frozen=True, slots=True)
class BundleExamination:
    """What became of all files of a bundle."""

    path: Path
    files: int
    size_bytes: int
    damaged: tuple[Message, ...]
    """One for each fault."""
    unchecked: Unknown | None
    """Why nothing vouches for some of the files; None where each has its digest."""


def examine(path: Path) -> BundleExamination:
    """Look at every file that a bundle says it has, whatever it may be for."""
    try:
        files, faults = _all_of(path)
    except BundleError as error:
        return BundleExamination(path, 0, 0, (error.message,), None)
    except OSError as error:
        return BundleExamination(path, 0, 0, (os_errors.in_words(error).message,), None)
    for name in sorted(files.marks):
        try:
            files.check(name)
        except DamagedFile as error:
            # Opening may have told of it already, and what to do about it.
            if not {error.fault, computable_again(error.fault)} & set(faults):
                faults.append(error.fault)
    size_bytes = sum(mark.size_bytes for mark in files.marks.values())
    return BundleExamination(path, len(files.marks), size_bytes, tuple(faults), files.unchecked)


def _all_of(path: Path) -> tuple[BundleFiles, list[Message]]:
    if is_imported(path):
        return open_imported(path).files, []
    bundle = open_bundle(path)
    return bundle.files, list(bundle.faults)
