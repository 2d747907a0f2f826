"""`audit.json` of many jobs is written part by part, and is what it would be if it were written at once."""

import math

import pytest

from ssdlab.bundle import layout
from ssdlab.bundle.model import Check, Compared, Outcome
from ssdlab.message import Message, duration, message, verbatim

BARE = message("audit-no-plan")
MEANT = message("audit-host-link-unknown")


def check(finding: Message, *numbers: Compared, step: str = "job", meaning: Message | None = MEANT) -> Check:
    return Check(
        name="host.link", step=step, outcome=Outcome.UNKNOWN, finding=finding, meaning=meaning, numbers=numbers
    )


def clocks(job_ns: float) -> Message:
    return message("audit-clocks", job=duration(job_ns), step=duration(2))


ODD = 'a "b"\n\\ \x7f \u2028 ä 가'


@pytest.mark.parametrize(
    "checks",
    [
        (),
        (check(BARE), check(BARE, step=ODD), check(BARE, meaning=None)),
        tuple(check(BARE, step=f"job {number}") for number in range(2500)),
        # Equal to Python, and not in JSON.
        (check(clocks(1)), check(clocks(1.0)), check(clocks(0.0)), check(clocks(-0.0))),
        tuple(check(BARE, Compared(name="n", value=one)) for one in (1, 1.0, 1e-7, 1e22, "1", math.nan, math.inf)),
        (
            check(verbatim(ODD)),
            check(Message("from-elsewhere", (), "one")),
            check(Message("from-elsewhere", (), "two")),
        ),
    ],
    ids=["none", "without values", "more than are in memory at a time", "equal values", "numbers", "texts"],
)
def test_an_audit_in_parts_has_the_bytes_of_one_written_whole(checks: tuple[Check, ...]) -> None:
    whole = layout.pretty_json(layout.AUDIT_ADAPTER, checks)
    assert b"".join(layout.audit_parts(checks)) == whole
