"""The Rust module converts faithfully; what it counts is tested in Rust."""

import errno
from pathlib import Path

import numpy as np
import pytest

from ssdlab import _core


def test_key_lines_are_paths_of_keys_and_positions() -> None:
    lines = dict(_core.toml_key_lines('[[step]]\nkind = "purge"\nqd = [1,\n2]\n'))
    assert lines[("step", 0, "kind")] == 2
    assert lines[("step", 0, "qd", 1)] == 4


def test_a_text_that_is_not_toml_says_where() -> None:
    with pytest.raises(_core.TomlError, match="line 2, column 5") as fault:
        _core.toml_key_lines("a = 1\nb = = 2\n")
    assert (fault.value.line, fault.value.column) == (2, 5)
    assert fault.value.message in str(fault.value)


def test_a_bin_counts_from_its_low_to_its_high_end() -> None:
    value_ns = 100_000
    index = _core.bin_index(value_ns)
    assert _core.bin_low(index) <= value_ns <= _core.bin_high(index)
    assert _core.bin_index(_core.bin_mid(index)) == index
    assert _core.BIN_COUNT == 1856


def test_a_bin_that_does_not_exist_is_an_index_error() -> None:
    for function in (_core.bin_low, _core.bin_mid, _core.bin_high):
        with pytest.raises(IndexError, match="there is no bin 1856"):
            function(1856)


def test_percentiles_with_too_few_samples_above_are_none() -> None:
    indices = [_core.bin_index(value) for value in range(1, 101)]
    assert _core.histogram_percentiles(indices, [1] * 100, [50, 90, 91]) == [50, 90, None]


def test_percentiles_refuse_what_makes_no_histogram() -> None:
    with pytest.raises(ValueError, match="2 bins but 1 counts"):
        _core.histogram_percentiles([1, 2], [1], [50])
    with pytest.raises(ValueError, match="101 is no percentage"):
        _core.histogram_percentiles([1], [20], [101])
    with pytest.raises(IndexError):
        _core.histogram_percentiles([1856], [20], [50])


LOG = b"0, 78000, 0, 4096, 8192, 0\n3, 62000, 1, 512, 0, 0\n"


def test_a_log_is_columns_for_numpy() -> None:
    log = _core.parse_fio_log(LOG)
    assert len(log) == 2
    assert np.frombuffer(log.time_ms, "<u8").tolist() == [0, 3]
    assert np.frombuffer(log.value, "<u8").tolist() == [78_000, 62_000]
    assert np.frombuffer(log.direction, "u1").tolist() == [0, 1]
    assert np.frombuffer(log.block_bytes, "<u8").tolist() == [4096, 512]
    assert log.offset_bytes is not None
    assert np.frombuffer(log.offset_bytes, "<u8").tolist() == [8192, 0]
    assert log.value_max is None
    assert log.issue_ns is None


def test_a_log_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "lat.log"
    path.write_bytes(LOG)
    assert _core.parse_fio_log(path).value == _core.parse_fio_log(str(path)).value == _core.parse_fio_log(LOG).value


def test_a_damaged_log_names_the_line_the_problem_and_what_was_found() -> None:
    with pytest.raises(_core.FioLogError, match="line 3") as fault:
        _core.parse_fio_log(LOG + b"5, oops")
    assert fault.value.line == 3
    assert fault.value.found == "5, oops"
    assert "value" in fault.value.problem


def test_a_log_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    missing = tmp_path / "none.log"
    with pytest.raises(FileNotFoundError) as fault:
        _core.parse_fio_log(missing)
    assert (Path(fault.value.filename), fault.value.errno) == (missing, errno.ENOENT)
