"""Damaged copies of the files that people have are read or refused in words, by every reader.

`tests/study/fuzz_readers.py` does the same for as long as it is told.
"""

import json
from pathlib import Path
from random import Random

import pytest
from tests.kit.fuzzed import Fuzzed, all_fuzzed
from tests.kit.mutations import DATA, read_whole

from ssdlab.library.foreign.readers import READERS
from ssdlab.library.meter.readers import READERS as METERS

COPIES = 25


@pytest.mark.parametrize("reader", all_fuzzed(), ids=lambda one: one.name)
def test_damage_is_read_or_refused_in_words(tmp_path: Path, reader: Fuzzed) -> None:
    random, contents = Random(7), reader.contents  # noqa: S311
    for _ in range(COPIES):
        reader.read(reader.damage(random.choice(contents), contents, random), tmp_path)


def test_whole_files_are_read_by_every_reader(tmp_path: Path) -> None:
    """Else its damaged copies would be refused for what they are."""
    for reader in all_fuzzed():
        assert any(reader.read(content, tmp_path) for content in reader.contents), reader.name


def test_every_reader_is_given_damage() -> None:
    assert {one.name for one in all_fuzzed()} >= {one.program for one in READERS} | {one.meter for one in METERS}


@pytest.mark.parametrize("name", ["job_runtime", "elapsed", "job_start", "error", "total_err", "runtime", "short_ios"])
def test_a_number_that_nothing_counts_in_is_refused(name: str) -> None:
    (reader,) = (reader for reader in READERS if reader.program.startswith("fio, JSON"))
    fields = json.loads((DATA / "fio-3.33" / "audit" / "clean.json").read_bytes())
    (job,) = fields["jobs"]
    part = job["read"] if name in job["read"] else job
    part[name] = 10**400
    assert not read_whole(reader, json.dumps(fields).encode())
