"""What a sustained write will do, in words, before it does anything."""

from collections.abc import Iterator

from ssdlab.lab.sustain_ground import Before, directory_of
from ssdlab.lab.sustain_speeds import Speeds
from ssdlab.method.cost import FAST, SLOW
from ssdlab.method.sustain import Verify, Wish, Work, amount_of
from ssdlab.units import NS_PER_S, format_bandwidth_decimal, format_bytes, format_duration
from ssdlab.unknown import Unknown


def foreseen(target: str, wish: Wish, before: Before, length_bytes: int, speeds: Speeds | None = None) -> Iterator[str]:
    """What is written and read, how long that takes (at speeds of an earlier run, where there are any), and what is lost."""
    took = _takes(wish, length_bytes) if speeds is None else _takes_again(wish, length_bytes, speeds)
    yield f"{_does(wish, length_bytes)}; {took}"
    if wish.work is Work.READ_AGAIN:
        yield "nothing is written"
        return
    directory = directory_of(target)
    if directory is not None:
        yield f"makes files of its own in `{directory}` and touches nothing else there"
    elif not target.startswith(("model:", "virtual:")):
        whole = " and all blocks are given back first" if before is Before.TRIM else ""
        yield f"what is on `{target}` is lost: its first {format_bytes(length_bytes)} are written over{whole}"


def _does(wish: Wish, length_bytes: int) -> str:
    size = format_bytes(length_bytes)
    if wish.work is Work.READ_AGAIN:
        return f"reads {size}"
    if wish.passes is None:
        back = "" if wish.verify is Verify.NONE else " and reads it back"
        return f"writes {size} again and again{back}, until Ctrl-C"
    writes = f"writes {size}" if wish.passes == 1 else f"writes {wish.passes} times {size}"
    return writes + _READS[wish.verify]


_READS = {Verify.NONE: "", Verify.AFTER: ", reads it back once", Verify.EACH_PASS: ", reads it back each time"}


def _takes(wish: Wish, length_bytes: int) -> str:
    amount = amount_of(wish, length_bytes)
    moved, rest_ns = amount.bytes, amount.rest_ns
    once = "" if not isinstance(moved, Unknown) else "a pass "
    moved_bytes = length_bytes if isinstance(moved, Unknown) else moved
    resting_ns = rest_ns if isinstance(rest_ns, int) else 0
    slow, fast = (
        format_duration(moved_bytes / one.bandwidth_bytes_per_s * NS_PER_S + resting_ns) for one in (SLOW, FAST)
    )
    rests = f", {format_duration(resting_ns)} of it rests" if resting_ns else ""
    return f"{once}takes {slow} at 100 MiB/s, {fast} at 1000 MiB/s{rests}"


def _takes_again(wish: Wish, length_bytes: int, speeds: Speeds) -> str:
    amount = amount_of(wish, length_bytes)
    write_bytes, read_bytes, rest_ns = amount.write_bytes, amount.read_bytes, amount.rest_ns
    when = (
        f"at the speed of {speeds.date[:10]}: written at {format_bandwidth_decimal(speeds.write_bytes_per_s)}, "
        f"read at {format_bandwidth_decimal(speeds.read_bytes_per_s)}"
    )
    if isinstance(write_bytes, Unknown) or isinstance(read_bytes, Unknown) or isinstance(rest_ns, Unknown):
        once = length_bytes / speeds.write_bytes_per_s
        once += 0 if wish.verify is Verify.NONE else length_bytes / speeds.read_bytes_per_s
        return f"a pass takes {format_duration(once * NS_PER_S)} {when}"
    moving_s = write_bytes / speeds.write_bytes_per_s + read_bytes / speeds.read_bytes_per_s
    rests = f", {format_duration(rest_ns)} of it rests" if rest_ns else ""
    return f"takes {format_duration(moving_s * NS_PER_S + rest_ns)} {when}{rests}"
