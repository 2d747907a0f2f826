"""`ssdlab show`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.audit_lines import audit_lines
from ssdlab.cli.import_lines import ImportForm, show_import
from ssdlab.cli.metric_lines import metric_lines, step_lines
from ssdlab.errors import ExitStatus

if TYPE_CHECKING:
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
    from ssdlab.bundle.imported import is_imported
    from ssdlab.bundle.read import open_bundle
    from ssdlab.lab.run import conclude_again
    from ssdlab.method.probes import NAME as PROBE

    path = newest_run(lab) if run is None else run
    if is_imported(path):
        show_import(path, ImportForm.JSON if as_json else ImportForm.LINES, again=again)
        return
    bundle = open_bundle(path)
    if bundle.run.suite.name == PROBE:
        _show_probed(bundle, again=again, as_json=as_json)
        return
    bundle = conclude_again(path) if again else bundle
    if as_json:
        print(_as_json(bundle))
    else:
        _print_bundle(bundle)
    if failed(bundle.audit):
        raise typer.Exit(ExitStatus.AUDIT_FAILED)


def _show_probed(bundle: "Bundle", *, again: bool, as_json: bool) -> None:
    """What probes said, as when they were run."""
    from ssdlab.cli.probe import print_finding
    from ssdlab.probe.conclude import estimate_again
    from ssdlab.probe.kept import findings_of

    bundle = estimate_again(bundle.path) if again else bundle
    if as_json:
        print(_as_json(bundle))
        return
    _print_head(bundle)
    print()
    for finding in findings_of(bundle):
        print_finding(finding)


def _as_json(bundle: "Bundle") -> str:
    import json

    from ssdlab.bundle import layout
    from ssdlab.bundle.totals import TOTALS_ADAPTER

    return json.dumps(
        {
            "path": str(bundle.path),
            "status": bundle.status.value,
            "reason": bundle.reason,
            "faults": list(bundle.faults),
            "warnings": list(bundle.warnings),
            "run": layout.RUN_ADAPTER.dump_python(bundle.run, mode="json"),
            "steps": layout.STEPS_ADAPTER.dump_python(bundle.steps, mode="json"),
            "thinned": TOTALS_ADAPTER.dump_python(bundle.thinned, mode="json"),
            "metrics": layout.METRICS_ADAPTER.dump_python(bundle.metrics, mode="json"),
            "audit": layout.AUDIT_ADAPTER.dump_python(bundle.audit, mode="json"),
        },
        indent=2,
    )


def _print_bundle(bundle: "Bundle") -> None:
    from ssdlab.analysis.sustain_words import sentences
    from ssdlab.method.sustain import NAME as SUSTAIN

    _print_head(bundle)
    if bundle.run.suite.name == SUSTAIN:
        for sentence in sentences(bundle.metrics, bundle.not_whole):
            print(sentence)
    if bundle.metrics:
        print()
    for line in metric_lines(bundle):
        print(line)
    print()
    for line in audit_lines(bundle.audit):
        print(line)


def _print_head(bundle: "Bundle") -> None:
    from ssdlab.bundle.model import RunStatus
    from ssdlab.units import format_bytes_decimal

    run = bundle.run
    scaled = "" if run.comparable else ", not comparable"
    print(f"{run.suite.name} {run.suite.version} (profile {run.profile}{scaled}) on {run.drive.target}")
    print(f"{run.drive.description}, {format_bytes_decimal(run.drive.capacity_bytes)}, {run.engine}, {run.started_at}")
    print(_ending(bundle))
    if bundle.status is not RunStatus.FINISHED:
        for line in step_lines(bundle):
            print(line)
    for totals in bundle.thinned:
        print(f"{totals.count:,} more steps `{totals.name}...` are kept as totals (`--json` has them)")
    for one in bundle.resumptions:
        print(f"resumed {one.at}: {len(one.redone)} steps done again: {one.reason}")
    for fault in bundle.faults:
        print(f"damaged: {fault}")
    for warning in bundle.warnings:
        print(f"note: {warning}")


def _ending(bundle: "Bundle") -> str:
    from ssdlab.bundle.model import RunStatus

    if bundle.status is RunStatus.UNFINISHED:
        return "unfinished: still running, or ended without a word (killed, power lost)"
    return bundle.status.value if bundle.reason is None else f"{bundle.status.value}: {bundle.reason}"
