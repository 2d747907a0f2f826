"""fio's logs in the library: alone, or with the JSON of their run; and what the audit says of it."""

import gzip
import json
import lzma
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.work import lines_run
from typer.testing import CliRunner

from ssdlab import _core, cli
from ssdlab.analysis.audit.run import failed
from ssdlab.analysis.log.file import LogError, LogFile, LogKind, LogUnit, identify
from ssdlab.analysis.log.heat import heat_of
from ssdlab.analysis.log.series import series_of
from ssdlab.analysis.log.summary import summarise
from ssdlab.analysis.log.tail import tails_of
from ssdlab.bundle.imported import open_imported
from ssdlab.cli.log_output import rereadable
from ssdlab.errors import SsdlabError
from ssdlab.library.catalogue import open_catalogue
from ssdlab.library.foreign.readers import gathered, read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError
from ssdlab.library.rank import rankings
from ssdlab.library.take_in import GivenFacts, Imports, take_in

FIO = Path(__file__).parent.parent / "data" / "fio-3.33"
AUDIT = FIO / "audit"
JSON = AUDIT / "with_logs.json"
LOGS = tuple(AUDIT / f"with_logs_{kind}.1.log" for kind in ("bw", "iops", "lat"))


def names(foreign: Foreign, prefix: str) -> list[str]:
    return [number.key.name for number in foreign.numbers if number.key.name.startswith(prefix)]


def test_logs_belong_to_the_one_json_given_with_them() -> None:
    other = FIO.parent / "foreign" / "as-ssd.txt"
    assert gathered([LOGS[0], other, JSON, *LOGS[1:]]) == ((other,), (JSON, *LOGS))


def test_logs_alone_are_one_result() -> None:
    assert gathered(LOGS) == (LOGS,)


def test_logs_of_one_of_two_json_files_are_refused() -> None:
    with pytest.raises(ForeignError, match="the logs may be of any of 2 JSON files"):
        gathered([JSON, AUDIT / "clean.json", *LOGS])


def test_without_logs_each_file_is_a_result() -> None:
    assert gathered([JSON, AUDIT / "clean.json"]) == ((JSON,), (AUDIT / "clean.json",))


def test_logs_of_every_io_give_percentiles() -> None:
    found = read_foreign(FIO / "every_io" / "log_lat.1.log")[0]

    assert (found.program, found.method) == ("fio", "logs of lat")
    assert names(found, "fio_log.")[:3] == snapshot(
        ["fio_log.read.lat_mean", "fio_log.read.lat_max", "fio_log.read.lat_p50"]
    )
    assert "there is no JSON beside the logs, so nothing can be held against them" in found.cautions


def test_a_histogram_log_is_told_from_the_log_of_every_io() -> None:
    found = read_foreign(FIO / "write" / "log_lat.1.log", FIO / "write" / "log_clat_hist.1.log")[0]
    assert {name.rpartition(".")[2].rpartition("_")[0] for name in names(found, "fio_log.write.")} >= {
        "lat",
        "clat_hist",
    }


def test_a_histogram_log_alone_is_a_result(tmp_path: Path) -> None:
    packed = tmp_path / "log_clat_hist.1.log.gz"
    packed.write_bytes(gzip.compress((FIO / "mixed" / "log_clat_hist.1.log").read_bytes()))

    for path in (FIO / "mixed" / "log_clat_hist.1.log", packed):
        assert "fio_log.read.clat_hist_p50" in names(read_foreign(path)[0], "fio_log.")


def test_what_is_only_named_like_a_histogram_log_is_none(tmp_path: Path) -> None:
    (tmp_path / "log_clat_hist.1.log").write_text("100, 1, 4096, 0, 0\n")

    with pytest.raises(ForeignError, match="is of no program whose results ssdlab reads"):
        read_foreign(tmp_path / "log_clat_hist.1.log")


def test_bandwidth_logs_are_in_bytes() -> None:
    found = read_foreign(LOGS[0])[0]
    (number,) = [one for one in found.numbers if one.key.name.endswith("bandwidth_mean")]
    rates = [int(line.split(",")[1]) for line in LOGS[0].read_text().splitlines()]
    assert number.value == pytest.approx(sum(rates) / len(rates) * 1024)
    assert number.unit == "B/s"


def test_json_with_its_logs_has_the_numbers_of_both_and_an_audit() -> None:
    found, sources = read_foreign(JSON, *LOGS)

    assert [source.name for source in sources] == [JSON.name, *(log.name for log in LOGS)]
    assert names(found, "fio.")
    assert names(found, "fio_log.")
    alone, beside = ({check.name: check.outcome.value for check in one.audit} for one in (read_foreign(JSON)[0], found))
    assert {name: (alone[name], beside[name]) for name in alone if alone[name] != beside[name]} == {
        "series.regular": ("not applicable", "pass"),
        "bytes.logs_agree": ("not applicable", "pass"),
    }


def test_json_alone_is_audited_too() -> None:
    assert not failed(read_foreign(AUDIT / "clean.json")[0].audit)
    assert [check.name for check in failed(read_foreign(AUDIT / "io_errors.json")[0].audit)] == snapshot(
        ["offsets.aligned", "io.errors"]
    )


def test_numbers_of_a_job_that_failed_a_check_are_marked(tmp_path: Path) -> None:
    run = open_imported(take_in(AUDIT / "io_errors.json", tmp_path, GivenFacts()))
    assert {metric.failed_checks for metric in run.metrics} == snapshot({("offsets.aligned", "io.errors")})


def test_a_folder_of_bench_fio_is_audited_file_by_file() -> None:
    found = read_foreign(FIO.parent / "foreign" / "bench-fio")[0]
    assert {check.step.partition(":")[0] for check in found.audit} == snapshot(
        {"4k-randread-1-1.json", "4k-randread-4-2.json", "randrw70-4k-randrw-4-2.json"}
    )
    assert {number.subject for number in found.numbers} <= {check.step for check in found.audit}


def test_the_bundle_keeps_json_and_logs(tmp_path: Path) -> None:
    path = take_in(JSON, tmp_path, GivenFacts(), *LOGS)
    for file in (JSON, *LOGS):
        assert (path / "original" / file.name).read_bytes() == file.read_bytes()


def test_the_command_ends_with_3_where_the_audit_failed(tmp_path: Path) -> None:
    files = [str(AUDIT / name) for name in ("clean.json", "io_errors.json")]
    result = CliRunner().invoke(cli.app, ["import", *files, "--lab", str(tmp_path)])

    assert result.exit_code == 3
    assert len(result.stdout.splitlines()) == 2
    assert "failed: io_errors: io.errors: 1 errors" in result.stderr


def test_of_a_check_that_many_jobs_fail_a_few_are_told(tmp_path: Path) -> None:
    """A file of thousands of jobs once had as many lines."""
    fields: dict[str, Any] = json.loads((AUDIT / "io_errors.json").read_text())
    (job,) = fields["jobs"]
    fields["jobs"] = [{**job, "jobname": f"job {at}", "groupid": at} for at in range(50)]
    path = tmp_path / "many.json"
    path.write_text(json.dumps(fields))
    result = CliRunner().invoke(cli.app, ["import", str(path), "--lab", str(tmp_path)])
    told = [line for line in result.stderr.splitlines() if line.startswith("failed: ") and "io.errors" in line]
    assert len(told) == 4
    assert [line.partition(": io.errors: 1 errors")[0] for line in told[:3]] == [
        "failed: job 0",
        "failed: job 1",
        "failed: job 2",
    ]
    assert told[3] == "failed: io.errors: 47 more times"


def test_packed_logs_are_logs(tmp_path: Path) -> None:
    packed = tmp_path / "x_lat.1.log.gz"
    packed.write_bytes(gzip.compress((FIO / "every_io" / "log_lat.1.log").read_bytes()))
    assert names(read_foreign(packed)[0], "fio_log.")


HOSTILE = {
    "cut_lat.1.log": b"1, 2, 0, 4096, 0\n3, 4, 0",
    "words_lat.1.log": b"1, 2, 0, 4096, 0\nhello\n",
    "nan_lat.1.log": b"1, 2, 0, 4096, 0\n2, NaN, 0, 4096, 0\n",
    "negative_lat.1.log": b"1, 2, 0, 4096, 0\n2, -5, 0, 4096, 0\n",
    "long_lat.1.log": b"1, 2, 0, 4096, 0\n" + b"9" * 8_000_000,
    "endless_lat.1.log": b"1, " + b"9" * 400 + b", 0, 4096, 0\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_log_gives_a_clear_error_or_says_what_is_missing(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(HOSTILE[name])
    try:
        found, _ = read_foreign(tmp_path / name)
    except ForeignError as error:
        assert name in str(error)  # noqa: PT017 - a log that ends inside a line can be read
        assert len(str(error)) < 400  # noqa: PT017
    else:
        assert name == "cut_lat.1.log"
        assert "cut" in " ".join(found.cautions)


@pytest.mark.parametrize(("name", "content"), [("run.bmk", b"\0\1\2"), ("run.txt", b"ATTO Disk Benchmark 4.01\n")])
def test_atto_is_refused_with_what_to_do(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ForeignError, match="does not document the form of its files") as error:
        read_foreign(tmp_path / name)
    assert "ssdlab suite enterprise-sweep" in hints_of(error.value)[0]


def test_the_table_that_elbencho_prints_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "run.out").write_text(
        'COMMAND LINE: "elbencho" "--write" "/mnt"\n\nOPERATION RESULT TYPE        FIRST DONE  LAST DONE\n'
        "========= ================   ==========  =========\nWRITE     Elapsed ms       :      61339     100936\n"
    )
    with pytest.raises(ForeignError, match="the table that elbencho prints") as error:
        read_foreign(tmp_path / "run.out")
    assert "--csvfile" in hints_of(error.value)[0]


# What versions of fio log, and what several logs say together


def log_file(path: Path, values: list[int], ending: str = "") -> Path:
    """An averaged log, a line a second."""
    path.write_text("".join(f"{1000 * at}, {value}, 1, 0{ending}\n" for at, value in enumerate(values, 1)))
    return path


def values_of(foreign: Foreign) -> dict[str, object]:
    return {number.key.name: number.value for number in foreign.numbers}


@pytest.mark.parametrize("kind", ["bw", "iops"])
def test_a_rate_of_each_io_is_refused_for_what_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a_{kind}.1.log"
    path.write_text("64, 2042, 0, 131072, 0\n65, 2009, 0, 131072, 0\n")
    with pytest.raises(ForeignError, match="a rate of each single I/O") as refused:
        read_foreign(path)
    assert "log_avg_msec" in str(refused.value.hints[0])


def test_json_with_a_mark_of_byte_order_is_a_log_too(tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_bytes(b"\xef\xbb\xbf" + (AUDIT / "clean.json").read_bytes())
    marked, plain = (summarise([identify(one, None)])[0].directions[0] for one in (path, AUDIT / "clean.json"))
    assert (marked.io_count, marked.mean, marked.percentiles) == (plain.io_count, plain.mean, plain.percentiles)


def test_a_latency_log_that_may_be_of_fio_2_is_refused_until_its_unit_is_said(tmp_path: Path) -> None:
    log = log_file(tmp_path / "x_lat.log", [100, 300])
    with pytest.raises(ForeignError, match=r"does not say whether its latencies are nanoseconds .* or microseconds"):
        read_foreign(log)
    means = [values_of(read_foreign(log, log_unit=unit)[0])["fio_log.write.lat_mean"] for unit in LogUnit]
    assert means == [200, 200_000]


def test_a_log_with_offsets_and_no_priorities_may_be_of_fio_2_too(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="does not say"):
        read_foreign(log_file(tmp_path / "x_clat.log", [100], ", 8192"))


def test_a_latency_log_from_a_pipe_is_refused_until_its_unit_is_said() -> None:
    with pytest.raises(LogError, match="does not say"):
        identify(Path("-"), LogKind.COMPLETION_LATENCY)
    assert identify(Path("-"), LogKind.COMPLETION_LATENCY, LogUnit.MICROSECONDS).unit is LogUnit.MICROSECONDS
    assert identify(Path("-"), LogKind.IOPS).kind is LogKind.IOPS


def test_a_log_of_a_line_that_does_not_end_may_be_of_fio_2_too(tmp_path: Path) -> None:
    log = tmp_path / "x_clat.log"
    log.write_text("100, 300, 0, 4096")
    with pytest.raises(LogError, match="does not say"):
        identify(log, None)


def test_a_log_with_priorities_is_of_fio_3(tmp_path: Path) -> None:
    found = read_foreign(log_file(tmp_path / "x_lat.log", [100, 300], ", 0"))[0]
    assert values_of(found)["fio_log.write.lat_mean"] == 200


def test_rates_have_one_unit_in_every_fio(tmp_path: Path) -> None:
    found = read_foreign(log_file(tmp_path / "x_bw.log", [100, 300]))[0]
    assert values_of(found)["fio_log.write.bandwidth_mean"] == 200 * 1024


def test_the_json_beside_a_log_says_its_unit(tmp_path: Path) -> None:
    log = log_file(tmp_path / "x_lat.log", [100, 300])
    for version, mean in (("fio-2.2.10", 200_000), ("fio-3.1", 200)):
        report = tmp_path / f"{version}.json"
        report.write_text(JSON.read_text().replace("fio-3.33", version))
        assert values_of(read_foreign(report, log)[0])["fio_log.write.lat_mean"] == mean


def test_a_unit_that_contradicts_the_json_is_refused(tmp_path: Path) -> None:
    log = log_file(tmp_path / "x_lat.log", [100, 300])
    with pytest.raises(ForeignError, match="itself says unit `ns`, not `us`"):
        read_foreign(JSON, log, log_unit=LogUnit.MICROSECONDS)
    assert read_foreign(JSON, log, log_unit=LogUnit.NANOSECONDS)[0].numbers == read_foreign(JSON, log)[0].numbers


@pytest.mark.parametrize("damage", [lambda packed: packed[:-20], lambda packed: packed[:30] + b"x" * 30])
def test_a_damaged_xz_is_refused_by_name_and_the_others_are_imported(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "cut_bw.1.log.xz").write_bytes(damage(lzma.compress(LOGS[0].read_bytes())))
    files = [str(tmp_path / "cut_bw.1.log.xz"), str(AUDIT / "clean.json")]
    result = CliRunner().invoke(cli.app, ["import", *files, "--lab", str(tmp_path / "lab")])
    assert "cut_bw.1.log.xz` cannot be unpacked" in result.stderr
    assert len(list((tmp_path / "lab" / "runs").iterdir())) == 1
    assert "cannot be unpacked" in str(CliRunner().invoke(cli.app, ["log", files[0]]).exception)


def test_a_log_that_becomes_shorter_while_it_is_read_is_said_to_end_early() -> None:
    """Files of sysfs say that they have 4,096 bytes and have fewer."""
    shrunk = Path("/sys/kernel/uevent_seqnum")
    result = CliRunner().invoke(cli.app, ["log", str(shrunk), "--kind", "lat", "--unit", "ns"])
    assert isinstance(result.exception, LogError)
    assert "ends too early" in str(result.exception)


@pytest.mark.parametrize("bins", ['"-5" : 3', '"100" : -3', f'"{2**70}" : 1', f'"100" : {2**70}', '"x" : 1'])
@pytest.mark.parametrize("command", [["log"], ["log", "--figure=tail"], ["log", "--audit"], ["import"]])
def test_bins_that_cannot_be_are_refused_in_words(tmp_path: Path, bins: str, command: list[str]) -> None:
    path = tmp_path / "odd.json"
    text, count = re.subn(r'"bins" : \{[^}]*\}', f'"bins" : {{ {bins} }}', (AUDIT / "clean.json").read_text())
    assert count
    path.write_text(text)
    options = ["--lab", str(tmp_path / "lab")] if command == ["import"] else []
    result = CliRunner().invoke(cli.app, [command[0], str(path), *command[1:], *options])
    assert isinstance(result.exception, SsdlabError)


def many_jobs(count: int) -> dict[str, Any]:
    """fio's JSON of so many jobs of the same run."""
    fields: dict[str, Any] = json.loads((AUDIT / "clean.json").read_text())
    (job,) = fields["jobs"]
    for part in ("read", "write", "trim"):
        for kind in ("slat_ns", "clat_ns", "lat_ns"):
            job[part].get(kind, {}).pop("bins", None)
    fields["jobs"] = [{**job, "jobname": f"job {at}", "groupid": at} for at in range(count)]
    return fields


_BYTES_MAX = 700 << 20


def _within(bytes_max: int, code: str, *arguments: object) -> None:
    """Run Python that may take no more address space."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (bytes_max, bytes_max))

    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]


def test_four_thousand_jobs_are_taken_in_within_bounded_memory(tmp_path: Path) -> None:
    """Their checks alone once took half a gigabyte."""
    path = tmp_path / "many.json"
    path.write_text(json.dumps(many_jobs(4000)))
    code = "import sys; from pathlib import Path; from ssdlab.library.take_in import GivenFacts, take_in; take_in(Path(sys.argv[1]), Path(sys.argv[2]), GivenFacts())"
    _within(_BYTES_MAX, code, path, tmp_path / "lab")


def test_what_has_no_end_is_refused_within_bounded_memory() -> None:
    code = "import contextlib, sys; from pathlib import Path; from ssdlab.library.foreign import readers\nreaders.FILE_BYTES_MAX = 64 << 20\nwith contextlib.suppress(readers.ForeignError): sys.exit(bool(readers.read_foreign(Path('/dev/zero'))))"
    _within(_BYTES_MAX, code)


EPOCH_MS = 1_790_000_000_000


@pytest.mark.parametrize("option", ["--window=1s", "--figure=series"])
@pytest.mark.parametrize("name", ["x_bw.log", "x_lat.log"])
def test_a_log_with_the_time_of_day_is_as_one_since_the_job_began(tmp_path: Path, name: str, option: str) -> None:
    """As with `log_unix_epoch=1`."""

    def shown(begin_ms: int) -> tuple[str, str]:
        folder = tmp_path / str(begin_ms)
        folder.mkdir()
        lines = (f"{begin_ms + 1000 * at}, {100 * at}, 1, 0, 0\n" for at in range(1, 9))
        (folder / name).write_text("".join(lines))
        output = ["--output", str(folder / "figure.svg")] if "figure" in option else []
        result = CliRunner().invoke(cli.app, ["log", str(folder / name), option, *output], catch_exceptions=False)
        picture = (folder / "figure.svg").read_text() if output else ""
        return result.stdout.replace(str(folder), ""), picture

    assert shown(EPOCH_MS) == shown(0)


def test_every_io_with_the_time_of_day_is_as_since_the_first_of_them(tmp_path: Path) -> None:
    def summary_of(begin_ms: int) -> tuple[object, list[int]]:
        path = tmp_path / f"{begin_ms}_lat.log"
        path.write_text("".join(f"{begin_ms + 10 * at}, {1000 + at}, 0, 4096, 0\n" for at in range(1000)))
        (tail,) = tails_of([identify(path, None)], [50.0])
        (summary,) = summarise([identify(path, None)])
        windows = summary.directions[0].windows
        assert windows is not None
        return tail.iops, windows.ios.tolist()

    assert summary_of(EPOCH_MS) == summary_of(0)
    assert summary_of(0)[0] == 100.0


def test_a_histogram_log_of_fio_2_is_in_microseconds(tmp_path: Path) -> None:
    """Until 2.98 it has 19 groups of 64 bins, of microseconds."""

    def log(name: str, bins: int, value: int) -> Path:
        counts = [0] * bins
        counts[_core.bin_index(value)] = 1000
        path = tmp_path / name
        path.write_text(f"1000, 0, 4096, {', '.join(map(str, counts))}\n")
        return path

    of_2 = values_of(read_foreign(log("old_clat_hist.1.log", 1216, 100))[0])
    of_3 = values_of(read_foreign(log("new_clat_hist.1.log", 1856, 100_000))[0])
    assert of_2 == of_3
    assert of_2["fio_log.read.clat_hist_p50"] == pytest.approx(100_000, rel=1 / 128)
    beside_json = tmp_path / "fio-2.json"
    beside_json.write_text(JSON.read_text().replace("fio-3.33", "fio-2.14"))
    with_json = values_of(read_foreign(beside_json, tmp_path / "old_clat_hist.1.log")[0])
    assert with_json["fio_log.read.clat_hist_p50"] == of_2["fio_log.read.clat_hist_p50"]


def test_rates_of_several_jobs_are_added(tmp_path: Path) -> None:
    logs = [log_file(tmp_path / f"x_bw.{job}.log", [100 * job, 300 * job], ", 0") for job in (1, 2, 3)]
    found = values_of(read_foreign(*logs)[0])
    assert found["fio_log.write.bandwidth_mean"] == (600 + 1800) / 2 * 1024
    assert found["fio_log.write.bandwidth_max"] == 1800 * 1024


def test_drives_rank_by_the_rates_of_all_their_jobs_together(tmp_path: Path) -> None:
    """By the mean of its logs a drive of 64 jobs was the last, by its fastest or first job it could be, too."""
    of_jobs = {"Three": [100, 100, 400], "Two": [150, 350], "One": [450]}
    for model, rates in of_jobs.items():
        folder = tmp_path / model
        folder.mkdir()
        logs = [str(log_file(folder / f"x_bw.{job}.log", [rate] * 3, ", 0")) for job, rate in enumerate(rates)]
        imported = CliRunner().invoke(cli.app, ["import", *logs, "--model", model, "--lab", str(tmp_path / "lab")])
        assert imported.exit_code == 0, imported.stderr
    (ranking,) = rankings(open_catalogue(tmp_path / "lab"), "fio_log.write.bandwidth_mean")
    assert [(group.first.entry.drive.model, group.median) for group in ranking.groups] == [
        ("Three", 600 * 1024), ("Two", 500 * 1024), ("One", 450 * 1024),
    ]  # fmt: skip


def test_drives_rank_by_the_rates_of_all_copies_of_a_job(tmp_path: Path) -> None:
    """Of `numjobs` without `group_reporting`, where fio prints each copy by itself."""
    fields: dict[str, Any] = json.loads(JSON.read_text())
    (job,) = fields["jobs"]
    (direction,) = (name for name in ("read", "write", "trim") if job[name]["total_ios"])
    for model, rates in {"Uneven": [100, 100, 400], "Even": [150, 150, 150]}.items():
        fields["jobs"] = [{**job, direction: job[direction] | {"bw_bytes": rate, "iops": rate}} for rate in rates]
        path = tmp_path / f"{model}.json"
        path.write_text(json.dumps(fields))
        take_in(path, tmp_path / "lab", GivenFacts(model=model))
    for quantity in ("iops", "bandwidth"):
        (ranking,) = rankings(open_catalogue(tmp_path / "lab"), f"fio.{job['jobname']}.{direction}.{quantity}")
        found = [(group.first.entry.drive.model, group.median) for group in ranking.groups]
        assert found == [("Uneven", 600), ("Even", 450)]


def test_latencies_of_several_jobs_are_not_added(tmp_path: Path) -> None:
    logs = [log_file(tmp_path / f"x_lat.{job}.log", [100 * job, 300 * job], ", 0") for job in (1, 2, 3)]
    assert values_of(read_foreign(*logs)[0])["fio_log.write.lat_mean"] == 400


@pytest.mark.parametrize("option", ["--window=1s", "--figure=series", "--parquet=rows.parquet"])
def test_what_is_not_made_of_microseconds_is_said(tmp_path: Path, option: str) -> None:
    log = log_file(tmp_path / "x_lat.log", [100, 300])
    result = CliRunner().invoke(cli.app, ["log", str(log), "--unit", "us", option])
    assert isinstance(result.exception, LogError)
    assert "is in microseconds" in str(result.exception)


def test_the_others_are_imported_where_one_is_refused(tmp_path: Path) -> None:
    odd = tmp_path / "odd\x1b[31m.txt"
    odd.write_text("nothing that anybody knows")
    files = [odd, AUDIT / "clean.json"]
    for _ in range(2):
        result = CliRunner().invoke(cli.app, ["import", *map(str, files), "--lab", str(tmp_path / "lab")])
        assert isinstance(result.exception, ForeignError)
        assert "\x1b" not in result.stderr
        assert "known are: " in result.stderr
    assert len(list((tmp_path / "lab" / "runs").iterdir())) == 1
    assert "2 of 2 results were not imported" in str(result.exception)


def test_many_results_take_work_in_proportion(tmp_path: Path) -> None:
    """Every number once looked at the checks of every job: a thousand jobs took ten seconds, and ten thousand a thousand."""

    def taken_in(count: int, lab: Path) -> None:
        path = tmp_path / "many.json"
        path.write_text(json.dumps(many_jobs(count)))
        bundle = take_in(path, lab, GivenFacts())
        assert len({metric.key.point for metric in open_imported(bundle).metrics}) == count

    taken_in(1, tmp_path / "warm")
    few, many = (lines_run(partial(taken_in, count, tmp_path / f"lab-{count}")) for count in (25, 200))
    assert many < 8.5 * few


def test_results_without_end_get_names_of_their_own(tmp_path: Path) -> None:
    there = Imports(tmp_path)
    (tmp_path / "runs").mkdir()
    for _ in range(1100):
        there.place("x").mkdir()
    assert len(list((tmp_path / "runs").iterdir())) == 1100


def _beside_each_other(folder: Path, name: str, form: str, begin_ms: int) -> list[LogFile]:
    """Logs of two jobs of ten seconds, of which the second began five seconds after the first."""
    lines = {
        "averages": lambda at: f"{at + 1000}, 100, 1, 0, 0\n",
        "ios": lambda at: f"{at}, 100, 1, 4096, 0\n{at + 900}, 100, 1, 4096, 0\n",
        "histogram": lambda at: f"{at + 1000}, 1, 4096, {', '.join(['0'] * 28)}, 10\n",
    }
    folder.mkdir(exist_ok=True)
    files = []
    for job, after_s in ((1, 5), (2, 0)):
        path = folder / f"x_{name}.{job}.log"
        path.write_text("".join(lines[form](begin_ms + 1000 * (after_s + at)) for at in range(10)))
        files.append(identify(path, None))
    return files


@pytest.mark.parametrize(
    ("name", "form", "one_job"), [("iops", "averages", 100.0), ("lat", "ios", 2.0), ("clat_hist", "histogram", 10.0)]
)
def test_logs_with_the_time_of_day_stand_beside_each_other_as_they_ran(
    tmp_path: Path, name: str, form: str, one_job: float
) -> None:
    """Two jobs overlap for as long as they did, not from the first line of each."""
    files = _beside_each_other(tmp_path, name, form, EPOCH_MS)
    (series,) = series_of(files, 1000)
    iops = series.directions[0].iops
    assert iops is not None
    assert iops[:14].tolist() == pytest.approx([one_job] * 5 + [2 * one_job] * 5 + [one_job] * 4)


def test_averages_of_jobs_that_ran_after_each_other_do_not_add_up(tmp_path: Path) -> None:
    files = _beside_each_other(tmp_path, "iops", "averages", EPOCH_MS)
    (summary,) = summarise(files)
    assert summary.directions[0].mean == pytest.approx(2000 / 15)


def test_a_heat_map_of_logs_with_the_time_of_day_is_as_long_as_they_took_together(tmp_path: Path) -> None:
    for name, form in (("lat", "ios"), ("clat_hist", "histogram")):
        (heat,) = heat_of(_beside_each_other(tmp_path / form, name, form, EPOCH_MS), 1000)
        count = np.bincount(heat.windows.time_ns // 10**9 - 1, weights=heat.windows.count)
        assert count.tolist() == pytest.approx([count[0]] * 5 + [2 * count[0]] * 5 + [count[0]] * 5)


def test_logs_of_different_kinds_count_from_one_moment(tmp_path: Path) -> None:
    first = _beside_each_other(tmp_path / "a", "iops", "averages", EPOCH_MS)
    later = _beside_each_other(tmp_path / "b", "lat", "ios", EPOCH_MS + 20_000)
    ends_ms = {one.kind: one.end_ms for one in series_of([*first, *later], 1000)}
    assert ends_ms == {LogKind.IOPS: 15_000, LogKind.LATENCY: 35_000}


def test_a_pipe_is_kept_only_while_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "x_lat.log"
    os.mkfifo(pipe)
    usage = type(shutil.disk_usage(tmp_path))(1 << 40, 0, 3 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    def read(content: bytes) -> int:
        with (
            subprocess.Popen([sys.executable, "-c", _WRITER, str(pipe), str(len(content))]),
            rereadable([pipe]) as kept,
        ):
            return kept[0].stat().st_size

    assert read(bytes(1 << 20)) == 1 << 20
    with pytest.raises(LogError, match=r"holds more than 1\.50 MiB"):
        read(bytes(2 << 20))


_WRITER = """
import contextlib, sys
with contextlib.suppress(BrokenPipeError), open(sys.argv[1], "wb", buffering=0) as pipe:
    for _ in range(int(sys.argv[2]) >> 16):
        pipe.write(bytes(1 << 16))
"""
