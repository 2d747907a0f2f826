"""What the first screen of a probed drive may say of its answers."""

from collections.abc import Mapping

from tests.kit.first_screen_claims import Claim, Told

UNITS: Mapping[str, str] = {
    "slc.largest": "B",
    "slc.smallest": "B",
    "reclaim.rate": "B/s",
    "management_block.size": "B",
    "units.count": "",
    "placement.channels": "",
    "reach.bytes": "B",
    "read_page.size": "B",
    "stripe.width": "B",
    "write_buffer.size": "B",
    "write_buffer.drain_rate": "B/s",
    "flush.cost": "ns",
    "read_buffer.size": "B",
    "spare.share": "",
    "interference.read_p99": "ns",
}
PORTRAIT = (
    Told(
        "SLC cache",
        {
            "probe.slc.largest": "<probe.slc.largest> on the empty drive",
            "probe.slc.smallest": "<probe.slc.smallest> on the full drive",
            "probe.reclaim.rate": "SLC cache recovers at",
        },
        most=9,
    ),
    Told(
        "Structure",
        {
            "probe.management_block.size": "mapped in blocks of",
            "probe.units.count": "parallel units",
            "probe.placement.channels": "channels",
            "probe.reach.bytes": "mapping cache covers",
            "probe.read_page.size": "read page",
            "probe.stripe.width": "stripe",
        },
        most=9,
    ),
    Told(
        "Buffers",
        {
            "probe.write_buffer.size": "write buffer",
            "probe.write_buffer.drain_rate": "write buffer drains at",
            "probe.flush.cost": "flush",
            "probe.read_buffer.size": "read buffer",
        },
        most=9,
    ),
)
OPEN = Claim("No answer is sure enough to be told first: the portrait has the reasons.", lambda known: not known)
