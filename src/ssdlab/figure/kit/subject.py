"""What every figure says of the run it shows."""

import re
from collections.abc import Iterable, Sequence

from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.called import called
from ssdlab.figure.kit.direction import apart, plain
from ssdlab.figure.kit.say import say
from ssdlab.job import DriveState, Pattern
from ssdlab.message import Message, message
from ssdlab.units import GIB, MIB, format_bytes, format_bytes_decimal

_LONGEST_NAME = 60
_STATES = {
    DriveState.FOB: message("figure-state-fob"),
    DriveState.FILLED_ONCE: message("figure-state-filled-once"),
    DriveState.FILLED_TWICE: message("figure-state-filled-twice"),
    DriveState.PARTLY_FILLED: message("figure-state-partly-filled"),
    DriveState.RANDOM_WRITTEN: message("figure-state-random-written"),
    DriveState.PRECONDITIONED: message("figure-state-preconditioned"),
    DriveState.REGION_IN_ORDER: message("figure-state-region-in-order"),
    DriveState.STEADY: message("figure-state-steady"),
    DriveState.NOT_STEADY: message("figure-state-not-steady"),
    DriveState.THREE_QUARTERS_FULL: message("figure-state-three-quarters-full"),
    DriveState.AS_FOUND: message("figure-state-as-found"),
    DriveState.UNKNOWN: message("figure-state-unknown"),
    DriveState.LEFT_BY_PROBES: message("figure-state-left-by-probes"),
}


def drive_name(drive: DriveIdentity) -> str:
    """What the page calls it, or else the drive's own name; what the user typed where it has none."""
    model = plain(drive.model).strip() if isinstance(drive.model, str) else ""
    name = " ".join(plain(called(drive) or model or drive.target).split())
    return apart(name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…")


def named_with_capacity(drive: DriveIdentity) -> str:
    """Its name and capacity, which is told once: drives of one model may be told apart by it, and many models have it in their name."""
    name, capacity = drive_name(drive), format_bytes_decimal(drive.capacity_bytes)
    return name if capacity in name else f"{name} · {capacity}"


def caveat(run: RunInfo) -> str | None:
    """The sentence every output of a scaled-down run carries."""
    return None if run.comparable else say(message("figure-not-comparable", profile=run.profile))


def is_virtual(run: RunInfo) -> bool:
    """Whether the numbers are those of a drive model: they must never be taken for a product's."""
    return run.spec_text is not None


def subtitle(bundle: Bundle, states: Sequence[DriveState]) -> tuple[str, ...]:
    """Drive, capacity and the states it was measured in; and the caveat on a line of its own."""
    parts = [named_with_capacity(bundle.run.drive)]
    if is_virtual(bundle.run):
        parts.append(say(message("figure-virtual-drive")))
    warning = caveat(bundle.run)
    parts += states_words(states)
    return (" · ".join(parts), *([warning] if warning else []))


def states_words(states: Iterable[DriveState]) -> list[str]:
    """The states one after the other, each once; none where none is known."""
    told: Message | None = None
    for state in dict.fromkeys(states):
        if state is not DriveState.UNKNOWN:
            name = state_message(state)
            told = name if told is None else message("figure-state-then", before=told, state=name)
    return [] if told is None else [say(message("figure-drive-state", state=told))]


def state_words(state: DriveState) -> str:
    """The state as a figure names it."""
    return say(state_message(state))


def state_message(state: DriveState) -> Message:
    """The state as a figure names it."""
    return _STATES[state]


def pattern_word(pattern: Pattern) -> Message:
    """`random`, inside a sentence."""
    return message("figure-random") if pattern is Pattern.RANDOM else message("figure-sequential")


def pattern_title(pattern: Pattern) -> Message:
    """`Random`, where it begins one."""
    return message("figure-random-first") if pattern is Pattern.RANDOM else message("figure-sequential-first")


def pattern_of_blocks(pattern: Pattern, block_bytes: int) -> Message:
    """`random 4 KiB`."""
    return message("figure-patterned", pattern=pattern_word(pattern), what=block_words(block_bytes))


def pattern_of_blocks_title(pattern: Pattern, block_bytes: int) -> Message:
    """`Random 4 KiB`."""
    return message("figure-patterned", pattern=pattern_title(pattern), what=block_words(block_bytes))


def direction_message(direction: Direction) -> Message:
    """`read`."""
    match direction:
        case Direction.READ:
            return message("figure-read")
        case Direction.WRITE:
            return message("figure-write")
        case Direction.TRIM:
            return message("figure-trim")


def mix_title(read_percent: int) -> Message:
    """`read`, `write` or `70/30 mix`, the reads first."""
    if read_percent in {0, 100}:
        return direction_message(Direction.READ if read_percent else Direction.WRITE)
    return message("figure-mix", reads=read_percent, writes=100 - read_percent)


def mix_slug(read_percent: int) -> str:
    """The same as part of the name of a figure."""
    return {100: "read", 0: "write"}.get(read_percent, f"{read_percent}-{100 - read_percent}-mix")


def block_words(block_bytes: int) -> str:
    """A block size without needless digits: `4 KiB`."""
    return re.sub(r"\.0+ ", " ", format_bytes(block_bytes))


def range_words(length_bytes: int) -> str:
    """A part of a drive as its metrics call it, in whole GiB: `931 GiB`."""
    return f"{length_bytes // GIB:,} GiB" if length_bytes >= GIB else f"{length_bytes // MIB:,} MiB"
