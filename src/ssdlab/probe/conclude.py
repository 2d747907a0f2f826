"""Conclusions of a bundle of probes: its metrics, and its answers drawn again from the samples by the present estimators."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import write_conclusions
from ssdlab.durable import write_durably
from ssdlab.method.probes import NAME
from ssdlab.probe.answer import Answer
from ssdlab.probe.host_time import concluded
from ssdlab.probe.kept import findings_of
from ssdlab.probe.record import ANSWERS, ANSWERS_ADAPTER, KeptAnswers
from ssdlab.probe.run import Finding, subject_of
from ssdlab.probe.script import Ask, Design, Estimator, Load


def conclude_probes(path: Path) -> Bundle:
    """Write the answers as metrics, and return the bundle as it now is.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be written to.
    """
    write_conclusions(path, tuple(_metrics(findings_of(open_bundle(path)))), ())
    return open_bundle(path)


def _metrics(findings: tuple[Finding, ...]) -> Iterator[Metric]:
    for finding in findings:
        for answer in finding.answers:
            yield Metric(
                name=f"{NAME}.{answer.name}",
                value=answer.value,
                unit=answer.unit,
                state=finding.state,
                step=finding.probe.name,
                low=None if answer.interval is None else answer.interval.low,
                high=None if answer.interval is None else answer.interval.high,
                note="; ".join(part for part in (f"grade {answer.grade.value}", answer.note) if part),
            )


def estimate_again(path: Path) -> Bundle:
    """Draw all answers anew from the samples, write them and the metrics into the bundle, and return it as it now is.

    A probe that now takes other samples keeps the answers it gave.

    Raises:
        BundleError: It cannot be opened.
        OSError: It cannot be written to.
    """
    bundle = open_bundle(path)
    estimator = Estimator(tomllib.loads(bundle.run.suite.text)[NAME]["estimator"])
    known: dict[str, Answer] = {}
    steps = {step.name: step for step in bundle.finished()}
    for finding in findings_of(bundle):
        answers = _answers_again(bundle, finding, estimator, known)
        known |= {answer.name: answer for answer in answers}
        kept = KeptAnswers(refusal=finding.refusal, answers=answers)
        directory = bundle.directory(steps[finding.probe.name])
        write_durably(directory / ANSWERS, layout.pretty_json(ANSWERS_ADAPTER, kept))
    return conclude_probes(path)


def _answers_again(
    bundle: Bundle, finding: Finding, estimator: Estimator, known: dict[str, Answer]
) -> tuple[Answer, ...]:
    if finding.evidence is None:
        return finding.answers
    design = finding.probe.design_for(subject_of(bundle.run.drive, bundle.run.seed, known))
    there = {*finding.evidence.asked, *finding.evidence.loaded}
    if not _must(design) <= there <= _may(design):
        return finding.answers
    return concluded(design, finding.evidence, estimator)


def _must(design: Design) -> set[str]:
    """Acts without which there is no conclusion."""
    return {act.name for act in design.acts if isinstance(act, Load) or (isinstance(act, Ask) and act.needed is None)}


def _may(design: Design) -> set[str]:
    return {act.name for act in design.acts if isinstance(act, Ask | Load)}
