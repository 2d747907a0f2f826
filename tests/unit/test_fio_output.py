"""What a real fio 3.33 wrote is read without losing anything (recordings in tests/data)."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.sample_fio import sequential_fill

from ssdlab import _core
from ssdlab.engine.fio import output as fio_output
from ssdlab.engine.fio.document import split_output
from ssdlab.engine.fio.series import FioOutputError
from ssdlab.engine.result import Direction, DirectionResult, LatencyKind
from ssdlab.job import Action, IoLog, Job, Pattern
from ssdlab.units import KIB, MIB, NS_PER_MS

RECORDINGS = Path(__file__).parents[1] / "data" / "fio-3.33"
RANDOM = sequential_fill(pattern=Pattern.RANDOM, block_bytes=4 * KIB)
JOBS = {
    "write": sequential_fill(),
    "mixed": replace(RANDOM, read_percent=70, jobs=2, amount_bytes=None, duration_ns=250 * NS_PER_MS),
    "every_io": replace(RANDOM, read_percent=50, io_log=IoLog.EVERY_IO, amount_bytes=200 * 4 * KIB),
    "trim": sequential_fill(action=Action.TRIM, block_bytes=MIB),
}


def output_of(name: str) -> fio_output.FioOutput:
    json_text, _ = split_output((RECORDINGS / name / "fio.json").read_bytes())
    return fio_output.parse_output(json_text)


def results_of(name: str) -> dict[Direction, DirectionResult]:
    return dict(fio_output.directions(JOBS[name], output_of(name), RECORDINGS / name))


def said_by_fio(name: str, direction: Direction) -> dict[str, Any]:
    """The part of the JSON for a direction, read without our parser."""
    text = (RECORDINGS / name / "fio.json").read_text()
    part: dict[str, Any] = json.loads(text[text.index("{\n") :])["jobs"][0][direction.value]
    return part


def pairs() -> list[tuple[str, Direction]]:
    return [(name, direction) for name in JOBS for direction in results_of(name)]


def test_each_direction_that_did_anything_is_there_and_no_other() -> None:
    assert {name: [direction.value for direction in results_of(name)] for name in JOBS} == {
        "write": ["write"],
        "mixed": ["read", "write"],
        "every_io": ["read", "write"],
        "trim": ["trim"],
    }


@pytest.mark.parametrize(("name", "direction"), pairs())
def test_counts_are_those_of_fio(name: str, direction: Direction) -> None:
    result, said = results_of(name)[direction], said_by_fio(name, direction)
    assert (result.io_bytes, result.io_count, result.short_ios) == (
        said["io_bytes"],
        said["total_ios"],
        said["short_ios"],
    )
    assert result.runtime_ns == said["runtime"] * NS_PER_MS


@pytest.mark.parametrize(("name", "direction"), pairs())
def test_every_io_stands_in_a_bin_of_its_latency(name: str, direction: Direction) -> None:
    said = said_by_fio(name, direction)
    for kind, key in ((LatencyKind.CLAT, "clat_ns"), (LatencyKind.LAT, "lat_ns")):
        histogram = results_of(name)[direction].latency[kind]
        assert histogram.total == said["total_ios"]
        assert (np.diff(histogram.bin_index) > 0).all()
        middles = [_core.bin_mid(int(index)) for index in histogram.bin_index]
        assert np.average(middles, weights=histogram.count) == pytest.approx(said[key]["mean"], rel=1 / 64)
        assert (histogram.min_ns, histogram.max_ns) == (said[key]["min"], said[key]["max"])
        assert (histogram.mean_ns, histogram.stddev_ns) == (said[key]["mean"], said[key]["stddev"])


@pytest.mark.parametrize(("name", "direction"), pairs())
def test_the_series_adds_up_to_the_bytes(name: str, direction: Direction) -> None:
    result = results_of(name)[direction]
    assert result.series.bytes_done[-1] == pytest.approx(result.io_bytes)
    assert result.series.time_ns[-1] == pytest.approx(result.runtime_ns, abs=2 * NS_PER_MS)
    assert 0 <= result.logged_bytes <= result.io_bytes


def test_the_completion_latency_over_time_has_the_mean_of_all_ios() -> None:
    # Five windows at one rate: the mean of the windows is near the mean over I/Os, though not the same.
    series, said = results_of("write")[Direction.WRITE].series, said_by_fio("write", Direction.WRITE)
    assert np.nanmean(series.latency_ns_mean) == pytest.approx(said["clat_ns"]["mean"], rel=0.2)


def test_each_single_io_is_kept_with_its_completion_latency_and_place() -> None:
    for direction, result in results_of("every_io").items():
        said = said_by_fio("every_io", direction)
        assert result.every_io is not None
        assert len(result.every_io.latency_ns) == said["total_ios"]
        assert result.every_io.latency_ns.mean() == pytest.approx(said["clat_ns"]["mean"])
        assert (result.every_io.offset_bytes % (4 * KIB) == 0).all()
        assert result.logged_bytes == result.io_bytes


def test_windows_are_kept_alone_where_single_ios_were_not_asked_for() -> None:
    assert results_of("write")[Direction.WRITE].every_io is None


def test_the_processor_time_is_that_of_fio() -> None:
    text = (RECORDINGS / "write" / "fio.json").read_text()
    said = json.loads(text[text.index("{\n") :])["jobs"][0]
    use = output_of("write").cpu
    assert (use.user_percent, use.system_percent) == (said["usr_cpu"], said["sys_cpu"])


def test_the_release_is_known() -> None:
    assert output_of("write").version == "fio-3.33"


def test_lines_before_the_json_are_told_apart_from_it() -> None:
    content = (RECORDINGS / "write" / "fio.json").read_bytes()
    json_text, said = split_output(content)
    assert said == ("fio: connected to NBD server",)
    assert content.endswith(json_text)
    assert json.loads(json_text)["jobs"]


def test_output_without_json_is_all_words() -> None:
    said = b"fio: nbd_connect_uri: no such file\nfio: pid=0, err=2/\n"
    assert split_output(said) == (b"", ("fio: nbd_connect_uri: no such file", "fio: pid=0, err=2/"))
    assert split_output(b"") == (b"", ())


def recorded() -> dict[str, Any]:
    json_text, _ = split_output((RECORDINGS / "write" / "fio.json").read_bytes())
    fields: dict[str, Any] = json.loads(json_text)
    return fields


def refusal_of(content: bytes) -> str:
    with pytest.raises(FioOutputError) as error:
        fio_output.parse_output(content)
    return str(error.value)


def test_json_that_is_not_what_fio_writes_is_refused_with_the_place() -> None:
    without_runtime = recorded()
    del without_runtime["jobs"][0]["write"]["runtime"]
    two_groups = recorded()
    two_groups["jobs"] *= 2
    assert [
        refusal_of(b'{\n "fio version" : "fio-3.33",\n "jobs" : ['),
        refusal_of(json.dumps({**recorded(), "jobs": []}).encode()),
        refusal_of(json.dumps(two_groups).encode()),
        refusal_of(json.dumps(without_runtime).encode()),
    ] == snapshot(
        [
            "fio's JSON cannot be read: the document: Invalid JSON: EOF while parsing a list at line 3 column 11",
            "fio's JSON cannot be read: jobs: there are 0 instead of one",
            "fio's JSON cannot be read: jobs: there are 2 instead of one",
            "fio's JSON cannot be read: jobs.0.write.runtime: Field required",
        ]
    )


def test_fields_of_a_newer_fio_do_no_harm() -> None:
    newer = recorded()
    newer["jobs"][0]["write"]["something_new"] = {"a": 1}
    assert fio_output.parse_output(json.dumps(newer).encode()) == output_of("write")


def test_nothing_tells_when_a_fio_began_that_logs_every_io_and_does_not_say_it() -> None:
    output = output_of("write")
    assert output.job.job_start is None
    began_ns = output.timestamp_ms * NS_PER_MS - output.job.runtime_ns - 300 * NS_PER_MS
    assert output.windows_after_ns(JOBS["every_io"], began_ns) is None
    assert output.windows_after_ns(JOBS["write"], began_ns) == 300 * NS_PER_MS


def test_a_job_that_moved_nothing_needs_no_logs(tmp_path: Path) -> None:
    idle = recorded()
    idle["jobs"][0]["write"]["total_ios"] = 0
    output = fio_output.parse_output(json.dumps(idle).encode())
    job: Job = JOBS["write"]
    assert fio_output.directions(job, output, tmp_path) == {}
