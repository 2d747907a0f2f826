"""`ssdlab qualify`: limits kept, missed and not measured, files that are refused, and names of anybody's in what is written."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from tests.kit.library_runs import Made
from tests.kit.qualified_runs import numbers_of_drives, write_drive
from typer.testing import CliRunner, Result

from ssdlab import cli
from ssdlab.bundle.read import open_bundle
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.message import message
from ssdlab.qualify.amount import parse_amount
from ssdlab.qualify.batch import siblings
from ssdlab.qualify.judge import Verdict
from ssdlab.qualify.limits import read_limits
from ssdlab.qualify.qualification import Qualification, qualification
from ssdlab.qualify.sheet import COLUMNS, sheet
from ssdlab.unknown import Unknown

MEAN = "fill.bandwidth_mean"
NUMBERS = {MEAN: (2e8, "B/s"), "rnd.read.q1.clat_p99": (90_000.0, "ns"), "fill.duration": (50.0, "s")}
SPEED = f'[[limit]]\nsuite = "fill"\nmetric = "{MEAN}"\nat_least = "160 MB/s"\n'


def limits(directory: Path, text: str) -> Path:
    path = directory / "limits.toml"
    path.write_text(text)
    return path


def qualified(directory: Path, text: str, *runs: Path) -> Qualification:
    return qualification([open_bundle(run) for run in runs], read_limits(limits(directory, text)))


def refusal(directory: Path, text: str, *runs: Path) -> str:
    with pytest.raises(SsdlabError) as refused:
        qualified(directory, text, *runs)
    return " ".join(map(str, (*refused.value.lines, *refused.value.hints)))


def command(directory: Path, text: str, *words: str | Path) -> Result:
    return CliRunner().invoke(
        cli.app, ["qualify", *map(str, words), "--limits", str(limits(directory, text))], catch_exceptions=False
    )


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_drive(tmp_path / "lab", Made(), NUMBERS)


@pytest.mark.parametrize(
    ("bound", "verdict", "margin"),
    [
        ('at_least = "160 MB/s"', Verdict.PASSED, 0.25),
        ('at_least = "200 MB/s"', Verdict.PASSED, 0.0),
        ('at_least = "250 MB/s"', Verdict.FAILED, -0.2),
        ('at_most = "250 MB/s"', Verdict.PASSED, 0.2),
        ('at_most = "160 MB/s"', Verdict.FAILED, -0.25),
    ],
)
def test_the_margin_is_a_share_of_the_limit(
    run: Path, tmp_path: Path, bound: str, verdict: Verdict, margin: float
) -> None:
    found = qualified(tmp_path, f'[[limit]]\nsuite = "fill"\nmetric = "{MEAN}"\n{bound}\n', run)
    (number,) = found.drives[0].judged.numbers
    assert number.verdict is verdict
    assert number.margin == pytest.approx(margin)


def test_what_editors_of_windows_write_first_is_no_part_of_the_limits(run: Path, tmp_path: Path) -> None:
    text = f'\ufeff[[limit]]\nsuite = "fill"\nmetric = "{MEAN}"\nat_least = "160 MB/s"\n'
    assert qualified(tmp_path, text, run).all_passed


def test_times_are_held_against_limits_in_any_unit_of_time(run: Path, tmp_path: Path) -> None:
    text = "\n".join(
        f'[[limit]]\nsuite = "fill"\nmetric = "{name}"\nat_most = "{most}"\n'
        for name, most in (("rnd.read.q1.clat_p99", "100 us"), ("fill.duration", "1min"))
    )
    numbers = qualified(tmp_path, text, run).drives[0].judged.numbers
    assert [number.bound for number in numbers] == [100_000, 60]
    assert all(number.verdict is Verdict.PASSED for number in numbers)


def test_of_a_pattern_each_metric_must_keep_the_limit(tmp_path: Path) -> None:
    numbers = {f"fill.pass{number}.bandwidth_mean": (speed, "B/s") for number, speed in ((1, 2e8), (2, 1e8))}
    path = write_drive(tmp_path / "lab", Made(), numbers)
    text = '[[limit]]\nsuite = "fill"\nmetric = "fill.pass*.bandwidth_mean"\nat_least = "160 MB/s"\n'
    (drive,) = qualified(tmp_path, text, path).drives
    assert [number.verdict for number in drive.judged.numbers] == [Verdict.PASSED, Verdict.FAILED]
    assert drive.verdict is Verdict.FAILED
    assert drive.judged.worst.metric == "fill.pass2.bandwidth_mean"


def test_what_a_run_does_not_have_is_not_measured_and_no_pass(tmp_path: Path) -> None:
    whole = write_drive(tmp_path / "lab", Made(serial="A"), NUMBERS)
    part = write_drive(tmp_path / "lab", Made(serial="B"), {"fill.duration": (50.0, "s")})
    unknown = write_drive(
        tmp_path / "lab", Made(serial="C"), {MEAN: (Unknown(message("unknown-score-one-run")), "B/s")}
    )
    found = qualified(tmp_path, SPEED, whole, part, unknown)
    assert {one.serial: one.verdict for one in found.drives} == {
        "A": Verdict.PASSED,
        "B": Verdict.NOT_MEASURED,
        "C": Verdict.NOT_MEASURED,
    }
    assert command(tmp_path, SPEED, whole, part).exit_code == ExitStatus.LIMIT_FAILED


def test_a_number_taken_while_measuring_stood_still_is_not_measured(tmp_path: Path) -> None:
    path = write_drive(tmp_path / "lab", Made(failed_checks=("host.uninterrupted",)), NUMBERS)
    found = qualified(tmp_path, SPEED, path)
    assert found.drives[0].verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize("method", ['suite = "client"', 'suite = "fill"\nprofile = "quick"'])
def test_a_limit_of_a_suite_or_profile_that_was_not_run_is_not_measured(run: Path, tmp_path: Path, method: str) -> None:
    text = f'[[limit]]\n{method}\nmetric = "{MEAN}"\nat_least = "1 MB/s"\n'
    assert qualified(tmp_path, text, run).drives[0].verdict is Verdict.NOT_MEASURED


def test_runs_of_a_drive_count_by_their_median(tmp_path: Path) -> None:
    runs = [
        write_drive(tmp_path / "lab", Made(days=day), {MEAN: (speed, "B/s")})
        for day, speed in ((0, 1e8), (1, 2e8), (2, 3e8))
    ]
    (drive,) = qualified(tmp_path, SPEED, *runs).drives
    assert drive.judged.numbers[0].margin == pytest.approx(0.25)
    assert not drive.judged.numbers[0].is_told


def test_runs_that_do_not_repeat_each_other_are_refused(tmp_path: Path) -> None:
    runs = [write_drive(tmp_path / "lab", Made(firmware=firmware), NUMBERS) for firmware in ("F1", "F2")]
    assert "do not repeat each other" in refusal(tmp_path, SPEED, *runs)


def test_the_worst_drive_stands_first(tmp_path: Path) -> None:
    runs = [
        write_drive(tmp_path / "lab", Made(serial=serial), {MEAN: (speed, "B/s")} if speed else NUMBERS | {MEAN: (Unknown(message("unknown-score-one-run")), "B/s")})
        for serial, speed in (("good", 3e8), ("none", 0.0), ("bad", 1e8), ("fair", 1.7e8), ("worse", 0.5e8))
    ]  # fmt: skip
    assert [one.serial for one in qualified(tmp_path, SPEED, *runs).drives] == ["worse", "bad", "none", "fair", "good"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no limit in the file"),
        (SPEED.replace("at_least", "atleast"), "did you mean `at_least`?"),
        (SPEED.replace("[[limit]]", "[[limits]]"), "did you mean `limit`?"),
        (SPEED.replace(MEAN, "fill.bandwidth_men"), f"`{MEAN}`"),
        (SPEED.replace("160 MB/s", "160 us"), "is in B/s, and `160 us` is of something else"),
        (SPEED.replace("160 MB/s", "160 furlongs"), "`160 furlongs` is no amount"),
        (SPEED.replace('"160 MB/s"', "160"), "`160` has no unit"),
        (SPEED.replace('at_least = "160 MB/s"', ""), "`at_least` or `at_most`"),
        (SPEED + "at_least = ", "limits.toml:5"),
    ],
    ids=["empty", "key", "table", "metric", "unit", "no unit", "number", "no bound", "syntax"],
)
def test_a_faulty_file_is_refused_with_what_was_meant(run: Path, tmp_path: Path, text: str, told: str) -> None:
    assert told in refusal(tmp_path, text, run)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("150 MiB/s", 150 * 1024**2, "B/s"),
        ("3GB", 3e9, "B"),
        ("90k IOPS", 90_000, "1/s"),
        ("1.5M IOPS", 1_500_000, "1/s"),
        ("800 IOPS", 800, "1/s"),
        ("200us", 200_000, "ns"),
        ("99.5 %", 99.5, "%"),
        ("-3 %", -3, "%"),
        ("1.25", 1.25, ""),
        ("8.5 W", 8.5, "W"),
        ("0 B", 0, "B"),
    ],
)
def test_an_amount_is_read_with_its_unit(text: str, value: float, unit: str) -> None:
    amount = parse_amount(text)
    assert amount.value == pytest.approx(value)
    assert amount.unit == unit


@pytest.mark.parametrize(
    "text", ["", "MB/s", "1e9 B", "1,5 MB/s", "150 MB /s", "-3 MB/s", "9" * 400 + " B", "\u0661\u0660 MB/s"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(SsdlabError):
        parse_amount(text)


@pytest.mark.parametrize(
    ("least", "status"),
    [("160 MB/s", ExitStatus.DONE), ("250 MB/s", ExitStatus.LIMIT_FAILED)],
)
def test_the_exit_status_tells_whether_all_pass(run: Path, tmp_path: Path, least: str, status: ExitStatus) -> None:
    assert command(tmp_path, SPEED.replace("160 MB/s", least), run).exit_code == status


@pytest.mark.parametrize(("least", "status"), [("160 MB/s", 3), ("250 MB/s", 4)])
def test_a_failed_check_of_the_audit_is_told_where_all_pass(tmp_path: Path, least: str, status: int) -> None:
    path = write_drive(tmp_path / "lab", Made(failed_checks=("little",)), NUMBERS)
    ended = command(tmp_path, SPEED.replace("160 MB/s", least), path)
    assert ended.exit_code == status
    assert "✗" in ended.stdout


def test_a_result_of_another_program_is_refused(tmp_path: Path) -> None:
    result = tmp_path / "imported"
    result.mkdir()
    (result / "import.json").write_text("{}")
    with pytest.raises(SsdlabError, match="result of another program"):
        command(tmp_path, SPEED, result)


def test_the_json_has_every_number_and_says_what_the_test_is(run: Path, tmp_path: Path) -> None:
    told = json.loads(command(tmp_path, SPEED, run, "--json").stdout)
    assert told["passed"] is True
    assert told["drives"][0]["limits"][0] | {"interval": None} == {
        "suite": "fill",
        "profile": "standard",
        "metric": MEAN,
        "at_least": 1.6e8,
        "unit": "B/s",
        "value": 2e8,
        "interval": None,
        "margin": pytest.approx(0.25),
        "verdict": "passed",
        "failed_checks": [],
    }
    assert told["outliers"]["level"] == 0.001


HOSTILE = '=HYPERLINK("http://evil","x")\x1b[31m\u202e<script>'


def test_a_hostile_drive_neither_computes_in_a_sheet_nor_steers_the_terminal(tmp_path: Path) -> None:
    made = Made(model=HOSTILE, serial=HOSTILE, firmware="@SUM(1)")
    path = write_drive(tmp_path / "lab", made, NUMBERS)
    text = sheet(qualified(tmp_path, SPEED, path))
    (row,) = csv.DictReader(io.StringIO(text))
    assert not [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))]
    assert row["serial"].startswith("'=HYPERLINK")
    assert "\u202e" not in text
    printed = command(tmp_path, SPEED, path)
    assert "\x1b" not in printed.output
    assert "\u202e" not in printed.output


def test_the_sheet_has_a_row_a_number(run: Path, tmp_path: Path) -> None:
    output = tmp_path / "batch.csv"
    assert command(tmp_path, SPEED.replace("160 MB/s", "250 MB/s"), run, "--csv", output).exit_code == 4
    (row,) = csv.DictReader(io.StringIO(output.read_text()))
    assert tuple(row) == COLUMNS
    assert (row["serial"], row["outcome"], row["margin_percent"], row["value"]) == (
        "S1",
        "failed",
        "-20.000",
        "200000000",
    )


def test_an_odd_drive_is_odd_even_where_it_passes(tmp_path: Path) -> None:
    random = np.random.default_rng(11)
    speeds = [2e8 * (1 + 0.01 * one) for one in random.standard_normal(20)] + [3e8]
    runs = [
        write_drive(tmp_path / "lab", Made(serial=f"S{place}"), {MEAN: (speed, "B/s")})
        for place, speed in enumerate(speeds)
    ]
    ended = command(tmp_path, SPEED, *runs)
    assert ended.exit_code == ExitStatus.DONE
    line = next(line for line in ended.stdout.splitlines() if line.startswith("S20 "))
    assert "passes" in line
    assert f"{MEAN} 1.5 \u00d7 median, +" in line


def test_of_nine_drives_none_is_odd_and_it_is_said_from_how_many_on(tmp_path: Path) -> None:
    runs = [
        write_drive(tmp_path / "lab", Made(serial=f"S{place}"), {MEAN: (speed, "B/s")})
        for place, speed in enumerate([2e8 + 1e5 * place for place in range(8)] + [9e8])
    ]
    ended = command(tmp_path, SPEED, *runs)
    assert "which is odd is said from 10 drives on" in ended.stdout


def test_drives_of_two_models_are_no_siblings(tmp_path: Path) -> None:
    runs = [
        write_drive(tmp_path / "lab", Made(model=model, serial=f"{model}{place}"), {MEAN: (speed + place * 1e5, "B/s")})
        for model, speed in (("A", 2e8), ("B", 4e8))
        for place in range(10)
    ]
    found = qualified(tmp_path, SPEED, *runs)
    assert [len(batch.drives) for batch in found.siblings.batches] == [10, 10]
    assert not any(one.odd for one in found.drives)


def healthy(random: np.random.Generator, drives: int) -> dict[str, list[float]]:
    """Numbers as a suite has them: rates that go with each other, tails that scatter widely, counts, and some all alike."""
    common = random.standard_normal(drives)
    numbers: dict[str, list[float]] = {}
    for place, sigma in enumerate(np.geomspace(0.002, 0.3, 17)):
        own = sigma * (0.6 * common + 0.8 * random.standard_normal(drives))
        numbers[f"rnd.read.q{place + 1}.iops"] = list(1e5 * np.exp(own))
    numbers["fill.bandwidth_mean"] = [2e8] * drives
    numbers["fill.pass1.cache_bytes"] = list(1e9 + 1e8 * random.integers(0, 3, drives))
    numbers["fill.pass1.write_amplification"] = list(np.where(random.random(drives) < 0.02, 1.2, 1.0))
    return numbers


def test_of_200_healthy_batches_of_40_at_most_one_has_an_odd_drive() -> None:
    """Issue 26, done when 5: at the stated level of one batch in a thousand."""
    random = np.random.default_rng(26)
    alarms = 0
    for _ in range(200):
        found = siblings(numbers_of_drives(healthy(random, 40)), ())
        assert len(found.batches[0].judged) == 20
        alarms += any(found.odd_of(place) for place in range(40))
    assert alarms <= 1
