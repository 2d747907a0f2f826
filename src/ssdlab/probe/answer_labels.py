"""What the answers of probes are of, in words: the last part of a name alone says little."""

from collections.abc import Callable, Mapping

from ssdlab.message import Message, message, verbatim
from ssdlab.probe.probes.corners import SIZES_BYTES, Corner, corner_name
from ssdlab.units import KIB

_LABELS: Mapping[str, Message] = {
    "declared.capacity": message("probe-label-declared-capacity"),
    "declared.logical_block": message("probe-label-declared-logical-block"),
    "declared.indirection_unit": message("probe-label-declared-indirection-unit"),
    "declared.physical_block": message("probe-label-declared-physical-block"),
    "declared.medium": message("probe-label-declared-medium"),
    "noise.sigma": message("probe-label-noise-sigma"),
    "noise.correlation": message("probe-label-noise-correlation"),
    "noise.outlier_share": message("probe-label-noise-outlier-share"),
    "noise.unmapped_reads": message("probe-label-noise-unmapped-reads"),
    "drift.kind": message("probe-label-drift-kind"),
    "drift.change_per_minute": message("probe-label-drift-change-per-minute"),
    "read_ahead.present": message("probe-label-read-ahead-present"),
    "read_ahead.time_ratio": message("probe-label-read-ahead-time-ratio"),
    "read_buffer.present": message("probe-label-read-buffer-present"),
    "read_buffer.size": message("probe-label-read-buffer-size"),
    "read_page.size": message("probe-label-read-page-size"),
    "stripe.width": message("probe-label-stripe-width"),
    "units.count": message("probe-label-units-count"),
    "management_block.size": message("probe-label-management-block-size"),
    "management_block.offset": message("probe-label-management-block-offset"),
    "placement.unit": message("probe-label-placement-unit"),
    "placement.page": message("probe-label-placement-page"),
    "placement.channels": message("probe-label-placement-channels"),
    "placement.page_time": message("probe-label-placement-page-time"),
    "placement.channel_time": message("probe-label-placement-channel-time"),
    "placement.kind": message("probe-label-placement-kind"),
    "allocation.kind": message("probe-label-allocation-kind"),
    "allocation.time_ratio": message("probe-label-allocation-time-ratio"),
    "write_buffer.size": message("probe-label-write-buffer-size"),
    "write_buffer.drain_rate": message("probe-label-write-buffer-drain-rate"),
    "flush.behaviour": message("probe-label-flush-behaviour"),
    "flush.cost": message("probe-label-flush-cost"),
    "flush.cost_nothing_written": message("probe-label-flush-cost-nothing-written"),
    "flush.cost_forced_write": message("probe-label-flush-cost-forced-write"),
    "flush.cost_256KiB": message("probe-label-flush-cost-256kib"),
    "flush_window.length": message("probe-label-flush-window-length"),
    "reach.bytes": message("probe-label-reach-bytes"),
    "slc.largest": message("probe-label-slc-largest"),
    "slc.smallest": message("probe-label-slc-smallest"),
    "slc.after": message("probe-label-slc-after"),
    "reclaim.delay": message("probe-label-reclaim-delay"),
    "reclaim.rate": message("probe-label-reclaim-rate"),
    "interference.order": message("probe-label-interference-order"),
    "interference.delay": message("probe-label-interference-delay"),
    "interference.read_p99": message("probe-label-interference-read-p99"),
    "spare.share": message("probe-label-spare-share"),
    "spare.amplification": message("probe-label-spare-amplification"),
    "spare.slowdown": message("probe-label-spare-slowdown"),
    "thermal.onset": message("probe-label-thermal-onset"),
    "thermal.recovery": message("probe-label-thermal-recovery"),
    "thermal.speed_share": message("probe-label-thermal-speed-share"),
}
_CORNERS: Mapping[Corner, Callable[[str], Message]] = {
    Corner.RANDOM_READ: lambda size: message("probe-label-corner-random-read", size=size),
    Corner.SEQUENTIAL_READ: lambda size: message("probe-label-corner-sequential-read", size=size),
    Corner.SEQUENTIAL_WRITE: lambda size: message("probe-label-corner-sequential-write", size=size),
    Corner.RANDOM_WRITE: lambda size: message("probe-label-corner-random-write", size=size),
}
_OF_CORNERS: Mapping[str, Message] = {
    corner_name(corner, size_bytes): label(f"{size_bytes // KIB} KiB")
    for corner, label in _CORNERS.items()
    for size_bytes in SIZES_BYTES
}


def answer_label(name: str) -> Message:
    """The label of an answer; its name where this version has no such answer."""
    return _LABELS.get(name) or _OF_CORNERS.get(name) or verbatim(name)
