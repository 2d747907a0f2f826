"""Quantities: what people write is read exactly, and what they read is not more than is known."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.hints import hints_of

from ssdlab.units import (
    GIB,
    KIB,
    MIB,
    NS_PER_MS,
    NS_PER_S,
    TIB,
    Share,
    UnitError,
    ends_beside_value,
    format_bandwidth,
    format_bytes,
    format_bytes_decimal,
    format_duration,
    format_interval,
    format_si,
    parse_bytes,
    parse_duration_ns,
    parse_share,
    resolved_ends,
)

BYTE_FACTORS = {"B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB, "TiB": TIB, "kB": 10**3, "MB": 10**6, "TB": 10**12}


@given(st.integers(0, 10**6), st.sampled_from(sorted(BYTE_FACTORS)))
def test_a_whole_size_is_read_exactly(number: int, unit: str) -> None:
    assert parse_bytes(f"{number}{unit}") == number * BYTE_FACTORS[unit]
    assert parse_bytes(f"  {number} {unit} ") == number * BYTE_FACTORS[unit]


@given(st.integers(0, 2**33 * 10 - 1), st.integers(1, 6))
def test_a_fraction_is_read_without_the_rounding_of_floats(number: int, decimals: int) -> None:
    text = f"{number:0{decimals + 1}d}"
    written = f"{text[:-decimals]}.{text[-decimals:]}"
    assert parse_bytes(f"{written}GiB") == number * GIB // 10**decimals


def test_binary_and_decimal_units_are_told_apart() -> None:
    assert parse_bytes("1KiB") == 1024
    assert parse_bytes("1KB") == parse_bytes("1kB") == 1000
    assert parse_bytes("1TiB") > parse_bytes("1TB")


@pytest.mark.parametrize(
    ("text", "duration_ns"),
    [("15min", 900 * NS_PER_S), ("1.5s", 1500 * NS_PER_MS), ("100ms", 10**8), ("2h", 7200 * NS_PER_S), ("7ns", 7)],
)
def test_durations_are_read_into_nanoseconds(text: str, duration_ns: int) -> None:
    assert parse_duration_ns(text) == duration_ns


@pytest.mark.parametrize("text", ["", "KiB", "-1KiB", "1e3KiB", "1 KiB 2", "1.KiB", "128Kb", "128kib"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UnitError, match=re.escape(f"`{text}` is not a size")):
        parse_bytes(text)


def test_a_number_alone_has_no_unit() -> None:
    with pytest.raises(UnitError, match="`128` has no unit"):
        parse_bytes("128")


def test_digits_are_those_of_ascii() -> None:
    arabic_indic_one = "\N{ARABIC-INDIC DIGIT ONE}"
    for read, text in ((parse_bytes, "1KiB"), (parse_duration_ns, "1s"), (parse_share, "1%"), (parse_share, "1/1")):
        read(text)
        with pytest.raises(UnitError):
            read(text.replace("1", arabic_indic_one, 1))


def test_a_refusal_says_how_to_write_it() -> None:
    with pytest.raises(UnitError) as size:
        parse_bytes("128Kb")
    assert (str(size.value), hints_of(size.value)) == snapshot(("`128Kb` is not a size", ("write `128kB` or `128KB`",)))
    with pytest.raises(UnitError) as duration:
        parse_duration_ns("15 minutes")
    assert (str(duration.value), hints_of(duration.value)) == snapshot(
        ("`15 minutes` is not a duration", ("write `15min`",))
    )
    with pytest.raises(UnitError) as share:
        parse_share("75")
    assert (str(share.value), hints_of(share.value)) == snapshot(
        ("`75` is not a share", ("write it like `75%` or `1/128`",))
    )


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 2**50))
def test_a_fraction_of_a_drive_is_exact_and_rounded_down(numerator: int, denominator: int, capacity: int) -> None:
    assert parse_share(f"{numerator}/{denominator}").of(capacity) == capacity * numerator // denominator


def test_a_percentage_may_have_decimals() -> None:
    assert parse_share("12.5%") == Share(125, 1000)
    assert parse_share("100 %").of(GIB + 1) == GIB + 1


def test_nothing_can_be_a_share_of_zero_parts() -> None:
    with pytest.raises(UnitError):
        parse_share("1/0")


@given(st.floats(1, 2**60), st.sampled_from([format_bytes, format_bytes_decimal]))
def test_a_printed_size_is_right_to_three_digits(size: float, printed: object) -> None:
    assert callable(printed)
    number, unit = str(printed(size)).split(" ")
    factors = {**BYTE_FACTORS, "GB": 10**9}
    # A unit is left for the next one only when the size reaches it, so four digits can stand before the point.
    allowed = max(0.005 * abs(size), 0.51 * factors[unit]) if float(number) >= 100 else 0.0051 * size + 0.51
    assert abs(float(number) * factors[unit] - size) <= allowed


@given(st.integers(1, 10**18))
def test_a_printed_duration_is_right_to_half_a_percent(duration_ns: int) -> None:
    factors = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}
    words = format_duration(duration_ns).split(" ")
    read = sum(float(number) * factors[unit] for number, unit in zip(words[::2], words[1::2], strict=True))
    assert read == pytest.approx(duration_ns, rel=0.0051, abs=0.5 * factors[words[-1]] if words[-1] == "min" else 0)


def test_quantities_look_like_this() -> None:
    printed = {
        "sizes": [format_bytes(size) for size in (0, 1023, 1024, 1.5 * GIB, 931.5 * GIB, 12 * TIB)],
        "label": [format_bytes_decimal(size) for size in (999, 250e9, 1e12, 7.68e12)],
        "bandwidth": [format_bandwidth(rate * MIB) for rate in (0, 0.5, 42.5, 1_234, 12_200)],
        "durations": [format_duration(t) for t in (0, 999, 21_100_000, 561e9, 600e9, 7199e9, 7200e9, 12_000e9)],
        "counts": [format_si(count) for count in (0, 5, 1_250_000, 42_000, 3e9)],
    }
    assert printed == snapshot(
        {
            "sizes": ["0 B", "1023 B", "1.00 KiB", "1.50 GiB", "932 GiB", "12.0 TiB"],
            "label": ["999 B", "250 GB", "1.00 TB", "7.68 TB"],
            "bandwidth": ["0 MiB/s", "0.50 MiB/s", "42.5 MiB/s", "1,234 MiB/s", "12,200 MiB/s"],
            "durations": ["0 ns", "999 ns", "21.1 ms", "561 s", "10 min", "2 h 0 min", "2 h 0 min", "3 h 20 min"],
            "counts": ["0", "5.00", "1.25 M", "42.0 k", "3.00 G"],
        }
    )


def test_both_ends_of_an_interval_are_printed_with_and_without_a_unit() -> None:
    assert format_interval(12_200 * MIB, "B/s", 12_180 * MIB, 12_220 * MIB) == "12,180 to 12,220 MiB/s"
    assert format_interval(0.0208, "", 0.0196, 0.0221) == "0.020 to 0.022"


def test_the_interval_of_a_time_by_the_clock_is_by_the_clock_too() -> None:
    assert format_interval(701, "s", 690, 712) == "11 min 30 s to 11 min 52 s"
    assert format_interval(9000, "s", 8000, 9100) == "2 h 13 min to 2 h 32 min"
    assert format_interval(599, "s", 590, 608) == "590 to 608 s"
    assert ends_beside_value(701, "s", 690, 712) == ("11 min 30 s", "11 min 52 s")
    assert ends_beside_value(599, "s", 590, 608) == ("590", "608")
    assert resolved_ends(701, "s", 700.9, 701.1) is None


def test_nothing_is_minus_zero() -> None:
    assert format_interval(0.3, "1/s", -0.0001, 0.9).startswith("0.00 to")
