"""Readers of other programs' files take time in proportion to the file, whatever fills it."""

import time

import pytest
from tests.kit.foreign_files import DATA

from ssdlab.library.foreign.readers import READERS
from ssdlab.library.foreign.result import ForeignError

SAMPLES = (
    "crystaldiskmark-3.txt", "diskspd-2.2.txt", "diskspd-2.2.xml", "elbencho-3.csv", "elbencho-3.json", "hd-tune.txt",
    "iozone-table.txt", "iozone-throughput.txt", "phoronix-composite.xml", "ssd-iq-log.csv", "sysbench-1.0.20-rndrw.txt",
    "vdbench-5.txt",
)  # fmt: skip
FILLINGS = {
    "digits": b"9",
    "spaces": b" ",
    "lines": b"\n",
    "empty lines": b" \n",
    "tags": b"<",
    "cells": b"0 | ",
    "commas": b",",
}
FILLED_BYTES = 400_000


@pytest.mark.parametrize("filling", FILLINGS)
@pytest.mark.parametrize("name", SAMPLES)
def test_what_fills_a_file_costs_no_more_than_its_length(name: str, filling: str) -> None:
    """Time that grows with the square of the length would be minutes here."""
    sample = (DATA / name).read_bytes()
    begun = time.process_time()
    for cut in (len(sample) // 2, len(sample)):
        content = sample[:cut] + FILLINGS[filling] * (FILLED_BYTES // len(FILLINGS[filling])) + sample[cut:]
        reader = next(reader for reader in READERS if reader.recognises(content[: 64 << 10]))
        try:
            reader.read(name, content)
        except ForeignError as error:
            assert len(str(error)) < 400  # noqa: PT017 - a filled file may be readable too
    assert time.process_time() - begun < 10
