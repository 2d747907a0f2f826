"""Twins of drives that fio measured: what its options say, what it did to the drive, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.imported import ImportedRun, open_imported
from ssdlab.engine.result import Direction
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.job import Pattern
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.message import Message
from ssdlab.twin.acts import Deed
from ssdlab.twin.foreign.history import (
    Footprint,
    TwinPart,
    acts_of_steps,
    divided_acts,
    known_of_acts,
    part_of,
)
from ssdlab.twin.foreign.load import Draws, ForeignLoad, load_of
from ssdlab.twin.foreign.make import make_foreign_twin
from ssdlab.twin.foreign.steps import ForeignStep, steps_of
from ssdlab.twin.seen import PointSeen
from ssdlab.units import GIB, KIB, MIB
from ssdlab.unknown import Unknown

OPTIONS = {"rw": "randwrite", "bs": "4k", "iodepth": "8", "numjobs": "2", "direct": "1", "ioengine": "libaio"}
LOAD = ForeignLoad(Pattern.RANDOM, 0, 4 * KIB, 8, 2, None, Draws.SAME)
PART = TwinPart(4, 256 * MIB)


def written(amount_bytes: int, rate: float, load: ForeignLoad = LOAD) -> ForeignStep:
    seen = PointSeen({Direction.WRITE: rate}, {Direction.WRITE: {"mean": 1e5}}, None)
    return ForeignStep("made", load, amount_bytes, 0, seen)


def read(rate: float, in_flight: int) -> ForeignStep:
    load = replace(LOAD, read_percent=100, queue_depth=in_flight, jobs=1)
    seen = PointSeen({Direction.READ: rate}, {Direction.READ: {"mean": in_flight / rate * 1e9}}, None)
    return ForeignStep("made", load, 0, 64 * MIB, seen)


def test_a_load_is_what_the_options_say() -> None:
    assert load_of(OPTIONS, 1) == LOAD
    mixed = load_of(OPTIONS | {"rw": "randrw", "rwmixread": "70", "size": "10g", "bs": "128K"}, 4)
    assert mixed == ForeignLoad(Pattern.RANDOM, 70, 128 * KIB, 8, 4, 10 * GIB, Draws.SAME)
    assert load_of(
        OPTIONS | {"rw": "rw", "rwmixwrite": "10", "ioengine": "psync", "randrepeat": "0"}, 1
    ) == ForeignLoad(Pattern.SEQUENTIAL, 90, 4 * KIB, 1, 2, None, Draws.OWN)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"direct": "0"}, "page cache"),
        ({"rate_iops": "1000"}, "rate_iops=1000"),
        ({"rw": "randtrim"}, "rw=randtrim"),
        ({"bssplit": "4k/50:8k/50"}, "bssplit"),
        ({"random_distribution": "zipf:1.2"}, "zipf:1.2"),
        ({"zonemode": "zbd"}, "zonemode"),
        ({"bs": "4k,8k"}, "bs=4k,8k"),
        ({"bs": "0"}, "bs=0"),
        ({"bs": "99999999999999999999k"}, "bs="),
        ({"bs": "9223372036854775807t"}, "bs="),
        ({"bs": "4095"}, "bs=4095"),
        ({"iodepth": "-1"}, "iodepth=-1"),
        ({"iodepth": "65536", "numjobs": "65536"}, "iodepth=65536"),
        ({"iodepth": "nan"}, "iodepth=nan"),
        ({"rw": "randrw", "rwmixread": "101"}, "rwmixread=101"),
        ({"size": "1k"}, "size=1k"),
        ({"size": "50%"}, "size=50%"),
    ],
)
def test_what_cannot_be_done_again_is_left_out_with_its_option(options: dict[str, str], reason: str) -> None:
    found = load_of(OPTIONS | options, 1)
    assert isinstance(found, Message)
    assert reason in str(found)


def test_a_twin_is_a_part_of_a_large_drive() -> None:
    assert part_of(2_000_000_000_000, 8_000_000_000) == TwinPart(256, 7_812_500_000 // MIB * MIB)
    assert part_of(GIB) == TwinPart(1, GIB)
    for odd in (0, -1, 1000, 2**62):
        with pytest.raises(SsdlabError, match="no twin is made"):
            part_of(odd)


def test_random_writes_that_begin_anew_touch_the_same_places() -> None:
    touched = Footprint()
    one_job = replace(LOAD, jobs=1)
    assert touched.after(written(100 * MIB, 1e5, one_job)) == 100 * MIB
    assert touched.after(written(80 * MIB, 1e5, one_job)) == 100 * MIB
    # The first of four goes where the only one went, the others where none went before.
    assert touched.after(written(40 * MIB, 1e5, replace(LOAD, jobs=4))) == 130 * MIB
    assert touched.after(written(400 * MIB, 1e5, replace(LOAD, jobs=2))) == 420 * MIB


def test_what_is_written_is_the_same_share_of_the_twin() -> None:
    acts = acts_of_steps([[written(512 * MIB, 1e5), written(512 * MIB, 9e4)]], PART)
    assert [act.deed for act in acts] == [Deed.OVERWRITE] * 2
    assert [act.work.amount_bytes for act in acts] == [128 * MIB] * 2
    assert {act.work.region.length_bytes for act in acts} == {128 * MIB}
    assert acts[0].work.seed != acts[1].work.seed


def test_a_drive_that_is_read_before_it_is_written_was_full() -> None:
    first, *_ = acts_of_steps([[read(1e4, 1), written(64 * MIB, 1e5)]], PART)
    assert (first.deed, first.seen, first.work.amount_bytes) == (Deed.PREPARE, None, PART.capacity_bytes)
    assert acts_of_steps([[written(64 * MIB, 1e5)]], PART)[0].deed is Deed.OVERWRITE
    assert acts_of_steps([[written(GIB, 1e5), read(1e4, 1)]], PART)[0].deed is Deed.OVERWRITE


def test_more_writes_than_a_trial_can_do_are_refused() -> None:
    with pytest.raises(SsdlabError, match="30,000,000 are the most"):
        acts_of_steps([[written(2**50, 1e5)]], PART)


def test_every_third_of_a_kind_is_held_out() -> None:
    steps = [written(64 * MIB, 1e5), *(read(1e4 * depth, depth) for depth in (1, 2, 4, 8, 16))]
    acts = acts_of_steps([steps], PART)
    division = divided_acts(acts)
    assert [acts[place].point.name for place in division.held] == ["random.r100.4096.q2.j1", "random.r100.4096.q16.j1"]
    assert not set(division.held) & set(division.fitted)
    assert {acts[place].deed for place in division.passes} == {Deed.OVERWRITE}


def test_where_the_speed_of_the_first_writes_falls_a_cache_ends() -> None:
    rates = [200_000.0] * 3 + [100_000.0] * 6
    acts = acts_of_steps([[written(128 * MIB, rate) for rate in rates]], PART)
    division = divided_acts(acts)
    first = known_of_acts(acts, division).first
    assert first is not None
    assert not isinstance(first.cache, Unknown)
    assert first.cache.size_bytes == pytest.approx(3 * 32 * MIB)
    flat = acts_of_steps([[written(128 * MIB, 1e5) for _ in rates]], PART)
    assert known_of_acts(flat, divided_acts(flat)).first is None


def test_reads_tell_how_many_of_them_went_on_at_once() -> None:
    acts = acts_of_steps([[read(10_000, 1), read(19_000, 2), read(36_000, 4), read(700_000, 256)]], PART)
    assert known_of_acts(acts, divided_acts(acts)).at_once == pytest.approx(70)
    few = acts_of_steps([[read(10_000, 1), read(90_000, 32), read(97_000, 64), read(97_000, 256)]], PART)
    assert known_of_acts(few, divided_acts(few)).at_once == 0


def job_of(rw: str, **more: str) -> dict[str, Any]:
    latency: dict[str, Any] = {"min": 1, "max": 10**6, "mean": 16e9 / 60_000, "N": 60_000}
    ran = {
        "io_bytes": 4096 * 60_000,
        "total_ios": 60_000,
        "runtime": 1000,
        "iops": 60_000.0,
        "bw_bytes": 4096 * 60_000,
        "lat_ns": latency,
        "clat_ns": latency | {"percentile": {"50.000000": 266_000, "99.000000": 300_000}},
    }
    return {
        "jobname": rw,
        "job options": OPTIONS | {"numjobs": "1", "iodepth": "16", "rw": rw} | more,
        "read" if "read" in rw else "write": ran,
    }


def imported(
    place: Path, *jobs: dict[str, Any], capacity_bytes: int | None = 512 * MIB, name: str = "a"
) -> ImportedRun:
    document = {"fio version": "fio-3.33", "timestamp_ms": 10**12, "jobs": jobs}
    source = place / f"{name}.json"
    source.write_text(json.dumps(document))
    return open_imported(take_in(source, place / "lab", GivenFacts(capacity_bytes=capacity_bytes)))


def test_jobs_that_ran_at_once_or_through_the_cache_are_named_and_left_out(tmp_path: Path) -> None:
    alone = job_of("randread") | {"groupid": 1}
    steps, left = steps_of(imported(tmp_path, job_of("randwrite"), job_of("write"), alone))
    assert [step.name for step in steps] == ["a.json: randread"]
    assert ["other jobs" in str(one.reason) for one in left] == [True, True]
    assert steps[0].seen.iops == {Direction.READ: pytest.approx(60_000)}
    assert steps[0].seen.latency_ns[Direction.READ]["99"] == 300_000


def test_a_time_that_cannot_be_is_no_speed(tmp_path: Path) -> None:
    for number, runtime in enumerate((0, 10**11)):
        job = job_of("randread")
        job["read"]["runtime"] = runtime
        steps, (left,) = steps_of(imported(tmp_path, job, name=str(number)))
        assert not steps
        assert str(left.reason)


def test_a_result_that_says_no_size_is_refused_with_the_way_out(tmp_path: Path) -> None:
    run = imported(tmp_path, job_of("randread"), capacity_bytes=None)
    with pytest.raises(SsdlabError, match="how large the drive is") as refused:
        make_foreign_twin([run], tmp_path / "drive.toml")
    assert "--capacity 2TB" in str(refused.value.hints[0])


def test_a_result_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    run, copy = (imported(tmp_path, job_of("randread"), name=name) for name in "ab")
    with pytest.raises(SsdlabError, match="are of the same measurement") as refused:
        make_foreign_twin([run, copy], tmp_path / "drive.toml")
    assert str(refused.value.hints[0]) == "name each run once"


def test_results_of_two_drives_and_results_of_nothing_are_refused(tmp_path: Path) -> None:
    run = imported(tmp_path, job_of("randread"))
    other = imported(tmp_path, job_of("randwrite"), capacity_bytes=GIB, name="b")
    with pytest.raises(SsdlabError, match="do not belong to one twin"):
        make_foreign_twin([run, other], tmp_path / "drive.toml")
    cached = imported(tmp_path, job_of("randread", direct="0"), name="c")
    with pytest.raises(SsdlabError, match="of no job in these results"):
        make_foreign_twin([cached], tmp_path / "drive.toml")


def test_a_result_of_another_program_is_refused(tmp_path: Path) -> None:
    text = Path(__file__).parents[1] / "data/foreign/crystaldiskmark-8-default.txt"
    run = open_imported(take_in(text, tmp_path / "lab", GivenFacts(capacity_bytes=GIB)))
    with pytest.raises(SsdlabError, match="CrystalDiskMark"):
        steps_of(run)


def test_results_are_not_mixed_with_runs_of_the_lab(tmp_path: Path) -> None:
    run = imported(tmp_path, job_of("randread"))
    arguments = ["twin", "fit", str(run.path), str(tmp_path / "ours"), "-o", str(tmp_path / "drive.toml")]
    (tmp_path / "ours").mkdir()
    refused = CliRunner().invoke(cli.app, arguments)
    assert "not fitted to together" in str(refused.exception)
    assert refused.exit_code == ExitStatus.REFUSED
    assert not (tmp_path / "drive.toml").exists()
