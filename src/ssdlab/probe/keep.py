"""A bundle written while a drive is probed: each probe a step, with its samples and what was concluded from them."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssdlab import version
from ssdlab.bundle import layout, tables
from ssdlab.bundle.journal import Event
from ssdlab.bundle.layout import Moment
from ssdlab.bundle.model import SCHEMA_VERSION, RunInfo, Step, StepStatus, SuiteText
from ssdlab.bundle.write import BundleWriter, write_result
from ssdlab.durable import make_durable, write_durably
from ssdlab.engine.commands import Samples
from ssdlab.errors import Interrupted, SsdlabError
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.host import look_at_host
from ssdlab.lab.open import Bench
from ssdlab.method.probes import NAME, VERSION, text_of
from ssdlab.probe.conclude import conclude_probes
from ssdlab.probe.record import (
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
from ssdlab.probe.run import Finding, Session
from ssdlab.probe.script import Estimator, Evidence, Probe


@contextmanager
def recorded(
    bench: Bench, session: Session, probes: Sequence[Probe], estimator: Estimator, lab: Path
) -> Iterator[tuple[Path, Iterator[Finding]]]:
    """A new bundle, and the findings of the probes, each of which is in it before it is given.

    Raises:
        Interrupted: The operator stopped it; what was found so far is in the bundle.
        SsdlabError: The drive or the engine failed; likewise.
        OSError: The host's disk refused.
    """
    text = text_of([one.name for one in probes], estimator.value)
    path = _new_path(lab, bench)
    with closing(BundleWriter(path, _run_info(bench, session, text), ())) as writer:
        recorder = _Recorder(bench, writer)
        try:
            writer.drive_said(Moment.START, bench.drive.said())
            yield path, recorder.findings(session, probes, estimator)
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            event = Event.RUN_INTERRUPTED if interrupted else Event.RUN_FAILED
            reason = "stopped by the operator" if interrupted else str(error) or type(error).__name__
            with suppress(OSError):
                writer.run_ended(bench.engine.now_ns(), event, reason)
            with suppress(OSError, SsdlabError):
                conclude_probes(path)
            if interrupted:
                raise Interrupted(
                    "the probes were interrupted; what they said so far is in the bundle",
                    f"look at it: `ssdlab show {path}`",
                ) from error
            raise
        for warning in bench.drive.findings():
            writer.warning(bench.engine.now_ns(), warning)
        writer.drive_said(Moment.END, bench.drive.said())
        writer.run_ended(bench.engine.now_ns(), Event.RUN_FINISHED, None)
    conclude_probes(path)


class _Recorder:
    """Makes each probe a step."""

    def __init__(self, bench: Bench, writer: BundleWriter) -> None:
        self._bench = bench
        self._writer = writer

    def findings(self, session: Session, probes: Sequence[Probe], estimator: Estimator) -> Iterator[Finding]:
        if self._bench.host is not None:
            self._writer.host(self._now_ns(), self._bench.host.tuning)
        for probe in probes:
            step = self._begin(probe, session.state_for(probe))
            try:
                (finding,) = session.run_all([probe], estimator)
            except BaseException as error:
                interrupted = isinstance(error, KeyboardInterrupt)
                event = Event.STEP_INTERRUPTED if interrupted else Event.STEP_FAILED
                reason = "stopped by the operator" if interrupted else str(error) or type(error).__name__
                with suppress(OSError):
                    self._writer.step_ended_early(step.index, self._now_ns(), event, reason)
                raise
            directory = self._writer.step_directory(step.index)
            left = write_finding(directory, finding)
            note = "" if finding.refusal is None else f"not done: {finding.refusal}"
            written = 0 if finding.evidence is None else _written_bytes(finding.evidence)
            self._writer.step_finished(step.index, self._now_ns(), None, note, written, left)
            yield finding

    def _begin(self, probe: Probe, state: DriveState) -> Step:
        step = Step(
            index=self._writer.next_index,
            name=probe.name,
            group=NAME,
            point=probe.name,
            kind=StepKind.MEASURE,
            status=StepStatus.PLANNED,
            state=state,
            job=None,
            rest_ns=0,
            started_ns=None,
            ended_ns=None,
            reason=None,
        )
        self._writer.steps_added(self._now_ns(), [step])
        self._writer.step_started(step.index, self._now_ns(), step.state)
        return step

    def _now_ns(self) -> int:
        return self._bench.engine.now_ns()


def _written_bytes(evidence: Evidence) -> int:
    loads = [one.directions.values() for one in evidence.loaded.values() if one.job.writes]
    bulk = sum(part.io_bytes for parts in loads for part in parts)
    return bulk + sum(one.commands.written_bytes for one in evidence.asked.values())


def write_finding(directory: Path, finding: Finding) -> dict[str, int]:
    """Write answers and evidence into the directory of a step, and return the sizes of the evidence's files by their names there.

    Raises:
        OSError: The host's file system refused.
    """
    evidence = finding.evidence or Evidence({}, {})
    loads = []
    files: dict[str, int] = {}
    for number, (name, result) in enumerate(evidence.loaded.items(), start=1):
        own = directory / f"load{number:03}"
        own.mkdir()
        files |= {f"{own.name}/{file}": size for file, size in write_result(own, result).items()}
        loads.append(KeptLoad(name=name, directory=own.name, job=result.job))
    asked = [
        KeptAsk(name=name, queue_depth=one.commands.queue_depth, forced=one.forced)
        for name, one in evidence.asked.items()
    ]
    if asked:
        partial = directory / f"{SAMPLES}.partial"
        tables.write_columns(_columns(list(evidence.asked.values())), partial)
        make_durable(partial, directory / SAMPLES)
    acts = KeptActs(asked=tuple(asked), loaded=tuple(loads), late=evidence.late)
    answers = KeptAnswers(refusal=finding.refusal, answers=finding.answers)
    write_durably(directory / ACTS, layout.pretty_json(ACTS_ADAPTER, acts))
    write_durably(directory / ANSWERS, layout.pretty_json(ANSWERS_ADAPTER, answers))
    # Answers can be drawn again by better estimators, so their file may change.
    names = [ACTS, *([SAMPLES] if asked else [])]
    return files | {name: (directory / name).stat().st_size for name in names}


def _columns(samples: Sequence[Samples]) -> dict[str, NDArray[Any]]:
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


def _new_path(lab: Path, bench: Bench) -> Path:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    identity = bench.drive.identity
    drive = identity.model if isinstance(identity.model, str) else identity.target
    words = "".join(letter if letter.isalnum() else "-" for letter in drive).strip("-").lower()
    name = f"{moment}-{NAME}-{words}"[:120]
    paths = (lab / "runs" / (name if number == 1 else f"{name}-{number}") for number in range(1, 1000))
    return next(path for path in paths if not path.exists())


def _run_info(bench: Bench, session: Session, text: str) -> RunInfo:
    return RunInfo(
        schema=SCHEMA_VERSION,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        drive=bench.drive.identity,
        host=look_at_host(),
        suite=SuiteText(name=NAME, version=VERSION, text=text, sha256=hashlib.sha256(text.encode()).hexdigest()),
        profile="standard",
        comparable=True,
        seed=session.seed,
        engine=bench.engine.name,
        ssdlab_version=version(),
        spec_text=bench.drive.spec_text,
    )
