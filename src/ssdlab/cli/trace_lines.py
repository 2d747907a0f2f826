"""Traces as lines of text."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ssdlab.cli.table import Alignment, table_lines
from ssdlab.message import Message, commas, duration, message, number, size, size_decimal

if TYPE_CHECKING:
    from ssdlab.message import Value
    from ssdlab.trace.look import TraceMeta, TraceOp, TraceProfile

_ABSENT = "-"
_LENGTHS_SHOWN = 3
_NS_PER_S = 1e9


def made_lines(ios: int, meta: "TraceMeta", file_bytes: int) -> Iterator[Message]:
    """What was written, and what of the source is not in it."""
    yield message(
        "trace-made",
        count=ios,
        ios=number(ios),
        format=meta.format,
        size=size(file_bytes),
        each=number(file_bytes / ios, ",.2f") if ios else _ABSENT,
    )
    yield from _remarks(meta)


def profile_lines(path: Path, meta: "TraceMeta", profile: "TraceProfile") -> Iterator[Message | str]:
    """What a trace is like; what is not known is said with its reason."""
    yield message(
        "trace-head",
        path=str(path),
        count=profile.ios,
        ios=number(profile.ios),
        format=meta.format,
        captured=meta.captured_at,
    )
    if profile.arrivals_ns is not None and meta.time_resolution_ns is not None:
        yield message("trace-times", span=duration(profile.arrivals_ns), resolution=duration(meta.time_resolution_ns))
    yield from _remarks(meta)
    if not profile.ios:
        return
    yield ""
    yield from _operations(profile)
    yield ""
    yield from _places(profile)
    yield from _flight(profile)
    if profile.windows:
        yield ""
        yield from _over_time(profile)


def _remarks(meta: "TraceMeta") -> Iterator[Message]:
    """What a reader must know of the source."""
    if meta.device is not None:
        yield message("trace-device", device=meta.device)
    if meta.device_bytes is not None:
        yield message("trace-device-size", size=size_decimal(meta.device_bytes))
    if meta.time_resolution_ns is None:
        yield message("trace-no-times")
    if meta.lost:
        yield message("cli-note", note=message("trace-lost", lost=number(meta.lost)))
    for kind, count in meta.left_out.items():
        yield message("cli-note", note=message("trace-left-out", count=number(count), kind=kind))
    if meta.licence is not None:
        yield message("trace-licence", licence=meta.licence)
    if meta.anonymised is not None:
        yield message("trace-anonymised")


def _operations(profile: "TraceProfile") -> Iterator[str]:
    heads: list[Message | str] = [
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
    ]
    rows = [_row(one, profile.ios) for one in profile.ops]
    sides = [Alignment.LEFT, *[Alignment.RIGHT] * 3, Alignment.LEFT, *[Alignment.RIGHT] * 5]
    yield from table_lines(heads, rows, sides)


def _row(one: "TraceOp", ios: int) -> list[Message | str]:
    moves_data = one.bytes > 0
    latencies = (one.latency_ns_mean, one.latency_ns_p50, one.latency_ns_p99, one.latency_ns_max)
    return [
        one.op,
        f"{one.ios:,}",
        _share(one.ios, ios),
        _told(size(one.bytes)) if moves_data else _ABSENT,
        _sizes(one) if moves_data else _ABSENT,
        _ABSENT if one.sequential_ios is None else _share(one.sequential_ios, one.ios),
        *(_ABSENT if value is None else _told(duration(value)) for value in latencies),
    ]


def _sizes(one: "TraceOp") -> Message:
    shown = one.lengths[:_LENGTHS_SHOWN]
    return _told(
        commas(*(message("trace-size", size=size(length), share=_share(ios, one.ios)) for length, ios in shown))
    )


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %"


def _told(value: "Value") -> Message:
    return message("trace-value", value=value)


def _or_unknown(value: "Value | None", why: Message) -> "Value":
    return why if value is None else value


def _places(profile: "TraceProfile") -> Iterator[Message]:
    too_much = message("trace-too-much")

    def told(count_bytes: int | None) -> "Value":
        return _or_unknown(None if count_bytes is None else size(count_bytes), too_much)

    yield message(
        "trace-working-set",
        all=told(profile.working_set_bytes),
        read=told(profile.read_bytes_distinct),
        written=told(profile.written_bytes_distinct),
    )
    if profile.reused_share is not None:
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


def _flight(profile: "TraceProfile") -> Iterator[Message]:
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


def _over_time(profile: "TraceProfile") -> Iterator[str]:
    width_ns = profile.window_ns or 1
    knows_flight = profile.in_flight_mean is not None
    heads: list[Message | str] = [message("trace-column-from"), "IOPS", "MB/s"]
    heads += [message("trace-column-in-flight")] if knows_flight else []
    rows: list[list[Message | str]] = []
    for index, window in enumerate(profile.windows):
        # The last one ends with the last arrival.
        covered_ns = min(width_ns, (profile.arrivals_ns or 0) - index * width_ns) or width_ns
        seconds = covered_ns / _NS_PER_S
        row: list[Message | str] = [
            _told(duration(index * width_ns)) if index else "0 s",
            f"{window.ios / seconds:,.0f}",
            f"{window.bytes / seconds / 1e6:,.1f}",
        ]
        rows.append(row + ([f"{window.latency_ns / covered_ns:,.2f}"] if knows_flight else []))
    yield from table_lines(heads, rows, [Alignment.RIGHT] * len(heads))
