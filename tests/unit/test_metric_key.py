"""What a metric is of: values, of which the name is made."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssdlab.analysis.statistics.standing import from_best
from ssdlab.bundle import layout
from ssdlab.bundle.dotted_names import key_of_name, point_of_name
from ssdlab.bundle.metric_key import Aspect, MetricKey, key_as_json, key_as_text, key_from_json, key_from_text
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import CLAT, DRIFT, IOPS, LAT, QUANTITIES, TIME_BELOW, Quantity
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState, Pattern
from ssdlab.point import Aggregate, Coordinate, CoordinateAxis, Load, Point, named_range_bytes
from ssdlab.units import GIB, KIB, MIB, NS_PER_MS

COUNTS = st.integers(1, 99_999)
SIZES = st.builds(lambda count, unit: count * unit, st.integers(1, 1023), st.sampled_from([1, KIB, MIB, GIB]))
LOADS = st.builds(
    Load,
    st.sampled_from(Pattern),
    st.builds(lambda count, unit: count * unit, st.integers(1, 1023), st.sampled_from([KIB, MIB])),
    COUNTS,
    COUNTS,
)
VALUES: dict[CoordinateAxis, st.SearchStrategy[Any]] = {
    CoordinateAxis.LABEL: st.sampled_from(["rnd", "seq", "read512", "w_4"]),
    CoordinateAxis.NAMED_READ_PERCENT: st.integers(0, 100),
    CoordinateAxis.BLOCK: SIZES,
    CoordinateAxis.QUEUE_DEPTH: COUNTS,
    CoordinateAxis.READ_PERCENT: st.integers(0, 100),
    CoordinateAxis.RANGE: SIZES.map(named_range_bytes),
    CoordinateAxis.REST: st.integers(0, 10**6).map(lambda count: count * NS_PER_MS),
    CoordinateAxis.PASS: COUNTS,
    CoordinateAxis.READING: COUNTS,
    CoordinateAxis.STAGE: st.sampled_from(["double", "bisect", "confirm"]),
    CoordinateAxis.JOBS: COUNTS,
    CoordinateAxis.RUN: COUNTS,
    CoordinateAxis.AGGREGATE: st.sampled_from(Aggregate),
    CoordinateAxis.PROFILE: LOADS,
}
NEWER = {CoordinateAxis.OFFERED, CoordinateAxis.LIMIT, CoordinateAxis.ROUND}
"""No bundle has them that keeps names alone."""
BEYOND = {CoordinateAxis.AGGREGATE, CoordinateAxis.PROFILE}
OF_STEPS = [axis for axis in CoordinateAxis if axis not in BEYOND | NEWER]


def coordinates(axes: Sequence[CoordinateAxis]) -> st.SearchStrategy[tuple[Coordinate, ...]]:
    one = st.sampled_from(axes).flatmap(lambda axis: st.builds(Coordinate, st.just(axis), VALUES[axis]))
    return st.lists(one, max_size=4).map(tuple)


STEPS = st.sampled_from(["fill", "rnd", "rw_ratio", "a1"])
POINTS = st.builds(Point, STEPS, coordinates(OF_STEPS))
PERCENTS = {CLAT: ["50", "99.9", "99.9999"], LAT: ["90", "99.99"], TIME_BELOW: ["50", "95"]}
KEYS = st.sampled_from(sorted(QUANTITIES.values(), key=lambda quantity: quantity.word)).flatmap(
    lambda quantity: st.builds(
        MetricKey,
        POINTS,
        st.just(quantity),
        st.sampled_from(PERCENTS.get(quantity, [None])),
        st.none() | st.sampled_from(Direction),
        st.none() | st.sampled_from(Aspect),
    )
)


def values(point: Point) -> list[tuple[CoordinateAxis, object]]:
    """Points are equal if their names are, so their values are compared by themselves."""
    return [(coordinate.axis, coordinate.value) for coordinate in point.coordinates]


@given(KEYS)
def test_the_name_of_an_old_bundle_says_all_that_the_key_says(key: MetricKey) -> None:
    found = key_of_name(key.name, key.point.name)
    assert found == key
    assert values(found.point) == values(key.point)


@given(POINTS)
def test_so_does_the_name_of_a_point(point: Point) -> None:
    found = point_of_name(point.name)
    assert (found, values(found)) == (point, values(point))


@pytest.mark.parametrize(
    ("axis", "value", "word"),
    [
        (CoordinateAxis.OFFERED, 500, "load5"),
        (CoordinateAxis.OFFERED, 8750, "load87_5"),
        (CoordinateAxis.OFFERED, 8725, "load87_25"),
        (CoordinateAxis.OFFERED, 12_000, "load120"),
        (CoordinateAxis.LIMIT, 200_000, "limit200us"),
        (CoordinateAxis.LIMIT, 1_500_000, "limit1500us"),
        (CoordinateAxis.LIMIT, 2_000_000_000, "limit2s"),
        (CoordinateAxis.LIMIT, 1_001, "limit1001ns"),
    ],
)
def test_loads_and_limits_have_words_without_dots(axis: CoordinateAxis, value: int, word: str) -> None:
    assert Coordinate(axis, value).word == word


@given(KEYS, KEYS)
def test_two_keys_have_one_name_only_if_they_are_the_same(one: MetricKey, other: MetricKey) -> None:
    same_words = one.name == other.name
    assert same_words == (key_of_name(one.name, one.point.name) == key_of_name(other.name, other.point.name)) or (
        # A direction is also the word of a mix: which it is follows from the step that a metric keeps beside its name.
        same_words and one.point != other.point
    )


@given(KEYS, LOADS, st.sampled_from(Aggregate), st.integers(50, 20_000), st.integers(1, 10**12))
def test_json_keeps_a_key(key: MetricKey, load: Load, aggregate: Aggregate, offered: int, limit_ns: int) -> None:
    point = key.point.at(CoordinateAxis.PROFILE, load).at(CoordinateAxis.AGGREGATE, aggregate)
    newer = key.point.at(CoordinateAxis.OFFERED, offered).at(CoordinateAxis.LIMIT, limit_ns)
    for one in (key, MetricKey(point, IOPS), MetricKey(newer, IOPS)):
        for found in (key_from_json(key_as_json(one)), key_from_text(key_as_text(one))):
            assert (found, values(found.point)) == (one, values(one.point))


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("rw_ratio.rnd.weighted.r30.iops", "rw_ratio.rnd"),
        ("rw_ratio.rnd.rank.iops", "rw_ratio.rnd"),
        ("sustain.verify.bad_bytes", "sustain.verify"),
        ("wsat.fob_iops", "precondition.rnd"),
        ("bootbench.clat_p99_9.margin", "bootbench"),
        ("probe.shift_write.size", "shift_write"),
        ("cdm.seq1m_q8t1.read.bandwidth", "cdm"),
        ("fio_log.write.clat_hist_p99_9", "fio_log"),
        ("odd", "x"),
        ("a..b", "a"),
        ("fill.q01.iops", "fill.q01"),
        ("x.1024KiB.iops", "x.1024KiB"),
    ],
)
def test_whatever_a_metric_was_called_it_keeps_its_name(name: str, step: str) -> None:
    assert key_of_name(name, step).name == name


def test_what_a_name_says_is_known_as_values() -> None:
    key = key_of_name("rnd.r70w30.q4.read.clat_p99_9", "rnd.r70w30.q4")
    assert (values(key.point), key.quantity, key.percent, key.direction) == (
        [(CoordinateAxis.NAMED_READ_PERCENT, 70), (CoordinateAxis.QUEUE_DEPTH, 4)],
        CLAT,
        "99.9",
        Direction.READ,
    )


def test_metrics_of_both_kinds_of_bundle_are_read_alike() -> None:
    metric = Metric(
        key=MetricKey(Point("rnd").at(CoordinateAxis.QUEUE_DEPTH, 4), IOPS),
        value=1 / 3,
        unit="1/s",
        state=DriveState.STEADY,
        step="rnd.q4",
    )
    (fields,) = layout.METRICS_ADAPTER.dump_python((metric,), mode="json")
    assert next(iter(fields)) == "name"
    old = {name: value for name, value in fields.items() if name != "key"}
    assert (
        layout.METRICS_ADAPTER.validate_python([old]) == layout.METRICS_ADAPTER.validate_python([fields]) == (metric,)
    )


_BROKEN: list[Callable[[dict[str, Any]], object]] = [
    lambda fields: fields.pop("point"),
    lambda fields: fields.update(quantity=3),
    lambda fields: fields.update(direction="up"),
    lambda fields: fields.update(point={"step": "x", "coordinates": [{"axis": "aggregate", "value": "none"}]}),
]


@pytest.mark.parametrize("spoil", _BROKEN)
def test_what_is_no_key_is_damage(spoil: Callable[[dict[str, Any]], object]) -> None:
    fields = key_as_json(MetricKey(Point("x"), Quantity("y")))
    spoil(fields)
    with pytest.raises(ValueError):  # noqa: PT011 - pydantic's own or ours: readers take both
        key_from_json(fields)


def test_neither_a_falling_nor_a_rising_speed_is_best() -> None:
    """A drift has a sign: the drive that falls most would be first."""
    better = MetricKey(Point("precondition"), DRIFT).better("%")
    assert sorted((-5.0, 3.0, -0.1), key=lambda drift: from_best(drift, better)) == [-0.1, 3.0, -5.0]
