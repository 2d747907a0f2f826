"""Forms of fio's files that its own results here never have, written by any fio: read as what it counted."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ssdlab.analysis.log.file import identify
from ssdlab.analysis.log.series import series_of
from ssdlab.engine.fio.foreign_document import document_in
from ssdlab.library.foreign.readers import read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError
from ssdlab.unknown import Unknown

JOB = ["--name=j", "--ioengine=psync", "--size=1M", "--rw=randrw", "--bs=4k", "--time_based", "--runtime=2"]


def run(fio: str, folder: Path, *options: str) -> bytes:
    """What fio prints of a job in a folder."""
    return subprocess.run(
        [fio, *JOB, f"--directory={folder}", *options], cwd=folder, check=True, capture_output=True
    ).stdout


def taken(path: Path, content: bytes) -> Foreign:
    path.write_bytes(content)
    return read_foreign(path)[0]


def rates(foreign: Foreign) -> dict[str, float]:
    """IOPS of each direction, of all jobs together."""
    found: dict[str, float] = {}
    for number in foreign.numbers:
        if number.key.name.endswith(".iops") and not isinstance(number.value, Unknown) and number.key.direction:
            way = number.key.direction.value
            found[way] = found.get(way, 0.0) + float(number.value)
    return found


def rates_of(document: bytes) -> dict[str, float]:
    """The same as the standard library reads fio's JSON."""
    fields = json.loads(document[document.index(b"{") : document.rindex(b"}") + 1])
    jobs = [job for job in fields.get("jobs", fields.get("client_stats")) if job["jobname"] != "All clients"]
    return {way: sum(job[way]["iops"] for job in jobs) for way in ("read", "write")}


@contextmanager
def server(fio: str, folder: Path) -> Iterator[str]:
    """A host that does what clients ask for; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([fio, f"--server=127.0.0.1,{port}"], cwd=folder, stdout=subprocess.DEVNULL)
    try:
        for _ in range(1000):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"127.0.0.1,{port}"
    finally:
        process.kill()
        process.wait()


def clients_in_json_and_text_are_added_once(fio: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        options = (option.removeprefix("--").replace("name=j", "") for option in JOB)
        lines = ["[j]", *filter(None, options), f"directory={tmp_path / name}", ""]
        (tmp_path / f"{name}.fio").write_text("\n".join(lines))
    with server(fio, tmp_path) as first, server(fio, tmp_path) as second:
        asked = [f"--client={first}", "one.fio", f"--client={second}", "two.fio"]
        found = subprocess.run(
            [fio, *asked, "--output-format=json,normal"], cwd=tmp_path, check=True, capture_output=True
        ).stdout
        terse = subprocess.run(
            [fio, *asked, "--output-format=terse"], cwd=tmp_path, check=True, capture_output=True
        ).stdout
    expected = rates_of(found)
    assert rates(taken(tmp_path / "both.json", found)) == pytest.approx(expected)
    text = found[: found.index(b"\n{\n")] + found[found.index(b"\n}\n") + 3 :]
    of_text = taken(tmp_path / "text.txt", text)
    assert rates(of_text) == pytest.approx(expected, rel=0.01)
    assert of_text.program_version == document_in(found).version.removeprefix("fio-")
    jobs = {number.key.name.split(".")[1] for number in taken(tmp_path / "terse.txt", terse).numbers}
    assert len(jobs) == 2, jobs


def of_snapshots_the_last_counts(fio: str, tmp_path: Path) -> None:
    found = run(fio, tmp_path, "--runtime=4", "--status-interval=1500ms", "--output-format=json+")
    last = found[found.rindex(b'{\n  "fio version"') :]
    assert found.count(b'"fio version"') > 1
    try:
        of_all = taken(tmp_path / "snapshots.json", found)
    except ForeignError as error:
        # A host that was late wrote two of them at almost the same time: then they may be of two runs, too.
        assert "they do not say whether they are of one run; give the last alone" in str(error)  # noqa: PT017
        of_all = taken(tmp_path / "last.json", last)
    assert rates(of_all) == pytest.approx(rates_of(last))


def logs_with_the_time_of_day(fio: str, tmp_path: Path) -> None:
    logs = ["--write_bw_log=x", "--write_lat_log=x", "--log_avg_msec=500", "--log_unix_epoch=1"]
    run(fio, tmp_path, *logs, "--write_hist_log=x", "--log_hist_msec=500")
    for log in ("x_bw.1.log", "x_clat.1.log", "x_clat_hist.1.log"):
        (series,) = series_of([identify(tmp_path / log, None)], None)
        # Counted from the job's begin; of a host that stood still it is more than the two seconds that were asked for.
        assert series.end_ms < 600_000, (log, series.end_ms)


def zoned_jobs_are_read_as_others_are(fio: str, tmp_path: Path) -> None:
    zones = ["--zonemode=strided", "--zonesize=64k", "--zonerange=128k", "--zoneskip=0", "--rw=write"]
    found = run(fio, tmp_path, *zones, "--output-format=json,normal")
    expected = rates_of(found[: found.index(b"\n}\n") + 3])
    assert rates(taken(tmp_path / "zones.json", found))["write"] == pytest.approx(expected["write"])
    text = found[found.index(b"\n}\n") + 3 :]
    assert b"zone resets" in text
    assert rates(taken(tmp_path / "zones.txt", text))["write"] == pytest.approx(expected["write"], rel=0.01)


FORMS = (
    clients_in_json_and_text_are_added_once,
    of_snapshots_the_last_counts,
    logs_with_the_time_of_day,
    zoned_jobs_are_read_as_others_are,
)
"""Each is given a fio, and a directory to write in."""
