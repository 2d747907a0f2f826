"""fio's JSON of any size as a document of the fio of today, whose jobs stay in the file."""

import codecs
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from itertools import accumulate

from pydantic import ValidationError

from ssdlab.engine.fio.client_snapshots import last_of_each_host
from ssdlab.engine.fio.document import DocumentError, FioDocument, FioJob, document_error
from ssdlab.engine.fio.document_places import VERSION_KEY, Entries, Fields, documents_in, fields_in
from ssdlab.engine.fio.foreign_document import (
    NANOSECONDS,
    Era,
    document_in,
    era_of,
    in_words,
    job_of_today,
    last_snapshots,
    renumbered,
    with_todays_fields,
)
from ssdlab.engine.fio.stored import StoredBytes, StoredEntries, StoredJobs

SMALL_BYTES = 4 << 20
"""What is read into memory at once, of which it takes up to twelve times as much."""
_UTF_16_BYTES_MAX = 128 << 20
"""That much is decoded in memory."""


class KeptJobs(Enum):
    """What of the jobs of a file is in memory."""

    AS_FITS = "the jobs of a small file, of others where they stand"
    PLACES = "where they stand"


def document_of(source: StoredBytes, keep: KeptJobs = KeptJobs.AS_FITS) -> FioDocument:
    """The same of a file of any size: where only the places of the jobs are kept they are read whenever they are gone through.

    Raises:
        DocumentError: There is none, one is cut off, or a job is larger than any.
        FioOutputError: The file has been changed since it was looked at first.
        OSError: It cannot be read.
    """
    if keep is KeptJobs.AS_FITS and source.size_bytes <= SMALL_BYTES:
        return document_in(source.whole())
    if _is_utf_16(source):
        source = StoredBytes(_as_utf_8(source))
    with in_words():
        runs = [_run_in_file(source, fields) for fields in last_snapshots(documents_in(source))]
    if not runs:
        raise DocumentError(f"{VERSION_KEY}: Field required")
    return runs[0] if len(runs) == 1 else _together_in_file(source, runs)


def _is_utf_16(source: StoredBytes) -> bool:
    with source.open() as file:
        return file.read(2) in {b"\xff\xfe", b"\xfe\xff"}


def _as_utf_8(source: StoredBytes) -> bytes:
    if source.size_bytes > _UTF_16_BYTES_MAX:
        raise DocumentError(f"the document: it is UTF-16 of more than {_UTF_16_BYTES_MAX >> 20} MiB")
    made = bytearray()
    decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
    for part in source.parts():
        made += decoder.decode(part).encode(errors="replace")
    return bytes(made + decoder.decode(b"", final=True).encode(errors="replace"))


def _run_in_file(source: StoredBytes, fields: Fields) -> FioDocument:
    entries = fields.get("jobs", fields.get("client_stats"))
    if not isinstance(entries, Entries):
        raise DocumentError("jobs: Field required")
    heads = last_of_each_host(entries.heads) if "client_stats" in fields else entries.heads
    chosen = set(map(id, heads))
    jobs = StoredEntries(source, partial(_job_in, era=era_of(fields)))
    jobs.add_all(entries, [place for place, head in enumerate(entries.heads) if id(head) in chosen])
    rest = FioDocument.model_validate(with_todays_fields({**fields, "jobs": ()}))
    return rest.model_copy(update={"jobs": _known_jobs(jobs)})


def _known_jobs(jobs: StoredEntries[FioJob]) -> StoredJobs:
    """All of them gone through once."""
    keys, did_io = [], False
    read = iter(jobs)
    for place in range(len(jobs)):
        try:
            job = next(read)
        except ValidationError as error:
            raise DocumentError(f"jobs.{place}.{document_error(error)}") from error
        keys.append((job.groupid, sys.intern(job.jobname)))
        did_io = did_io or bool(job.io_count)
    return StoredJobs(jobs, tuple(keys), did_io)


def _job_in(text: bytes, era: "Era") -> FioJob:
    if era is Era.FIO_3 and NANOSECONDS.search(text) is not None:
        with suppress(ValidationError):
            return FioJob.model_validate_json(text)
    return FioJob.model_validate(job_of_today(fields_in(text), era))


def _together_in_file(source: StoredBytes, runs: Sequence[FioDocument]) -> FioDocument:
    of_runs = [run.jobs for run in runs if isinstance(run.jobs, StoredJobs)]
    firsts = list(accumulate((max((group for group, _ in jobs.keys), default=0) + 1 for jobs in of_runs), initial=0))
    readers = [
        partial(_of_run, read=jobs.entries.readers[0], run=run.model_copy(update={"jobs": ()}), first_group=first)
        for run, jobs, first in zip(runs, of_runs, firsts, strict=False)
    ]
    together = StoredEntries(source, *readers)
    for place, jobs in enumerate(of_runs):
        together.add_all(jobs.entries, range(len(jobs)), place)
    keys = [(group + first, name) for jobs, first in zip(of_runs, firsts, strict=False) for group, name in jobs.keys]
    stored = StoredJobs(together, tuple(keys), any(jobs.did_io for jobs in of_runs))
    return runs[0].model_copy(update={"jobs": stored, "global_options": {}, "disks": ()})


def _of_run(text: bytes, read: Callable[[bytes], FioJob], run: FioDocument, first_group: int) -> FioJob:
    return renumbered(read(text), run, first_group)
