"""Answers and evidence of probes read back from a bundle."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ssdlab.bundle import layout, tables
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import Bundle
from ssdlab.engine.commands import Commands, Samples
from ssdlab.engine.result import DirectionResult, RawResult, Sensed
from ssdlab.method.probes import NAME
from ssdlab.probe.record import ACTS, ACTS_ADAPTER, ANSWERS, ANSWERS_ADAPTER, SAMPLES, KeptAsk, KeptLoad
from ssdlab.probe.registry import PROBES
from ssdlab.probe.run import Finding
from ssdlab.probe.script import Evidence
from ssdlab.unknown import Unknown


def is_probed(bundle: Bundle) -> bool:
    """Whether a bundle was written by probes."""
    return bundle.run.suite.name == NAME


def findings_of(bundle: Bundle) -> tuple[Finding, ...]:
    """What each finished probe said, with its evidence; probes this ssdlab does not have any more are left out."""
    by_name = {probe.name: probe for probe in PROBES}
    found = []
    for step in bundle.finished():
        if (probe := by_name.get(step.name)) is None:
            continue
        kept = ANSWERS_ADAPTER.validate_json((bundle.directory(step) / ANSWERS).read_bytes())
        evidence = None if kept.refusal is not None else evidence_of(bundle, step)
        found.append(
            Finding(probe=probe, state=step.state, answers=kept.answers, evidence=evidence, refusal=kept.refusal)
        )
    return tuple(found)


def evidence_of(bundle: Bundle, step: Step) -> Evidence:
    """The samples and results of a finished probe, as the engine gave them."""
    directory = bundle.directory(step)
    acts = ACTS_ADAPTER.validate_json((directory / ACTS).read_bytes())
    loaded = {one.name: _result(directory, one) for one in acts.loaded}
    return Evidence(_samples(directory / SAMPLES, acts.asked), loaded, acts.late)


def _samples(path: Path, asked: Sequence[KeptAsk]) -> dict[str, Samples]:
    if not asked:
        return {}
    columns = tables.read_columns(path)
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
        found[one.name] = Samples(commands, submitted, completed, one.forced)
    return found


def _result(directory: Path, load: KeptLoad) -> RawResult:
    own = directory / load.directory
    result = layout.RESULT_ADAPTER.validate_json((own / layout.RESULT).read_bytes())
    sensors = tables.read_sensors(own / layout.SENSORS)
    sensed = None
    if not isinstance(result.sensed, Unknown) and not isinstance(sensors, Unknown):
        sensed = Sensed(result.sensed.before, result.sensed.after, sensors, result.sensed.messages, result.sensed.late)
    return RawResult(
        job=load.job,
        engine=result.engine,
        elapsed_ns=result.elapsed_ns,
        error_count=result.error_count,
        dropped=result.dropped,
        cpu=None,
        stopped=result.stopped,
        sensed=sensed,
        directions={
            direction: DirectionResult(
                io_count=totals.io_count,
                io_bytes=totals.io_bytes,
                short_ios=totals.short_ios,
                runtime_ns=totals.runtime_ns,
                logged_bytes=totals.logged_bytes,
                latency={
                    kind: tables.read_histogram(own / layout.HISTOGRAM, direction, kind, result)
                    for kind in totals.latency
                },
                series=tables.read_series(own / layout.SERIES, direction),
            )
            for direction, totals in result.directions.items()
        },
    )
