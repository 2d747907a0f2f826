"""A run of probes as a bundle: shown, drawn, listed and concluded again like any other."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from tests.kit.hints import hints_of
from tests.kit.probe_drives import Noise, probed_drive
from tests.kit.probe_runs import NAMES, TARGET, record
from typer.testing import CliRunner

from ssdlab.bundle.checksums import write_checked
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.cli import app
from ssdlab.engine.base import Progress
from ssdlab.engine.commands import TimedCommands
from ssdlab.errors import Interrupted
from ssdlab.lab.errors import CannotResume
from ssdlab.lab.resume import require_suite
from ssdlab.message import message
from ssdlab.probe.probes.noise import NOISE
from ssdlab.probe.probes.placement import MORE_ROUNDS, PLACEMENT, ROUNDS, read_times
from ssdlab.probe.probes.read_ahead import READ_AHEAD
from ssdlab.probe.probes.registry import probes_named
from ssdlab.probe.run import ProbeResult
from ssdlab.probe.store.conclude import estimate_again
from ssdlab.probe.store.files import ANSWERS, ANSWERS_ADAPTER
from ssdlab.probe.store.reader import findings_of
from ssdlab.report.metric_tables import metric_groups
from ssdlab.unknown import Unknown


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[ProbeResult]]:
    """A bundle, and what was found when it was written."""
    probes = list(dict.fromkeys(one for name in NAMES for one in probes_named(name)))
    return record(probes, tmp_path_factory.mktemp("lab"), lambda _name, _progress: None)


def test_what_was_found_is_read_back_as_it_was(probed: tuple[Path, list[ProbeResult]]) -> None:
    path, findings = probed
    bundle = open_bundle(path)
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ())
    for kept, found in zip(findings_of(bundle), findings, strict=True):
        assert (kept.probe, kept.state, kept.answers, kept.refusal) == (
            found.probe,
            found.state,
            found.answers,
            found.refusal,
        )
        assert kept.evidence is not None
        assert found.evidence is not None
        assert kept.evidence.loaded.keys() == found.evidence.loaded.keys()
        assert kept.evidence.asked.keys() == found.evidence.asked.keys()
        for name, samples in found.evidence.asked.items():
            assert_same(kept.evidence.asked[name], samples)


def test_answers_of_an_older_bundle_are_read_as_they_were_written() -> None:
    found = {"interval": None, "separation": 12.5, "replicated": "yes", "grade": "A", "unit": ""}
    waits = {"name": "interference.order", "value": "reads wait behind writes", "note": "of reads", **found}
    present = {"name": "read_ahead.present", "value": {"unknown": "noisy: it may be either"}, "note": "", **found}
    kept = ANSWERS_ADAPTER.validate_json(json.dumps({"refusal": "too small", "answers": [waits, present]}))
    first, second = kept.answers
    assert [str(text) for text in (kept.refusal, first.value, first.note)] == [
        "too small",
        "reads wait behind writes",
        "of reads",
    ]
    assert (second.value, second.note) == (Unknown(message("as-written", text="noisy: it may be either")), None)


def assert_same(kept: TimedCommands, found: TimedCommands) -> None:
    assert kept.forced is found.forced
    assert np.array_equal(kept.submitted_ns, found.submitted_ns)
    assert np.array_equal(kept.completed_ns, found.completed_ns)
    for column in fields(kept.commands):
        assert np.array_equal(getattr(kept.commands, column.name), getattr(found.commands, column.name)), column.name


def test_answers_are_metrics(probed: tuple[Path, list[ProbeResult]]) -> None:
    metrics = {one.name: one for one in open_bundle(probed[0]).metrics}
    unit = metrics["probe.placement.unit"]
    assert (unit.value, unit.unit, unit.step, str(unit.note)[:7]) == (16384, "B", "placement", "grade A")


def test_every_answer_carries_the_state_of_the_drive_it_was_taken_in(probed: tuple[Path, list[ProbeResult]]) -> None:
    bundle = open_bundle(probed[0])
    metrics = {one.step: one.state.value for one in bundle.metrics}
    assert metrics == {step.name: step.state.value for step in bundle.finished() if step.name in metrics}
    assert metrics == {
        "declared": "as found",
        "noise": "its region written in order",
        "shift-write": "as earlier probes left it",
        "read-page": "its region written in order",
        "placement": "its region written in order",
        "spare": "FOB",
        "stripe": "its region written in order",
        "flush": "its region written in order",
    }
    titles = [str(group.title) for group in metric_groups(bundle)]
    assert titles[0] == "declared: What does the drive say of itself? (drive state: as found)"


def test_reads_are_repeated_where_they_are_noisy_and_the_answer_rests_on_all(tmp_path: Path) -> None:
    spec = tmp_path / "noisy.toml"
    spec.write_text(probed_drive(3, Noise.HIGH).text)
    path, (finding,) = record((PLACEMENT,), tmp_path, lambda _name, _progress: None, f"model:{spec}")
    assert finding.evidence is not None
    rounds = read_times(finding.evidence).rounds()
    assert (int(rounds.min()), int(rounds.max())) == (ROUNDS, ROUNDS + MORE_ROUNDS)
    assert findings_of(estimate_again(path))[0].answers == finding.answers


def test_reads_without_noise_are_not_repeated(probed: tuple[Path, list[ProbeResult]]) -> None:
    (evidence,) = (one.evidence for one in probed[1] if one.probe is PLACEMENT)
    assert evidence is not None
    assert set(read_times(evidence).rounds()) == {ROUNDS}


def test_conclusions_are_drawn_again_from_the_samples_alone(probed: tuple[Path, list[ProbeResult]]) -> None:
    path, findings = probed
    bundle = open_bundle(path)
    for step in bundle.finished():
        write_checked(path, {bundle.name(step, ANSWERS): b'{"refusal": null, "answers": []}'})
    again = estimate_again(path)
    assert again.faults == ()
    assert [one.answers for one in findings_of(again)] == [one.answers for one in findings]


def test_it_is_shown_as_it_was_printed(tmp_path: Path) -> None:
    printed = run("probe", "noise", TARGET, "--lab", str(tmp_path)).splitlines()
    shown = run("show", "--lab", str(tmp_path), "--all").splitlines()
    answer = shown[3:].index("", 1) + 3
    findings = shown[answer + 1 :]
    assert printed[: len(findings)] == findings
    assert printed[len(findings) :] == [*shown[3 : answer + 1], printed[-1]]
    assert shown[0] == f"probe 2025.12 (profile standard) on {TARGET}"
    assert json.loads(run("show", printed[-1], "--json"))["metrics"][0]["name"] == "probe.noise.sigma"
    assert "probe 2025.12" in run("library", "list", "--lab", str(tmp_path))


def test_the_page_has_the_portrait_and_the_evidence(probed: tuple[Path, list[ProbeResult]], tmp_path: Path) -> None:
    pictures = run("report", str(probed[0]), "-o", str(tmp_path / "page.html"), "--png", str(tmp_path / "png"))
    page = (tmp_path / "page.html").read_text()
    assert "Portrait of the drive" in page
    assert "no audit: each answer of a probe has its grade" in page
    assert "Shift write: what a write costs by where it begins" in page
    drawn = {Path(line).name for line in pictures.splitlines()}
    assert {"portrait.png", "probe-shift-write.png", "probe-staircase.png"} <= drawn


def test_what_was_found_before_a_stop_is_kept(tmp_path: Path) -> None:
    def stop(name: str, _progress: Progress) -> None:
        if name == READ_AHEAD.name:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        record((NOISE, READ_AHEAD), tmp_path, stop)
    (path,) = (tmp_path / "runs").iterdir()
    bundle = open_bundle(path)
    assert [one.probe for one in findings_of(bundle)] == [NOISE]
    assert bundle.status is RunStatus.INTERRUPTED
    assert hints_of(stopped.value) == (
        "probes cannot be resumed: each builds on the state that those before it leave behind",
        f"look at it: `ssdlab show {path}`",
    )
    with pytest.raises(CannotResume, match="each builds on the state"):
        require_suite(bundle)


def test_a_page_shows_answers_under_the_question_they_answer(probed: tuple[Path, list[ProbeResult]]) -> None:
    groups = {str(group.title): group.rows for group in metric_groups(open_bundle(probed[0]))}
    rows = groups[
        "noise: How much do like commands scatter, and are unwritten blocks fast? (drive state: its region written in order)"
    ]
    assert [str(row.label) for row in rows] == [
        "scatter of times",
        "correlation of neighbouring times",
        "share of outliers",
        "reads of blocks never written",
    ]
    assert len(groups) == len(probed[1])
