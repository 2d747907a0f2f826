"""Drives that are too small for a probe: refused in words, and never asked beyond their end."""

import pytest

from ssdlab.message import message, number
from ssdlab.probe.probes.read_ahead import READ_AHEAD
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.probes.units import UNITS
from ssdlab.probe.script import Act, Ask, BulkLoad, KnownDrive, Probe, ProbeError
from ssdlab.units import KIB, MIB

SIZES_BYTES = (
    64 * KIB,
    MIB - 4 * KIB,
    MIB,
    2 * MIB,
    3 * MIB,
    5 * MIB + 4 * KIB,
    33 * MIB,
    63 * MIB,
    65 * MIB,
    300 * MIB,
)


def end_bytes(act: Act) -> int:
    match act:
        case Ask():
            return int((act.commands.offset_bytes + act.commands.length_bytes).max())
        case BulkLoad():
            return act.job.region.end_bytes
        case _:
            return 0


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
@pytest.mark.parametrize("capacity_bytes", SIZES_BYTES)
def test_a_probe_keeps_to_the_drive_or_is_refused(probe: Probe, capacity_bytes: int) -> None:
    try:
        design = probe.design_for(KnownDrive(capacity_bytes=capacity_bytes, logical_block_bytes=512, seed=1))
    except ProbeError:
        return
    assert max([design.region.end_bytes, *map(end_bytes, design.acts)]) <= capacity_bytes


@pytest.mark.parametrize("probe", [READ_AHEAD, UNITS], ids=lambda probe: probe.name)
def test_the_refusal_says_how_large_a_drive_has_to_be(probe: Probe) -> None:
    with pytest.raises(ProbeError) as refusal:
        probe.design_for(KnownDrive(capacity_bytes=MIB, logical_block_bytes=512, seed=1))
    assert refusal.value.reason == message("probe-drive-too-small")
    assert refusal.value.hints == (message("probe-takes", size=number(2)),)
