"""Phoronix Test Suite: scales by their case, results without a plain value, and long descriptions."""

import time
from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, values

TEXT = (DATA / "phoronix-composite.xml").read_text()
FIRST = "phoronix.fio.type_random_read_block_size_4kb"


@pytest.mark.parametrize("scale", ["b/s", "Mib/s", "mib/s"])
def test_bits_are_no_bytes(tmp_path: Path, scale: str) -> None:
    found = read_content(tmp_path, TEXT.replace("<Scale>MB/s<", f"<Scale>{scale}<", 1))
    assert (found.numbers[0].key.name, found.numbers[0].unit) == (f"{FIRST}.result", scale)


@pytest.mark.parametrize("value", ["-5", "PASS", "1e400"])
def test_a_result_without_a_plain_value_is_left_out_and_named(tmp_path: Path, value: str) -> None:
    text = TEXT.replace("<Scale>MB/s<", "<Scale>Celsius<", 1).replace("512.5<", f"{value}<", 1)
    found = read_content(tmp_path, text)
    assert len(found.numbers) == 3
    assert f"left out, for its value is no plain number: {FIRST}" in found.cautions


def test_an_exponent_may_be_a_capital(tmp_path: Path) -> None:
    assert values(read_content(tmp_path, TEXT.replace("512.5<", "1.2E-5<", 1)))[f"{FIRST}.result"] == 1.2e-5


def test_long_descriptions_that_end_otherwise_are_other_metrics(tmp_path: Path) -> None:
    begin = "Type: Random Read - Engine: IO_uring - Buffered: No - Direct: Yes - Job Count: 1 - Block Size: "
    text = TEXT.replace("Type: Random Read - Block Size: 4KB - IOPS", f"{begin}2MB").replace(">IOPS<", ">MB/s<")
    found = values(read_content(tmp_path, text.replace("Type: Random Read - Block Size: 4KB", f"{begin}4KB")))
    assert len(found) == 4


def test_a_long_name_of_the_client_takes_no_time(tmp_path: Path) -> None:
    begun = time.process_time()
    read_content(tmp_path, TEXT.replace("v10.8.4", "1" * 100_000))
    assert time.process_time() - begun < 2
