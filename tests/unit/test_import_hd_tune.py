"""HD Tune: what is of reads, of writes, or not said to be of either."""

from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, values

from ssdlab.library.foreign.result import ForeignError

TEXT = (DATA / "hd-tune.txt").read_text()
PRO = TEXT.replace("HD Tune:", "HD Tune Pro 5.75:")


def headed(direction: str) -> str:
    return PRO.replace("Benchmark\n", f"Benchmark\n\n{direction} transfer rate\n")


@pytest.mark.parametrize("direction", ["Read", "Write"])
def test_the_heading_of_the_rates_says_their_direction(tmp_path: Path, direction: str) -> None:
    found = read_content(tmp_path, headed(direction))
    assert values(found)[f"hd_tune.{direction.lower()}.transfer_rate_mean"] == 408.1
    assert found.method == f"{direction.lower()} benchmark"


def test_where_no_line_says_it_there_is_no_direction(tmp_path: Path) -> None:
    """HD Tune without Pro reads only."""
    assert values(read_content(tmp_path, PRO))["hd_tune.transfer_rate_mean"] == 408.1
    assert values(read_content(tmp_path, TEXT))["hd_tune.read.transfer_rate_mean"] == 408.1


def test_several_benchmarks_are_no_result(tmp_path: Path) -> None:
    for text in (headed("Read") + headed("Write"), headed("Read") + "Write transfer rate\n"):
        with pytest.raises(ForeignError, match="more than one benchmark"):
            read_content(tmp_path, text)


@pytest.mark.parametrize("rate", ["1,234.5", "1.234,5"])
def test_marks_may_part_thousands(tmp_path: Path, rate: str) -> None:
    assert values(read_content(tmp_path, TEXT.replace("351.0", rate)))["hd_tune.read.transfer_rate_min"] == 1234.5


@pytest.mark.parametrize("rate", ["1,234", "1.2.3", "fast"])
def test_a_row_that_cannot_be_read_is_refused(tmp_path: Path, rate: str) -> None:
    with pytest.raises(ForeignError, match="not as its program writes it"):
        read_content(tmp_path, TEXT.replace("351.0", rate))
