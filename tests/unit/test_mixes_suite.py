"""Mixes as they are read and planned: what the files that come with ssdlab say, whose they are, and what is refused."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.plans import drive

from ssdlab.job import Job, MixAction, MixPart, Pattern, Region, StepKind, Zipf
from ssdlab.method.builtin import load_suite
from ssdlab.method.draft import PlanError
from ssdlab.method.faults import SuiteError
from ssdlab.method.mix import MixOrigin
from ssdlab.method.mix_file import load_mix, mix_names, parse_mix
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB, KIB

PAGE = (Path(__file__).parents[2] / "docs/concepts/mixes.md").read_text(encoding="utf-8")
REGION = Region(0, 8 * GIB)
ONE = """\
title = "One"
origin = "ours"
source = "a test"
[[stream]]
share = "100%"
read = "40%"
order = "random"
zones = [{ of = "5%", ios = "50%" }, { of = "95%", ios = "50%" }]
sizes = { "4KiB" = 90, "64KiB" = 10 }
"""


def jobs(suite: str) -> Iterator[Job]:
    plan = expand(parse_suite(suite, "a test"), "standard", drive(), seed=1)
    return (one.job for one in plan.steps if one.kind is StepKind.MEASURE and one.job is not None)


def suite_of(mix: str) -> str:
    return f"""\
[suite]
name = "own"
version = "1"
engine = "load"
[[step]]
kind = "mixes"
mix = ["{mix}"]
qd = [4]
job = {{ limit = "1min" }}
"""


def weight(parts: tuple[MixPart, ...], action: MixAction) -> int:
    return sum(part.weight for part in parts if part.action is action)


@pytest.mark.parametrize("name", mix_names())
def test_the_page_tells_of_each_mix_whose_numbers_it_has(name: str) -> None:
    mix = load_mix(name)
    size = f"{mix.read_percent} % | {mix.mean_bytes / KIB:.3g} KiB"
    assert f"| `{name}` | {mix.title} | {size} | {mix.origin.value} | {mix.source} |" in PAGE


@pytest.mark.parametrize("name", mix_names())
def test_what_is_ours_is_called_ours_and_nothing_else_is(name: str) -> None:
    assert name.startswith("ours-") == (load_mix(name).origin is MixOrigin.OURS)


@pytest.mark.parametrize("name", mix_names())
def test_the_parts_have_the_reads_and_the_lengths_of_the_file(name: str) -> None:
    mix = load_mix(name)
    parts = mix.parts(REGION)
    whole = sum(part.weight for part in parts)
    assert weight(parts, MixAction.READ) * 100 == mix.read_percent * whole
    lengths = sum(
        part.weight * size.weight * size.block_bytes / sum(one.weight for one in part.sizes)
        for part in parts
        for size in part.sizes
    )
    assert lengths / whole == pytest.approx(mix.mean_bytes)


def test_jesd219_does_half_of_its_ios_in_a_twentieth_of_the_blocks() -> None:
    parts = load_mix("jesd219-enterprise").parts(REGION)
    hot = [part for part in parts if part.region.offset_bytes == 0]
    assert sum(part.weight for part in hot) * 2 == sum(part.weight for part in parts)
    assert hot[0].region.length_bytes == REGION.length_bytes * 5 // 100 // (64 * KIB) * (64 * KIB)
    assert sum(size.weight for size in hot[0].sizes if size.block_bytes < 4 * KIB) == 10


def test_zones_lie_one_behind_the_other() -> None:
    parts = [part for part in load_mix("snia-cbw").parts(REGION) if part.action is MixAction.WRITE]
    ends = [part.region.offset_bytes + part.region.length_bytes for part in parts]
    assert [part.region.offset_bytes for part in parts] == [0, *ends[:-1]]


def test_reads_of_a_key_value_store_follow_zipf_and_its_writes_go_on_in_order() -> None:
    read, write = load_mix("ours-kv-zipf").parts(REGION)
    assert (read.order, write.order) == (Zipf(0.99), Pattern.SEQUENTIAL)


def test_the_suite_goes_from_reads_to_writes_and_each_depth_has_a_ramp() -> None:
    plan = expand(load_suite("mixes"), "standard", drive(), seed=1)
    own = [one for one in plan.steps if one.group == "mixes"]
    measured = [one.name for one in own if one.kind is StepKind.MEASURE]
    assert [one.name for one in own if one.kind is StepKind.RAMP] == [f"{name}.ramp" for name in measured]
    assert measured[:3] == [f"mixes.iometer_webserver.q{depth}" for depth in (1, 8, 32)]
    reads = [one.job.read_percent for one in own if one.job is not None]
    assert (reads[0], reads[-1]) == (100, 0)


def test_a_mix_of_ones_own_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "My Mix.toml"
    file.write_text(ONE, encoding="utf-8")
    job = next(jobs(suite_of(str(file))))
    assert (job.name, job.read_percent, job.block_bytes) == ("mixes.my_mix.q4", 40, 4 * KIB)
    assert job.mix == parse_mix(ONE, "a test").parts(job.region)


def test_a_mix_that_is_none_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PlanError, match=r"there is no mix `snia-oltq` .did you mean `snia-oltp`"):
        list(jobs(suite_of("snia-oltq")))


def test_only_the_own_engine_may_do_it() -> None:
    with pytest.raises(SuiteError, match="engine"):
        list(jobs(suite_of("snia-oltp").replace('engine = "load"\n', "")))


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(SuiteError):
        list(jobs(suite_of('a/one.toml", "b/one.toml')))


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('"4KiB" = 90', '"4KiB" = 80', "the shares of `sizes` come to 90 %"),
        ('of = "5%"', 'of = "6%"', "the shares of `zones` come to 101 %"),
        ('share = "100%"', 'share = "90%"', "the shares of `share` come to 90 %"),
        ('"4KiB"', '"1000B"', "`1000B` is no length of an I/O"),
        ('"64KiB"', '"2MiB"', "`2MiB` is no length of an I/O"),
        ('order = "random"', 'order = "sequential"\nzipf = 0.9', "only random blocks follow zipf's law"),
    ],
)
def test_a_file_is_refused_that_contradicts_itself(right: str, wrong: str, told: str) -> None:
    with pytest.raises(SuiteError) as caught:
        parse_mix(ONE.replace(right, wrong), "own.toml")
    assert told in str(caught.value)


def test_a_zone_without_room_for_its_longest_io_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    file.write_text(ONE.replace('of = "5%"', 'of = "0%"').replace('of = "95%"', 'of = "100%"'), encoding="utf-8")
    with pytest.raises(PlanError, match="is shorter than one of its I/Os of 65536 bytes"):
        list(jobs(suite_of(str(file))))


def test_what_editors_of_windows_write_first_is_no_part_of_a_mix(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_bytes(b"\xef\xbb\xbf" + ONE.encode())
    assert load_mix(str(tmp_path / "one.toml")) == parse_mix(ONE, "a mix")


@pytest.mark.parametrize("place", ["/dev/zero", "pipe", "long.toml"])
def test_what_has_no_end_or_waits_for_somebody_is_no_mix(tmp_path: Path, place: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long.toml").write_text(ONE + "#" * 100_000)
    with pytest.raises(SuiteError):
        load_mix(str(tmp_path / place))


@pytest.mark.parametrize("text", [f"share = {'9' * 5000}", "a = " + "[" * 5000])
def test_what_python_itself_cannot_read_is_no_mix(text: str) -> None:
    with pytest.raises(SuiteError, match="syntax"):
        parse_mix(text, "a mix")
