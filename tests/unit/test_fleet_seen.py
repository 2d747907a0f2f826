"""Why a run of a fleet waits, as far as the database knows."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from tests.kit.sample_fleet import RUN

from ssdlab.fleet.records import SILENT_S, FleetHost, FleetRun, FleetRunState
from ssdlab.fleet.rules import Manner
from ssdlab.fleet.seen import FleetSeen, why_waits

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOST = FleetHost(id=RUN.host, name="bench", manner=Manner.SHARED, ssdlab_version="1", seen_at=NOW)
QUEUED = replace(RUN, number=9, id=UUID(int=9), state=FleetRunState.QUEUED)


def told(*others: FleetRun, host: FleetHost = HOST) -> tuple[str, object]:
    seen = FleetSeen(at=NOW, hosts=(host,), drives=(), open=(*others, QUEUED), open_count=0, over=(), told={})
    why = why_waits(seen, QUEUED)
    return why.id, why.values.get("number")


def another(state: FleetRunState, serial: str) -> FleetRun:
    return replace(RUN, number=4, id=UUID(int=4), state=state, serial=serial)


def test_the_next_of_its_drive_waits_for_the_agent_alone() -> None:
    assert told() == ("fleet-waits-agent", None)
    assert told(another(FleetRunState.RUNNING, "another")) == ("fleet-waits-agent", None)
    # What is brought to the store has let go of its drive.
    assert told(another(FleetRunState.STORING, QUEUED.serial)) == ("fleet-waits-agent", None)


@pytest.mark.parametrize("state", [FleetRunState.RUNNING, FleetRunState.STOPPING])
def test_a_run_waits_for_the_one_at_its_drive_from_whatever_host(state: FleetRunState) -> None:
    at_drive = replace(another(state, QUEUED.serial), host=UUID(int=77))
    assert told(at_drive) == ("fleet-waits-drive", 4)


def test_a_run_waits_behind_one_that_is_before_it_on_its_drive() -> None:
    assert told(another(FleetRunState.QUEUED, QUEUED.serial)) == ("fleet-waits-behind", 4)
    assert told(another(FleetRunState.QUEUED, "another")) == ("fleet-waits-agent", None)


def test_on_a_quiet_host_a_run_waits_for_whatever_drive_is_measured() -> None:
    quiet = replace(HOST, manner=Manner.QUIET)
    assert told(another(FleetRunState.RUNNING, "another"), host=quiet) == ("fleet-waits-quiet-behind", 4)
    assert told(another(FleetRunState.QUEUED, "another"), host=quiet) == ("fleet-waits-behind", 4)


def test_a_host_that_is_silent_is_what_its_runs_wait_for() -> None:
    silent = replace(HOST, seen_at=NOW - timedelta(seconds=SILENT_S + 1))
    assert told(another(FleetRunState.RUNNING, QUEUED.serial), host=silent) == ("fleet-waits-host", None)
    assert told(host=replace(HOST, seen_at=NOW - timedelta(seconds=SILENT_S))) == ("fleet-waits-agent", None)
