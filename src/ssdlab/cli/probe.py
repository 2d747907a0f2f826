"""`ssdlab probe` and `ssdlab probes`."""

import json
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson, Erase, TargetText

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from ssdlab.drive.identity import DriveIdentity
    from ssdlab.engine.base import Progress
    from ssdlab.probe.answer import Answer
    from ssdlab.probe.run import Finding
    from ssdlab.probe.script import Probe


class EstimatorName(Enum):
    """Ways of drawing conclusions."""

    ROBUST = "robust"
    PAPER = "paper"


def probes(as_json: AsJson = False) -> None:
    """List the black-box probes."""
    from ssdlab.probe.registry import PROBES

    if as_json:
        fields = [
            {"name": one.name, "question": one.question, "limits": one.limits, "by_paper": one.by_paper}
            for one in PROBES
        ]
        print(json.dumps(fields, indent=2))
        return
    width = max(len(one.name) for one in PROBES)
    for one in PROBES:
        print(f"{one.name:{width}}  {one.question}")


def probe(
    name: Annotated[str, typer.Argument(metavar="NAME", help="One of `ssdlab probes`, `quick`, or `all`.")],
    target: TargetText,
    estimator: Annotated[
        EstimatorName,
        typer.Option("--estimator", help="How conclusions are drawn: robustly, or as the source paper prints it."),
    ] = EstimatorName.ROBUST,
    plan: Annotated[bool, typer.Option("--plan", help="Say what it would write and how long; touch nothing.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", metavar="NUMBER", min=0, help="Seed of the patterns.")] = None,
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="DIR", help="Also draw the drive's portrait and the evidence, as PNG and SVG."),
    ] = None,
    erase: Erase = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help="Where bundles are kept.")] = Path("lab"),
    as_json: AsJson = False,
) -> None:
    """Infer what is inside a drive from outside.

    Every answer has a grade: A and B can be relied on, C is a hint; what the data does not say is `not identifiable`, with the
    reason. The samples and the answers are a bundle, for `ssdlab show` and `ssdlab report`.
    """
    from ssdlab.cli.run import stop_like_ctrl_c
    from ssdlab.lab.open import open_bench
    from ssdlab.probe.keep import recorded
    from ssdlab.probe.registry import probes_named
    from ssdlab.probe.run import Session
    from ssdlab.probe.script import Estimator

    chosen = probes_named(name)
    if plan:
        _print_plan(chosen, target, as_json=as_json)
        return
    stop_like_ctrl_c()
    with open_bench(target, erase) as bench:
        used_seed = next(one for one in (seed, bench.default_seed, 0) if one is not None)
        session = Session(bench, used_seed, _progress_line())
        drive = bench.drive.identity
        findings = []
        with recorded(bench, session, chosen, Estimator(estimator.value), lab) as (bundle, found):
            for finding in found:
                findings.append(finding)
                if not as_json:
                    print_finding(finding)
    if as_json:
        fields = {"target": target, "seed": used_seed, "bundle": str(bundle), "probes": findings_fields(findings)}
        print(json.dumps(fields, indent=2))
    else:
        print(bundle)
    if png is not None:
        _draw(drive, findings, png, sys.stderr if as_json else sys.stdout)


def _draw(drive: "DriveIdentity", findings: "Sequence[Finding]", directory: Path, names_to: "TextIO") -> None:
    """Pictures, named on `names_to` so that JSON stays JSON."""
    from ssdlab.figure.probes import probe_figures
    from ssdlab.report.pictures import write_figures

    for picture in write_figures(probe_figures(drive, findings), directory):
        print(picture, file=names_to)


def _progress_line() -> "Callable[[str, Progress], None]":
    """What is being done, in a terminal only: one line that is written over."""

    def silent(_name: str, _progress: "Progress") -> None:
        return

    def line(name: str, progress: "Progress") -> None:
        share = "" if progress.share_done is None else f" {progress.share_done:4.0%}"
        print(f"\r{name}{share}\033[K", end="\r", file=sys.stderr, flush=True)

    return line if sys.stderr.isatty() else silent


_NAME_WIDTH = 24
"""Of most probes the longest name, so that their answers stand below each other."""


def print_finding(finding: "Finding") -> None:
    """What a probe said, a line an answer."""
    from ssdlab.probe.words import answer_words

    print(f"{finding.probe.name}: {finding.probe.question}")
    width = max([_NAME_WIDTH, *(len(answer.name) for answer in finding.answers)])
    if finding.refusal is not None:
        print(f"  not done: {finding.refusal}")
    else:
        print(f"  {'state of the drive':{width}} {finding.state.value}")
    for answer in finding.answers:
        print(f"  {answer.name:{width}} {answer_words(answer)}")
        if answer.note:
            print(f"  {'':{width}} {answer.note}")
    print()


def findings_fields(findings: "Sequence[Finding]") -> "list[dict[str, object]]":
    """The same for programs."""
    return [_fields(one) for one in findings]


def _fields(finding: "Finding") -> dict[str, object]:
    return {
        "probe": finding.probe.name,
        "state": finding.state.value,
        "refusal": finding.refusal,
        "answers": [_answer_fields(answer) for answer in finding.answers],
    }


def _answer_fields(answer: "Answer") -> dict[str, object]:
    from ssdlab.unknown import Unknown

    return {
        "name": answer.name,
        "value": {"unknown": answer.value.unknown} if isinstance(answer.value, Unknown) else answer.value,
        "unit": answer.unit,
        "low": None if answer.interval is None else answer.interval.low,
        "high": None if answer.interval is None else answer.interval.high,
        "separation": answer.separation,
        "replicated": answer.replicated.value,
        "grade": answer.grade.value,
        "note": answer.note,
    }


def _print_plan(chosen: "tuple[Probe, ...]", target: str, *, as_json: bool) -> None:
    from ssdlab.lab.open import identify
    from ssdlab.method.cost import FAST, SLOW
    from ssdlab.probe.cost import cost_of
    from ssdlab.probe.run import subject_of
    from ssdlab.probe.script import ProbeError
    from ssdlab.units import format_bytes, format_duration

    subject = subject_of(identify(target), 0, {})
    rows: list[dict[str, object]] = []
    for one in chosen:
        try:
            design = one.design_for(subject)
        except ProbeError as error:
            rows.append({"probe": one.name, "refusal": error.message})
            continue
        cost = cost_of(design)
        rows.append(
            {
                "probe": one.name,
                "needs": design.need.value,
                "region_bytes": design.region.length_bytes,
                "writes_bytes": cost.written_bytes,
                "slow_drive_ns": cost.duration_ns(SLOW),
                "fast_drive_ns": cost.duration_ns(FAST),
            }
        )
    if as_json:
        print(json.dumps({"target": target, "probes": rows}, indent=2))
        return
    print(f"{'probe':14} {'state before':18} {'writes':>10} {'slow drive':>11} {'fast drive':>11}")
    for row in rows:
        if "refusal" in row:
            print(f"{row['probe']:14} not possible: {row['refusal']}")
            continue
        slow, fast = (format_duration(float(str(row[key]))) for key in ("slow_drive_ns", "fast_drive_ns"))
        written = format_bytes(float(str(row["writes_bytes"])))
        print(f"{row['probe']:14} {row['needs']:18} {written:>10} {slow:>11} {fast:>11}")
