"""A run of a fleet as its tables have it."""

from datetime import UTC, datetime
from uuid import UUID

from ssdlab.fleet.records import FleetRun, FleetRunState

SERIAL = "S1"
SUITE = """\
[suite]
name = "short"
version = "1"
[[step]]
kind = "purge"
"""
RUN = FleetRun(
    number=1,
    id=UUID(int=1),
    host=UUID(int=2),
    host_name="bench",
    serial=SERIAL,
    suite_name="fill",
    suite_text=SUITE,
    profile="standard",
    write_bytes_max=None,
    priority=0,
    attempt=1,
    job=1,
    state=FleetRunState.RUNNING,
    why=None,
    bundle=None,
    steps_done=None,
    steps=None,
    submitted_at=datetime(2026, 1, 1, tzinfo=UTC),
    changed_at=datetime(2026, 1, 1, tzinfo=UTC),
)
