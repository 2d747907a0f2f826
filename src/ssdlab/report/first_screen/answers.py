"""The answers of probes that are sure enough to be told first, in the order of a portrait."""

from collections.abc import Mapping

from ssdlab.bundle.read import Bundle
from ssdlab.message import Message, message
from ssdlab.probe.answer import Grade
from ssdlab.probe.store.files import ANSWERS, ANSWERS_ADAPTER
from ssdlab.report.first_screen.quoted import QuotedMetric, metrics_of, quoted

_SURE = {Grade.A, Grade.B}
LABELS: Mapping[str, Message] = {
    "slc.largest": message("verdict-slc-largest"),
    "management_block.size": message("verdict-management-block"),
    "units.count": message("verdict-units"),
    "reach.bytes": message("verdict-mapping-reach"),
    "write_buffer.size": message("verdict-write-buffer"),
    "flush.cost": message("verdict-flush-cost"),
    "slc.smallest": message("verdict-slc-smallest"),
    "placement.channels": message("verdict-channels"),
    "read_page.size": message("verdict-read-page"),
    "stripe.width": message("verdict-stripe"),
    "spare.share": message("verdict-spare"),
    "read_buffer.size": message("verdict-read-buffer"),
    "write_buffer.drain_rate": message("verdict-drain-rate"),
    "interference.read_p99": message("verdict-reads-beside-writes"),
    "reclaim.rate": message("verdict-reclaim-rate"),
}
"""Answers in words people know; what tells most of a drive first."""
PORTRAIT = tuple(LABELS)
LARGEST_CACHE, SMALLEST_CACHE, RECLAIM_RATE = "slc.largest", "slc.smallest", "reclaim.rate"
INSIDE = ("management_block.size", "units.count", "placement.channels", "reach.bytes", "read_page.size", "stripe.width")
BUFFER = ("write_buffer.size", "write_buffer.drain_rate", "flush.cost", "read_buffer.size")


def sure_answers(bundle: Bundle) -> Mapping[str, QuotedMetric]:
    """The answers of grade A or B as metrics, by their names; hints and claims of the drive are not among them."""
    kept = [
        bundle.files.parsed(bundle.name(step, ANSWERS), ANSWERS_ADAPTER)
        for step in bundle.finished()
        if bundle.holds(step, ANSWERS)
    ]
    sure = {answer.name for probed in kept for answer in probed.answers if answer.grade in _SURE}
    metrics = metrics_of(bundle.metrics)
    by_name = {key.quantity.word: quoted(metrics, key) for key in metrics if key.quantity.word in sure}
    return {name: found for name, found in by_name.items() if found is not None}
