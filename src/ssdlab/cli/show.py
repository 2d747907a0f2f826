"""`ssdlab show`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.audit_lines import audit_lines
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
    from ssdlab.bundle.model import Metric, Step
    from ssdlab.bundle.read import Bundle


def show(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="A bundle; the newest under --lab if not given.")
    ] = None,
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help="Where bundles are kept.")] = Path("lab"),
    again: Annotated[bool, typer.Option("--again", help="Compute metrics and audit anew from the raw data.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a run's metrics and audit."""
    from ssdlab.analysis.audit import failed
    from ssdlab.bundle.find import newest_run
    from ssdlab.bundle.read import open_bundle
    from ssdlab.lab.run import conclude_again

    path = newest_run(lab) if run is None else run
    bundle = conclude_again(path) if again else open_bundle(path)
    if as_json:
        print(_as_json(bundle))
    else:
        _print_bundle(bundle)
    if failed(bundle.audit):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _as_json(bundle: "Bundle") -> str:
    import json

    from ssdlab.bundle import layout

    return json.dumps(
        {
            "path": str(bundle.path),
            "status": bundle.status.value,
            "reason": bundle.reason,
            "faults": list(bundle.faults),
            "warnings": list(bundle.warnings),
            "run": layout.RUN_ADAPTER.dump_python(bundle.run, mode="json"),
            "steps": layout.STEPS_ADAPTER.dump_python(bundle.steps, mode="json"),
            "metrics": layout.METRICS_ADAPTER.dump_python(bundle.metrics, mode="json"),
            "audit": layout.AUDIT_ADAPTER.dump_python(bundle.audit, mode="json"),
        },
        indent=2,
    )


def _print_bundle(bundle: "Bundle") -> None:
    from ssdlab.bundle.model import RunStatus
    from ssdlab.units import format_bytes_decimal

    run = bundle.run
    scaled = "" if run.comparable else ", not comparable"
    print(f"{run.suite.name} {run.suite.version} (profile {run.profile}{scaled}) on {run.drive.target}")
    print(f"{run.drive.description}, {format_bytes_decimal(run.drive.capacity_bytes)}, {run.engine}, {run.started_at}")
    print(_ending(bundle))
    if bundle.status is not RunStatus.FINISHED:
        for step in bundle.steps:
            print(f"  {step.index}/{len(bundle.steps)} {step.name}: {_how_far(step)}")
    for one in bundle.resumptions:
        print(f"resumed {one.at}: {len(one.redone)} steps done again: {one.reason}")
    for fault in bundle.faults:
        print(f"damaged: {fault}")
    for warning in bundle.warnings:
        print(f"note: {warning}")
    if bundle.metrics:
        print()
    rows = [(metric.name, *_words(metric)) for metric in bundle.metrics]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for name, value, state, mark in rows:
        print(f"{name:{widths[0]}}  {value:>{widths[1]}}  {state:{widths[2]}}  {mark}".rstrip())
    print()
    for line in audit_lines(bundle.audit):
        print(line)


def _ending(bundle: "Bundle") -> str:
    from ssdlab.bundle.model import RunStatus

    if bundle.status is RunStatus.UNFINISHED:
        return "unfinished: still running, or ended without a word (killed, power lost)"
    return bundle.status.value if bundle.reason is None else f"{bundle.status.value}: {bundle.reason}"


def _how_far(step: "Step") -> str:
    """What became of a step, and where it ended if it did not finish."""
    from ssdlab.units import format_bytes

    words = step.status.value if step.reason is None else f"{step.status.value}: {step.reason}"
    if step.job is None or step.bytes_done is None:
        return words
    return f"{words}, after about {format_bytes(step.bytes_done)} of {format_bytes(step.job.amount_bytes or 0)}"


def _words(metric: "Metric") -> tuple[str, str, str]:
    """Value with unit and interval, drive state, and what a reader must know."""
    from ssdlab.unknown import Unknown

    remarks = [f"FAILED {name}" for name in metric.failed_checks]
    remarks.append(metric.value.unknown if isinstance(metric.value, Unknown) else metric.note)
    return _value(metric), metric.state.value, "; ".join(remark for remark in remarks if remark)


def _value(metric: "Metric") -> str:
    from ssdlab.units import format_interval, format_quantity
    from ssdlab.unknown import Unknown

    if isinstance(metric.value, Unknown):
        return "unknown"
    if isinstance(metric.value, bool):
        return "yes" if metric.value else "no"
    if isinstance(metric.value, str):
        return metric.value
    value = format_quantity(metric.value, metric.unit, metric.low, metric.high)
    if metric.low is None or metric.high is None:
        return value
    return f"{value} [{format_interval(metric.value, metric.unit, metric.low, metric.high)}]"
