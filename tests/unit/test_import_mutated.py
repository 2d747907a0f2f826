"""Damaged copies of the files that people have are read or refused in words, by every reader.

`tests/study/fuzz_readers.py` does the same for as long as it is told.
"""

import json
from random import Random

import pytest
from tests.kit.mutations import DATA, mutated, read_whole, samples

from ssdlab.library.foreign.readers import READERS
from ssdlab.library.foreign.result import Reader

RECORDED = samples()
COPIES = 25


@pytest.mark.parametrize(
    "reader", [reader for reader in READERS if RECORDED[reader.program]], ids=lambda one: one.program
)
def test_damage_is_read_or_refused_in_words(reader: Reader) -> None:
    random, contents = Random(7), RECORDED[reader.program]  # noqa: S311
    for _ in range(COPIES):
        read_whole(reader, mutated(random.choice(contents), contents, random))


@pytest.mark.parametrize("name", ["job_runtime", "elapsed", "job_start", "error", "total_err", "runtime", "short_ios"])
def test_a_number_that_nothing_counts_in_is_refused(name: str) -> None:
    (reader,) = (reader for reader in READERS if reader.program.startswith("fio, JSON"))
    fields = json.loads((DATA / "fio-3.33" / "audit" / "clean.json").read_bytes())
    (job,) = fields["jobs"]
    part = job["read"] if name in job["read"] else job
    part[name] = 10**400
    assert not read_whole(reader, json.dumps(fields).encode())
