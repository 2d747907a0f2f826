"""What every figure says of the run it shows."""

import re

from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.units import GIB, MIB, format_bytes, format_bytes_decimal

_LONGEST_NAME = 60


def drive_name(drive: DriveIdentity) -> str:
    """The drive's own name; what the user typed where it has none."""
    name = drive.model if isinstance(drive.model, str) and drive.model.strip() else drive.target
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def caveat(run: RunInfo) -> str | None:
    """The sentence every output of a scaled-down run carries."""
    return None if run.comparable else f"{run.profile} profile: not comparable"


def is_virtual(run: RunInfo) -> bool:
    """Whether the numbers are those of a drive model: they must never be taken for a product's."""
    return run.spec_text is not None


def subtitle(bundle: Bundle, states: list[str]) -> tuple[str, ...]:
    """Drive, capacity and the states it was measured in; and the caveat on a line of its own."""
    drive = bundle.run.drive
    known = [state for state in dict.fromkeys(states) if state != "unknown"]
    parts = [drive_name(drive), format_bytes_decimal(drive.capacity_bytes)]
    if is_virtual(bundle.run):
        parts.append("virtual drive")
    if known:
        parts.append(f"drive state: {', then '.join(known)}")
    warning = caveat(bundle.run)
    return (" · ".join(parts), *([warning] if warning else []))


def block_words(block_bytes: int) -> str:
    """A block size without needless digits: `4 KiB`."""
    return re.sub(r"\.0+ ", " ", format_bytes(block_bytes))


def range_words(length_bytes: int) -> str:
    """A part of a drive as its metrics call it, in whole GiB: `931 GiB`."""
    return f"{length_bytes // GIB:,} GiB" if length_bytes >= GIB else f"{length_bytes // MIB:,} MiB"
