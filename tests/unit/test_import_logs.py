"""fio's logs in the library: alone, or with the JSON of their run; and what the audit says of it."""

import gzip
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.analysis.audit import failed
from ssdlab.bundle.imported import open_imported
from ssdlab.library.foreign.readers import gathered, read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError
from ssdlab.library.take_in import Told, take_in

FIO = Path(__file__).parent.parent / "data" / "fio-3.33"
AUDIT = FIO / "audit"
JSON = AUDIT / "with_logs.json"
LOGS = tuple(AUDIT / f"with_logs_{kind}.1.log" for kind in ("bw", "iops", "lat"))


def names(foreign: Foreign, prefix: str) -> list[str]:
    return [number.name for number in foreign.numbers if number.name.startswith(prefix)]


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
    (number,) = [one for one in found.numbers if one.name.endswith("bandwidth_mean")]
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
    run = open_imported(take_in(AUDIT / "io_errors.json", tmp_path, Told()))
    assert {metric.failed_checks for metric in run.metrics} == snapshot({("offsets.aligned", "io.errors")})


def test_a_folder_of_bench_fio_is_audited_file_by_file() -> None:
    found = read_foreign(FIO.parent / "foreign" / "bench-fio")[0]
    assert {check.step.partition(":")[0] for check in found.audit} == snapshot(
        {"4k-randread-1-1.json", "4k-randread-4-2.json", "randrw70-4k-randrw-4-2.json"}
    )
    assert {number.subject for number in found.numbers} <= {check.step for check in found.audit}


def test_the_bundle_keeps_json_and_logs(tmp_path: Path) -> None:
    path = take_in(JSON, tmp_path, Told(), *LOGS)
    for file in (JSON, *LOGS):
        assert (path / "original" / file.name).read_bytes() == file.read_bytes()


def test_the_command_ends_with_3_where_the_audit_failed(tmp_path: Path) -> None:
    files = [str(AUDIT / name) for name in ("clean.json", "io_errors.json")]
    result = CliRunner().invoke(cli.app, ["import", *files, "--lab", str(tmp_path)])

    assert result.exit_code == 3
    assert len(result.stdout.splitlines()) == 2
    assert "failed: io_errors: io.errors: 1 errors" in result.stderr


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
        assert name in error.message  # noqa: PT017 - a log that ends inside a line can be read
        assert len(error.message) < 400  # noqa: PT017
    else:
        assert name == "cut_lat.1.log"
        assert "cut" in " ".join(found.cautions)


@pytest.mark.parametrize(("name", "content"), [("run.bmk", b"\0\1\2"), ("run.txt", b"ATTO Disk Benchmark 4.01\n")])
def test_atto_is_refused_with_what_to_do(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ForeignError, match="does not document the form of its files") as error:
        read_foreign(tmp_path / name)
    assert "ssdlab suite enterprise-sweep" in error.value.hints[0]
