"""`ssdlab power`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli import candidates
from ssdlab.cli.arguments import AsJson
from ssdlab.cli.language import sentence
from ssdlab.cli.metric_lines import remarks
from ssdlab.cli.table import Alignment, table_lines
from ssdlab.cli.terminal import say, say_json
from ssdlab.message import Message, message, number

if TYPE_CHECKING:
    from ssdlab.bundle.power import PowerRecord


def power(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help=message("help-power-run").id, autocompletion=candidates.runs)
    ],
    log: Annotated[Path, typer.Argument(metavar="LOG", help=message("help-power-log").id)],
    period: Annotated[str | None, typer.Option("--period", metavar="4us", help=message("help-power-period").id)] = None,
    as_json: AsJson = False,
) -> None:
    """See `help-power`."""
    from ssdlab.analysis.power.samples import PowerLogError
    from ssdlab.bundle.power import POWER_ADAPTER
    from ssdlab.bundle.quantities import POWER_QUANTITIES
    from ssdlab.cli.quantities import typed_or_none
    from ssdlab.library.power import add_power
    from ssdlab.message_json import IN_ENGLISH
    from ssdlab.report.metric_tables import metric_row
    from ssdlab.units import NS_PER_S, parse_duration_ns
    from ssdlab.unknown import Unknown

    period_ns = typed_or_none(parse_duration_ns, period)
    bundle = add_power(run, log, None if not period_ns else period_ns / NS_PER_S)
    record = bundle.power
    if isinstance(record, Unknown):
        # It was written a moment ago, and somebody has damaged it since.
        raise PowerLogError(record.reason)
    if as_json:
        say_json(POWER_ADAPTER.dump_python(record, mode="json", context=IN_ENGLISH))
        return
    say(_fit(record))
    rows = [metric_row(one) for one in bundle.metrics if one.key.quantity in POWER_QUANTITIES]
    cells: list[list[Message | str]] = [[row.name, sentence(row.value), remarks(row)] for row in rows]
    heads: list[Message | str] = [message("cli-column-metric"), message("cli-column-value"), ""]
    for line in table_lines(heads, cells, [Alignment.LEFT, Alignment.RIGHT, Alignment.LEFT]):
        say(line)


def _fit(record: "PowerRecord") -> Message:
    fit = record.fit
    return message(
        "cli-power-fit",
        meter=record.log.meter,
        offset_s=number(fit.offset_s, ".4f"),
        drift_ppm=number(fit.drift_ppm, "+.1f"),
        error_ms=number(fit.error_s * 1e3, ".2f"),
        used=fit.edges_used,
        edges=fit.edges,
    )
