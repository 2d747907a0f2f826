"""What fio was asked, read as fio reads it; and no JSON, however odd, that ends the audit other than with an answer."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssdlab.analysis.audit.of_fio_json import facts_of_files
from ssdlab.analysis.audit.run import RULES, audit_facts
from ssdlab.analysis.audit.setup import (
    Arrivals,
    Contents,
    EngineSetup,
    Flag,
    Flushes,
    Generator,
    HostCache,
    Order,
    Seed,
    duration_ns,
    setup_of_options,
    size_bytes,
)
from ssdlab.analysis.log.file import LogError, identify
from ssdlab.units import NS_PER_MS, NS_PER_S, NS_PER_US
from ssdlab.unknown import Unknown

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.33" / "audit"


def test_a_number_longer_than_any_is_none() -> None:
    """A size of 400 digits once ended an import with a traceback where a sentence was made of it."""
    long = "9" * 400
    assert isinstance(size_bytes(f"{long}k"), Unknown)
    assert isinstance(size_bytes("0x" + "f" * 400), Unknown)
    assert isinstance(duration_ns(long), Unknown)
    odd = setup(bs=long, size=long, iodepth=long, numjobs=long, runtime=long, offset=long)
    assert isinstance(odd.duration_ns, Unknown)
    assert odd.queue_depth == 1


def setup(absent: Flag = Flag.OFF, **options: str) -> EngineSetup:
    return setup_of_options(options, absent, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4096", 4096),
        ("4k", 4096),
        ("4K", 4096),
        ("4kb", 4096),
        ("4ki", 4096),
        ("4kib", 4000),
        ("4KiB", 4000),
        ("0x1000", 4096),
        ("1m", 1024**2),
        ("30t", 30 * 1024**4),
    ],
)
def test_a_size_is_read_as_fio_3_33_reads_it(text: str, expected: int) -> None:
    assert size_bytes(text) == expected


@pytest.mark.parametrize("text", ["", "50%", "(4*1024)", "4x", "-1", "4 k k"])
def test_a_size_that_only_fio_can_tell_is_unknown(text: str) -> None:
    assert isinstance(size_bytes(text), Unknown)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", NS_PER_S),
        ("1s", NS_PER_S),
        ("500ms", 500 * NS_PER_MS),
        ("20us", 20 * NS_PER_US),
        ("2m", 120 * NS_PER_S),
        ("1h", 3600 * NS_PER_S),
    ],
)
def test_a_duration_is_in_seconds_unless_it_says_otherwise(text: str, expected: int) -> None:
    assert duration_ns(text) == expected


def test_without_options_the_setup_is_that_of_fios_defaults() -> None:
    plain = setup()
    assert (plain.ioengine, plain.queue_depth, plain.block_bytes) == ("psync", 1, 4096)
    assert (plain.host_cache, plain.order, plain.seed) == (HostCache.USED, Order.SEQUENTIAL, Seed.REPEATED)
    assert (plain.arrivals, plain.flushes, plain.contents) == (
        Arrivals.CLOSED_LOOP,
        Flushes.NONE,
        Contents.SCRAMBLED,
    )


def test_an_absent_flag_is_off_only_where_every_option_was_given_with_a_value() -> None:
    assert setup(Flag.OFF, rw="randread").order is Order.MAP
    assert isinstance(setup(Flag.UNSAID, rw="randread").order, Unknown)
    assert setup(Flag.UNSAID, rw="randread", norandommap="1").order is Order.INDEPENDENT
    assert setup(Flag.UNSAID, rw="randread", norandommap="0").order is Order.MAP


@pytest.mark.parametrize(
    ("options", "reads", "writes"),
    [
        ({"rw": "randrw"}, True, True),
        ({"rw": "readwrite"}, True, True),
        ({"rw": "read:8"}, True, False),
        ({"rw": "randwrite"}, False, True),
        ({"rw": "trimwrite"}, False, True),
        ({"rw": "randtrim"}, False, False),
    ],
)
def test_directions_are_told_from_rw(options: dict[str, str], reads: bool, writes: bool) -> None:  # noqa: FBT001
    found = setup_of_options(options, Flag.OFF, 1)
    assert (found.reads, found.writes) == (reads, writes)


def test_what_changes_the_load_is_told_from_the_options() -> None:
    assert setup(direct="1").host_cache is HostCache.BYPASSED
    assert setup(ioengine="nbd").host_cache is HostCache.NONE
    assert setup(fsync="16").flushes is Flushes.BETWEEN
    assert setup(sync="1").flushes is Flushes.WITH_WRITES
    assert setup(rate_iops="100").arrivals is Arrivals.EVEN
    assert setup(rate_iops="100", rate_process="poisson").arrivals is Arrivals.POISSON
    assert setup(thinktime="5").arrivals is Arrivals.THINKING
    assert setup(random_distribution="zipf:1.1").generator is Generator.OTHER
    assert isinstance(setup(bssplit="4k/50:8k/50").block_bytes, Unknown)
    assert isinstance(setup(bs="4k,64k").block_bytes, Unknown)
    assert setup(bs="4k,4k").block_bytes == 4096
    assert setup(steadystate="iops:5%", steadystate_duration="1100").steady_window_samples == 1100


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "bs",
                "size",
                "io_size",
                "runtime",
                "ramp_time",
                "iodepth",
                "numjobs",
                "rw",
                "rate_iops",
                "offset",
                "ioengine",
                "steadystate",
                "steadystate_duration",
                "steadystate_check_interval",
                "log_avg_msec",
                "direct",
                "random_generator",
            ]
        ),
        st.text(max_size=8),
    )
)
def test_any_value_of_an_option_gives_a_setup(options: dict[str, str]) -> None:
    assert isinstance(setup_of_options(options, Flag.UNSAID, 1), EngineSetup)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to everything in the JSON that is no object or array."""
    if isinstance(value, dict):
        return [leaf for key, one in value.items() for leaf in leaves(one, (*path, key))]
    if isinstance(value, list):
        return [leaf for at, one in enumerate(value) for leaf in leaves(one, (*path, at))]
    return [path]


ODD = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5), st.none())
CLEAN = json.loads((DATA / "clean.json").read_text())
GROUPED = json.loads((DATA / "grouped.json").read_text())


@settings(max_examples=150)
@given(data=st.data())
def test_a_json_with_odd_values_is_judged_or_refused_and_nothing_else(tmp_path: Path, data: st.DataObject) -> None:
    content = copy.deepcopy(data.draw(st.sampled_from([CLEAN, GROUPED])))
    paths = [path for path in leaves(content) if "bins" not in path]
    for path in data.draw(st.lists(st.sampled_from(paths), min_size=1, max_size=4)):
        target = content
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = data.draw(ODD)
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(content))
    try:
        found = facts_of_files([identify(file, None)])
    except LogError:
        return
    for facts in found:
        assert len(audit_facts(facts)) == len(RULES)
