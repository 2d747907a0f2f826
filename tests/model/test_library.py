"""The library: bundles in folders are the truth, and nothing is ranked with what it cannot be compared to."""

import json
import os
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.library_runs import METRIC, Made, write_many, write_run
from tests.kit.metric_names import key
from typer.testing import CliRunner, Result

from ssdlab import cli
from ssdlab.bundle.quantities import Better
from ssdlab.library import catalogue
from ssdlab.library.ask import answer
from ssdlab.library.catalogue import LibraryError, open_catalogue
from ssdlab.library.rank import differences, labels, rankings
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, [str(one) for one in arguments])


def names(lab: Path) -> list[str]:
    return [entry.name for entry in open_catalogue(lab).entries]


# The cache


def test_runs_are_listed_by_time(tmp_path: Path) -> None:
    write_run(tmp_path, "b", Made(days=0))
    write_run(tmp_path, "a", Made(days=1))
    assert names(tmp_path) == ["b", "a"]


def test_a_second_look_opens_no_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path, "one", Made())
    first = open_catalogue(tmp_path)
    monkeypatch.setattr("ssdlab.library.collect.open_bundle", lambda path: pytest.fail(f"opened {path}"))
    assert open_catalogue(tmp_path) == first


def test_what_is_new_changed_or_gone_is_noticed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_run(tmp_path, name, Made(serial=name, value=1.0))
    assert names(tmp_path) == ["one", "two"]
    shutil.rmtree(tmp_path / "runs" / "one")
    shutil.rmtree(tmp_path / "runs" / "two")
    write_run(tmp_path, "two", Made(serial="two", value=222.0))
    write_run(tmp_path, "three", Made(serial="three", value=3.0, days=1))
    found = open_catalogue(tmp_path)
    assert [entry.name for entry in found.entries] == ["two", "three"]
    assert answer(found, "select run, value from metrics order by run").rows == (("three", 3.0), ("two", 222.0))


def test_links_that_somebody_put_into_a_lab_are_not_written_through(tmp_path: Path) -> None:
    lab, precious = tmp_path / "lab", tmp_path / "precious"
    write_run(lab, "one", Made())
    precious.write_text("precious")
    (lab / catalogue.CACHE).mkdir()
    for name in ("metrics", "runs"):
        for end in ("parquet", str(os.getpid())):
            for begin in ("", "tmp_"):
                (lab / catalogue.CACHE / f"{begin}{name}.{end}").symlink_to(precious)
    assert names(lab) == ["one"]
    assert precious.read_text() == "precious"


def test_a_cache_that_is_a_link_is_left_alone(tmp_path: Path) -> None:
    lab, elsewhere = tmp_path / "lab", tmp_path / "elsewhere"
    write_run(lab, "one", Made())
    elsewhere.mkdir()
    (lab / catalogue.CACHE).symlink_to(elsewhere)
    assert names(lab) == ["one"]
    assert list(elsewhere.iterdir()) == []


def test_a_cache_that_cannot_be_read_is_made_again(tmp_path: Path) -> None:
    write_run(tmp_path, "one", Made())
    whole = open_catalogue(tmp_path)
    for file in (tmp_path / catalogue.CACHE).iterdir():
        file.write_bytes(b"damaged")
    assert open_catalogue(tmp_path) == whole
    shutil.rmtree(tmp_path / catalogue.CACHE)
    assert open_catalogue(tmp_path) == whole


def test_a_corrupted_bundle_is_named_and_skipped(tmp_path: Path) -> None:
    write_run(tmp_path, "good", Made())
    bad = write_run(tmp_path, "bad", Made())
    for file in bad.iterdir():
        file.write_bytes(b"\x00garbage")
    (tmp_path / "runs" / "empty").mkdir()
    for _ in range(2):
        found = open_catalogue(tmp_path)
        assert [entry.name for entry in found.entries] == ["good"]
        assert [problem.name for problem in found.problems] == ["bad", "empty"]
    result = run("library", "list", "--lab", tmp_path)
    assert result.exit_code == 0
    assert "runs/bad` is no bundle: journal.jsonl ends in the middle of line 1" in result.stderr
    assert "good" in result.stdout
    assert "bad" not in result.stdout


def test_a_directory_whose_name_is_no_text_is_told_and_skipped(tmp_path: Path) -> None:
    write_run(tmp_path, "good", Made())
    shutil.copytree(tmp_path / "runs" / "good", tmp_path / "runs" / "bad\udcff")
    for _ in range(2):
        found = open_catalogue(tmp_path)
        assert [entry.name for entry in found.entries] == ["good"]
        assert [problem.name for problem in found.problems] == [r"bad\udcff"]
    shutil.rmtree(tmp_path / "runs" / "good")
    with pytest.raises(LibraryError, match="there is no run under") as refused:
        open_catalogue(tmp_path)
    assert rf"the name of `{tmp_path}/runs/bad\udcff` is not in UTF-8; rename it" in map(str, refused.value.hints)


def test_a_lab_whose_own_name_is_no_text_has_a_library(tmp_path: Path) -> None:
    lab = tmp_path / "lab\udcff"
    write_run(lab, "good", Made())
    (lab / "runs" / "empty").mkdir()
    assert [problem.name for problem in open_catalogue(lab).problems] == ["empty"]
    assert names(lab) == ["good"]


def test_five_thousand_runs_and_a_corrupted_one_are_all_there(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    write_many(tmp_path, 5000, metrics=3)
    (tmp_path / "runs" / "run-00017" / "run.json").write_bytes(b"{")
    (tmp_path / "runs" / "run-00017" / "journal.jsonl").write_bytes(b"{")
    found = open_catalogue(tmp_path)
    assert len(found.entries) == 4999
    assert [problem.name for problem in found.problems] == ["run-00017"]
    (ranking,) = rankings(found, METRIC)
    medians = [group.median for group in ranking.groups]
    assert medians == sorted(medians, reverse=True)
    assert len(medians) == 4499
    assert len(set(labels(ranking.groups))) == 4499


def test_a_lab_without_runs_says_what_to_do(tmp_path: Path) -> None:
    result = run("library", "list", "--lab", tmp_path)
    assert isinstance(result.exception, LibraryError)
    assert str(result.exception) == f"there is no run under `{tmp_path}`"


# Ranking


def medians(lab: Path) -> list[list[tuple[str, float, int]]]:
    return [
        [
            (name, group.median, len(group.values))
            for name, group in zip(labels(ranking.groups), ranking.groups, strict=True)
        ]
        for ranking in rankings(open_catalogue(lab), METRIC)
    ]


def test_drives_rank_by_the_median_of_their_runs_of_one_week(tmp_path: Path) -> None:
    for number, value in enumerate((10.0, 30.0, 20.0)):
        write_run(tmp_path, f"a{number}", Made(model="A", serial="1", days=number, value=value))
    write_run(tmp_path, "b", Made(model="B", serial="2", value=25.0))
    assert medians(tmp_path) == [[("B", 25.0, 1), ("A", 20.0, 3)]]


def test_a_run_weeks_later_is_a_line_of_its_own(tmp_path: Path) -> None:
    write_run(tmp_path, "new", Made(value=30.0))
    write_run(tmp_path, "old", Made(value=20.0, days=90))
    (ranking,) = rankings(open_catalogue(tmp_path), METRIC)
    assert [(group.median, group.days) for group in ranking.groups] == [(30.0, "2026-01-05"), (20.0, "2026-04-05")]


@pytest.mark.parametrize(
    ("other", "label"),
    [
        (Made(host="other"), "Lab PM1 1TB, in other"),
        (Made(firmware="F2"), "Lab PM1 1TB, firmware F2"),
        (Made(serial="S2"), "Lab PM1 1TB, S2"),
        (Made(serial=Unknown(verbatim("no"))), "Lab PM1 1TB, serial unknown"),
    ],
)
def test_another_host_firmware_or_drive_is_told_apart_by_name(tmp_path: Path, other: Made, label: str) -> None:
    write_run(tmp_path, "one", Made(value=30.0) if other != Made() else Made())
    write_run(tmp_path, "two", other)
    ((first, second),) = medians(tmp_path)
    assert {first[2], second[2]} == {1}
    assert label in {first[0], second[0]}


def test_two_drives_without_serials_are_never_taken_for_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_run(tmp_path, name, Made(serial=Unknown(verbatim("the drive does not say"))))
    assert [row[2] for row in medians(tmp_path)[0]] == [1, 1]


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (Made(profile="quick"), "profile quick and not standard"),
        (Made(suite="client"), "suite client 2025.12 and not fill 2025.12"),
        (Made(text="edited"), "the text of the suite is another (edited and not one)"),
        (Made(engine="model-0.1.0"), "engine model and not fio"),
        (Made(spec_text="[drive]"), "drives virtual and not real"),
    ],
)
def test_another_method_is_another_ranking_and_says_so(tmp_path: Path, other: Made, difference: str) -> None:
    write_run(tmp_path, "one", Made(model="A"))
    write_run(tmp_path, "two", Made(model="B"))
    write_run(tmp_path, "other", other)
    first, second = rankings(open_catalogue(tmp_path), METRIC)
    assert (len(first.groups), len(second.groups)) == (2, 1)
    assert list(map(str, differences(first, second))) == [difference]


def test_a_ranking_is_printed_with_spread_and_failed_checks(tmp_path: Path) -> None:
    write_run(tmp_path, "a1", Made(model="A", value=2e9, failed_checks=("host.cpu",)))
    write_run(tmp_path, "a2", Made(model="A", value=3e9, days=1))
    write_run(tmp_path, "b", Made(model="B", value=1e9))
    write_run(tmp_path, "c", Made(model="C", value=9e9, profile="quick"))
    assert run("library", "rank", METRIC, "--lab", tmp_path).stdout == snapshot("""\
fill.bandwidth_mean: fill 2025.12, profile standard, fio, drive state FOB; higher is better
              drive       median  runs  spread                      measured                  audit
1 to 2, tied  A      2,384 MiB/s     2  1,907 MiB/s to 2,861 MiB/s  2026-01-05 to 2026-01-06  FAILED host.cpu
1 to 2, tied  B      953.7 MiB/s     1                              2026-01-05

not in the same ranking: profile quick and not standard
fill.bandwidth_mean: fill 2025.12, profile quick, not comparable, fio, drive state FOB; higher is better
   drive       median  runs  spread  measured    audit
1  C      8,583 MiB/s     1          2026-01-05
""")


def test_a_number_taken_while_measuring_stood_still_is_not_ranked(tmp_path: Path) -> None:
    write_run(tmp_path, "a", Made(model="A", value=2e9, failed_checks=("host.cpu", "host.uninterrupted")))
    write_run(tmp_path, "b", Made(model="B", value=1e9))
    ranked = run("library", "rank", METRIC, "--lab", tmp_path)
    assert ranked.stderr == "not ranked: `a`, in which measuring stood still\n"
    assert [group.first.entry.name for one in rankings(open_catalogue(tmp_path), METRIC) for group in one.groups] == [
        "b"
    ]


def test_where_measuring_always_stood_still_nothing_is_ranked(tmp_path: Path) -> None:
    write_run(tmp_path, "a", Made(failed_checks=("host.uninterrupted",)))
    with pytest.raises(LibraryError, match="measuring stood still in every run"):
        rankings(open_catalogue(tmp_path), METRIC)


def test_an_unknown_metric_names_the_nearest(tmp_path: Path) -> None:
    write_run(tmp_path, "one", Made())
    with pytest.raises(LibraryError) as error:
        rankings(open_catalogue(tmp_path), "fill.bandwith_mean")
    assert hints_of(error.value)[0] == f"did you mean `{METRIC}`?"


def test_a_metric_that_no_run_knows_says_why(tmp_path: Path) -> None:
    write_run(tmp_path, "one", Made(value=Unknown(verbatim("the fill ended early"))))
    with pytest.raises(LibraryError, match=r"no run has a number for `fill\.bandwidth_mean`: the fill ended early"):
        rankings(open_catalogue(tmp_path), METRIC)


@pytest.mark.parametrize(
    ("name", "unit", "side"),
    [
        ("rnd.read.q1.iops", "1/s", Better.HIGHER),
        ("rnd.read.q1.clat_p99", "ns", Better.LOWER),
        ("fill.pass1.duration", "s", Better.LOWER),
        ("rw_ratio.rnd.q1.r0.rse", "%", Better.LOWER),
        ("rnd.read.q1.consistency", "%", Better.HIGHER),
        ("sustain.verify.bad_bytes", "B", Better.LOWER),
        ("sustain.pass1.time_below_50", "%", Better.LOWER),
    ],
)
def test_what_is_better_follows_from_name_and_unit(name: str, unit: str, side: Better) -> None:
    assert key(name).better(unit) is side


# One drive over time


def test_a_drive_over_time_shows_what_changed(tmp_path: Path) -> None:
    write_run(tmp_path, "new", Made(value=2e9))
    write_run(tmp_path, "old", Made(value=1.5e9, days=120))
    shown = run("library", "show", "pm1", "--lab", tmp_path).stdout.splitlines()
    assert shown[0] == "Lab PM1 1TB, serial S1, 1.00 TB"
    assert shown[-1].split() == [
        METRIC,
        "2026-01-05",
        "1,907",
        "MiB/s",
        "2026-05-05",
        "1,431",
        "MiB/s",
        "-25.0",
        "%",
        "2",
    ]


def test_a_drive_nobody_measured_lists_those_there_are(tmp_path: Path) -> None:
    write_run(tmp_path, "one", Made())
    error = run("library", "show", "990 PRO", "--lab", tmp_path).exception
    assert isinstance(error, LibraryError)
    assert hints_of(error) == ("there are: Lab PM1 1TB",)


# SQL


def test_sql_sees_runs_and_metrics(tmp_path: Path) -> None:
    write_run(tmp_path, "one", Made(value=5.0))
    found = run("library", "sql", "select model, value from runs join metrics using (run)", "--lab", tmp_path, "--json")
    assert json.loads(found.stdout) == [{"model": "Lab PM1 1TB", "value": 5.0}]


@pytest.mark.parametrize(
    "query",
    [
        "select * from read_csv('/etc/passwd')",
        "copy (select 1) to 'out.csv'",
        "install httpfs",
        "set enable_external_access = true",
        "select nothing from runs",
        "selec",
        "",
        ";",
    ],
)
def test_sql_touches_no_other_file_and_faults_are_explained(tmp_path: Path, query: str) -> None:
    write_run(tmp_path, "one", Made())
    with pytest.raises(LibraryError) as caught:
        answer(open_catalogue(tmp_path), query)
    assert "\n" not in str(caught.value)
