"""Conclusions of a bundle of probes: its metrics, and its answers drawn again from the samples by the present estimators."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import write_checked
from ssdlab.bundle.damage import made_sense_of
from ssdlab.bundle.examine import INTACT, examined
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import quantity_of
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import conclusions, write_conclusions
from ssdlab.message import Message, message, semicolons
from ssdlab.method.probes import NAME
from ssdlab.point import Point
from ssdlab.probe.answer import Answer
from ssdlab.probe.host_time import concluded
from ssdlab.probe.run import ProbeResult, subject_of
from ssdlab.probe.script import Ask, BulkLoad, Design, Estimator, ProbeError
from ssdlab.probe.store.files import ANSWERS, ANSWERS_ADAPTER, KeptAnswers
from ssdlab.probe.store.reader import findings_of
from ssdlab.probe.words import grade_message


def conclude_probes(path: Path) -> Bundle:
    """Write the answers as metrics, and return the bundle as it now is.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be written to.
    """
    write_conclusions(path, tuple(_metrics(findings_of(open_bundle(path)))), ())
    return open_bundle(path)


def _metrics(findings: tuple[ProbeResult, ...]) -> Iterator[Metric]:
    for finding in findings:
        for answer in finding.answers:
            yield Metric(
                # A probe has words of its own for what it infers.
                key=MetricKey(Point(NAME), quantity_of(answer.name)),
                value=str(answer.value) if isinstance(answer.value, Message) else answer.value,
                unit=answer.unit,
                state=finding.state,
                step=finding.probe.name,
                low=None if answer.interval is None else answer.interval.low,
                high=None if answer.interval is None else answer.interval.high,
                note=_note(answer),
            )


def _note(answer: Answer) -> Message:
    grade = grade_message(answer.grade)
    return grade if answer.note is None else message("probe-notes", notes=semicolons(grade, answer.note))


def estimate_again(path: Path) -> Bundle:
    """Draw all answers anew from the samples, write them and the metrics into the bundle, and return it as it now is.

    A probe that now takes other samples, or none of such a drive, keeps the answers it gave. Where samples are damaged, nothing is written.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be written to.
    """
    bundle = examined(open_bundle(path))
    with made_sense_of(path):
        findings = _estimated(bundle)
    metrics = tuple(_metrics(findings))
    if any(check.name == INTACT for check in bundle.audit):
        return replace(bundle, metrics=metrics)
    write_checked(path, _answers(bundle, findings) | conclusions(metrics, ()))
    return open_bundle(path)


def _estimated(bundle: Bundle) -> tuple[ProbeResult, ...]:
    estimator = Estimator(tomllib.loads(bundle.run.suite.text)[NAME]["estimator"])
    known: dict[str, Answer] = {}
    findings = []
    for finding in findings_of(bundle):
        answers = _answers_again(bundle, finding, estimator, known)
        known |= {answer.name: answer for answer in answers}
        findings.append(replace(finding, answers=answers))
    return tuple(findings)


def _answers(bundle: Bundle, findings: tuple[ProbeResult, ...]) -> dict[str, bytes]:
    """Their files, by their names in the bundle."""
    steps = {step.name: step for step in bundle.finished()}
    return {
        bundle.name(steps[one.probe.name], ANSWERS): layout.pretty_json(
            ANSWERS_ADAPTER, KeptAnswers(refusal=one.refusal, answers=one.answers)
        )
        for one in findings
    }


def _answers_again(
    bundle: Bundle, finding: ProbeResult, estimator: Estimator, known: dict[str, Answer]
) -> tuple[Answer, ...]:
    if finding.evidence is None:
        return finding.answers
    try:
        design = finding.probe.design_for(subject_of(bundle.run.drive, bundle.run.seed, known))
    except ProbeError:
        return finding.answers
    there = {*finding.evidence.asked, *finding.evidence.loaded}
    if not _must(design) <= there <= _may(design):
        return finding.answers
    return concluded(design, finding.evidence, estimator)


def _must(design: Design) -> set[str]:
    """Acts without which there is no conclusion."""
    return {
        act.name for act in design.acts if isinstance(act, BulkLoad) or (isinstance(act, Ask) and act.needed is None)
    }


def _may(design: Design) -> set[str]:
    return {act.name for act in design.acts if isinstance(act, Ask | BulkLoad)}
