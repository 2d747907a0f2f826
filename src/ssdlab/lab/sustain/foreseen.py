"""What a sustained write will do, in words, before it does anything."""

from collections.abc import Iterator

from ssdlab.drive.target import ModelTarget, VirtualTarget, parse_target
from ssdlab.lab.sustain.ground import Before, directory_of
from ssdlab.lab.sustain.speeds import Speeds
from ssdlab.message import Message, bandwidth_decimal, duration, listed, message, semicolons, size
from ssdlab.method.cost import FAST, SLOW
from ssdlab.method.sustain import SustainSettings, Verify, Work, amount_of
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown


def foreseen(
    target: str, settings: SustainSettings, before: Before, length_bytes: int, speeds: Speeds | None = None
) -> Iterator[Message]:
    """What is written and read, how long that takes (at speeds of an earlier run, where there are any), and what is lost."""
    took = _takes(settings, length_bytes) if speeds is None else _takes_again(settings, length_bytes, speeds)
    yield listed(semicolons(_does(settings, length_bytes), took))
    if settings.work is Work.READ_AGAIN:
        yield message("sustain-will-write-nothing")
        return
    directory = directory_of(target)
    if directory is not None:
        yield message("sustain-will-make-files", directory=str(directory))
    elif not isinstance(parse_target(target), ModelTarget | VirtualTarget):
        lost = size(length_bytes)
        if before is Before.TRIM:
            yield message("sustain-will-trim-and-lose", target=target, size=lost)
        else:
            yield message("sustain-will-lose", target=target, size=lost)


def _does(settings: SustainSettings, length_bytes: int) -> Message:
    length, verify = size(length_bytes), settings.verify.value
    if settings.work is Work.READ_AGAIN:
        return message("sustain-will-read", size=length)
    if settings.passes is None:
        return message("sustain-will-go-on", size=length, verify=verify)
    return message("sustain-will-write", size=length, times=settings.passes, verify=verify)


def _takes(settings: SustainSettings, length_bytes: int) -> Message:
    amount = amount_of(settings, length_bytes)
    moved_bytes = length_bytes if isinstance(amount.bytes, Unknown) else amount.bytes
    resting_ns = amount.rest_ns if isinstance(amount.rest_ns, int) else 0
    slow, fast = (duration(moved_bytes / speed.bandwidth_bytes_per_s * NS_PER_S + resting_ns) for speed in (SLOW, FAST))
    if isinstance(amount.bytes, Unknown):
        took = message("sustain-pass-takes", slow=slow, fast=fast)
    else:
        took = message("sustain-takes", slow=slow, fast=fast)
    return _with_rests(took, resting_ns)


def _takes_again(settings: SustainSettings, length_bytes: int, speeds: Speeds) -> Message:
    amount = amount_of(settings, length_bytes)
    write_bytes, read_bytes, rest_ns = amount.write_bytes, amount.read_bytes, amount.rest_ns
    at = message(
        "sustain-at-speeds",
        date=speeds.date[:10],
        write=bandwidth_decimal(speeds.write_bytes_per_s),
        read=bandwidth_decimal(speeds.read_bytes_per_s),
    )
    if isinstance(write_bytes, Unknown) or isinstance(read_bytes, Unknown) or isinstance(rest_ns, Unknown):
        once = length_bytes / speeds.write_bytes_per_s
        once += 0 if settings.verify is Verify.NONE else length_bytes / speeds.read_bytes_per_s
        return message("sustain-pass-takes-again", time=duration(once * NS_PER_S), at=at)
    moving_s = write_bytes / speeds.write_bytes_per_s + read_bytes / speeds.read_bytes_per_s
    return _with_rests(message("sustain-takes-again", time=duration(moving_s * NS_PER_S + rest_ns), at=at), rest_ns)


def _with_rests(took: Message, rest_ns: int) -> Message:
    return message("sustain-with-rests", took=took, rest=duration(rest_ns)) if rest_ns else took
