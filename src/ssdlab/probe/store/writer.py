"""A bundle written while a drive is probed: each probe a step, with its samples and what was concluded from them."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab.bundle import layout, tables
from ssdlab.bundle.mark import FileMark, mark_of, mark_of_file
from ssdlab.bundle.model import RunInfo, Step, as_step
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.warning import WarningKind
from ssdlab.bundle.write import write_result
from ssdlab.durable import make_durable, write_durably
from ssdlab.engine.commands import TimedCommands
from ssdlab.engine.standstill import standstill_words
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.begin import Asked, RunSubject, info_of, suite_text
from ssdlab.lab.lifecycle import Progressed, Run, RunSetup, Space, begin
from ssdlab.lab.limits import require_limits
from ssdlab.message import Message, message
from ssdlab.method.probes import NAME, VERSION, text_of
from ssdlab.point import Point
from ssdlab.probe.cost import cost_of
from ssdlab.probe.run import ProbeResult, Session
from ssdlab.probe.script import Estimator, Probe, ProbeError, ProbeEvidence
from ssdlab.probe.store.conclude import conclude_probes
from ssdlab.probe.store.files import (
    ACTS,
    ACTS_ADAPTER,
    ANSWERS,
    ANSWERS_ADAPTER,
    SAMPLES,
    KeptActs,
    KeptAnswers,
    KeptAsk,
    KeptLoad,
)
from ssdlab.step_spec import StepSpec


class ProbeListener(Protocol):
    """Whoever is told of a run of probes as it goes on; must return at once and never raise. One that can be lost is an `Audience`."""

    def found(self, finding: ProbeResult) -> None:
        """What came of a probe is in the bundle."""

    def warning(self, text: Message) -> None:
        """Something a reader of the answers must know."""


def record_probes(
    session: Session, probes: Sequence[Probe], estimator: Estimator, lab: Path, listener: ProbeListener
) -> Bundle:
    """Do the probes, and return the bundle that holds what they found.

    Raises:
        CannotBegin: The lab cannot be written to.
        LimitRefused: A limit cannot be kept; nothing is begun. What probes write depends on their answers, so none is refused for it.
        RunStopped: A limit was reached; what was found so far is in the bundle.
        RunFailed: The drive or the engine failed, or the host's disk is full; what was found so far is in the bundle.
        Interrupted: The operator stopped it; likewise.
    """
    require_limits(session.watchdog.limits, session.bench.sensor, least_bytes=0)

    def perform(run: Run) -> None:
        for probe in probes:
            listener.found(_done(run, session, probe, estimator))
            run.look_at_display()

    setup = RunSetup(
        bench=session.bench,
        now_ns=session.bench.engine.now_ns,
        begins=lambda _path: None,
        tell=listener.warning,
        watching=listener,
        watchdog=session.watchdog,
        resuming=lambda _path: message("lab-probes-not-resumed"),
        perform=perform,
        conclude=conclude_probes,
    )
    text = text_of([one.name for one in probes], estimator.value)
    return begin(setup, lab, _run_info(session, text), (), Space(bundle_bytes=_bundle_bytes_max(session, probes)))


def _done(run: Run, session: Session, probe: Probe, estimator: Estimator) -> ProbeResult:
    """A probe as a step."""
    step = run.add(_step(run, probe, session.state_for(probe)))
    before_bytes = run.watchdog.total_bytes

    def progressed() -> Progressed:
        return Progressed(written_bytes=run.watchdog.total_bytes - before_bytes)

    with run.step(step.index, step.name, step.state, progressed):
        (finding,) = session.run_all([probe], estimator)
        if finding.repeated:
            text = message("lab-done-again", step=probe.name, why=standstill_words(finding.repeated))
            run.warn(WarningKind.STANDSTILL, text, probe.name)
        left = write_finding(run.writer.step_directory(step.index), finding)
        note = None if finding.refusal is None else message("lab-probe-not-done", why=finding.refusal)
        written = 0 if finding.evidence is None else _written_bytes(finding.evidence)
        run.writer.step_finished(step.index, run.now_ns(), None, note, written, left)
    return finding


def _step(run: Run, probe: Probe, state: DriveState) -> Step:
    return as_step(
        StepSpec(
            index=run.writer.next_index,
            name=probe.name,
            group=NAME,
            point=Point(probe.name),
            kind=StepKind.MEASURE,
            state=state,
            job=None,
            rest_ns=0,
        )
    )


def _bundle_bytes_max(session: Session, probes: Sequence[Probe]) -> int:
    """Of those probes whose acts can be known before any of them is done."""
    needed = 0
    for probe in probes:
        with suppress(ProbeError):
            needed += cost_of(probe.design_for(session.subject())).bundle_bytes_max
    return needed


def _written_bytes(evidence: ProbeEvidence) -> int:
    loads = [one.directions.values() for one in evidence.loaded.values() if one.job.writes]
    bulk = sum(part.io_bytes for parts in loads for part in parts)
    return bulk + sum(one.commands.written_bytes for one in evidence.asked.values())


def write_finding(directory: Path, finding: ProbeResult) -> dict[str, FileMark]:
    """Write answers and evidence into the directory of a step, and return the marks of its files by their names there.

    Raises:
        OSError: The host's file system refused.
    """
    evidence = finding.evidence or ProbeEvidence({}, {})
    loads = []
    files: dict[str, FileMark] = {}
    for number, (name, result) in enumerate(evidence.loaded.items(), start=1):
        own = directory / f"load{number:03}"
        own.mkdir()
        files |= {f"{own.name}/{file}": mark for file, mark in write_result(own, result).items()}
        loads.append(KeptLoad(name=name, directory=own.name, job=result.job))
    asked = [
        KeptAsk(name=name, queue_depth=one.commands.queue_depth, forced=one.forced)
        for name, one in evidence.asked.items()
    ]
    if asked:
        partial = directory / f"{SAMPLES}.partial"
        tables.write_columns(_columns(list(evidence.asked.values())), partial)
        make_durable(partial, directory / SAMPLES)
        files[SAMPLES] = mark_of_file(directory / SAMPLES)
    acts = KeptActs(asked=tuple(asked), loaded=tuple(loads), late=evidence.late)
    answers = KeptAnswers(refusal=finding.refusal, answers=finding.answers)
    # Answers can be drawn again by better estimators; what is written anew has its marks in `checksums.json`.
    contents = {
        ACTS: layout.pretty_json(ACTS_ADAPTER, acts),
        ANSWERS: layout.pretty_json(ANSWERS_ADAPTER, answers),
    }
    for name, content in contents.items():
        write_durably(directory / name, content)
    return files | {name: mark_of(content) for name, content in contents.items()}


def _columns(samples: Sequence[TimedCommands]) -> dict[str, NDArray[Any]]:
    """All commands in the order of the acts, each act by its number."""
    counts = [len(one.commands) for one in samples]
    commands = [one.commands for one in samples]
    return {
        "act": np.repeat(np.arange(len(samples), dtype=np.int32), counts),
        "verb": np.concatenate([one.verb for one in commands]),
        "offset_bytes": np.concatenate([one.offset_bytes for one in commands]),
        "length_bytes": np.concatenate([one.length_bytes for one in commands]),
        "pause_ns": np.concatenate([one.pause_ns for one in commands]),
        "issue": np.concatenate([one.issue for one in commands]),
        "submitted_ns": np.concatenate([one.submitted_ns for one in samples]),
        "completed_ns": np.concatenate([one.completed_ns for one in samples]),
    }


def _run_info(session: Session, text: str) -> RunInfo:
    asked = Asked(suite=suite_text(NAME, VERSION, text), seed=session.seed, limits=session.watchdog.limits)
    drive, engine = session.bench.drive, session.bench.engine
    return info_of(asked, RunSubject(drive=drive.identity, spec_text=drive.spec_text, engine=engine.name))
