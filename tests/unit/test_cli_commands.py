"""The commands that only look: what they print, as text and as JSON."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of
from tests.kit.sample_bundle import write_interrupted, write_whole
from typer.testing import CliRunner, Result

from ssdlab import cli, version
from ssdlab.analysis.audit.run import has_failed
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import write_conclusions
from ssdlab.errors import ExitStatus, Interrupted, SsdlabError, UsageError
from ssdlab.message import verbatim
from ssdlab.method.builtin import builtin_names


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, [str(one) for one in arguments])


def printed(*arguments: str | Path, status: int = 0) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (status, "")
    return result.stdout


def as_json(*arguments: str | Path, status: int = 0) -> Any:
    return json.loads(printed(*arguments, "--json", status=status))


def test_the_version_is_that_of_the_package() -> None:
    assert printed("--version") == f"ssdlab {version()}\n"


def test_suites_are_listed() -> None:
    width = max(len(name) for name in builtin_names())
    fill = (
        "  2025.12  Write the whole drive twice, from fresh out of the box: SLC cache, folding, direct speed "
        "(profiles: standard, quick)"
    )
    lines = printed("suites").splitlines()
    assert "fill".ljust(width) + fill in lines
    assert [line.split()[0] for line in lines] == list(builtin_names())
    assert [one["name"] for one in as_json("suites")] == list(builtin_names())
    assert all(one["profiles"][:2] == ["standard", "quick"] for one in as_json("suites"))
    assert {one["name"] for one in as_json("suites") if "adaptive" in one["profiles"]} == {
        "enterprise",
        "enterprise-iu",
        "load-latency",
    }


def test_a_suite_is_printed_ready_to_be_edited() -> None:
    assert tomllib.loads(printed("suite", "fill"))["suite"]["name"] == "fill"


def test_a_plan_says_what_will_be_done_and_what_it_costs() -> None:
    assert printed("plan", "fill", "model:demo?capacity=8GiB") == snapshot("""\
fill 2025.12 (profile standard) on model:demo?capacity=8GiB
writes 16.0 GiB to the drive, rests 20 min
takes 23 min on a slow drive: 100 MiB/s, 150 µs for a single I/O
takes 20 min on a fast drive: 1000 MiB/s, 50 µs for a single I/O
the bundle is likely to take 131 KiB to 261 KiB; while it is written, fio's logs included, at most 9.02 MiB

step   jobs  writes    rests   slow drive  fast drive  state before  if interrupted
purge                  15 min  15 min      15 min      unknown       only what was not finished
fill   2     16.0 GiB  300 s   464 s       316 s       FOB           all since its purge
""")


def test_a_plan_as_json_has_the_same_numbers() -> None:
    plan = as_json("plan", "fill", "virtual:demo?capacity=8GiB", "--profile", "quick")
    assert (plan["bytes_to_write"], plan["rest_ns"], plan["comparable"]) == (2 * 8 * 2**30, 20 * 10**9, False)
    assert [step["name"] for step in plan["steps"]] == snapshot(
        ["purge", "purge.rest", "fill.pass1", "fill.rest", "fill.pass2"]
    )


def test_hundreds_of_points_are_planned_in_a_line_a_step() -> None:
    assert printed("plan", "client", "model:pm9e1-1tb", "--endurance", "600TBW") == snapshot("""\
client 2025.12.1 (profile standard) on model:pm9e1-1tb
writes 5.15 TiB to 5.16 TiB to the drive and 420 s at full speed (41.0 GiB to 410 GiB), rests 8 h 7 min
uses up to 1.02% of the 600 TB the drive is rated for if it is a fast drive, and more if it is faster
takes 21 h 0 min to 24 h 38 min on a slow drive: 100 MiB/s, 150 µs for a single I/O
takes 7 h 16 min to 10 h 21 min on a fast drive: 1000 MiB/s, 50 µs for a single I/O
the bundle is likely to take 22.7 MiB to 32.5 MiB; while it is written, fio's logs included, at most 845 MiB

step          jobs        writes            rests       slow drive   fast drive  state before    if interrupted
purge                                       15 min      15 min       15 min      unknown         only what was not finished
fill          2           1.82 TiB          300 s       5 h 23 min   37 min      FOB             all since its purge
active_range  11                            300 s       413 s        311 s       filled twice    only what was not finished
precondition  2           8.00 GiB          10 min      11 min       10 min      filled twice    only what was not finished
sync_write    1           500 MiB           300 s       319 s        306 s       preconditioned  only what was not finished
rw_ratio      165 to 330  154 GiB           5 h 34 min  7 h 20 min   6 h 13 min  preconditioned  only what was not finished
reclaim       14          3.18 TiB + 420 s  113 min     11 h 16 min  2 h 56 min  preconditioned  all since its purge

rw_ratio: 33 points, 5 runs each, and up to 10 until the RSE of the last three is under 5 %
""")


def test_a_limit_of_writes_is_never_enough_for_what_writes_as_much_as_it_can_in_its_time() -> None:
    told = printed("plan", "cdm", "model:pm9e1-1tb", "--max-write", "1TB", "--endurance", "600TBW")
    most = "it may be stopped, it writes 1.07 GB to 134 GB on a fast drive, and more on a faster one"
    assert f"`--max-write` allows 1.00 TB: {most}" in told
    assert "enough" not in told
    filled = printed("plan", "fill", "model:pm9e1-1tb", "--max-write", "3TB")
    assert "`--max-write` allows 3.00 TB: enough, it writes up to 2.00 TB" in filled


def test_a_plan_names_the_points_that_go_on_where_others_do_not() -> None:
    notes = printed("plan", "enterprise", "model:demo", "--profile", "adaptive").splitlines()
    on = [line for line in notes if "goes on until" in line]
    named = [set(line.partition("I/Os; of these points alone: ")[2].split(", ")) for line in on]
    pure = {"rnd.read.q1", "rnd.read512.q1", "rnd.write.q1", "rnd.read.q1.run2"}
    assert sorted(named, key=min) == sorted([{"rnd.r50w50.q1"}, {"rnd.r70w30.q1"}, pure], key=min)
    assert "seq: each point ends once its mean is known to ± 3 %; the time is that of the longest points" in notes


def test_every_job_of_a_plan_is_in_its_json() -> None:
    plan = as_json("plan", "cdm", "model:pm9e1-1tb", "--endurance", "1TBW")
    assert [(group["group"], group["jobs"]) for group in plan["groups"]] == [("purge", 0), ("file", 1), ("cdm", 60)]
    assert plan["timed_write_ns"] == 30 * 5 * 10**9
    assert plan["share_of_endurance_fast_drive"] == pytest.approx(0.134, abs=0.01)
    step = next(step for step in plan["steps"] if step["name"] == "cdm.write.rnd4k_q32t16.run2")
    assert (step["point"], step["run"], step["read_percent"]) == ("cdm.write.rnd4k_q32t16", 2, 0)
    assert (step["queue_depth"], step["jobs"], step["limit_ns"]) == (32, 16, 5 * 10**9)


def test_a_plan_says_what_a_drive_does_not_need() -> None:
    lines = printed("plan", "client", "model:iu16k-7t68?capacity=15360950534144B").splitlines()
    assert [" ".join(line.split()) for line in lines if line.startswith("reclaim")] == snapshot(
        ["reclaim skipped", "reclaim: skipped, the drive has 15.4 TB, the suite does this only up to 9.00 TB"]
    )


@pytest.mark.parametrize("text", ["600", "0TBW", "much"])
def test_an_endurance_is_written_as_in_a_data_sheet(text: str) -> None:
    result = run("plan", "fill", "model:demo", "--endurance", text)
    assert isinstance(result.exception, SsdlabError)
    assert f"`{text}` is no endurance" in str(result.exception)


def test_planning_for_a_file_makes_none(tmp_path: Path) -> None:
    assert "writes 128 MiB to the drive" in printed("plan", "fill", f"file:{tmp_path}?size=64MiB")
    assert not list(tmp_path.iterdir())


def test_virtual_drives_are_listed() -> None:
    names = [one["name"] for one in as_json("vdrive", "list")]
    assert {"demo", "zero"} <= set(names)
    listed = printed("vdrive", "list").splitlines()
    assert [line.split()[0] for line in listed] == names


def test_a_virtual_drive_is_shown_with_its_specification() -> None:
    shown = printed("vdrive", "show", "demo?capacity=8GiB")
    assert "8.59 GB (8589934592 B)" in shown
    assert 'name = "demo"' in shown
    facts = as_json("vdrive", "show", "demo?capacity=8GiB", "--truth")
    assert facts["capacity_bytes"] == 8 * 2**30
    assert facts["truth"]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("lab") / "runs" / "20260101T000000Z-fill-x")


def test_a_failed_check_stands_beside_the_numbers_and_is_an_exit_status(bundle: Path) -> None:
    shown = printed("show", bundle, "--all", status=ExitStatus.AUDIT_FAILED)
    assert "FAILED coverage.fill" in next(line for line in shown.splitlines() if line.startswith("fill.pass2.duration"))
    assert "fail: fill.pass2: coverage.fill: 931 GiB of 932 GiB written (99.8927%)" in shown
    assert shown.startswith("fill 2025.12 (profile standard) on ")


def test_show_as_json_has_all_that_is_in_the_bundle(bundle: Path) -> None:
    shown = as_json("show", bundle, status=ExitStatus.AUDIT_FAILED)
    assert sorted(shown) == snapshot(
        ["audit", "faults", "metrics", "path", "reason", "run", "status", "steps", "thinned", "unchecked", "warnings"]
    )
    assert (shown["status"], shown["faults"]) == ("finished", [])


def test_show_says_how_a_run_ended(tmp_path: Path) -> None:
    shown = printed("show", write_interrupted(tmp_path / "run"))
    assert "\ninterrupted: stopped by the operator\n" in shown


def test_show_says_what_is_damaged(tmp_path: Path) -> None:
    path = write_interrupted(tmp_path / "run")
    (path / "metrics.json").write_text("[")
    assert "\ndamaged: metrics.json is 1 bytes long instead of" in printed("show", path)


def test_show_does_not_say_of_an_audit_that_is_lost_that_nothing_was_to_check(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    (path / "audit.json").write_text("{")
    shown = printed("show", path, status=ExitStatus.AUDIT_FAILED)
    assert "nothing was checked" not in shown
    assert "audit: not there, so nothing says whether a check failed" in shown


@pytest.mark.parametrize("lost", ["audit.json", "metrics.json", "005-fill.pass2/series.parquet"])
def test_a_finished_run_of_which_a_file_is_lost_is_not_shown_as_if_all_were_well(tmp_path: Path, lost: str) -> None:
    path = write_whole(tmp_path / "run")
    bundle = open_bundle(path)
    write_conclusions(path, bundle.metrics, [check for check in bundle.audit if not has_failed(check)])
    printed("show", path)
    (path / lost).unlink()
    assert as_json("show", path, status=ExitStatus.AUDIT_FAILED)["faults"]
    assert f"\ndamaged: {lost} is missing" in printed("show", path, status=ExitStatus.AUDIT_FAILED)


def test_show_again_computes_what_was_lost(tmp_path: Path) -> None:
    path = write_interrupted(tmp_path / "run")
    (path / "metrics.json").unlink()
    result = run("show", path, "--again", "--json")
    assert json.loads(result.stdout)["metrics"]
    assert (path / "metrics.json").exists()


def test_without_arguments_the_commands_are_listed() -> None:
    result = run()
    for command in ("suites", "suite", "plan", "run", "show", "report", "vdrive"):
        assert f"\n  {command} " in result.output


FOUND = verbatim("what was found")


class SampleError(SsdlabError):
    """Stands for any error meant for the user."""


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (SampleError(FOUND, verbatim("what to do"), verbatim("what else")), ExitStatus.REFUSED),
        (UsageError(FOUND), ExitStatus.USAGE),
        (Interrupted(FOUND), ExitStatus.INTERRUPTED),
    ],
)
def test_an_error_is_a_sentence_its_hints_and_a_status(
    error: SsdlabError, status: ExitStatus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_options: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == status
    hints = "".join(f"hint: {hint}\n" for hint in hints_of(error))
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "error: what was found\n" + ("\n" + hints if hints else ""))


def test_help_is_there_for_every_command() -> None:
    for command in ("suites", "suite", "plan", "run", "show", "report", "vdrive"):
        assert f"Usage: ssdlab {command}" in run(command, "--help").stdout.replace("root ", "ssdlab ")


def test_the_program_is_called_ssdlab() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "ssdlab.cli", "--help"], check=True, capture_output=True, text=True
    ).stdout
    assert "Measure solid-state drives with fio" in said
