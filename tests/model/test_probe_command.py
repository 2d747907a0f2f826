"""`ssdlab probe` and `ssdlab probes` as they are typed."""

import json
from pathlib import Path

import pytest
from tests.kit.hints import hints_of
from typer.testing import CliRunner

from ssdlab.cli import app
from ssdlab.errors import UsageError
from ssdlab.probe.probes.registry import PROBES


@pytest.fixture(autouse=True)
def _bundles_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_probe_is_listed_with_its_question() -> None:
    listed = run("probes").splitlines()
    assert [line.split()[0] for line in listed] == [one.name for one in PROBES]
    assert [one["name"] for one in json.loads(run("probes", "--json"))] == [one.name for one in PROBES]


def test_a_probe_of_no_such_name_is_a_usage_error() -> None:
    done = CliRunner().invoke(app, ["probe", "shift-wirte", "model:demo"])
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == "there is no probe called `shift-wirte`"
    assert hints_of(done.exception)[0] == "did you mean `shift-write`?"


def test_a_plan_says_what_is_written_and_touches_nothing() -> None:
    planned = json.loads(run("probe", "all", "virtual:demo", "--plan", "--json"))["probes"]
    costs = {one["probe"]: one["writes_bytes"] for one in planned}
    assert costs["declared"] == 0
    assert costs["read-ahead"] == 512 << 20
    assert costs["units"] == 64 << 20
    assert costs["shift-write"] > 1 << 30
    assert all(one["fast_drive_ns"] <= one["slow_drive_ns"] for one in planned)


def test_what_a_drive_is_too_small_for_is_said_and_the_rest_done() -> None:
    probes = {
        one["probe"]: one
        for one in json.loads(run("probe", "shift-write", "model:demo?capacity=32MiB", "--json"))["probes"]
    }
    assert probes["shift-write"]["refusal"] == "the drive is too small to shift writes through it"
    plan = run("probe", "shift-write", "model:demo?capacity=32MiB", "--plan")
    assert "not possible: the drive is too small" in plan


def test_an_answer_has_value_interval_and_grade() -> None:
    answers = json.loads(run("probe", "noise", "model:ssd-a?capacity=2GiB", "--json"))["probes"][0]["answers"]
    sigma = answers[0]
    assert (sigma["name"], sigma["value"], sigma["low"], sigma["high"], sigma["grade"]) == (
        "noise.sigma",
        0.0,
        0.0,
        0.0,
        "A",
    )


def test_answers_stand_below_each_other_and_a_drive_without_noise_is_no_more_than_sure() -> None:
    lines = run("probe", "flush", "model:demo").splitlines()
    named = [line for line in lines if line.startswith("  flush.")]
    column = len("  flush.cost_nothing_written ")
    assert len(named) == 5
    assert all(line[column - 1] == " " and line[column] != " " for line in named)
    sure = run("probe", "read-ahead", "model:demo").splitlines()
    assert any(line.endswith("over 1,000 standard errors") for line in sure)
