"""Answers and evidence of probes read back from a bundle."""

from collections.abc import Sequence

import numpy as np

from ssdlab.bundle import layout, tables
from ssdlab.bundle.files import BundleFiles
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.commands import Commands, TimedCommands
from ssdlab.engine.result import DirectionResult, JobSensors, RawResult
from ssdlab.method.probes import NAME
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.run import ProbeResult
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.store.files import ACTS, ACTS_ADAPTER, ANSWERS, ANSWERS_ADAPTER, SAMPLES, KeptAsk, KeptLoad
from ssdlab.unknown import Unknown

_SAMPLES = tables.TableColumns(
    whole=("act", "verb", "offset_bytes", "length_bytes", "pause_ns", "issue", "submitted_ns", "completed_ns")
)


def is_probed(bundle: Bundle) -> bool:
    """Whether a bundle was written by probes."""
    return bundle.run.suite.name == NAME


def findings_of(bundle: Bundle) -> tuple[ProbeResult, ...]:
    """What each finished probe said, with its evidence; probes this ssdlab does not have any more are left out."""
    by_name = {probe.name: probe for probe in PROBES}
    found = []
    for step in bundle.finished():
        if (probe := by_name.get(step.name)) is None:
            continue
        kept = bundle.files.parsed(bundle.name(step, ANSWERS), ANSWERS_ADAPTER)
        evidence = None if kept.refusal is not None else evidence_of(bundle, step)
        found.append(
            ProbeResult(probe=probe, state=step.state, answers=kept.answers, evidence=evidence, refusal=kept.refusal)
        )
    return tuple(found)


def evidence_of(bundle: Bundle, step: Step) -> ProbeEvidence:
    """The samples and results of a finished probe, as the engine gave them."""
    acts = bundle.files.parsed(bundle.name(step, ACTS), ACTS_ADAPTER)
    loaded = {one.name: _result(bundle.files, bundle.name(step, one.directory), one) for one in acts.loaded}
    return ProbeEvidence(_samples(bundle.files, bundle.name(step, SAMPLES), acts.asked), loaded, acts.late)


def _samples(files: BundleFiles, name: str, asked: Sequence[KeptAsk]) -> dict[str, TimedCommands]:
    if not asked:
        return {}
    columns = tables.read_columns(files, name, _SAMPLES)
    ends = np.searchsorted(columns["act"], np.arange(len(asked) + 1))
    found = {}
    for number, one in enumerate(asked):
        rows = slice(ends[number], ends[number + 1])
        commands = Commands(
            verb=columns["verb"][rows],
            offset_bytes=columns["offset_bytes"][rows],
            length_bytes=columns["length_bytes"][rows],
            pause_ns=columns["pause_ns"][rows],
            issue=columns["issue"][rows],
            queue_depth=one.queue_depth,
        )
        submitted, completed = columns["submitted_ns"][rows], columns["completed_ns"][rows]
        found[one.name] = TimedCommands(commands, submitted, completed, one.forced)
    return found


def _result(files: BundleFiles, own: str, load: KeptLoad) -> RawResult:
    """Of a job whose files are in the directory `own`."""
    result = files.parsed(f"{own}/{layout.RESULT}", layout.RESULT_ADAPTER)
    sensors = tables.read_sensors(files, f"{own}/{layout.SENSORS}")
    sensed = None
    if not isinstance(result.sensed, Unknown) and not isinstance(sensors, Unknown):
        sensed = JobSensors(
            result.sensed.before, result.sensed.after, sensors, result.sensed.messages, result.sensed.late
        )
    return RawResult(
        job=load.job,
        engine=result.engine,
        elapsed_ns=result.elapsed_ns,
        error_count=result.error_count,
        dropped=result.dropped,
        cpu=None,
        stopped=result.stopped,
        timed=result.timed,
        sensed=sensed,
        directions={
            direction: DirectionResult(
                io_count=totals.io_count,
                io_bytes=totals.io_bytes,
                short_ios=totals.short_ios,
                runtime_ns=totals.runtime_ns,
                logged_bytes=totals.logged_bytes,
                latency={
                    kind: tables.read_histogram(files, f"{own}/{layout.HISTOGRAM}", direction, kind, result)
                    for kind in totals.latency
                },
                series=tables.read_series(files, f"{own}/{layout.SERIES}", direction),
            )
            for direction, totals in result.directions.items()
        },
    )
