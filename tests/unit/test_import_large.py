"""fio's JSON of any size is read job by job: with the numbers of the whole, in little memory, in a time that grows as its bytes do."""

import json
import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.hints import hints_of
from tests.kit.large_fio import document, jobs, up_to, write
from tests.kit.peak_memory import with_peak

from ssdlab.analysis.audit.of_fio_json import FactsOfReport
from ssdlab.analysis.audit.run import audit_facts, has_failed
from ssdlab.bundle.imported import open_imported
from ssdlab.bundle.model import Check, Outcome
from ssdlab.engine.fio import document_places
from ssdlab.engine.fio.document import DocumentError, FioDocument
from ssdlab.engine.fio.foreign_document import document_in
from ssdlab.engine.fio.series import FioOutputError
from ssdlab.engine.fio.stored import StoredBytes
from ssdlab.engine.fio.stored_document import KeptJobs, document_of
from ssdlab.engine.result import Direction, Histogram
from ssdlab.library.failed_checks import FailedChecks, FailuresOfJobs
from ssdlab.library.foreign.fio_result import of_report
from ssdlab.library.foreign.readers import read_foreign
from ssdlab.library.foreign.result import ForeignError
from ssdlab.library.take_in import GivenFacts, Imports, take_in
from ssdlab.message import verbatim

DATA = Path(__file__).parent.parent / "data"
MARK = b'"fio version"'
SAMPLES = [
    path
    for path in sorted(DATA.rglob("*"))
    if path.is_file() and MARK in path.read_bytes().replace(b"\0", b"")
]  # fmt: skip


def told(document: FioDocument) -> object:
    """All that a document says, its jobs read twice."""
    assert list(document.jobs) == list(document.jobs)
    groups = [len(group) for group in document.groups()]
    return document.model_copy(update={"jobs": tuple(document.jobs)}).model_dump(), document.names(), groups


def whole(content: bytes) -> object:
    """What is in the content, or that it is refused."""
    try:
        return told(document_in(content))
    except DocumentError:
        return "refused"


def by_jobs(content: bytes) -> object:
    """The same by the reader of large files."""
    try:
        return told(document_of(StoredBytes(content), KeptJobs.PLACES))
    except DocumentError:
        return "refused"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_file_read_by_jobs_says_what_it_does_read_whole(path: Path) -> None:
    content = path.read_bytes()
    assert by_jobs(content) == whole(content)


RECORDED = (DATA / "fio-3.33" / "audit" / "clean.json").read_bytes()


def job(name: str, ios: int, mean: str) -> str:
    """A short job; its mean is put in as it stands."""
    part = f'{{"io_bytes": {4096 * ios}, "total_ios": {ios}, "runtime": 1000, "iops": {ios}.5, "clat_ns": {{"max": 9, "mean": {mean}, "N": {ios}, "bins": {{"9": {ios}}}}}}}'
    return f'{{"jobname": {json.dumps(name, ensure_ascii=False)}, "groupid": 0, "elapsed": 2, "job options": {{"bs": "4k"}}, "read": {part}}}'


DOCUMENTS = st.builds(
    lambda jobs, when, ending, key: (
        f'{{"fio version": "fio-3.33",{ending}"timestamp": {when}, "{key}": [{f", {ending}".join(jobs)}]}}'
    ),
    st.lists(
        st.builds(
            job,
            st.sampled_from(("a", "b", "작업", "ü", 'with "quotes" and \\ {', "nan")),
            st.integers(0, 10**6),
            st.sampled_from(("1", "12.5", "nan", "-nan", "inf", "1e3", "null", "x", "0.1234567890123456789")),
        ),
        max_size=6,
    ),
    st.integers(1_700_000_000, 1_700_000_009),
    st.sampled_from(("\n", "\r\n", " ", "")),
    st.sampled_from(("jobs", "jobs", "client_stats")),
)
BETWEEN = st.sampled_from(("", "\n", "fio: {error}\n", "{", "}", '"', "note: é ", "{}", '{"a": 1}', '"fio version"'))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(BETWEEN, DOCUMENTS), max_size=4),
    st.sampled_from(("utf-8", "utf-8-sig", "utf-16")),
    st.integers(0, 40),
    st.sampled_from((16, 100, 1 << 20)),
)
def test_any_documents_read_by_jobs_say_what_they_do_read_whole(
    documents: list[tuple[str, str]], encoding: str, cut: int, part_bytes: int
) -> None:
    text = "".join(before + document for before, document in documents)
    content = text[: len(text) - cut * (cut > 30)].encode(encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_places, "_PART_BYTES", part_bytes)
        found = by_jobs(content)
    assert found == whole(content)


def test_the_numbers_and_the_audit_of_a_large_file_are_those_of_the_jobs_in_memory(tmp_path: Path) -> None:
    """Also of copies, whose bins are added up."""
    named = document(islice(jobs(lambda place: f"job {place // 3}", 40), 7))
    content = write(tmp_path / "a.json", named).read_bytes()
    small, large = document_in(content), document_of(StoredBytes(content), KeptJobs.PLACES)
    assert list(of_report("a", large).numbers) == list(of_report("a", small).numbers)
    assert of_report("a", large).method == of_report("a", small).method
    checks = [[audit_facts(facts) for facts in FactsOfReport(report, ())] for report in (small, large)]
    assert checks[0] == checks[1]


def test_a_copy_that_did_nothing_counts_alike_in_a_small_and_a_large_file(tmp_path: Path) -> None:
    """Its bins were added to those of the copies that were busy, and theirs to its own, where the jobs stayed in the file."""
    copies = list(islice(jobs(lambda _: "copy", 40), 4))
    for idle in (copies[0], copies[2]):
        idle["read"] |= {"total_ios": 0, "io_bytes": 0}
    copies[2]["read"]["lat_ns"] |= {"max": 0, "N": 0}
    content = write(tmp_path / "a.json", document(iter(copies))).read_bytes()
    small, large = document_in(content), document_of(StoredBytes(content), KeptJobs.PLACES)
    assert list(of_report("a", large).numbers) == list(of_report("a", small).numbers)
    checks = [[audit_facts(facts) for facts in FactsOfReport(report, ())] for report in (small, large)]
    assert checks[0] == checks[1]
    facts = [next(iter(FactsOfReport(report, ()))).directions[Direction.READ] for report in (small, large)]
    for kind, latency in facts[0].latency.items():
        of_small, of_large = latency.histogram, facts[1].latency[kind].histogram
        assert isinstance(of_small, Histogram)
        assert isinstance(of_large, Histogram)
        assert of_large.count.sum() == of_small.count.sum() == sum(job["read"]["total_ios"] for job in copies)


def test_of_a_large_file_of_no_program_only_the_beginning_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.bin"
    path.touch()
    os.truncate(path, 3 << 30)
    read_bytes = 0
    parts = StoredBytes.parts

    def counted(self: StoredBytes) -> Iterator[bytes]:
        nonlocal read_bytes
        for part in parts(self):
            read_bytes += len(part)
            yield part

    monkeypatch.setattr(StoredBytes, "parts", counted)
    with pytest.raises(ForeignError, match="is of no program") as refused:
        read_foreign(path)
    assert "only its first 64.0 MiB were looked at" in hints_of(refused.value)[-1]
    assert read_bytes <= 200 << 20


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(RECORDED)
    found = document_of(StoredBytes.of_file(path), KeptJobs.PLACES)
    assert len(list(found.jobs)) == 1
    path.write_bytes(RECORDED + b"\n")
    with pytest.raises(FioOutputError, match=r"a\.json` was changed while it was read"):
        list(found.jobs)


def test_an_entry_larger_than_any_job_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_places, "ENTRY_BYTES_MAX", 4096)
    monkeypatch.setattr(document_places, "_PART_BYTES", 1024)
    with pytest.raises(DocumentError, match="Invalid JSON within"):
        document_of(StoredBytes(RECORDED), KeptJobs.PLACES)


def test_what_stands_beside_the_jobs_of_a_document_is_bounded_by_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_places, "BESIDE_BYTES_MAX", 1 << 20)
    many = ", ".join(f'"a{place}": "{"x" * 1000}"' for place in range(2000))
    content = b'{"fio version": "fio-3.33", "jobs": [], ' + many.encode() + b"}"
    with pytest.raises(DocumentError, match="more than 1 MiB beside its jobs"):
        document_of(StoredBytes(content), KeptJobs.PLACES)


def test_more_entries_than_any_run_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_places, "ENTRIES_MAX", 1000)
    content = b'{"fio version": "fio-3.33", "jobs": [' + b",".join([b"{}"] * 1001) + b"]}"
    with pytest.raises(DocumentError, match="more than 1,000"):
        document_of(StoredBytes(content), KeptJobs.PLACES)


def peak_mib(path: Path, lab: Path) -> int:
    """The most memory that an import takes."""
    done = with_peak(["import", str(path), "--lab", str(lab)])
    assert done.status in {0, 3}, done.stderr
    return done.peak_mib


def snapshots() -> Iterator[bytes]:
    """Of `--status-interval`: the same jobs again and again, which did more each time."""
    fields = json.loads(RECORDED)
    for second in range(100):
        fields["timestamp"] += 1
        fields["timestamp_ms"] += 1000
        (again,) = fields["jobs"]
        again |= {"job_start": 1_700_000_000_000, "elapsed": second + 1}
        yield from document({**again, "jobname": f"job{place}"} for place in range(20))


@pytest.mark.parametrize(
    "parts",
    [
        lambda: document(islice(jobs(lambda place: f"job{place}", 0), 2500)),
        lambda: document(up_to(jobs(lambda place: f"job{place}", 1000), 16 << 20)),
        lambda: document(up_to(jobs(lambda _: "copies", 1000), 16 << 20)),
        snapshots,
    ],
    ids=["2,500 jobs", "jobs with all bins", "copies of one job with all bins", "a snapshot every second"],
)
def test_tens_of_megabytes_need_little_memory(tmp_path: Path, parts: Callable[[], Iterator[bytes]]) -> None:
    """Twelve times the size of the file were needed when it was read at once."""
    path = write(tmp_path / "a.json", parts())
    assert path.stat().st_size >= 10 << 20
    assert peak_mib(path, tmp_path / "lab") < 160


def failing(jobs: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Of half of the total latency, which contradicts the rate and the other latencies."""
    for job in jobs:
        job["read"]["lat_ns"]["mean"] /= 2
        yield job


def test_what_a_quarter_of_a_million_jobs_fail_takes_little_memory() -> None:
    """Every check that failed was kept whole: of 1 GB of jobs that alone was more than 300 MB."""
    jobs_counted, job_bytes_max = 10_000, 300
    failed, of_jobs = FailedChecks(), FailuresOfJobs()
    tracemalloc.start()
    for at in range(jobs_counted):
        for name in ("queue.littles_law", "latency.sum"):
            finding = verbatim(f"finding {at}")
            check = Check(name=name, step=f"job {at}", outcome=Outcome.FAIL, finding=finding, meaning=None)
            failed.add(check)
            of_jobs.add(check)
    taken_bytes = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert of_jobs.names("job 9999") == ("queue.littles_law", "latency.sum")
    assert taken_bytes < jobs_counted * job_bytes_max


def test_of_many_failures_the_first_are_told_and_every_number_is_marked(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", document(islice(failing(jobs(lambda at: f"job {at}", 0)), 5)))
    with closing(Imports(tmp_path)) as there:
        run = open_imported(take_in(path, tmp_path, GivenFacts(), there=there))
        found = there.failed_checks
    names = [check.name for check in run.audit if check.step == "job 4" and has_failed(check)]
    assert names
    assert found.count == dict.fromkeys(names, 5)
    for checks in found.first.values():
        assert [check.step for check in checks] == ["job 0", "job 1", "job 2"]
    assert {metric.failed_checks for metric in run.metrics} == {tuple(names)}
