"""What a trace is like, as sentences and cells of a table; what is not known is said with its reason."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ssdlab.message import Message, Value, commas, duration, message, number, size, size_decimal

if TYPE_CHECKING:
    from ssdlab.trace.look import TraceMeta, TraceOp, TraceProfile

ABSENT = "-"
_LENGTHS_SHOWN = 3


def head_words(name: str, meta: "TraceMeta", profile: "TraceProfile") -> Iterator[Message]:
    """How much it is, and where it is from."""
    yield message(
        "trace-head",
        path=name,
        count=profile.ios,
        ios=number(profile.ios),
        format=meta.format,
        captured=meta.captured_at,
    )
    if profile.arrivals_ns is not None and meta.time_resolution_ns is not None:
        yield message("trace-times", span=duration(profile.arrivals_ns), resolution=duration(meta.time_resolution_ns))
    yield from remarks(meta, profile.ios)


def remarks(meta: "TraceMeta", ios: int) -> Iterator[Message]:
    """What a reader must know of the source, which has so many I/Os."""
    if meta.device is not None:
        yield message("trace-device", device=meta.device)
    if meta.device_bytes is not None:
        yield message("trace-device-size", size=size_decimal(meta.device_bytes))
    if not ios:
        yield message("cli-note", note=message("trace-no-ios"))
    elif meta.time_resolution_ns is None:
        yield message("trace-no-times")
    if meta.lost:
        yield message("cli-note", note=message("trace-lost", lost=number(meta.lost)))
    for kind, count in meta.left_out.items():
        yield message("cli-note", note=message("trace-left-out", count=number(count), kind=kind))
    if meta.licence is not None:
        yield message("trace-licence", licence=meta.licence)
    if meta.anonymised is not None:
        yield message("trace-anonymised")


OPERATION_COLUMNS: tuple[Message | str, ...] = (
    "",
    message("trace-column-ios"),
    message("trace-column-share"),
    message("trace-column-bytes"),
    message("trace-column-sizes"),
    message("trace-column-sequential"),
    message("trace-column-mean"),
    "50 %",
    "99 %",
    message("trace-column-longest"),
)


def operation_rows(profile: "TraceProfile") -> list[list[Message | str]]:
    """A row an operation, in the order of `OPERATION_COLUMNS`."""
    return [_row(one, profile.ios) for one in profile.ops]


def _row(one: "TraceOp", ios: int) -> list[Message | str]:
    moves_data = one.bytes > 0
    latencies = (one.latency_ns_mean, one.latency_ns_p50, one.latency_ns_p99, one.latency_ns_max)
    return [
        one.op,
        f"{one.ios:,}",
        _share(one.ios, ios),
        told(size(one.bytes)) if moves_data else ABSENT,
        _sizes(one) if moves_data else ABSENT,
        ABSENT if one.sequential_ios is None else _share(one.sequential_ios, one.ios),
        *(ABSENT if value is None else told(duration(value)) for value in latencies),
    ]


def _sizes(one: "TraceOp") -> Message:
    shown = one.lengths[:_LENGTHS_SHOWN]
    return told(
        commas(*(message("trace-size", size=size(length), share=_share(ios, one.ios)) for length, ios in shown))
    )


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %"


def told(value: Value) -> Message:
    """A value alone."""
    return message("trace-value", value=value)


def _or_unknown(value: Value | None, why: Message) -> Value:
    return why if value is None else value


def place_words(profile: "TraceProfile") -> Iterator[Message]:
    """How much of the device it touches, and how soon again."""
    too_much = message("trace-too-much")

    def known(count_bytes: int | None) -> Value:
        return _or_unknown(None if count_bytes is None else size(count_bytes), too_much)

    yield message(
        "trace-working-set",
        all=known(profile.working_set_bytes),
        read=known(profile.read_bytes_distinct),
        written=known(profile.written_bytes_distinct),
    )
    if profile.reused_share is None:
        if any(one.op in {"read", "write"} for one in profile.ops):
            yield message("trace-reuse-unknown")
    else:
        yield message("trace-reused", share=number(100 * profile.reused_share, ".1f"))
    if profile.reuse_bytes_p50 is not None and profile.reuse_sampled_share is not None:
        yield message(
            "trace-reuse",
            half=size(profile.reuse_bytes_p50),
            most=_or_unknown(
                None if profile.reuse_bytes_p90 is None else size(profile.reuse_bytes_p90), message("trace-too-few")
            ),
            sampled=number(100 * profile.reuse_sampled_share, ".3g"),
            exact="yes" if profile.reuse_sampled_share == 1 else "no",
        )


def flight_words(profile: "TraceProfile") -> Iterator[Message]:
    """How much is done at once, and how long there is nothing to do."""
    if profile.in_flight_mean is None or profile.idle_share is None or profile.in_flight_max is None:
        yield message("trace-no-latencies")
        return
    yield message(
        "trace-in-flight", mean=number(profile.in_flight_mean, ",.2f"), most=number(profile.in_flight_max, ",")
    )
    if profile.think_ns_mean is not None:
        yield message(
            "trace-think",
            share=number(100 * profile.idle_share, ".1f"),
            count=number(profile.thinks or 0),
            mean=duration(profile.think_ns_mean),
        )
