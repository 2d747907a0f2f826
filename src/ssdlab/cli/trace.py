"""`ssdlab trace record|import|show|cut|merge|scale|anonymise|export`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson
from ssdlab.cli.help_text import SpokenCommand, SpokenGroup
from ssdlab.cli.terminal import say, say_json, tell
from ssdlab.cli.trace_lines import made_lines, profile_lines
from ssdlab.errors import SsdlabError, UsageError
from ssdlab.message import message, number
from ssdlab.words import Language

if TYPE_CHECKING:
    from ssdlab.trace.look import TraceMeta

app = typer.Typer(cls=SpokenGroup, help=message("help-trace").id, no_args_is_help=True, rich_markup_mode=None)

TracePath = Annotated[Path, typer.Argument(metavar="TRACE", help=message("help-trace-path").id)]
Licence = Annotated[str | None, typer.Option("--licence", metavar="LICENCE", help=message("help-trace-licence").id)]
TraceOutput = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help=message("help-trace-output").id)]


@app.command("record", cls=SpokenCommand, help=message("help-trace-record").id)
def record_drive(
    drive: Annotated[Path, typer.Argument(metavar="DRIVE", help=message("help-trace-drive").id)],
    output: TraceOutput,
    licence: Licence = None,
) -> None:
    """See `help-trace-record`."""
    from ssdlab.cli.outlive import outlive_terminal
    from ssdlab.drive.recorded import record, recordable

    outlive_terminal()
    found = recordable(drive, output)
    if found.journal_on_it:
        tell(message("cli-note", note=message("trace-record-on-itself", path=str(drive))))
    tell(message("trace-record-begins", path=str(drive), device=found.name, journal=str(found.journal)))
    done = record(found, licence)
    _made(output, done.ios, done.meta)
    if done.gone:
        raise SsdlabError(
            message("trace-record-gone", path=str(drive)), message("trace-record-hint-gone", out=str(output))
        )


@app.command("import", cls=SpokenCommand, help=message("help-trace-import").id)
def import_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=message("help-trace-files").id)],
    output: TraceOutput,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=message("help-trace-format").id)
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", metavar="DEVICE", help=message("help-trace-device").id)
    ] = None,
    capacity: Annotated[
        str | None, typer.Option("--capacity", metavar="1TB", help=message("help-trace-capacity").id)
    ] = None,
    licence: Licence = None,
) -> None:
    """See `help-trace-import`."""
    from ssdlab.cli.quantities import typed_or_none
    from ssdlab.trace.make import Wanted, import_trace
    from ssdlab.units import parse_bytes

    wanted = Wanted(form, device, typed_or_none(parse_bytes, capacity), licence)
    _made(output, *import_trace(files, wanted, output))


@app.command("show", cls=SpokenCommand, help=message("help-trace-show").id)
def show(
    context: typer.Context,
    trace: TracePath,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=message("help-trace-page").id)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """See `help-trace-show`."""
    from ssdlab.trace.look import META_ADAPTER, PROFILE_ADAPTER, meta_of, profile_of

    if output is not None:
        from ssdlab.report.own_files import require_place_of_page

        require_place_of_page(output)
    _, meta = meta_of(trace)
    profile = profile_of(trace)
    if output is not None:
        from ssdlab.cli.memory import PAGE_ADDRESS_SPACE_BYTES_MIN, require_address_space
        from ssdlab.report.trace_page import write_trace_page

        require_address_space(PAGE_ADDRESS_SPACE_BYTES_MIN)
        write_trace_page(trace, output, context.obj or Language.ENGLISH)
    if as_json:
        say_json(
            {"trace": META_ADAPTER.dump_python(meta, mode="json")} | PROFILE_ADAPTER.dump_python(profile, mode="json")
        )
        return
    for line in profile_lines(trace, meta, profile):
        say(line)
    if output is not None:
        say(output)


@app.command("cut", cls=SpokenCommand, help=message("help-trace-cut").id)
def cut(
    trace: TracePath,
    output: TraceOutput,
    begin: Annotated[str, typer.Option("--from", metavar="10s", help=message("help-trace-from").id)] = "0s",
    end: Annotated[str | None, typer.Option("--to", metavar="70s", help=message("help-trace-to").id)] = None,
) -> None:
    """See `help-trace-cut`."""
    from ssdlab.cli.quantities import typed, typed_or_none
    from ssdlab.trace.look import meta_of
    from ssdlab.trace.make import cut_trace
    from ssdlab.units import parse_duration_ns

    from_ns, to_ns = typed(parse_duration_ns, begin), typed_or_none(parse_duration_ns, end)
    if to_ns is not None and to_ns <= from_ns:
        raise UsageError(message("trace-cut-backwards", begin=begin, end=str(end)), message("trace-cut-order"))
    cut_trace(trace, from_ns, 2**63 - 1 if to_ns is None else to_ns, output)
    _made(output, *meta_of(output))


@app.command("merge", cls=SpokenCommand, help=message("help-trace-merge").id)
def merge(
    traces: Annotated[list[Path], typer.Argument(metavar="TRACE...", help=message("help-trace-paths").id)],
    output: TraceOutput,
) -> None:
    """See `help-trace-merge`."""
    from ssdlab.trace.look import meta_of
    from ssdlab.trace.make import merge_traces

    merge_traces(traces, output)
    _made(output, *meta_of(output))


@app.command("scale", cls=SpokenCommand, help=message("help-trace-scale").id)
def scale(
    trace: TracePath,
    speed: Annotated[float, typer.Option("--speed", metavar="2", help=message("help-trace-speed").id)],
    output: TraceOutput,
) -> None:
    """See `help-trace-scale`."""
    from ssdlab.trace.look import meta_of
    from ssdlab.trace.make import scale_trace

    scale_trace(trace, speed, output)
    _made(output, *meta_of(output))


@app.command("anonymise", cls=SpokenCommand, help=message("help-trace-anonymise").id)
def anonymise(trace: TracePath, output: TraceOutput) -> None:
    """See `help-trace-anonymise`."""
    from ssdlab.trace.look import meta_of
    from ssdlab.trace.make import anonymise_trace

    anonymise_trace(trace, output)
    _made(output, *meta_of(output))


@app.command("export", cls=SpokenCommand, help=message("help-trace-export").id)
def export(
    trace: TracePath,
    output: TraceOutput,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=message("help-trace-export-format").id)
    ] = "fio-iolog",
    file_name: Annotated[
        str, typer.Option("--file-name", metavar="NAME", help=message("help-trace-file-name").id)
    ] = "trace",
) -> None:
    """See `help-trace-export`."""
    from ssdlab.trace.make import export_trace

    if form not in {"fio-iolog", "blkparse"}:
        raise UsageError(message("trace-no-export-format", name=form), message("trace-export-formats"))
    if not file_name or any(letter.isspace() for letter in file_name) or len(file_name.encode()) > 255:
        raise UsageError(message("trace-file-name", name=file_name), message("trace-file-name-hint"))
    ios, left_out = export_trace(trace, file_name if form == "fio-iolog" else None, output)
    say(output)
    tell(message("trace-exported", count=ios, ios=number(ios)))
    if left_out:
        tell(
            message(
                "cli-note", note=message("trace-export-left-out", count=left_out, ios=number(left_out), format=form)
            )
        )


def _made(output: Path, ios: int, meta: "TraceMeta") -> None:
    say(output)
    for line in made_lines(ios, meta, output.stat().st_size):
        tell(line)
