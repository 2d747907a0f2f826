"""Twins: a virtual drive is measured, a twin is fitted to what was measured, and predicts what was not."""

import json
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.load_drives import metrics_of, number, run_on
from tests.kit.twin_drives import (
    CACHED,
    DIPPING,
    DRIVE,
    MIXED_THEN_READ,
    NEVER_SEEN,
    OUTLIERS,
    PART_FILLED,
    PREPARED,
    RANGES,
    REPEATED,
    REWRITING,
    SENSE_US,
    SHORT_WAY,
    SMALL_MAP,
    SUITE,
)
from typer.testing import CliRunner

from ssdlab import _core, cli
from ssdlab.bundle.model import Check, Outcome, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.message import message
from ssdlab.twin.acts import Act, Deed, acts_of, distrusted
from ssdlab.twin.check import TwinCheck, TwinGrade, TwinSide, check_twin, compared_metrics, lone_metrics
from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.drift import EVEN, HOUR_NS, Clock, drifting
from ssdlab.twin.errors import Errors, Kind, errors_of
from ssdlab.twin.fit import fit, suspected_drift
from ssdlab.twin.held_out import Division, divided
from ssdlab.twin.known import OriginalDrive, known_of
from ssdlab.twin.make import Twin, error_words, make_twin
from ssdlab.twin.one_drive import require_one_drive
from ssdlab.twin.own_time import seen_by_host
from ssdlab.twin.regular import rewriting_of
from ssdlab.twin.rehearse import rehearse
from ssdlab.twin.repeats import HourlyDrift, drift_of
from ssdlab.twin.residuals import residuals
from ssdlab.twin.rewriting import with_rewriting
from ssdlab.units import MIB
from ssdlab.unknown import Unknown


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(DRIVE, SUITE, tmp_path_factory.mktemp("measured"))


@pytest.fixture(scope="module")
def made(measured: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Twin:
    return make_twin([measured], tmp_path_factory.mktemp("twin") / "My twin.toml")


@pytest.fixture(scope="module")
def twin(made: Twin, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("written") / "drive.toml"
    path.write_text(made.draft.text)
    return path


def test_a_twin_is_a_possible_drive_of_the_same_size(made: Twin, measured: Bundle) -> None:
    assert _core.spec_check(made.draft.text) == []
    facts = json.loads(_core.spec_facts(made.draft.text))
    assert facts["name"] == "my-twin"
    assert facts["capacity_bytes"] == measured.run.drive.capacity_bytes


def test_what_it_was_off_by_where_it_was_not_fitted_stands_in_its_description(made: Twin) -> None:
    description = json.loads(_core.spec_facts(made.draft.text))["description"]
    assert set(made.held) == set(Kind)
    assert f"on {len(made.fitted.division.held)} points held out" in description
    assert f"worst {100 * made.held[Kind.SPEED].worst:.2g} %" in description


def test_no_point_is_both_fitted_and_held_out(measured: Bundle) -> None:
    division = divided(acts_of([measured]))
    assert division.held
    assert not set(division.held) & set(division.fitted)


def test_a_point_that_is_held_out_tells_the_fit_nothing(tmp_path: Path) -> None:
    run = run_on(OUTLIERS, MIXED_THEN_READ, tmp_path)
    acts = acts_of([run])
    assert known_of([run], acts).outlier_share > 0
    found = fit([run], "twin")
    assert [acts[place].point.name for place in found.division.held] == ["rnd.r100"]
    assert found.draft.number("noise", "outlier_probability") == 0


def test_ranges_that_are_held_out_do_not_tell_the_reach_of_the_mapping_cache(tmp_path: Path) -> None:
    run = run_on(SMALL_MAP, RANGES, tmp_path)
    acts = acts_of([run])
    shown = [act for place, act in enumerate(acts) if place not in divided(acts).held]
    reach_bytes = known_of([run], shown).reach_bytes
    assert reach_bytes == pytest.approx(32 * MIB, rel=0.25)
    assert reach_bytes != number(metrics_of(run), "ranges.reach_bytes")


def test_a_twin_predicts_a_suite_that_was_never_run(twin: Path, tmp_path: Path) -> None:
    truth = metrics_of(run_on(DRIVE, NEVER_SEEN, tmp_path / "truth"))
    told = metrics_of(run_on(twin.read_text(), NEVER_SEEN, tmp_path / "told"))
    for point in ("seen.q1", "seen.q8"):
        assert number(told, f"{point}.iops") == pytest.approx(number(truth, f"{point}.iops"), rel=0.1)
    assert number(told, "seen.q1.clat_p99") == pytest.approx(number(truth, "seen.q1.clat_p99"), rel=0.2)
    assert number(told, "fill.pass1.duration") == pytest.approx(number(truth, "fill.pass1.duration"), rel=0.1)


def test_the_same_runs_give_the_same_twin(made: Twin, measured: Bundle) -> None:
    assert fit([measured], made.draft.name).draft.sections == made.draft.sections


def test_a_drive_is_no_different_from_itself(measured: Bundle, tmp_path: Path) -> None:
    path = tmp_path / "itself.toml"
    path.write_text(DRIVE)
    found = check_twin([measured], str(path))
    assert found.grade is TwinGrade.A
    assert {one.worst for one in found.errors().values()} == {0}
    assert found.runs[0].apart == ()


def test_what_was_measured_is_rehearsed_with_little_error_on_the_drive_itself(
    made: Twin, measured: Bundle, tmp_path: Path
) -> None:
    acts = acts_of([measured])
    assert [act.deed for act in acts[:3]] == [Deed.PURGE, Deed.PREPARE, Deed.PREPARE]
    seen = rehearse(made.draft, acts, frozenset({1, 2}), tmp_path)
    assert abs(residuals(acts, seen)).max() < 0.3


def the_drive_itself() -> Draft:
    sections = {name: section for name, section in tomllib.loads(DRIVE).items() if isinstance(section, dict)}
    return Draft("measured", "", sections).having("timing", sense=(as_time(1000 * SENSE_US),) * 2)


def test_the_short_way_to_a_steady_drive_is_rehearsed_with_all_it_overwrites(tmp_path: Path) -> None:
    run = run_on(DRIVE, SHORT_WAY, tmp_path)
    acts = acts_of([run])
    (last,) = divided(acts).passes
    assert acts[last].point.name == "precondition.rnd"
    (seen,) = rehearse(the_drive_itself(), acts, {last}, tmp_path).values()
    measured_ns = acts[last].measured.written_ns
    assert seen.written_ns is not None
    assert measured_ns is not None
    # Overwrites are rehearsed in blocks of 64 KiB, which leave the drive collecting less for a while.
    assert seen.written_ns == pytest.approx(measured_ns, rel=0.12)
    assert seen.written_ns[-10:] == pytest.approx(measured_ns[-10:], rel=0.05)


def test_a_small_file_that_is_written_once_is_compared(tmp_path: Path) -> None:
    large = DRIVE.replace("256 MiB", "2 GiB").replace("384 MiB", "3 GiB")
    acts = acts_of([run_on(large, PART_FILLED, tmp_path)])
    assert [acts[place].point.name for place in divided(acts).passes] == ["file.pass1"]


def test_a_slower_drive_has_a_worse_grade(twin: Path, measured: Bundle, tmp_path: Path) -> None:
    slow = tmp_path / "slow.toml"
    slow.write_text(DRIVE.replace('"63us"', '"190us"').replace('"1300us"', '"5200us"'))
    assert check_twin([measured], str(twin)).grade in {TwinGrade.A, TwinGrade.B}
    assert check_twin([measured], str(slow)).grade is TwinGrade.NONE


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(CACHED, PREPARED, tmp_path_factory.mktemp("cached"))


def test_numbers_that_only_the_drive_has_are_told_and_spoil_the_grade(cached: Bundle, tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    path.write_text(DRIVE)
    found = check_twin([cached], str(path))
    (run,) = found.runs
    lone = {one.key.name: one for one in run.lone}
    assert lone["fill.pass1.cache_bandwidth"].side is TwinSide.DRIVE
    assert str(lone["fill.pass1.cache_bandwidth"].reason).startswith("no cache found")
    right = replace(run, compared=tuple(replace(one, twin=one.measured) for one in run.compared))
    assert TwinCheck((replace(right, lone=()),), (), ()).grade is TwinGrade.A
    assert TwinCheck((right,), (), ()).grade is TwinGrade.C


def test_a_point_that_only_one_of_the_two_was_asked_for_is_no_error(cached: Bundle) -> None:
    asked_alone = [metric for metric in cached.metrics if metric.key.point.name != "fill.pass2"]
    assert {one.key.point.name for one in lone_metrics(cached.metrics, asked_alone)} == set()


def test_what_failed_a_check_is_not_held_against_the_twin(cached: Bundle) -> None:
    doubtful = [replace(metric, failed_checks=("device.throttled",)) for metric in cached.metrics]
    assert list(compared_metrics(doubtful, cached.metrics)) == []
    unknown = [replace(metric, value=Unknown(message("unknown-not-recorded"))) for metric in cached.metrics]
    assert list(lone_metrics(cached.metrics, unknown))
    assert list(lone_metrics(doubtful, unknown)) == []


def test_the_screen_of_a_check_tells_why_the_twin_has_no_such_word(cached: Bundle, tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    path.write_text(DRIVE)
    said = " ".join(asked("check", cached.path, path).split())
    assert "fill.after_cache is class E, and of the twin it is not known: no cache found" in said
    assert "Unknown(" not in said


def test_errors_are_nearest_ranks_without_signs() -> None:
    found = errors_of([-0.1, 0.02, 0.03, -0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.01])
    assert found is not None
    assert (found.count, found.median, found.most, found.worst) == (10, 0.05, 0.09, 0.1)
    assert errors_of([]) is None


def asked(*words: str | Path) -> str:
    done = CliRunner().invoke(cli.app, ["twin", *map(str, words)])
    assert done.exit_code == ExitStatus.DONE, done.output
    return done.stdout


def test_the_screen_of_a_check_tells_grade_errors_and_what_is_off_most(twin: Path, measured: Bundle) -> None:
    said = asked("check", measured.path, twin)
    assert said.startswith("grade ")
    assert {"speed", "median", "worst", "off"} <= set(said.split())


def test_json_of_a_check_has_every_metric(twin: Path, measured: Bundle) -> None:
    told = json.loads(asked("check", measured.path, twin, "--json"))
    (run,) = told["runs"]
    by_name = {one["name"]: one for one in run["metrics"]}
    point = by_name["rnd.small.q1.iops"]
    assert point["error"] == pytest.approx(point["twin"] / point["measured"] - 1)


def refused(*words: str | Path) -> str:
    done = CliRunner().invoke(cli.app, ["twin", *map(str, words)])
    assert isinstance(done.exception, SsdlabError)
    assert done.exception.hints
    return done.exception.message.id


def test_a_twin_is_written_to_a_toml_file_only(measured: Bundle, tmp_path: Path) -> None:
    assert refused("fit", measured.path, "-o", tmp_path / "drive.json") == "twin-not-toml"


def test_a_twin_that_is_named_before_the_runs_is_to_be_named_last(measured: Bundle, twin: Path) -> None:
    done = CliRunner().invoke(cli.app, ["twin", "check", str(twin), str(measured.path)])
    assert isinstance(done.exception, SsdlabError)
    assert [one.id for one in done.exception.hints] == ["twin-hint-last"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SsdlabError(message("twin-nothing-measured"))])
def test_nobody_is_told_to_go_on_with_a_run_on_a_twin_that_is_gone(
    measured: Bundle, twin: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("ssdlab.twin.on_twin._Unwatched.step_ends", fail)
    with pytest.raises(type(error)) as caught:
        check_twin([measured], str(twin))
    assert caught.value is error


def test_a_place_that_cannot_be_written_to_is_refused_before_anything_is_fitted(
    measured: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ssdlab.twin.make.make_twin", lambda *_: pytest.fail("it was fitted"))
    assert refused("fit", measured.path, "-o", tmp_path / "nowhere" / "drive.toml") == "place-no-parent"


def test_a_twin_replaces_nothing_that_is_there(
    measured: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ssdlab.twin.make.make_twin", lambda *_: pytest.fail("it was fitted"))
    fitted, lost = tmp_path / "fitted.toml", tmp_path / "lost.toml"
    fitted.write_text("name = 'an earlier one'\n")
    lost.symlink_to(tmp_path / "nowhere" / "drive.toml")
    for there in (fitted, lost):
        assert refused("fit", measured.path, "-o", there) == "place-exists"
    assert fitted.read_text() == "name = 'an earlier one'\n"
    assert lost.is_symlink()


def test_runs_without_anything_to_compare_are_refused(tmp_path: Path) -> None:
    idle = run_on(DRIVE, '[suite]\nname = "idle"\nversion = "1"\n[[step]]\nkind = "purge"\n', tmp_path)
    assert refused("fit", idle.path, "-o", tmp_path / "twin.toml") == "twin-nothing-measured"


def test_no_twin_is_written_where_no_drive_of_that_size_is_possible(tmp_path: Path) -> None:
    small = (
        DRIVE.replace("256 MiB", "32 MiB")
        .replace("384 MiB", "64 MiB")
        .replace('superblock = "2 MiB"', 'superblock = "1 MiB"')
    )
    point = 'job = { pattern = "random", bs = "4KiB", qd = 1, read = "100%", amount = "4MiB", limit = "5s" }'
    suite = f'[suite]\nname = "one"\nversion = "1"\n[[step]]\nkind = "measure"\nname = "rnd"\n{point}\n'
    run = run_on(small, suite, tmp_path)
    assert refused("fit", run.path, "-o", tmp_path / "twin.toml") == "twin-impossible"
    assert not (tmp_path / "twin.toml").exists()


def test_runs_of_two_drives_are_refused(measured: Bundle, tmp_path: Path) -> None:
    other = run_on(DRIVE.replace("256 MiB", "240 MiB"), SUITE.split('[[step]]\nkind = "measure"')[0], tmp_path)
    assert refused("fit", measured.path, other.path, "-o", tmp_path / "twin.toml") == "twin-several-drives"
    assert refused("check", measured.path, other.path, tmp_path / "drive.toml") == "twin-several-drives"


@pytest.mark.parametrize("mark", ["model", "serial", "firmware"])
def test_what_two_runs_say_of_their_drive_differently_is_named(measured: Bundle, mark: str) -> None:
    drive = measured.run.drive
    others = {
        "model": replace(drive, model="another"),
        "serial": replace(drive, serial="another"),
        "firmware": replace(drive, firmware="another"),
    }
    other = replace(measured, run=replace(measured.run, drive=others[mark]))
    with pytest.raises(SsdlabError, match=f"{mark}.* is `.*` in the one and `another` in the other"):
        require_one_drive([measured, other])


def test_virtual_drives_of_one_name_are_told_apart_by_their_specification(measured: Bundle) -> None:
    other = replace(measured, run=replace(measured.run, spec_text=DRIVE.replace("900 MB/s", "90 MB/s")))
    with pytest.raises(SsdlabError, match="different specifications"):
        require_one_drive([measured, other])


def test_a_run_that_is_named_twice_is_refused(measured: Bundle, twin: Path, tmp_path: Path) -> None:
    assert refused("fit", measured.path, measured.path, "-o", tmp_path / "drive.toml") == "twin-same-run"
    copied = shutil.copytree(measured.path, tmp_path / "copied")
    assert refused("check", measured.path, copied, twin) == "twin-same-run"


def test_a_run_that_is_damaged_is_named(measured: Bundle, twin: Path, tmp_path: Path) -> None:
    damaged = Path(shutil.copytree(measured.path, tmp_path / "damaged"))
    (damaged / "audit.json").write_text("{")
    done = CliRunner().invoke(cli.app, ["twin", "check", str(damaged), str(twin)])
    told = " ".join(done.stderr.split())
    assert f"`{damaged}` is damaged, and what cannot be read of it is left out: audit.json is 1 bytes long" in told


def test_errors_of_hundreds_of_per_cent_are_written_out() -> None:
    words = str(error_words(Kind.LATENCY, Errors(count=2, median=0.256, most=7.284, worst=7.284)))
    assert words == "mean and median latency 26 % (worst 728 %)"


def test_what_one_run_does_not_know_of_its_drive_is_no_difference(measured: Bundle) -> None:
    drive = replace(measured.run.drive, serial=Unknown(message("unknown-not-recorded")))
    require_one_drive([measured, replace(measured, run=replace(measured.run, drive=drive))])


def test_a_run_that_was_stopped_is_not_fitted_to(measured: Bundle) -> None:
    with pytest.raises(SsdlabError, match="did not come to its end"):
        fit([replace(measured, status=RunStatus.STOPPED)], "twin")


def failing(bundle: Bundle, *steps: str) -> Bundle:
    """The same with a check that failed in each of these steps."""
    words = message("unknown-not-recorded")
    checks = (
        Check(name="device.throttled", step=step, outcome=Outcome.FAIL, finding=words, meaning=None) for step in steps
    )
    return replace(bundle, audit=(*bundle.audit, *checks))


def test_what_failed_a_check_is_not_compared_and_named(measured: Bundle) -> None:
    faulty = failing(measured, "fill.pass1", "rnd.small.q4")
    division = divided(acts := acts_of([faulty]))
    compared = {acts[place].point.name for place in (*division.fitted, *division.held)}
    assert {"fill.pass2", "rnd.small.q1"} <= compared
    assert not compared & {"fill.pass1", "rnd.small.q4"}
    assert [act.deed for act in acts[:3]] == [Deed.PURGE, Deed.PREPARE, Deed.PREPARE]
    assert [check.step for check in distrusted([faulty])] == ["fill.pass1", "rnd.small.q4"]


def test_runs_in_which_all_failed_a_check_are_refused(measured: Bundle) -> None:
    with pytest.raises(SsdlabError, match=r"device\.throttled"):
        fit([failing(measured, *(step.name for step in measured.finished()))], "twin")


def test_a_twin_of_another_size_is_refused(twin: Path, tmp_path: Path) -> None:
    other = run_on(DRIVE.replace("256 MiB", "240 MiB"), SUITE.split('[[step]]\nkind = "measure"')[0], tmp_path)
    assert refused("check", other.path, twin) == "twin-other-size"


def test_without_scipy_the_extra_is_named(measured: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ssdlab.cli.extra.find_spec", lambda _: None)
    assert refused("fit", measured.path, "-o", tmp_path / "drive.toml") == "cli-no-extra"


def test_what_is_rehearsed_on_a_drive_that_drifts_is_told_for_the_hour_at_which_it_was_measured(
    made: Twin, tmp_path: Path
) -> None:
    place = made.fitted.division.points[0]
    acts = tuple(replace(act, begin_ns=HOUR_NS) for act in made.fitted.acts)
    before, after = (
        rehearse(draft, acts, {place}, tmp_path)[place] for draft in (made.draft, drifting(made.draft, 0.5))
    )
    for direction, rate in before.iops.items():
        assert after.iops[direction] == pytest.approx(0.5 * rate)
        assert after.latency_ns[direction]["50"] == pytest.approx(2 * before.latency_ns[direction]["50"])


def test_what_runs_do_not_tell_of_a_drift_is_said_to_be_unknown(made: Twin) -> None:
    assert isinstance(made.fitted.drift, Unknown)
    assert "whether its speed drifts by the hour is not known" in made.draft.description


def test_dips_do_not_hide_a_drift_in_repeated_points(tmp_path: Path) -> None:
    found = drift_of([run_on(DIPPING, REPEATED, tmp_path)])
    assert isinstance(found, HourlyDrift)
    assert found.lost == pytest.approx(-0.6, abs=0.1)
    assert found.error < 0.1
    assert abs(found.lost + 0.6) < 3 * found.error


def test_what_a_drive_rewrites_by_the_clock_its_twin_rewrites(made: Twin, tmp_path: Path) -> None:
    found = rewriting_of([run_on(REWRITING, REPEATED, tmp_path)], EVEN)
    assert found is not None
    twin = with_rewriting(made.draft, found)
    assert twin.number("refresh", "every") == pytest.approx(0.4e9, rel=0.02)
    assert twin.number("refresh", "after") == pytest.approx(60e9, rel=0.25)
    assert _core.spec_check(twin.text) == []


def test_a_drive_that_rewrites_nothing_gets_a_twin_that_does_not(made: Twin, tmp_path: Path) -> None:
    assert rewriting_of([run_on(DRIVE, REPEATED, tmp_path)], EVEN) is None
    assert with_rewriting(made.draft, None) == made.draft


def test_a_draft_that_is_no_possible_drive_is_left_as_it_is(made: Twin, tmp_path: Path) -> None:
    found = rewriting_of([run_on(REWRITING, REPEATED, tmp_path)], EVEN)
    impossible = made.draft.having("geometry", dies=0)
    assert found is not None
    assert with_rewriting(impossible, found) == impossible


def test_a_twin_rewrites_no_faster_than_a_drive_can(made: Twin, tmp_path: Path) -> None:
    found = rewriting_of([run_on(REWRITING, REPEATED, tmp_path)], EVEN)
    assert found is not None
    twin = with_rewriting(made.draft, replace(found, lost=0.99))
    assert twin.number("refresh", "after") < 60e9
    assert _core.spec_check(twin.text) == []


@pytest.mark.parametrize("lost", [0.15, -0.5])
def test_a_drift_shows_in_like_points_that_lie_hours_apart(lost: float, made: Twin, measured: Bundle) -> None:
    found = suspected_drift(*measured_at_many_hours(made, measured, lost))
    assert isinstance(found, HourlyDrift)
    assert found.lost == pytest.approx(lost, abs=0.1)


def test_a_drive_that_keeps_its_speed_for_hours_is_not_suspected(made: Twin, measured: Bundle) -> None:
    assert isinstance(suspected_drift(*measured_at_many_hours(made, measured, 0.0)), Unknown)


def measured_at_many_hours(
    made: Twin, measured: Bundle, lost: float
) -> tuple[tuple[Act, ...], Division, OriginalDrive, Unknown, int]:
    """Points of three hours of a drive that drifts; what comes before them was done at first."""
    points = made.fitted.division.points
    acts = list(made.fitted.acts)
    for turn, place in enumerate(points):
        # Neither larger queues nor other blocks shall come later.
        hours = 3.0 * (turn * 5 % len(points)) / len(points)
        act = replace(acts[place], begin_ns=hours * HOUR_NS)
        acts[place] = replace(act, seen=seen_by_host(act, act.measured, Clock(lost)))
    before, known = made.fitted.drift, known_of([measured], made.fitted.acts)
    assert isinstance(before, Unknown)
    return tuple(acts), made.fitted.division, known, before, measured.run.drive.capacity_bytes
