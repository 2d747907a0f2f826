"""fio's JSON in every form in which people have it: one result each, whatever stands around it and whichever fio wrote it."""

import gzip
import json
import lzma
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.packed import zstandard

from ssdlab import _core
from ssdlab.analysis.audit.of_fio_json import facts_of_report
from ssdlab.analysis.audit.run import failed
from ssdlab.analysis.log.file import LogError, LogKind, identify
from ssdlab.analysis.log.summary import summarise
from ssdlab.bundle.model import Outcome
from ssdlab.engine.fio.document import DocumentError
from ssdlab.engine.fio.foreign_document import document_in
from ssdlab.library.foreign import readers
from ssdlab.library.foreign.readers import read_foreign
from ssdlab.library.foreign.result import ForeignError
from ssdlab.unknown import Unknown

RECORDED = Path(__file__).parent.parent / "data" / "fio-3.33" / "audit" / "clean.json"
_FIELDS = json.loads(RECORDED.read_bytes())
_FIELDS["jobs"][0]["elapsed"] = 20
BYTES = json.dumps(_FIELDS, indent=2).encode()
"""As if it had gone on for long enough to be looked at meanwhile."""
LATENCIES = ("slat", "clat", "lat")

FIO_2 = """{
  "fio version" : "fio-2.2.10",
  "timestamp" : 1444144664,
  "time" : "Tue Oct  6 11:17:44 2015",
  "jobs" : [
    {
      "jobname" : "w", "groupid" : 0, "error" : 0, "eta" : 0, "elapsed" : 11,
      "read" : { "io_bytes" : 0, "bw" : 0, "iops" : 0.00, "runtime" : 0, "total_ios" : 0, "short_ios" : 0, "drop_ios" : 0,
        "slat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00 },
        "clat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00, "percentile" : { "1.000000" : 0, "0.00" : 0, "0.00" : 0 } },
        "lat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00 }, "bw_agg" : nan },
      "write" : { "io_bytes" : 4000000, "bw" : 400000, "iops" : 100000.00, "runtime" : 10000, "total_ios" : 1000000,
        "short_ios" : 0, "drop_ios" : 0,
        "slat" : { "min" : 1, "max" : 40, "mean" : 2.00, "stddev" : 0.10 },
        "clat" : { "min" : 20, "max" : 900, "mean" : 157.50, "stddev" : 9.00,
          "percentile" : { "1.000000" : 90, "50.000000" : 155, "99.000000" : 290, "99.900000" : 410, "0.00" : 0, "0.00" : 0 } },
        "lat" : { "min" : 21, "max" : 905, "mean" : 159.50, "stddev" : 9.10 } },
      "usr_cpu" : 5.00, "sys_cpu" : 10.00
    }
  ]
}
"""
"""After `stat.c` of fio 2.2.10: KiB, microseconds, and a list of percentiles that is filled up with zeros."""


def numbers(tmp_path: Path, content: bytes, name: str = "given.json") -> dict[str, float | int | str]:
    path = tmp_path / name
    path.write_bytes(content)
    return {one.key.name: one.value for one in read_foreign(path)[0].numbers if not hasattr(one.value, "reason")}


def changed(change: Callable[[dict[str, Any]], None]) -> bytes:
    fields: dict[str, Any] = json.loads(BYTES)
    change(fields)
    return json.dumps(fields, indent=2).encode()


def snapshot_of(seconds: int) -> bytes:
    """What the recorded run would have printed before its end."""

    def change(fields: dict[str, Any]) -> None:
        fields["timestamp"] -= seconds
        fields["timestamp_ms"] -= seconds * 1000
        for job in fields["jobs"]:
            job["elapsed"] -= seconds
            job["read"]["iops"] /= 2

    return changed(change)


ONE_LINE = json.dumps(json.loads(BYTES)).encode()
FORMS = {
    "one line": ONE_LINE,
    "lines with CRLF": BYTES.replace(b"\n", b"\r\n"),
    "text before it": b"fio: this platform does not support x\n" + BYTES,
    "text before it with CRLF": b"note: both iodepth >= 1 and a sync engine\r\n" + BYTES.replace(b"\n", b"\r\n"),
    "text before one line": b"note: {something}\n" + ONE_LINE,
    "a line of words before it": b"Fri Nov 20 " + ONE_LINE,
    "64 KiB of errors before it": b"fio: file hash not empty on exit\n" * 4000 + BYTES,
    "fio's text after it": BYTES + b"\nw: (groupid=0, jobs=1): err= 0: pid=1: Tue\n  read: IOPS=1, BW=4KiB/s\n",
    "a mark of byte order": b"\xef\xbb\xbf" + BYTES,
    "UTF-16 of PowerShell": BYTES.decode().encode("utf-16"),
    "snapshots before it": snapshot_of(12) + b"\n" + snapshot_of(5) + b"\n" + BYTES,
    "a snapshot, both in one line": json.dumps(json.loads(snapshot_of(1))).encode() + ONE_LINE,
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_numbers_of_the_plain_one(tmp_path: Path, form: str) -> None:
    assert numbers(tmp_path, FORMS[form]) == numbers(tmp_path, BYTES)


@pytest.mark.parametrize(
    ("name", "pack"), [("a.json.gz", gzip.compress), ("a.json.xz", lzma.compress), ("a.json.zst", zstandard)]
)
def test_packed_json_is_unpacked(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    assert numbers(tmp_path, pack(BYTES), name) == numbers(tmp_path, BYTES)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_what_unpacks_without_end_is_refused(
    tmp_path: Path, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "FILE_BYTES_MAX", 1 << 20)
    with pytest.raises(ForeignError, match="holds more than 1,048,576 bytes"):
        numbers(tmp_path, pack(b"0" * (1 << 22)), "bomb.json.gz")


def test_a_device_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "FILE_BYTES_MAX", 1 << 20)
    with pytest.raises(ForeignError, match="holds more than 1,048,576 bytes"):
        read_foreign(Path("/dev/zero"))


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    for pack in (gzip.compress, lzma.compress):
        with pytest.raises(ForeignError, match=r"cannot be unpacked|ends too early"):
            numbers(tmp_path, pack(BYTES)[:-40], "cut.json.gz")


def test_an_archive_that_was_cut_off_is_said_to_end_too_early(tmp_path: Path) -> None:
    packed = gzip.compress(BYTES)[:-40]
    with pytest.raises(ForeignError, match="ends too early: it was cut off"):
        numbers(tmp_path, packed, "cut.json.gz")
    with pytest.raises(LogError, match="ends too early: it was cut off"):
        summarise([identify(tmp_path / "cut.json.gz", LogKind.LATENCY)])


def test_two_runs_in_one_file_are_two_results(tmp_path: Path) -> None:
    def later(fields: dict[str, Any]) -> None:
        fields["timestamp"] += 600
        fields["timestamp_ms"] += 600_000
        fields["jobs"][0]["read"]["iops"] *= 3

    found = numbers(tmp_path, BYTES + changed(later))
    rates = sorted(float(value) for name, value in found.items() if name.endswith("read.iops"))
    (alone,) = (float(value) for name, value in numbers(tmp_path, BYTES).items() if name.endswith("read.iops"))
    assert rates == [alone, 3 * alone]


def run_at(moment_s: int, times: int) -> bytes:
    """A run of the recorded length that ended so long after the recorded one, and did so many times its I/Os."""

    def change(fields: dict[str, Any]) -> None:
        fields["timestamp"] += moment_s
        fields["timestamp_ms"] += moment_s * 1000
        for name in ("iops", "total_ios", "io_bytes"):
            fields["jobs"][0]["read"][name] *= times

    return changed(change)


@pytest.mark.parametrize("moments_s", [(0, -600), (0, 100, -500), (0, -10), (0, -600, 600)])
def test_runs_in_one_file_need_not_be_in_order(tmp_path: Path, moments_s: tuple[int, ...]) -> None:
    found = numbers(tmp_path, b"".join(run_at(moment_s, at) for at, moment_s in enumerate(moments_s, start=1)))
    assert len([name for name in found if name.endswith("read.iops")]) == len(moments_s)


def test_of_one_run_no_count_gets_less(tmp_path: Path) -> None:
    found = numbers(tmp_path, run_at(0, 3) + run_at(1, 2))
    assert len([name for name in found if name.endswith("read.iops")]) == 2


def test_runs_of_the_same_moment_with_other_counts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="they do not say whether they are of one run"):
        numbers(tmp_path, run_at(0, 1) + run_at(0, 2))


@pytest.mark.parametrize("later_ms", [0, 400])
def test_two_hosts_that_end_in_the_same_second_are_not_taken_for_snapshots(tmp_path: Path, later_ms: int) -> None:
    """The second was started a second earlier and did more, as a later snapshot would have."""

    def second(fields: dict[str, Any]) -> None:
        fields["timestamp_ms"] += later_ms
        fields["jobs"][0]["elapsed"] += 1
        for name in ("total_ios", "io_bytes"):
            fields["jobs"][0]["read"][name] *= 2

    with pytest.raises(ForeignError, match="they do not say whether they are of one run"):
        numbers(tmp_path, BYTES + changed(second))


@pytest.mark.parametrize("place", ["shortest", "longest", "bins", "device"])
def test_hosts_are_told_apart_by_what_never_gets_less_in_a_run(tmp_path: Path, place: str) -> None:
    """Hosts that end a second after each other are as snapshots are, but for what they did."""

    def second(fields: dict[str, Any]) -> None:
        fields["timestamp"] += 1
        fields["timestamp_ms"] += 1000
        fields["jobs"][0]["elapsed"] += 1
        latency = fields["jobs"][0]["read"]["clat_ns"]
        match place:
            case "shortest":
                latency["min"] += 1
            case "longest":
                latency["max"] -= 1
            case "bins":
                latency["bins"].pop(next(iter(latency["bins"])))
            case _:
                fields["disk_util"][0]["read_ios"] -= 1

    found = numbers(tmp_path, BYTES + changed(second))
    assert len([name for name in found if name.endswith("read.iops")]) == 2


def test_snapshots_are_told_by_when_their_job_began(tmp_path: Path) -> None:
    def begun(moment_ms: int) -> bytes:
        def change(fields: dict[str, Any]) -> None:
            fields["jobs"][0]["job_start"] = moment_ms

        return changed(change)

    alone = len(numbers(tmp_path, BYTES))
    assert len(numbers(tmp_path, begun(5) + begun(5))) == alone
    assert len(numbers(tmp_path, begun(5) + begun(6))) == 2 * alone


def test_snapshots_of_a_fio_that_tells_no_time_are_refused(tmp_path: Path) -> None:
    def timeless(fields: dict[str, Any]) -> None:
        del fields["timestamp"], fields["timestamp_ms"]

    with pytest.raises(ForeignError, match="there are several, and they do not say whether they are of one run"):
        numbers(tmp_path, changed(timeless) * 2)


def test_a_snapshot_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ForeignError, match="Invalid JSON"):
        numbers(tmp_path, snapshot_of(1) + BYTES[: len(BYTES) // 2])


@pytest.mark.parametrize("name", ["runtime", "bw_bytes", "short_ios", "drop_ios"])
def test_a_negative_count_or_time_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ForeignError, match=name):
        numbers(tmp_path, changed(lambda report: report["jobs"][0]["read"].update({name: -5})))


def test_fio_2_counts_in_kib_and_microseconds(tmp_path: Path) -> None:
    found = numbers(tmp_path, FIO_2.encode())

    assert found["fio.w.write.bandwidth"] == 400_000 * 1024
    assert found["fio.w.write.iops"] == 100_000
    assert found["fio.w.write.clat_mean"] == 157_500
    assert found["fio.w.write.lat_mean"] == 159_500
    assert found["fio.w.write.clat_p50"] == 155_000
    assert found["fio.w.write.clat_p99_9"] == 410_000


def test_the_moment_of_fio_2_is_that_of_its_seconds(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(FIO_2)
    assert read_foreign(path)[0].measured_at == "2015-10-06T15:17:44+00:00"


def test_bytes_of_fio_2_21_are_bytes_though_its_latencies_are_microseconds(tmp_path: Path) -> None:
    text = FIO_2.replace("2.2.10", "2.21").replace(
        '"io_bytes" : 4000000,', '"io_bytes" : 4096000000, "io_kbytes" : 4000000,'
    )
    found = numbers(tmp_path, text.encode())
    assert (found["fio.w.write.bandwidth"], found["fio.w.write.clat_mean"]) == (409_600_000, 157_500)


def test_fio_2_1_which_prints_no_count_is_read(tmp_path: Path) -> None:
    text = FIO_2.replace("2.2.10", "2.1.4").replace('"total_ios" : 1000000,', "").replace('"total_ios" : 0,', "")
    found = numbers(tmp_path, text.encode())
    assert (found["fio.w.write.iops"], found["fio.w.write.bandwidth"]) == (100_000, 409_600_000)


def test_what_fio_2_1_leaves_empty_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    text = FIO_2.replace("2.2.10", "2.1.4").replace('"total_ios" : 1000000,', "").replace('"total_ios" : 0,', "")
    for key, value in (("runtime", "10000"), ("total_ios", "1000000"), ("short_ios", "0")):
        empty = FIO_2.replace("2.2.10", "2.1.4").replace(f'"{key}" : {value},', f'"{key}" : null,')
        absent = FIO_2.replace("2.2.10", "2.1.4").replace(f'"{key}" : {value},', "")
        assert numbers(tmp_path, empty.encode()) == numbers(tmp_path, absent.encode())
    without_time = text.replace('"runtime" : 10000,', '"runtime" : null,')
    assert numbers(tmp_path, without_time.encode())["fio.w.write.iops"] == 100_000


def test_a_clean_result_of_fio_2_fails_no_check(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(FIO_2)
    assert failed(read_foreign(path)[0].audit) == ()


def test_bins_of_fio_2_are_microseconds(tmp_path: Path) -> None:
    text = FIO_2.replace(
        '"percentile" : { "1.000000" : 90,',
        '"bins" : { "155" : 900000, "290" : 100000 }, "percentile" : { "1.000000" : 90,',
    )
    found = numbers(tmp_path, text.encode())
    assert found["fio.w.write.clat_p50"] == pytest.approx(155_000, rel=0.01)
    assert found["fio.w.write.clat_p99"] == pytest.approx(290_000, rel=0.01)


def test_bins_of_fio_2_13_to_2_19_are_named_by_their_place(tmp_path: Path) -> None:
    """As `stat.c` of 2.13 writes them: all 1216 of them, and what one needs to tell their latencies."""
    counts = {str(place): 0 for place in range(1216)}
    counts |= {str(_core.bin_index(155)): 900_000, str(_core.bin_index(29_000)): 100_000}
    layout = {"FIO_IO_U_PLAT_BITS": 6, "FIO_IO_U_PLAT_VAL": 64, "FIO_IO_U_PLAT_NR": 1216}
    text = FIO_2.replace("2.2.10", "2.16").replace(
        '"percentile" : { "1.000000" : 90,',
        f'"bins" : {json.dumps(layout | counts)}, "percentile" : {{ "1.000000" : 90,',
    )
    found = numbers(tmp_path, text.encode())
    assert found["fio.w.write.clat_p50"] == pytest.approx(155_000, rel=0.02)
    assert found["fio.w.write.clat_p99"] == pytest.approx(29_000_000, rel=0.02)


def test_clients_are_added_and_their_total_is_not_counted_again(tmp_path: Path) -> None:
    def of_clients(fields: dict[str, Any]) -> None:
        (job,) = fields.pop("jobs")
        fields["client_stats"] = [{**job, "hostname": "a"}, {**job, "hostname": "b"}, {**job, "jobname": "All clients"}]

    alone, both = numbers(tmp_path, BYTES), numbers(tmp_path, changed(of_clients))
    (name,) = (name for name in alone if name.endswith("read.iops"))
    assert both[name] == 2 * float(alone[name])
    assert not [name for name in both if "All" in name]


def _client(name: str, host: str, done: int) -> dict[str, Any]:
    (job,) = json.loads(BYTES)["jobs"]
    shares = {way: job[way] | {"total_ios": done, "iops": float(done)} for way in ("read", "write")}
    client: dict[str, Any] = job | shares | {"jobname": name, "hostname": host, "port": 8765}
    return client


def _reads(tmp_path: Path, clients: list[dict[str, Any]]) -> float:
    def of_clients(fields: dict[str, Any]) -> None:
        del fields["jobs"]
        fields["client_stats"] = clients

    found = numbers(tmp_path, changed(of_clients))
    return sum(float(value) for name, value in found.items() if name.endswith("read.iops"))


@pytest.mark.parametrize(
    ("clients", "done"),
    [
        # As fio 3.33 wrote them: the sum stands after as many entries as all hosts send at a time.
        ([("j", "a", 1), ("j", "b", 2), ("All clients", "b", 3), ("j", "b", 20), ("j", "a", 10), ("j", "a", 100)], 120),
        (
            [
                ("j", "a", 1),
                ("j", "a", 2),
                ("k", "a", 0),
                ("All clients", "a", 3),
                ("j", "a", 9),
                ("j", "a", 8),
                ("k", "a", 7),
            ],
            24,
        ),
        ([("j", "a", 1), ("j", "a", 5), ("j", "a", 9)], 9),
        # Two copies of a job, once.
        ([("j", "a", 1), ("j", "a", 5), ("All clients", "a", 6)], 6),
    ],
)
def test_of_the_snapshots_of_each_host_the_last_counts(
    tmp_path: Path, clients: list[tuple[str, str, int]], done: int
) -> None:
    assert _reads(tmp_path, [_client(*client) for client in clients]) == done


@pytest.mark.parametrize(
    "clients",
    [
        [("j", "a", 5), ("j", "b", 2), ("All clients", "b", 3), ("j", "a", 1), ("j", "b", 20)],
        [("j", "a", 1), ("k", "a", 2), ("All clients", "a", 3), ("j", "a", 9)],
        [("j", "a", 1), ("j", "a", 2), ("All clients", "a", 3), ("j", "b", 9), ("j", "b", 9)],
    ],
    ids=["less-than-before", "half-a-snapshot", "a-host-too-late"],
)
def test_snapshots_of_hosts_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, clients: list[tuple[str, str, int]]
) -> None:
    with pytest.raises(ForeignError, match="snapshots of several moments"):
        _reads(tmp_path, [_client(*client) for client in clients])


def test_directions_reported_as_one_have_numbers_of_their_own(tmp_path: Path) -> None:
    def unified(fields: dict[str, Any]) -> None:
        for job in fields["jobs"]:
            job["mixed"] = job.pop("read")
            del job["write"], job["trim"]

    alone, mixed = numbers(tmp_path, BYTES), numbers(tmp_path, changed(unified))
    assert mixed == {name.replace(".read.", ".mixed."): value for name, value in alone.items()}


def test_directions_reported_as_one_are_not_counted_as_none(tmp_path: Path) -> None:
    path = tmp_path / "given.json"
    path.write_bytes(BYTES.replace(b'"read"', b'"mixed"').replace(b'"write"', b'"w"').replace(b'"trim"', b'"t"'))
    with pytest.raises(LogError, match="reads and writes as one"):
        summarise([identify(path, None)])


def test_a_job_whose_directions_are_reported_as_one_is_not_left_out_beside_another(tmp_path: Path) -> None:
    def one_of_two(fields: dict[str, Any]) -> None:
        (job,) = fields["jobs"]
        other = {name: value for name, value in job.items() if name not in {"read", "write", "trim"}}
        fields["jobs"].append({**other, "jobname": "other", "mixed": job["read"]})

    path = tmp_path / "given.json"
    path.write_bytes(changed(one_of_two))
    with pytest.raises(LogError, match="reads and writes as one"):
        summarise([identify(path, None)])


def test_keys_may_be_in_any_order(tmp_path: Path) -> None:
    """As `jq -S` leaves them."""

    def of_clients(fields: dict[str, Any]) -> None:
        fields["client_stats"] = [{**job, "hostname": "a"} for job in fields.pop("jobs")]

    def unified(fields: dict[str, Any]) -> None:
        for job in fields["jobs"]:
            job["mixed"] = job.pop("read")

    for content in (FIO_2.replace("nan", "null").encode(), changed(of_clients), changed(unified)):
        ordered = json.dumps(json.loads(content), sort_keys=True, indent=2).encode()
        assert numbers(tmp_path, ordered) == numbers(tmp_path, content)


@pytest.mark.parametrize("before", [b"", b"warning: {odd} line {\n", b"+ fio x.fio\n", b'{"an": "object"}\n'])
def test_keys_may_be_in_any_order_with_text_around_them(tmp_path: Path, before: bytes) -> None:
    ordered = json.dumps(json.loads(BYTES), sort_keys=True, indent=2).encode()
    assert numbers(tmp_path, before + ordered + b"\nreal 0m20s\n") == numbers(tmp_path, BYTES)


def test_braces_without_end_before_a_sorted_document_take_no_time(tmp_path: Path) -> None:
    ordered = json.dumps(json.loads(BYTES), sort_keys=True).encode()
    assert numbers(tmp_path, b'{"a": [' * 200_000 + b"\n" + ordered) == numbers(tmp_path, BYTES)


def test_odd_strings_before_the_version_open_and_close_nothing(tmp_path: Path) -> None:
    def odd(fields: dict[str, Any]) -> None:
        fields["aa"] = {"}": '"{\\', "text": ['{"fio', "\\", '"', ""]}

    ordered = json.dumps(json.loads(changed(odd)), sort_keys=True).encode()
    assert numbers(tmp_path, b"text " + ordered) == numbers(tmp_path, BYTES)


def test_a_document_is_not_read_again_for_every_brace_before_it() -> None:
    """Neither for those that open something which goes on behind it."""
    document = json.loads(BYTES)
    document["jobs"] *= 20
    text = json.dumps(document, sort_keys=True)

    def took_s(read: Callable[[], object]) -> float:
        begin = time.process_time()
        read()
        return time.process_time() - begin

    alone_s = min(took_s(lambda: document_in(b"text " + text.encode())) for _ in range(3))
    after_braces_s = min(took_s(lambda: document_in(b'{"a": ' * 60 + text.encode())) for _ in range(3))
    # Sixty times as long, when it was read for each.
    assert after_braces_s < 20 * alone_s


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, zstandard, bytes])
def test_a_pipe_may_be_packed(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(pack(BYTES),), daemon=True)
    writer.start()
    found = {one.key.name: one.value for one in read_foreign(pipe)[0].numbers if not isinstance(one.value, Unknown)}
    writer.join()
    assert found == numbers(tmp_path, BYTES)


def test_names_that_differ_in_a_mark_alone_stay_apart(tmp_path: Path) -> None:
    def three(fields: dict[str, Any]) -> None:
        (job,) = fields["jobs"]
        fields["jobs"] = [{**job, "jobname": name} for name in ("a b", "a_b", "a.b", "a_b_2")]

    path = tmp_path / "given.json"
    path.write_bytes(changed(three))
    names = [one.key.name for one in read_foreign(path)[0].numbers]
    assert len(names) == len(set(names))
    assert len({name.split(".")[1] for name in names}) == 4


def test_two_runs_of_one_load_in_a_folder_stay_apart(tmp_path: Path) -> None:
    for run in ("first", "second"):
        (tmp_path / "folder" / run).mkdir(parents=True)
        (tmp_path / "folder" / run / "x.json").write_bytes(BYTES)
    names = [one.key.name for one in read_foreign(tmp_path / "folder")[0].numbers]
    assert len(names) == len(set(names))
    assert any("first" in name for name in names)


def test_jobs_that_were_reported_as_one_are_unknown_to_the_check_of_their_queue(tmp_path: Path) -> None:
    def merged(fields: dict[str, Any]) -> None:
        (job,) = fields["jobs"]
        job["job options"] = {**job["job options"], "group_reporting": "", "numjobs": "1", "iodepth": "1"}
        job["job_runtime"] *= 2
        job["read"]["lat_ns"]["mean"] *= 32

    path = tmp_path / "given.json"
    path.write_bytes(changed(merged))
    (check,) = (check for check in read_foreign(path)[0].audit if check.name == "queue.littles_law")
    assert check.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("options", "runtime_ms", "sum_ms"),
    [({"rw": "write", "verify": "crc32c", "numjobs": "1"}, 5000, 10_000), ({"numjobs": "1"}, 1, 2)],
    ids=["its sum has the time of the verification", "its time is of few milliseconds"],
)
def test_a_single_job_is_one_whatever_its_times_sum_up_to(
    tmp_path: Path, options: dict[str, str], runtime_ms: int, sum_ms: int
) -> None:
    def alone(fields: dict[str, Any]) -> None:
        (job,) = fields["jobs"]
        job["job options"] |= options
        job["job_runtime"], job["read"]["runtime"] = sum_ms, runtime_ms

    (facts,) = facts_of_report(document_in(changed(alone)), ())
    assert not isinstance(facts.setup, Unknown)
    assert facts.setup.jobs == 1


def test_what_fio_did_not_see_in_its_last_quarter_of_a_second_is_unknown(tmp_path: Path) -> None:
    def early(fields: dict[str, Any]) -> None:
        (job,) = fields["jobs"]
        job["job options"] = {**job["job options"], "ioengine": "libaio"}
        job["read"]["runtime"], job["job_runtime"] = 2000, 2000
        moved = job["read"]["io_bytes"]
        ios = job["read"]["total_ios"]
        kernel = {"read_ios": ios, "write_ios": 0, "read_merges": 0, "write_merges": 0, "write_sectors": 0}
        fields["disk_util"] = [{"name": "nvme0n1", "read_sectors": int(moved * 0.95) // 512, **kernel}]

    path = tmp_path / "given.json"
    path.write_bytes(changed(early))
    (check,) = (check for check in read_foreign(path)[0].audit if check.name == "device.bytes")
    assert check.outcome is Outcome.UNKNOWN


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(BYTES)), st.binary(max_size=8), st.integers(0, len(BYTES)))
def test_damage_is_refused_and_crashes_nothing(at: int, bytes_in: bytes, cut: int) -> None:
    for content in (BYTES, FIO_2.encode()):
        damaged = content[:at] + bytes_in + content[at + len(bytes_in) :][:cut]
        with suppress(DocumentError):
            document_in(damaged)


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    (
                        "jobs",
                        "client_stats",
                        "read",
                        "clat",
                        "bins",
                        "percentile",
                        "io_bytes",
                        "iops",
                        "runtime",
                        "total_ios",
                        "mixed",
                        "timestamp",
                        "elapsed",
                        "jobname",
                    )
                ),
                inner,
            )
        ),
    )
)
def test_any_values_under_its_names_are_refused_or_read(value: object) -> None:
    fields = value if isinstance(value, dict) else {"jobs": [value]}
    for count in (1, 2):
        with suppress(DocumentError):
            document_in((json.dumps({"fio version": "fio-2.1", **fields}) * count).encode())
