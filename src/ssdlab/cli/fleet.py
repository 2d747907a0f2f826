"""`ssdlab fleet`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.arguments import AsJson, MaxWrite, ProfileName, SuiteName
from ssdlab.cli.extra import require_extra
from ssdlab.cli.help_text import SpokenCommand, SpokenGroup
from ssdlab.cli.terminal import say, say_json, say_wrapped, tell
from ssdlab.message import message

if TYPE_CHECKING:
    from ssdlab.fleet.records import Database, FleetRun

app = typer.Typer(cls=SpokenGroup, help=message("help-fleet").id, no_args_is_help=True, rich_markup_mode=None)

DatabaseUrl = Annotated[
    str,
    typer.Option("--database", metavar="URL", envvar="SSDLAB_DATABASE", help=message("help-fleet-database").id),
]
StoreText = Annotated[str, typer.Argument(metavar="STORE", help=message("help-fleet-store").id)]
Numbers = Annotated[list[int], typer.Argument(metavar="NUMBER...", help=message("help-fleet-numbers").id)]


@app.command("init", cls=SpokenCommand, help=message("help-fleet-init").id)
def init(database: DatabaseUrl) -> None:
    """See `help-fleet-init`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.fleet.database import make_fleet

    make_fleet(database)
    tell(message("fleet-made"))


@app.command("drives", cls=SpokenCommand, help=message("help-fleet-drives").id)
def drives(database: DatabaseUrl, as_json: AsJson = False) -> None:
    """See `help-fleet-drives`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.cli.fleet_lines import drive_fields, drive_lines
    from ssdlab.fleet import records
    from ssdlab.fleet.database import connected

    with connected(database) as connection:
        found = records.drives(connection)
    if as_json:
        say_json({"drives": [drive_fields(one) for one in found]})
        return
    for line in drive_lines(found):
        say(line)


@app.command("submit", cls=SpokenCommand, help=message("help-fleet-submit").id)
def submit(
    suite: SuiteName,
    database: DatabaseUrl,
    conditions: Annotated[
        list[str], typer.Option("--drives", metavar="KEY=PATTERN", help=message("help-fleet-which").id)
    ],
    profile: ProfileName = "standard",
    repeat: Annotated[int, typer.Option("--repeat", min=1, max=1000, help=message("help-fleet-repeat").id)] = 1,
    priority: Annotated[
        int, typer.Option("--priority", min=-1000, max=1000, help=message("help-fleet-priority").id)
    ] = 0,
    max_write: MaxWrite = None,
) -> None:
    """See `help-fleet-submit`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.cli.run import limits_of
    from ssdlab.fleet.database import connected
    from ssdlab.fleet.submit import Wish, condition_of, submit_where
    from ssdlab.method.builtin import load_suite

    wanted = [condition_of(text) for text in conditions]
    wish = Wish(
        suite=load_suite(suite),
        profile=profile,
        repeat=repeat,
        priority=priority,
        write_bytes_max=limits_of(None, max_write).write_bytes_max,
    )
    with connected(database) as connection:
        submitted = submit_where(connection, wish, wanted)
    for one in submitted:
        say(f"{one.number}  {one.serial}")


@app.command("status", cls=SpokenCommand, help=message("help-fleet-status").id)
def status(database: DatabaseUrl, as_json: AsJson = False) -> None:
    """See `help-fleet-status`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.cli.fleet_lines import run_fields, run_lines
    from ssdlab.fleet import records
    from ssdlab.fleet.database import connected

    with connected(database) as connection:
        found = records.runs(connection)
    if as_json:
        say_json({"runs": [run_fields(one) for one in found]})
        return
    for line in run_lines(found):
        say(line)


@app.command("cancel", cls=SpokenCommand, help=message("help-fleet-cancel").id)
def cancel(numbers: Numbers, database: DatabaseUrl) -> None:
    """See `help-fleet-cancel`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.errors import SsdlabError
    from ssdlab.fleet import queue
    from ssdlab.fleet.database import connected
    from ssdlab.fleet.records import FleetRunState

    with connected(database) as connection:
        for run in _runs(connection, numbers):
            done = queue.cancel(connection, run)
            if done is None:
                raise SsdlabError(message("fleet-is-over", number=run.number))
            tell(
                message("fleet-cancelled-number", number=run.number)
                if done is FleetRunState.CANCELLED
                else message("fleet-stopping-number", number=run.number)
            )


@app.command("retry", cls=SpokenCommand, help=message("help-fleet-retry").id)
def retry(numbers: Numbers, database: DatabaseUrl) -> None:
    """See `help-fleet-retry`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.errors import SsdlabError
    from ssdlab.fleet import queue
    from ssdlab.fleet.database import connected

    with connected(database) as connection:
        for run in _runs(connection, numbers):
            if not queue.retry(connection, run):
                raise SsdlabError(message("fleet-not-to-retry", number=run.number))
            tell(message("fleet-retried-number", number=run.number))


@app.command("logs", cls=SpokenCommand, help=message("help-fleet-logs").id)
def logs(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help=message("help-fleet-number").id)],
    database: DatabaseUrl,
) -> None:
    """See `help-fleet-logs`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.fleet import records
    from ssdlab.fleet.database import connected

    with connected(database) as connection:
        (run,) = _runs(connection, [number])
        found = records.happenings(connection, run.id)
    for one in found:
        say_wrapped(message("fleet-happening", at=one.at.astimezone().isoformat(" ", "seconds"), told=one.told))


@app.command("rebuild", cls=SpokenCommand, help=message("help-fleet-rebuild").id)
def rebuild(
    store: StoreText,
    database: DatabaseUrl,
) -> None:
    """See `help-fleet-rebuild`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.fleet import catalogue
    from ssdlab.fleet.database import connected
    from ssdlab.fleet.store.location import store_at, store_location

    with connected(database) as connection:
        count = catalogue.rebuild(connection, store_at(store_location(store)))
    tell(message("fleet-rebuilt", count=count))


@app.command("fetch", cls=SpokenCommand, help=message("help-fleet-fetch").id)
def fetch(
    store: StoreText,
    names: Annotated[list[str], typer.Argument(metavar="RUN...", help=message("help-fleet-fetched").id)],
    lab: Annotated[Path, typer.Option("--lab", metavar="DIR", help=message("help-lab").id)] = Path("lab"),
) -> None:
    """See `help-fleet-fetch`."""
    require_extra("fleet", "procrastinate")

    from ssdlab.fleet.store.fetch import fetched
    from ssdlab.fleet.store.location import store_at, store_location

    place = store_at(store_location(store))
    for name in dict.fromkeys(names):
        say(str(fetched(place, name, lab)))


def _runs(connection: "Database", numbers: Sequence[int]) -> "list[FleetRun]":
    from ssdlab.errors import SsdlabError
    from ssdlab.fleet import records

    found = []
    for number in dict.fromkeys(numbers):
        run = records.run_of_number(connection, number)
        if run is None:
            raise SsdlabError(message("fleet-no-such-run", number=number), message("fleet-hint-status"))
        found.append(run)
    return found
