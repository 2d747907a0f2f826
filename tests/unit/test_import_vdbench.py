"""vdbench: the average of each run without its first interval."""

from pathlib import Path

import pytest
from tests.kit.foreign_files import DATA, read_content, read_sample, survives_damage, values

from ssdlab.library.foreign.result import ForeignError

TEXT = (DATA / "vdbench-5.txt").read_text()
RUN_1 = "RD=rd1; I/O rate: Uncontrolled MAX; elapsed=4; For loops: threads=8"
SAID = {
    "vdbench.rd1.threads_8.bandwidth": 51_000 * 4096,
    "vdbench.rd1.threads_8.iops": 51_000,
    "vdbench.rd1.threads_8.lat_mean": 156_000,
    "vdbench.rd1.threads_8.read.lat_mean": 111_000,
    "vdbench.rd1.threads_8.read.lat_max": 4_500_000,
    "vdbench.rd1.threads_8.write.lat_mean": 262_000,
    "vdbench.rd1.threads_8.write.lat_max": 8_000_000,
    "vdbench.rd2.rate_100.read.bandwidth": 102 * 131_072,
    "vdbench.rd2.rate_100.read.iops": 102,
    "vdbench.rd2.rate_100.read.lat_mean": 312_000,
}


def test_averages_count_and_intervals_do_not() -> None:
    found = read_sample("vdbench-5.txt")
    assert values(found) == pytest.approx(SAID)
    assert (found.program_version, found.method) == ("50407", "rd1, rd2")
    assert str(found.numbers[0].note) == "mean of intervals 2 to 4"


def test_reports_in_html_are_the_same_text(tmp_path: Path) -> None:
    report = "<title>Vdbench summary.html</title><pre>\n" + TEXT.replace(
        "Starting RD=rd1;", '<a name="_123"></a><i><b>Starting RD=rd1;</b></i>'
    )
    report = report.replace("Starting RD=rd1;</b></i>", "Starting RD=rd1;")
    assert values(read_content(tmp_path, report)) == pytest.approx(SAID)


def test_a_run_that_comes_again_is_told_apart(tmp_path: Path) -> None:
    again = TEXT.replace("RD=rd2; I/O rate: 100; elapsed=1; For loops: None", RUN_1)
    found = values(read_content(tmp_path, again))
    assert found["vdbench.rd1.threads_8.run2.read.iops"] == 102


def test_other_threads_and_limits_are_other_loads(tmp_path: Path) -> None:
    limited = TEXT.replace(
        "RD=rd2; I/O rate: 100; elapsed=1; For loops: None", "RD=rd1; I/O rate: 100; elapsed=1; For loops: threads=2"
    )
    found = read_content(tmp_path, limited)
    assert values(found)["vdbench.rd1.threads_2.rate_100.read.iops"] == 102
    assert "its rate was limited" in found.cautions
    free = read_content(tmp_path, TEXT.replace("I/O rate: 100;", "I/O rate: Uncontrolled MAX;"))
    assert "its rate was limited" not in free.cautions


def test_a_run_of_one_interval_has_no_average(tmp_path: Path) -> None:
    found = values(read_content(tmp_path, TEXT.replace("avg_2-2", "avg_2-1")))
    assert not [name for name in found if name.startswith("vdbench.rd2")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT[: TEXT.index("05:06:14.181")], "has no line `avg_` of a run"),
        (
            TEXT.replace("interval        i/o", "interval .ReqstdOps").replace("avg_", "avg"),
            "operations on file systems",
        ),
        (TEXT.replace("4096  70.00    0.156", "4096  70.00"), "12 columns"),
        (TEXT.replace("avg_2-4    51000.0", "avg_2-4    51.000.0"), "no number"),
        (TEXT.replace("1024**2", "1000**2"), "has no line `avg_` of a run"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ForeignError, match=says):
        read_content(tmp_path, text)


def test_damage_is_survived() -> None:
    survives_damage("vdbench-5.txt", seed=25)
