"""`ssdlab probe` and `ssdlab probes`."""

import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.answer_lines import answer_lines
from ssdlab.cli.arguments import AsJson, Erase, MaxTemperature, MaxWrite, TargetText, require_order
from ssdlab.cli.language import sentence
from ssdlab.cli.next_step import tell_next
from ssdlab.cli.outlive import lost_of, outlive_terminal
from ssdlab.cli.quantities import SEED_MAX
from ssdlab.cli.table import Alignment, padded, table_lines
from ssdlab.cli.terminal import rewrite, say, say_json, tell
from ssdlab.message import Message, message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ssdlab.bundle.read import Bundle
    from ssdlab.drive.identity import DriveIdentity
    from ssdlab.engine.base import Progress
    from ssdlab.lab.lost import Lost
    from ssdlab.probe.answer import Answer
    from ssdlab.probe.run import ProbeResult
    from ssdlab.probe.script import Design, Need, Probe, ProbeError


class EstimatorName(Enum):
    """Ways of drawing conclusions."""

    ROBUST = "robust"
    PAPER = "paper"


def probes(as_json: AsJson = False) -> None:
    """See `help-probes`."""
    from ssdlab.probe.probes.registry import PROBES

    if as_json:
        fields = [
            {"name": one.name, "question": str(one.question), "limits": str(one.limits), "by_paper": one.by_paper}
            for one in PROBES
        ]
        say_json(fields)
        return
    width = max(len(one.name) for one in PROBES)
    for one in PROBES:
        say(f"{one.name:{width}}  {sentence(one.question)}")


def probe(
    name: Annotated[str, typer.Argument(metavar="NAME", help=message("help-probe-name").id)],
    target: TargetText,
    estimator: Annotated[
        EstimatorName,
        typer.Option("--estimator", help=message("help-probe-estimator").id),
    ] = EstimatorName.ROBUST,
    plan: Annotated[bool, typer.Option("--plan", help=message("help-probe-plan").id)] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="NUMBER", min=0, max=SEED_MAX, help=message("help-probe-seed").id)
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option("--png", metavar="DIR", help=message("help-probe-png").id),
    ] = None,
    erase: Erase = None,
    max_temperature: MaxTemperature = None,
    max_write: MaxWrite = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
    as_json: AsJson = False,
) -> None:
    """See `help-probe`."""
    from ssdlab.cli.run import limits_of
    from ssdlab.lab.bench import open_bench
    from ssdlab.lab.limits import Watchdog
    from ssdlab.place import require_directory, require_picture_directory
    from ssdlab.probe.probes.registry import probes_named
    from ssdlab.probe.run import Session
    from ssdlab.probe.script import Estimator
    from ssdlab.probe.store.writer import record_probes

    require_order("probe", name, target)
    chosen = probes_named(name)
    if plan:
        _print_plan(chosen, target, as_json=as_json)
        return
    require_directory(lab)
    if png is not None:
        require_picture_directory(png)
    limits = limits_of(max_temperature, max_write)
    outlive_terminal()
    with open_bench(target, erase) as bench:
        used_seed = next(one for one in (seed, bench.default_seed, 0) if one is not None)
        session = Session(bench, used_seed, _progress_line(), watchdog=Watchdog(limits))
        drive = bench.drive.identity
        heard = _Lines(print_finding if not as_json else lambda _finding: None)
        bundle, findings = record_probes(session, chosen, Estimator(estimator.value), lab, heard), heard.findings
    if as_json:
        fields = {"target": target, "seed": used_seed, "bundle": str(bundle.path), "probes": findings_fields(findings)}
        say_json(fields)
    else:
        _print_answer(bundle)
        say(bundle.path)
        tell_next("report", bundle.path)
    if png is not None:
        _draw(drive, findings, png, tell if as_json else say)


class _Lines:
    """Keeps the findings and shows each; warnings go to stderr."""

    def __init__(self, show: "Callable[[ProbeResult], None]") -> None:
        self.findings: list[ProbeResult] = []
        self._show = show

    @property
    def lost(self) -> "Lost | None":
        """See `Audience`."""
        return lost_of(sys.stdout) or lost_of(sys.stderr)

    def found(self, finding: "ProbeResult") -> None:
        """See `Listener`."""
        self.findings.append(finding)
        self._show(finding)

    def warning(self, text: Message | str) -> None:
        """See `Listener`."""
        tell(message("cli-warning", text=text))


def _print_answer(bundle: "Bundle") -> None:
    """What is sure of all that was found, after all evidence: a probe tells its own as soon as it ends."""
    from ssdlab.report.first_screen.screen import first_screen

    say()
    for line in answer_lines(first_screen([bundle])):
        say(line)
    say()


def _draw(
    drive: "DriveIdentity", findings: "Sequence[ProbeResult]", directory: Path, name_it: "Callable[[object], None]"
) -> None:
    """Pictures, named by `name_it` so that JSON stays JSON."""
    from ssdlab.figure.probe.registry import probe_figures
    from ssdlab.report.pictures import PlacedFigures, write_pictures

    for picture in write_pictures([PlacedFigures(directory, tuple(probe_figures(drive, findings)))]):
        name_it(picture.path)


def _progress_line() -> "Callable[[str, Progress], None]":
    """What is being done, in a terminal only: one line that is written over."""

    def silent(_name: str, _progress: "Progress") -> None:
        return

    def line(name: str, progress: "Progress") -> None:
        share = "" if progress.share_done is None else f" {progress.share_done:4.0%}"
        rewrite(f"{name}{share}")

    return line if sys.stderr.isatty() else silent


_NAME_WIDTH = 24
"""Of most probes the longest name, so that their answers stand below each other."""


def print_finding(finding: "ProbeResult") -> None:
    """What a probe said, a line an answer."""
    from ssdlab.bundle.state_words import STATE_WORDS
    from ssdlab.probe.words import answer_message

    say(f"{finding.probe.name}: {sentence(finding.probe.question)}")
    width = max([_NAME_WIDTH, *(len(answer.name) for answer in finding.answers)])
    if finding.refusal is not None:
        say(f"  {sentence(message('cli-probe-not-done', why=finding.refusal))}")
    else:
        title = padded(sentence(message("cli-probe-state")), width)
        say(f"  {title} {sentence(STATE_WORDS[finding.state])}")
    for answer in finding.answers:
        say(f"  {answer.name:{width}} {sentence(answer_message(answer))}")
        if answer.note is not None:
            say(f"  {'':{width}} {sentence(answer.note)}")
    say()


def findings_fields(findings: "Sequence[ProbeResult]") -> "list[dict[str, object]]":
    """The same for programs."""
    return [_fields(one) for one in findings]


def _fields(finding: "ProbeResult") -> dict[str, object]:
    return {
        "probe": finding.probe.name,
        "state": finding.state.value,
        "refusal": None if finding.refusal is None else str(finding.refusal),
        "answers": [_answer_fields(answer) for answer in finding.answers],
    }


def _answer_fields(answer: "Answer") -> dict[str, object]:
    return {
        "name": answer.name,
        "value": _value_field(answer),
        "unit": answer.unit,
        "low": None if answer.interval is None else answer.interval.low,
        "high": None if answer.interval is None else answer.interval.high,
        "separation": answer.separation,
        "replicated": answer.replicated.value,
        "grade": answer.grade.value,
        "note": "" if answer.note is None else str(answer.note),
    }


def _value_field(answer: "Answer") -> object:
    from ssdlab.message import Message
    from ssdlab.unknown import Unknown

    match answer.value:
        case Unknown(reason):
            return {"unknown": str(reason)}
        case Message():
            return str(answer.value)
        case float() | int():
            return answer.value


def _print_plan(chosen: "tuple[Probe, ...]", target: str, *, as_json: bool) -> None:
    from ssdlab.lab.bench import identify
    from ssdlab.probe.run import subject_of
    from ssdlab.probe.script import ProbeError

    subject = subject_of(identify(target), 0, {})
    designs: dict[str, Design | ProbeError] = {}
    for asked in chosen:
        try:
            designs[asked.name] = asked.design_for(subject)
        except ProbeError as error:
            designs[asked.name] = error
    if as_json:
        say_json({"target": target, "probes": [_plan_fields(name, design) for name, design in designs.items()]})
        return
    for line in _plan_table({name: design for name, design in designs.items() if not isinstance(design, ProbeError)}):
        say(line)
    for name, design in designs.items():
        if isinstance(design, ProbeError):
            say(f"{name}: {sentence(message('cli-probe-not-possible', why=design.message))}")


def _plan_fields(name: str, design: "Design | ProbeError") -> dict[str, object]:
    from ssdlab.method.cost import FAST, SLOW
    from ssdlab.probe.cost import cost_of
    from ssdlab.probe.script import ProbeError

    if isinstance(design, ProbeError):
        return {"probe": name, "refusal": str(design)}
    cost = cost_of(design)
    return {
        "probe": name,
        "needs": design.need.value,
        "region_bytes": design.region.length_bytes,
        "writes_bytes": cost.written_bytes,
        "slow_drive_ns": cost.duration_ns(SLOW),
        "fast_drive_ns": cost.duration_ns(FAST),
    }


def _plan_table(designs: "Mapping[str, Design]") -> "Iterator[str]":
    """What each probe needs, writes, and how long it takes."""
    from ssdlab.method.cost import FAST, SLOW
    from ssdlab.probe.cost import cost_of
    from ssdlab.units import format_bytes, format_duration

    head = (
        message("cli-column-probe"),
        message("cli-plan-state-before"),
        message("cli-plan-writes"),
        message("cli-plan-slow-drive"),
        message("cli-plan-fast-drive"),
    )
    rows: list[tuple[Message | str, ...]] = []
    for name, design in designs.items():
        cost = cost_of(design)
        took = [format_duration(cost.duration_ns(speed)) for speed in (SLOW, FAST)]
        rows.append((name, _needed(design.need), format_bytes(cost.written_bytes), *took))
    return table_lines(head, rows, (Alignment.LEFT, Alignment.LEFT, *[Alignment.RIGHT] * 3)) if rows else iter(())


def _needed(need: "Need") -> Message:
    from ssdlab.probe.script import Need

    match need:
        case Need.ANY:
            return message("cli-need-any")
        case Need.MAPPED:
            return message("cli-need-written")
        case Need.SEQUENTIAL:
            return message("cli-need-in-order")
        case Need.FRESH:
            return message("cli-need-purged")
