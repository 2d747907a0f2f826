"""Drives scored by traces they replayed: against a built-in drive, in virtual time."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest
from tests.kit.load_drives import FILLED, constant_drive, metrics_of, number, run_on
from tests.kit.processes import OVER, ssdlab
from tests.kit.traces import write_msr
from typer.testing import CliRunner

from ssdlab import _core, cli
from ssdlab.analysis.statistics.interval import Interval
from ssdlab.bundle.model import Check, Outcome, RunStatus, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.cli.score import score_lines
from ssdlab.errors import ExitStatus, SsdlabError
from ssdlab.message import message
from ssdlab.score.published import DataColumns
from ssdlab.score.rounds import ConsistencyPhase
from ssdlab.score.score import ScoreTable, score_table
from ssdlab.trace.make import Wanted, import_trace
from ssdlab.units import KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

DOCS = Path(__file__).resolve().parents[2] / "docs"
IOS, EACH_NS, LATENCY_NS = 2000, 200_000, 80_000


def trace_of(directory: Path, name: str, end: int = 32 * MIB, ios: int = IOS) -> Path:
    """A program that waits for each of its I/Os: three reads and a write of four times their length, again and again."""
    kinds = [("Read", 4 * KIB)] * 3 + [("Write", 16 * KIB)]
    places = [at * 7919 * 16 * KIB % end for at in range(ios)]
    lines = [(at * EACH_NS, kinds[at % 4][0], places[at], kinds[at % 4][1], LATENCY_NS) for at in range(ios)]
    directory.mkdir(parents=True, exist_ok=True)
    trace = directory / f"{name}.ssdtrace"
    import_trace([write_msr(directory / f"{name}.csv", iter(lines))], Wanted(), trace)
    return trace


def suite(traces: Sequence[Path], pace: str = "dependent", preparation: str = FILLED) -> str:
    steps = [
        f'[[step]]\nkind = "replay"\nname = "{trace.stem}"\ntrace = "{trace}"\npace = "{pace}"\n' for trace in traces
    ]
    return preparation + "\n".join(steps)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A suite of two traces."""
    directory = tmp_path_factory.mktemp("traces")
    return suite([trace_of(directory, "long"), trace_of(directory, "short", ios=IOS // 3)])


@pytest.fixture(scope="module")
def reference(work: str, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(_core.spec_text("demo"), work, tmp_path_factory.mktemp("reference"))


@pytest.fixture(scope="module")
def scored(work: str, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(4), work, tmp_path_factory.mktemp("scored"))


def slower(sense_us: int) -> str:
    """The same drive on a worse day."""
    return constant_drive(4).replace('sense = ["20us"]', f'sense = ["{sense_us}us"]')


def refusal(bundles: Sequence[Bundle], reference: Bundle) -> str:
    with pytest.raises(SsdlabError) as refused:
        score_table(bundles, reference)
    assert refused.value.hints
    return refused.value.message.id


def test_the_reference_scores_exactly_one(reference: Bundle) -> None:
    table = score_table([reference], reference)
    assert [one.score for one in (table.reference, *table.drives)] == [1, 1]


def test_the_score_is_time_of_the_reference_over_time_of_the_drive(scored: Bundle, reference: Bundle) -> None:
    (drive,) = score_table([scored], reference).drives
    ratios = [
        number(metrics_of(reference), f"{name}.duration") / number(metrics_of(scored), f"{name}.duration")
        for name in ("long", "short")
    ]
    assert [one.score for one in drive.traces] == pytest.approx(ratios)
    assert drive.score == pytest.approx(sqrt(ratios[0] * ratios[1]))


def test_a_faster_drive_scores_more_and_stands_first(
    work: str, scored: Bundle, reference: Bundle, tmp_path: Path
) -> None:
    slow = run_on(slower(500).replace('"constant"', '"slow"'), work, tmp_path)
    table = score_table([slow, scored], reference)
    assert [one.entries[0].drive.model for one in table.drives] == ["ssdlab constant", "ssdlab slow"]
    assert table.drives[0].score > table.drives[1].score


def test_runs_of_one_drive_are_one_row_with_an_interval(
    work: str, scored: Bundle, reference: Bundle, tmp_path: Path
) -> None:
    runs = [scored, *(run_on(slower(sense_us), work, tmp_path / str(sense_us)) for sense_us in (21, 22))]
    (drive,) = score_table(runs, reference).drives
    assert len(drive.entries) == 3
    assert isinstance(drive.interval, Interval)
    assert drive.interval.low < drive.score < drive.interval.high
    assert score_table(runs[::-1], reference).drives[0].score == drive.score


def test_a_single_run_has_no_interval_and_says_so(scored: Bundle, reference: Bundle) -> None:
    (drive,) = score_table([scored], reference).drives
    assert drive.interval == Unknown(message("unknown-score-one-run"))


def test_published_columns_are_those_of_the_metrics(tmp_path: Path) -> None:
    one = run_on(_core.spec_text("demo"), suite([trace_of(tmp_path, "one")]), tmp_path)
    columns, metrics = score_table([one], one).reference.published, metrics_of(one)
    for direction, told in (("", columns.both), ("read.", columns.read), ("write.", columns.write)):
        assert isinstance(told, DataColumns)
        assert told.latency_ns_mean == pytest.approx(number(metrics, f"one.{direction}clat_mean"))
        assert told.data_rate_bytes_per_s == pytest.approx(number(metrics, f"one.{direction}bandwidth"), rel=0.01)
    assert isinstance(columns.both, DataColumns)
    assert columns.both.latency_ns_p99 == number(metrics, "one.clat_p99")
    assert isinstance(columns.write, DataColumns)
    assert isinstance(columns.write.latency_ns_p99, Unknown)  # Of 500 writes five lie above.


def test_the_formula_of_3dmark_is_exact_where_each_io_waits_for_the_one_before(tmp_path: Path) -> None:
    one = run_on(_core.spec_text("demo"), suite([trace_of(tmp_path, "one")]), tmp_path)
    columns = score_table([one], one).reference.published
    assert isinstance(columns.both, DataColumns)
    moved_mb = IOS * (3 * 4 * KIB + 16 * KIB) / 4 / 1e6
    access_s = columns.both.latency_ns_mean / NS_PER_S
    assert columns.index_min == pytest.approx(sqrt(moved_mb / (IOS * access_s) / access_s))


def test_only_reads_have_no_column_of_writes(tmp_path: Path) -> None:
    lines = [(at * EACH_NS, "Read", at * 4 * KIB, 4 * KIB, LATENCY_NS) for at in range(100)]
    trace = tmp_path / "reads.ssdtrace"
    import_trace([write_msr(tmp_path / "reads.csv", iter(lines))], Wanted(), trace)
    one = run_on(_core.spec_text("demo"), suite([trace]), tmp_path)
    columns = score_table([one], one).reference.published
    assert columns.write == Unknown(message("unknown-score-no-such-ios"))
    assert columns.both == columns.read


@pytest.fixture(scope="module")
def consistency(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """All rounds of the suite for consistency, with 10 ms in place of each minute."""
    directory = tmp_path_factory.mktemp("consistency")
    traces = [str(trace_of(directory, name, ios=200).with_suffix("")) for name in ("first", "second")]
    sys.path.insert(0, str(DOCS))
    from consistency_suite import suite as consistency_suite
    from consistency_suite import writes

    sys.path.remove(str(DOCS))
    mix = directory / "pcmark8-writes.toml"
    mix.write_text(writes())
    return run_on(_core.spec_text("demo"), consistency_suite(traces, str(mix), "0ms"), directory)


def test_phases_of_consistency_are_told_by_what_is_done_before_each_round(consistency: Bundle) -> None:
    columns = score_table([consistency], consistency).reference.published
    assert [(one.phase, one.rounds) for one in columns.phases] == [
        (ConsistencyPhase.DEGRADATION, 8),
        (ConsistencyPhase.STEADY, 5),
        (ConsistencyPhase.RECOVERY, 5),
    ]
    metrics = metrics_of(consistency)
    for phase, rounds in ((columns.phases[0], 8), (columns.phases[2], 5)):
        names = [f"{phase.phase.value}{at}_{name}" for at in range(1, rounds + 1) for name in ("first", "second")]
        latencies = [number(metrics, f"{name}.clat_mean") for name in names]
        assert isinstance(phase.both, DataColumns)
        assert phase.both.latency_ns_mean == pytest.approx(sum(latencies) / len(latencies))
        assert isinstance(phase.slowest_round, DataColumns)
        assert phase.slowest_round.data_rate_bytes_per_s <= phase.both.data_rate_bytes_per_s


def test_phases_of_consistency_are_on_the_screen_and_in_json(consistency: Bundle) -> None:
    said = asked(consistency.path, "--reference", consistency.path)
    assert {"degradation", "steady", "recovery"} <= set(said.split())
    told = json.loads(asked(consistency.path, "--reference", consistency.path, "--json"))
    assert [one["phase"] for one in told["reference"]["published"]["phases"]] == ["degradation", "steady", "recovery"]


def test_a_run_of_other_rounds_has_no_phases(scored: Bundle, reference: Bundle) -> None:
    assert score_table([scored], reference).drives[0].published.phases == ()
    assert "degradation" not in asked(scored.path, "--reference", reference.path)


def test_a_run_without_a_dependent_replay_is_refused(reference: Bundle, tmp_path: Path) -> None:
    timed = run_on(constant_drive(4), suite([trace_of(tmp_path, "one")], pace="timed"), tmp_path)
    assert refusal([timed], reference) == "score-no-replay"


def test_other_traces_are_refused(reference: Bundle, tmp_path: Path) -> None:
    other = run_on(constant_drive(4), suite([trace_of(tmp_path, "long", ios=80)]), tmp_path)
    assert refusal([other], reference) == "score-other-traces"


def test_the_same_traces_after_another_preparation_are_refused(work: str, reference: Bundle, tmp_path: Path) -> None:
    other = run_on(constant_drive(4), work.replace("qd = 8", "qd = 4"), tmp_path)
    assert refusal([other], reference) == "score-other-suite"


def test_drives_of_two_sizes_are_refused_where_one_moved_what_lay_beyond_its_end(tmp_path: Path) -> None:
    far = suite([trace_of(tmp_path, "far", end=512 * MIB)])
    small = run_on(constant_drive(4), far, tmp_path / "small")
    large = run_on(_core.spec_text("demo"), far, tmp_path / "large")
    assert refusal([small], large) == "score-moved"


def test_a_run_that_did_not_end_is_refused(scored: Bundle, reference: Bundle) -> None:
    assert refusal([replace(scored, status=RunStatus.INTERRUPTED)], reference) == "score-run-unfinished"
    steps = tuple(replace(step, status=StepStatus.FAILED) if step.name == "short" else step for step in scored.steps)
    assert refusal([replace(scored, steps=steps)], reference) == "score-replay-incomplete"


def test_a_reference_that_not_everyone_has_is_refused(scored: Bundle, reference: Bundle) -> None:
    assert refusal([reference], scored) == "score-reference-not-built-in"
    in_real_time = replace(reference, run=replace(reference.run, engine="load-0.1.0"))
    assert refusal([scored], in_real_time) == "score-reference-not-built-in"


def test_a_run_is_not_its_own_repetition(scored: Bundle, reference: Bundle) -> None:
    assert refusal([scored, scored], reference) == "bundle-run-twice"


def test_a_failed_check_of_a_replay_marks_the_score(scored: Bundle, reference: Bundle) -> None:
    words = message("unknown-not-recorded")
    failure = Check(name="load.rate", step="short", outcome=Outcome.FAIL, finding=words, meaning=words)
    elsewhere = replace(failure, step="fill.pass1", name="load.depth")
    marked = replace(scored, audit=(*scored.audit, failure, elsewhere))
    (drive,) = score_table([marked], reference).drives
    assert drive.failed_checks == ("load.rate",)


def asked(*words: str | Path) -> str:
    done = CliRunner().invoke(cli.app, ["score", *map(str, words)])
    assert done.exit_code == ExitStatus.DONE, done.output
    return done.stdout


def test_the_screen_tells_reference_scores_and_times(scored: Bundle, reference: Bundle) -> None:
    said = asked(scored.path, "--reference", reference.path)
    table: ScoreTable = score_table([scored], reference)
    assert "ssdlab demo" in said
    assert f"ssdlab constant     1  {table.drives[0].score:.3f}  none: a single run" in said
    assert {"long", "short"} <= set(said.split())


def test_json_has_every_number_of_the_screen(scored: Bundle, reference: Bundle) -> None:
    told = json.loads(asked(scored.path, "--reference", reference.path, "--json"))
    assert told["reference"]["score"] == 1
    (drive,) = told["drives"]
    assert drive["score"] == score_table([scored], reference).drives[0].score
    assert drive["interval"] == {"unknown": "a single run"}
    assert [one["step"] for one in drive["traces"]] == ["long", "short"]
    assert drive["published"]["read"]["latency_ns_p99"] > 0


def test_without_a_reference_nothing_is_scored(scored: Bundle) -> None:
    assert CliRunner().invoke(cli.app, ["score", str(scored.path)]).exit_code == ExitStatus.USAGE


def test_a_failed_check_is_told_by_mark_and_exit_status(
    scored: Bundle, reference: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = score_table([scored], reference)
    failed = replace(table, drives=(replace(table.drives[0], failed_checks=("load.rate",)),))
    monkeypatch.setattr("ssdlab.score.score.score_table", lambda *_: failed)
    done = CliRunner().invoke(cli.app, ["score", str(scored.path), "--reference", str(reference.path)])
    assert done.exit_code == ExitStatus.AUDIT_FAILED
    assert f"{table.drives[0].score:.3f} ✗" in done.stdout
    assert "load.rate" in done.stderr


def test_a_result_of_another_program_is_refused(reference: Bundle, tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "data" / "foreign" / "as-ssd.txt"
    made = ssdlab("import", source, "--lab", tmp_path)
    assert made.status in OVER, made.stderr
    (imported,) = (tmp_path / "runs").iterdir()
    done = CliRunner().invoke(cli.app, ["score", str(imported), "--reference", str(reference.path)])
    assert isinstance(done.exception, SsdlabError)
    assert done.exception.message.id == "score-no-replay"


def test_drives_of_one_model_are_told_apart(scored: Bundle, reference: Bundle) -> None:
    other = replace(scored, path=scored.path / ".." / "other", run=replace(scored.run, engine="load-0.1.0"))
    lines = "\n".join(map(str, score_lines(score_table([scored, other], reference))))
    assert {"ssdlab constant, model", "ssdlab constant, load"} <= set(lines.replace("  ", "\n").split("\n"))
