"""Check `writes.forced`: what drive, fio and kernel counted against the writes that had to be durable."""

from dataclasses import replace

import pytest
from tests.kit.recorded_results import SENSED, check, recorded

from ssdlab.analysis.audit.facts import Facts
from ssdlab.analysis.audit.setup import EngineSetup
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import DeviceTraffic, Direction, Forcing
from ssdlab.units import MIB

PASS, FAIL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.NOT_APPLICABLE


def forced(forcing: Forcing, flushes: int) -> Facts:
    """1,024 writes that had to be durable, on a device that counted so many flushes."""
    facts = recorded("nbd_sync")
    assert isinstance(facts.setup, EngineSetup)
    device = DeviceTraffic(
        device="sda",
        io_count={Direction.WRITE: 1024},
        moved_bytes={Direction.WRITE: 4 * MIB},
        flushes=flushes,
        forcing=forcing,
    )
    return replace(facts, setup=replace(facts.setup, ioengine="io_uring"), device=device)


@pytest.mark.parametrize(
    ("forcing", "flushes", "outcome"),
    [
        (Forcing.FLUSHES, 1024, PASS),
        (Forcing.FLUSHES, 0, FAIL),
        (Forcing.FLUSHES, 900, FAIL),
        (Forcing.FORCED_WRITES, 0, NOT_APPLICABLE),
        (Forcing.NOTHING, 0, NOT_APPLICABLE),
    ],
)
def test_durable_writes_to_a_device_need_a_flush_each(forcing: Forcing, flushes: int, outcome: Outcome) -> None:
    assert check(forced(forcing, flushes), "writes.forced").outcome is outcome


def test_one_flush_serves_the_writes_in_flight_beside_it() -> None:
    facts = forced(Forcing.FLUSHES, 300)
    assert isinstance(facts.setup, EngineSetup)
    deeper = replace(facts, setup=replace(facts.setup, queue_depth=4))
    assert check(deeper, "writes.forced").outcome is PASS


def test_what_the_drive_counted_goes_before_what_fio_did() -> None:
    facts = recorded("nbd_sync")
    counted = replace(facts, sensed=replace(SENSED, forced=1024.0))
    assert check(counted, "writes.forced").outcome is PASS
    ignored = replace(facts, sensed=replace(SENSED, forced=0.0))
    assert check(ignored, "writes.forced").outcome is FAIL


@pytest.mark.parametrize(("flushes", "outcome"), [(1024, PASS), (1023, PASS), (900, FAIL)])
def test_flushes_that_fio_sent_for_durable_writes_count(flushes: int, outcome: Outcome) -> None:
    """fio sends none after its last write."""
    flushed = replace(recorded("nbd_sync"), fio_flushes=flushes)
    assert check(flushed, "writes.forced").outcome is outcome
